//! What can be wrong with a figure: its text, or what it asks for.

/// Why a text is not a figure, a condition or a text with figures.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}{}", tail(.expected))]
pub struct FigureError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What was expected, or the nearest valid names.
    pub expected: String,
}

impl FigureError {
    /// The message and what was expected, without the place.
    pub fn text(&self) -> String {
        format!("{}{}", self.message, tail(&self.expected))
    }

    /// The same error in a longer text, so many characters further on.
    #[must_use]
    pub(in crate::lesson) fn shifted(mut self, characters: usize) -> Self {
        self.column += characters;
        self
    }
}

fn tail(expected: &str) -> String {
    if expected.is_empty() { String::new() } else { format!("; {expected}") }
}

/// Why a figure that can be read has no value here: a machine that is not there, a link that it lacks, ranks that cannot
/// reach each other, quantities that do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

impl Fault {
    /// A fault with a reason.
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}
