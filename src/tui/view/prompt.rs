//! The line at the bottom, what it would do, and how it could go on.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::panel::{self, Heading};
use super::pen::{Pen, piece};
use super::tree::first_row;
use crate::lesson::Run;
use crate::tui::app::{App, Layer, Line, Preview};
use crate::tui::line_edit::LineEdit;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::significant;

/// Most offers that show at once.
const OFFERS: u16 = 8;

/// Draws the line if one is being typed; where the cursor stands.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let line = match app.focus.top() {
        Layer::Line(line) => line,
        Layer::Filter(text) => return Some(filter(pen, areas.footer, text)),
        _ => return None,
    };
    let row = areas.footer;
    let above = Rect { y: row.y.saturating_sub(1), ..row };
    pen.clear(row);
    pen.clear(above);
    let prompt = line.kind.prompt();
    let start = row.x + 1 + text::width(prompt) as u16;
    let (shown, column) = line.edit.view(usize::from(row.right().saturating_sub(start + 1)));
    pen.pieces(row, 0, &[piece(format!(" {prompt}"), Role::Key), piece(shown, Role::Strong)]);
    let message = app.message.as_ref().map(|m| (m.text.as_str(), m.role));
    let near = app
        .lesson()
        .and_then(Run::tolerance)
        .map_or_else(String::new, |t| format!("; {} % off is near enough", significant(t.percent())));
    let wanted = app.wanted().map(|w| w.describe() + &near);
    preview(pen, above, line, start, message, wanted.as_deref());
    offers(pen, areas, line, above.y);
    Some(Position { x: start + column as u16, y: row.y })
}

/// The filter of a list, which narrows while it is typed.
fn filter(pen: &mut Pen<'_>, row: Rect, text: &LineEdit) -> Position {
    pen.clear(row);
    let hint = "enter keeps it, esc shows all ";
    let (shown, column) = text.view(usize::from(row.width.saturating_sub(3)));
    let end = pen.pieces(row, 0, &[piece(" /", Role::Key), piece(shown, Role::Strong)]);
    let rest = Rect { x: end, width: row.right().saturating_sub(end), ..row };
    super::charts::hint(pen, rest, hint);
    Position { x: row.x + 2 + column as u16, y: row.y }
}

/// What it would do, or why it cannot be, with a mark under the place. The row is above the line, so the mark points
/// down at it.
fn preview(
    pen: &mut Pen<'_>,
    area: Rect,
    line: &Line,
    start: u16,
    message: Option<(&str, Role)>,
    wanted: Option<&str>,
) {
    let indent = " ".repeat(usize::from(start));
    match (&line.preview, message) {
        (_, Some((text, role))) => pen.pieces(area, 0, &[piece(format!(" {text}"), role)]),
        (Preview::Nothing, _) => {
            let usual = line.kind.hint(usize::from(area.width).saturating_sub(2));
            let hint = wanted.unwrap_or(usual);
            pen.pieces(area, 0, &[piece(format!(" {hint}"), Role::Dim)])
        }
        (Preview::Good(text), _) => pen.pieces(area, 0, &[piece(format!("{indent}{text}"), Role::WhatIf)]),
        (Preview::Bad { column, text }, _) => {
            let at = usize::from(start) + column.saturating_sub(1);
            let room = usize::from(area.width).saturating_sub(text::width(text) + 3);
            let blanks = " ".repeat(at.min(room));
            pen.pieces(area, 0, &[piece(format!("{blanks}▼ {text}"), Role::Bad)])
        }
    };
}

/// The ways to go on, in a box over the line.
fn offers(pen: &mut Pen<'_>, areas: &Areas, line: &Line, below: u16) {
    let count = line.offers.len() as u16;
    let rows = count.min(OFFERS).min(below.saturating_sub(areas.over.y + 2));
    if rows == 0 {
        return;
    }
    let width = 76.min(areas.over.width);
    let area = Rect { x: areas.over.x, y: below - rows - 2, width, height: rows + 2 };
    pen.clear(area);
    let more = if count > rows { format!("{count} ways, tab takes the next") } else { "tab takes the next".to_owned() };
    let inner = panel::frame(pen, area, &Heading { left: "", right: &more, focused: false });
    let at = line.taken.unwrap_or(0);
    let first = first_row(at, line.offers.len(), rows);
    let widest =
        line.offers.iter().skip(first).take(usize::from(rows)).map(|o| text::width(&o.word)).max().unwrap_or(0);
    for (y, (i, offer)) in line.offers.iter().enumerate().skip(first).take(usize::from(rows)).enumerate() {
        let word = text::pad(&offer.word, widest.min(40));
        pen.pieces(
            inner,
            y as u16,
            &[piece(format!(" {word}"), Role::Text), piece(format!("  {}", offer.doc), Role::Dim)],
        );
        if line.taken == Some(i) {
            pen.restyle(Rect { y: inner.y + y as u16, height: 1, ..inner }, Role::Selection);
        }
    }
}
