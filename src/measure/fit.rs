//! Fitting the model's constants to measured rows, and judging them on machines that were left out.
//!
//! Cost: a robust function of the logarithmic error of time, averaged so that every size band of every configuration
//! counts once however many rows it has; plus a pull of every parameter towards its prior. Coordinate
//! descent: only the systems that a parameter touches are priced again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::knobs::{Knob, Model, knobs};
use super::predict::{Case, Open, cases};
use super::stats::Band;
use super::table::TableRow;
use crate::parts::Catalogue;
use crate::units::{Share, Time};

/// Errors above this (logarithmic) count linearly.
const ROBUST: f64 = 0.15;
/// Weight of the pull towards the priors.
const PULL: f64 = 0.0015;

/// A table being fitted.
pub struct Fit<'a> {
    rows: &'a [TableRow],
    open: Open<'a>,
    cases: Vec<Case>,
    knobs: Vec<Knob>,
    priors: Vec<f64>,
    touched: Vec<Vec<usize>>,
    /// Weight of each row: 1 / rows of its id, 0 for warm-ups and degraded machines.
    weights: Vec<f64>,
}

/// A model with the time it predicts for each row (`None`: unreachable).
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The constants.
    pub model: Model,
    /// Predicted times, by row.
    pub times: Vec<Option<Time>>,
    /// Its cost.
    pub cost: Share,
}

impl<'a> Fit<'a> {
    /// Gets a table ready; `known` are parameters whose values are known better than by default: their name and how far
    /// they may stray. The error names what does not parse or apply.
    pub fn new(rows: &'a [TableRow], open: Open<'a>, prior: &Model, known: &[(String, Share)]) -> Result<Self, String> {
        let cases = cases(rows)?;
        let mut knobs = knobs(prior);
        for (name, sigma) in known {
            let knob = knobs.iter_mut().find(|k| k.name == *name).ok_or_else(|| format!("no parameter {name}"))?;
            knob.sigma = sigma.ratio();
        }
        let priors = knobs.iter().map(|k| k.get(prior).ratio()).collect();
        let weights = weights(rows);
        let mut fit = Self { rows, open, cases, knobs, priors, touched: Vec::new(), weights };
        fit.touched = fit.find_touched(prior)?;
        Ok(fit)
    }

    /// Which cases each parameter changes.
    fn find_touched(&self, prior: &Model) -> Result<Vec<Vec<usize>>, String> {
        let base = self.price(prior)?;
        let mut all = Vec::new();
        for k in &self.knobs {
            let mut m = prior.clone();
            k.set(&mut m, k.get(prior) * 0.8);
            let moved = self.price(&m)?;
            let changed = |c: &Case| c.rows.iter().any(|r| base.get(*r) != moved.get(*r));
            all.push((0..self.cases.len()).filter(|i| self.cases.get(*i).is_some_and(changed)).collect());
        }
        Ok(all)
    }

    /// Times of all rows under a model.
    pub fn price(&self, m: &Model) -> Result<Vec<Option<Time>>, String> {
        let mut times = vec![None; self.rows.len()];
        let all: Vec<usize> = (0..self.cases.len()).collect();
        self.reprice(m, &all, &mut times)?;
        Ok(times)
    }

    fn reprice(&self, m: &Model, which: &[usize], times: &mut [Option<Time>]) -> Result<(), String> {
        let catalogue = Arc::new(Catalogue::from_file(m.parts.clone()).map_err(|e| e.to_string())?);
        for case in which.iter().filter_map(|i| self.cases.get(*i)) {
            let system = case.system(self.open, &catalogue)?;
            for (row, p) in case.rows.iter().zip(case.times(&system, &m.params, self.rows)) {
                if let Some(t) = times.get_mut(*row) {
                    *t = p;
                }
            }
        }
        Ok(())
    }

    fn cost(&self, times: &[Option<Time>], m: &Model, skip: &dyn Fn(&TableRow) -> bool) -> f64 {
        let mut sum = 0.0;
        let mut ids = 0.0;
        for ((row, t), w) in self.rows.iter().zip(times).zip(&self.weights) {
            if *w == 0.0 || skip(row) {
                continue;
            }
            let e = t.map_or(2.0, |t| (t / row.time()).ratio().ln());
            sum += w * robust(e);
            ids += w;
        }
        sum / f64::max(ids, 1e-9) + PULL * self.pull(m)
    }

