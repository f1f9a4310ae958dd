//! Facts about units and the whole machine.

use super::{Facts, state};
use crate::system::{DeviceKind, Shape, System};
use crate::tui::app::{App, Spot, shape_of};
use crate::tui::picture::Pick;
use crate::tui::theme::Role;
use crate::tui::view::tree::percent;
use crate::units::{counted, significant};

/// The whole machine: its tiers.
pub(super) fn system(app: &App) -> Facts {
    let s = app.system();
    let mut facts = Facts { what: s.title.clone(), ..Facts::default() };
    let racks = if s.is_rack { format!("{}, ", counted(s.units.into(), "rack")) } else { String::new() };
    facts.say("size", format!("{racks}{}, {}", counted(s.nodes(), "node"), counted(s.ranks(), "GPU")));
    state(app, &mut facts, "");
    for row in s.tiers() {
        facts.rows.push(super::Fact {
            name: row.tier.name(),
            value: format!("{}: {} GB/s", row.link, significant(row.line.gbytes_per_s())),
            role: Role::Text,
            from: Some(row.source),
        });
    }
    software(&mut facts, s);
    facts.text.clone_from(&s.about);
    facts
}

/// Settings that matter to the answer.
fn software(facts: &mut Facts, s: &System) {
    let w = &s.software;
    let all = [
        ("nvls", w.nvls),
        ("sharp", w.sharp),
        ("gdr", w.gdr),
        ("p2p", w.p2p),
        ("pxn", w.pxn),
        ("acs", w.acs),
        ("vm", w.vm),
    ];
    let on: Vec<&str> = all.iter().filter(|(_, on)| *on).map(|(n, _)| *n).collect();
    facts.say("on", on.join(" "));
    facts.say("library", w.library.to_string());
}

/// A unit, a run of units, a class, or a node of a rack.
pub(super) fn unit(app: &App) -> Facts {
    let s = app.system();
    let spot = app.selection();
    let unit = match spot.pick() {
        Some(Pick::Class(c)) => s.classes.get(c.0).and_then(|c| c.members.first()).unwrap_or(0),
        _ => spot.unit().unwrap_or(0),
    };
    let mut facts = Facts::default();
    let Some(shape) = shape_of(s, unit) else { return facts };
    let node = match spot.pick() {
        Some(Pick::Node { node, .. }) => Some(node),
        _ => None,
    };
    facts.what = contents(shape, node);
    state(app, &mut facts, "");
    let load = percent(app.readings().of(spot).load.ratio());
    facts.load(load);
    if let Some((_, class)) = s.class_of(unit) {
        let word = if s.is_rack { "racks" } else { "nodes" };
        if s.units > 1 {
            facts.say("alike", format!("{} of {} {word}", class.members.len(), s.units));
        }
        let hurt: Vec<String> =
            [(class.health.devices_down().count(), "device"), (class.health.links_hurt().count(), "link")]
                .into_iter()
                .filter(|(n, _)| *n > 0)
                .map(|(n, word)| counted(n as u64, word))
                .collect();
        if !hurt.is_empty() {
            facts.role("hurt", hurt.join(", "), Role::Degraded);
        }
    }
    if let (Some(f), Spot::Thing(Pick::Unit(_))) = (&s.fabric, spot) {
        let first = u64::from(unit) * u64::from(s.nodes_per_unit);
        let leaves = (0..f.nics_per_node).map(|n| f.leaf_of(first, n).0);
        let (low, high) = leaves.fold((u32::MAX, 0), |(a, b), l| (a.min(l), b.max(l)));
        facts.say("leaves", if low == high { format!("leaf{low}") } else { format!("leaf{low}..{high}") });
    }
    facts
}

/// `8 H100 SXM, 8 ConnectX-7, ...`: devices by part.
fn contents(shape: &Shape, node: Option<u32>) -> String {
    let mut parts: Vec<(String, u32)> = Vec::new();
    for d in shape.devices() {
        if d.kind == DeviceKind::Fabric || (node.is_some() && d.node != node) {
            continue;
        }
        match parts.iter_mut().find(|(t, _)| t == d.title()) {
            Some((_, n)) => *n += 1,
            None => parts.push((d.title().to_owned(), 1)),
        }
    }
    let rank = |title: &str| {
        shape.devices().iter().find(|d| d.title() == title).map_or(3, |d| match d.kind {
            DeviceKind::Gpu(_) => 0,
            DeviceKind::Nic(_) => 1,
            DeviceKind::ScaleUpSwitch(_) => 2,
            _ => 3,
        })
    };
    parts.sort_by_key(|(t, _)| rank(t));
    parts.iter().map(|(t, n)| format!("{n} {t}")).collect::<Vec<_>>().join(", ")
}
