//! The answer to a question: an estimate, or "unreachable" with the reason.

use std::fmt;

use crate::collective::Pattern;
use crate::question::Question;
use crate::system::{Algorithm, ClassIx, LeafIx, LinkIx, Protocol, System, Tier, tier_of};
use crate::units::{Bandwidth, Bytes, Share, Time};

/// What is known about a question on a system.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// How long it takes.
    Estimate(Box<Estimate>),
    /// Some ranks cannot be reached, or nothing that was allowed can do it.
    Unreachable(Unreachable),
}

impl Answer {
    /// The estimate, if there is one.
    pub fn estimate(&self) -> Option<&Estimate> {
        match self {
            Self::Estimate(e) => Some(e),
            Self::Unreachable(_) => None,
        }
    }
}

/// Why there is no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable {
    /// Which ranks or devices: `node3/gpu2`, `all ranks`.
    pub ranks: String,
    /// The reason, in a clause.
    pub because: String,
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unreachable: {}, because {}", self.ranks, self.because)
    }
}

/// Where the time of a candidate goes. The four add up to its time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Terms {
    /// Launch of the call.
    pub launch: Time,
    /// Steps on the critical path times their latency, and fixed costs of engines.
    pub steps: Time,
    /// Until the first chunk has come through the pipeline.
    pub fill: Time,
    /// Bytes on the busiest link at its usable rate.
    pub transfer: Time,
}

impl Terms {
    /// All of it.
    pub fn total(&self) -> Time {
        self.launch + self.steps + self.fill + self.transfer
    }
}

/// What sets the transfer time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingPlace {
    /// A link of a unit, in one direction.
    Link {
        /// Class of the unit.
        class: ClassIx,
        /// The link.
        link: LinkIx,
        /// From its first end to its second.
        forward: bool,
    },
    /// The uplinks of a leaf.
    Uplink(LeafIx),
    /// The kernels of the GPU: the protocol's ceiling per channel.
    Kernel,
    /// Nothing is moved.
    Nothing,
}

/// What binds, and by how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    /// Where.
    pub place: BindingPlace,
    /// Time that it alone needs.
    pub time: Time,
}

/// A pattern of traffic and how much of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatternUse {
    /// The pattern.
    pub pattern: Pattern,
    /// Bytes of data in the pattern's unit of account.
    pub bytes: Bytes,
    /// The same with the protocol's flags and the kernel's share of the link rate: what keeps the links busy.
    pub wire: Bytes,
}

/// One way to do it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The protocol.
    pub protocol: Protocol,
    /// Where its time goes.
    pub terms: Terms,
    /// What sets the transfer time.
    pub binding: Binding,
    /// The traffic.
    pub traffic: Vec<PatternUse>,
    /// Steps on the critical path: inside units, and over the network.
    pub steps_inside: u64,
    /// See above.
    pub steps_network: u64,
    /// Latency of one step inside.
    pub step_inside: Time,
    /// Latency of one step over the network.
    pub step_network: Time,
    /// Channels assumed.
    pub channels: u32,
}

impl Candidate {
    /// Its time.
    pub fn time(&self) -> Time {
        self.terms.total()
    }

    /// Whether launch and steps take most of the time: then no link binds.
    pub fn is_latency_bound(&self) -> bool {
        self.terms.transfer + self.terms.fill < self.terms.launch + self.terms.steps
    }

    /// The tier of what binds; `None` where no link does (latency, kernels, nothing moved).
    pub fn binding_tier(&self, system: &System) -> Option<Tier> {
        match self.binding.place {
            _ if self.is_latency_bound() => None,
            BindingPlace::Link { class, link, .. } => {
                system.classes.get(class.0)?.shape.link(link).map(|l| tier_of(l.kind.family))
            }
            BindingPlace::Uplink(_) => Some(Tier::ScaleOut),
            BindingPlace::Kernel | BindingPlace::Nothing => None,
        }
    }
}

/// What one tier contributes.
#[derive(Debug, Clone, PartialEq)]
pub struct TierUse {
    /// The tier.
    pub tier: Tier,
    /// Its busiest link: `gpu0--nvsw0` and its kind.
    pub link: String,
    /// Bytes that one rank sends over this tier.
    pub bytes_per_rank: Bytes,
    /// Usable rate of one rank's share of it, GB/s per direction.
    pub usable: Bandwidth,
    /// Time that this tier alone would need.
    pub time: Time,
    /// The same as a share of the answer's time.
    pub utilisation: Share,
}

/// A remark that belongs to an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note(pub String);

/// How long it takes, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The question.
    pub question: Question,
    /// Groups that run at the same time.
    pub groups: u64,
    /// Ranks of a group.
    pub ranks: u64,
    /// Nodes (hosts) that a group spans.
    pub nodes: u64,
    /// Scale-up units that a group spans.
    pub units: u32,
    /// What the library takes.
    pub chosen: Candidate,
    /// All that it could take, best first.
    pub candidates: Vec<Candidate>,
    /// Time of one call.
    pub time: Time,
    /// Fast end of the range that 80 % of such machines fall into.
    pub low: Time,
    /// Slow end of it.
    pub high: Time,
    /// No algorithm can be faster on this hardware.
    pub bound: Time,
    /// What binds, in words: `node0/gpu0--nvsw0`.
    pub bottleneck: String,
    /// What each tier contributes.
    pub tiers: Vec<TierUse>,
    /// Remarks.
    pub notes: Vec<Note>,
}

impl Estimate {
    /// nccl-tests' algorithm bandwidth: size over time.
    pub fn algbw(&self) -> Bandwidth {
        self.question.size / self.time
    }

    /// nccl-tests' bus bandwidth.
    pub fn busbw(&self) -> Bandwidth {
        self.algbw() * self.question.collective.bus_factor(self.ranks)
    }

    /// The bound in words: `5.36 ms: at 94% of the limit`; where one rank keeps all there is none.
    pub fn bound_words(&self) -> String {
        if self.bound <= Time::ZERO {
            return "0 us: nothing has to move".to_owned();
        }
        format!("{}: at {} of the limit", self.bound, self.share_of_bound())
    }

    /// How near the estimate is to the bound; 1 would be the limit.
    pub fn share_of_bound(&self) -> Share {
        self.bound / self.time
    }
}
