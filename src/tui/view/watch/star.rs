//! Switches that add: the GPUs above, an arrow down into the switches and one back up for each.

use super::sketch::Sketch;
use crate::tui::app::{Flow, Star, Wire};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// The ways to draw it, the best first: with the pieces' marks, without, with bare names.
pub(super) fn ways(star: &Star, mark: usize) -> Vec<Sketch> {
    [(mark, true), (0, true), (0, false)].map(|(cells, brackets)| one(star, cells, brackets)).into()
}

fn one(star: &Star, cells: usize, brackets: bool) -> Sketch {
    let label = |name: &str| if brackets { format!("[{name}]") } else { name.to_owned() };
    let mut sketch = Sketch::default();
    let flows = || star.spokes.iter().flat_map(|s| [&s.1.on, &s.1.back]).flatten();
    let name = star.spokes.iter().map(|s| text::width(&label(&s.0))).max().unwrap_or(2);
    // An arrow with its mark for each direction, and a gap.
    let lane = cells + 1;
    let slot = (2 * lane).max(name) + 1;
    let bar = star.spokes.len() * slot + 1;
    sketch.put(0, 3, &format!("{}{}{}", mark::BAR_LEFT, "═".repeat(bar), mark::BAR_RIGHT), Role::Text);
    for (i, (name, wire)) in star.spokes.iter().enumerate() {
        let x = 2 + i * slot;
        sketch.put(x, 0, &label(name), Role::ScaleUp);
        spoke(&mut sketch, wire, x + usize::from(brackets), cells);
    }
    let added = flows().any(|f| f.adds);
    let copied = star.spokes.iter().filter(|s| s.1.back.is_some()).count() > 1;
    let mut words: Vec<String> = Vec::new();
    if star.each > 1 {
        words.push(format!("{} GPUs each", star.each));
    }
    words.extend(added.then(|| "+ added in the switches".to_owned()));
    words.extend(copied.then(|| format!("{} copied to all", mark::FULL)));
    sketch.put(2, 4, &star.hub, Role::Strong);
    // Beside the name where the bar is as wide as both, else below it.
    let words = words.join("  ");
    let beside = text::width(&star.hub) + 4;
    let (x, y) = if beside + text::width(&words) <= bar + 8 { (beside, 4) } else { (2, 5) };
    sketch.put(x, y, &words, Role::Dim);
    sketch
}

/// The two directions of a spoke: into the switches left, out of them right.
fn spoke(sketch: &mut Sketch, wire: &Wire, x: usize, cells: usize) {
    let role = |f: &Flow| if f.slowest { Role::Bottleneck } else { f.role };
    let mark = |f: &Flow| if cells > 0 { f.mark.clone() } else { String::new() };
    let out = x + cells + 1;
    match &wire.on {
        Some(f) => {
            sketch.put(x, 1, &format!("┃{}", mark(f)), role(f));
            sketch.put(x, 2, "▼", role(f));
            sketch.put(x, 3, if f.adds { "+" } else { "╤" }, role(f));
        }
        None => [1, 2].into_iter().for_each(|y| sketch.put(x, y, "┆", Role::Dim)),
    }
    match &wire.back {
        Some(f) => {
            sketch.put(out, 1, &format!("▲{}", mark(f)), role(f));
            sketch.put(out, 2, "┃", role(f));
            sketch.put(out, 3, &mark::FULL.to_string(), role(f));
        }
        None => [1, 2].into_iter().for_each(|y| sketch.put(out, y, "┆", Role::Dim)),
    }
}
