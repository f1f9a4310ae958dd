//! Which NICs a group uses, and through which GPU each is fed.

use std::collections::BTreeMap;

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
    let mut near: Vec<Way> = ways.into_iter().filter(|w| w.distance == best).collect();
    let nics = claimed(router.unit(), &near);
    let share = 1.0 / nics.len().max(1) as f64;
    near.retain(|w| nics.binary_search(&w.nic).is_ok());
    near.sort_by_key(|w| w.nic);
    let mut feeds = Vec::with_capacity(near.len());
    for fed in near.chunk_by_mut(|a, b| a.nic == b.nic) {
        let part = share / fed.len() as f64;
        feeds.extend(fed.iter_mut().map(|w| w.feed(part)));
    }
    feeds
}

/// Which of the near NICs the GPUs claim: each so many as the node has per GPU, so that the NIC of a GPU that is out is
/// not fed through its neighbour's `PCIe` link as well.
fn claimed(unit: Unit<'_>, near: &[Way]) -> Vec<DeviceIx> {
    let mut beside: BTreeMap<DeviceIx, Vec<DeviceIx>> = BTreeMap::new();
    for w in near {
        beside.entry(w.nic).or_default().push(w.gpu);
    }
    let mut clusters: BTreeMap<Vec<DeviceIx>, Vec<DeviceIx>> = BTreeMap::new();
    for (nic, gpus) in beside {
        clusters.entry(gpus).or_default().push(nic);
    }
    let each = per_gpu(unit, near);
    let mut nics: Vec<DeviceIx> = clusters
        .into_iter()
        .flat_map(|(gpus, nics)| {
            let all = unit.shape.nics().len().max(1) as f64;
            // Devices are listed in their order.
            let place =
                |list: &[DeviceIx], d: DeviceIx| list.binary_search(&d).unwrap_or(0) as f64 / list.len().max(1) as f64;
            // A NIC belongs to the GPU of the same place in the order.
            let places: Vec<f64> = gpus.iter().map(|g| place(unit.shape.gpus(), *g)).collect();
            let off = |nic: DeviceIx| {
                let at = place(unit.shape.nics(), nic);
                places.iter().map(|p| (p - at).abs()).fold(f64::INFINITY, f64::min) * all
            };
            let mut nics: Vec<(f64, DeviceIx)> = nics.into_iter().map(|n| (off(n), n)).collect();
            nics.sort_by(|a, b| a.0.total_cmp(&b.0));
            nics.truncate(gpus.len() * each);
            nics.into_iter().map(|(_, n)| n)
        })
        .collect();
    nics.sort_unstable();
    nics
}

/// NICs per GPU of a node, rounded up.
fn per_gpu(unit: Unit<'_>, near: &[Way]) -> usize {
    let node = |d: &DeviceIx| unit.shape.device(*d).and_then(|x| x.node);
    let here = near.first().map(|w| node(&w.gpu)).unwrap_or_default();
    let count = |list: &[DeviceIx]| list.iter().filter(|d| node(d) == here).count();
    count(unit.shape.nics()).div_ceil(count(unit.shape.gpus()).max(1)).max(1)
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
    /// Takes its path.
    fn feed(&mut self, share: f64) -> NicFeed {
        let path = std::mem::take(&mut self.path);
        NicFeed { nic: self.nic, gpu: self.gpu, share, path, direct: self.direct }
    }
}

fn ways(router: &Router<'_>, group: &[DeviceIx]) -> Vec<Way> {
    let unit = router.unit();
    let nics: Vec<DeviceIx> =
        unit.shape.used_nics(unit.nics_used).into_iter().filter(|n| leads_out(unit, *n)).collect();
    // Host links stay inside a node: a rack's GPUs need not be asked about the NICs of other trays.
    let node = |d: DeviceIx| unit.shape.device(d).and_then(|x| x.node);
    let near = |g: DeviceIx| nics.iter().filter(move |n| node(g) == node(**n));
    group.iter().flat_map(|g| near(*g).filter_map(|n| way(router, *g, *n))).collect()
}

fn way(router: &Router<'_>, gpu: DeviceIx, nic: DeviceIx) -> Option<Way> {
    let unit = router.unit();
    let cable = unit.shape.cable(nic)?;
    let direct = unit.software.gdr && unit.fabric.is_none_or(|f| f.transport.rdma);
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
