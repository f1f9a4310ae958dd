//! Numbers as the formulas that people know: `14 = 2(n-1)`.

use crate::collective::Pattern;
use crate::question::Participants;
use crate::system::Algorithm;
use crate::units::{counted, significant};

/// The formula of a number of steps, if it is one of the usual ones.
pub(super) fn count(k: u64, who: &Participants, network: bool, algorithm: Algorithm) -> Option<String> {
    let (n, g, units) = (who.ranks, u64::from(who.per_unit), u64::from(who.units));
    let less = |a: u64| a.saturating_sub(1);
    let ring = [
        ("2(n-1)", 2 * less(n), !network || g == 1),
        ("n-1", less(n), !network || g == 1),
        ("2(N-1)", 2 * less(units), network),
        ("N-1", less(units), network),
        ("2(n-1) - 2(N-1)", 2 * less(n) - (2 * less(units)).min(2 * less(n)), !network),
        ("(n-1) - (N-1)", less(n) - less(units).min(less(n)), !network),
    ];
    let tree = [
        ("2(g-1)", 2 * less(g), !network),
        ("2 x floor(log2 N)", 2 * u64::from(who.units.max(1).ilog2()), network),
        ("1", 1, true),
    ];
    let table: &[(&str, u64, bool)] = if algorithm == Algorithm::Ring { &ring } else { &tree };
    table.iter().find(|(_, v, here)| *here && *v == k).map(|(t, _, _)| (*t).to_owned())
}

/// The formula of a number of bytes per byte of the message, or the number itself.
pub(super) fn factor(k: f64, who: &Participants, algorithm: Algorithm) -> String {
    let (n, g) = (who.ranks as f64, f64::from(who.per_unit));
    let ring = [("2(n-1)/n", 2.0 * (n - 1.0) / n), ("(n-1)/n", (n - 1.0) / n)];
    let other = [("1/n", 1.0 / n), ("(n-g)/n", (n - g) / n)];
    let table: &[(&str, f64)] = if algorithm == Algorithm::Ring { &ring } else { &other };
    let near = |v: f64| (v - k).abs() <= 1e-9 * k.abs().max(1.0);
    let known = table.iter().find(|(_, v)| near(*v) && !near(1.0));
    known.map_or_else(|| significant(k), |(t, v)| format!("{t} = {}", significant(*v)))
}

/// What the symbols stand for here.
pub(super) fn symbols(who: &Participants) -> String {
    format!(
        "n = {}, N = {}, g = {} per unit, S = the size",
        counted(who.ranks, "rank"),
        counted(who.units.into(), "scale-up unit"),
        counted(who.per_unit.into(), "rank")
    )
}

/// What a pattern of traffic is, and whose bytes it counts.
pub(super) const fn pattern(p: Pattern) -> &'static str {
    match p {
        Pattern::Ring => "rings inside the unit: each GPU hands on",
        Pattern::Chain => "chains through the unit: each GPU hands on",
        Pattern::BothWays => "chains through the unit, reduce one way and broadcast the other: each way",
        Pattern::Reduce => "in-switch reduction: the message that is reduced",
        Pattern::Network => "between units over the NICs: each unit sends",
        Pattern::Pairs => "every pair inside the unit: one GPU sends to one other",
        Pattern::PairsNetwork => "pairs in different units: each GPU sends out",
        Pattern::Shift => "to the next rank inside the unit: each GPU sends",
        Pattern::ShiftNetwork => "to the next rank, over the NICs at the unit's end: each GPU sends",
    }
}
