//! The rows of the hierarchy: what is alike is one row, what differs has its own.

use super::spot::{kin, link_name, links_of, run_name, shape_of, stem};
use super::{App, Readings, Spot, State};
use crate::system::{ClassIx, DeviceIx, LeafIx, LinkIx, RangeSet, System};
use crate::tui::picture::{Marks, Pick};
use crate::units::Share;

/// One row of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it stands for.
    pub spot: Spot,
    /// Steps from the root.
    pub depth: u16,
    /// What it says: `gpu0..2`, `--nvsw1`.
    pub label: String,
    /// A word on the right: `x4 nodes`.
    pub note: String,
    /// Whether it is open; `None` when there is nothing in it.
    pub open: Option<bool>,
    /// Load of its busiest link.
    pub load: Share,
    /// Worst state in it.
    pub state: State,
    /// Whether the bottleneck is in it.
    pub hot: bool,
    /// Whether it carries data at all.
    pub wired: bool,
}

/// Builds the rows.
struct Builder<'a> {
    app: &'a App,
    system: &'a System,
    readings: Readings<'a>,
    rows: Vec<Row>,
}

/// The rows of the tree, top to bottom.
pub(super) fn rows(app: &App) -> Vec<Row> {
    let mut b = Builder { app, system: app.system(), readings: app.readings(), rows: Vec::new() };
    b.root();
    b.rows
}

