//! The contract between the interface and the event loop: what goes in, what comes out.
//!
//! The loop owns the terminal, the clock and the files; the program owns the state. A key script, a test and the real
//! terminal all feed the same inputs, so they all see the same program.

use std::path::PathBuf;
use std::time::Duration;

use ratatui::Frame;

use super::keys::Chord;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed or repeats.
    Key(Chord),
    /// Text was pasted. For text fields alone: never read as keys.
    Paste(String),
    /// The mouse did something at a cell.
    Mouse(Mouse),
    /// The screen now has this many columns and rows.
    Resize(u16, u16),
    /// The program continues after it was suspended; the screen is empty and will be drawn.
    Resume,
    /// This much time passed since the last tick. Comes before the other inputs that woke the loop, so the sum of all
    /// ticks is the time of what follows.
    Tick(Duration),
    /// An effect that was asked for is done, or failed.
    Done(Outcome),
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// What was done.
    pub kind: MouseKind,
    /// Column of the cell, from 0.
    pub column: u16,
    /// Row of the cell, from 0.
    pub row: u16,
}

/// The mouse actions that the program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button was pressed.
    Click,
    /// The wheel turned away from the user.
    WheelUp,
    /// The wheel turned towards the user.
    WheelDown,
}

/// Something that the program asks of the loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Leave with this exit code. Effects after it are not carried out.
    Quit(i32),
    /// Stop like any job of the shell (Ctrl-Z); an [`Input::Resume`] follows.
    Suspend,
    /// Put the text on the clipboard, through the terminal (OSC 52). [`Outcome::Copied`] follows.
    Copy(String),
    /// Something that shows has changed: draw.
    Redraw,
    /// Draw every cell again, whatever the terminal is thought to show (Ctrl-L).
    Repaint,
    /// Take the mouse, or give it back to the terminal so that text can be selected.
    Mouse(bool),
    /// Write a file that the program itself keeps, whole or not at all, with the folders on the way.
    /// [`Outcome::Written`] follows.
    Write {
        /// Where.
        path: PathBuf,
        /// What.
        contents: String,
    },
    /// Write a file that the user named, whole or not at all. [`Outcome::Saved`] follows.
    Save {
        /// Where.
        path: PathBuf,
        /// What.
        contents: String,
        /// Whether a file that is there may go.
        replace: bool,
    },
    /// List a folder, for the names that a line could go on with. [`Outcome::Listed`] follows.
    ListFolder {
        /// Which; empty for the present one.
        path: PathBuf,
    },
    /// Read a text file. [`Outcome::Read`] follows.
    ReadFile {
        /// Where.
        path: PathBuf,
    },
}

/// How an effect ended. Errors are one line for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Of [`Effect::Copy`]: the terminal was asked to. Terminals give no answer, so this is no proof.
    Copied(Result<(), String>),
    /// Of [`Effect::Write`].
    Written {
        /// The file.
        path: PathBuf,
        /// Why it failed.
        result: Result<(), String>,
    },
    /// Of [`Effect::Save`].
    Saved {
        /// The file.
        path: PathBuf,
        /// Why it failed.
        result: Result<(), NotSaved>,
    },
    /// Of [`Effect::ListFolder`].
    Listed {
        /// The folder, as it was asked for.
        path: PathBuf,
        /// What is in it, by name; nothing where it cannot be listed.
        entries: Vec<FolderEntry>,
    },
    /// Of [`Effect::ReadFile`].
    Read {
        /// The file.
        path: PathBuf,
        /// Its text, or why it cannot be read.
        result: Result<String, String>,
    },
}

/// Why a file was not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSaved {
    /// There is one already.
    Exists,
    /// It could not be written: one line for the user.
    Failed(String),
}

/// What stands in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// Its name, without the folder.
    pub name: String,
    /// Whether it is a folder itself.
    pub is_folder: bool,
}

/// A program with a screen, as the loop sees it.
pub trait Program {
    /// Takes one input, changes the state, never draws. Returns what the loop shall do; without an
    /// [`Effect::Redraw`] (or a resize) the screen stays as it is.
    fn handle(&mut self, input: Input) -> Vec<Effect>;

    /// Draws the state. Must be right at every size from 1 x 1 up; a screen without cells is never drawn.
    fn view(&self, frame: &mut Frame<'_>);

    /// In how long a [`Input::Tick`] is needed, for what changes by itself (a running animation, a message that goes
    /// away); `None` when nothing does, and then the loop sleeps until something happens.
    fn next_deadline(&self) -> Option<Duration>;
}
