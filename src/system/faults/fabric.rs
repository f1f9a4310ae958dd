//! Health of the scale-out fabric: leaves with the cables below them, spines, cores, uplinks.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Change, change};
use crate::system::{Cut, DeviceIx, Fabric, FabricTarget, Health, LeafIx, LinkIx, RangeSet, Shape, System};
use crate::units::{Bandwidth, Share};

/// Applies a change to switches or uplinks.
pub(crate) fn change_fabric(system: &mut System, target: &FabricTarget, to: Change) {
    if let (FabricTarget::Leaves(leaves), Change::Up(true)) = (target, to) {
        restore_cables(system, leaves);
    }
    let Some(fabric) = system.fabric.as_mut() else { return };
    let port = fabric.port_rate;
    let uplink = bundle_rate(fabric);
    let h = &mut fabric.health;
    let up = matches!(to, Change::Up(true));
    match target {
        FabricTarget::Leaves(all) => {
            for l in all {
                write(&mut h.leaves, l.0, left(to, port));
            }
            h.uplinks.retain(|(l, _), _| !up || all.binary_search(&LeafIx(*l)).is_err());
        }
        FabricTarget::Spines(all) => {
            for s in all {
                write(&mut h.spines, *s, left(to, port));
            }
            h.uplinks.retain(|(_, s), _| !up || all.binary_search(s).is_err());
        }
        FabricTarget::Cores(all) => all.iter().for_each(|c| write(&mut h.cores, *c, left(to, port))),
        FabricTarget::Uplinks(all) => {
            for (l, s) in all {
                write(&mut h.uplinks, (l.0, *s), left(to, uplink));
            }
        }
    }
}

/// Share left after a change, of something with a rate of its own.
fn left(to: Change, rate: Bandwidth) -> Share {
    match to {
        Change::Up(up) => Share::new(f64::from(u8::from(up))),
        Change::Degrade(Cut::Share(s)) => s,
        Change::Degrade(Cut::To(to)) => Share::new((to / rate).ratio().clamp(0.0, 1.0)),
    }
}

fn write<K: Ord>(map: &mut BTreeMap<K, Share>, key: K, left: Share) {
    if left.ratio() < 1.0 {
        map.insert(key, left);
    } else {
        map.remove(&key);
    }
}

/// Line rate of the cables between one leaf and one spine, GB/s per direction.
fn bundle_rate(f: &Fabric) -> Bandwidth {
    let up = f.port_rate * f64::from(f.leaf_down_ports()) / f.oversubscription.max(1e-6);
    up / f64::from(f.spines_per_plane().max(1))
}

/// The units below a leaf, and which of their nodes; a rack may stand below it in part.
fn below(system: &System, leaf: LeafIx) -> Vec<(RangeSet, Range<u32>)> {
    let Some(f) = &system.fabric else { return Vec::new() };
    let per = u64::from(system.nodes_per_unit.max(1));
    let (_, group) = f.place_of(leaf);
    let start = u64::from(group) * u64::from(f.leaf_nodes);
    let end = (start + u64::from(f.leaf_nodes)).min(f.nodes);
    let full = (start.div_ceil(per) as u32)..((end / per) as u32);
    let mut parts = Vec::new();
    let mut partial = |unit: u64, from: u64, to: u64| {
        if from < to {
            let unit = unit as u32;
            parts.push((RangeSet::from_range(unit..unit + 1), (from as u32)..(to as u32)));
        }
    };
    let (head, tail) = (start / per, end / per);
    if !start.is_multiple_of(per) {
        partial(head, start % per, (end - head * per).min(per));
    }
    if !end.is_multiple_of(per) && (tail > head || start.is_multiple_of(per)) {
        partial(tail, 0, end % per);
    }
    if !full.is_empty() {
        parts.push((RangeSet::from_range(full), 0..system.nodes_per_unit));
    }
    parts
}

/// The NICs of some nodes of a unit that are cabled to a plane.
fn on_plane(shape: &Shape, nodes: &Range<u32>, planes: u32, plane: u32) -> Vec<DeviceIx> {
    let mut seen = vec![0_u32; nodes.len()];
    let mut hits = Vec::new();
    for nic in shape.nics() {
        let Some(node) = shape.device(*nic).and_then(|d| d.node).filter(|n| nodes.contains(n)) else { continue };
        let Some(nth) = seen.get_mut((node - nodes.start) as usize) else { continue };
        if *nth % planes.max(1) == plane {
            hits.push(*nic);
        }
        *nth += 1;
    }
    hits
}

/// NICs of some nodes that are cabled to one plane, and the units that have such nodes.
type Places = BTreeMap<(u32, u32, u32), RangeSet>;

/// Where the NICs below some leaves are: leaves of one plane are taken together, so that all of them cost as much as one.
fn places(system: &System, leaves: impl Iterator<Item = LeafIx>) -> Places {
    let mut all = Places::new();
    let Some(f) = &system.fabric else { return all };
    for leaf in leaves {
        let (plane, _) = f.place_of(leaf);
        for (units, nodes) in below(system, leaf) {
            let known = all.entry((plane, nodes.start, nodes.end)).or_default();
            *known = known.union(&units);
        }
    }
    all
}

/// Runs over the cables of every NIC at some places.
fn cables(system: &mut System, places: &Places, f: impl Fn(&Shape, &mut Health, LinkIx) -> bool) {
    let planes = system.fabric.as_ref().map_or(1, Fabric::planes);
    for ((plane, from, to), units) in places {
        change(system, units, |shape, h| {
            let cables = on_plane(shape, &(*from..*to), planes, *plane).into_iter().filter_map(|nic| shape.cable(nic));
            cables.fold(false, |changed, cable| f(shape, h, cable) | changed)
        });
    }
}

fn restore_cables(system: &mut System, leaves: &[LeafIx]) {
    let places = places(system, leaves.iter().copied());
    cables(system, &places, |shape, h, cable| h.set_link(shape, cable, None, true));
}

/// A leaf that is down or slow cuts the cables of the NICs below it. Done after all edits, so that a cable is never better
/// than its leaf whatever their order.
pub(super) fn cut_cables(system: &mut System) {
    let Some(fabric) = &system.fabric else { return };
    let mut sick: Vec<(Share, Vec<LeafIx>)> = Vec::new();
    for (leaf, left) in &fabric.health.leaves {
        match sick.iter_mut().find(|(share, _)| share == left) {
            Some((_, leaves)) => leaves.push(LeafIx(*leaf)),
            None => sick.push((*left, vec![LeafIx(*leaf)])),
        }
    }
    for (left, leaves) in sick {
        let places = places(system, leaves.into_iter());
        cables(system, &places, |shape, h, cable| {
            let own = h.link(cable).map_or(Share::ONE, crate::system::LinkHealth::left);
            own > left && h.degrade_link(shape, cable, None, Cut::Share(left))
        });
    }
}
