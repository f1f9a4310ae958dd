//! Two machines side by side, with ratios and a verdict.

use ratatui::layout::Position;

use super::areas::{Areas, Form};
use super::pen::{Pen, Piece, piece};
use super::rows::{self, Line};
use crate::tui::app::{App, CompareRow, Comparison, TierSide, TimeSide};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::significant;

/// Width of the names and of the ratios.
const NAME: usize = 15;
const RATIO: usize = 8;
/// Cells of a bar.
const BAR: usize = 12;
/// Width from which the bars show.
const WITH_BARS: usize = 100;
/// Width from which the ratios show; the verdict has the one that matters.
const WITH_RATIOS: usize = 46;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let c = app.reports.comparison.as_ref()?;
    let what = format!("{} against {}", c.names[0], c.names[1]);
    let inner = rows::frame(app, pen, areas, &what, "o another system");
    let area = rows::above_note(pen, inner, &c.verdict, Role::Strong);
    let listed = app.reports.compare_rows();
    let area = match listed.get(app.reports.at) {
        // On the smallest screens the table is worth more.
        Some(row) if areas.form >= Form::Small => rows::above_note(pen, area, &note(c, row), Role::Dim),
        _ => area,
    };
    rows::list(pen, area, &lines(app, c, &listed, usize::from(area.width)), app.reports.at)
}

/// What has room in a row: the width of one machine's cell, the ratio, its bar.
#[derive(Debug, Clone, Copy)]
struct Layout {
    side: usize,
    ratio: bool,
    bars: bool,
}

fn lines(app: &App, c: &Comparison, listed: &[&CompareRow], width: usize) -> Vec<Line> {
    let bars = width >= WITH_BARS;
    let layout = Layout { side: 0, ratio: width >= WITH_RATIOS, bars };
    let fixed = NAME + usize::from(layout.ratio) * RATIO + usize::from(bars) * (BAR + 2);
    let layout = Layout { side: (width.saturating_sub(fixed + 1) / 2).min(40), ..layout };
    let side = layout.side;
    let ratio = if layout.ratio { text::right("ratio", RATIO) } else { String::new() };
    let name = |n: &str| text::right(&text::truncate(n, side.saturating_sub(1)), side);
    let title = |what: &str| {
        let sides = format!("{}{}{ratio}", name(&c.names[0]), name(&c.names[1]));
        (None, vec![piece(text::pad(what, NAME), Role::Strong), piece(sides, Role::Dim)])
    };
    let mut lines = Vec::new();
    if matches!(listed.first(), Some(CompareRow::Tier(..))) {
        lines.push(title("usable per GPU"));
    }
    let mut tiers = true;
    for (i, row) in listed.iter().enumerate() {
        if tiers && matches!(row, CompareRow::Collective(..)) {
            tiers = false;
            if i > 0 {
                lines.push((None, Vec::new()));
            }
            lines.push(title(&app.question().size.to_string()));
        }
        lines.push((Some(i), drawn(app, row, layout)));
    }
    lines
}

fn drawn(app: &App, row: &CompareRow, layout: Layout) -> Vec<Piece> {
    let side = layout.side;
    let (name, left, right, own) = match row {
        CompareRow::Tier(tier, a, b) => (tier.name(), tier_text(a.as_ref(), side), tier_text(b.as_ref(), side), false),
        CompareRow::Collective(c, a, b) => {
            (c.name(), time_text(a, side), time_text(b, side), *c == app.question().collective)
        }
    };
    let ratio = row.ratio();
    let role = match ratio {
        Some(r) if r > 1.005 => Role::Good,
        Some(r) if r < 0.995 => Role::Bad,
        _ => Role::Dim,
    };
    let marked = if own { format!("{}{name}", mark::SELECTED_LEFT) } else { format!(" {name}") };
    let mut pieces = vec![
        piece(text::pad(&marked, NAME), if own { Role::Strong } else { Role::Text }),
        piece(left, Role::Baseline),
        piece(right, Role::Text),
    ];
    if layout.ratio {
        let words = ratio.map_or_else(|| "-".to_owned(), |r| format!("x{}", significant(r)));
        pieces.push(piece(text::right(&words, RATIO), role));
    }
    if layout.bars {
        pieces.push(piece(format!("  {}", bar(ratio)), role));
    }
    pieces
}

/// As long as the ratio, cut at four times.
fn bar(ratio: Option<f64>) -> String {
    let cells = (ratio.unwrap_or(0.0).clamp(0.0, 4.0) / 4.0 * BAR as f64).round() as usize;
    mark::SOLID.to_string().repeat(cells)
}

/// The longest of several ways to say it that leaves a column free.
fn fitting(ways: &[String], side: usize) -> String {
    let fits = ways.iter().find(|w| text::width(w) < side);
    let words = fits.or(ways.last()).map_or("", String::as_str);
    text::right(&text::truncate(words, side.saturating_sub(1)), side)
}

fn tier_text(t: Option<&TierSide>, side: usize) -> String {
    let Some(t) = t else { return text::right("none", side) };
    fitting(&[format!("{}  {}", t.link, t.usable), t.usable.to_string()], side)
}

fn time_text(t: &Result<TimeSide, String>, side: usize) -> String {
    let Ok(t) = t else { return text::right("unreachable", side) };
    let (time, busbw) = (text::right(&t.time.to_string(), 8), text::right(&t.busbw.to_string(), 9));
    let both = format!("{} {time}", t.method);
    fitting(&[format!("{} {busbw} {time}", t.method), both, time.clone()], side)
}

/// What does not fit in the row of the cursor.
fn note(c: &Comparison, row: &CompareRow) -> String {
    let [left, right] = &c.names;
    match row {
        CompareRow::Tier(tier, a, b) => {
            let say = |t: Option<&TierSide>| t.map_or("none".to_owned(), |t| format!("{} {}", t.link, t.usable));
            format!("{}: {left} {}, {right} {} (per GPU and direction)", tier.name(), say(a.as_ref()), say(b.as_ref()))
        }
        CompareRow::Collective(collective, a, b) => {
            let say = |t: &Result<TimeSide, String>| match t {
                Ok(t) => format!("{}, {}, bound by {}", t.method, t.busbw, t.bottleneck),
                Err(why) => why.clone(),
            };
            format!("{}: {left} {}; {right} {}", collective.name(), say(a), say(b))
        }
    }
}
