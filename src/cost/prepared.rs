//! A system and a group made ready for many questions: routes, traffic and link times are found once per pattern.

use std::cell::OnceCell;
use std::rc::Rc;

use super::answer::Unreachable;
use super::bound::{BoundRate, bound_rate};
use super::memo::{self, Part};
use super::rates;
use super::tier_use::Leaving;
use crate::collective::{Packed, Pattern, Router, Runs, Traffic, Unit, traffic};
use crate::question::{ClassGroups, Collective, Group, Participants};
use crate::system::{ClassIx, DeviceIx, DeviceKind, System, UnitClass};

/// One pattern's traffic in one class of units, with its times.
#[derive(Debug, Clone)]
pub(super) struct Priced {
    /// The traffic; its loads are in `loads`.
    pub(super) traffic: Traffic,
    /// Bytes on each link, direction and mover.
    pub(super) loads: Packed,
    /// Microseconds per byte on each link and direction.
    pub(super) times: Runs,
    /// The largest of them: 1 / (1000 x rate of the whole pattern).
    pub(super) worst: f64,
    /// Bytes that leave GPUs and NICs, by tier.
    pub(super) leaving: Leaving,
}

type Cell = OnceCell<Result<Rc<Priced>, Unreachable>>;

/// One cell per pattern.
pub(super) type Cells = [Cell; Pattern::COUNT];

/// The same for patterns that depend on a part of the unit alone.
pub(super) type PartCells = [OnceCell<Rc<Priced>>; Pattern::COUNT];

/// One class of units with its patterns.
pub(super) struct UnitCost<'s> {
    /// Which class.
    pub(super) class: ClassIx,
    router: Router<'s>,
    groups: &'s ClassGroups,
    priced: Rc<Cells>,
}

/// A system and a group, ready to be asked about collectives and sizes.
pub struct Prepared<'s> {
    /// The system.
    pub(super) system: &'s System,
    /// Who takes part.
    pub(super) who: &'s Participants,
    /// Every class that has ranks.
    pub(super) units: Vec<UnitCost<'s>>,
    bounds: [OnceCell<BoundRate>; Collective::ALL.len()],
}

impl<'s> Prepared<'s> {
    /// For the participants of a group; see [`Group::participants`].
    pub fn new(system: &'s System, who: &'s Participants) -> Self {
        let units = system
            .classes
            .iter()
            .zip(&who.classes)
            .enumerate()
            .filter(|(_, (_, g))| g.ranks() > 0)
            .map(|(i, (class, groups))| UnitCost::new(system, ClassIx(i), class, groups))
            .collect();
        Self { system, who, units, bounds: std::array::from_fn(|_| OnceCell::new()) }
    }

    /// The physical limit of a collective, with the cut that binds; found once for all sizes.
    pub fn bound(&self, collective: Collective) -> &BoundRate {
        let cell = self.bounds.get(collective as usize).unwrap_or(&self.bounds[0]);
        let find = || bound_rate(self.system, self.who, collective);
        cell.get_or_init(|| memo::bound(self.system, self.who, collective, find))
    }

    /// The same where only the health of some units differs from a prepared system (software, parts and group are the
    /// same): what was found for the units that are as they were is used again.
    pub fn after_fault(system: &'s System, who: &'s Participants, before: &Prepared<'_>) -> Self {
        let mut new = Self::new(system, who);
        for u in &mut new.units {
            if let Some(same) = before.units.iter().find(|b| b.is_like(u)) {
                u.priced = Rc::clone(&same.priced);
            }
        }
        new
    }

    /// Resolves a group; the reason why nobody takes part is an answer.
    pub fn participants(system: &System, group: Group) -> Result<Participants, Unreachable> {
        group.participants(system).map_err(|e| Unreachable { ranks: "all ranks".to_owned(), because: e.to_string() })
    }

    /// A pattern in every class, or why it cannot be.
    pub(super) fn priced(&self, pattern: Pattern) -> Result<Vec<(&UnitCost<'s>, &Priced)>, Unreachable> {
        self.units.iter().map(|u| u.priced(self.system, pattern).map(|p| (u, p))).collect()
    }
}

impl<'s> UnitCost<'s> {
    fn new(system: &'s System, class: ClassIx, of: &'s UnitClass, groups: &'s ClassGroups) -> Self {
        Self { class, router: Router::new(Unit::of(system, of)), groups, priced: memo::cells(system, of, groups) }
    }

