//! What is drawn of a step: the ranks in the order of their ring, chain, trees or around their switches, and what is on every
//! link now. Made with the frame, so that drawing only looks.

use std::collections::HashMap;

use super::role;
use crate::collective::schedule::{Form, Move, Op, Place, Rank, Schedule};
use crate::cost::{Timeline, short_place};
use crate::system::{DeviceKind, System, collapse};
use crate::tui::theme::Role;

/// What goes over a link in one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// Which chunk: `c7`; empty where that says nothing.
    pub mark: String,
    /// Colour of the widest tier on the way.
    pub role: Role,
    /// Whether it is added up where it arrives.
    pub adds: bool,
    /// Whether it is on the slowest link of the step.
    pub slowest: bool,
}

/// What goes over a link in both directions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wire {
    /// On in the order: to the next rank, up the tree, into the switches.
    pub on: Option<Flow>,
    /// The other way.
    pub back: Option<Flow>,
}

impl Wire {
    /// Whether anything goes over it.
    pub const fn is_busy(&self) -> bool {
        self.on.is_some() || self.back.is_some()
    }
}

/// The ranks of a node in their order, with the links between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Course {
    /// The node, where there are several.
    pub name: String,
    /// Its ranks: `g0`.
    pub stops: Vec<String>,
    /// Between each and the next.
    pub wires: Vec<Wire>,
    /// From the last one to the next node's first, and who that is.
    pub out: Option<(Wire, String)>,
}

/// A unit in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knot {
    /// Its name.
    pub name: String,
    /// Its parent, among the knots of the tree.
    pub parent: Option<usize>,
    /// How far below the root it is.
    pub level: u32,
    /// Its place from left to right.
    pub place: usize,
    /// The link to its parent.
    pub wire: Wire,
}

/// GPUs, or nodes of GPUs, around switches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Star {
    /// Names with the links to the switches.
    pub spokes: Vec<(String, Wire)>,
    /// The switches.
    pub hub: String,
    /// GPUs that each spoke stands for.
    pub each: usize,
}

/// One drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drawing {
    /// A ring or a chain, a row per node.
    Rows(Vec<Course>),
    /// The two trees between the units.
    Trees(Vec<Vec<Knot>>),
    /// Switches that add.
    Star(Star),
}

/// All of it, with a heading each; empty where the table alone is the picture.
pub type Scene = Vec<(String, Drawing)>;

/// Spokes of single GPUs at most.
const OWN_SPOKES: usize = 16;

/// A move's ends, and in which of two trees it is.
type Way = (Place, Place, u64);

/// Makes the drawings of a step.
pub(super) struct Draughtsman<'a> {
    system: &'a System,
    timeline: &'a Timeline,
    schedule: &'a Schedule,
    lane: usize,
    flows: HashMap<Way, Flow>,
}

impl<'a> Draughtsman<'a> {
    /// For the moves of a step on a lane; `slowest` says which of them are on its slowest link.
    pub(super) fn new(
        system: &'a System,
        timeline: &'a Timeline,
        lane: usize,
        moves: &[Move],
        slowest: impl Fn(&Move) -> bool,
    ) -> Self {
        let schedule = timeline.schedule();
        let mut flows = HashMap::new();
        // One mark is enough: the others are as slow.
        let mut marked = false;
        for m in moves {
            let first = m.chunks.first();
            let tree = first.map_or(0, |c| schedule.tree_of_piece(c.index));
            let mark = first.map(|c| schedule.chunk_mark(*c)).unwrap_or_default();
            let flow = Flow { mark, role: role(system, m), adds: m.op == Op::Add, slowest: !marked && slowest(m) };
            marked |= flow.slowest;
            flows.entry((m.from, m.to, tree)).or_insert(flow);
        }
        Self { system, timeline, schedule, lane, flows }
    }

