//! The terminal interface: what is drawn and what the keys do. No terminal, clock, file or environment here.
//!
//! This part does not know the machine: [`theme`] and [`glyphs`] say how things look, [`canvas`] and [`text`] lay them
//! out, [`keys`] and [`line_edit`] read what was typed, [`output`] turns a drawn buffer into text, ANSI or SVG,
//! [`program`] is the contract with the event loop, and [`headless`] runs a program without a terminal.
//!
//! On these stands the explorer: [`app`] is its state, [`commands`] the one table of what can be done, [`update`] turns
//! inputs into actions and changes the state, `view` draws it, and [`picture`] draws the machine.

pub mod app;
pub mod canvas;
pub mod chart;
pub mod commands;
pub mod config;
pub mod glyphs;
pub mod headless;
pub mod keys;
pub mod line_edit;
pub mod output;
pub mod picture;
pub mod program;
pub mod text;
pub mod theme;
pub mod update;
mod view;
