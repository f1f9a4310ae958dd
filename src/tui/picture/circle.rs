//! The circle of a dense mesh in Braille dots: the shape at a glance. No fact is told here alone.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::Pick;
use super::chart::CIRCLE;
use super::reading::{Look, State};
use super::sketch::{Sketch, short_name};
use super::up::ScaleUp;
use crate::tui::theme::Role;

/// Dots of Braille cells, with the most urgent role of each cell.
#[derive(Default)]
struct Dots(BTreeMap<(i32, i32), (u8, Option<Role>)>);

impl Dots {
    fn set(&mut self, (x, y): (i32, i32), role: Role) {
        let bit = match (x.rem_euclid(2), y.rem_euclid(4)) {
            (0, 3) => 0x40,
            (_, 3) => 0x80,
            (column, row) => 1 << (row + 3 * column),
        };
        let cell = self.0.entry((x.div_euclid(2), y.div_euclid(4))).or_default();
        cell.0 |= bit;
        if cell.1.is_none_or(|r| role.urgency() >= r.urgency()) {
            cell.1 = Some(role);
        }
    }

    /// A straight line of dots; `keep` chooses which of them are set.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), role: Role, keep: fn(i32) -> bool) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0) as i32;
        for i in (0..=steps).filter(|i| keep(*i)) {
            let t = f64::from(i) / f64::from(steps);
            let at = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            self.set((at.0.round() as i32, at.1.round() as i32), role);
        }
    }
}

/// Dot of a place on the circle: GPU k stands at the angle `(k + 1/2) / n`, clockwise from the top.
fn dot(k: usize, n: usize) -> (f64, f64) {
    let angle = TAU * (k as f64 + 0.5) / n as f64;
    let (w, h) = (f64::from(CIRCLE.0 - 8) * 2.0, f64::from(CIRCLE.1) * 4.0 - 4.0);
    (8.0 + w / 2.0 + angle.sin() * w / 2.0, 2.0 + h / 2.0 - angle.cos() * h / 2.0)
}

pub(super) fn draw(look: &Look, sketch: &mut Sketch, up: &ScaleUp, (x, y): (i32, i32)) {
    let n = up.gpus.len();
    let mut dots = Dots::default();
    let mut crosses = Vec::new();
    for (l, a, b) in &up.direct {
        let (from, to) = (dot(*a, n), dot(*b, n));
        let reading = look.reading(*l);
        let role = reading.wire_role();
        let keep: fn(i32) -> bool = match reading.state {
            State::Down => |i| i % 6 < 3,
            _ if quiet(look, *a, *b, up) => |i| i % 4 == 0,
            _ => |_| true,
        };
        dots.line(from, to, role, keep);
        if reading.state == State::Down {
            crosses.push((f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1)));
        }
    }
    for ((cx, cy), (bits, role)) in dots.0 {
        let glyph = char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ');
        sketch.canvas.put(x + cx, y + cy, glyph, role.unwrap_or(Role::Dim));
    }
    for (cx, cy) in crosses {
        sketch.canvas.put(x + (cx / 2.0).round() as i32, y + (cy / 4.0).round() as i32, '╳', Role::Down);
    }
    for (k, gpu) in up.gpus.iter().enumerate() {
        let at = dot(k, n);
        let selected = look.is_selected(look.device_pick(*gpu));
        let name = short_name(look, *gpu);
        let name = if selected { format!("►{name}◄") } else { format!("[{name}]") };
        let w = name.chars().count() as i32;
        let left = at.0 < f64::from(CIRCLE.0);
        let column = (at.0 / 2.0).round() as i32;
        let column = if left { column - w + 1 } else { column };
        sketch.canvas.text(
            x + column.clamp(0, CIRCLE.0 - w),
            y + (at.1.round() as i32).div_euclid(4),
            &name,
            look.device_role(*gpu),
        );
    }
}

/// With a GPU selected, the links of the others are dotted.
fn quiet(look: &Look, a: usize, b: usize, up: &ScaleUp) -> bool {
    let Some(Pick::Device { unit, device }) = look.input.selection else { return false };
    let is = |i: usize| up.gpus.get(i) == Some(&device);
    unit == look.unit && up.gpus.contains(&device) && !is(a) && !is(b)
}
