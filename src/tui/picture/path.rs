//! One pair of devices, hop by hop: rates, latency, running sum, the narrowest hop.

mod trip;

use super::frame;
use super::reading::{Look, Reading, State, short};
use super::sketch::{Cells, Sketch};
use super::{End, Pick, PictureInput, Scene, line};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Bandwidth, Time};
use trip::{Leg, Stop, trip};

/// Columns of the table by the room there is.
#[derive(Clone, Copy)]
struct Columns {
    link: i32,
    line: i32,
    usable: i32,
    bar: i32,
    bar_width: i32,
    us: i32,
    sum: i32,
}

pub(super) fn layout(input: &PictureInput, (from, to): (End, End), size: (u16, u16)) -> Scene {
    let mut sketch = Sketch::new(size, input.selection);
    let name = |e: End| super::line::short_pick(input, Pick::Device { unit: e.unit, device: e.device });
    let whole = |e: End| format!("{}/{}", input.system.unit_name(e.unit), name(e));
    sketch.title = format!("path   {} to {}", whole(from), whole(to));
    "rates in GB/s per direction, us".clone_into(&mut sketch.unit);
    match trip(input, from, to) {
        Ok(trip) => draw(input, &mut sketch, &trip),
        Err(why) => {
            let room = sketch.width();
            sketch.text_in(0, 0, room, &format!("╳ no way: {why}"), Role::Down);
            sketch.item(Pick::Device { unit: from.unit, device: from.device }, Cells::new(0, 0, room, 1), 0);
        }
    }
    sketch.scene()
}

/// The hops as text.
pub(super) fn cells(input: &PictureInput, from: End, to: End) -> Option<super::Cells> {
    let trip = trip(input, from, to).ok()?;
    let header = ["to", "link", "line GB/s", "usable GB/s", "latency us"].map(str::to_owned).to_vec();
    let row = |stop: &Stop| {
        let leg = stop.leg.as_ref()?;
        let rate = |b: Bandwidth| format!("{:.2}", b.gbytes_per_s());
        let to = stop.token.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        Some(vec![to, leg.name.clone(), rate(leg.line), rate(leg.usable), format!("{:.3}", leg.latency.us())])
    };
    Some((header, trip.iter().filter_map(row).collect()))
}

/// In the close form a device stands on the line of its hop. A column at 0 is left out.
fn columns(width: i32, close: bool) -> Columns {
    let link = if close { 23 } else { 19 };
    let sum = width - 2;
    let us = if width >= 60 { width - 10 } else { 0 };
    if width >= 84 {
        let usable = link + 34;
        let bar = usable + 2;
        return Columns { link, line: link + 26, usable, bar, bar_width: (us - bar - 20).min(40), us, sum };
    }
    let usable = if us > 0 { us - 7 } else { sum - 7 };
    let line = if width >= 72 { usable - 8 } else { 0 };
    Columns { link, line, usable, bar: 0, bar_width: 0, us, sum }
}

fn draw(input: &PictureInput, sketch: &mut Sketch, trip: &[Stop]) {
    if sketch.width() < 44 || sketch.height() < 4 || trip.is_empty() {
        return one_line(input, sketch, trip);
    }
    let widest = trip.iter().filter_map(|s| s.leg.as_ref()).map(|l| l.usable.gbytes_per_s()).fold(0.0, f64::max);
    let least = narrowest(trip);
    let rows = trip.len() as i32 * 2 - 1;
    let room = sketch.height() - frame::needed_rows(input, sketch.height()) - 1;
    // A line per device and one per hop, or one per hop with the device it leads to.
    let close = rows + 1 > room;
    let c = columns(sketch.width(), close);
    // The head line, and in the wide form the titles.
    let used = if close { trip.len() as i32 + 1 } else { rows + 2 };
    let last = sketch.height() - 1 - frame::needed_rows(input, sketch.height());
    let (top, _) = frame::draw_plain(input, sketch, used.min(sketch.height()), &[]);
    head(sketch, trip, top);
    let mut y = top + 1;
    if !close {
        titles(sketch, c, y);
        y += 1;
    }
    let mut sum = Time::ZERO;
    for (i, stop) in trip.iter().enumerate() {
        let storey = i as u16 * 2 + 1;
        if let Some(leg) = &stop.leg {
            sum = sum + leg.latency;
            if y >= last && i + 1 < trip.len() {
                return draw_rest(sketch, trip.get(i..).unwrap_or_default(), y, storey);
            }
            let narrow = leg.usable <= least;
            draw_leg(sketch, leg, (c, y), (widest, narrow, sum), storey - 1);
            y += i32::from(!close);
        }
        if !close || i == 0 {
            draw_stop(sketch, stop, c, y, storey);
            y += 1;
        } else {
            draw_stop_beside(sketch, stop, y, storey);
            y += 1;
        }
    }
}

