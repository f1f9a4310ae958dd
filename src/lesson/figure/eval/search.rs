//! Sizes at which something changes, found by asking at many sizes.

use super::super::error::Fault;
use super::super::expr::{Ask, Place};
use super::super::value::Value;
use super::question::estimated;
use crate::cost::{Answer, Params, Prepared, estimate, sizes};
use crate::question::Question;
use crate::system::{Algorithm, System};
use crate::units::{Bandwidth, Bytes, Time};

/// Smallest and largest size that is looked at, as nccl-tests runs them.
const SMALLEST: Bytes = Bytes::new(8.0);
const LARGEST: Bytes = Bytes::new(17_179_869_184.0);
/// How often an interval is halved: to a thousandth of a factor of two.
const HALVINGS: usize = 10;

fn busbw_at(system: &System, question: &Question, size: Bytes) -> Option<Bandwidth> {
    match estimate(system, &question.at_size(size)) {
        Answer::Estimate(e) => Some(e.busbw()),
        Answer::Unreachable(_) => None,
    }
}

/// The largest busbw over all sizes.
pub(super) fn peak(system: &System, question: &Question) -> Result<Bandwidth, Fault> {
    estimated(system, question)?;
    let all = sizes(SMALLEST, LARGEST, 2.0).into_iter();
    Ok(all.filter_map(|s| busbw_at(system, question, s)).fold(Bandwidth::ZERO, Bandwidth::max))
}

/// The smallest size from which busbw is at least half of its peak.
pub(super) fn half_size(system: &System, question: &Question) -> Result<Bytes, Fault> {
    let half = peak(system, question)? / 2.0;
    let reached = |s: Bytes| busbw_at(system, question, s).is_some_and(|b| b >= half);
    first_size(reached).ok_or_else(|| Fault::new("half of the peak is never reached"))
}

/// The smallest size from which something holds: the power of two where it begins, then narrowed down.
fn first_size(holds: impl Fn(Bytes) -> bool) -> Option<Bytes> {
    let all = sizes(SMALLEST, LARGEST, 2.0);
    let last_not = all.iter().rposition(|s| !holds(*s));
    let Some(before) = last_not else { return all.first().copied() };
    let (mut low, mut high) = (*all.get(before)?, *all.get(before + 1)?);
    for _ in 0..HALVINGS {
        let middle = Bytes::new((low.get() * high.get()).sqrt());
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The smallest size from which the second algorithm is faster than the first.
pub(super) fn crossover(ask: &Ask, system: &System, question: &Question) -> Result<Value, Fault> {
    let Some(Place::Algorithms(from, to)) = ask.place else { return Err(Fault::new("two algorithms are needed")) };
    let who = Prepared::participants(system, question.group).map_err(|u| Fault::new(u.to_string()))?;
    let prepared = Prepared::new(system, &who);
    let time = |algorithm: Algorithm, size: Bytes| -> Option<Time> {
        let forced = Question { algorithm: Some(algorithm), ..question.at_size(size) };
        prepared.choose(&Params::default(), &forced).ok().map(|c| c.time())
    };
    for algorithm in [from, to] {
        if time(algorithm, SMALLEST).is_none() {
            return Err(Fault::new(format!("{algorithm} is not possible for {} here", question.collective)));
        }
    }
    let wins = |s: Bytes| time(to, s).zip(time(from, s)).is_some_and(|(to, from)| to < from);
    if !wins(LARGEST) {
        return Err(Fault::new(format!("{to} is not faster than {from} at any size up to {LARGEST}")));
    }
    first_size(wins).map(Value::Size).ok_or_else(|| Fault::new("there is no crossover"))
}
