//! The scale-out fabric by its rules: transport, rails, levels with radix and taper; its exceptions are sparse.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::parts::{SwitchPart, Transport};
use crate::units::{Bandwidth, Share};

/// Number of a leaf switch: `unit * rails + rail` where there are rails, else just the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeafIx(pub u32);

/// One level of switches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// `leaf`, `spine`, `core`.
    pub name: &'static str,
    /// Switches in all planes together.
    pub count: u32,
    /// Ports down of each switch in use.
    pub down: u32,
    /// Ports up of each switch; 0 at the top.
    pub up: u32,
}

/// What is wrong in the fabric: share of capacity left, per switch or cable bundle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FabricHealth {
    /// Leaves that are down or slow.
    pub leaves: BTreeMap<u32, Share>,
    /// Spines that are down or slow.
    pub spines: BTreeMap<u32, Share>,
    /// Cores that are down or slow.
    pub cores: BTreeMap<u32, Share>,
    /// Cable bundles leaf--spine that are down or slow.
    pub uplinks: BTreeMap<(u32, u32), Share>,
}

/// The network between units.
#[derive(Debug, Clone, PartialEq)]
pub struct Fabric {
    /// How data crosses it.
    pub transport: Arc<Transport>,
    /// The switch it is built of.
    pub switch: Arc<SwitchPart>,
    /// Whether every rail is a plane of its own.
    pub rails: bool,
    /// NICs per node, which is the number of rails where there are rails.
    pub nics_per_node: u32,
    /// Line rate of one NIC port, GB/s per direction.
    pub port_rate: Bandwidth,
    /// Nodes under one leaf (of a rail).
    pub leaf_nodes: u32,
    /// Nodes in all.
    pub nodes: u64,
    /// Ports down to ports up at a leaf; 1 is non-blocking.
    pub oversubscription: f64,
    /// Where that comes from.
    pub source: String,
    /// Exceptions.
    pub health: FabricHealth,
}

impl Fabric {
    /// Independent planes: the rails, or one.
    pub fn planes(&self) -> u32 {
        if self.rails { self.nics_per_node.max(1) } else { 1 }
    }

    /// Groups of nodes that share their leaves (scalable units).
    pub fn groups(&self) -> u32 {
        self.nodes.div_ceil(u64::from(self.leaf_nodes.max(1))).max(1) as u32
    }

    /// Leaves in all planes.
    pub fn leaves(&self) -> u32 {
        self.groups() * self.planes()
    }

    /// The leaf that a NIC is cabled to.
    pub fn leaf_of(&self, node: u64, nic: u32) -> LeafIx {
        let group = (node / u64::from(self.leaf_nodes.max(1))) as u32;
        LeafIx(if self.rails { group * self.planes() + nic % self.planes() } else { group })
    }

    /// The plane and the group of nodes of a leaf.
    pub fn place_of(&self, leaf: LeafIx) -> (u32, u32) {
        (leaf.0 % self.planes(), leaf.0 / self.planes())
    }

    /// Ports down of one leaf that NICs are cabled to.
    pub fn leaf_down_ports(&self) -> u32 {
        let per_node = if self.rails { 1 } else { self.nics_per_node };
        let nodes = self.nodes.min(u64::from(self.leaf_nodes)) as u32;
        (nodes * per_node).max(1)
    }

    /// Ports up of one leaf.
    pub fn leaf_up_ports(&self) -> u32 {
        if self.groups() <= 1 {
            return 0;
        }
        (f64::from(self.leaf_down_ports()) / self.oversubscription.max(1e-6)).ceil().max(1.0) as u32
    }

    /// The levels, from the leaves up: one where all nodes share their leaves, two up to `radix` leaves a plane, else three.
    pub fn levels(&self) -> Vec<Level> {
        let radix = self.switch.ports.max(2);
        let groups = self.groups();
        let up = self.leaf_up_ports();
        let mut levels = vec![Level { name: "leaf", count: self.leaves(), down: self.leaf_down_ports(), up }];
        if up == 0 {
            return levels;
        }
        let cables = groups * up;
        if groups <= radix {
            let spines = cables.div_ceil(radix).max(1);
            levels.push(Level { name: "spine", count: spines * self.planes(), down: cables.div_ceil(spines), up: 0 });
            return levels;
        }
        let half = radix / 2;
        let spines = cables.div_ceil(half);
        let cores = (spines * half).div_ceil(radix).max(1);
        levels.push(Level { name: "spine", count: spines * self.planes(), down: half, up: half });
        levels.push(Level { name: "core", count: cores * self.planes(), down: radix, up: 0 });
        levels
    }

    /// Spines of one plane.
    pub fn spines_per_plane(&self) -> u32 {
        self.levels().get(1).map_or(0, |l| l.count / self.planes())
    }

    /// Line rate out of one leaf towards the spines, exceptions counted, GB/s per direction; infinite where no spine is needed.
    pub fn leaf_uplink(&self, leaf: LeafIx) -> Bandwidth {
        let up = self.leaf_up_ports();
        if up == 0 {
            return Bandwidth::INFINITE;
        }
        let full = self.port_rate * f64::from(self.leaf_down_ports()) / self.oversubscription.max(1e-6);
        full * self.uplink_left(leaf).ratio()
    }

    /// Share of a leaf's uplink capacity that is left.
    pub fn uplink_left(&self, leaf: LeafIx) -> Share {
        let h = &self.health;
        if h.spines.is_empty() && h.uplinks.is_empty() && h.leaves.is_empty() && h.cores.is_empty() {
            return Share::ONE;
        }
        let spines = self.spines_per_plane().max(1);
        let (plane, _) = self.place_of(leaf);
        let first = plane * spines;
        let lost: f64 = (first..first + spines)
            .map(|s| {
                let spine = h.spines.get(&s).map_or(1.0, |v| v.ratio());
                let cable = h.uplinks.get(&(leaf.0, s)).map_or(1.0, |v| v.ratio());
                1.0 - spine.min(cable)
            })
            .sum();
        let own = h.leaves.get(&leaf.0).map_or(1.0, |v| v.ratio());
        Share::new(((1.0 - lost / f64::from(spines)) * own * self.core_left(plane)).max(0.0))
    }

    fn core_left(&self, plane: u32) -> f64 {
        let Some(level) = self.levels().into_iter().nth(2) else { return 1.0 };
        let per_plane = (level.count / self.planes()).max(1);
        let first = plane * per_plane;
        let lost: f64 = self.health.cores.range(first..first + per_plane).map(|(_, left)| 1.0 - left.ratio()).sum();
        1.0 - lost / f64::from(per_plane)
    }
}
