//! What a step consists of: bytes from one place to another, over links.

use std::fmt;
use std::sync::Arc;

use super::super::{Hop, Pattern, Via};
use crate::system::ClassIx;
use crate::units::Bytes;

/// A GPU that takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank {
    /// Its unit, counted among the units of its group.
    pub unit: u32,
    /// Its place among the GPUs of its group in that unit.
    pub gpu: u32,
}

/// Where bytes come from or go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A GPU's memory.
    Gpu(Rank),
    /// The reducing switches of a unit, all together.
    Switches(u32),
    /// The reducing switches of the fabric.
    Fabric,
}

/// What the receiver does with what arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Keeps it.
    Copy,
    /// Adds it to its own.
    Add,
}

/// A part of the message. What it is a part of depends on the algorithm: see [`super::Schedule::chunks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chunk {
    /// Which ring, chain or tree carries it.
    pub lane: u32,
    /// Its number there.
    pub index: u64,
}

/// The links of a move inside one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// The unit, counted among the units of the group.
    pub unit: u32,
    /// Its class.
    pub class: ClassIx,
    /// The priced pattern that it is a part of.
    pub pattern: Pattern,
    /// Who moves the bytes.
    pub via: Via,
    /// The links; a share is of the bytes of the leg.
    pub hops: Arc<[Hop]>,
    /// Bytes of the leg per byte of the move.
    pub factor: f64,
}

/// Bytes from one place to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// From where.
    pub from: Place,
    /// To where.
    pub to: Place,
    /// What happens to them there.
    pub op: Op,
    /// Place in the order inside its step: what moves of a lower number bring, those of a higher one hand on at once. Other
    /// than 0 only where pieces stream through a pipeline.
    pub order: u64,
    /// Which parts of the message.
    pub chunks: Vec<Chunk>,
    /// How many bytes.
    pub bytes: Bytes,
    /// The links in use.
    pub legs: Vec<Leg>,
}

/// What a step is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Pieces go round and are added up.
    ReduceScatter,
    /// Finished pieces go round.
    AllGather,
    /// A chain hands the message on.
    PassOn,
    /// A chain adds up.
    AddUp,
    /// Into the switches of the units, which add.
    IntoSwitches,
    /// Out of the switches of the units to everybody.
    OutOfSwitches,
    /// Sums go up the trees between the units.
    UpTrees,
    /// Results come down the trees between the units.
    DownTrees,
    /// The switches of the fabric add.
    InFabric,
    /// The first piece is through: from now on the whole pipeline works at once.
    Stream,
    /// All pairs at the same time, a slice of their blocks in a step.
    AllPairs,
    /// Pairs inside the units and between them at the same time.
    Pairs,
    /// Inside the units, every pair.
    PairsInside,
    /// Between the units, every pair.
    PairsBetween,
    /// To the next rank.
    Shift,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ReduceScatter => "reduce-scatter",
            Self::AllGather => "all-gather",
            Self::PassOn => "pass on",
            Self::AddUp => "add up",
            Self::IntoSwitches => "into the switches",
            Self::OutOfSwitches => "out of the switches",
            Self::UpTrees => "up the trees",
            Self::DownTrees => "down the trees",
            Self::InFabric => "in the fabric",
            Self::Stream => "stream",
            Self::AllPairs => "all pairs",
            Self::Pairs => "pairs inside and between",
            Self::PairsInside => "pairs inside",
            Self::PairsBetween => "pairs between",
            Self::Shift => "shift",
        })
    }
}
