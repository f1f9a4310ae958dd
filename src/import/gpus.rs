//! Which part of the catalogue a GPU is: from the user's word, the PCI id, the name, or the architecture.

use std::sync::Arc;

use super::draft::{GpuHint, PciId};
use super::report::{ImportError, Report};
use crate::parts::{Catalogue, Figure, GpuPart, Origin, nearest};

/// PCI ids that are another spelling of a part whose own id the catalogue has.
const SAME_CHIP: &[(&str, &str)] = &[
    ("1002:740c", "1002:7408"),
    ("1002:740f", "1002:7408"),
    ("10de:20b3", "10de:20b2"),
    ("10de:2324", "10de:2330"),
    ("10de:2339", "10de:2330"),
    ("10de:20f3", "10de:20b2"),
    ("10de:1db3", "10de:1db1"),
];

/// The part that the user named: a name, an alias, or the beginning of one.
pub(super) fn by_word(word: &str, ports: u32, c: &Catalogue, report: &mut Report) -> Result<Arc<GpuPart>, ImportError> {
    let wanted = plain(word);
    let exact = c.gpus().find(|g| spellings(g).any(|s| plain(s) == wanted));
    if let Some(g) = exact {
        return Ok(Arc::clone(g));
    }
    let mut near: Vec<&Arc<GpuPart>> =
        c.gpus().filter(|g| !wanted.is_empty() && spellings(g).any(|s| plain(s).contains(&wanted))).collect();
    // A machine with many links between its GPUs has the module, not the card.
    near.sort_by_key(|g| {
        (g.scale_up_ports < ports, !plain(&g.name).starts_with(&wanted), !is_module(g), g.name.clone())
    });
    let Some(first) = near.first() else {
        let names = nearest(word, c.gpus().map(|g| g.name.as_str()));
        let all = if names.is_empty() { c.gpus().map(|g| g.name.clone()).collect() } else { names };
        return Err(ImportError::new(format!("unknown GPU {word:?}")).expecting(all.join(", ")).flag("--gpu h100-sxm"));
    };
    if near.len() > 1 {
        let others: Vec<&str> = near.iter().skip(1).take(6).map(|g| g.name.as_str()).collect();
        report.assumed(0, format!("--gpu {word} is taken as {} (also possible: {})", first.name, others.join(", ")));
    }
    Ok(Arc::clone(first))
}

/// Whether a part is a module on a baseboard (its links are always there) and not a card with optional bridges.
pub(super) fn is_module(g: &GpuPart) -> bool {
    let text = format!("{} {}", g.name, g.title).to_lowercase();
    g.scale_up_ports >= 6 && !["pcie", "nvl ", "-nvl", "rtx"].iter().any(|w| text.contains(w))
}

/// The part of a GPU that a file describes; the report says how sure that is.
pub(super) fn by_hint(
    hint: &GpuHint,
    linked: bool,
    line: u32,
    c: &Catalogue,
    report: &mut Report,
) -> Result<GpuPart, ImportError> {
    if let Some(g) = hint.id.and_then(|id| by_id(id, c)) {
        report.derived(line, format!("PCI id {} is {}", hint.id.map(|i| i.to_string()).unwrap_or_default(), g.title));
        return Ok(GpuPart::clone(g));
    }
    if let Some(g) = by_model(&hint.model, c) {
        report.derived(line, format!("{:?} is {}", hint.model, g.title));
        return Ok(GpuPart::clone(g));
    }
    let wanted = arch_of(hint);
    let like = wanted.and_then(|w| alike(w, linked, c));
    let Some(like) = like else {
        let what = hint.id.map_or_else(
            || "the file does not say which GPU this is".to_owned(),
            |id| format!("no part is known for the GPU {id}"),
        );
        return Err(ImportError::new(what).at(line, 1).flag("--gpu a100"));
    };
    Ok(own(hint, like, line, report))
}

fn by_id(id: PciId, c: &Catalogue) -> Option<&Arc<GpuPart>> {
    let find = |text: &str| c.gpus().find(|g| g.aliases.iter().any(|a| a.eq_ignore_ascii_case(text)));
    let text = id.to_string();
    let reversed = format!("0x{:04x}{:04x}", id.device, id.vendor);
    let same = || SAME_CHIP.iter().find(|(a, _)| *a == text).and_then(|(_, b)| find(b));
    find(&text).or_else(|| find(&reversed)).or_else(same)
}

