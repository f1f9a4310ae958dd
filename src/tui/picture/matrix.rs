//! Every pair of GPUs and NICs of a node: how near they are and one number. The picture that always works.

mod measured;
mod near;

use std::collections::BTreeMap;

use super::hops::{Way, way};
use super::host::{Branch, Host};
use super::reading::{Look, percent_of, short};
use super::sketch::{Cells, Sketch};
use super::{PairCell, Pick, PictureInput, Scene, frame, line};
use crate::measure::pairs::Pair;
use crate::system::{DeviceIx, Nearness};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Share, counted};
use near::{near_gauge, near_role, words};

/// More devices than this get a row per class of pairs.
const MOST: usize = 24;

/// Cells of a column that has the gauge of the class alone, and a blank.
const GAUGE_ALONE: i32 = 2;

/// Columns that a row per class takes at least.
const LEAST: i32 = 24;

/// Number, nearness and pairs of a class of pairs.
type Class = (String, Nearness, Vec<(usize, usize)>);

struct Table<'a> {
    look: Look<'a>,
    devices: Vec<DeviceIx>,
    /// Socket of each device, for the blank rows.
    sockets: Vec<usize>,
    ways: BTreeMap<(usize, usize), Option<Way>>,
}

pub(super) fn layout(input: &PictureInput, (unit, node): (u32, u32), size: (u16, u16)) -> Scene {
    let mut sketch = Sketch::new(size, input.selection);
    let Some(look) = Look::new(input, unit) else { return sketch.scene() };
    let table = Table::new(look, node);
    let name = input.system.unit_name(unit);
    let name = if input.system.is_rack { format!("{name}/node{node}") } else { name };
    sketch.title = format!("{name}   pairs   {}", input.system.title);
    sketch.unit = format!("class and {}", input.cell.title());
    table.draw(&mut sketch);
    sketch.scene()
}

/// A node that no picture has room for: the line, and below it a row per class of pairs with its usable rate.
pub(super) fn below_line(look: Look, node: u32, sketch: &mut Sketch) {
    line::draw(look.input, Some(look.unit), sketch);
    let input = PictureInput { cell: PairCell::Usable, ..*look.input };
    if sketch.height() < 2 || sketch.width() < LEAST {
        return;
    }
    if let Some(look) = Look::new(&input, look.unit) {
        Table::new(look, node).draw_classes(sketch, 1, " GB/s");
    }
}

/// The matrix as text.
pub(super) fn cells(input: &PictureInput, (unit, node): (u32, u32)) -> super::Cells {
    let Some(look) = Look::new(input, unit) else { return super::Cells::default() };
    let table = Table::new(look, node);
    let names: Vec<String> =
        table.devices.iter().map(|d| look.shape().device(*d).map_or_else(String::new, |d| d.name.clone())).collect();
    let cell = |i: usize, j: usize| {
        if i == j { String::new() } else { format!("{} {}", table.near(i, j).name(), table.number(i, j)) }
    };
    let row = |(i, name): (usize, &String)| {
        std::iter::once(name.clone()).chain((0..names.len()).map(|j| cell(i, j))).collect()
    };
    let rows = names.iter().enumerate().map(row).collect();
    let head = std::iter::once(format!("class and {}", input.cell.title()));
    (head.chain(names.iter().cloned()).collect(), rows)
}

impl<'a> Table<'a> {
    fn new(look: Look<'a>, node: u32) -> Self {
        let shape = look.shape();
        let input = look.input;
        let here = |d: &&DeviceIx| shape.device(**d).is_some_and(|k| k.node == Some(node));
        // Only GPUs are measured against each other.
        let nics = if input.cell == PairCell::Measured { &[] } else { shape.nics() };
        let devices: Vec<DeviceIx> = shape.gpus().iter().chain(nics).filter(here).copied().collect();
        let host = Host::of(&look, node);
        let mut place = BTreeMap::new();
        for (i, s) in host.sockets.iter().enumerate() {
            let mut ends: Vec<&Branch> = Vec::new();
            s.ports.iter().for_each(|p| p.endpoints(&mut ends));
            place.extend(ends.iter().flat_map(|b| b.devices.iter().map(move |d| (*d, i))));
        }
        let sockets = devices.iter().map(|d| place.get(d).copied().unwrap_or(0)).collect();
        let mut ways = BTreeMap::new();
        for (i, a) in devices.iter().enumerate() {
            for (j, b) in devices.iter().enumerate().skip(i + 1) {
                ways.insert((i, j), way(&look, *a, *b));
            }
        }
        Self { look, devices, sockets, ways }
    }

    fn way(&self, i: usize, j: usize) -> Option<&Way> {
        self.ways.get(&(i.min(j), i.max(j))).and_then(Option::as_ref)
    }

