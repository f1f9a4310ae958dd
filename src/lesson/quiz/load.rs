//! From the written quiz to one that can be asked: every figure and text is read, every name looked up.

use std::sync::Arc;

use super::draw::{Draw, From};
use super::file::{self, DrawSpec, QuestionSpec, QuizFile, TopicSpec, ValuedSpec, WrongSpec};
use super::places::At;
use super::{Kind, Linked, Place, Question, Quiz, Topic, Valued, Wrong, places, sample_names};
use crate::lesson::figure::{Condition, Figure, FigureError, Names, Prose};
use crate::parts::nearest;
use crate::preset::{self, LoadError};
use crate::scenario::Edit;

/// The machine of a question that names none.
const USUAL: &str = "dgx-h100";

/// The parts of what is asked about links, each a figure.
#[derive(Debug, Clone)]
pub(super) struct Asks {
    pub(super) collective: Figure,
    pub(super) size: Figure,
    pub(super) group: Figure,
    pub(super) forced: Figure,
    pub(super) bottleneck: Figure,
}

type Read<T> = Result<T, LoadError>;

/// Whether a RON text means to be a quiz: it has questions, where a lesson has pages.
pub fn is_one(text: &str) -> bool {
    text.contains("questions:") && !text.contains("pages:")
}

/// Reads a quiz. `file` is what errors call the text.
///
/// # Errors
/// What is wrong, where, and what was expected. Whether every answer can be computed is for [`super::check()`].
pub fn parse(text: &str, file: &str) -> Read<Quiz> {
    let written: QuizFile = preset::read_text(text, file)?;
    let (text, file): (Arc<str>, Arc<str>) = (text.into(), file.into());
    let topics: Vec<Topic> = written.topics.into_iter().map(topic).collect();
    let mut questions: Vec<Question> = Vec::new();
    for (index, spec) in written.questions.into_iter().enumerate() {
        let at = Place { text: Arc::clone(&text), file: Arc::clone(&file), index };
        if questions.iter().any(|q| q.name == spec.name) {
            return Err(places::error(
                &at,
                &[At::Field("name")],
                None,
                format!("question {:?} is there twice", spec.name),
            ));
        }
        if !topics.iter().any(|t| t.name == spec.topic) {
            let near = nearest(&spec.topic, topics.iter().map(|t| t.name.as_str()));
            let message = format!("no topic {:?}{}", spec.topic, hint(&near));
            return Err(places::error(&at, &[At::Field("topic")], None, message));
        }
        questions.push(Reader { at: &at, names: Names::default() }.question(spec)?);
    }
    Ok(Quiz { title: written.title, topics, questions })
}

fn topic(spec: TopicSpec) -> Topic {
    Topic { name: spec.name, title: spec.title, lesson: spec.lesson }
}

fn hint(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

/// Reads one question.
struct Reader<'a> {
    at: &'a Place,
    names: Names,
}

