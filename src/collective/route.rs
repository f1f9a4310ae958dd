//! How bytes get from one GPU to another inside a unit: over scale-up links if there are any left, else over `PCIe`, else
//! through host memory.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::pattern::Star;
use super::{Unit, Via};
use crate::parts::{Family, Mover, Steps};
use crate::system::{DeviceIx, DeviceKind, LinkIx, Tier, tier_of};
use crate::units::Share;

/// A share of a route's bytes on one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hop {
    /// The link.
    pub link: LinkIx,
    /// From its first end to its second.
    pub forward: bool,
    /// Share of the route's bytes that cross it: below 1 where several switches carry parts.
    pub share: f64,
}

/// All the ways of a pair together.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Links with their shares.
    pub hops: Vec<Hop>,
    /// Who moves the bytes.
    pub via: Via,
    /// Whether it stays on scale-up links.
    pub scale_up: bool,
    /// Link whose kind sets the step latency.
    pub paced_by: LinkIx,
}

/// Routes found so far; `None` where nothing connects a pair.
type Known = HashMap<(DeviceIx, DeviceIx), Option<Rc<Route>>>;

/// A device that host links lead to, and from where by which of them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Reached {
    device: DeviceIx,
    by: LinkIx,
    from: DeviceIx,
}

/// A group, and its star if it is one.
type KnownStar = (Vec<DeviceIx>, Option<Rc<Star>>);

/// Routes of a unit, remembered while it lives.
pub struct Router<'a> {
    unit: Unit<'a>,
    known: RefCell<Known>,
    /// What host links reach from a device, the nearest first.
    reach: RefCell<HashMap<DeviceIx, Rc<[Reached]>>>,
    stars: RefCell<Vec<KnownStar>>,
    /// What is left of every link, its ends counted.
    left: OnceCell<Vec<Share>>,
}

impl<'a> Router<'a> {
    /// For one unit.
    pub fn new(unit: Unit<'a>) -> Self {
        Self {
            unit,
            known: RefCell::default(),
            reach: RefCell::default(),
            stars: RefCell::default(),
            left: OnceCell::new(),
        }
    }

