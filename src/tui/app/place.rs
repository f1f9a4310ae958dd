//! Where one is: what is drawn for the selection, what lies beside it, what contains it.

use super::spot::shape_of;
use super::tree::is_hot;
use super::{App, Layer, Panel, Row, Spot, tree};
use crate::measure::pairs::{self, Overlay};
use crate::parts::Family;
use crate::scenario::{Key, Outcome};
use crate::system::{DeviceIx, DeviceKind, Tier, tier_of};
use crate::tui::picture::{End, Pick, Scope};

/// Most exceptions that `n` walks through.
const MOST: usize = 500;

impl App {
    /// The first selection and picture: inside the first unit, so that devices show at once.
    pub(super) fn start(&mut self) {
        self.open.insert(Spot::System);
        self.open.insert(Spot::Thing(Pick::Unit(0)));
        self.selection = Spot::Thing(Pick::Unit(0));
        if self.system().is_rack {
            self.scope = Scope::Rack { unit: 0 };
        } else {
            self.scope = Scope::Node { unit: 0, node: 0 };
        }
        let first = shape_of(self.system(), 0).and_then(|s| s.gpus().first().copied());
        if let Some(device) = first {
            self.select(Spot::Thing(Pick::Device { unit: 0, device }));
        }
    }

    /// Selects something and draws the part of the machine that it is in.
    pub(crate) fn select(&mut self, spot: Spot) {
        self.selection = spot;
        if let Some(scope) = self.scope_of(spot) {
            self.scope = scope;
        }
    }

    /// The picture that a selection belongs to; `None` keeps the present one.
    fn scope_of(&self, spot: Spot) -> Option<Scope> {
        let system = self.system();
        let whole = |unit| if system.is_rack { Scope::Rack { unit } } else { Scope::Node { unit, node: 0 } };
        Some(match spot {
            Spot::System if system.units == 1 => whole(0),
            Spot::System => Scope::Classes,
            Spot::Fabric => Scope::Fabric,
            Spot::Services => return None,
            Spot::Run { .. } | Spot::Thing(_) => match spot.pick()? {
                Pick::Unit(unit) => whole(unit),
                Pick::Class(c) => whole(system.classes.get(c.0)?.members.first()?),
                Pick::Node { unit, node } => Scope::Node { unit, node },
                Pick::Device { unit, device } => self.scope_of_devices(unit, &[device]),
                Pick::Link { unit, link } => {
                    let l = shape_of(system, unit)?.link(link)?;
                    self.scope_of_devices(unit, &[l.a, l.b])
                }
                Pick::Pair { unit, from, to } => self.scope_of_devices(unit, &[from, to]),
                Pick::Leaf(_) | Pick::Uplink(_) | Pick::Spine(_) | Pick::Core(_) | Pick::Group(_) => Scope::Fabric,
            },
        })
    }

    /// In a rack: its node where that is already drawn and has the devices, else the rack.
    fn scope_of_devices(&self, unit: u32, devices: &[DeviceIx]) -> Scope {
        let system = self.system();
        if !system.is_rack {
            return Scope::Node { unit, node: 0 };
        }
        let node = |d: &DeviceIx| shape_of(system, unit).and_then(|s| s.device(*d)).and_then(|d| d.node);
        let own = devices.iter().find_map(node);
        match (self.scope, own) {
            (Scope::Node { unit: u, node: n }, Some(own)) if u == unit && n == own => self.scope,
            _ if devices.iter().filter_map(node).count() == 2 || self.is_host_part(unit, devices) => {
                Scope::Node { unit, node: own.unwrap_or(0) }
            }
            _ => Scope::Rack { unit },
        }
    }

    /// CPUs and `PCIe` switches are drawn in a node's picture alone.
    fn is_host_part(&self, unit: u32, devices: &[DeviceIx]) -> bool {
        let host = |d: &DeviceIx| {
            let kind = shape_of(self.system(), unit).and_then(|s| s.device(*d)).map(|d| &d.kind);
            matches!(kind, Some(DeviceKind::Cpu(_) | DeviceKind::PcieSwitch(_)))
        };
        devices.iter().any(host)
    }

