//! Traffic of one phase of an algorithm inside a unit, all concurrent groups together.

use super::nics::feeds_of;
use super::order::{Wiring, channels};
use super::{Hop, Loads, NicFeed, Router, Via, feeds};
use crate::parts::Steps;
use crate::question::ClassGroups;
use crate::system::{DeviceIx, DeviceKind, LinkIx, Tier, tier_of};
use crate::units::Time;

/// A phase of an algorithm. The unit of its loads is in the comment: bytes per byte of ...
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// Closed rings inside the unit; ... what each GPU hands on.
    Ring,
    /// The part of rings or chains inside a unit, from where it enters to where it leaves; ... what each GPU hands on.
    Chain,
    /// The same chains with bytes in both directions (tree: reduce up, broadcast down); ... the message.
    BothWays,
    /// Reduction and multicast in the scale-up switches; ... the message.
    Reduce,
    /// Out of and into the unit, evenly over the NICs of each group; ... what the group's node sends.
    Network,
    /// Every pair of GPUs of a group inside the unit; ... what one GPU sends to one other.
    Pairs,
    /// Out of and into the unit, each GPU by its own NICs; ... what one GPU sends out.
    PairsNetwork,
    /// Each GPU to the next one of its group, closed inside the unit; ... the message.
    Shift,
    /// Each GPU to the next one, the last one to the next unit; ... the message.
    ShiftNetwork,
}

impl Pattern {
    /// How many there are.
    pub const COUNT: usize = 9;

    /// Whether it is traffic out of and into the unit.
    pub const fn is_network(self) -> bool {
        matches!(self, Self::Network | Self::PairsNetwork | Self::ShiftNetwork)
    }
}

/// Step latencies of an edge, per protocol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Of ll.
    pub ll: Time,
    /// Of ll128.
    pub ll128: Time,
    /// Of simple.
    pub simple: Time,
}

impl From<&Steps> for Pace {
    fn from(s: &Steps) -> Self {
        Self { ll: s.ll, ll128: s.ll128, simple: s.simple }
    }
}

/// What a pattern puts on the links, and what paces its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Traffic {
    /// Bytes on each link, direction and mover.
    pub loads: Loads,
    /// Step latencies of the slowest edge in use; `None` when no edge inside the unit is used.
    pub pace: Option<Pace>,
    /// Whether all edges stay on scale-up links (which is what ll128 needs).
    pub scale_up: bool,
    /// Fewest channels that a link kind in use allows, if it limits them.
    pub channels: Option<u32>,
    /// Largest share of one GPU's bytes in the total of its group's (1 for patterns in which all GPUs do the same).
    pub nics: u32,
}

/// The traffic of a pattern in a unit. The error is a pair of devices that nothing connects (twice the same one: no NIC
/// leads out, or no switch reduces).
pub fn traffic(router: &Router<'_>, groups: &ClassGroups, pattern: Pattern) -> Result<Traffic, (DeviceIx, DeviceIx)> {
    let mut b = Builder::new(router);
    for group in &groups.local {
        match pattern {
            Pattern::Ring => b.threaded(group, true, false)?,
            Pattern::Chain => b.threaded(group, false, false)?,
            Pattern::BothWays => b.threaded(group, false, true)?,
            Pattern::Reduce => b.reduce(group)?,
            Pattern::Network => b.network(group, &feeds(router, group), 1.0)?,
            Pattern::Pairs => b.pairs(group, 1.0)?,
            Pattern::PairsNetwork => b.pairs_network(group)?,
            Pattern::Shift => b.shift(group, true)?,
            Pattern::ShiftNetwork => b.shift(group, false)?,
        }
    }
    Ok(b.traffic)
}

struct Builder<'r, 'a> {
    router: &'r Router<'a>,
    traffic: Traffic,
}

impl<'r, 'a> Builder<'r, 'a> {
    fn new(router: &'r Router<'a>) -> Self {
        let loads = Loads::new(router.unit().shape.links().len());
        Self { router, traffic: Traffic { loads, pace: None, scale_up: true, channels: None, nics: 0 } }
    }

