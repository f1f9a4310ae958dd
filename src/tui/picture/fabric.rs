//! The scale-out fabric: spines above, a grid of leaves (rails by groups of nodes), nodes below.

mod cells;

use std::collections::BTreeMap;

use super::frame::{self, GAUGE_LEGENDS};
use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch};
use super::{Pick, PictureInput, Scene, classes};
use crate::system::{DeviceIx, Fabric, LeafIx};
use crate::tui::glyphs::gauge;
use crate::tui::text;
use crate::tui::theme::Role;

/// More groups of leaves than this are drawn as classes.
pub(super) const MOST_GROUPS: u32 = 8;

/// The fabric with what is known of it before anything has a place.
struct Net<'a> {
    input: &'a PictureInput<'a>,
    fabric: &'a Fabric,
    groups: u32,
    planes: u32,
    spines: u32,
    up_ports: u32,
    /// Gauge and role of a node by class and node in its unit.
    nodes: BTreeMap<(usize, u32), (char, Role)>,
}

/// How rows are shared out.
struct Plan {
    /// Columns per group.
    column: i32,
    /// Rows of leaves: the planes in each.
    rails: Vec<Vec<u32>>,
    /// Rows of nodes; 0 is a line of counts.
    node_rows: i32,
    /// The spines on one row, not on three.
    flat: bool,
    /// Rows of the wires between storeys.
    wire: i32,
}

pub(super) fn layout(input: &PictureInput, size: (u16, u16)) -> Scene {
    let mut sketch = Sketch::new(size, input.selection);
    let Some(fabric) = &input.system.fabric else {
        sketch.title = format!("fabric   {}", input.system.title);
        none(input, &mut sketch);
        return sketch.scene();
    };
    let net = Net::new(input, fabric);
    let kind = if fabric.rails { "rail-optimized" } else { "no rails" };
    sketch.title = format!(
        "fabric   {} {}, {kind}, {}",
        fabric.nodes,
        if fabric.nodes == 1 { "node" } else { "nodes" },
        fabric.transport.title
    );
    input.lens.title().clone_into(&mut sketch.unit);
    match net.plan(&sketch) {
        Some(plan) => net.draw(&mut sketch, &plan),
        // Too many groups for the columns: what is alike once.
        None => return classes::layout(input, size),
    }
    sketch.scene()
}

/// A machine without a fabric says so.
fn none(input: &PictureInput, sketch: &mut Sketch) {
    let unit = input.system.unit_name(0);
    let room = sketch.width();
    if sketch.height() > 0 {
        sketch.text_in(0, 0, room, &format!("{unit} alone: this system has no fabric"), Role::Dim);
        sketch.item(Pick::Unit(0), Cells::new(0, 0, room, 1), 0);
    }
}

impl<'a> Net<'a> {
    fn new(input: &'a PictureInput<'a>, fabric: &'a Fabric) -> Self {
        let mut net = Self {
            input,
            fabric,
            groups: fabric.groups(),
            planes: fabric.planes(),
            spines: fabric.levels().get(1).map_or(0, |l| l.count),
            up_ports: fabric.leaf_up_ports(),
            nodes: BTreeMap::new(),
        };
        for (i, c) in input.system.classes.iter().enumerate() {
            let Some(look) = c.members.first().and_then(|u| Look::new(input, u)) else { continue };
            for node in 0..input.system.nodes_per_unit {
                net.nodes.insert((i, node), node_mark(&look, node));
            }
        }
        net
    }

    fn leaf(&self, plane: u32, group: u32) -> LeafIx {
        LeafIx(group * self.planes + plane)
    }

    /// Nodes of a group, as unit and node in it.
    fn members(&self, group: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let first = u64::from(group) * u64::from(self.fabric.leaf_nodes);
        let last = (first + u64::from(self.fabric.leaf_nodes)).min(self.fabric.nodes);
        let per = u64::from(self.input.system.nodes_per_unit.max(1));
        (first..last).map(move |n| ((n / per) as u32, (n % per) as u32))
    }