impl Builder<'_> {
    /// Adds a row; whether its children show.
    fn row(&mut self, spot: Spot, depth: u16, label: String, note: String, has_children: bool) -> bool {
        let open = self.app.open.contains(&spot);
        let reading = self.readings.of(spot);
        let hot = self.app.is_hot(spot);
        self.rows.push(Row {
            spot,
            depth,
            label,
            note,
            open: has_children.then_some(open),
            load: reading.load,
            state: reading.state,
            hot,
            wired: spot != Spot::Services,
        });
        has_children && open
    }

    fn root(&mut self) {
        let s = self.system;
        let (label, note) = match s.units {
            1 => (s.name.clone(), String::new()),
            n => ("cluster".to_owned(), format!("x{n}")),
        };
        if !self.row(Spot::System, 0, label, note, true) {
            return;
        }
        self.units();
        self.fabric();
        if let Some(services) = &s.services {
            self.row(Spot::Services, 1, "services".to_owned(), services.title.clone(), false);
        }
    }

    /// Units: those that were opened by themselves, the others of each class as runs.
    fn units(&mut self) {
        let s = self.system;
        let mut runs: Vec<(u32, Spot, u64)> = Vec::new();
        for (i, class) in s.classes.iter().enumerate() {
            let single = |u: u32| self.app.open.contains(&Spot::Thing(Pick::Unit(u)));
            let opened: RangeSet = self.opened_units().filter(|u| class.members.contains(*u) && single(*u)).collect();
            let rest = opened.iter().fold(class.members.clone(), |mut set, u| {
                set.remove(u);
                set
            });
            runs.extend(opened.iter().map(|u| (u, Spot::Thing(Pick::Unit(u)), 1)));
            let Some(first) = rest.first() else { continue };
            let ranges: Vec<_> = rest.ranges().collect();
            match ranges.as_slice() {
                [_] | [_, _] => runs.extend(
                    ranges
                        .iter()
                        .map(|r| (r.start, Spot::of_run(Pick::Unit(r.start), Pick::Unit(r.end - 1)), r.len() as u64)),
                ),
                _ => runs.push((first, Spot::Thing(Pick::Class(ClassIx(i))), rest.len())),
            }
        }
        runs.sort_by_key(|(first, ..)| *first);
        for (_, spot, count) in runs {
            self.unit(spot, count);
        }
    }

    fn opened_units(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.app.open.iter().filter_map(|s| if let Spot::Thing(Pick::Unit(u)) = s { Some(*u) } else { None })
    }

    fn unit(&mut self, spot: Spot, count: u64) {
        let note = if count > 1 { format!("x{count}") } else { String::new() };
        let label = match spot {
            Spot::Thing(Pick::Class(_)) => format!("{count} {}s alike", self.unit_word()),
            _ => spot.name(self.system),
        };
        if !self.row(spot, 1, label, note, true) {
            return;
        }
        match spot.unit() {
            Some(unit) if count == 1 && self.system.is_rack => self.rack(unit),
            Some(unit) if count == 1 => self.devices(unit, Some(0), 2),
            _ => {}
        }
    }

    fn unit_word(&self) -> &'static str {
        if self.system.is_rack { "rack" } else { "node" }
    }

    /// The nodes of a rack as runs of equal ones, and the rack's own devices.
    fn rack(&mut self, unit: u32) {
        let mut start = 0;
        let nodes = self.system.nodes_per_unit;
        let (app, readings) = (self.app, self.readings);
        let open = |node| app.open.contains(&Spot::Thing(Pick::Node { unit, node }));
        let key = |node| readings.of(Spot::Thing(Pick::Node { unit, node }));
        while start < nodes {
            let same = |n: &u32| *n == start || (!open(start) && !open(*n) && alike(key(*n), key(start)));
            let end = (start..nodes).take_while(same).last().unwrap_or(start);
            let spot = Spot::of_run(Pick::Node { unit, node: start }, Pick::Node { unit, node: end });
            let (label, note) = match end - start {
                0 => (format!("node{start}"), String::new()),
                n => (format!("node{start}..{end}"), format!("x{}", n + 1)),
            };
            if self.row(spot, 2, label, note, true) && start == end {
                self.devices(unit, Some(start), 3);
            }
            start = end + 1;
        }
        self.devices(unit, None, 2);
    }

    /// The devices of a node (or of the rack itself), a branch per sort.
    fn devices(&mut self, unit: u32, node: Option<u32>, depth: u16) {
        let Some(shape) = shape_of(self.system, unit) else { return };
        let mut done: Vec<DeviceIx> = Vec::new();
        for device in shape.device_ixs() {
            let mine = shape.device(device).is_some_and(|d| d.node == node && d.path != "fabric");
            if !mine || done.contains(&device) {
                continue;
            }
            let family = kin(shape, device);
            self.family(unit, &family, depth);
            done.extend(family);
        }
    }

    fn family(&mut self, unit: u32, family: &[DeviceIx], depth: u16) {
        let (Some(first), Some(last)) = (family.first(), family.last()) else { return };
        let pick = |device: DeviceIx| Pick::Device { unit, device };
        if family.len() == 1 {
            self.device(unit, *first, depth);
            return;
        }
        let whole = Spot::of_run(pick(*first), pick(*last));
        if !self.row(whole, depth, self.device_label(unit, *first, *last), String::new(), true) {
            return;
        }
        let reading = |d: &DeviceIx| self.readings.of(Spot::Thing(pick(*d)));
        let own = |d: &DeviceIx| self.app.open.contains(&Spot::Thing(pick(*d)));
        let runs = runs_of(family, |a, b| !own(a) && !own(b) && alike(reading(a), reading(b)));
        for run in &runs {
            let (Some(a), Some(b)) = (run.first(), run.last()) else { continue };
            let spot = Spot::of_run(pick(*a), pick(*b));
            // A family that is all alike is listed one by one: it was opened to see its members.
            let spread = runs.len() == 1 || a == b;
            if spread || self.row(spot, depth + 1, self.device_label(unit, *a, *b), String::new(), true) {
                let deeper = if spread { depth + 1 } else { depth + 2 };
                for d in run {
                    self.device(unit, *d, deeper);
                }
            }
        }
    }

    fn device_label(&self, unit: u32, a: DeviceIx, b: DeviceIx) -> String {
        let name = |d| shape_of(self.system, unit).and_then(|s| s.device(d)).map_or("?", |d| d.name.as_str());
        if a == b { name(a).to_owned() } else { run_name(name(a), name(b), "", "..", "").unwrap_or_default() }
    }

    fn device(&mut self, unit: u32, device: DeviceIx, depth: u16) {
        let spot = Spot::Thing(Pick::Device { unit, device });
        let label = self.device_label(unit, device, device);
        if self.row(spot, depth, label, String::new(), true) {
            self.links(unit, device, depth + 1);
        }
    }

    /// The links of a device as runs of equal ones, written from the device.
    fn links(&mut self, unit: u32, device: DeviceIx, depth: u16) {
        let Some(shape) = shape_of(self.system, unit) else { return };
        let links = links_of(shape, device);
        let far = |l: &LinkIx| shape.link(*l).and_then(|k| shape.device(k.other(device)));
        let reading = |l: &LinkIx| self.readings.of(Spot::Thing(Pick::Link { unit, link: *l }));
        let selected = |l: &LinkIx| self.app.selection == Spot::Thing(Pick::Link { unit, link: *l });
        let same = |a: &LinkIx, b: &LinkIx| {
            let sort = far(a).map(|d| stem(&d.path).0) == far(b).map(|d| stem(&d.path).0);
            sort && !selected(a) && !selected(b) && alike(reading(a), reading(b)) && is_next(far(a), far(b))
        };
        for run in runs_of(&links, same) {
            let (Some(a), Some(b)) = (run.first(), run.last()) else { continue };
            let spot = Spot::of_run(Pick::Link { unit, link: *a }, Pick::Link { unit, link: *b });
            self.row(spot, depth, self.link_label(unit, device, *a, *b), String::new(), false);
        }
    }

    /// `--nvsw1`, `--nvsw2..3`: the far ends.
    fn link_label(&self, unit: u32, from: DeviceIx, a: LinkIx, b: LinkIx) -> String {
        let Some(shape) = shape_of(self.system, unit) else { return String::new() };
        let here = shape.device(from).and_then(|d| d.node);
        let far = |l: LinkIx| {
            let device = shape.link(l).and_then(|k| shape.device(k.other(from)));
            match device {
                Some(d) if d.path == "fabric" => {
                    link_name(self.system, unit, l).and_then(|n| n.split_once("--").map(|(_, t)| t.to_owned()))
                }
                Some(d) if d.node == here => Some(d.name.clone()),
                // `node5/gpu1` as `5/gpu1`: the tree is narrow, and only nodes have devices.
                Some(d) => Some(d.path.strip_prefix("node").unwrap_or(&d.path).to_owned()),
                None => None,
            }
            .unwrap_or_default()
        };
        let ends = if a == b { far(a) } else { run_name(&far(a), &far(b), "", "..", "").unwrap_or_else(|| far(a)) };
        format!("--{ends}")
    }

    fn fabric(&mut self) {
        let Some(fabric) = &self.system.fabric else { return };
        let note = if fabric.rails { format!("{} rails", fabric.planes()) } else { fabric.transport.title.clone() };
        if !self.row(Spot::Fabric, 1, "fabric".to_owned(), note, true) {
            return;
        }
        for level in fabric.levels() {
            let make: fn(u32) -> Pick = match level.name {
                "leaf" => |n| Pick::Leaf(LeafIx(n)),
                "spine" => Pick::Spine,
                _ => Pick::Core,
            };
            self.switches(level.name, level.count, make);
        }
    }

    /// Switches of a level: all of them as a branch, the broken ones by themselves.
    fn switches(&mut self, name: &str, count: u32, make: fn(u32) -> Pick) {
        let Some(last) = count.checked_sub(1) else { return };
        let whole = Spot::of_run(make(0), make(last));
        let label = |a: u32, b: u32| if a == b { format!("{name}{a}") } else { format!("{name}{a}..{b}") };
        if !self.row(whole, 2, label(0, last), String::new(), count > 1) {
            return;
        }
        let numbers: Vec<u32> = (0..count.min(4096)).collect();
        let reading = |n: &u32| self.readings.of(Spot::Thing(make(*n)));
        let runs = runs_of(&numbers, |a, b| alike(reading(a), reading(b)));
        let listed = runs.len() == 1 && count <= 64;
        for run in runs {
            let (Some(a), Some(b)) = (run.first(), run.last()) else { continue };
            let rows = if listed { run.iter().map(|n| (*n, *n)).collect() } else { vec![(*a, *b)] };
            for (a, b) in rows {
                if Spot::of_run(make(a), make(b)) != whole {
                    self.row(Spot::of_run(make(a), make(b)), 3, label(a, b), String::new(), false);
                }
            }
        }
    }
}

