//! The last resort: one line with the worst states, the bottleneck and the selection.

use super::reading::{Look, load_number};
use super::sketch::{Cells, Sketch};
use super::{Pick, PictureInput};
use crate::tui::text;
use crate::tui::theme::Role;

/// Draws as much of it as there is room for, marks first: they must survive on 20 cells.
pub(super) fn draw(input: &PictureInput, unit: Option<u32>, sketch: &mut Sketch) {
    if sketch.width() == 0 || sketch.height() == 0 {
        return;
    }
    let mut parts: Vec<(String, Role)> = Vec::new();
    let (down, degraded) = hurt(input, unit);
    if down > 0 {
        parts.push((format!("╳{down}"), Role::Down));
    }
    if degraded > 0 {
        parts.push((format!("▼{degraded}"), Role::Degraded));
    }
    parts.extend(bottleneck(input).map(|t| (t, Role::Bottleneck)));
    parts.extend(input.selection.map(|p| (format!("►{}◄", short_pick(input, p)), Role::Selection)));
    let name = unit.map_or_else(|| "fabric".to_owned(), |u| input.system.unit_name(u));
    parts.push((name, Role::Strong));
    let mut x = 0;
    for (t, role) in parts {
        let room = sketch.width() - x;
        if room < 2 {
            break;
        }
        let cut = text::truncate(&t, room as usize).into_owned();
        x = sketch.text(x, 0, &cut, role) + 1;
    }
    let pick = input.selection.or(unit.map(Pick::Unit)).unwrap_or(Pick::Unit(0));
    sketch.item(pick, Cells::new(0, 0, x.max(1), 1), 0);
}

/// Devices and links that are out, and those that are degraded: of a unit, or of the whole machine.
pub(super) fn hurt(input: &PictureInput, unit: Option<u32>) -> (usize, usize) {
    let (mut down, mut degraded) = (0, 0);
    for c in &input.system.classes {
        if unit.is_some_and(|u| !c.members.contains(u)) {
            continue;
        }
        let n = if unit.is_some() { 1 } else { c.members.len() as usize };
        down += n * c.health.devices_down().count();
        for (_, h) in c.health.links_hurt() {
            let out = h.left().ratio() <= 0.0;
            *(if out { &mut down } else { &mut degraded }) += n;
        }
    }
    if let Some(f) = input.system.fabric.as_ref().filter(|_| unit.is_none()) {
        let all = [&f.health.leaves, &f.health.spines, &f.health.cores];
        for left in all.into_iter().flat_map(|m| m.values()).chain(f.health.uplinks.values()) {
            *(if left.ratio() <= 0.0 { &mut down } else { &mut degraded }) += 1;
        }
    }
    (down, degraded)
}

/// `◄100`: the load of the bottleneck.
fn bottleneck(input: &PictureInput) -> Option<String> {
    let (class, link) = input.bottleneck.links.first()?;
    let unit = input.system.classes.get(class.0)?.members.first()?;
    let look = Look::new(input, unit)?;
    Some(format!("◄{}", load_number(look.load(*link)).0))
}

/// A selection in few cells.
pub(super) fn short_pick(input: &PictureInput, pick: Pick) -> String {
    let shape = |u: u32| input.system.class_of(u).map(|(_, c)| &c.shape);
    match pick {
        Pick::Unit(u) => input.system.unit_name(u),
        Pick::Node { node, .. } => format!("node{node}"),
        Pick::Device { unit, device } => {
            shape(unit).and_then(|s| s.device(device)).map_or_else(String::new, |d| d.path.clone())
        }
        Pick::Link { unit, link } => shape(unit).map_or_else(String::new, |s| s.link_name(link)),
        Pick::Leaf(l) => format!("leaf{}", l.0),
        Pick::Uplink(l) => format!("leaf{} up", l.0),
        Pick::Spine(s) => format!("spine{s}"),
        Pick::Core(c) => format!("core{c}"),
        Pick::Group(g) => format!("su{g}"),
        Pick::Class(c) => format!("class {}", c.0),
        Pick::Pair { unit, from, to } => {
            let name = |d| shape(unit).and_then(|s| s.device(d)).map_or_else(String::new, |d| d.name.clone());
            format!("{} to {}", name(from), name(to))
        }
    }
}
