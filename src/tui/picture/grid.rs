//! A sparse mesh of up to 8 GPUs: boxes in two rows, links as straight runs, crossing diagonals and runs outside.

mod search;

pub(super) use search::{Placement, place};

use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch, short_name};
use super::up::{ScaleUp, lanes};
use crate::system::{DeviceIx, LinkIx};
use crate::tui::canvas::Stroke;
use crate::tui::text;
use crate::tui::theme::Role;

/// Sizes of boxes and gaps; a gap is as wide as high, so that diagonals run from corner to corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    box_w: i32,
    gap: i32,
}

/// Best first.
pub(super) const SCALES: [Scale; 2] = [Scale { box_w: 9, gap: 7 }, Scale { box_w: 7, gap: 5 }];
const BOX_H: i32 = 3;

/// The grid with its places.
pub(super) struct Grid<'a> {
    up: &'a ScaleUp,
    placement: &'a Placement,
    scale: Scale,
    /// Links in the row above and below, with their lanes.
    outer: [Vec<(LinkIx, usize, usize, usize)>; 2],
}

/// How a link runs.
enum Way {
    Across,
    Along,
    Falling,
    Rising,
    Outer,
}

impl<'a> Grid<'a> {
    pub(super) fn new(up: &'a ScaleUp, placement: &'a Placement, scale: Scale) -> Self {
        let mut grid = Self { up, placement, scale, outer: [Vec::new(), Vec::new()] };
        for row in 0..2u8 {
            let far: Vec<&(LinkIx, usize, usize)> = up
                .direct
                .iter()
                .filter(|(_, a, b)| matches!(grid.way(*a, *b), Way::Outer) && grid.at(*a).1 == i32::from(row))
                .collect();
            let column = |g: usize| grid.at(g).0 as usize;
            let spans: Vec<(usize, usize)> =
                far.iter().map(|(_, a, b)| (column(*a).min(column(*b)), column(*a).max(column(*b)))).collect();
            let with = far.iter().zip(lanes(&spans)).map(|((l, a, b), lane)| (*l, *a, *b, lane)).collect();
            if let Some(o) = grid.outer.get_mut(usize::from(row)) {
                *o = with;
            }
        }
        grid
    }

    fn at(&self, gpu: usize) -> (i32, i32) {
        self.placement.at.get(gpu).map_or((0, 0), |(c, r)| (i32::from(*c), i32::from(*r)))
    }

    fn way(&self, a: usize, b: usize) -> Way {
        let ((ca, ra), (cb, rb)) = (self.at(a), self.at(b));
        match ((ca - cb).abs(), ra == rb) {
            (0, _) => Way::Along,
            (1, true) => Way::Across,
            (_, true) => Way::Outer,
            _ if (ca < cb) == (ra < rb) => Way::Falling,
            _ => Way::Rising,
        }
    }

    fn lanes_of(&self, row: usize) -> i32 {
        self.outer.get(row).and_then(|o| o.iter().map(|l| l.3 as i32 + 1).max()).unwrap_or(0)
    }

    /// Rows kept free above the upper boxes.
    fn head(&self) -> i32 {
        let n = self.lanes_of(0);
        if n > 0 { n + 1 } else { 0 }
    }

    pub(super) fn width(&self) -> i32 {
        let n = i32::from(self.placement.columns);
        n * self.scale.box_w + (n - 1) * self.scale.gap
    }

    pub(super) fn height(&self) -> i32 {
        let below = self.lanes_of(1);
        self.head() + 2 * BOX_H + self.scale.gap + if below > 0 { below + 1 } else { 0 }
    }

    /// Top left of a GPU's box.
    fn corner(&self, gpu: usize, (x, y): (i32, i32)) -> (i32, i32) {
        let (c, r) = self.at(gpu);
        let pitch = self.scale.box_w + self.scale.gap;
        (x + c * pitch, y + self.head() + r * (BOX_H + self.scale.gap))
    }

