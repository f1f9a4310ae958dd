//! Quantities of devices, links and switches of a machine, by their address.

use super::super::super::error::Fault;
use super::super::super::quantity::Quantity;
use super::super::super::value::Value;
use super::part;
use crate::cost::{LinkLoads, Prepared};
use crate::question::Question;
use crate::system::{
    ClassIx, DeviceIx, DeviceKind, FabricTarget, LinkIx, LinkPattern, System, Target, Tier, UnitClass, tier_of,
};
use crate::units::{Bandwidth, Share};

/// One thing of a unit.
enum Thing {
    Device(DeviceIx),
    Link(LinkIx, Option<u32>),
}

/// A quantity of what an address names; of several, the first. `None` where it has no such thing.
pub(super) fn value(
    q: Quantity,
    name: &str,
    target: &Target,
    system: &System,
    question: &Question,
) -> Result<Option<Value>, Fault> {
    let (unit, thing) = match target {
        Target::Units(units) => return Ok(unit_state(q, units.first().unwrap_or(0), system)),
        Target::Fabric(f) => return Ok(fabric_state(q, f, system)),
        Target::Devices(p) => (p.units.first(), p.devices.first().map(|d| Thing::Device(*d))),
        Target::Links(p) => (p.units.first(), first_link(p)),
    };
    let nothing = || Fault::new(format!("{name} names nothing"));
    let (class_ix, class) = unit.and_then(|u| system.class_of(u)).ok_or_else(nothing)?;
    let thing = thing.ok_or_else(nothing)?;
    if q == Quantity::Load {
        return load(system, question, class_ix, class, &thing).map(|s| Some(Value::Share(s)));
    }
    Ok(match thing {
        Thing::Link(link, nth) => of_link(q, class, link, nth),
        Thing::Device(device) => of_device(q, class, device, system),
    })
}

fn first_link(p: &LinkPattern) -> Option<Thing> {
    p.links.first().map(|l| Thing::Link(*l, p.nth))
}

fn of_link(q: Quantity, class: &UnitClass, link: LinkIx, nth: Option<u32>) -> Option<Value> {
    let l = class.shape.link(link)?;
    let left = class.health.left(&class.shape, link);
    let count = if nth.is_some() { 1 } else { l.count };
    Some(match q {
        Quantity::Line => Value::Rate(l.line_rate() / f64::from(l.count.max(1)) * f64::from(count)),
        Quantity::Usable => Value::Rate(l.line_rate() * l.kind.usable.is),
        Quantity::Rate => Value::Rate(l.line_rate() * left),
        Quantity::Left => Value::Share(left),
        Quantity::State => Value::word(state(left)),
        Quantity::Latency => Value::Time(l.kind.latency.is),
        Quantity::Count => Value::Count(u64::from(count)),
        Quantity::Title => Value::word(l.describe()),
        Quantity::Source => Value::word(l.kind.line.from.to_string()),
        _ => return None,
    })
}

const fn state(left: Share) -> &'static str {
    match left.ratio() {
        v if v <= 0.0 => "down",
        v if v < 1.0 => "degraded",
        _ => "up",
    }
}

/// The links that a device is there for: a NIC's cable, a GPU's or a switch's scale-up links, else all of them.
fn fast(class: &UnitClass, device: DeviceIx) -> Vec<LinkIx> {
    let shape = &class.shape;
    let of = |tier: Tier| -> Vec<LinkIx> {
        let fits = |l: &LinkIx| shape.link(*l).is_some_and(|l| tier_of(l.kind.family) == tier);
        shape.around(device).iter().map(|(l, _)| *l).filter(fits).collect()
    };
    let all = [of(Tier::ScaleUp), of(Tier::ScaleOut), of(Tier::Host)];
    all.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
}

