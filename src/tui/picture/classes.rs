//! A large machine as its classes of equal units: one card each, exceptions always visible.

use super::frame::{self, GAUGE_LEGENDS};
use super::hidden::{self, Note};
use super::line;
use super::reading::{Look, Reading, State, load_number};
use super::sketch::{Cells, Sketch};
use super::{Pick, PictureInput, Scene};
use crate::system::{ClassIx, LeafIx};
use crate::tui::canvas::Stroke;
use crate::tui::glyphs::gauge;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Share, counted};

/// Columns and rows of a card.
const CARD: (i32, i32) = (25, 9);

pub(super) fn layout(input: &PictureInput, size: (u16, u16)) -> Scene {
    let mut sketch = Sketch::new(size, input.selection);
    let system = input.system;
    let unit = if system.is_rack { "racks" } else { "nodes" };
    let kinds = match system.classes.len() {
        1 => "all alike".to_owned(),
        n => format!("in {n} classes"),
    };
    sketch.title = format!("{}   {} {unit} {kinds}, {}", system.title, system.units, counted(system.ranks(), "GPU"));
    "classes, not members".clone_into(&mut sketch.unit);
    if sketch.width() < CARD.0 + 2 || sketch.height() < CARD.1 {
        line::draw(input, None, &mut sketch);
        return sketch.scene();
    }
    let odd = odd_switches(input);
    let levels = upper_levels(input);
    let need = frame::needed_rows(input, sketch.height());
    let room = sketch.height() - need;
    let extra = i32::from(!odd.is_empty());
    // Cards come first: the upper levels give way.
    let per_level = if room >= levels.len() as i32 * 4 + CARD.1 + 1 + extra { 4 } else { 1 };
    let head =
        if room > levels.len() as i32 * per_level + CARD.1 + extra { levels.len() as i32 * per_level } else { 0 };
    let across = ((sketch.width() - 2) / (CARD.0 + 1)).max(1);
    let down = ((room - head - extra) / CARD.1).max(1);
    let fit = (across * down) as usize;
    let order = order(input);
    let rows = order.len().min(fit).div_ceil(across as usize) as i32 * CARD.1;
    let (top, _) = frame::draw_plain(input, &mut sketch, head + rows + extra, &GAUGE_LEGENDS);
    let mut y = top;
    if head > 0 {
        for (i, level) in levels.iter().enumerate() {
            draw_level(input, &mut sketch, level, y, per_level, i as u16);
            y += per_level;
        }
    }
    if extra > 0 {
        hidden::draw(&mut sketch, odd, (2, y), 5);
        y += 1;
    }
    draw_cards(input, &mut sketch, &order, (y, across, fit));
    sketch.scene()
}

/// Classes in the order of the cards: the largest, then the hurt ones, then by size.
fn order(input: &PictureInput) -> Vec<ClassIx> {
    let classes = &input.system.classes;
    let mut all: Vec<usize> = (0..classes.len()).collect();
    let members = |i: usize| classes.get(i).map_or(0, |c| c.members.len());
    let largest = all.iter().copied().max_by_key(|i| members(*i));
    let chosen = |i: usize| is_chosen(input, ClassIx(i));
    let healthy = |i: usize| classes.get(i).is_none_or(|c| c.health.is_healthy());
    all.sort_by_key(|i| (Some(*i) != largest, !chosen(*i), healthy(*i), std::cmp::Reverse(members(*i)), *i));
    all.into_iter().map(ClassIx).collect()
}

fn is_chosen(input: &PictureInput, class: ClassIx) -> bool {
    match input.selection {
        Some(Pick::Class(c)) => c == class,
        Some(
            Pick::Unit(u) | Pick::Device { unit: u, .. } | Pick::Link { unit: u, .. } | Pick::Node { unit: u, .. },
        ) => input.system.class_of(u).is_some_and(|(c, _)| c == class),
        _ => false,
    }
}

