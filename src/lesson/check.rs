//! Proof that a lesson's figures have values, that exactly one statement of each choice is right, that no task is done
//! before anything was done, and that what the words claim holds. That each task's solution does it takes the explorer.

use std::fmt;

use super::course::{Choice, Expected, Lesson, Page, Predict};
use super::figure::{Fault, Prose, Scene};
use super::sheet::letter;

/// Something that is wrong with a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: `page 2, task 1`.
    pub place: String,
    /// What.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Everything that is wrong with a lesson as far as it can be seen without working through it.
pub fn check(lesson: &Lesson) -> Vec<Problem> {
    let mut all = Vec::new();
    for (i, page) in lesson.pages.iter().enumerate() {
        let mut of = Checker { place: format!("page {}", i + 1), all: &mut all };
        of.page(page, lesson);
    }
    all
}

struct Checker<'a> {
    place: String,
    all: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn found(&mut self, where_: &str, message: impl Into<String>) {
        let place = if where_.is_empty() { self.place.clone() } else { format!("{}, {where_}", self.place) };
        self.all.push(Problem { place, message: message.into() });
    }

    fn prose(&mut self, where_: &str, prose: &Prose, scene: &Scene<'_>) {
        if let Err(Fault(why)) = prose.show(scene) {
            self.found(where_, why);
        }
    }

    fn page(&mut self, page: &Page, lesson: &Lesson) {
        page.on_stage(&lesson.names, |scene| {
            self.prose("text", &page.text, scene);
            if let Some(predict) = &page.predict {
                self.prose("prediction", &predict.ask, scene);
                predict.hints.iter().for_each(|h| self.prose("hint of the prediction", h, scene));
            }
        });
        page.on_reveal(&lesson.names, |scene| {
            if let Some(predict) = &page.predict {
                self.prediction(predict, scene);
            }
            for (i, task) in page.tasks.iter().enumerate() {
                let place = format!("task {}", i + 1);
                self.prose(&place, &task.ask, scene);
                task.hints.iter().for_each(|h| self.prose(&place, h, scene));
                // A later task comes when those before it are done: walking through the lesson tells.
                match task.when.holds(scene) {
                    Ok(true) if i > 0 => {}
                    Ok(true) => self.found(&place, format!("holds before anything is done: {}", task.when)),
                    Ok(false) => {}
                    Err(Fault(why)) => self.found(&place, format!("{}: {why}", task.when)),
                }
            }
            for claim in &page.claims {
                match claim.holds(scene) {
                    Ok(true) => {}
                    Ok(false) => self.found("claims", format!("does not hold: {claim}")),
                    Err(Fault(why)) => self.found("claims", format!("{claim}: {why}")),
                }
            }
        });
    }

    fn prediction(&mut self, predict: &Predict, scene: &Scene<'_>) {
        self.prose("reason", &predict.why, scene);
        match &predict.answer {
            Expected::Number { answer, .. } => {
                if let Err(Fault(why)) = answer.show(scene) {
                    self.found("answer", format!("{answer}: {why}"));
                }
            }
            Expected::Choice(choices) => self.choices(choices, scene),
        }
    }

    fn choices(&mut self, choices: &[Choice], scene: &Scene<'_>) {
        let mut right = Vec::new();
        for (i, choice) in choices.iter().enumerate() {
            self.prose("choices", &choice.say, scene);
            if let Some(but) = &choice.but {
                self.prose("choices", but, scene);
            }
            match choice.when.as_ref().map(|c| (c, c.holds(scene))) {
                Some((_, Ok(true))) => right.push(letter(i)),
                Some((c, Err(Fault(why)))) => self.found("choices", format!("{c}: {why}")),
                _ => {}
            }
        }
        match right.as_slice() {
            [_] => {}
            [] => self.found("choices", "none of them is right"),
            many => self.found("choices", format!("{} are right; expected one", many.join(" and "))),
        }
    }
}