    /// Draws it; storeys count from `storey`.
    pub(super) fn draw(&self, look: &Look, sketch: &mut Sketch, origin: (i32, i32), storey: u16) {
        for (l, a, b) in &self.up.direct {
            self.wire(look, sketch, (*l, *a, *b), origin);
        }
        for (i, gpu) in self.up.gpus.iter().enumerate() {
            self.draw_box(look, sketch, (i, *gpu), origin, storey);
        }
        for (l, a, b) in &self.up.direct {
            self.label(look, sketch, (*l, *a, *b), origin, storey);
        }
        for row in 0..2 {
            for run in self.outer.get(row).into_iter().flatten() {
                self.draw_outer(look, sketch, *run, row, origin, storey);
            }
        }
    }

    fn draw_box(&self, look: &Look, sketch: &mut Sketch, (i, gpu): (usize, DeviceIx), origin: (i32, i32), storey: u16) {
        let (x, y) = self.corner(i, origin);
        let w = self.scale.box_w;
        let state = look.device_state(gpu);
        let selected = look.is_selected(look.device_pick(gpu));
        let role = if state == State::Down { Role::Down } else { Role::Text };
        sketch.canvas.frame(x, y, (w as u16, BOX_H as u16), Stroke::Light, role);
        let name = short_name(look, gpu);
        let body = match state {
            State::Down => format!("╳ {name} ╳"),
            State::Degraded => format!("{name}▼"),
            _ => name,
        };
        let inner = (w - 2) as usize;
        let line = if selected {
            format!("►{}◄", text::centre(&body, inner.saturating_sub(2)))
        } else {
            text::centre(&body, inner)
        };
        sketch.text(x + 1, y + 1, &line, look.device_role(gpu));
        let (_, row) = self.at(i);
        sketch.item(look.device_pick(gpu), Cells::new(x, y, w, BOX_H), storey + if row == 0 { 1 } else { 3 });
    }

    fn wire(&self, look: &Look, sketch: &mut Sketch, (l, a, b): (LinkIx, usize, usize), origin: (i32, i32)) {
        let reading = look.reading(l);
        let (first, last) = self.ordered(a, b);
        let (x, y) = self.corner(first, origin);
        let (w, gap) = (self.scale.box_w, self.scale.gap);
        match self.way(a, b) {
            Way::Across => sketch.run(y + 1, x + w, x + w + gap - 1, &reading),
            Way::Along => {
                sketch.canvas.vline(x + w / 2, y + BOX_H, y + BOX_H + gap - 1, reading.stroke(), reading.wire_role());
            }
            Way::Falling => diagonal(sketch, (x + w, y + BOX_H), (1, gap), &reading),
            Way::Rising => {
                let (x, _) = self.corner(last, origin);
                let top = self.corner(self.upper(a, b), origin).1 + BOX_H;
                let left = x.min(self.corner(first, origin).0) + w;
                diagonal(sketch, (left + gap - 1, top), (-1, gap), &reading);
            }
            Way::Outer => {}
        }
    }

    fn upper(&self, a: usize, b: usize) -> usize {
        if self.at(a).1 <= self.at(b).1 { a } else { b }
    }

    /// The GPU on the left (or above, in one column) first.
    fn ordered(&self, a: usize, b: usize) -> (usize, usize) {
        if self.at(a) <= self.at(b) { (a, b) } else { (b, a) }
    }

