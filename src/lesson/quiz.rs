//! The quiz: questions whose answers the engine computes when they are asked.
//!
//! A [`Quiz`] is read from RON text. [`Question::pose`] draws the numbers of a question from a seed and asks the engine for its
//! answer; the same seed gives the same question anywhere. A [`Sitting`] is one run through some of the questions: it marks
//! replies, counts by topic and says what to study next. [`check()`] tries a quiz with many seeds and proves that every answer
//! can be computed and is the only right one.

mod check;
mod draw;
mod file;
mod judge;
mod load;
mod places;
mod plain;
mod pose;
mod random;
mod shipped;
mod sitting;

pub use check::check;
pub use judge::{Mark, Reply};
pub use load::{is_one, parse};
pub use plain::plain;
pub use pose::{Body, Choice, Item, Posed, Slip, Stage};
pub use shipped::{files, shipped};
pub use sitting::{Scope, Score, Sitting};

use std::sync::Arc;

use super::figure::{Condition, Figure, Names, Prose};
use crate::preset::LoadError;
use crate::units::Share;

/// A quiz that can be asked.
#[derive(Debug, Clone)]
pub struct Quiz {
    /// What it is called.
    pub title: String,
    /// The topics, in the order in which they are best asked.
    pub topics: Vec<Topic>,
    /// The questions.
    pub questions: Vec<Question>,
}

/// What some questions are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its name in the file and on the command line.
    pub name: String,
    /// As people read it.
    pub title: String,
    /// The lesson to study when its questions went wrong; none for a quiz without lessons.
    pub lesson: Option<String>,
}

/// A question before its numbers are drawn.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its name in the file.
    pub name: String,
    /// Name of its topic.
    pub topic: String,
    /// The machine that its figures are about where they name none: a shipped one, or one that is drawn.
    machine: String,
    /// Edits on that machine.
    with: Prose,
    draws: Vec<draw::Draw>,
    figures: Vec<(String, Figure)>,
    text: Prose,
    kind: Kind,
    why: Prose,
    source: Option<String>,
    at: Place,
}

/// Where a question stands: the text that it was read from, and its number there.
#[derive(Debug, Clone)]
struct Place {
    text: Arc<str>,
    file: Arc<str>,
    index: usize,
}

/// How it is answered.
#[derive(Debug, Clone)]
enum Kind {
    Choice { right: Prose, proof: Option<Condition>, wrong: Vec<Wrong> },
    Number { is: Figure, within: Share, slips: Vec<(Figure, Prose)> },
    Extreme { most: bool, items: Vec<Valued> },
    Order { from_most: bool, items: Vec<Valued> },
    Binds { asks: Box<load::Asks>, links: Vec<Linked> },
}

/// A wrong choice, and why one falls for it.
#[derive(Debug, Clone)]
struct Wrong {
    is: Prose,
    why: Prose,
}

/// Something with a value that the engine gives it.
#[derive(Debug, Clone)]
struct Valued {
    is: Prose,
    value: Figure,
    why: Prose,
}

/// A link that might bind.
#[derive(Debug, Clone)]
struct Linked {
    link: String,
    load: Figure,
    why: Prose,
}

impl Quiz {
    /// The topic of a name.
    pub fn topic(&self, name: &str) -> Option<&Topic> {
        self.topics.iter().find(|t| t.name == name)
    }
}

impl Question {
    /// One word for how it is answered: `choice`, `number`, `largest`, `smallest`, `order`, `binds`.
    pub const fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Choice { .. } => "choice",
            Kind::Number { .. } => "number",
            Kind::Extreme { most: true, .. } => "largest",
            Kind::Extreme { most: false, .. } => "smallest",
            Kind::Order { .. } => "order",
            Kind::Binds { .. } => "binds",
        }
    }

    /// Every text of it that a learner may read.
    pub fn texts(&self) -> Vec<&Prose> {
        let mut all = vec![&self.text, &self.why];
        match &self.kind {
            Kind::Choice { right, wrong, .. } => {
                all.push(right);
                all.extend(wrong.iter().flat_map(|w| [&w.is, &w.why]));
            }
            Kind::Number { slips, .. } => all.extend(slips.iter().map(|(_, why)| why)),
            Kind::Extreme { items, .. } | Kind::Order { items, .. } => {
                all.extend(items.iter().flat_map(|i| [&i.is, &i.why]));
            }
            Kind::Binds { links, .. } => all.extend(links.iter().map(|l| &l.why)),
        }
        all
    }

    /// What its answer rests on where the engine does not compute it.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Whether the engine computes or proves the answer.
    pub fn is_computed(&self) -> bool {
        match &self.kind {
            Kind::Choice { proof: None, right, .. } => right.figures().next().is_some(),
            _ => true,
        }
    }

    /// An error about the question, or a part of it.
    fn error(&self, part: &[places::At<'_>], column: Option<usize>, message: impl Into<String>) -> LoadError {
        places::error(&self.at, part, column, message)
    }
}

/// Names that are the same for every figure of a question that is being read.
fn sample_names(draws: &[draw::Draw]) -> Names {
    let mut names = Names::default();
    for d in draws {
        d.sample(&mut names);
    }
    names
}
