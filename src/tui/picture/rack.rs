//! A rack whose scale-up domain spans its nodes: rows are trays, columns are switch chips.

mod row;
mod words;

use std::collections::BTreeMap;

use super::frame;
use super::hidden::Note;
use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch, short_name};
use super::{Pick, PictureInput, Scene, line};
use crate::system::{Device, DeviceIx, LinkIx};
use crate::tui::glyphs::gauge;
use crate::tui::text;
use crate::tui::theme::Role;

/// Columns of a tray's name between `►` and `◄`: `node17`, or `alike x18` where equal ones share a row.
const NAME: i32 = 10;
const NAME_MERGED: i32 = 12;

/// One compute tray.
struct Tray {
    node: u32,
    gpus: Vec<DeviceIx>,
    nics: Vec<DeviceIx>,
    /// Links to each chip.
    cells: Vec<Vec<LinkIx>>,
    notes: Vec<Note>,
}

/// Trays drawn in one row.
struct Row<'a> {
    trays: Vec<&'a Tray>,
}

struct Rack<'a> {
    look: Look<'a>,
    chips: Vec<DeviceIx>,
    trays: Vec<Tray>,
}

/// Columns of the parts of a row.
#[derive(Clone, Copy)]
struct Columns {
    gpus: i32,
    cells: i32,
    nics: i32,
    notes: i32,
    /// One blank between the cells of a pair.
    wide: bool,
}

pub(super) fn layout(input: &PictureInput, unit: u32, size: (u16, u16)) -> Scene {
    let mut sketch = Sketch::new(size, input.selection);
    let Some(look) = Look::new(input, unit) else { return sketch.scene() };
    sketch.title = format!("{}   {}", input.system.unit_name(unit), input.system.title);
    input.lens.title().clone_into(&mut sketch.unit);
    let rack = Rack::new(look);
    if !rack.draw(&mut sketch) {
        line::draw(input, Some(unit), &mut sketch);
    }
    sketch.items.iter_mut().for_each(|i| i.lump = true);
    sketch.scene()
}

impl<'a> Rack<'a> {
    fn new(look: Look<'a>) -> Self {
        let shape = look.shape();
        let chips: Vec<DeviceIx> = shape.scale_up_switches().collect();
        let column: BTreeMap<DeviceIx, usize> = chips.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        let node_of = |d: DeviceIx| shape.device(d).and_then(|d| d.node);
        let nodes = look.input.system.nodes_per_unit;
        let empty = |node| Tray { node, gpus: vec![], nics: vec![], cells: vec![vec![]; chips.len()], notes: vec![] };
        let mut trays: Vec<Tray> = (0..nodes).map(empty).collect();
        for (list, is_nic) in [(shape.gpus(), false), (shape.nics(), true)] {
            for d in list {
                let tray = node_of(*d).and_then(|n| trays.get_mut(n as usize));
                if let Some(t) = tray {
                    if is_nic { t.nics.push(*d) } else { t.gpus.push(*d) }
                }
            }
        }
        for l in shape.link_ixs() {
            let Some(link) = shape.link(l) else { continue };
            for (gpu, chip) in [(link.a, link.b), (link.b, link.a)] {
                let (Some(c), Some(n)) = (column.get(&chip), node_of(gpu)) else { continue };
                if let Some(cell) = trays.get_mut(n as usize).and_then(|t| t.cells.get_mut(*c)) {
                    cell.push(l);
                }
            }
        }
        let mut rack = Self { look, chips, trays };
        rack.note_exceptions();
        rack
    }

    /// What is wrong, chosen or edited in each tray, in words.
    fn note_exceptions(&mut self) {
        let look = self.look;
        let shape = look.shape();
        let tray_of = |d: DeviceIx| shape.device(d).and_then(|d| d.node);
        let class = look.class_ix;
        let mut links: Vec<LinkIx> = look.class.health.links_hurt().map(|(l, _)| l).collect();
        links.extend(look.input.edited.links.iter().filter(|(c, _)| *c == class).map(|(_, l)| *l));
        links.extend(look.marked());
        let mut devices: Vec<DeviceIx> = look.class.health.devices_down().collect();
        devices.extend(look.input.edited.devices.iter().filter(|(c, _)| *c == class).map(|(_, d)| *d));
        match look.input.selection {
            Some(Pick::Link { unit, link }) if unit == look.unit => links.push(link),
            Some(Pick::Device { unit, device }) if unit == look.unit => devices.push(device),
            _ => {}
        }
        links.sort_unstable();
        links.dedup();
        devices.sort_unstable();
        devices.dedup();
        for tray in &mut self.trays {
            let here = |d: &DeviceIx| tray_of(*d) == Some(tray.node);
            let touches = |l: &LinkIx| shape.link(*l).is_some_and(|k| here(&k.a) || here(&k.b));
            let d = devices.iter().copied().filter(|d| here(d));
            tray.notes = words::notes(&look, tray, &self.chips, d, links.iter().copied().filter(touches));
        }
    }

