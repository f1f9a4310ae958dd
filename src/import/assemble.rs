//! From a draft to a system file: parts, names, units.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::detect::Kind;
use super::draft::{Draft, GpuHint, NicHint, What, Wire};
use super::fabric::{self, Cluster, Found};
use super::parts::Shelf;
use super::report::{ImportError, Report};
use super::write::{self, Link};
use super::{Options, gpus, links, refine, scale_up};
use crate::parts::{Catalogue, Family, GpuPart};
use crate::system::spec::{DeviceSpec, NodeSpec, RackSpec, SoftwareSpec};
use crate::system::{SystemSpec, compact_devices};

/// Parts and names of the devices of a draft.
struct Dressed {
    gpus: BTreeMap<usize, GpuPart>,
    parts: Vec<String>,
    names: Vec<String>,
}

/// Gives a draft parts, names and the form of a system file.
pub(super) fn assemble(
    mut draft: Draft,
    kind: Kind,
    options: &Options,
    network: Option<&Found>,
    catalogue: &Arc<Catalogue>,
    report: &mut Report,
) -> Result<SystemSpec, ImportError> {
    refine::fold_bridges(&mut draft, report);
    let services = refine::services(&mut draft, report);
    if let Some(f) = network {
        refine::add_nics(&mut draft, f.nics, report);
    }
    refine::sort(&mut draft);
    let mut shelf = Shelf::new(catalogue);
    let mut parts = resolve_gpus(&draft, options, catalogue, report)?;
    scale_up::count_by_rate(&mut draft, &parts, &shelf, report);
    scale_up::complete(&mut draft, &parts, &shelf, report);
    // What AMD's tools call xGMI may go through other GPUs, so that too many of them say nothing against the part.
    let named = options.gpu.filter(|_| !matches!(kind, Kind::RocmSmi | Kind::AmdSmi));
    scale_up::check_ports(&draft, &mut parts, named, report)?;
    refine::connect_cpus(&mut draft, report);
    let names = write::names(&draft);
    let mut dressed = Dressed { gpus: parts, parts: Vec::new(), names };
    dressed.parts = part_names(&draft, &dressed.gpus, network, &mut shelf, report);
    let wires = link_names(&draft, &dressed, &mut shelf, report);
    mapping(&draft, &dressed.names, report);
    let (node, rack, hosts) = units(&draft, &dressed, &wires, report);
    let title = title(&draft, &dressed, hosts, rack.is_some());
    let mut spec = SystemSpec {
        name: write::short_name(options.name.or(draft.name.as_deref()).unwrap_or("imported")),
        title,
        about: String::new(),
        sources: vec![format!("imported from {}", kind.title())],
        parts: None,
        node,
        rack,
        units: 1,
        fabric: None,
        services,
        software: SoftwareSpec::default(),
        gpus: None,
        nics: None,
        faults: Vec::new(),
    };
    connect(&mut spec, &draft, &dressed, (network, hosts, options), &shelf, report)?;
    spec.parts = shelf.into_own();
    spec.about = about(report);
    Ok(spec)
}

/// Puts a fabric between the units, if there are several or a fabric's file was given.
fn connect(
    spec: &mut SystemSpec,
    draft: &Draft,
    dressed: &Dressed,
    (network, hosts, options): (Option<&Found>, u32, &Options),
    shelf: &Shelf,
    report: &mut Report,
) -> Result<(), ImportError> {
    let several = rack_or_hosts(spec, hosts, options);
    if network.is_some() || several.is_some() {
        let node = the_nics(draft, dressed, spec.rack.as_ref().map_or(1, |r| r.nodes), several)?;
        let (fabric, units) = fabric::cluster(network, &node, shelf, report);
        spec.fabric = Some(fabric);
        spec.units = units;
    }
    Ok(())
}

/// Units by `--nodes`, or by the hosts of the file where each is a unit of its own.
fn rack_or_hosts(spec: &SystemSpec, hosts: u32, options: &Options) -> Option<u32> {
    options.nodes.or_else(|| (spec.rack.is_none() && hosts > 1).then_some(hosts)).filter(|n| *n > 1)
}

