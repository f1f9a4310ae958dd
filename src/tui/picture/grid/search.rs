//! Where the GPUs of a sparse mesh stand: the cheapest of all placements in two rows.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Most GPUs that are placed: 7! = 5,040 placements with the first GPU fixed.
const MOST: usize = 8;
/// A link that cannot be drawn.
const BARRED: u32 = 600;

/// The place of each GPU: column and row (0 above, 1 below).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui::picture) struct Placement {
    pub(in crate::tui::picture) at: Vec<(u8, u8)>,
    pub(in crate::tui::picture) columns: u8,
}

type Wires = Vec<(usize, usize, u32)>;
/// Placements by number of GPUs and wires.
type Found = BTreeMap<(usize, Wires), Option<Placement>>;

/// The best placement, or `None` when even there a link cannot be drawn. Found once per mesh and remembered.
pub(in crate::tui::picture) fn place(gpus: usize, wires: &[(usize, usize, u32)]) -> Option<Placement> {
    static FOUND: OnceLock<Mutex<Found>> = OnceLock::new();
    if !(2..=MOST).contains(&gpus) {
        return None;
    }
    let key = (gpus, wires.to_vec());
    let mut found = FOUND.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if found.len() > 64 {
        found.clear();
    }
    found.entry(key).or_insert_with(|| search(gpus, wires)).clone()
}

struct Search<'a> {
    wires: &'a [(usize, usize, u32)],
    columns: usize,
    /// Slot of each GPU placed so far.
    slots: Vec<usize>,
    free: Vec<bool>,
    best: Option<(u32, u32, Vec<usize>)>,
}

fn search(gpus: usize, wires: &[(usize, usize, u32)]) -> Option<Placement> {
    let columns = gpus.div_ceil(2);
    let mut free = vec![true; columns * 2];
    if let Some(f) = free.first_mut() {
        *f = false;
    }
    let mut s = Search { wires, columns, slots: vec![0], free, best: None };
    s.next(gpus, 0);
    let (cost, _, slots) = s.best?;
    let at = slots.iter().map(|i| ((i % columns) as u8, (i / columns) as u8)).collect();
    (cost < BARRED).then_some(Placement { at, columns: columns as u8 })
}

impl Search<'_> {
    /// Places the next GPU in every free slot; `cost` is that of the links among those placed.
    fn next(&mut self, gpus: usize, cost: u32) {
        if self.best.as_ref().is_some_and(|b| cost > b.0) {
            return;
        }
        let g = self.slots.len();
        if g == gpus {
            let tie = self.tie();
            if self.best.as_ref().is_none_or(|b| (cost, tie) < (b.0, b.1)) {
                self.best = Some((cost, tie, self.slots.clone()));
            }
            return;
        }
        for slot in 0..self.free.len() {
            if !self.free.get(slot).copied().unwrap_or(false) {
                continue;
            }
            self.set(slot, false);
            self.slots.push(slot);
            let more: u32 = self.wires.iter().map(|w| self.price(*w, g)).sum();
            self.next(gpus, cost + more);
            self.slots.pop();
            self.set(slot, true);
        }
    }

    fn set(&mut self, slot: usize, free: bool) {
        if let Some(f) = self.free.get_mut(slot) {
            *f = free;
        }
    }

    /// Lowest sum of `8 x column + index x row` wins among equals.
    fn tie(&self) -> u32 {
        let one = |(g, slot): (usize, &usize)| 8 * (slot % self.columns) * (8 - g.min(7)) + g * (slot / self.columns);
        self.slots.iter().enumerate().map(one).sum::<usize>() as u32
    }

    /// Cost of a link in tenths, counted when its later end is placed: 1 in a row or column, 2 and more on a diagonal,
    /// more for a run along the row, a bar on what cannot be drawn.
    fn price(&self, (a, b, count): (usize, usize, u32), placed: usize) -> u32 {
        if a.max(b) != placed {
            return 0;
        }
        let place = |g: usize| self.slots.get(g).map(|s| (s % self.columns, s / self.columns));
        let (Some((ca, ra)), Some((cb, rb))) = (place(a), place(b)) else { return 0 };
        match (ca.abs_diff(cb), ra == rb) {
            (0, false) | (1, true) => 10,
            (1, false) => 20 + 6 * (count.max(1) - 1),
            (far, true) => 30 + 10 * far as u32,
            _ => BARRED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Wires {
        let two = [(0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7)];
        let one = [(0, 1), (0, 2), (1, 3), (3, 7), (2, 6), (4, 5), (4, 6), (5, 7)];
        two.iter().map(|(a, b)| (*a, *b, 2)).chain(one.iter().map(|(a, b)| (*a, *b, 1))).collect()
    }

    #[test]
    fn a_cube_mesh_gets_the_textbook_picture() {
        let p = place(8, &cube()).map(|p| p.at);
        assert_eq!(p, Some(vec![(0, 0), (0, 1), (1, 1), (1, 0), (3, 0), (3, 1), (2, 1), (2, 0)]));
    }

    #[test]
    fn a_ring_is_drawn_and_a_full_mesh_is_not() {
        let ring: Wires = (0..8).map(|i| (i.min((i + 1) % 8), i.max((i + 1) % 8), 1)).collect();
        assert!(place(8, &ring).is_some());
        let full: Wires = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b, 1))).collect();
        assert!(place(8, &full).is_none());
        assert!(place(9, &ring).is_none() && place(1, &[]).is_none());
    }
}
