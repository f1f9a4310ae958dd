//! What stands around a picture: the context strip above it, captions and legend below, as far as there is room.

use super::reading::{Look, load_number};
use super::sketch::{Cells, Sketch};
use super::{Lens, Pick, PictureInput};
use crate::system::LeafIx;
use crate::tui::glyphs::gauge;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::Share;

/// The legend, from long to short.
const LEGENDS: [&str; 3] = [
    "┆ idle  │ <50  ┃ 50+  ◄ bottleneck  ▼ degraded  ╳ down  ► selected  * edited",
    "┆ idle  │ <50  ┃ 50+  ◄ bottleneck  ▼ degraded  ╳ down  ► selected",
    "┆idle │<50 ┃50+  ◄bottleneck  ▼degraded  ╳down",
];

/// The legend of pictures made of gauges.
pub(super) const GAUGE_LEGENDS: [&str; 2] = [
    "· ▁▂▃▄▅▆▇ 0 .. 100 %  ◄ bottleneck  ▼ degraded  ╳ down  ■ GPU up  * edited",
    "◄bottleneck  ▼degraded  ╳down  *edited",
];

/// Rows for captions that a picture may not take.
pub(super) fn needed_rows(input: &PictureInput, height: i32) -> i32 {
    let most = match height {
        0..=5 => 0,
        6..=11 => 1,
        _ => 2,
    };
    (input.captions.len() as i32).min(most)
}

/// Draws strip, captions and legend around a picture of so many rows; returns its first row and the row after the last
/// one that it may use.
pub(super) fn draw(look: &Look, sketch: &mut Sketch, rows: i32) -> (i32, i32) {
    let strip = sketch.width() >= 90 && strip_has_something(look);
    draw_with(look.input, sketch, rows, strip.then_some(look), &LEGENDS)
}

/// The same for pictures of the whole machine, which need no strip.
pub(super) fn draw_plain(input: &PictureInput, sketch: &mut Sketch, rows: i32, legends: &[&str]) -> (i32, i32) {
    draw_with(input, sketch, rows, None, legends)
}

/// The same for the pictures made of gauges, with the strip of units.
pub(super) fn draw_gauges(look: &Look, sketch: &mut Sketch, rows: i32) -> (i32, i32) {
    let strip = sketch.width() >= 90 && strip_has_something(look);
    draw_with(look.input, sketch, rows, strip.then_some(look), &GAUGE_LEGENDS)
}

fn draw_with(
    input: &PictureInput,
    sketch: &mut Sketch,
    rows: i32,
    strip: Option<&Look>,
    legends: &[&str],
) -> (i32, i32) {
    let height = sketch.height();
    let mut free = (height - rows).max(0);
    let mut take = |n: i32| {
        let got = if free >= n { n } else { 0 };
        free -= got;
        got
    };
    let captions = input.captions.len() as i32;
    let need = take(needed_rows(input, height));
    let legend = take(1);
    let lead = take(1);
    let head = if strip.is_some() { take(2) } else { 0 };
    let gap = take(i32::from(need > 0));
    let more = (need..captions).filter(|_| take(1) > 0).count() as i32;
    let apart = take(i32::from(captions > 0));
    if let Some(look) = strip.filter(|_| head > 0) {
        draw_strip(look, sketch, lead);
    }
    let top = lead + head;
    let foot = height - legend - apart - need - more - gap;
    let mut y = (top + rows + gap).max(0);
    // With much room the captions stay near the picture, the legend at the bottom.
    y = sketch.captions(y, 3, input.captions.split_at((need + more) as usize), height - 1 - legend);
    if legend > 0 && y < height {
        let room = (sketch.width() - 4).max(0) as usize;
        if let Some(t) = legends.iter().find(|t| text::width(t) <= room) {
            sketch.text(3, height - 1, t, Role::Dim);
        }
    }
    (top, foot.max(top + rows))
}

fn strip_has_something(look: &Look) -> bool {
    look.input.system.units > 1
}

/// Where we are and what is beside it: the other units with their load, the leaves with theirs.
fn draw_strip(look: &Look, sketch: &mut Sketch, y: i32) {
    let system = look.input.system;
    let mut x = sketch.text(2, y, "cluster ", Role::Dim);
    let leaves = leaves_text(look);
    let room =
        sketch.width() - leaves.as_ref().map_or(0, |(name, gauges)| text::width(name) + text::width(gauges) + 3) as i32;
    for unit in 0..system.units.min(64) {
        let Some(other) = Look::new(look.input, unit) else { continue };
        let (mark, role) = unit_mark(&other);
        let name = system.unit_name(unit);
        let here = unit == look.unit;
        let t = if here { format!("►{name}◄{mark}") } else { format!("{name}{mark}") };
        let w = text::width(&t) as i32;
        let more = format!("+{} more", system.units - unit);
        let last = unit + 1 == system.units;
        if x + w + if last { 0 } else { 2 + text::width(&more) as i32 } > room {
            x = sketch.text(x, y, &more, Role::Dim);
            break;
        }
        sketch.text(x, y, &t, if here { Role::Strong } else { role });
        sketch.strip_item(Pick::Unit(unit), Cells::new(x, y, w, 1));
        x += w + 2;
    }
    if let Some((name, gauges)) = leaves {
        let after = sketch.text(x + 2, y, &name, Role::Dim);
        sketch.text(after, y, &gauges, Role::Text);
    }
}

/// Gauge of the busiest cable of a unit, or the mark of what is wrong in it.
pub(super) fn unit_mark(look: &Look) -> (char, Role) {
    let health = &look.class.health;
    let shape = look.shape();
    let cables = shape.nics().iter().filter_map(|n| shape.cable(*n));
    let loads = cables.map(|l| look.load(l));
    let most = loads.fold(Share::ZERO, |a, b| if a < b { b } else { a });
    let (_, p) = load_number(most);
    let all_out = shape.gpus().iter().all(|g| !health.device_up(*g));
    if all_out && !shape.gpus().is_empty() {
        ('╳', Role::Down)
    } else if !health.is_healthy() {
        ('▼', Role::Degraded)
    } else {
        (gauge(p), Role::for_load(p))
    }
}

/// `leaf0..15 ` and the leaves' gauges: one for all where they are equal.
fn leaves_text(look: &Look) -> Option<(String, String)> {
    let fabric = look.input.system.fabric.as_ref()?;
    let leaves = fabric.leaves().min(16);
    if look.input.lens != Lens::Load || leaves < 2 {
        return None;
    }
    let gauges: String = (0..leaves).map(|l| leaf_gauge(look, LeafIx(l))).collect();
    let mut each = gauges.chars();
    let first = each.next()?;
    let gauges = if each.all(|g| g == first) { first.to_string() } else { format!(" {gauges}") };
    Some((format!("leaf0..{}", leaves - 1), gauges))
}

/// Busiest cable of a leaf, down or up.
fn leaf_gauge(look: &Look, leaf: LeafIx) -> char {
    let Some(fabric) = &look.input.system.fabric else { return '·' };
    if fabric.health.leaves.get(&leaf.0).is_some_and(|s| s.ratio() <= 0.0) {
        return '╳';
    }
    gauge(load_number(look.input.loads.leaf(look.input.system, leaf)).1)
}
