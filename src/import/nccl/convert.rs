//! From the elements of an NCCL file to devices and wires.

use std::collections::BTreeMap;

use super::super::draft::{CpuHint, Draft, DraftDevice, DraftWire, GpuHint, NicHint, PciId, ScaleUp, What, Wire};
use super::super::report::{ImportError, Report};
use super::super::xml::Tag;
use super::{Parent, Raw, RawPci, short};
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
    let mut index = devices(raw, &mut draft, report);
    if draft.gpus().is_empty() {
        return Err(no_gpu(raw));
    }
    pcie(raw, &index, &mut draft, report);
    scale_up(raw, &mut index, &mut draft, report);
    sockets(raw, &index, &mut draft);
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
    for s in &raw.switches {
        let busid = s.tag.text("busid").to_lowercase();
        let mut d = DraftDevice::new(What::ScaleUpSwitch, busid.clone(), s.tag.line);
        let host = s.tag.get("host_hash").and_then(|h| raw.hosts.get(h)).copied();
        d.host = if raw.hosts.len() <= 1 { Some(0) } else { host };
        own_names(&mut d, &s.tag);
        let device = index.push(draft, d);
        index.switches.insert(busid, device);
    }
    for c in &raw.cpus {
        let mut d = DraftDevice::new(
            What::Cpu(cpu_hint(&c.tag, report)),
            format!("NUMA {}", short(c.tag.text("numaid"))),
            c.tag.line,
        );
        d.host = Some(c.host);
        own_names(&mut d, &c.tag);
        let device = index.push(draft, d);
        index.cpus.push(device);
    }
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
            index.push(draft, d)
        });
        if let Some(i) = made.filter(|_| role(p) == Role::Gpu) {
            index.gpus.insert((host, busid), i);
        }
        index.pcis.push(made);
    }
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

/// The link of every device to the one above it.
fn pcie(raw: &Raw, index: &Index, draft: &mut Draft, report: &mut Report) {
    for (p, device) in raw.pcis.iter().zip(&index.pcis) {
        let Some(device) = *device else { continue };
        let above = match p.parent {
            Parent::Cpu(c) => index.cpus.get(c).copied(),
            Parent::Pci(up) => above(raw, index, up),
        };
        for peer in &p.peers {
            extra(raw, index, draft, device, peer);
        }
        let Some(above) = above.filter(|_| p.tag.get("kind") != Some("none")) else { continue };
        let generation = generation(p.tag.text("link_speed"));
        let number = |name| p.tag.number(name).and_then(|n| u32::try_from(n).ok());
        // Several links side by side, in files that this program wrote: the width is that of all of them.
        let parallel = number("count").unwrap_or(1).clamp(1, 64);
        let lanes = number("link_width").map(|n| n / parallel).filter(|n| (1..=64).contains(n));
        let what = Wire::Pcie { generation, lanes };
        slow_bridge(raw, p, generation, report);
        let kind = p.tag.get("kind").map(str::to_owned);
        draft.wires.push(DraftWire { a: above, b: device, what, line: p.tag.line, kind, parallel });
    }
}

/// A link of this program's own export that NCCL's grammar has no place for.
fn extra(raw: &Raw, index: &Index, draft: &mut Draft, from: usize, peer: &Tag) {
    let host = peer.get("host_hash").and_then(|h| raw.hosts.get(h)).copied();
    let label = peer.text("target").to_owned();
    let Some(to) = index.labels.get(&(host, label)).copied() else { return };
    let number = |name| peer.number(name).and_then(|n| u32::try_from(n).ok());
    let what = match peer.text("family") {
        "pcie" => Wire::Pcie { generation: None, lanes: number("lanes") },
        "c2c" => Wire::C2c { rate: None },
        "nvlink" | "xgmi" => Wire::ScaleUp { count: number("count").unwrap_or(1), rate: None },
        _ => Wire::Socket { count: number("count").unwrap_or(1) },
    };
    let kind = peer.get("kind").map(str::to_owned);
    let parallel = if peer.text("family") == "pcie" { number("count").unwrap_or(1) } else { 1 };
    draft.wires.push(DraftWire { a: from, b: to, what, line: peer.line, kind, parallel });
}