/// What a fabric needs to know about the NICs of a node.
fn the_nics<'a>(
    draft: &Draft,
    dressed: &'a Dressed,
    nodes: u32,
    units: Option<u32>,
) -> Result<Cluster<'a>, ImportError> {
    let nics = draft.which(|w| matches!(w, What::Nic(_)));
    let first = nics.first().and_then(|i| Some((draft.devices.get(*i)?, dressed.parts.get(*i)?)));
    let Some((device, part)) = first else {
        return Err(ImportError::new("the file shows no NIC, and a cluster needs them").expecting(
            "a node's file with NICs, or for --fabric an ibnetdiscover or iblinkinfo file, which tells how many there are",
        ));
    };
    let infiniband = if let What::Nic(NicHint { infiniband, .. }) = device.what { infiniband } else { None };
    let here = nics.iter().filter(|i| draft.devices.get(**i).is_some_and(|d| d.host == Some(0))).count();
    Ok(Cluster { nic: part, infiniband, nics: here as u32, nodes_per_unit: nodes, units })
}

/// The part of every GPU.
fn resolve_gpus(
    draft: &Draft,
    options: &Options,
    c: &Catalogue,
    report: &mut Report,
) -> Result<BTreeMap<usize, GpuPart>, ImportError> {
    let linked = draft.wires.iter().any(|w| matches!(w.what, Wire::ScaleUp { .. }));
    let mut known: Vec<(GpuHint, GpuPart)> = Vec::new();
    let mut parts = BTreeMap::new();
    for i in draft.gpus() {
        let Some(d) = draft.devices.get(i) else { continue };
        let What::Gpu(hint) = &d.what else { continue };
        let hint = GpuHint { index: None, ..hint.clone() };
        let seen = known.iter().find(|(h, _)| *h == hint).map(|(_, p)| p.clone());
        let exact = d.part.as_deref().and_then(|p| c.gpu(p).ok());
        let part = match (seen, exact, options.gpu) {
            (_, Some(p), None) => GpuPart::clone(p),
            (Some(p), ..) => p,
            (None, _, Some(word)) => {
                report.read(0, format!("the GPU is {word:?}, by --gpu"));
                let links = busiest(draft);
                GpuPart::clone(&*gpus::by_word(word, links, c, report)?)
            }
            (None, _, None) => gpus::by_hint(&hint, linked, d.line, c, report)?,
        };
        known.push((hint, part.clone()));
        parts.insert(i, part);
    }
    Ok(parts)
}

/// The largest number of links on one GPU.
fn busiest(draft: &Draft) -> u32 {
    let mut used: BTreeMap<usize, u32> = BTreeMap::new();
    for w in &draft.wires {
        if let Wire::ScaleUp { count, .. } = w.what {
            *used.entry(w.a).or_default() += count;
            *used.entry(w.b).or_default() += count;
        }
    }
    draft.gpus().iter().filter_map(|g| used.get(g)).copied().max().unwrap_or(0)
}

/// The part of every device, by name.
fn part_names(
    draft: &Draft,
    gpus: &BTreeMap<usize, GpuPart>,
    network: Option<&Found>,
    shelf: &mut Shelf,
    report: &mut Report,
) -> Vec<String> {
    let first = gpus.values().next().cloned();
    let gpu_name = first.as_ref().map_or_else(String::new, |g| g.name.clone());
    let told = network.and_then(|f| f.rate).map(super::super::units::Bandwidth::gbits_per_s);
    let usual = told.unwrap_or_else(|| first.as_ref().map_or(100.0, gpus::usual_nic_gbits));
    let slots = first.as_ref().map_or(4, gpus::pcie_generation);
    let c = Arc::clone(shelf.catalogue);
    (0..draft.devices.len())
        .map(|i| {
            let Some(d) = draft.devices.get(i) else { return String::new() };
            let exact = d.part.clone();
            match &d.what {
                What::Gpu(_) => gpus.get(&i).map(|p| shelf.keep_gpu(p.clone())).unwrap_or_default(),
                What::Nic(h) => {
                    exact.filter(|p| c.nic(p).is_ok()).unwrap_or_else(|| shelf.nic(h, usual, d.line, report))
                }
                What::Cpu(h) => {
                    exact.filter(|p| c.cpu(p).is_ok()).unwrap_or_else(|| shelf.cpu(h, &gpu_name, d.line, report))
                }
                What::PcieSwitch(_) => {
                    let (generation, lanes) = around(draft, i, slots);
                    exact.filter(|p| c.switch(p).is_ok()).unwrap_or_else(|| shelf.pcie_switch(generation, lanes))
                }
                What::ScaleUpSwitch => exact.filter(|p| c.switch(p).is_ok()).unwrap_or_else(|| {
                    let ports = draft.wires.iter().filter(|w| w.a == i || w.b == i);
                    let ports = ports
                        .filter_map(|w| if let Wire::ScaleUp { count, .. } = w.what { Some(count) } else { None })
                        .sum();
                    let kind = first.as_ref().map(|g| links::scale_up(g, &c));
                    let wanted = kind.map_or("nvswitch3", |k| links::switch_of(&k, draft.hosts > 1).0);
                    shelf.scale_up_switch(wanted, ports)
                }),
            }
        })
        .collect()
}

