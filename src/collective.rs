//! What must be moved: each algorithm as traffic on the links of a unit, derived from its graph.
//!
//! Everything here is counted in *bytes per byte of the message*: pricing (rates, steps, launch) is the cost model's task.
//! A pattern is the traffic of one phase for all groups that run at the same time, so contention needs no special case.

mod loads;
mod nics;
mod order;
mod packing;
mod packing_memo;
mod pattern;
mod route;
mod runs;
pub mod schedule;
mod steps;

pub use loads::{Loads, Via};
pub(crate) use loads::{Packed, slot};
pub use nics::{NicFeed, feeds};
pub use order::{Channel, Wiring, channels};
pub use packing::{Trail, pack};
pub use pattern::{Pace, Pattern, Traffic, traffic};
pub use route::{Hop, Route, Router};
pub(crate) use runs::Runs;
pub use steps::{Load, tree_depth, tree_network_load};

use crate::system::{Fabric, Health, Shape, Software, UnitClass};

/// One unit as the algorithms see it.
#[derive(Debug, Clone, Copy)]
pub struct Unit<'a> {
    /// Its graph.
    pub shape: &'a Shape,
    /// What is wrong with it.
    pub health: &'a Health,
    /// What software may use.
    pub software: &'a Software,
    /// Whether NICs lead anywhere, and how.
    pub fabric: Option<&'a Fabric>,
    /// NICs used per node, if fewer than all.
    pub nics_used: Option<u32>,
}

impl<'a> Unit<'a> {
    /// The unit of a class.
    pub fn of(system: &'a crate::system::System, class: &'a UnitClass) -> Self {
        Self {
            shape: &class.shape,
            health: &class.health,
            software: &system.software,
            fabric: system.fabric.as_ref(),
            nics_used: system.nics_used,
        }
    }
}
