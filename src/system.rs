//! What a machine is: devices, links, node, fabric, tiers, addresses, symmetry classes, health.
//!
//! The unit is the *scale-up domain*: a node, or a rack where `NVLink` spans nodes. Units that are equal are stored once, as a
//! [`UnitClass`] with the set of its members; an edit to one of them splits its class (see [`System::classes`]).

mod address;
mod build;
mod class;
mod compact;
mod fabric;
pub mod faults;
#[cfg(test)]
pub(crate) mod fixture;
mod health;
mod names;
mod path;
mod range_set;
mod shape;
mod software;
pub mod spec;
mod tiers;
mod way;

use std::sync::Arc;

pub use address::{Address, AddressError, DevicePattern, FabricTarget, LinkPattern, Target, UnitSelector};
pub use build::{BuildError, Built, PathStep, build};
pub(crate) use build::{MAX_UNITS, cable_kind};
pub use class::{ClassIx, UnitClass};
pub use compact::{collapse, compact_devices, compact_links};
pub use fabric::{Fabric, FabricHealth, LeafIx, Level};
pub use health::{Cut, Health, LinkHealth, attached_rate};
pub use names::expand;
pub use path::{Nearness, Step};
pub use range_set::RangeSet;
pub use shape::{Device, DeviceIx, DeviceKind, Link, LinkIx, Shape};
pub use software::{Algorithm, Protocol, Software, Version};
pub use spec::SystemSpec;
pub use tiers::{Tier, TierRow, tier_of};
pub use way::Hop;

use crate::parts::Catalogue;
use crate::units::Bandwidth;

/// A machine: a set of classes of equal scale-up units, a fabric between them, and what software may use.
///
/// Cheap to clone: shapes are shared.
#[derive(Debug, Clone)]
pub struct System {
    /// Short name: `dgx-h100`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What makes it special, and what is assumed about it.
    pub about: String,
    /// Where its wiring comes from.
    pub sources: Vec<String>,
    /// The catalogue it was built from.
    pub catalogue: Arc<Catalogue>,
    /// Classes of equal units; together their members are `0..units`.
    pub classes: Vec<UnitClass>,
    /// Nodes (hosts) in one unit: 1, or the compute trays of a rack.
    pub nodes_per_unit: u32,
    /// Number of scale-up units (nodes, or racks).
    pub units: u32,
    /// True where the unit is a rack of nodes: addresses then start with `rackN`.
    pub is_rack: bool,
    /// The network between units, if there is more than one or NICs are wired.
    pub fabric: Option<Fabric>,
    /// Plain Ethernet for storage and management, per node and direction.
    pub services: Option<Services>,
    /// What software may use.
    pub software: Software,
    /// GPUs used per unit, when fewer than all take part.
    pub gpus_used: Option<u32>,
    /// NICs used per node, when fewer than all are used.
    pub nics_used: Option<u32>,
}

/// The tier that people forget: plain Ethernet for storage and management.
#[derive(Debug, Clone, PartialEq)]
pub struct Services {
    /// What it is: `2x 100 GbE`.
    pub title: String,
    /// Line rate per node and direction.
    pub rate: Bandwidth,
    /// Where that comes from.
    pub source: String,
}

impl System {
    /// GPUs that take part in one healthy unit.
    pub fn ranks_per_unit(&self) -> u32 {
        let all = self.classes.first().map_or(0, |c| c.shape.gpus().len() as u32);
        self.gpus_used.map_or(all, |n| n.min(all))
    }

    /// Nodes (hosts) in the whole system.
    pub fn nodes(&self) -> u64 {
        u64::from(self.units) * u64::from(self.nodes_per_unit)
    }

    /// GPUs that take part in the whole system, dead ones left out.
    pub fn ranks(&self) -> u64 {
        self.classes.iter().map(|c| u64::from(c.active_gpus(self.gpus_used)) * c.members.len()).sum()
    }

    /// The class of a unit.
    pub fn class_of(&self, unit: u32) -> Option<(ClassIx, &UnitClass)> {
        self.classes.iter().enumerate().find(|(_, c)| c.members.contains(unit)).map(|(i, c)| (ClassIx(i), c))
    }

    /// What a unit is called: `node3` or `rack3`.
    pub fn unit_name(&self, unit: u32) -> String {
        format!("{}{unit}", if self.is_rack { "rack" } else { "node" })
    }
}
