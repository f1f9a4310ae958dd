//! RON text -> [`Lesson`], with errors that point at the place, inside a text too.

use std::sync::Arc;

use super::course::{Act, Choice, Expected, Lesson, Look, Page, Predict, Source, Stage, Task};
use super::figure::{Condition, Fault, Figure, FigureError, Names, Prose, edited};
use super::written::{self, Written};
use crate::preset::{At, LoadError, error_inside, read_text};
use crate::question::Question;
use crate::scenario::Edit;
use crate::system::System;
use crate::units::Share;

/// Opens a machine by the name that a lesson gives: a shipped system, or what else the caller allows.
pub type Open<'a> = &'a dyn Fn(&str) -> Result<System, String>;

/// How far off a predicted number may be where the lesson does not say: a quarter.
const WITHIN: Share = Share::new(0.25);
/// What a step of a solution that is a key script starts with.
const KEYS: &str = "keys ";

type Read<T> = Result<T, LoadError>;

/// Reads a lesson. `file` is what errors call the text.
///
/// # Errors
/// Where the text is not RON, not a lesson, or holds a figure, condition or edit that cannot be read, with what was
/// expected and the nearest valid choice.
pub fn read(text: &str, file: &str, open: Open<'_>) -> Read<Lesson> {
    let mut code = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = code.find(|l| !l.is_empty() && !l.starts_with("//"));
    let desk = Desk { text, file, open, names: Names::default() };
    if first.is_none_or(|l| !l.contains('(')) {
        return Err(desk.error(&[], None, "not a lesson; expected ( name: ..., title: ..., pages: [ ... ] )"));
    }
    desk.lesson(read_text(text, file)?)
}

/// What is needed to read a lesson's parts and to point at them.
struct Desk<'t> {
    text: &'t str,
    file: &'t str,
    open: Open<'t>,
    names: Names,
}

/// A place in the file, and one below it.
type Path<'p> = Vec<At<'p>>;

fn below<'p>(path: &[At<'p>], more: &[At<'p>]) -> Path<'p> {
    path.iter().chain(more).copied().collect()
}

/// The machine and question that a page has where it does not say.
struct Usual<'w> {
    system: &'w str,
    base: Arc<System>,
    edits: Vec<Edit>,
    question: Question,
}

