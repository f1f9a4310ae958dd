//! What chunks, lanes and steps are called.

use super::{Above, Chunk, GroupPlan, Kind, Phase, Schedule, tree};
use crate::question::Collective;

impl Schedule {
    /// What a chunk is called: `chunk 7`, `piece 2`.
    pub fn chunk_name(&self, chunk: Chunk) -> String {
        let pieces = self.cut.pieces();
        match self.kind {
            Kind::Ring { .. } => format!("chunk {}", chunk.index),
            Kind::Pairs if self.cut.slices().is_some() => "a slice of its block".to_owned(),
            Kind::Pairs => "its block".to_owned(),
            Kind::Shift => "its message".to_owned(),
            Kind::Tree | Kind::Switch(Above::Tree) if pieces == 1 => format!("the half of tree {}", chunk.index + 1),
            Kind::Tree | Kind::Switch(Above::Tree) => {
                format!("piece {} of tree {}", chunk.index % pieces, chunk.index / pieces + 1)
            }
            Kind::Chain { .. } | Kind::Switch(_) if pieces == 1 && self.lanes(0) > 1 => {
                "its part of the message".to_owned()
            }
            Kind::Chain { .. } | Kind::Switch(_) if pieces == 1 => "the message".to_owned(),
            Kind::Chain { .. } | Kind::Switch(_) => format!("piece {}", chunk.index),
        }
    }

    /// The same in two or three cells: `c7`, `p2`, `p2'` for the second tree.
    pub fn chunk_mark(&self, chunk: Chunk) -> String {
        let pieces = self.cut.pieces();
        match self.kind {
            Kind::Ring { .. } => format!("c{}", chunk.index),
            Kind::Pairs | Kind::Shift => String::new(),
            _ if chunk.index >= pieces => format!("p{}'", chunk.index - pieces),
            _ => format!("p{}", chunk.index),
        }
    }

    /// What `p0`, `p1` and `c3` are; empty where there are no such marks.
    pub fn marks(&self) -> String {
        let trees =
            if matches!(self.kind, Kind::Tree | Kind::Switch(Above::Tree)) { "; p' of the second tree" } else { "" };
        match (self.kind, self.cut.rest()) {
            (Kind::Pairs | Kind::Shift, _) => String::new(),
            (Kind::Ring { .. }, _) => {
                let part = if self.lanes(0) > 1 { "ring's part" } else { "message" };
                format!("c chunk: the {part} over {} ranks", self.ranks(0))
            }
            (_, 0) if self.lanes(0) > 1 => format!("p0 all that the drawn {} carries{trees}", self.lane_kind()),
            (_, 0) => format!("p0 the whole message{trees}"),
            (_, rest) => {
                let first = self.size * (self.cut.share(0) * self.lane_share(0, 0));
                let halves = if trees.is_empty() { 1.0 } else { 0.5 };
                format!("p0 first piece, {}; p1..p{rest} the rest{trees}", first * halves)
            }
        }
    }

    /// Whether data is added up on the way, so that a chunk may be a partial sum.
    pub const fn adds(&self) -> bool {
        matches!(self.collective, Collective::AllReduce | Collective::ReduceScatter | Collective::Reduce)
    }

    /// What a lane is called, where there are several: `ring`, `chain`, `part`.
    pub const fn lane_kind(&self) -> &'static str {
        match self.kind {
            Kind::Ring { .. } => "ring",
            Kind::Chain { .. } | Kind::Tree => "chain",
            Kind::Switch(_) => "part",
            Kind::Pairs | Kind::Shift => "",
        }
    }

    /// What happens in a step, one sentence: with the name of the phase short enough for a line of a small screen.
    pub fn about(&self, step: u64) -> String {
        let piece = if self.cut.rest() == 0 { "the message" } else { "the first piece" };
        match self.phase(step) {
            Phase::ReduceScatter => "every GPU sends one chunk to the next and adds what it gets".to_owned(),
            Phase::AllGather => "complete chunks go round, nothing is added".to_owned(),
            Phase::PassOn if self.kind == Kind::Tree => format!("the result of {piece} goes back along the chains"),
            Phase::PassOn => format!("each rank hands {piece} on to the next"),
            Phase::AddUp if self.kind == Kind::Tree => {
                format!("along the chains each GPU adds to {piece}, hands it on")
            }
            Phase::AddUp => format!("each rank adds its data to {piece} and hands it on"),
            Phase::IntoSwitches => format!("every GPU sends {piece}, the switches add it"),
            Phase::OutOfSwitches => format!("the sum of {piece} goes in once, out to all"),
            Phase::UpTrees => format!("sums of {piece} go one level up in both trees"),
            Phase::DownTrees => format!("results of {piece} come one level down in both trees"),
            Phase::InFabric => format!("the switches of the fabric add the sums of {piece}"),
            Phase::Stream => {
                let (piece, rest) = ((step + 1).saturating_sub(self.first_stages().unwrap_or(0)), self.cut.rest());
                format!("piece {piece} of the {rest} behind the first, on all links of the way at once")
            }
            Phase::AllPairs => {
                format!("slice {} of {} of every block, over all links at the same time", step + 1, self.slices())
            }
            Phase::Pairs => "every GPU sends a block inside, another one out".to_owned(),
            Phase::PairsInside => "every GPU sends a block to another one of its own unit".to_owned(),
            Phase::PairsBetween => "every GPU sends a block to one of another unit".to_owned(),
            Phase::Shift => "every GPU sends its message to the next one".to_owned(),
        }
    }

    /// What the first piece does at a stage.
    pub(super) fn stage(&self, g: &GroupPlan, stage: u64) -> Phase {
        let depth = u64::from(tree::depth(g.members.len()));
        let chain = g.widest.saturating_sub(1);
        match self.kind {
            Kind::Tree if stage < chain => Phase::AddUp,
            Kind::Tree if stage < chain + depth => Phase::UpTrees,
            Kind::Tree if stage < chain + 2 * depth => Phase::DownTrees,
            Kind::Switch(_) if stage == 0 => Phase::IntoSwitches,
            Kind::Switch(_) if stage + 1 >= self.stages(g) => Phase::OutOfSwitches,
            Kind::Switch(Above::Fabric) => Phase::InFabric,
            Kind::Switch(_) if stage <= depth => Phase::UpTrees,
            Kind::Switch(_) => Phase::DownTrees,
            Kind::Chain { adds: true, .. } => Phase::AddUp,
            _ => Phase::PassOn,
        }
    }
}
