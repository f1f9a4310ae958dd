//! Switch chips between GPUs: a bar per chip, a cell with count and gauge where a GPU's wire meets it.

use std::collections::BTreeMap;

use super::Lens;
use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch, switch_names};
use super::tree::Tree;
use super::up::{MOST_CHIPS, ScaleUp};
use crate::system::{DeviceIx, LinkIx};
use crate::tui::text;
use crate::tui::theme::Role;

/// One bar: a chip, or alike chips drawn as one.
struct Chip {
    switches: Vec<DeviceIx>,
    /// Cells by the column of the GPU's wire.
    cells: BTreeMap<i32, Vec<LinkIx>>,
    row: i32,
}

/// The crossbar with its places.
pub(super) struct Crossbar {
    chips: Vec<Chip>,
    trunks: Vec<LinkIx>,
    rows: i32,
    /// Blank rows between bars.
    blank: i32,
    exits: i32,
    /// Right end of the widest bar.
    right: i32,
}

impl Crossbar {
    /// `merge` draws alike chips as one.
    pub(super) fn new(look: &Look, tree: &Tree, up: &ScaleUp, merge: bool, blank: i32) -> Self {
        let merge = merge || up.chips.len() > MOST_CHIPS;
        let mut chips: Vec<Chip> = Vec::new();
        for chip in &up.chips {
            let cells = cells_of(look, tree, up, *chip);
            let plain = merge && is_plain(look, *chip, &cells);
            let mate = chips.iter_mut().find(|c| plain && c.row < 0 && c.cells.keys().eq(cells.keys()));
            if let Some(c) = mate {
                c.switches.push(*chip);
                for (x, links) in cells {
                    c.cells.entry(x).or_default().extend(links);
                }
            } else {
                chips.push(Chip { switches: vec![*chip], cells, row: if plain { -1 } else { 0 } });
            }
        }
        let rows = stack(&mut chips);
        let right = tree.width - 1;
        let gpus = tree.ends().filter(|s| s.devices.first().is_some_and(|d| look.shape().cable(*d).is_none()));
        let exits = if gpus.count() > 0 { tree.style.exits.max(1) } else { 1 };
        Self { chips, trunks: up.trunks.clone(), rows, blank, exits, right }
    }

    /// Rows below the row of the endpoints.
    pub(super) fn height(&self) -> i32 {
        self.exits + self.rows + (self.rows - 1).max(0) * self.blank
    }

    /// Columns, the loads at the right end counted.
    pub(super) fn width(&self) -> i32 {
        let many = self.chips.iter().any(|c| c.switches.len() > 1);
        self.right
            + if self.two_boards() {
                14
            } else if many {
                11
            } else {
                7
            }
    }

    fn two_boards(&self) -> bool {
        (0..self.rows).any(|r| self.chips.iter().filter(|c| c.row == r).count() > 1)
    }

    fn y(&self, row: i32, floor: i32) -> i32 {
        floor + 1 + self.exits + row * (1 + self.blank)
    }

    /// Draws it below the endpoints' row `floor`.
    pub(super) fn draw(&self, look: &Look, sketch: &mut Sketch, tree: &Tree, floor: i32, storey: u16) {
        let mut spokes: BTreeMap<i32, (Vec<LinkIx>, i32)> = BTreeMap::new();
        for c in &self.chips {
            for (x, links) in &c.cells {
                let s = spokes.entry(*x).or_insert_with(|| (Vec::new(), 0));
                s.0.extend(links);
                s.1 = s.1.max(self.y(c.row, floor));
            }
        }
        for (x, (links, y)) in &spokes {
            let sum = whole(look, links);
            sketch.wire(*x, floor, *y, &Reading { selected: false, ..sum });
        }
        for c in &self.chips {
            self.draw_bar(look, sketch, tree, c, floor, storey);
        }
        for l in &self.trunks {
            self.draw_trunk(look, sketch, *l, floor, storey);
        }
        for (x, (links, _)) in &spokes {
            let sum = Reading { selected: false, edited: false, ..whole(look, links) };
            sketch.text_free(x + 1, floor + 1, &sum.texts(""), sum.role());
        }
    }

    fn ends_of(&self, c: &Chip, tree: &Tree) -> (i32, i32) {
        let first = c.cells.keys().next().copied().unwrap_or(1);
        let last = c.cells.keys().next_back().copied().unwrap_or(first);
        let alone = self.chips.iter().filter(|o| o.row == c.row).count() == 1;
        let all = tree.ends().map(|s| s.tap).max().unwrap_or(last);
        (first - 1, if alone && last <= all { self.right.max(last + 3) } else { last + 3 })
    }

