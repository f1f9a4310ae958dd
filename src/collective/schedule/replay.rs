//! What every GPU holds after so many steps, chunk by chunk: the moves carried out.

use std::collections::HashMap;

use super::{Chunk, GroupPlan, Kind, Move, Op, Place, Rank, Schedule};
use crate::question::Collective;

/// What a GPU has of a chunk: how often every rank's data is in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holding {
    /// Per rank of the group, in rank order.
    pub of: Vec<u16>,
}

impl Holding {
    /// Number of ranks whose data is in it.
    pub fn summed(&self) -> usize {
        self.of.iter().filter(|c| **c > 0).count()
    }
}

/// The state of a group.
#[derive(Debug, Clone)]
pub struct Replay {
    ranks: Vec<Rank>,
    held: HashMap<(Place, Chunk), Vec<u16>>,
    collective: Collective,
    chunks: Vec<Chunk>,
    root: usize,
    /// Owner of each chunk of a ring, in rank order.
    owners: HashMap<Chunk, usize>,
    /// Chunks of a sender's block.
    slices: u64,
}

impl Schedule {
    /// The state before the first step: of one lane, or of all. `None` unless all units are shown.
    pub fn replay(&self, group: usize, lane: Option<usize>) -> Option<Replay> {
        let g = self.groups.get(group).filter(|g| g.shown.len() as u32 == g.members.len())?;
        let of = |(unit, _): &(u32, u64)| {
            let len = self.local(g, *unit).map_or(0, |(_, l)| l.len());
            (0..len).map(|gpu| Rank { unit: *unit, gpu }).collect::<Vec<_>>()
        };
        let ranks: Vec<Rank> = g.shown.iter().flat_map(of).collect();
        let count = self.chunks(group);
        let single = matches!(self.kind, Kind::Pairs | Kind::Shift);
        let lanes = g.lanes(if single { Some(0) } else { lane });
        let chunks: Vec<Chunk> =
            lanes.flat_map(|(i, _)| (0..count).map(move |index| Chunk { lane: i as u32, index })).collect();
        let root = match self.kind {
            Kind::Chain { adds, closed } => self.root_rank(g, adds, closed),
            _ => Rank { unit: 0, gpu: 0 },
        };
        let root = ranks.iter().position(|r| *r == root).unwrap_or(0);
        let owners =
            if matches!(self.kind, Kind::Ring { .. }) { self.owners_of(g, &ranks, lane) } else { HashMap::new() };
        let (collective, slices) = (self.collective, self.slices());
        let mut replay = Replay { ranks, held: HashMap::new(), collective, chunks, root, owners, slices };
        replay.start();
        Some(replay)
    }

    /// Who ends the first round with which chunk: the c-th rank on the ring.
    fn owners_of(&self, g: &GroupPlan, ranks: &[Rank], lane: Option<usize>) -> HashMap<Chunk, usize> {
        let mut owners = HashMap::new();
        for (i, lane) in g.lanes(lane) {
            for (unit, first) in &g.shown {
                let Some((class, local)) = self.local(g, *unit) else { continue };
                for (place, gpu) in local.order(lane.thread(class)).iter().enumerate() {
                    let rank = Rank { unit: *unit, gpu: *gpu };
                    let chunk = Chunk { lane: i as u32, index: first + place as u64 };
                    owners.extend(ranks.iter().position(|r| *r == rank).map(|at| (chunk, at)));
                }
            }
        }
        owners
    }
}

impl Replay {
    /// The ranks, in rank order.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// The chunks that are followed.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// What a rank (by its place in rank order) holds of a chunk.
    pub fn held(&self, rank: usize, chunk: Chunk) -> Holding {
        let place = self.ranks.get(rank).map(|r| Place::Gpu(*r));
        let of = place.and_then(|p| self.held.get(&(p, chunk)).cloned());
        Holding { of: of.unwrap_or_else(|| vec![0; self.ranks.len()]) }
    }

    fn only(&self, rank: usize) -> Vec<u16> {
        (0..self.ranks.len()).map(|i| u16::from(i == rank)).collect()
    }

