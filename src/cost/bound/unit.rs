//! The cuts of one class of units: its ranks, how its groups lie, and the rate around any set of them.

use std::cell::OnceCell;

use super::cutter::{Cutter, Scratch, World, wires};
use super::demand::{Lay, Span};
use super::spread::Spread;
use crate::question::{ClassGroups, Participants};
use crate::system::{ClassIx, DeviceIx, DeviceKind, System, UnitClass};

/// Ranks up to which every set and every partition is looked at: 256 and 4,140.
pub(super) const ALL_SETS: usize = 8;

/// One class of units as a bound sees it.
#[derive(Debug)]
pub(super) struct UnitCuts<'s> {
    /// The class.
    pub(super) class: ClassIx,
    /// Its units.
    pub(super) of: &'s UnitClass,
    /// Its ranks; positions in this list are what sets are made of.
    pub(super) ranks: Vec<DeviceIx>,
    /// How groups lie on them.
    pub(super) lay: Lay,
    /// What is beyond its NICs.
    pub(super) world: World,
    /// Whether a switch that reduces stands between the ranks.
    pub(super) reduces: bool,
    /// What a fabric that reduces can send into the unit, GB/s; 0 where it cannot.
    pub(super) fabric_reduces: f64,
    /// Line rate left of every link, GB/s; 0 where it is down.
    pub(super) rates: Vec<f64>,
    cutter: Cutter,
    table: OnceCell<Vec<f64>>,
}

impl<'s> UnitCuts<'s> {
    /// Every class that has ranks.
    pub(super) fn all(system: &'s System, who: &Participants) -> Vec<Self> {
        let spread = Spread::of(system, who);
        let classes = system.classes.iter().zip(&who.classes).enumerate();
        classes
            .filter(|(_, (_, g))| g.ranks() > 0)
            .map(|(i, (class, groups))| Self::new(system, (ClassIx(i), class), groups, &spread))
            .collect()
    }

    fn new(system: &'s System, (ix, class): (ClassIx, &'s UnitClass), groups: &ClassGroups, spread: &Spread) -> Self {
        let mut ranks: Vec<DeviceIx> = groups.local.iter().flatten().copied().collect();
        ranks.sort_unstable();
        let place = |d: &DeviceIx| ranks.binary_search(d).unwrap_or(0);
        let lists = groups.local.iter().map(|g| g.iter().map(place).collect()).collect();
        let span = spread.span(groups);
        let lay = Lay { groups: lists, span, roots: spread.roots(class) };
        let world = match span {
            Span::Inside if system.units > 1 => World::Idle,
            Span::Inside => World::Alone,
            Span::Across { .. } | Span::Perhaps { .. } => World::Ranks,
        };
        let fabric = system.fabric.as_ref();
        let (between, wires) = wires((&class.shape, &class.health), fabric, &ranks, world);
        let cutter = Cutter::new(between, &wires);
        let reduces = reduces(system, class, &ranks);
        let fabric_reduces = if fabric.is_some_and(|f| f.transport.sharp) { cables(class) } else { 0.0 };
        let mut rates = vec![0.0; class.shape.links().len()];
        for (l, _, _, rate) in &wires {
            if let Some(cell) = rates.get_mut(l.0 as usize) {
                *cell = *rate;
            }
        }
        let table = OnceCell::new();
        Self { class: ix, of: class, ranks, lay, world, reduces, fabric_reduces, rates, cutter, table }
    }

    /// Rates around every set, by the bits of its positions; empty above [`ALL_SETS`] ranks.
    pub(super) fn table(&self) -> &[f64] {
        self.table.get_or_init(|| self.every_set())
    }

    /// Whether the ranks' groups go beyond the unit.
    pub(super) fn spans(&self) -> bool {
        self.world == World::Ranks
    }

    /// The rate around a set, GB/s per direction.
    pub(super) fn rate(&self, inside: &[bool], scratch: &mut Scratch) -> f64 {
        self.cutter.rate(inside, scratch)
    }

    /// The GPUs of a set.
    pub(super) fn chosen(&self, inside: &[bool]) -> Vec<DeviceIx> {
        self.ranks.iter().zip(inside).filter(|(_, i)| **i).map(|(d, _)| *d).collect()
    }

    fn every_set(&self) -> Vec<f64> {
        let n = self.ranks.len();
        if n > ALL_SETS {
            return Vec::new();
        }
        let (full, mut scratch) = ((1_usize << n) - 1, Scratch::default());
        let mut table = vec![0.0; full + 1];
        for set in 1..=full {
            // Without ranks outside, a set and its complement have the same cut.
            let twin = table.get(full ^ set).copied().filter(|_| !self.spans() && full ^ set < set);
            let rate = twin.unwrap_or_else(|| self.rate(&members(set, n), &mut scratch));
            if let Some(cell) = table.get_mut(set) {
                *cell = rate;
            }
        }
        table
    }
}

/// The set of the bits of a number.
pub(super) fn members(set: usize, n: usize) -> [bool; ALL_SETS] {
    std::array::from_fn(|i| i < n && set >> i & 1 == 1)
}

/// Whether a rank that can use it is cabled to a switch that reduces.
fn reduces(system: &System, class: &UnitClass, ranks: &[DeviceIx]) -> bool {
    let shape = &class.shape;
    let mut last: Option<(&str, bool)> = None;
    ranks.iter().any(|r| {
        let Some(DeviceKind::Gpu(part)) = shape.device(*r).map(|d| &d.kind) else { return false };
        let known = last.filter(|(arch, _)| *arch == part.arch).map(|l| l.1);
        let able = known.unwrap_or_else(|| system.catalogue.arch(&part.arch).is_ok_and(|a| a.in_switch_reduction));
        last = Some((&part.arch, able));
        let reducer = |d: DeviceIx| match shape.device(d).map(|x| &x.kind) {
            Some(DeviceKind::ScaleUpSwitch(s)) => s.reduction.is_some(),
            _ => false,
        };
        able && shape.around(*r).iter().any(|(l, d)| reducer(*d) && class.health.left(shape, *l).ratio() > 0.0)
    })
}

/// Line rate of all NIC cables of a unit that are up.
fn cables(class: &UnitClass) -> f64 {
    let shape = &class.shape;
    let Some(fabric) = shape.fabric() else { return 0.0 };
    let rate = |l| shape.link(l).map_or(0.0, |k| k.line_rate().gbytes_per_s()) * class.health.left(shape, l).ratio();
    shape.around(fabric).iter().map(|(l, _)| rate(*l)).sum()
}