/// Fastest generation and sum of lanes of a `PCIe` switch.
fn around(draft: &Draft, i: usize, slots: u32) -> (u32, u32) {
    let mut generation = 3;
    let mut sum = 0;
    for w in draft.wires.iter().filter(|w| w.a == i || w.b == i) {
        if let Wire::Pcie { generation: g, lanes } = w.what {
            generation = generation.max(g.unwrap_or(slots));
            sum += lanes.unwrap_or(16);
        }
    }
    (generation, sum)
}

/// The link kind and counts of every wire.
fn link_names(draft: &Draft, dressed: &Dressed, shelf: &mut Shelf, report: &mut Report) -> Vec<Link> {
    let c = Arc::clone(shelf.catalogue);
    let first = dressed.gpus.values().next();
    let slots = first.map_or(4, gpus::pcie_generation);
    let cpu = draft.which(|w| matches!(w, What::Cpu(_))).first().and_then(|i| dressed.parts.get(*i)).cloned();
    let socket = cpu.and_then(|p| c.cpu(&p).ok().cloned()).map(|p| links::socket(&p, &c));
    let nodes = draft.which(|w| matches!(w, What::Cpu(_))).len();
    let mut all = Vec::with_capacity(draft.wires.len());
    for w in &draft.wires {
        let exact = w.kind.clone().filter(|k| c.link(k).is_ok());
        let (kind, count, lanes) = match w.what {
            Wire::Pcie { generation, lanes } => {
                if exact.is_none() && generation.is_none() {
                    report.assumed(w.line, format!("PCIe speed unknown: generation {slots}, usual for these GPUs"));
                }
                if lanes.is_none() {
                    report.assumed(w.line, "PCIe width unknown: 16 lanes");
                }
                (links::pcie(generation.unwrap_or(slots), &c), w.parallel, lanes.unwrap_or(16))
            }
            Wire::ScaleUp { count, .. } => {
                let part = [w.a, w.b].iter().find_map(|i| dressed.gpus.get(i)).or(first);
                let Some(part) = part else { continue };
                (links::scale_up(part, &c), count, 1)
            }
            Wire::C2c { rate } => (links::c2c(rate, &c), 1, 1),
            Wire::Socket { count } => {
                let Some((kind, usual)) = &socket else { continue };
                let usual = if nodes > 2 * draft.hosts.max(1) as usize { 1 } else { *usual };
                (kind.clone(), if count == 0 { usual } else { count }, 1)
            }
        };
        let kind = exact.unwrap_or_else(|| shelf.keep_link(kind));
        all.push(Link { a: w.a, b: w.b, kind, count: count.clamp(1, 64), lanes: lanes.clamp(1, 64) });
    }
    write::merge(all)
}

/// Says which device of the system is which of the file.
fn mapping(draft: &Draft, names: &[String], report: &mut Report) {
    for (d, name) in draft.devices.iter().zip(names).filter(|(d, _)| d.host == Some(0)) {
        if matches!(d.what, What::Gpu(_) | What::Nic(_)) && !d.label.eq_ignore_ascii_case(name) {
            report.read(d.line, format!("{name} is {}", d.label));
        }
    }
}