    /// The fullest plan that fits.
    fn plan(&self, sketch: &Sketch) -> Option<Plan> {
        let columns = [25, 17, 11, 10, 8].into_iter().find(|c| 9 + self.groups as i32 * c <= sketch.width())?;
        let most = (0..self.groups).map(|g| self.members(g).count() as i32).max().unwrap_or(0);
        let per_row = (columns - 1) / 2;
        let all: Vec<Vec<u32>> = (0..self.planes).map(|p| vec![p]).collect();
        let room = sketch.height() - frame::needed_rows(self.input, sketch.height());
        let full = |rails: &Vec<Vec<u32>>, node_rows, flat, wire| Plan {
            column: columns,
            rails: rails.clone(),
            node_rows,
            flat,
            wire,
        };
        let merged = self.alike();
        let rows = (most + per_row.min(8) - 1) / per_row.min(8);
        let tries = [
            full(&all, rows, false, 2),
            full(&all, rows, false, 1),
            full(&all, 0, false, 1),
            full(&all, 0, true, 1),
            full(&merged, 0, true, 1),
        ];
        tries.into_iter().find(|p| self.height(p) <= room)
    }

    fn height(&self, p: &Plan) -> i32 {
        let spines = match (self.spines, p.flat) {
            (0, _) => 0,
            (_, true) => 1 + p.wire,
            _ => 3 + p.wire,
        };
        spines + 1 + p.rails.len() as i32 + p.wire + p.node_rows.max(1)
    }

    /// Rails that look alike in every group share a row.
    fn alike(&self) -> Vec<Vec<u32>> {
        let mut rows: Vec<(String, Vec<u32>)> = Vec::new();
        for plane in 0..self.planes {
            let sign: String = (0..self.groups).map(|g| self.leaf_signature(self.leaf(plane, g))).collect();
            match rows.last_mut() {
                Some(r) if r.0 == sign => r.1.push(plane),
                _ => rows.push((sign, vec![plane])),
            }
        }
        rows.into_iter().map(|r| r.1).collect()
    }

    fn draw(&self, sketch: &mut Sketch, p: &Plan) {
        let (top, _) = frame::draw_plain(self.input, sketch, self.height(p), &GAUGE_LEGENDS);
        let mut y = top;
        if self.spines > 0 {
            y = self.draw_spines(sketch, p, y);
            for g in 0..self.groups {
                self.draw_bundle(sketch, p, g, y, true);
            }
            y += p.wire;
        }
        self.draw_groups(sketch, p, y);
        y += 1;
        for (i, planes) in p.rails.iter().enumerate() {
            self.draw_rail(sketch, p, planes, y, i as u16 + 6);
            y += 1;
        }
        for g in 0..self.groups {
            self.draw_bundle(sketch, p, g, y, false);
        }
        y += p.wire;
        if p.node_rows > 0 {
            self.draw_nodes(sketch, p, y);
        } else {
            self.draw_counts(sketch, p, y);
        }
    }

    fn x(&self, p: &Plan, group: u32) -> i32 {
        let _ = self;
        9 + group as i32 * p.column
    }

    /// The bar of the spines with a gauge for each; returns the row after it.
    fn draw_spines(&self, sketch: &mut Sketch, p: &Plan, y: i32) -> i32 {
        let right = self.x(p, self.groups) - 1;
        let part = &self.fabric.switch;
        let name = format!(" {} spines, {}, {} ports ", self.spines, part.title, part.ports);
        sketch.text(1, if p.flat { y } else { y + 1 }, "spines", Role::Dim);
        let bottom = if p.flat { y } else { y + 2 };
        if !p.flat {
            sketch.bar(y, (9, right), State::Up, Role::Text);
            sketch.text_in(11, y, right - 12, &name, Role::Text);
        }
        sketch.bar(bottom, (9, right), State::Up, Role::Text);
        if p.flat {
            self.spine_line(sketch, y, right);
        } else {
            self.spine_gauges(sketch, y + 1, right);
        }
        bottom + 1
    }

    fn spine_gauges(&self, sketch: &mut Sketch, y: i32, right: i32) {
        let room = right - 10;
        let Some(pitch) = [6, 5, 2].into_iter().find(|c| self.spines as i32 * c <= room) else {
            return self.spine_line(sketch, y, right);
        };
        let pitch = if pitch > 2 { (room / self.spines as i32).min(10) } else { pitch };
        for s in 0..self.spines {
            let x = 10 + s as i32 * pitch + i32::from(pitch > 2);
            let r = self.spine_reading(s);
            let t = if pitch > 2 { format!("{}{}", r.gauge(), r.number) } else { r.gauge().to_string() };
            let t = if r.selected { format!("►{}◄", t.chars().skip(1).collect::<String>()) } else { t };
            sketch.text_in(x, y, pitch, &t, r.role());
            sketch.item(Pick::Spine(s), Cells::new(x, y, text::width(&t).max(1) as i32, 1), 2).cell = true;
        }
    }

