//! Numbers and machines that are drawn anew with every seed.

use std::sync::Arc;

use super::random::Random;
use crate::lesson::figure::{Fault, Figure, Names, Scene, Value, View, edited};
use crate::preset;
use crate::question::Question;
use crate::scenario::Edit;
use crate::system::System;

/// Something that is drawn.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    pub(super) name: String,
    pub(super) from: From,
}

/// What it is drawn from.
#[derive(Debug, Clone)]
pub(super) enum From {
    /// Figures; used as `$name`.
    Values(Vec<Figure>),
    /// Shipped machines, all with the same edits; used as `on name`.
    Machines(Vec<String>, Vec<Edit>),
}

impl Draw {
    /// Makes the name known, for reading figures that use it. What it stands for comes later.
    pub(super) fn sample(&self, names: &mut Names) {
        if matches!(self.from, From::Values(_)) {
            names.given.insert(self.name.clone(), Value::Count(1));
        }
    }

    /// Draws.
    pub(super) fn draw(&self, random: &mut Random, names: &mut Names, at: &System) -> Result<(), Fault> {
        match &self.from {
            From::Values(values) => {
                let Some(figure) = values.get(random.below(values.len())) else { return Ok(()) };
                let value = value(figure, names, at)?;
                names.given.insert(self.name.clone(), value);
            }
            From::Machines(machines, edits) => {
                let Some(machine) = machines.get(random.below(machines.len())) else { return Ok(()) };
                names.machines.insert(self.name.clone(), Arc::new(open(machine, edits.clone())?));
            }
        }
        Ok(())
    }
}

/// The value of a figure on a machine.
pub(super) fn value(figure: &Figure, names: &Names, at: &System) -> Result<Value, Fault> {
    let (question, view) = (Question::default(), View::default());
    figure.value(&Scene { now: at, base: at, baseline: at, question: &question, view: &view, names })
}

/// A shipped machine with edits.
pub(super) fn open(name: &str, edits: Vec<Edit>) -> Result<System, Fault> {
    let system = preset::load_shipped(name).map_err(|e| Fault(e.to_string()))?;
    edited(&system, edits)
}