fn of_device(q: Quantity, class: &UnitClass, device: DeviceIx, system: &System) -> Option<Value> {
    let links = fast(class, device);
    let sum = |rate: &dyn Fn(LinkIx) -> Option<Bandwidth>| -> Bandwidth { links.iter().filter_map(|l| rate(*l)).sum() };
    let line = |l: LinkIx| class.shape.link(l).map(crate::system::Link::line_rate);
    let left = |l: LinkIx| line(l).map(|r| r * class.health.left(&class.shape, l));
    let whole = sum(&line);
    let what_is_left = if class.health.device_up(device) { sum(&left) / whole } else { Share::ZERO };
    Some(match q {
        Quantity::Line if whole.is_usable() => Value::Rate(whole),
        Quantity::Rate if whole.is_usable() => Value::Rate(whole * what_is_left),
        Quantity::Usable if whole.is_usable() => {
            Value::Rate(sum(&|l| class.shape.link(l).map(|l| l.line_rate() * usable_share(l, system))))
        }
        Quantity::Left if whole.is_usable() => Value::Share(what_is_left),
        Quantity::State => Value::word(if class.health.device_up(device) { state(what_is_left) } else { "down" }),
        Quantity::Count => {
            Value::Count(links.iter().filter_map(|l| class.shape.link(*l)).map(|l| u64::from(l.count)).sum())
        }
        _ => return of_its_part(q, class, device),
    })
}

/// The share of a link's line rate that software reaches: a setting's, the transport's on a cable, the part's elsewhere.
fn usable_share(link: &crate::system::Link, system: &System) -> Share {
    if let Some(share) = system.software.usable.get(&link.kind.family) {
        return *share;
    }
    let fabric = system.fabric.as_ref().filter(|_| tier_of(link.kind.family) == Tier::ScaleOut);
    fabric.map_or(link.kind.usable.is, |f| f.transport.usable_of(link.line_rate()).is)
}

fn of_its_part(q: Quantity, class: &UnitClass, device: DeviceIx) -> Option<Value> {
    match &class.shape.device(device)?.kind {
        DeviceKind::Gpu(p) => part::gpu(q, p),
        DeviceKind::Nic(p) => part::nic(q, p),
        DeviceKind::Cpu(p) => part::cpu(q, p),
        DeviceKind::PcieSwitch(p) | DeviceKind::ScaleUpSwitch(p) => part::switch(q, p),
        DeviceKind::Fabric => None,
    }
}

fn unit_state(q: Quantity, unit: u32, system: &System) -> Option<Value> {
    let (_, class) = system.class_of(unit)?;
    let alive = class.active_gpus(system.gpus_used) > 0;
    let word = match (alive, class.health.is_healthy()) {
        (false, _) => "down",
        (true, false) => "degraded",
        (true, true) => "up",
    };
    match q {
        Quantity::State => Some(Value::word(word)),
        Quantity::Title => Some(Value::word(&system.title)),
        _ => None,
    }
}

fn fabric_state(q: Quantity, target: &FabricTarget, system: &System) -> Option<Value> {
    let fabric = system.fabric.as_ref()?;
    let health = &fabric.health;
    let left = match target {
        FabricTarget::Leaves(list) => list.first().and_then(|l| health.leaves.get(&l.0)),
        FabricTarget::Spines(list) => list.first().and_then(|n| health.spines.get(n)),
        FabricTarget::Cores(list) => list.first().and_then(|n| health.cores.get(n)),
        FabricTarget::Uplinks(list) => list.first().and_then(|(l, s)| health.uplinks.get(&(l.0, *s))),
    };
    let left = left.copied().unwrap_or(Share::ONE);
    match (q, target) {
        (Quantity::State, _) => Some(Value::word(state(left))),
        (Quantity::Left, _) => Some(Value::Share(left)),
        (Quantity::Rate, FabricTarget::Leaves(list)) => {
            let up = fabric.leaf_uplink(*list.first()?);
            (up < Bandwidth::INFINITE).then_some(Value::Rate(up))
        }
        _ => part::switch(q, &fabric.switch),
    }
}

/// Load of a link in its busier direction, or of a device's busiest link.
fn load(
    system: &System,
    question: &Question,
    class_ix: ClassIx,
    class: &UnitClass,
    thing: &Thing,
) -> Result<Share, Fault> {
    let who = Prepared::participants(system, question.group).map_err(|u| Fault::new(u.to_string()))?;
    let prepared = Prepared::new(system, &who);
    let answer = prepared.answer(question);
    let estimate = answer.estimate().ok_or_else(|| Fault::new("unreachable: no load to speak of"))?;
    let loads = LinkLoads::of(&prepared, estimate);
    let of = |l: LinkIx| loads.link(class_ix, l).map_or(0.0, |[a, b]| a.ratio().max(b.ratio()));
    Ok(Share::new(match thing {
        Thing::Link(l, _) => of(*l),
        Thing::Device(d) => class.shape.around(*d).iter().map(|(l, _)| of(*l)).fold(0.0, f64::max),
    }))
}
