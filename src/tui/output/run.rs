//! Walking a buffer: rows without the hidden cells behind wide glyphs, and runs of one style.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};

use crate::tui::text;

/// A cell that shows, with its column and width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) cell: &'a Cell,
    /// Column, counted from the left edge of the buffer.
    pub(super) column: usize,
    /// Columns that its symbol covers.
    pub(super) width: usize,
}

impl<'a> Shown<'a> {
    pub(super) fn symbol(&self) -> &'a str {
        self.cell.symbol()
    }

    pub(super) fn look(&self) -> Look {
        Look::of(self.cell.style())
    }
}

/// The rows of the buffer, each with the cells that show.
pub(super) fn rows(buffer: &Buffer) -> Vec<Vec<Shown<'_>>> {
    let width = usize::from(buffer.area.width);
    if width == 0 {
        return Vec::new();
    }
    buffer.content.chunks(width).map(shown).collect()
}

fn shown(cells: &[Cell]) -> Vec<Shown<'_>> {
    let mut out = Vec::with_capacity(cells.len());
    let mut free_from = 0;
    for (column, cell) in cells.iter().enumerate() {
        if column < free_from {
            continue;
        }
        let width = text::width(cell.symbol()).max(1);
        free_from = column + width;
        out.push(Shown { cell, column, width });
    }
    out
}

/// A style as it is seen: what is unset is the terminal's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Look {
    pub(super) fg: Color,
    pub(super) bg: Color,
    pub(super) modifier: Modifier,
}

impl Look {
    /// The terminal's own colours without any modifier.
    pub(super) const PLAIN: Self = Self { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

    pub(super) fn of(style: Style) -> Self {
        Self {
            fg: style.fg.unwrap_or(Color::Reset),
            bg: style.bg.unwrap_or(Color::Reset),
            modifier: style.add_modifier.difference(style.sub_modifier),
        }
    }

    pub(super) fn has(self, modifier: Modifier) -> bool {
        self.modifier.contains(modifier)
    }
}

/// The cells of a row, grouped into runs of one look.
pub(super) fn runs<'a, 'b>(row: &'b [Shown<'a>]) -> impl Iterator<Item = (Look, &'b [Shown<'a>])> {
    row.chunk_by(|a, b| a.look() == b.look()).filter_map(|run| Some((run.first()?.look(), run)))
}
