//! The table of what is on the screen, to be copied into a report or a spreadsheet.
//!
//! Numbers are bare, with the unit in the heading: us, bytes, GB/s per direction, percent.

use super::{App, CompareRow, Layer, Screen, TierSide, TimeSide, Unfolded};
use crate::cost::Estimate;
use crate::export;
use crate::scenario::Outcome;
use crate::tui::view;
use crate::units::{Share, Time};

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// What it is called, for a message.
    pub name: String,
    /// Heading of each column.
    pub header: Vec<String>,
    /// Rows, a cell per column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(name: &str, header: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self { name: name.to_owned(), header: header.iter().map(|h| (*h).to_owned()).collect(), rows }
    }

    /// As CSV.
    pub fn csv(&self) -> String {
        export::csv(&self.header, &self.rows)
    }

    /// As Markdown.
    pub fn markdown(&self) -> String {
        export::markdown(&self.header, &self.rows)
    }
}

/// A number with so many digits after the point.
fn number(x: f64, digits: usize) -> String {
    if x.is_finite() { format!("{x:.digits$}") } else { String::new() }
}

fn us(t: Time) -> String {
    number(t.us(), 3)
}

fn percent(s: Option<Share>) -> String {
    s.map_or_else(String::new, |s| number(s.percent(), 1))
}

impl App {
    /// The table of the list or screen that is shown.
    pub fn table(&self) -> Table {
        match (self.focus.list(), self.focus.screen()) {
            (Layer::Edits { .. }, _) => self.edits_table(),
            (Layer::Picker(_), _) => self.choices_table(),
            (_, Screen::Sweep) => self.sweep_table(),
            (_, Screen::Scale) => self.scale_table(),
            (_, Screen::Explain) => self.explain_table(),
            (_, Screen::Impact) => self.impact_table(),
            (_, Screen::Compare) => self.compare_table(),
            (_, Screen::Diagnose) => self.diagnose_table(),
            (_, Screen::Watch) => self.watch_table(),
            // A quiz has a score, and no table.
            (_, Screen::Quiz) => Table::default(),
            (_, Screen::Learn) => self.lessons_table(),
            (_, Screen::Story) => self.story_table(),
            (_, Screen::Explore) => match self.focus.instead_of_picture() {
                Some(Layer::Matrix) => view::pairs(self).unwrap_or_default(),
                Some(Layer::Path(from, to)) => view::hops(self, *from, *to).unwrap_or_default(),
                _ => self.tiers_table(),
            },
        }
    }

    fn edits_table(&self) -> Table {
        let history = &self.history;
        let done = history.done().iter().zip(&history.applied().outcomes).map(|(e, o)| (e, Some(o)));
        let all: Vec<_> = done.chain(history.undone().iter().map(|e| (e, None))).collect();
        let row = |i: usize| {
            let (entry, outcome) = all.get(i)?;
            let state = match outcome {
                None => "undone".to_owned(),
                Some(Outcome::Active { touched }) => format!("on, touches {touched}"),
                Some(Outcome::Inert { reason }) => format!("inert: {reason}"),
                Some(Outcome::Disabled) => "off".to_owned(),
                Some(Outcome::Superseded { by }) => format!("edit {} counts instead", by + 1),
            };
            Some(vec![(i + 1).to_string(), entry.edit.to_string(), state])
        };
        Table::new("edits", &["#", "edit", "state"], self.listed().into_iter().filter_map(row).collect())
    }

    fn choices_table(&self) -> Table {
        let Layer::Picker(picker) = self.focus.list() else { return Table::default() };
        let row = |i: usize| {
            let c = picker.choices.get(i)?;
            let (Ok(cost) | Err(cost)) = &c.cost;
            Some(vec![c.name.clone(), cost.clone()])
        };
        let rows = self.listed().into_iter().filter_map(row).collect();
        Table::new(picker.what.title(), &[picker.what.title(), "time"], rows)
    }

    fn tiers_table(&self) -> Table {
        let used = self.answers.now.estimate().map(|e| e.tiers.as_slice()).unwrap_or_default();
        let row = |t: crate::system::TierRow| {
            let load = used.iter().find(|u| u.tier == t.tier).map(|u| u.utilisation);
            let (line, usable) = (number(t.line.gbytes_per_s(), 2), number(t.usable.gbytes_per_s(), 2));
            vec![t.tier.name().to_owned(), t.link, line, usable, us(t.latency), percent(load)]
        };
        let header = ["tier", "link", "line GB/s", "usable GB/s", "latency us", "busy %"];
        Table::new("tiers", &header, self.system().tiers().into_iter().map(row).collect())
    }

