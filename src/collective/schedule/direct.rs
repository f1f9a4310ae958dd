//! Every pair directly, and the shift by one rank.

use super::super::Pattern;
use super::local::Local;
use super::ring::{leg, legs};
use super::{Chunk, GroupPlan, Leg, Move, Op, Place, Rank, Schedule};
use crate::system::ClassIx;

impl Schedule {
    /// Inside the units the pairs at the same distance in a step; at the same time between them, unit by unit further away,
    /// and there GPU by GPU. In slices: a part of every block, all pairs at once.
    pub(super) fn pairs(&self, g: &GroupPlan, step: u64) -> Vec<Move> {
        let Some(slices) = self.cut.slices() else { return self.round(g, step, 0) };
        let mut moves: Vec<Move> = (0..Self::rounds(g)).flat_map(|r| self.round(g, r, step)).collect();
        for m in &mut moves {
            m.bytes = m.bytes * (1.0 / slices as f64);
        }
        moves
    }

    /// Steps in which every pair has its turn.
    pub(super) fn rounds(g: &GroupPlan) -> u64 {
        match u64::from(g.members.len()) {
            0 | 1 => g.widest.saturating_sub(1),
            units => (units - 1) * g.widest,
        }
    }

    /// One of them, of a slice of the blocks.
    fn round(&self, g: &GroupPlan, round: u64, slice: u64) -> Vec<Move> {
        let inside = round + 1 < g.widest;
        let mut moves = if inside { self.pairs_inside(g, round as u32 + 1) } else { Vec::new() };
        if g.members.len() > 1 {
            let (away, turn) = (round / g.widest + 1, round % g.widest);
            for (unit, before) in &g.shown {
                let far = g.after(*unit, away as u32);
                moves.extend(self.pairs_between(g, (*unit, *before), far, turn as u32));
                let near = g.before(*unit, away as u32);
                if !g.is_shown(near) {
                    let before = self.ranks_before(g, near);
                    moves.extend(self.pairs_between(g, (near, before), *unit, turn as u32));
                }
            }
        }
        let slices = self.cut.slices().unwrap_or(1);
        for c in moves.iter_mut().flat_map(|m| &mut m.chunks) {
            c.index = c.index * slices + slice;
        }
        moves
    }

    fn ranks_before(&self, g: &GroupPlan, unit: u32) -> u64 {
        let len = |c: ClassIx| {
            let local = g.locals.get(c.0).copied().flatten().and_then(|i| self.locals.get(i));
            local.map_or(0, |l| u64::from(l.len()))
        };
        g.members.ranks_before(unit, len)
    }

    fn pairs_inside(&self, g: &GroupPlan, turn: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        for (unit, before) in &g.shown {
            let Some((class, local)) = self.local(g, *unit).filter(|(_, l)| turn < l.len()) else { continue };
            for a in 0..local.len() {
                let b = (a + turn) % local.len();
                let Some(way) = local.between(a, b) else { continue };
                let at = |gpu| Place::Gpu(Rank { unit: *unit, gpu });
                moves.push(Move {
                    from: at(a),
                    to: at(b),
                    op: Op::Copy,
                    order: 0,
                    chunks: vec![Chunk { lane: 0, index: before + u64::from(a) }],
                    bytes: self.priced(Pattern::Pairs),
                    legs: vec![leg((*unit, class), Pattern::Pairs, &way, 1.0)],
                });
            }
        }
        moves
    }

    /// From every GPU of a unit to one of another each.
    fn pairs_between(&self, g: &GroupPlan, (unit, before): (u32, u64), far: u32, turn: u32) -> Vec<Move> {
        let (Some(here), Some(there)) = (self.local(g, unit), self.local(g, far)) else { return Vec::new() };
        // What a GPU sends out goes to so many others.
        let peers = |l: &Local| (g.ranks - u64::from(l.len())).max(1) as f64;
        let bytes = self.priced(Pattern::PairsNetwork) * (1.0 / peers(here.1));
        let scale = peers(here.1) / peers(there.1);
        let mut moves = Vec::new();
        for a in 0..here.1.len() {
            let b = (a + turn) % g.widest as u32;
            if b >= there.1.len() {
                continue;
            }
            let mut list = leaving((unit, here.0), here.1, a, b, there.1.len());
            list.extend(arriving((far, there.0), there.1, b, scale));
            moves.push(Move {
                from: Place::Gpu(Rank { unit, gpu: a }),
                to: Place::Gpu(Rank { unit: far, gpu: b }),
                op: Op::Copy,
                order: 0,
                chunks: vec![Chunk { lane: 0, index: before + u64::from(a) }],
                bytes,
                legs: list,
            });
        }
        moves
    }

