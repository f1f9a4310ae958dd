//! The drawing board of a layout: the grid of cells, the items and the labels that go into the scene.

use std::collections::HashMap;

use ratatui::layout::Rect;

use super::reading::{Look, Reading, State};
use super::scene::{Item, Label, Scene};
use super::{Caption, Pick};
use crate::system::{Device, DeviceIx, DeviceKind, LinkIx};
use crate::tui::canvas::{Canvas, Stroke};
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) struct Sketch {
    pub(super) canvas: Canvas,
    pub(super) items: Vec<Item>,
    index: HashMap<Pick, usize>,
    labels: Vec<Label>,
    selection: Option<Pick>,
    cursor: Option<(i32, i32)>,
    pub(super) title: String,
    pub(super) unit: String,
}

/// The first storey of a picture; the strip above it is storey 0.
const ABOVE: u16 = 10;

/// A rectangle in cells that may lie partly outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) w: i32,
    pub(super) h: i32,
}

impl Cells {
    pub(super) const fn new(x: i32, y: i32, w: i32, h: i32) -> Self {
        Self { x, y, w, h }
    }
}

impl Sketch {
    pub(super) fn new(size: (u16, u16), selection: Option<Pick>) -> Self {
        Self {
            canvas: Canvas::new(size.0, size.1),
            items: Vec::new(),
            index: HashMap::new(),
            labels: Vec::new(),
            selection,
            cursor: None,
            title: String::new(),
            unit: String::new(),
        }
    }

    pub(super) fn width(&self) -> i32 {
        i32::from(self.canvas.width())
    }

    pub(super) fn height(&self) -> i32 {
        i32::from(self.canvas.height())
    }

    /// A text that is a label; returns the column after it.
    pub(super) fn text(&mut self, x: i32, y: i32, content: &str, role: Role) -> i32 {
        if !content.is_empty() {
            self.labels.push(Label { x, y, text: content.to_owned() });
        }
        self.canvas.text(x, y, content, role)
    }

    /// A text cut at a width.
    pub(super) fn text_in(&mut self, x: i32, y: i32, columns: i32, content: &str, role: Role) {
        let cut = text::truncate(content, columns.max(0) as usize).into_owned();
        self.text(x, y, &cut, role);
    }

    /// The first of the texts that fits on free cells from `x` on; returns its width, 0 if none does.
    pub(super) fn text_free(&mut self, x: i32, y: i32, texts: &[String], role: Role) -> i32 {
        let free = |c: &Canvas, n: usize| (0..n as i32).all(|i| c.is_free(x + i, y));
        let Some(fit) = texts.iter().find(|t| free(&self.canvas, text::width(t))) else { return 0 };
        self.text(x, y, fit, role);
        text::width(fit) as i32
    }

    /// An item; what lies outside of the picture is cut off its rectangle. What is drawn again is the same item with one
    /// more rectangle.
    pub(super) fn item(&mut self, pick: Pick, at: Cells, storey: u16) -> &mut Item {
        let right = (at.x + at.w.max(1)).clamp(0, self.width());
        let bottom = (at.y + at.h.max(1)).clamp(0, self.height());
        let (x, y) = (at.x.clamp(0, right), at.y.clamp(0, bottom));
        let rect = Rect::new(x as u16, y as u16, (right - x) as u16, (bottom - y) as u16);
        if self.selection == Some(pick) && self.cursor.is_none() {
            self.cursor = Some((x, y));
        }
        let index = *self.index.entry(pick).or_insert(self.items.len());
        if index == self.items.len() {
            let ends = Vec::new();
            let storey = storey + ABOVE;
            let (also, echoes) = (Vec::new(), Vec::new());
            self.items.push(Item { pick, also, rect, echoes, storey, cell: false, lump: false, ends });
        } else if let Some(item) = self.items.get_mut(index) {
            item.echoes.push(rect);
        }
        // The index is that of an element that is there.
        &mut self.items[index]
    }

    /// An item of the strip above the picture.
    pub(super) fn strip_item(&mut self, pick: Pick, at: Cells) {
        self.item(pick, at, 0).storey = 0;
    }

