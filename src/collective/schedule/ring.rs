//! Rings, and chains that are rings cut open at the root.

use super::super::Pattern;
use super::lanes::Lane;
use super::local::{Local, Way};
use super::{Chunk, GroupPlan, Kind, Leg, Move, Op, Place, Rank, Schedule};
use crate::system::ClassIx;
use crate::units::Bytes;

/// Whether the hand-over of a lane at a place is wanted.
type Wanted<'w> = &'w dyn Fn(usize, u64) -> bool;

/// One hand-over of a lane: from a rank to the next one.
struct Hand {
    /// Place of the sender on the lane, all units counted.
    at: u64,
    from: Rank,
    to: Rank,
    legs: Vec<Leg>,
    /// Bytes of the whole collective on it.
    bytes: Bytes,
}

impl Schedule {
    /// Every rank hands a chunk on, in every step: first to be added, then to be kept.
    pub(super) fn ring(&self, g: &GroupPlan, step: u64, lane: Option<usize>, scatter: bool, gather: bool) -> Vec<Move> {
        let (n, turn) = (g.ranks, g.ranks - 1);
        let adds = scatter && step < turn;
        let done = if scatter && !adds { turn } else { 0 };
        let steps = turn * (u64::from(scatter) + u64::from(gather));
        // Chunk c ends its first round at the c-th rank: it starts one place further on.
        let back = (step - done) % n + u64::from(adds);
        let op = if adds { Op::Add } else { Op::Copy };
        self.hands(g, lane, &|_, _| true)
            .into_iter()
            .map(|(lane, h)| {
                let index = (h.at + n - back % n) % n;
                h.step(op, Chunk { lane: lane as u32, index }, 1.0 / steps as f64, 0)
            })
            .collect()
    }

    /// The first piece over one hand-over, or a later one over all of them.
    pub(super) fn chain(&self, g: &GroupPlan, step: u64, lane: Option<usize>, adds: bool) -> Vec<Move> {
        let op = if adds { Op::Add } else { Op::Copy };
        let under_way = self.cut.under_way(self.stages(g), step);
        let now = |lane: usize, at: u64| {
            let stage = g.edges.get(lane)?.binary_search(&self.edge(g, lane, at)).ok()? as u64;
            under_way.iter().find(|(s, _)| *s == stage)
        };
        let mut moves = Vec::new();
        for (lane, h) in self.hands(g, lane, &|lane, at| now(lane, at).is_some()) {
            moves.extend(now(lane, h.at).map(|(stage, piece)| {
                h.step(op, Chunk { lane: lane as u32, index: *piece }, self.cut.share(*piece), *stage)
            }));
        }
        moves.sort_by_key(|m| m.order);
        moves
    }

    /// The hand-overs of chains that are shown, per lane, counted from the root.
    pub(super) fn edges(&self, g: &GroupPlan) -> Vec<Vec<u64>> {
        if !matches!(self.kind, Kind::Chain { .. }) {
            return Vec::new();
        }
        let mut edges = vec![Vec::new(); g.lanes.len()];
        for (lane, h) in self.hands(g, None, &|_, _| true) {
            let edge = self.edge(g, lane, h.at);
            // The one into the root closes the ring: no piece takes it.
            if let Some(list) = edges.get_mut(lane).filter(|_| edge + 1 < g.ranks) {
                list.push(edge);
            }
        }
        for list in &mut edges {
            list.sort_unstable();
        }
        edges
    }

    /// A hand-over's place, counted from the root: a broadcast starts at the root, a sum ends there.
    fn edge(&self, g: &GroupPlan, lane: usize, at: u64) -> u64 {
        let Kind::Chain { adds, closed } = self.kind else { return at };
        let root = self.root_place(g, lane, closed);
        let start = if adds && closed { (root + 1) % g.ranks } else { root };
        (at + g.ranks - start) % g.ranks
    }

    /// The place of the root on a lane: GPU 0 of the first unit; on a thread that is open anyway, where it begins.
    fn root_place(&self, g: &GroupPlan, lane: usize, closed: bool) -> u64 {
        if !closed {
            return 0;
        }
        let Some((lane, (class, local))) = g.lanes.get(lane).zip(self.local(g, 0)) else { return 0 };
        let order = local.order(lane.thread(class));
        order.iter().position(|i| *i == 0).unwrap_or(0) as u64
    }

    /// The rank that a broadcast starts from or a reduction ends at.
    pub(super) fn root_rank(&self, g: &GroupPlan, adds: bool, closed: bool) -> Rank {
        let order = self.local(g, 0).zip(g.lanes.first()).map(|((c, l), lane)| l.order(lane.thread(c)).to_vec());
        let order = order.unwrap_or_default();
        let gpu = match (closed, adds) {
            (true, _) => 0,
            (false, false) => order.first().copied().unwrap_or(0),
            (false, true) => order.last().copied().unwrap_or(0),
        };
        Rank { unit: 0, gpu }
    }

