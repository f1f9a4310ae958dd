//! Classes of equal units: the symmetry that makes 131,072 GPUs as cheap as 8.

use std::sync::Arc;

use super::{DeviceIx, Health, RangeSet, Shape};

/// Index of a class in [`super::System::classes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassIx(pub usize);

/// Units that are equal in every respect.
#[derive(Debug, Clone)]
pub struct UnitClass {
    /// The graph of each member.
    pub shape: Arc<Shape>,
    /// What is wrong with each member.
    pub health: Arc<Health>,
    /// Which units they are.
    pub members: RangeSet,
}

impl UnitClass {
    /// GPUs of one member that are in and take part, in rank order; `used` limits them to the first so many.
    pub fn active(&self, used: Option<u32>) -> impl Iterator<Item = DeviceIx> + '_ {
        let limit = used.map_or(usize::MAX, |n| n as usize);
        self.shape.gpus().iter().take(limit).copied().filter(|g| self.health.device_up(*g))
    }

    /// How many GPUs of one member take part.
    pub fn active_gpus(&self, used: Option<u32>) -> u32 {
        self.active(used).count() as u32
    }

    /// NICs of one member that are used when only so many per node are; see [`Shape::used_nics`].
    pub fn used_nics(&self, used: Option<u32>) -> Vec<DeviceIx> {
        self.shape.used_nics(used)
    }
}
