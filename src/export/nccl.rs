//! NCCL's topology XML of one unit, as `NCCL_TOPO_FILE` takes it.
//!
//! NCCL ignores attributes and elements that it does not know. What its grammar has no place for is written in such:
//! `label`, `part` and `kind` carry this program's names, `switch` the switches between GPUs, `peer` the links between
//! CPUs and those outside the `PCIe` tree. The importer reads them back, so that nothing is lost on the way.

mod words;

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{common, links_left, unsaid};
use words::{cpu_words, escape, family, gpu, ids, is_amd, part_name, sm, speed};

use crate::parts::{Family, GpuPart};
use crate::system::{DeviceIx, DeviceKind, Link, LinkIx, Shape, System, UnitClass};

/// The XML of the most frequent unit: a node, or all nodes of a rack (told apart by `host_hash`, as NCCL's fused files
/// are). Devices and links that are down are left out.
pub fn nccl_xml(system: &System) -> String {
    let mut out = String::new();
    for note in unsaid(system) {
        let _ = writeln!(out, "<!-- {} -->", note.replace("--", "- -"));
    }
    let Some(class) = common(system) else { return out };
    let amd = class.shape.gpus().iter().filter_map(|g| class.shape.device(*g)).any(|d| gpu(d).is_some_and(is_amd));
    let _ = writeln!(out, "<system version=\"{}\" name=\"{}\">", if amd { 2 } else { 1 }, escape(&system.name));
    let tree = Tree::new(class);
    for d in class.shape.scale_up_switches().filter(|d| class.health.device_up(*d)) {
        tree.switch(&mut out, d);
    }
    for d in class.shape.device_ixs() {
        let is_cpu = class.shape.device(d).is_some_and(|x| matches!(x.kind, DeviceKind::Cpu(_)));
        if is_cpu && class.health.device_up(d) {
            tree.cpu(&mut out, system, d);
        }
    }
    out.push_str("</system>\n");
    out
}

/// The `PCIe` tree of a unit: which device hangs below which, and the links that are not of it.
struct Tree<'a> {
    class: &'a UnitClass,
    shape: &'a Shape,
    /// Devices below a device, with the link.
    below: BTreeMap<DeviceIx, Vec<(DeviceIx, LinkIx)>>,
    /// The CPU that a device hangs on.
    home: BTreeMap<DeviceIx, DeviceIx>,
    /// Links that are neither of the tree nor between GPUs and switches, by the end that writes them.
    peers: BTreeMap<DeviceIx, Vec<LinkIx>>,
    /// Bus id of every device but CPUs.
    bus: BTreeMap<DeviceIx, String>,
}

impl<'a> Tree<'a> {
    fn new(class: &'a UnitClass) -> Self {
        let shape = &class.shape;
        let mut t = Self {
            class,
            shape,
            below: BTreeMap::new(),
            home: BTreeMap::new(),
            peers: BTreeMap::new(),
            bus: BTreeMap::new(),
        };
        let cpus: Vec<DeviceIx> = shape.device_ixs().filter(|d| t.is_cpu(*d)).collect();
        let mut used: Vec<LinkIx> = Vec::new();
        let mut queue: std::collections::VecDeque<DeviceIx> = cpus.iter().copied().collect();
        t.home.extend(cpus.iter().map(|c| (*c, *c)));
        while let Some(d) = queue.pop_front() {
            let links: Vec<(LinkIx, DeviceIx)> = shape.around(d).to_vec();
            for (l, other) in links {
                let tree = shape.link(l).is_some_and(|k| matches!(k.kind.family, Family::Pcie));
                if tree && t.alive(l) && !t.home.contains_key(&other) {
                    t.hang(d, other, l, &mut used);
                    queue.push_back(other);
                }
            }
        }
        // A GPU without PCIe hangs on the CPU that it shares a coherent link with.
        for l in shape.link_ixs() {
            let Some(link) = shape.link(l).filter(|k| k.kind.family == Family::C2c && t.alive(l)) else { continue };
            let (cpu, gpu) = if t.is_cpu(link.a) { (link.a, link.b) } else { (link.b, link.a) };
            if t.is_cpu(cpu) && !t.home.contains_key(&gpu) {
                t.hang(cpu, gpu, l, &mut used);
            }
        }
        t.rest(&used);
        t.number();
        t
    }

    fn hang(&mut self, above: DeviceIx, d: DeviceIx, l: LinkIx, used: &mut Vec<LinkIx>) {
        let cpu = self.home.get(&above).copied().unwrap_or(above);
        self.home.insert(d, cpu);
        self.below.entry(above).or_default().push((d, l));
        used.push(l);
    }

