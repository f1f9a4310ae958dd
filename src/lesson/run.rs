//! A learner in a lesson: which page, what was predicted, which tasks are done.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::course::{Expected, Lesson, Page, Predict, Task};
use super::figure::{Fault, Scene, Value, Wanted};
use super::progress::Record;
use crate::units::Share;

/// A learner in a lesson.
#[derive(Debug, Clone)]
pub struct Run {
    lesson: Arc<Lesson>,
    at: usize,
    work: Vec<Work>,
    /// The choice under the cursor.
    choice: usize,
    /// What was done last on this page.
    last: Fresh,
    /// Pages that were finished in earlier runs or this one.
    done: BTreeSet<usize>,
    /// Predictions that came out right.
    right: BTreeSet<usize>,
    /// The engine's answers, by page, once they were asked for: they do not change while a lesson is open.
    answers: Vec<OnceLock<Option<Result<Value, Fault>>>>,
}

/// What the learner has done on a page.
#[derive(Debug, Clone, Default)]
struct Work {
    guess: Option<Guess>,
    /// What was said as each task was done, in order.
    said: Vec<String>,
    /// Hints that were asked for in this step.
    hints: usize,
}

/// What the learner's last step has brought up on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Fresh {
    /// Nothing new.
    #[default]
    Nothing,
    /// A hint.
    Hint,
    /// The engine's answer to the prediction.
    Answer,
    /// What is said after a task.
    Said,
}

/// A prediction as it was made.
#[derive(Debug, Clone, PartialEq)]
pub enum Guess {
    /// A number with its unit.
    Number(Value),
    /// The statement of this place, from 0.
    Choice(usize),
}

/// What the page waits for.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A prediction.
    Predict(&'a Predict),
    /// The task of this place, from 0.
    Task(usize, &'a Task),
    /// Nothing more.
    Done,
}

/// What a look at the machine brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Nothing new.
    Nothing,
    /// A task is done; others follow on the page.
    Task,
    /// The last task of the page is done.
    Page,
}

impl Run {
    /// Begins a lesson, at the first page that was not finished before.
    pub fn new(lesson: Arc<Lesson>, record: Option<&Record>) -> Self {
        let pages = lesson.pages.len();
        let known = |set: &BTreeSet<usize>| set.iter().copied().filter(|p| *p < pages).collect::<BTreeSet<usize>>();
        let (done, right) = record.map_or_else(Default::default, |r| (known(&r.done), known(&r.right)));
        let at = (0..pages).find(|p| !done.contains(p)).unwrap_or(0);
        let answers = vec![OnceLock::new(); pages];
        let mut run = Self {
            work: vec![Work::default(); pages],
            lesson,
            at,
            choice: 0,
            last: Fresh::Nothing,
            done,
            right,
            answers,
        };
        run.look();
        run
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The number of the page, from 0.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The page.
    pub fn page(&self) -> &Page {
        self.lesson.page(self.at)
    }

    /// Goes to a page, if there is one; its machine is set up anew, so tasks that were begun start over.
    pub fn go(&mut self, to: usize) -> bool {
        if to >= self.lesson.pages.len() {
            return false;
        }
        self.at = to;
        (self.choice, self.last) = (0, Fresh::Nothing);
        let all = self.page().tasks.len();
        if let Some(work) = self.work.get_mut(to).filter(|w| w.said.len() < all) {
            work.said.clear();
        }
        self.look();
        true
    }

    /// What the page waits for.
    pub fn step(&self) -> Step<'_> {
        let page = self.page();
        if let Some(predict) = page.predict.as_ref().filter(|_| self.guess().is_none()) {
            return Step::Predict(predict);
        }
        let next = self.said().len();
        page.tasks.get(next).map_or(Step::Done, |task| Step::Task(next, task))
    }

    /// The prediction that was made on this page.
    pub fn guess(&self) -> Option<&Guess> {
        self.work.get(self.at)?.guess.as_ref()
    }

    /// What the last step has brought up.
    pub(super) const fn last(&self) -> Fresh {
        self.last
    }

    /// What was said as each task of this page was done.
    pub fn said(&self) -> &[String] {
        self.work.get(self.at).map_or(&[], |w| w.said.as_slice())
    }

    /// Hints that show.
    pub fn hints(&self) -> usize {
        self.work.get(self.at).map_or(0, |w| w.hints)
    }

    /// The choice under the cursor.
    pub const fn choice(&self) -> usize {
        self.choice
    }

    /// Moves the cursor of the choices; false where there are none to move in.
    pub fn move_choice(&mut self, by: isize) -> bool {
        let Some(last) = self.choices().checked_sub(1) else { return false };
        (self.choice, self.last) = (self.choice.saturating_add_signed(by).min(last), Fresh::Nothing);
        true
    }

    /// Shows the next hint of the step; false when there is none left.
    pub fn hint(&mut self) -> bool {
        let all = match self.step() {
            Step::Predict(p) => p.hints.len(),
            Step::Task(_, t) => t.hints.len(),
            Step::Done => 0,
        };
        let Some(work) = self.work.get_mut(self.at).filter(|w| w.hints < all) else { return false };
        work.hints += 1;
        self.last = Fresh::Hint;
        true
    }

