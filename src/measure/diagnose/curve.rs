//! Measured rows against a predicted curve: how far off, in units of what the model can tell apart.

use super::Observed;
use crate::cost::{Params, Prepared};
use crate::measure::stats::Band;
use crate::question::{Collective, Group, Question};
use crate::scenario::{Context, Edit, Entry, Outcome, apply};
use crate::system::System;
use crate::units::{Share, Time};

/// Narrowest spread (logarithmic) that is believed: two runs of one machine differ by as much.
const LEAST_SPREAD: f64 = 0.05;

/// A cause far from the healthy state is known less precisely than that state: its spread grows by this share of the
/// (logarithmic) distance.
const FAR: f64 = 0.1;

/// Losses this near to the least in a band, plus a share of the least itself, are within noise: 0.25 is three quarters of
/// the range's half-width.
const NOISE: (f64, f64) = (0.25, 0.1);

/// Times for the rows, us, in their order.
pub(in crate::measure) type Curve = Vec<f64>;

/// Measured rows, each with its weight and the model's resolution there.
pub(super) struct Rows<'a> {
    /// What was measured.
    pub(super) all: &'a [Observed],
    /// Weights; every size band of every collective counts the same. They add up to 1.
    weights: Vec<f64>,
    /// Half the range's width, logarithmic, wider far from the healthy estimate.
    spreads: Vec<f64>,
    /// High end of the range over the estimate.
    pub(super) high: Vec<f64>,
    /// Low end of the range over the estimate.
    pub(super) low: Vec<f64>,
}

/// A size band of one collective.
pub(super) type Cell = (Collective, Band);

pub(super) fn cell(o: &Observed) -> Cell {
    (o.collective, Band::of(o.size))
}

/// The cells that have rows, in the order of the collectives' first rows, smallest band first.
pub(super) fn cells(all: &[Observed]) -> Vec<Cell> {
    let mut collectives: Vec<Collective> = Vec::new();
    for o in all {
        if !collectives.contains(&o.collective) {
            collectives.push(o.collective);
        }
    }
    let every = collectives.into_iter().flat_map(|c| Band::ALL.into_iter().map(move |b| (c, b)));
    every.filter(|c| all.iter().any(|o| cell(o) == *c)).collect()
}

impl<'a> Rows<'a> {
    /// Weighs the rows by a healthy estimate's ranges; `None` where it has no answer.
    pub(super) fn new(all: &'a [Observed], system: &System) -> Option<(Self, Curve)> {
        let who = Prepared::participants(system, Group::All).ok()?;
        let prepared = Prepared::new(system, &who);
        let count = cells(all).len() as f64;
        let mut rows = Self { all, weights: Vec::new(), spreads: Vec::new(), high: Vec::new(), low: Vec::new() };
        let mut curve = Vec::new();
        for o in all {
            let answer = prepared.answer(&question(o));
            let e = answer.estimate()?;
            let same = all.iter().filter(|x| cell(x) == cell(o)).count() as f64;
            rows.weights.push(1.0 / (same * count));
            let range = (0.5 * (e.high / e.low).ratio().ln()).max(LEAST_SPREAD);
            rows.spreads.push(range.hypot(FAR * (o.time / e.time).ratio().ln()));
            rows.high.push((e.high / e.time).ratio());
            rows.low.push((e.low / e.time).ratio());
            curve.push(e.time.us());
        }
        Some((rows, curve))
    }

    /// Mean loss of a curve: 0 fits exactly, 0.4 is one half-width of the range off everywhere; grows with the logarithm.
    pub(super) fn score(&self, curve: &[f64]) -> f64 {
        let terms = self.all.iter().zip(curve).zip(self.weights.iter().zip(&self.spreads));
        terms.map(|((o, t), (w, s))| w * loss((o.time.us() / t).ln() / s)).sum()
    }

    /// Whether a curve fits about as well as another in every band: where it is worse, by less than what the model can tell
    /// apart. A mean over all bands would hide one that speaks clearly.
    pub(super) fn ties(&self, curve: &[f64], best: &[f64]) -> bool {
        let loss_in = |of: Cell, curve: &[f64]| {
            let here = self.all.iter().zip(curve).zip(&self.spreads).filter(|((o, _), _)| cell(o) == of);
            let losses: Vec<f64> = here.map(|((o, t), s)| loss((o.time.us() / t).ln() / s)).collect();
            losses.iter().sum::<f64>() / losses.len().max(1) as f64
        };
        cells(self.all).into_iter().all(|c| {
            let least = loss_in(c, best);
            loss_in(c, curve) <= least + NOISE.0 + NOISE.1 * least
        })
    }

    /// Largest logarithmic difference of two curves.
    pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| (x / y).ln().abs()).fold(0.0, f64::max)
    }

    /// Median of something per row in one cell.
    pub(super) fn median(&self, of: Cell, value: impl Fn(usize, &Observed) -> f64) -> f64 {
        let here = self.all.iter().enumerate().filter(|(_, o)| cell(o) == of);
        let values: Vec<Share> = here.map(|(i, o)| Share::new(value(i, o))).collect();
        crate::measure::stats::median(&values).map_or(f64::NAN, Share::ratio)
    }
}

/// Quadratic near zero, linear far out, so that a few wild rows do not decide.
fn loss(z: f64) -> f64 {
    z.hypot(1.0) - 1.0
}

/// The question that a row answers.
pub(super) fn question(o: &Observed) -> Question {
    Question { algorithm: o.algorithm, protocol: o.protocol, ..Question::new(o.collective, o.size) }
}

/// Prices the rows on a system with edits; `None` where an edit does not apply or there is no answer.
pub(in crate::measure) fn price(system: &System, edits: &[Edit], rows: &[Observed]) -> Option<Curve> {
    let entries: Vec<Entry> = edits.iter().cloned().map(Entry::from).collect();
    let applied = apply(system, &entries, &Context::default());
    if !applied.outcomes.iter().all(|o| matches!(o, Outcome::Active { .. })) {
        return None;
    }
    let params = Params::default();
    let who = Prepared::participants(&applied.system, Group::All).ok()?;
    let prepared = Prepared::new(&applied.system, &who);
    rows.iter().map(|o| Some(prepared.choose(&params, &question(o)).ok()?.time().us())).collect()
}

/// The launch overhead that makes a curve fit the small sizes: what is missing there, on top of the present one.
/// `None` without small sizes.
pub(in crate::measure) fn launch_for(now: Time, curve: &[f64], rows: &[Observed]) -> Option<Time> {
    let small = rows.iter().zip(curve).filter(|(o, _)| Band::of(o.size) == Band::Tiny);
    let missing: Vec<Share> = small.map(|(o, t)| Share::new(o.time.us() - t)).collect();
    let more = crate::measure::stats::median(&missing)?.ratio();
    let launch = ((now.us() + more).max(0.0) * 10.0).round() / 10.0;
    Some(Time::from_us(launch))
}
