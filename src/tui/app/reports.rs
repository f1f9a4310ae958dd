//! The state of the screens of rows: explain, impact, compare, diagnose. Their data is made when one opens and whenever machine
//! or question change, never while drawing.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::find::fits;
use super::{Answers, App, CompareRow, Comparison, Diagnosed, Layer, Screen};
use crate::cost::{Answer, Explanation, Prepared, Section};
use crate::lesson::story::{Story, Told};
use crate::measure::impact::{Impact, Impacts, Kind, Limits, impact};
use crate::system::System;
use crate::tui::theme::Role;

/// Which changes the impact screen lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    /// All of them.
    #[default]
    All,
    /// What breaks.
    Faults,
    /// Better parts, and settings.
    Upgrades,
}

impl Shown {
    const ALL: [Self; 3] = [Self::All, Self::Faults, Self::Upgrades];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Faults => "faults",
            Self::Upgrades => "upgrades and settings",
        }
    }

    const fn has(self, kind: Kind) -> bool {
        match self {
            Self::All => true,
            Self::Faults => kind.is_fault(),
            Self::Upgrades => !kind.is_fault(),
        }
    }
}

/// State of these screens.
#[derive(Debug, Clone, Default)]
pub struct Reports {
    /// Row of the cursor on the screen that is shown.
    pub at: usize,
    /// Lines of the story's stage that are scrolled away.
    pub scroll: usize,
    /// Sections of the explanation that are open, by their path of names: `time/steps`.
    pub open: BTreeSet<String>,
    /// Which changes are listed.
    pub shown: Shown,
    /// Rows without it are left out.
    pub filter: String,
    /// The other system of a comparison; without one it is the baseline.
    pub other: Option<System>,
    /// What was typed for it: a shipped name or a path.
    pub other_source: String,
    /// Data of the explanation, while it is open; the error is why there is no answer.
    pub explanation: Option<Result<Explanation, String>>,
    /// Data of the impacts, once they were opened; the error is why there is no answer.
    pub impacts: Option<Result<Impacts, String>>,
    /// The answers that they go with: while these stand, opening the screen again costs nothing.
    impacts_of: Option<Arc<Answers>>,
    /// The story, while it is open; the error is why it cannot be told.
    pub story: Option<Result<&'static (Story, Vec<Told>), &'static str>>,
    /// Data of the comparison, while it is open.
    pub comparison: Option<Comparison>,
    /// The diagnosis, while it is open; the error is why there is none.
    pub diagnosis: Option<Result<Diagnosed, String>>,
}

/// A row of the explanation as it is folded now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unfolded<'a> {
    /// A heading, and whether it is open; `None` where there is nothing below it.
    Heading(&'a Section, Option<bool>),
    /// A line of the derivation.
    Line(&'a str),
}

/// A row with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainRow<'a> {
    /// How deep it stands.
    pub depth: u16,
    /// The section that it is or belongs to, by its path of names.
    pub path: String,
    /// What it says.
    pub what: Unfolded<'a>,
}

impl ExplainRow<'_> {
    /// What a filter looks at.
    fn text(&self) -> String {
        match self.what {
            Unfolded::Heading(section, _) => format!("{} {}", section.title, section.value),
            Unfolded::Line(line) => line.to_owned(),
        }
    }
}