    fn near(&self, i: usize, j: usize) -> Nearness {
        if i == j { Nearness::Own } else { self.way(i, j).map_or(Nearness::Net, |w| w.near) }
    }

    /// What was measured from one device to another. The GPUs come first, in the order of their indices.
    fn pair_of(&self, i: usize, j: usize) -> Option<&Pair> {
        self.look.input.pairs?.pair(u32::try_from(i).ok()?, u32::try_from(j).ok()?)
    }

    fn shows_measured(&self) -> bool {
        self.look.input.cell == PairCell::Measured
    }

    /// The number of a pair.
    fn number(&self, i: usize, j: usize) -> String {
        let Some(w) = self.way(i, j) else { return "-".to_owned() };
        match self.look.input.cell {
            PairCell::Usable => short(w.narrowest().0.gbytes_per_s()),
            PairCell::Line => short(w.narrowest().1.gbytes_per_s()),
            PairCell::Latency => short(w.latency().us()),
            PairCell::Load => {
                let loads = w.hops.iter().flat_map(|h| &h.links).map(|l| self.look.load(*l));
                let most = loads.fold(Share::ZERO, |a, b| if a < b { b } else { a });
                percent_of(most.ratio()).to_string()
            }
            PairCell::Measured => self.pair_of(i, j).map_or("-", |p| p.verdict.words()).to_owned(),
        }
    }

    /// A blank row stands before the row where the socket or the kind changes.
    fn breaks(&self) -> Vec<bool> {
        let key = |(d, s): (&DeviceIx, &usize)| (self.is_nic(*d), if self.is_nic(*d) { 0 } else { *s });
        let keys: Vec<(bool, usize)> = self.devices.iter().zip(&self.sockets).map(key).collect();
        (0..keys.len()).map(|i| i > 0 && keys.get(i) != keys.get(i - 1)).collect()
    }

    fn draw(&self, sketch: &mut Sketch) {
        let n = self.devices.len() as i32;
        let (w, h) = (sketch.width(), sketch.height());
        let width = [10, self.compact(), self.numbers(), 2].into_iter().find(|c| 8 + n * c < w);
        let blanks = self.breaks().iter().filter(|b| **b).count() as i32;
        let Some(cell) = width.filter(|_| self.devices.len() <= MOST && n < h && n > 0) else {
            return self.draw_classes(sketch, 0, "");
        };
        if cell == GAUGE_ALONE {
            "class".clone_into(&mut sketch.unit);
        }
        let roomy = n + blanks + 4 <= h;
        let rows = n + 1 + if roomy { blanks + 1 } else { 0 };
        // Below the table: the selected pair, what the classes mean, how the pairs are spread.
        let feet = (h - rows).clamp(0, 3);
        let (top, _) = frame::draw_plain(self.look.input, sketch, rows + feet, &[]);
        let left = ((w - 8 - n * cell) / 2).clamp(0, 3);
        self.draw_head(sketch, (left, top), (cell, roomy));
        let mut y = top + if roomy { 2 } else { 1 };
        for (i, gap) in self.breaks().into_iter().enumerate() {
            y += i32::from(gap && roomy);
            self.draw_row(sketch, i, (left, y), cell);
            y += 1;
        }
        self.draw_feet(sketch, (left, y), feet);
    }

    /// Cells of a column that has class and number close together.
    fn compact(&self) -> i32 {
        let one = |(i, j): &(usize, usize)| text::width(&self.close(*i, *j));
        let most = self.ways.keys().map(one).max().unwrap_or(0) as i32;
        most.clamp(7, 9) + 1
    }

    /// Cells of a column that has the number beside the gauge of the class.
    fn numbers(&self) -> i32 {
        if self.shows_measured() {
            return 6;
        }
        let one = |(i, j): &(usize, usize)| text::width(&self.number(*i, *j));
        let most = self.ways.keys().map(one).max().unwrap_or(0) as i32;
        most.clamp(2, 4) + 2
    }

    fn close(&self, i: usize, j: usize) -> String {
        let near = self.near(i, j);
        format!("{}{} {}", near_gauge(near), near.name(), self.number(i, j))
    }

