//! The way between two devices of one unit, and how near they are to each other.
//!
//! The way is the one that software takes: scale-up links if they lead there, else the nearest way over `PCIe`. It is what
//! the path picture and the pair matrix show; what a collective puts on the links is `collective`'s business.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Device, DeviceIx, DeviceKind, Health, LinkIx, Shape, Tier, tier_of};
use crate::parts::Family;
use crate::units::Bandwidth;

/// How near two devices of a unit are, nearest first: the classes that GPU topology tools print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nearness {
    /// The same device.
    Own,
    /// Scale-up links all the way, direct or through switches: the family and how many links run in parallel.
    ScaleUp(Family, u32),
    /// One `PCIe` switch between them.
    Pix,
    /// Several `PCIe` switches, no CPU.
    Pxb,
    /// Through the host bridge of one CPU.
    Phb,
    /// Across the link between CPU sockets or NUMA nodes.
    Sys,
    /// Only through another GPU, which relays.
    Relay,
    /// Only over the scale-out fabric.
    Net,
}

impl Nearness {
    /// `NV12`, `XGMI`, `PIX`, `PXB`, `PHB`, `SYS`, `RLY`, `NET`; a dot for a device itself.
    pub fn name(self) -> String {
        match self {
            Self::Own => "·".to_owned(),
            Self::ScaleUp(Family::Xgmi, _) => "XGMI".to_owned(),
            Self::ScaleUp(_, links) => format!("NV{links}"),
            Self::Pix => "PIX".to_owned(),
            Self::Pxb => "PXB".to_owned(),
            Self::Phb => "PHB".to_owned(),
            Self::Sys => "SYS".to_owned(),
            Self::Relay => "RLY".to_owned(),
            Self::Net => "NET".to_owned(),
        }
    }

    /// What the class means, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Own => "itself",
            Self::ScaleUp(Family::Xgmi, _) => "xGMI",
            Self::ScaleUp(..) => "NVLink, n links",
            Self::Pix => "one PCIe switch",
            Self::Pxb => "several PCIe switches",
            Self::Phb => "host bridge",
            Self::Sys => "across sockets",
            Self::Relay => "relayed by another GPU",
            Self::Net => "over the fabric",
        }
    }
}

/// One step of a path: the link, and true when it is crossed from its end `a` to its end `b`.
pub type Step = (LinkIx, bool);

/// Cost of a hop, so that one search finds the nearest class first and the fewest hops in it.
const SCALE_UP: u32 = 1;
const PCIE: u32 = 10;
const SOCKET: u32 = 200;
const RELAY: u32 = 2_000;

/// The best way found so far to a device.
#[derive(Clone, Copy)]
struct Best {
    cost: u32,
    narrowest: Bandwidth,
    by: Option<(LinkIx, DeviceIx)>,
}

impl Shape {
    /// The links from one device to another, in order; empty for a device itself, `None` when there is no way.
    ///
    /// Scale-up links are preferred, then the fewest `PCIe` hops, then hops between sockets; of equal ways the one whose
    /// narrowest link has the most bandwidth left. A GPU relays only when nothing else leads there; NICs and the fabric
    /// never do.
    pub fn path(&self, from: DeviceIx, to: DeviceIx, health: &Health) -> Option<Vec<Step>> {
        self.walk(&self.search(from, Some(to), health)?, from, to)
    }