    /// Everyone to the next rank, at once.
    pub(super) fn shift(&self, g: &GroupPlan) -> Vec<Move> {
        let mut moves = Vec::new();
        for (unit, first) in &g.shown {
            let Some((class, local)) = self.local(g, *unit) else { continue };
            let n = local.len();
            let alone = g.members.len() == 1;
            let pattern = if alone { Pattern::Shift } else { Pattern::ShiftNetwork };
            for a in 0..if alone { n } else { n - 1 } {
                let b = (a + 1) % n;
                let Some(way) = local.between(a, b).filter(|_| a != b) else { continue };
                let at = |gpu| Place::Gpu(Rank { unit: *unit, gpu });
                let legs = vec![leg((*unit, class), pattern, &way, 1.0)];
                moves.push(self.hand_on(at(a), at(b), first + u64::from(a), pattern, legs));
            }
            if !alone {
                moves.extend(self.hand_out(g, *unit, first + u64::from(n) - 1));
                let before = g.before(*unit, 1);
                if !g.is_shown(before) {
                    moves.extend(self.hand_out(g, before, (first + g.ranks - 1) % g.ranks));
                }
            }
        }
        moves
    }

    fn hand_on(&self, from: Place, to: Place, index: u64, pattern: Pattern, legs: Vec<Leg>) -> Move {
        Move {
            from,
            to,
            op: Op::Copy,
            order: 0,
            chunks: vec![Chunk { lane: 0, index }],
            bytes: self.priced(pattern),
            legs,
        }
    }

    /// From the last GPU of a unit to the first of the next.
    fn hand_out(&self, g: &GroupPlan, unit: u32, index: u64) -> Option<Move> {
        let next = g.after(unit, 1);
        let ((class, local), (to_class, to_local)) = (self.local(g, unit)?, self.local(g, next)?);
        let last = local.len() - 1;
        let pattern = Pattern::ShiftNetwork;
        let mut list = legs((unit, class), pattern, &local.alone(last, true), 1.0);
        list.extend(legs((next, to_class), pattern, &to_local.alone(0, false), 1.0));
        let (from, to) = (Rank { unit, gpu: last }, Rank { unit: next, gpu: 0 });
        Some(self.hand_on(Place::Gpu(from), Place::Gpu(to), index, pattern, list))
    }
}

/// Out of a unit: over the GPU's own NICs, or on rails over the GPU of the peer's rail first.
fn leaving(at: (u32, ClassIx), local: &Local, a: u32, b: u32, peers: u32) -> Vec<Leg> {
    let pattern = Pattern::PairsNetwork;
    if !local.rails {
        return legs(at, pattern, &local.alone(a, true), 1.0);
    }
    let n = local.len();
    if peers == n {
        let first = local.between(a, b).filter(|_| a != b).map(|w| leg(at, pattern, &w, 1.0));
        return first.into_iter().chain(legs(at, pattern, &local.network(b, true), 1.0)).collect();
    }
    // Units of unequal width have no common rails: evenly over all.
    let even = (0..n).filter(|x| *x != a).filter_map(|x| local.between(a, x));
    let mut list: Vec<Leg> = even.map(|w| leg(at, pattern, &w, 1.0 / f64::from(n))).collect();
    list.extend(legs(at, pattern, &local.spread(true), 1.0));
    list
}

/// Into a unit: over the receiver's NICs.
fn arriving(at: (u32, ClassIx), local: &Local, b: u32, scale: f64) -> Vec<Leg> {
    let ways = if local.rails { local.network(b, false) } else { local.alone(b, false) };
    legs(at, Pattern::PairsNetwork, &ways, scale)
}
