//! The stops and hops between two devices of the machine, over the fabric where they are in different units.

use super::super::hops::{Hop, way};
use super::super::reading::{Look, load_number};
use super::super::{End, Pick, PictureInput};
use super::{Reading, fabric_reading, token_of};
use crate::system::{Device, DeviceIx, DeviceKind, Fabric, LeafIx};
use crate::tui::theme::Role;
use crate::units::{Bandwidth, Share, Time};

/// A hop.
pub(super) struct Leg {
    pub(super) name: String,
    pub(super) line: Bandwidth,
    pub(super) usable: Bandwidth,
    pub(super) latency: Time,
    pub(super) reading: Reading,
    pub(super) picks: Vec<Pick>,
}

/// A device on the way with the hop that leads to it.
pub(super) struct Stop {
    pub(super) token: String,
    pub(super) role: Role,
    pub(super) note: String,
    pub(super) picks: Vec<Pick>,
    pub(super) leg: Option<Leg>,
}

/// The way from one end to the other, or why there is none.
pub(super) fn trip(input: &PictureInput, from: End, to: End) -> Result<Vec<Stop>, String> {
    let look = |u: u32| Look::new(input, u).ok_or_else(|| format!("no unit {u}"));
    let (a, b) = (look(from.unit)?, look(to.unit)?);
    if from.unit == to.unit {
        let mut stops = vec![first(&a, from.device)];
        append(&a, &mut stops, from.device, to.device)?;
        return Ok(stops);
    }
    let fabric = input.system.fabric.as_ref().ok_or("the two units have no fabric between them")?;
    let far = nic_for(&b, to.device, None).ok_or("no NIC at the far end")?;
    let rail = index_of(&b, far);
    let near = nic_for(&a, from.device, fabric.rails.then_some(rail)).ok_or("no NIC of that rail at the near end")?;
    let mut stops = vec![first(&a, from.device)];
    let relay = relay(&a, from.device, near);
    if let Some(gpu) = relay {
        append(&a, &mut stops, from.device, gpu)?;
        if let Some(s) = stops.last_mut() {
            s.note = format!("relays to the NIC beside it (pxn), {}", s.note);
        }
    }
    append(&a, &mut stops, relay.unwrap_or(from.device), near)?;
    cross(fabric, (&a, near), (&b, far), &mut stops)?;
    append(&b, &mut stops, far, to.device)?;
    Ok(stops)
}

fn first(look: &Look, d: DeviceIx) -> Stop {
    let (token, role) = token_of(look, d);
    Stop { token, role, note: place(look, d), picks: vec![look.device_pick(d)], leg: None }
}

/// Where a device is: its node, in words.
fn place(look: &Look, d: DeviceIx) -> String {
    let unit = look.input.system.unit_name(look.unit);
    let node = look.shape().device(d).and_then(|k| k.node);
    match (look.input.system.is_rack, node) {
        (true, Some(n)) => format!("{unit}/node{n}"),
        _ => unit,
    }
}

/// Adds the way inside a unit.
fn append(look: &Look, stops: &mut Vec<Stop>, from: DeviceIx, to: DeviceIx) -> Result<(), String> {
    let name = |d: DeviceIx| look.shape().device(d).map_or_else(String::new, |k| k.path.clone());
    let way = way(look, from, to).ok_or_else(|| format!("{} and {} are not connected", name(from), name(to)))?;
    stops.extend(way.hops.iter().map(|h| stop(look, h)));
    Ok(())
}

