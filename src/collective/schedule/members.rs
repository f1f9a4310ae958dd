//! The units of a group in their order, without a list of them.

use crate::question::Participants;
use crate::system::{ClassIx, RangeSet, System};

/// Which units a group spans.
#[derive(Debug, Clone)]
pub(super) struct Members {
    /// Units with ranks, per class.
    classes: Vec<(ClassIx, RangeSet)>,
    base: u32,
    step: u32,
    /// Units from the first to the last, those without ranks included.
    span: u32,
    /// Whether every one of them has ranks.
    whole: bool,
    len: u32,
}

impl Members {
    /// The units of the group that a member of `focus` belongs to.
    pub(super) fn new(system: &System, who: &Participants, focus: Option<ClassIx>) -> Self {
        let busy = |i: &usize| who.classes.get(*i).is_some_and(|g| g.ranks() > 0);
        let classes: Vec<(ClassIx, RangeSet)> = (0..system.classes.len())
            .filter(busy)
            .filter_map(|i| Some((ClassIx(i), system.classes.get(i)?.members.clone())))
            .collect();
        let all: u64 = classes.iter().map(|c| c.1.len()).sum();
        let wanted = classes.iter().find(|c| focus.is_none_or(|f| f == c.0)).or(classes.first());
        let first = wanted.and_then(|c| c.1.first()).unwrap_or(0);
        let step = who.unit_step.max(1);
        let (base, span) = if all == u64::from(who.units) {
            (0, system.units)
        } else {
            let block = step.saturating_mul(who.units).max(1);
            (first / block * block + first % step, who.units)
        };
        let mut members = Self { classes, base, step, span, whole: true, len: span };
        members.count();
        members
    }

    /// The same without the classes in which a group has no GPU left.
    pub(super) fn only(mut self, has: impl Fn(ClassIx) -> bool) -> Self {
        self.classes.retain(|c| has(c.0));
        self.count();
        self
    }

    fn count(&mut self) {
        let ids = (0..self.span).map(|i| self.base + i * self.step);
        self.len = ids.filter(|id| self.class_of(*id).is_some()).count() as u32;
        self.whole = self.len == self.span;
    }

    fn class_of(&self, id: u32) -> Option<ClassIx> {
        self.classes.iter().find(|c| c.1.contains(id)).map(|c| c.0)
    }

    /// How many units have ranks.
    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        let ids = (0..self.span).map(|i| self.base + i * self.step);
        ids.filter(|id| self.whole || self.class_of(*id).is_some())
    }

    /// The system's number of a unit, and its class.
    pub(super) fn nth(&self, unit: u32) -> Option<(u32, ClassIx)> {
        let id = if self.whole {
            Some(self.base + unit * self.step).filter(|_| unit < self.span)
        } else {
            self.ids().nth(unit as usize)
        }?;
        Some((id, self.class_of(id)?))
    }

    /// The first unit of a class, counted among the group's units.
    pub(super) fn first_of(&self, class: ClassIx) -> Option<u32> {
        let set = &self.classes.iter().find(|c| c.0 == class)?.1;
        self.ids().position(|id| set.contains(id)).map(|i| i as u32)
    }

    /// Ranks before a unit, and in all units, for so many ranks per class.
    pub(super) fn ranks_before(&self, unit: u32, of: impl Fn(ClassIx) -> u64) -> u64 {
        let mut lens = self.classes.iter().map(|c| of(c.0));
        let first = lens.next().unwrap_or(0);
        if lens.all(|l| l == first) {
            return first * u64::from(unit);
        }
        self.ids().take(unit as usize).filter_map(|id| self.class_of(id)).map(of).sum()
    }
}
