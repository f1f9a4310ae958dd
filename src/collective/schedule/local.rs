//! The GPUs of a group in one class of units: how they are threaded, and the links of every way that a plan needs.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::nics::feeds_of;
use super::super::pattern::{Star, reduce_ports};
use super::super::{Hop, NicFeed, Pattern, Router, Via, Wiring, channels, feeds};
use crate::system::{DeviceIx, LinkIx};

/// An order of the GPUs, by their places in the group, and the share of the message that goes by it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thread {
    pub(super) share: f64,
    pub(super) order: Vec<u32>,
}

/// Links with the share of the bytes on each, and who moves them.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) via: Via,
    pub(super) hops: Arc<[Hop]>,
    /// Share of the bytes that go this way.
    pub(super) share: f64,
}

/// A NIC as a GPU uses it.
#[derive(Debug, Clone)]
struct Feed {
    gpu: u32,
    out: Way,
    back: Way,
}

/// Ways between the GPUs.
#[derive(Debug, Clone)]
enum Ways {
    Star(Star),
    Routes(HashMap<(u32, u32), Way>),
}

/// The GPUs of a group in one class of units.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) gpus: Vec<DeviceIx>,
    pub(super) threads: Vec<Thread>,
    ways: Ways,
    /// NICs of the group together.
    nics: Vec<Feed>,
    /// NICs of each GPU for what it alone sends.
    own: Vec<Vec<Feed>>,
    /// Whether bytes of all pairs leave over the NIC of the peer's rail.
    pub(super) rails: bool,
    /// Up to the reducing switches and down again, per GPU.
    ports: Vec<[Way; 2]>,
    /// Whether each GPU's share of the threads' ends is its share of the NICs.
    matched: bool,
}

impl Local {
    /// Made for the patterns of a plan; `None` where a way is missing.
    pub(super) fn new(router: &Router<'_>, group: &[DeviceIx], uses: &[Pattern], closed: bool) -> Option<Self> {
        let has = |p: Pattern| uses.contains(&p);
        let threads = if has(Pattern::Reduce) { owners(group.len()) } else { threads(router, group, closed) };
        let shifts = has(Pattern::Shift) || has(Pattern::ShiftNetwork);
        let star = Star::of(router, group).filter(|_| !shifts);
        let every = has(Pattern::Pairs) || has(Pattern::PairsNetwork) || shifts;
        let ways = match star {
            Some(star) => Ways::Star(star),
            None => Ways::Routes(routes(router, group, &threads, every && !shifts)?),
        };
        let nics = if has(Pattern::Network) || has(Pattern::PairsNetwork) { feeds(router, group) } else { Vec::new() };
        let single = has(Pattern::PairsNetwork) || has(Pattern::ShiftNetwork);
        let own = |g: &DeviceIx| if single { place(group, &feeds_of(router, *g)) } else { Vec::new() };
        let ports = if has(Pattern::Reduce) {
            group.iter().map(|g| ports(router, *g)).collect::<Option<_>>()?
        } else {
            Vec::new()
        };
        let mut local = Self {
            gpus: group.to_vec(),
            threads,
            ways,
            nics: place(group, &nics),
            own: group.iter().map(own).collect(),
            rails: has(Pattern::PairsNetwork) && rails(router, group),
            ports,
            matched: false,
        };
        local.matched = local.is_matched(closed || !has(Pattern::BothWays));
        Some(local)
    }

    pub(super) fn len(&self) -> u32 {
        self.gpus.len() as u32
    }

    /// The order of a lane's thread.
    pub(super) fn order(&self, thread: usize) -> &[u32] {
        self.threads.get(thread).map_or(&[], |t| t.order.as_slice())
    }

    /// The links from one GPU to another.
    pub(super) fn between(&self, from: u32, to: u32) -> Option<Way> {
        match &self.ways {
            Ways::Star(star) => {
                let hops = star.hops(from as usize, to as usize);
                Some(Way { via: Via::Peer, hops: hops.into(), share: 1.0 })
            }
            Ways::Routes(known) => known.get(&(from, to)).cloned(),
        }
    }

    /// Out of the unit (or back into it) for what leaves at a GPU: over its own NICs where that is how the bytes are split,
    /// else evenly over all NICs of the group.
    pub(super) fn network(&self, gpu: u32, out: bool) -> Vec<Way> {
        let own = self.nics.iter().filter(|f| f.gpu == gpu);
        if !self.matched {
            return pick(self.nics.iter(), out);
        }
        pick(own, out)
    }

    /// Evenly over all NICs of the group.
    pub(super) fn spread(&self, out: bool) -> Vec<Way> {
        pick(self.nics.iter(), out)
    }

    /// Out of the unit, or back into it, for what one GPU alone sends or gets.
    pub(super) fn alone(&self, gpu: u32, out: bool) -> Vec<Way> {
        self.own.get(gpu as usize).map(|f| pick(f.iter(), out)).unwrap_or_default()
    }

    /// Up to the reducing switches, or down from them.
    pub(super) fn port(&self, gpu: u32, up: bool) -> Option<&Way> {
        self.ports.get(gpu as usize).map(|[u, d]| if up { u } else { d })
    }

