//! Facts about a pair of devices: how near they are, and the way between them.

use super::Facts;
use super::link::usable;
use crate::system::{DeviceIx, LinkIx};
use crate::tui::app::App;
use crate::tui::theme::Role;
use crate::units::{Bandwidth, Time};

pub(super) fn facts(app: &App, unit: u32, from: DeviceIx, to: DeviceIx) -> Facts {
    let mut facts = Facts::default();
    let system = app.system();
    let Some((_, class)) = system.class_of(unit) else { return facts };
    let shape = &class.shape;
    let near = shape.nearness(from, to, &class.health);
    facts.what = format!("{}: {}", near.name(), near.meaning());
    let Some(hops) = shape.way(from, to, &class.health) else {
        facts.role("way", "none inside this unit", Role::Down);
        return facts;
    };
    // Parallel switch chips carry a stream together.
    let rate = |l: LinkIx| shape.link(l).map_or(Bandwidth::ZERO, |k| usable(system, k, class.health.left(shape, l)).0);
    let rates = hops.iter().map(|h| h.links.iter().map(|l| rate(*l)).sum());
    facts.say("stream", rates.fold(Bandwidth::INFINITE, Bandwidth::min).to_string());
    let firsts: Vec<_> =
        hops.iter().filter_map(|h| Some((h, *h.links.first()?, shape.link(*h.links.first()?)?))).collect();
    facts.say("delay", firsts.iter().map(|(.., l)| l.kind.latency.is).fold(Time::ZERO, |a, b| a + b).to_string());
    for (i, (hop, ix, link)) in firsts.iter().enumerate() {
        let name = if i == 0 { "way" } else { " " };
        let more = match hop.links.len() {
            0 | 1 => String::new(),
            n => format!(", {} more beside it", n - 1),
        };
        facts.say(name, format!("{} ({}){more}", shape.link_name(*ix), link.describe()));
    }
    "Enter shows the way hop by hop.".clone_into(&mut facts.text);
    facts
}