    /// What contains a spot, one step out.
    pub(crate) fn parent(&self, spot: Spot) -> Spot {
        let system = self.system();
        match spot {
            Spot::System | Spot::Fabric | Spot::Services => Spot::System,
            Spot::Thing(_) | Spot::Run { .. } => match spot.pick() {
                Some(Pick::Device { unit, device }) => match shape_of(system, unit).and_then(|s| s.device(device)) {
                    Some(d) if system.is_rack && d.node.is_some() => {
                        Spot::Thing(Pick::Node { unit, node: d.node.unwrap_or(0) })
                    }
                    _ => Spot::Thing(Pick::Unit(unit)),
                },
                Some(Pick::Link { unit, link }) => {
                    let end = shape_of(system, unit).and_then(|s| s.link(link)).map(|l| l.a);
                    end.map_or(Spot::System, |device| Spot::Thing(Pick::Device { unit, device }))
                }
                Some(Pick::Node { unit, .. } | Pick::Pair { unit, .. }) => Spot::Thing(Pick::Unit(unit)),
                Some(Pick::Leaf(_) | Pick::Uplink(_) | Pick::Spine(_) | Pick::Core(_) | Pick::Group(_)) => Spot::Fabric,
                Some(Pick::Unit(_) | Pick::Class(_)) | None => Spot::System,
            },
        }
    }

    /// The steps from the whole system to what is selected, each by its own name: `node0`, `gpu3`, `--nvsw1`.
    pub(crate) fn crumbs(&self) -> Vec<String> {
        let system = self.system();
        let mut crumbs = Vec::new();
        let mut spot = self.selection;
        while spot != Spot::System {
            let outer = self.parent(spot);
            let (name, above) = (spot.name(system), outer.name(system));
            let own = name.strip_prefix(&above).filter(|own| own.starts_with(['/', '-']));
            crumbs.push(own.map_or(name.clone(), |own| own.trim_start_matches('/').to_owned()));
            spot = outer;
        }
        crumbs.reverse();
        crumbs
    }

    /// The rows of the tree.
    pub fn rows(&self) -> Vec<Row> {
        tree::rows(self)
    }

    /// The row of the selection: its own, else the deepest that contains it, else that of what contains it.
    pub(crate) fn cursor(&self, rows: &[Row]) -> usize {
        let mut spot = self.selection;
        loop {
            if let Some(at) = rows.iter().position(|r| r.spot == spot) {
                return at;
            }
            let covers = |r: &Row| spot.pick().is_some_and(|p| r.spot.covers(self.system(), p));
            let deepest = rows.iter().enumerate().filter(|(_, r)| covers(r)).max_by_key(|(_, r)| r.depth);
            if let Some((at, _)) = deepest {
                return at;
            }
            let outer = self.parent(spot);
            if outer == spot {
                return 0;
            }
            spot = outer;
        }
    }

    /// Whether any of the bottleneck's links is part of a spot.
    pub(crate) fn is_hot(&self, spot: Spot) -> bool {
        is_hot(self, spot)
    }

    /// Whether the tree has the keys.
    pub(crate) fn in_tree(&self) -> bool {
        self.focus.panel() == Panel::Tree
    }

    /// Whether the picture is that of a node.
    pub(crate) fn draws_node(&self) -> bool {
        matches!(self.scope, Scope::Node { .. }) && self.focus.instead_of_picture().is_none()
    }

    /// The unit and node that the selection is in, or that is drawn.
    pub(crate) fn current_node(&self) -> Option<(u32, u32)> {
        let node = |unit: u32, device: DeviceIx| {
            shape_of(self.system(), unit).and_then(|s| s.device(device)).and_then(|d| d.node)
        };
        match (self.selection.pick(), self.scope) {
            (Some(Pick::Device { unit, device }), _) => Some((unit, node(unit, device).unwrap_or(0))),
            (Some(Pick::Node { unit, node }), _) | (_, Scope::Node { unit, node } | Scope::Matrix { unit, node }) => {
                Some((unit, node))
            }
            (_, Scope::Rack { unit }) => Some((unit, 0)),
            (Some(pick), _) => Spot::Thing(pick).unit().map(|u| (u, 0)),
            _ => None,
        }
    }