fn stop(look: &Look, hop: &Hop) -> Stop {
    let first = hop.to.first().copied().unwrap_or(DeviceIx(0));
    let chosen = hop.to.iter().any(|d| look.is_selected(look.device_pick(*d)));
    let (token, role) = token_of(look, first);
    let role = if chosen { Role::Selection } else { role };
    let several = hop.to.len() > 1;
    let token = if several { gang(look, &hop.to, chosen) } else { token };
    let count: u32 = hop.links.iter().filter_map(|l| look.shape().link(*l)).map(|l| l.count).sum();
    let kind = hop.links.first().and_then(|l| look.shape().link(*l));
    let link = kind.map_or_else(String::new, |l| {
        if several || hop.links.len() > 1 { format!("{} x{count}", l.kind.title) } else { l.describe() }
    });
    let leg = Leg {
        name: link,
        line: hop.line,
        usable: hop.usable,
        latency: hop.latency,
        reading: look.merged(&hop.links),
        picks: hop.links.iter().map(|l| look.link_pick(*l)).collect(),
    };
    let note = match look.shape().device(first).map(|d| &d.kind) {
        Some(DeviceKind::Gpu(_) | DeviceKind::Nic(_)) => place(look, first),
        Some(DeviceKind::Cpu(_)) => "through the host bridge".to_owned(),
        _ if several => format!("{} chips share the stream", hop.to.len()),
        _ => String::new(),
    };
    Stop { token, role, note, picks: hop.to.iter().map(|d| look.device_pick(*d)).collect(), leg: Some(leg) }
}

/// Parallel chips: `nvsw0..3`.
fn gang(look: &Look, chips: &[DeviceIx], chosen: bool) -> String {
    let first = chips.first().map_or_else(String::new, |d| name(look, *d));
    let body = format!("{first}..{}", number(look, chips.last().copied()));
    if chosen { format!("►{body}◄") } else { format!("╞ {body} ╡") }
}

fn name(look: &Look, d: DeviceIx) -> String {
    look.shape().device(d).map_or_else(String::new, |d| d.name.clone())
}

fn number(look: &Look, d: Option<DeviceIx>) -> String {
    d.map_or_else(String::new, |d| name(look, d).trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned())
}

/// Place of a NIC among those of its node.
fn index_of(look: &Look, nic: DeviceIx) -> u32 {
    let node = |d: DeviceIx| look.shape().device(d).and_then(|k| k.node);
    let mates = look.shape().nics().iter().filter(|n| node(**n) == node(nic));
    mates.take_while(|n| **n != nic).count() as u32
}

/// The NIC that a device uses: the nearest one that is up, of one rail if that is asked for.
fn nic_for(look: &Look, d: DeviceIx, rail: Option<u32>) -> Option<DeviceIx> {
    let node = |d: DeviceIx| look.shape().device(d).and_then(|k| k.node);
    let works = |n: &DeviceIx| {
        let cable = look.shape().cable(*n);
        cable.is_some_and(|c| look.class.health.left(look.shape(), c).ratio() > 0.0)
    };
    if look.shape().device(d).is_some_and(Device::is_nic) && rail.is_none_or(|r| r == index_of(look, d)) {
        return Some(d).filter(works);
    }
    let mates = look.shape().nics().iter().copied().filter(|n| node(*n) == node(d) && works(n));
    let fits = mates.filter(|n| rail.is_none_or(|r| r == index_of(look, *n)));
    // Of equally near NICs the one whose place fits the GPU's, so that neighbours do not share one.
    let own = look.shape().gpus().iter().filter(|g| node(**g) == node(d)).position(|g| *g == d).unwrap_or(0) as u32;
    fits.min_by_key(|n| {
        (look.shape().nearness(d, *n, &look.class.health), index_of(look, *n) != own, index_of(look, *n))
    })
}

/// The GPU that relays to a NIC of another rail, where software may use one.
fn relay(look: &Look, from: DeviceIx, nic: DeviceIx) -> Option<DeviceIx> {
    let health = &look.class.health;
    let shape = look.shape();
    let near = |d: DeviceIx| shape.nearness(d, nic, health);
    let mut gpus = shape.gpus().iter().copied().filter(|g| *g != from && health.device_up(*g));
    if !look.input.system.software.pxn || !shape.device(from).is_some_and(Device::is_gpu) {
        return None;
    }
    gpus.find(|g| {
        let up = matches!(shape.nearness(from, *g, health), crate::system::Nearness::ScaleUp(..));
        up && near(*g) < near(from) && nic_for(look, *g, None) == Some(nic)
    })
}

