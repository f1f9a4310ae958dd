//! A dense mesh: a staircase of pairs, like the distance table of a road map, and a circle beside it for the shape.

use std::collections::BTreeMap;

use super::circle;
use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch, short_name};
use super::up::ScaleUp;
use crate::system::LinkIx;
use crate::tui::glyphs::Glyphs;
use crate::tui::text;
use crate::tui::theme::Role;

/// The staircase with its places.
pub(super) struct Chart<'a> {
    up: &'a ScaleUp,
    /// Cells per column: 7 with marks, 6, or 2 with the gauge alone.
    cell: i32,
    /// Columns left of the first cell.
    lead: i32,
    uneven: bool,
}

impl<'a> Chart<'a> {
    pub(super) fn new(look: &Look, up: &'a ScaleUp, narrow: bool) -> Self {
        let counts = up.direct.iter().filter_map(|d| look.shape().link(d.0)).map(|l| l.count);
        let (low, high) = counts.fold((u32::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
        let uneven = high > low;
        let cell = match (narrow, uneven) {
            (true, _) => 2,
            (_, true) => 9,
            _ => 6,
        };
        Self { up, cell, lead: 5, uneven }
    }

    pub(super) fn width(&self) -> i32 {
        self.lead + self.up.gpus.len() as i32 * self.cell + 5
    }

    pub(super) fn height(&self) -> i32 {
        self.up.gpus.len() as i32
    }

    /// Draws it, with the circle on its left when there is room and `round` allows it.
    pub(super) fn draw(&self, look: &Look, sketch: &mut Sketch, (x, y): (i32, i32), storey: u16) {
        let mut pairs: BTreeMap<(usize, usize), Vec<LinkIx>> = BTreeMap::new();
        for (l, a, b) in &self.up.direct {
            pairs.entry((*b, *a)).or_default().push(*l);
        }
        for (row, gpu) in self.up.gpus.iter().enumerate() {
            let at_y = y + row as i32;
            for column in 0..row {
                let at = (x + self.lead + column as i32 * self.cell, at_y);
                match pairs.get(&(row, column)) {
                    Some(links) => self.draw_cell(look, sketch, links, at, storey + row as u16),
                    None => {
                        sketch.text(at.0, at.1, "·", Role::Dim);
                    }
                }
            }
            if row > 0 {
                sketch.text(x, at_y, &text::pad(&short_name(look, *gpu), 4), Role::Dim);
            }
            let diagonal = x + self.lead + row as i32 * self.cell;
            sketch.token(look, &[*gpu], (diagonal, at_y), false, storey + row as u16);
        }
    }

    fn draw_cell(&self, look: &Look, sketch: &mut Sketch, links: &[LinkIx], (x, y): (i32, i32), storey: u16) {
        let reading = look.merged(links);
        let t = self.texts(&reading).into_iter().find(|t| text::width(t) as i32 <= self.cell).unwrap_or_default();
        let shift = i32::from(self.cell > 2 && (t.starts_with('◄') || t.starts_with('►')));
        sketch.text(x - shift, y, &t, reading.role());
        let w = text::width(&t) as i32;
        if let Some(item) = sketch.link_item(look, links, Cells::new(x - shift, y, w, 1), storey) {
            item.cell = true;
        }
    }

    fn texts(&self, r: &Reading) -> Vec<String> {
        let gauge = crate::tui::glyphs::gauge(r.percent);
        let count = if self.uneven || r.up < r.count { format!("{}x", r.up) } else { String::new() };
        let number = &r.number;
        match r.state {
            _ if r.selected && r.state == State::Down => vec!["►╳◄".into(), "►".into()],
            _ if r.selected => vec![format!("►{count}{gauge}{number}◄"), format!("►{gauge}{number}◄"), "►".into()],
            State::Down => vec!["╳down".into(), "╳".into()],
            State::Off => vec!["·off".into(), "·".into()],
            State::Degraded if r.hot => vec![format!("◄{count}{gauge}{number}▼"), format!("◄{number}▼"), "▼".into()],
            State::Degraded => vec![format!("{count}{gauge}{number}▼"), format!("{gauge}{number}▼"), "▼".into()],
            State::Up if r.hot => vec![format!("◄{count}{gauge}{number}"), format!("◄{gauge}{number}"), "◄".into()],
            State::Up if r.edited => vec![format!("*{count}{gauge}{number}"), gauge.to_string()],
            State::Up => vec![format!("{count}{gauge}{number}"), format!("{gauge}{number}"), gauge.to_string()],
        }
    }
}

/// Columns and rows that the circle takes.
pub(super) const CIRCLE: (i32, i32) = (40, 16);

/// Whether the circle can be drawn at all.
pub(super) fn has_circle(look: &Look, gpus: usize) -> bool {
    look.input.glyphs == Glyphs::Unicode && (3..=16).contains(&gpus)
}

/// The circle of a mesh with its top left at a cell; the names are decoration, the chart has the items.
pub(super) fn draw_circle(look: &Look, sketch: &mut Sketch, up: &ScaleUp, at: (i32, i32)) {
    circle::draw(look, sketch, up, at);
}
