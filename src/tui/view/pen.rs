//! Writes text with roles into a buffer; what lies outside is not drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::text;
use crate::tui::theme::{Role, Theme};

/// A text and its role.
pub(super) type Piece = (String, Role);

/// A piece.
pub(super) fn piece(text: impl Into<String>, role: Role) -> Piece {
    (text.into(), role)
}

/// A buffer with the theme to write with.
pub(super) struct Pen<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
}

impl<'a> Pen<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Self {
        Self { buffer, theme }
    }

    /// The buffer, for what paints by itself.
    pub(super) fn buffer(&mut self) -> &mut Buffer {
        self.buffer
    }

    /// The theme.
    pub(super) fn theme(&self) -> &'a Theme {
        self.theme
    }

    /// Writes a text from a cell on, in at most so many columns. Returns the column after it.
    pub(super) fn text(&mut self, x: u16, y: u16, columns: u16, content: &str, role: Role) -> u16 {
        let cut = text::truncate(content, usize::from(columns));
        let style = self.theme.style(role);
        let mut at = x;
        for (cluster, width) in text::cells(&cut) {
            for (i, column) in (at..at.saturating_add(width as u16)).enumerate() {
                if let Some(cell) = self.buffer.cell_mut((column, y)) {
                    cell.set_symbol(if i == 0 { cluster } else { " " }).set_style(style);
                }
            }
            at = at.saturating_add(width as u16);
        }
        at
    }

    /// Writes pieces one after the other on a row of an area. Returns the column after them.
    pub(super) fn pieces(&mut self, area: Rect, row: u16, pieces: &[Piece]) -> u16 {
        let mut x = area.x;
        if row >= area.height {
            return x;
        }
        for (content, role) in pieces {
            let room = area.right().saturating_sub(x);
            x = self.text(x, area.y + row, room, content, *role);
        }
        x
    }

    /// Writes pieces so that they end at the right edge of an area.
    pub(super) fn pieces_right(&mut self, area: Rect, row: u16, pieces: &[Piece]) -> u16 {
        let width: usize = pieces.iter().map(|(t, _)| text::width(t)).sum();
        let width = (width as u16).min(area.width);
        let x = area.right() - width;
        self.pieces(Rect { x, width, ..area }, row, pieces);
        x
    }

    /// Lays a role's style over cells that are written already.
    pub(super) fn restyle(&mut self, area: Rect, role: Role) {
        let area = area.intersection(self.buffer.area);
        self.buffer.set_style(area, self.theme.style(role));
    }

    /// Empties an area.
    pub(super) fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                }
            }
        }
    }
}

/// Pieces without a role of their own, wrapped to a width: lines of one role.
pub(super) fn wrapped(content: &str, columns: u16, role: Role) -> Vec<Vec<Piece>> {
    text::wrap(content, usize::from(columns)).into_iter().map(|l| vec![piece(l, role)]).collect()
}
