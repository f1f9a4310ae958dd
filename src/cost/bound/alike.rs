//! Many classes of almost equal units: a hundred links down make a hundred classes, each a few links short of the usual one.
//! A cut of such a unit carries at least what the usual unit's carries less all that was lost, so most need no look.

use super::demand::Lay;
use super::unit::{ALL_SETS, UnitCuts, members};
use crate::question::Collective;

/// Classes up to which each is searched by itself.
pub(super) const FEW: usize = 4;

/// The class that most units belong to, with what must cross each of its cuts.
pub(super) struct Usual<'u, 's> {
    /// The class.
    pub(super) unit: &'u UnitCuts<'s>,
    loads: Vec<f64>,
}

impl<'u, 's> Usual<'u, 's> {
    /// The usual class, where there are more than a few classes and its units are small enough for a table.
    pub(super) fn of(units: &'u [UnitCuts<'s>], collective: Collective, few: usize) -> Option<Self> {
        let unit = units.iter().max_by_key(|u| u.of.members.len())?;
        let n = unit.ranks.len();
        if units.len() <= few || n > ALL_SETS {
            return None;
        }
        let load = |set: usize| members(set, n).get(..n).map_or(0.0, |inside| unit.lay.demand(collective, inside));
        let loads = (0..1_usize << n).map(load).collect();
        Some(Self { unit, loads })
    }

    /// What a class has less than the usual one, GB/s; `None` when their ranks or groups differ.
    pub(super) fn lost(&self, other: &UnitCuts<'_>) -> Option<f64> {
        let same = |a: &Lay, b: &Lay| a.groups == b.groups && a.span == b.span;
        let alike = self.unit.ranks == other.ranks
            && self.unit.rates.len() == other.rates.len()
            && same(&self.unit.lay, &other.lay)
            && std::sync::Arc::ptr_eq(&self.unit.of.shape, &other.of.shape);
        let short = self.unit.rates.iter().zip(&other.rates).map(|(a, b)| (a - b).max(0.0)).sum();
        alike.then_some(short)
    }

    /// The sets whose cut may need more time than `least` (us per byte) in a class that has lost so much. Roots of
    /// broadcasts may lie less favourably in that class, never more.
    pub(super) fn worth_a_look(&self, lost: f64, least: impl Fn() -> f64, mut visit: impl FnMut(&[bool])) {
        let n = self.unit.ranks.len();
        for (set, (load, rate)) in self.loads.iter().zip(self.unit.table()).enumerate() {
            let floor = (rate - lost) * 1000.0;
            if *load > 0.0
                && (floor <= 0.0 || load / floor > least())
                && let Some(inside) = members(set, n).get(..n)
            {
                visit(inside);
            }
        }
    }
}
