//! The scaling: time, busbw and efficiency against the number of nodes, for several sizes, with the numbers below.

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::charts;
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece};
use super::tree::first_row;
use crate::cost::Estimate;
use crate::tui::app::{App, Layer, ScaleRow, Scaling, Value};
use crate::tui::chart::{self, At, Axis, Chart, Shape, Stroke};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Share, significant};

/// Colours and letters of the sizes: the question's own first.
const LOOKS: [(Role, char); 4] =
    [(Role::SeriesA, '*'), (Role::SeriesB, '+'), (Role::SeriesC, '-'), (Role::SeriesD, '=')];

/// The letter of the baseline's curve in ASCII.
const BASELINE: char = 'o';

/// Columns from which all three charts stand side by side.
const ALL_THREE: u16 = 108;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let scaling = app.charts.scaling.as_ref()?;
    let (upper, strip) = charts::split(areas);
    charts::strip(app, pen, strip);
    let what = if app.system().is_rack { "racks" } else { "nodes" };
    let three = upper.width >= ALL_THREE;
    let left = format!("scale {} {} over {what}", mark::CLOSED, app.question().collective);
    let right = if three { format!("against {what}") } else { format!("{} against {what}", app.charts.value.name()) };
    let focused = matches!(app.focus.top(), Layer::Scale);
    let inner = panel::frame(pen, upper, &Heading { left: &left, right: &right, focused });
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let rows = table_rows(scaling, areas.form, inner.height);
    let above = Rect { height: inner.height.saturating_sub(rows), ..inner };
    let shown: &[Value] = if three { &Value::ALL } else { std::slice::from_ref(&app.charts.value) };
    // One count is no curve.
    if scaling.rows.len() < 2 || !draw_charts(app, scaling, pen, above, shown) {
        return Some(table(app, scaling, pen, inner));
    }
    Some(table(app, scaling, pen, Rect { y: above.bottom(), height: inner.height - above.height, ..inner }))
}

/// Rows of the table: all counts where there is room, else a few around the cursor.
fn table_rows(scaling: &Scaling, form: Form, height: u16) -> u16 {
    let all = scaling.rows.len() as u16 + 2;
    let share = match form {
        Form::Wide | Form::Medium => height / 2,
        _ => 4,
    };
    all.min(share)
}

/// The charts side by side, each with its name above; false where they do not fit.
fn draw_charts(app: &App, scaling: &Scaling, pen: &mut Pen<'_>, area: Rect, shown: &[Value]) -> bool {
    let each = area.width / shown.len().max(1) as u16;
    let several = shown.len() > 1;
    let legend = u16::from(area.height > 8);
    let below = Rect { height: area.height.saturating_sub(legend + u16::from(several)), ..area };
    let all: Vec<(Rect, Value, Chart)> = shown
        .iter()
        .enumerate()
        .map(|(i, value)| {
            let x = area.x + each * i as u16;
            let y = area.y + u16::from(several);
            (
                Rect { x, y, width: each.saturating_sub(u16::from(several)), height: below.height },
                *value,
                chart(app, scaling, *value),
            )
        })
        .collect();
    if !all.iter().all(|(a, _, c)| charts::fits(c, *a)) {
        return false;
    }
    for (a, value, c) in &all {
        if several {
            let role = if *value == app.charts.value { Role::Strong } else { Role::Dim };
            let name = text::centre(value.name(), usize::from(a.width));
            pen.pieces(Rect { y: area.y, height: 1, ..*a }, 0, &[piece(name, role)]);
        }
        charts::paint(app, pen, *a, c);
    }
    if legend > 0 {
        let entry = |(i, s): (usize, &crate::units::Bytes)| {
            let own = if i == 0 { " (asked)" } else { "" };
            (samples(i), look(i).0, format!("{s}{own}"))
        };
        let mut entries: Vec<charts::Entry> = scaling.sizes.iter().enumerate().map(entry).collect();
        if scaling.rows.iter().any(|r| r.baseline.is_some()) {
            entries.insert(1, (["⠒⠒", "oo"], Role::Baseline, "baseline".to_owned()));
        }
        charts::legend(app, pen, area, area.height - 1, &entries);
    }
    true
}

fn look(size: usize) -> (Role, char) {
    LOOKS.get(size).copied().unwrap_or((Role::Text, '.'))
}

/// The sample of a curve in a legend.
const fn samples(size: usize) -> [&'static str; 2] {
    match size {
        0 => ["⠶⠶", "**"],
        1 => ["⠒⠒", "++"],
        2 => ["⠒⠒", "--"],
        _ => ["⠒⠒", "=="],
    }
}

/// A value of an answer as a number of its axis.
fn number(scaling: &Scaling, size: usize, e: &Estimate, value: Value) -> f64 {
    match value {
        Value::Busbw => e.busbw().gbytes_per_s(),
        Value::Time => e.time.us(),
        Value::Efficiency => scaling.efficiency(size, e).map_or(f64::NAN, Share::ratio),
    }
}

