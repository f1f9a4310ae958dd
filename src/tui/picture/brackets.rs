//! Bridges and small meshes: brackets under the GPUs, in lanes.

use std::collections::BTreeMap;

use super::reading::{Look, Reading, State};
use super::sketch::{Cells, Sketch};
use super::tree::{Kind, Tree};
use super::up::{ScaleUp, lanes};
use crate::system::{DeviceIx, LinkIx};
use crate::tui::text;

struct Bracket {
    links: Vec<LinkIx>,
    x0: i32,
    x1: i32,
    lane: i32,
}

/// The brackets with their places.
pub(super) struct Brackets {
    all: Vec<Bracket>,
    lanes: i32,
    /// Rows between the endpoints and the first lane.
    lead: i32,
}

impl Brackets {
    pub(super) fn new(look: &Look, tree: &Tree, up: &ScaleUp) -> Self {
        let mut columns: BTreeMap<DeviceIx, i32> = BTreeMap::new();
        for s in tree.ends() {
            columns.extend(s.devices.iter().map(|d| (*d, s.tap)));
        }
        let mut spans: BTreeMap<(i32, i32), Vec<LinkIx>> = BTreeMap::new();
        for (l, a, b) in &up.direct {
            let tap = |i: usize| up.gpus.get(i).and_then(|g| columns.get(g)).copied();
            if let (Some(a), Some(b)) = (tap(*a), tap(*b)) {
                spans.entry((a.min(b), a.max(b))).or_default().push(*l);
            }
        }
        let keys: Vec<(usize, usize)> = spans.keys().map(|(a, b)| (*a as usize, *b as usize)).collect();
        let rows = lanes(&keys);
        let all: Vec<Bracket> = spans
            .into_iter()
            .zip(rows)
            .map(|(((x0, x1), links), lane)| Bracket { links, x0, x1, lane: lane as i32 })
            .collect();
        let crossed = tree.ends().any(|s| {
            let leaves = s.kind == Kind::End && super::tree::cable(look, s).is_some();
            leaves && all.iter().any(|b| b.x0 < s.tap && s.tap < b.x1)
        });
        let lead = if crossed { tree.style.exits + 1 } else { 2 };
        let lanes = all.iter().map(|b| b.lane + 1).max().unwrap_or(0);
        Self { all, lanes, lead }
    }

    /// Rows below the row of the endpoints.
    pub(super) fn height(&self) -> i32 {
        let below = i32::from(self.lanes == 1);
        if self.lanes == 0 { 0 } else { self.lead - 1 + self.lanes + below }
    }

    /// Draws them below the endpoints' row `floor`.
    pub(super) fn draw(&self, look: &Look, sketch: &mut Sketch, floor: i32, storey: u16) {
        for b in &self.all {
            let reading = look.merged(&b.links);
            let y = floor + self.lead + b.lane;
            for x in [b.x0, b.x1] {
                sketch.canvas.vline(x, floor, y, reading.stroke(), reading.wire_role());
            }
            sketch.run(y, b.x0, b.x1, &reading);
        }
        for b in &self.all {
            self.label(look, sketch, b, floor, storey);
        }
    }

    fn label(&self, look: &Look, sketch: &mut Sketch, b: &Bracket, floor: i32, storey: u16) {
        let reading = look.merged(&b.links);
        let y = floor + self.lead + b.lane;
        let room = b.x1 - b.x0 - 1;
        let beside = self.lanes > 1;
        let tag = tag(&reading, room, beside);
        let centre = |t: &str| b.x0 + 1 + (room - text::width(t) as i32) / 2;
        sketch.text(centre(&tag), y, &tag, reading.role());
        if !beside && reading.state != State::Down {
            let t = reading.texts("").into_iter().next().unwrap_or_default();
            sketch.text(centre(&t), y + 1, &t, reading.role());
        }
        let cells = Cells::new(b.x0, y, b.x1 - b.x0 + 1, 1 + i32::from(!beside));
        sketch.link_item(look, &b.links, cells, storey + b.lane as u16);
    }
}

/// The count on the bracket, with the load where there is no row below for it.
fn tag(reading: &Reading, room: i32, with_load: bool) -> String {
    let mut texts = Vec::new();
    if reading.state == State::Down {
        texts.extend([" ╳ down ".to_owned(), "╳".to_owned()]);
    }
    if reading.selected {
        texts.extend([format!(" ►{}◄ ", reading.up), format!("►{}◄", reading.up), "►".to_owned()]);
    }
    if with_load {
        texts.extend(reading.texts(&format!("{}x ", reading.up)).into_iter().flat_map(|t| [format!(" {t} "), t]));
    } else {
        let mark = if reading.state == State::Degraded { "▼" } else { "" };
        texts.extend([format!(" {}{mark} ", reading.up), format!("{}{mark}", reading.up), mark.to_owned()]);
    }
    texts.into_iter().find(|t| text::width(t) as i32 <= room).unwrap_or_default()
}