/// Over the fabric from one NIC to another.
fn cross(
    fabric: &Fabric,
    (a, near): (&Look, DeviceIx),
    (b, far): (&Look, DeviceIx),
    stops: &mut Vec<Stop>,
) -> Result<(), String> {
    let leaf = |look: &Look, nic: DeviceIx| {
        let node = look.shape().device(nic).and_then(|d| d.node).unwrap_or(0);
        let host = u64::from(look.unit) * u64::from(look.input.system.nodes_per_unit) + u64::from(node);
        fabric.leaf_of(host, index_of(look, nic))
    };
    let (up, down) = (leaf(a, near), leaf(b, far));
    let out = cable_leg(a, near).ok_or("the near NIC has no cable")?;
    let same = up == down;
    let note = if same { "both hang here, no spine" } else { "" };
    stops.push(switch_stop(a.input, Pick::Leaf(up), &format!("leaf{}", up.0), note, out));
    if !same {
        let levels = fabric.levels().len();
        let middle: &[&str] = if levels > 2 { &["spine", "core", "spine"] } else { &["spine"] };
        for (i, kind) in middle.iter().enumerate() {
            let first = i == 0;
            let pick = if first { vec![Pick::Uplink(up)] } else { Vec::new() };
            let leg = uplink_leg(fabric, a, up, pick);
            let note = if first { "one of the plane's, chosen by routing" } else { "" };
            let (token, role) = (format!("╞ {kind} ╡"), Role::ScaleOut);
            stops.push(Stop { token, role, note: note.to_owned(), picks: Vec::new(), leg: Some(leg) });
        }
        let leg = uplink_leg(fabric, a, down, vec![Pick::Uplink(down)]);
        stops.push(switch_stop(a.input, Pick::Leaf(down), &format!("leaf{}", down.0), "", leg));
    }
    let back = cable_leg(b, far).ok_or("the far NIC has no cable")?;
    let (token, role) = token_of(b, far);
    stops.push(Stop { token, role, note: place(b, far), picks: vec![b.device_pick(far)], leg: Some(back) });
    Ok(())
}

fn switch_stop(input: &PictureInput, pick: Pick, name: &str, note: &str, leg: Leg) -> Stop {
    let selected = input.selection == Some(pick);
    let token = if selected { format!("►{name}◄") } else { format!("╞ {name} ╡") };
    let role = if selected { Role::Selection } else { Role::ScaleOut };
    Stop { token, role, note: note.to_owned(), picks: vec![pick], leg: Some(leg) }
}

fn cable_leg(look: &Look, nic: DeviceIx) -> Option<Leg> {
    let cable = look.shape().cable(nic)?;
    let link = look.shape().link(cable)?;
    Some(Leg {
        name: link.describe(),
        line: link.line_rate(),
        usable: look.usable(cable),
        latency: look.latency(cable),
        reading: look.reading(cable),
        picks: vec![look.link_pick(cable)],
    })
}

/// One cable of a port's rate between two switches; what a leaf has lost is taken evenly from its cables.
fn uplink_leg(fabric: &Fabric, look: &Look, leaf: LeafIx, picks: Vec<Pick>) -> Leg {
    let load = look.input.loads.uplink(look.input.system, leaf).map_or(Share::ZERO, |[a, b]| if a < b { b } else { a });
    let (number, percent) = load_number(load);
    let selected = look.input.selection.is_some_and(|p| picks.contains(&p));
    let mut reading = fabric_reading(percent, number, selected);
    reading.hot = look.input.bottleneck.uplinks.contains(&leaf);
    Leg {
        name: format!("{} cable", fabric.transport.title),
        line: fabric.port_rate,
        usable: fabric.port_rate * fabric.transport.usable.is,
        latency: fabric.switch.latency.is,
        reading,
        picks,
    }
}
