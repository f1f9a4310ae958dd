//! How many bytes must cross a cut, per byte of the message, whatever the algorithm.

use crate::question::Collective;

/// Where the roots of broadcast and reduce (each group's first rank) are, as seen from a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Roots {
    /// Each group's root is its first rank in this unit.
    Here,
    /// Some unit of the class has no root: that one is looked at.
    Elsewhere,
    /// Either.
    Unknown,
}

/// How the groups of a unit go on outside of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Span {
    /// They do not.
    Inside,
    /// They do: every group has at least `low` and at most `high` ranks in all, some of them in other units.
    Across {
        /// Fewest ranks of a group.
        low: f64,
        /// Most ranks of a group.
        high: f64,
    },
    /// Perhaps: after losses, which group still has ranks elsewhere is not known.
    Perhaps {
        /// Most ranks of a group.
        high: f64,
    },
}

/// The groups of one unit: the positions of their ranks, in rank order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lay {
    /// One list per group.
    pub(super) groups: Vec<Vec<usize>>,
    /// How they go on.
    pub(super) span: Span,
    /// Where the roots are.
    pub(super) roots: Roots,
}

/// Bytes per byte of the message, out of a set and into it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Crossing {
    out: f64,
    into: f64,
    /// One way or the other, unknown which.
    either: f64,
}

impl Crossing {
    /// At least so much crosses in one of the directions; what goes one way or the other comes in whole messages.
    fn least(self) -> f64 {
        let known = self.out.max(self.into);
        if self.either > 0.0 { known.max(((self.out + self.into + self.either) / 2.0).ceil()) } else { known }
    }

    fn both(&mut self, bytes: f64) {
        self.out += bytes;
        self.into += bytes;
    }
}

/// What part of a group is inside a cut.
struct Part<'a> {
    ranks: &'a [usize],
    /// Ranks of the group inside.
    inside: f64,
    /// Fewest and most ranks of the group in all.
    low: f64,
    high: f64,
    /// Whether it surely has ranks in other units.
    beyond: bool,
}

impl Lay {
    /// Bytes that must cross the cut around the ranks inside, in the direction that needs more, all groups together.
    ///
    /// * all-reduce: the sum of what is inside must leave, the rest must enter: S each way;
    /// * all-gather, reduce-scatter: the share of the data (of the result) inside, and the share outside;
    /// * broadcast, reduce: S, away from the root or towards it;
    /// * all-to-all: S/n for every pair across;
    /// * send-recv: S for every rank whose next one is across.
    pub(super) fn demand(&self, collective: Collective, inside: &[bool]) -> f64 {
        let mut sum = Crossing::default();
        let within = |r: &usize| inside.get(*r).copied().unwrap_or(false);
        for ranks in &self.groups {
            let count = ranks.iter().filter(|r| within(r)).count();
            let beyond = matches!(self.span, Span::Across { .. });
            if count == 0 || (count == ranks.len() && !beyond) {
                continue;
            }
            let (low, high) = self.sizes(ranks.len());
            let part = Part { ranks, inside: count as f64, low, high, beyond };
            self.add(&mut sum, collective, &part, &within);
        }
        sum.least()
    }

    fn sizes(&self, here: usize) -> (f64, f64) {
        let here = here as f64;
        match self.span {
            Span::Inside => (here, here),
            Span::Across { low, high } => (low.max(here), high),
            Span::Perhaps { high } => (here, high),
        }
    }

    fn add(&self, sum: &mut Crossing, collective: Collective, p: &Part<'_>, within: &impl Fn(&usize) -> bool) {
        let absent = (1.0 - p.inside / p.low).max(0.0);
        match collective {
            Collective::AllReduce => sum.both(1.0),
            Collective::AllGather | Collective::ReduceScatter => {
                sum.out += p.inside / p.high;
                sum.into += absent;
            }
            Collective::Broadcast | Collective::Reduce => {
                let first = p.ranks.first().is_some_and(within);
                match (self.roots, first) {
                    (Roots::Here, true) => sum.out += 1.0,
                    (Roots::Unknown, true) => sum.either += 1.0,
                    _ => sum.into += 1.0,
                }
            }
            Collective::AllToAll => sum.both(p.inside * absent),
            Collective::SendRecv => {
                let (out, into) = p.steps(self.span, within);
                sum.out += out;
                sum.into += into;
            }
        }
    }

    /// Groups that have a rank in a set.
    pub(super) fn touched(&self, inside: &[bool]) -> u32 {
        let within = |r: &usize| inside.get(*r).copied().unwrap_or(false);
        self.groups.iter().filter(|g| g.iter().any(within)).count() as u32
    }
}

impl Part<'_> {
    /// Steps from a rank to the next one that leave and enter.
    fn steps(&self, span: Span, within: &impl Fn(&usize) -> bool) -> (f64, f64) {
        let (mut out, mut into) = (0.0, 0.0);
        let mut step = |from: bool, to: bool| {
            out += f64::from(u8::from(from && !to));
            into += f64::from(u8::from(!from && to));
        };
        for (a, b) in self.ranks.iter().zip(self.ranks.iter().skip(1)) {
            step(within(a), within(b));
        }
        if let (Some(first), Some(last)) = (self.ranks.first(), self.ranks.last()) {
            if self.beyond {
                step(within(last), false);
                step(false, within(first));
            } else if span == Span::Inside {
                step(within(last), within(first));
            }
        }
        (out, into)
    }
}
