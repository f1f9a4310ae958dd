//! A row of the rack: a tray, or several that are alike, with its GPUs, its links to every chip and its NICs.

use super::super::Pick;
use super::super::hidden::Note;
use super::super::reading::{Reading, State};
use super::super::sketch::{Cells, Sketch, is_spare};
use super::{Columns, Rack, Row, Tray, offset, words};
use crate::system::{DeviceIx, LinkIx};
use crate::tui::text;
use crate::tui::theme::Role;

impl Rack<'_> {
    pub(super) fn draw_row(&self, sketch: &mut Sketch, row: &Row, y: i32, c: Columns, storey: u16) {
        let look = &self.look;
        let Some(first) = row.trays.first() else { return };
        let pick = |t: &Tray| Pick::Node { unit: look.unit, node: t.node };
        let selected = row.trays.iter().any(|t| look.is_selected(pick(t)));
        let name =
            if row.trays.len() > 1 { format!("alike x{}", row.trays.len()) } else { format!("node{}", first.node) };
        let name = if selected { format!("►{name}◄") } else { name };
        let x = if selected { 1 } else { 2 };
        sketch.text(x, y, &name, if selected { Role::Selection } else { Role::Text });
        let item = sketch.item(pick(first), Cells::new(x, y, text::width(&name) as i32, 1), storey);
        item.cell = true;
        item.also = row.trays.iter().skip(1).map(|t| pick(t)).collect();
        for (i, gpu) in first.gpus.iter().enumerate() {
            let alike: Vec<DeviceIx> = row.trays.iter().filter_map(|t| t.gpus.get(i)).copied().collect();
            self.draw_gpu(sketch, (*gpu, &alike), (c.gpus + offset(i, c.wide), y), c.wide, storey);
        }
        for i in 0..self.chips.len() {
            let links: Vec<LinkIx> = row.trays.iter().filter_map(|t| t.cells.get(i)).flatten().copied().collect();
            let reading = self.cell_reading(row, i);
            let x = c.cells + offset(i, c.wide);
            self.mark(sketch, (x, y), cell_glyph(&reading), &reading, c.wide);
            if let Some(item) = sketch.link_item(look, &links, Cells::new(x, y, 1, 1), storey) {
                item.cell = true;
            }
        }
        if c.wide {
            sketch.canvas.put(c.cells - 2, y, '│', Role::Dim);
            sketch.canvas.put(c.nics - 2, y, '│', Role::Dim);
        }
        for (i, nic) in first.nics.iter().enumerate() {
            let alike: Vec<DeviceIx> = row.trays.iter().filter_map(|t| t.nics.get(i)).copied().collect();
            self.draw_nic(sketch, (*nic, &alike), (c.nics + i as i32 * if c.wide { 2 } else { 1 }, y), c.wide, storey);
        }
        draw_notes(sketch, first, (c.notes, y), c.wide);
    }

    /// Counts are those of one tray, load and state the worst of all in the row.
    pub(super) fn cell_reading(&self, row: &Row, chip: usize) -> Reading {
        let mut all = row.trays.iter().filter_map(|t| t.cells.get(chip)).map(|l| self.look.merged(l));
        let Some(first) = all.next() else { return Reading::default() };
        let (up, count) = (first.up, first.count);
        let sum = all.fold(first, |a, b| a.join(&b));
        Reading { up, count, ..sum }
    }

    pub(super) fn draw_gpu(
        &self,
        sketch: &mut Sketch,
        (gpu, alike): (DeviceIx, &[DeviceIx]),
        (x, y): (i32, i32),
        wide: bool,
        storey: u16,
    ) {
        let look = &self.look;
        let spare = is_spare(look, gpu);
        let state = alike.iter().map(|d| look.device_state(*d)).max().unwrap_or_default();
        let glyph = match state {
            State::Down => '╳',
            State::Degraded => '▼',
            _ if spare => '·',
            _ => '■',
        };
        let selected = alike.iter().any(|d| look.is_selected(look.device_pick(*d)));
        let reading = Reading { selected, ..Reading::default() };
        self.mark_as(sketch, (x, y), glyph, look.device_role(gpu), &reading, wide);
        let item = sketch.item(look.device_pick(gpu), Cells::new(x, y, 1, 1), storey);
        item.cell = true;
        item.also = alike.iter().skip(1).map(|d| look.device_pick(*d)).collect();
    }

    pub(super) fn draw_nic(
        &self,
        sketch: &mut Sketch,
        (nic, alike): (DeviceIx, &[DeviceIx]),
        (x, y): (i32, i32),
        wide: bool,
        storey: u16,
    ) {
        let look = &self.look;
        let cables: Vec<LinkIx> = alike.iter().filter_map(|d| look.shape().cable(*d)).collect();
        let mut reading = look.merged(&cables);
        if alike.iter().any(|d| !look.class.health.device_up(*d)) {
            reading.state = State::Down;
        }
        reading.selected |= alike.iter().any(|d| look.is_selected(look.device_pick(*d)));
        let glyph = if cables.is_empty() && reading.state == State::Up { '·' } else { reading.gauge() };
        self.mark(sketch, (x, y), glyph, &reading, wide);
        let item = sketch.item(look.device_pick(nic), Cells::new(x, y, 1, 1), storey);
        item.cell = true;
        item.also = alike
            .iter()
            .skip(1)
            .map(|d| look.device_pick(*d))
            .chain(cables.iter().map(|l| look.link_pick(*l)))
            .collect();
    }

    pub(super) fn mark(&self, sketch: &mut Sketch, at: (i32, i32), glyph: char, reading: &Reading, wide: bool) {
        self.mark_as(sketch, at, glyph, reading.role(), reading, wide);
    }

    /// A cell of one glyph; the selected one between `►` and `◄` where there is room.
    pub(super) fn mark_as(
        &self,
        sketch: &mut Sketch,
        (x, y): (i32, i32),
        glyph: char,
        role: Role,
        reading: &Reading,
        wide: bool,
    ) {
        let _ = self;
        match (reading.selected, wide) {
            (true, true) => sketch.text(x - 1, y, &format!("►{glyph}◄"), Role::Selection),
            (true, false) => sketch.text(x, y, "►", Role::Selection),
            _ => sketch.text(x, y, &glyph.to_string(), role),
        };
    }
}

