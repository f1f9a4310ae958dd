//! What was found before, per thread: a pattern's traffic depends on the unit's graph, its health and the settings alone,
//! a bound on the classes and the fabric. The keys hold all of that, so an answer stays a pure function.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::bound::BoundRate;
use super::prepared::{Cells, PartCells};
use crate::question::{ClassGroups, Collective, Participants};
use crate::system::{Device, DeviceIx, Fabric, Health, Link, Shape, Software, System, Tier, UnitClass, tier_of};

/// Most things remembered of each sort; the oldest goes first.
const MOST: usize = 256;

thread_local! {
    static UNITS: RefCell<VecDeque<(UnitKey, Rc<Cells>)>> = const { RefCell::new(VecDeque::new()) };
    static PARTS: RefCell<VecDeque<(PartKey, Rc<PartCells>)>> = const { RefCell::new(VecDeque::new()) };
    static BOUNDS: RefCell<VecDeque<(BoundKey, BoundRate)>> = const { RefCell::new(VecDeque::new()) };
}

/// All that the traffic and the link times of one class of units depend on. It holds the graph itself, so that its
/// address cannot come to mean another.
#[derive(Clone)]
struct UnitKey {
    shape: Arc<Shape>,
    health: Arc<Health>,
    first: Option<u32>,
    is_rack: bool,
    groups: ClassGroups,
    software: Software,
    /// Rails, and whether NICs reach GPU memory at all.
    fabric: Option<(bool, bool)>,
    nics_used: Option<u32>,
}

fn wiring(system: &System) -> Option<(bool, bool)> {
    system.fabric.as_ref().map(|f| (f.rails, f.transport.rdma))
}

impl UnitKey {
    fn of(system: &System, class: &UnitClass, groups: &ClassGroups) -> Self {
        Self {
            shape: Arc::clone(&class.shape),
            health: Arc::clone(&class.health),
            first: class.members.first(),
            is_rack: system.is_rack,
            groups: groups.clone(),
            software: system.software.clone(),
            fabric: wiring(system),
            nics_used: system.nics_used,
        }
    }

    fn is(&self, system: &System, class: &UnitClass, groups: &ClassGroups) -> bool {
        Arc::ptr_eq(&self.shape, &class.shape)
            && same_health(&self.health, &class.health)
            && self.first == class.members.first()
            && self.is_rack == system.is_rack
            && self.fabric == wiring(system)
            && self.nics_used == system.nics_used
            && self.software == system.software
            && self.groups == *groups
    }
}

/// A part of a unit that the traffic of some patterns depends on alone: a sick NIC leaves rings over switches as they are,
/// a lost link to a switch the ways to the NICs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Scale-up links and switches.
    Inside,
    /// All else: host links, NICs and their cables.
    Outside,
}

impl Part {
    fn health(self, shape: &Shape, health: &Health) -> Health {
        let is_switch = |d: DeviceIx| shape.device(d).is_some_and(Device::is_scale_up_switch);
        let is_gpu = |d: DeviceIx| shape.device(d).is_some_and(Device::is_gpu);
        let scale_up = |l: &Link| tier_of(l.kind.family) == Tier::ScaleUp;
        match self {
            Self::Inside => health.part(
                |d| is_gpu(d) || is_switch(d),
                |l| shape.link(l).is_some_and(|l| scale_up(l) || is_switch(l.a) || is_switch(l.b)),
            ),
            Self::Outside => health.part(|d| !is_switch(d), |l| shape.link(l).is_some_and(|l| !scale_up(l))),
        }
    }
}

/// As [`UnitKey`], with the health of a part alone.
struct PartKey {
    part: Part,
    shape: Arc<Shape>,
    health: Health,
    groups: ClassGroups,
    software: Software,
    fabric: Option<(bool, bool)>,
    nics_used: Option<u32>,
}

