//! How a message is cut where its pieces follow each other, and what a step of a pipeline holds.
//!
//! Kernels cut a message into chunks that are small beside it. The first one goes through the pipeline stage by stage; from
//! then on every link of the way works all the time. So a *first piece* is followed here stage by stage, a step each, and the
//! rest streams behind it in a few equal pieces: a step is one of them on all stages at once.

/// Pieces that stream behind the first one, at most.
const STREAM: u64 = 4;

/// How a message is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    first: f64,
    rest: u64,
    slices: Option<u64>,
}

impl Default for Cut {
    /// A quarter goes first.
    fn default() -> Self {
        Self::first(0.25)
    }
}

impl Cut {
    /// A first piece of a share of the message, and the rest in equal ones that are about a quarter of it each.
    pub fn first(share: f64) -> Self {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
        let rest = ((1.0 - share) * STREAM as f64 - 1e-9).ceil().max(0.0) as u64;
        Self { first: if rest == 0 { 1.0 } else { share }, rest, slices: None }
    }

    /// The blocks of an all-to-all in slices: a step is a slice of every block, all pairs at once.
    pub fn in_slices() -> Self {
        Self { slices: Some(STREAM), ..Self::first(1.0) }
    }

    /// All pieces.
    pub const fn pieces(self) -> u64 {
        1 + self.rest
    }

    /// Pieces behind the first one.
    pub const fn rest(self) -> u64 {
        self.rest
    }

    /// Slices of the blocks of an all-to-all; `None` where pairs go one distance after the other.
    pub const fn slices(self) -> Option<u64> {
        self.slices
    }

    /// A piece's share of the message.
    pub fn share(self, piece: u64) -> f64 {
        if piece == 0 { self.first } else { (1.0 - self.first) / self.rest.max(1) as f64 }
    }

    /// What a step holds, as (stage, piece): the first piece at one of its stages, then one piece at all of them.
    pub(super) fn under_way(self, stages: u64, step: u64) -> Vec<(u64, u64)> {
        match step.checked_sub(stages) {
            None => vec![(step, 0)],
            Some(more) if more < self.rest => (0..stages).map(|s| (s, more + 1)).collect(),
            Some(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_the_message_and_pass_every_stage_once() {
        for share in [0.0, 1e-6, 0.1, 0.25, 0.5, 0.76, 0.9999, 1.0, f64::NAN] {
            let cut = Cut::first(share);
            let all: f64 = (0..cut.pieces()).map(|p| cut.share(p)).sum();
            assert!((all - 1.0).abs() < 1e-12, "{share}: {all}");
            assert!((1..=5).contains(&cut.pieces()));
            let mut passed: Vec<_> = (0..7 + cut.rest()).flat_map(|s| cut.under_way(7, s)).collect();
            let count = passed.len() as u64;
            passed.sort_unstable();
            passed.dedup();
            assert_eq!((passed.len() as u64, count), (7 * cut.pieces(), 7 * cut.pieces()));
            assert!(cut.under_way(7, 7 + cut.rest()).is_empty());
        }
    }
}
