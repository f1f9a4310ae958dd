//! The way between two devices as hops with their rates: parallel switch chips of the scale-up domain are one hop.

use super::reading::Look;
use crate::system::{Device, DeviceIx, LinkIx, Nearness};
use crate::units::{Bandwidth, Time};

/// One hop of a way inside a unit.
#[derive(Debug, Clone)]
pub(super) struct Hop {
    /// The bundles that are crossed, in parallel.
    pub(super) links: Vec<LinkIx>,
    /// Where it leads: one device, or parallel chips.
    pub(super) to: Vec<DeviceIx>,
    /// Line rate, GB/s per direction.
    pub(super) line: Bandwidth,
    /// Usable rate with the health there is, GB/s per direction.
    pub(super) usable: Bandwidth,
    /// Latency of the hop.
    pub(super) latency: Time,
}

/// A way inside a unit.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) near: Nearness,
    pub(super) hops: Vec<Hop>,
}

impl Way {
    /// The slowest hop's usable and line rate.
    pub(super) fn narrowest(&self) -> (Bandwidth, Bandwidth) {
        let least = |rate: fn(&Hop) -> Bandwidth| self.hops.iter().map(rate).fold(Bandwidth::INFINITE, Bandwidth::min);
        (least(|h| h.usable), least(|h| h.line))
    }

    pub(super) fn latency(&self) -> Time {
        self.hops.iter().map(|h| h.latency).sum()
    }
}

/// The way that software takes between two devices of a unit.
pub(super) fn way(look: &Look, from: DeviceIx, to: DeviceIx) -> Option<Way> {
    let shape = look.shape();
    let path = shape.path(from, to, &look.class.health)?;
    let mut stages: Vec<Vec<DeviceIx>> = vec![vec![from]];
    let mut here = from;
    for (l, _) in &path {
        here = shape.link(*l)?.other(here);
        stages.push(vec![here]);
    }
    widen(look, &mut stages);
    let pairs = stages.windows(2).zip(&path);
    let hops = pairs.filter_map(|(w, (l, _))| Some(hop(look, w.first()?, w.get(1)?, *l))).collect();
    Some(Way { near: shape.nearness(from, to, &look.class.health), hops })
}

/// Where the way crosses chips between two GPUs, all chips that serve both are used.
fn widen(look: &Look, stages: &mut [Vec<DeviceIx>]) {
    let is_chip = |d: &DeviceIx| look.shape().device(*d).is_some_and(Device::is_scale_up_switch);
    let chips = |d: DeviceIx| -> Vec<DeviceIx> {
        let around = look.shape().around(d).iter();
        let mut all: Vec<DeviceIx> = around.filter(|(l, c)| is_chip(c) && runs(look, *l)).map(|(_, c)| *c).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let one = |s: &[Vec<DeviceIx>], i: usize| s.get(i).and_then(|v| v.first()).copied();
    let mut i = 1;
    while i < stages.len() {
        let run = (i..stages.len()).take_while(|k| one(stages, *k).is_some_and(|d| is_chip(&d))).count();
        let ends = one(stages, i - 1).zip(one(stages, i + run));
        if let (Some((a, b)), 1 | 2) = (ends, run) {
            let (near, far) = (chips(a), chips(b));
            let shared: Vec<DeviceIx> = near.iter().copied().filter(|c| far.contains(c)).collect();
            let new = if run == 1 { vec![shared] } else { vec![near, far] };
            for (k, set) in new.into_iter().enumerate() {
                if let Some(slot) = stages.get_mut(i + k).filter(|_| !set.is_empty()) {
                    *slot = set;
                }
            }
        }
        i += run + 1;
    }
}

fn runs(look: &Look, l: LinkIx) -> bool {
    look.class.health.left(look.shape(), l).ratio() > 0.0
}

fn hop(look: &Look, from: &[DeviceIx], to: &[DeviceIx], known: LinkIx) -> Hop {
    let shape = look.shape();
    let mut links = Vec::new();
    if from.len() == 1 && to.len() == 1 {
        links.push(known);
    } else {
        for d in from {
            links.extend(shape.around(*d).iter().filter(|(l, o)| to.contains(o) && runs(look, *l)).map(|(l, _)| *l));
        }
    }
    let line = links.iter().filter_map(|l| shape.link(*l)).map(crate::system::Link::line_rate).sum();
    let usable = links.iter().map(|l| look.usable(*l)).sum();
    Hop { line, usable, latency: look.latency(known), links, to: to.to_vec() }
}
