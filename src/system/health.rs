//! What is wrong with the links and devices of a unit: up, degraded to a rate, or down.

use std::collections::{BTreeMap, BTreeSet};

use super::{DeviceIx, LinkIx, Shape};
use crate::units::{Bandwidth, Share};

/// Parts per million of a link's own rate; whole numbers, so that equal healths are equal.
const WHOLE: u32 = 1_000_000;

/// How far a link or device is cut down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// To a rate per direction.
    To(Bandwidth),
    /// To a share of its own rate.
    Share(Share),
}

/// State of the parallel links of one bundle.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkHealth(Vec<u32>);

/// Health of one unit. Only exceptions are stored; the default is all healthy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Health {
    devices: BTreeSet<DeviceIx>,
    links: BTreeMap<LinkIx, LinkHealth>,
}

impl Cut {
    fn ppm(self, line: Bandwidth) -> u32 {
        let ratio = match self {
            Self::To(rate) => (rate / line).ratio(),
            Self::Share(s) => s.ratio(),
        };
        (ratio.clamp(0.0, 1.0) * f64::from(WHOLE)).round() as u32
    }
}

impl LinkHealth {
    /// Share of the bundle's line rate that is left.
    pub fn left(&self) -> Share {
        let sum: u64 = self.0.iter().map(|&p| u64::from(p)).sum();
        Share::new(sum as f64 / (self.0.len().max(1) as f64 * f64::from(WHOLE)))
    }

    /// What is left of each of the parallel links.
    pub fn shares(&self) -> impl Iterator<Item = Share> + '_ {
        self.0.iter().map(|&p| Share::new(f64::from(p) / f64::from(WHOLE)))
    }

    /// Parallel links that are down.
    pub fn lost(&self) -> u32 {
        self.0.iter().filter(|&&p| p == 0).count() as u32
    }

    /// True if some link runs, but not at its own rate.
    pub fn is_degraded(&self) -> bool {
        self.0.iter().any(|&p| p > 0 && p < WHOLE)
    }
}

impl Health {
    /// True when nothing is wrong.
    pub fn is_healthy(&self) -> bool {
        self.devices.is_empty() && self.links.is_empty()
    }

    /// Takes a device out, or back. True if that changed something.
    pub fn set_device(&mut self, d: DeviceIx, up: bool) -> bool {
        if up { self.devices.remove(&d) } else { self.devices.insert(d) }
    }

    /// Takes a bundle (or its `nth` link) out or back.
    pub fn set_link(&mut self, shape: &Shape, l: LinkIx, nth: Option<u32>, up: bool) -> bool {
        self.write(shape, l, nth, if up { WHOLE } else { 0 })
    }

    /// Cuts a bundle (or its `nth` link) down to a rate or a share.
    pub fn degrade_link(&mut self, shape: &Shape, l: LinkIx, nth: Option<u32>, cut: Cut) -> bool {
        let Some(link) = shape.link(l) else { return false };
        let line = if nth.is_some() { link.line_rate() / f64::from(link.count.max(1)) } else { link.line_rate() };
        self.write(shape, l, nth, cut.ppm(line))
    }

    /// Cuts down what a device is attached by: a NIC by its cable, any other device by its links of the widest family. A
    /// link of those that is out or has less left already stays as it is. A rate is that of [`attached_rate`].
    pub fn degrade_device(&mut self, shape: &Shape, d: DeviceIx, cut: Cut) -> bool {
        if let Some(cable) = shape.cable(d) {
            return self.degrade_link(shape, cable, None, cut);
        }
        let cut = match (cut, attached_rate(shape, d)) {
            (Cut::To(rate), Some(own)) => Cut::Share(rate / own),
            (cut, _) => cut,
        };
        widest_family(shape, d).into_iter().fold(false, |changed, l| self.lower(shape, l, cut) | changed)
    }

