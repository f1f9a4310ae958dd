//! What a lesson is made of, ready to be taught: texts and conditions are read, machines are open.

use std::sync::Arc;

use super::figure::{Condition, Figure, Names, Prose, Scene, View};
use crate::question::Question;
use crate::scenario::Edit;
use crate::system::System;
use crate::units::Share;

/// A lesson.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// Its name on the command line and in the learner's progress: `one-link`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// One line about it, for the list.
    pub about: String,
    /// Its pages, in order; at least one.
    pub pages: Vec<Page>,
    /// Names that its figures use.
    pub names: Names,
    /// Where it was read from.
    pub source: Source,
}

/// The text that a lesson was read from, and what errors call it.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file's name.
    pub file: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

impl Lesson {
    /// The page of a place, from 0; beyond the last, the first. A lesson that was read has at least one.
    pub fn page(&self, at: usize) -> &Page {
        self.pages.get(at).unwrap_or(&self.pages[0])
    }
}

/// A page: a machine to look at, a text, a prediction and tasks.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// The text. Its figures speak of the page's own machine, whatever the learner has done since.
    pub text: Prose,
    /// The machine and the screen that the page begins with.
    pub stage: Stage,
    /// What the learner commits to before going on.
    pub predict: Option<Predict>,
    /// What the learner does, in order.
    pub tasks: Vec<Task>,
    /// What must hold for the words of the page to be right; checked, never shown.
    pub claims: Vec<Condition>,
}

/// A machine, a question and what shows.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The system as the lesson names it.
    pub source: String,
    /// The system without edits.
    pub base: Arc<System>,
    /// The edits that are there from the start; they are the page's baseline.
    pub edits: Vec<Edit>,
    /// The system with those edits.
    pub system: Arc<System>,
    /// What is asked.
    pub question: Question,
    /// How it is looked at.
    pub look: Look,
}

/// How the explorer shows a stage. The names are the explorer's own; it says so where it does not know one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// A screen: `sweep`.
    pub screen: Option<String>,
    /// The address of what is selected.
    pub select: Option<String>,
    /// What the numbers in the picture are: `rate`.
    pub lens: Option<String>,
}

/// A prediction: the learner commits to an answer, then sees the engine's.
#[derive(Debug, Clone)]
pub struct Predict {
    /// The question.
    pub ask: Prose,
    /// What is predicted.
    pub answer: Expected,
    /// Why it is so; its figures speak of the machine after the reveal.
    pub why: Prose,
    /// What the reveal changes, for all to see.
    pub shows: Option<Stage>,
    /// Hints, the mildest first.
    pub hints: Vec<Prose>,
}

/// The sort of a prediction.
#[derive(Debug, Clone)]
pub enum Expected {
    /// A number with its unit.
    Number {
        /// The engine's answer.
        answer: Figure,
        /// How far off still counts as right.
        within: Share,
    },
    /// One of several statements.
    Choice(Vec<Choice>),
}

/// One of several statements; the engine says which one is right.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The statement.
    pub say: Prose,
    /// What holds if it is right; a statement without one is wrong.
    pub when: Option<Condition>,
    /// What is said to who picks it, before the reason.
    pub but: Option<Prose>,
}

/// Something to do in the explorer. The state is checked, not the keys.
#[derive(Debug, Clone)]
pub struct Task {
    /// What to do.
    pub ask: Prose,
    /// What holds once it is done, and not before.
    pub when: Condition,
    /// Hints, the mildest first.
    pub hints: Vec<Prose>,
    /// What does it: proof that it can be done.
    pub solution: Vec<Act>,
    /// What is said then; its figures speak of the machine as the learner has left it.
    pub then: Prose,
    /// What must hold, once its solution is done, for what is said then to be right; checked, never shown.
    pub claims: Vec<Condition>,
}

/// A step of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// What is entered at `:`.
    Line(String),
    /// A key script.
    Keys(String),
}

impl Stage {
    /// What figures see: this machine, with another as its baseline where there is one.
    pub fn scene<'a>(&'a self, baseline: &'a System, view: &'a View, names: &'a Names) -> Scene<'a> {
        Scene { now: &self.system, base: &self.base, baseline, question: &self.question, view, names }
    }

    /// What the explorer shows at the start.
    pub fn view(&self) -> View {
        View {
            screen: self.look.screen.clone().unwrap_or_else(|| "explore".to_owned()),
            selected: self.look.select.clone().unwrap_or_default(),
            lens: self.look.lens.clone().unwrap_or_else(|| "load".to_owned()),
            picture: String::new(),
            edits: self.edits.len(),
        }
    }
}

impl Page {
    /// The machine after the reveal.
    pub fn revealed(&self) -> &Stage {
        self.predict.as_ref().and_then(|p| p.shows.as_ref()).unwrap_or(&self.stage)
    }

    /// The figures that name the page's machine, or `baseline`, see this.
    pub fn on_stage<T>(&self, names: &Names, see: impl FnOnce(&Scene<'_>) -> T) -> T {
        see(&self.stage.scene(&self.stage.system, &self.stage.view(), names))
    }

    /// The same for what is shown once the prediction is made; the baseline is the machine before.
    pub fn on_reveal<T>(&self, names: &Names, see: impl FnOnce(&Scene<'_>) -> T) -> T {
        let stage = self.revealed();
        see(&stage.scene(&self.stage.system, &stage.view(), names))
    }
}
