//! Which NICs a group uses, and through which GPU each is fed.

use super::{Hop, Router, Unit};
use crate::parts::Family;
use crate::system::{DeviceIx, DeviceKind};

/// A NIC with the GPU whose data it moves, and its share of the group's network bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct NicFeed {
    /// The adapter.
    pub nic: DeviceIx,
    /// The GPU beside it (or the nearest one).
    pub gpu: DeviceIx,
    /// Share of the bytes; the library splits evenly over the NICs.
    pub share: f64,
    /// From the GPU to the NIC, and on over its cable.
    pub path: Vec<Hop>,
    /// Whether the NIC reads GPU memory itself.
    pub direct: bool,
}

/// How far a NIC is from a GPU; lower is nearer, as the library ranks it: one switch, several, over a coherent link, over
/// the host bridge, over the socket link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Distance(u8, usize);

/// The NICs that a group of GPUs in one unit uses: those nearest to any of them, each fed by the nearest GPUs.
/// Empty when no NIC leads out.
pub fn feeds(router: &Router<'_>, group: &[DeviceIx]) -> Vec<NicFeed> {
    let ways = ways(router, group);
    let Some(best) = ways.iter().map(|w| w.distance).min() else { return Vec::new() };
    let near: Vec<&Way> = ways.iter().filter(|w| w.distance == best).collect();
    let mut nics: Vec<DeviceIx> = near.iter().map(|w| w.nic).collect();
    nics.sort_unstable();
    nics.dedup();
    let share = 1.0 / nics.len().max(1) as f64;
    nics.iter()
        .flat_map(|nic| {
            let fed: Vec<&&Way> = near.iter().filter(|w| w.nic == *nic).collect();
            let part = share / fed.len().max(1) as f64;
            fed.into_iter().map(|w| w.feed(part)).collect::<Vec<_>>()
        })
        .collect()
}

/// The NICs that one GPU uses for what it alone sends.
pub fn feeds_of(router: &Router<'_>, gpu: DeviceIx) -> Vec<NicFeed> {
    feeds(router, &[gpu])
}

struct Way {
    nic: DeviceIx,
    gpu: DeviceIx,
    distance: Distance,
    path: Vec<Hop>,
    direct: bool,
}

impl Way {
    fn feed(&self, share: f64) -> NicFeed {
        NicFeed { nic: self.nic, gpu: self.gpu, share, path: self.path.clone(), direct: self.direct }
    }
}

fn ways(router: &Router<'_>, group: &[DeviceIx]) -> Vec<Way> {
    let unit = router.unit();
    let nics: Vec<DeviceIx> = used(unit).into_iter().filter(|n| leads_out(unit, *n)).collect();
    // Host links stay inside a node: a rack's GPUs need not be asked about the NICs of other trays.
    let node = |d: DeviceIx| unit.shape.device(d).and_then(|x| x.node);
    let near = |g: DeviceIx| nics.iter().filter(move |n| node(g) == node(**n));
    group.iter().flat_map(|g| near(*g).filter_map(|n| way(router, *g, *n))).collect()
}

fn way(router: &Router<'_>, gpu: DeviceIx, nic: DeviceIx) -> Option<Way> {
    let unit = router.unit();
    let cable = unit.shape.cable(nic)?;
    let direct = unit.software.gdr;
    let mut path = router.host_path(gpu, nic, !direct || unit.software.acs)?;
    let distance = distance(unit, &path);
    path.push(Hop { link: cable, forward: unit.shape.link(cable)?.a == nic, share: 1.0 });
    Some(Way { nic, gpu, distance, path, direct })
}

fn distance(unit: Unit<'_>, path: &[Hop]) -> Distance {
    let family = |h: &Hop| unit.shape.link(h.link).map(|l| l.kind.family);
    let has = |f: Family| path.iter().any(|h| family(h) == Some(f));
    let at_cpu = path.iter().any(|h| {
        unit.shape.link(h.link).is_some_and(|l| {
            [l.a, l.b].iter().any(|d| matches!(unit.shape.device(*d).map(|x| &x.kind), Some(DeviceKind::Cpu(_))))
        })
    });
    let class = match (has(Family::Socket), has(Family::C2c), at_cpu) {
        (true, _, _) => 4,
        (false, true, _) => 2,
        (false, false, true) => 3,
        (false, false, false) => u8::from(path.len() > 2),
    };
    Distance(class, path.len())
}

/// Whether a NIC and its cable are up.
fn leads_out(unit: Unit<'_>, nic: DeviceIx) -> bool {
    unit.health.device_up(nic) && unit.shape.cable(nic).is_some_and(|c| unit.health.left(unit.shape, c).ratio() > 0.0)
}

/// The NICs of every node that are in use, spread over the node's switches when only some are.
fn used(unit: Unit<'_>) -> Vec<DeviceIx> {
    let all = unit.shape.nics();
    let Some(limit) = unit.nics_used else { return all.to_vec() };
    let node = |d: &DeviceIx| unit.shape.device(*d).and_then(|x| x.node);
    let nodes: std::collections::BTreeSet<_> = all.iter().map(node).collect();
    nodes
        .iter()
        .flat_map(|k| {
            let here: Vec<DeviceIx> = all.iter().filter(|d| node(d) == *k).copied().collect();
            let take = (limit as usize).min(here.len());
            (0..take).filter_map(|i| here.get(i * here.len() / take.max(1)).copied()).collect::<Vec<_>>()
        })
        .collect()
}