fn draw_cards(input: &PictureInput, sketch: &mut Sketch, order: &[ClassIx], (y, across, fit): (i32, i32, usize)) {
    let fit = fit.max(1);
    let over = order.len() > fit;
    let shown = if over { fit - 1 } else { order.len() };
    let at = |i: usize| (2 + (i as i32 % across) * (CARD.0 + 1), y + (i as i32 / across) * CARD.1);
    for (i, class) in order.iter().take(shown).enumerate() {
        draw_card(input, sketch, *class, at(i), 10 + (i as i32 / across) as u16);
    }
    if over {
        draw_rest(
            input,
            sketch,
            order.get(shown..).unwrap_or_default(),
            at(shown),
            10 + (shown as i32 / across) as u16,
        );
    }
}

/// The classes that no card is left for.
fn draw_rest(input: &PictureInput, sketch: &mut Sketch, rest: &[ClassIx], (x, y): (i32, i32), storey: u16) {
    let classes: Vec<_> = rest.iter().filter_map(|c| input.system.classes.get(c.0)).collect();
    let units: u64 = classes.iter().map(|c| c.members.len()).sum();
    let mark = if classes.iter().any(|c| !c.health.is_healthy()) { " ▼" } else { "" };
    sketch.text_in(x + 1, y + 2, CARD.0 - 2, &format!("+{} classes, {units} units{mark}", rest.len()), Role::Degraded);
    if let Some((first, more)) = rest.split_first() {
        let item = sketch.item(Pick::Class(*first), Cells::new(x, y + 2, CARD.0, 1), storey);
        item.also = more.iter().map(|c| Pick::Class(*c)).collect();
    }
}

fn draw_card(input: &PictureInput, sketch: &mut Sketch, class: ClassIx, (x, y): (i32, i32), storey: u16) {
    let Some(c) = input.system.classes.get(class.0) else { return };
    let Some(look) = c.members.first().and_then(|u| Look::new(input, u)) else { return };
    let (w, h) = CARD;
    let chosen = is_chosen(input, class);
    let role = if chosen { Role::Selection } else { Role::Border };
    sketch.canvas.frame(x, y, (w as u16, h as u16), Stroke::Light, role);
    let unit = if input.system.is_rack { "rack" } else { "node" };
    let name = if c.members.len() * 2 > u64::from(input.system.units) && c.members.len() > 1 {
        format!("{unit}*")
    } else {
        format!("{unit}{}", c.members)
    };
    let count = format!(" x{} ", c.members.len());
    let room = w - 6 - text::width(&count) as i32;
    let name = text::truncate(&name, room.max(4) as usize).into_owned();
    let head = if chosen { format!("►{name}◄") } else { format!(" {name} ") };
    sketch.text(x + 2, y, &head, if chosen { Role::Selection } else { Role::Strong });
    sketch.text(x + w - 2 - text::width(&count) as i32, y, &count, Role::Dim);
    for (i, (t, role)) in card_lines(&look).into_iter().take(h as usize - 2).enumerate() {
        sketch.text_in(x + 2, y + 1 + i as i32, w - 3, &t, role);
    }
    sketch.item(Pick::Class(class), Cells::new(x, y, w, h), storey);
}

fn card_lines(look: &Look) -> Vec<(String, Role)> {
    let shape = look.shape();
    let gpus = shape.gpus().len();
    let up = shape.gpus().iter().filter(|g| look.class.health.device_up(**g)).count();
    let mut lines = vec![(
        format!("{}, {} each", counted(gpus as u64, "GPU"), counted(shape.nics().len() as u64, "NIC")),
        Role::Dim,
    )];
    let notes = notes(look);
    if look.class.health.is_healthy() && notes.is_empty() {
        lines.push(("as designed".to_owned(), Role::Text));
    }
    let notes = hidden::alike(notes, (CARD.0 - 4) as usize);
    let more = notes.len().saturating_sub(2);
    lines.extend(notes.into_iter().take(2).map(|n| (n.text, n.role)));
    if more > 0 {
        lines.push((format!("+{more} more"), Role::Degraded));
    }
    lines.extend(rails(look));
    let state = if up < gpus {
        (format!("GPUs  {up} up {} ╳", gpus - up), Role::Down)
    } else {
        (format!("GPUs  {up} up"), Role::Text)
    };
    lines.push(state);
    lines
}

