//! The list of edits with a cursor: undo, redo, switches, baseline.

use std::sync::{Arc, OnceLock};

use super::apply::apply;
use super::{Applied, Context, Edit, Entry, Outcome};
use crate::system::System;

/// A base system, a list of edits and a cursor in it. The system is rebuilt from the base, never changed, and only when it
/// is asked for.
#[derive(Debug, Clone)]
pub struct History {
    base: Arc<System>,
    context: Arc<Context>,
    edits: Vec<Entry>,
    cursor: usize,
    baseline: Vec<Entry>,
    now: OnceLock<Arc<Applied>>,
    then: OnceLock<Arc<Applied>>,
}

/// An edit that cannot apply, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{edit}: {reason}")]
pub struct Refused {
    /// The edit's text.
    pub edit: String,
    /// Why it cannot apply.
    pub reason: String,
}

impl History {
    /// No edits yet.
    pub fn new(base: Arc<System>, context: Arc<Context>) -> Self {
        Self {
            base,
            context,
            edits: Vec::new(),
            cursor: 0,
            baseline: Vec::new(),
            now: OnceLock::new(),
            then: OnceLock::new(),
        }
    }

    /// With the edits of a saved scenario; those that cannot apply stay, inert.
    pub fn with(base: Arc<System>, context: Arc<Context>, edits: Vec<Entry>, baseline: Vec<Entry>) -> Self {
        Self { cursor: edits.len(), edits, baseline, ..Self::new(base, context) }
    }

    /// The system without edits.
    pub fn base(&self) -> &Arc<System> {
        &self.base
    }

    /// The edits that are done, oldest first.
    pub fn done(&self) -> &[Entry] {
        self.edits.get(..self.cursor).unwrap_or(&self.edits)
    }

    /// The edits that were undone and can come back.
    pub fn undone(&self) -> &[Entry] {
        self.edits.get(self.cursor..).unwrap_or_default()
    }

    /// The edits of the baseline.
    pub fn baseline_edits(&self) -> &[Entry] {
        &self.baseline
    }

    /// The system as it is now, and what became of each edit that is done.
    pub fn applied(&self) -> &Arc<Applied> {
        self.now.get_or_init(|| Arc::new(apply(&self.base, self.done(), &self.context)))
    }

    /// The system as it is now.
    pub fn system(&self) -> &System {
        &self.applied().system
    }

    /// The system that the present one is compared with.
    pub fn baseline(&self) -> &System {
        &self.then.get_or_init(|| Arc::new(apply(&self.base, &self.baseline, &self.context))).system
    }

    /// True when something differs from the baseline.
    pub fn differs(&self) -> bool {
        let on = |all| -> _ { <[Entry]>::iter(all).filter(|e| e.enabled).map(|e| &e.edit) };
        !on(self.done()).eq(on(&self.baseline))
    }

    fn changed(&mut self) {
        self.now = OnceLock::new();
    }

    /// Adds an edit and drops what was undone. Setting the same key again directly after takes the place of the last edit,
    /// so that holding `+` is one step to undo.
    pub fn push(&mut self, edit: Edit) {
        self.edits.truncate(self.cursor);
        let again = edit.key().is_some() && self.edits.last().is_some_and(|e| e.enabled && e.edit.key() == edit.key());
        if again {
            self.edits.pop();
        }
        self.edits.push(Entry::from(edit));
        self.cursor = self.edits.len();
        self.changed();
    }

    /// Adds an edit unless it names nothing or something that this system lacks; then nothing changes. The edit is written
    /// with its unit in full, so that it means the same after a later one adds nodes.
    pub fn try_push(&mut self, edit: Edit) -> Result<(), Refused> {
        let mut trial = self.clone();
        let text = edit.to_string();
        trial.push(edit.in_full(trial.system()));
        if let Some(Outcome::Inert { reason }) = trial.applied().outcomes.last() {
            return Err(Refused { edit: text, reason: reason.clone() });
        }
        *self = trial;
        Ok(())
    }

    /// Takes the last edit back; its text.
    pub fn undo(&mut self) -> Option<String> {
        self.cursor = self.cursor.checked_sub(1)?;
        self.changed();
        self.edits.get(self.cursor).map(|e| e.edit.to_string())
    }

    /// Does the last undone edit again; its text.
    pub fn redo(&mut self) -> Option<String> {
        let text = self.edits.get(self.cursor)?.edit.to_string();
        self.cursor += 1;
        self.changed();
        Some(text)
    }

    /// Switches an edit of the list off or on; true if there is one at this place.
    pub fn toggle(&mut self, at: usize) -> bool {
        let Some(entry) = self.edits.get_mut(at) else { return false };
        entry.enabled = !entry.enabled;
        self.changed();
        true
    }

    /// Takes an edit out of the list for good.
    pub fn remove(&mut self, at: usize) -> Option<Edit> {
        if at >= self.edits.len() {
            return None;
        }
        if at < self.cursor {
            self.cursor -= 1;
        }
        self.changed();
        Some(self.edits.remove(at).edit)
    }

    /// Back to the baseline. Where the baseline is how the list begins, redo brings the rest back.
    pub fn reset(&mut self) {
        if self.edits.starts_with(&self.baseline) {
            self.cursor = self.baseline.len();
        } else {
            self.edits.clone_from(&self.baseline);
            self.cursor = self.edits.len();
        }
        self.changed();
    }

    /// What is now becomes the baseline. The edits stay in the list, so that they can still be undone.
    pub fn rebase_to_now(&mut self) {
        self.baseline = self.done().to_vec();
        self.then = self.now.clone();
    }
}

#[cfg(test)]
mod tests;
