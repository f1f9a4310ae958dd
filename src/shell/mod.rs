//! The shell around the interface: the only module that touches the terminal, signals, the clock and the environment.
//!
//! [`run`] drives a [`Program`](crate::tui::program::Program) on the real terminal and always gives the terminal back:
//! after a quit, an error, a panic, a signal, a hang-up or a suspend.

pub mod env;
pub mod files;
mod input;
mod perform;
mod run;
mod signals;
mod terminal;

pub use run::{Options, ShellError, run};
