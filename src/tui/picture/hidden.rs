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

/// The same notes with alike ones as one: `◄84 nic0..7--fabric`, or where that takes more columns than there are,
/// `◄84 nic0--fabric x8`.
pub(super) fn alike(notes: Vec<Note>, room: usize) -> Vec<Note> {
    let mut groups: Vec<(Note, Option<Numbered>, Vec<u32>)> = Vec::new();
    for note in notes {
        let parts = numbered(&note.text);
        let number = parts.as_ref().map_or(0, |p| p.1);
        let same = |g: &&mut (Note, Option<Numbered>, Vec<u32>)| {
            let key = |p: &Numbered| (p.0.clone(), p.2.clone());
            g.0.role == note.role && parts.is_some() && g.1.as_ref().map(key) == parts.as_ref().map(key)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.2.push(number),
            None => groups.push((note, parts, vec![number])),
        }
    }
    let one = |(note, parts, numbers): (Note, Option<Numbered>, Vec<u32>)| match parts {
        Some((head, _, tail)) if numbers.len() > 1 => {
            let long = format!("{head}{}{tail}", ranges(&numbers));
            let short = format!("{} x{}", note.text, numbers.len());
            Note { text: if text::width(&long) <= room { long } else { short }, ..note }
        }
        _ => note,
    };
    groups.into_iter().map(one).collect()
}

/// A name's text before its first number, the number, and the text after it.
type Numbered = (String, u32, String);

/// Splits at the first number of the last word: what stands before it is a load.
fn numbered(text: &str) -> Option<Numbered> {
    let word = text.rfind(' ').map_or(0, |at| at + 1);
    let digit = |c: char| c.is_ascii_digit();
    let start = word + text.get(word..)?.find(digit)?;
    let rest = text.get(start..)?;
    let end = start + rest.find(|c| !digit(c)).unwrap_or(rest.len());
    Some((text.get(..start)?.to_owned(), text.get(start..end)?.parse().ok()?, text.get(end..)?.to_owned()))
}

/// `0..3,5` of numbers in ascending order.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).filter_map(|run| match (run.first()?, run.last()?) {
        (a, b) if a == b => Some(a.to_string()),
        (a, b) => Some(format!("{a}..{b}")),
    });
    runs.collect::<Vec<_>>().join(",")
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
