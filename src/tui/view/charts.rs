//! What the screens with charts share: their areas, curves from quantities, the legend.

use ratatui::layout::Rect;

use super::areas::{Areas, Form};
use super::pen::{Pen, Piece, piece};
use super::result;
use crate::system::{Algorithm, Protocol};
use crate::tui::app::{App, Kin, Value};
use crate::tui::chart::{self, Axis, Chart, Scale};
use crate::tui::glyphs::Glyphs;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Bytes, Share, Time};

/// Decades of a logarithmic axis at most: what lies lower is marked at its foot.
const DECADES: i32 = 5;

/// The frame of the chart, and the strip with the question below it.
pub(super) fn split(areas: &Areas) -> (Rect, Rect) {
    let whole = areas.stage;
    let strip = if areas.form >= Form::Medium { 4 } else { 1 };
    let strip = strip.min(whole.height);
    let upper = Rect { height: whole.height - strip, ..whole };
    (upper, Rect { y: upper.bottom(), height: strip, ..whole })
}

/// The question and its answer, as on every screen.
pub(super) fn strip(app: &App, pen: &mut Pen<'_>, area: Rect) {
    if area.height >= 4 {
        result::short(app, pen, area);
        return;
    }
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let line = [
        piece(result::question(app), Role::Strong),
        piece(format!("  {}", result::method(app, Form::Tabs)), Role::Dim),
    ];
    let end = pen.pieces(inner, 0, &line);
    hint(
        pen,
        Rect { x: end, width: inner.right().saturating_sub(end), height: 1, ..inner },
        "[c][s][r][a][p] change it",
    );
}

/// Words at the right end of an area, if all of them fit.
pub(super) fn hint(pen: &mut Pen<'_>, area: Rect, words: &str) {
    if text::width(words) + 2 <= usize::from(area.width) {
        pen.pieces_right(area, 0, &[piece(words, Role::Dim)]);
    }
}

/// Where a chart leaves room for itself and not just for its frame.
pub(super) fn fits(chart: &Chart, area: Rect) -> bool {
    chart::plot_area(chart, area.width, area.height).is_some_and(|(_, _, w, h)| w >= 20 && h >= 5)
}

/// Paints a chart.
pub(super) fn paint(app: &App, pen: &mut Pen<'_>, area: Rect, chart: &Chart) {
    let canvas = chart::draw(chart, area.width, area.height, app.glyphs);
    let theme = pen.theme();
    canvas.paint(area, pen.buffer(), theme, Glyphs::Unicode);
}

/// The vertical axis for values of a kind.
pub(super) fn axis(app: &App, value: Value, values: impl Iterator<Item = f64>) -> Axis {
    let axis = match (value, app.charts.scale) {
        (Value::Efficiency, _) | (_, Scale::Linear) => Axis::linear(values),
        (Value::Busbw | Value::Time, Scale::Log) => Axis::decades(values, DECADES),
    };
    match value {
        Value::Time => axis.labelled(|us| Time::from_us(us).to_string()),
        Value::Efficiency => axis.labelled(|share| format!("{:.0}%", Share::new(share).percent())),
        Value::Busbw => axis,
    }
}

/// The colour of an algorithm's or a protocol's curve: the same in every sweep.
pub(super) const fn role_of(kin: Kin) -> Role {
    match kin {
        Kin::Algorithm(Algorithm::Ring | Algorithm::Direct) | Kin::Protocol(Protocol::Simple) => Role::SeriesA,
        Kin::Algorithm(Algorithm::Tree) | Kin::Protocol(Protocol::Ll) => Role::SeriesB,
        Kin::Algorithm(Algorithm::Nvls | Algorithm::Collnet) | Kin::Protocol(Protocol::Ll128) => Role::SeriesC,
        Kin::Algorithm(Algorithm::NvlsTree) => Role::SeriesD,
    }
}

/// An entry of a legend: a sample in both glyph sets, its colour, what it stands for.
pub(super) type Entry = ([&'static str; 2], Role, String);

/// The legend, as much of it as fits, and how to move.
pub(super) fn legend(app: &App, pen: &mut Pen<'_>, area: Rect, row: u16, entries: &[Entry]) {
    let mut line: Vec<Piece> = Vec::new();
    let mut used = 0;
    for ([dots, letters], role, words) in entries {
        let sample = if app.glyphs == Glyphs::Ascii { letters } else { dots };
        let words = format!(" {words}   ");
        let wide = text::width(sample) + text::width(&words);
        if used > 0 && used + wide > usize::from(area.width) + 3 {
            break;
        }
        used += wide;
        line.extend([piece(*sample, *role), piece(words, Role::Dim)]);
    }
    let end = pen.pieces(area, row, &line);
    let rest = Rect { x: end, y: area.y + row, width: area.right().saturating_sub(end), height: 1 };
    hint(pen, rest, "left/right: the point   esc: back");
}

/// A size as a number for the horizontal axis.
pub(super) const fn across(size: Bytes) -> f64 {
    size.get()
}

/// Pieces over as many rows as they need: a row is broken where a group does not fit. The row after the last.
pub(super) fn flow(pen: &mut Pen<'_>, area: Rect, first: u16, groups: &[Vec<Piece>]) -> u16 {
    let mut row = first;
    let mut used = 0;
    for group in groups.iter().filter(|g| !g.is_empty()) {
        let width: usize = group.iter().map(|(t, _)| text::width(t)).sum();
        if used > 0 && used + 3 + width > usize::from(area.width) {
            (row, used) = (row + 1, 0);
        }
        let gap = if used > 0 { 3 } else { 0 };
        let x = area.x + (used + gap) as u16;
        let room = area.right().saturating_sub(x);
        pen.pieces(Rect { x, width: room, ..area }, row, group);
        used += gap + width;
    }
    row + u16::from(used > 0)
}
