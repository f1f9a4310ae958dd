//! What was found before, per thread: a pattern's traffic depends on the unit's graph, its health and the settings alone,
//! a bound on the classes and the fabric. The keys hold all of that, so an answer stays a pure function.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::bound::BoundRate;
use super::prepared::Cells;
use crate::question::{ClassGroups, Collective, Participants};
use crate::system::{Fabric, Health, Shape, Software, System, UnitClass};

/// Most things remembered of each sort; the oldest goes first.
const MOST: usize = 256;

thread_local! {
    static UNITS: RefCell<VecDeque<(UnitKey, Rc<Cells>)>> = const { RefCell::new(VecDeque::new()) };
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
        let at = known.iter().position(|(k, _)| k.is(system, class, groups));
        // What is asked for goes to the front: what is long not asked for goes first.
        if let Some(found) = at.and_then(|at| known.remove(at)) {
            let cells = Rc::clone(&found.1);
            known.push_front(found);
            return cells;
        }
        let cells = Rc::new(Cells::default());
        known.push_front((UnitKey::of(system, class, groups), Rc::clone(&cells)));
        known.truncate(MOST);
        cells
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
