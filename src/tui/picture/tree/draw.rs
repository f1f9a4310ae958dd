//! Drawing of the tree: wires first, then what stands on them, then the numbers in the cells that are left.

use super::super::reading::{Look, State};
use super::super::sketch::{Cells, Sketch, switch_names};
use super::{Kind, Spot, Tree};
use crate::system::{DeviceIx, LinkIx};
use crate::tui::canvas::Stroke;
use crate::tui::text;
use crate::tui::theme::Role;

impl Tree {
    /// Draws it with its first row at `top`.
    pub(in super::super) fn draw(&self, look: &Look, sketch: &mut Sketch, top: i32) {
        for s in &self.spots {
            if !s.links.is_empty() && s.kind != Kind::Beside {
                sketch.wire(s.tap, top + s.above, top + s.y, &look.merged(&s.links));
            }
        }
        for s in &self.spots {
            match s.kind {
                Kind::Socket => self.draw_socket(look, sketch, s, top),
                Kind::Switch => draw_switch(look, sketch, s, top),
                Kind::End | Kind::Beside => {
                    sketch.token(look, &s.devices, (s.x, top + s.y), self.style.bare, self.storey());
                }
            }
        }
        self.draw_between(look, sketch, top);
        self.draw_exits(look, sketch, top);
        for s in &self.spots {
            self.label(look, sketch, s, top);
        }
    }

    /// The number of a link beside its wire, and its item.
    fn label(&self, look: &Look, sketch: &mut Sketch, s: &Spot, top: i32) {
        if s.links.is_empty() {
            return;
        }
        let reading = look.merged(&s.links);
        if s.kind == Kind::Beside {
            let y = top + s.y;
            sketch.run(y, s.x - (self.style.slot - self.style.token).max(1), s.x - 1, &reading);
            let w = sketch.text_free(s.x, y - 1, &reading.texts(""), reading.role()).max(1);
            sketch.link_item(look, &s.links, Cells::new(s.x, y - 1, w, 1), self.storey() - 1);
            return;
        }
        let row = top + s.above + 1;
        let w = sketch.text_free(s.tap + 1, row, &reading.texts(""), reading.role());
        if reading.state == State::Down && s.y - s.above <= 2 {
            sketch.canvas.put(s.tap, row, '╳', reading.role());
        }
        let storey = if s.kind == Kind::Switch { 2 * s.depth + 1 } else { i32::from(self.storey()) - 1 };
        let cells = Cells::new(s.tap, row, 1 + w, (s.y - s.above - 1).max(1));
        sketch.link_item(look, &s.links, cells, storey as u16);
    }

    fn draw_socket(&self, look: &Look, sketch: &mut Sketch, s: &Spot, top: i32) {
        let Some(&cpu) = s.devices.first() else { return };
        let (role, texts) = (look.device_role(cpu), socket_names(look, &s.devices));
        let (y, w) = (top + s.y, s.end - s.x + 1);
        let pick = look.device_pick(cpu);
        let (text_y, text_x, room) = if self.style.boxed {
            sketch.canvas.frame(s.x, y - 2, (w as u16, 3), Stroke::Heavy, Role::Host);
            (y - 1, s.x + 2, w - 3)
        } else {
            sketch.canvas.hline(y, s.x, s.end, Stroke::Heavy, Role::Host);
            sketch.canvas.put(s.x, y, '┣', Role::Host);
            sketch.canvas.put(s.end, y, '┫', Role::Host);
            let (from, room) = widest_gap(&s.taps, s.x, s.end);
            (y, from, room)
        };
        let blanks = texts.iter().map(|t| if self.style.boxed { t.clone() } else { format!(" {t} ") });
        let all: Vec<String> = blanks.chain(texts.iter().cloned()).collect();
        if let Some(t) = all.iter().find(|t| text::width(t) as i32 <= room) {
            sketch.text(text_x, text_y, t, role);
        }
        let rows = if self.style.boxed { 3 } else { 1 };
        let item = sketch.item(pick, Cells::new(s.x, y - rows + 1, w, rows), 0);
        item.also = s.devices.iter().skip(1).map(|d| look.device_pick(*d)).collect();
        if self.style.boxed && s.taps.len() > 1 {
            self.root_ports(sketch, s, y);
        }
    }

