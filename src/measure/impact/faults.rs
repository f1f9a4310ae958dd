//! Every single thing that can break, alike ones together.

use std::rc::Rc;

use super::orbits::{Orbits, orbits};
use super::{Kind, Limits, Trial};
use crate::question::Question;
use crate::scenario::Edit;
use crate::system::{Cut, Device, DeviceIx, DeviceKind, LinkIx, Shape, System, UnitClass};
use crate::units::Share;

/// The trials of all faults, and the units of classes that were left out.
pub(super) fn trials<'a>(system: &'a System, question: &Question, limits: Limits) -> (Vec<Trial<'a>>, u64) {
    let mut classes: Vec<&UnitClass> = system.classes.iter().collect();
    classes.sort_by_key(|c| std::cmp::Reverse(c.members.len()));
    let left_out = classes.iter().skip(limits.classes).map(|c| c.members.len()).sum();
    let mut all = Vec::new();
    for class in classes.into_iter().take(limits.classes) {
        in_unit(&mut all, system, class, orbits(system, class, question.collective));
    }
    in_fabric(&mut all, system);
    (all, left_out)
}

/// `off ADDRESS` or `degrade ADDRESS to 50%`.
fn hurt(address: &str, kind: Kind) -> Option<Edit> {
    let address = address.parse().ok()?;
    Some(match kind {
        Kind::Down => Edit::Off(address),
        _ => Edit::degrade(address, Cut::Share(Share::new(0.5))),
    })
}

fn in_unit<'a>(all: &mut Vec<Trial<'a>>, system: &'a System, class: &'a UnitClass, orbits: Orbits) {
    let unit = system.unit_name(class.members.first().unwrap_or(0));
    let times = class.members.len();
    let shape: &Shape = &class.shape;
    for members in orbits.devices {
        let Some(first) = members.first().and_then(|d| shape.device(*d)) else { continue };
        let up = members.first().is_some_and(|d| class.health.device_up(*d));
        if first.kind == DeviceKind::Fabric || !up {
            continue;
        }
        for kind in [Kind::Down, Kind::HalfRate] {
            all.push(devices(shape, &unit, members.clone(), kind, times));
        }
    }
    for members in orbits.links {
        let Some(l) = members.first().copied() else { continue };
        // A NIC's cable is the NIC; what is down already cannot fall further.
        let cable = shape.link(l).is_some_and(|k| [k.a, k.b].iter().any(|d| shape.fabric() == Some(*d)));
        if cable || class.health.left(shape, l).ratio() <= 0.0 {
            continue;
        }
        for kind in [Kind::Down, Kind::HalfRate] {
            all.push(links(shape, &unit, members.clone(), kind, times));
        }
    }
    whole(all, system, class, &unit);
}

fn devices<'a>(shape: &'a Shape, unit: &str, members: Vec<DeviceIx>, kind: Kind, times: u64) -> Trial<'a> {
    let what = members.first().and_then(|d| shape.device(*d)).map_or_else(String::new, noun);
    let unit = unit.to_owned();
    let len = members.len();
    let edit = move |i: usize| {
        let path = &shape.device(*members.get(i)?)?.path;
        hurt(&format!("{unit}/{path}"), kind)
    };
    Trial { kind, what, times, len, edit: Box::new(edit) }
}

/// One link of each bundle where several run in parallel.
fn links<'a>(shape: &'a Shape, unit: &str, members: Vec<LinkIx>, kind: Kind, times: u64) -> Trial<'a> {
    let first = members.first().and_then(|l| shape.link(*l));
    let count = first.map_or(1, |l| l.count.max(1));
    let what = first.map_or_else(String::new, |l| format!("{} link", l.kind.title.trim_end_matches(" link")));
    let unit = unit.to_owned();
    let len = members.len();
    let edit = move |i: usize| {
        let name = shape.link_name(*members.get(i)?);
        let nth = if count > 1 { "#0" } else { "" };
        hurt(&format!("{unit}/{name}{nth}"), kind)
    };
    Trial { kind, what, times: times * u64::from(count), len, edit: Box::new(edit) }
}

fn noun(d: &Device) -> String {
    match &d.kind {
        DeviceKind::Gpu(_) => "GPU".to_owned(),
        DeviceKind::Nic(_) => "NIC".to_owned(),
        DeviceKind::Cpu(_) => "CPU".to_owned(),
        DeviceKind::PcieSwitch(_) => "PCIe switch".to_owned(),
        DeviceKind::ScaleUpSwitch(_) => "scale-up switch".to_owned(),
        DeviceKind::Fabric => "fabric port".to_owned(),
    }
}

/// All switches of the domain at once (their manager has failed), one tray, one unit.
fn whole<'a>(all: &mut Vec<Trial<'a>>, system: &System, class: &UnitClass, unit: &str) {
    let times = class.members.len();
    let mut add = |what: &str, len: usize, address: Box<dyn Fn(usize) -> String + 'a>| {
        let edit = move |i: usize| hurt(&address(i), Kind::Down);
        all.push(Trial { kind: Kind::Down, what: what.to_owned(), times, len, edit: Box::new(edit) });
    };
    let switch = class.shape.scale_up_switches().next().and_then(|d| class.shape.device(d));
    if let (Some(first), true) = (switch, class.shape.scale_up_switches().count() > 1) {
        let stem = first.name.trim_end_matches(|c: char| c.is_ascii_digit());
        let address = format!("{unit}/{stem}*");
        add("scale-up domain", 1, Box::new(move |_| address.clone()));
    }
    if system.nodes_per_unit > 1 {
        let unit = unit.to_owned();
        add("node", system.nodes_per_unit as usize, Box::new(move |i| format!("{unit}/node{i}")));
    }
    if system.units > 1 {
        let address = unit.to_owned();
        add(if system.is_rack { "rack" } else { "node" }, 1, Box::new(move |_| address.clone()));
    }
}

/// Leaves, spines, cores and the cables between leaves and spines.
fn in_fabric(all: &mut Vec<Trial<'_>>, system: &System) {
    let Some(fabric) = system.fabric.as_ref().filter(|_| system.units > 1) else { return };
    let levels = fabric.levels();
    let h = &fabric.health;
    let sick = |name: &str, i: u32| match name {
        "leaf" => h.leaves.contains_key(&i),
        "spine" => h.spines.contains_key(&i),
        _ => h.cores.contains_key(&i),
    };
    let mut add = |what: &str, len: usize, times: u64, name: Rc<dyn Fn(usize) -> Option<String>>| {
        for kind in [Kind::Down, Kind::HalfRate] {
            let name = Rc::clone(&name);
            let edit = move |i: usize| hurt(&name(i)?, kind);
            all.push(Trial { kind, what: what.to_owned(), times, len, edit: Box::new(edit) });
        }
    };
    for level in &levels {
        let (name, healthy) = (level.name, (0..level.count).filter(|i| !sick(level.name, *i)).collect::<Vec<u32>>());
        add(name, healthy.len(), 1, Rc::new(move |i| Some(format!("{name}{}", healthy.get(i)?))));
    }
    if levels.len() > 1 {
        let bundles = u64::from(fabric.leaves()) * u64::from(fabric.spines_per_plane());
        let free = (0..fabric.spines_per_plane()).find(|s| !h.uplinks.contains_key(&(0, *s)));
        let name = free.map(|s| format!("leaf0--spine{s}"));
        add(
            "leaf uplink",
            usize::from(name.is_some()),
            bundles.saturating_sub(h.uplinks.len() as u64),
            Rc::new(move |_| name.clone()),
        );
    }
}
