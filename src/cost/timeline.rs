//! When each step of a schedule ends, so that the last one ends at the estimate's time.
//!
//! An estimate is a sum of four terms; the steps share them out so that none is shorter than its bytes need on its slowest
//! link:
//! - *launch* passes before the first step;
//! - rings and direct exchanges: every step has what its slowest link needs, and an equal share of the step latencies and of what
//!   kernels need beyond the links; the *fill of the pipeline* is in the first one. Where the turns of an all-to-all would need
//!   longer one by one than the links need for all bytes at once, all pairs share the links instead, a slice of every block in
//!   a step;
//! - pipelines: a first piece passes one stage per step. It takes the step latencies (each stage by its own), the fill, and its
//!   own part of the bytes' time. The rest streams behind it: each step is one piece on all stages at once, and takes its part
//!   of the bytes' time.

mod held;
mod parts;
mod step;
mod words;

use crate::collective::Pattern;
use crate::collective::schedule::{Leg, Move, Plan, Schedule};
use crate::cost::{BindingPlace, Estimate, Prepared};
use crate::system::Tier;
use crate::units::{Bytes, Time};
pub use held::{Cell, ChunkTable, Done, MOST_RANKS, chunk_table, short_place};
use step::StepCost;

/// The link that a step waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Slowest {
    /// Where.
    pub place: BindingPlace,
    /// In which unit of the system; `None` where all units of the class are alike in the step.
    pub unit: Option<u32>,
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
    bottleneck: String,
    lane: usize,
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
        let (schedule, parts, extra) = parts::parts(p, e, schedule);
        let launch = e.chosen.terms.launch;
        let bottleneck = e.bottleneck.clone();
        let made = Self { schedule, parts, launch, extra, total: e.time, tiers: tiers(e), bottleneck, lane: 0 };
        Some(Self { lane: made.busiest_lane(), ..made })
    }

    /// What binds the whole, in words: the estimate's.
    pub fn bottleneck(&self) -> &str {
        &self.bottleneck
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

    /// The ring, chain or part that the binding link is on: the one to look at first.
    pub const fn lane(&self) -> usize {
        self.lane
    }

    /// Whether a move of the first group uses a link.
    pub fn uses(&self, s: &Slowest, m: &Move) -> bool {
        match s.place {
            BindingPlace::Link { class, link, forward } => {
                let at = |unit: u32| s.unit.is_none_or(|u| self.schedule.unit(0, unit).is_some_and(|x| x.0 == u));
                let over = |l: &Leg| l.hops.iter().any(|h| h.link == link && h.forward == forward);
                m.legs.iter().any(|l| l.class == class && at(l.unit) && over(l))
            }
            BindingPlace::Uplink(_) => m.legs.iter().any(|l| l.pattern.is_network()),
            BindingPlace::Kernel | BindingPlace::Nothing => false,
        }
    }

    /// The first lane that uses the slowest link of the last step.
    fn busiest_lane(&self) -> usize {
        let Some(last) = self.steps().checked_sub(1) else { return 0 };
        let Some(slowest) = self.slowest(last) else { return 0 };
        let on = |lane: &usize| self.schedule.moves(0, last, Some(*lane)).iter().any(|m| self.uses(slowest, m));
        (0..self.schedule.lanes(0)).find(on).unwrap_or(0)
    }

    /// The link that a step waits for; `None` where its bytes are on no link of the shown units.
    pub fn slowest(&self, step: u64) -> Option<&Slowest> {
        self.timed(step)?.cost.slowest.as_ref()
    }

    /// What every tier has done when so many steps are done.
    pub fn tiers(&self, steps: u64) -> Vec<TierProgress> {
        let all = self.steps();
        let share = |tier: Tier| {
            StepCost::index(tier).map_or(0.0, |i| self.sum(steps, |t| t.cost.tiers.get(i).copied().unwrap_or(0.0)))
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
