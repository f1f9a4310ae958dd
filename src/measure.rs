//! What was measured: logs of nccl-tests and rccl-tests, bandwidth matrices, and tables of published measurements.
//!
//! Everything here reads text; nothing is priced. Rates are GB/s per direction, times us, sizes bytes, as nccl-tests prints
//! them.

pub mod calibrate;
pub mod diagnose;
pub mod fit;
pub mod impact;
pub mod knobs;
pub mod left_out;
pub mod log;
pub mod matrix;
pub mod overlay;
pub mod pairs;
pub mod predict;
pub mod stats;
pub mod table;
pub mod validate;

use std::fmt;

/// Why a text is not a measurement. Prints `FILE:LINE: message`, or with the column's name for tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureError {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1, if it is about one.
    pub line: Option<usize>,
    /// Name of the column, for tables.
    pub column: Option<String>,
    /// What is wrong and what was expected.
    pub message: String,
}

impl MeasureError {
    fn whole(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, column: None, message: message.into() }
    }

    fn at(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::whole(file, message) }
    }
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if let Some(column) = &self.column {
            write!(f, "column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for MeasureError {}

/// Something that a reader passed over, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Line, from 1.
    pub line: usize,
    /// What and why.
    pub text: String,
}

/// Longest text that is read.
const MAX_TEXT: usize = 256 << 20;

/// Refuses what no log is: too long, or empty.
fn check_size(text: &str, file: &str) -> Result<(), MeasureError> {
    if text.len() > MAX_TEXT {
        return Err(MeasureError::whole(file, format!("{} bytes; expected at most {MAX_TEXT}", text.len())));
    }
    if text.trim().is_empty() {
        return Err(MeasureError::whole(file, "the file is empty"));
    }
    Ok(())
}

/// Up to 40 characters of a text, for messages; control characters are shown as such.
fn excerpt(text: &str) -> String {
    text.trim().chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