    /// The unit.
    pub const fn unit(&self) -> Unit<'a> {
        self.unit
    }

    /// The route of a pair; `None` when nothing connects them.
    pub fn route(&self, from: DeviceIx, to: DeviceIx) -> Option<Rc<Route>> {
        if let Some(known) = self.known.borrow().get(&(from, to)) {
            return known.clone();
        }
        let found = self.find(from, to).map(Rc::new);
        self.known.borrow_mut().insert((from, to), found.clone());
        found
    }

    /// The star of a group, if it is one.
    pub(super) fn star(&self, group: &[DeviceIx]) -> Option<Rc<Star>> {
        if let Some((_, star)) = self.stars.borrow().iter().find(|(g, _)| g == group) {
            return star.clone();
        }
        let star = Star::of(self, group).map(Rc::new);
        self.stars.borrow_mut().push((group.to_vec(), star.clone()));
        star
    }

    /// Whether a group is wired to one stage of switches at which every pair of it meets, so that all its traffic inside
    /// the unit goes over those.
    pub fn is_star(&self, group: &[DeviceIx]) -> bool {
        self.star(group).is_some()
    }

    /// Whether a pair's route stays on scale-up links, without a search for another where it does not.
    pub(super) fn on_scale_up(&self, from: DeviceIx, to: DeviceIx) -> bool {
        match self.known.borrow().get(&(from, to)) {
            Some(known) => known.as_ref().is_some_and(|r| r.scale_up),
            None => self.unit.software.p2p && self.scale_up(from, to).is_some(),
        }
    }

    fn find(&self, from: DeviceIx, to: DeviceIx) -> Option<Route> {
        if self.unit.software.p2p
            && let Some(r) = self.scale_up(from, to)
        {
            return Some(r);
        }
        self.over_host(from, to)
    }

    /// The step latency that a route's pace-setting link imposes.
    pub fn steps(&self, route: &Route) -> Option<&'a Steps> {
        let kind = &self.unit.shape.link(route.paced_by)?.kind;
        if route.via == Via::Host { kind.staged_steps.as_ref().or(kind.steps.as_ref()) } else { kind.steps.as_ref() }
    }

    /// The step latency of a GPU's scale-up links, whether they are up or not; `None` where it has none.
    pub fn scale_up_steps(&self, gpu: DeviceIx) -> Option<&'a Steps> {
        let shape = self.unit.shape;
        let kinds = shape.around(gpu).iter().filter_map(|(l, _)| Some(&shape.link(*l)?.kind));
        kinds.filter(|k| tier_of(k.family) == Tier::ScaleUp).find_map(|k| k.steps.as_ref())
    }

    /// Share of a link's line rate that is left, its ends counted, as [`crate::system::Health::left`] has it.
    pub fn left_of(&self, l: LinkIx) -> Share {
        self.left.get_or_init(|| self.find_left()).get(l.0 as usize).copied().unwrap_or(Share::ZERO)
    }

    fn find_left(&self) -> Vec<Share> {
        let Unit { shape, health, .. } = self.unit;
        let mut all = vec![Share::ONE; shape.links().len()];
        let hurt = health.links_hurt().map(|(l, h)| (l, h.left()));
        let cut = health.devices_down().flat_map(|d| shape.around(d)).map(|(l, _)| (*l, Share::ZERO));
        for (l, left) in hurt.chain(cut) {
            if let Some(cell) = all.get_mut(l.0 as usize) {
                *cell = left;
            }
        }
        all
    }

    /// Rate that is left on a link, GB/s per direction; 0 when it or an end is down.
    fn left(&self, l: LinkIx) -> f64 {
        let line = self.unit.shape.link(l).map_or(0.0, |k| k.line_rate().gbytes_per_s());
        line * self.left_of(l).ratio()
    }

    fn scale_up_links(&self, d: DeviceIx) -> impl Iterator<Item = (LinkIx, DeviceIx, f64)> + '_ {
        let shape = self.unit.shape;
        shape.around(d).iter().filter_map(move |(l, other)| {
            let family = shape.link(*l)?.kind.family;
            let left = if tier_of(family) == Tier::ScaleUp { self.left(*l) } else { 0.0 };
            (left > 0.0).then_some((*l, *other, left))
        })
    }

    /// The first scale-up link between two devices with something left, and its rate.
    fn scale_up_link(&self, d: DeviceIx, to: DeviceIx) -> Option<(LinkIx, f64)> {
        let shape = self.unit.shape;
        shape.around(d).iter().filter(|(_, other)| *other == to).find_map(|(l, _)| {
            let family = shape.link(*l)?.kind.family;
            let left = if tier_of(family) == Tier::ScaleUp { self.left(*l) } else { 0.0 };
            (left > 0.0).then_some((*l, left))
        })
    }

    fn hop(&self, link: LinkIx, from: DeviceIx, share: f64) -> Hop {
        Hop { link, forward: self.unit.shape.link(link).is_some_and(|l| l.a == from), share }
    }

    /// Over direct links, else over switches, else through one GPU between.
    fn scale_up(&self, from: DeviceIx, to: DeviceIx) -> Option<Route> {
        if let Some((l, _)) = self.scale_up_link(from, to) {
            let hops = vec![self.hop(l, from, 1.0)];
            return Some(Route { hops, via: Via::Peer, scale_up: true, paced_by: l });
        }
        let switched = self.ways(from, to, |d| matches!(d, DeviceKind::ScaleUpSwitch(_)));
        if switched.is_empty() {
            spread(self.ways(from, to, |d| matches!(d, DeviceKind::Gpu(_))))
        } else {
            spread(switched)
        }
    }

    /// Ways of two hops over a device of a kind, or of three hops over two switches joined by a trunk, with the rate of each.
    fn ways(&self, from: DeviceIx, to: DeviceIx, over: fn(&DeviceKind) -> bool) -> Vec<(Vec<Hop>, f64)> {
        let shape = self.unit.shape;
        let good = |d: DeviceIx| shape.device(d).is_some_and(|dev| over(&dev.kind)) && self.unit.health.device_up(d);
        let mut ways = Vec::new();
        for (up, mid, rate_up) in self.scale_up_links(from).filter(|(_, d, _)| good(*d)) {
            if let Some((down, rate_down)) = self.scale_up_link(mid, to) {
                ways.push((vec![self.hop(up, from, 1.0), self.hop(down, mid, 1.0)], rate_up.min(rate_down)));
                continue;
            }
            if !shape.device(mid).is_some_and(crate::system::Device::is_scale_up_switch) {
                continue;
            }
            for (trunk, far, rate_trunk) in self.scale_up_links(mid).filter(|(_, d, _)| *d != from && good(*d)) {
                if let Some((down, rate_down)) = self.scale_up_link(far, to) {
                    let hops = vec![self.hop(up, from, 1.0), self.hop(trunk, mid, 1.0), self.hop(down, far, 1.0)];
                    ways.push((hops, rate_up.min(rate_trunk).min(rate_down)));
                }
            }
        }
        ways
    }

    /// Over `PCIe` (and sockets): peer to peer where that is allowed and faster, else staged in host memory. Sockets forward
    /// peer traffic much more slowly than their own, so a pair across them may be better off staged.
    fn over_host(&self, from: DeviceIx, to: DeviceIx) -> Option<Route> {
        let peer = self.unit.software.p2p && [from, to].into_iter().all(|d| self.can_peer(d));
        let direct = if peer { self.host_path(from, to, self.unit.software.acs) } else { None };
        let staged = self.host_path(from, to, true);
        let rate = |path: &Option<Vec<Hop>>, mover| path.as_ref().map_or(0.0, |p| self.narrowest(p, mover));
        if direct.is_some() && rate(&direct, Mover::Peer) >= rate(&staged, Mover::Host) {
            return self.host_route(direct?, Via::Peer);
        }
        self.host_route(staged?, Via::Host)
    }

    fn host_route(&self, hops: Vec<Hop>, via: Via) -> Option<Route> {
        let paced_by = hops.iter().find(|h| self.family(h.link) == Some(Family::Pcie)).or(hops.first())?.link;
        Some(Route { hops, via, scale_up: false, paced_by })
    }

    /// Least usable rate of a path's links by their kind, GB/s. Health does not count: the library decides by what it sees
    /// of the wiring, and a link that runs slowly must not change the way.
    fn narrowest(&self, path: &[Hop], mover: Mover) -> f64 {
        let shape = self.unit.shape;
        let rate =
            |h: &Hop| shape.link(h.link).map_or(0.0, |l| l.line_rate().gbytes_per_s() * l.kind.share(mover).is.ratio());
        path.iter().map(rate).fold(f64::INFINITY, f64::min)
    }

    fn family(&self, l: LinkIx) -> Option<Family> {
        self.unit.shape.link(l).map(|k| k.kind.family)
    }

    fn can_peer(&self, d: DeviceIx) -> bool {
        matches!(self.unit.shape.device(d).map(|d| &d.kind), Some(DeviceKind::Gpu(p)) if p.peer_to_peer)
    }

    /// The shortest way over host links; `through_root` makes it touch a CPU.
    pub fn host_path(&self, from: DeviceIx, to: DeviceIx, through_root: bool) -> Option<Vec<Hop>> {
        if !through_root {
            return self.shortest(from, to);
        }
        let root = self.nearest_cpu(from)?;
        let mut path = self.shortest(from, root)?;
        path.extend(self.shortest(root, to)?);
        Some(path)
    }

    fn nearest_cpu(&self, from: DeviceIx) -> Option<DeviceIx> {
        let is_cpu = |d: DeviceIx| matches!(self.unit.shape.device(d).map(|d| &d.kind), Some(DeviceKind::Cpu(_)));
        self.search(from, is_cpu).map(|(d, _)| d)
    }

    fn shortest(&self, from: DeviceIx, to: DeviceIx) -> Option<Vec<Hop>> {
        if from == to {
            return Some(Vec::new());
        }
        self.search(from, |d| d == to).map(|(_, path)| path)
    }

    /// The nearest device over host links that are up, and the way to it.
    fn search(&self, from: DeviceIx, goal: impl Fn(DeviceIx) -> bool) -> Option<(DeviceIx, Vec<Hop>)> {
        let reach = self.reach(from);
        let found = reach.iter().find(|r| goal(r.device))?;
        Some((found.device, self.unwind(&reach, from, *found)))
    }

    /// Breadth-first over host links that are up, passing only through switches and CPUs.
    fn reach(&self, from: DeviceIx) -> Rc<[Reached]> {
        if let Some(known) = self.reach.borrow().get(&from) {
            return Rc::clone(known);
        }
        let found: Rc<[Reached]> = self.explore(from).into();
        self.reach.borrow_mut().insert(from, Rc::clone(&found));
        found
    }

    fn explore(&self, from: DeviceIx) -> Vec<Reached> {
        let shape = self.unit.shape;
        let mut reached: Vec<Reached> = Vec::new();
        if !self.unit.health.device_up(from) {
            return reached;
        }
        let (mut here, mut next) = (from, 0);
        loop {
            let through = here == from
                || matches!(shape.device(here).map(|x| &x.kind), Some(DeviceKind::Cpu(_) | DeviceKind::PcieSwitch(_)));
            for (l, device) in shape.around(here).iter().filter(|_| through) {
                let host = self.family(*l).is_some_and(|f| tier_of(f) == Tier::Host);
                let new = host && *device != from && !reached.iter().any(|r| r.device == *device);
                if new && self.left(*l) > 0.0 {
                    reached.push(Reached { device: *device, by: *l, from: here });
                }
            }
            let Some(r) = reached.get(next) else { return reached };
            here = r.device;
            next += 1;
        }
    }

    fn unwind(&self, reach: &[Reached], from: DeviceIx, to: Reached) -> Vec<Hop> {
        let mut path = vec![self.hop(to.by, to.from, 1.0)];
        let mut at = to.from;
        while at != from {
            let Some(r) = reach.iter().find(|r| r.device == at) else { break };
            path.push(self.hop(r.by, r.from, 1.0));
            at = r.from;
        }
        path.reverse();
        path
    }
}

/// Splits the bytes over the ways in proportion to their rates.
fn spread(ways: Vec<(Vec<Hop>, f64)>) -> Option<Route> {
    let total: f64 = ways.iter().map(|(_, r)| r).sum();
    let paced_by = ways.first()?.0.first()?.link;
    let part = |(hops, rate): (Vec<Hop>, f64)| hops.into_iter().map(move |h| Hop { share: rate / total, ..h });
    let hops = ways.into_iter().flat_map(part).collect();
    Some(Route { hops, via: Via::Peer, scale_up: true, paced_by })
}