    /// Columns for a width; `None` when even the narrow form does not fit.
    fn columns(&self, width: i32, name: i32) -> Option<Columns> {
        let (g, n) = (self.most(|t| t.gpus.len()), self.most(|t| t.nics.len()));
        let c = self.chips.len() as i32;
        let at = |wide: bool| {
            let gpus = name + 1;
            let cells = gpus + span(g, wide) + if wide { 4 } else { 2 };
            let nics = cells + span(c, wide) + if wide { 4 } else { 2 };
            let notes = nics + n * if wide { 2 } else { 1 } + 1;
            Columns { gpus, cells, nics, notes, wide }
        };
        [true, false].into_iter().map(at).find(|k| k.notes <= width)
    }

    fn most(&self, of: impl Fn(&Tray) -> usize) -> i32 {
        self.trays.iter().map(of).max().unwrap_or(0) as i32
    }

    fn draw(&self, sketch: &mut Sketch) -> bool {
        let need = frame::needed_rows(self.look.input, sketch.height());
        let room = sketch.height() - need;
        let full = self.trays.len() as i32 + 3;
        let mut rows: Vec<Row> = self.trays.iter().map(|t| Row { trays: vec![t] }).collect();
        let merged = full > room;
        if merged {
            rows = self.alike();
        }
        let name = if merged { NAME_MERGED } else { NAME };
        let Some(columns) = self.columns(sketch.width(), name) else { return false };
        if room < 5 || self.trays.is_empty() || self.chips.is_empty() {
            return false;
        }
        let fit = (room - 3) as usize;
        let left_out = rows.split_off(rows.len().min(if rows.len() > fit { fit - 1 } else { fit }));
        let used = rows.len() as i32 + 3 + i32::from(!left_out.is_empty());
        let hints = if used + 4 <= room { self.hints() } else { Vec::new() };
        let used = used + hints.len() as i32;
        let (top, _) = frame::draw_gauges(&self.look, sketch, used);
        self.draw_head(sketch, top, columns);
        // In a real rack the switch trays stand in the middle.
        let middle = if merged { rows.len() } else { rows.len().div_ceil(2) + usize::from(rows.len() > 4) };
        let mut y = top + 1;
        for (i, row) in rows.iter().enumerate() {
            if i == middle {
                self.draw_chips(sketch, y, columns, i as u16 + 1);
                y += 2;
            }
            let storey = i as u16 + if i >= middle { 3 } else { 1 };
            self.draw_row(sketch, row, y, columns, storey);
            y += 1;
        }
        if middle >= rows.len() {
            self.draw_left_out(sketch, &left_out, y);
            y += i32::from(!left_out.is_empty());
            self.draw_chips(sketch, y, columns, rows.len() as u16 + 2);
            y += 2;
        }
        for (hint, y) in hints.iter().zip(y..) {
            sketch.text_in(2, y, sketch.width() - 3, hint, Role::Dim);
        }
        true
    }