/// The node, the rack around it where switches are shared between hosts, and the number of hosts.
fn units(draft: &Draft, dressed: &Dressed, wires: &[Link], report: &mut Report) -> (NodeSpec, Option<RackSpec>, u32) {
    let host = |i: usize| draft.devices.get(i).and_then(|d| d.host);
    let device = |i: usize| DeviceSpec {
        name: dressed.names.get(i).cloned().unwrap_or_default(),
        part: dressed.parts.get(i).cloned().unwrap_or_default(),
        numa: draft.devices.get(i).and_then(|d| if let What::Cpu(c) = &d.what { c.numa } else { None }),
    };
    let node_of = |h: u32| {
        let devices: Vec<DeviceSpec> = (0..draft.devices.len()).filter(|i| host(*i) == Some(h)).map(device).collect();
        let inside: Vec<&Link> = wires.iter().filter(|w| host(w.a) == Some(h) && host(w.b) == Some(h)).collect();
        NodeSpec { devices: compact_devices(devices), links: write::links(&inside, &dressed.names) }
    };
    let nodes: Vec<NodeSpec> = (0..draft.hosts.max(1)).map(node_of).collect();
    let common = nodes.iter().max_by_key(|n| nodes.iter().filter(|m| m == n).count());
    let chosen = common.and_then(|c| nodes.iter().position(|n| n == c)).unwrap_or(0);
    let differ = nodes.iter().filter(|n| Some(*n) != common).count();
    if differ > 0 {
        report.dropped(
            0,
            format!("{differ} of {} hosts differ from the others; all are taken like host {chosen}", nodes.len()),
        );
    }
    let node = nodes.get(chosen).cloned().unwrap_or_default();
    let shared: Vec<DeviceSpec> = (0..draft.devices.len()).filter(|i| host(*i).is_none()).map(device).collect();
    if shared.is_empty() {
        return (node, None, draft.hosts);
    }
    let up: Vec<&Link> = wires.iter().filter(|w| host(w.a) == Some(chosen as u32) && host(w.b).is_none()).collect();
    let mut links = write::links(&up, &dressed.names);
    for l in &mut links {
        l.from = format!("node*/{}", l.from);
    }
    let rack = RackSpec { nodes: draft.hosts, devices: compact_devices(shared), links };
    (node, Some(rack), draft.hosts)
}

/// `8x H100 SXM, 8 NICs`.
fn title(draft: &Draft, dressed: &Dressed, hosts: u32, rack: bool) -> String {
    let here = |w: &What| matches!(w, What::Nic(_));
    let nics = draft.which(here).len() / draft.hosts.max(1) as usize;
    let gpus = dressed.gpus.len() / if rack { 1 } else { draft.hosts.max(1) as usize };
    let part = dressed.gpus.values().next().map_or("GPU", |p| p.title.as_str());
    let wired = draft.wires.iter().any(|w| matches!(w.what, Wire::ScaleUp { .. }));
    let xgmi = dressed.gpus.values().next().is_some_and(|p| p.arch.starts_with("cdna"));
    let by = match (wired, xgmi) {
        (false, _) => "PCIe only",
        (true, true) => Family::Xgmi.word(),
        (true, false) => Family::Nvlink.word(),
    };
    let where_ = if rack { format!(" in a rack of {hosts} nodes") } else { String::new() };
    let nics = match nics {
        0 => "no NIC".to_owned(),
        1 => "1 NIC".to_owned(),
        n => format!("{n} NICs"),
    };
    format!("{gpus}x {part}, {by}, {nics}{where_}")
}

/// What the system file says of itself: the assumptions.
fn about(report: &Report) -> String {
    if report.assumed.is_empty() {
        return "Imported; nothing had to be assumed.".to_owned();
    }
    let texts: Vec<&str> = report.assumed.iter().take(12).map(|n| n.text.as_str()).collect();
    format!("Imported. Assumed: {}.", texts.join("; "))
}

/// How families are called in titles.
trait Word {
    fn word(self) -> &'static str;
}

impl Word for Family {
    fn word(self) -> &'static str {
        match self {
            Self::Xgmi => "xGMI",
            Self::Nvlink => "NVLink",
            _ => "PCIe only",
        }
    }
}
