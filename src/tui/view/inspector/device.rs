//! Facts about a device.

use std::collections::BTreeMap;

use super::{Facts, state};
use crate::parts::{CpuPart, GpuPart, NicPart, SwitchPart};
use crate::system::{DeviceIx, DeviceKind, Shape, UnitClass};
use crate::tui::app::App;
use crate::tui::theme::Role;
use crate::tui::view::tree::percent;
use crate::units::Bandwidth;

pub(super) fn facts(app: &App, unit: u32, device: DeviceIx) -> Facts {
    let mut facts = Facts::default();
    let Some((_, class)) = app.system().class_of(unit) else { return facts };
    let Some(d) = class.shape.device(device) else { return facts };
    let members = app.selection().members(app.system(), 4096).len();
    facts.what = if members > 1 { format!("{members} x {}", d.title()) } else { d.title().to_owned() };
    state(app, &mut facts, "");
    let used = app.system().gpus_used;
    if used.is_some() && d.is_gpu() && class.health.device_up(device) && !class.active(used).any(|g| g == device) {
        facts.role("job", "takes no part (set gpus)", Role::Dim);
    }
    let load = percent(app.readings().of(app.selection()).load.ratio());
    facts.load(load);
    match &d.kind {
        DeviceKind::Gpu(part) => gpu(&mut facts, part),
        DeviceKind::Nic(part) => nic(&mut facts, part),
        DeviceKind::Cpu(part) => cpu(&mut facts, part, d.numa.filter(|_| members == 1)),
        DeviceKind::PcieSwitch(part) | DeviceKind::ScaleUpSwitch(part) => switch(&mut facts, part),
        DeviceKind::Fabric => {}
    }
    links(&mut facts, class, device);
    if class.health.device_up(device) {
        nearest(&mut facts, class, device);
    }
    facts
}

fn gpu(facts: &mut Facts, part: &GpuPart) {
    facts.say("memory", format!("{} {}", part.memory, part.memory_kind));
    facts.figure("rate", part.memory_rate.is.to_string(), &part.memory_rate.from);
    if !part.peer_to_peer {
        facts.role("p2p", "no peer-to-peer over PCIe", Role::Degraded);
    }
}

fn nic(facts: &mut Facts, part: &NicPart) {
    facts.figure("line", format!("{} ({} Gb/s)", part.rate.is, part.rate.is.gbits_per_s().round()), &part.rate.from);
    facts.figure("delay", part.latency.is.to_string(), &part.latency.from);
}

fn cpu(facts: &mut Facts, part: &CpuPart, numa: Option<u32>) {
    if let Some(numa) = numa {
        facts.say("NUMA", numa.to_string());
    }
    facts.figure("memory", part.memory_rate.is.to_string(), &part.memory_rate.from);
    facts.figure("delay", part.latency.is.to_string(), &part.latency.from);
}

fn switch(facts: &mut Facts, part: &SwitchPart) {
    facts.say("ports", part.ports.to_string());
    facts.figure("delay", part.latency.is.to_string(), &part.latency.from);
    if let Some(r) = &part.reduction {
        facts.figure("reduces", format!("at {} of its ports' rate", r.small.is), &r.small.from);
    }
}

/// The links by kind: how many, and their line rate together.
fn links(facts: &mut Facts, class: &UnitClass, device: DeviceIx) {
    let mut kinds: BTreeMap<&str, (u32, Bandwidth)> = BTreeMap::new();
    for (l, _) in class.shape.around(device) {
        if let Some(link) = class.shape.link(*l) {
            let entry = kinds.entry(&link.kind.title).or_insert((0, Bandwidth::ZERO));
            entry.0 += link.count;
            entry.1 = entry.1 + link.line_rate() * class.health.left(&class.shape, *l);
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by(|a, b| b.1.1.gbytes_per_s().total_cmp(&a.1.1.gbytes_per_s()));
    for (i, (title, (count, rate))) in kinds.iter().enumerate() {
        facts.say(if i == 0 { "links" } else { " " }, format!("{count} x {title}, {rate}"));
    }
}

/// The NICs nearest to a GPU, the GPUs nearest to a NIC.
fn nearest(facts: &mut Facts, class: &UnitClass, device: DeviceIx) {
    let shape: &Shape = &class.shape;
    let Some(d) = shape.device(device) else { return };
    let others = match (d.is_gpu(), d.is_nic()) {
        (true, _) => shape.nics(),
        (_, true) => shape.gpus(),
        _ => return,
    };
    let near = shape.nearnesses(device, others, &class.health);
    let Some(best) = near.iter().min() else { return };
    let nearest = others.iter().zip(&near).filter(|(_, n)| *n == best);
    let names: Vec<&str> = nearest.filter_map(|(o, _)| shape.device(*o)).map(|o| o.name.as_str()).collect();
    let many = names.len() > 3;
    let listed = names.into_iter().take(3).collect::<Vec<_>>().join(" ");
    facts.say("near", format!("{listed}{} ({})", if many { " ..." } else { "" }, best.name()));
}