/// What is wrong in a tray: the most urgent in words, the rest as a count. Where cells are wide the selection shows there.
fn draw_notes(sketch: &mut Sketch, tray: &Tray, (x, y): (i32, i32), wide: bool) {
    let notes: Vec<&Note> = tray.notes.iter().filter(|n| !wide || n.role != Role::Selection).collect();
    let mut x = x;
    for (i, note) in notes.iter().enumerate() {
        let rest = notes.len() - i - 1;
        let more = if rest > 0 { format!(" +{rest}") } else { String::new() };
        let room = sketch.width() - x - text::width(&more) as i32;
        let texts = [note.text.clone(), words::short(&note.text)];
        let Some(t) = texts.into_iter().find(|t| text::width(t) as i32 <= room) else {
            let left = notes.get(i..).unwrap_or_default();
            let marked = format!("{}+{}", words::marks(left.iter().copied()), left.len());
            let texts = [marked, format!("+{}", left.len())];
            let x = x - i32::from(i > 0);
            if let Some(t) = texts.iter().find(|t| text::width(t) as i32 <= sketch.width() - x) {
                sketch.text(x, y, t, note.role);
            }
            return;
        };
        x = sketch.text(x, y, &t, note.role) + 2;
    }
}

/// Digits when links are gone, else the gauge.
pub(super) fn cell_glyph(r: &Reading) -> char {
    if r.state != State::Down && r.up < r.count {
        return char::from_digit(r.up, 10).unwrap_or('▼');
    }
    r.gauge()
}