    /// Cuts every link of a bundle that has more left down to a rate or a share.
    fn lower(&mut self, shape: &Shape, l: LinkIx, cut: Cut) -> bool {
        let Some(link) = shape.link(l) else { return false };
        let ppm = cut.ppm(link.line_rate());
        let now = self.links.get(&l).map_or_else(|| vec![WHOLE; link.count.max(1) as usize], |h| h.0.clone());
        let higher = (0_u32..).zip(now).filter(|(_, left)| *left > ppm);
        higher.fold(false, |changed, (n, _)| self.write(shape, l, Some(n), ppm) | changed)
    }

    fn write(&mut self, shape: &Shape, l: LinkIx, nth: Option<u32>, ppm: u32) -> bool {
        let Some(count) = shape.link(l).map(|k| k.count.max(1) as usize) else { return false };
        let mut state = self.links.get(&l).cloned().unwrap_or_else(|| LinkHealth(vec![WHOLE; count]));
        let before = state.clone();
        match nth {
            Some(n) => {
                let Some(cell) = state.0.get_mut(n as usize) else { return false };
                *cell = ppm;
            }
            None => state.0.iter_mut().for_each(|c| *c = ppm),
        }
        let changed = state != before;
        if state.0.iter().all(|&p| p == WHOLE) {
            self.links.remove(&l);
        } else {
            self.links.insert(l, state);
        }
        changed
    }

    /// What is wrong with some of the devices and links alone.
    #[must_use]
    pub fn part(&self, devices: impl Fn(DeviceIx) -> bool, links: impl Fn(LinkIx) -> bool) -> Self {
        let devices = self.devices.iter().copied().filter(|d| devices(*d)).collect();
        let links = self.links.iter().filter(|(l, _)| links(**l)).map(|(l, h)| (*l, h.clone())).collect();
        Self { devices, links }
    }

    /// Whether a device is in.
    pub fn device_up(&self, d: DeviceIx) -> bool {
        !self.devices.contains(&d)
    }

    /// Share of a bundle's line rate that is left, counting its ends: 0 when a device at either end is out.
    pub fn left(&self, shape: &Shape, l: LinkIx) -> Share {
        let Some(link) = shape.link(l) else { return Share::ZERO };
        if self.is_healthy() {
            return Share::ONE;
        }
        if !self.device_up(link.a) || !self.device_up(link.b) {
            return Share::ZERO;
        }
        self.links.get(&l).map_or(Share::ONE, LinkHealth::left)
    }

    /// The state of a bundle's own links, if anything is wrong with them.
    pub fn link(&self, l: LinkIx) -> Option<&LinkHealth> {
        self.links.get(&l)
    }

    /// Devices that are out.
    pub fn devices_down(&self) -> impl Iterator<Item = DeviceIx> + '_ {
        self.devices.iter().copied()
    }

    /// Bundles with something wrong.
    pub fn links_hurt(&self) -> impl Iterator<Item = (LinkIx, &LinkHealth)> {
        self.links.iter().map(|(l, h)| (*l, h))
    }
}

/// What a device is attached by, per direction, healthy: a NIC its cable, a GPU all its links of the widest family
/// together (all its `NVLink`s), a switch or socket the widest of its links, since it stands between links.
pub fn attached_rate(shape: &Shape, d: DeviceIx) -> Option<Bandwidth> {
    let rate = |l: LinkIx| shape.link(l).map_or(0.0, |k| k.line_rate().gbytes_per_s());
    let links = shape.cable(d).map_or_else(|| widest_family(shape, d), |cable| vec![cable]);
    let all = links.into_iter().map(rate);
    let total = if shape.device(d).is_some_and(super::Device::is_gpu) { all.sum() } else { all.fold(0.0, f64::max) };
    (total > 0.0).then(|| Bandwidth::from_gbytes_per_s(total))
}

fn widest_family(shape: &Shape, d: DeviceIx) -> Vec<LinkIx> {
    let rate = |l: LinkIx| shape.link(l).map_or(0.0, |k| k.line_rate().gbytes_per_s());
    let widest = shape.around(d).iter().map(|(l, _)| *l).max_by(|a, b| rate(*a).total_cmp(&rate(*b)));
    let family = widest.and_then(|l| shape.link(l)).map(|k| k.kind.family);
    shape.around(d).iter().map(|(l, _)| *l).filter(|l| shape.link(*l).map(|k| k.kind.family) == family).collect()
}
