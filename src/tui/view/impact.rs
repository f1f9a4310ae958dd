//! What single changes would do: faults worst first, then upgrades and settings best first.

use ratatui::layout::Position;

use super::areas::{Areas, Form};
use super::pen::{Pen, Piece, piece};
use super::rows::{self, Line};
use crate::measure::impact::{Impact, Kind, RESOLUTION, change};
use crate::tui::app::App;
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Share, counted};

/// Cells of a bar to either side.
const BAR: usize = 10;

/// Widths of the columns; a column without width is left out.
#[derive(Debug, Clone, Copy)]
struct Columns {
    edit: usize,
    alike: usize,
    bars: bool,
    reason: usize,
}

const TIME: usize = 9;
const CHANGE: usize = 8;

impl Columns {
    /// For a width and the widest edit: the edit first, then the reason, then the bars, then who is alike.
    fn of(width: usize, widest: usize) -> Self {
        let fixed = TIME + CHANGE + 4;
        let edit = widest.min(width.saturating_sub(fixed)).max(8);
        let mut rest = width.saturating_sub(fixed + edit);
        let bars = rest >= 2 * BAR + 3 + 24;
        rest -= if bars { 2 * BAR + 3 } else { 0 };
        let alike = if bars && rest >= 26 + 28 { 26 } else { 0 };
        rest -= alike;
        Self { edit, alike, bars, reason: if rest >= 16 { rest.saturating_sub(2) } else { 0 } }
    }
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let what = if areas.form >= Form::Small { "one change at a time" } else { "one change" };
    let shown = format!("{}, z for the next", app.reports.shown.name());
    let inner = rows::frame(app, pen, areas, what, &shown);
    let all = match app.reports.impacts.as_ref()? {
        Ok(all) => all,
        Err(why) => {
            rows::none(pen, inner, why);
            return None;
        }
    };
    let listed = app.reports.impact_rows();
    let note = listed.get(app.reports.at).map(|row| note(row)).unwrap_or_default();
    let mut area = rows::above_note(pen, inner, &note, Role::Strong);
    let widest = listed.iter().map(|r| text::width(&r.edit.to_string())).max().unwrap_or(0);
    let columns = Columns::of(usize::from(area.width), widest + 2);
    if areas.form >= Form::Medium {
        area = rows::above_note(pen, area, &legend(columns, all.units_left_out), Role::Dim);
    }
    rows::list(pen, area, &lines(&listed, columns), app.reports.at)
}

fn lines(listed: &[&Impact], columns: Columns) -> Vec<Line> {
    let mut lines = vec![(None, head(columns))];
    let mut last = "";
    for (i, row) in listed.iter().enumerate() {
        let group = match row.kind {
            Kind::Down | Kind::HalfRate => "faults, worst first",
            Kind::Upgrade => "upgrades, best first",
            Kind::Setting => "settings, best first",
        };
        if group != last {
            last = group;
            lines.push(rows::heading(group));
        }
        lines.push((Some(i), drawn(row, columns)));
    }
    lines
}

fn head(c: Columns) -> Vec<Piece> {
    let mut line = text::pad("  change", c.edit);
    if c.alike > 0 {
        line.push_str(&text::pad("  alike", c.alike));
    }
    line.push_str(&text::right("time", TIME + 2));
    line.push_str(&text::right("change", CHANGE + 2));
    if c.bars {
        for words in ["  ", &text::right("faster", BAR), " ", &text::pad(" slower", BAR)] {
            line.push_str(words);
        }
    }
    if c.reason > 0 {
        line.push_str("  why");
    }
    vec![piece(line, Role::Dim)]
}

fn drawn(row: &Impact, c: Columns) -> Vec<Piece> {
    let small = row.within_resolution();
    let text_role = if small { Role::Dim } else { Role::Text };
    let role = match row.change.map(Share::ratio) {
        _ if small => Role::Dim,
        Some(r) if r < 0.0 => Role::Good,
        _ => Role::Bad,
    };
    let edit = format!("  {}", row.edit);
    let mut pieces = vec![piece(text::pad(&text::truncate(&edit, c.edit), c.edit), text_role)];
    if c.alike > 0 {
        let alike = format!("  {}", alike(row));
        pieces.push(piece(text::pad(&text::truncate(&alike, c.alike), c.alike), Role::Dim));
    }
    let time = row.time.map_or_else(|| "no time".to_owned(), |t| t.to_string());
    pieces.push(piece(text::right(&time, TIME + 2), text_role));
    pieces.push(piece(text::right(&change(row.change), CHANGE + 2), role));
    if c.bars {
        pieces.extend(bars(row.change, role));
    }
    if c.reason > 0 {
        pieces.push(piece(format!("  {}", text::truncate(&row.reason, c.reason)), Role::Dim));
    }
    pieces
}

/// Faster to the left, slower to the right, cut at twice the time.
fn bars(change: Option<Share>, role: Role) -> Vec<Piece> {
    let ratio = change.map_or(f64::INFINITY, Share::ratio);
    let cells = |r: f64| (r.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    let faster = mark::HATCHED.to_string().repeat(cells(-ratio));
    let mut slower = mark::SOLID.to_string().repeat(cells(ratio));
    if ratio > 1.0 {
        slower.pop();
        slower.push(mark::SELECTED_LEFT);
    }
    let (left, right) = (text::right(&faster, BAR), text::pad(&slower, BAR));
    vec![piece(format!("  {left}"), role), piece("│", Role::Border), piece(right, role)]
}

fn alike(row: &Impact) -> String {
    if row.what.is_empty() { "all".to_owned() } else { counted(row.alike, &row.what) }
}

/// The row of the cursor in words, with what does not fit in the table.
fn note(row: &Impact) -> String {
    let one = match (row.kind.is_fault(), row.alike) {
        (true, 0 | 1) | (false, _) => String::new(),
        (true, _) => format!("; the same for each of {}", alike(row)),
    };
    let reason = if row.reason.is_empty() { String::new() } else { format!(": {}", row.reason) };
    format!("{}{reason}{one}. Enter makes the edit, u undoes it.", row.edit)
}

/// What the columns mean; of those alone that are drawn.
fn legend(columns: Columns, left_out: u64) -> String {
    let left = if left_out > 0 {
        format!(" Faults of {} are left out: they differ from the rest.", counted(left_out, "unit"))
    } else {
        String::new()
    };
    let alike = if columns.alike > 0 { "alike: how many would give the same answer, one is priced; " } else { "" };
    let cut = if columns.bars { format!("; {} cut at twice the time", mark::SELECTED_LEFT) } else { String::new() };
    format!("{alike}dim: under {RESOLUTION}, inside the model's own resolution{cut}.{left}")
}
