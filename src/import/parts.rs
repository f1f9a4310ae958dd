//! Parts for NICs, CPUs and switches, and the list of the user's own parts that an import adds to the system.

use std::sync::Arc;

use super::draft::{CpuHint, NicHint};
use super::report::Report;
use crate::parts::{Catalogue, CatalogueFile, CpuPart, Figure, LinkKind, NicPart, Origin, SwitchPart, SwitchRole};
use crate::units::{Bandwidth, Time};

/// The catalogue and what an import adds to it.
pub(super) struct Shelf<'a> {
    /// What is known already.
    pub(super) catalogue: &'a Arc<Catalogue>,
    /// Parts of the system's own.
    pub(super) own: CatalogueFile,
}

macro_rules! keep {
    ($name:ident, $list:ident, $get:ident, $t:ty, $doc:literal) => {
        #[doc = $doc]
        pub(super) fn $name(&mut self, part: $t) -> String {
            let name = part.name.clone();
            let known = self.catalogue.$get(&name).is_ok_and(|p| **p == part);
            if !known && !self.own.$list.iter().any(|p| p.name == name) {
                self.own.$list.push(part);
            }
            name
        }
    };
}

impl<'a> Shelf<'a> {
    /// A shelf with nothing of its own.
    pub(super) fn new(catalogue: &'a Arc<Catalogue>) -> Self {
        Self { catalogue, own: CatalogueFile::default() }
    }

    keep!(keep_link, links, link, LinkKind, "Makes a link kind known; its name.");
    keep!(keep_gpu, gpus, gpu, crate::parts::GpuPart, "Makes a GPU known; its name.");
    keep!(keep_nic, nics, nic, NicPart, "Makes a NIC known; its name.");
    keep!(keep_switch, switches, switch, SwitchPart, "Makes a switch known; its name.");
    keep!(keep_cpu, cpus, cpu, CpuPart, "Makes a CPU known; its name.");

    /// The own parts, if there are any.
    pub(super) fn into_own(self) -> Option<CatalogueFile> {
        (self.own != CatalogueFile::default()).then_some(self.own)
    }

    /// The part of a NIC: by PCI id, at the rate that the file gives, else at the usual rate beside the GPUs.
    pub(super) fn nic(&mut self, hint: &NicHint, usual_gbits: f64, line: u32, report: &mut Report) -> String {
        let c = Arc::clone(self.catalogue);
        let by_id = hint.id.and_then(|id| {
            let spellings =
                [id.to_string(), format!("0x{:04x}", id.device), format!("0x{:04x}{:04x}", id.device, id.vendor)];
            c.nics().find(|n| n.aliases.iter().any(|a| spellings.iter().any(|s| a.eq_ignore_ascii_case(s))))
        });
        if hint.rate.is_none() {
            let text = match by_id {
                Some(n) => format!("the file has no rate for this NIC: {} of {}", n.rate.is, n.title),
                None => format!("the file has no rate for this NIC: {usual_gbits} Gb/s, usual beside these GPUs"),
            };
            report.assumed(line, text);
        }
        let rate = hint.rate.or(by_id.map(|n| n.rate.is)).unwrap_or(Bandwidth::from_gbits_per_s(usual_gbits));
        let same = |n: &NicPart| (n.rate.is.gbits_per_s() - rate.gbits_per_s()).abs() < 0.5;
        if let Some(n) = by_id.filter(|n| same(n)) {
            return n.name.clone();
        }
        let stem = by_id.map(|n| stem(&n.name).to_owned());
        let prefix = stem.as_deref().unwrap_or("connectx");
        let fast = rate.gbits_per_s() >= 100.0;
        let known = c
            .nics()
            .filter(|n| same(n))
            .find(|n| n.name.starts_with(if fast || by_id.is_some() { prefix } else { "eth" }));
        if let Some(n) = known {
            return n.name.clone();
        }
        let like = by_id.or_else(|| c.nics().min_by(|a, b| gap(a, rate).total_cmp(&gap(b, rate))));
        let gbits = rate.gbits_per_s().round();
        let name = format!("{}-{gbits}", stem.as_deref().unwrap_or("nic"));
        let from = Origin::Derived(format!("port speeds in the imported file, {gbits} Gb/s"));
        let latency = like.map_or_else(
            || Figure::new(Time::from_us(1.0), Origin::Assumed("no adapter is known".to_owned())),
            |n| Figure::new(n.latency.is, Origin::Assumed(format!("as {}", n.title))),
        );
        self.keep_nic(NicPart {
            title: format!("NIC {gbits} Gb/s"),
            name,
            rate: Figure::new(rate, from),
            latency,
            aliases: Vec::new(),
        })
    }

