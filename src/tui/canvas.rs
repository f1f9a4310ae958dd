//! A grid on which pictures lay wires and text before they are painted.
//!
//! Wires are laid as arms of cells, so that crossing and meeting lines merge into the right joint; nobody writes joint
//! glyphs by hand. Text lies over wires whatever the order of the calls. Nothing outside of the grid is an error: it
//! is not drawn. Colour and glyph set are chosen when painting, so every look shares one geometry.

mod cell;

pub use cell::Stroke;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::glyphs::{Glyphs, mark};
use super::text;
use super::theme::{Role, Theme};
use cell::{Cell, Ink};

/// The grid. Column 0, row 0 is the top left; coordinates may be negative or too large, what lies outside is clipped.
#[derive(Debug, Clone)]
pub struct Canvas {
    width: u16,
    height: u16,
    cells: Vec<Cell>,
}

/// Places of the four arms of a cell.
const UP: usize = 0;
const RIGHT: usize = 1;
const DOWN: usize = 2;
const LEFT: usize = 3;

impl Canvas {
    /// An empty grid of this many columns and rows.
    pub fn new(width: u16, height: u16) -> Self {
        let count = usize::from(width) * usize::from(height);
        Self { width, height, cells: vec![Cell::default(); count] }
    }

    /// Columns.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        self.height
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (u16::try_from(x).ok()?, u16::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| usize::from(y) * usize::from(self.width) + usize::from(x))
    }

    fn cell_mut(&mut self, x: i32, y: i32) -> Option<&mut Cell> {
        let index = self.index(x, y)?;
        self.cells.get_mut(index)
    }

    fn cell(&self, x: i32, y: i32) -> Option<&Cell> {
        self.index(x, y).and_then(|index| self.cells.get(index))
    }

    /// The part of `from..=to` that lies on `0..limit`, so that a huge coordinate costs no time.
    fn clip(from: i32, to: i32, limit: u16) -> std::ops::RangeInclusive<i32> {
        from.max(0)..=to.min(i32::from(limit) - 1)
    }

    /// A horizontal wire over the columns `x0..=x1` of row `y`, in either order.
    ///
    /// Its end cells have one arm only, which joins what meets it there; an end that meets nothing is painted as a
    /// whole cell.
    pub fn hline(&mut self, y: impl Into<i32>, x0: impl Into<i32>, x1: impl Into<i32>, stroke: Stroke, role: Role) {
        let (y, x0, x1) = (y.into(), x0.into(), x1.into());
        let (from, to) = (x0.min(x1), x0.max(x1));
        for x in Self::clip(from, to, self.width) {
            if let Some(cell) = self.cell_mut(x, y) {
                cell.lay((x > from || from == to).then_some(LEFT), stroke, role);
                cell.lay((x < to || from == to).then_some(RIGHT), stroke, role);
            }
        }
    }

    /// A vertical wire over the rows `y0..=y1` of column `x`, in either order; its ends as in [`Canvas::hline`].
    pub fn vline(&mut self, x: impl Into<i32>, y0: impl Into<i32>, y1: impl Into<i32>, stroke: Stroke, role: Role) {
        let (x, y0, y1) = (x.into(), y0.into(), y1.into());
        let (from, to) = (y0.min(y1), y0.max(y1));
        for y in Self::clip(from, to, self.height) {
            if let Some(cell) = self.cell_mut(x, y) {
                cell.lay((y > from || from == to).then_some(UP), stroke, role);
                cell.lay((y < to || from == to).then_some(DOWN), stroke, role);
            }
        }
    }

    /// A diagonal from one cell to another of equal horizontal and vertical distance; crossing diagonals merge into
    /// `╳`. A run that is not at 45 degrees ends where the shorter distance ends.
    pub fn diagonal(&mut self, from: (i32, i32), to: (i32, i32), role: Role) {
        let (dx, dy) = (to.0.saturating_sub(from.0), to.1.saturating_sub(from.1));
        let steps = dx.abs().min(dy.abs()).min(i32::from(u16::MAX));
        let falling = dx.signum() == dy.signum();
        for step in 0..=steps {
            let (x, y) = (from.0 + step * dx.signum(), from.1 + step * dy.signum());
            if let Some(cell) = self.cell_mut(x, y) {
                cell.lay_diagonal(falling, role);
            }
        }
    }

    /// A rectangle of wires whose corners are the cells `(x, y)` and `(x + w - 1, y + h - 1)`. Nothing when it has no
    /// inside.
    pub fn frame(&mut self, x: impl Into<i32>, y: impl Into<i32>, size: (u16, u16), stroke: Stroke, role: Role) {
        let (x, y) = (x.into(), y.into());
        if size.0 < 2 || size.1 < 2 {
            return;
        }
        let (right, bottom) = (x + i32::from(size.0) - 1, y + i32::from(size.1) - 1);
        self.hline(y, x, right, stroke, role);
        self.hline(bottom, x, right, stroke, role);
        self.vline(x, y, bottom, stroke, role);
        self.vline(right, y, bottom, stroke, role);
    }

    /// The bar of a switch over the columns `x0..=x1` of row `y`, with its end caps: `╞═══╡`, or `╞╌╌╌╡` with
    /// [`Stroke::Down`].
    pub fn bar(&mut self, y: impl Into<i32>, x0: impl Into<i32>, x1: impl Into<i32>, stroke: Stroke, role: Role) {
        let (y, x0, x1) = (y.into(), x0.into(), x1.into());
        self.hline(y, x0, x1, stroke, role);
        self.put(x0.min(x1), y, mark::BAR_LEFT, role);
        self.put(x0.max(x1), y, mark::BAR_RIGHT, role);
    }

    /// One glyph over whatever wire is there.
    pub fn put(&mut self, x: impl Into<i32>, y: impl Into<i32>, glyph: char, role: Role) {
        let mut buffer = [0; 4];
        self.text(x, y, glyph.encode_utf8(&mut buffer), role);
    }

    /// A text that starts at a cell and runs to the right, over whatever wire is there; blanks cover too. Returns the
    /// column after its last cell, also when that is outside.
    pub fn text(&mut self, x: impl Into<i32>, y: impl Into<i32>, content: &str, role: Role) -> i32 {
        let (mut x, y) = (x.into(), y.into());
        for (cluster, columns) in text::cells(content) {
            let columns = i32::try_from(columns).unwrap_or(1);
            let fits = x >= 0 && x.saturating_add(columns) <= i32::from(self.width);
            for column in x..x.saturating_add(columns) {
                if let Some(cell) = self.cell_mut(column, y) {
                    // Half a wide cluster at the edge is a blank: a terminal cannot show half of it.
                    let ink = if fits { Ink::of(cluster, column > x) } else { Ink::Glyph(' ') };
                    cell.write(ink, role);
                }
            }
            x = x.saturating_add(columns);
        }
        x
    }

    /// A text whose last cell is the column `x`; see [`Canvas::text`]. Returns the column of its first cell.
    pub fn text_right(&mut self, x: impl Into<i32>, y: impl Into<i32>, content: &str, role: Role) -> i32 {
        let columns = i32::try_from(text::width(content)).unwrap_or(i32::MAX);
        let first = x.into().saturating_add(1).saturating_sub(columns);
        self.text(first, y, content, role);
        first
    }

    /// Gives cells that are already laid another role, glyphs untouched: the dimming of wires that do not touch the
    /// selection, the reversing of a name.
    pub fn restyle(&mut self, x: impl Into<i32>, y: impl Into<i32>, columns: u16, role: Role) {
        let (x, y) = (x.into(), y.into());
        for column in Self::clip(x, x.saturating_add(i32::from(columns)) - 1, self.width) {
            if let Some(cell) = self.cell_mut(column, y) {
                cell.restyle(role);
            }
        }
    }

    /// Whether nothing was laid on this cell (cells outside count as taken).
    pub fn is_free(&self, x: impl Into<i32>, y: impl Into<i32>) -> bool {
        self.cell(x.into(), y.into()).is_some_and(Cell::is_free)
    }

    /// The glyph that the cell shows in the unicode set, and its role; `None` outside.
    pub fn glyph(&self, x: impl Into<i32>, y: impl Into<i32>) -> Option<(char, Role)> {
        self.cell(x.into(), y.into()).map(|cell| (cell.glyph(), cell.role()))
    }

    /// Paints the grid into `area` of the buffer, top left on top left. Free cells leave what is there.
    pub fn paint(&self, area: Rect, buffer: &mut Buffer, theme: &Theme, glyphs: Glyphs) {
        let area = area.intersection(buffer.area);
        for (row, y) in (area.top()..area.bottom()).enumerate().take(usize::from(self.height)) {
            let start = row * usize::from(self.width);
            let cells = self.cells.iter().skip(start).take(usize::from(self.width));
            for (cell, x) in cells.zip(area.left()..area.right()) {
                if let Some(target) = buffer.cell_mut((x, y))
                    && !cell.is_free()
                {
                    cell.paint(target, theme, glyphs, x + 1 < area.right());
                }
            }
        }
    }

    /// The grid as lines of the unicode set, blanks at the ends cut: for tests and plain output.
    pub fn to_text(&self) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.width, self.height));
        self.paint(buffer.area, &mut buffer, &Theme::mono(), Glyphs::Unicode);
        super::output::to_text(&buffer)
    }
}

#[cfg(test)]
mod tests;
