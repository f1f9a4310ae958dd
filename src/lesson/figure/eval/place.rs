//! Quantities of tiers, devices, links and parts.

mod hardware;
mod part;
mod tier;

use super::super::error::Fault;
use super::super::expr::{Ask, Place};
use super::super::quantity::Quantity;
use super::super::value::Value;
use crate::question::Question;
use crate::system::{Address, DeviceIx, System, Target, Tier, UnitClass};

/// What a place turned out to be.
enum Found {
    Tier(Tier),
    Target(Box<Target>),
    Part,
}

const TIERS: [Tier; 5] = [Tier::OnChip, Tier::ScaleUp, Tier::Host, Tier::ScaleOut, Tier::Services];

/// A quantity of a place; a question only matters for loads.
pub(super) fn value(ask: &Ask, system: &System, question: &Question) -> Result<Value, Fault> {
    let Some(Place::One(name)) = &ask.place else { return Err(Fault::new("a place is needed")) };
    let value = match find(name, system)? {
        Found::Tier(tier) => tier::value(ask.quantity, tier, system, question)?,
        Found::Target(target) => hardware::value(ask.quantity, name, &target, system, question)?,
        Found::Part => part::value(ask.quantity, name, &system.catalogue)?,
    };
    value.ok_or_else(|| Fault::new(format!("{name} has no {}", ask.quantity.name())))
}

/// A tier, else something of the machine, else a part of the catalogue.
fn find(name: &str, system: &System) -> Result<Found, Fault> {
    if let Some(tier) = TIERS.iter().find(|t| t.name() == name) {
        return Ok(Found::Tier(*tier));
    }
    let resolved = name.parse::<Address>().and_then(|a| a.resolve(system));
    match resolved {
        Ok(target) => Ok(Found::Target(Box::new(target))),
        Err(_) if part::knows(name, &system.catalogue) => Ok(Found::Part),
        Err(e) => Err(Fault::new(e.to_string())),
    }
}

/// How near two devices are, or how many links apart.
pub(super) fn pair(ask: &Ask, system: &System) -> Result<Value, Fault> {
    let Some(Place::Two(from, to)) = &ask.place else { return Err(Fault::new("two devices are needed")) };
    let (class, from_ix) = device(from, system)?;
    let (other, to_ix) = device(to, system)?;
    if !std::ptr::eq(class, other) {
        return Err(Fault::new(format!("{from} and {to} are in different units")));
    }
    if ask.quantity == Quantity::Near {
        return Ok(Value::word(class.shape.nearness(from_ix, to_ix, &class.health).name()));
    }
    let path = class.shape.path(from_ix, to_ix, &class.health);
    let path = path.ok_or_else(|| Fault::new(format!("no way leads from {from} to {to}")))?;
    Ok(Value::Count(path.len() as u64))
}

/// The first device that an address names, with its class.
fn device<'s>(name: &str, system: &'s System) -> Result<(&'s UnitClass, DeviceIx), Fault> {
    let target = name.parse::<Address>().and_then(|a| a.resolve(system)).map_err(|e| Fault::new(e.to_string()))?;
    let Target::Devices(p) = target else { return Err(Fault::new(format!("{name} is not a device"))) };
    let class = p.units.first().and_then(|u| system.class_of(u)).map(|(_, c)| c);
    class.zip(p.devices.first().copied()).ok_or_else(|| Fault::new(format!("{name} names nothing")))
}