    /// Whether another class has the same graph, health and ranks.
    fn is_like(&self, other: &UnitCost<'_>) -> bool {
        let (a, b) = (self.unit(), other.unit());
        std::ptr::eq(a.shape, b.shape) && a.health == b.health && self.groups == other.groups
    }

    /// The unit's graph with its health.
    pub(super) fn unit(&self) -> Unit<'s> {
        self.router.unit()
    }

    /// Ranks of the largest group in the unit.
    pub(super) fn largest_group(&self) -> usize {
        self.groups.local.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Ranks in one unit, all groups together.
    pub(super) fn ranks(&self) -> u64 {
        self.groups.ranks()
    }

    /// Groups that run at the same time in the unit.
    pub(super) fn concurrent(&self) -> usize {
        self.groups.local.len()
    }

    /// A GPU that takes part, for what depends on the GPU's kind.
    pub(super) fn a_gpu(&self) -> Option<DeviceIx> {
        self.groups.local.first().and_then(|g| g.first()).copied()
    }

    /// A pattern in this class.
    pub(super) fn priced(&self, system: &System, pattern: Pattern) -> Result<&Priced, Unreachable> {
        let cell = self.priced.get(pattern as usize).unwrap_or(&self.priced[0]);
        cell.get_or_init(|| self.price(system, pattern)).as_ref().map(AsRef::as_ref).map_err(Clone::clone)
    }

    /// A pattern that depends on a part of the unit alone is taken from another unit that is the same there.
    fn price(&self, system: &System, pattern: Pattern) -> Result<Rc<Priced>, Unreachable> {
        let part = match pattern {
            Pattern::Network => Part::Outside,
            Pattern::Ring | Pattern::Chain | Pattern::BothWays | Pattern::Reduce | Pattern::Pairs => Part::Inside,
            Pattern::PairsNetwork | Pattern::Shift | Pattern::ShiftNetwork => return self.find(system, pattern),
        };
        let Some(class) = system.classes.get(self.class.0) else { return self.find(system, pattern) };
        let cells = memo::part(part, system, class, self.groups);
        let cell = cells.get(pattern as usize);
        if let Some(known) = cell.and_then(OnceCell::get) {
            return Ok(Rc::clone(known));
        }
        let found = self.find(system, pattern)?;
        // Without a stage of switches a pair may have to go over the host.
        let alone = part == Part::Outside
            || pattern == Pattern::Reduce
            || self.groups.local.iter().all(|g| self.router.is_star(g));
        if let Some(cell) = cell.filter(|_| alone) {
            cell.get_or_init(|| Rc::clone(&found));
        }
        Ok(found)
    }

    fn find(&self, system: &System, pattern: Pattern) -> Result<Rc<Priced>, Unreachable> {
        let mut traffic =
            traffic(&self.router, self.groups, pattern).map_err(|pair| self.explain(system, pattern, pair))?;
        let loads = std::mem::take(&mut traffic.loads);
        let times = rates::times(&self.router, &loads, self.largest_group());
        let worst = times.runs().map(|(_, t)| t).fold(0.0, f64::max);
        let leaving = Leaving::of(self.unit().shape, &loads);
        Ok(Rc::new(Priced { traffic, loads: Packed::from(&loads), times, worst, leaving }))
    }

    fn explain(&self, system: &System, pattern: Pattern, (a, b): (DeviceIx, DeviceIx)) -> Unreachable {
        let unit = system.classes.get(self.class.0).and_then(|c| c.members.first()).unwrap_or(0);
        let name = |d: DeviceIx| {
            let path = self.unit().shape.device(d).map_or("?", |x| x.path.as_str());
            format!("{}/{path}", system.unit_name(unit))
        };
        let because = match pattern {
            Pattern::Reduce => "it misses a switch that can reduce".to_owned(),
            _ if a == b && system.fabric.is_none() => "the system has no fabric".to_owned(),
            _ if a == b => "no NIC of its unit leads out".to_owned(),
            _ => format!("nothing connects it with {}", name(b)),
        };
        Unreachable { ranks: name(a), because }
    }

    /// The architecture's name of the GPUs in the unit.
    pub(super) fn arch(&self) -> Option<&'s str> {
        match &self.unit().shape.device(self.a_gpu()?)?.kind {
            DeviceKind::Gpu(p) => Some(&p.arch),
            _ => None,
        }
    }
}
