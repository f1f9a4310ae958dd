//! When each step of a schedule ends, so that the last one ends at the estimate's time.
//!
//! An estimate is a sum of four terms; the steps share them out like this:
//! - *launch* passes before the first step;
//! - *bytes on the busiest link*: in proportion to what the busiest link of each step alone needs for that step's bytes;
//! - *step latencies*: evenly over the steps of rings and of direct exchanges; where pieces follow each other through a
//!   pipeline, over the stages of the first piece (each by its own latency), since those of later pieces overlap with them;
//! - *fill of the pipeline*: in the first step of a ring, evenly over the stages of the first piece elsewhere.

mod step;
mod words;

use std::collections::HashMap;

use crate::collective::Pattern;
use crate::collective::schedule::{Plan, Schedule};
use crate::cost::{BindingPlace, Estimate, Prepared};
use crate::system::Tier;
use crate::units::{Bytes, Time};
use step::{Costs, StepCost};

/// The link that a step waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Slowest {
    /// Where.
    pub place: BindingPlace,
    /// Its address.
    pub name: String,
    /// What it needs for the bytes of the step, at its usable rate.
    pub time: Time,
}

/// What a tier has done up to a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierProgress {
    /// The tier.
    pub tier: Tier,
    /// Bytes that one rank has sent over it so far.
    pub bytes: Bytes,
    /// The same at the end.
    pub all_bytes: Bytes,
    /// Time that its busiest link has worked so far.
    pub time: Time,
    /// The same at the end.
    pub all_time: Time,
}

/// Steps that repeat, with what each takes.
#[derive(Debug, Clone)]
struct Part {
    repeat: u64,
    steps: Vec<Timed>,
}

/// A step with its share of the time.
#[derive(Debug, Clone)]
struct Timed {
    time: f64,
    cost: StepCost,
}

/// A schedule with its times.
#[derive(Debug, Clone)]
pub struct Timeline {
    schedule: Schedule,
    parts: Vec<Part>,
    launch: Time,
    /// Of the first step alone: the fill of a ring's pipeline.
    extra: f64,
    total: Time,
    tiers: Vec<TierProgress>,
}

impl Timeline {
    /// The steps of an estimate's chosen algorithm; `None` where nothing is moved.
    pub fn of(p: &Prepared<'_>, e: &Estimate) -> Option<Self> {
        let uses: Vec<(Pattern, Bytes)> = e.chosen.traffic.iter().map(|u| (u.pattern, u.bytes)).collect();
        let focus = match e.chosen.binding.place {
            BindingPlace::Link { class, .. } => Some(class),
            _ => None,
        };
        let (collective, algorithm) = (e.question.collective, e.chosen.algorithm);
        let plan = Plan { collective, algorithm, size: e.question.size, uses: &uses, focus };
        let schedule = Schedule::new(p.system, p.who, &plan)?;
        let costs = Costs::new(p, e);
        let mut known: HashMap<u64, StepCost> = HashMap::new();
        let runs = schedule.runs();
        let mut parts: Vec<Part> = runs
            .iter()
            .map(|run| {
                let mut timed = |s: &u64| {
                    let like = schedule.like(*s);
                    let cost = known.entry(like).or_insert_with(|| costs.step(&schedule, like)).clone();
                    Timed { time: 0.0, cost }
                };
                Part { repeat: run.repeat, steps: run.steps.iter().map(&mut timed).collect() }
            })
            .collect();
        let extra = share_out(&mut parts, &schedule, e);
        Some(Self { schedule, parts, launch: e.chosen.terms.launch, extra, total: e.time, tiers: tiers(e) })
    }