/// What differs in this class, the most urgent first.
fn notes(look: &Look) -> Vec<Note> {
    let class = look.class_ix;
    let edited = look.input.edited;
    let hot = look.input.bottleneck;
    let mut links: Vec<_> = look.class.health.links_hurt().map(|(l, _)| l).collect();
    links.extend(edited.links.iter().chain(&hot.links).filter(|(c, _)| *c == class).map(|(_, l)| *l));
    links.sort_unstable();
    links.dedup();
    let mut devices: Vec<_> = look.class.health.devices_down().collect();
    devices.extend(edited.devices.iter().filter(|(c, _)| *c == class).map(|(_, d)| *d));
    devices.sort_unstable();
    devices.dedup();
    let mut notes = hidden::notes(look, devices.into_iter(), links.into_iter());
    notes.sort_by_key(|n| std::cmp::Reverse(n.role.urgency()));
    notes
}

/// Gauges of the NICs that one row has room for.
const GAUGES: usize = 16;

/// A gauge per NIC of the first node; of very many, one for the busiest of each few.
fn rails(look: &Look) -> Vec<(String, Role)> {
    let shape = look.shape();
    let first = |n: &&crate::system::DeviceIx| shape.device(**n).is_some_and(|d| d.node.unwrap_or(0) == 0);
    let cables = shape.nics().iter().filter(first).filter_map(|n| shape.cable(*n));
    let readings: Vec<_> = cables.map(|l| look.reading(l)).collect();
    let Some(last) = readings.len().checked_sub(1) else { return Vec::new() };
    let each = readings.len().div_ceil(GAUGES);
    let worst = |few: &[Reading]| few.iter().max_by_key(|r| (r.state, r.percent)).map_or('?', Reading::gauge);
    let gauges: Vec<String> = readings.chunks(each).map(|few| worst(few).to_string()).collect();
    let (names, row) = match gauges.len() {
        n @ 0..=8 => {
            let names: Vec<String> = (0..n).map(|i| i.to_string()).collect();
            (names.join(" "), format!("      {}", gauges.join(" ")))
        }
        _ if each == 1 => (format!("0..{last}"), format!("     {}", gauges.concat())),
        _ => (format!("0..{last}, {each} each"), format!("     {}", gauges.concat())),
    };
    let role = readings.iter().map(Reading::role).max_by_key(|r| r.urgency()).unwrap_or(Role::Text);
    vec![(format!("NICs  {names}"), Role::Dim), (row, role)]
}

/// One level of switches above the nodes.
struct Upper {
    name: &'static str,
    count: u32,
    planes: u32,
    down: u32,
    /// Highest load per plane.
    loads: Vec<Share>,
}

/// The levels of the fabric, from the top.
fn upper_levels(input: &PictureInput) -> Vec<Upper> {
    let Some(f) = &input.system.fabric else { return Vec::new() };
    let leaves = f.leaves().min(512);
    let up = (0..leaves).filter_map(|l| input.loads.uplink(input.system, LeafIx(l)));
    let load = up.flatten().fold(Share::ZERO, |a, b| if a < b { b } else { a });
    let above = vec![load; f.planes() as usize];
    let below = cable_loads(input, f.planes());
    let loads = |name| if name == "leaf" { below.clone() } else { above.clone() };
    let all = f.levels().into_iter().rev();
    all.map(|l| Upper { name: l.name, count: l.count, planes: f.planes(), down: l.down, loads: loads(l.name) })
        .collect()
}

