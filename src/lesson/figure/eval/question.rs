//! Quantities of an answer.

use super::super::error::Fault;
use super::super::quantity::Quantity;
use super::super::value::Value;
use super::search;
use crate::cost::{Answer, Estimate, estimate};
use crate::question::Question;
use crate::system::System;

/// The estimate, or why there is none.
pub(super) fn estimated(system: &System, question: &Question) -> Result<Box<Estimate>, Fault> {
    match estimate(system, question) {
        Answer::Estimate(e) => Ok(e),
        Answer::Unreachable(u) => Err(Fault::new(u.to_string())),
    }
}

/// A quantity of a question on a machine.
pub(super) fn value(quantity: Quantity, system: &System, question: &Question) -> Result<Value, Fault> {
    match quantity {
        Quantity::Collective => Ok(Value::word(question.collective.name())),
        Quantity::Size => Ok(Value::Size(question.size)),
        Quantity::Group => Ok(Value::word(question.group.to_string())),
        Quantity::Forced => Ok(Value::word(question.algorithm.map_or("auto".to_owned(), |a| a.to_string()))),
        Quantity::Reachable => {
            let reached = matches!(estimate(system, question), Answer::Estimate(_));
            Ok(Value::word(if reached { "yes" } else { "no" }))
        }
        Quantity::Peak => search::peak(system, question).map(Value::Rate),
        Quantity::HalfSize => search::half_size(system, question).map(Value::Size),
        _ => Ok(of_estimate(quantity, &*estimated(system, question)?)),
    }
}

fn of_estimate(quantity: Quantity, e: &Estimate) -> Value {
    let terms = e.chosen.terms;
    let factor = e.question.collective.bus_factor(e.ranks);
    match quantity {
        Quantity::Low => Value::Time(e.low),
        Quantity::High => Value::Time(e.high),
        Quantity::Busbw => Value::Rate(e.busbw()),
        Quantity::Algbw => Value::Rate(e.algbw()),
        Quantity::Bound => Value::Time(e.bound),
        Quantity::BoundBusbw => Value::Rate(e.question.size / e.bound * factor),
        Quantity::OfBound => Value::Share(e.share_of_bound()),
        Quantity::Launch => Value::Time(terms.launch),
        Quantity::Steps => Value::Time(terms.steps),
        Quantity::Fill => Value::Time(terms.fill),
        Quantity::Transfer => Value::Time(terms.transfer),
        Quantity::StepsInside => Value::Count(e.chosen.steps_inside),
        Quantity::StepsOutside => Value::Count(e.chosen.steps_network),
        Quantity::Factor => Value::Ratio(factor),
        Quantity::Ranks => Value::Count(e.ranks),
        Quantity::Groups => Value::Count(e.groups),
        Quantity::Spans => Value::Count(e.nodes),
        Quantity::Channels => Value::Count(u64::from(e.chosen.channels)),
        Quantity::Algorithm => Value::word(e.chosen.algorithm.name()),
        Quantity::Protocol => Value::word(e.chosen.protocol.name()),
        Quantity::Bottleneck => Value::word(&e.bottleneck),
        Quantity::SlowestTier => Value::word(slowest(e)),
        _ => Value::Time(e.time),
    }
}

/// The tier that alone would need the most time.
fn slowest(e: &Estimate) -> &'static str {
    let worst = e.tiers.iter().max_by(|a, b| a.time.us().total_cmp(&b.time.us()));
    worst.map_or("none", |t| t.tier.name())
}
