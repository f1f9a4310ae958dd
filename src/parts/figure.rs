//! A number together with where it comes from.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a figure comes from. Nothing in the catalogue is without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Printed by the vendor or laid down in a standard.
    Vendor(String),
    /// Measured and published by somebody.
    Measured(String),
    /// Read in a library's source code.
    Library(String),
    /// Arithmetic on other figures; the text shows it.
    Derived(String),
    /// Fitted on rows of the validation table; the text names them.
    Fit(String),
    /// A guess, or from memory: shown as such.
    Assumed(String),
}

impl Origin {
    /// The text without the kind.
    pub fn text(&self) -> &str {
        match self {
            Self::Vendor(t)
            | Self::Measured(t)
            | Self::Library(t)
            | Self::Derived(t)
            | Self::Fit(t)
            | Self::Assumed(t) => t,
        }
    }

    /// One word for the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Vendor(_) => "vendor",
            Self::Measured(_) => "measured",
            Self::Library(_) => "library",
            Self::Derived(_) => "derived",
            Self::Fit(_) => "fit",
            Self::Assumed(_) => "assumed",
        }
    }

    /// True for a guess.
    pub const fn is_assumed(&self) -> bool {
        matches!(self, Self::Assumed(_))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), self.text())
    }
}

/// A value and its origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure<T> {
    /// The value.
    pub is: T,
    /// Where it comes from.
    pub from: Origin,
}

impl<T: Copy> Figure<T> {
    /// A value with its origin.
    pub const fn new(is: T, from: Origin) -> Self {
        Self { is, from }
    }

    /// The value.
    pub const fn get(&self) -> T {
        self.is
    }
}