impl PartKey {
    fn is(&self, part: Part, system: &System, class: &UnitClass, (health, groups): (&Health, &ClassGroups)) -> bool {
        self.part == part
            && Arc::ptr_eq(&self.shape, &class.shape)
            && self.health == *health
            && self.fabric == wiring(system)
            && self.nics_used == system.nics_used
            && self.software == system.software
            && self.groups == *groups
    }
}

/// The cells in which patterns are kept that depend on a part of a class alone.
pub(super) fn part(part: Part, system: &System, class: &UnitClass, groups: &ClassGroups) -> Rc<PartCells> {
    let health = part.health(&class.shape, &class.health);
    PARTS.with_borrow_mut(|known| {
        asked(known, |k| k.is(part, system, class, (&health, groups))).unwrap_or_else(|| {
            let cells = Rc::new(PartCells::default());
            let key = PartKey {
                part,
                shape: Arc::clone(&class.shape),
                health,
                groups: groups.clone(),
                software: system.software.clone(),
                fabric: wiring(system),
                nics_used: system.nics_used,
            };
            remember(known, key, &cells);
            cells
        })
    })
}

/// What is known under a key. It goes to the front: what is long not asked for goes first.
fn asked<K, V>(known: &mut VecDeque<(K, Rc<V>)>, is: impl Fn(&K) -> bool) -> Option<Rc<V>> {
    let at = known.iter().position(|(k, _)| is(k))?;
    let found = known.remove(at)?;
    let value = Rc::clone(&found.1);
    known.push_front(found);
    Some(value)
}

fn remember<K, V>(known: &mut VecDeque<(K, Rc<V>)>, key: K, value: &Rc<V>) {
    known.push_front((key, Rc::clone(value)));
    known.truncate(MOST);
}

/// Every edit makes healths anew: those of an edit that was undone and done again are equal, not the same.
fn same_health(a: &Arc<Health>, b: &Arc<Health>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

/// All that a bound depends on.
struct BoundKey {
    classes: Vec<UnitClass>,
    fabric: Option<Fabric>,
    units: u32,
    nodes_per_unit: u32,
    who: Participants,
    collective: Collective,
}

impl BoundKey {
    fn is(&self, system: &System, who: &Participants, collective: Collective) -> bool {
        let same = |(a, b): (&UnitClass, &UnitClass)| {
            Arc::ptr_eq(&a.shape, &b.shape) && same_health(&a.health, &b.health) && a.members == b.members
        };
        self.collective == collective
            && self.units == system.units
            && self.nodes_per_unit == system.nodes_per_unit
            && self.classes.len() == system.classes.len()
            && self.classes.iter().zip(&system.classes).all(same)
            && self.fabric == system.fabric
            && self.who == *who
    }
}

/// The cells in which a class keeps its patterns: those of an equal class before, or new ones.
pub(super) fn cells(system: &System, class: &UnitClass, groups: &ClassGroups) -> Rc<Cells> {
    UNITS.with_borrow_mut(|known| {
        asked(known, |k| k.is(system, class, groups)).unwrap_or_else(|| {
            let cells = Rc::new(Cells::default());
            remember(known, UnitKey::of(system, class, groups), &cells);
            cells
        })
    })
}

/// A bound that was found before, else what `find` finds.
pub(super) fn bound(
    system: &System,
    who: &Participants,
    collective: Collective,
    find: impl FnOnce() -> BoundRate,
) -> BoundRate {
    let known =
        BOUNDS.with_borrow(|all| all.iter().find(|(k, _)| k.is(system, who, collective)).map(|(_, b)| b.clone()));
    known.unwrap_or_else(|| {
        let found = find();
        let key = BoundKey {
            classes: system.classes.clone(),
            fabric: system.fabric.clone(),
            units: system.units,
            nodes_per_unit: system.nodes_per_unit,
            who: who.clone(),
            collective,
        };
        BOUNDS.with_borrow_mut(|all| {
            all.push_front((key, found.clone()));
            all.truncate(MOST);
        });
        found
    })
}