    /// The hand-overs of the shown units, with their lanes: those that are wanted, by lane and place on it.
    fn hands(&self, g: &GroupPlan, only: Option<usize>, wanted: Wanted<'_>) -> Vec<(usize, Hand)> {
        let mut all = Vec::new();
        for (i, lane) in g.lanes(only) {
            for (unit, first) in &g.shown {
                all.extend(self.hands_in(g, lane, (*unit, *first), &|at| wanted(i, at)).map(|h| (i, h)));
            }
        }
        all
    }

    /// The hand-overs out of a unit's ranks, and the one into the unit from one that is not shown.
    fn hands_in(
        &self,
        g: &GroupPlan,
        lane: &Lane,
        (unit, first): (u32, u64),
        wanted: &dyn Fn(u64) -> bool,
    ) -> impl Iterator<Item = Hand> {
        let mut list = Vec::new();
        if let Some((class, local)) = self.local(g, unit) {
            let order = local.order(lane.thread(class));
            let pairs = (first..).zip(order.iter().zip(order.iter().skip(1)));
            for (at, (a, b)) in pairs.filter(|(at, _)| wanted(*at)) {
                list.extend(self.inside(lane, (unit, class, local), at, *a, *b));
            }
            let last = first + order.len() as u64 - 1;
            if g.members.len() == 1 {
                if !wanted(last) {
                    return list.into_iter();
                }
                if let (Some(a), Some(b), true) = (order.last(), order.first(), self.has(Pattern::Ring)) {
                    list.extend(self.inside(lane, (unit, class, local), last, *a, *b));
                }
            } else {
                list.extend(wanted(last).then(|| self.outward(g, lane, unit, last)).flatten());
                let (before, at) = (g.before(unit, 1), (first + g.ranks - 1) % g.ranks);
                if !g.is_shown(before) && wanted(at) {
                    list.extend(self.outward(g, lane, before, at));
                }
            }
        }
        list.into_iter()
    }

    fn inside(&self, lane: &Lane, at: (u32, ClassIx, &Local), place: u64, a: u32, b: u32) -> Option<Hand> {
        let (unit, class, local) = at;
        let pattern = if self.has(Pattern::Ring) { Pattern::Ring } else { Pattern::Chain };
        let leg = leg((unit, class), pattern, &local.between(a, b).filter(|_| a != b)?, 1.0);
        let (from, to) = (Rank { unit, gpu: a }, Rank { unit, gpu: b });
        Some(Hand { at: place, from, to, legs: vec![leg], bytes: self.priced(pattern) * lane.share })
    }

    /// From the last rank of a unit to the first of the next.
    fn outward(&self, g: &GroupPlan, lane: &Lane, unit: u32, place: u64) -> Option<Hand> {
        let next = g.after(unit, 1);
        let ((class, local), (to_class, to_local)) = (self.local(g, unit)?, self.local(g, next)?);
        let (order, to_order) = (local.order(lane.thread(class)), to_local.order(lane.thread(to_class)));
        let (last, first) = (*order.last()?, *to_order.first()?);
        let mut legs = legs((unit, class), Pattern::Network, &local.network(last, true), 1.0);
        // The same NIC for what comes in as for what goes out: on rails both are one plane.
        legs.extend(super::ring::legs(
            (next, to_class),
            Pattern::Network,
            &to_local.network(*to_order.last()?, false),
            1.0,
        ));
        let (from, to) = (Rank { unit, gpu: last }, Rank { unit: next, gpu: first });
        Some(Hand { at: place, from, to, legs, bytes: self.priced(Pattern::Network) * lane.share })
    }
}

impl Hand {
    /// A share of the bytes goes over.
    fn step(self, op: Op, chunk: Chunk, share: f64, order: u64) -> Move {
        let (from, to) = (Place::Gpu(self.from), Place::Gpu(self.to));
        Move { from, to, op, order, chunks: vec![chunk], bytes: self.bytes * share, legs: self.legs }
    }
}

impl Lane {
    /// The thread of a class.
    pub(super) fn thread(&self, class: ClassIx) -> usize {
        self.threads.get(class.0).copied().unwrap_or(0)
    }
}

/// A leg over one way.
pub(super) fn leg((unit, class): (u32, ClassIx), pattern: Pattern, way: &Way, factor: f64) -> Leg {
    Leg { unit, class, pattern, via: way.via, hops: way.hops.clone(), factor: factor * way.share }
}

/// Legs over several ways at once.
pub(super) fn legs(at: (u32, ClassIx), pattern: Pattern, ways: &[Way], factor: f64) -> Vec<Leg> {
    ways.iter().map(|w| leg(at, pattern, w, factor)).collect()
}