    /// Bytes from one GPU to another by their route.
    fn carry(&mut self, from: DeviceIx, to: DeviceIx, bytes: f64) -> Result<(), (DeviceIx, DeviceIx)> {
        let route = self.router.route(from, to).ok_or((from, to))?;
        self.along(&route.hops, route.via, bytes);
        let own = self.router.steps(&route).map(Pace::from);
        // Steps of two kinds of link are fits on different machines: a detour is never taken to be quicker to start.
        let usual = self.router.scale_up_steps(from).filter(|_| !route.scale_up).map(Pace::from);
        self.note(route.paced_by, route.scale_up, own.map(|o| usual.map_or(o, |u| slower(o, u))));
        Ok(())
    }

    fn along(&mut self, hops: &[Hop], via: Via, bytes: f64) {
        for h in hops {
            self.traffic.loads.add(h.link, h.forward, via, bytes * h.share);
        }
    }

    fn note(&mut self, link: LinkIx, scale_up: bool, steps: Option<Pace>) {
        let t = &mut self.traffic;
        t.scale_up &= scale_up;
        let limit = self.router.unit().shape.link(link).and_then(|l| l.kind.channels);
        t.channels = t.channels.into_iter().chain(limit).min();
        t.pace = match (t.pace.take(), steps) {
            (Some(a), Some(b)) => Some(slower(a, b)),
            (a, b) => a.or(b),
        };
    }

    /// Every hand-over of a ring or chain, one way or both.
    fn threaded(&mut self, group: &[DeviceIx], closed: bool, both: bool) -> Result<(), (DeviceIx, DeviceIx)> {
        match channels(self.router, group, closed) {
            Wiring::Switched(order) => {
                // The ends of chains rotate over the channels, so every edge of the ring is missing equally often.
                let n = order.len() as f64;
                let bytes = if closed { 1.0 } else { (n - 1.0) / n };
                match self.router.star(&order) {
                    Some(star) => {
                        star.ring(self, &order, both, bytes);
                        Ok(())
                    }
                    None => self.edges(&order, true, both, bytes),
                }
            }
            Wiring::Mesh(list) => list.iter().try_for_each(|c| self.edges(&c.order, closed, both, c.share)),
            Wiring::Single(order) => self.edges(&order, closed, both, 1.0),
        }
    }

    fn edges(&mut self, order: &[DeviceIx], closed: bool, both: bool, bytes: f64) -> Result<(), (DeviceIx, DeviceIx)> {
        let next = order.iter().cycle().skip(1);
        let take = if closed { order.len() } else { order.len().saturating_sub(1) };
        for (a, b) in order.iter().zip(next).take(take).filter(|(a, b)| a != b) {
            self.carry(*a, *b, bytes)?;
            if both {
                self.carry(*b, *a, bytes)?;
            }
        }
        Ok(())
    }

    /// Up to the switches and down again, `1 + 1/g` bytes each way: the data and the reduced chunk that each GPU owns.
    fn reduce(&mut self, group: &[DeviceIx]) -> Result<(), (DeviceIx, DeviceIx)> {
        let each = 1.0 + 1.0 / group.len().max(1) as f64;
        for g in group {
            let ports = reduce_ports(self.router, *g).ok_or((*g, *g))?;
            let total: f64 = ports.iter().map(|(_, r)| r).sum();
            for (link, rate) in ports {
                let up = self.router.unit().shape.link(link).is_some_and(|l| l.a == *g);
                self.traffic.loads.add(link, up, Via::Reduce, each * rate / total);
                self.traffic.loads.add(link, !up, Via::Reduce, each * rate / total);
                let steps = self.router.unit().shape.link(link).and_then(|l| l.kind.steps.as_ref()).map(Pace::from);
                self.note(link, true, steps);
            }
        }
        Ok(())
    }

    /// The same bytes out of and into the unit over each NIC.
    fn network(&mut self, group: &[DeviceIx], feeds: &[NicFeed], bytes: f64) -> Result<(), (DeviceIx, DeviceIx)> {
        let first = group.first().copied().unwrap_or(DeviceIx(0));
        if feeds.is_empty() {
            return Err((first, first));
        }
        let mut nics: Vec<DeviceIx> = feeds.iter().map(|f| f.nic).collect();
        nics.dedup();
        self.traffic.nics = self.traffic.nics.max(nics.len() as u32);
        for f in feeds {
            let via = if f.direct { Via::Nic } else { Via::NicHost };
            self.along(&f.path, via, bytes * f.share);
            let back: Vec<Hop> = f.path.iter().map(|h| Hop { forward: !h.forward, ..*h }).collect();
            self.along(&back, via, bytes * f.share);
        }
        Ok(())
    }