    /// `hb0` beside a root port that several devices share.
    fn root_ports(&self, sketch: &mut Sketch, s: &Spot, y: i32) {
        let shared = self.spots.iter().any(|c| c.kind == Kind::Switch && c.above == s.y && c.taps.len() > 1);
        let roomy = s.taps.windows(2).all(|w| w.first().zip(w.get(1)).is_some_and(|(a, b)| b - a >= 6));
        let last = s.taps.last().is_some_and(|t| s.end - t >= 4);
        if !shared
            || !roomy
            || !last
            || s.taps.windows(2).all(|w| w.first().zip(w.get(1)).is_some_and(|(a, b)| b - a < 12))
        {
            return;
        }
        for (i, tap) in s.taps.iter().enumerate() {
            sketch.text(tap + 1, y, &format!("hb{i}"), Role::Dim);
        }
    }

    /// Links between sockets: neighbours by runs, the others as a line above the boxes.
    fn draw_between(&self, look: &Look, sketch: &mut Sketch, top: i32) {
        let sockets: Vec<&Spot> = self.spots.iter().filter(|s| s.kind == Kind::Socket).collect();
        let place = |d: DeviceIx| sockets.iter().position(|s| s.devices.contains(&d));
        let mut others = Vec::new();
        for &l in &self.between {
            let ends = look.shape().link(l).and_then(|k| Some((place(k.a)?, place(k.b)?)));
            let Some((a, b)) = ends.map(|(a, b)| (a.min(b), a.max(b))) else { continue };
            match (sockets.get(a), sockets.get(b)) {
                (Some(left), Some(right)) if b == a + 1 => self.draw_run(look, sketch, l, (left, right), top),
                _ => others.push(l),
            }
        }
        if let Some(first) = sockets.first()
            && !others.is_empty()
        {
            let x = if self.style.boxed { first.x } else { sockets.last().map_or(0, |s| s.end - 6) };
            self.draw_others(look, sketch, &others, (x, top), sockets.len());
        }
    }

    fn draw_run(&self, look: &Look, sketch: &mut Sketch, l: LinkIx, (left, right): (&Spot, &Spot), top: i32) {
        let reading = look.reading(l);
        let y = top + left.y - i32::from(self.style.boxed);
        sketch.run(y, left.end, right.x, &reading);
        let room = right.x - left.end - 1;
        let mut texts = reading.texts("");
        if reading.number.is_empty() && reading.state == State::Up && !reading.selected {
            texts = vec![String::new()];
        }
        if reading.state == State::Down {
            texts.insert(0, "╳ down".to_owned());
        }
        let fit = texts.iter().find(|t| text::width(t) as i32 <= room).cloned().unwrap_or_default();
        let fit_x = left.end + 1 + (room - text::width(&fit) as i32) / 2;
        let fit_y = if self.style.boxed { y + 1 } else { y };
        sketch.text(fit_x, fit_y, &fit, reading.role());
        if self.style.boxed {
            let two = self.spots.iter().filter(|s| s.kind == Kind::Socket).count() == 2;
            let above = if self.head > 0 && two { (top, room + 20) } else { (y - 1, room) };
            let beside = link_names(look, l).into_iter().map(|n| (n, (y - 1, room)));
            let over = link_names(look, l).into_iter().map(|n| (n, above));
            let fits = |(n, at): &(String, (i32, i32))| text::width(n) as i32 <= at.1;
            if let Some((name, (name_y, _))) = beside.take(1).chain(over).find(fits) {
                let x = left.end + 1 + (right.x - left.end - 1 - text::width(&name) as i32) / 2;
                sketch.text_free(x, name_y, &[name], Role::Dim);
            }
        }
        let cells = Cells::new(left.end + 1, y, room, if self.style.boxed { 2 } else { 1 });
        sketch.link_item(look, &[l], cells, 0);
    }

