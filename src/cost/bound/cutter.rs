//! Least cuts of one unit: what the wires between a set of its ranks and all other ranks carry, GB/s per direction.
//!
//! The value is the maximum flow, but it is found without augmenting paths. Every rank's side is given, so a device
//! between them (switch, CPU, NIC) only has to choose the cheaper side. Devices that hang on at most one other such device
//! are folded away one by one (exact on trees, and a switch whose ports all lead to ranks is a tree by itself); where a
//! cycle is left, one device is pinned to either side and the rest folded again. Knots that need more than
//! [`MOST_PINNED`] pins go to [`FlowNet`]. All links are full duplex and equal both ways, so a cut carries the same in both
//! directions.

use super::flow::FlowNet;
use crate::system::{DeviceIx, DeviceKind, Fabric, Health, LinkIx, Shape};

/// Devices pinned at most: 2^6 foldings a cut.
const MOST_PINNED: usize = 6;

/// What lies beyond the NICs' cables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// Nothing but the switches that this unit's own NICs share.
    Alone,
    /// Other units without ranks of the same group: they may pass data on, so all NICs meet there.
    Idle,
    /// Other ranks of the group.
    Ranks,
}

/// Where a device stands in a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The rank at this position.
    Rank(usize),
    /// The rest of the world.
    Outside,
    /// A device that chooses its side.
    Between(usize),
}

/// One link that is up, between two roles, with its rate.
pub(super) type Wire = (LinkIx, Role, Role, f64);

/// The unit's graph made ready for many cuts.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// Rank to rank.
    direct: Vec<(usize, usize, f64)>,
    /// Device to rank.
    spokes: Vec<(usize, usize, f64)>,
    /// Each device to the outside.
    out: Vec<f64>,
    /// Each rank to the outside.
    rank_out: Vec<(usize, f64)>,
    /// Device to device.
    inner: Vec<(usize, usize, f64)>,
    /// Devices in the order in which they are folded, with the one that they hang on then.
    order: Vec<(usize, Option<(usize, f64)>)>,
    /// Devices tried on both sides.
    pinned: Vec<usize>,
    /// Whether devices are left that neither folding nor pinning takes apart.
    knotted: bool,
}

/// Buffers of [`Cutter::rate`]: the cost of either side, per device.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    base: Vec<[f64; 2]>,
    work: Vec<[f64; 2]>,
}

/// The links of a unit that are up, with the roles of their ends.
pub(super) fn wires(
    (shape, health): (&Shape, &Health),
    fabric: Option<&Fabric>,
    ranks: &[DeviceIx],
    world: World,
) -> (usize, Vec<Wire>) {
    let devices = shape.devices().len();
    let mut roles: Vec<Role> = (0..devices).map(Role::Between).collect();
    for (i, r) in ranks.iter().enumerate() {
        if let Some(role) = roles.get_mut(r.0 as usize) {
            *role = Role::Rank(i);
        }
    }
    let planes = if world == World::Alone { fabric.map_or(1, Fabric::planes) as usize } else { 1 };
    let per_node = fabric.map_or(1, |f| f.nics_per_node.max(1)) as usize;
    let role = |d: DeviceIx, other: DeviceIx| {
        if shape.device(d).is_none_or(|x| x.kind != DeviceKind::Fabric) {
            return roles.get(d.0 as usize).copied().unwrap_or(Role::Outside);
        }
        if world == World::Ranks {
            return Role::Outside;
        }
        let nic = shape.nics().binary_search(&other).unwrap_or(0);
        Role::Between(devices + (nic % per_node) % planes)
    };
    let healthy = health.is_healthy();
    let wire = |(i, l): (usize, &crate::system::Link)| {
        let at = LinkIx(i as u32);
        let left = if healthy { 1.0 } else { health.left(shape, at).ratio() };
        let rate = l.line_rate().gbytes_per_s() * left;
        (rate > 0.0).then(|| (at, role(l.a, l.b), role(l.b, l.a), rate))
    };
    (devices + planes, shape.links().iter().enumerate().filter_map(wire).collect())
}