/// The nearest device above that was kept.
fn above(raw: &Raw, index: &Index, mut at: usize) -> Option<usize> {
    loop {
        if let Some(d) = index.pcis.get(at).copied().flatten() {
            return Some(d);
        }
        match raw.pcis.get(at)?.parent {
            Parent::Cpu(c) => return index.cpus.get(c).copied(),
            Parent::Pci(up) => at = up,
        }
    }
}

/// `PCIe` generation of a speed like `16.0 GT/s PCIe`; `None` when unknown.
pub(super) fn generation(speed: &str) -> Option<u32> {
    let number: String = speed.trim().chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let gts: f64 = number.parse().ok()?;
    [(2.5, 1), (5.0, 2), (8.0, 3), (16.0, 4), (32.0, 5), (64.0, 6), (128.0, 7)]
        .into_iter()
        .find(|(g, _)| (gts - g).abs() < 0.6)
        .map(|(_, n)| n)
}

fn slow_bridge(raw: &Raw, p: &RawPci, mine: Option<u32>, report: &mut Report) {
    let Parent::Pci(up) = p.parent else { return };
    let Some(bridge) = raw.pcis.get(up) else { return };
    if let (Some(mine), Some(above)) = (mine, generation(bridge.tag.text("link_speed")))
        && mine > above
    {
        let text = format!(
            "bridge {} is at PCIe {above}, slower than the devices below it; if that is wrong, edit its link",
            short(bridge.tag.text("busid"))
        );
        report.read(bridge.tag.line, text);
    }
}

/// `NVLink`, xGMI and C2C.
fn scale_up(raw: &Raw, index: &mut Index, draft: &mut Draft, report: &mut Report) {
    let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
    let mut switches: BTreeMap<String, usize> = BTreeMap::new();
    for (p, device) in raw.pcis.iter().zip(index.pcis.clone()) {
        let (Some(device), Some(gpu)) = (device, p.gpus.first()) else { continue };
        let host = host_of(raw, p);
        for link in &gpu.links {
            if link.name == "c2c" {
                c2c(draft, index, p.cpu, device, link);
                continue;
            }
            let count = link.number("count").and_then(|n| u32::try_from(n).ok()).unwrap_or(1).clamp(1, 64);
            let target = link.text("target").to_lowercase();
            match peer(index, draft, &mut switches, (host, device, p.cpu), link, &target, report) {
                Some(to) if draft.devices.get(to).is_some_and(|d| d.what == What::ScaleUpSwitch) => {
                    let e = pairs.entry((device, to)).or_insert_with(|| Pair::new(link));
                    e.there += count;
                }
                Some(to) => {
                    let e = pairs.entry((device.min(to), device.max(to))).or_insert_with(|| Pair::new(link));
                    if device < to { e.there += count } else { e.back += count }
                }
                None => {}
            }
        }
    }
    for ((a, b), pair) in pairs {
        let count = pair.count(draft, (a, b), report);
        let kind = pair.kind;
        draft.wires.push(DraftWire {
            a,
            b,
            what: Wire::ScaleUp { count, rate: None },
            line: pair.line,
            kind,
            parallel: 1,
        });
    }
    let told = raw.pcis.iter().flat_map(|p| &p.gpus).any(|g| g.tag.get("rank").is_some() || !g.links.is_empty());
    draft.scale_up = if told { ScaleUp::Told } else { ScaleUp::Unknown };
}

/// Links of a pair as counted from both sides.
struct Pair {
    there: u32,
    back: u32,
    line: u32,
    kind: Option<String>,
}

impl Pair {
    fn new(link: &Tag) -> Self {
        Self { there: 0, back: 0, line: link.line, kind: link.get("kind").map(str::to_owned) }
    }

