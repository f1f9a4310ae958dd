//! From the objects of an hwloc file to devices and wires.

use std::collections::{BTreeMap, BTreeSet};

use super::super::draft::{CpuHint, Draft, DraftDevice, GpuHint, NicHint, PciId, ScaleUp, What, Wire};
use super::super::refine;
use super::super::report::{ImportError, Report};
use super::{Distances, Object, Raw};
use crate::units::Bandwidth;

/// Largest matrix of rates.
const MAX_OBJECTS: usize = 512;

/// Devices and wires of a file.
pub(super) fn draft(raw: &Raw, report: &mut Report) -> Result<Draft, ImportError> {
    if raw.devices.is_empty() {
        return Err(ImportError::new("no devices in the file: it lists CPUs and memory only")
            .at(raw.line, 1)
            .expecting("a file of lstopo run with rights to see PCI devices, and not filtered (lstopo --whole-io)"));
    }
    let mut draft = Draft { hosts: 1, ..Draft::default() };
    report.counts.nodes_in_file = 1;
    let cpus = cpus(raw, &mut draft, report);
    let bridges = bridges(raw, &cpus, &mut draft);
    let devices = devices(raw, &cpus, &bridges, &mut draft, report);
    if draft.gpus().is_empty() {
        let line = raw.devices.first().map_or(raw.line, |d| d.tag.line);
        return Err(ImportError::new(format!("no GPU among the {} PCI devices", raw.devices.len()))
            .at(line, 1)
            .expecting("a PCI device of class 03 or 12 of NVIDIA, AMD or Intel"));
    }
    let told = rates(raw, &devices, &cpus, &mut draft, report);
    draft.scale_up = if told { ScaleUp::Told } else { ScaleUp::Unknown };
    drop_idle_switches(&mut draft);
    refine::prune(&mut draft);
    let count = |f: fn(&What) -> bool| draft.which(f).len();
    let text = format!(
        "{} NUMA nodes, {} GPUs, {} NICs",
        cpus.len(),
        count(|w| matches!(w, What::Gpu(_))),
        count(|w| matches!(w, What::Nic(_)))
    );
    report.read(raw.line, text);
    Ok(draft)
}

/// A CPU for every NUMA node with CPUs of its own, else for every package, else one.
fn cpus(raw: &Raw, draft: &mut Draft, report: &mut Report) -> Vec<(super::CpuSet, usize)> {
    let mut places: Vec<&Object> = raw.numa.iter().filter(|n| !n.cpus.is_empty()).collect();
    for n in raw.numa.iter().filter(|n| n.cpus.is_empty()) {
        report.read(n.tag.line, "a NUMA node without CPUs: memory of a device");
    }
    if places.is_empty() {
        places = raw.packages.iter().collect();
    }
    let mut all: Vec<(super::CpuSet, usize)> = Vec::new();
    for p in &places {
        if all.iter().any(|(set, _)| *set == p.cpus) {
            report.read(p.tag.line, "a second NUMA node for the same CPUs: another kind of memory");
            continue;
        }
        let package = raw.packages.iter().find(|k| k.cpus.covers(&p.cpus));
        let text = |name| package.map(|k| k.info(name)).unwrap_or_default();
        let hint = CpuHint {
            numa: p.tag.number("os_index").and_then(|n| u32::try_from(n).ok()),
            vendor: text("CPUVendor").to_owned(),
            arch: if raw.arch == "aarch64" { "arm64".to_owned() } else { raw.arch.clone() },
            family: text("CPUFamilyNumber").parse().ok(),
            model: text("CPUModelNumber").parse().ok(),
            title: text("CPUModel").to_owned(),
        };
        let label = format!("{} CPUs", p.cpus.len());
        let cpu = draft.push(DraftDevice::new(What::Cpu(hint), label, p.tag.line));
        all.push((p.cpus.clone(), cpu));
    }
    if all.is_empty() {
        report.assumed(raw.line, "no packages and no NUMA nodes: one CPU");
        let cpu = draft.push(DraftDevice::new(What::Cpu(CpuHint::default()), "cpu", raw.line));
        all.push((super::CpuSet::default(), cpu));
    }
    all
}

/// The CPU that an object hangs on.
fn home(object: &Object, cpus: &[(super::CpuSet, usize)]) -> usize {
    let near = cpus.iter().find(|(set, _)| set.covers(&object.cpus) && !object.cpus.is_empty());
    let some = near.or_else(|| cpus.iter().find(|(set, _)| set.meets(&object.cpus)));
    some.or(cpus.first()).map_or(0, |(_, i)| *i)
}

