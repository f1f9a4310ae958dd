//! Proof that a lesson's figures have values, that exactly one statement of each choice is right, that no task is done
//! before anything was done, and that what the words claim holds. That each task's solution does it takes the explorer.

use std::fmt;

use super::course::{Choice, Expected, Lesson, Page, Predict, Task};
use super::figure::{Fault, Prose, Scene};
use super::sheet::letter;
use crate::preset::{At, error_inside};

/// Something that is wrong with a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, in words: `page 2, task 1`.
    pub place: String,
    /// What.
    pub message: String,
    /// The way to it in the file.
    pub path: Vec<At<'static>>,
    /// The character of the text that stands there, from 1.
    pub character: Option<usize>,
}

impl Problem {
    /// A problem with what stands at the end of a way.
    pub fn new(place: impl Into<String>, path: &[At<'static>], message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into(), path: path.to_vec(), character: None }
    }

    /// With its place in the lesson's file: `my.ron:12:8: page 2, task 1: ...`.
    pub fn in_file(&self, lesson: &Lesson) -> String {
        let source = &lesson.source;
        error_inside(&source.text, &source.file, &self.path, self.character, self.to_string()).headline()
    }
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
        let (place, path) = (format!("page {}", i + 1), vec![At::Field("pages"), At::Item(i)]);
        Checker { place, path, all: &mut all }.page(page, lesson);
    }
    all
}

const PREDICT: At<'static> = At::Field("predict");

/// A part of a page: in words, and the way to it from the page.
type Part<'p> = (&'p str, &'p [At<'static>]);

struct Checker<'a> {
    place: String,
    path: Vec<At<'static>>,
    all: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn found(&mut self, (words, way): Part<'_>, character: Option<usize>, message: impl Into<String>) {
        let place = if words.is_empty() { self.place.clone() } else { format!("{}, {words}", self.place) };
        let path: Vec<At<'static>> = self.path.iter().chain(way).copied().collect();
        self.all.push(Problem { character, ..Problem::new(place, &path, message) });
    }

    fn prose(&mut self, part: Part<'_>, prose: &Prose, scene: &Scene<'_>) {
        if let Some((column, Fault(why))) = prose.fault(scene) {
            self.found(part, Some(column), why);
        }
    }

    fn proses(&mut self, (words, way): Part<'_>, all: &[Prose], scene: &Scene<'_>) {
        for (i, prose) in all.iter().enumerate() {
            let way: Vec<At<'static>> = way.iter().copied().chain([At::Item(i)]).collect();
            self.prose((words, &way), prose, scene);
        }
    }

    fn page(&mut self, page: &Page, lesson: &Lesson) {
        page.on_stage(&lesson.names, |scene| {
            self.prose(("text", &[At::Field("text")]), &page.text, scene);
            if let Some(predict) = &page.predict {
                self.prose(("prediction", &[PREDICT, At::Field("ask")]), &predict.ask, scene);
                self.proses(("hint of the prediction", &[PREDICT, At::Field("hints")]), &predict.hints, scene);
            }
        });
        page.on_reveal(&lesson.names, |scene| {
            if let Some(predict) = &page.predict {
                self.prediction(predict, scene);
            }
            for (i, task) in page.tasks.iter().enumerate() {
                self.task(i, task, scene);
            }
            for (i, claim) in page.claims.iter().enumerate() {
                let part: Part<'_> = ("claims", &[At::Field("claims"), At::Item(i)]);
                match claim.holds(scene) {
                    Ok(true) => {}
                    Ok(false) => self.found(part, None, format!("does not hold: {claim}")),
                    Err(Fault(why)) => self.found(part, None, format!("{claim}: {why}")),
                }
            }
        });
    }

    fn task(&mut self, i: usize, task: &Task, scene: &Scene<'_>) {
        let words = format!("task {}", i + 1);
        let at = |field| [At::Field("tasks"), At::Item(i), At::Field(field)];
        self.prose((&words, &at("ask")), &task.ask, scene);
        self.proses((&words, &at("hints")), &task.hints, scene);
        let part: Part<'_> = (&words, &at("when"));
        // A later task comes when those before it are done: walking through the lesson tells.
        match task.when.holds(scene) {
            Ok(true) if i > 0 => {}
            Ok(true) => self.found(part, None, format!("holds before anything is done: {}", task.when)),
            Ok(false) => {}
            Err(Fault(why)) => self.found(part, None, format!("{}: {why}", task.when)),
        }
    }

    fn prediction(&mut self, predict: &Predict, scene: &Scene<'_>) {
        self.prose(("reason", &[PREDICT, At::Field("why")]), &predict.why, scene);
        match &predict.answer {
            Expected::Number { answer, .. } => {
                if let Err(Fault(why)) = answer.show(scene) {
                    self.found(("answer", &[PREDICT, At::Field("answer")]), None, format!("{answer}: {why}"));
                }
            }
            Expected::Choice(choices) => self.choices(choices, scene),
        }
    }

    fn choices(&mut self, choices: &[Choice], scene: &Scene<'_>) {
        let mut right = Vec::new();
        let list = [PREDICT, At::Field("choices")];
        for (i, choice) in choices.iter().enumerate() {
            let at = |field| [list[0], list[1], At::Item(i), At::Field(field)];
            self.prose(("choices", &at("say")), &choice.say, scene);
            if let Some(but) = &choice.but {
                self.prose(("choices", &at("but")), but, scene);
            }
            match choice.when.as_ref().map(|c| (c, c.holds(scene))) {
                Some((_, Ok(true))) => right.push(letter(i)),
                Some((c, Err(Fault(why)))) => self.found(("choices", &at("when")), None, format!("{c}: {why}")),
                _ => {}
            }
        }
        match right.as_slice() {
            [_] => {}
            [] => self.found(("choices", &list), None, "none of them is right"),
            many => self.found(("choices", &list), None, format!("{} are right; expected one", many.join(" and "))),
        }
    }
}
