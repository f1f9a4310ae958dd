//! In which order the GPUs of a unit are threaded: the channels of a ring or chain.

use super::packing::MAX_EXACT;
use super::packing_memo::packed;
use super::{Router, Trail};
use crate::system::{DeviceIx, Tier, tier_of};

/// One channel: the GPUs in order, and the share of the bytes that it carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// GPUs in the order visited.
    pub order: Vec<DeviceIx>,
    /// Share of the message; the shares of all channels sum to 1.
    pub share: f64,
}

/// How a group inside one unit is threaded.
#[derive(Debug, Clone, PartialEq)]
pub enum Wiring {
    /// Over switches: any order is as good as any other, and the ends of chains rotate over the channels.
    Switched(Vec<DeviceIx>),
    /// Direct links: the packing of rings or chains that carries most.
    Mesh(Vec<Channel>),
    /// Nothing better than one thread in `PCIe` order, with islands of scale-up links inside.
    Single(Vec<DeviceIx>),
}

/// Threads a group: `closed` for a ring inside the unit, open for the part of a ring that goes on to other units.
pub fn channels(router: &Router<'_>, group: &[DeviceIx], closed: bool) -> Wiring {
    if group.len() < 2 || !router.unit().software.p2p {
        return Wiring::Single(group.to_vec());
    }
    if touches_switch(router, group) {
        if router.star(group).is_some() {
            return Wiring::Switched(group.to_vec());
        }
        let all_on = group.iter().zip(group.iter().cycle().skip(1)).all(|(a, b)| on_scale_up(router, *a, *b));
        return if all_on { Wiring::Switched(group.to_vec()) } else { Wiring::Single(islands(router, group)) };
    }
    let trails = mesh(router, group, closed);
    if trails.is_empty() { Wiring::Single(islands(router, group)) } else { Wiring::Mesh(shares(group, &trails)) }
}

fn on_scale_up(router: &Router<'_>, a: DeviceIx, b: DeviceIx) -> bool {
    a == b || router.on_scale_up(a, b)
}

fn touches_switch(router: &Router<'_>, group: &[DeviceIx]) -> bool {
    let shape = router.unit().shape;
    group.iter().any(|g| {
        shape.around(*g).iter().any(|(_, d)| shape.device(*d).is_some_and(crate::system::Device::is_scale_up_switch))
    })
}

/// Packs rings or chains into the direct links between the GPUs of a group.
fn mesh(router: &Router<'_>, group: &[DeviceIx], closed: bool) -> Vec<Trail> {
    let n = group.len();
    if n > MAX_EXACT {
        return Vec::new();
    }
    packed(n, &capacities(router, group), closed)
}

/// Line rate left on the direct scale-up links from each GPU to each other.
fn capacities(router: &Router<'_>, group: &[DeviceIx]) -> Vec<f64> {
    let unit = router.unit();
    let n = group.len();
    let mut cap = vec![0.0; n * n];
    for (i, g) in group.iter().enumerate() {
        for (l, other) in unit.shape.around(*g) {
            let Some(j) = group.iter().position(|x| x == other) else { continue };
            let Some(link) = unit.shape.link(*l) else { continue };
            if tier_of(link.kind.family) == Tier::ScaleUp
                && let Some(cell) = cap.get_mut(i * n + j)
            {
                *cell += (link.line_rate() * router.left_of(*l)).gbytes_per_s();
            }
        }
    }
    cap
}

fn shares(group: &[DeviceIx], trails: &[Trail]) -> Vec<Channel> {
    let total: f64 = trails.iter().map(|t| t.rate).sum();
    let device = |i: &usize| group.get(*i).copied();
    let channel = |t: &Trail| Channel { order: t.order.iter().filter_map(device).collect(), share: t.rate / total };
    trails.iter().map(channel).collect()
}

/// One order: islands of scale-up links one after the other, each threaded over its own links where that is possible.
fn islands(router: &Router<'_>, group: &[DeviceIx]) -> Vec<DeviceIx> {
    let mut left: Vec<DeviceIx> = group.to_vec();
    let mut order = Vec::with_capacity(group.len());
    while !left.is_empty() {
        let island = take_island(router, &mut left);
        order.extend(thread(router, &island));
    }
    order
}

fn take_island(router: &Router<'_>, left: &mut Vec<DeviceIx>) -> Vec<DeviceIx> {
    let mut island = vec![left.remove(0)];
    let mut i = 0;
    while let Some(at) = island.get(i).copied() {
        let (near, far): (Vec<_>, Vec<_>) = left.iter().partition(|d| on_scale_up(router, at, **d));
        *left = far;
        island.extend(near);
        i += 1;
    }
    island.sort();
    island
}

fn thread(router: &Router<'_>, island: &[DeviceIx]) -> Vec<DeviceIx> {
    let trails = mesh(router, island, false);
    let best = trails.iter().max_by(|a, b| a.rate.total_cmp(&b.rate));
    best.map_or_else(|| island.to_vec(), |t| t.order.iter().filter_map(|i| island.get(*i).copied()).collect())
}