    /// What was measured between the GPUs of the node whose pairs are drawn, beside the prediction.
    pub(crate) fn pairs(&self) -> Option<Overlay> {
        let (Scope::Matrix { unit, node }, Some(named)) = (self.drawn(), &self.matrices) else { return None };
        pairs::compare(self.system(), (unit, node), &named.all).ok()
    }

    /// What the picture shows, layers over it counted.
    pub(crate) fn drawn(&self) -> Scope {
        match self.focus.instead_of_picture() {
            Some(Layer::Matrix) => {
                let (unit, node) = self.current_node().unwrap_or((0, 0));
                Scope::Matrix { unit, node }
            }
            Some(Layer::Path(from, to)) => Scope::Path { from: *from, to: *to },
            _ => self.scope,
        }
    }

    /// The selection as the end of a path: a device, or the end of a link.
    pub(crate) fn path_end(&self) -> Option<End> {
        match self.selection.pick()? {
            Pick::Device { unit, device } => Some(End { unit, device }),
            Pick::Pair { unit, from, .. } => Some(End { unit, device: from }),
            _ => None,
        }
    }

    /// How many scopes lie beside what is drawn.
    pub(crate) fn sibling_count(&self) -> u32 {
        match self.scope {
            Scope::Node { .. } if self.system().is_rack => self.system().nodes_per_unit,
            Scope::Node { .. } | Scope::Rack { .. } => self.system().units,
            Scope::Fabric | Scope::Classes => self.fabric_row().1,
            _ => 0,
        }
    }

    /// In the fabric, the number of what is selected among those like it, and how many there are: leaves are told apart
    /// by their group of nodes, so that the next leaf is the same rail's; 0 of 0 where nothing has a neighbour.
    pub(crate) fn fabric_row(&self) -> (u32, u32) {
        let Some(f) = &self.system().fabric else { return (0, 0) };
        let levels = f.levels();
        let count = |i: usize| levels.get(i).map_or(0, |l| l.count);
        match self.selection.pick() {
            Some(Pick::Leaf(l) | Pick::Uplink(l)) if f.groups() > 1 => (f.place_of(l).1, f.groups()),
            Some(Pick::Leaf(l) | Pick::Uplink(l)) => (l.0, f.leaves()),
            Some(Pick::Group(g)) => (g, f.groups()),
            Some(Pick::Spine(n)) => (n, count(1)),
            Some(Pick::Core(n)) => (n, count(2)),
            Some(Pick::Class(c)) => (c.0 as u32, self.system().classes.len() as u32),
            Some(Pick::Unit(unit)) => (unit, self.system().units),
            _ => (0, 0),
        }
    }