/// The hops that no row is left for, with their marks.
fn draw_rest(sketch: &mut Sketch, rest: &[Stop], y: i32, storey: u16) {
    let legs = || rest.iter().filter_map(|s| s.leg.as_ref());
    let chosen = legs().any(|l| l.reading.selected) || rest.iter().any(|s| s.token.starts_with('►'));
    let has = |state: State| legs().any(|l| l.reading.state == state);
    let marks =
        [(chosen, "►"), (legs().any(|l| l.reading.hot), "◄"), (has(State::Degraded), "▼"), (has(State::Down), "╳")];
    let marks: String = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
    let last = rest.last().map_or("", |s| s.token.as_str());
    let t = format!("+{} hops to {last} {marks}", legs().count());
    sketch.text(3, y, t.trim_end(), Role::Dim);
    let picks: Vec<Pick> =
        rest.iter().flat_map(|s| s.leg.iter().flat_map(|l| &l.picks).chain(&s.picks)).copied().collect();
    if let Some((first, more)) = picks.split_first() {
        sketch.item(*first, Cells::new(3, y, text::width(&t) as i32, 1), storey).also = more.to_vec();
    }
}

fn narrowest(trip: &[Stop]) -> Bandwidth {
    trip.iter().filter_map(|s| s.leg.as_ref()).map(|l| l.usable).fold(Bandwidth::INFINITE, Bandwidth::min)
}

/// Rate of one stream, first byte, hops.
fn head(sketch: &mut Sketch, trip: &[Stop], y: i32) {
    let legs: Vec<&Leg> = trip.iter().filter_map(|s| s.leg.as_ref()).collect();
    let total: Time = legs.iter().map(|l| l.latency).sum();
    let rate = narrowest(trip);
    let rate = if legs.is_empty() { "the same device".to_owned() } else { format!("one stream {rate}") };
    let t = format!("{rate}    first byte {total}    {} hops", legs.len());
    let room = sketch.width() - 4;
    sketch.text_in(2, y, room, &t, Role::Strong);
}

fn titles(sketch: &mut Sketch, c: Columns, y: i32) {
    sketch.text(3, y, "device", Role::Dim);
    sketch.text(c.link, y, "link", Role::Dim);
    if c.line > 0 {
        sketch.canvas.text_right(c.line, y, "line", Role::Dim);
    }
    sketch.canvas.text_right(c.usable, y, "usable", Role::Dim);
    if c.bar_width > 0 {
        sketch.text_in(c.bar, y, c.bar_width + 12, "to scale", Role::Dim);
    }
    if c.us > 0 {
        sketch.canvas.text_right(c.us, y, "us", Role::Dim);
    }
    sketch.canvas.text_right(c.sum, y, "sum", Role::Dim);
}

fn draw_stop(sketch: &mut Sketch, stop: &Stop, c: Columns, y: i32, storey: u16) {
    sketch.text(3, y, &stop.token, stop.role);
    let room = sketch.width() - c.link - 1;
    sketch.text_in(c.link, y, room, &stop.note, Role::Dim);
    stop_item(sketch, stop, Cells::new(3, y, text::width(&stop.token) as i32, 1), storey);
}

/// In the close form the device stands on the line of the hop that leads to it.
fn draw_stop_beside(sketch: &mut Sketch, stop: &Stop, y: i32, storey: u16) {
    let token = text::truncate(&stop.token, 13).into_owned();
    sketch.text(9, y, &token, stop.role);
    stop_item(sketch, stop, Cells::new(9, y, text::width(&token) as i32, 1), storey);
}

fn stop_item(sketch: &mut Sketch, stop: &Stop, at: Cells, storey: u16) {
    let Some((first, rest)) = stop.picks.split_first() else { return };
    sketch.item(*first, at, storey).also = rest.to_vec();
}