    /// Who has what at the beginning.
    fn start(&mut self) {
        for (i, rank) in self.ranks.clone().into_iter().enumerate() {
            for chunk in self.chunks.clone() {
                let has = match self.collective {
                    Collective::AllReduce | Collective::ReduceScatter | Collective::Reduce => true,
                    Collective::AllGather => self.owners.get(&chunk) == Some(&i),
                    Collective::Broadcast => self.root == i,
                    // Of an all-to-all a cell is what has come from that sender.
                    Collective::AllToAll => chunk.index / self.slices == i as u64,
                    Collective::SendRecv => false,
                };
                if has {
                    let own = self.only(i);
                    self.held.insert((Place::Gpu(rank), chunk), own);
                }
            }
        }
    }

    /// Carries out the moves of one step: those of one order all at once, but what passes a switch arrives there first.
    pub fn step(&mut self, moves: &[Move]) {
        let mut left = moves;
        while let Some(first) = left.first() {
            let same = left.iter().take_while(|m| m.order == first.order).count();
            let (now, later) = left.split_at(same);
            self.at_once(now);
            left = later;
        }
    }

    fn at_once(&mut self, moves: &[Move]) {
        let into_switch = |m: &&Move| !matches!(m.to, Place::Gpu(_));
        let from_gpu = |m: &&Move| matches!(m.from, Place::Gpu(_));
        let direct = self.sent(moves.iter().filter(|m| from_gpu(m) && !into_switch(m)));
        let up = self.sent(moves.iter().filter(into_switch));
        self.take(up);
        let down = self.sent(moves.iter().filter(|m| !from_gpu(m) && !into_switch(m)));
        self.take(direct);
        self.take(down);
        self.held.retain(|(place, _), _| matches!(place, Place::Gpu(_)));
    }

    /// What moves bring, as things are before any of them.
    fn sent<'m>(&self, moves: impl Iterator<Item = &'m Move>) -> Vec<(Place, Chunk, Op, Vec<u16>)> {
        let mut all = Vec::new();
        for m in moves {
            for chunk in &m.chunks {
                let what = match self.collective {
                    Collective::AllToAll | Collective::SendRecv => {
                        let Place::Gpu(rank) = m.from else { continue };
                        self.ranks.iter().position(|r| *r == rank).map(|i| self.only(i))
                    }
                    _ => self.held.get(&(m.from, *chunk)).cloned(),
                };
                // A shift has one cell per rank, whoever sent it.
                let cell = if self.collective == Collective::SendRecv { Chunk { lane: 0, index: 0 } } else { *chunk };
                all.extend(what.map(|w| (m.to, cell, m.op, w)));
            }
        }
        all
    }

    fn take(&mut self, sent: Vec<(Place, Chunk, Op, Vec<u16>)>) {
        for (to, chunk, op, what) in sent {
            let own = self.held.entry((to, chunk)).or_insert_with(|| vec![0; self.ranks.len()]);
            match op {
                Op::Copy => *own = what,
                Op::Add => own.iter_mut().zip(&what).for_each(|(a, b)| *a += b),
            }
        }
    }

    /// Whether every rank holds what the collective promises: each rank's data exactly once, and nothing else.
    pub fn kept(&self) -> bool {
        let all = vec![1; self.ranks.len()];
        let nth = |i: usize, c: &Chunk| self.held(i, *c).of;
        let last = self.ranks.len() - 1;
        (0..self.ranks.len()).all(|i| {
            self.chunks.iter().all(|c| match self.collective {
                Collective::AllReduce => nth(i, c) == all,
                Collective::ReduceScatter => self.owners.get(c) != Some(&i) || nth(i, c) == all,
                Collective::Reduce => i != self.root || nth(i, c) == all,
                Collective::AllGather => self.owners.get(c).is_some_and(|o| nth(i, c) == self.only(*o)),
                Collective::Broadcast => nth(i, c) == self.only(self.root),
                Collective::AllToAll => nth(i, c) == self.only((c.index / self.slices) as usize),
                Collective::SendRecv => nth(i, c) == self.only(if i == 0 { last } else { i - 1 }),
            })
        })
    }
}
