//! The collective step by step: who sends which chunk to whom, over which links.
//!
//! A schedule is made from what an estimate prices: the same order of the GPUs, the same packing of rings, the same routes and
//! NICs, and the bytes of the priced patterns. So the bytes of all its moves, summed per link and direction, are the loads
//! that were priced (see [`Schedule::reserve`] for the two cases in which a price holds some bytes that no move uses).
//!
//! Steps are made on demand and for a few *shown* units only: nothing is allocated per GPU, whatever the system's size.

mod cut;
mod direct;
mod form;
mod lanes;
mod local;
mod make;
mod members;
mod moves;
mod names;
mod replay;
mod ring;
mod switch;
mod tree;

use std::fmt;

pub use cut::Cut;
pub use form::{Form, Joint};
pub use moves::{Chunk, Leg, Move, Op, Phase, Place, Rank};
pub use replay::{Holding, Replay};

use super::Pattern;
use crate::question::{Collective, Participants};
use crate::system::{Algorithm, ClassIx, DeviceIx, System};
use crate::units::Bytes;
use lanes::Lane;
use local::Local;
use members::Members;

/// Domains of more GPUs than this are switched: no search packs them as a mesh.
const WIDE: u64 = 16;

/// Steps that come again and again, each given by one that stands for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How often the steps follow each other.
    pub repeat: u64,
    /// The steps, by the number of one like it.
    pub steps: Vec<u64>,
}

/// Why an estimate prices more bytes than the schedule moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reserve {
    /// The root may be any rank, so the hand-over into it is priced too.
    AnyRoot,
    /// Every node is priced as the busiest one of the double tree.
    BusiestNode,
}

impl fmt::Display for Reserve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::AnyRoot => "the price holds for any root, so it has the hand-over into the root as well",
            Self::BusiestNode => "the price takes every node for the busiest one of the double tree",
        })
    }
}

/// What is done, in the terms of the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ring { scatter: bool, gather: bool },
    Chain { adds: bool, closed: bool },
    Tree,
    Switch(Above),
    Pairs,
    Shift,
}

/// What joins the units where switches reduce inside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    Nothing,
    Tree,
    Fabric,
}

/// One group of ranks.
#[derive(Debug, Clone)]
struct GroupPlan {
    members: Members,
    /// Per class of the system, the group's GPUs there in [`Schedule::locals`].
    locals: Vec<Option<usize>>,
    lanes: Vec<Lane>,
    ranks: u64,
    /// Most ranks in one unit.
    widest: u64,
    /// Units whose moves are made, with the number of ranks before each.
    shown: Vec<(u32, u64)>,
    /// Of chains: the hand-overs that are shown, per lane, counted from the root and in their order.
    edges: Vec<Vec<u64>>,
}

/// A collective, step by step.
#[derive(Debug, Clone)]
pub struct Schedule {
    collective: Collective,
    kind: Kind,
    size: Bytes,
    uses: Vec<(Pattern, Bytes)>,
    groups: Vec<GroupPlan>,
    locals: Vec<Local>,
    cut: Cut,
}

/// What a schedule is made of: all of it comes from an estimate.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// What is asked.
    pub collective: Collective,
    /// By which algorithm.
    pub algorithm: Algorithm,
    /// nccl-tests' size.
    pub size: Bytes,
    /// The priced patterns, each with the bytes of its unit of account.
    pub uses: &'a [(Pattern, Bytes)],
    /// A class that must be among the shown units, such as the one that sets the pace.
    pub focus: Option<ClassIx>,
}

impl Schedule {
    /// The schedule of a plan; `None` where nothing is moved, or where a way that the plan needs does not exist.
    pub fn new(system: &System, who: &Participants, plan: &Plan<'_>) -> Option<Self> {
        make::schedule(system, who, plan)
    }

    /// What is done.
    pub const fn collective(&self) -> Collective {
        self.collective
    }

    /// How the message is cut where pieces pass through a pipeline, and the blocks of an all-to-all.
    pub const fn cut(&self) -> Cut {
        self.cut
    }

    /// The same moves with the message cut in another way.
    #[must_use]
    pub fn with_cut(self, cut: Cut) -> Self {
        Self { cut, ..self }
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.groups.iter().map(|g| self.steps_of(g)).max().unwrap_or(0)
    }

    fn steps_of(&self, g: &GroupPlan) -> u64 {
        match self.kind {
            Kind::Ring { scatter, gather } => (u64::from(scatter) + u64::from(gather)) * g.ranks.saturating_sub(1),
            Kind::Chain { .. } if g.ranks < 2 => 0,
            Kind::Chain { .. } | Kind::Tree | Kind::Switch(_) => self.stages(g) + self.cut.rest(),
            Kind::Pairs => self.cut.slices().unwrap_or_else(|| Self::rounds(g)),
            Kind::Shift => u64::from(g.ranks > 1),
        }
    }