impl Desk<'_> {
    fn error(&self, path: &[At<'_>], character: Option<usize>, message: impl Into<String>) -> LoadError {
        error_inside(self.text, self.file, path, character, message)
    }

    fn figure_error(&self, path: &[At<'_>], e: &FigureError) -> LoadError {
        self.error(path, Some(e.column), e.text())
    }

    fn lesson(mut self, w: Written) -> Read<Lesson> {
        if let Some(why) = Names::refuse(&w.name) {
            return Err(self.error(&[At::Field("name")], None, why));
        }
        for (name, machine) in &w.machines {
            let path = [At::Field("machines"), At::Field(name)];
            self.free(&path, name)?;
            let base = self.opened(&below(&path, &[At::Field("system")]), &machine.system)?;
            let edits = self.edits(&below(&path, &[At::Field("edits")]), &machine.edits)?;
            let system = self.with_edits(&below(&path, &[At::Field("edits")]), &base, &edits)?;
            self.names.machines.insert(name.clone(), system);
        }
        self.figures(&w)?;
        let base = self.opened(&[At::Field("system")], &w.system)?;
        let edits = self.edits(&[At::Field("edits")], &w.edits)?;
        self.with_edits(&[At::Field("edits")], &base, &edits)?;
        let usual = Usual {
            system: &w.system,
            base,
            edits,
            question: self.question(&[At::Field("question")], w.question.as_deref(), Question::default())?,
        };
        let pages = w.pages.iter().enumerate().map(|(i, p)| self.page(i, p, &usual)).collect::<Read<Vec<_>>>()?;
        if pages.is_empty() {
            return Err(self.error(&[At::Field("pages")], None, "no pages; expected at least one"));
        }
        let source = Source { file: self.file.into(), text: self.text.into() };
        Ok(Lesson { name: w.name, title: w.title, about: w.about, pages, names: self.names, source })
    }

    fn free(&self, path: &[At<'_>], name: &str) -> Read<()> {
        Names::refuse(name).map_or(Ok(()), |why| Err(self.error(path, None, why)))
    }

    /// Figures may use each other in any order, so all names are known before the first is read.
    fn figures(&mut self, w: &Written) -> Read<()> {
        let known: Vec<&String> = w.figures.keys().collect();
        for name in known {
            self.free(&[At::Field("figures"), At::Field(name)], name)?;
            self.names.figures.insert(name.clone(), Figure::default());
        }
        for (name, text) in &w.figures {
            let path = [At::Field("figures"), At::Field(name)];
            let figure = Figure::parse(text, &self.names).map_err(|e| self.figure_error(&path, &e))?;
            self.names.figures.insert(name.clone(), figure);
        }
        Ok(())
    }

    fn opened(&self, path: &[At<'_>], name: &str) -> Read<Arc<System>> {
        if let Some(system) = self.names.machines.get(name) {
            return Ok(Arc::clone(system));
        }
        (self.open)(name).map(Arc::new).map_err(|e| self.error(path, None, e))
    }

    fn edits(&self, path: &[At<'_>], texts: &[String]) -> Read<Vec<Edit>> {
        let one = |(i, text): (usize, &String)| {
            text.parse::<Edit>().map_err(|e| {
                let whole = e.to_string();
                let message = whole.split_once(": ").map_or(whole.as_str(), |(_, m)| m).to_owned();
                self.error(&below(path, &[At::Item(i)]), Some(e.column), message)
            })
        };
        texts.iter().enumerate().map(one).collect()
    }

    fn with_edits(&self, path: &[At<'_>], base: &Arc<System>, edits: &[Edit]) -> Read<Arc<System>> {
        if edits.is_empty() {
            return Ok(Arc::clone(base));
        }
        edited(base, edits.to_vec()).map(Arc::new).map_err(|Fault(why)| self.error(path, None, why))
    }

    fn question(&self, path: &[At<'_>], text: Option<&str>, usual: Question) -> Read<Question> {
        let Some(text) = text else { return Ok(usual) };
        super::figure::question(text, &usual).map_err(|e| self.figure_error(path, &e))
    }

    fn prose(&self, path: &[At<'_>], text: &str) -> Read<Prose> {
        Prose::parse(text, &self.names).map_err(|e| self.figure_error(path, &e))
    }

    fn proses(&self, path: &[At<'_>], texts: &[String]) -> Read<Vec<Prose>> {
        texts.iter().enumerate().map(|(i, t)| self.prose(&below(path, &[At::Item(i)]), t)).collect()
    }

    fn condition(&self, path: &[At<'_>], text: &str) -> Read<Condition> {
        Condition::parse(text, &self.names).map_err(|e| self.figure_error(path, &e))
    }

    fn claims(&self, of: &[At<'_>], texts: &[String]) -> Read<Vec<Condition>> {
        let at = |i| below(of, &[At::Field("claims"), At::Item(i)]);
        texts.iter().enumerate().map(|(i, text)| self.condition(&at(i), text)).collect()
    }

    fn page(&self, at: usize, w: &written::Page, usual: &Usual<'_>) -> Read<Page> {
        let path = [At::Field("pages"), At::Item(at)];
        let stage = self.stage(&below(&path, &[At::Field("stage")]), w.stage.as_ref(), usual)?;
        let predict_path = below(&path, &[At::Field("predict")]);
        let predict = w.predict.as_ref().map(|p| self.predict(&predict_path, p, &stage)).transpose()?;
        let tasks =
            w.tasks.iter().enumerate().map(|(i, t)| self.task(&below(&path, &[At::Field("tasks"), At::Item(i)]), t));
        Ok(Page {
            title: w.title.clone(),
            text: self.prose(&below(&path, &[At::Field("text")]), &w.text)?,
            predict,
            tasks: tasks.collect::<Read<_>>()?,
            claims: self.claims(&path, &w.claims)?,
            stage,
        })
    }

    fn stage(&self, path: &[At<'_>], w: Option<&written::Stage>, usual: &Usual<'_>) -> Read<Stage> {
        let none = written::Stage::default();
        let w = w.unwrap_or(&none);
        let base = match &w.system {
            Some(name) => self.opened(&below(path, &[At::Field("system")]), name)?,
            None => Arc::clone(&usual.base),
        };
        let at_edits = below(path, &[At::Field("edits")]);
        let edits = match &w.edits {
            Some(texts) => self.edits(&at_edits, texts)?,
            None if w.system.is_some() => Vec::new(),
            None => usual.edits.clone(),
        };
        Ok(Stage {
            source: w.system.clone().unwrap_or_else(|| usual.system.to_owned()),
            system: self.with_edits(&at_edits, &base, &edits)?,
            question: self.question(&below(path, &[At::Field("question")]), w.question.as_deref(), usual.question)?,
            look: Look { screen: w.screen.clone(), select: w.select.clone(), lens: w.lens.clone() },
            base,
            edits,
        })
    }

    fn predict(&self, path: &[At<'_>], w: &written::Predict, stage: &Stage) -> Read<Predict> {
        let at = |field: &'static str| below(path, &[At::Field(field)]);
        if let Some(within) = w.within.filter(|s| !(s.ratio() > 0.0 && s.ratio() <= 1.0)) {
            let message =
                format!("{} % off would be right; expected a share up to all of it, as \"25%\"", within.percent());
            return Err(self.error(&at("within"), None, message));
        }
        let answer = match (&w.answer, w.choices.as_slice()) {
            (Some(text), []) => Expected::Number {
                answer: Figure::parse(text, &self.names).map_err(|e| self.figure_error(&at("answer"), &e))?,
                within: w.within.unwrap_or(WITHIN),
            },
            (None, choices @ [_, _, ..]) => Expected::Choice(
                choices
                    .iter()
                    .enumerate()
                    .map(|(i, c)| self.choice(&below(&at("choices"), &[At::Item(i)]), c))
                    .collect::<Read<_>>()?,
            ),
            _ => return Err(self.error(path, None, "expected either an answer or at least two choices")),
        };
        let shows = w.shows.as_ref().map(|s| self.shows(&at("shows"), s, stage)).transpose()?;
        Ok(Predict {
            ask: self.prose(&at("ask"), &w.ask)?,
            answer,
            why: self.prose(&at("why"), &w.why)?,
            shows,
            hints: self.proses(&at("hints"), &w.hints)?,
        })
    }

    fn choice(&self, path: &[At<'_>], w: &written::Choice) -> Read<Choice> {
        let at = |field: &'static str| below(path, &[At::Field(field)]);
        Ok(Choice {
            say: self.prose(&at("say"), &w.say)?,
            when: w.when.as_ref().map(|c| self.condition(&at("when"), c)).transpose()?,
            but: w.but.as_ref().map(|b| self.prose(&at("but"), b)).transpose()?,
        })
    }

    /// What the reveal changes: edits come on top of the page's own.
    fn shows(&self, path: &[At<'_>], w: &written::Stage, stage: &Stage) -> Read<Stage> {
        if w.system.is_some() {
            let message = "a reveal shows the page's own machine; expected edits, question, screen, select or lens";
            return Err(self.error(&below(path, &[At::Field("system")]), None, message));
        }
        let at_edits = below(path, &[At::Field("edits")]);
        let more = self.edits(&at_edits, w.edits.as_deref().unwrap_or_default())?;
        let edits: Vec<Edit> = stage.edits.iter().cloned().chain(more).collect();
        Ok(Stage {
            source: stage.source.clone(),
            base: Arc::clone(&stage.base),
            system: self.with_edits(&at_edits, &stage.base, &edits)?,
            question: self.question(&below(path, &[At::Field("question")]), w.question.as_deref(), stage.question)?,
            look: Look {
                screen: w.screen.clone().or_else(|| stage.look.screen.clone()),
                select: w.select.clone().or_else(|| stage.look.select.clone()),
                lens: w.lens.clone().or_else(|| stage.look.lens.clone()),
            },
            edits,
        })
    }

    fn task(&self, path: &[At<'_>], w: &written::Task) -> Read<Task> {
        let at = |field: &'static str| below(path, &[At::Field(field)]);
        if w.solution.is_empty() {
            return Err(self.error(
                &at("solution"),
                None,
                "no solution; expected what is entered at : or \"keys ...\"",
            ));
        }
        let act = |text: &String| match text.strip_prefix(KEYS) {
            Some(keys) => Act::Keys(keys.trim().to_owned()),
            None => Act::Line(text.trim().to_owned()),
        };
        Ok(Task {
            ask: self.prose(&at("ask"), &w.ask)?,
            when: self.condition(&at("when"), &w.when)?,
            hints: self.proses(&at("hints"), &w.hints)?,
            solution: w.solution.iter().map(act).collect(),
            then: self.prose(&at("then"), &w.then)?,
            claims: self.claims(path, &w.claims)?,
        })
    }
}
