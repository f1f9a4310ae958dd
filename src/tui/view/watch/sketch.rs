//! A drawing in cells, before it has a place on the screen: so that what does not fit is drawn in another way.

use ratatui::layout::Rect;

use super::Pen;
use crate::tui::app::Wire;
use crate::tui::glyphs::{Weight, joint};
use crate::tui::theme::Role;

/// Cells with their roles; what nothing was put into is blank.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sketch {
    rows: Vec<Vec<(char, Role)>>,
}

impl Sketch {
    /// Writes a text from a cell on.
    pub(super) fn put(&mut self, x: usize, y: usize, content: &str, role: Role) {
        for (i, glyph) in content.chars().enumerate() {
            self.cell(x + i, y, glyph, role);
        }
    }

    fn cell(&mut self, x: usize, y: usize, glyph: char, role: Role) {
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        if let Some(row) = self.rows.get_mut(y) {
            if row.len() <= x {
                row.resize(x + 1, (' ', Role::Text));
            }
            if let Some(cell) = row.get_mut(x) {
                *cell = (glyph, role);
            }
        }
    }

    /// Puts another one into this one.
    pub(super) fn lay(&mut self, x: usize, y: usize, other: &Self) {
        for (dy, row) in other.rows.iter().enumerate() {
            for (dx, (glyph, role)) in row.iter().enumerate().filter(|c| c.1.0 != ' ') {
                self.cell(x + dx, y + dy, *glyph, *role);
            }
        }
    }

    /// Columns.
    pub(super) fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Rows.
    pub(super) const fn height(&self) -> usize {
        self.rows.len()
    }

    /// Whether it fits into so many columns and rows.
    pub(super) fn fits(&self, (width, height): (usize, usize)) -> bool {
        self.width() <= width && self.height() <= height
    }

    /// Paints it into the upper left corner of an area.
    pub(super) fn paint(&self, pen: &mut Pen<'_>, area: Rect) {
        for (y, row) in self.rows.iter().enumerate().take(usize::from(area.height)) {
            let runs = row.chunk_by(|a, b| a.1 == b.1);
            let pieces: Vec<(String, Role)> =
                runs.map(|r| (r.iter().map(|c| c.0).collect(), r.first().map_or(Role::Text, |c| c.1))).collect();
            pen.pieces(area, y as u16, &pieces);
        }
    }
}

/// A line of corners and tees: cells with the weights of their arms, joined where they meet.
#[derive(Debug, Clone, Default)]
pub(super) struct Beam {
    cells: Vec<([Weight; 4], Role)>,
}

/// An arm of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arm {
    Up = 0,
    Right = 1,
    Down = 2,
    Left = 3,
}

impl Beam {
    /// Adds an arm; the heavier of two stays.
    pub(super) fn arm(&mut self, x: usize, arm: Arm, weight: Weight, role: Role) {
        if self.cells.len() <= x {
            self.cells.resize(x + 1, ([Weight::None; 4], Role::Dim));
        }
        if let Some((arms, own)) = self.cells.get_mut(x) {
            if let Some(a) = arms.get_mut(arm as usize) {
                *a = (*a).max(weight);
            }
            if weight == Weight::Heavy {
                *own = role;
            }
        }
    }

    /// A stretch between two columns, both ends included only on their inner sides.
    pub(super) fn across(&mut self, from: usize, to: usize, weight: Weight, role: Role) {
        let (left, right) = (from.min(to), from.max(to));
        for x in left..right {
            self.arm(x, Arm::Right, weight, role);
            self.arm(x + 1, Arm::Left, weight, role);
        }
    }

    /// Draws it as a row.
    pub(super) fn draw(&self, sketch: &mut Sketch, y: usize) {
        for (x, ([up, right, down, left], role)) in self.cells.iter().enumerate() {
            let glyph = joint(*up, *right, *down, *left);
            if glyph != ' ' {
                sketch.put(x, y, &glyph.to_string(), *role);
            }
        }
    }
}

/// The role of what goes over a link: of the slowest one first, of an idle one last.
pub(super) fn role_of(wire: &Wire) -> Role {
    let flows = || [&wire.on, &wire.back].into_iter().flatten();
    match flows().find(|f| f.slowest).or_else(|| flows().next()) {
        Some(f) if f.slowest => Role::Bottleneck,
        Some(f) => f.role,
        None => Role::Dim,
    }
}

/// The mark of what goes over a link.
pub(super) fn mark_of(wire: &Wire) -> &str {
    wire.on.as_ref().or(wire.back.as_ref()).map_or("", |f| f.mark.as_str())
}
