//! Errors that point at a part of a question.

use super::Place;
use crate::preset::{LoadError, error_inside};

pub(super) use crate::preset::At;

/// An error about a part of a question; a column counts characters in the text that is there.
pub(super) fn error(at: &Place, part: &[At<'_>], column: Option<usize>, message: impl Into<String>) -> LoadError {
    let path: Vec<At<'_>> =
        [At::Field("questions"), At::Item(at.index)].into_iter().chain(part.iter().copied()).collect();
    error_inside(&at.text, &at.file, &path, column, message)
}