    /// Links that the tree does not show.
    fn rest(&mut self, used: &[LinkIx]) {
        let left: Vec<LinkIx> = self.shape.link_ixs().filter(|l| !used.contains(l) && self.alive(*l)).collect();
        for l in left {
            let Some(link) = self.shape.link(l) else { continue };
            let is = |d, f: fn(&DeviceKind) -> bool| self.shape.device(d).is_some_and(|x| f(&x.kind));
            let gpus = [link.a, link.b].iter().any(|d| is(*d, |k| matches!(k, DeviceKind::Gpu(_))));
            let shown = match link.kind.family {
                Family::Network => true,
                Family::Nvlink | Family::Xgmi => {
                    gpus && ![link.a, link.b].iter().any(|d| is(*d, |k| matches!(k, DeviceKind::Cpu(_))))
                }
                Family::C2c => {
                    let (cpu, gpu) = if self.is_cpu(link.a) { (link.a, link.b) } else { (link.b, link.a) };
                    self.home.get(&gpu) == Some(&cpu)
                }
                Family::Pcie | Family::Socket => false,
            };
            if !shown {
                self.peers.entry(link.a).or_default().push(l);
            }
        }
    }

    /// Bus ids: one bus per device, counted per host; switches between GPUs in a domain of their own.
    fn number(&mut self) {
        let mut next: BTreeMap<(Option<u32>, bool), u32> = BTreeMap::new();
        for d in self.shape.device_ixs() {
            let Some(x) =
                self.shape.device(d).filter(|x| x.kind != DeviceKind::Fabric && !matches!(x.kind, DeviceKind::Cpu(_)))
            else {
                continue;
            };
            let switch = x.is_scale_up_switch();
            let n = next.entry((x.node.filter(|_| !switch), switch)).or_insert(0);
            *n += 1;
            let domain = if switch { 0x100 } else { 0 } + *n / 0xf0;
            self.bus.insert(d, format!("{domain:04x}:{:02x}:00.0", 1 + *n % 0xf0));
        }
    }

    fn is_cpu(&self, d: DeviceIx) -> bool {
        self.shape.device(d).is_some_and(|x| matches!(x.kind, DeviceKind::Cpu(_)))
    }

    fn alive(&self, l: LinkIx) -> bool {
        links_left(self.class, l) > 0
    }

    fn bus(&self, d: DeviceIx) -> &str {
        self.bus.get(&d).map_or("", String::as_str)
    }

    fn label(&self, d: DeviceIx) -> String {
        self.shape.device(d).map_or_else(String::new, |x| x.name.clone())
    }

    fn switch(&self, out: &mut String, d: DeviceIx) {
        let Some(x) = self.shape.device(d) else { return };
        let (label, part) = (self.label(d), escape(part_name(&x.kind)));
        let host = x.node.map_or_else(String::new, |n| format!(" host_hash=\"{:#x}\"", n + 1));
        let _ = write!(out, "  <switch busid=\"{}\" label=\"{label}\" part=\"{part}\"{host}", self.bus(d));
        if self.peers.contains_key(&d) {
            out.push_str(">\n");
            self.peers(out, d, 4);
            out.push_str("  </switch>\n");
        } else {
            out.push_str("/>\n");
        }
    }

    fn cpu(&self, out: &mut String, system: &System, d: DeviceIx) {
        let Some(x) = self.shape.device(d) else { return };
        let DeviceKind::Cpu(part) = &x.kind else { return };
        let place = self
            .shape
            .device_ixs()
            .filter(|o| self.is_cpu(*o) && self.shape.device(*o).is_some_and(|y| y.node == x.node))
            .position(|o| o == d);
        let numa = match x.numa {
            Some(n) => format!("numaid=\"{n}\""),
            None => format!("numaid=\"{}\" numa=\"unknown\"", place.unwrap_or(0)),
        };
        let host = format!("{:#x}", x.node.unwrap_or(0) + 1);
        let _ = writeln!(
            out,
            "  <cpu host_hash=\"{host}\" {numa} affinity=\"\" {} label=\"{}\" part=\"{}\">",
            cpu_words(&part.name),
            self.label(d),
            escape(&part.name)
        );
        self.peers(out, d, 4);
        for (below, l) in self.below.get(&d).into_iter().flatten() {
            self.pci(out, system, *below, *l, 4);
        }
        out.push_str("  </cpu>\n");
    }

