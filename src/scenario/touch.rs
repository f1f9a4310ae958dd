//! How many things an edit touches, shown before it applies.

use std::collections::BTreeSet;
use std::fmt;

use super::apply::apply_one;
use super::{Context, Edit};
use crate::system::{Address, Device, DeviceKind, DevicePattern, FabricTarget, LinkPattern, System, Target};
use crate::units::counted;

/// What an edit touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Devices, links or switches, in all units together.
    pub count: u64,
    /// In words: `32 NICs on 4 nodes`.
    pub what: String,
}

impl Touched {
    pub(super) fn new(count: u64, what: String) -> Self {
        Self { count, what }
    }
}

impl fmt::Display for Touched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.what)
    }
}

/// What an edit would touch on a system; the error is the reason why it cannot apply.
pub fn touches(system: &System, edit: &Edit) -> Result<Touched, String> {
    apply_one(&mut system.clone(), edit, &Context::default())
}

/// What an address stands for.
pub(super) fn named(system: &System, address: &Address, target: &Target) -> Touched {
    let unit = if system.is_rack { "rack" } else { "node" };
    match target {
        Target::Units(units) => Touched::new(units.len(), counted(units.len(), unit)),
        Target::Devices(p) if address.is_whole_node() => nodes(system, p, unit),
        Target::Devices(p) => devices(system, p, unit),
        Target::Links(p) => links(system, p, unit),
        Target::Fabric(t) => {
            let (n, noun) = match t {
                FabricTarget::Leaves(l) => (l.len(), "leaf"),
                FabricTarget::Spines(s) => (s.len(), "spine"),
                FabricTarget::Cores(c) => (c.len(), "core"),
                FabricTarget::Uplinks(u) => (u.len(), "uplink"),
            };
            Touched::new(n as u64, counted(n as u64, noun))
        }
    }
}

fn on_units(what: String, units: u64, system: &System, unit: &str) -> String {
    if system.units > 1 && units > 1 { format!("{what} on {}", counted(units, unit)) } else { what }
}

fn noun(d: &Device) -> &'static str {
    match d.kind {
        DeviceKind::Gpu(_) => "GPU",
        DeviceKind::Nic(_) => "NIC",
        DeviceKind::Cpu(_) => "CPU",
        DeviceKind::PcieSwitch(_) => "PCIe switch",
        DeviceKind::ScaleUpSwitch(_) => "scale-up switch",
        DeviceKind::Fabric => "fabric",
    }
}

/// Nodes of racks, each with all its devices.
fn nodes(system: &System, p: &DevicePattern, unit: &str) -> Touched {
    let shape = system.classes.first().map(|c| &c.shape);
    let numbers: BTreeSet<u32> = p.devices.iter().filter_map(|d| shape?.device(*d)?.node).collect();
    let count = p.units.len() * numbers.len() as u64;
    Touched::new(count, on_units(counted(count, "node"), p.units.len(), system, unit))
}

fn devices(system: &System, p: &DevicePattern, unit: &str) -> Touched {
    let count = p.units.len() * p.devices.len() as u64;
    let shape = system.classes.first().map(|c| &c.shape);
    let mut nouns = p.devices.iter().filter_map(|d| shape?.device(*d)).map(noun);
    let first = nouns.next().unwrap_or("device");
    let noun = if nouns.all(|n| n == first) { first } else { "device" };
    Touched::new(count, on_units(counted(count, noun), p.units.len(), system, unit))
}

fn links(system: &System, p: &LinkPattern, unit: &str) -> Touched {
    let count = p.units.len() * p.links.len() as u64;
    let shape = system.classes.first().map(|c| &c.shape);
    let mut kinds = p
        .links
        .iter()
        .filter_map(|l| shape?.link(*l))
        .map(|l| if p.nth.is_some() { l.kind.title.clone() } else { l.describe() });
    let first = kinds.next().unwrap_or_default();
    let kind = if kinds.all(|k| k == first) { format!(" ({first})") } else { String::new() };
    Touched::new(count, on_units(format!("{}{kind}", counted(count, "link")), p.units.len(), system, unit))
}
