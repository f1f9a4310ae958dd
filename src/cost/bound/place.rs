//! Where the bound binds, in words.

use std::collections::BTreeMap;

use super::cutter::{Role, World, wires};
use super::flow::FlowNet;
use crate::system::{ClassIx, DeviceIx, Link, System, UnitClass};
use crate::units::{Bandwidth, Share};

/// Where a cut is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CutPlace {
    /// Around some ranks of each unit of a class.
    Ranks {
        /// The class.
        class: ClassIx,
        /// The GPUs inside.
        inside: Vec<DeviceIx>,
    },
    /// Between parts of the ranks; the sizes of the parts of one unit.
    Parts {
        /// Ranks in each part of the first class's units.
        sizes: Vec<usize>,
    },
    /// Around what is under one group of leaves.
    Leaf(u32),
    /// Between all groups of leaves.
    Leaves,
}

/// The cut that sets the bound.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundCut {
    /// Where it is.
    pub place: CutPlace,
    /// Bytes that must cross it in one direction, as a share of the message, all groups together.
    pub load: Share,
    /// What its wires carry, GB/s per direction (summed over the parts of a partition).
    pub rate: Bandwidth,
}

impl BoundCut {
    /// In words: `around node0/gpu0: 18x NVLink 4, 1x PCIe 5 x16: 513 GB/s for 1 S`.
    pub fn describe(&self, system: &System) -> String {
        let must =
            format!("{} GB/s for {} of the message", number(self.rate.gbytes_per_s()), number(self.load.ratio()));
        match &self.place {
            CutPlace::Ranks { class, inside } => match system.classes.get(class.0) {
                Some(c) => format!("around {}: {}: {must}", inside_name(system, c, inside), links(system, c, inside)),
                None => must,
            },
            CutPlace::Parts { sizes } if sizes.len() == 1 => format!("between all units: {must}"),
            CutPlace::Parts { sizes } if sizes.iter().all(|s| *s == 1) => format!("between all GPUs: {must}"),
            CutPlace::Parts { sizes } => {
                let list: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                format!("between parts of {} GPUs of each unit: {must}", list.join(", "))
            }
            CutPlace::Leaf(group) => {
                let planes = system.fabric.as_ref().map_or(1, |f| f.planes().max(1));
                let first = group * planes;
                let which = if planes == 1 {
                    format!("leaf{first}")
                } else {
                    format!("leaf{first} to leaf{}", first + planes - 1)
                };
                format!("uplinks of {which}: {must}")
            }
            CutPlace::Leaves => format!("uplinks of all leaves: {must}"),
        }
    }
}

fn number(v: f64) -> String {
    crate::units::significant(v)
}

/// `node0/gpu3`, `one node`, `4 GPUs of node2 (gpu0, gpu1, ...)`.
fn inside_name(system: &System, class: &UnitClass, inside: &[DeviceIx]) -> String {
    let unit = system.unit_name(class.members.first().unwrap_or(0));
    let path = |d: &DeviceIx| class.shape.device(*d).map_or("?", |x| x.path.as_str());
    if inside.len() as u32 == class.active_gpus(system.gpus_used) && class.members.len() > 1 {
        return if system.is_rack { "one rack".to_owned() } else { "one node".to_owned() };
    }
    match inside {
        [one] => format!("{unit}/{}", path(one)),
        some => {
            let names: Vec<&str> = some.iter().map(path).collect();
            format!("{} GPUs of {unit} ({})", some.len(), names.join(", "))
        }
    }
}

/// The links of the least cut around some ranks, by kind.
fn links(system: &System, class: &UnitClass, inside: &[DeviceIx]) -> String {
    let shape = &class.shape;
    let fabric = system.fabric.as_ref();
    let world = if system.units > 1 { World::Ranks } else { World::Alone };
    let active: Vec<DeviceIx> = class.active(system.gpus_used).collect();
    let (between, wires) = wires((shape, &class.health), fabric, &active, world);
    let (source, sink) = (between, between + 1);
    let node = |r: Role| match r {
        Role::Rank(i) if active.get(i).is_some_and(|d| inside.contains(d)) => source,
        Role::Rank(_) | Role::Outside => sink,
        Role::Between(v) => v,
    };
    let mut net = FlowNet::new(between + 2);
    for (_, a, b, rate) in wires.iter().filter(|w| node(w.1) != node(w.2)) {
        net.link(node(*a), node(*b), *rate, *rate);
    }
    net.max_flow(source, sink);
    let near = net.source_side(source);
    let side = |r: Role| near.get(node(r)).copied().unwrap_or(false);
    let mut kinds: BTreeMap<(String, u64), u32> = BTreeMap::new();
    for (l, _, _, rate) in wires.iter().filter(|(_, a, b, _)| side(*a) != side(*b)) {
        let title = shape.link(*l).map(Link::describe).unwrap_or_default();
        *kinds.entry((title, (rate * 100.0).round() as u64)).or_default() += 1;
    }
    let row = |((title, rate), n): (&(String, u64), &u32)| {
        let each = number(*rate as f64 / 100.0);
        if *n == 1 { format!("{title} {each} GB/s") } else { format!("{n} x {title} {each} GB/s") }
    };
    kinds.iter().map(row).collect::<Vec<_>>().join(", ")
}