    /// The number of links; what only one side lists is believed.
    fn count(&self, draft: &Draft, (a, b): (usize, usize), report: &mut Report) -> u32 {
        let both_gpus = [a, b].iter().all(|i| draft.devices.get(*i).is_some_and(|d| matches!(d.what, What::Gpu(_))));
        if both_gpus && (self.there == 0 || self.back == 0) {
            report.derived(self.line, "a link is listed by one of its two GPUs only; taken as it stands");
        } else if both_gpus && self.there != self.back {
            report.assumed(
                self.line,
                format!("one side lists {} links, the other {}: the larger is taken", self.there, self.back),
            );
        }
        self.there.max(self.back).clamp(1, 64)
    }
}

/// The device at the other end of a link.
fn peer(
    index: &Index,
    draft: &mut Draft,
    switches: &mut BTreeMap<String, usize>,
    (host, own, cpu): (u32, usize, usize),
    link: &Tag,
    target: &str,
    report: &mut Report,
) -> Option<usize> {
    let class = link.text("tclass").trim_start_matches("0x");
    match index.gpus.get(&(host, target.to_owned())) {
        Some(other) if *other == own => {
            report.dropped(link.line, "a GPU lists a link to itself");
            return None;
        }
        Some(other) => return Some(*other),
        None => {}
    }
    if let Some(switch) = index.switches.get(target) {
        return Some(*switch);
    }
    if class.starts_with("068001") {
        return index.cpus.get(cpu).copied();
    }
    let hidden = target.starts_with("fffffff") || target.is_empty();
    if (class.starts_with("03") || class.starts_with("12")) && !hidden {
        report.dropped(link.line, format!("link to {}, a GPU that is not in the file", short(target)));
        return None;
    }
    if !class.starts_with("0680") {
        report.assumed(link.line, "a link to a device that is not in the file: taken as a switch");
    }
    let key = if hidden { "hidden".to_owned() } else { target.to_owned() };
    let host = (draft.hosts <= 1).then_some(host);
    Some(*switches.entry(key).or_insert_with(|| {
        let mut d = DraftDevice::new(What::ScaleUpSwitch, if hidden { "hidden" } else { target }, link.line);
        d.host = host;
        d.name = link.get("label").map(str::to_owned);
        d.part = link.get("part").map(str::to_owned);
        draft.push(d)
    }))
}

fn c2c(draft: &mut Draft, index: &Index, cpu: usize, device: usize, link: &Tag) {
    let Some(cpu) = index.cpus.get(cpu).copied() else { return };
    let number = |name| link.number(name).filter(|n| (1..10_000_000).contains(n));
    // MB/s per link.
    let rate =
        number("bw").map(|bw| Bandwidth::from_gbytes_per_s(bw as f64 * number("count").unwrap_or(1) as f64 / 1000.0));
    let kind = link.get("kind").map(str::to_owned);
    draft.wires.push(DraftWire { a: cpu, b: device, what: Wire::C2c { rate }, line: link.line, kind, parallel: 1 });
}

/// Links between CPUs as an export of this program wrote them.
fn sockets(raw: &Raw, index: &Index, draft: &mut Draft) {
    for (c, device) in raw.cpus.iter().zip(&index.cpus) {
        for peer in &c.peers {
            extra(raw, index, draft, *device, peer);
        }
    }
    for s in &raw.switches {
        let Some(device) = index.switches.get(&s.tag.text("busid").to_lowercase()) else { continue };
        for peer in &s.peers {
            extra(raw, index, draft, *device, peer);
        }
    }
}

fn summary(draft: &Draft, report: &mut Report) {
    let count = |f: fn(&What) -> bool| draft.which(f).len();
    let line = draft.gpus().first().and_then(|i| draft.devices.get(*i)).map_or(0, |d| d.line);
    let text = format!(
        "{} host(s), {} NUMA nodes, {} PCIe bridges, {} GPUs, {} NICs",
        draft.hosts,
        count(|w| matches!(w, What::Cpu(_))),
        count(|w| matches!(w, What::PcieSwitch(_))),
        count(|w| matches!(w, What::Gpu(_))),
        count(|w| matches!(w, What::Nic(_))),
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
