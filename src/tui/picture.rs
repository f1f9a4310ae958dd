//! The pictures of the machine: a node, a rack, the fabric, classes of units, a path, a matrix of pairs.
//!
//! A picture is built in two steps that a test can look at apart: [`layout`] gives everything a place, [`paint`] gives it
//! colour and glyphs. Mouse and arrow keys read the [`Scene`], so there is no second geometry. Which rule draws which
//! structure is decided by the data alone, never by a name.
//!
//! What the rules share: place says nearness; a shared wire is drawn once; load is weight and number, never alarm; what is
//! broken has a glyph and a word, not a colour alone; alike is drawn once when room ends, different is drawn always.

#![expect(
    clippy::cast_possible_wrap,
    clippy::many_single_char_names,
    reason = "cells of a screen: x, y, w and h are small"
)]

mod alike;
mod brackets;
mod chart;
mod circle;
mod classes;
mod crossbar;
mod fabric;
mod frame;
mod grid;
mod hidden;
mod hops;
mod host;
mod input;
mod line;
mod matrix;
mod node;
mod path;
mod rack;
mod reading;
mod scene;
mod sketch;
mod tree;
mod up;

pub use input::{Caption, End, Idle, Lens, Loads, Marks, PairCell, Pick, PictureInput, Plane, Scope};
pub use scene::{Direction, Item, Label, Scene};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::glyphs::Glyphs;
use super::theme::Theme;

/// Lays the picture out on so many columns and rows. Never fails: what does not fit is merged, then told in one line.
pub fn layout(input: &PictureInput, size: (u16, u16)) -> Scene {
    match input.scope {
        Scope::Node { unit, node } => node::layout(input, (unit, node), size),
        Scope::Rack { unit } => rack::layout(input, unit, size),
        Scope::Matrix { unit, node } => matrix::layout(input, (unit, node), size),
        Scope::Fabric if many_groups(input) => classes::layout(input, size),
        Scope::Fabric => fabric::layout(input, size),
        Scope::Classes => classes::layout(input, size),
        Scope::Path { from, to } => path::layout(input, (from, to), size),
    }
}

fn many_groups(input: &PictureInput) -> bool {
    input.system.fabric.as_ref().is_some_and(|f| f.groups() > fabric::MOST_GROUPS)
}

/// A table as text: the heading of each column, and the rows.
pub type Cells = (Vec<String>, Vec<Vec<String>>);

/// The matrix of pairs of a node as text: how near, and the number that the cells show.
pub fn pairs(input: &PictureInput, place: (u32, u32)) -> Cells {
    matrix::cells(input, place)
}

/// The way between two devices as text, a row per hop; `None` without a way.
pub fn hops(input: &PictureInput, from: End, to: End) -> Option<Cells> {
    path::cells(input, from, to)
}

/// Paints a scene, its top left on the top left of the area.
pub fn paint(scene: &Scene, theme: &Theme, glyphs: Glyphs, area: Rect, buffer: &mut Buffer) {
    scene.canvas.paint(area, buffer, theme, glyphs);
}

#[cfg(test)]
pub(in crate::tui) mod tests;