    /// A link's item with its ends.
    pub(super) fn link_item(&mut self, look: &Look, links: &[LinkIx], at: Cells, storey: u16) -> Option<&mut Item> {
        let (first, rest) = links.split_first()?;
        let ends = look.shape().link(*first).map(|l| vec![look.device_pick(l.a), look.device_pick(l.b)]);
        let selected = links.iter().copied().map(|l| look.link_pick(l)).find(|p| self.selection == Some(*p));
        if selected.is_some() {
            self.cursor = Some((at.x, at.y));
        }
        let item = self.item(look.link_pick(*first), at, storey);
        item.ends = ends.unwrap_or_default();
        item.also = rest.iter().map(|l| look.link_pick(*l)).collect();
        Some(item)
    }

    /// A vertical wire between two rows, its end cells shared with what it meets. A wire that is down shows `╳` in its
    /// middle.
    pub(super) fn wire(&mut self, x: i32, y0: i32, y1: i32, reading: &Reading) {
        self.canvas.vline(x, y0, y1, reading.stroke(), reading.wire_role());
        if reading.state == State::Down && y1 - y0 > 1 {
            self.canvas.put(x, i32::midpoint(y0, y1), '╳', reading.role());
        }
    }

    /// A horizontal wire, see [`Sketch::wire`].
    pub(super) fn run(&mut self, y: i32, x0: i32, x1: i32, reading: &Reading) {
        self.canvas.hline(y, x0, x1, reading.stroke(), reading.wire_role());
    }

    /// The token of a GPU or NIC, `[g3]` or `(n3)`, in `bare` form `g3`; marks of its state replace the brackets.
    pub(super) fn token(&mut self, look: &Look, devices: &[DeviceIx], at: (i32, i32), bare: bool, storey: u16) {
        let Some(&first) = devices.first() else { return };
        let name = if devices.len() > 1 { format!("{}*", letter(look, first)) } else { short_name(look, first) };
        let selected = devices.iter().any(|d| look.is_selected(look.device_pick(*d)));
        let state = devices.iter().map(|d| look.device_state(*d)).max().unwrap_or_default();
        let nic = look.shape().device(first).is_some_and(Device::is_nic);
        let spare = !selected && is_spare(look, first);
        let text = match (spare, bare) {
            (true, true) => bare_token(&name, '·'),
            (true, false) => format!("·{name}·"),
            (_, true) => marked_token(&name, selected, state),
            _ => framed_token(&name, selected, state, nic),
        };
        let role = match (selected, spare) {
            (true, _) => Role::Selection,
            (_, true) => Role::Dim,
            _ => look.device_role(first),
        };
        self.text(at.0, at.1, &text, role);
        let w = text::width(&text) as i32;
        let item = self.item(look.device_pick(first), Cells::new(at.0, at.1, w, 1), storey);
        item.also = devices.iter().skip(1).map(|d| look.device_pick(*d)).collect();
        if selected {
            self.cursor = Some((at.0, at.1));
        }
    }

    /// Lines under the picture from row `y`, as many as there is room for; returns the next free row. The last one says
    /// how many have none.
    pub(super) fn captions(
        &mut self,
        mut y: i32,
        left: i32,
        (shown, rest): (&[Caption], &[Caption]),
        last: i32,
    ) -> i32 {
        let rows = (last - y + 1).clamp(0, shown.len() as i32) as usize;
        let hidden = rest.len() + shown.len() - rows;
        for (i, c) in shown.iter().take(rows).enumerate() {
            let more = if hidden > 0 && i + 1 == rows { format!("   +{hidden} more  [E]") } else { String::new() };
            let room = (self.width() - left - 1 - text::width(&more) as i32).max(0);
            self.text_in(left, y, room, &c.text, c.role);
            self.text(left + room.min(text::width(&c.text) as i32), y, &more, Role::Dim);
            y += 1;
        }
        y
    }

