//! From the elements of an NCCL file to devices and wires.

mod links;

use std::collections::BTreeMap;

use super::super::draft::{CpuHint, Draft, DraftDevice, GpuHint, NicHint, PciId, What, Wire};
use super::super::report::{ImportError, Report, several};
use super::super::xml::Tag;
use super::{Raw, RawPci, short};
use crate::units::Bandwidth;

/// Rate that NCCL takes for a port without a usable one, Gb/s.
const DEFAULT_PORT_GBITS: f64 = 10.0;
/// A port faster than this is a typo, Gb/s.
const ABSURD_PORT_GBITS: f64 = 10_000.0;

/// What a `pci` element turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Gpu,
    Nic,
    Switch,
    Nothing,
}

/// Devices by what other elements call them.
struct Index {
    cpus: Vec<usize>,
    pcis: Vec<Option<usize>>,
    gpus: BTreeMap<(u32, String), usize>,
    /// Switches between GPUs by bus id.
    switches: BTreeMap<String, usize>,
    /// Devices by host and label, in files that this program wrote.
    labels: BTreeMap<(Option<u32>, String), usize>,
}

impl Index {
    /// Adds a device and remembers its label. In a file of one host, hosts are not told apart.
    fn push(&mut self, draft: &mut Draft, device: DraftDevice) -> usize {
        let key = device.name.clone().map(|n| (device.host, n));
        let device = draft.push(device);
        if let Some((host, name)) = key {
            self.labels.insert((host, name.clone()), device);
            self.labels.entry((None, name)).or_insert(device);
        }
        device
    }

    /// Switches between GPUs that the file lists.
    fn switches(&mut self, raw: &Raw, draft: &mut Draft) {
        for s in &raw.switches {
            let busid = s.tag.text("busid").to_lowercase();
            let mut d = DraftDevice::new(What::ScaleUpSwitch, busid.clone(), s.tag.line);
            let host = s.tag.get("host_hash").and_then(|h| raw.hosts.get(h)).copied();
            d.host = if raw.hosts.len() <= 1 { Some(0) } else { host };
            own_names(&mut d, &s.tag);
            let device = self.push(draft, d);
            self.switches.insert(busid, device);
        }
    }

    /// NUMA nodes.
    fn cpus(&mut self, raw: &Raw, draft: &mut Draft, report: &mut Report) {
        for c in &raw.cpus {
            let mut d = DraftDevice::new(
                What::Cpu(cpu_hint(&c.tag, report)),
                format!("NUMA {}", short(c.tag.text("numaid"))),
                c.tag.line,
            );
            d.host = Some(c.host);
            own_names(&mut d, &c.tag);
            let device = self.push(draft, d);
            self.cpus.push(device);
        }
    }

    /// GPUs, NICs and `PCIe` switches.
    fn pcis(&mut self, raw: &Raw, draft: &mut Draft, report: &mut Report) {
        for p in &raw.pcis {
            let host = host_of(raw, p);
            let busid = p.tag.text("busid").to_lowercase();
            let device = match role(p) {
                Role::Gpu => Some(first_gpu(p, report)),
                Role::Nic => nic(p, report),
                Role::Switch => Some(DraftDevice::new(What::PcieSwitch(pci_id(&p.tag)), busid.clone(), p.tag.line)),
                Role::Nothing => {
                    nothing(p, report);
                    None
                }
            };
            let made = device.map(|mut d| {
                d.host = Some(host);
                own_names(&mut d, &p.tag);
                self.push(draft, d)
            });
            if let Some(i) = made.filter(|_| role(p) == Role::Gpu) {
                self.gpus.insert((host, busid), i);
            }
            self.pcis.push(made);
        }
    }
}

/// Devices and wires of a file.
pub(super) fn draft(raw: &Raw, report: &mut Report) -> Result<Draft, ImportError> {
    let mut draft = Draft { hosts: raw.hosts.len() as u32, name: named(&raw.system), ..Draft::default() };
    if raw.cpus.is_empty() {
        return Err(ImportError::new("the topology has no cpu element")
            .at(raw.system.line, 1)
            .expecting("the dump of NCCL_TOPO_DUMP_FILE"));
    }
    report.counts.nodes_in_file = draft.hosts;
    let index = devices(raw, &mut draft, report);
    if draft.gpus().is_empty() {
        return Err(no_gpu(raw));
    }
    links::pcie(raw, &index, &mut draft, report);
    links::scale_up(raw, &index, &mut draft, report);
    links::sockets(raw, &index, &mut draft);
    summary(&draft, report);
    Ok(draft)
}

