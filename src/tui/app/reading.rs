//! Load and state of whatever is selected or listed.

use std::collections::BTreeMap;

use super::Spot;
use super::spot::shape_of;
use crate::cost::LinkLoads;
use crate::system::{ClassIx, DeviceIx, Fabric, LeafIx, LinkIx, RangeSet, System, UnitClass};
use crate::tui::picture::{Loads, Pick};
use crate::units::Share;

/// State of a thing; the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum State {
    /// As it should be.
    #[default]
    Up,
    /// Below its rate, or something in it is hurt.
    Degraded,
    /// Out.
    Down,
}

/// Load and state together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// Busiest link of it, as a share of the answer's time.
    pub load: Share,
    /// Its worst state.
    pub state: State,
}

impl Reading {
    fn join(self, other: Self) -> Self {
        let load = if self.load < other.load { other.load } else { self.load };
        Self { load, state: self.state.max(other.state) }
    }
}

/// The larger of the two directions.
pub(crate) fn busier(load: Option<[Share; 2]>) -> Share {
    load.map_or(Share::ZERO, |[there, back]| if there < back { back } else { there })
}

/// A system with the loads of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Readings<'a> {
    pub(crate) system: &'a System,
    pub(crate) loads: &'a LinkLoads,
}

impl Readings<'_> {
    /// Load and worst state of a spot.
    pub(crate) fn of(self, spot: Spot) -> Reading {
        match spot {
            Spot::System => {
                let units = (0..self.system.classes.len()).map(|c| self.class(ClassIx(c)));
                units.chain([self.fabric()]).fold(Reading::default(), Reading::join)
            }
            Spot::Fabric => self.fabric(),
            Spot::Services => Reading::default(),
            Spot::Run { first: Pick::Unit(a), last: Pick::Unit(b) } => {
                let units = RangeSet::from_range(a..b + 1);
                let hit = |c: &UnitClass| units.ranges().any(|r| !c.members.intersect(r).is_empty());
                let classes = self.system.classes.iter().enumerate().filter(|(_, c)| hit(c));
                classes.map(|(i, _)| self.class(ClassIx(i))).fold(Reading::default(), Reading::join)
            }
            Spot::Run { .. } | Spot::Thing(_) => {
                let all: Vec<Reading> = spot.members(self.system, 4096).into_iter().map(|p| self.pick(p)).collect();
                let out = all.iter().all(|r| r.state == State::Down);
                let joined = all.into_iter().fold(Reading::default(), Reading::join);
                // A run is out when all of it is.
                Reading { state: if out { joined.state } else { joined.state.min(State::Degraded) }, ..joined }
            }
        }
    }

    fn pick(self, pick: Pick) -> Reading {
        match pick {
            Pick::Unit(unit) => self.system.class_of(unit).map_or_else(Reading::default, |(c, _)| self.class(c)),
            Pick::Class(c) => self.class(c),
            Pick::Node { unit, node } => self.node(unit, node),
            Pick::Device { unit, device } => self.device(unit, device),
            Pick::Link { unit, link } => self.link(unit, link),
            Pick::Pair { unit, from, to } => self.device(unit, from).join(self.device(unit, to)),
            Pick::Leaf(l) => {
                Reading { load: Loads::leaf(self.loads, self.system, l), ..self.switch(|h| &h.leaves, l.0) }
            }
            Pick::Uplink(l) => {
                let left = self.system.fabric.as_ref().map_or(Share::ONE, |f| f.uplink_left(l));
                Reading { load: self.up(l), state: state_of(left) }
            }
            Pick::Spine(n) => self.switch(|h| &h.spines, n),
            Pick::Core(n) => self.switch(|h| &h.cores, n),
            Pick::Group(g) => {
                let planes = self.system.fabric.as_ref().map_or(0, Fabric::planes);
                let up = (g * planes..(g + 1) * planes).map(|l| self.up(LeafIx(l)));
                Reading { load: up.fold(Share::ZERO, |a, b| if a < b { b } else { a }), state: State::Up }
            }
        }
    }

    /// Load of a leaf's uplinks.
    fn up(self, leaf: LeafIx) -> Share {
        self.system.fabric.as_ref().map_or(Share::ZERO, |f| self.loads.uplink_of(f, leaf))
    }

    fn switch(self, of: impl Fn(&crate::system::FabricHealth) -> &BTreeMap<u32, Share>, n: u32) -> Reading {
        let left = self.system.fabric.as_ref().and_then(|f| of(&f.health).get(&n).copied());
        Reading { load: self.loads.uplink(), state: left.map_or(State::Up, state_of) }
    }

    fn fabric(self) -> Reading {
        let Some(f) = &self.system.fabric else { return Reading::default() };
        let h = &f.health;
        let hurt = !(h.leaves.is_empty() && h.spines.is_empty() && h.cores.is_empty() && h.uplinks.is_empty());
        Reading { load: self.loads.uplink(), state: if hurt { State::Degraded } else { State::Up } }
    }

    fn class(self, class: ClassIx) -> Reading {
        let Some(c) = self.system.classes.get(class.0) else { return Reading::default() };
        let loads = c.shape.link_ixs().map(|l| busier(self.loads.link(class, l)));
        let load = loads.fold(Share::ZERO, |a, b| if a < b { b } else { a });
        let alive = c.shape.gpus().iter().any(|g| c.health.device_up(*g));
        let state = match (alive, c.health.is_healthy()) {
            (false, _) => State::Down,
            (true, false) => State::Degraded,
            (true, true) => State::Up,
        };
        Reading { load, state }
    }

    fn node(self, unit: u32, node: u32) -> Reading {
        let Some(shape) = shape_of(self.system, unit) else { return Reading::default() };
        let own: Vec<DeviceIx> =
            shape.device_ixs().filter(|d| shape.device(*d).is_some_and(|d| d.node == Some(node))).collect();
        let all = own.iter().map(|d| self.device(unit, *d)).fold(Reading::default(), Reading::join);
        let dead = !own.is_empty() && own.iter().all(|d| self.device(unit, *d).state == State::Down);
        let state = if dead { State::Down } else { all.state.min(State::Degraded) };
        Reading { state, ..all }
    }

    fn device(self, unit: u32, device: DeviceIx) -> Reading {
        let Some((class, c)) = self.system.class_of(unit) else { return Reading::default() };
        let around = c.shape.around(device);
        let loads = around.iter().map(|(l, _)| busier(self.loads.link(class, *l)));
        let load = loads.fold(Share::ZERO, |a, b| if a < b { b } else { a });
        let hurt = around.iter().any(|(l, _)| c.health.link(*l).is_some());
        let state = match (c.health.device_up(device), hurt) {
            (false, _) => State::Down,
            (true, true) => State::Degraded,
            (true, false) => State::Up,
        };
        Reading { load, state }
    }

    fn link(self, unit: u32, link: LinkIx) -> Reading {
        let Some((class, c)) = self.system.class_of(unit) else { return Reading::default() };
        Reading { load: busier(self.loads.link(class, link)), state: state_of(c.health.left(&c.shape, link)) }
    }
}

fn state_of(left: Share) -> State {
    match left.ratio() {
        v if v <= 0.0 => State::Down,
        v if v < 1.0 => State::Degraded,
        _ => State::Up,
    }
}
