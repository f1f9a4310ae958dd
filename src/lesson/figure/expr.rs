//! A figure as it was understood.

use super::quantity::Quantity;
use super::value::Value;
use crate::question::{Collective, Group};
use crate::scenario::Edit;
use crate::system::{Algorithm, Protocol};
use crate::units::Bytes;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    /// `400Gb/s`, `8`.
    Literal(Value),
    /// `$n`: a value given from outside.
    Given(String),
    /// A figure that was given a name.
    Named(String),
    /// A question to the engine.
    Ask(Box<Ask>),
    /// Two of them.
    Pair(Sign, Box<Expr>, Box<Expr>),
}

/// What is done with two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
    Times,
    Over,
}

impl Sign {
    /// Its name in messages.
    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Plus => "add",
            Self::Minus => "subtract",
            Self::Times => "multiply",
            Self::Over => "divide",
        }
    }
}

/// `QUANTITY [of PLACE] [in QUESTION] [on MACHINE] [with 'EDITS']`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ask {
    pub(super) quantity: Quantity,
    /// Tier, address or part; of pairs both.
    pub(super) place: Option<Place>,
    pub(super) question: Option<Asked>,
    pub(super) machine: Machine,
}

/// Where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// One tier, address or part.
    One(String),
    /// Two devices.
    Two(String, String),
    /// Two algorithms.
    Algorithms(Algorithm, Algorithm),
}

/// `[COLLECTIVE] [SIZE] [among GROUP] [by ALGORITHM] [via PROTOCOL]`; what is missing is the explorer's.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Asked {
    pub(super) collective: Option<Collective>,
    pub(super) size: Option<Size>,
    pub(super) group: Group,
    pub(super) algorithm: Option<Algorithm>,
    pub(super) protocol: Option<Protocol>,
}

/// A size that is written, or given from outside.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Size {
    Is(Bytes),
    Given(String),
}

/// `[on NAME] [with 'EDITS']`; without a name the machine on the screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Machine {
    pub(super) name: Option<String>,
    pub(super) edits: Vec<Change>,
}

/// An edit; one with a given value in it becomes an edit only when the value is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    Is(Edit),
    Template(String),
}