    /// Equal trays in one row, the largest group first, then exceptions, the most urgent first.
    fn alike(&self) -> Vec<Row<'_>> {
        let mut groups: Vec<(String, Row)> = Vec::new();
        for t in &self.trays {
            let sign = self.signature(t);
            match groups.iter_mut().find(|g| g.0 == sign) {
                Some(g) => g.1.trays.push(t),
                None => groups.push((sign, Row { trays: vec![t] })),
            }
        }
        let urgency = |r: &Row| r.trays.iter().flat_map(|t| &t.notes).map(|n| n.role.urgency()).max().unwrap_or(0);
        groups.sort_by_key(|(_, r)| (std::cmp::Reverse(r.trays.len()), std::cmp::Reverse(urgency(r))));
        groups.into_iter().map(|g| g.1).collect()
    }

    fn signature(&self, t: &Tray) -> String {
        let look = &self.look;
        let cell = |links: &Vec<LinkIx>| {
            let r = look.merged(links);
            format!("{:?}{}{}{}", r.state, r.up, r.selected, r.edited)
        };
        let end = |d: &DeviceIx| format!("{:?}{}", look.device_state(*d), look.is_selected(look.device_pick(*d)));
        let own = look.is_selected(Pick::Node { unit: look.unit, node: t.node });
        let notes: Vec<&str> = t.notes.iter().map(|n| n.text.as_str()).collect();
        let parts: Vec<String> = t.cells.iter().map(cell).chain(t.gpus.iter().chain(&t.nics).map(end)).collect();
        format!("{own}{}{}", parts.join(","), notes.join(","))
    }

    fn draw_head(&self, sketch: &mut Sketch, y: i32, c: Columns) {
        sketch.text(2, y, "tray", Role::Dim);
        sketch.text(c.gpus, y, "GPUs", Role::Dim);
        let texts = ["NVLink: this tray to each chip", "links to each chip", "chips"];
        let family = self.trays.iter().flat_map(|t| t.cells.iter().flatten()).next();
        let title = family.and_then(|l| self.look.shape().link(*l)).map_or("", |l| l.kind.title.as_str());
        let first = texts.map(|t| t.replace("NVLink", title.split(' ').next().unwrap_or("link")));
        if let Some(t) = first.iter().find(|t| text::width(t) as i32 <= c.nics - c.cells - 2) {
            sketch.text(c.cells, y, t, Role::Dim);
        }
        if sketch.width() >= c.nics + 4 {
            sketch.text(c.nics, y, "NICs", Role::Dim);
        }
    }

    /// Numbers of the chips and their own load.
    fn draw_chips(&self, sketch: &mut Sketch, y: i32, c: Columns, storey: u16) {
        let look = &self.look;
        let first = self.chips.first().map_or_else(String::new, |d| short_name_stem(look, *d));
        sketch.text(4, y, &first, Role::Dim);
        sketch.text(4, y + 1, "load", Role::Dim);
        let end = c.cells + span(self.chips.len() as i32, c.wide) - 1;
        let pad = i32::from(c.wide) + 1;
        sketch.bar(y + 1, (c.cells - pad, end + pad), State::Up, Role::Text);
        for (i, chip) in self.chips.iter().enumerate() {
            let x = c.cells + offset(i, c.wide);
            let down = look.device_state(*chip) == State::Down;
            let digit = short_name(look, *chip).chars().last().unwrap_or('?');
            let selected = look.is_selected(look.device_pick(*chip));
            let reading = Reading { selected, ..Reading::default() };
            let role = if down { Role::Down } else { Role::ScaleUp };
            self.mark_as(sketch, (x, y), if down { '╳' } else { digit }, role, &reading, c.wide);
            let load = look.switch_load(*chip);
            let glyph = if down { '╳' } else { gauge(load) };
            sketch.text(x, y + 1, &glyph.to_string(), if down { Role::Down } else { Role::for_load(load) });
            sketch.item(look.device_pick(*chip), Cells::new(x, y, 1, 2), storey).cell = true;
        }
    }

    /// What no row is left for, as a count with its marks.
    fn draw_left_out(&self, sketch: &mut Sketch, rows: &[Row], y: i32) {
        let trays: Vec<&Tray> = rows.iter().flat_map(|r| r.trays.iter().copied()).collect();
        let Some(first) = trays.first() else { return };
        let marks = words::marks(trays.iter().flat_map(|t| &t.notes));
        let t = format!("+{} trays {marks}", trays.len());
        sketch.text(2, y, &t, Role::Degraded);
        let unit = self.look.unit;
        let pick = Pick::Node { unit, node: first.node };
        let item = sketch.item(pick, Cells::new(2, y, text::width(&t) as i32, 1), rows.len() as u16 + 500);
        item.also = trays.iter().skip(1).map(|t| Pick::Node { unit, node: t.node }).collect();
    }
}

/// Columns of `n` cells in pairs.
fn span(n: i32, wide: bool) -> i32 {
    if n == 0 { 0 } else { offset(n as usize - 1, wide) + 1 }
}

/// Column of a cell: pairs stand together.
const fn offset(i: usize, wide: bool) -> i32 {
    let (pair, second) = ((i / 2) as i32, (i % 2) as i32);
    if wide { pair * 5 + second * 2 } else { pair * 3 + second }
}

fn short_name_stem(look: &Look, d: DeviceIx) -> String {
    let name = look.shape().device(d).map_or("", |d: &Device| d.name.as_str());
    name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}
