//! From a schedule and an estimate to steps with times: how fine the first piece is, and what every step takes.

use std::collections::HashMap;

use super::step::{Costs, SAME, StepCost};
use super::{Part, Timed};
use crate::collective::schedule::{Cut, Schedule};
use crate::cost::{Estimate, Prepared};
use crate::units::Time;

/// The schedule with its message cut so that every step has the time that its bytes need, its steps with their times, and what
/// the first step takes beyond its share, us.
pub(super) fn parts(p: &Prepared<'_>, e: &Estimate, schedule: Schedule) -> (Schedule, Vec<Part>, f64) {
    let costs = Costs::new(p, e);
    if schedule.first_stages().is_some() {
        let (schedule, part) = pipeline(&costs, e, schedule);
        return (schedule, vec![part], 0.0);
    }
    let terms = e.chosen.terms;
    if schedule.even().is_none() {
        let parts = rounds(&costs, &schedule);
        if needed(&parts) <= (terms.transfer + terms.steps).us() || !schedule.is_pairs() {
            return (schedule, timed(parts, terms.transfer + terms.steps), terms.fill.us());
        }
    }
    // All steps alike; pairs whose turns would take longer one by one than all at once share the links.
    let schedule = if schedule.is_pairs() { schedule.with_cut(Cut::in_slices()) } else { schedule };
    let steps = schedule.steps().max(1);
    let cost = costs.part(1.0 / steps as f64);
    let parts = vec![Part { repeat: steps, steps: vec![Timed::of(cost)] }];
    (schedule, timed(parts, terms.transfer + terms.steps), terms.fill.us())
}

impl Timed {
    fn of(cost: StepCost) -> Self {
        Self { time: 0.0, cost }
    }
}

/// What the slowest links of all steps need, one step after the other, us.
fn needed(parts: &[Part]) -> f64 {
    parts.iter().map(|p| p.repeat as f64 * p.steps.iter().map(|t| t.cost.need()).sum::<f64>()).sum()
}

/// Every step has what its slowest link needs and an equal share of what is left.
fn timed(mut parts: Vec<Part>, all: Time) -> Vec<Part> {
    let count: f64 = parts.iter().map(|p| (p.repeat * p.steps.len() as u64) as f64).sum();
    let left = (all.us() - needed(&parts)).max(0.0) / count.max(1.0);
    for t in parts.iter_mut().flat_map(|p| &mut p.steps) {
        t.time = t.cost.need() + left;
    }
    parts
}

/// Steps that are priced by their moves, with their shares of each tier's bytes.
fn rounds(costs: &Costs<'_, '_>, schedule: &Schedule) -> Vec<Part> {
    let runs = schedule.runs();
    let timed = |s: &u64| Timed::of(costs.step(schedule, *s));
    let mut parts: Vec<Part> =
        runs.iter().map(|r| Part { repeat: r.repeat, steps: r.steps.iter().map(timed).collect() }).collect();
    let weights: Vec<f64> = parts.iter().flat_map(|p| vec![p.repeat as f64; p.steps.len()]).collect();
    let mut list: Vec<&mut StepCost> = parts.iter_mut().flat_map(|p| &mut p.steps).map(|t| &mut t.cost).collect();
    shares(&mut list, &weights, 1.0);
    with_uplinks(costs, &mut list);
    parts
}

/// Bytes per tier become shares of what the tier carries in all steps; each step counts so often. A tier that the shown units
/// say nothing about goes by the count of steps.
fn shares(list: &mut [&mut StepCost], weights: &[f64], whole: f64) {
    let count: f64 = weights.iter().sum();
    for tier in 0..4 {
        let at = |c: &StepCost| c.tiers.get(tier).copied().unwrap_or(0.0);
        let all: f64 = list.iter().zip(weights).map(|(c, w)| at(c) * w).sum();
        for c in list.iter_mut() {
            let share = if all > 0.0 { at(c) / all } else { 1.0 / count };
            if let Some(cell) = c.tiers.get_mut(tier) {
                *cell = whole * share;
            }
        }
    }
}

/// Where the uplinks of a leaf need longer for a step's share of the network's bytes than any link of the units, they are what
/// it waits for.
fn with_uplinks(costs: &Costs<'_, '_>, list: &mut [&mut StepCost]) {
    let Some(up) = costs.uplinks() else { return };
    for c in list.iter_mut().filter(|c| c.network) {
        let time = up.time * c.tiers[2];
        // As slow as a link of the units: the estimate says which of them it is.
        let same = time.us() >= c.need() * (1.0 - SAME) && costs.binds(up.place);
        if same || time.us() > c.need() * (1.0 + SAME) {
            c.slowest = Some(super::Slowest { time, ..up.clone() });
        }
    }
}

/// The first piece stage by stage, then the others on all stages at once.
///
/// The first piece takes the step latencies, the fill of the pipeline and its own part of the transfer. It is the largest that
/// the links of its stages can carry, one after the other, in the fill, its part of the transfer and half of the latencies: the
/// other half is waiting. A small message goes as one piece.
fn pipeline(costs: &Costs<'_, '_>, e: &Estimate, schedule: Schedule) -> (Schedule, Part) {
    let schedule = schedule.with_cut(Cut::first(1.0));
    let stages = schedule.steps();
    let mut known: HashMap<u64, StepCost> = HashMap::new();
    let mut cost = |s: u64| {
        let like = schedule.like(s);
        known.entry(like).or_insert_with(|| costs.step(&schedule, like)).clone()
    };
    let mut whole: Vec<StepCost> = (0..stages).map(&mut cost).collect();
    let passes: Vec<f64> = (0..stages).map(|s| schedule.passes(s) as f64).collect();
    let mut list: Vec<&mut StepCost> = whole.iter_mut().collect();
    shares(&mut list, &vec![1.0; stages as usize], 1.0);
    with_uplinks(costs, &mut list);

    let terms = e.chosen.terms;
    let free = terms.steps + terms.fill;
    let need: f64 = whole.iter().zip(&passes).map(|(c, n)| c.need() * n).sum();
    let beyond = need - terms.transfer.us();
    let room = (terms.fill + terms.steps * 0.5).us();
    let first = if beyond > room { room / beyond } else { 1.0 };
    let cut = Cut::first(first);
    let first = cut.share(0);

    let (inside, network) = latencies(e);
    let latency = |c: &StepCost, n: f64| n * if c.network { network } else { inside };
    let latest: f64 = whole.iter().zip(&passes).map(|(c, n)| latency(c, *n)).sum();
    let left = (free.us() + (terms.transfer.us() - need) * first).max(0.0);
    let step = |(c, n): (StepCost, &f64)| {
        let own = if latest > 0.0 { latency(&c, *n) / latest } else { 1.0 / stages as f64 };
        Timed { time: first * c.need() * n + left * own, cost: c.part(first) }
    };
    let mut steps: Vec<Timed> = whole.into_iter().zip(&passes).map(step).collect();
    let streams = |piece: u64| {
        let share = cut.share(piece);
        Timed { time: terms.transfer.us() * share, cost: costs.part(share) }
    };
    steps.extend((1..cut.pieces()).map(streams));
    (schedule.with_cut(cut), Part { repeat: 1, steps })
}

/// Latency of a stage inside a unit and of one over the network, us.
fn latencies(e: &Estimate) -> (f64, f64) {
    let c = &e.chosen;
    let fixed = c.terms.steps - (c.step_inside * c.steps_inside as f64 + c.step_network * c.steps_network as f64);
    let inside = if c.steps_inside > 0 { c.step_inside.us() } else { fixed.us().max(0.0) / 2.0 };
    (inside, c.step_network.us())
}
