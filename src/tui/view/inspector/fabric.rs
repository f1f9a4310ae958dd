//! Facts about the scale-out fabric, its switches, and the services tier.

use super::{Facts, state};
use crate::system::{Fabric, LeafIx};
use crate::tui::app::App;
use crate::tui::picture::{Loads, Pick};
use crate::tui::theme::Role;
use crate::tui::view::tree::percent;
use crate::units::counted;

/// The fabric as a whole.
pub(super) fn whole(app: &App) -> Facts {
    let mut facts = Facts::default();
    let Some(f) = &app.system().fabric else { return facts };
    facts.what = format!("{} of {}", f.transport.title, f.switch.title);
    state(app, &mut facts, "");
    rates(&mut facts, f);
    facts.say("rails", if f.rails { format!("{}, each a plane of its own", f.planes()) } else { "none".to_owned() });
    for level in f.levels() {
        let up = if level.up > 0 { format!(", {} up", level.up) } else { String::new() };
        facts.say(
            level.name,
            format!("{}, {} down{up}", counted(level.count.into(), "switch"), counted(level.down.into(), "port")),
        );
    }
    facts.say("taper", format!("{}:1 at a leaf", f.oversubscription));
    facts.say("nodes", format!("{} under a leaf, {} in all", f.leaf_nodes, f.nodes));
    facts.text.clone_from(&f.source);
    facts
}

fn rates(facts: &mut Facts, f: &Fabric) {
    facts.say("port", format!("{} ({} Gb/s)", f.port_rate, f.port_rate.gbits_per_s().round()));
    facts.figure("usable", format!("{} of it", f.transport.usable.is), &f.transport.usable.from);
    facts.figure("step", f.transport.step.is.to_string(), &f.transport.step.from);
}

/// A switch, the cables of a leaf, or a group of nodes.
pub(super) fn switch(app: &App) -> Facts {
    let mut facts = Facts::default();
    let Some(f) = &app.system().fabric else { return facts };
    facts.what.clone_from(&f.switch.title);
    state(app, &mut facts, "");
    load(app, &mut facts, f);
    let level = |i: usize, facts: &mut Facts| {
        if let Some(l) = f.levels().get(i) {
            facts.say("ports", format!("{} down, {} up", l.down, l.up));
        }
    };
    match app.selection().pick() {
        Some(Pick::Leaf(l) | Pick::Uplink(l)) => {
            level(0, &mut facts);
            leaf(&mut facts, f, l);
        }
        Some(Pick::Spine(_)) => level(1, &mut facts),
        Some(Pick::Core(_)) => level(2, &mut facts),
        _ => facts.what = format!("{} nodes that share their leaves", f.leaf_nodes.min(f.nodes as u32)),
    }
    facts.figure("delay", f.switch.latency.is.to_string(), &f.switch.latency.from);
    facts
}

/// Load of what is selected: of a leaf its own cables both ways, of what lies above the busiest leaf's.
fn load(app: &App, facts: &mut Facts, f: &Fabric) {
    let loads = &app.answers().loads;
    let share = |s: crate::units::Share| percent(s.ratio());
    match app.selection().pick() {
        Some(Pick::Leaf(l)) => {
            let (down, up) = (share(Loads::leaf_down(loads, app.system(), l)), share(loads.uplink_of(f, l)));
            facts.role("load", format!("{down} % down, {up} % up"), Role::for_load(down.max(up)));
        }
        Some(Pick::Uplink(l)) => {
            let up = share(loads.uplink_of(f, l));
            facts.role("load", format!("{up} %"), Role::for_load(up));
        }
        _ => {
            let up = share(loads.uplink());
            facts.role("load", format!("{up} % of the busiest uplinks"), Role::for_load(up));
        }
    }
}

fn leaf(facts: &mut Facts, f: &Fabric, leaf: LeafIx) {
    let (plane, group) = f.place_of(leaf);
    if f.rails {
        facts.say("rail", plane.to_string());
    }
    facts.say("group", group.to_string());
    let up = f.leaf_uplink(leaf);
    if up.gbytes_per_s().is_finite() {
        facts.say("uplinks", format!("{up}, {} left", f.uplink_left(leaf)));
    } else {
        facts.say("uplinks", "none: every node is under this leaf");
    }
}

/// Plain Ethernet.
pub(super) fn services(app: &App) -> Facts {
    let mut facts = Facts::default();
    let Some(s) = &app.system().services else { return facts };
    facts.what.clone_from(&s.title);
    facts.say("line", s.rate.to_string());
    facts.say("for", "storage and management; no collective uses it");
    facts.text.clone_from(&s.source);
    facts
}