impl Reports {
    /// The rows of the explanation that are unfolded.
    pub fn explain_rows(&self) -> Vec<ExplainRow<'_>> {
        let mut rows = Vec::new();
        let Some(Ok(e)) = &self.explanation else { return rows };
        if self.filter.is_empty() {
            unfold(&e.sections, "", 0, &self.open, &mut rows);
            return rows;
        }
        // Also what is folded is found; what fits stands under its headings.
        unfold(&e.sections, "", 0, &self.foldable(), &mut rows);
        let hits: Vec<String> = rows.iter().filter(|r| fits(&self.filter, &r.text())).map(|r| r.path.clone()).collect();
        let leads = |path: &str| {
            hits.iter().any(|h| h.strip_prefix(path).is_some_and(|rest| rest.starts_with('/') || rest.is_empty()))
        };
        rows.retain(|r| match r.what {
            Unfolded::Heading(..) => leads(&r.path),
            Unfolded::Line(_) => fits(&self.filter, &r.text()),
        });
        rows
    }

    /// The impacts that are listed.
    pub fn impact_rows(&self) -> Vec<&Impact> {
        let Some(Ok(all)) = &self.impacts else { return Vec::new() };
        let fits = |r: &Impact| fits(&self.filter, &format!("{} {} {}", r.edit, r.what, r.reason));
        all.rows.iter().filter(|r| self.shown.has(r.kind) && fits(r)).collect()
    }

    /// The rows of the comparison that are listed.
    pub fn compare_rows(&self) -> Vec<&CompareRow> {
        let Some(c) = &self.comparison else { return Vec::new() };
        c.rows.iter().filter(|r| fits(&self.filter, &r.text())).collect()
    }

    fn row_count(&self, screen: Screen) -> usize {
        match screen {
            Screen::Explain => self.explain_rows().len(),
            Screen::Impact => self.impact_rows().len(),
            Screen::Compare => self.compare_rows().len(),
            Screen::Diagnose => self.findings().len(),
            Screen::Story => self.story.as_ref().map_or(0, |s| s.as_ref().map_or(0, |t| t.1.len())),
            Screen::Explore | Screen::Sweep | Screen::Scale | Screen::Watch | Screen::Quiz | Screen::Learn => 0,
        }
    }

    /// All sections that have something below them.
    fn foldable(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        if let Some(Ok(e)) = &self.explanation {
            collect(&e.sections, "", &mut all);
        }
        all
    }
}

/// Two sections of one name under one parent have their number in the path.
fn path_of(sections: &[Section], i: usize, above: &str) -> String {
    let id = sections.get(i).map_or("", |s| s.id);
    let before = sections.iter().take(i).filter(|s| s.id == id).count();
    if before == 0 { format!("{above}/{id}") } else { format!("{above}/{id}.{before}") }
}

fn unfold<'a>(
    sections: &'a [Section],
    above: &str,
    depth: u16,
    open: &BTreeSet<String>,
    rows: &mut Vec<ExplainRow<'a>>,
) {
    for (i, s) in sections.iter().enumerate() {
        let path = path_of(sections, i, above);
        let has_more = !(s.lines.is_empty() && s.children.is_empty());
        let is_open = has_more.then(|| open.contains(&path));
        rows.push(ExplainRow { depth, path: path.clone(), what: Unfolded::Heading(s, is_open) });
        if is_open == Some(true) {
            let line = |l: &'a String| ExplainRow { depth: depth + 1, path: path.clone(), what: Unfolded::Line(l) };
            rows.extend(s.lines.iter().map(line));
            unfold(&s.children, &path, depth + 1, open, rows);
        }
    }
}

fn collect(sections: &[Section], above: &str, all: &mut BTreeSet<String>) {
    for (i, s) in sections.iter().enumerate() {
        let path = path_of(sections, i, above);
        if !(s.lines.is_empty() && s.children.is_empty()) {
            all.insert(path.clone());
        }
        collect(&s.children, &path, all);
    }
}

impl App {
    /// State and data of the screens of rows.
    pub fn reports(&self) -> &Reports {
        &self.reports
    }

    /// Prepares a screen of rows that is about to open.
    pub(super) fn open_report(&mut self, screen: Screen) {
        (self.reports.at, self.reports.scroll) = (0, 0);
        self.reports.filter.clear();
        if screen == Screen::Explain && self.reports.open.is_empty() {
            self.reports.open = ["/time", "/binding"].map(str::to_owned).into();
        }
    }

    /// Works the data of the open screen of rows out again, and drops that of closed ones.
    pub(crate) fn refresh_reports(&mut self) {
        let open = |screen| self.focus.layers().any(|l: &Layer| l.screen() == Some(screen));
        let (explain, impacts, compare) = (open(Screen::Explain), open(Screen::Impact), open(Screen::Compare));
        let diagnose = open(Screen::Diagnose);
        self.reports.story = open(Screen::Story).then(Story::told);
        self.reports.explanation = explain.then(|| explanation(self));
        self.refresh_impacts(impacts);
        self.reports.comparison = compare.then(|| Comparison::new(self));
        let diagnosis = self.reports.diagnosis.take();
        self.reports.diagnosis = diagnose.then(|| self.diagnosed(diagnosis));
        self.keep_row();
    }