/// A switch for every bridge with a link above it; host bridges are part of the CPU.
fn bridges(raw: &Raw, cpus: &[(super::CpuSet, usize)], draft: &mut Draft) -> Vec<Option<usize>> {
    let mut all: Vec<Option<usize>> = Vec::new();
    for b in &raw.bridges {
        if b.tag.text("bridge_type") == "0-1" || b.tag.get("pci_busid").is_none() {
            all.push(None);
            continue;
        }
        let (_, vendor, device) = b.pci_type();
        let id = PciId::parse(vendor, device);
        let switch = draft.push(DraftDevice::new(What::PcieSwitch(id), b.tag.text("pci_busid").to_owned(), b.tag.line));
        let above = b.bridge.and_then(|i| all.get(i).copied().flatten()).unwrap_or_else(|| home(b, cpus));
        draft.wire(above, switch, pcie(b), b.tag.line);
        all.push(Some(switch));
    }
    all
}

/// The `PCIe` link of a device: generation and lanes of its rate in GB/s.
fn pcie(object: &Object) -> Wire {
    let rate: f64 = object.tag.text("pci_link_speed").trim().parse().unwrap_or(0.0);
    let lane = [(1, 0.25), (2, 0.5), (3, 0.984_615), (4, 1.969_231), (5, 3.938_462), (6, 7.75)];
    for lanes in [16_u32, 8, 4, 2, 1] {
        for (generation, per_lane) in lane {
            if (rate / (per_lane * f64::from(lanes)) - 1.0).abs() < 0.005 {
                return Wire::Pcie { generation: Some(generation), lanes: Some(lanes) };
            }
        }
    }
    Wire::Pcie { generation: None, lanes: None }
}

/// GPUs, NICs and switches between GPUs; everything else is left out without a word (disks, USB).
fn devices(
    raw: &Raw,
    cpus: &[(super::CpuSet, usize)],
    bridges: &[Option<usize>],
    draft: &mut Draft,
    report: &mut Report,
) -> Vec<Option<usize>> {
    let mut slots: BTreeSet<String> = BTreeSet::new();
    let mut all = Vec::new();
    for d in &raw.devices {
        let made = gpu(d).or_else(|| nic(d, &mut slots, report)).or_else(|| switch(d));
        let Some(device) = made else {
            all.push(None);
            continue;
        };
        let is_switch = device.what == What::ScaleUpSwitch;
        let is_gpu = matches!(device.what, What::Gpu(_));
        let i = draft.push(device);
        all.push(Some(i));
        if is_switch {
            continue;
        }
        let above = d.bridge.and_then(|b| bridges.get(b).copied().flatten()).unwrap_or_else(|| home(d, cpus));
        let mut link = pcie(d);
        if let Wire::Pcie { generation: Some(g @ 1..=2), .. } = link
            && is_gpu
        {
            report.assumed(
                d.tag.line,
                format!(
                    "the GPU's link was at generation {g} when the file was written, as idle GPUs are: its own speed"
                ),
            );
            link = Wire::Pcie { generation: None, lanes: Some(16) };
        }
        draft.wire(above, i, link, d.tag.line);
    }
    all
}

/// A GPU: a display or accelerator of a maker of GPUs, with all its OS devices.
fn gpu(d: &Object) -> Option<DraftDevice> {
    let (class, vendor, device) = d.pci_type();
    let maker = ["10de", "1002", "8086"].contains(&vendor);
    // The display of an Intel or AMD desktop chip is of class 0300 and has no compute device.
    let compute =
        d.os.iter().any(|(n, _)| ["cuda", "nvml", "rsmi", "amdsmi", "ze", "opencl"].iter().any(|p| n.starts_with(p)));
    let display = class.starts_with("0300") && vendor != "10de" && !compute;
    if !(maker && (class.starts_with("03") || class.starts_with("12"))) || display {
        return None;
    }
    let number = |prefix: &str| d.os.iter().find_map(|(n, _)| n.strip_prefix(prefix)?.parse::<u32>().ok());
    let hint = GpuHint {
        id: PciId::parse(vendor, device),
        model: d.info("GPUModel").to_owned(),
        sm: None,
        gcn: String::new(),
        index: number("nvml").or_else(|| number("cuda")).or_else(|| number("rsmi")).or_else(|| number("amdsmi")),
        amd: vendor == "1002",
    };
    Some(DraftDevice::new(What::Gpu(hint), d.tag.text("pci_busid").to_owned(), d.tag.line))
}