impl Reader<'_> {
    fn question(mut self, spec: QuestionSpec) -> Read<Question> {
        let draws = self.draws(&spec.draw)?;
        self.names = sample_names(&draws);
        let figures = self.figures(&spec)?;
        let machine = self.machine(spec.machine.as_deref(), &draws)?;
        let with = self.prose(&[At::Field("with")], spec.with.as_deref().unwrap_or_default())?;
        let kind = self.kind(&spec)?;
        let text = self.prose(&[At::Field("text")], &spec.text)?;
        let why = self.prose(&[At::Field("why")], &spec.why)?;
        let QuestionSpec { name, topic, source, .. } = spec;
        Ok(Question { name, topic, machine, with, draws, figures, text, kind, why, source, at: self.at.clone() })
    }

    fn error<T>(&self, part: &[At<'_>], column: Option<usize>, message: impl Into<String>) -> Read<T> {
        Err(places::error(self.at, part, column, message))
    }

    fn misread<T>(&self, part: &[At<'_>], e: &FigureError) -> Read<T> {
        self.error(part, Some(e.column), e.text())
    }

    fn draws(&mut self, specs: &[DrawSpec]) -> Read<Vec<Draw>> {
        let mut draws: Vec<Draw> = Vec::new();
        for (i, spec) in specs.iter().enumerate() {
            let here = [At::Field("draw"), At::Item(i)];
            let name = [here[0], here[1], At::Field("name")];
            if let Some(why) = Names::refuse(&spec.name) {
                return self.error(&name, None, why);
            }
            if draws.iter().any(|d| d.name == spec.name) {
                return self.error(&name, None, format!("{:?} is drawn twice", spec.name));
            }
            self.names = sample_names(&draws);
            let from = match (spec.values.is_empty(), spec.machines.is_empty()) {
                (false, true) => self.values(&here, spec)?,
                (true, false) => self.machines(&here, spec)?,
                _ => return self.error(&here, None, "expected values: [...] or machines: [...] to draw from"),
            };
            draws.push(Draw { name: spec.name.clone(), from });
        }
        Ok(draws)
    }

    fn values(&self, here: &[At<'_>; 2], spec: &DrawSpec) -> Read<From> {
        let read =
            |(j, text): (usize, &String)| self.figure(&[here[0], here[1], At::Field("values"), At::Item(j)], text);
        spec.values.iter().enumerate().map(read).collect::<Read<Vec<_>>>().map(From::Values)
    }

    fn machines(&self, here: &[At<'_>; 2], spec: &DrawSpec) -> Read<From> {
        for (j, name) in spec.machines.iter().enumerate() {
            self.shipped(&[here[0], here[1], At::Field("machines"), At::Item(j)], name, &[])?;
        }
        let edits = edits(spec.with.as_deref().unwrap_or_default());
        match edits {
            Ok(edits) => Ok(From::Machines(spec.machines.clone(), edits)),
            Err((column, message)) => self.error(&[here[0], here[1], At::Field("with")], Some(column), message),
        }
    }

    fn machine(&self, name: Option<&str>, draws: &[Draw]) -> Read<String> {
        let Some(name) = name else { return Ok(USUAL.to_owned()) };
        let drawn: Vec<&str> =
            draws.iter().filter(|d| matches!(d.from, From::Machines(..))).map(|d| d.name.as_str()).collect();
        self.shipped(&[At::Field("machine")], name, &drawn)?;
        Ok(name.to_owned())
    }

    fn shipped(&self, part: &[At<'_>], name: &str, also: &[&str]) -> Read<()> {
        let all = || preset::shipped().iter().map(|s| s.name).chain(also.iter().copied());
        if all().any(|n| n == name) {
            return Ok(());
        }
        self.error(part, None, format!("no machine {name:?}{}", hint(&nearest(name, all()))))
    }

    /// Figures with a name; each may use those before it.
    fn figures(&mut self, spec: &QuestionSpec) -> Read<Vec<(String, Figure)>> {
        let mut list = Vec::new();
        for (i, f) in spec.figures.iter().enumerate() {
            let part = |field| [At::Field("figures"), At::Item(i), At::Field(field)];
            if let Some(why) = Names::refuse(&f.name) {
                return self.error(&part("name"), None, why);
            }
            let figure = self.figure(&part("is"), &f.is)?;
            self.names.figures.insert(f.name.clone(), figure.clone());
            list.push((f.name.clone(), figure));
        }
        if let Some(number) = &spec.number {
            let figure = self.figure(&[At::Field("number"), At::Field("is")], &number.is)?;
            self.names.figures.insert("answer".to_owned(), figure.clone());
            list.push(("answer".to_owned(), figure));
        }
        Ok(list)
    }

    fn kind(&self, spec: &QuestionSpec) -> Read<Kind> {
        let kinds = [
            spec.choice.as_ref().map(|c| self.choice(c)),
            spec.number.as_ref().map(|n| self.number(n)),
            spec.largest.as_ref().map(|items| self.extreme("largest", items)),
            spec.smallest.as_ref().map(|items| self.extreme("smallest", items)),
            spec.order.as_ref().map(|o| self.order(o)),
            spec.binds.as_ref().map(|b| self.binds(b)),
        ];
        let mut given = kinds.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(kind), None) => kind,
            _ => self.error(&[], None, "expected one of choice, number, largest, smallest, order, binds in a question"),
        }
    }

    fn choice(&self, c: &file::ChoiceSpec) -> Read<Kind> {
        let of = |field| [At::Field("choice"), At::Field(field)];
        let read = |text: &str| Condition::parse(text, &self.names).or_else(|e| self.misread(&of("proof"), &e));
        let proof = c.proof.as_deref().map(read).transpose()?;
        if c.wrong.is_empty() {
            return self.error(&of("wrong"), None, "a choice needs wrong answers too");
        }
        let wrong = |(i, w): (usize, &WrongSpec)| {
            let part = |field| [At::Field("choice"), At::Field("wrong"), At::Item(i), At::Field(field)];
            Ok(Wrong { is: self.prose(&part("is"), &w.is)?, why: self.reason(&part("why"), &w.why)? })
        };
        let wrong = c.wrong.iter().enumerate().map(wrong).collect::<Read<_>>()?;
        Ok(Kind::Choice { right: self.prose(&of("right"), &c.right)?, proof, wrong })
    }

    fn number(&self, n: &file::NumberSpec) -> Read<Kind> {
        let is = self.figure(&[At::Field("number"), At::Field("is")], &n.is)?;
        let within = n.within;
        if !(within.ratio() > 0.0 && within.ratio() <= 0.5) {
            let part = [At::Field("number"), At::Field("within")];
            return self.error(&part, None, "expected a tolerance above zero, up to 50%");
        }
        let slip = |(i, s): (usize, &WrongSpec)| {
            let part = |field| [At::Field("number"), At::Field("slips"), At::Item(i), At::Field(field)];
            Ok((self.figure(&part("is"), &s.is)?, self.reason(&part("why"), &s.why)?))
        };
        let slips = n.slips.iter().enumerate().map(slip).collect::<Read<_>>()?;
        Ok(Kind::Number { is, within, slips })
    }

    fn extreme(&self, field: &str, items: &[ValuedSpec]) -> Read<Kind> {
        let items = self.valued(&[At::Field(field)], items)?;
        Ok(Kind::Extreme { most: field == "largest", items })
    }

    fn order(&self, o: &file::OrderSpec) -> Read<Kind> {
        let items = self.valued(&[At::Field("order"), At::Field("items")], &o.items)?;
        Ok(Kind::Order { from_most: o.from == file::From::Largest, items })
    }

    fn valued(&self, list: &[At<'_>], items: &[ValuedSpec]) -> Read<Vec<Valued>> {
        if items.len() < 2 {
            return self.error(list, None, "expected at least two items to compare");
        }
        let read = |(i, item): (usize, &ValuedSpec)| {
            let part = |field| -> Vec<At<'_>> { list.iter().copied().chain([At::Item(i), At::Field(field)]).collect() };
            Ok(Valued {
                is: self.prose(&part("is"), &item.is)?,
                value: self.figure(&part("value"), &item.value)?,
                why: self.prose(&part("why"), &item.why)?,
            })
        };
        items.iter().enumerate().map(read).collect()
    }

    fn binds(&self, b: &file::BindsSpec) -> Read<Kind> {
        let ask = [At::Field("binds"), At::Field("ask")];
        // The question stands behind `collective of ` in the figure that is read.
        let of = |what: &str| {
            let head = format!("{what} of ");
            Figure::parse(&format!("{head}{}", b.ask), &self.names)
                .or_else(|e| self.error(&ask, Some(e.column.saturating_sub(head.chars().count()).max(1)), e.text()))
        };
        let asks = Asks {
            collective: of("collective")?,
            size: of("size")?,
            group: of("group")?,
            forced: of("forced")?,
            bottleneck: of("bottleneck")?,
        };
        if b.links.len() < 2 {
            return self.error(
                &[At::Field("binds"), At::Field("links")],
                None,
                "expected at least two links to choose from",
            );
        }
        let link = |(i, l): (usize, &file::LinkSpec)| {
            let part = |field| [At::Field("binds"), At::Field("links"), At::Item(i), At::Field(field)];
            let load = format!("load of '{}' in {}", l.link, b.ask);
            let load = Figure::parse(&load, &self.names).or_else(|e| self.error(&part("link"), None, e.text()))?;
            Ok(Linked { link: l.link.clone(), load, why: self.prose(&part("why"), &l.why)? })
        };
        let links = b.links.iter().enumerate().map(link).collect::<Read<_>>()?;
        Ok(Kind::Binds { asks: Box::new(asks), links })
    }

    fn figure(&self, part: &[At<'_>], text: &str) -> Read<Figure> {
        Figure::parse(text, &self.names).or_else(|e| self.misread(part, &e))
    }

    fn prose(&self, part: &[At<'_>], text: &str) -> Read<Prose> {
        Prose::parse(text, &self.names).or_else(|e| self.misread(part, &e))
    }

    /// Why a wrong answer tempts; it may not be left out.
    fn reason(&self, part: &[At<'_>], text: &str) -> Read<Prose> {
        if text.trim().is_empty() {
            return self.error(part, None, "say why one falls for this");
        }
        self.prose(part, text)
    }
}

/// Edits parted by semicolons; the error has its column.
pub(super) fn edits(text: &str) -> Result<Vec<Edit>, (usize, String)> {
    let mut all = Vec::new();
    let mut column = 1;
    for part in text.split(';') {
        if !part.trim().is_empty() {
            all.push(part.parse::<Edit>().map_err(|e| (column + e.column.saturating_sub(1), e.to_string()))?);
        }
        column += part.chars().count() + 1;
    }
    Ok(all)
}
