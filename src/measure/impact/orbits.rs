//! Which devices and links of a unit are alike: colour refinement on its graph.
//!
//! Devices start with a colour by what they are and in which state; in each round a colour takes in the colours of the
//! neighbours and the links to them, until no colour splits any more. Things of one colour need not be alike in every graph
//! (and the order of a ring breaks symmetries that the graph has), so the caller verifies by pricing some of each.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::question::Collective;
use crate::system::{Device, DeviceIx, DeviceKind, LinkIx, Shape, System, UnitClass};

/// Rounds after which refinement stops; graphs of units are shallow.
const ROUNDS: usize = 12;

/// Devices and links of a unit that look alike, in the order of their first member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Orbits {
    pub(super) devices: Vec<Vec<DeviceIx>>,
    pub(super) links: Vec<Vec<LinkIx>>,
}

/// The orbits of a class of units for a collective.
pub(super) fn orbits(system: &System, class: &UnitClass, collective: Collective) -> Orbits {
    let shape = &class.shape;
    let links: Vec<u64> = shape.link_ixs().map(|l| link_sign(class, l)).collect();
    let mut colours = first_colours(system, class, collective);
    for _ in 0..ROUNDS {
        let next = refine(shape, &links, &colours);
        let settled = distinct(&next) == distinct(&colours);
        colours = next;
        if settled {
            break;
        }
    }
    let at = |d: DeviceIx| colours.get(d.0 as usize).copied().unwrap_or_default();
    let of_link = |l: LinkIx| {
        let ends = shape.link(l).map(|k| (at(k.a).min(at(k.b)), at(k.a).max(at(k.b))));
        hash(&(links.get(l.0 as usize), ends))
    };
    Orbits { devices: gather(shape.device_ixs(), at), links: gather(shape.link_ixs(), of_link) }
}

fn hash(x: &impl Hash) -> u64 {
    let mut h = DefaultHasher::new();
    x.hash(&mut h);
    h.finish()
}

fn distinct(colours: &[u64]) -> usize {
    colours.iter().collect::<BTreeSet<_>>().len()
}

/// Kind, number and health of a bundle.
fn link_sign(class: &UnitClass, l: LinkIx) -> u64 {
    let link = class.shape.link(l).map(|k| (&k.kind.name, k.count, k.lanes));
    hash(&(link, class.health.link(l)))
}

/// What a device is, whether it is up, and whether it takes part.
fn first_colours(system: &System, class: &UnitClass, collective: Collective) -> Vec<u64> {
    let active: Vec<DeviceIx> = class.active(system.gpus_used).collect();
    let nics: BTreeSet<DeviceIx> = class.used_nics(system.nics_used).into_iter().collect();
    // A shift by one rank enters a unit at its first GPU and leaves it at its last.
    let ends = if collective == Collective::SendRecv { [active.first(), active.last()] } else { [None, None] };
    let part: BTreeSet<DeviceIx> = active.iter().copied().collect();
    let colour = |(i, d): (usize, &Device)| {
        let ix = DeviceIx(i as u32);
        let end = ends.iter().position(|e| *e == Some(&ix));
        hash(&(kind(d), d.title(), class.health.device_up(ix), part.contains(&ix), nics.contains(&ix), end))
    };
    class.shape.devices().iter().enumerate().map(colour).collect()
}

const fn kind(d: &Device) -> u8 {
    match d.kind {
        DeviceKind::Gpu(_) => 0,
        DeviceKind::Nic(_) => 1,
        DeviceKind::Cpu(_) => 2,
        DeviceKind::PcieSwitch(_) => 3,
        DeviceKind::ScaleUpSwitch(_) => 4,
        DeviceKind::Fabric => 5,
    }
}

fn refine(shape: &Shape, links: &[u64], colours: &[u64]) -> Vec<u64> {
    let at = |list: &[u64], i: u32| list.get(i as usize).copied().unwrap_or_default();
    let next = |d: DeviceIx| {
        let mut around: Vec<(u64, u64)> =
            shape.around(d).iter().map(|(l, other)| (at(links, l.0), at(colours, other.0))).collect();
        around.sort_unstable();
        hash(&(at(colours, d.0), around))
    };
    shape.device_ixs().map(next).collect()
}

/// Members by colour, in the order of the first of each.
fn gather<T: Copy>(all: impl Iterator<Item = T>, colour: impl Fn(T) -> u64) -> Vec<Vec<T>> {
    let mut place: BTreeMap<u64, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for x in all {
        let i = *place.entry(colour(x)).or_insert(groups.len());
        match groups.get_mut(i) {
            Some(g) => g.push(x),
            None => groups.push(vec![x]),
        }
    }
    groups
}
