//! What a figure is about: the machine on the screen, the question, and everything that has a name.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::error::Fault;
use super::expr::{Change, Machine};
use super::value::Value;
use super::{Figure, parse};
use crate::parts::nearest;
use crate::preset;
use crate::question::Question;
use crate::scenario::{Context, Edit, Entry, Outcome, apply};
use crate::system::System;

/// Names that figures may use: machines, figures, and values that are given from outside.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Machines besides the shipped ones: `on pod`.
    pub machines: BTreeMap<String, Arc<System>>,
    /// Figures that are used by name.
    pub figures: BTreeMap<String, Figure>,
    /// Values used as `$name`.
    pub given: BTreeMap<String, Value>,
}

impl Names {
    /// Why a word cannot be a name, if so.
    pub fn refuse(name: &str) -> Option<String> {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(good) {
            return Some(format!("{name:?} is no name; expected small letters, digits and -, a letter first"));
        }
        let taken =
            parse::JOINTS.contains(&name) || HERE.contains(&name) || ["and", "or", "not", "about"].contains(&name);
        taken.then(|| format!("{name:?} is a word of the figures; expected another name"))
    }
}

/// What the explorer shows, for conditions on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// The screen: `explore`, `sweep`.
    pub screen: String,
    /// What is drawn: `node`, `rack`, `fabric`, `classes`, `matrix`, `path`.
    pub picture: String,
    /// Address of what is selected; empty for the whole system.
    pub selected: String,
    /// What the numbers in the picture are: `load`, `rate`.
    pub lens: String,
    /// Edits that are done.
    pub edits: usize,
}

/// Where a figure is asked: the machine as it is now, without edits and as the baseline, the question, what shows.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The machine as it is now: `here`.
    pub now: &'a System,
    /// The machine without edits: `on base`.
    pub base: &'a System,
    /// What it is compared with: `on baseline`.
    pub baseline: &'a System,
    /// What is asked where a figure does not say.
    pub question: &'a Question,
    /// What shows.
    pub view: &'a View,
    /// Names.
    pub names: &'a Names,
}

/// Machines of the scene itself.
const HERE: [&str; 3] = ["here", "base", "baseline"];

/// Most machines that are remembered.
const MOST: usize = 96;

thread_local! {
    /// Shipped systems with edits, as they were asked for; the oldest goes first.
    static OPENED: RefCell<VecDeque<(String, Arc<System>)>> = const { RefCell::new(VecDeque::new()) };
}

/// A machine that is borrowed from the scene, or made.
pub(super) enum Seen<'a> {
    Here(&'a System),
    Made(Arc<System>),
}

impl std::ops::Deref for Seen<'_> {
    type Target = System;
    fn deref(&self) -> &System {
        match self {
            Self::Here(s) => s,
            Self::Made(s) => s,
        }
    }
}

impl<'a> Scene<'a> {
    /// The machine that a figure speaks of.
    pub(super) fn machine(&self, of: &Machine) -> Result<Seen<'a>, Fault> {
        let edits = of.edits.iter().map(|c| self.edit(c)).collect::<Result<Vec<_>, _>>()?;
        let own = match of.name.as_deref() {
            None | Some("here") => Some(self.now),
            Some("base") => Some(self.base),
            Some("baseline") => Some(self.baseline),
            Some(_) => None,
        };
        if let Some(system) = own {
            return if edits.is_empty() {
                Ok(Seen::Here(system))
            } else {
                edited(system, edits).map(|s| Seen::Made(Arc::new(s)))
            };
        }
        let name = of.name.as_deref().unwrap_or_default();
        if let Some(system) = self.names.machines.get(name) {
            return if edits.is_empty() {
                Ok(Seen::Made(Arc::clone(system)))
            } else {
                edited(system, edits).map(|s| Seen::Made(Arc::new(s)))
            };
        }
        self.shipped(name, edits).map(Seen::Made)
    }

    fn shipped(&self, name: &str, edits: Vec<Edit>) -> Result<Arc<System>, Fault> {
        let texts: Vec<String> = edits.iter().map(Edit::to_string).collect();
        let key = format!("{name};{}", texts.join(";"));
        let known = OPENED.with_borrow(|all| all.iter().find(|(k, _)| *k == key).map(|(_, s)| Arc::clone(s)));
        if let Some(system) = known {
            return Ok(system);
        }
        if !preset::shipped().iter().any(|s| s.name == name) {
            let mine = self.names.machines.keys().map(String::as_str).chain(HERE);
            let near = nearest(name, preset::shipped().iter().map(|s| s.name).chain(mine));
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
            return Err(Fault::new(format!("no machine {:?}{hint}", parse::short(name))));
        }
        let system = preset::load_shipped(name).map_err(|e| Fault::new(e.to_string()))?;
        let system = Arc::new(edited(&system, edits)?);
        OPENED.with_borrow_mut(|all| {
            if all.len() >= MOST {
                all.pop_front();
            }
            all.push_back((key, Arc::clone(&system)));
        });
        Ok(system)
    }

    fn edit(&self, change: &Change) -> Result<Edit, Fault> {
        let template = match change {
            Change::Is(edit) => return Ok(edit.clone()),
            Change::Template(text) => text,
        };
        let mut names: Vec<&String> = self.names.given.keys().collect();
        names.sort_by_key(|n| std::cmp::Reverse(n.len()));
        let mut text = template.clone();
        for name in names {
            if let Some(value) = self.names.given.get(name) {
                text = text.replace(&format!("${name}"), &in_an_edit(value));
            }
        }
        text.parse().map_err(|e| Fault::new(format!("edit {text:?}: {e}")))
    }
}

/// A given value as an edit writes it.
fn in_an_edit(value: &Value) -> String {
    match value {
        Value::Count(n) => n.to_string(),
        Value::Rate(r) => format!("{}Gb/s", r.gbits_per_s()),
        Value::Time(t) => format!("{}us", t.us()),
        Value::Share(s) => format!("{}%", s.percent()),
        other => other.to_string(),
    }
}

/// A system with edits; one that does nothing there is a fault.
pub(in crate::lesson) fn edited(system: &System, edits: Vec<Edit>) -> Result<System, Fault> {
    let entries: Vec<Entry> = edits.into_iter().map(Entry::from).collect();
    let applied = apply(system, &entries, &Context::default());
    for (outcome, entry) in applied.outcomes.iter().zip(&entries) {
        if let Outcome::Inert { reason } = outcome {
            return Err(Fault::new(format!("edit {:?} on {}: {reason}", entry.edit.to_string(), system.name)));
        }
    }
    Ok(applied.system)
}
