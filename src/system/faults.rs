//! Faults: how the health of units and of the fabric is changed, and how a system file says it.

mod fabric;
mod written;

pub(crate) use fabric::change_fabric;
pub(super) use written::apply;
pub use written::listed;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Cut, Health, RangeSet, Shape, System, UnitClass};

/// What is done to the health of something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    /// Out, or back.
    Up(bool),
    /// Down to a rate or a share.
    Degrade(Cut),
}

/// After faults have changed: cables below leaves that are out carry nothing, and units that are equal are one class.
pub(crate) fn settle(system: &mut System) {
    fabric::cut_cables(system);
    merge(&mut system.classes);
}

/// Changes the health of some units; a class that is touched in part is split.
pub(crate) fn change(system: &mut System, units: &RangeSet, f: impl Fn(&Shape, &mut Health) -> bool) {
    let mut split = Vec::new();
    for class in &mut system.classes {
        let hit = class.members.intersection(units);
        if hit.is_empty() {
            continue;
        }
        let mut health = Health::clone(&class.health);
        if !f(&class.shape, &mut health) {
            continue;
        }
        let health = Arc::new(health);
        if hit.len() == class.members.len() {
            class.health = health;
        } else {
            class.members = class.members.difference(&hit);
            split.push(UnitClass { shape: Arc::clone(&class.shape), health, members: hit });
        }
    }
    system.classes.append(&mut split);
}

/// Joins classes that are equal again, and orders them by their first member, so that equal systems look equal.
fn merge(classes: &mut Vec<UnitClass>) {
    let mut groups: BTreeMap<(usize, Arc<Health>), UnitClass> = BTreeMap::new();
    for class in classes.drain(..) {
        let key = (Arc::as_ptr(&class.shape) as usize, Arc::clone(&class.health));
        match groups.get_mut(&key) {
            Some(same) => same.members = same.members.union(&class.members),
            None => {
                groups.insert(key, class);
            }
        }
    }
    classes.extend(groups.into_values());
    classes.sort_by_key(|c| c.members.first());
}