/// The busiest cable of a NIC in each plane, over all classes.
fn cable_loads(input: &PictureInput, planes: u32) -> Vec<Share> {
    let mut most = vec![Share::ZERO; planes as usize];
    for class in &input.system.classes {
        let Some(look) = class.members.first().and_then(|u| Look::new(input, u)) else { continue };
        let per_node = (look.shape().nics().len() / input.system.nodes_per_unit.max(1) as usize).max(1);
        for (i, nic) in look.shape().nics().iter().enumerate() {
            let load = look.shape().cable(*nic).map_or(Share::ZERO, |l| look.load(l));
            if let Some(m) = most.get_mut(i % per_node % planes as usize).filter(|m| **m < load) {
                *m = load;
            }
        }
    }
    most
}

fn draw_level(input: &PictureInput, sketch: &mut Sketch, level: &Upper, y: i32, rows: i32, storey: u16) {
    let right = sketch.width() - 3;
    let text = format!(
        " {}, {} down each ",
        counted(level.count.into(), &format!("{} switch", level.name)),
        counted(level.down.into(), "port")
    );
    let pick = match level.name {
        "leaf" => Pick::Leaf(LeafIx(0)),
        "spine" => Pick::Spine(0),
        _ => Pick::Core(0),
    };
    let selected = input.selection == Some(pick);
    let name = if selected { format!("►{}◄", level.name) } else { level.name.to_owned() };
    let role = if selected { Role::Selection } else { Role::Dim };
    sketch.text(1, if rows > 1 { y + 1 } else { y }, &name, role);
    let item_y = y;
    sketch.bar(y, (9, right), State::Up, Role::Text);
    sketch.text_in(11, y, right - 12, &text, Role::Text);
    if rows > 1 {
        let planes = level.planes.min(16) as i32;
        let pitch = ((right - 10) / planes.max(1)).min(12);
        let mut highest = 0;
        for p in 0..planes {
            let label = if level.planes > 1 { format!("r{p} ") } else { String::new() };
            let (number, percent) = load_number(level.loads.get(p as usize).copied().unwrap_or_default());
            highest = highest.max(percent);
            let t = format!("{label}{}{number}", gauge(percent));
            sketch.text_in(11 + p * pitch, y + 1, pitch, t.trim_end(), Role::for_load(percent));
        }
        sketch.bar(y + 2, (9, right), State::Up, Role::Text);
        sketch.canvas.vline(12, y + 2, y + 3, Stroke::for_load(highest), Role::for_load(highest));
    }
    sketch.item(pick, Cells::new(9, item_y, right - 8, if rows > 1 { 3 } else { 1 }), storey);
}

/// Leaves, spines, cores and cables that are not as designed.
fn odd_switches(input: &PictureInput) -> Vec<Note> {
    let Some(f) = &input.system.fabric else { return Vec::new() };
    let note = |pick: Pick, name: String, left: Share| {
        let down = left.ratio() <= 0.0;
        let chosen = input.selection == Some(pick);
        let text = match (chosen, down) {
            (true, _) => format!("►{name}◄"),
            (_, true) => format!("╳ {name} down"),
            _ => format!("▼ {name} at {:.0} %", left.percent()),
        };
        let role = if chosen {
            Role::Selection
        } else if down {
            Role::Down
        } else {
            Role::Degraded
        };
        Note { pick, text, role }
    };
    let h = &f.health;
    let leaves = h.leaves.iter().map(|(l, s)| note(Pick::Leaf(LeafIx(*l)), format!("leaf{l}"), *s));
    let spines = h.spines.iter().map(|(l, s)| note(Pick::Spine(*l), format!("spine{l}"), *s));
    let cores = h.cores.iter().map(|(l, s)| note(Pick::Core(*l), format!("core{l}"), *s));
    let cables =
        h.uplinks.iter().map(|((l, s), left)| note(Pick::Uplink(LeafIx(*l)), format!("leaf{l}--spine{s}"), *left));
    leaves.chain(spines).chain(cores).chain(cables).filter(|n| !n.text.is_empty()).collect()
}