    /// Stages that one piece passes in algorithms with a pipeline; of a chain those that are shown.
    fn stages(&self, g: &GroupPlan) -> u64 {
        match self.kind {
            Kind::Chain { .. } => g.edges.iter().map(|e| e.len() as u64).max().unwrap_or(0),
            Kind::Tree => 2 * (g.widest - 1) + 2 * u64::from(tree::depth(g.members.len())),
            Kind::Switch(Above::Nothing) => 2,
            Kind::Switch(Above::Tree) => 2 + 2 * u64::from(tree::depth(g.members.len())),
            Kind::Switch(Above::Fabric) => 3,
            _ => 1,
        }
    }

    /// What a step is a part of.
    pub fn phase(&self, step: u64) -> Phase {
        let g = self.groups.first();
        match self.kind {
            Kind::Ring { scatter, gather } => {
                let turn = g.map_or(0, |g| g.ranks.saturating_sub(1));
                if scatter && (step < turn || !gather) { Phase::ReduceScatter } else { Phase::AllGather }
            }
            Kind::Chain { .. } | Kind::Tree | Kind::Switch(_) => {
                g.filter(|g| step < self.stages(g)).map_or(Phase::Stream, |g| self.stage(g, step))
            }
            Kind::Pairs if self.cut.slices().is_some() => Phase::AllPairs,
            Kind::Pairs if g.is_none_or(|g| g.members.len() < 2) => Phase::PairsInside,
            Kind::Pairs if step + 1 < g.map_or(1, |g| g.widest) => Phase::Pairs,
            Kind::Pairs => Phase::PairsBetween,
            Kind::Shift => Phase::Shift,
        }
    }

    /// How the steps repeat: steps of one number put the same bytes on the links. Together they are all steps.
    pub fn runs(&self) -> Vec<Run> {
        let all = self.steps();
        match self.kind {
            Kind::Ring { .. } => vec![Run { repeat: all, steps: vec![0] }],
            Kind::Pairs if self.cut.slices().is_none() => {
                let widest = self.groups.iter().map(|g| g.widest).max().unwrap_or(1);
                // In the first turn the pairs inside the units go along.
                let first = Run { repeat: 1, steps: (0..widest.min(all)).collect() };
                let away =
                    Run { repeat: (all / widest.max(1)).saturating_sub(1), steps: (widest..2 * widest).collect() };
                if away.repeat > 0 { vec![first, away] } else { vec![first] }
            }
            _ => vec![Run { repeat: 1, steps: (0..all).collect() }],
        }
    }

    /// The first step that puts the same bytes on the links as this one: while pieces stream all steps are alike, and so are
    /// those of the long chains of a wide domain, whose ends rotate over the lanes.
    pub fn like(&self, step: u64) -> u64 {
        match self.first_stages() {
            None => return step,
            Some(stages) if step >= stages => return stages,
            Some(_) => {}
        }
        let Some(g) = self.groups.first().filter(|g| self.kind == Kind::Tree && g.widest > WIDE) else { return step };
        let chain = g.widest - 1;
        let back = chain + 2 * u64::from(tree::depth(g.members.len()));
        match step {
            s if s < chain => 0,
            s if s >= back => back,
            s => s,
        }
    }

    /// Number of steps where all of them put the same bytes on the links, as on a ring.
    pub fn even(&self) -> Option<u64> {
        let slices = self.cut.slices().is_some_and(|_| self.kind == Kind::Pairs);
        (slices || matches!(self.kind, Kind::Ring { .. })).then(|| self.steps())
    }

    /// Whether it is an all-to-all, whose pairs need no order.
    pub fn is_pairs(&self) -> bool {
        self.kind == Kind::Pairs
    }

    /// Where pieces pass through a pipeline: the steps that the first one takes, one per stage. In those after them every
    /// step is one piece on all stages at once.
    pub fn first_stages(&self) -> Option<u64> {
        let pipeline = matches!(self.kind, Kind::Chain { .. } | Kind::Tree | Kind::Switch(_));
        pipeline.then(|| self.steps().saturating_sub(self.cut.rest())).filter(|s| *s > 0)
    }

    /// Stages that a step of the first piece stands for: more than one where a chain has gone through units that are not
    /// shown since the step before, or goes on through them after the last one.
    pub fn passes(&self, step: u64) -> u64 {
        let (Some(g), Some(stages)) = (self.groups.first(), self.first_stages()) else { return 1 };
        let Some(edges) = g.edges.first().filter(|_| matches!(self.kind, Kind::Chain { .. }) && step < stages) else {
            return 1;
        };
        let done = |s: u64| edges.get(s as usize).map_or(0, |e| e + 1);
        let end = if step + 1 == stages { g.ranks - 1 } else { done(step) };
        end - step.checked_sub(1).map_or(0, done)
    }

    /// Groups that run at the same time in the shown units.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Ranks of a group.
    pub fn ranks(&self, group: usize) -> u64 {
        self.groups.get(group).map_or(0, |g| g.ranks)
    }