    /// A device and what hangs below it. The depth is that of the tree, a few levels.
    fn pci(&self, out: &mut String, system: &System, d: DeviceIx, l: LinkIx, indent: usize) {
        let (Some(x), Some(link)) = (self.shape.device(d), self.shape.link(l)) else { return };
        let pad = " ".repeat(indent);
        let (class, vendor, device) = ids(&x.kind);
        let wire = if link.kind.family == Family::Pcie {
            let speed = speed(link.kind.generation);
            let left = links_left(self.class, l);
            let count = if left > 1 { format!(" count=\"{left}\"") } else { String::new() };
            let (width, kind) = (left * link.lanes, escape(&link.kind.name));
            format!("link_speed=\"{speed}\" link_width=\"{width}\" kind=\"{kind}\"{count}")
        } else {
            "link_speed=\"\" link_width=\"0\" kind=\"none\"".to_owned()
        };
        let _ = writeln!(
            out,
            "{pad}<pci busid=\"{}\" class=\"{class}\" vendor=\"{vendor}\" device=\"{device}\" {wire} label=\"{}\" part=\"{}\">",
            self.bus(d),
            self.label(d),
            escape(part_name(&x.kind))
        );
        match &x.kind {
            DeviceKind::Gpu(part) => self.gpu(out, system, d, part, indent + 2),
            DeviceKind::Nic(part) => {
                let n = self.place(d, self.shape.nics());
                let (speed, gdr) = (part.rate.is.gbits_per_s() * 1000.0, u32::from(system.software.gdr));
                let _ = writeln!(
                    out,
                    "{pad}  <nic>\n{pad}    <net name=\"{}\" dev=\"{n}\" speed=\"{speed:.0}\" port=\"1\" guid=\"{:#x}\" maxconn=\"131072\" gdr=\"{gdr}\"/>\n{pad}  </nic>",
                    self.label(d),
                    n + 1
                );
            }
            _ => {}
        }
        self.peers(out, d, indent + 2);
        for (below, l) in self.below.get(&d).into_iter().flatten() {
            self.pci(out, system, *below, *l, indent + 2);
        }
        let _ = writeln!(out, "{pad}</pci>");
    }

    /// Number of a device among those of its kind and node.
    fn place(&self, d: DeviceIx, all: &[DeviceIx]) -> usize {
        let node = |i: &DeviceIx| self.shape.device(*i).and_then(|x| x.node);
        all.iter().filter(|o| node(o) == node(&d)).position(|o| *o == d).unwrap_or(0)
    }

    fn gpu(&self, out: &mut String, system: &System, d: DeviceIx, part: &GpuPart, indent: usize) {
        let pad = " ".repeat(indent);
        let dev = self.place(d, self.shape.gpus());
        let rank = self.shape.gpus().iter().position(|g| *g == d).unwrap_or(0);
        let sm = sm(&part.arch);
        let _ =
            writeln!(out, "{pad}<gpu dev=\"{dev}\" {sm} rank=\"{rank}\" gdr=\"{}\">", u32::from(system.software.gdr));
        for (l, other) in self.shape.around(d) {
            let Some(link) = self.shape.link(*l).filter(|_| self.alive(*l)) else { continue };
            self.gpu_link(out, link, *l, *other, d, &pad);
        }
        let _ = writeln!(out, "{pad}</gpu>");
    }

    fn gpu_link(&self, out: &mut String, link: &Link, l: LinkIx, other: DeviceIx, own: DeviceIx, pad: &str) {
        let kind = escape(&link.kind.name);
        let count = links_left(self.class, l);
        let Some(x) = self.shape.device(other) else { return };
        match (link.kind.family, &x.kind) {
            (Family::C2c, _) if self.home.get(&own) == Some(&other) => {
                let mb = link.kind.line.is.gbytes_per_s() * 1000.0;
                let _ = writeln!(out, "{pad}  <c2c bw=\"{mb:.0}\" count=\"{count}\" kind=\"{kind}\"/>");
            }
            (Family::Nvlink | Family::Xgmi, DeviceKind::Gpu(_) | DeviceKind::ScaleUpSwitch(_)) => {
                let name = if link.kind.family == Family::Xgmi { "xgmi" } else { "nvlink" };
                let class = if x.is_gpu() { ids(&x.kind).0 } else { "0x068000" };
                let _ = writeln!(
                    out,
                    "{pad}  <{name} target=\"{}\" count=\"{count}\" tclass=\"{class}\" kind=\"{kind}\"/>",
                    self.bus(other)
                );
            }
            _ => {}
        }
    }

    fn peers(&self, out: &mut String, d: DeviceIx, indent: usize) {
        for l in self.peers.get(&d).into_iter().flatten() {
            let Some(link) = self.shape.link(*l) else { continue };
            let other = link.other(d);
            let host = self
                .shape
                .device(other)
                .and_then(|x| x.node)
                .map_or_else(String::new, |n| format!(" host_hash=\"{:#x}\"", n + 1));
            let _ = writeln!(
                out,
                "{}<peer target=\"{}\"{host} family=\"{}\" kind=\"{}\" count=\"{}\" lanes=\"{}\"/>",
                " ".repeat(indent),
                self.label(other),
                family(link.kind.family),
                escape(&link.kind.name),
                links_left(self.class, *l),
                link.lanes
            );
        }
    }
}