    /// What is edited, hurt or full, in the order in which `n` walks through it.
    pub(crate) fn exceptions(&self) -> Vec<Spot> {
        let system = self.system();
        let mut all = Vec::new();
        for (entry, outcome) in self.history.done().iter().zip(&self.history.applied().outcomes) {
            let target = entry.edit.address().and_then(|a| a.resolve(system).ok());
            if matches!(outcome, Outcome::Active { .. }) {
                all.extend(target.and_then(|t| super::names::spot_of(system, &t)));
            }
        }
        for class in &system.classes {
            let Some(unit) = class.members.first() else { continue };
            all.extend(class.health.devices_down().map(|device| Spot::Thing(Pick::Device { unit, device })));
            all.extend(class.health.links_hurt().map(|(link, _)| Spot::Thing(Pick::Link { unit, link })));
        }
        if let Some((class, link)) = self.answers.bottleneck.links.first() {
            let unit = system.classes.get(class.0).and_then(|c| c.members.first());
            all.extend(unit.map(|unit| Spot::Thing(Pick::Link { unit, link: *link })));
        }
        all.extend(self.answers.bottleneck.uplinks.first().map(|l| Spot::Thing(Pick::Uplink(*l))));
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|s| seen.insert(*s));
        all.truncate(MOST);
        all
    }

    /// The key of the edit language that belongs to the selection, for `e`, `+` and `-`.
    pub(crate) fn value_key(&self) -> Option<Key> {
        let system = self.system();
        let key = match self.selection {
            Spot::System if system.is_rack => Key::Racks,
            Spot::System => Key::Nodes,
            Spot::Fabric => Key::Oversubscription,
            Spot::Services => return None,
            Spot::Thing(_) | Spot::Run { .. } => match self.selection.pick()? {
                Pick::Unit(_) | Pick::Class(_) if system.is_rack => Key::Racks,
                Pick::Unit(_) | Pick::Class(_) => Key::Nodes,
                Pick::Node { .. } => Key::Gpus,
                Pick::Device { unit, device } => match &shape_of(system, unit)?.device(device)?.kind {
                    DeviceKind::Gpu(_) => Key::Gpus,
                    DeviceKind::Nic(_) => Key::Nics,
                    DeviceKind::ScaleUpSwitch(_) => Key::Nvlink,
                    DeviceKind::Cpu(_) | DeviceKind::PcieSwitch(_) => Key::Pcie,
                    DeviceKind::Fabric => Key::Oversubscription,
                },
                Pick::Link { unit, link } => match shape_of(system, unit)?.link(link)?.kind.family {
                    Family::Nvlink => Key::Nvlink,
                    Family::Xgmi => Key::Xgmi,
                    Family::Network => Key::Nic,
                    Family::Pcie | Family::Socket | Family::C2c => Key::Pcie,
                },
                Pick::Pair { .. } => return None,
                Pick::Leaf(_) | Pick::Uplink(_) | Pick::Spine(_) | Pick::Core(_) | Pick::Group(_) => {
                    Key::Oversubscription
                }
            },
        };
        key.current(system).map(|_| key)
    }

    /// The last edit with a pattern for all units, as text; the error says why there is none.
    pub(crate) fn repeat_on_all(&self) -> Result<String, String> {
        let last = self.history.done().last().ok_or("no edit to repeat")?;
        let address = last.edit.address().ok_or("the last edit is for all units already")?.to_string();
        let word = if self.system().is_rack { "rack" } else { "node" };
        let all = match address.split_once('/') {
            Some((unit, rest)) if unit.starts_with(word) && !unit.contains('*') => format!("{word}*/{rest}"),
            _ => return Err("the last edit names no single unit".to_owned()),
        };
        Ok(last.edit.to_string().replacen(&address, &all, 1))
    }

    /// After the machine has changed: what is selected and drawn must still be there.
    pub(super) fn settle(&mut self) {
        let units = self.system().units;
        let exists = |spot: Spot, app: &Self| match spot {
            Spot::System => true,
            Spot::Fabric => app.system().fabric.is_some(),
            Spot::Services => app.system().services.is_some(),
            Spot::Thing(_) | Spot::Run { .. } => {
                spot.address(app.system()).is_none_or(|a| super::names::lookup(app.system(), &a).is_ok())
                    && spot.unit().is_none_or(|u| u < units)
            }
        };
        let mut spot = self.selection;
        while !exists(spot, self) {
            spot = self.parent(spot);
        }
        self.selection = spot;
        let drawn = match self.scope {
            Scope::Node { unit, .. } | Scope::Rack { unit } => unit < units,
            Scope::Fabric => self.system().fabric.is_some(),
            _ => true,
        };
        if !drawn || spot != self.selection {
            self.select(spot);
        }
    }

    /// Tier of a link, for its colour.
    pub(crate) fn tier_of_link(&self, pick: Pick) -> Option<Tier> {
        let Pick::Link { unit, link } = pick else { return None };
        shape_of(self.system(), unit)?.link(link).map(|l| tier_of(l.kind.family))
    }
}
