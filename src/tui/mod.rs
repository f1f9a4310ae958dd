//! The terminal interface: what is drawn and what the keys do. No terminal, clock, file or environment here.
//!
//! This part does not know the machine: [`theme`] and [`glyphs`] say how things look, [`canvas`] and [`text`] lay them
//! out, [`keys`] reads what was typed, [`output`] turns a drawn buffer into text, ANSI or SVG, and [`program`] is the
//! contract with the event loop.

pub mod canvas;
pub mod glyphs;
pub mod keys;
pub mod line_edit;
pub mod output;
pub mod program;
pub mod text;
pub mod theme;
