//! What could be bought, and what software could be allowed: one change at a time.

use crate::scenario::{Edit, Key, Value};
use crate::system::{DeviceKind, System};

/// The next generation of each family of links, the next NIC, more NICs, a better network.
pub(super) fn upgrades(system: &System) -> Vec<Edit> {
    let up = |key: Key| key.step(system, true).map(|v| Edit::set(key, v));
    let mut all: Vec<Edit> = [Key::Nvlink, Key::Pcie, Key::Xgmi].into_iter().filter_map(up).collect();
    let Some(fabric) = system.fabric.as_ref().filter(|_| system.units > 1) else { return all };
    all.extend(next_nic(system));
    if system.nics_used.is_some() {
        all.extend(up(Key::Nics));
    }
    if fabric.oversubscription > 1.0 {
        all.push(Edit::set(Key::Oversubscription, Value::Ratio(1.0)));
    }
    if !fabric.rails && fabric.nics_per_node > 1 {
        all.push(Edit::set(Key::Rails, Value::Switch(true)));
    }
    if fabric.groups() > 1 {
        all.extend(up(Key::LeafNodes));
    }
    all
}

/// The slowest NIC of the catalogue that is faster than the present one.
fn next_nic(system: &System) -> Option<Edit> {
    let shape = &system.classes.first()?.shape;
    let DeviceKind::Nic(now) = &shape.device(*shape.nics().first()?)?.kind else { return None };
    let faster = system.catalogue.nics().filter(|n| n.rate.is > now.rate.is);
    let next = faster.min_by(|a, b| a.rate.is.gbytes_per_s().total_cmp(&b.rate.is.gbytes_per_s()))?;
    Some(Edit::set(Key::Nic, Value::Part(next.title.clone())))
}

/// Every switch of what software may use, turned over; one process per GPU where several share one.
pub(super) fn settings(system: &System) -> Vec<Edit> {
    let switches = [Key::Nvls, Key::Sharp, Key::Gdr, Key::P2p, Key::Pxn, Key::Acs];
    let turned = |key: Key| match key.current(system)? {
        Value::Switch(on) => Some(Edit::set(key, Value::Switch(!on))),
        _ => None,
    };
    let mut all: Vec<Edit> = switches.into_iter().filter_map(turned).collect();
    if system.software.gpus_per_process > 1 {
        all.push(Edit::set(Key::GpusPerProcess, Value::Count(1)));
    }
    all
}
