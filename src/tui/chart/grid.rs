//! Braille dots: two across and four down in every cell, each cell in the colour of what was drawn last.

use crate::tui::theme::Role;

/// Bits of the dots of a cell, by column and row (Unicode's braille patterns).
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// First of the braille patterns: no dot.
const BLANK: u32 = 0x2800;

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    bits: u8,
    look: Option<(Role, char)>,
}

/// The dots.
#[derive(Debug)]
pub(super) struct Grid {
    width: u16,
    height: u16,
    cells: Vec<Cell>,
}

impl Grid {
    /// An empty grid of so many cells.
    pub(super) fn new(width: u16, height: u16) -> Self {
        Self { width, height, cells: vec![Cell::default(); usize::from(width) * usize::from(height)] }
    }

    /// Dots across.
    pub(super) fn columns(&self) -> i32 {
        i32::from(self.width) * 2
    }

    /// Dots down.
    pub(super) fn rows(&self) -> i32 {
        i32::from(self.height) * 4
    }

    /// Sets a dot; outside of the grid nothing happens.
    pub(super) fn set(&mut self, x: i32, y: i32, role: Role, ascii: char) {
        if !(0..self.columns()).contains(&x) || !(0..self.rows()).contains(&y) {
            return;
        }
        let (column, row) = ((x / 2) as usize, (y / 4) as usize);
        let bit = BITS.get((x % 2) as usize).and_then(|c| c.get((y % 4) as usize)).copied().unwrap_or(0);
        if let Some(cell) = self.cells.get_mut(row * usize::from(self.width) + column) {
            cell.bits |= bit;
            cell.look = Some((role, ascii));
        }
    }

    /// What a cell shows: its glyph, its letter in ASCII, its colour; `None` without dots or outside.
    pub(super) fn cell(&self, x: u16, y: u16) -> Option<(char, char, Role)> {
        if x >= self.width {
            return None;
        }
        let cell = self.cells.get(usize::from(y) * usize::from(self.width) + usize::from(x))?;
        let (role, ascii) = cell.look?;
        Some((char::from_u32(BLANK + u32::from(cell.bits))?, ascii, role))
    }
}