impl Cutter {
    /// From the links of a unit; `between` is the number of devices that choose their side.
    pub(super) fn new(between: usize, wires: &[Wire]) -> Self {
        let mut c = Self { out: vec![0.0; between], ..Self::default() };
        for (_, a, b, rate) in wires {
            c.wire(*a, *b, *rate);
        }
        c.plan();
        c
    }

    fn wire(&mut self, a: Role, b: Role, rate: f64) {
        match (a, b) {
            (Role::Rank(x), Role::Rank(y)) => self.direct.push((x, y, rate)),
            (Role::Rank(x), Role::Between(v)) | (Role::Between(v), Role::Rank(x)) => self.spokes.push((v, x, rate)),
            (Role::Rank(x), Role::Outside) | (Role::Outside, Role::Rank(x)) => self.rank_out.push((x, rate)),
            (Role::Between(v), Role::Outside) | (Role::Outside, Role::Between(v)) => {
                if let Some(cell) = self.out.get_mut(v) {
                    *cell += rate;
                }
            }
            (Role::Between(v), Role::Between(w)) => self.inner.push((v, w, rate)),
            (Role::Outside, Role::Outside) => {}
        }
    }

    /// The order of folding.
    fn plan(&mut self) {
        let mut around: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.out.len()];
        for (v, w, rate) in &self.inner {
            for (here, there) in [(*v, *w), (*w, *v)] {
                let Some(list) = around.get_mut(here) else { continue };
                match list.iter_mut().find(|(d, _)| *d == there) {
                    Some(known) => known.1 += rate,
                    None => list.push((there, *rate)),
                }
            }
        }
        let mut left = vec![true; around.len()];
        let mut ready: Vec<usize> = (0..around.len()).filter(|v| around.get(*v).is_some_and(|l| l.len() < 2)).collect();
        loop {
            while let Some(v) = ready.pop() {
                if std::mem::replace(&mut left[v], false) {
                    let parent = around[v].first().copied();
                    self.order.push((v, parent));
                    take_out(v, &mut around, &mut ready);
                }
            }
            let widest = (0..around.len()).filter(|v| left[*v]).max_by_key(|v| around[*v].len());
            match widest {
                None => {
                    self.cut_loose_from_pinned();
                    self.leave_out_dead_ends();
                    return;
                }
                Some(_) if self.pinned.len() == MOST_PINNED => {
                    self.knotted = true;
                    return;
                }
                Some(v) => {
                    left[v] = false;
                    self.pinned.push(v);
                    take_out(v, &mut around, &mut ready);
                }
            }
        }
    }

    /// A device that was folded into one that was pinned later pays for its link by the pinned side like all others.
    fn cut_loose_from_pinned(&mut self) {
        for (_, parent) in &mut self.order {
            *parent = parent.filter(|(w, _)| !self.pinned.contains(w));
        }
    }

    /// Devices that lead neither to a rank nor out cost nothing on either side.
    fn leave_out_dead_ends(&mut self) {
        let mut matters: Vec<bool> = self.out.iter().map(|o| *o > 0.0).collect();
        for v in self.spokes.iter().map(|s| s.0).chain(self.pinned.iter().copied()) {
            matters[v] = true;
        }
        for (v, w, _) in &self.inner {
            let pinned = self.pinned.contains(v) || self.pinned.contains(w);
            matters[*v] |= pinned;
            matters[*w] |= pinned;
        }
        self.order.retain(|(v, parent)| {
            let keep = matters[*v];
            if let Some((w, _)) = parent.filter(|_| keep) {
                matters[w] = true;
            }
            keep
        });
    }

    /// The least cut between the ranks inside and all others, GB/s per direction.
    pub(super) fn rate(&self, inside: &[bool], scratch: &mut Scratch) -> f64 {
        let within = |r: usize| inside.get(r).copied().unwrap_or(false);
        let straight: f64 = self.direct.iter().filter(|(a, b, _)| within(*a) != within(*b)).map(|d| d.2).sum();
        let leaving: f64 = self.rank_out.iter().filter(|(r, _)| within(*r)).map(|d| d.1).sum();
        scratch.base.clear();
        scratch.base.extend(self.out.iter().map(|out| [*out, 0.0]));
        for (v, r, rate) in &self.spokes {
            if let Some(cost) = scratch.base.get_mut(*v) {
                cost[usize::from(within(*r))] += rate;
            }
        }
        let chosen = if self.knotted { self.by_flow(&scratch.base) } else { self.by_folding(scratch) };
        straight + leaving + chosen
    }

    fn by_folding(&self, scratch: &mut Scratch) -> f64 {
        if self.pinned.is_empty() {
            return fold(&self.order, &mut scratch.base);
        }
        let mut least = f64::INFINITY;
        for sides in 0..1_usize << self.pinned.len() {
            scratch.work.clone_from(&scratch.base);
            let between = self.pin(sides, &mut scratch.work);
            let folded = fold(&self.order, &mut scratch.work);
            let own = |(i, v): (usize, &usize)| scratch.work.get(*v).map_or(0.0, |cost| cost[sides >> i & 1]);
            least = least.min(between + folded + self.pinned.iter().enumerate().map(own).sum::<f64>());
        }
        least
    }

    /// Puts the pinned devices on the sides given by the bits (0 inside, 1 outside): their neighbours then pay for the other
    /// side. Returns what the links between pinned devices cost.
    fn pin(&self, sides: usize, cost: &mut [[f64; 2]]) -> f64 {
        let side = |v: usize| self.pinned.iter().position(|p| *p == v).map(|i| sides >> i & 1);
        let mut between = 0.0;
        for (v, w, rate) in &self.inner {
            match (side(*v), side(*w)) {
                (Some(a), Some(b)) if a != b => between += rate,
                (Some(a), None) => cost[*w][1 - a] += rate,
                (None, Some(b)) => cost[*v][1 - b] += rate,
                _ => {}
            }
        }
        between
    }

    fn by_flow(&self, base: &[[f64; 2]]) -> f64 {
        let (source, sink) = (base.len(), base.len() + 1);
        let mut net = FlowNet::new(base.len() + 2);
        for (v, [here, there]) in base.iter().enumerate() {
            net.link(v, sink, *here, 0.0);
            net.link(source, v, *there, 0.0);
        }
        for (v, w, rate) in &self.inner {
            net.link(*v, *w, *rate, *rate);
        }
        net.max_flow(source, sink)
    }
}

/// Removes a device from the graph that is being folded; neighbours that now hang on one device are ready.
fn take_out(v: usize, around: &mut [Vec<(usize, f64)>], ready: &mut Vec<usize>) {
    let Some(mine) = around.get_mut(v) else { return };
    for (w, _) in std::mem::take(mine) {
        let Some(list) = around.get_mut(w) else { continue };
        list.retain(|(d, _)| *d != v);
        if list.len() < 2 {
            ready.push(w);
        }
    }
}

/// Folds devices in order: each tells the one that it hangs on what either side costs, having chosen its own best.
fn fold(order: &[(usize, Option<(usize, f64)>)], cost: &mut [[f64; 2]]) -> f64 {
    let mut total = 0.0;
    for (v, parent) in order {
        let Some([here, there]) = cost.get(*v).copied() else { continue };
        match parent.and_then(|(w, rate)| Some((cost.get_mut(w)?, rate))) {
            Some((up, rate)) => {
                up[0] += here.min(there + rate);
                up[1] += there.min(here + rate);
            }
            None => total += here.min(there),
        }
    }
    total
}