    pub(super) fn scene(&self) -> Scene {
        let first = self.schedule.shown(0).first().copied().unwrap_or(0);
        let what = if self.system.is_rack { "rack" } else { "node" };
        let whole = || {
            let several = self.schedule.units(0) > 1;
            let heading = if several { format!("a row per {what}, the network at its end") } else { String::new() };
            (heading, Drawing::Rows(self.rows()))
        };
        let inside = || {
            let alike = if self.schedule.units(0) > 1 { ", and so in the others" } else { "" };
            format!("in {}{alike}", self.unit_name(first))
        };
        let trees = || (format!("between the {what}s: two trees, each with half of the message"), self.trees());
        match self.schedule.form() {
            Form::Pairs => Vec::new(),
            Form::Ring | Form::Chain | Form::Shift => vec![whole()],
            Form::Trees => {
                let chain = self.row(first, &self.schedule.order(0, self.lane, first));
                let chain = (chain.stops.len() > 1).then(|| (inside(), Drawing::Rows(vec![chain])));
                std::iter::once(trees()).chain(chain).collect()
            }
            Form::Switches => vec![(String::new(), Drawing::Star(self.star(first)))],
            Form::SwitchesAndTrees => vec![trees(), (inside(), Drawing::Star(self.star(first)))],
            Form::SwitchesAndFabric => {
                let fabric = (format!("between the {what}s"), Drawing::Star(self.fabric()));
                vec![fabric, (inside(), Drawing::Star(self.star(first)))]
            }
        }
    }

    fn unit_name(&self, unit: u32) -> String {
        self.schedule.unit(0, unit).map_or_else(String::new, |(id, _)| self.system.unit_name(id))
    }

    fn place_name(&self, place: Place) -> String {
        short_place(&self.timeline.place(self.system, 0, place))
    }

    /// What goes from one place to another in a tree, or, where that does not matter, in either.
    fn flow(&self, from: Place, to: Place, tree: Option<u64>) -> Option<Flow> {
        match tree {
            Some(t) => self.flows.get(&(from, to, t)).cloned(),
            None => (0..2).find_map(|t| self.flows.get(&(from, to, t)).cloned()),
        }
    }

    fn wire(&self, from: Place, to: Place, tree: Option<u64>) -> Wire {
        // On a ring what comes back is another link of it, even between two ranks.
        let one_way = matches!(self.schedule.form(), Form::Ring | Form::Chain | Form::Shift);
        let back = if one_way { None } else { self.flow(to, from, tree) };
        Wire { on: self.flow(from, to, tree), back }
    }

    /// A row per unit; of a rack alone, a row per tray.
    fn rows(&self) -> Vec<Course> {
        let units = self.schedule.shown(0);
        if let ([only], 1) = (units.as_slice(), self.schedule.units(0)) {
            return self.trays(*only);
        }
        units.iter().map(|u| self.row(*u, &self.schedule.order(0, self.lane, *u))).collect()
    }

    /// The ranks of one unit, cut where the node changes; the last one of a row goes on to the first one of the next.
    fn trays(&self, unit: u32) -> Vec<Course> {
        let order = self.schedule.order(0, self.lane, unit);
        let node = |gpu: &u32| {
            let name = self.place_name(Place::Gpu(Rank { unit, gpu: *gpu }));
            name.rsplit_once('/').map(|(n, _)| n.to_owned()).unwrap_or_default()
        };
        let runs: Vec<&[u32]> = order.chunk_by(|a, b| node(a) == node(b)).collect();
        let nexts = runs.iter().cycle().skip(1).map(|r| r.first());
        let row = |(run, next): (&&[u32], Option<&u32>)| {
            let ends = run.last().zip(next);
            let out = ends.and_then(|(a, b)| self.out(Rank { unit, gpu: *a }, Rank { unit, gpu: *b }));
            Course { name: run.first().map(node).unwrap_or_default(), out, ..self.row(unit, run) }
        };
        runs.iter().zip(nexts).map(row).collect()
    }

    fn row(&self, unit: u32, order: &[u32]) -> Course {
        let at = |gpu: u32| Place::Gpu(Rank { unit, gpu });
        let bare = |gpu: &u32| {
            let name = self.place_name(at(*gpu));
            name.rsplit_once('/').map_or(name.clone(), |(_, g)| g.to_owned())
        };
        let pairs = order.iter().zip(order.iter().skip(1));
        let wires = pairs.map(|(a, b)| self.wire(at(*a), at(*b), None)).collect();
        let next = self.schedule.unit_after(0, unit);
        let ends = order.last().zip(self.schedule.order(0, self.lane, next).first().copied());
        let several = self.schedule.units(0) > 1;
        let out = ends
            .filter(|_| several && self.schedule.form() != Form::Trees)
            .and_then(|(a, b)| self.out(Rank { unit, gpu: *a }, Rank { unit: next, gpu: b }));
        let name = if several { short_place(&self.unit_name(unit)) } else { String::new() };
        Course { name, stops: order.iter().map(bare).collect(), wires, out }
    }

