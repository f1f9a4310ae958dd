//! The bound: the least time that any algorithm needs on this hardware, from line rates alone.
//!
//! Data that must get from one set of ranks to the others has to cross every cut between them, and a cut carries what its
//! wires carry. What counts is the hardware that is there, with its health: every wire of a GPU (scale-up links *and* its
//! `PCIe` or C2C link), every NIC, the ways through switches, CPUs and idle GPUs. Settings, usable shares, protocols and
//! launches do not count. So the bound of a switched node is not S over the `NVLink` rate alone but over `NVLink` and `PCIe`
//! together.
//!
//! * One cut: `load S / rate`, see [`demand`]. All sets of up to eight ranks of a unit, natural sets of larger units, units
//!   and groups of leaves. Groups that run at the same time add up.
//! * All-reduce over k parts: `2(k-1) S / (sum of the parts' rates)`, where nothing between the parts reduces.
//!
//! What is taken for granted: sums are formed by ranks and by switches that can (CPUs, NICs and idle GPUs pass data on),
//! and the services network carries none of it.

mod alike;
mod cutter;
mod demand;
mod flow;
mod leaf;
mod partition;
mod place;
mod sets;
mod spread;
#[cfg(test)]
mod tests;
mod unit;

pub use place::{BoundCut, CutPlace};

use alike::Usual;
use partition::Choice;
use unit::{ALL_SETS, UnitCuts};

use crate::question::{Collective, Participants};
use crate::system::System;
use crate::units::{Bandwidth, Bytes, Share, Time};

/// The bound of a collective for any size: it is linear in the message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoundRate {
    us_per_byte: f64,
    cut: Option<BoundCut>,
}

impl BoundRate {
    /// The least time for a message (nccl-tests' size).
    pub fn time(&self, size: Bytes) -> Time {
        Time::from_us(self.us_per_byte * size.get())
    }

    /// The cut that binds; `None` when nothing has to be moved.
    pub fn cut(&self) -> Option<&BoundCut> {
        self.cut.as_ref()
    }

    fn offer(&mut self, load: f64, rate: f64, place: impl FnOnce() -> CutPlace) {
        // A cut that carries nothing says that ranks are unreachable, which is an answer of its own.
        if load <= 0.0 || rate <= 0.0 {
            return;
        }
        let us_per_byte = load / (rate * 1000.0);
        if us_per_byte > self.us_per_byte * (1.0 + 1e-12) {
            let (load, rate) = (Share::new(load), Bandwidth::from_gbytes_per_s(rate));
            *self = Self { us_per_byte, cut: Some(BoundCut { place: place(), load, rate }) };
        }
    }
}

/// The least time that any algorithm needs for a collective among the participants.
pub fn bound(system: &System, who: &Participants, collective: Collective, size: Bytes) -> Time {
    bound_rate(system, who, collective).time(size)
}

/// The same for any size, with the cut that binds.
pub fn bound_rate(system: &System, who: &Participants, collective: Collective) -> BoundRate {
    searched(system, who, collective, alike::FEW)
}

/// The same; with more than `few` classes only what may matter of each is searched.
fn searched(system: &System, who: &Participants, collective: Collective, few: usize) -> BoundRate {
    let mut best = BoundRate::default();
    if who.ranks < 2 {
        return best;
    }
    let units = UnitCuts::all(system, who);
    let families: Vec<_> = units.iter().map(sets::families).collect();
    let usual = Usual::of(&units, collective, few);
    // Those that have lost most first: they tell how little the others matter.
    let mut short: Vec<(f64, &UnitCuts<'_>)> = Vec::new();
    for (unit, families) in units.iter().zip(&families) {
        match usual.as_ref().and_then(|u| u.lost(unit)) {
            Some(lost) if lost > 0.0 => short.push((lost, unit)),
            _ => single_cuts(&mut best, unit, families, collective),
        }
    }
    short.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (lost, unit) in &short {
        few_cuts(&mut best, usual.as_ref(), (unit, *lost), collective);
    }
    if collective == Collective::AllReduce {
        partitions(&mut best, who, (&units, &families), usual.as_ref());
    }
    for cut in leaf::cuts(system, who, collective) {
        best.offer(cut.load, cut.rate, || cut.group.map_or(CutPlace::Leaves, CutPlace::Leaf));
    }
    best
}

/// The cuts around sets of ranks of one unit.
fn single_cuts(best: &mut BoundRate, unit: &UnitCuts<'_>, families: &[Vec<sets::Set>], collective: Collective) {
    let mut scratch = cutter::Scratch::default();
    let table = unit.table();
    sets::each(unit, families, |inside| {
        let load = unit.lay.demand(collective, inside);
        let rate = if unit.ranks.len() <= ALL_SETS {
            let bits = inside.iter().enumerate().map(|(i, x)| usize::from(*x) << i).sum::<usize>();
            table.get(bits).copied().unwrap_or(0.0)
        } else {
            unit.rate(inside, &mut scratch)
        };
        best.offer(load, rate, || CutPlace::Ranks { class: unit.class, inside: unit.chosen(inside) });
    });
}

/// The cuts of a unit that is a few links short of the usual one.
fn few_cuts(
    best: &mut BoundRate,
    usual: Option<&Usual<'_, '_>>,
    (unit, lost): (&UnitCuts<'_>, f64),
    collective: Collective,
) {
    let Some(usual) = usual else { return };
    let mut scratch = cutter::Scratch::default();
    let cell = std::cell::RefCell::new(best);
    let least = || cell.borrow().us_per_byte * (1.0 + 1e-12);
    usual.worth_a_look(lost, least, |inside| {
        let (load, rate) = (unit.lay.demand(collective, inside), unit.rate(inside, &mut scratch));
        cell.borrow_mut().offer(load, rate, || CutPlace::Ranks { class: unit.class, inside: unit.chosen(inside) });
    });
}

/// All-reduce over parts: of each unit by itself, or, where groups go beyond, of all units together.
fn partitions(
    best: &mut BoundRate,
    who: &Participants,
    (units, families): (&[UnitCuts<'_>], &[Vec<Vec<sets::Set>>]),
    usual: Option<&Usual<'_, '_>>,
) {
    let spans = units.iter().any(UnitCuts::spans);
    let groups_of = |u: &UnitCuts<'_>| if spans { who.groups as f64 } else { u.lay.groups.len() as f64 };
    let number = |u: &UnitCuts<'_>| if spans { u.of.members.len() as f64 } else { 1.0 };
    let model = usual.map(|u| {
        let choice = Choice::of(u.unit, &[]);
        partition::best(&[(&choice, number(u.unit))], groups_of(u.unit)).map_or(Vec::new(), |b| b.sets)
    });
    let choices: Vec<Choice> = units
        .iter()
        .zip(families)
        .map(|(unit, f)| match (&model, usual.and_then(|u| u.lost(unit))) {
            (Some(sets), Some(lost)) if lost > 0.0 => Choice::like(unit, sets),
            _ => Choice::of(unit, f),
        })
        .collect();
    let mut add = |found: Option<partition::Best>| {
        let Some(b) = found else { return };
        best.offer(2.0 * b.moves, b.rate, || CutPlace::Parts { sizes: b.sizes });
    };
    if spans {
        let counted: Vec<(&Choice, f64)> = choices.iter().zip(units).map(|(c, u)| (c, number(u))).collect();
        add(partition::best(&counted, who.groups as f64));
    } else {
        for (choice, unit) in choices.iter().zip(units) {
            add(partition::best(&[(choice, 1.0)], groups_of(unit)));
        }
    }
}