fn draw_leg(
    sketch: &mut Sketch,
    leg: &Leg,
    (c, y): (Columns, i32),
    (widest, narrow, sum): (f64, bool, Time),
    storey: u16,
) {
    let r = &leg.reading;
    sketch.wire(4, y, y, r);
    let w =
        sketch.text_free(5, y, &r.texts("").into_iter().filter(|t| text::width(t) <= 4).collect::<Vec<_>>(), r.role());
    let mark = match r.state {
        State::Degraded => " ▼",
        State::Down => " ╳",
        _ => "",
    };
    let name_room = if c.line > 0 { c.line - 5 } else { c.usable - 5 } - c.link;
    sketch.text_in(
        c.link,
        y,
        name_room,
        &format!("{}{mark}", leg.name),
        if mark.is_empty() { Role::Text } else { r.role() },
    );
    let number = |sketch: &mut Sketch, x: i32, v: String, role| sketch.canvas.text_right(x, y, &v, role);
    if c.line > 0 {
        number(sketch, c.line, short(leg.line.gbytes_per_s()), Role::Dim);
    }
    number(sketch, c.usable, short(leg.usable.gbytes_per_s()), if narrow { Role::Strong } else { Role::Text });
    if c.bar_width > 0 {
        let cells =
            (leg.usable.gbytes_per_s() / widest.max(f64::MIN_POSITIVE) * f64::from(c.bar_width)).round().max(1.0);
        let fill = if narrow { "█" } else { "▒" }.repeat(cells as usize);
        sketch.canvas.text(c.bar, y, &fill, if narrow { Role::Bottleneck } else { Role::Text });
        if narrow {
            sketch.canvas.text(c.bar + cells as i32 + 1, y, "◄ narrowest", Role::Strong);
        }
    } else if narrow {
        sketch.canvas.text(c.usable + 1, y, "◄", Role::Strong);
    }
    if c.us > 0 {
        number(sketch, c.us, short(leg.latency.us()), Role::Text);
    }
    number(sketch, c.sum, short(sum.us()), Role::Dim);
    let Some((first, rest)) = leg.picks.split_first() else { return };
    let item = sketch.item(*first, Cells::new(4, y, 1 + w.max(1), 1), storey);
    item.also = rest.to_vec();
}

/// Very little room: rate, latency and marks in one line.
fn one_line(input: &PictureInput, sketch: &mut Sketch, trip: &[Stop]) {
    if sketch.height() == 0 || trip.is_empty() {
        return line::draw(input, None, sketch);
    }
    let legs = || trip.iter().filter_map(|s| s.leg.as_ref());
    let has = |state: State| legs().any(|l| l.reading.state == state);
    let marks = format!(
        "{}{}{}",
        if legs().any(|l| l.reading.hot) { "◄" } else { "" },
        if has(State::Degraded) { "▼" } else { "" },
        if input.selection.is_some() { "►" } else { "" }
    );
    let total: Time = legs().map(|l| l.latency).sum();
    let t = format!("{marks} {}  {total}  {} hops", narrowest(trip), legs().count());
    let room = sketch.width();
    sketch.text_in(0, 0, room, t.trim_start(), Role::Strong);
    let picks: Vec<Pick> = trip.iter().flat_map(|s| s.picks.iter().copied()).collect();
    if let Some((first, rest)) = picks.split_first() {
        sketch.item(*first, Cells::new(0, 0, room, 1), 0).also = rest.to_vec();
    }
}

/// A reading for a hop that is no link of a unit.
fn fabric_reading(percent: u8, number: String, selected: bool) -> Reading {
    Reading { percent, number, selected, up: 1, count: 1, ..Reading::default() }
}

fn token_of(look: &Look, d: crate::system::DeviceIx) -> (String, Role) {
    let name = super::sketch::short_name(look, d);
    let selected = look.is_selected(look.device_pick(d));
    let device = look.shape().device(d);
    let text = match device {
        _ if selected => format!("►{name}◄"),
        Some(k) if k.is_gpu() => format!("[{name}]"),
        Some(k) if k.is_nic() => format!("({name})"),
        Some(k) => format!("╞ {} ╡", k.name),
        None => name,
    };
    (text, look.device_role(d))
}