    pub(super) fn scene(self) -> Scene {
        let clip = |(x, y): (i32, i32)| Some((u16::try_from(x).ok()?, u16::try_from(y).ok()?));
        let mut items = self.items;
        items.retain(|i| i.rect.width > 0 && i.rect.height > 0);
        items.sort_by_key(|i| (i.storey, i.rect.x, i.rect.y));
        Scene {
            title: self.title,
            unit: self.unit,
            items,
            labels: self.labels,
            cursor: self.cursor.and_then(clip).filter(|c| c.0 < self.canvas.width() && c.1 < self.canvas.height()),
            canvas: self.canvas,
        }
    }

    /// A switch's bar with its name in the widest gap between its taps.
    pub(super) fn bar(&mut self, y: i32, (x0, x1): (i32, i32), state: State, role: Role) {
        let stroke = if state == State::Down { Stroke::Down } else { Stroke::Double };
        self.canvas.bar(y, x0, x1, stroke, role);
    }
}

fn framed_token(name: &str, selected: bool, state: State, nic: bool) -> String {
    let (open, close) = match (selected, state, nic) {
        (true, State::Down, _) => return format!("►╳{}◄", name.chars().skip(1).collect::<String>()),
        (true, ..) => ('►', '◄'),
        (_, State::Down, _) => ('╳', '╳'),
        (_, State::Degraded, true) => ('(', '▼'),
        (_, State::Degraded, false) => ('[', '▼'),
        (_, _, true) => ('(', ')'),
        _ => ('[', ']'),
    };
    format!("{open}{name}{close}")
}

/// As wide as the name: the mark takes the place of its last character.
fn bare_token(name: &str, mark: char) -> String {
    let mut cut = name.to_owned();
    cut.pop();
    cut.push(mark);
    cut
}

fn marked_token(name: &str, selected: bool, state: State) -> String {
    match (selected, state) {
        (true, _) => format!("►{}", name.chars().last().unwrap_or(' ')),
        (_, State::Down) => bare_token(name, '╳'),
        (_, State::Degraded) => bare_token(name, '▼'),
        _ => name.to_owned(),
    }
}

/// Whether it is a healthy GPU that takes no part, since fewer are used than there are.
pub(super) fn is_spare(look: &Look, d: DeviceIx) -> bool {
    let used = look.input.system.gpus_used;
    used.is_some()
        && look.shape().device(d).is_some_and(Device::is_gpu)
        && look.class.health.device_up(d)
        && !look.class.active(used).any(|g| g == d)
}

fn letter(look: &Look, d: DeviceIx) -> char {
    look.shape().device(d).and_then(|d| d.name.chars().next()).unwrap_or('?')
}

/// `g3` of `gpu3`: the first letter and the number.
pub(super) fn short_name(look: &Look, d: DeviceIx) -> String {
    let Some(device) = look.shape().device(d) else { return "?".to_owned() };
    let digits: String = device.name.chars().skip_while(|c| !c.is_ascii_digit()).collect();
    format!("{}{digits}", letter(look, d))
}

/// Name of a switch in the room there is: `psw0`, `p0`, `0`.
pub(super) fn switch_names(look: &Look, d: DeviceIx) -> [String; 3] {
    let name = look.shape().device(d).map_or_else(String::new, |d| d.name.clone());
    let short = short_name(look, d);
    let number = short.chars().skip(1).collect();
    [name, short, number]
}

/// Whether a device passes traffic on inside the host.
pub(super) fn is_host_switch(look: &Look, d: DeviceIx) -> bool {
    look.shape().device(d).is_some_and(|d| matches!(d.kind, DeviceKind::PcieSwitch(_)))
}

pub(super) fn is_cpu(look: &Look, d: DeviceIx) -> bool {
    look.shape().device(d).is_some_and(|d| matches!(d.kind, DeviceKind::Cpu(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_their_width_in_every_state() {
        for state in [State::Up, State::Degraded, State::Down] {
            for selected in [false, true] {
                assert_eq!(text::width(&framed_token("g3", selected, state, false)), 4);
                assert_eq!(text::width(&marked_token("g3", selected, state)), 2);
            }
        }
        assert_eq!(framed_token("n2", false, State::Degraded, true), "(n2▼");
        assert_eq!(marked_token("n2", false, State::Degraded), "n▼");
        assert_eq!(marked_token("n2", true, State::Up), "►2");
    }
}
