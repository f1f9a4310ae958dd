//! Partitions for all-reduce: k parts that nothing between them can reduce or copy for must send `2(k-1) S` in all, out of
//! the sum of what leaves each part. The best partition maximises a ratio, found by Dinkelbach's method: the ratio so far
//! is the price of a GB/s, and a better partition is one with more parts than it pays for its rates.
//!
//! Where the fabric can reduce, its sending into the units saves at most one transmission per byte delivered, so its rate
//! is added to the parts' own.

use super::sets::Set;
use super::unit::{ALL_SETS, UnitCuts};

/// A partition of the ranks of one unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Partition {
    /// Parts that each group falls into, summed over groups.
    pub(super) parts: f64,
    /// What leaves the parts, summed, GB/s.
    pub(super) rate: f64,
    /// How the unit is divided: sizes of the parts.
    pub(super) sizes: Vec<usize>,
    /// The parts by the bits of their positions, where all partitions were searched.
    pub(super) sets: Vec<usize>,
}

/// The partitions of a unit to choose from.
#[derive(Debug)]
pub(super) enum Choice {
    /// All of them, by tables over sets: parts touched and rate.
    Every(Vec<(f64, f64)>, f64),
    /// A few.
    Listed(Vec<Partition>),
}

/// The best ratio over all classes together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Best {
    /// Transmissions of S (half of the 2(k-1)), over all units and groups.
    pub(super) moves: f64,
    /// Sum of the rates, GB/s.
    pub(super) rate: f64,
    /// The division of the first class.
    pub(super) sizes: Vec<usize>,
    /// The same as sets, where all partitions were searched.
    pub(super) sets: Vec<usize>,
}

impl Choice {
    /// For a unit. Inside a domain whose switches reduce, the whole unit is the only part.
    pub(super) fn of(unit: &UnitCuts<'_>, families: &[Vec<Set>]) -> Self {
        let whole = vec![vec![true; unit.ranks.len()]];
        if unit.reduces {
            return Self::Listed(vec![listed(unit, &whole)]);
        }
        if unit.ranks.len() <= ALL_SETS {
            let bits = |set: usize| (0..unit.ranks.len()).map(|i| set >> i & 1 == 1).collect::<Vec<bool>>();
            let touched = |(set, rate): (usize, &f64)| (f64::from(unit.lay.touched(&bits(set))), *rate);
            return Self::Every(unit.table().iter().enumerate().map(touched).collect(), unit.fabric_reduces);
        }
        Self::Listed(families.iter().map(|f| listed(unit, f)).collect())
    }

    /// For a unit of a class that is much like another: the division that suits that one, each rank alone, and all together.
    pub(super) fn like(unit: &UnitCuts<'_>, sets: &[usize]) -> Self {
        let n = unit.ranks.len();
        let whole = vec![vec![true; n]];
        if unit.reduces {
            return Self::Listed(vec![listed(unit, &whole)]);
        }
        let bits = |set: usize| (0..n).map(|i| set >> i & 1 == 1).collect::<Vec<bool>>();
        let alone = (0..n).map(|i| bits(1 << i)).collect();
        let divisions = [sets.iter().map(|s| bits(*s)).collect(), alone, whole];
        Self::Listed(divisions.iter().filter(|d: &&Vec<Set>| !d.is_empty()).map(|d| listed(unit, d)).collect())
    }

    /// The partition with the most parts less price times rate.
    fn at_price(&self, price: f64) -> Option<Partition> {
        match self {
            Self::Every(table, extra) => Some(best_of_all(table, price, *extra)),
            Self::Listed(list) => {
                let worth = |p: &Partition| p.parts - price * p.rate;
                list.iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).cloned()
            }
        }
    }
}

fn listed(unit: &UnitCuts<'_>, parts: &[Set]) -> Partition {
    let mut scratch = super::cutter::Scratch::default();
    Partition {
        parts: parts.iter().map(|s| f64::from(unit.lay.touched(s))).sum(),
        rate: parts.iter().map(|s| unit.rate(s, &mut scratch)).sum::<f64>() + unit.fabric_reduces,
        sizes: parts.iter().map(|s| s.iter().filter(|i| **i).count()).collect(),
        sets: Vec::new(),
    }
}

/// Over all partitions of up to eight ranks: the best of the ranks in a set is one part with its lowest rank, and the best
/// of the rest.
fn best_of_all(table: &[(f64, f64)], price: f64, extra: f64) -> Partition {
    let worth: Vec<f64> = table.iter().map(|(parts, rate)| parts - price * rate).collect();
    let mut best = vec![(0.0_f64, 0_usize); table.len()];
    for set in 1..table.len() {
        let rest = set & (set - 1);
        let lowest = set ^ rest;
        let mut most = (f64::NEG_INFINITY, 0);
        let mut sub = rest;
        loop {
            let part = sub | lowest;
            let value = worth.get(part).copied().unwrap_or(0.0) + best.get(set ^ part).map_or(0.0, |b| b.0);
            if value > most.0 {
                most = (value, part);
            }
            if sub == 0 {
                break;
            }
            sub = (sub - 1) & rest;
        }
        if let Some(cell) = best.get_mut(set) {
            *cell = most;
        }
    }
    let mut found = Partition { parts: 0.0, rate: extra, sizes: Vec::new(), sets: Vec::new() };
    let mut left = table.len().saturating_sub(1);
    while let Some((_, part)) = best.get(left).copied().filter(|(_, p)| *p > 0) {
        let (parts, rate) = table.get(part).copied().unwrap_or_default();
        found.parts += parts;
        found.rate += rate;
        found.sizes.push(part.count_ones() as usize);
        found.sets.push(part);
        left ^= part;
    }
    found
}

/// The best ratio `(parts - groups) / rate` when every unit of every class is divided alike; `units` are the choices with
/// their number. `None` when nothing is divided.
pub(super) fn best(units: &[(&Choice, f64)], groups: f64) -> Option<Best> {
    let mut found: Option<Best> = None;
    // Each round is a strict gain; seven sizes of parts allow few.
    for _ in 0..32 {
        let price = found.as_ref().map_or(0.0, |b| b.moves / b.rate);
        let mut next = Best { moves: -groups, rate: 0.0, sizes: Vec::new(), sets: Vec::new() };
        for (choice, count) in units {
            let p = choice.at_price(price)?;
            next.moves += count * p.parts;
            next.rate += count * p.rate;
            if next.sizes.is_empty() {
                next.sizes = p.sizes;
                next.sets = p.sets;
            }
        }
        if next.moves <= 0.0 || next.rate <= 0.0 || next.moves / next.rate <= price * (1.0 + 1e-12) {
            return found;
        }
        found = Some(next);
    }
    found
}
