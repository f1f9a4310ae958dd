//! The story of a growing job: the stages side by side, and the one under the cursor in full.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::pen::{Pen, Piece, piece, wrapped};
use super::{charts, panel, rows};
use crate::lesson::story::{Line, Story, Told, Tone};
use crate::tui::app::App;
use crate::tui::commands::Command;
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::counted;

/// Cells of the bar of a step.
const BAR: usize = 20;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let (story, told) = match app.reports.story? {
        Ok(known) => known,
        Err(why) => {
            let inner = rows::frame(app, pen, areas, "a growing job", "");
            rows::none(pen, inner, why);
            return None;
        }
    };
    let at = app.reports.at;
    let right = format!("stage {} of {}", at + 1, told.len());
    let inner = rows::frame(app, pen, areas, "a growing job", &right);
    let head = stages(told, at, pen, inner);
    if let Some(text) = told.get(at).map(|t| Text::new(app, story, t, below(inner, head))) {
        text.draw(app, pen);
    }
    None
}

/// What is left of an area below its first rows.
const fn below(area: Rect, rows: u16) -> Rect {
    let rows = if rows < area.height { rows } else { area.height };
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// How far the stage's text can be scrolled on this screen.
pub(crate) fn most(app: &App) -> usize {
    let areas = Areas::new(app.size, &app.focus);
    let inner = panel::inner(charts::split(&areas).0, areas.form);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let Some(Ok((story, told))) = app.reports.story else { return 0 };
    let head = table(told, app.reports.at, inner).1;
    told.get(app.reports.at).map_or(0, |t| Text::new(app, story, t, below(inner, head)).most())
}

/// A row of the table: the stage, and what it says.
type Row = (Option<usize>, Vec<Piece>);

/// A row per stage, of many the nearest ones; and the rows that they take with what is below them.
fn table(told: &[Told], at: usize, area: Rect) -> (Vec<Row>, u16) {
    let name = told.iter().map(|t| text::width(&t.stage.name)).max().unwrap_or(0) + 2;
    let bars = usize::from(area.width) >= name + 34 + BAR;
    let times = usize::from(area.width) >= name + 34;
    let columns = |gpus: &str, compute: &str, sums: &str, share: &str| {
        let times = if times { format!(" {compute:>9} {sums:>10}") } else { String::new() };
        format!("{gpus:>6}{times} {share:>6}")
    };
    let head = columns("GPUs", "compute", "all-reduce", "share");
    let mut rows = vec![(None, vec![piece(format!("{:name$}{head}", ""), Role::Dim)])];
    let shown = if area.height >= 14 { told.len() } else { told.len().min(3) };
    let first = at.saturating_sub(shown / 2).min(told.len() - shown);
    for (i, t) in told.iter().enumerate().skip(first).take(shown) {
        let sums = t.all_reduce.as_ref().map_or_else(|| "-".to_owned(), |e| e.time.to_string());
        let numbers = columns(&t.ranks.to_string(), &t.compute.to_string(), &sums, &t.share().to_string());
        let mut pieces = vec![piece(format!("{}{numbers}", text::pad(&t.stage.name, name)), Role::Text)];
        if bars {
            let part = ((t.share().ratio() * BAR as f64).round() as usize).min(BAR);
            pieces.push(piece(format!("  {}", mark::SOLID.to_string().repeat(BAR - part)), Role::Baseline));
            pieces.push(piece(mark::HATCHED.to_string().repeat(part), Role::WhatIf));
        }
        rows.push((Some(i), pieces));
    }
    if bars && area.height > rows.len() as u16 + 14 {
        let words = format!("{:name$}a step: {} compute  {} communication", "", mark::SOLID, mark::HATCHED);
        rows.push((None, vec![piece(words, Role::Dim)]));
    }
    let height = rows.len() as u16;
    let gap = u16::from(area.height > height + 12);
    (rows, height + gap)
}

/// Draws the table; the rows that it takes.
fn stages(told: &[Told], at: usize, pen: &mut Pen<'_>, area: Rect) -> u16 {
    let (rows, height) = table(told, at, area);
    for (row, (stage, pieces)) in rows.iter().enumerate() {
        let row = row as u16;
        let end = pen.pieces(area, row, pieces);
        if *stage == Some(at) && row < area.height {
            pen.restyle(Rect { y: area.y + row, height: 1, width: end - area.x, ..area }, Role::Selection);
        }
    }
    height
}

/// A stage in full: what does not fit scrolls; the next purchase always shows.
struct Text {
    area: Rect,
    title: Vec<Piece>,
    lines: Vec<Vec<Piece>>,
    /// What stays at the foot while the rest scrolls.
    last: Vec<Vec<Piece>>,
}

impl Text {
    fn new(app: &App, story: &Story, stage: &Told, area: Rect) -> Self {
        let title = vec![piece(format!("{} {}: {}", mark::OPEN, stage.stage.name, stage.who()), Role::Strong)];
        let wrap = |text: &str, role: Role| wrapped(text, area.width, role);
        let all = stage.lines(&story.job);
        let of = |last: bool| all.iter().filter(move |l| (l.tone == Tone::Next) == last);
        let drawn = |l: &Line| wrap(&l.text, role(l.tone));
        let last: Vec<Vec<Piece>> = of(true).flat_map(drawn).collect();
        let job = format!("the job: {}. Assumed: {}.", story.job.summary(), story.job.assumed.join("; "));
        let key = app.config.keymap.key_label(Command::RowTake.spec());
        let back = format!("{key} opens this machine; the story keeps yours, with its edits, until you come back");
        let mut lines: Vec<Vec<Piece>> = of(false).flat_map(drawn).collect();
        let about = [wrap(&job, Role::Dim), wrap(&back, Role::Dim)].concat();
        let room = usize::from(area.height).saturating_sub(1);
        if lines.len() + last.len() + about.len() < room {
            lines.extend(last);
            lines.push(Vec::new());
            return Self { area, title, lines: [lines, about].concat(), last: Vec::new() };
        }
        // The purchase stays in sight where that leaves some lines to scroll.
        lines.extend(about);
        if room < last.len() + 3 {
            lines.splice(0..0, last);
            return Self { area, title, lines, last: Vec::new() };
        }
        Self { area, title, lines, last }
    }

    /// Lines that show at once, the one that says how many more there are left out.
    fn window(&self) -> usize {
        let room = usize::from(self.area.height).saturating_sub(1 + self.last.len());
        if self.lines.len() > room { room.saturating_sub(1) } else { room }
    }

    fn most(&self) -> usize {
        self.lines.len().saturating_sub(self.window().max(1))
    }

    fn draw(&self, app: &App, pen: &mut Pen<'_>) {
        pen.pieces(self.area, 0, &self.title);
        let (first, window) = (app.reports.scroll.min(self.most()), self.window());
        for (row, line) in self.lines.iter().skip(first).take(window).enumerate() {
            pen.pieces(self.area, row as u16 + 1, line);
        }
        if self.lines.len() > window {
            let left = self.lines.len() - window - first;
            let key = |c: Command| app.config.keymap.key_label(c.spec());
            let words = match left {
                0 => format!("{first} more lines above, {}", key(Command::PageUp)),
                _ => format!("{} below, {}", counted(left as u64, "more line"), key(Command::PageDown)),
            };
            pen.pieces(self.area, window as u16 + 1, &[piece(words, Role::Key)]);
        }
        let foot = self.area.height.saturating_sub(self.last.len() as u16);
        for (row, line) in self.last.iter().enumerate() {
            pen.pieces(self.area, foot + row as u16, line);
        }
    }
}

const fn role(tone: Tone) -> Role {
    match tone {
        Tone::Text => Role::Text,
        Tone::Same | Tone::Remark => Role::Dim,
        Tone::New => Role::WhatIf,
        Tone::Number => Role::Strong,
        Tone::Next => Role::Good,
    }
}
