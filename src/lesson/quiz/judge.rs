//! Whether a reply is right, and if not, why one falls for it.

use super::pose::{Body, Item, Posed, Slip};
use crate::lesson::figure::{Value, Wanted};
use crate::units::{Share, significant};

/// What a learner answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The option of this number, from 0.
    Choice(usize),
    /// A quantity.
    Number(Value),
    /// Items by their number, the first first.
    Order(Vec<usize>),
}

/// What became of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Whether it is right.
    pub right: bool,
    /// Of a wrong one: what is wrong with it. Empty for a right one.
    pub why: String,
}

impl Mark {
    const RIGHT: Self = Self { right: true, why: String::new() };

    fn wrong(why: impl Into<String>) -> Self {
        Self { right: false, why: why.into() }
    }
}

impl Posed {
    /// Judges a reply.
    pub fn judge(&self, reply: &Reply) -> Mark {
        match (&self.body, reply) {
            (Body::Choice { right, .. }, Reply::Choice(i)) if i == right => Mark::RIGHT,
            (Body::Choice { options, .. }, Reply::Choice(i)) => {
                options.get(*i).map_or_else(|| Mark::wrong("there is no such choice"), |o| Mark::wrong(&o.why))
            }
            (Body::Number { is, within, slips, wanted, .. }, Reply::Number(said)) => {
                number(is, *within, slips, wanted, said)
            }
            (Body::Order { items, .. }, Reply::Order(said)) => order(items, said),
            _ => Mark::wrong("this is answered in another way"),
        }
    }

    /// Reads a typed number.
    ///
    /// # Errors
    /// What was expected: a unit is missing, or the question is no such question.
    pub fn read_number(&self, text: &str) -> Result<Reply, String> {
        match &self.body {
            Body::Number { wanted, .. } => wanted.read(text).map(Reply::Number),
            _ => Err("this question is not answered with a number".to_owned()),
        }
    }
}

/// A number is right within its tolerance; a known slip is named; else it is said how far off it is, and what that factor
/// usually comes from.
fn number(is: &Value, within: Share, slips: &[Slip], wanted: &Wanted, said: &Value) -> Mark {
    if is.near(said, within) {
        return Mark::RIGHT;
    }
    let near = |s: &&Slip| s.is.near(said, Share::new(within.ratio().max(0.02)));
    if let Some(slip) = slips.iter().find(near) {
        return Mark::wrong(&slip.why);
    }
    let off = match is.off_by(said) {
        Some(off) if off.ratio() > 1.0 => format!("{said} is {} times too much.", significant(1.0 + off.ratio())),
        Some(off) if off.ratio() > 0.0 => format!("{said} is {} % too much.", significant(off.percent())),
        Some(off) if off.ratio() > -0.5 => format!("{said} is {} % too little.", significant(-off.percent())),
        Some(off) if off.ratio() > -1.0 => {
            format!("{said} is too little: the answer is {} times as much.", significant(1.0 / (1.0 + off.ratio())))
        }
        _ => format!("{said} is far off."),
    };
    Mark::wrong(wanted.slip(said).map_or(off.clone(), |slip| format!("{off} {slip}")))
}

/// An order is right as a whole; else the first place that is wrong is named.
fn order(items: &[Item], said: &[usize]) -> Mark {
    let place = |i: &usize| items.get(*i).map(|item| item.place);
    if said.len() == items.len() && said.iter().enumerate().all(|(n, i)| place(i) == Some(n)) {
        return Mark::RIGHT;
    }
    let wrong = said.iter().enumerate().find(|(n, i)| place(i) != Some(*n));
    let of = |n: usize| items.iter().find(|item| item.place == n);
    let Some((n, i)) = wrong else { return Mark::wrong("not all of them are placed") };
    let (Some(put), Some(right)) = (items.get(*i), of(n)) else { return Mark::wrong("not all of them are placed") };
    let mut why =
        format!("At place {} belongs {} ({}), not {} ({}).", n + 1, right.text, right.shown, put.text, put.shown);
    for extra in [&put.why, &right.why].into_iter().filter(|w| !w.is_empty()) {
        why.push(' ');
        why.push_str(extra);
    }
    Mark::wrong(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Bandwidth, Time};

    fn rate(v: f64) -> Value {
        Value::Rate(Bandwidth::from_gbytes_per_s(v))
    }

    #[test]
    fn a_number_is_right_near_by_and_a_slip_is_named() {
        let slips = [Slip { is: rate(900.0), shown: String::new(), why: "both directions".to_owned() }];
        let wanted = Wanted::new(rate(450.0), None, "");
        let judge = |v: f64| number(&rate(450.0), Share::from_percent(5.0), &slips, &wanted, &rate(v));
        assert!(judge(450.0).right && judge(430.0).right && judge(472.0).right);
        assert_eq!(judge(890.0).why, "both directions");
        assert_eq!(judge(500.0).why, "500 GB/s is 11.1 % too much.");
        assert_eq!(judge(400.0).why, "400 GB/s is 11.1 % too little.");
        assert_eq!(judge(50.0).why, "50 GB/s is too little: the answer is 9 times as much.");
        assert_eq!(judge(4500.0).why, "4500 GB/s is 10 times too much.");
        let time = number(&rate(450.0), Share::from_percent(5.0), &slips, &wanted, &Value::Time(Time::from_us(450.0)));
        assert!(!time.right);
    }

    #[test]
    fn an_order_is_right_as_a_whole() {
        let item = |text: &str, place| Item { text: text.to_owned(), shown: "1".to_owned(), place, why: String::new() };
        let items = [item("b", 1), item("a", 0), item("c", 2)];
        assert!(order(&items, &[1, 0, 2]).right);
        assert_eq!(order(&items, &[1, 2, 0]).why, "At place 2 belongs b (1), not c (1).");
        for short in [&[][..], &[1], &[1, 0], &[1, 0, 9]] {
            assert!(!order(&items, short).right, "{short:?}");
        }
    }
}
