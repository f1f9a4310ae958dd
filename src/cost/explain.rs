//! An estimate unfolded: every number with its formula, what was put in, and where that comes from.
//!
//! Nothing is computed a second way: sections are built from the recipe, the loads and the rates that priced the answer.

mod basis;
mod binding;
mod choice;
mod limits;
mod misreadings;
mod sizes;
mod terms;
mod trust;
mod words;

use super::answer::{Candidate, Estimate};
use super::candidates::recipes;
use super::formula::Pricer;
use super::params::{PARAMS, Params};
use super::prepared::Prepared;
use super::recipes::Recipe;
use crate::units::Time;

/// Why an answer is what it is: a list of sections that unfold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Explanation {
    /// In reading order.
    pub sections: Vec<Section>,
}

/// A heading with its value, the lines below it, and finer sections.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Stable name for programs: `time`, `steps`, `binding`.
    pub id: &'static str,
    /// Heading.
    pub title: String,
    /// The result in short; shown when the section is folded.
    pub value: String,
    /// Time that this part contributes to the answer, where it contributes one.
    pub time: Option<Time>,
    /// Derivation, a sentence or a formula per line.
    pub lines: Vec<String>,
    /// Parts of it.
    pub children: Vec<Section>,
}

impl Section {
    /// A section without lines.
    fn new(id: &'static str, title: impl Into<String>, value: impl Into<String>) -> Self {
        Self { id, title: title.into(), value: value.into(), ..Self::default() }
    }

    /// The same with a time that it contributes.
    #[must_use]
    fn taking(mut self, time: Time) -> Self {
        self.time = Some(time);
        self
    }

    #[must_use]
    fn line(mut self, text: impl Into<String>) -> Self {
        self.lines.push(text.into());
        self
    }

    #[must_use]
    fn lines(mut self, all: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(all);
        self
    }

    #[must_use]
    fn with(mut self, children: impl IntoIterator<Item = Section>) -> Self {
        self.children.extend(children);
        self
    }

    /// The first section of this name, itself or below.
    pub fn find(&self, id: &str) -> Option<&Section> {
        if self.id == id { Some(self) } else { self.children.iter().find_map(|c| c.find(id)) }
    }
}

impl Explanation {
    /// The first section of this name, at any depth.
    pub fn find(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find_map(|s| s.find(id))
    }
}

/// What all sections are made from.
struct Facts<'a, 's> {
    pricer: Pricer<'a, 's>,
    e: &'a Estimate,
    /// The recipe of the chosen candidate; `None` for a single rank.
    recipe: Option<Recipe>,
}

impl<'a, 's> Facts<'a, 's> {
    fn prepared(&self) -> &'a Prepared<'s> {
        self.pricer.prepared
    }

    fn params(&self) -> &'a Params {
        self.pricer.params
    }

    fn chosen(&self) -> &'a Candidate {
        &self.e.chosen
    }
}

/// Unfolds an estimate. It must be the answer of this very [`Prepared`] with these constants.
pub fn explain(prepared: &Prepared<'_>, params: &Params, estimate: &Estimate) -> Explanation {
    let pricer = Pricer { prepared, params };
    let (all, refused) =
        if estimate.ranks < 2 { Default::default() } else { recipes(&pricer, estimate.question.collective) };
    let recipe = all.into_iter().find(|r| r.algorithm == estimate.chosen.algorithm);
    let f = Facts { pricer, e: estimate, recipe };
    let mut sections = vec![basis::question(&f), basis::library(&f), choice::choice(&f, &refused), terms::time(&f)];
    sections.extend(binding::binding(&f));
    sections.push(basis::tiers(&f));
    sections.extend(sizes::sizes(&f));
    sections.extend(trust::bound(&f));
    sections.push(trust::range(&f));
    sections.push(trust::figures(&f));
    sections.push(misreadings::misreadings(&f));
    Explanation { sections }
}

impl Prepared<'_> {
    /// Unfolds an estimate that [`Prepared::answer`] gave.
    pub fn explain(&self, estimate: &Estimate) -> Explanation {
        explain(self, &PARAMS, estimate)
    }
}

#[cfg(test)]
mod tests;
