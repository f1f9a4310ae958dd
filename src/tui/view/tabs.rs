//! The row of tabs of the smallest screens.

use ratatui::layout::Rect;

use super::pen::{Pen, Piece, piece};
use crate::tui::app::{App, Panel};
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let tab = |p: Panel| -> Piece {
        if p == app.focus.panel() {
            piece(format!("►{}◄ ", p.name()), Role::Strong)
        } else {
            piece(format!(" {}  ", p.name()), Role::Dim)
        }
    };
    let mut pieces = vec![piece(" ", Role::Text)];
    pieces.extend(Panel::ALL.map(tab));
    pieces.push(piece("  tab: next", Role::Dim));
    pen.pieces(area, 0, &pieces);
}