    fn draw_others(&self, look: &Look, sketch: &mut Sketch, links: &[LinkIx], (x, y): (i32, i32), sockets: usize) {
        let reading = look.merged(links);
        let kind = look.shape().link(*links.first().unwrap_or(&LinkIx(0))).map_or("", |l| l.kind.title.as_str());
        let pairs = sockets * (sockets - 1) / 2;
        let what = if self.between.len() == pairs {
            format!("{kind} between all {sockets}  ")
        } else {
            format!("{kind} across, {} more  ", links.len())
        };
        let number = reading.texts("").first().cloned().unwrap_or_default();
        let number = if number.is_empty() { "0".to_owned() } else { number };
        if self.style.boxed {
            let after = sketch.text(x, y, &what, Role::Dim);
            let end = sketch.text(after, y, &number, reading.role());
            sketch.link_item(look, links, Cells::new(x, y, end - x, 1), 0);
        } else {
            let quiet = reading.state == State::Up && !reading.hot && !reading.selected;
            let texts = if quiet { Vec::new() } else { reading.texts("") };
            let t = texts.into_iter().find(|t| text::width(t) <= 5).unwrap_or_default();
            sketch.text(x, y, &t, reading.role());
            sketch.link_item(look, links, Cells::new(x, y, (text::width(&t) as i32).max(1), 1), 0);
        }
    }

    /// What leaves the node: the cable of each NIC, and where it goes.
    fn draw_exits(&self, look: &Look, sketch: &mut Sketch, top: i32) {
        for s in self.ends().filter(|_| self.style.exits > 0) {
            let cables: Vec<LinkIx> = s.devices.iter().filter_map(|d| look.shape().cable(*d)).collect();
            if cables.is_empty() {
                continue;
            }
            let reading = look.merged(&cables);
            let y = top + s.y;
            sketch.wire(s.tap, y, y + 1, &reading);
            if reading.state == State::Down {
                sketch.canvas.put(s.tap, y + 1, '╳', reading.role());
            }
        }
    }

    /// The numbers of the exits; called when everything else of their row has been drawn.
    pub(in super::super) fn label_exits(&self, look: &Look, sketch: &mut Sketch, top: i32) {
        for s in self.ends().filter(|_| self.style.exits > 0) {
            let cables: Vec<LinkIx> = s.devices.iter().filter_map(|d| look.shape().cable(*d)).collect();
            if cables.is_empty() {
                continue;
            }
            let reading = look.merged(&cables);
            let y = top + s.y + 1;
            let w = sketch.text_free(s.tap + 1, y, &reading.texts(""), reading.role());
            let cells = Cells::new(s.tap, y, 1 + w, 1);
            sketch.link_item(look, &cables, cells, self.storey() + 1);
            if self.style.exits > 1 && s.devices.len() == 1 {
                let names = exit_names(look, s.devices.first().copied().unwrap_or(DeviceIx(0)));
                sketch.text_free(s.tap - 1, y + 1, &names, Role::ScaleOut);
            }
        }
    }
}

/// Where a NIC's cable goes: its rail, or its leaf.
fn exit_names(look: &Look, nic: DeviceIx) -> Vec<String> {
    let Some(f) = &look.input.system.fabric else { return Vec::new() };
    let node = look.shape().device(nic).and_then(|d| d.node).unwrap_or(0);
    let mates = look.shape().nics().iter().filter(|n| look.shape().device(**n).is_some_and(|d| d.node == Some(node)));
    let index = mates.take_while(|n| **n != nic).count() as u32;
    if f.rails {
        return vec![format!("r{index}")];
    }
    let host = u64::from(look.unit) * u64::from(look.input.system.nodes_per_unit) + u64::from(node);
    let leaf = f.leaf_of(host, index).0;
    vec![format!("leaf{leaf}"), format!("l{leaf}"), "lf".to_owned()]
}

/// `UPI (16 GT/s) x3`, `UPI x3`.
fn link_names(look: &Look, l: LinkIx) -> Vec<String> {
    let Some(link) = look.shape().link(l) else { return Vec::new() };
    let word = link.kind.title.split_whitespace().next().unwrap_or_default();
    vec![link.describe(), format!("{word} x{}", link.count), word.to_owned()]
}

