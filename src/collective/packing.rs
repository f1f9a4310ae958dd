//! The best set of rings (or chains) on direct links: a packing of Hamiltonian cycles (paths) into link capacities.
//!
//! A hybrid cube mesh carries six unit rings, a full mesh of n GPUs n-1 rings or n chains. Nothing is looked up: the
//! fractional packing is a linear program, solved exactly by the simplex method with columns made on demand (the
//! cheapest Hamiltonian trail under the current prices, by dynamic programming over subsets).

/// A ring or chain over GPU positions `0..n`, with the rate that it carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Trail {
    /// Positions in the order visited; a ring closes from the last to the first.
    pub order: Vec<usize>,
    /// Rate, in the unit of the capacities.
    pub rate: f64,
}

/// Largest mesh that is searched exactly: 2^n x n^2 steps a column.
pub(super) const MAX_EXACT: usize = 10;

/// Packs rings (`closed`) or chains into the capacities `cap[i * n + j]` from i to j. Returns the trails that carry
/// something; empty when there is no Hamiltonian trail. Meshes above ten GPUs are not searched (empty).
pub fn pack(n: usize, cap: &[f64], closed: bool) -> Vec<Trail> {
    if !(2..=MAX_EXACT).contains(&n) || cap.len() != n * n {
        return Vec::new();
    }
    let mut lp = Simplex::new(cap);
    for _ in 0..1000 {
        if lp.free_an_arc() {
            continue;
        }
        let Some((order, price)) = cheapest(n, cap, &lp.prices, closed) else { break };
        if price >= 1.0 - 1e-9 || !lp.enter(n, &order, closed) {
            break;
        }
    }
    lp.solution()
}

/// Arcs of a trail as positions in the capacity matrix.
fn arcs(n: usize, order: &[usize], closed: bool) -> Vec<usize> {
    let mut list: Vec<usize> = order.windows(2).map(|w| w[0] * n + w[1]).collect();
    if let (true, Some(first), Some(last)) = (closed, order.first(), order.last()) {
        list.push(last * n + first);
    }
    list
}

