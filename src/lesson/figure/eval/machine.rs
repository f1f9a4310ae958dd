//! Quantities of a machine as a whole, and of what the explorer shows.

use super::super::error::Fault;
use super::super::quantity::Quantity;
use super::super::scene::Scene;
use super::super::value::Value;
use super::question::estimated;
use crate::scenario::{self, Key};
use crate::system::System;

/// A quantity of a machine.
pub(super) fn value(quantity: Quantity, system: &System) -> Result<Value, Fault> {
    let level = |name: &str| -> Value {
        let levels = system.fabric.as_ref().map(crate::system::Fabric::levels).unwrap_or_default();
        Value::Count(levels.iter().filter(|l| l.name == name).map(|l| u64::from(l.count)).sum())
    };
    Ok(match quantity {
        Quantity::Setting(key) => return setting(key, system),
        Quantity::MachineTitle => Value::word(&system.title),
        Quantity::TotalGpus => Value::Count(system.ranks()),
        Quantity::Domain => Value::Count(u64::from(system.ranks_per_unit())),
        Quantity::Trays => Value::Count(u64::from(system.nodes_per_unit)),
        Quantity::ScaleUpSwitches => {
            Value::Count(system.classes.first().map_or(0, |c| c.shape.scale_up_switches().count() as u64))
        }
        Quantity::Leaves => level("leaf"),
        Quantity::Spines => level("spine"),
        Quantity::Cores => level("core"),
        _ => Value::word(&system.name),
    })
}

/// The value of a key of `set`.
fn setting(key: Key, system: &System) -> Result<Value, Fault> {
    use scenario::Value as Set;
    let value = key.current(system).ok_or_else(|| Fault::new(format!("{} has no {key}", system.name)))?;
    Ok(match value {
        Set::Count(n) => Value::Count(u64::from(n)),
        Set::Ratio(r) => Value::ratio(r),
        Set::Switch(on) => Value::word(if on { "on" } else { "off" }),
        Set::Share(s) => Value::Share(s),
        Set::Time(t) => Value::Time(t),
        Set::Part(name) | Set::Word(name) => Value::Word(name),
        other => Value::word(other.to_string()),
    })
}

/// What the explorer shows.
pub(super) fn explorer(quantity: Quantity, scene: &Scene<'_>) -> Result<Value, Fault> {
    Ok(match quantity {
        Quantity::Picture => Value::word(&scene.view.picture),
        Quantity::Selected => Value::word(&scene.view.selected),
        Quantity::Lens => Value::word(&scene.view.lens),
        Quantity::Edits => Value::Count(scene.view.edits as u64),
        Quantity::Baseline => Value::Time(estimated(scene.baseline, scene.question)?.time),
        _ => Value::word(&scene.view.screen),
    })
}