    /// The names of the columns. Where there is room for their last digits alone, a row above says what they are.
    fn draw_head(&self, sketch: &mut Sketch, (left, y): (i32, i32), (cell, roomy): (i32, bool)) {
        let selected = self.selected();
        let words = cell == GAUGE_ALONE && roomy;
        let mut before = "";
        for (j, d) in self.devices.iter().enumerate() {
            let x = left + 8 + j as i32 * cell;
            let chosen = selected.is_some_and(|s| s.1 == j);
            let name = self.name(*d, chosen, cell);
            let role = if chosen { Role::Selection } else { self.look.device_role(*d) };
            let indent = match cell {
                GAUGE_ALONE => 0,
                7.. => 3,
                _ => cell - 1 - text::width(&name) as i32,
            };
            sketch.text(x + indent, y + i32::from(words), &name, role);
            let word = if self.is_nic(*d) { "NIC" } else { "GPU" };
            if words && word != before {
                sketch.text(x, y, word, Role::Dim);
                before = word;
            }
        }
    }

    fn is_nic(&self, d: DeviceIx) -> bool {
        self.look.shape().device(d).is_some_and(crate::system::Device::is_nic)
    }

    fn name(&self, d: DeviceIx, chosen: bool, cell: i32) -> String {
        let name = super::sketch::short_name(&self.look, d);
        let full = match (chosen, self.is_nic(d)) {
            (true, _) => format!("►{name}◄"),
            (_, true) => format!("({name})"),
            _ => format!("[{name}]"),
        };
        match cell {
            GAUGE_ALONE => name.chars().last().map(String::from).unwrap_or_default(),
            _ if (text::width(&full) as i32) < cell => full,
            _ if chosen => format!("►{name}"),
            _ => name,
        }
    }

    fn selected(&self) -> Option<(usize, usize)> {
        let Some(Pick::Pair { unit, from, to }) = self.look.input.selection else { return None };
        let at = |d| self.devices.iter().position(|k| *k == d);
        (unit == self.look.unit).then_some(())?;
        Some((at(from)?, at(to)?))
    }

    fn draw_row(&self, sketch: &mut Sketch, i: usize, (left, y): (i32, i32), cell: i32) {
        let Some(&device) = self.devices.get(i) else { return };
        let storey = i as u16 + 1;
        sketch.token(&self.look, &[device], (left + 1, y), false, storey);
        if let Some(item) = sketch.items.last_mut() {
            item.cell = true;
        }
        for (j, other) in self.devices.iter().enumerate() {
            let x = left + 8 + j as i32 * cell;
            if i == j {
                sketch.text(x + if cell > 6 { 4 } else { cell / 3 }, y, "·", Role::Dim);
                continue;
            }
            let pick = Pick::Pair { unit: self.look.unit, from: device, to: *other };
            let chosen = self.look.is_selected(pick);
            let t = self.cell_text(i, j, cell, chosen);
            let usual =
                if self.shows_measured() { measured::role(self.pair_of(i, j)) } else { near_role(self.near(i, j)) };
            sketch.text(x, y, &t, if chosen { Role::Selection } else { usual });
            sketch.item(pick, Cells::new(x, y, (cell - 1).max(1), 1), storey).cell = true;
        }
    }

    fn cell_text(&self, i: usize, j: usize, cell: i32, chosen: bool) -> String {
        if self.shows_measured() {
            return measured::cell(self.pair_of(i, j), cell, chosen);
        }
        let near = self.near(i, j);
        let (gauge, class, number) = (near_gauge(near), near.name(), self.number(i, j));
        match (cell, chosen) {
            (10, true) => format!("►{}◄", text::pad(&format!("{class} {number}"), 7)),
            (10, _) => format!("{gauge}{class:<4}{number:>4}"),
            (GAUGE_ALONE, true) => "►".to_owned(),
            (GAUGE_ALONE, _) => gauge.to_string(),
            (3..=6, true) => format!("►{}", text::right(&number, cell as usize - 2)),
            (3..=6, _) => format!("{gauge}{}", text::right(&number, cell as usize - 2)),
            (_, true) => text::pad(&format!("►{class} {number}◄"), (cell - 1) as usize),
            _ => self.close(i, j),
        }
    }

    fn draw_feet(&self, sketch: &mut Sketch, (left, y): (i32, i32), rows: i32) {
        let mut feet = vec![(self.spread(), Role::Text)];
        feet.extend(self.selected().map(|(i, j)| (self.sentence(i, j), Role::Selection)));
        feet.push((self.legend(), Role::Dim));
        feet.sort_by_key(|f| std::cmp::Reverse(f.1.urgency()));
        let room = sketch.width() - left - 2;
        for (k, (t, role)) in feet.into_iter().take(rows.max(0) as usize).enumerate() {
            sketch.text_in(left + 1, y + k as i32, room, &t, role);
        }
    }

