//! The two trees between the units: a level per storey, the wires with an arrow for each direction.

use super::sketch::{Arm, Beam, Sketch, role_of};
use crate::tui::app::{Flow, Knot};
use crate::tui::glyphs::Weight;
use crate::tui::text;
use crate::tui::theme::Role;

/// Columns between two trees.
const BETWEEN: usize = 4;

/// The ways to draw them, the best first: side by side or the first one alone, with the pieces' marks or without.
pub(super) fn ways(trees: &[Vec<Knot>], mark: usize) -> Vec<Sketch> {
    let first = trees.get(..1).unwrap_or(trees);
    [(trees, mark), (trees, 0), (first, mark), (first, 0)].map(|(t, cells)| beside(t, cells)).into()
}

fn beside(trees: &[Vec<Knot>], cells: usize) -> Sketch {
    let mut sketch = Sketch::default();
    for (i, tree) in trees.iter().enumerate() {
        let x = if i == 0 { 0 } else { sketch.width() + BETWEEN };
        let more = if trees.len() < 2 { "; the other one is turned round" } else { "" };
        sketch.put(x, 0, &format!("tree {}{more}", i + 1), Role::Dim);
        sketch.lay(x, 1, &one(tree, cells));
    }
    sketch
}

fn one(tree: &[Knot], cells: usize) -> Sketch {
    let mut sketch = Sketch::default();
    let name = tree.iter().map(|k| text::width(&k.name)).max().unwrap_or(2) + 2;
    // Both arrows, each with its mark, and a gap; of two units on one level another one is between them.
    let slot = ((2 * (cells + 1)).max(name) + 1).div_ceil(2).max(3);
    let tap = |k: &Knot| k.place * slot + 1;
    for k in tree {
        let y = k.level as usize * 3;
        sketch.put(k.place * slot, y, &format!("[{}]", k.name), Role::ScaleUp);
        if k.parent.is_some() && y > 0 {
            arrows(&mut sketch, k, (tap(k), y - 1), cells);
        }
    }
    for (i, parent) in tree.iter().enumerate() {
        let children: Vec<&Knot> = tree.iter().filter(|k| k.parent == Some(i)).collect();
        let mut beam = Beam::default();
        for k in &children {
            let weight = if k.wire.is_busy() { Weight::Heavy } else { Weight::Light };
            // Two wires that differ only in the mark of the slowest are one bar.
            let role = match role_of(&k.wire) {
                Role::Bottleneck => k.wire.on.as_ref().or(k.wire.back.as_ref()).map_or(Role::Dim, |f| f.role),
                role => role,
            };
            beam.across(tap(parent), tap(k), weight, role);
            beam.arm(tap(parent), Arm::Up, weight, role);
            beam.arm(tap(k), Arm::Down, weight, role);
        }
        beam.draw(&mut sketch, parent.level as usize * 3 + 1);
    }
    sketch
}

/// `▲p1 ▼p1` above a unit: what goes up, what comes down; a dim line where nothing does.
fn arrows(sketch: &mut Sketch, k: &Knot, (x, y): (usize, usize), cells: usize) {
    if !k.wire.is_busy() {
        sketch.put(x, y, "│", Role::Dim);
        return;
    }
    let one = |head: char, f: &Flow| {
        let mark = if cells > 0 { f.mark.as_str() } else { "" };
        let role = if f.slowest { Role::Bottleneck } else { f.role };
        (format!("{head}{mark}"), role)
    };
    let mut x = x;
    for (head, flow) in [('▲', &k.wire.on), ('▼', &k.wire.back)] {
        if let Some(f) = flow {
            let (words, role) = one(head, f);
            sketch.put(x, y, &words, role);
            x += text::width(&words);
        }
    }
}
