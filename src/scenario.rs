//! What if: the edit language, undo and redo, completion, saved scenarios.
//!
//! One [`Edit`] is one change with a text form; a key press, `-e` on the command line, a line of a saved scenario and a step
//! of a lesson all become the same `Edit`, and every `Edit` prints back as text that parses to itself. [`apply`] makes a
//! system out of a base and a list of edits; it never changes the base. [`History`] keeps the list with a cursor.

mod apply;
mod complete;
mod edit;
mod file;
mod history;
mod key;
mod parse;
mod step;
mod touch;
mod value;

#[cfg(test)]
mod testbed;

pub use apply::{Applied, Context, Outcome, apply};
pub use complete::{Candidate, awaits_value, complete};
pub use edit::{Edit, Entry};
pub use file::{FileError, Scenario};
pub use history::{History, Refused};
pub use key::{Key, KeyInfo};
pub use parse::EditError;
pub use touch::{Touched, touches};
pub use value::{Kind, Value};
