//! Which link kinds of the catalogue the wires of a draft are.

use std::sync::Arc;

use super::gpus::is_module;
use crate::parts::{Catalogue, CpuPart, Family, Figure, GpuPart, LinkKind, Origin};
use crate::units::{Bandwidth, Share, Time};

/// The kind of a `PCIe` link; an own kind from the standard's arithmetic where the catalogue has none.
pub(super) fn pcie(generation: u32, c: &Catalogue) -> LinkKind {
    let known = c.links().find(|l| l.family == Family::Pcie && l.generation == generation);
    if let Some(k) = known {
        return LinkKind::clone(k);
    }
    let gts =
        [2.5, 5.0, 8.0, 16.0, 32.0, 64.0, 128.0].get(generation.saturating_sub(1) as usize).copied().unwrap_or(16.0);
    let code = match generation {
        1 | 2 => 0.8,
        3..=5 => 128.0 / 130.0,
        _ => 236.0 / 256.0,
    };
    let line = Figure::new(
        Bandwidth::from_gbits_per_s(gts * code),
        Origin::Derived(format!("one lane: {gts} GT/s times the line code {code:.3}")),
    );
    let like = c.links().filter(|l| l.family == Family::Pcie).min_by_key(|l| l.generation.abs_diff(generation));
    own(format!("pcie{generation}"), format!("PCIe {generation}"), Family::Pcie, line, like, generation)
}

/// The kind of a link between two GPUs of a part, or of one to a switch.
pub(super) fn scale_up(part: &GpuPart, c: &Catalogue) -> LinkKind {
    let (family, names): (Family, &[&str]) = match (part.arch.as_str(), is_module(part)) {
        ("volta", _) => (Family::Nvlink, &["nvlink2"]),
        ("turing", _) => (Family::Nvlink, &["nvlink-tu102"]),
        ("ampere", true) => (Family::Nvlink, &["nvlink3"]),
        ("ampere", false) if part.scale_up_ports == 4 => (Family::Nvlink, &["nvlink-ga102"]),
        ("ampere", false) => (Family::Nvlink, &["nvlink3-bridge"]),
        ("hopper", false) => (Family::Nvlink, &["nvlink4-bridge"]),
        ("hopper", true) => (Family::Nvlink, &["nvlink4"]),
        ("cdna2", _) => (Family::Xgmi, &["xgmi-mi250"]),
        ("cdna3", _) => (Family::Xgmi, &["xgmi-mi300"]),
        ("cdna4", _) => (Family::Xgmi, &["xgmi-mi350"]),
        (arch, _) if arch.starts_with("cdna") => (Family::Xgmi, &[]),
        _ => (Family::Nvlink, &["nvlink5"]),
    };
    let known = names.iter().find_map(|n| c.link(n).ok());
    if let Some(k) = known {
        return LinkKind::clone(k);
    }
    let like = c.links().filter(|l| l.family == family).max_by_key(|l| l.generation);
    let rate = like.map_or(25.0, |l| l.line.is.gbytes_per_s());
    let line = Figure::new(
        Bandwidth::from_gbytes_per_s(rate),
        Origin::Assumed("no figure known for this GPU's links".to_owned()),
    );
    let name = if family == Family::Xgmi { "xgmi-unknown" } else { "nvlink-unknown" };
    own(name.to_owned(), name.replace('-', ", kind "), family, line, like, 0)
}

/// Switch of the scale-up domain that goes with a link kind, and how many stand on a baseboard.
pub(super) fn switch_of(kind: &LinkKind, rack: bool) -> (&'static str, u32) {
    match kind.generation {
        0..=2 => ("nvswitch1", 6),
        3 => ("nvswitch2", 6),
        4 => ("nvswitch3", 4),
        _ if rack => ("nvlink5-switch", 18),
        _ => ("nvlink5-switch", 2),
    }
}

/// The kind and number of links between two CPUs.
pub(super) fn socket(cpu: &CpuPart, c: &Catalogue) -> (LinkKind, u32) {
    let has = |word: &str| cpu.name.contains(word);
    let table = [
        ("broadwell", "qpi", 2),
        ("skylake", "upi1", 3),
        ("cascade", "upi1", 3),
        ("ice-lake", "upi1", 3),
        ("sapphire", "upi2", 3),
        ("emerald", "upi3", 3),
        ("naples", "epyc-xgmi2", 4),
        ("rome", "epyc-xgmi2", 4),
        ("milan", "epyc-xgmi2", 4),
        ("genoa", "epyc-xgmi3", 4),
        ("turin", "epyc-xgmi5", 4),
        ("grace", "grace-clink", 1),
        ("power9", "xbus", 1),
        ("", "upi2", 2),
    ];
    let hit = table.iter().find(|(word, kind, _)| has(word) && c.link(kind).is_ok());
    if let Some((kind, count)) = hit.and_then(|(_, k, n)| Some((c.link(k).ok()?, *n))) {
        return (LinkKind::clone(kind), count);
    }
    let like: Option<&Arc<LinkKind>> = c.links().find(|l| l.family == Family::Socket);
    let line = Figure::new(
        Bandwidth::from_gbytes_per_s(20.0),
        Origin::Assumed("no figure known for links between CPUs".to_owned()),
    );
    (own("socket".to_owned(), "link between CPUs".to_owned(), Family::Socket, line, like, 0), 2)
}

/// The kind of a coherent CPU-GPU link.
pub(super) fn c2c(rate: Option<Bandwidth>, c: &Catalogue) -> LinkKind {
    if let Some(k) = c.links().find(|l| l.family == Family::C2c) {
        return LinkKind::clone(k);
    }
    let line = Figure::new(
        rate.unwrap_or(Bandwidth::from_gbytes_per_s(345.0)),
        Origin::Assumed("the file's own figure".to_owned()),
    );
    own("c2c".to_owned(), "C2C".to_owned(), Family::C2c, line, None, 0)
}

/// A link kind of the user's own; what is not known is taken from a like one and marked.
fn own(
    name: String,
    title: String,
    family: Family,
    line: Figure<Bandwidth>,
    like: Option<&Arc<LinkKind>>,
    generation: u32,
) -> LinkKind {
    let from =
        Origin::Assumed(like.map_or_else(|| "nothing like it is known".to_owned(), |l| format!("as {}", l.title)));
    LinkKind {
        name,
        title,
        family,
        generation,
        line,
        usable: Figure::new(like.map_or(Share::new(0.8), |l| l.usable.is), from.clone()),
        copy: None,
        staged: like.and_then(|l| l.staged.as_ref()).map(|s| Figure::new(s.is, from.clone())),
        latency: Figure::new(like.map_or(Time::from_us(1.0), |l| l.latency.is), from),
        steps: like.and_then(|l| l.steps.clone()),
        staged_steps: like.and_then(|l| l.staged_steps.clone()),
        channels: like.and_then(|l| l.channels),
    }
}
