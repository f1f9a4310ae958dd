//! What the screens of rows share: the frame with the question below it, and a list whose rows may be several lines.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::charts;
use super::lists::filtered;
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece, wrapped};
use crate::tui::app::App;
use crate::tui::glyphs::mark;
use crate::tui::theme::Role;

/// A line of the screen, and the row that it belongs to; a heading belongs to none.
pub(super) type Line = (Option<usize>, Vec<Piece>);

/// Draws the frame and the question; the inside with a column free on both sides.
pub(super) fn frame(app: &App, pen: &mut Pen<'_>, areas: &Areas, what: &str, right: &str) -> Rect {
    let (upper, strip) = charts::split(areas);
    charts::strip(app, pen, strip);
    let left = filtered(&format!("{} {} {what}", app.focus.screen().name(), mark::CLOSED), app.filter());
    let focused = app.focus.top().screen().is_some();
    let inner = panel::frame(pen, upper, &Heading { left: &left, right, focused });
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

/// Draws lines, scrolled so that the row of the cursor shows; where the terminal's cursor stands. In the free columns beside
/// them `►` marks that row, `▲` and `▾` say that there is more.
pub(super) fn list(pen: &mut Pen<'_>, area: Rect, lines: &[Line], at: usize) -> Option<Position> {
    if lines.iter().all(|(row, _)| row.is_none()) {
        pen.pieces(area, 0, &[piece("no row has this in it; esc shows all again", Role::Dim)]);
        return None;
    }
    if area.height == 0 {
        return None;
    }
    let of_row = |(row, _): &Line| *row == Some(at);
    let start = lines.iter().position(of_row).unwrap_or(0);
    let end = lines.iter().rposition(of_row).unwrap_or(start);
    let height = usize::from(area.height);
    let most = lines.len().saturating_sub(height);
    // Near the middle, but no line of the row below the edge.
    let first = start.saturating_sub(height / 2).max((end + 1).saturating_sub(height)).min(start).min(most);
    let mut cursor = None;
    for (y, line) in lines.iter().skip(first).take(height).enumerate() {
        let y = y as u16;
        pen.pieces(area, y, &line.1);
        if of_row(line) && cursor.is_none() {
            beside(pen, area.left().saturating_sub(1), area.y + y, mark::SELECTED_LEFT, Role::Selection);
        }
        if of_row(line) {
            pen.restyle(Rect { y: area.y + y, height: 1, ..area }, Role::Selection);
            cursor = cursor.or(Some(Position { x: area.x, y: area.y + y }));
        }
    }
    if first > 0 {
        beside(pen, area.right(), area.y, '▲', Role::Dim);
    }
    if first + height < lines.len() {
        beside(pen, area.right(), area.bottom().saturating_sub(1), mark::OPEN, Role::Dim);
    }
    cursor
}

/// A mark in a column that the frame keeps free.
fn beside(pen: &mut Pen<'_>, x: u16, y: u16, glyph: char, role: Role) {
    pen.pieces(Rect { x, y, width: 1, height: 1 }, 0, &[piece(glyph.to_string(), role)]);
}

/// Says in place of the rows why there are none.
pub(super) fn none(pen: &mut Pen<'_>, area: Rect, why: &str) {
    for (y, line) in wrapped(why, area.width, Role::Bad).iter().enumerate() {
        pen.pieces(area, y as u16, line);
    }
}

/// All but the last rows of an area, and those with a text of its own in them: at most a third of the area.
pub(super) fn above_note(pen: &mut Pen<'_>, area: Rect, note: &str, role: Role) -> Rect {
    let lines = wrapped(note, area.width, role);
    let rows = (lines.len() as u16).min(area.height / 3);
    let upper = Rect { height: area.height - rows, ..area };
    let below = Rect { y: upper.bottom(), height: rows, ..area };
    for (y, line) in lines.iter().enumerate() {
        pen.pieces(below, y as u16, line);
    }
    upper
}

/// A heading between rows.
pub(super) fn heading(text: &str) -> Line {
    (None, vec![piece(text, Role::Strong)])
}