    /// Drops impacts of another machine or question, and makes them where their screen is open.
    fn refresh_impacts(&mut self, open: bool) {
        if !self.reports.impacts_of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &self.answers)) {
            (self.reports.impacts, self.reports.impacts_of) = (None, None);
        }
        if open && self.reports.impacts.is_none() {
            let all = impact(self.system(), &self.question, Limits::default());
            self.reports.impacts = Some(all.map_err(|unreachable| unreachable.to_string()));
            self.reports.impacts_of = Some(Arc::clone(&self.answers));
        }
    }

    /// The cursor stays on the rows that there are.
    fn keep_row(&mut self) {
        let last = self.reports.row_count(self.focus.screen()).saturating_sub(1);
        self.reports.at = self.reports.at.min(last);
    }

    /// Moves the cursor by so many rows.
    pub(crate) fn move_in_report(&mut self, by: isize) {
        self.reports.at = self.reports.at.saturating_add_signed(by);
        self.reports.scroll = 0;
        self.keep_row();
    }

    /// Scrolls the stage of the story by so many lines, as far as there are any.
    pub(crate) fn scroll_story(&mut self, by: isize, most: usize) {
        self.reports.scroll = self.reports.scroll.min(most).saturating_add_signed(by).min(most);
    }

    /// Folds or unfolds at the cursor. A line, or what is folded already, folds what it stands in.
    pub(crate) fn fold_section(&mut self, open: Option<bool>) {
        let rows = self.reports.explain_rows();
        let Some(row) = rows.get(self.reports.at) else { return };
        let (path, state) = match row.what {
            Unfolded::Heading(_, state) => (row.path.clone(), state),
            Unfolded::Line(_) => (row.path.clone(), Some(true)),
        };
        let is_line = matches!(row.what, Unfolded::Line(_));
        match (open, state) {
            (Some(true) | None, Some(false)) => drop(self.reports.open.insert(path)),
            (Some(false), Some(true)) => self.fold_path(&path),
            (None, Some(true)) if !is_line => self.fold_path(&path),
            (Some(false), _) => {
                let above = path.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
                self.fold_path(&above);
            }
            _ => {}
        }
        self.keep_row();
    }

    /// Folds a section and puts the cursor on its heading.
    fn fold_path(&mut self, path: &str) {
        if path.is_empty() {
            return;
        }
        self.reports.open.remove(path);
        let at = self.reports.explain_rows().iter().position(|r| r.path == path);
        self.reports.at = at.unwrap_or(self.reports.at);
    }

    /// Unfolds everything, or folds it if everything is; the next choice of listed impacts.
    pub(crate) fn filter_report(&mut self) {
        match self.focus.screen() {
            Screen::Explain => {
                let all = self.reports.foldable();
                let rows = self.reports.explain_rows();
                let path = rows.get(self.reports.at).map(|r| r.path.clone()).unwrap_or_default();
                let folded = all.is_subset(&self.reports.open);
                self.reports.open = if folded { BTreeSet::new() } else { all };
                let top = path.split('/').nth(1).map(|first| format!("/{first}")).unwrap_or_default();
                let wanted = if folded { top } else { path };
                let at = self.reports.explain_rows().iter().position(|r| r.path == wanted);
                self.reports.at = at.unwrap_or(0);
            }
            Screen::Impact => {
                let here = Shown::ALL.iter().position(|s| *s == self.reports.shown).unwrap_or(0);
                self.reports.shown = Shown::ALL.get(here + 1).copied().unwrap_or_default();
                self.reports.at = 0;
            }
            _ => self.say("there is nothing to fold here", Role::Dim),
        }
    }
}

fn explanation(app: &App) -> Result<Explanation, String> {
    let system = app.system();
    let who = Prepared::participants(system, app.question.group).map_err(|u| u.to_string())?;
    let prepared = Prepared::new(system, &who);
    match prepared.answer(&app.question) {
        Answer::Estimate(e) => Ok(prepared.explain(&e)),
        Answer::Unreachable(u) => Err(u.to_string()),
    }
}