    fn lessons_table(&self) -> Table {
        let row = |h: &crate::lesson::Heading| {
            let done = self.learn.progress.of(&h.name).map_or(0, |r| r.done.len());
            vec![h.name.clone(), h.title.clone(), h.pages.to_string(), done.to_string()]
        };
        Table::new("lessons", &["lesson", "title", "pages", "finished"], self.learn.list.iter().map(row).collect())
    }

    fn sweep_table(&self) -> Table {
        let points = self.charts.sweep.as_ref().and_then(|s| s.now.as_deref().ok()).unwrap_or_default();
        let row = |e: &Estimate| {
            vec![
                e.question.size.to_u64().to_string(),
                us(e.time),
                us(e.low),
                us(e.high),
                number(e.algbw().gbytes_per_s(), 3),
                number(e.busbw().gbytes_per_s(), 3),
                us(e.bound),
                e.chosen.algorithm.to_string(),
                e.chosen.protocol.to_string(),
            ]
        };
        let header = [
            "size bytes",
            "time us",
            "low us",
            "high us",
            "algbw GB/s",
            "busbw GB/s",
            "bound us",
            "algorithm",
            "protocol",
        ];
        Table::new("sweep", &header, points.iter().map(row).collect())
    }

    fn scale_table(&self) -> Table {
        let Some(scaling) = &self.charts.scaling else { return Table::default() };
        let mut rows = Vec::new();
        for row in &scaling.rows {
            for (i, e) in row.answers.iter().enumerate() {
                let Some(e) = e else { continue };
                rows.push(vec![
                    row.units.to_string(),
                    e.ranks.to_string(),
                    e.question.size.to_u64().to_string(),
                    us(e.time),
                    number(e.busbw().gbytes_per_s(), 3),
                    percent(scaling.efficiency(i, e)),
                    e.chosen.algorithm.to_string(),
                    e.chosen.protocol.to_string(),
                    e.bottleneck.clone(),
                ]);
            }
        }
        let units = if self.system().is_rack { "racks" } else { "nodes" };
        let header = [
            units,
            "ranks",
            "size bytes",
            "time us",
            "busbw GB/s",
            "efficiency %",
            "algorithm",
            "protocol",
            "bottleneck",
        ];
        Table::new("scale", &header, rows)
    }

    fn explain_table(&self) -> Table {
        let total = self.answers.now.estimate().map(|e| e.time);
        let row = |r: super::ExplainRow<'_>| {
            let indent = "  ".repeat(usize::from(r.depth));
            match r.what {
                Unfolded::Line(line) => vec![format!("{indent}{line}")],
                Unfolded::Heading(s, _) => {
                    let share = s.time.zip(total).map(|(t, all)| t / all);
                    vec![format!("{indent}{}", s.title), s.value.clone(), percent(share)]
                }
            }
        };
        let rows = self.reports.explain_rows().into_iter().map(row).collect();
        Table::new("explanation", &["term", "value", "share %"], rows)
    }

    fn impact_table(&self) -> Table {
        let row = |r: &crate::measure::impact::Impact| {
            let alike = if r.what.is_empty() { "all".to_owned() } else { r.alike.to_string() };
            vec![r.edit.to_string(), alike, r.time.map_or_else(String::new, us), percent(r.change), r.reason.clone()]
        };
        let rows = self.reports.impact_rows().into_iter().map(row).collect();
        Table::new("impact", &["change", "alike", "time us", "change %", "why"], rows)
    }

    fn compare_table(&self) -> Table {
        let Some(c) = &self.reports.comparison else { return Table::default() };
        let tier = |t: &Option<TierSide>| t.as_ref().map_or_else(String::new, |t| number(t.usable.gbytes_per_s(), 2));
        let time = |t: &Result<TimeSide, String>| t.as_ref().map_or_else(|_| "unreachable".to_owned(), |t| us(t.time));
        let row = |r: &CompareRow| {
            let (name, left, right) = match r {
                CompareRow::Tier(t, a, b) => (format!("{} usable GB/s", t.name()), tier(a), tier(b)),
                CompareRow::Collective(t, a, b) => (format!("{} us", t.name()), time(a), time(b)),
            };
            vec![name, left, right, r.ratio().map_or_else(String::new, |r| number(r, 3))]
        };
        let [left, right] = &c.names;
        let rows = self.reports.compare_rows().into_iter().map(row).collect();
        Table::new("comparison", &["what", left, right, "ratio"], rows)
    }
}
