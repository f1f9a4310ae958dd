//! A question with its numbers drawn and its answer computed.

use std::sync::Arc;

use super::places::At;
use super::random::Random;
use super::{Kind, Linked, Question, Valued, Wrong, draw, load};
use crate::lesson::figure::{Condition, Fault, Figure, Names, Prose, Scene, Value, View, Wanted};
use crate::preset::LoadError;
use crate::question::Question as Ask;
use crate::system::System;
use crate::units::Share;

/// How much the answer must stand out from the others.
const MARGIN: Share = Share::from_percent(2.0);

/// A question as a learner sees it, and what is right.
#[derive(Debug, Clone)]
pub struct Posed {
    /// Its name in the quiz.
    pub name: String,
    /// Name of its topic.
    pub topic: String,
    /// The question.
    pub text: String,
    /// How it is answered.
    pub body: Body,
    /// Why the answer is what it is.
    pub why: String,
    /// What it rests on where the engine does not compute it.
    pub source: Option<String>,
}

/// How a question is answered.
#[derive(Debug, Clone)]
pub enum Body {
    /// One of several.
    Choice {
        /// The choices, in the order in which they are shown.
        options: Vec<Choice>,
        /// The right one.
        right: usize,
        /// The machine whose links are the choices, if they are links.
        stage: Option<Stage>,
    },
    /// A quantity.
    Number {
        /// The answer.
        is: Value,
        /// The same as it is written.
        shown: String,
        /// How far off a right answer may be.
        within: Share,
        /// Wrong answers that people give.
        slips: Vec<Slip>,
        /// How it may be typed.
        wanted: Wanted,
    },
    /// Items to be put in order.
    Order {
        /// The items, in the order in which they are shown first.
        items: Vec<Item>,
        /// Whether the largest comes first.
        from_most: bool,
    },
}

/// One of several choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What it says.
    pub text: String,
    /// What is wrong with it; of the right one, empty.
    pub why: String,
    /// Its value, to be shown when the question is answered; empty where it has none.
    pub shown: String,
}

/// A wrong number that people give.
#[derive(Debug, Clone, PartialEq)]
pub struct Slip {
    /// The number.
    pub is: Value,
    /// The same, written as the answer is.
    pub shown: String,
    /// Why one falls for it.
    pub why: String,
}

/// An item to be put in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it says.
    pub text: String,
    /// Its value, to be shown when the question is answered.
    pub shown: String,
    /// Where it belongs, from 0.
    pub place: usize,
    /// What one gets wrong about it; may be empty.
    pub why: String,
}

/// The machine that a question about links shows.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The machine, edits applied.
    pub system: Arc<System>,
    /// What is asked of it.
    pub question: Ask,
    /// Addresses of the links, in the order of the choices.
    pub links: Vec<String>,
}

impl Question {
    /// Draws the numbers of a seed and asks the engine.
    ///
    /// # Errors
    /// Where a figure has no value, two answers read alike or are right, or the engine disagrees.
    pub fn pose(&self, seed: u64) -> Result<Posed, LoadError> {
        let mut random = Random::new(seed, &self.name);
        let (names, system) = self.drawn(&mut random)?;
        let (ask, view) = (Ask::default(), View::default());
        let scene =
            Scene { now: &system, base: &system, baseline: &system, question: &ask, view: &view, names: &names };
        let pose = Pose { of: self, scene: &scene, system: &system };
        let body = match &self.kind {
            Kind::Choice { right, proof, wrong } => pose.choice(right, proof.as_ref(), wrong, &mut random)?,
            Kind::Number { is, within, slips } => pose.number(is, *within, slips)?,
            Kind::Extreme { most, items } => pose.extreme(*most, items, &mut random)?,
            Kind::Order { from_most, items } => pose.order(*from_most, items, &mut random)?,
            Kind::Binds { asks, links } => pose.binds(asks, links, &mut random)?,
        };
        Ok(Posed {
            name: self.name.clone(),
            topic: self.topic.clone(),
            text: pose.show(&[At::Field("text")], &self.text)?,
            body,
            why: pose.show(&[At::Field("why")], &self.why)?,
            source: self.source.clone(),
        })
    }

