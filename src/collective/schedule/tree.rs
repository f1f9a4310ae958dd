//! The double binary tree between units, and the chains below it.

use super::super::Pattern;
use super::lanes::Lane;
use super::ring::{leg, legs};
use super::{Chunk, GroupPlan, Joint, Leg, Move, Op, Place, Rank, Schedule};

/// The unit above one in a binary tree over `n` units whose leaves are the odd ones; `None` at the root.
fn above(unit: u32, n: u32) -> Option<u32> {
    if unit == 0 {
        return None;
    }
    let low = 1 << unit.trailing_zeros();
    let up = (unit ^ low) | low << 1;
    Some(if up < n { up } else { unit ^ low })
}

/// The units below one in that tree.
fn below(unit: u32, n: u32) -> Vec<u32> {
    let low = if unit == 0 { n.next_power_of_two() } else { 1 << unit.trailing_zeros() };
    let mut list = Vec::new();
    let mut half = low >> 1;
    if unit > 0 && half > 0 {
        list.push(unit - half);
    }
    while half > 0 && unit + half >= n {
        half >>= 1;
    }
    if half > 0 {
        list.push(unit + half);
    }
    list
}

/// Levels of the tree below its root.
pub(super) fn depth(n: u32) -> u32 {
    if n < 2 { 0 } else { 1 + (n - 1).ilog2() }
}

/// The units from the root to a leaf.
pub(super) fn spine(n: u32) -> Vec<u32> {
    std::iter::successors(Some(0), |u| below(*u, n).first().copied()).collect()
}

/// How far below the root a unit is.
fn level(unit: u32, n: u32) -> u32 {
    std::iter::successors(above(unit, n), |u| above(*u, n)).count() as u32
}

/// The second tree is the first one turned round, so that its leaves are the inner units of the first: mirrored over an even
/// number of units, shifted by one over an odd number.
fn role(unit: u32, n: u32, tree: u64) -> u32 {
    match (tree, n.is_multiple_of(2)) {
        (0, _) => unit,
        (_, true) => n - 1 - unit,
        (_, false) => (unit + n - 1) % n,
    }
}

fn player(role: u32, n: u32, tree: u64) -> u32 {
    match (tree, n.is_multiple_of(2)) {
        (0, _) => role,
        (_, true) => n - 1 - role,
        (_, false) => (role + 1) % n,
    }
}

/// An edge of one of the trees.
struct Edge {
    child: u32,
    parent: u32,
    /// Level of the child.
    level: u32,
}

/// The edges at the shown units.
fn edges(g: &GroupPlan, tree: u64) -> Vec<Edge> {
    let n = g.members.len();
    let mut list = Vec::new();
    for (unit, _) in &g.shown {
        let own = role(*unit, n, tree);
        let edge = |child: u32, parent: u32| Edge {
            child: player(child, n, tree),
            parent: player(parent, n, tree),
            level: level(child, n),
        };
        list.extend(above(own, n).map(|p| edge(own, p)));
        list.extend(below(own, n).into_iter().map(|c| edge(c, own)).filter(|e| !g.is_shown(e.child)));
    }
    list
}

/// Where units stand in a tree.
pub(super) fn joints(n: u32, units: impl Iterator<Item = u32>, tree: u64) -> Vec<Joint> {
    let one = |unit: u32| {
        let own = role(unit, n, tree);
        Joint { unit, parent: above(own, n).map(|p| player(p, n, tree)), level: level(own, n), place: own }
    };
    units.map(one).collect()
}

impl Schedule {
    /// Chains add up towards their heads, the heads up the trees, and all the way back.
    pub(super) fn tree(&self, g: &GroupPlan, step: u64, lane: Option<usize>) -> Vec<Move> {
        let (chain, depth) = (g.widest - 1, u64::from(depth(g.members.len())));
        let mut moves = Vec::new();
        for (stage, piece) in self.cut.under_way(self.stages(g), step) {
            for tree in 0..2 {
                let index = tree * self.cut.pieces() + piece;
                let from = moves.len();
                if stage < chain || (chain + 2 * depth..2 * chain + 2 * depth).contains(&stage) {
                    let up = stage < chain;
                    let edge = if up { chain - stage } else { stage - chain - 2 * depth + 1 };
                    moves.extend(self.chain_edges(g, lane, edge, up, index));
                } else if stage < chain + 2 * depth {
                    moves.extend(self.tree_edges(g, lane, stage - chain, tree, index));
                }
                moves.iter_mut().skip(from).for_each(|m| m.order = stage);
            }
        }
        moves
    }

