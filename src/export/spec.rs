//! A system in its written form again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::common;
use crate::parts::{Catalogue, CatalogueFile, Family};
use crate::system::faults;
use crate::system::spec::{DeviceSpec, FabricSpec, Join, LinkSpec, NodeSpec, RackSpec, ServicesSpec, SoftwareSpec};
use crate::system::{
    Device, DeviceKind, Shape, Software, System, SystemSpec, UnitClass, compact_devices, compact_links,
};

/// The written form. `base` is the catalogue that a reader will have (the shipped one): parts that it lacks, or has
/// otherwise, are written into the file. Every unit is written whole; what is wrong stands in a list of its own.
pub fn spec(system: &System, base: &Catalogue) -> SystemSpec {
    let class = common(system);
    let node = class.map(node).unwrap_or_default();
    let rack = class.filter(|_| system.is_rack).map(|c| rack(system, c));
    SystemSpec {
        name: system.name.clone(),
        title: system.title.clone(),
        about: system.about.clone(),
        sources: system.sources.clone(),
        parts: own_parts(system, base),
        node,
        rack,
        units: system.units,
        fabric: system.fabric.as_ref().map(|f| FabricSpec {
            transport: f.transport.name.clone(),
            switch: f.switch.name.clone(),
            rails: f.rails,
            leaf_nodes: f.leaf_nodes,
            oversubscription: f.oversubscription,
            source: f.source.clone(),
        }),
        services: system.services.as_ref().map(|s| ServicesSpec {
            title: s.title.clone(),
            rate: s.rate,
            source: s.source.clone(),
        }),
        software: software(&system.software),
        gpus: system.gpus_used,
        nics: system.nics_used,
        faults: faults::listed(system),
    }
}

fn device(d: &Device) -> Option<DeviceSpec> {
    let part = match &d.kind {
        DeviceKind::Gpu(p) => &p.name,
        DeviceKind::Nic(p) => &p.name,
        DeviceKind::Cpu(p) => &p.name,
        DeviceKind::PcieSwitch(p) | DeviceKind::ScaleUpSwitch(p) => &p.name,
        DeviceKind::Fabric => return None,
    };
    Some(DeviceSpec { name: d.name.clone(), part: part.clone(), numa: d.numa })
}

/// The first node of the unit; in a rack all nodes are alike.
fn node(class: &UnitClass) -> NodeSpec {
    let shape = &class.shape;
    let here = |d: &Device| d.node == Some(0) && d.kind != DeviceKind::Fabric;
    let devices: Vec<DeviceSpec> = shape.devices().iter().filter(|d| here(d)).filter_map(device).collect();
    let ends = |name: &Device, other: &Device| here(name) && here(other);
    let links = links(class, |a, b| ends(a, b).then(|| (a.name.clone(), b.name.clone())));
    NodeSpec { devices: compact_devices(devices), links: compact_links(links) }
}

/// The link bundles whose ends a function gives names.
fn links(class: &UnitClass, named: impl Fn(&Device, &Device) -> Option<(String, String)>) -> Vec<LinkSpec> {
    let shape = &class.shape;
    let one = |l| {
        let link = shape.link(l)?;
        let (from, to) = named(shape.device(link.a)?, shape.device(link.b)?)?;
        let (kind, count, lanes) = (link.kind.name.clone(), link.count, link.lanes);
        Some(LinkSpec { from, to, kind, count, lanes, join: Join::Each })
    };
    shape.link_ixs().filter_map(one).collect()
}

