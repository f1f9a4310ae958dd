//! What each algorithm does with a message: traffic, steps, fixed costs, depth of its pipeline.

use super::params::Params;
use super::prepared::{Prepared, UnitCost};
use crate::collective::{Pattern, tree_depth, tree_network_load};
use crate::parts::Figure;
use crate::system::Algorithm;
use crate::units::{Share, Time};

/// What an algorithm does with a message, in the terms of the cost model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Recipe {
    pub(super) algorithm: Algorithm,
    /// Traffic: patterns with bytes per byte of the message, and the share of the link rate that the kernel reaches.
    pub(super) traffic: Vec<(Pattern, f64, Share)>,
    /// Bytes that the kernel of one GPU sends, per byte of the message.
    pub(super) kernel: f64,
    /// Bytes that one connection between units carries, per byte of the message, all channels together.
    pub(super) connection: f64,
    /// Steps inside the unit.
    pub(super) inside: u64,
    /// Steps over the network.
    pub(super) network: u64,
    /// Fixed cost of engines, us.
    pub(super) fixed: Time,
    /// Slots per channel that a chunk may fill on its way.
    pub(super) depth: f64,
    /// Whether it only gathers or scatters pieces (all-gather, reduce-scatter).
    pub(super) gathers: bool,
    /// How a chunk passes.
    pub(super) passes: Passes,
}

/// How the first chunk passes through an algorithm's pipeline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Passes {
    /// The kernels copy it once; the links are busy with other chunks meanwhile.
    Copied,
    /// It passes the narrowest link before the first result is back.
    Linked {
        /// Bytes on the NICs per byte of the message; inside it is one.
        network: f64,
    },
    /// Every hop waits for all of it.
    Stored,
}

/// Ring steps and bytes: `k` hand-overs of `1/n` each, `kn` of them over the network.
pub(super) fn ring(p: &Prepared<'_>, k: u64, kn: u64, per_step: f64, depth: f64) -> Recipe {
    let spans = p.who.units > 1;
    let share = k as f64 * per_step;
    let single = p.who.per_unit == 1;
    let traffic = if spans {
        let inside = (Pattern::Chain, share, Share::ONE);
        let network = (Pattern::Network, share, Share::ONE);
        if single { vec![network] } else { vec![inside, network] }
    } else {
        vec![(Pattern::Ring, share, Share::ONE)]
    };
    let network = if spans { if single { k } else { kn } } else { 0 };
    Recipe {
        algorithm: Algorithm::Ring,
        traffic,
        kernel: share,
        connection: if spans { share } else { 0.0 },
        inside: k - network,
        network,
        fixed: Time::ZERO,
        depth,
        gathers: false,
        passes: Passes::Copied,
    }
}

/// A chain in each unit and a double binary tree between them.
pub(super) fn tree(p: &Prepared<'_>, params: &Params) -> Recipe {
    let depth = tree_depth(p.who.units);
    let inside = u64::from(p.who.per_unit.saturating_sub(1)) * 2;
    let network = u64::from(depth) * 2;
    let out = tree_network_load(p.who.units).0;
    let mut traffic = vec![(Pattern::Network, out, fan(p, params))];
    if p.who.per_unit > 1 {
        traffic.insert(0, (Pattern::BothWays, 1.0, tree_share(p, params).is));
    }
    Recipe {
        algorithm: Algorithm::Tree,
        traffic,
        kernel: 2.0,
        connection: 1.0,
        inside,
        network,
        fixed: Time::ZERO,
        depth: 1.0,
        gathers: false,
        passes: Passes::Stored,
    }
}

/// Share of the link rate that the tree's kernel reaches on the slowest architecture that takes part.
pub(super) fn tree_share<'a>(p: &Prepared<'a>, params: &'a Params) -> &'a Figure<Share> {
    let own = |u: &UnitCost<'_>| p.system.catalogue.arch(u.arch()?).ok()?.tree.as_ref();
    let known = p.units.iter().filter_map(own);
    known.min_by(|a, b| a.is.ratio().total_cmp(&b.is.ratio())).unwrap_or(&params.tree_share)
}

/// Share of the NICs' rate that trees over so many units reach.
fn fan(p: &Prepared<'_>, params: &Params) -> Share {
    if p.who.units < 4 { Share::ONE } else { params.tree_fan.is }
}

/// In-switch reduction, alone or with a tree or the fabric's own reduction above it.
pub(super) fn reduce(p: &Prepared<'_>, params: &Params, algorithm: Algorithm) -> Recipe {
    let above = f64::from(p.who.per_unit.saturating_sub(8));
    let sync = params.reduce_per_rank.is * above;
    let depth = u64::from(tree_depth(p.who.units)) * 2;
    let (traffic, network, extra, through) = match algorithm {
        Algorithm::Nvls => (vec![(Pattern::Reduce, 1.0, Share::ONE)], 0, Time::ZERO, 1.0),
        Algorithm::Collnet => (
            vec![(Pattern::Reduce, 1.0, params.reduce_with_network.is), (Pattern::Network, 1.0, fabric_reduction(p))],
            0,
            params.collnet_latency.is,
            1.0,
        ),
        _ => {
            let out = tree_network_load(p.who.units).0;
            let traffic =
                vec![(Pattern::Reduce, 1.0, params.reduce_with_network.is), (Pattern::Network, out, fan(p, params))];
            (traffic, depth, Time::ZERO, out)
        }
    };
    Recipe {
        algorithm,
        traffic,
        kernel: 0.0,
        connection: 0.0,
        inside: 0,
        network,
        fixed: params.reduce_latency.is + sync + extra,
        depth: 2.0 + network as f64,
        gathers: false,
        passes: Passes::Linked { network: through },
    }
}

/// Every pair directly.
pub(super) fn pairs(p: &Prepared<'_>, params: &Params) -> Recipe {
    let n = p.who.ranks as f64;
    let g = f64::from(p.who.per_unit);
    let mut traffic = Vec::new();
    if p.who.per_unit > 1 {
        traffic.push((Pattern::Pairs, 1.0 / n, Share::ONE));
    }
    let spans = p.who.units > 1;
    if spans {
        traffic.push((Pattern::PairsNetwork, (n - g) / n, Share::ONE));
    }
    Recipe {
        algorithm: Algorithm::Direct,
        traffic,
        kernel: 0.0,
        connection: 0.0,
        inside: 0,
        network: u64::from(spans),
        fixed: params.peer.is * (n - 1.0),
        depth: 1.0,
        gathers: false,
        passes: Passes::Copied,
    }
}

/// Everyone to the next rank.
pub(super) fn shift(p: &Prepared<'_>, params: &Params) -> Recipe {
    let spans = p.who.units > 1;
    let pattern = if spans { Pattern::ShiftNetwork } else { Pattern::Shift };
    Recipe {
        algorithm: Algorithm::Direct,
        traffic: vec![(pattern, 1.0, if spans { Share::ONE } else { params.pair_share.is })],
        kernel: 0.0,
        connection: 0.0,
        inside: u64::from(!spans),
        network: u64::from(spans),
        fixed: Time::ZERO,
        depth: 0.0,
        gathers: false,
        passes: Passes::Copied,
    }
}

/// What the reduction engines of the fabric's switches do of their ports' usable rate.
fn fabric_reduction(p: &Prepared<'_>) -> Share {
    let switch = p.system.fabric.as_ref().and_then(|f| f.switch.reduction.as_ref());
    switch.map_or(Share::ONE, |r| r.small.is)
}
