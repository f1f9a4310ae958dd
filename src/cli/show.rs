//! `icx-tui show`: a system's hierarchy and tiers, in linear text or JSON.

use std::fmt::Write;

use anyhow::Result;

use super::Output;
use super::args::{ShowArgs, SystemFormat};
use super::source::{self, Machine};
use crate::export;
use crate::preset;
use crate::system::{System, UnitClass};
use crate::units::counted;

/// Shows a system.
pub fn run(a: &ShowArgs) -> Result<Output> {
    let Machine { system, .. } = source::machine(&a.system, &a.edits)?;
    Ok(Output::fine(match a.format {
        SystemFormat::Text => text(&system),
        SystemFormat::Json => format!("{}\n", serde_json::to_string_pretty(&export::json(&system))?),
        SystemFormat::Ron => preset::spec_to_ron(&export::spec(&system, preset::catalogue())),
        SystemFormat::Dot => export::dot(&system),
        SystemFormat::AstraYaml => export::astra_yaml(&system),
        SystemFormat::NcclXml => export::nccl_xml(&system),
    }))
}

fn text(s: &System) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", s.name, s.title);
    if !s.about.is_empty() {
        let _ = writeln!(out, "{}", s.about);
    }
    let unit = if s.is_rack { "rack" } else { "node" };
    let _ = writeln!(
        out,
        "\n{} x {} = {}{}",
        counted(s.units.into(), unit),
        counted(s.ranks_per_unit().into(), "GPU"),
        counted(s.ranks(), "rank"),
        if s.is_rack { format!(", {} nodes per rack", s.nodes_per_unit) } else { String::new() }
    );
    tiers(&mut out, s);
    fabric(&mut out, s);
    for class in &s.classes {
        hierarchy(&mut out, s, class);
    }
    for source in &s.sources {
        let _ = writeln!(out, "source: {source}");
    }
    out
}

fn tiers(out: &mut String, s: &System) {
    let _ = writeln!(out, "\ntiers, rates per GPU and direction (services: per node)");
    let _ = writeln!(out, "  {:10} {:38} {:>11} {:>11}  {:>8}", "tier", "link", "line", "usable", "latency");
    for t in s.tiers() {
        let latency = if t.latency.us() > 0.0 { t.latency.to_string() } else { "-".to_owned() };
        let _ = writeln!(out, "  {:10} {:38} {:>11} {:>11}  {latency:>8}", t.tier.name(), t.link, t.line, t.usable);
    }
}

fn fabric(out: &mut String, s: &System) {
    let Some(f) = &s.fabric else { return };
    let rails = if f.rails { "rail-optimized, every rail a plane of its own" } else { "one plane" };
    let _ = writeln!(
        out,
        "\nfabric: {}, {rails}, {} nodes under a leaf, {}:1 at the leaves, of {}",
        f.transport.title, f.leaf_nodes, f.oversubscription, f.switch.title
    );
    for l in f.levels() {
        let up = if l.up > 0 { format!(", {} up", l.up) } else { String::new() };
        let _ = writeln!(out, "  {:>6} {:5} switches, {} ports down{up} each", l.count, l.name, l.down);
    }
}

/// One class of units: its devices with their links, equal neighbours merged to a line with a count.
fn hierarchy(out: &mut String, s: &System, class: &UnitClass) {
    let unit = if s.is_rack { "rack" } else { "node" };
    let state = if class.health.is_healthy() { "" } else { "  (with faults)" };
    let _ = writeln!(
        out,
        "\n{unit} {}: {} devices, {} link bundles{state}",
        class.members,
        class.shape.devices().len(),
        class.shape.links().len()
    );
    for d in class.shape.device_ixs() {
        let Some(device) = class.shape.device(d).filter(|x| x.path != "fabric") else { continue };
        let down = if class.health.device_up(d) { "" } else { "  DOWN" };
        let _ = writeln!(out, "  {:14} {}{down}", device.path, device.title());
        for (kind, ends) in bundles(class, d) {
            let _ = writeln!(out, "    {kind}: {}", ends.join(" "));
        }
    }
}

/// The links of a device for which it is the first end, by kind and state.
fn bundles(class: &UnitClass, d: crate::system::DeviceIx) -> Vec<(String, Vec<String>)> {
    let shape = &class.shape;
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (l, other) in shape.around(d) {
        let Some(link) = shape.link(*l).filter(|x| x.a == d) else { continue };
        let end = shape.device(*other).map_or(String::new(), |x| x.path.clone());
        let kind = format!("{}{}", link.describe(), state(class, *l));
        match rows.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, ends)) => ends.push(end),
            None => rows.push((kind, vec![end])),
        }
    }
    rows
}

fn state(class: &UnitClass, l: crate::system::LinkIx) -> String {
    let left = class.health.left(&class.shape, l);
    if left.ratio() >= 1.0 {
        String::new()
    } else if left.ratio() <= 0.0 {
        " DOWN".to_owned()
    } else {
        format!(" DEGRADED to {left}")
    }
}