/// Whether two things look the same in the tree.
fn alike(a: super::Reading, b: super::Reading) -> bool {
    a.state == b.state && (a.load.percent() - b.load.percent()).abs() < 0.5
}

/// Whether the number at the end of one name follows the other's.
fn is_next(a: Option<&crate::system::Device>, b: Option<&crate::system::Device>) -> bool {
    let number = |d: Option<&crate::system::Device>| d.and_then(|d| stem(&d.name).1);
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a + 1 == b,
        _ => false,
    }
}

/// Splits a list into runs of neighbours that are the same.
fn runs_of<T: Copy>(all: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<Vec<T>> {
    let mut runs: Vec<Vec<T>> = Vec::new();
    for item in all {
        match runs.last_mut().filter(|run| run.last().is_some_and(|l| same(l, item))) {
            Some(run) => run.push(*item),
            None => runs.push(vec![*item]),
        }
    }
    runs
}

/// Whether any of the bottleneck's links is part of a spot.
pub(super) fn is_hot(app: &App, spot: Spot) -> bool {
    let (system, marks) = (app.system(), &app.answers.bottleneck);
    let class_has = |c: ClassIx| marks.links.range((c, LinkIx(0))..).next().is_some_and(|(hit, _)| *hit == c);
    let unit_has = |u: u32| system.class_of(u).is_some_and(|(c, _)| class_has(c));
    match spot {
        Spot::System => !marks.links.is_empty() || !marks.uplinks.is_empty(),
        Spot::Fabric => !marks.uplinks.is_empty(),
        Spot::Services => false,
        Spot::Run { first: Pick::Unit(a), last: Pick::Unit(b) } => {
            let units = |c: &crate::system::UnitClass| !c.members.intersect(a..b + 1).is_empty();
            (0..system.classes.len()).any(|i| system.classes.get(i).is_some_and(units) && class_has(ClassIx(i)))
        }
        Spot::Thing(Pick::Class(c)) => class_has(c),
        Spot::Thing(Pick::Unit(u)) => unit_has(u),
        _ => spot.members(system, 256).into_iter().any(|p| pick_is_hot(system, marks, p)),
    }
}

fn pick_is_hot(system: &System, marks: &Marks, pick: Pick) -> bool {
    let device = |unit: u32, device: DeviceIx| {
        system
            .class_of(unit)
            .is_some_and(|(c, class)| class.shape.around(device).iter().any(|(l, _)| marks.links.contains(&(c, *l))))
    };
    match pick {
        Pick::Link { unit, link } => system.class_of(unit).is_some_and(|(c, _)| marks.links.contains(&(c, link))),
        Pick::Device { unit, device: d } => device(unit, d),
        Pick::Node { unit, node } => shape_of(system, unit).is_some_and(|s| {
            let mine = |d: &DeviceIx| s.device(*d).is_some_and(|d| d.node == Some(node));
            s.device_ixs().filter(mine).any(|d| device(unit, d))
        }),
        Pick::Leaf(l) | Pick::Uplink(l) => marks.uplinks.contains(&l),
        _ => false,
    }
}