/// The part whose longest name is in the model's name, or the other way round.
fn by_model<'a>(model: &str, c: &'a Catalogue) -> Option<&'a Arc<GpuPart>> {
    let wanted = plain(model);
    if wanted.len() < 3 {
        return None;
    }
    let score = |g: &&Arc<GpuPart>| -> usize {
        let fit = |s: &str| {
            let s = plain(s);
            if s == wanted {
                s.len() + 1000
            } else if s.len() > 3 && wanted.contains(&s) {
                s.len()
            } else {
                0
            }
        };
        spellings(g).map(fit).max().unwrap_or(0)
    };
    c.gpus().map(|g| (score(&g), g)).filter(|(s, _)| *s > 0).max_by_key(|(s, _)| *s).map(|(_, g)| g)
}

fn spellings(g: &GpuPart) -> impl Iterator<Item = &str> {
    [g.name.as_str(), g.title.as_str()].into_iter().chain(g.aliases.iter().map(String::as_str))
}

fn plain(s: &str) -> String {
    s.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect::<String>()
        .replace("nvidia", "")
}

/// The architecture's name in the catalogue, from the compute capability or AMD's name.
fn arch_of(hint: &GpuHint) -> Option<&'static str> {
    if hint.amd {
        let gcn = hint.gcn.trim_start_matches("gfx");
        return match gcn {
            "906" | "908" | "90a" | "910" => Some("cdna2"),
            "940" | "941" | "942" => Some("cdna3"),
            g if g.starts_with("95") => Some("cdna4"),
            _ => None,
        };
    }
    Some(match hint.sm? {
        60..=72 => "volta",
        75 => "turing",
        80..=88 => "ampere",
        89 => "ada",
        90..=99 => "hopper",
        100..=119 => "blackwell",
        120..=129 => "blackwell-rtx",
        _ => return None,
    })
}

/// A known part of the same architecture, with scale-up ports if the file shows links.
fn alike<'a>(arch: &str, linked: bool, c: &'a Catalogue) -> Option<&'a Arc<GpuPart>> {
    c.gpus().filter(|g| g.arch == arch).min_by_key(|g| ((g.scale_up_ports > 0) != linked, g.name.len()))
}

/// A part of the user's own, with the figures of a known one as guesses.
fn own(hint: &GpuHint, like: &GpuPart, line: u32, report: &mut Report) -> GpuPart {
    let kind = if hint.amd { hint.gcn.clone() } else { hint.sm.map(|s| format!("sm{s}")).unwrap_or_default() };
    let id = hint.id.map(|i| i.to_string()).unwrap_or_default();
    let guess = Origin::Assumed(format!("as {}, a GPU of the same family", like.title));
    let name = format!(
        "gpu-{}",
        [id.replace(':', "-"), kind.clone()].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join("-")
    );
    report.assumed(
        line,
        format!(
            "no part is known for the GPU {id} ({kind}): memory and rates are those of {}; --gpu names it",
            like.title
        ),
    );
    GpuPart {
        title: format!("GPU {}", if id.is_empty() { kind } else { id }),
        name,
        memory_rate: Figure::new(like.memory_rate.is, guess.clone()),
        tflops: like.tflops.as_ref().map(|t| Figure::new(t.is, guess.clone())),
        aliases: Vec::new(),
        from: guess,
        ..like.clone()
    }
}

/// `PCIe` generation of a GPU's slot, by its architecture; what servers of that time have.
pub(super) fn pcie_generation(part: &GpuPart) -> u32 {
    match part.arch.as_str() {
        "volta" | "turing" => 3,
        "ampere" | "ada" | "cdna2" => 4,
        _ => 5,
    }
}

/// Rate of the NICs that are usual beside a GPU, Gb/s.
pub(super) fn usual_nic_gbits(part: &GpuPart) -> f64 {
    match part.arch.as_str() {
        "volta" | "turing" => 100.0,
        "ampere" | "ada" | "cdna2" => 200.0,
        _ => 400.0,
    }
}
