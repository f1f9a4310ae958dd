//! How long it takes: rates, latencies, protocols, choice, bound, range, explanation.
//!
//! `time = launch + steps x step latency + fill of the pipeline + max over links (bytes on the link / usable rate)`.
//!
//! Three layers are kept apart: the wire (parts catalogue), software on the wire (usable shares and step latencies in the
//! catalogue, library constants in [`Params`]), and the algorithm ([`crate::collective`], from the graph alone).

mod answer;
mod bound;
mod candidates;
mod estimate;
mod explain;
mod fabric_load;
mod formula;
mod link_loads;
mod memo;
mod params;
mod prepared;
mod range;
mod rates;
mod recipes;
mod tier_use;
mod timeline;

pub use answer::{Answer, Binding, BindingPlace, Candidate, Estimate, Note, PatternUse, Terms, TierUse, Unreachable};
pub use bound::{BoundCut, BoundRate, CutPlace, bound, bound_rate};
pub use estimate::{estimate, estimate_with, sizes};
pub use explain::{Explanation, Section, explain};
pub use link_loads::LinkLoads;
pub use params::Params;
pub use prepared::Prepared;
pub use range::Machine;
pub use timeline::{Cell, ChunkTable, Done, MOST_RANKS, Slowest, TierProgress, Timeline, chunk_table, short_place};