    fn draw_bar(&self, look: &Look, sketch: &mut Sketch, tree: &Tree, c: &Chip, floor: i32, storey: u16) {
        let Some(&first) = c.switches.first() else { return };
        let (x0, x1) = self.ends_of(c, tree);
        let y = self.y(c.row, floor);
        let storey = storey + 1 + c.row as u16;
        let state = c.switches.iter().map(|d| look.device_state(*d)).max().unwrap_or_default();
        let selected = c.switches.iter().any(|d| look.is_selected(look.device_pick(*d)));
        sketch.bar(y, (x0, x1), state, if state == State::Down { Role::Down } else { Role::Text });
        let leftmost =
            self.chips.iter().filter(|o| o.row == c.row).all(|o| o.cells.keys().next() >= c.cells.keys().next());
        let name = chip_name(look, &c.switches, selected, state);
        let role = if selected {
            Role::Selection
        } else if state == State::Down {
            Role::Down
        } else {
            Role::ScaleUp
        };
        let w = text::width(&name) as i32;
        let load = Self::load_text(look, c, state);
        let name_x = if leftmost { (x0 - w - 1).max(0) } else { x1 + 2 };
        sketch.text(name_x, y, &name, role);
        let after = if leftmost { x1 + 2 } else { x1 + 3 + w };
        let rightmost =
            self.chips.iter().filter(|o| o.row == c.row).all(|o| o.cells.keys().next() <= c.cells.keys().next());
        if rightmost {
            sketch.text_free(after, y, &load, Role::Dim);
        }
        let item = sketch.item(look.device_pick(first), Cells::new(name_x, y, w, 1), storey);
        item.cell = true;
        item.also = c.switches.iter().skip(1).map(|d| look.device_pick(*d)).collect();
        for (x, links) in &c.cells {
            draw_cell(look, sketch, links, (*x, y), storey);
        }
    }

    /// What the chip carries of all that its ports could.
    fn load_text(look: &Look, c: &Chip, state: State) -> Vec<String> {
        let load = c.switches.iter().map(|d| look.switch_load(*d)).max().unwrap_or(0);
        let many = if c.switches.len() > 1 { format!(" x{}", c.switches.len()) } else { String::new() };
        if state == State::Down {
            return vec!["down".to_owned()];
        }
        // Under another lens the number beside it is no load.
        let what = if look.input.lens == Lens::Load { "" } else { "load " };
        vec![
            format!("{what}{load:>3} % of ports{many}"),
            format!("{what}{load:>3} %{many}"),
            format!("{load:>3} %{many}"),
        ]
    }

    /// A link between two chips is the stretch between their bars.
    fn draw_trunk(&self, look: &Look, sketch: &mut Sketch, l: LinkIx, floor: i32, storey: u16) {
        let Some(link) = look.shape().link(l) else { return };
        let chip = |d: DeviceIx| self.chips.iter().find(|c| c.switches.contains(&d));
        let (Some(a), Some(b)) = (chip(link.a), chip(link.b)) else { return };
        let (left, right) = if a.cells.keys().next() <= b.cells.keys().next() { (a, b) } else { (b, a) };
        let x0 = left.cells.keys().next_back().copied().unwrap_or(0) + 3;
        let x1 = right.cells.keys().next().copied().unwrap_or(0) - 1;
        if left.row != right.row || x1 - x0 < 3 {
            return;
        }
        let reading = look.reading(l);
        let y = self.y(left.row, floor);
        sketch.run(y, x0 + 1, x1 - 1, &reading);
        let texts = cell_texts(&reading);
        let t = texts.iter().find(|t| (text::width(t) as i32) < x1 - x0).cloned().unwrap_or_default();
        sketch.text(x0 + (x1 - x0 + 1 - text::width(&t) as i32) / 2, y, &t, reading.role());
        let cells = Cells::new(x0 + 1, y, x1 - x0 - 1, 1);
        if let Some(item) = sketch.link_item(look, &[l], cells, storey + 1 + left.row as u16) {
            item.cell = true;
        }
    }

    /// Trunks that [`Crossbar::draw`] leaves out, for the list of other links.
    pub(super) fn undrawn(&self, look: &Look) -> Vec<LinkIx> {
        let row =
            |d: DeviceIx| self.chips.iter().find(|c| c.switches.contains(&d)).map(|c| (c.row, c.cells.keys().next()));
        let level = |l: &LinkIx| {
            look.shape().link(*l).is_some_and(|k| match (row(k.a), row(k.b)) {
                (Some(a), Some(b)) => a.0 == b.0 && a.1 != b.1,
                _ => false,
            })
        };
        self.trunks.iter().copied().filter(|l| !level(l)).collect()
    }
}

/// Several links together; a loss is told where it is, not on the sum.
fn whole(look: &Look, links: &[LinkIx]) -> Reading {
    let sum = look.merged(links);
    let state = if sum.state == State::Degraded { State::Up } else { sum.state };
    Reading { state, ..sum }
}

