//! Calibration on a machine's own log: the few settings that make the estimate fit, as explicit edits.
//!
//! It takes the machine as it is: a fault is calibrated away like anything else, so diagnose first.

use super::diagnose::{Observed, launch_for, launch_now, price};
use super::stats::{Band, median};
use crate::scenario::{Edit, Key, Value};
use crate::system::System;
use crate::units::{Share, Time};

/// Errors above this (logarithmic) count linearly.
const ROBUST: f64 = 0.1;

/// An edit stays only if without it the cost is higher by this share, and by this at least.
const WORTH: (f64, f64) = (0.03, 0.001);

/// Usable shares are given to a thousandth.
const DIGITS: f64 = 1e3;

/// Keys of usable rates that a log may fix.
const USABLE: [Key; 5] = [Key::UsableNvlink, Key::UsableXgmi, Key::UsablePcie, Key::UsableSocket, Key::UsableNetwork];

/// Settings that fit a log, and what they do.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The edits; empty if nothing would get better.
    pub edits: Vec<Edit>,
    /// Median absolute error of time in a band, mean over the bands, without them.
    pub before: Share,
    /// The same with them.
    pub after: Share,
    /// What each key was before, beside its edit.
    pub was: Vec<Option<Value>>,
}

/// Finds launch overhead and usable rates for which the estimate fits the rows. `None` if the system has no answer for them.
pub fn calibrate(rows: &[Observed], system: &System) -> Option<Calibration> {
    let bench = Bench::new(rows, system);
    let start = bench.price(&[])?;
    let mut at = Set::new();
    let mut best = bench.cost(&start);
    for step in [0.12, 0.04, 0.012, 0.004] {
        // The key that helps most goes first; what is left is for the others.
        for _ in USABLE {
            let tries = USABLE.map(|key| {
                let (mut trial, mut cost) = (at.clone(), best);
                bench.descend(&mut trial, &mut cost, key, step);
                (trial, cost)
            });
            match tries.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((trial, cost)) if cost < best => (at, best) = (trial, cost),
                _ => break,
            }
        }
        bench.launch(&mut at, &mut best);
    }
    bench.prune(&mut at, &mut best);
    let (before, mut after) = (bench.error(&start), bench.error(&bench.price(&at)?));
    if after >= before {
        (at, after) = (Set::new(), before);
    }
    let was = at.iter().map(|(k, _)| bench.was(*k)).collect();
    let edits = at.iter().map(|(k, v)| Edit::set(*k, v.clone())).collect();
    Some(Calibration { edits, before, after, was })
}

struct Bench<'a> {
    rows: &'a [Observed],
    system: &'a System,
    /// Every band counts the same; they add up to 1.
    weights: Vec<f64>,
}

type Set = Vec<(Key, Value)>;

impl<'a> Bench<'a> {
    fn new(rows: &'a [Observed], system: &'a System) -> Self {
        let cell = |o: &Observed| (o.collective, Band::of(o.size));
        let same = |o: &Observed| rows.iter().filter(|x| cell(x) == cell(o)).count() as f64;
        let raw: Vec<f64> = rows.iter().map(|o| 1.0 / same(o)).collect();
        let sum: f64 = raw.iter().sum();
        Self { rows, system, weights: raw.iter().map(|w| w / sum).collect() }
    }

    fn price(&self, at: &[(Key, Value)]) -> Option<Vec<f64>> {
        let edits: Vec<Edit> = at.iter().map(|(k, v)| Edit::set(*k, v.clone())).collect();
        price(self.system, &edits, self.rows)
    }

    fn cost(&self, curve: &[f64]) -> f64 {
        let term = |((o, t), w): ((&Observed, &f64), &f64)| {
            let e = (o.time.us() / t).ln() / ROBUST;
            w * (e.hypot(1.0) - 1.0) * ROBUST
        };
        self.rows.iter().zip(curve).zip(&self.weights).map(term).sum()
    }

    /// Median over bands of the median absolute error of time.
    fn error(&self, curve: &[f64]) -> Share {
        let mut bands = Vec::new();
        for band in Band::ALL {
            let here = self.rows.iter().zip(curve).filter(|(o, _)| Band::of(o.size) == band);
            let errors: Vec<Share> = here.map(|(o, t)| Share::new((t / o.time.us() - 1.0).abs())).collect();
            bands.extend(median(&errors));
        }
        let sum: f64 = bands.iter().map(|b| b.ratio()).sum();
        Share::new(sum / bands.len().max(1) as f64)
    }

    fn was(&self, key: Key) -> Option<Value> {
        if key == Key::Launch { Some(Value::Time(launch_now(self.system))) } else { key.current(self.system) }
    }

    /// Walks one usable share up or down as long as the fit gets better.
    fn descend(&self, at: &mut Set, best: &mut f64, key: Key, step: f64) {
        let now = at.iter().find(|(k, _)| *k == key).map(|(_, v)| v.clone()).or_else(|| key.current(self.system));
        let Some(Value::Share(start)) = now else { return };
        for factor in [1.0 + step, 1.0 / (1.0 + step)] {
            let mut v = start.ratio();
            let mut moved = false;
            while let Some(next) = next_share(v, factor) {
                let trial = with(at, key, Value::Share(Share::new(next)));
                let Some(cost) = self.price(&trial).map(|c| self.cost(&c)).filter(|c| *c < *best - 1e-6) else { break };
                (*at, *best, v, moved) = (trial, cost, next, true);
            }
            if moved {
                return;
            }
        }
    }

    /// The launch overhead follows from the small sizes at once.
    fn launch(&self, at: &mut Set, best: &mut f64) {
        let now = match at.iter().find(|(k, _)| *k == Key::Launch) {
            Some((_, Value::Time(t))) => *t,
            _ => launch_now(self.system),
        };
        let Some(curve) = self.price(at) else { return };
        let Some(launch) = launch_for(now, &curve, self.rows).filter(|t| *t > Time::ZERO) else { return };
        let trial = with(at, Key::Launch, Value::Time(launch));
        if let Some(cost) = self.price(&trial).map(|c| self.cost(&c)).filter(|c| *c < *best - 1e-6) {
            (*at, *best) = (trial, cost);
        }
    }

    /// Takes back what hardly helps.
    fn prune(&self, at: &mut Set, best: &mut f64) {
        let mut i = 0;
        while i < at.len() {
            let mut less = at.clone();
            less.remove(i);
            match self.price(&less).map(|c| self.cost(&c)) {
                Some(cost) if cost - *best < (*best * WORTH.0).max(WORTH.1) => {
                    *at = less;
                    *best = cost;
                }
                _ => i += 1,
            }
        }
    }
}

fn with(at: &[(Key, Value)], key: Key, value: Value) -> Set {
    let mut new = at.to_vec();
    match new.iter_mut().find(|(k, _)| *k == key) {
        Some(slot) => slot.1 = value,
        None => new.push((key, value)),
    }
    new
}

/// The next value; `None` at the ends.
fn next_share(v: f64, factor: f64) -> Option<f64> {
    let next = ((v * factor).min(1.0) * DIGITS).round() / DIGITS;
    (next > 0.005 && (next - v).abs() > 0.5 / DIGITS).then_some(next)
}

#[cfg(test)]
mod tests;
