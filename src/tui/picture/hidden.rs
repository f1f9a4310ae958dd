//! Exceptions that the chosen picture has no place for. They never disappear: they are listed in a row below it.

use super::Pick;
use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch};
use crate::system::{Device, DeviceIx, LinkIx};
use crate::tui::text;
use crate::tui::theme::Role;

/// Something that must be told: where it is, what it is, how it looks.
pub(super) struct Note {
    pub(super) pick: Pick,
    pub(super) text: String,
    pub(super) role: Role,
}

/// The exceptions among some devices and links: edits, what is out or degraded, the bottleneck, the selection.
pub(super) fn notes(
    look: &Look,
    devices: impl Iterator<Item = DeviceIx>,
    links: impl Iterator<Item = LinkIx>,
) -> Vec<Note> {
    let of_device = |d: DeviceIx| device_note(look, d);
    let of_link = |l: LinkIx| link_note(look, l);
    devices.filter_map(of_device).chain(links.filter_map(of_link)).collect()
}

fn device_note(look: &Look, d: DeviceIx) -> Option<Note> {
    let device = look.shape().device(d)?;
    let (pick, selected) = (look.device_pick(d), look.is_selected(look.device_pick(d)));
    let down = !look.class.health.device_up(d);
    if !selected && !down && !look.is_edited(d) {
        return None;
    }
    let mark = if down { "╳ " } else { "" };
    let name = device.name.as_str();
    let text = if selected { format!("►{mark}{name}◄") } else { format!("{mark}{name}") };
    Some(Note { pick, text, role: look.device_role(d) })
}

fn link_note(look: &Look, l: LinkIx) -> Option<Note> {
    let reading = look.reading(l);
    let own = look.class.health.link(l).is_some();
    if !reading.selected && !reading.hot && !reading.edited && !own {
        return None;
    }
    Some(Note { pick: look.link_pick(l), text: link_text(look, l, &reading), role: reading.role() })
}

/// `◄100▼ nic2--fabric`.
pub(super) fn link_text(look: &Look, l: LinkIx, reading: &Reading) -> String {
    let name = link_name(look, l);
    let number = reading.texts("").into_iter().next().unwrap_or_default();
    match reading.state {
        _ if reading.selected => format!("►{name} {}◄", reading.number),
        State::Down => format!("╳ {name}"),
        _ => format!("{number} {name}").trim().to_owned(),
    }
}

/// Both ends by their own names: the node is known.
fn link_name(look: &Look, l: LinkIx) -> String {
    let name = |d: DeviceIx| look.shape().device(d).map_or("?", |d: &Device| d.name.as_str());
    look.shape().link(l).map_or_else(String::new, |k| format!("{}--{}", name(k.a), name(k.b)))
}

/// Draws notes in one row, the most urgent first; what does not fit as a count with its marks.
pub(super) fn draw(sketch: &mut Sketch, mut notes: Vec<Note>, (x, y): (i32, i32), storey: u16) {
    notes.sort_by_key(|n| std::cmp::Reverse(n.role.urgency()));
    let mut x = x;
    for (i, note) in notes.iter().enumerate() {
        let w = text::width(&note.text) as i32;
        let rest = notes.get(i + 1..).unwrap_or_default();
        let after = if rest.is_empty() { 0 } else { 3 + text::width(&more(rest)) as i32 };
        if x + w + after > sketch.width() {
            let all = notes.get(i..).unwrap_or_default();
            let t = more(all);
            sketch.text_in(x, y, sketch.width() - x, &t, note.role);
            let item = sketch.item(note.pick, Cells::new(x, y, text::width(&t) as i32, 1), storey);
            item.also = rest.iter().map(|n| n.pick).collect();
            return;
        }
        sketch.text(x, y, &note.text, note.role);
        sketch.item(note.pick, Cells::new(x, y, w, 1), storey);
        x += w + 3;
    }
}

/// `►◄╳▼ +3`: the marks of what is counted.
pub(super) fn more(notes: &[Note]) -> String {
    let marks: String =
        ['►', '◄', '╳', '▼'].into_iter().filter(|m| notes.iter().any(|n| n.text.contains(*m))).collect();
    format!("{marks} +{}", notes.len()).trim_start().to_owned()
}
