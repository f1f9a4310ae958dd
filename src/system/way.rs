//! The way between two devices as hops: parallel switch chips of the scale-up domain, and the links to them, are one hop.

use super::{Device, DeviceIx, Health, Link, LinkIx, Shape};
use crate::units::{Bandwidth, Share};

/// One hop of a way inside a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// The bundles that are crossed, in parallel.
    pub links: Vec<LinkIx>,
    /// Where it leads: one device, or parallel chips.
    pub to: Vec<DeviceIx>,
}

impl Shape {
    /// The hops from one device to another; `None` when there is no way. See [`Shape::path`] for which way it is.
    pub fn way(&self, from: DeviceIx, to: DeviceIx, health: &Health) -> Option<Vec<Hop>> {
        let path = self.path(from, to, health)?;
        let mut stages: Vec<Vec<DeviceIx>> = vec![vec![from]];
        let mut here = from;
        for (l, _) in &path {
            here = self.link(*l)?.other(here);
            stages.push(vec![here]);
        }
        let see = Sight { shape: self, health };
        see.widen(&mut stages);
        let pairs = stages.windows(2).zip(&path);
        Some(pairs.filter_map(|(w, (l, _))| Some(see.hop(w.first()?, w.get(1)?, *l))).collect())
    }

    /// What a transfer gets on the narrowest hop of a way, GB/s per direction, where each link gives a share of its line
    /// rate. Infinite for a way without hops.
    pub fn narrowest(&self, hops: &[Hop], health: &Health, share: impl Fn(&Link) -> Share) -> Bandwidth {
        let rate =
            |l: &LinkIx| self.link(*l).map_or(Bandwidth::ZERO, |k| k.line_rate() * health.left(self, *l) * share(k));
        let rates = hops.iter().map(|h| h.links.iter().map(rate).sum());
        rates.fold(Bandwidth::INFINITE, Bandwidth::min)
    }
}

struct Sight<'a> {
    shape: &'a Shape,
    health: &'a Health,
}

impl Sight<'_> {
    /// Where the way crosses chips between two GPUs, all chips that serve both are used.
    fn widen(&self, stages: &mut [Vec<DeviceIx>]) {
        let one = |s: &[Vec<DeviceIx>], i: usize| s.get(i).and_then(|v| v.first()).copied();
        let mut i = 1;
        while i < stages.len() {
            let run = (i..stages.len()).take_while(|k| one(stages, *k).is_some_and(|d| self.is_chip(d))).count();
            let ends = one(stages, i - 1).zip(one(stages, i + run));
            if let (Some((a, b)), 1 | 2) = (ends, run) {
                let (near, far) = (self.chips(a), self.chips(b));
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

    fn is_chip(&self, d: DeviceIx) -> bool {
        self.shape.device(d).is_some_and(Device::is_scale_up_switch)
    }

    fn chips(&self, d: DeviceIx) -> Vec<DeviceIx> {
        let around = self.shape.around(d).iter();
        let mut all: Vec<DeviceIx> =
            around.filter(|(l, c)| self.is_chip(*c) && self.runs(*l)).map(|(_, c)| *c).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn runs(&self, l: LinkIx) -> bool {
        self.health.left(self.shape, l).ratio() > 0.0
    }

    fn hop(&self, from: &[DeviceIx], to: &[DeviceIx], known: LinkIx) -> Hop {
        let mut links = Vec::new();
        if from.len() == 1 && to.len() == 1 {
            links.push(known);
        } else {
            for d in from {
                let around = self.shape.around(*d).iter();
                links.extend(around.filter(|(l, o)| to.contains(o) && self.runs(*l)).map(|(l, _)| *l));
            }
        }
        Hop { links, to: to.to_vec() }
    }
}
