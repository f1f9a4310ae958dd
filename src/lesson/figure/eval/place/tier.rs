//! Quantities of a tier.

use super::super::super::error::Fault;
use super::super::super::quantity::Quantity;
use super::super::super::value::Value;
use super::super::question::estimated;
use crate::question::Question;
use crate::system::{Fabric, System, Tier};
use crate::units::{Bandwidth, Bytes, Share, Time};

/// A quantity of a tier; `None` where tiers have no such thing.
pub(super) fn value(q: Quantity, tier: Tier, system: &System, question: &Question) -> Result<Option<Value>, Fault> {
    match q {
        Quantity::Busy | Quantity::Needs | Quantity::Sent | Quantity::Load => used(q, tier, system, question).map(Some),
        Quantity::Bisection => bisection(tier, system).map(|b| Some(Value::Rate(b))),
        _ => own(q, tier, system),
    }
}

fn own(q: Quantity, tier: Tier, system: &System) -> Result<Option<Value>, Fault> {
    let rows = system.tiers();
    let row = rows.iter().find(|r| r.tier == tier);
    let row = row.ok_or_else(|| Fault::new(format!("{} has no {} tier", system.name, tier.name())))?;
    Ok(Some(match q {
        Quantity::Line | Quantity::Rate => Value::Rate(row.line),
        Quantity::Usable => Value::Rate(row.usable),
        Quantity::Latency => Value::Time(row.latency),
        Quantity::Title => Value::word(&row.link),
        Quantity::Source => Value::word(&row.source),
        _ => return Ok(None),
    }))
}

/// What an answer puts on the tier; a tier that is not used carries nothing.
fn used(q: Quantity, tier: Tier, system: &System, question: &Question) -> Result<Value, Fault> {
    let e = estimated(system, question)?;
    let row = e.tiers.iter().find(|t| t.tier == tier);
    Ok(match q {
        Quantity::Needs => Value::Time(row.map_or(Time::ZERO, |r| r.time)),
        Quantity::Sent => Value::Size(row.map_or(Bytes::ZERO, |r| r.bytes_per_rank)),
        _ => Value::Share(row.map_or(Share::ZERO, |r| r.utilisation)),
    })
}

/// Line rate between the two halves: of a scale-up domain behind switches, or of the fabric's nodes.
fn bisection(tier: Tier, system: &System) -> Result<Bandwidth, Fault> {
    let none = || Fault::new(format!("the bisection of the {} tier of {} is not known", tier.name(), system.name));
    match tier {
        Tier::ScaleUp => {
            let switched = system.classes.first().is_some_and(|c| c.shape.scale_up_switches().next().is_some());
            let row = system.tiers().into_iter().find(|r| r.tier == tier && switched).ok_or_else(none)?;
            Ok(row.line * f64::from(system.ranks_per_unit() / 2))
        }
        Tier::ScaleOut => system.fabric.as_ref().map(|f| of_fabric(f, system)).ok_or_else(none),
        _ => Err(none()),
    }
}

/// Half of the nodes' ports, thinned by the leaves where the halves lie under different ones.
fn of_fabric(f: &Fabric, system: &System) -> Bandwidth {
    let ports = f64::from(system.nics_used.map_or(f.nics_per_node, |n| n.min(f.nics_per_node)));
    let half = f.port_rate * ports * (f.nodes / 2) as f64;
    if f.groups() > 1 { half / f.oversubscription.max(1.0) } else { half }
}