    /// Spines as a count, and the exceptions by name.
    fn spine_line(&self, sketch: &mut Sketch, y: i32, right: i32) {
        let odd = |s: &u32| {
            let r = self.spine_reading(*s);
            r.state != State::Up || r.selected
        };
        let (odds, plain): (Vec<u32>, Vec<u32>) = (0..self.spines).partition(odd);
        let mut x = 13;
        let sum = plain.iter().map(|s| self.spine_reading(*s)).reduce(|a, b| a.join(&b)).unwrap_or_default();
        let first = format!(" {} up {}{} ", plain.len(), sum.gauge(), sum.number);
        let mut parts = vec![(first, sum.role(), plain)];
        parts.extend(odds.into_iter().map(|s| {
            let r = self.spine_reading(s);
            let t = if r.selected { format!("►spine{s}◄") } else { format!(" spine{s} {} ", r.gauge()) };
            (t, r.role(), vec![s])
        }));
        for (t, role, spines) in parts {
            let w = text::width(&t) as i32;
            if x + w >= right {
                sketch.text_in(x, y, right - x, "+ ▼", Role::Degraded);
                return;
            }
            sketch.text(x, y, &t, role);
            if let Some((first, rest)) = spines.split_first() {
                let item = sketch.item(Pick::Spine(*first), Cells::new(x, y, w, 1), 2);
                item.also = rest.iter().map(|s| Pick::Spine(*s)).collect();
            }
            x += w + 1;
        }
    }

    /// The bundle of cables of a group, up to the spines or down to the nodes: load, count, rate.
    fn draw_bundle(&self, sketch: &mut Sketch, p: &Plan, group: u32, y: i32, up: bool) {
        let r = self.bundle_reading(group, up);
        let x = self.x(p, group) + 3;
        sketch.canvas.vline(x, y - i32::from(up), y + p.wire - 1, r.stroke(), r.wire_role());
        let after = x + 1 + sketch.text_free(x + 1, y, &r.texts(""), r.role());
        let rate = self.fabric.port_rate.gbits_per_s().round();
        let left = self.cables(group, up);
        let star = if left < self.all_cables(group, up) { " ▼" } else { "" };
        let counts = [format!(" {left} x {rate}G{star}"), format!(" {left} cables{star}"), format!(" {left}{star}")];
        let room = p.column - (after - self.x(p, group)) - 1;
        if let Some(t) = counts.iter().find(|t| text::width(t) as i32 <= room) {
            sketch.text(after, y, t, if star.is_empty() { Role::Dim } else { Role::Degraded });
        }
        if up && p.wire > 1 {
            let ratio = self.fabric.oversubscription;
            let t = if ratio > 1.0 { format!(" {ratio}:1 oversubscribed") } else { " 1:1".to_owned() };
            sketch.text_in(x + 1, y + 1, p.column - 5, &t, if ratio > 1.0 { Role::Strong } else { Role::Dim });
        }
    }

    fn draw_groups(&self, sketch: &mut Sketch, p: &Plan, y: i32) {
        sketch.text(1, y, if self.fabric.rails { "rail" } else { "leaf" }, Role::Dim);
        for g in 0..self.groups {
            let x = self.x(p, g);
            let pick = Pick::Group(g);
            let selected = self.input.selection == Some(pick);
            let name = if selected { format!("►su{g}◄") } else { format!("su{g}") };
            sketch.text(x, y, &name, if selected { Role::Selection } else { Role::Strong });
            if p.column >= 17 && self.spines > 0 {
                sketch.text(x + p.column - 9, y, "down up", Role::Dim);
            } else if p.column >= 17 {
                sketch.text(x + p.column - 9, y, "down", Role::Dim);
            }
            sketch.item(pick, Cells::new(x, y, text::width(&name) as i32, 1), 5);
        }
    }

