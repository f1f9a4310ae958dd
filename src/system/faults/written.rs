//! Faults as a system file has them: an address and what is left.

use super::{Change, change, change_fabric, settle};
use crate::system::build::{BuildError, PathStep};
use crate::system::spec::FaultSpec;
use crate::system::{Address, Cut, DeviceIx, Health, LinkHealth, LinkIx, RangeSet, Shape, System, Target, UnitClass};
use crate::units::Share;

/// Most characters of a list of units in an address; longer lists are written as several faults.
const LIST: usize = 50;

/// Applies the faults of a file. The error points at the one that means nothing.
pub(in crate::system) fn apply(system: &mut System, faults: &[FaultSpec]) -> Result<(), BuildError> {
    for (i, fault) in faults.iter().enumerate() {
        let at = |field| [PathStep::Field("faults"), PathStep::Index(i), PathStep::Field(field)];
        let left = fault.left.ratio();
        if !(0.0..1.0).contains(&left) {
            return Err(BuildError::new(&at("left"), format!("{} is no fault", fault.left))
                .expecting("expected what is left, from 0% (down) to below 100%"));
        }
        let address: Address = fault.at.parse().map_err(|e| BuildError::new(&at("at"), format!("{e}")))?;
        let target = address.resolve(system).map_err(|e| BuildError::new(&at("at"), e.to_string()))?;
        let to = if left <= 0.0 { Change::Up(false) } else { Change::Degrade(Cut::Share(fault.left)) };
        match (&target, to) {
            (Target::Units(_), Change::Degrade(_)) => {
                return Err(BuildError::new(&at("at"), format!("{address} has many links"))
                    .expecting("expected one of its devices or links"));
            }
            (Target::Units(units), _) => {
                change(system, units, |shape, h| each(shape.gpus(), |g| h.set_device(*g, false)));
            }
            (Target::Devices(p), _) => {
                change(system, &p.units, |shape, h| each(&p.devices, |d| device(shape, h, *d, to)));
            }
            (Target::Links(p), _) => {
                change(system, &p.units, |shape, h| each(&p.links, |l| link(shape, h, *l, p.nth, to)));
            }
            (Target::Fabric(t), _) => change_fabric(system, t, to),
        }
    }
    if !faults.is_empty() {
        settle(system);
    }
    Ok(())
}

/// True if any of them changed; all are done.
fn each<T>(all: &[T], mut f: impl FnMut(&T) -> bool) -> bool {
    all.iter().fold(false, |changed, t| f(t) | changed)
}

fn device(shape: &Shape, h: &mut Health, d: DeviceIx, to: Change) -> bool {
    match to {
        Change::Up(up) => h.set_device(d, up),
        Change::Degrade(cut) => h.degrade_device(shape, d, cut),
    }
}

fn link(shape: &Shape, h: &mut Health, l: LinkIx, nth: Option<u32>, to: Change) -> bool {
    match to {
        Change::Up(up) => h.set_link(shape, l, nth, up),
        Change::Degrade(cut) => h.degrade_link(shape, l, nth, cut),
    }
}

/// All faults of a system, as a file has them: applied to the healthy system they give this one again.
pub fn listed(system: &System) -> Vec<FaultSpec> {
    let mut all = Vec::new();
    for class in system.classes.iter().filter(|c| !c.health.is_healthy()) {
        for units in unit_names(system, class) {
            of_class(class, &units, &mut all);
        }
    }
    if let Some(f) = &system.fabric {
        let h = &f.health;
        all.extend(h.leaves.iter().map(|(l, left)| fault(format!("leaf{l}"), *left)));
        all.extend(h.spines.iter().map(|(s, left)| fault(format!("spine{s}"), *left)));
        all.extend(h.cores.iter().map(|(c, left)| fault(format!("core{c}"), *left)));
        all.extend(h.uplinks.iter().map(|((l, s), left)| fault(format!("leaf{l}--spine{s}"), *left)));
    }
    all
}

fn fault(at: String, left: Share) -> FaultSpec {
    FaultSpec { at, left }
}

fn of_class(class: &UnitClass, units: &str, all: &mut Vec<FaultSpec>) {
    let (shape, health) = (&class.shape, &class.health);
    let path = |d: DeviceIx| shape.device(d).map_or("", |d| d.path.as_str());
    all.extend(health.devices_down().map(|d| fault(format!("{units}/{}", path(d)), Share::ZERO)));
    for (l, state) in health.links_hurt() {
        let Some(link) = shape.link(l) else { continue };
        let name = format!("{units}/{}--{}", path(link.a), path(link.b));
        all.extend(of_link(&name, state));
    }
}

/// One fault for a bundle whose links are alike, else one for each link that is hurt.
fn of_link(name: &str, state: &LinkHealth) -> Vec<FaultSpec> {
    let shares: Vec<Share> = state.shares().collect();
    match shares.split_first() {
        Some((first, rest)) if rest.iter().all(|s| s == first) => vec![fault(name.to_owned(), *first)],
        _ => {
            let hurt = shares.iter().enumerate().filter(|(_, s)| s.ratio() < 1.0);
            hurt.map(|(n, s)| fault(format!("{name}#{n}"), *s)).collect()
        }
    }
}

/// The members of a class as steps of an address: `node3`, `node[3-7,9]`, `node*`.
fn unit_names(system: &System, class: &UnitClass) -> Vec<String> {
    let prefix = if system.is_rack { "rack" } else { "node" };
    if class.members == RangeSet::from_range(0..system.units) && system.units > 1 {
        return vec![format!("{prefix}*")];
    }
    let mut lists: Vec<String> = Vec::new();
    for range in class.members.ranges() {
        let text = if range.end - range.start == 1 {
            range.start.to_string()
        } else {
            format!("{}-{}", range.start, range.end - 1)
        };
        match lists.last_mut() {
            Some(last) if last.len() + text.len() < LIST => {
                last.push(',');
                last.push_str(&text);
            }
            _ => lists.push(text),
        }
    }
    let plain = |l: &String| l.bytes().all(|b| b.is_ascii_digit());
    lists.iter().map(|l| if plain(l) { format!("{prefix}{l}") } else { format!("{prefix}[{l}]") }).collect()
}