    fn pairs(&mut self, group: &[DeviceIx], bytes: f64) -> Result<(), (DeviceIx, DeviceIx)> {
        if let Some(star) = self.router.star(group) {
            star.pairs(self, group, bytes);
            return Ok(());
        }
        for a in group {
            for b in group.iter().filter(|b| *b != a) {
                self.carry(*a, *b, bytes)?;
            }
        }
        Ok(())
    }

    /// Each GPU's bytes to other units: over its own NICs, or, on rails with PXN, over `NVLink` to the GPU of the peer's
    /// rail first, which spreads them evenly.
    fn pairs_network(&mut self, group: &[DeviceIx]) -> Result<(), (DeviceIx, DeviceIx)> {
        let unit = self.router.unit();
        let g = group.len() as f64;
        let rails = unit.fabric.is_some_and(|f| f.rails) && unit.software.pxn && group.len() > 1;
        if rails && channels(self.router, group, true) == Wiring::Switched(group.to_vec()) {
            self.network(group, &feeds(self.router, group), g)?;
            return self.pairs(group, 1.0 / g);
        }
        for gpu in group {
            self.network(&[*gpu], &feeds_of(self.router, *gpu), 1.0)?;
        }
        Ok(())
    }

    /// To the next rank; at the end of the unit over the NICs of the last and the first GPU.
    fn shift(&mut self, group: &[DeviceIx], closed: bool) -> Result<(), (DeviceIx, DeviceIx)> {
        self.edges(group, closed, false, 1.0)?;
        let (Some(first), Some(last), false) = (group.first(), group.last(), closed) else { return Ok(()) };
        let (out, inward) = (feeds_of(self.router, *last), feeds_of(self.router, *first));
        if out.is_empty() || inward.is_empty() {
            return Err((*last, *last));
        }
        for f in &out {
            self.along(&f.path, if f.direct { Via::Nic } else { Via::NicHost }, f.share);
        }
        for f in &inward {
            let back: Vec<Hop> = f.path.iter().map(|h| Hop { forward: !h.forward, ..*h }).collect();
            self.along(&back, if f.direct { Via::Nic } else { Via::NicHost }, f.share);
        }
        self.traffic.nics = out.len() as u32;
        Ok(())
    }
}

fn slower(a: Pace, b: Pace) -> Pace {
    Pace { ll: a.ll.max(b.ll), ll128: a.ll128.max(b.ll128), simple: a.simple.max(b.simple) }
}

/// A GPU's links to every reducing switch of the domain, with the line rate left on each in GB/s; `None` when one of them
/// is missing.
pub(super) fn reduce_ports(router: &Router<'_>, gpu: DeviceIx) -> Option<Vec<(LinkIx, f64)>> {
    let unit = router.unit();
    let switches = unit.shape.scale_up_switches().count();
    let mut ports = Vec::with_capacity(switches);
    for (l, d) in unit.shape.around(gpu) {
        let Some(DeviceKind::ScaleUpSwitch(part)) = unit.shape.device(*d).map(|x| &x.kind) else { continue };
        part.reduction.as_ref()?;
        let rate = unit.shape.link(*l)?.line_rate() * router.left_of(*l);
        ports.push((*l, Some(rate.gbytes_per_s()).filter(|r| *r > 0.0)?));
    }
    (!ports.is_empty() && ports.len() == switches).then_some(ports)
}

/// A domain in which every GPU is wired to the same single stage of switches: pairs are summed without a route each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Star {
    ports: Vec<Vec<Option<(LinkIx, bool, f64)>>>,
}

