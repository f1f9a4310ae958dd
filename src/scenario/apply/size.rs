//! `set nodes`, `racks`, `gpus`, `nics`: how much of it there is.

use std::sync::Arc;

use super::super::key::nics_per_node;
use super::super::{Context, Touched};
use crate::parts::nearest;
use crate::system::{Health, MAX_UNITS, RangeSet, System, UnitClass};
use crate::units::counted;

/// Nodes in all. In a rack system they come by the rack.
pub(super) fn nodes(system: &mut System, n: u32, context: &Context) -> Result<Touched, String> {
    let per = system.nodes_per_unit.max(1);
    if !n.is_multiple_of(per) {
        let below = n / per * per;
        let near = if below == 0 { per.to_string() } else { format!("{below} or {}", below + per) };
        return Err(format!("{n} nodes are no whole number of racks of {per}; expected {near}"));
    }
    units(system, n / per, context)?;
    Ok(Touched::new(u64::from(n), counted(u64::from(n), "node")))
}

/// Racks in all.
pub(super) fn racks(system: &mut System, n: u32, context: &Context) -> Result<Touched, String> {
    if !system.is_rack {
        return Err(format!("{} has no racks; its size is set with nodes", system.name));
    }
    units(system, n, context)?;
    Ok(Touched::new(u64::from(n), counted(u64::from(n), "rack")))
}

fn units(system: &mut System, n: u32, context: &Context) -> Result<(), String> {
    if n == 0 || n > MAX_UNITS {
        return Err(format!("{n} is out of range; expected 1 to {MAX_UNITS}"));
    }
    let per = u64::from(system.nodes_per_unit);
    match system.fabric.as_mut() {
        Some(f) => f.nodes = u64::from(n) * per,
        None if n > 1 => return Err(no_fabric(system, context)),
        None => {}
    }
    if let Some(f) = system.fabric.as_mut() {
        forget_what_is_gone(f);
    }
    resize(system, n);
    system.units = n;
    Ok(())
}

fn no_fabric(system: &System, context: &Context) -> String {
    let what = if system.is_rack { "rack" } else { "node" };
    let mut text = format!("{} has no network between {what}s, so it stays at one {what}", system.name);
    let like = nearest(&system.name, context.with_fabric.iter().map(String::as_str));
    let names = if like.is_empty() { context.with_fabric.iter().take(4).cloned().collect() } else { like };
    if !names.is_empty() {
        text.push_str("; systems that have one: ");
        text.push_str(&names.join(", "));
    }
    text
}

/// Drops the health of switches that a smaller fabric does not have.
pub(super) fn forget_what_is_gone(f: &mut crate::system::Fabric) {
    let count = |i: usize| f.levels().get(i).map_or(0, |l| l.count);
    let (leaves, spines, cores) = (count(0), count(1), count(2));
    f.health.leaves.retain(|l, _| *l < leaves);
    f.health.spines.retain(|s, _| *s < spines);
    f.health.cores.retain(|c, _| *c < cores);
    f.health.uplinks.retain(|(l, s), _| *l < leaves && *s < spines);
}

/// Fewer units: the last ones go. More: healthy ones come.
fn resize(system: &mut System, n: u32) {
    let had = system.units;
    for class in &mut system.classes {
        class.members = class.members.intersect(0..n);
    }
    if n > had {
        let more = RangeSet::from_range(had..n);
        let healthy = system.classes.iter_mut().find(|c| c.health.is_healthy());
        if let Some(class) = healthy {
            class.members = class.members.union(&more);
        } else if let Some(shape) = system.classes.first().map(|c| Arc::clone(&c.shape)) {
            system.classes.push(UnitClass { shape, health: Arc::new(Health::default()), members: more });
        }
    }
    system.classes.retain(|c| !c.members.is_empty());
}

/// GPUs that take part, per unit.
pub(super) fn gpus(system: &mut System, n: u32) -> Result<Touched, String> {
    let have = system.classes.first().map_or(0, |c| c.shape.gpus().len() as u32);
    within(n, have, if system.is_rack { "GPUs per rack" } else { "GPUs per node" })?;
    system.gpus_used = (n < have).then_some(n);
    let all = u64::from(n) * u64::from(system.units);
    Ok(Touched::new(all, counted(all, "GPU")))
}

/// NICs used, per node.
pub(super) fn nics(system: &mut System, n: u32) -> Result<Touched, String> {
    let have = nics_per_node(system);
    if have == 0 {
        return Err(format!("{} has no NICs", system.name));
    }
    within(n, have, "NICs per node")?;
    system.nics_used = (n < have).then_some(n);
    let all = u64::from(n) * system.nodes();
    Ok(Touched::new(all, counted(all, "NIC")))
}

fn within(n: u32, have: u32, what: &str) -> Result<(), String> {
    if (1..=have).contains(&n) {
        Ok(())
    } else {
        Err(format!("there are {have} {what}; expected 1 to {have}, not {n}"))
    }
}
