//! `set KEY = VALUE`: which part of the system a key changes.

use std::sync::Arc;

use super::super::{Context, Key, Kind, Touched, Value};
use super::{parts, size};
use crate::parts::{Family, SwitchPart};
use crate::system::{Fabric, Software, System};
use crate::units::counted;

/// Applies a `set`. The error says why the system cannot have it.
pub(super) fn set(system: &mut System, key: Key, value: &Value, context: &Context) -> Result<Touched, String> {
    match (key, value) {
        (Key::Nodes, Value::Count(n)) => size::nodes(system, *n, context),
        (Key::Racks, Value::Count(n)) => size::racks(system, *n, context),
        (Key::Gpus, Value::Count(n)) => size::gpus(system, *n),
        (Key::Nics, Value::Count(n)) => size::nics(system, *n),
        (Key::Nvlink | Key::Pcie | Key::Xgmi, Value::Count(n)) => match key.info().kind {
            Kind::Generation(family) => parts::generation(system, family, *n),
            _ => Err(wrong(key, value)),
        },
        (Key::Nic, Value::Part(name)) => parts::nic(system, name),
        (Key::Gpu, Value::Part(name)) => parts::gpu(system, name),
        (Key::Transport, Value::Word(name)) => parts::transport(system, name),
        (Key::Oversubscription | Key::Rails | Key::LeafNodes | Key::Radix, _) => network(system, key, value),
        _ => match key.info().kind {
            Kind::Share(family) => usable(system, family, key, value),
            _ => software(&mut system.software, key, value),
        },
    }
}

fn wrong(key: Key, value: &Value) -> String {
    format!("{value} is no value of {key}; expected {}", key.info().kind.expected())
}

fn network(system: &mut System, key: Key, value: &Value) -> Result<Touched, String> {
    let Some(f) = system.fabric.as_mut() else { return Err(format!("{} has no network between nodes", system.name)) };
    match (key, value) {
        (Key::Oversubscription, Value::Ratio(r)) => f.oversubscription = *r,
        (Key::Rails, Value::Switch(on)) => f.rails = *on,
        (Key::LeafNodes, Value::Count(n)) => f.leaf_nodes = *n,
        (Key::Radix, Value::Count(n)) => radix(f, *n)?,
        _ => return Err(wrong(key, value)),
    }
    size::forget_what_is_gone(f);
    let leaves = u64::from(f.leaves());
    Ok(Touched::new(leaves, counted(leaves, "leaf")))
}

fn radix(f: &mut Fabric, ports: u32) -> Result<(), String> {
    if ports < 4 {
        return Err(format!("a switch of {ports} ports makes no network; expected 4 or more"));
    }
    if ports != f.switch.ports {
        let title = format!("{} with {ports} ports", f.switch.title);
        f.switch = Arc::new(SwitchPart { title, ports, ..SwitchPart::clone(&f.switch) });
    }
    Ok(())
}

fn usable(system: &mut System, family: Family, key: Key, value: &Value) -> Result<Touched, String> {
    let of = |s: &crate::system::Shape| s.links().iter().filter(|l| l.kind.family == family).count() as u64;
    let all: u64 = system.classes.iter().map(|c| of(&c.shape) * c.members.len()).sum();
    if all == 0 {
        return Err(format!("{key}: no such links in this system"));
    }
    match value {
        Value::Auto => system.software.usable.remove(&family),
        Value::Share(s) => system.software.usable.insert(family, *s),
        _ => return Err(wrong(key, value)),
    };
    Ok(Touched::new(all, counted(all, "link")))
}

fn software(s: &mut Software, key: Key, value: &Value) -> Result<Touched, String> {
    match (key, value) {
        (Key::Nvls, Value::Switch(on)) => s.nvls = *on,
        (Key::Ll, Value::Switch(on)) => s.ll = *on,
        (Key::Ll128, Value::Switch(on)) => s.ll128 = *on,
        (Key::Sharp, Value::Switch(on)) => s.sharp = *on,
        (Key::Gdr, Value::Switch(on)) => s.gdr = *on,
        (Key::P2p, Value::Switch(on)) => s.p2p = *on,
        (Key::Pxn, Value::Switch(on)) => s.pxn = *on,
        (Key::Acs, Value::Switch(on)) => s.acs = *on,
        (Key::Vm, Value::Switch(on)) => s.vm = *on,
        (Key::Algorithm, Value::Auto) => s.algorithm = None,
        (Key::Algorithm, Value::Algorithm(a)) => s.algorithm = Some(*a),
        (Key::Protocol, Value::Auto) => s.protocol = None,
        (Key::Protocol, Value::Protocol(p)) => s.protocol = Some(*p),
        (Key::Launch, Value::Auto) => s.launch = None,
        (Key::Launch, Value::Time(t)) => s.launch = Some(*t),
        (Key::GpusPerProcess, Value::Count(n)) => s.gpus_per_process = (*n).max(1),
        (Key::Library, Value::Version(v)) => s.library = *v,
        _ => return Err(wrong(key, value)),
    }
    Ok(Touched::new(1, format!("the {key} setting of all nodes")))
}