fn chart(app: &App, scaling: &Scaling, value: Value) -> Chart {
    let counts: Vec<u32> = scaling.rows.iter().map(|r| r.units).collect();
    let curve = |size: usize| -> Vec<At> {
        let at = |r: &ScaleRow| {
            let e = r.answers.get(size)?.as_ref()?;
            Some(At::new(f64::from(r.units), number(scaling, size, e, value)))
        };
        scaling.rows.iter().filter_map(at).collect()
    };
    let curves: Vec<Vec<At>> = (0..scaling.sizes.len()).map(curve).collect();
    // Efficiency is a share of the machine's own, so two machines do not share an axis.
    let before = |r: &ScaleRow| {
        let e = r.baseline.as_ref().filter(|_| value != Value::Efficiency)?;
        Some(At::new(f64::from(r.units), number(scaling, 0, e, value)))
    };
    let before: Vec<At> = scaling.rows.iter().filter_map(before).collect();
    let y = charts::axis(app, value, curves.iter().flatten().chain(&before).map(|p| p.y));
    let mut layers: Vec<chart::Layer> = curves
        .into_iter()
        .enumerate()
        .map(|(i, points)| {
            let stroke = if i == 0 { Stroke::Thick } else { Stroke::Thin };
            let (role, ascii) = look(i);
            let name = scaling.sizes.get(i).map_or_else(String::new, ToString::to_string);
            chart::Layer::new(Shape::Curve(points, stroke), role, ascii).named(name)
        })
        .collect();
    if !before.is_empty() {
        layers.push(chart::Layer::new(Shape::Curve(before, Stroke::Thin), Role::Baseline, BASELINE).named("baseline"));
    }
    // The size that is asked about lies over the others.
    layers.reverse();
    let cursor = Some(f64::from(app.charts.units));
    Chart { x: Axis::counts(&counts), y, layers, regions: Vec::new(), label: None, cursor }
}

/// The numbers for the question's size, scrolled to the cursor.
fn table(app: &App, scaling: &Scaling, pen: &mut Pen<'_>, area: Rect) -> Position {
    let what = if app.system().is_rack { "racks" } else { "nodes" };
    let head = format!("{what:>7} {:>6} {:>8} {:>5} {:>6}  taken", "ranks", "time", "GB/s", "eff. %");
    pen.pieces(area, 0, &[piece(head, Role::Dim)]);
    let room = area.height.saturating_sub(1);
    let words = format!("{}; efficiency is busbw as a share of that in the first row", scaling.ends);
    let words = text::wrap(&words, usize::from(area.width));
    let closing = room.saturating_sub(scaling.rows.len() as u16).min(words.len() as u16);
    let list = Rect { y: area.y + 1, height: room - closing, ..area };
    let at = scaling.rows.iter().position(|r| r.units == app.charts.units).unwrap_or(0);
    let first = first_row(at, scaling.rows.len(), list.height);
    let mut cursor = Position { x: list.x, y: list.y };
    for (row, (i, r)) in scaling.rows.iter().enumerate().skip(first).take(usize::from(list.height)).enumerate() {
        pen.pieces(list, row as u16, &table_row(app, scaling, r));
        if i == at {
            cursor.y = list.y + row as u16;
            pen.restyle(Rect { y: cursor.y, height: 1, ..list }, Role::Selection);
        }
    }
    for (row, line) in words.into_iter().take(usize::from(closing)).enumerate() {
        pen.pieces(area, scaling.rows.len() as u16 + 1 + row as u16, &[piece(line, Role::Dim)]);
    }
    cursor
}

fn table_row(app: &App, scaling: &Scaling, r: &ScaleRow) -> Vec<Piece> {
    let here = if r.units == app.system().units { mark::SELECTED_LEFT } else { ' ' };
    let units = format!("{here}{:>6} ", r.units);
    let Some(e) = r.answers.first().and_then(Option::as_ref) else {
        return vec![piece(units, Role::Text), piece("unreachable", Role::Down)];
    };
    let (time, rate) = (e.time.to_string(), e.busbw().gbytes_per_s());
    let share = scaling.efficiency(0, e).map_or_else(|| "-".to_owned(), |s| format!("{:.0}", s.percent()));
    vec![
        piece(format!("{units}{:>6} {time:>8} {:>5} {share:>6}", e.ranks, significant(rate)), Role::Text),
        piece(format!("  {} {}", e.chosen.algorithm, e.chosen.protocol), Role::Text),
        piece(format!("  {} {}", mark::BOTTLENECK, e.bottleneck), Role::Dim),
        piece(r.baseline.as_ref().map_or_else(String::new, |b| format!("  was {}", b.time)), Role::Baseline),
    ]
}