    /// The part of a CPU, by vendor, family and model.
    pub(super) fn cpu(&mut self, hint: &CpuHint, gpu: &str, line: u32, report: &mut Report) -> String {
        let word = cpu_word(hint, gpu);
        let c = self.catalogue;
        let find = |w: &str| c.cpus().find(|p| !w.is_empty() && p.name.contains(w));
        if let Some(p) = find(word) {
            let vendor = hint.vendor.trim();
            let how = if hint.model.is_some() {
                format!("{vendor} family {} model {}", hint.family.unwrap_or(0), hint.model.unwrap_or(0))
            } else {
                vendor.to_owned()
            };
            if how.is_empty() {
                report.assumed(line, format!("CPU taken as {}", p.title));
            } else {
                report.derived(line, format!("CPU {how} is {}", p.title));
            }
            return p.name.clone();
        }
        report.assumed(line, "the CPU is not known: a generic server CPU");
        if let Some(p) = find("generic").or_else(|| c.cpus().next()) {
            return p.name.clone();
        }
        let from = Origin::Assumed("no CPU is known".to_owned());
        self.keep_cpu(CpuPart {
            name: "generic-cpu".to_owned(),
            title: "CPU".to_owned(),
            memory_rate: Figure::new(Bandwidth::from_gbytes_per_s(200.0), from.clone()),
            latency: Figure::new(Time::from_us(0.5), from),
        })
    }

    /// A `PCIe` switch with enough lanes of a generation.
    pub(super) fn pcie_switch(&mut self, generation: u32, lanes: u32) -> String {
        let word = format!("Gen{generation}");
        let fits = self
            .catalogue
            .switches()
            .filter(|s| s.role == SwitchRole::Pcie && s.title.contains(&word) && s.ports >= lanes);
        if let Some(s) = fits.min_by_key(|s| s.ports) {
            return s.name.clone();
        }
        let like = self.catalogue.switches().find(|s| s.role == SwitchRole::Pcie);
        let lanes = lanes.max(48).next_multiple_of(16);
        self.keep_switch(own_switch(&format!("pcie{generation}-switch-{lanes}"), SwitchRole::Pcie, lanes, like))
    }

    /// A switch of the scale-up domain with enough ports.
    pub(super) fn scale_up_switch(&mut self, wanted: &str, ports: u32) -> String {
        let known = self.catalogue.switch(wanted).ok();
        if let Some(s) = known.filter(|s| s.ports >= ports) {
            return s.name.clone();
        }
        let like = known.or_else(|| self.catalogue.switches().find(|s| s.role == SwitchRole::ScaleUp));
        let ports = ports.next_multiple_of(8);
        self.keep_switch(own_switch(&format!("{wanted}-{ports}"), SwitchRole::ScaleUp, ports, like))
    }
}

fn gap(n: &NicPart, rate: Bandwidth) -> f64 {
    (n.rate.is.gbits_per_s() - rate.gbits_per_s()).abs()
}

/// `connectx-7` of `connectx-7-200`.
fn stem(name: &str) -> &str {
    let second = name.match_indices('-').nth(1).map_or(name.len(), |(i, _)| i);
    name.get(..second).unwrap_or(name)
}

fn own_switch(name: &str, role: SwitchRole, ports: u32, like: Option<&Arc<SwitchPart>>) -> SwitchPart {
    let from =
        Origin::Assumed(like.map_or_else(|| "no such switch is known".to_owned(), |l| format!("as {}", l.title)));
    SwitchPart {
        name: name.to_owned(),
        title: format!("switch with {ports} {}", if role == SwitchRole::Pcie { "lanes" } else { "ports" }),
        role,
        ports,
        latency: Figure::new(like.map_or(Time::from_us(0.15), |l| l.latency.is), from),
        reduction: like.and_then(|l| l.reduction.clone()),
    }
}

/// The word in a CPU's name that its vendor, family and model stand for. Dumps add the extended family shifted by four
/// (143 is family 17h, 175 is 19h), files written by hand have it decoded (23, 25).
fn cpu_word(hint: &CpuHint, gpu: &str) -> &'static str {
    let vendor = hint.vendor.trim();
    let title = hint.title.to_lowercase();
    for word in [
        "naples",
        "rome",
        "milan",
        "genoa",
        "turin",
        "grace",
        "power9",
        "sapphire",
        "emerald",
        "ice-lake",
        "broadwell",
        "skylake",
    ] {
        if title.contains(word) {
            return word;
        }
    }
    if hint.arch == "arm64" || hint.arch == "aarch64" || gpu.starts_with("gh200") || gpu.starts_with("gb") {
        return if gpu.starts_with("gb10") { "gb10" } else { "grace" };
    }
    if hint.arch.starts_with("ppc") {
        return "power9";
    }
    match (vendor, hint.family.unwrap_or(0), hint.model.unwrap_or(0)) {
        ("GenuineIntel", _, 0x3f | 0x4f | 0x56) => "broadwell",
        ("GenuineIntel", _, 0x55) => "cascade",
        ("GenuineIntel", _, 0x6a | 0x6c) => "ice-lake",
        ("GenuineIntel", _, 0x8f) => "sapphire",
        ("GenuineIntel", _, 0xcf | 0xad | 0xae) => "emerald",
        ("AuthenticAMD", 143 | 23, 0..=0x2f) => "naples",
        ("AuthenticAMD", 143 | 23, _) => "rome",
        ("AuthenticAMD", 175 | 25, 0..=0x0f) => "milan",
        ("AuthenticAMD", 175 | 25, _) => "genoa",
        ("AuthenticAMD", 191 | 26, _) => "turin",
        _ => "",
    }
}