    /// The moves.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.schedule.steps()
    }

    /// Time of the whole call: the estimate's.
    pub const fn total(&self) -> Time {
        self.total
    }

    /// Time until so many steps are done: 0 gives the launch, all of them the whole.
    pub fn end(&self, steps: u64) -> Time {
        if steps >= self.steps() {
            return self.total;
        }
        let extra = if steps > 0 { self.extra } else { 0.0 };
        self.launch + Time::from_us(self.sum(steps, |t| t.time) + extra)
    }

    /// Time of one step alone.
    pub fn alone(&self, step: u64) -> Time {
        let extra = if step == 0 { self.extra } else { 0.0 };
        Time::from_us(self.timed(step).map_or(0.0, |t| t.time) + extra)
    }

    /// The first step that is not done at a time.
    pub fn at(&self, time: Time) -> u64 {
        let (mut low, mut high) = (0, self.steps());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.end(middle + 1).us() <= time.us() { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The link that a step waits for; `None` where its bytes are on no link of the shown units.
    pub fn slowest(&self, step: u64) -> Option<&Slowest> {
        self.timed(step)?.cost.slowest.as_ref()
    }

    /// What every tier has done when so many steps are done.
    pub fn tiers(&self, steps: u64) -> Vec<TierProgress> {
        let all = self.steps();
        let share = |tier: Tier| {
            let whole = self.sum(all, |t| t.cost.on(tier));
            // Where all steps are alike, or the shown units say nothing about a tier, by the count of steps.
            if whole > 0.0 { self.sum(steps, |t| t.cost.on(tier)) / whole } else { steps as f64 / all.max(1) as f64 }
        };
        let so_far = |t: &TierProgress| {
            let part = if steps >= all { 1.0 } else { share(t.tier) };
            TierProgress { bytes: t.all_bytes * part, time: t.all_time * part, ..*t }
        };
        self.tiers.iter().map(so_far).collect()
    }

    /// The step that stands for one.
    fn timed(&self, step: u64) -> Option<&Timed> {
        let mut left = step;
        for part in &self.parts {
            let each = part.steps.len() as u64;
            if left < part.repeat * each {
                return part.steps.get((left % each) as usize);
            }
            left -= part.repeat * each;
        }
        None
    }

    /// A figure summed over the first steps.
    fn sum(&self, steps: u64, of: impl Fn(&Timed) -> f64) -> f64 {
        let (mut left, mut sum) = (steps, 0.0);
        for part in &self.parts {
            let each = part.steps.len() as u64;
            if each == 0 {
                continue;
            }
            let rounds = (left / each).min(part.repeat);
            if rounds > 0 {
                sum += part.steps.iter().map(&of).sum::<f64>() * rounds as f64;
                left -= rounds * each;
            }
            if rounds < part.repeat {
                return sum + part.steps.iter().take(left as usize).map(&of).sum::<f64>();
            }
        }
        sum
    }
}

/// What each tier does in all, as the estimate has it.
fn tiers(e: &Estimate) -> Vec<TierProgress> {
    let row = |t: &crate::cost::TierUse| TierProgress {
        tier: t.tier,
        bytes: Bytes::ZERO,
        all_bytes: t.bytes_per_rank,
        time: Time::ZERO,
        all_time: t.time,
    };
    e.tiers.iter().map(row).collect()
}

/// Gives every step its share of the terms; returns what the first step alone takes beyond its share.
fn share_out(parts: &mut [Part], schedule: &Schedule, e: &Estimate) -> f64 {
    let terms = e.chosen.terms;
    let pipeline = schedule.first_stages().filter(|_| parts.len() == 1 && parts.iter().all(|p| p.repeat == 1));
    let weigh = |cost: &StepCost| cost.slowest.as_ref().map_or(0.0, |s| s.time.us());
    let count: f64 = parts.iter().map(|p| (p.repeat * p.steps.len() as u64) as f64).sum();
    let busy: f64 = parts.iter().map(|p| p.repeat as f64 * p.steps.iter().map(|t| weigh(&t.cost)).sum::<f64>()).sum();
    let (inside, network) = latencies(e);
    let stage = |cost: &StepCost| if cost.network { network } else { inside };
    let mut first: f64 = 0.0;
    if let (Some(stages), Some(part)) = (pipeline, parts.first()) {
        first = part.steps.iter().take(stages as usize).map(|t| stage(&t.cost)).sum();
    }
    for part in parts.iter_mut() {
        for (i, t) in part.steps.iter_mut().enumerate() {
            let bytes = if busy > 0.0 { weigh(&t.cost) / busy } else { 1.0 / count };
            t.time = terms.transfer.us() * bytes;
            t.time += match pipeline {
                None => terms.steps.us() / count,
                Some(stages) if (i as u64) < stages => {
                    let own = if first > 0.0 { stage(&t.cost) / first } else { 1.0 / stages as f64 };
                    terms.steps.us() * own + terms.fill.us() / stages as f64
                }
                Some(_) => 0.0,
            };
        }
    }
    if pipeline.is_some() { 0.0 } else { terms.fill.us() }
}

/// Latency of a stage inside a unit and of one over the network, us.
fn latencies(e: &Estimate) -> (f64, f64) {
    let c = &e.chosen;
    let fixed = c.terms.steps - (c.step_inside * c.steps_inside as f64 + c.step_network * c.steps_network as f64);
    let inside = if c.steps_inside > 0 { c.step_inside.us() } else { fixed.us().max(0.0) / 2.0 };
    (inside, c.step_network.us())
}