fn socket_names(look: &Look, cpus: &[DeviceIx]) -> Vec<String> {
    let Some(device) = cpus.first().and_then(|c| look.shape().device(*c)) else { return Vec::new() };
    let state = cpus.iter().map(|c| look.device_state(*c)).max().unwrap_or_default();
    let selected = cpus.iter().any(|c| look.is_selected(look.device_pick(*c)));
    let more = cpus.iter().skip(1).filter_map(|c| look.shape().device(*c));
    let numbers: String =
        more.map(|d| d.name.trim_start_matches(char::is_alphabetic)).fold(String::new(), |s, n| s + "," + n);
    let name = match (selected, state) {
        (true, _) => format!("►{}{numbers}◄", device.name),
        (_, State::Down) => format!("╳ {}{numbers} down", device.name),
        _ => format!("{}{numbers}", device.name),
    };
    let numa = device.numa.map(|n| format!("NUMA {n}"));
    let mut texts = Vec::new();
    if cpus.len() == 1 {
        let part = device.title();
        texts.extend(numa.as_ref().map(|n| format!("{name} {part}  {n}")));
        texts.push(format!("{name} {part}"));
        texts.extend(numa.map(|n| format!("{name} {n}")));
    }
    texts.push(name);
    texts.extend(match (selected, state) {
        (true, _) => Some("►".to_owned()),
        (_, State::Down) => Some("╳".to_owned()),
        _ => None,
    });
    texts
}

fn draw_switch(look: &Look, sketch: &mut Sketch, s: &Spot, top: i32) {
    let Some(&device) = s.devices.first() else { return };
    let y = top + s.y;
    let pick = look.device_pick(device);
    let selected = s.devices.iter().any(|d| look.is_selected(look.device_pick(*d)));
    let mut state = s.devices.iter().map(|d| look.device_state(*d)).max().unwrap_or_default();
    if state == State::Up && s.links.iter().any(|l| look.class.health.link(*l).is_some()) {
        state = State::Degraded;
    }
    let role = match state {
        State::Down => Role::Down,
        _ => Role::Text,
    };
    sketch.bar(y, (s.x, s.end), state, role);
    let (from, room) = widest_gap(&s.taps, s.x, s.end);
    let texts = bar_names(look, device, s.devices.len(), (selected, state));
    let name_role = if selected {
        Role::Selection
    } else if state == State::Degraded {
        Role::Degraded
    } else {
        role
    };
    if let Some(t) = texts.iter().find(|t| text::width(t) as i32 <= room) {
        sketch.text(from, y, t, name_role);
    }
    let item = sketch.item(pick, Cells::new(s.x, y, s.end - s.x + 1, 1), (2 * s.depth + 2) as u16);
    item.also = s.devices.iter().skip(1).map(|d| look.device_pick(*d)).collect();
}

/// Names for a bar, the fullest first.
fn bar_names(look: &Look, d: DeviceIx, alike: usize, (selected, state): (bool, State)) -> Vec<String> {
    let [name, short, number] = switch_names(look, d);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let (name, short) = if alike > 1 { (format!("{stem} x{alike}"), format!("x{alike}")) } else { (name, short) };
    match (selected, state) {
        (true, _) => vec![format!("►{name}◄"), format!("►{short}◄"), "►◄".to_owned(), "►".to_owned()],
        (_, State::Down) => {
            vec![format!(" {name} ╳ down "), format!(" {name} ╳ "), format!("{short}╳"), "╳".to_owned()]
        }
        (_, State::Degraded) => vec![format!(" {name}▼ "), format!("{name}▼"), format!("{short}▼"), "▼".to_owned()],
        _ => vec![format!(" {name} "), name, short, number],
    }
}

/// The widest free stretch of a bar between its taps: first column and cells.
fn widest_gap(taps: &[i32], x0: i32, x1: i32) -> (i32, i32) {
    let mut edges = vec![x0];
    edges.extend(taps);
    edges.push(x1);
    let gaps = edges.windows(2).filter_map(|w| Some((w.first()? + 1, w.get(1)? - w.first()? - 1)));
    gaps.max_by_key(|g| (g.1, -g.0)).unwrap_or((x0 + 1, 0))
}