    /// Groups that take the same steps as the first one; smaller ones, in units that have lost GPUs, go at their own pace.
    pub fn in_step(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.groups()).filter(|g| self.ranks(*g) == self.ranks(0))
    }

    /// Units that a group spans.
    pub fn units(&self, group: usize) -> u32 {
        self.groups.get(group).map_or(0, |g| g.members.len())
    }

    /// Units of a group whose moves are made, counted among its units: all of them where that is not too many.
    pub fn shown(&self, group: usize) -> Vec<u32> {
        self.groups.get(group).map(|g| g.shown.iter().map(|s| s.0).collect()).unwrap_or_default()
    }

    /// Rings, chains or trees that carry the message side by side.
    pub fn lanes(&self, group: usize) -> usize {
        match self.kind {
            Kind::Pairs | Kind::Shift => usize::from(group < self.groups.len()),
            _ => self.groups.get(group).map_or(0, |g| g.lanes.len()),
        }
    }

    /// Share of the message that a lane carries.
    pub fn lane_share(&self, group: usize, lane: usize) -> f64 {
        if self.lanes(group) == 1 {
            return 1.0;
        }
        self.groups.get(group).and_then(|g| g.lanes.get(lane)).map_or(0.0, |l| l.share)
    }

    /// Chunks of a lane: one per rank on a ring and in an all-to-all (there the block of that sender, or each slice of it),
    /// else the pieces of the pipeline, twice as many in a double tree.
    pub fn chunks(&self, group: usize) -> u64 {
        let ranks = self.ranks(group);
        match self.kind {
            Kind::Ring { .. } => ranks,
            Kind::Pairs => ranks * self.slices(),
            Kind::Chain { .. } | Kind::Switch(Above::Nothing | Above::Fabric) => self.cut.pieces(),
            Kind::Tree | Kind::Switch(Above::Tree) => 2 * self.cut.pieces(),
            Kind::Shift => 1,
        }
    }

    /// Chunks of a sender's block in an all-to-all.
    pub fn slices(&self) -> u64 {
        self.cut.slices().unwrap_or(1)
    }

    /// Why the price holds some bytes that no move uses, if it does.
    pub fn reserve(&self) -> Option<Reserve> {
        let several = self.groups.iter().any(|g| g.members.len() > 2);
        match self.kind {
            Kind::Chain { closed: true, .. } => Some(Reserve::AnyRoot),
            Kind::Tree | Kind::Switch(Above::Tree) if several => Some(Reserve::BusiestNode),
            _ => None,
        }
    }

    /// The moves of a step in the shown units of a group: of one lane, or of all.
    pub fn moves(&self, group: usize, step: u64, lane: Option<usize>) -> Vec<Move> {
        let Some(g) = self.groups.get(group).filter(|g| step < self.steps_of(g)) else { return Vec::new() };
        match self.kind {
            Kind::Ring { scatter, gather } => self.ring(g, step, lane, scatter, gather),
            Kind::Chain { adds, .. } => self.chain(g, step, lane, adds),
            Kind::Tree => self.tree(g, step, lane),
            Kind::Switch(above) => self.switch(g, step, lane, above),
            Kind::Pairs => self.pairs(g, step),
            Kind::Shift => self.shift(g),
        }
    }

    /// The unit of the system that a unit of a group is, with its class.
    pub fn unit(&self, group: usize, unit: u32) -> Option<(u32, ClassIx)> {
        self.groups.get(group)?.members.nth(unit)
    }

    /// GPUs of a group in one of its units.
    pub fn gpus(&self, group: usize, unit: u32) -> &[DeviceIx] {
        let local = self.groups.get(group).and_then(|g| self.local(g, unit));
        local.map_or(&[], |(_, l)| l.gpus.as_slice())
    }

    fn local(&self, g: &GroupPlan, unit: u32) -> Option<(ClassIx, &Local)> {
        let (_, class) = g.members.nth(unit)?;
        let at = g.locals.get(class.0).copied().flatten()?;
        Some((class, self.locals.get(at)?))
    }

    /// Bytes of a pattern's unit of account; nothing where it is not in use.
    fn priced(&self, pattern: Pattern) -> Bytes {
        self.uses.iter().find(|u| u.0 == pattern).map_or(Bytes::ZERO, |u| u.1)
    }

    fn has(&self, pattern: Pattern) -> bool {
        self.uses.iter().any(|u| u.0 == pattern)
    }
}

impl GroupPlan {
    fn lanes(&self, only: Option<usize>) -> impl Iterator<Item = (usize, &Lane)> {
        self.lanes.iter().enumerate().filter(move |(i, _)| only.is_none_or(|o| o == *i))
    }

    fn is_shown(&self, unit: u32) -> bool {
        self.shown.iter().any(|s| s.0 == unit)
    }

    /// The unit after one, the first after the last.
    fn after(&self, unit: u32, by: u32) -> u32 {
        let n = u64::from(self.members.len().max(1));
        ((u64::from(unit) + u64::from(by)) % n) as u32
    }

    /// The unit so many places before one.
    fn before(&self, unit: u32, by: u32) -> u32 {
        self.after(unit, self.members.len() - by % self.members.len().max(1))
    }
}
