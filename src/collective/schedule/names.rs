//! What chunks, lanes and steps are called.

use super::{Above, Chunk, Kind, PIECES, Phase, Schedule};
use crate::question::Collective;

impl Schedule {
    /// What a chunk is called: `chunk 7`, `piece 2`.
    pub fn chunk_name(&self, chunk: Chunk) -> String {
        match self.kind {
            Kind::Ring { .. } => format!("chunk {}", chunk.index),
            Kind::Pairs => "its block".to_owned(),
            Kind::Shift => "its message".to_owned(),
            Kind::Tree | Kind::Switch(Above::Tree) => {
                format!("piece {} of tree {}", chunk.index % PIECES, chunk.index / PIECES)
            }
            Kind::Chain { .. } | Kind::Switch(_) => format!("piece {}", chunk.index),
        }
    }

    /// The same in two or three cells: `c7`, `p2`, `p2'` for the second tree.
    pub fn chunk_mark(&self, chunk: Chunk) -> String {
        match self.kind {
            Kind::Ring { .. } => format!("c{}", chunk.index),
            Kind::Pairs | Kind::Shift => String::new(),
            _ if chunk.index >= PIECES => format!("p{}'", chunk.index - PIECES),
            _ => format!("p{}", chunk.index),
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

    /// What happens in a step, one sentence.
    pub fn about(&self, step: u64) -> &'static str {
        match (self.kind, self.phase(step)) {
            (Kind::Switch(Above::Nothing), _) => {
                "the switch adds: every GPU sends its data up once and gets the sum once; four pieces follow each other"
            }
            (Kind::Switch(Above::Tree), _) => {
                "switches add inside the units, two trees between them; four pieces follow each other"
            }
            (Kind::Switch(Above::Fabric), _) => {
                "switches add inside the units, the fabric's switches between them; four pieces follow each other"
            }
            (_, Phase::ReduceScatter) => "every GPU sends one chunk to the next and adds what it gets",
            (_, Phase::AllGather) => "complete chunks go round, nothing is added",
            (_, Phase::PassOn) => "each rank hands the message on to the next; four pieces follow each other",
            (_, Phase::AddUp) => "each rank adds its data and hands the sum on; four pieces follow each other",
            (_, Phase::UpAndDown) => {
                "sums go along the chains and up two trees, results come back the same way; four pieces follow each other"
            }
            (_, Phase::PairsInside) => "every GPU sends a block to another one of its own unit",
            (_, Phase::PairsBetween) => "every GPU sends a block to one of another unit",
            (_, Phase::Shift) => "every GPU sends its message to the next one",
        }
    }
}