    /// What was drawn, and the machine of the question.
    fn drawn(&self, random: &mut Random) -> Result<(Names, Arc<System>), LoadError> {
        let fault = |part: &[At<'_>], e: Fault| self.error(part, None, e.to_string());
        let usual = || draw::open("dgx-h100", Vec::new()).map_err(|e| fault(&[], e));
        let mut names = Names::default();
        if !self.draws.is_empty() {
            let at = usual()?;
            for (i, d) in self.draws.iter().enumerate() {
                d.draw(random, &mut names, &at).map_err(|e| fault(&[At::Field("draw"), At::Item(i)], e))?;
            }
        }
        names.figures.extend(self.figures.iter().cloned());
        let own = names.machines.get(&self.machine).cloned();
        let system = match own {
            Some(system) => system,
            None => Arc::new(draw::open(&self.machine, Vec::new()).map_err(|e| fault(&[At::Field("machine")], e))?),
        };
        if self.with.is_empty() {
            return Ok((names, system));
        }
        let part = [At::Field("with")];
        let text = shown(&self.with, &names, &system).map_err(|e| fault(&part, e))?;
        let edits = load::edits(&text).map_err(|(_, message)| self.error(&part, None, message))?;
        let system = crate::lesson::figure::edited(&system, edits).map_err(|e| fault(&part, e))?;
        Ok((names, Arc::new(system)))
    }
}

fn shown(prose: &Prose, names: &Names, at: &System) -> Result<String, Fault> {
    let (question, view) = (Ask::default(), View::default());
    prose.show(&Scene { now: at, base: at, baseline: at, question: &question, view: &view, names })
}

/// A question being posed.
struct Pose<'a> {
    of: &'a Question,
    scene: &'a Scene<'a>,
    system: &'a Arc<System>,
}

type Posing<T> = Result<T, LoadError>;

