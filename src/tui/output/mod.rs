//! A drawn buffer as something to keep: plain text, ANSI, SVG, or the text-and-styles form of the snapshot tests.

mod ansi;
mod palette;
mod run;
mod styled;
mod svg;
mod svg_glyph;
mod text;

pub use ansi::to_ansi;
pub use palette::Page;
pub use styled::to_styled;
pub use svg::to_svg;
pub use text::to_text;