impl Star {
    /// The table of ports, if every pair of the group meets at a switch.
    pub(super) fn of(router: &Router<'_>, group: &[DeviceIx]) -> Option<Self> {
        let unit = router.unit();
        if !unit.software.p2p {
            return None;
        }
        let switches: Vec<DeviceIx> = unit.shape.scale_up_switches().collect();
        let row = |g: &DeviceIx| {
            let mut cells = vec![None; switches.len()];
            for (l, d) in unit.shape.around(*g) {
                let (Some(link), Ok(k)) = (unit.shape.link(*l), switches.binary_search(d)) else { continue };
                let left = (link.line_rate() * router.left_of(*l)).gbytes_per_s();
                if tier_of(link.kind.family) == Tier::ScaleUp
                    && left > 0.0
                    && let Some(cell) = cells.get_mut(k)
                {
                    *cell = Some((*l, link.a == *g, left));
                }
            }
            cells
        };
        let ports: Vec<Vec<Option<(LinkIx, bool, f64)>>> = group.iter().map(row).collect();
        let complete = ports.iter().all(|row| row.iter().all(Option::is_some));
        let meet = |a: &Vec<Option<_>>, b: &Vec<Option<_>>| a.iter().zip(b).any(|(x, y)| x.is_some() && y.is_some());
        let all = complete || ports.iter().all(|a| ports.iter().all(|b| meet(a, b)));
        (all && !switches.is_empty()).then_some(Self { ports })
    }

    /// Every GPU to the next one, the last to the first; `both` adds the way back.
    fn ring(&self, b: &mut Builder<'_, '_>, order: &[DeviceIx], both: bool, bytes: f64) {
        let n = self.ports.len();
        for i in (0..n).filter(|_| n > 1) {
            let (Some(here), Some(next)) = (self.ports.get(i), self.ports.get((i + 1) % n)) else { continue };
            carry(b, here, next, bytes);
            if both {
                carry(b, next, here, bytes);
            }
        }
        note(b, order);
    }

    /// The links from one GPU of the group to another, by their places in it, with the share of the bytes on each.
    pub(super) fn hops(&self, from: usize, to: usize) -> Vec<Hop> {
        let (Some(up), Some(down)) = (self.ports.get(from), self.ports.get(to)) else { return Vec::new() };
        let hop = |(link, forward): Way, share| Hop { link, forward, share };
        split(up, down).flat_map(|(u, d, part)| [hop(u, part), hop(d, part)]).collect()
    }

    fn pairs(&self, b: &mut Builder<'_, '_>, group: &[DeviceIx], bytes: f64) {
        for (i, up) in self.ports.iter().enumerate() {
            for (_, down) in self.ports.iter().enumerate().filter(|(j, _)| *j != i) {
                carry(b, up, down, bytes);
            }
        }
        note(b, group);
    }
}

/// All pairs are alike in pace: the route of one tells the link that sets it.
fn note(b: &mut Builder<'_, '_>, group: &[DeviceIx]) {
    let (Some(a), Some(z)) = (group.first(), group.last()) else { return };
    if let Some(route) = b.router.route(*a, *z).filter(|_| a != z) {
        b.note(route.paced_by, true, b.router.steps(&route).map(Pace::from));
    }
}

/// A GPU's port at each switch: link, whether up is forward, rate left.
type Ports = [Option<(LinkIx, bool, f64)>];

/// A link with its direction.
type Way = (LinkIx, bool);

/// The switches that two GPUs both reach, as the link up and the link down, each with its share of the bytes: in proportion
/// to the lesser rate at each.
fn split<'a>(up: &'a Ports, down: &'a Ports) -> impl Iterator<Item = (Way, Way, f64)> + 'a {
    let common = || up.iter().zip(down).filter_map(|(u, d)| Some(((*u)?, (*d)?)));
    let total: f64 = common().map(|(u, d)| u.2.min(d.2)).sum();
    common().map(move |(u, d)| ((u.0, u.1), (d.0, !d.1), u.2.min(d.2) / total))
}

/// Bytes from one GPU to another over the switches that both reach.
fn carry(b: &mut Builder<'_, '_>, up: &Ports, down: &Ports, bytes: f64) {
    for (u, d, share) in split(up, down) {
        b.traffic.loads.add(u.0, u.1, Via::Peer, bytes * share);
        b.traffic.loads.add(d.0, d.1, Via::Peer, bytes * share);
    }
}
