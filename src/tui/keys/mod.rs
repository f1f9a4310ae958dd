//! What was typed: single key presses and whole scripts of them.

mod chord;
mod names;
mod script;

pub use chord::{Chord, ChordError, Code};
pub use script::{ScriptError, parse_script};