    fn draw_nodes(&self, sketch: &mut Sketch, p: &Plan, y: i32) {
        sketch.text(1, y, "nodes", Role::Dim);
        let per_row = ((p.column - 1) / 2).min(8);
        for g in 0..self.groups {
            for (i, (unit, node)) in self.members(g).enumerate() {
                let (row, column) = (i as i32 / per_row, i as i32 % per_row);
                let x = self.x(p, g) + column * 2;
                self.draw_node(sketch, (unit, node), (x, y + row), 60 + row as u16);
            }
        }
    }

    fn node_pick(&self, (unit, node): (u32, u32)) -> Pick {
        if self.input.system.is_rack { Pick::Node { unit, node } } else { Pick::Unit(unit) }
    }

    fn mark_of(&self, (unit, node): (u32, u32)) -> (char, Role) {
        let class = self.input.system.class_of(unit).map(|(c, _)| c.0);
        class.and_then(|c| self.nodes.get(&(c, node))).copied().unwrap_or(('·', Role::Dim))
    }

    fn draw_node(&self, sketch: &mut Sketch, at: (u32, u32), (x, y): (i32, i32), storey: u16) {
        let (glyph, role) = self.mark_of(at);
        let pick = self.node_pick(at);
        if self.input.selection == Some(pick) {
            sketch.text(x, y, "►", Role::Selection);
        } else {
            sketch.text(x, y, &glyph.to_string(), role);
        }
        sketch.item(pick, Cells::new(x, y, 1, 1), storey).cell = true;
    }

    /// `31 up 1 ╳` per group.
    fn draw_counts(&self, sketch: &mut Sketch, p: &Plan, y: i32) {
        sketch.text(1, y, "nodes", Role::Dim);
        for g in 0..self.groups {
            let all: Vec<(u32, u32)> = self.members(g).collect();
            let count = |m: char| all.iter().filter(|n| self.mark_of(**n).0 == m).count();
            let (down, bad) = (count('╳'), count('▼'));
            let selected = all.iter().find(|n| self.input.selection == Some(self.node_pick(**n)));
            let hurt = [(bad, '▼'), (down, '╳')].map(|(n, m)| if n > 0 { format!(" {n} {m}") } else { String::new() });
            let (hurt, up) = (hurt.concat(), all.len() - down);
            // What is hurt goes on being told where both have no room.
            let ways = [format!("{up} up{hurt}"), hurt.trim().to_owned(), hurt.replace(' ', "")];
            let ways = ways.map(|t| if selected.is_some() { format!("►{t}◄") } else { t });
            let fits = |t: &&String| (text::width(t) as i32) < p.column;
            let t = ways.iter().find(fits).or(ways.last()).cloned().unwrap_or_default();
            let role = match (selected.is_some(), down, bad) {
                (true, ..) => Role::Selection,
                (_, 0, 0) => Role::Text,
                (_, 0, _) => Role::Degraded,
                _ => Role::Down,
            };
            let x = self.x(p, g);
            sketch.text_in(x, y, p.column - 1, &t, role);
            let picks: Vec<Pick> = all.iter().map(|n| self.node_pick(*n)).collect();
            if let Some((first, rest)) = picks.split_first() {
                let item = sketch.item(*first, Cells::new(x, y, text::width(&t) as i32, 1), 60);
                item.also = rest.to_vec();
            }
        }
    }
}

/// Gauge of a node's busiest cable, or the mark of what is wrong in it.
fn node_mark(look: &Look, node: u32) -> (char, Role) {
    let shape = look.shape();
    let here = |d: DeviceIx| shape.device(d).is_some_and(|k| k.node == Some(node));
    let gpus = shape.gpus().iter().filter(|g| here(**g));
    if gpus.clone().count() > 0 && gpus.clone().all(|g| !look.class.health.device_up(*g)) {
        return ('╳', Role::Down);
    }
    let hurt = look.class.health.links_hurt().any(|(l, _)| shape.link(l).is_some_and(|k| here(k.a) || here(k.b)));
    if hurt || look.class.health.devices_down().any(here) {
        return ('▼', Role::Degraded);
    }
    let cables = shape.nics().iter().filter(|n| here(**n)).filter_map(|n| shape.cable(*n));
    let most = cables.map(|l| look.reading(l).percent).max().unwrap_or(0);
    (gauge(most), Role::for_load(most))
}

/// A reading without marks.
fn plain(number: String, percent: u8) -> Reading {
    Reading { number, percent, up: 1, count: 1, ..Reading::default() }
}
