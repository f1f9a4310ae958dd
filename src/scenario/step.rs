//! The next value up or down, and the values worth offering.

use std::collections::BTreeSet;

use super::value::Kind;
use super::{Edit, Key, Value, touches};
use crate::parts::Family;
use crate::system::{Algorithm, Protocol, System, Version};
use crate::units::{Share, Time};

/// Where stepping starts when the launch overhead is left to the model.
const FIRST_LAUNCH: Time = Time::from_us(10.0);

/// See [`Key::step`].
pub(super) fn step(key: Key, system: &System, up: bool) -> Option<Value> {
    let now = key.current(system)?;
    let next = match (key.info().kind, &now) {
        (Kind::Count { max }, Value::Count(n)) => Value::Count(counted(key, system, *n, up)?.min(max)),
        (Kind::Ratio, Value::Ratio(r)) => Value::Ratio((if up { r * 2.0 } else { r / 2.0 }).clamp(1.0, 64.0)),
        (Kind::Switch, Value::Switch(on)) => Value::Switch(!on),
        (Kind::Share(_), Value::Share(s)) => {
            let percent = (s.percent() / 5.0).round() * 5.0 + if up { 5.0 } else { -5.0 };
            Value::Share(Share::from_percent(percent.clamp(5.0, 100.0)))
        }
        (Kind::Time, Value::Auto) => Value::Time(FIRST_LAUNCH),
        (Kind::Time, Value::Time(t)) => Value::Time(Time::from_us((t.us() + if up { 1.0 } else { -1.0 }).max(0.0))),
        (Kind::Version, Value::Version(v)) => {
            let minor = if up { (v.minor + 1).min(99) } else { v.minor.saturating_sub(1) };
            Value::Version(Version { major: v.major, minor })
        }
        (_, now) => beside(&choices(key, system), now, up)?,
    };
    (next != now).then_some(next)
}

/// Doubles and halves; a rack system's nodes go by whole racks, GPUs and NICs up to what is there.
fn counted(key: Key, system: &System, n: u32, up: bool) -> Option<u32> {
    let twice = |n: u32| if up { n.saturating_mul(2) } else { (n / 2).max(1) };
    let limit = match key {
        Key::Nodes | Key::Racks if system.fabric.is_none() => return None,
        Key::Nodes => return Some(twice(system.units).checked_mul(system.nodes_per_unit)?.max(1)),
        Key::Gpus => system.classes.first()?.shape.gpus().len() as u32,
        Key::Nics => super::key::nics_per_node(system),
        _ => u32::MAX,
    };
    Some(twice(n).min(limit))
}

/// The entry beside the present one in a list.
fn beside(all: &[Value], now: &Value, up: bool) -> Option<Value> {
    let at = all.iter().position(|v| v == now)?;
    let next = if up { at.checked_add(1)? } else { at.checked_sub(1)? };
    all.get(next).cloned()
}

/// See [`Key::choices`].
pub(super) fn choices(key: Key, system: &System) -> Vec<Value> {
    let mut all = candidates(key.info().kind, system);
    if key.info().kind == Kind::Gpu {
        all.retain(|v| touches(system, &Edit::Set(key, v.clone())).is_ok());
    }
    all
}

fn candidates(kind: Kind, system: &System) -> Vec<Value> {
    let c = &system.catalogue;
    let auto = [Value::Auto];
    match kind {
        Kind::Generation(family) => generations(system, family).into_iter().map(Value::Count).collect(),
        Kind::Switch => vec![Value::Switch(false), Value::Switch(true)],
        Kind::Nic => {
            let mut all: Vec<_> = c.nics().collect();
            all.sort_by(|a, b| a.rate.is.gbytes_per_s().total_cmp(&b.rate.is.gbytes_per_s()));
            all.iter().map(|n| Value::Part(n.title.clone())).collect()
        }
        Kind::Gpu => c.gpus().map(|g| Value::Part(g.title.clone())).collect(),
        Kind::Transport => c.transports().map(|t| Value::Word(t.name.clone())).collect(),
        Kind::Algorithm => auto.into_iter().chain(Algorithm::ALL.iter().map(|a| Value::Algorithm(*a))).collect(),
        Kind::Protocol => auto.into_iter().chain(Protocol::ALL.iter().map(|p| Value::Protocol(*p))).collect(),
        Kind::Count { .. } | Kind::Ratio | Kind::Share(_) | Kind::Time | Kind::Version => Vec::new(),
    }
}

/// Generations of a family that the catalogue can put in place.
pub(super) fn generations(system: &System, family: Family) -> BTreeSet<u32> {
    let c = &system.catalogue;
    let all = c.links().filter(|l| l.family == family && l.generation > 0).map(|l| l.generation);
    all.filter(|g| c.generation(family, *g).is_some()).collect()
}

#[cfg(test)]
mod tests;