    /// `g5 to g2   SYS across sockets   20 GB/s, 2.4 us`.
    fn sentence(&self, i: usize, j: usize) -> String {
        let name =
            |k: usize| self.devices.get(k).map_or_else(String::new, |d| super::sketch::short_name(&self.look, *d));
        let near = self.near(i, j);
        let head = format!("► {} to {}   {}  {}", name(i), name(j), near.name(), words(near));
        let Some(w) = self.way(i, j) else { return head };
        let (usable, line) = w.narrowest();
        if let (true, Some(pair)) = (self.shows_measured(), self.pair_of(i, j)) {
            return format!("► {} to {}   {}   {}", name(i), name(j), near.name(), measured::sentence(pair));
        }
        let rates = format!("{} of {} GB/s", short(usable.gbytes_per_s()), short(line.gbytes_per_s()));
        format!("{head}   {rates}   {} us   {}", short(w.latency().us()), counted(w.hops.len() as u64, "hop"))
    }

    /// `28 GPU pairs: 4 at 276, 8 at 24, 16 at 20`.
    fn spread(&self) -> String {
        if let (true, Some(overlay)) = (self.shows_measured(), self.look.input.pairs) {
            return measured::summary(overlay);
        }
        let gpu = |i: usize| {
            let d = self.devices.get(i).and_then(|d| self.look.shape().device(*d));
            d.is_some_and(crate::system::Device::is_gpu)
        };
        let mut counts: Vec<(String, usize)> = Vec::new();
        for (i, j) in self.ways.keys().filter(|(i, j)| gpu(*i) && gpu(*j)) {
            let number = self.number(*i, *j);
            match counts.iter_mut().find(|c| c.0 == number) {
                Some(c) => c.1 += 1,
                None => counts.push((number, 1)),
            }
        }
        counts.sort_by(|a, b| b.0.parse::<f64>().unwrap_or(0.0).total_cmp(&a.0.parse::<f64>().unwrap_or(0.0)));
        let total: usize = counts.iter().map(|c| c.1).sum();
        let parts: Vec<String> = counts.iter().map(|(v, n)| format!("{n} at {v}")).collect();
        format!("{total} GPU pairs: {}   ({})", parts.join(", "), self.look.input.cell.title())
    }

    fn legend(&self) -> String {
        let mut kinds: Vec<Nearness> =
            self.ways.values().map(|w| w.as_ref().map_or(Nearness::Net, |w| w.near)).collect();
        kinds.sort_unstable();
        kinds.dedup_by_key(|k| k.meaning());
        let one =
            |k: &Nearness| format!("{}{} {}", near_gauge(*k), k.name().trim_end_matches(char::is_numeric), k.meaning());
        kinds.iter().map(one).collect::<Vec<_>>().join("   ")
    }

    /// One row per class of pairs, for many devices or little room.
    fn draw_classes(&self, sketch: &mut Sketch, top: i32, unit: &str) {
        let mut classes: Vec<Class> = Vec::new();
        for (i, j) in self.ways.keys() {
            let (near, number) = (self.near(*i, *j), self.number(*i, *j));
            match classes.iter_mut().find(|c| c.0 == number && c.1 == near) {
                Some(c) => c.2.push((*i, *j)),
                None => classes.push((number, near, vec![(*i, *j)])),
            }
        }
        if classes.is_empty() || sketch.height() < 2 || sketch.width() < LEAST {
            if top == 0 {
                line::draw(self.look.input, Some(self.look.unit), sketch);
            }
            return;
        }
        classes.sort_by_key(|c| c.1);
        let last = sketch.height() - 1;
        for (k, (number, near, pairs)) in classes.iter().enumerate() {
            let y = (top + k as i32).min(last);
            let left = classes.len() - k;
            let more = y == last && left > 1;
            let t = if more {
                format!("+{left} classes of pairs")
            } else {
                format!(
                    "{}{:<5} {:>5} pairs  {number:>5}{unit}  {}",
                    near_gauge(*near),
                    near.name(),
                    pairs.len(),
                    words(*near)
                )
            };
            let chosen = self.selected().is_some_and(|(i, j)| pairs.contains(&(i.min(j), i.max(j))));
            let t = if chosen { format!("►{t}") } else { t };
            let room = sketch.width() - 1;
            sketch.text_in(1, y, room, &t, if chosen { Role::Selection } else { near_role(*near) });
            let picks: Vec<Pick> = pairs.iter().filter_map(|p| self.pair(*p)).collect();
            let Some((first, rest)) = picks.split_first() else { continue };
            let w = text::width(&t) as i32;
            sketch.item(*first, Cells::new(1, y, w, 1), (top + k as i32) as u16).also = rest.to_vec();
            if more {
                break;
            }
        }
    }

    fn pair(&self, (i, j): (usize, usize)) -> Option<Pick> {
        Some(Pick::Pair { unit: self.look.unit, from: *self.devices.get(i)?, to: *self.devices.get(j)? })
    }
}