/// The Hamiltonian trail of least total price over arcs with capacity (Held and Karp's recurrence).
fn cheapest(n: usize, cap: &[f64], prices: &[f64], closed: bool) -> Option<(Vec<usize>, f64)> {
    let full = (1usize << n) - 1;
    let mut best = vec![f64::INFINITY; (full + 1) * n];
    let mut from = vec![usize::MAX; (full + 1) * n];
    let starts = if closed { 0..1 } else { 0..n };
    for s in starts {
        best[(1 << s) * n + s] = 0.0;
    }
    for set in 1..=full {
        for last in (0..n).filter(|l| set >> l & 1 == 1) {
            let here = best[set * n + last];
            if here.is_infinite() {
                continue;
            }
            for next in (0..n).filter(|x| set >> x & 1 == 0) {
                let arc = last * n + next;
                if cap[arc] <= 0.0 {
                    continue;
                }
                let cell = (set | 1 << next) * n + next;
                let cost = here + prices[arc];
                if cost < best[cell] - 1e-15 {
                    best[cell] = cost;
                    from[cell] = last;
                }
            }
        }
    }
    let close = |last: usize| match (closed, cap[last * n] > 0.0 && last != 0) {
        (false, _) => Some(0.0),
        (true, true) => Some(prices[last * n]),
        (true, false) => None,
    };
    let ends = (0..n).filter_map(|l| Some((l, best[full * n + l] + close(l)?)));
    let (end, price) = ends.filter(|(_, p)| p.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((unwind(n, &from, full, end), price))
}

fn unwind(n: usize, from: &[usize], full: usize, end: usize) -> Vec<usize> {
    let mut order = vec![end];
    let (mut set, mut last) = (full, end);
    while order.len() < n {
        let before = from[set * n + last];
        if before == usize::MAX {
            break;
        }
        set &= !(1 << last);
        last = before;
        order.push(last);
    }
    order.reverse();
    order
}

/// Primal simplex of `max sum x, A x <= cap`: only the inverse of the basis is kept; columns come from outside.
struct Simplex {
    /// Rows: arcs with capacity.
    rows: Vec<usize>,
    inverse: Vec<Vec<f64>>,
    value: Vec<f64>,
    basis: Vec<Option<Vec<usize>>>,
    /// Dual price of every arc of the matrix.
    prices: Vec<f64>,
}

impl Simplex {
    fn new(cap: &[f64]) -> Self {
        let rows: Vec<usize> = (0..cap.len()).filter(|a| cap[*a] > 0.0).collect();
        let m = rows.len();
        let inverse = (0..m).map(|i| (0..m).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
        // A hair more on each capacity keeps ties apart, so that the method cannot cycle.
        let value = rows.iter().enumerate().map(|(i, a)| cap[*a] * (1.0 + 1e-10 * (i + 1) as f64)).collect();
        Self { rows, inverse, value, basis: vec![None; m], prices: vec![0.0; cap.len()] }
    }

    /// Brings a trail into the basis; false when nothing bounds it or it is already there.
    fn enter(&mut self, n: usize, order: &[usize], closed: bool) -> bool {
        let used = arcs(n, order, closed);
        let column: Vec<usize> = (0..self.rows.len()).filter(|i| used.contains(&self.rows[*i])).collect();
        let direction: Vec<f64> = self.inverse.iter().map(|row| column.iter().map(|j| row[*j]).sum()).collect();
        self.bring_in(&direction, Some(order.to_vec()))
    }

    /// Leaves capacity of an arc unused again where its price has become negative; true if there was such an arc.
    fn free_an_arc(&mut self) -> bool {
        let price = |j: &usize| self.prices[self.rows[*j]];
        let worst = (0..self.rows.len()).min_by(|a, b| price(a).total_cmp(&price(b)));
        let Some(j) = worst.filter(|j| price(j) < -1e-9) else { return false };
        let direction: Vec<f64> = self.inverse.iter().map(|row| row[j]).collect();
        self.bring_in(&direction, None)
    }

    /// Exchanges the row that runs out first for what comes in: a trail, or an arc's unused capacity.
    fn bring_in(&mut self, direction: &[f64], what: Option<Vec<usize>>) -> bool {
        let ratio = |i: &usize| self.value[*i] / direction[*i];
        let leave = (0..self.rows.len()).filter(|i| direction[*i] > 1e-9).min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let Some(leave) = leave else { return false };
        self.pivot(leave, direction);
        self.basis[leave] = what;
        self.reprice();
        true
    }

    fn pivot(&mut self, at: usize, direction: &[f64]) {
        let scale = direction[at];
        self.value[at] /= scale;
        self.inverse[at].iter_mut().for_each(|v| *v /= scale);
        let (pivot_row, pivot_value) = (self.inverse[at].clone(), self.value[at]);
        for i in (0..self.rows.len()).filter(|i| *i != at) {
            let factor = direction[i];
            if factor == 0.0 {
                continue;
            }
            self.value[i] -= factor * pivot_value;
            for (cell, p) in self.inverse[i].iter_mut().zip(&pivot_row) {
                *cell -= factor * p;
            }
        }
    }

    /// Prices are the sum of the inverse's rows that hold a trail (each trail is worth 1).
    fn reprice(&mut self) {
        for (j, arc) in self.rows.iter().enumerate() {
            let held = self.basis.iter().zip(&self.inverse).filter(|(b, _)| b.is_some());
            self.prices[*arc] = held.map(|(_, row)| row[j]).sum();
        }
    }

    fn solution(self) -> Vec<Trail> {
        let held = self.basis.into_iter().zip(self.value);
        held.filter_map(|(b, rate)| b.filter(|_| rate > 1e-7).map(|order| Trail { order, rate })).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(n: usize, links: &[(usize, usize, f64)]) -> Vec<f64> {
        let mut cap = vec![0.0; n * n];
        for &(a, b, c) in links {
            cap[a * n + b] = c;
            cap[b * n + a] = c;
        }
        cap
    }

    fn full(n: usize) -> Vec<f64> {
        mesh(n, &(0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b, 1.0))).collect::<Vec<_>>())
    }

    fn total(n: usize, cap: &[f64], closed: bool) -> f64 {
        pack(n, cap, closed).iter().map(|t| t.rate).sum()
    }

    #[test]
    fn full_meshes_carry_a_ring_per_peer_and_a_chain_per_gpu() {
        for n in 2..=8 {
            assert!((total(n, &full(n), true) - (n - 1) as f64).abs() < 1e-6, "{n} rings");
            assert!((total(n, &full(n), false) - n as f64).abs() < 1e-6, "{n} chains");
        }
    }

    #[test]
    fn the_hybrid_cube_mesh_carries_six_rings() {
        let single = [(0, 1), (0, 2), (1, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7)].map(|(a, b)| (a, b, 1.0));
        let double = [(0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7)].map(|(a, b)| (a, b, 2.0));
        let cap = mesh(8, &[single, double].concat());
        assert!((total(8, &cap, true) - 6.0).abs() < 1e-6);
    }

    #[test]
    fn no_trail_where_a_gpu_is_cut_off() {
        assert!(pack(3, &mesh(3, &[(0, 1, 1.0)]), true).is_empty());
        assert_eq!(pack(2, &mesh(2, &[(0, 1, 4.0)]), true).len(), 1);
    }

    #[test]
    fn loads_stay_within_capacity() {
        let cap = mesh(5, &[(0, 1, 2.0), (1, 2, 1.0), (2, 3, 2.0), (3, 4, 1.0), (4, 0, 1.0), (0, 2, 1.0), (1, 3, 1.0)]);
        let mut load = [0.0; 25];
        for t in pack(5, &cap, true) {
            for a in arcs(5, &t.order, true) {
                load[a] += t.rate;
            }
        }
        assert!(load.iter().zip(&cap).all(|(l, c)| *l <= c + 1e-6) && load.iter().any(|l| *l > 0.0));
    }
}