fn named(system: &Tag) -> Option<String> {
    system.get("name").map(str::to_owned)
}

fn no_gpu(raw: &Raw) -> ImportError {
    let bare = raw.pcis.iter().filter(|p| p.tag.get("class").is_none()).count();
    let line = raw.pcis.first().map_or(raw.system.line, |p| p.tag.line);
    if bare > 0 {
        return ImportError::new(format!(
            "{bare} devices carry a bus id and nothing else, so that GPUs and NICs cannot be told apart; \
             the file is a hint for NCCL on the machine it was written for"
        ))
        .at(line, 1)
        .expecting("the dump that NCCL writes on that machine with NCCL_TOPO_DUMP_FILE");
    }
    ImportError::new("no GPU in the file")
        .at(line, 1)
        .expecting("a pci element of class 0x03 or 0x12, or with a gpu inside")
}

/// Creates the devices, in the order of the file; GPUs and NICs are sorted by their own numbers later.
fn devices(raw: &Raw, draft: &mut Draft, report: &mut Report) -> Index {
    let mut index = Index {
        cpus: Vec::new(),
        pcis: Vec::new(),
        gpus: BTreeMap::new(),
        switches: BTreeMap::new(),
        labels: BTreeMap::new(),
    };
    index.switches(raw, draft);
    index.cpus(raw, draft, report);
    index.pcis(raw, draft, report);
    index
}

fn host_of(raw: &Raw, p: &RawPci) -> u32 {
    raw.cpus.get(p.cpu).map_or(0, |c| c.host)
}

/// Names that an export of this program wrote.
fn own_names(d: &mut DraftDevice, tag: &Tag) {
    d.name = tag.get("label").map(str::to_owned);
    d.part = tag.get("part").map(str::to_owned);
}

fn role(p: &RawPci) -> Role {
    let class = p.tag.text("class").trim_start_matches("0x").to_lowercase();
    if !p.gpus.is_empty() || class.starts_with("12") || (class.starts_with("03") && !is_console(&p.tag)) {
        return Role::Gpu;
    }
    if p.is_nic || class.starts_with("02") {
        return Role::Nic;
    }
    if p.children > 0 || p.tag.get("label").is_some() { Role::Switch } else { Role::Nothing }
}

/// The display chip of the management controller.
fn is_console(tag: &Tag) -> bool {
    tag.get("vendor").is_some_and(|v| v.ends_with("102b") || v.ends_with("1a03"))
}

fn nothing(p: &RawPci, report: &mut Report) {
    let class = p.tag.text("class");
    let what = if class.is_empty() { "a device without a class" } else { "a bridge with nothing below" };
    report.dropped(p.tag.line, format!("{what}: {}", short(p.tag.text("busid"))));
}

fn pci_id(tag: &Tag) -> Option<PciId> {
    PciId::parse(tag.get("vendor")?, tag.get("device")?)
}

fn cpu_hint(tag: &Tag, report: &mut Report) -> CpuHint {
    let numa = tag.number("numaid").and_then(|n| u32::try_from(n).ok());
    let numa = numa.filter(|_| tag.get("numa").is_none());
    if numa.is_none() && tag.get("numa").is_none() {
        report.assumed(tag.line, "NUMA id unknown (-1): taken as a NUMA node of its own");
    }
    let number = |name| tag.number(name).and_then(|n| u32::try_from(n).ok());
    CpuHint {
        numa,
        vendor: tag.text("vendor").to_owned(),
        arch: tag.text("arch").to_owned(),
        family: number("familyid"),
        model: number("modelid"),
        title: String::new(),
    }
}

