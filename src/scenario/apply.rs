//! From a base system and a list of edits to the system they make.

mod health;
mod parts;
mod set;
mod size;

use super::{Edit, Entry, Key, Touched};
use crate::system::System;
use crate::system::faults::settle;

/// What `apply` has to be told, since it knows no presets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Names of shipped systems that have a fabric, for the message when a system without one is asked to grow.
    pub with_fabric: Vec<String>,
}

/// What became of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It applies.
    Active {
        /// Devices, links or switches that it names, in all units together.
        touched: u64,
    },
    /// It does nothing here.
    Inert {
        /// Why: what it names is not in this system any more.
        reason: String,
    },
    /// Switched off.
    Disabled,
    /// A later `set` of the same key counts instead.
    Superseded {
        /// Its place in the list, from 0.
        by: usize,
    },
}

/// A system with edits applied, and what became of each of them.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The system that results.
    pub system: System,
    /// One per edit, in order.
    pub outcomes: Vec<Outcome>,
}

/// Applies edits to a base system: the last enabled `set` of each key first, then the health edits in their order. An edit
/// whose target is not there stays inert, with the reason.
pub fn apply(base: &System, edits: &[Entry], context: &Context) -> Applied {
    let mut system = base.clone();
    let mut outcomes = vec![Outcome::Disabled; edits.len()];
    let mut note = |i: usize, o: Outcome| {
        if let Some(slot) = outcomes.get_mut(i) {
            *slot = o;
        }
    };
    let (sets, superseded) = last_sets(edits);
    for (i, by) in superseded {
        note(i, Outcome::Superseded { by });
    }
    for i in sets {
        if let Some(Edit::Set(key, value)) = edits.get(i).map(|e| &e.edit) {
            note(i, outcome(set::set(&mut system, *key, value, context)));
        }
    }
    let mut hurt = false;
    for (i, entry) in edits.iter().enumerate().filter(|(_, e)| e.enabled && e.edit.key().is_none()) {
        note(i, outcome(health::health(&mut system, &entry.edit)));
        hurt = true;
    }
    if hurt {
        settle(&mut system);
    }
    Applied { system, outcomes }
}

/// Applies one edit to a system on top of what is there.
pub(super) fn apply_one(system: &mut System, edit: &Edit, context: &Context) -> Result<Touched, String> {
    match edit {
        Edit::Set(key, value) => set::set(system, *key, value, context),
        other => health::health(system, other),
    }
}

fn outcome(result: Result<Touched, String>) -> Outcome {
    match result {
        Ok(t) => Outcome::Active { touched: t.count },
        Err(reason) => Outcome::Inert { reason },
    }
}

/// The sets that count, in the order of the table of keys, and those that a later one replaces.
fn last_sets(edits: &[Entry]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let mut last: Vec<(Key, usize)> = Vec::new();
    let mut superseded = Vec::new();
    for (i, key) in
        edits.iter().enumerate().rev().filter(|(_, e)| e.enabled).filter_map(|(i, e)| Some((i, e.edit.key()?)))
    {
        match last.iter().find(|(k, _)| k.same_thing(key)) {
            Some((_, by)) => superseded.push((i, *by)),
            None => last.push((key, i)),
        }
    }
    last.sort_by_key(|(k, _)| *k);
    (last.into_iter().map(|(_, i)| i).collect(), superseded)
}

#[cfg(test)]
mod tests;
