//! Teaching on the live engine: lessons whose numbers are computed when they are shown.
//!
//! [`figure`] is the small language by which a text asks the engine: `{busbw of all-reduce 1GiB on dgx-h100}`. A
//! [`Lesson`] is RON data that [`read`] turns into pages: a machine, a text, a prediction, tasks. [`Run`] is a learner in a
//! lesson: what was predicted, which tasks are done; [`Sheet`] is what a page shows to that learner. [`Progress`] is what
//! is remembered between runs. [`check`] proves that a lesson's figures have values and that its words hold. The explorer
//! draws and carries out; nothing here does I/O.

mod check;
mod course;
pub mod figure;
mod progress;
pub mod quiz;
mod read;
mod run;
mod sheet;
mod shipped;
pub mod story;
mod written;

pub use check::{Problem, check};
pub use course::{Act, Choice, Expected, Lesson, Look, Page, Predict, Source, Stage, Task};
pub use progress::{Outcome, Progress, Record, Results};
pub use read::{Open, read};
pub use run::{Guess, Heard, Run, Step};
pub use sheet::{Sheet, SheetLine, Style, letter};
pub use shipped::{Heading, Shipped, load_shipped, shipped};
