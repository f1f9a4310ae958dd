//! Charts on the cell grid: axes with ticks that stand where they say, curves as braille dots (or as letters in ASCII),
//! bands, points, rules and names.
//!
//! Coordinates are plain numbers in the unit of their axis, since a chart is about places; whoever builds one takes them
//! out of quantities. What is not finite, or not positive on a logarithmic axis, is left out.

mod axis;
mod draw;
mod grid;

pub use axis::{Axis, Scale, Tick};
pub use draw::{draw, plot_area};

use crate::tui::theme::Role;

/// A place in the units of both axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct At {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
}

impl At {
    /// A place.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Two dots thick; marked with `▼` where it lies below the chart.
    Thick,
    /// One dot thick; marked with `▼` as well.
    Thin,
    /// One dot in so many columns of dots.
    Dotted(u8),
}

/// Something that is drawn in dots.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A line through points, from left to right.
    Curve(Vec<At>, Stroke),
    /// What lies between two curves.
    Band(Vec<At>, Vec<At>),
    /// Single points, drawn as `o`.
    Points(Vec<At>),
}

/// A shape with its look. In ASCII, where dots cannot be told apart, each layer has a letter of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// What.
    pub shape: Shape,
    /// In which colour.
    pub role: Role,
    /// In which letter, where there are no dots.
    pub ascii: char,
    /// A name to be written on the curve, where there is room.
    pub name: String,
}

impl Layer {
    /// A layer without a name.
    pub const fn new(shape: Shape, role: Role, ascii: char) -> Self {
        Self { shape, role, ascii, name: String::new() }
    }

    /// The same with a name on it.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// A stretch of the horizontal axis with a name above the chart, bounded by dashed verticals.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Where it ends; the last one ends where the axis does.
    pub to: f64,
    /// Its name, and a shorter one.
    pub names: [String; 2],
    /// In which colour.
    pub role: Role,
}

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Back to front.
    pub layers: Vec<Layer>,
    /// Named stretches, from left to right.
    pub regions: Vec<Region>,
    /// A place on a curve worth a label, and the label.
    pub label: Option<(At, String)>,
    /// The vertical rule of the cursor.
    pub cursor: Option<f64>,
}

#[cfg(test)]
mod tests;