fn first_gpu(p: &RawPci, report: &mut Report) -> DraftDevice {
    let id = pci_id(&p.tag);
    let gpu = p.gpus.first();
    if p.gpus.len() > 1 {
        report.assumed(p.tag.line, format!("{} partitions of one GPU, taken as one", p.gpus.len()));
    }
    let amd = id.is_some_and(|i| i.vendor == 0x1002) || gpu.is_some_and(|g| g.tag.get("gcn").is_some());
    let number = |name| gpu.and_then(|g| g.tag.number(name)).and_then(|n| u32::try_from(n).ok());
    let gcn = gpu.map(|g| g.tag.text("gcn")).unwrap_or_default();
    let hint = GpuHint {
        id,
        model: String::new(),
        sm: if amd { None } else { number("sm") },
        gcn: if gcn.is_empty() || gcn.starts_with("gfx") { gcn.to_owned() } else { format!("gfx{gcn}") },
        index: number("dev"),
        amd,
    };
    DraftDevice::new(What::Gpu(hint), p.tag.text("busid").to_lowercase(), p.tag.line)
}

/// A NIC with the sum of its ports in use; `None` when none is in use.
fn nic(p: &RawPci, report: &mut Report) -> Option<DraftDevice> {
    let used: Vec<&Tag> = p.nets.iter().filter(|n| n.get("dev").is_some()).collect();
    for n in p.nets.iter().filter(|n| n.get("dev").is_none()) {
        report.dropped(n.line, format!("port {} has no dev: not in use", short(n.text("name"))));
    }
    if used.is_empty() && !p.nets.is_empty() {
        return None;
    }
    let rate = used.iter().map(|n| port_rate(n, report)).reduce(|a, b| a + b);
    if used.len() > 1 {
        let names: Vec<String> = used.iter().map(|n| short(n.text("name"))).collect();
        report.derived(
            p.tag.line,
            format!("ports {} of one adapter are one NIC with the sum of their rates", names.join(", ")),
        );
    }
    let class = p.tag.text("class").trim_start_matches("0x");
    let hint = NicHint {
        id: pci_id(&p.tag),
        rate,
        infiniband: match class {
            c if c.starts_with("0207") => Some(true),
            c if c.starts_with("0200") => Some(false),
            _ => None,
        },
        index: used.iter().filter_map(|n| n.number("dev")).filter_map(|n| u32::try_from(n).ok()).min(),
    };
    let label = used.first().map_or_else(|| p.tag.text("busid").to_lowercase(), |n| n.text("name").to_owned());
    Some(DraftDevice::new(What::Nic(hint), label, p.tag.line))
}

fn port_rate(net: &Tag, report: &mut Report) -> Bandwidth {
    let name = short(net.text("name"));
    let gbits = net.number("speed").map_or(0.0, |mb| mb as f64 / 1000.0);
    if gbits <= 0.0 {
        report.assumed(net.line, format!("port {name} has no speed: {DEFAULT_PORT_GBITS} Gb/s, as NCCL assumes"));
        return Bandwidth::from_gbits_per_s(DEFAULT_PORT_GBITS);
    }
    if gbits > ABSURD_PORT_GBITS {
        report.assumed(net.line, format!("port {name} claims {gbits} Gb/s: taken as {DEFAULT_PORT_GBITS} Gb/s"));
        return Bandwidth::from_gbits_per_s(DEFAULT_PORT_GBITS);
    }
    Bandwidth::from_gbits_per_s(gbits)
}

fn summary(draft: &Draft, report: &mut Report) {
    let count = |f: fn(&What) -> bool, noun: &str| several(draft.which(f).len() as u64, noun);
    let line = draft.gpus().first().and_then(|i| draft.devices.get(*i)).map_or(0, |d| d.line);
    let text = format!(
        "{}, {}, {}, {}, {}",
        several(draft.hosts, "host"),
        count(|w| matches!(w, What::Cpu(_)), "NUMA node"),
        count(|w| matches!(w, What::PcieSwitch(_)), "PCIe bridge"),
        count(|w| matches!(w, What::Gpu(_)), "GPU"),
        count(|w| matches!(w, What::Nic(_)), "NIC"),
    );
    report.read(line, text);
    let links: u32 = draft
        .wires
        .iter()
        .filter_map(|w| if let Wire::ScaleUp { count, .. } = w.what { Some(count) } else { None })
        .sum();
    if links > 0 {
        report.read(0, format!("{links} NVLink or xGMI links"));
    }
}