/// A NIC with RDMA; plain Ethernet, virtual functions and second ports are left out and reported.
fn nic(d: &Object, slots: &mut BTreeSet<String>, report: &mut Report) -> Option<DraftDevice> {
    let (class, vendor, device) = d.pci_type();
    let adapter = class.starts_with("02") || (class == "0c06" && vendor == "15b3");
    if !adapter {
        return None;
    }
    let rdma = |n: &str| {
        ["mlx", "hfi", "cxi", "ib", "bnxt_re", "irdma", "qib", "rdmap", "efa"].iter().any(|p| n.starts_with(p))
    };
    let name = d.os.iter().map(|(n, _)| n.as_str()).filter(|n| rdma(n)).min_by_key(|n| n.starts_with("ib"));
    let Some(name) = name else {
        let eth = d.os.first().map_or("a network adapter", |(n, _)| n.as_str());
        report.dropped(d.tag.line, format!("{} is Ethernet without RDMA", eth.chars().take(24).collect::<String>()));
        return None;
    };
    let busid = d.tag.text("pci_busid");
    let slot = busid.rsplit_once('.').map_or(busid, |(s, _)| s).to_owned();
    let named = d.info("PCIDevice").to_owned() + d.tag.text("name");
    if named.contains("Virtual Function") {
        report.dropped(d.tag.line, "a virtual function of an adapter");
        return None;
    }
    if !slots.insert(slot) {
        report.derived(d.tag.line, format!("{name} is another port of the adapter before it"));
        return None;
    }
    let infiniband = if class.starts_with("0207") { Some(true) } else { None };
    let hint = NicHint { id: PciId::parse(vendor, device), rate: None, infiniband, index: None };
    Some(DraftDevice::new(What::Nic(hint), name.to_owned(), d.tag.line))
}

fn switch(d: &Object) -> Option<DraftDevice> {
    let (class, vendor, _) = d.pci_type();
    let is = d.tag.text("subtype") == "NVSwitch" || (class == "0680" && vendor == "10de");
    is.then(|| DraftDevice::new(What::ScaleUpSwitch, d.tag.text("pci_busid").to_owned(), d.tag.line))
}

/// `NVLink` and xGMI from the rate matrices; whether there was one.
fn rates(
    raw: &Raw,
    devices: &[Option<usize>],
    cpus: &[(super::CpuSet, usize)],
    draft: &mut Draft,
    report: &mut Report,
) -> bool {
    let mut by_gp: BTreeMap<u64, usize> = BTreeMap::new();
    for (d, i) in raw.devices.iter().zip(devices) {
        let Some(i) = i else { continue };
        let own = d.tag.number("gp_index").and_then(|n| u64::try_from(n).ok());
        by_gp.extend(own.into_iter().chain(d.os.iter().map(|(_, gp)| *gp)).map(|gp| (gp, *i)));
    }
    for p in &raw.packages {
        if let Some(gp) = p.tag.number("gp_index").and_then(|n| u64::try_from(n).ok()) {
            by_gp.insert(gp, home(p, cpus));
        }
    }
    let mut told = false;
    for m in raw.distances.iter().filter(|d| d.name == "NVLinkBandwidth" || d.name == "XGMIBandwidth") {
        told = true;
        matrix(m, &by_gp, draft, report);
    }
    told
}

/// One matrix, MB/s; the diagonal is a dummy.
fn matrix(m: &Distances, by_gp: &BTreeMap<u64, usize>, draft: &mut Draft, report: &mut Report) {
    let gp = |t: &str| t.rsplit(':').next().and_then(|n| n.parse::<u64>().ok());
    let ends: Vec<Option<usize>> =
        m.indexes.split_whitespace().take(MAX_OBJECTS).map(|t| gp(t).and_then(|g| by_gp.get(&g)).copied()).collect();
    let values: Vec<f64> =
        m.values.split_whitespace().take(MAX_OBJECTS * MAX_OBJECTS).map(|v| v.parse().unwrap_or(0.0)).collect();
    if values.len() < ends.len() * ends.len() {
        report.dropped(m.line, format!("{} is cut: {} of {} values", m.name, values.len(), ends.len() * ends.len()));
    }
    let at = |i: usize, j: usize| values.get(i * ends.len() + j).copied().unwrap_or(0.0);
    for (i, a) in ends.iter().enumerate() {
        for (j, b) in ends.iter().enumerate().skip(i + 1) {
            let rate = at(i, j).max(at(j, i));
            let (Some(a), Some(b)) = (a, b) else { continue };
            if rate > 0.0 && rate < 1e7 && a != b {
                let rate = Some(Bandwidth::from_gbytes_per_s(rate / 1000.0));
                draft.wire(*a, *b, Wire::ScaleUp { count: 0, rate }, m.line);
            }
        }
    }
    report.read(m.line, format!("{} of {} objects", m.name, ends.len()));
}

/// Switches between GPUs without any link are of no use.
fn drop_idle_switches(draft: &mut Draft) {
    let linked: BTreeSet<usize> = draft.wires.iter().flat_map(|w| [w.a, w.b]).collect();
    let idle: Vec<bool> =
        draft.devices.iter().enumerate().map(|(i, d)| d.what == What::ScaleUpSwitch && !linked.contains(&i)).collect();
    draft.retain(|i| !idle.get(i).copied().unwrap_or(false));
}