    /// The hand-over at a place of every chain, towards its head or away from it.
    fn chain_edges(&self, g: &GroupPlan, lane: Option<usize>, edge: u64, up: bool, index: u64) -> Vec<Move> {
        let mut moves = Vec::new();
        for (i, lane) in g.lanes(lane) {
            for (unit, _) in &g.shown {
                let Some((class, local)) = self.local(g, *unit) else { continue };
                let order = local.order(lane.thread(class));
                let at = |k: u64| order.get(k as usize).copied();
                let (Some(near), Some(far)) = (at(edge - 1), at(edge)) else { continue };
                let (a, b) = if up { (far, near) } else { (near, far) };
                let Some(way) = local.between(a, b) else { continue };
                let place = |gpu| Place::Gpu(Rank { unit: *unit, gpu });
                moves.push(Move {
                    from: place(a),
                    to: place(b),
                    op: if up { Op::Add } else { Op::Copy },
                    order: 0,
                    chunks: vec![Chunk { lane: i as u32, index }],
                    bytes: self.priced(Pattern::BothWays) * (lane.share * self.half(index)),
                    legs: vec![leg((*unit, class), Pattern::BothWays, &way, 1.0)],
                });
            }
        }
        moves
    }

    /// One stage of the trees between units: the lowest level first on the way up, the highest on the way down.
    pub(super) fn tree_edges(
        &self,
        g: &GroupPlan,
        lane: Option<usize>,
        stage: u64,
        tree: u64,
        index: u64,
    ) -> Vec<Move> {
        let depth = u64::from(depth(g.members.len()));
        let up = stage < depth;
        let level = if up { depth - stage } else { stage - depth + 1 };
        let mut moves = Vec::new();
        for e in edges(g, tree).into_iter().filter(|e| u64::from(e.level) == level) {
            let (from, to) = if up { (e.child, e.parent) } else { (e.parent, e.child) };
            for (i, lane) in g.lanes(lane) {
                let Some((from, to, legs)) = self.across(g, lane, from, to) else { continue };
                moves.push(Move {
                    from: Place::Gpu(from),
                    to: Place::Gpu(to),
                    op: if up { Op::Add } else { Op::Copy },
                    order: 0,
                    chunks: vec![Chunk { lane: i as u32, index }],
                    bytes: self.size * (lane.share * self.half(index)),
                    legs,
                });
            }
        }
        moves
    }

    /// A piece's share of the message: each of the two trees carries a half.
    fn half(&self, index: u64) -> f64 {
        self.cut.share(index % self.cut.pieces()) / 2.0
    }

    /// From the head of a lane in one unit to its head in another.
    fn across(&self, g: &GroupPlan, lane: &Lane, from: u32, to: u32) -> Option<(Rank, Rank, Vec<Leg>)> {
        let ((class, local), (to_class, to_local)) = (self.local(g, from)?, self.local(g, to)?);
        let head = *local.order(lane.thread(class)).first()?;
        let to_head = *to_local.order(lane.thread(to_class)).first()?;
        let mut list = legs((from, class), Pattern::Network, &local.network(head, true), 1.0);
        list.extend(legs((to, to_class), Pattern::Network, &to_local.network(to_head, false), 1.0));
        Some((Rank { unit: from, gpu: head }, Rank { unit: to, gpu: to_head }, list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::tree_network_load;

    #[test]
    fn both_trees_span_all_units_and_fit_into_their_depth() {
        for n in 2..200 {
            for tree in 0..2 {
                let mut reached = vec![false; n as usize];
                for unit in 0..n {
                    let own = role(unit, n, tree);
                    assert_eq!(player(own, n, tree), unit);
                    assert!(level(own, n) <= depth(n), "{unit} of {n}");
                    for c in below(own, n) {
                        assert_eq!(above(c, n), Some(own), "{c} of {n}");
                        assert!(!std::mem::replace(&mut reached[player(c, n, tree) as usize], true));
                    }
                }
                assert_eq!(reached.iter().filter(|r| !**r).count(), 1, "only the root has nobody above, {n}");
            }
            assert_eq!(spine(n).len() as u32, depth(n) + 1);
        }
    }

    #[test]
    fn the_busiest_unit_sends_what_is_priced() {
        for n in 2..200 {
            let sends = |unit: u32, tree: u64| {
                let own = role(unit, n, tree);
                0.5 * (below(own, n).len() + usize::from(own != 0)) as f64
            };
            let most = (0..n).map(|u| sends(u, 0) + sends(u, 1)).fold(0.0, f64::max);
            assert!((most - tree_network_load(n).0).abs() < 1e-12, "{n} units");
        }
    }
}