    /// The engine's answer to the prediction of this page.
    pub fn answer(&self) -> Option<Result<Value, Fault>> {
        self.answers.get(self.at)?.get_or_init(|| self.ask_engine()).clone()
    }

    fn ask_engine(&self) -> Option<Result<Value, Fault>> {
        let predict = self.page().predict.as_ref()?;
        Some(self.page().on_reveal(&self.lesson.names, |scene| match &predict.answer {
            Expected::Number { answer, .. } => answer.value(scene),
            Expected::Choice(all) => {
                for (i, choice) in all.iter().enumerate() {
                    if choice.when.as_ref().is_some_and(|c| c.holds(scene) == Ok(true)) {
                        return Ok(Value::Count(i as u64));
                    }
                }
                Err(Fault("none of the statements holds".to_owned()))
            }
        }))
    }

    /// Commits to the choice under the cursor.
    pub fn choose(&mut self) {
        if let Step::Predict(Predict { answer: Expected::Choice(_), .. }) = self.step() {
            self.commit(Guess::Choice(self.choice));
        }
    }

    /// How many statements there are to choose from; 0 where nothing is to be chosen now.
    pub fn choices(&self) -> usize {
        match self.step() {
            Step::Predict(Predict { answer: Expected::Choice(all), .. }) => all.len(),
            _ => 0,
        }
    }

    /// Commits to the statement of a place, from 0; false where there is no such statement to choose.
    pub fn choose_at(&mut self, place: usize) -> bool {
        let there = place < self.choices();
        if there {
            self.choice = place;
            self.choose();
        }
        there
    }

    /// Reads a number for the prediction, without committing to it.
    ///
    /// # Errors
    /// What was expected.
    pub fn number(&self, text: &str) -> Result<Value, String> {
        self.wanted()
            .unwrap_or_else(|| Err(Fault("no number is asked for".to_owned())))
            .map_err(|f| f.to_string())?
            .read(text)
    }

    /// The number that the open or answered prediction asks for; none where it asks for none.
    pub fn wanted(&self) -> Option<Result<Wanted, Fault>> {
        let page = self.page();
        let predict = page.predict.as_ref()?;
        let Expected::Number { answer, .. } = &predict.answer else { return None };
        let names = &self.lesson.names;
        let asked = page.on_stage(names, |scene| predict.ask.show(scene)).unwrap_or_default();
        Some(page.on_reveal(names, |scene| answer.wanted(scene, &asked)))
    }

    /// How far off a number may be to count as right, where one is asked for.
    pub fn tolerance(&self) -> Option<Share> {
        match self.page().predict.as_ref()?.answer {
            Expected::Number { within, .. } => Some(within),
            Expected::Choice(_) => None,
        }
    }

    /// Commits to a number.
    pub fn commit_number(&mut self, value: Value) {
        if let Step::Predict(Predict { answer: Expected::Number { .. }, .. }) = self.step() {
            self.commit(Guess::Number(value));
        }
    }

    fn commit(&mut self, guess: Guess) {
        if let Some(work) = self.work.get_mut(self.at) {
            work.guess = Some(guess);
            work.hints = 0;
        }
        self.last = Fresh::Answer;
        if self.is_right() == Some(true) {
            self.right.insert(self.at);
        }
        self.look();
    }

    /// Whether the prediction came out right: the right statement, or a number near enough.
    pub fn is_right(&self) -> Option<bool> {
        let (guess, answer) = (self.guess()?, self.answer()?.ok()?);
        Some(match (guess, &self.page().predict.as_ref()?.answer) {
            (Guess::Choice(i), _) => Value::Count(*i as u64).same(&answer),
            (Guess::Number(said), Expected::Number { within, .. }) => answer.near(said, *within),
            (Guess::Number(_), Expected::Choice(_)) => false,
        })
    }

    /// Looks at the machine: whether the next task is done. Only one is taken at a look, so that each is seen to be done.
    pub fn heard(&mut self, scene: &Scene<'_>) -> Heard {
        let Step::Task(i, task) = self.step() else { return Heard::Nothing };
        if task.when.holds(scene) != Ok(true) {
            return Heard::Nothing;
        }
        let said = task.then.show(scene).unwrap_or_else(|Fault(why)| why);
        let last = i + 1 == self.page().tasks.len();
        if let Some(work) = self.work.get_mut(self.at) {
            work.said.push(said);
            work.hints = 0;
        }
        self.last = Fresh::Said;
        self.look();
        if last { Heard::Page } else { Heard::Task }
    }

    /// A page on which nothing is left to do is finished.
    fn look(&mut self) {
        if matches!(self.step(), Step::Done) {
            self.done.insert(self.at);
        }
    }

    /// Whether a page is finished.
    pub fn is_done(&self, page: usize) -> bool {
        self.done.contains(&page)
    }

    /// What is remembered of this lesson.
    pub fn record(&self) -> Record {
        Record { pages: self.lesson.pages.len(), done: self.done.clone(), right: self.right.clone() }
    }
}
