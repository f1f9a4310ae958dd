//! What a picture is asked to show.

use std::collections::BTreeSet;

use crate::system::{ClassIx, DeviceIx, LeafIx, LinkIx, System, UnitClass};
use crate::tui::glyphs::Glyphs;
use crate::tui::theme::Role;
use crate::units::Share;

/// Something that can be pointed at: the one selection of tree, picture and inspector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pick {
    /// A unit: a node, or a rack.
    Unit(u32),
    /// A node (compute tray) of a rack.
    Node {
        /// The rack.
        unit: u32,
        /// The node in it.
        node: u32,
    },
    /// A device of a unit.
    Device {
        /// The unit.
        unit: u32,
        /// The device in its shape.
        device: DeviceIx,
    },
    /// A bundle of links of a unit.
    Link {
        /// The unit.
        unit: u32,
        /// The bundle in its shape.
        link: LinkIx,
    },
    /// A leaf switch.
    Leaf(LeafIx),
    /// The cables from a leaf up to its spines.
    Uplink(LeafIx),
    /// A spine switch.
    Spine(u32),
    /// A core switch.
    Core(u32),
    /// A group of nodes that share their leaves (a scalable unit).
    Group(u32),
    /// A class of equal units.
    Class(ClassIx),
    /// A pair of devices of one unit, read from the first to the second.
    Pair {
        /// The unit.
        unit: u32,
        /// From here.
        from: DeviceIx,
        /// To here.
        to: DeviceIx,
    },
}

/// An end of a path: a device of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct End {
    /// The unit.
    pub unit: u32,
    /// The device in its shape.
    pub device: DeviceIx,
}

/// What part of the machine is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One node (host): the unit, and the node in it (0 where the unit is a node).
    Node {
        /// The unit.
        unit: u32,
        /// The node in it.
        node: u32,
    },
    /// One rack whose scale-up domain spans its nodes.
    Rack {
        /// The unit.
        unit: u32,
    },
    /// The scale-out fabric.
    Fabric,
    /// Classes of equal units instead of their members.
    Classes,
    /// The way between two devices, hop by hop.
    Path {
        /// From here.
        from: End,
        /// To here.
        to: End,
    },
    /// All pairs of GPUs and NICs of one node.
    Matrix {
        /// The unit.
        unit: u32,
        /// The node in it.
        node: u32,
    },
}

/// What numbers, weights and gauges mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lens {
    /// Share of the answer's time during which a link works, percent.
    #[default]
    Load,
    /// Usable rate, GB/s per direction; weight is relative to the widest link of the same tier.
    Rate,
    /// Latency of a hop, us.
    Delay,
    /// Load now minus load of the baseline, points of percent.
    Change,
}

impl Lens {
    /// All of them, in the order in which a key cycles through them.
    pub const ALL: [Self; 4] = [Self::Load, Self::Rate, Self::Delay, Self::Change];

    /// Its name, as a lesson calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Rate => "rate",
            Self::Delay => "delay",
            Self::Change => "change",
        }
    }

    /// The lens and its unit, for the title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Load => "load, % of usable rate",
            Self::Rate => "rate, usable GB/s per direction",
            Self::Delay => "delay, us per hop",
            Self::Change => "change of load against the baseline",
        }
    }

    /// The same in few cells.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Load => "load %",
            Self::Rate => "GB/s",
            Self::Delay => "us",
            Self::Change => "change",
        }
    }
}

/// Which links of a node are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Plane {
    /// Host links above, scale-up links below, if both fit.
    #[default]
    All,
    /// Links between GPUs.
    ScaleUp,
    /// `PCIe`, sockets, NICs.
    Host,
}

impl Plane {
    /// All of them, in the order in which a key cycles through them.
    pub const ALL: [Self; 3] = [Self::All, Self::ScaleUp, Self::Host];

    /// Its name in the title.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::ScaleUp => "scale-up",
            Self::Host => "host",
        }
    }
}

/// What the cells of the pair matrix say beside the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PairCell {
    /// Usable rate of the narrowest link, GB/s per direction.
    #[default]
    Usable,
    /// Line rate of the narrowest link, GB/s per direction.
    Line,
    /// Latency of the way, us.
    Latency,
    /// Highest load on the way, percent.
    Load,
    /// What was measured: GB/s per direction, and its share of the prediction. Only where there is something measured.
    Measured,
}

impl PairCell {
    /// All of them, in the order in which a key cycles through them.
    pub const ALL: [Self; 5] = [Self::Usable, Self::Line, Self::Latency, Self::Load, Self::Measured];

    /// What it says, for the title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Usable => "usable GB/s per direction",
            Self::Line => "line rate, GB/s per direction",
            Self::Latency => "latency, us",
            Self::Load => "highest load on the way, %",
            Self::Measured => "measured GB/s, % of the prediction",
        }
    }
}