    /// Whether every GPU ends threads of the same share as the NICs that it feeds carry.
    fn is_matched(&self, last: bool) -> bool {
        if self.nics.is_empty() {
            return false;
        }
        let ends = |g: u32| -> f64 {
            let end = |t: &&Thread| (if last { t.order.last() } else { t.order.first() }) == Some(&g);
            if self.rails {
                1.0 / f64::from(self.len())
            } else {
                self.threads.iter().filter(end).map(|t| t.share).sum()
            }
        };
        let fed = |g: u32| -> f64 { self.nics.iter().filter(|f| f.gpu == g).map(|f| f.out.share).sum() };
        (0..self.len()).all(|g| (ends(g) - fed(g)).abs() < 1e-9)
    }
}

/// Feeds of the GPUs as ways whose shares sum to 1.
fn pick<'a>(feeds: impl Iterator<Item = &'a Feed>, out: bool) -> Vec<Way> {
    let mut ways: Vec<Way> = feeds.map(|f| if out { f.out.clone() } else { f.back.clone() }).collect();
    let all: f64 = ways.iter().map(|w| w.share).sum();
    for w in &mut ways {
        w.share /= all;
    }
    ways
}

/// A thread per GPU: who owns which part of the sum.
fn owners(n: usize) -> Vec<Thread> {
    (0..n as u32).map(|g| Thread { share: 1.0 / n as f64, order: vec![g] }).collect()
}

/// The threads of a ring or chain, as they are priced.
fn threads(router: &Router<'_>, group: &[DeviceIx], closed: bool) -> Vec<Thread> {
    let at = |d: &DeviceIx| group.iter().position(|g| g == d).unwrap_or(0) as u32;
    let order = |list: &[DeviceIx]| -> Vec<u32> { list.iter().map(at).collect() };
    match channels(router, group, closed) {
        Wiring::Switched(list) if closed => vec![Thread { share: 1.0, order: order(&list) }],
        Wiring::Switched(list) => {
            let once = order(&list);
            let n = once.len();
            let turned = |r: usize| once.iter().cycle().skip(r).take(n).copied().collect();
            (0..n).map(|r| Thread { share: 1.0 / n as f64, order: turned(r) }).collect()
        }
        Wiring::Mesh(list) => list.iter().map(|c| Thread { share: c.share, order: order(&c.order) }).collect(),
        Wiring::Single(list) => vec![Thread { share: 1.0, order: order(&list) }],
    }
}

/// Routes of all pairs, or of the neighbours on the threads, both ways.
fn routes(
    router: &Router<'_>,
    group: &[DeviceIx],
    threads: &[Thread],
    every: bool,
) -> Option<HashMap<(u32, u32), Way>> {
    let n = group.len() as u32;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for t in threads {
        let next = t.order.iter().cycle().skip(1);
        pairs.extend(t.order.iter().zip(next).flat_map(|(a, b)| [(*a, *b), (*b, *a)]));
    }
    pairs.extend((0..n).map(|a| (a, (a + 1) % n.max(1))));
    if every {
        pairs.extend((0..n).flat_map(|a| (0..n).map(move |b| (a, b))));
    }
    let mut known = HashMap::new();
    for (a, b) in pairs.into_iter().filter(|(a, b)| a != b) {
        let (from, to) = (group.get(a as usize)?, group.get(b as usize)?);
        // A pair that no move uses may have no way.
        if let Some(r) = router.route(*from, *to) {
            known.insert((a, b), Way { via: r.via, hops: r.hops.as_slice().into(), share: 1.0 });
        }
    }
    Some(known)
}

fn place(group: &[DeviceIx], feeds: &[NicFeed]) -> Vec<Feed> {
    let feed = |f: &NicFeed| {
        let via = if f.direct { Via::Nic } else { Via::NicHost };
        let back: Vec<Hop> = f.path.iter().map(|h| Hop { forward: !h.forward, ..*h }).collect();
        let way = |hops: &[Hop]| Way { via, hops: hops.into(), share: f.share };
        let gpu = group.iter().position(|g| *g == f.gpu)? as u32;
        Some(Feed { gpu, out: way(&f.path), back: way(&back) })
    };
    feeds.iter().filter_map(feed).collect()
}

/// Up to every reducing switch and down again, in proportion to the rates.
fn ports(router: &Router<'_>, gpu: DeviceIx) -> Option<[Way; 2]> {
    let unit = router.unit();
    let ports = reduce_ports(router, gpu)?;
    let total: f64 = ports.iter().map(|p| p.1).sum();
    let way = |up: bool| {
        let hop = |(link, rate): &(LinkIx, f64)| Hop {
            link: *link,
            forward: unit.shape.link(*link).is_some_and(|l| l.a == gpu) == up,
            share: rate / total,
        };
        Way { via: Via::Reduce, hops: ports.iter().map(hop).collect(), share: 1.0 }
    };
    Some([way(true), way(false)])
}

/// Whether bytes to other units go to the GPU of the peer's rail first: the same condition as in the priced traffic.
fn rails(router: &Router<'_>, group: &[DeviceIx]) -> bool {
    let unit = router.unit();
    let rails = unit.fabric.is_some_and(|f| f.rails) && unit.software.pxn && group.len() > 1;
    rails && channels(router, group, true) == Wiring::Switched(group.to_vec())
}