/// The rack around the nodes: its own devices, and the links that are not inside one node.
fn rack(system: &System, class: &UnitClass) -> RackSpec {
    let shape: &Shape = &class.shape;
    let of_rack = |d: &Device| d.node.is_none() && d.kind != DeviceKind::Fabric;
    let devices = shape.devices().iter().filter(|d| of_rack(d)).filter_map(device).collect();
    // Links of a node to the rack, by node; where all nodes have the same, they are written once for `node*`.
    let mut per_node: BTreeMap<u32, Vec<LinkSpec>> = BTreeMap::new();
    for n in 0..system.nodes_per_unit {
        let pick = |a: &Device, b: &Device| match (a.node == Some(n), of_rack(a), b.node == Some(n), of_rack(b)) {
            (true, _, _, true) => Some((a.name.clone(), b.name.clone())),
            (_, true, true, _) => Some((b.name.clone(), a.name.clone())),
            _ => None,
        };
        per_node.insert(n, compact_links(links(class, pick)));
    }
    let first = per_node.get(&0).cloned().unwrap_or_default();
    let alike = per_node.values().all(|l| *l == first);
    let mut all: Vec<LinkSpec> = Vec::new();
    for (n, list) in per_node.iter().take(if alike { 1 } else { usize::MAX }) {
        let prefix = if alike { "node*".to_owned() } else { format!("node{n}") };
        all.extend(list.iter().map(|l| LinkSpec { from: format!("{prefix}/{}", l.from), ..l.clone() }));
    }
    let loose = |a: &Device, b: &Device| {
        let nodes = a.node.is_some() && b.node.is_some() && a.node != b.node;
        ((of_rack(a) && of_rack(b)) || nodes).then(|| (a.path.clone(), b.path.clone()))
    };
    all.extend(links(class, loose));
    RackSpec { nodes: system.nodes_per_unit, devices: compact_devices(devices), links: all }
}

/// Parts in use that the reader's catalogue lacks or has otherwise.
fn own_parts(system: &System, base: &Catalogue) -> Option<CatalogueFile> {
    let mut own = CatalogueFile::default();
    if let Some(class) = common(system) {
        for d in class.shape.devices() {
            match &d.kind {
                DeviceKind::Gpu(p) => {
                    add(&mut own.gpus, p, base.gpu(&p.name).ok(), |x| &x.name);
                    if let Ok(a) = system.catalogue.arch(&p.arch) {
                        add(&mut own.archs, a, base.arch(&p.arch).ok(), |x| &x.name);
                    }
                }
                DeviceKind::Nic(p) => add(&mut own.nics, p, base.nic(&p.name).ok(), |x| &x.name),
                DeviceKind::Cpu(p) => add(&mut own.cpus, p, base.cpu(&p.name).ok(), |x| &x.name),
                DeviceKind::PcieSwitch(p) | DeviceKind::ScaleUpSwitch(p) => {
                    add(&mut own.switches, p, base.switch(&p.name).ok(), |x| &x.name);
                }
                DeviceKind::Fabric => {}
            }
        }
        for l in class.shape.links().iter().filter(|l| l.kind.family != Family::Network) {
            add(&mut own.links, &l.kind, base.link(&l.kind.name).ok(), |x| &x.name);
        }
    }
    if let Some(f) = &system.fabric {
        add(&mut own.transports, &f.transport, base.transport(&f.transport.name).ok(), |x| &x.name);
        add(&mut own.switches, &f.switch, base.switch(&f.switch.name).ok(), |x| &x.name);
    }
    (own != CatalogueFile::default()).then_some(own)
}

fn add<T: Clone + PartialEq>(list: &mut Vec<T>, part: &Arc<T>, known: Option<&Arc<T>>, name: impl Fn(&T) -> &String) {
    let new = known.is_none_or(|k| **k != **part) && !list.iter().any(|x| name(x) == name(part));
    if new {
        list.push(T::clone(part));
    }
}

/// The settings that are not the defaults.
fn software(s: &Software) -> SoftwareSpec {
    let d = Software::default();
    let flag = |now: bool, usual: bool| (now != usual).then_some(now);
    let name = |f: Family| match f {
        Family::Pcie => "pcie",
        Family::Nvlink => "nvlink",
        Family::Xgmi => "xgmi",
        Family::Socket => "socket",
        Family::C2c => "c2c",
        Family::Network => "network",
    };
    SoftwareSpec {
        library: (s.library != d.library).then_some(s.library),
        nvls: flag(s.nvls, d.nvls),
        ll: flag(s.ll, d.ll),
        ll128: flag(s.ll128, d.ll128),
        sharp: flag(s.sharp, d.sharp),
        gdr: flag(s.gdr, d.gdr),
        p2p: flag(s.p2p, d.p2p),
        pxn: flag(s.pxn, d.pxn),
        acs: flag(s.acs, d.acs),
        vm: flag(s.vm, d.vm),
        launch: s.launch,
        gpus_per_process: (s.gpus_per_process != d.gpus_per_process).then_some(s.gpus_per_process),
        algorithm: s.algorithm,
        protocol: s.protocol,
        usable: s.usable.iter().map(|(f, share)| (name(*f).to_owned(), *share)).collect(),
    }
}