    fn pull(&self, m: &Model) -> f64 {
        let term = |(k, prior): (&Knob, &f64)| {
            let v = k.get(m).ratio();
            if v > 0.0 && *prior > 0.0 { ((v / prior).ln() / k.sigma).powi(2) } else { 0.0 }
        };
        self.knobs.iter().zip(&self.priors).map(term).sum::<f64>() / self.knobs.len().max(1) as f64 * 10.0
    }

    /// Coordinate descent from a model; rows for which `skip` is true do not count.
    pub fn run(&self, start: &Model, rounds: usize, skip: &dyn Fn(&TableRow) -> bool) -> Result<Fitted, String> {
        let mut at = start.clone();
        let mut times = self.price(&at)?;
        let mut best = self.cost(&times, &at, skip);
        let mut steps: Vec<f64> = self.knobs.iter().map(|k| (k.sigma * 0.5).min(0.15)).collect();
        for _ in 0..rounds {
            for (i, knob) in self.knobs.iter().enumerate() {
                let (Some(step), Some(touched)) = (steps.get_mut(i), self.touched.get(i)) else { continue };
                let mut moved = false;
                for factor in [1.0 + *step, 1.0 / (1.0 + *step)] {
                    let mut trial = at.clone();
                    knob.set(&mut trial, knob.get(&at) * factor);
                    let mut t = times.clone();
                    self.reprice(&trial, touched, &mut t)?;
                    let c = self.cost(&t, &trial, skip);
                    if c < best - 1e-9 {
                        (at, times, best, moved) = (trial, t, c, true);
                        break;
                    }
                }
                *step *= if moved { 1.5 } else { 0.5 };
                *step = step.clamp(0.002, 0.5);
            }
        }
        Ok(Fitted { model: at, times, cost: Share::new(best) })
    }

    /// For each machine: the fit without it, and the times that this fit predicts for its rows.
    pub fn leave_one_out(
        &self,
        full: &Model,
        rounds: usize,
        mut progress: impl FnMut(&str),
    ) -> Result<Vec<Option<Time>>, String> {
        let mut times = vec![None; self.rows.len()];
        let mut machines: Vec<&str> = self.rows.iter().map(|r| r.system.as_str()).collect();
        machines.sort_unstable();
        machines.dedup();
        for machine in machines {
            let left: Fitted = self.run(full, rounds, &|r| r.system == machine)?;
            for (i, row) in self.rows.iter().enumerate().filter(|(_, r)| r.system == machine) {
                if let (Some(t), Some(p)) = (times.get_mut(i), left.times.get(i)) {
                    *t = *p;
                }
                let _ = row;
            }
            progress(machine);
        }
        Ok(times)
    }

    /// Values of all parameters under a model, with their priors.
    pub fn values(&self, m: &Model) -> Vec<(String, Share, Share)> {
        let row = |(k, p): (&Knob, &f64)| (k.name.clone(), k.get(m), Share::new(*p));
        self.knobs.iter().zip(&self.priors).map(row).collect()
    }
}

fn robust(e: f64) -> f64 {
    ((1.0 + (e / ROBUST).powi(2)).sqrt() - 1.0) * ROBUST
}

/// Every band of every id counts once.
fn weights(rows: &[TableRow]) -> Vec<f64> {
    let counts = |r: &TableRow| !r.is_degraded() && !r.is_warm_up() && !r.is_guessed();
    let cell = |r: &TableRow| (r.id.clone(), Band::of(r.size));
    let mut per_cell: BTreeMap<(String, Band), f64> = BTreeMap::new();
    for r in rows.iter().filter(|r| counts(r)) {
        *per_cell.entry(cell(r)).or_default() += 1.0;
    }
    rows.iter().map(|r| if counts(r) { per_cell.get(&cell(r)).map_or(0.0, |n| 1.0 / n) } else { 0.0 }).collect()
}