impl Pose<'_> {
    fn fail<T>(&self, part: &[At<'_>], message: impl Into<String>) -> Posing<T> {
        Err(self.of.error(part, None, message))
    }

    fn show(&self, part: &[At<'_>], prose: &Prose) -> Posing<String> {
        prose.show(self.scene).or_else(|e| self.fail(part, e.to_string()))
    }

    fn value(&self, part: &[At<'_>], figure: &Figure) -> Posing<Value> {
        figure.value(self.scene).or_else(|e| self.fail(part, e.to_string()))
    }

    fn choice(&self, right: &Prose, proof: Option<&Condition>, wrong: &[Wrong], random: &mut Random) -> Posing<Body> {
        let part = |field| [At::Field("choice"), At::Field(field)];
        if let Some(proof) = proof {
            match proof.holds(self.scene) {
                Ok(true) => {}
                Ok(false) => return self.fail(&part("proof"), "the engine does not agree: this does not hold"),
                Err(e) => return self.fail(&part("proof"), e.to_string()),
            }
        }
        let plain = |text, why| Choice { text, why, shown: String::new() };
        let mut options = vec![plain(self.show(&part("right"), right)?, String::new())];
        for (i, w) in wrong.iter().enumerate() {
            let here = |field| [At::Field("choice"), At::Field("wrong"), At::Item(i), At::Field(field)];
            let text = self.show(&here("is"), &w.is)?;
            if options.iter().any(|o| o.text == text) {
                return self.fail(&here("is"), format!("two answers read {text:?}"));
            }
            options.push(plain(text, self.show(&here("why"), &w.why)?));
        }
        Ok(shuffled(options, 0, None, random))
    }

    fn number(&self, is: &Figure, within: Share, slips: &[(Figure, Prose)]) -> Posing<Body> {
        let part = [At::Field("number"), At::Field("is")];
        let value = self.value(&part, is)?;
        let text = is.show(self.scene).or_else(|e| self.fail(&part, e.to_string()))?;
        if value.off_by(&value).is_none() {
            return self.fail(&part, format!("{value} is a word, not a number"));
        }
        let mut found = Vec::new();
        for (i, (slip, why)) in slips.iter().enumerate() {
            let here = |field| [At::Field("number"), At::Field("slips"), At::Item(i), At::Field(field)];
            let wrong = self.value(&here("is"), slip)?;
            if wrong.dimension() != value.dimension() {
                return self
                    .fail(&here("is"), format!("{wrong} is not the same sort of number as the answer, {value}"));
            }
            // With some numbers a slip does no harm.
            if !value.near(&wrong, within) {
                found.push(Slip { shown: is.like(&wrong), is: wrong, why: self.show(&here("why"), why)? });
            }
        }
        let wanted = is.wanted(self.scene, &self.show(&[At::Field("text")], &self.of.text)?);
        let wanted = wanted.or_else(|e| self.fail(&part, e.to_string()))?;
        Ok(Body::Number { is: value, shown: text, within, slips: found, wanted })
    }

    /// Items with their values, the first in the wanted order first; neighbours must differ.
    fn ranked(&self, list: &[At<'_>], items: &[Valued], from_most: bool) -> Posing<Vec<(Choice, Value)>> {
        let mut ranked = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let here = |field| -> Vec<At<'_>> { list.iter().copied().chain([At::Item(i), At::Field(field)]).collect() };
            let value = self.value(&here("value"), &item.value)?;
            let shown = item.value.show(self.scene).or_else(|e| self.fail(&here("value"), e.to_string()))?;
            let choice =
                Choice { text: self.show(&here("is"), &item.is)?, why: self.show(&here("why"), &item.why)?, shown };
            if ranked.iter().any(|(c, _): &(Choice, Value)| c.text == choice.text) {
                return self.fail(&here("is"), format!("two items read {:?}", choice.text));
            }
            if ranked.first().is_some_and(|(_, v)| v.compare(&value).is_none()) {
                return self.fail(&here("value"), format!("{value} cannot be compared with the other items"));
            }
            ranked.push((choice, value));
        }
        ranked.sort_by(|a, b| {
            let order = a.1.compare(&b.1).unwrap_or(std::cmp::Ordering::Equal);
            if from_most { order.reverse() } else { order }
        });
        Ok(ranked)
    }

    fn extreme(&self, most: bool, items: &[Valued], random: &mut Random) -> Posing<Body> {
        let list = [At::Field(if most { "largest" } else { "smallest" })];
        let mut ranked = self.ranked(&list, items, most)?;
        self.apart(&list, ranked.iter().take(2))?;
        let best = ranked.first().map(|(c, _)| (c.text.clone(), c.shown.clone())).unwrap_or_default();
        for (choice, _) in ranked.iter_mut().skip(1) {
            let values = format!("{}: {}; {}: {}.", choice.text, choice.shown, best.0, best.1);
            choice.why = if choice.why.is_empty() { values } else { format!("{} {values}", choice.why) };
        }
        if let Some((first, _)) = ranked.first_mut() {
            first.why.clear();
        }
        Ok(shuffled(ranked.into_iter().map(|(c, _)| c).collect(), 0, None, random))
    }

    fn order(&self, from_most: bool, items: &[Valued], random: &mut Random) -> Posing<Body> {
        let list = [At::Field("order"), At::Field("items")];
        let ranked = self.ranked(&list, items, from_most)?;
        self.apart(&list, ranked.iter())?;
        let mut items: Vec<Item> =
            (0..).zip(ranked).map(|(place, (c, _))| Item { text: c.text, shown: c.shown, place, why: c.why }).collect();
        random.shuffle(&mut items);
        // What is right already would ask nothing.
        if items.iter().enumerate().all(|(i, item)| item.place == i) {
            items.reverse();
        }
        Ok(Body::Order { items, from_most })
    }

    /// Neighbours in an order must differ by more than a little, and so must what is shown of them.
    fn apart<'c>(&self, list: &[At<'_>], ranked: impl Iterator<Item = &'c (Choice, Value)>) -> Posing<()> {
        let all: Vec<&(Choice, Value)> = ranked.collect();
        for pair in all.windows(2) {
            let [a, b] = pair else { continue };
            if a.1.near(&b.1, MARGIN) || a.0.shown == b.0.shown {
                let message = format!("{} ({}) and {} ({}) are too near", a.0.text, a.0.shown, b.0.text, b.0.shown);
                return self.fail(list, message);
            }
        }
        Ok(())
    }

    fn binds(&self, asks: &load::Asks, links: &[Linked], random: &mut Random) -> Posing<Body> {
        let list = [At::Field("binds"), At::Field("links")];
        let mut loads: Vec<(Choice, f64)> = Vec::new();
        for (i, l) in links.iter().enumerate() {
            let here = |field| [list[0], list[1], At::Item(i), At::Field(field)];
            let load = self.share(&here("link"), &l.load)?;
            let why = self.show(&here("why"), &l.why)?;
            let shown = format!("busy {} of the time", Value::Share(Share::new(load)));
            loads.push((Choice { text: l.link.clone(), why, shown }, load));
        }
        loads.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (best, second) = (loads.first().map_or(0.0, |l| l.1), loads.get(1).map_or(0.0, |l| l.1));
        if second > best * (1.0 - MARGIN.ratio()) {
            return self.fail(&list, "two of the links bind alike");
        }
        self.binding(asks, best)?;
        let right = loads.first().map(|(c, _)| (c.text.clone(), c.shown.clone())).unwrap_or_default();
        for (c, _) in loads.iter_mut().skip(1) {
            let measured = format!("{} is {}; {} {}.", c.text, c.shown, right.0, right.1);
            c.why = if c.why.is_empty() { measured } else { format!("{} {measured}", c.why) };
        }
        if let Some((first, _)) = loads.first_mut() {
            first.why.clear();
        }
        let stage = Stage { system: Arc::clone(self.system), question: self.asked(asks)?, links: Vec::new() };
        Ok(shuffled(loads.into_iter().map(|(c, _)| c).collect(), 0, Some(stage), random))
    }

    /// The busiest of the links must be what the engine says binds.
    fn binding(&self, asks: &load::Asks, best: f64) -> Posing<()> {
        let part = [At::Field("binds"), At::Field("ask")];
        let bottleneck = self.value(&part, &asks.bottleneck)?.to_string();
        let ask = asks.bottleneck.to_string();
        let ask = ask.trim_start_matches("bottleneck of ");
        let load = Figure::parse(&format!("load of '{bottleneck}' in {ask}"), self.scene.names);
        let load = load.ok().and_then(|f| f.value(self.scene).ok());
        match load {
            Some(Value::Share(s)) if (s.ratio() - best).abs() < 0.01 * best => Ok(()),
            _ => self.fail(&part, format!("none of the links binds: it is {bottleneck}")),
        }
    }

    fn share(&self, part: &[At<'_>], load: &Figure) -> Posing<f64> {
        match self.value(part, load)? {
            Value::Share(s) => Ok(s.ratio()),
            other => self.fail(part, format!("{other} is not a load")),
        }
    }

    fn asked(&self, asks: &load::Asks) -> Posing<Ask> {
        let part = [At::Field("binds"), At::Field("ask")];
        let word = |f: &Figure| self.value(&part, f).map(|v| v.to_string());
        let Value::Size(size) = self.value(&part, &asks.size)? else { return self.fail(&part, "this has no size") };
        let collective = word(&asks.collective)?.parse().or_else(|e: String| self.fail(&part, e))?;
        let group = word(&asks.group)?.parse().or_else(|e: String| self.fail(&part, e))?;
        let algorithm = word(&asks.forced)?.parse().ok();
        Ok(Ask { group, algorithm, ..Ask::new(collective, size) })
    }
}

/// The options in any order, with the place of the right one; links follow their options.
fn shuffled(options: Vec<Choice>, right: usize, stage: Option<Stage>, random: &mut Random) -> Body {
    let mut order: Vec<(usize, Choice)> = options.into_iter().enumerate().collect();
    random.shuffle(&mut order);
    let right = order.iter().position(|(i, _)| *i == right).unwrap_or(0);
    let options: Vec<Choice> = order.into_iter().map(|(_, c)| c).collect();
    let stage = stage.map(|s| Stage { links: options.iter().map(|o| o.text.clone()).collect(), ..s });
    Body::Choice { options, right, stage }
}
