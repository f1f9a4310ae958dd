//! The way between two devices as hops with their rates.

use super::reading::Look;
use crate::system::{DeviceIx, LinkIx, Nearness};
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
    let health = &look.class.health;
    let hop = |h: crate::system::Hop| Hop {
        line: h.links.iter().filter_map(|l| shape.link(*l)).map(crate::system::Link::line_rate).sum(),
        usable: h.links.iter().map(|l| look.usable(*l)).sum(),
        latency: h.links.first().map_or(Time::ZERO, |l| look.latency(*l)),
        links: h.links,
        to: h.to,
    };
    let hops = shape.way(from, to, health)?.into_iter().map(hop).collect();
    Some(Way { near: shape.nearness(from, to, health), hops })
}