    /// Number of a link: above a horizontal, right of a vertical, at the upper end of a falling and the lower end of a
    /// rising diagonal.
    fn label(
        &self,
        look: &Look,
        sketch: &mut Sketch,
        (l, a, b): (LinkIx, usize, usize),
        origin: (i32, i32),
        storey: u16,
    ) {
        let reading = look.reading(l);
        let (first, _) = self.ordered(a, b);
        let (x, y) = self.corner(first, origin);
        let (w, gap) = (self.scale.box_w, self.scale.gap);
        let top = self.corner(self.upper(a, b), origin).1 + BOX_H;
        let texts = labels(&reading);
        let (at, room, storey) = match self.way(a, b) {
            Way::Across => {
                let row = self.at(first).1;
                let t = fit(&texts, gap);
                let at = (x + w + (gap - text::width(&t) as i32) / 2, y);
                (at, gap, storey + if row == 0 { 1 } else { 3 })
            }
            Way::Along => (
                (
                    x + w / 2 + if reading.hot || reading.selected || reading.state == State::Down { 1 } else { 2 },
                    y + BOX_H + gap / 2,
                ),
                i32::midpoint(w, gap) - 2,
                storey + 2,
            ),
            Way::Falling => ((x + w + 2, top), gap - 2, storey + 2),
            Way::Rising => ((x + w + 2, top + gap - 1), gap - 2, storey + 2),
            Way::Outer => return,
        };
        let t = fit(&texts, room);
        sketch.text(at.0, at.1, &t, reading.role());
        let tall = i32::from(matches!(self.way(a, b), Way::Across));
        let cells = Cells::new(at.0, at.1, (text::width(&t) as i32).max(1), 1 + tall);
        sketch.link_item(look, &[l], cells, storey);
    }

    /// A link between boxes of one row that are not neighbours runs outside of the row.
    fn draw_outer(
        &self,
        look: &Look,
        sketch: &mut Sketch,
        (l, a, b, lane): (LinkIx, usize, usize, usize),
        row: usize,
        origin: (i32, i32),
        storey: u16,
    ) {
        let reading = look.reading(l);
        let (first, last) = self.ordered(a, b);
        let ((xa, ya), (xb, _)) = (self.corner(first, origin), self.corner(last, origin));
        let inset = 2 + self.stub(l, row, first);
        let (x0, x1) = (xa + inset, xb + self.scale.box_w - 1 - (2 + self.stub(l, row, last)));
        let lane = lane as i32;
        let (edge, y) = if row == 0 { (ya, ya - 2 - lane) } else { (ya + BOX_H - 1, ya + BOX_H + 1 + lane) };
        let (stroke, role) = (reading.stroke(), reading.wire_role());
        sketch.canvas.hline(y, x0, x1, stroke, role);
        for x in [x0, x1] {
            let from = if row == 0 { edge - 1 } else { edge + 1 };
            sketch.canvas.vline(x, from, y, stroke, role);
        }
        let t = format!(" {} ", fit(&labels(&reading), x1 - x0 - 4));
        let x = x0 + (x1 - x0 + 1 - text::width(&t) as i32) / 2;
        sketch.text(x, y, &t, reading.role());
        let storey = if row == 0 { storey } else { storey + 4 };
        sketch.link_item(look, &[l], Cells::new(x0, y, x1 - x0 + 1, 1), storey);
    }

    /// Where on its box a run begins, so that two runs of one box stay apart.
    fn stub(&self, link: LinkIx, row: usize, gpu: usize) -> i32 {
        let runs = self.outer.get(row).into_iter().flatten().filter(|r| r.1 == gpu || r.2 == gpu);
        2 * runs.take_while(|r| r.0 != link).count() as i32
    }
}

/// A diagonal of a gap. One that is down keeps its ends and shows `╳` in the middle.
fn diagonal(sketch: &mut Sketch, (x, y): (i32, i32), (dx, gap): (i32, i32), reading: &Reading) {
    let last = (x + dx * (gap - 1), y + gap - 1);
    if reading.state != State::Down {
        sketch.canvas.diagonal((x, y), last, reading.wire_role());
        return;
    }
    for end in [(x, y), last] {
        let stop = (end.0, end.1);
        sketch.canvas.diagonal(end, stop, reading.wire_role());
        // A run of one cell has no direction of its own.
        sketch.canvas.put(end.0, end.1, if dx > 0 { '╲' } else { '╱' }, reading.wire_role());
    }
}

/// `2x 88`: how many links, and the number of the lens.
fn labels(reading: &Reading) -> Vec<String> {
    if reading.state == State::Down && !reading.selected {
        return vec!["╳ down".to_owned(), "╳down".to_owned(), "╳".to_owned()];
    }
    reading.texts(&format!("{}x ", reading.up))
}

fn fit(texts: &[String], room: i32) -> String {
    texts.iter().find(|t| text::width(t) as i32 <= room).cloned().unwrap_or_default()
}
