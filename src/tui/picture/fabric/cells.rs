//! The cells of the fabric's picture: leaves, spines and bundles under a lens.

use super::super::reading::{Reading, State, change_number, load_number, short};
use super::super::sketch::{Cells, Sketch};
use super::super::{Lens, Loads, Pick};
use super::{Net, Plan, plain};
use crate::system::LeafIx;
use crate::tui::canvas::Stroke;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::Share;

fn larger(both: Option<[Share; 2]>) -> Share {
    both.map_or(Share::ZERO, |[a, b]| if a < b { b } else { a })
}

impl Net<'_> {
    /// State of a leaf itself.
    fn leaf_state(&self, leaf: LeafIx) -> State {
        state_of(self.fabric.health.leaves.get(&leaf.0).copied())
    }

    /// The cables below a leaf, or above it.
    pub(super) fn leaf_reading(&self, leaf: LeafIx, up: bool) -> Reading {
        let loads = |l: &dyn Loads| {
            if up { larger(l.uplink(self.input.system, leaf)) } else { l.leaf_down(self.input.system, leaf) }
        };
        let (number, percent) = self.number(&loads, || {
            let ports = self.fabric.port_rate * f64::from(self.fabric.leaf_down_ports());
            if up { self.fabric.leaf_uplink(leaf) } else { ports }.gbytes_per_s()
        });
        let mut r = plain(number, percent);
        if up {
            r.hot = self.input.bottleneck.uplinks.contains(&leaf);
            r.edited = self.input.edited.uplinks.contains(&leaf);
            r.selected = self.input.selection == Some(Pick::Uplink(leaf));
            let left = self.fabric.uplink_left(leaf);
            r.state = state_of(Some(left));
        } else {
            r.edited = self.input.edited.leaves.contains(&leaf);
            r.selected = self.input.selection == Some(Pick::Leaf(leaf));
            r.state = self.leaf_state(leaf);
        }
        r
    }

    /// Number and weight under the lens; `rate` is the capacity in GB/s per direction.
    fn number(&self, load: &dyn Fn(&dyn Loads) -> Share, rate: impl Fn() -> f64) -> (String, u8) {
        match self.input.lens {
            Lens::Load => load_number(load(self.input.loads)),
            Lens::Rate => (short(rate()), 100),
            Lens::Delay => (short(self.fabric.switch.latency.is.us()), 25),
            Lens::Change => {
                let now = load(self.input.loads);
                change_number(now, self.input.baseline.map_or(now, load))
            }
        }
    }

    /// The busiest cable of a spine.
    pub(super) fn spine_reading(&self, spine: u32) -> Reading {
        let plane = spine / (self.spines / self.planes.max(1)).max(1);
        let load = |l: &dyn Loads| {
            let leaves = (0..self.groups).map(|g| larger(l.uplink(self.input.system, self.leaf(plane, g))));
            l.spine(spine).unwrap_or_else(|| leaves.fold(Share::ZERO, |a, b| if a < b { b } else { a }))
        };
        let (number, percent) =
            self.number(&load, || (self.fabric.port_rate * f64::from(self.fabric.switch.ports)).gbytes_per_s());
        let mut r = plain(number, percent);
        r.state = state_of(self.fabric.health.spines.get(&spine).copied());
        r.edited = self.input.edited.spines.contains(&spine);
        r.hot = self.input.bottleneck.spines.contains(&spine);
        r.selected = self.input.selection == Some(Pick::Spine(spine));
        if r.state == State::Down {
            r.number.clear();
        }
        r
    }

    /// The busiest cable of a group, up to the spines or down to its nodes. A loss is told at the leaf.
    pub(super) fn bundle_reading(&self, group: u32, up: bool) -> Reading {
        let leaves = (0..self.planes).map(|p| self.leaf(p, group));
        let all = leaves.map(|l| self.leaf_reading(l, up));
        let mut sum = all.reduce(|a, b| a.join(&b)).unwrap_or_default();
        if sum.state == State::Degraded {
            sum.state = State::Up;
        }
        sum.selected = false;
        sum.edited = false;
        let first = self.hot_groups(up).first().copied();
        sum.hot = first == Some(group) || (self.hot_count(up) <= 8 && self.hot_groups(up).contains(&group));
        sum
    }

    /// Members of the bottleneck above or below the leaves.
    fn hot_count(&self, up: bool) -> u64 {
        if up {
            return self.input.bottleneck.uplinks.len() as u64;
        }
        let members = |c: usize| self.input.system.classes.get(c).map_or(0, |c| c.members.len());
        self.cables_hot().map(|(c, _)| members(c.0)).sum()
    }

    /// Cables of NICs among the bottleneck.
    fn cables_hot(&self) -> impl Iterator<Item = &(crate::system::ClassIx, crate::system::LinkIx)> {
        self.input.bottleneck.links.iter().filter(|(c, l)| {
            let shape = self.input.system.classes.get(c.0).map(|c| &c.shape);
            let family = shape.and_then(|s| s.link(*l)).map(|l| l.kind.family);
            family == Some(crate::parts::Family::Network)
        })
    }

    fn hot_groups(&self, up: bool) -> Vec<u32> {
        if up {
            let mut groups: Vec<u32> =
                self.input.bottleneck.uplinks.iter().map(|l| self.fabric.place_of(*l).1).collect();
            groups.dedup();
            return groups;
        }
        let classes: Vec<usize> = self.cables_hot().map(|(c, _)| c.0).collect();
        let hot = |unit: u32| self.input.system.class_of(unit).is_some_and(|(c, _)| classes.contains(&c.0));
        (0..self.groups).filter(|g| !classes.is_empty() && self.members(*g).any(|(u, _)| hot(u))).collect()
    }

    /// Cables of a group that run.
    pub(super) fn cables(&self, group: u32, up: bool) -> u32 {
        let leaves = (0..self.planes).map(|p| self.leaf(p, group));
        let left = leaves.map(|l| {
            let own = self.fabric.health.leaves.get(&l.0).map_or(1.0, |s| s.ratio());
            if up {
                f64::from(self.up_ports) * self.fabric.uplink_left(l).ratio()
            } else {
                self.down_ports(group) * own
            }
        });
        left.sum::<f64>().round() as u32
    }

    pub(super) fn all_cables(&self, group: u32, up: bool) -> u32 {
        let each = if up { f64::from(self.up_ports) } else { self.down_ports(group) };
        (each * f64::from(self.planes)).round() as u32
    }

    fn down_ports(&self, group: u32) -> f64 {
        let per_node = if self.fabric.rails { 1 } else { self.fabric.nics_per_node };
        self.members(group).count() as f64 * f64::from(per_node)
    }

    pub(super) fn leaf_signature(&self, leaf: LeafIx) -> String {
        let one = |up| {
            let r = self.leaf_reading(leaf, up);
            format!("{:?}{}{}{}", r.state, r.selected, r.edited, r.percent)
        };
        format!("{}{};", one(false), one(true))
    }

    /// A row of leaves: one rail, or alike rails.
    pub(super) fn draw_rail(&self, sketch: &mut Sketch, p: &Plan, planes: &[u32], y: i32, storey: u16) {
        let (Some(first), Some(last)) = (planes.first(), planes.last()) else { return };
        let label = match (self.fabric.rails, planes.len()) {
            (false, _) => String::new(),
            (_, 1) => format!("r{first}"),
            (_, n) => format!("r{first}..{last} x{n}"),
        };
        let w = text::width(&label) as i32;
        sketch.text((8 - w).clamp(0, 2), y, &label, Role::ScaleOut);
        for g in 0..self.groups {
            let leaves: Vec<LeafIx> = planes.iter().map(|p| self.leaf(*p, g)).collect();
            self.draw_leaf(sketch, p, &leaves, (self.x(p, g), y), storey);
        }
    }

    fn draw_leaf(&self, sketch: &mut Sketch, p: &Plan, leaves: &[LeafIx], (x, y): (i32, i32), storey: u16) {
        let (Some(first), Some(last)) = (leaves.first(), leaves.last()) else { return };
        let (down, up) = (self.leaf_reading(*first, false), self.leaf_reading(*first, true));
        let end = x + p.column - 3;
        let name = if leaves.len() > 1 { format!("l{}..{}", first.0, last.0) } else { format!("leaf{}", first.0) };
        if down.state == State::Down {
            sketch.canvas.bar(y, x, end, Stroke::Down, Role::Down);
        } else {
            sketch.canvas.put(x, y, '╞', Role::Text);
            sketch.canvas.put(end, y, '╡', Role::Text);
        }
        let names = match (down.selected, down.state) {
            (true, State::Down) => vec![format!("►╳{name}◄"), "►╳".to_owned()],
            (true, _) => vec![format!("►{name}◄"), format!("►l{}◄", first.0), "►".to_owned()],
            (_, State::Down) => {
                let few = [format!("l{}╳", first.0), "╳".to_owned()];
                [format!(" {name} ╳ down "), format!(" {name} ╳ "), format!("{name}╳")].into_iter().chain(few).collect()
            }
            (_, State::Degraded) => {
                vec![format!(" {name}▼"), format!("{name}▼"), format!("l{}▼", first.0), "▼".to_owned()]
            }
            _ => vec![format!(" {name}"), name.clone()],
        };
        let numbers = self.numbers(&down, &up, p);
        let width: i32 = numbers.iter().map(|(t, _)| text::width(t) as i32 + 1).sum();
        // In the narrowest columns the gauge alone parts name and number, and rail and group name the leaf where it has no
        // room for itself.
        let tight = i32::from(p.column < 11);
        let room = if down.state == State::Down { p.column - 4 } else { p.column - 4 - width + tight };
        let short = format!("l{}", first.0);
        let last = if tight > 0 { String::new() } else { short.clone() };
        let fits = |t: &&String| text::width(t) as i32 <= room;
        let t = names.iter().chain([&short]).find(fits).cloned().unwrap_or(last);
        let role = if down.state == State::Up && !down.selected { Role::Text } else { down.role() };
        sketch.text_in(x + 1, y, room.max(2), &t, role);
        let item = sketch.item(Pick::Leaf(*first), Cells::new(x, y, p.column - 2, 1), storey);
        item.cell = true;
        item.also = leaves.iter().skip(1).map(|l| Pick::Leaf(*l)).collect();
        if down.state == State::Down {
            return;
        }
        let mut at = end - width + 1;
        for (i, (t, role)) in numbers.iter().enumerate() {
            sketch.text(at, y, t, *role);
            let w = text::width(t) as i32;
            if i == 1 {
                let item = sketch.item(Pick::Uplink(*first), Cells::new(at, y, w, 1), storey);
                item.cell = true;
                item.also = leaves.iter().skip(1).map(|l| Pick::Uplink(*l)).collect();
            }
            at += w + 1;
        }
    }

    /// Load below and above a leaf, with marks; in narrow columns the greater alone.
    fn numbers(&self, down: &Reading, up: &Reading, p: &Plan) -> Vec<(String, Role)> {
        let one = |r: &Reading| {
            let open = if r.selected { '►' } else { r.gauge() };
            let mark = match r.state {
                _ if r.selected => "◄",
                State::Degraded if open != '▼' => "▼",
                _ => "",
            };
            (format!("{open}{}{mark}", r.number), r.role())
        };
        let quiet = Reading { selected: false, state: State::Up, ..down.clone() };
        if self.spines == 0 {
            return vec![one(&quiet)];
        }
        if p.column < 17 {
            let most = if down.percent > up.percent && !up.selected && up.state == State::Up { &quiet } else { up };
            return vec![one(most)];
        }
        vec![one(&quiet), one(up)]
    }
}

fn state_of(left: Option<Share>) -> State {
    match left.map(Share::ratio) {
        Some(r) if r <= 0.0 => State::Down,
        Some(r) if r < 1.0 => State::Degraded,
        _ => State::Up,
    }
}