    /// From the last rank of a row onwards; nothing where a chain ends.
    fn out(&self, from: Rank, to: Rank) -> Option<(Wire, String)> {
        let adds = self.schedule.adds();
        let end = self.schedule.root(0).is_some_and(|root| if adds { root == from } else { root == to });
        let (from, to) = (Place::Gpu(from), Place::Gpu(to));
        (!end && from != to).then(|| (self.wire(from, to, None), self.place_name(to)))
    }

    fn trees(&self) -> Drawing {
        let head = |unit: u32| {
            let gpu = self.schedule.order(0, self.lane, unit).first().copied().unwrap_or(0);
            Place::Gpu(Rank { unit, gpu })
        };
        let tree = |t: u64| {
            let joints = self.schedule.joints(0, t);
            let mut places: Vec<u32> = joints.iter().map(|j| j.place).collect();
            places.sort_unstable();
            let knot = |j: &crate::collective::schedule::Joint| Knot {
                name: short_place(&self.unit_name(j.unit)),
                parent: joints.iter().position(|p| Some(p.unit) == j.parent),
                level: j.level,
                place: places.binary_search(&j.place).unwrap_or(0),
                wire: j.parent.map(|p| self.wire(head(j.unit), head(p), Some(t))).unwrap_or_default(),
            };
            joints.iter().map(knot).collect::<Vec<Knot>>()
        };
        // Of many units the way from the root to a leaf shows: that of the first tree.
        let all = self.schedule.shown(0).len() as u32 == self.schedule.units(0);
        Drawing::Trees((0..if all { 2 } else { 1 }).map(tree).collect())
    }

    /// The GPUs of a unit around its switches; of many those of a node together.
    fn star(&self, unit: u32) -> Star {
        let gpus = self.schedule.gpus(0, unit).len() as u32;
        let mut spokes: Vec<(String, Wire)> = Vec::new();
        let single = gpus as usize <= OWN_SPOKES;
        for gpu in 0..gpus {
            let place = Place::Gpu(Rank { unit, gpu });
            let full = self.place_name(place);
            let wire = self.wire(place, Place::Switches(unit), None);
            let parts: Vec<&str> = full.split('/').collect();
            let name = match parts.as_slice() {
                [.., node, _] if !single => (*node).to_owned(),
                [.., gpu] => (*gpu).to_owned(),
                [] => String::new(),
            };
            match spokes.last_mut().filter(|s| !single && s.0 == name) {
                Some((_, known)) => {
                    known.on = known.on.take().or(wire.on);
                    known.back = known.back.take().or(wire.back);
                }
                None => spokes.push((name, wire)),
            }
        }
        let each = (gpus as usize).div_ceil(spokes.len().max(1));
        Star { hub: self.switches(unit), spokes, each }
    }

    /// The units around the switches of the fabric.
    fn fabric(&self) -> Star {
        let spoke = |unit: &u32| {
            let gpu = self.schedule.order(0, self.lane, *unit).first().copied().unwrap_or(0);
            let wire = self.wire(Place::Gpu(Rank { unit: *unit, gpu }), Place::Fabric, None);
            (short_place(&self.unit_name(*unit)), wire)
        };
        let spokes = self.schedule.shown(0).iter().map(spoke).collect();
        Star { spokes, hub: "the fabric's switches".to_owned(), each: 1 }
    }

    /// The switches that reduce, by name: `nvsw[0-3]`.
    fn switches(&self, unit: u32) -> String {
        let class = self.schedule.unit(0, unit).and_then(|(_, c)| self.system.classes.get(c.0));
        let Some(class) = class else { return String::new() };
        let is_switch = |d: &&crate::system::Device| matches!(d.kind, DeviceKind::ScaleUpSwitch(_));
        let names: Vec<String> = class.shape.devices().iter().filter(is_switch).map(|d| d.path.clone()).collect();
        collapse(&names).unwrap_or_else(|| names.join(", "))
    }
}
