//! Rings and chains: as a loop where one node has them all, else a row per node with the way to the next one at its end.

use super::sketch::{Sketch, mark_of, role_of};
use crate::tui::app::{Course, Wire};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Ranks of a loop.
const LOOP: std::ops::RangeInclusive<usize> = 4..=16;

/// The ways to draw them, the best first: a ring as a loop, a chain in a line while there is room.
pub(super) fn ways(rows: &[Course], mark: usize) -> Vec<Sketch> {
    let alone = rows.first().filter(|r| rows.len() == 1 && LOOP.contains(&r.stops.len()));
    let bent = alone.map(|r| circle(r, r.out.as_ref().map(|o| &o.0), mark));
    let plain = [(mark, true), (0, true), (0, false)].map(|(cells, ends)| lines(rows, cells, ends));
    let mut ways = Vec::from(plain);
    if let Some(bent) = bent {
        ways.insert(usize::from(rows.iter().all(|r| r.out.is_none())), bent);
    }
    ways
}

/// A row per node: `n0 [g0]━c3►[g1]━c4►[g2]━c5►[n1/g0]`, with marks of so many cells, and with or
/// without where its end leads.
fn lines(rows: &[Course], cells: usize, ends: bool) -> Sketch {
    let mut sketch = Sketch::default();
    let name = rows.iter().map(|r| text::width(&r.name)).max().unwrap_or(0);
    let stop = rows.iter().flat_map(|r| &r.stops).map(|s| text::width(s)).max().unwrap_or(1) + 2;
    for (y, row) in rows.iter().enumerate() {
        sketch.put(0, y, &row.name, Role::Strong);
        let mut x = if name > 0 { name + 1 } else { 0 };
        for (i, s) in row.stops.iter().enumerate() {
            sketch.put(x, y, &text::pad(&format!("[{s}]"), stop), Role::ScaleUp);
            x += stop;
            if let Some(wire) = row.wires.get(i) {
                sketch.put(x, y, &level(wire, cells), role_of(wire));
                x += cells + 2;
            }
        }
        if let Some((wire, to)) = &row.out {
            let drawn = level(wire, cells);
            sketch.put(x, y, &drawn, role_of(wire));
            if ends {
                sketch.put(x + text::width(&drawn), y, &format!("[{to}]"), Role::Dim);
            }
        }
    }
    sketch
}

/// `━c3►`, `◄c3━`, `◄p1►`, `┄┄┄┄`.
fn level(wire: &Wire, cells: usize) -> String {
    if !wire.is_busy() {
        return "┄".repeat(cells + 2);
    }
    let left = if wire.back.is_some() { mark::SELECTED_RIGHT } else { '━' };
    let right = if wire.on.is_some() { mark::SELECTED_LEFT } else { '━' };
    let mark = text::pad(if cells > 0 { mark_of(wire) } else { "" }, cells).replace(' ', "━");
    format!("{left}{mark}{right}")
}

/// The ranks in two rows, the upper one to the right, the lower one back; the mark beside each wire. A chain has no wire that
/// closes the loop.
fn circle(row: &Course, closing: Option<&Wire>, mark: usize) -> Sketch {
    let mut sketch = Sketch::default();
    let wires: Vec<&Wire> = row.wires.iter().chain(closing).collect();
    let above = row.stops.len().div_ceil(2);
    let slot = row.stops.iter().map(|s| text::width(s)).max().unwrap_or(2) + 2;
    let long = mark.max(1) + 3;
    let step = slot + long;
    // Where the lower row is one short, its last wire is a longer one.
    let at = |i: usize| match i {
        i if i < above => (i * step, 1),
        i if i + 1 == row.stops.len() => (0, 5),
        i => ((2 * above - 1 - i) * step, 5),
    };
    for (i, stop) in row.stops.iter().enumerate() {
        let ((x, y), (to, to_y)) = (at(i), at((i + 1) % row.stops.len()));
        sketch.put(x, y, &text::pad(&format!("[{stop}]"), slot), Role::ScaleUp);
        let Some(wire) = wires.get(i) else { continue };
        let role = role_of(wire);
        if y != to_y {
            upright(&mut sketch, wire, (x.max(to), y < to_y));
            continue;
        }
        let (from, cells) = (x.min(to) + slot, x.abs_diff(to) - slot);
        let line = if wire.is_busy() { "━" } else { "┄" }.repeat(cells - 1);
        let (drawn, beside) = if x < to {
            (format!("{line}{}", if wire.is_busy() { mark::SELECTED_LEFT } else { '┄' }), y - 1)
        } else {
            (format!("{}{line}", if wire.is_busy() { mark::SELECTED_RIGHT } else { '┄' }), y + 1)
        };
        sketch.put(from, y, &drawn, role);
        sketch.put(from, beside, text::centre(mark_of(wire), cells).trim_end(), role);
    }
    let busy = wires.iter().filter(|w| w.is_busy()).count();
    if busy > 1 {
        let words = format!("{busy} links busy at once");
        let room = (above - 1) * step;
        let x = 6 + mark;
        if text::width(&words) + x < room {
            sketch.put(x, 3, &words, Role::Dim);
        }
    }
    sketch
}

/// The link from one row to the other at an end of the loop.
fn upright(sketch: &mut Sketch, wire: &Wire, (x, downward): (usize, bool)) {
    let head = if downward { (4, '▼') } else { (2, '▲') };
    for y in 2..=4 {
        let glyph = match (wire.is_busy(), y == head.0) {
            (false, _) => '┆',
            (true, true) => head.1,
            (true, false) => '┃',
        };
        sketch.put(x + 1, y, &glyph.to_string(), role_of(wire));
    }
    sketch.put(x + 3, 3, mark_of(wire), role_of(wire));
}
