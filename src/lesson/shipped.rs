//! The lessons that come with the program, embedded as text, in the order in which they build on each other.

use std::sync::Arc;

use super::written::Written;
use super::{Lesson, read};
use crate::parts::nearest;
use crate::preset::{self, LoadError, read_text};

/// A lesson that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its RON text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        /// Every shipped lesson, in teaching order. A test holds this list against the folder.
        const SHIPPED: &[Shipped] =
            &[$(Shipped { name: $name, text: include_str!(concat!("../../lessons/", $name, ".ron")) }),*];
    };
}

shipped![
    "units",
    "one-link",
    "tiers",
    "inside-node",
    "nvl72",
    "network",
    "fabric",
    "latency",
    "collectives",
    "ring-tree",
    "slowest-tier",
    "in-switch",
    "all-to-all",
    "parallelism",
    "failures",
    "measured",
    "remote-memory",
    "serving",
    "purchase"
];

/// What the list of lessons shows of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// One line about it.
    pub about: String,
    /// How many pages it has.
    pub pages: usize,
}

impl Heading {
    /// Of a shipped lesson; its figures are not read.
    ///
    /// # Errors
    /// Where the text is not a lesson.
    pub fn of(shipped: &Shipped) -> Result<Self, LoadError> {
        let w: Written = read_text(shipped.text, shipped.name)?;
        Ok(Self { name: w.name, title: w.title, about: w.about, pages: w.pages.len() })
    }
}

/// Every lesson that comes with the program, in teaching order.
pub const fn shipped() -> &'static [Shipped] {
    SHIPPED
}

/// Reads one shipped lesson. An unknown name is an error that has the nearest ones.
///
/// # Errors
/// No lesson of this name.
pub fn load_shipped(name: &str) -> Result<Arc<Lesson>, String> {
    let Some(found) = SHIPPED.iter().find(|s| s.name == name) else {
        let near = nearest(name, SHIPPED.iter().map(|s| s.name).chain(["quiz", "story"]));
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        let shown: String = name.chars().take(60).collect();
        return Err(format!("no lesson {shown:?}; expected one of learn --list or a RON file{hint}"));
    };
    let file = format!("lessons/{name}.ron");
    read(found.text, &file, &|system| preset::load_shipped(system).map_err(|e: LoadError| e.to_string()))
        .map(Arc::new)
        .map_err(|e| e.to_string())
}
