//! How the groups lie over the units of a system, as far as it is certain: a bound may only count what surely is there.

use super::demand::{Roots, Span};
use crate::question::{ClassGroups, Participants};
use crate::system::{System, UnitClass};

/// The groups over all units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    /// Units that one group spans.
    pub(super) units: u32,
    /// Distance between them.
    pub(super) step: u32,
    /// Groups in all.
    pub(super) groups: u64,
    /// Groups in a unit that has lost none.
    pub(super) local: usize,
    /// Whether every group spans all units that have ranks.
    pub(super) whole: bool,
    /// Whether no unit has lost a group.
    pub(super) regular: bool,
    /// Units that have lost no group.
    pub(super) full_units: u64,
    /// Fewest and most ranks of a group.
    pub(super) low: f64,
    /// See above.
    pub(super) high: f64,
}

impl Spread {
    pub(super) fn of(system: &System, who: &Participants) -> Self {
        let pairs = || system.classes.iter().zip(&who.classes).filter(|(c, _)| !c.members.is_empty());
        let local = who.classes.iter().map(|g| g.local.len()).max().unwrap_or(0);
        let full = || pairs().filter(|(_, g)| g.local.len() == local);
        let busy: u64 = pairs().filter(|(_, g)| g.ranks() > 0).map(|(c, _)| c.members.len()).sum();
        let whole = busy == u64::from(who.units) && who.groups == local as u64 && who.unit_step == 1;
        let regular = pairs().all(|(_, g)| g.local.len() == local);
        let fewest = |g: &ClassGroups| g.local.iter().map(Vec::len).min().unwrap_or(0) as f64;
        let low = if whole {
            full().map(|(c, g)| c.members.len() as f64 * fewest(g)).sum()
        } else {
            f64::from(who.units) * full().map(|(_, g)| fewest(g)).fold(f64::INFINITY, f64::min)
        };
        let full_units = full().map(|(c, _)| c.members.len()).sum();
        let (units, step, groups) = (who.units, who.unit_step.max(1), who.groups);
        Self { units, step, groups, local, whole, regular, full_units, low, high: who.ranks as f64 }
    }

    /// Whether all groups surely have ranks in several units, so that fabric cuts may be drawn.
    pub(super) fn certain(&self) -> bool {
        self.units > 1 && (self.regular || (self.whole && self.full_units >= 2))
    }

    /// How the groups of a unit go on.
    pub(super) fn span(&self, here: &ClassGroups) -> Span {
        let full = here.local.len() == self.local;
        if self.units < 2 {
            Span::Inside
        } else if self.certain() || (self.whole && self.full_units >= 1 && !full) {
            Span::Across { low: self.low, high: self.high }
        } else {
            Span::Perhaps { high: self.high }
        }
    }

    /// Where the roots are, as seen from the units of a class.
    pub(super) fn roots(&self, class: &UnitClass) -> Roots {
        let with_root = if self.regular { self.groups.div_ceil(self.local.max(1) as u64) } else { self.groups };
        if self.units < 2 {
            Roots::Here
        } else if class.members.len() > with_root {
            Roots::Elsewhere
        } else {
            Roots::Unknown
        }
    }
}