fn cells_of(look: &Look, tree: &Tree, up: &ScaleUp, chip: DeviceIx) -> BTreeMap<i32, Vec<LinkIx>> {
    let mut cells: BTreeMap<i32, Vec<LinkIx>> = BTreeMap::new();
    let around = look.shape().around(chip);
    for s in tree.ends().filter(|s| s.devices.first().is_some_and(|d| up.gpus.contains(d))) {
        let links: Vec<LinkIx> = around.iter().filter(|(_, d)| s.devices.contains(d)).map(|(l, _)| *l).collect();
        if !links.is_empty() {
            cells.insert(s.tap, links);
        }
    }
    cells
}

/// Nothing about the chip is worth a row of its own.
fn is_plain(look: &Look, chip: DeviceIx, cells: &BTreeMap<i32, Vec<LinkIx>>) -> bool {
    let ends_up = |l: &LinkIx| look.shape().link(*l).is_some_and(|k| look.class.health.device_up(k.other(chip)));
    let plain = |l: &LinkIx| {
        let r = look.reading(*l);
        (r.state <= State::Off || !ends_up(l)) && !r.selected && !r.edited
    };
    look.device_state(chip) == State::Up
        && !look.is_selected(look.device_pick(chip))
        && !look.is_edited(chip)
        && cells.values().flatten().all(plain)
        && trunks(look, chip).all(|l| plain(&l))
}

/// Links of a chip to other chips.
fn trunks<'a>(look: &'a Look, chip: DeviceIx) -> impl Iterator<Item = LinkIx> + 'a {
    let is_chip = |d: DeviceIx| look.shape().device(d).is_some_and(crate::system::Device::is_scale_up_switch);
    look.shape().around(chip).iter().filter(move |(_, d)| is_chip(*d)).map(|(l, _)| *l)
}

/// Puts each chip in the first row where it overlaps nothing; returns the number of rows.
fn stack(chips: &mut [Chip]) -> i32 {
    let mut rows: Vec<i32> = Vec::new();
    for c in chips.iter_mut() {
        let first = c.cells.keys().next().copied().unwrap_or(0);
        let last = c.cells.keys().next_back().copied().unwrap_or(0);
        let free = rows.iter().position(|end| *end + 6 < first).unwrap_or(rows.len());
        c.row = free as i32;
        match rows.get_mut(free) {
            Some(end) => *end = last,
            None => rows.push(last),
        }
    }
    rows.len() as i32
}

fn chip_name(look: &Look, switches: &[DeviceIx], selected: bool, state: State) -> String {
    let Some(&first) = switches.first() else { return String::new() };
    let [name, ..] = switch_names(look, first);
    let name =
        if switches.len() > 1 { format!("{}*", name.trim_end_matches(|c: char| c.is_ascii_digit())) } else { name };
    match (selected, state) {
        (true, _) => format!("►{name}◄"),
        (_, State::Down) => format!("╳{name}"),
        _ => name,
    }
}

/// `5▄`: links that run, and the gauge; `╳0` when none does.
fn cell_texts(reading: &Reading) -> Vec<String> {
    if reading.state == State::Down {
        return vec!["╳0".to_owned(), "╳".to_owned()];
    }
    let gauge = if reading.state == State::Degraded && reading.up == reading.count || reading.up < reading.count {
        '▼'
    } else {
        reading.gauge()
    };
    vec![format!("{}{gauge}", reading.up), gauge.to_string()]
}

fn of_first_gpu(look: &Look, links: &[LinkIx]) -> Vec<LinkIx> {
    let is_gpu = |d: &DeviceIx| look.shape().device(*d).is_some_and(crate::system::Device::is_gpu);
    let gpu = |l: &LinkIx| look.shape().link(*l).and_then(|k| [k.a, k.b].into_iter().find(is_gpu));
    let first = links.first().and_then(gpu);
    links.iter().copied().filter(|l| gpu(l) == first).collect()
}

fn draw_cell(look: &Look, sketch: &mut Sketch, links: &[LinkIx], (x, y): (i32, i32), storey: u16) {
    let mut reading = look.merged(links);
    // Of alike GPUs drawn as one, the count is that of one of them.
    let one = look.merged(&of_first_gpu(look, links));
    (reading.up, reading.count) = (one.up, one.count);
    let t = cell_texts(&reading).into_iter().next().unwrap_or_default();
    let w = text::width(&t) as i32;
    if reading.selected {
        sketch.text(x - 1, y, &format!("►{t}◄"), Role::Selection);
    } else {
        sketch.text(x, y, &t, reading.role());
    }
    if let Some(item) = sketch.link_item(look, links, Cells::new(x, y, w, 1), storey) {
        item.cell = true;
    }
}