    /// The links on the best way that a search found.
    fn walk(&self, best: &[Option<Best>], from: DeviceIx, to: DeviceIx) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut here = to;
        while here != from {
            let (link, before) = best.get(here.0 as usize).copied().flatten()?.by?;
            steps.push((link, self.link(link)?.a == before));
            here = before;
        }
        steps.reverse();
        Some(steps)
    }

    /// The best ways from a device, to one other or to all; `None` when an end is out or nothing leads there.
    fn search(&self, from: DeviceIx, to: Option<DeviceIx>, health: &Health) -> Option<Vec<Option<Best>>> {
        if !health.device_up(from) || to.is_some_and(|to| !health.device_up(to)) {
            return None;
        }
        let mut best: Vec<Option<Best>> = vec![None; self.devices().len()];
        // Nearest first; of equally near ones the one found first.
        let mut open = BinaryHeap::from([Reverse((0, 0, from.0))]);
        let mut found_so_far = 0;
        *best.get_mut(from.0 as usize)? = Some(Best { cost: 0, narrowest: Bandwidth::INFINITE, by: None });
        while let Some(Reverse((cost, _, here))) = open.pop() {
            let here = DeviceIx(here);
            if Some(here) == to {
                break;
            }
            let Some(so_far) = best.get(here.0 as usize).copied().flatten() else { continue };
            if so_far.cost < cost {
                continue;
            }
            let Some(toll) = (if here == from { Some(0) } else { self.device(here).and_then(toll) }) else { continue };
            for &(link, next) in self.around(here) {
                let Some(found) = self.hop(link, here, so_far, toll, health) else { continue };
                let Some(slot) = best.get_mut(next.0 as usize) else { continue };
                if slot.is_none_or(|old| better(found, old)) {
                    *slot = Some(found);
                    found_so_far += 1;
                    open.push(Reverse((found.cost, found_so_far, next.0)));
                }
            }
        }
        let found = to.is_none_or(|to| best.get(to.0 as usize).copied().flatten().is_some());
        found.then_some(best)
    }

    fn hop(&self, link: LinkIx, here: DeviceIx, so_far: Best, toll: u32, health: &Health) -> Option<Best> {
        let l = self.link(link)?;
        let left = health.left(self, link);
        let rate = l.line_rate() * left;
        rate.is_usable().then(|| Best {
            cost: so_far.cost + toll + price(l.kind.family),
            narrowest: so_far.narrowest.min(rate),
            by: Some((link, here)),
        })
    }

    /// How near two devices are; [`Nearness::Net`] when no way inside the unit leads there.
    pub fn nearness(&self, from: DeviceIx, to: DeviceIx, health: &Health) -> Nearness {
        if from == to {
            return Nearness::Own;
        }
        self.path(from, to, health).map_or(Nearness::Net, |path| self.class_of(&path, from, to, health))
    }

    /// How near a device is to each of several others, by one search.
    pub fn nearnesses(&self, from: DeviceIx, others: &[DeviceIx], health: &Health) -> Vec<Nearness> {
        let best = self.search(from, None, health);
        let of = |to: &DeviceIx| {
            if *to == from {
                return Nearness::Own;
            }
            let way = best.as_ref().filter(|_| health.device_up(*to)).and_then(|b| self.walk(b, from, *to));
            way.map_or(Nearness::Net, |path| self.class_of(&path, from, *to, health))
        };
        others.iter().map(of).collect()
    }

    fn class_of(&self, path: &[Step], from: DeviceIx, to: DeviceIx, health: &Health) -> Nearness {
        let family = |s: &Step| self.link(s.0).map(|l| l.kind.family);
        let families: Vec<Family> = path.iter().filter_map(family).collect();
        let mut here = from;
        let mut switches = 0;
        let (mut cpu, mut relay) = (self.is_cpu(from) || self.is_cpu(to), false);
        for (link, _) in path.iter().take(path.len().saturating_sub(1)) {
            here = self.link(*link).map_or(here, |l| l.other(here));
            match self.device(here).map(|d| &d.kind) {
                Some(DeviceKind::PcieSwitch(_)) => switches += 1,
                Some(DeviceKind::Cpu(_)) => cpu = true,
                Some(DeviceKind::Gpu(_)) => relay = true,
                _ => {}
            }
        }
        match families.first() {
            _ if relay => Nearness::Relay,
            Some(&f) if families.iter().all(|f| tier_of(*f) == Tier::ScaleUp) => {
                Nearness::ScaleUp(f, self.parallel(from, to, health))
            }
            _ if families.contains(&Family::Network) => Nearness::Net,
            _ if families.contains(&Family::Socket) => Nearness::Sys,
            _ if cpu => Nearness::Phb,
            _ if switches > 1 => Nearness::Pxb,
            _ => Nearness::Pix,
        }
    }

    fn is_cpu(&self, d: DeviceIx) -> bool {
        self.device(d).is_some_and(|d| matches!(d.kind, DeviceKind::Cpu(_)))
    }

    /// Scale-up links that run in parallel between two devices: the direct ones, or through all the switches that the
    /// first is wired to (limited by what the other end has).
    fn parallel(&self, from: DeviceIx, to: DeviceIx, health: &Health) -> u32 {
        let links = |a: DeviceIx, b: Option<DeviceIx>| -> u32 {
            self.around(a)
                .iter()
                .filter(|(_, d)| b.map_or_else(|| self.is_switch(*d), |b| *d == b))
                .map(|(l, _)| self.up_links(*l, health))
                .sum()
        };
        let direct = links(from, Some(to));
        if direct > 0 {
            return direct;
        }
        let shared: u32 = self
            .around(from)
            .iter()
            .filter(|(_, d)| self.is_switch(*d))
            .map(|(l, d)| self.up_links(*l, health).min(links(to, Some(*d))))
            .sum();
        if shared > 0 { shared } else { links(from, None).min(links(to, None)) }
    }

    fn is_switch(&self, d: DeviceIx) -> bool {
        self.device(d).is_some_and(Device::is_scale_up_switch)
    }

    /// Scale-up links of a bundle that still run.
    fn up_links(&self, l: LinkIx, health: &Health) -> u32 {
        let Some(link) = self.link(l) else { return 0 };
        if tier_of(link.kind.family) != Tier::ScaleUp || !health.left(self, l).ratio().gt(&0.0) {
            return 0;
        }
        link.count - health.link(l).map_or(0, super::LinkHealth::lost).min(link.count)
    }
}

fn better(new: Best, old: Best) -> bool {
    new.cost < old.cost || (new.cost == old.cost && new.narrowest > old.narrowest)
}

/// What it costs to pass through a device; `None` where nothing passes.
fn toll(d: &Device) -> Option<u32> {
    match d.kind {
        DeviceKind::Cpu(_) | DeviceKind::PcieSwitch(_) | DeviceKind::ScaleUpSwitch(_) => Some(0),
        DeviceKind::Gpu(_) => Some(RELAY),
        DeviceKind::Nic(_) | DeviceKind::Fabric => None,
    }
}

const fn price(family: Family) -> u32 {
    match family {
        Family::Nvlink | Family::Xgmi => SCALE_UP,
        Family::Pcie | Family::C2c | Family::Network => PCIE,
        Family::Socket => SOCKET,
    }
}

#[cfg(test)]
mod tests;
