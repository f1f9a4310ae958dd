//! Reduction in the switches of a unit, alone, below a tree, or below the fabric's own reduction.

use super::super::Pattern;
use super::ring::{leg, legs};
use super::{Above, Chunk, GroupPlan, Move, Op, Place, Rank, Schedule};
use crate::units::Bytes;

impl Schedule {
    /// All data up into the switches and the sums down to their owners; between units; the results up once and down to all.
    pub(super) fn switch(&self, g: &GroupPlan, step: u64, lane: Option<usize>, above: Above) -> Vec<Move> {
        let last = self.stages(g) - 1;
        let mut moves = Vec::new();
        for (stage, piece) in self.cut.under_way(last + 1, step) {
            let from = moves.len();
            let trees: &[u64] = if above == Above::Tree { &[0, 1] } else { &[0] };
            let indices: Vec<u64> = trees.iter().map(|t| t * self.cut.pieces() + piece).collect();
            if stage == 0 {
                moves.extend(self.up_and_add(g, lane, &indices));
            } else if stage == last {
                moves.extend(self.out_to_all(g, lane, &indices));
            } else if stage < last {
                match above {
                    Above::Nothing => {}
                    Above::Tree => {
                        let edges = |t: &u64| self.tree_edges(g, lane, stage - 1, *t, t * self.cut.pieces() + piece);
                        moves.extend(trees.iter().flat_map(edges));
                    }
                    Above::Fabric => moves.extend(self.through_fabric(g, lane, piece)),
                }
            }
            moves.iter_mut().skip(from).for_each(|m| m.order = stage);
        }
        moves
    }

    /// The bytes of a piece that every GPU sends or gets, of the lanes asked for.
    fn piece(&self, g: &GroupPlan, lane: Option<usize>, indices: &[u64]) -> Bytes {
        let share: f64 = g.lanes(lane).map(|(_, l)| l.share).sum();
        self.priced(Pattern::Reduce) * (share * self.part(indices))
    }

    /// The share of the message that some pieces of one number are together, one per tree.
    fn part(&self, indices: &[u64]) -> f64 {
        indices.first().map_or(0.0, |i| self.cut.share(i % self.cut.pieces()))
    }

    /// Every GPU sends its data; each sum goes to the GPU that owns it.
    fn up_and_add(&self, g: &GroupPlan, lane: Option<usize>, indices: &[u64]) -> Vec<Move> {
        let mut moves = Vec::new();
        for (unit, _) in &g.shown {
            moves.extend(self.all_gpus(g, *unit, lane, indices, true));
            moves.extend(self.owners(g, *unit, lane, indices, false));
        }
        moves
    }

    /// Each owner sends its sum once; the switches hand it to every GPU.
    fn out_to_all(&self, g: &GroupPlan, lane: Option<usize>, indices: &[u64]) -> Vec<Move> {
        let mut moves = Vec::new();
        for (unit, _) in &g.shown {
            moves.extend(self.owners(g, *unit, lane, indices, true));
            moves.extend(self.all_gpus(g, *unit, lane, indices, false));
        }
        moves
    }

    /// Between every GPU of a unit and its switches.
    fn all_gpus(&self, g: &GroupPlan, unit: u32, lane: Option<usize>, indices: &[u64], up: bool) -> Vec<Move> {
        let Some((class, local)) = self.local(g, unit) else { return Vec::new() };
        let chunks = chunks_of(g, lane, indices);
        let one = |gpu: u32| {
            let legs = vec![leg((unit, class), Pattern::Reduce, local.port(gpu, up)?, 1.0)];
            let (a, b) = (Place::Gpu(Rank { unit, gpu }), Place::Switches(unit));
            let (from, to) = if up { (a, b) } else { (b, a) };
            let op = if up { Op::Add } else { Op::Copy };
            Some(Move { from, to, op, order: 0, chunks: chunks.clone(), bytes: self.piece(g, lane, indices), legs })
        };
        (0..local.len()).filter_map(one).collect()
    }

    /// Between the owners of the lanes and the switches of a unit.
    fn owners(&self, g: &GroupPlan, unit: u32, lane: Option<usize>, indices: &[u64], up: bool) -> Vec<Move> {
        let Some((class, local)) = self.local(g, unit) else { return Vec::new() };
        let one = |(i, lane): (usize, &super::Lane)| {
            let gpu = *local.order(lane.thread(class)).first()?;
            let legs = vec![leg((unit, class), Pattern::Reduce, local.port(gpu, up)?, 1.0)];
            let (a, b) = (Place::Gpu(Rank { unit, gpu }), Place::Switches(unit));
            let (from, to) = if up { (a, b) } else { (b, a) };
            let chunks = indices.iter().map(|x| Chunk { lane: i as u32, index: *x }).collect();
            let bytes = self.priced(Pattern::Reduce) * (lane.share * self.part(indices));
            Some(Move { from, to, op: Op::Copy, order: 0, chunks, bytes, legs })
        };
        g.lanes(lane).filter_map(one).collect()
    }

    /// From the owners into the fabric's switches, which add, and back.
    fn through_fabric(&self, g: &GroupPlan, lane: Option<usize>, piece: u64) -> Vec<Move> {
        let mut moves = Vec::new();
        for out in [true, false] {
            for (unit, _) in &g.shown {
                let Some((class, local)) = self.local(g, *unit) else { continue };
                for (i, lane) in g.lanes(lane) {
                    let Some(gpu) = local.order(lane.thread(class)).first().copied() else { continue };
                    let legs = legs((*unit, class), Pattern::Network, &local.network(gpu, out), 1.0);
                    let (a, b) = (Place::Gpu(Rank { unit: *unit, gpu }), Place::Fabric);
                    let (from, to) = if out { (a, b) } else { (b, a) };
                    let op = if out { Op::Add } else { Op::Copy };
                    let bytes = self.priced(Pattern::Network) * (lane.share * self.cut.share(piece));
                    let chunks = vec![Chunk { lane: i as u32, index: piece }];
                    moves.push(Move { from, to, op, order: 0, chunks, bytes, legs });
                }
            }
        }
        moves
    }
}

/// The chunks of a piece on the lanes asked for.
fn chunks_of(g: &GroupPlan, lane: Option<usize>, indices: &[u64]) -> Vec<Chunk> {
    let of = |(i, _): (usize, _)| indices.iter().map(move |x| Chunk { lane: i as u32, index: *x });
    g.lanes(lane).flat_map(of).collect()
}
