//! Facts about a pair of devices: how near they are, and the way between them.

use super::Facts;
use super::link::usable;
use crate::system::DeviceIx;
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
    let Some(steps) = shape.path(from, to, &class.health) else {
        facts.role("way", "none inside this unit", Role::Down);
        return facts;
    };
    let links: Vec<_> = steps.iter().filter_map(|(l, _)| Some((*l, shape.link(*l)?))).collect();
    let rates = links.iter().map(|(l, link)| usable(system, link, class.health.left(shape, *l)).0);
    facts.say("stream", rates.fold(Bandwidth::INFINITE, Bandwidth::min).to_string());
    facts.say("delay", links.iter().map(|(_, l)| l.kind.latency.is).fold(Time::ZERO, |a, b| a + b).to_string());
    for (i, (ix, link)) in links.iter().enumerate() {
        let name = if i == 0 { "way" } else { " " };
        facts.say(name, format!("{} ({})", shape.link_name(*ix), link.describe()));
    }
    "Enter shows the way hop by hop.".clone_into(&mut facts.text);
    facts
}
