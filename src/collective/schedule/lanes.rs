//! The rings, chains or trees that carry the message side by side, over all units of a group.

use super::local::{Local, Thread};

/// One of them: the same share of the message in every unit.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    /// Share of the message.
    pub(super) share: f64,
    /// Per class of the system: which of the unit's threads carries it.
    pub(super) threads: Vec<usize>,
}

/// Cuts the message where any class changes from one of its threads to the next.
pub(super) fn lanes(locals: &[Option<&Local>]) -> Vec<Lane> {
    let mut cuts = vec![0.0, 1.0];
    for local in locals.iter().flatten() {
        cuts.extend(ends(&local.threads));
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|b, a| (*b - *a).abs() < 1e-9);
    let parts = cuts.iter().zip(cuts.iter().skip(1));
    parts
        .map(|(from, to)| {
            let middle = f64::midpoint(*from, *to);
            let at = |l: Option<&Local>| l.map_or(0, |l| ends(&l.threads).take_while(|e| *e <= middle).count());
            Lane { share: to - from, threads: locals.iter().copied().map(at).collect() }
        })
        .collect()
}

/// Where each thread's share ends, counted from the beginning of the message.
fn ends(threads: &[Thread]) -> impl Iterator<Item = f64> + '_ {
    let last = threads.len().saturating_sub(1);
    threads.iter().enumerate().scan(0.0, move |sum, (i, t)| {
        *sum += t.share;
        // The shares sum to 1 but for rounding.
        Some(if i == last { 1.0 } else { *sum })
    })
}