/// How long links work: shares of the time of the answer. `None` is the same as nothing.
pub trait Loads {
    /// A bundle of every member of a class: in the direction from `a` to `b`, and back.
    fn link(&self, class: ClassIx, link: LinkIx) -> Option<[Share; 2]>;
    /// The cables from a leaf to its spines: up, and down.
    fn uplink(&self, system: &System, leaf: LeafIx) -> Option<[Share; 2]>;
    /// The busiest cable of a leaf, to a NIC or to a spine.
    fn leaf(&self, system: &System, leaf: LeafIx) -> Share {
        let up = larger(self.uplink(system, leaf));
        let down = self.leaf_down(system, leaf);
        if up < down { down } else { up }
    }
    /// The busiest cable from a leaf down to a NIC.
    fn leaf_down(&self, system: &System, leaf: LeafIx) -> Share {
        leaf_cables(system, leaf)
            .map(|(c, l)| larger(self.link(c, l)))
            .fold(Share::ZERO, |a, b| if a < b { b } else { a })
    }
    /// The busiest cable of a spine.
    fn spine(&self, spine: u32) -> Option<Share> {
        let _ = spine;
        None
    }
    /// The busiest cable of a core switch.
    fn core(&self, core: u32) -> Option<Share> {
        let _ = core;
        None
    }
}

fn larger(both: Option<[Share; 2]>) -> Share {
    both.map_or(Share::ZERO, |[a, b]| if a < b { b } else { a })
}

/// The cables of NICs that end in a leaf, one for each class of units that has some there.
fn leaf_cables(system: &System, leaf: LeafIx) -> impl Iterator<Item = (ClassIx, LinkIx)> {
    let ends_here = move |class: &UnitClass, unit: u32, nic: DeviceIx| -> bool {
        let Some(fabric) = &system.fabric else { return false };
        let node = class.shape.device(nic).and_then(|d| d.node).unwrap_or(0);
        let mates = class.shape.nics().iter().filter(|n| class.shape.device(**n).and_then(|d| d.node) == Some(node));
        let index = mates.take_while(|n| **n != nic).count() as u32;
        let host = u64::from(unit) * u64::from(system.nodes_per_unit) + u64::from(node);
        fabric.leaf_of(host, index) == leaf
    };
    let group = system.fabric.as_ref().map_or(0..0, |f| {
        let first = u64::from(f.place_of(leaf).1) * u64::from(f.leaf_nodes);
        let per = u64::from(system.nodes_per_unit.max(1));
        (first / per) as u32..(first + u64::from(f.leaf_nodes)).div_ceil(per) as u32
    });
    system.classes.iter().enumerate().flat_map(move |(i, class)| {
        let unit = class.members.intersect(group.clone()).first();
        let nics = class.shape.nics().iter().filter(move |n| unit.is_some_and(|u| ends_here(class, u, **n)));
        nics.filter_map(move |n| class.shape.cable(*n)).map(move |l| (ClassIx(i), l))
    })
}

/// Nothing moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Idle;

impl Loads for Idle {
    fn link(&self, _: ClassIx, _: LinkIx) -> Option<[Share; 2]> {
        None
    }

    fn uplink(&self, _: &System, _: LeafIx) -> Option<[Share; 2]> {
        None
    }
}

/// A set of things, kept per class where they are in units: the bottleneck, or what was edited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Bundles of links.
    pub links: BTreeSet<(ClassIx, LinkIx)>,
    /// The one of them that is named where only one can be.
    pub first: Option<(ClassIx, LinkIx)>,
    /// Devices.
    pub devices: BTreeSet<(ClassIx, DeviceIx)>,
    /// Leaves.
    pub leaves: BTreeSet<LeafIx>,
    /// Cables of leaves to their spines.
    pub uplinks: BTreeSet<LeafIx>,
    /// Spines.
    pub spines: BTreeSet<u32>,
    /// Core switches.
    pub cores: BTreeSet<u32>,
}

/// A line of text under a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The text, one line.
    pub text: String,
    /// How it is styled.
    pub role: Role,
}

/// Everything a picture depends on.
#[derive(Clone, Copy)]
pub struct PictureInput<'a> {
    /// The machine, edits applied.
    pub system: &'a System,
    /// What part of it.
    pub scope: Scope,
    /// What the numbers mean.
    pub lens: Lens,
    /// Which links of a node.
    pub plane: Plane,
    /// What the cells of the matrix say.
    pub cell: PairCell,
    /// What is selected.
    pub selection: Option<Pick>,
    /// How long links work.
    pub loads: &'a dyn Loads,
    /// The same for the baseline, where there is one.
    pub baseline: Option<&'a dyn Loads>,
    /// The class of links with the largest load; empty when no link is full.
    pub bottleneck: &'a Marks,
    /// What an edit has touched.
    pub edited: &'a Marks,
    /// What was measured between the GPUs of the node, for the matrix of pairs.
    pub pairs: Option<&'a crate::measure::pairs::Overlay>,
    /// Lines under the picture, the most important first.
    pub captions: &'a [Caption],
    /// The set of glyphs; the circle is drawn in the unicode set alone, all else is the same.
    pub glyphs: Glyphs,
}

impl Loads for crate::cost::LinkLoads {
    fn link(&self, class: ClassIx, link: LinkIx) -> Option<[Share; 2]> {
        Self::link(self, class, link)
    }

    fn uplink(&self, system: &System, leaf: LeafIx) -> Option<[Share; 2]> {
        system.fabric.as_ref().map(|f| [self.uplink_of(f, leaf); 2])
    }
}
