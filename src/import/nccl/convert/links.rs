//! The links of an NCCL file: `PCIe` from the nesting, `NVLink`, xGMI and C2C from the GPUs' lists, and this program's own.

use std::collections::BTreeMap;

use super::super::super::draft::{Draft, DraftDevice, DraftWire, ScaleUp, What, Wire};
use super::super::super::report::Report;
use super::super::super::xml::Tag;
use super::super::{Parent, Raw, RawPci, short};
use super::{Index, host_of};
use crate::units::Bandwidth;

/// The link of every device to the one above it.
pub(super) fn pcie(raw: &Raw, index: &Index, draft: &mut Draft, report: &mut Report) {
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
fn generation(speed: &str) -> Option<u32> {
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
pub(super) fn scale_up(raw: &Raw, index: &Index, draft: &mut Draft, report: &mut Report) {
    let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
    let mut switches: BTreeMap<String, usize> = BTreeMap::new();
    for (p, device) in raw.pcis.iter().zip(index.pcis.iter().copied()) {
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
pub(super) fn sockets(raw: &Raw, index: &Index, draft: &mut Draft) {
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
