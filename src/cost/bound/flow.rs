//! Maximum flow on a small graph by Dinic's method: for the knots of a unit that nothing simpler takes apart, and to name
//! the links of the cut that binds.

/// Rates below this (GB/s) are rounding, not capacity.
const EPSILON: f64 = 1e-9;

/// A graph with capacities per direction.
#[derive(Debug, Default)]
pub(super) struct FlowNet {
    arcs: Vec<Vec<usize>>,
    to: Vec<usize>,
    left: Vec<f64>,
}

impl FlowNet {
    /// A graph without links.
    pub(super) fn new(nodes: usize) -> Self {
        Self { arcs: vec![Vec::new(); nodes], to: Vec::new(), left: Vec::new() }
    }

    /// Adds a link; an infinite capacity is taken as far above any real one.
    pub(super) fn link(&mut self, a: usize, b: usize, forward: f64, back: f64) {
        for (from, to, cap) in [(a, b, forward), (b, a, back)] {
            let Some(list) = self.arcs.get_mut(from) else { return };
            list.push(self.to.len());
            self.to.push(to);
            self.left.push(cap.min(1e12));
        }
    }

    /// The largest flow between two nodes, GB/s.
    pub(super) fn max_flow(&mut self, source: usize, sink: usize) -> f64 {
        let mut total = 0.0;
        loop {
            let level = self.levels(source);
            if level.get(sink).copied().flatten().is_none() {
                return total;
            }
            let mut next = vec![0; self.arcs.len()];
            loop {
                let pushed = self.push(source, sink, f64::INFINITY, &level, &mut next);
                if pushed <= EPSILON {
                    break;
                }
                total += pushed;
            }
        }
    }

    /// After [`Self::max_flow`]: which nodes are on the source's side of the least cut.
    pub(super) fn source_side(&self, source: usize) -> Vec<bool> {
        self.levels(source).iter().map(Option::is_some).collect()
    }

    /// Steps from the source over arcs with capacity left.
    fn levels(&self, source: usize) -> Vec<Option<u32>> {
        let mut level = vec![None; self.arcs.len()];
        let mut queue = std::collections::VecDeque::from([(source, 0)]);
        if let Some(cell) = level.get_mut(source) {
            *cell = Some(0);
        }
        while let Some((at, depth)) = queue.pop_front() {
            for (to, left) in self.arcs.get(at).into_iter().flatten().filter_map(|a| self.arc(*a)) {
                let Some(cell) = level.get_mut(to).filter(|c| left > EPSILON && c.is_none()) else { continue };
                *cell = Some(depth + 1);
                queue.push_back((to, depth + 1));
            }
        }
        level
    }

    fn arc(&self, a: usize) -> Option<(usize, f64)> {
        Some((*self.to.get(a)?, *self.left.get(a)?))
    }

    /// One augmenting path within the levels; the depth is at most the number of devices of a unit.
    fn push(&mut self, at: usize, sink: usize, most: f64, level: &[Option<u32>], next: &mut [usize]) -> f64 {
        if at == sink {
            return most;
        }
        let deeper = level.get(at).copied().flatten().map(|l| l + 1);
        while let Some(a) = next.get(at).and_then(|i| self.arcs.get(at)?.get(*i)).copied() {
            if let Some((to, left)) = self.arc(a)
                && left > EPSILON
                && level.get(to).copied().flatten() == deeper
            {
                let pushed = self.push(to, sink, most.min(left), level, next);
                if pushed > EPSILON {
                    self.move_capacity(a, pushed);
                    return pushed;
                }
            }
            if let Some(i) = next.get_mut(at) {
                *i += 1;
            }
        }
        0.0
    }

    fn move_capacity(&mut self, arc: usize, amount: f64) {
        for (a, sign) in [(arc, -1.0), (arc ^ 1, 1.0)] {
            if let Some(left) = self.left.get_mut(a) {
                *left += sign * amount;
            }
        }
    }
}
