//! What slow pairs have in common: a GPU, a link, a group, or all of them.

use super::{Overlay, Pair, PairVerdict};

/// What the slow pairs point at.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// In words.
    pub what: String,
    /// The edit that makes the prediction so, where there is one.
    pub edit: Option<String>,
    /// What would confirm it.
    pub confirm: &'static str,
}

const LINKS: &str = "nvidia-smi nvlink -s and -e, nvidia-smi topo -m: links, rates and errors of that GPU; lspci -vv: LnkSta against LnkCap";
const ALL: &str = "nvidia-smi topo -m: NV# between all pairs?; state of the fabric manager; nvidia-smi topo -p2p r; lspci -vvv: ACSCtl of the bridges";
const PAIR: &str = "run the test again: a single pair may have been disturbed; then nvidia-smi nvlink -s on both, and the PCIe bridges between them";

/// What the slow pairs have in common, the widest first; empty where none is slow.
pub fn suspects(overlay: &Overlay) -> Vec<Suspect> {
    let slow: Vec<&Pair> = overlay.pairs.iter().filter(|p| p.verdict == PairVerdict::Slow).collect();
    if slow.is_empty() {
        return Vec::new();
    }
    let ratio = |pairs: &[&Pair]| {
        let all: Vec<_> = pairs.iter().map(|p| p.ratio()).collect();
        crate::measure::stats::median(&all).map_or(1.0, crate::units::Share::ratio)
    };
    if slow.len() * 10 >= overlay.pairs.len() * 9 && overlay.pairs.len() > 2 {
        let what = format!(
            "all pairs get about {:.0} % of what they should: peer-to-peer or the scale-up links as a whole",
            ratio(&slow) * 100.0
        );
        return vec![Suspect { what, edit: None, confirm: ALL }];
    }
    let mut left = slow;
    let mut found = Vec::new();
    while let Some((gpu, its)) = worst_gpu(overlay, &left) {
        let share = (ratio(&its) * 100.0).round();
        let what = format!("gpu{gpu}: nearly all of its pairs are slow, at about {share:.0} %: its own links");
        let edit = Some(format!("degrade node0/gpu{gpu} to {share:.0}%"));
        left.retain(|p| p.from != gpu && p.to != gpu);
        found.push(Suspect { what, edit, confirm: LINKS });
    }
    let mut seen: Vec<(u32, u32)> = Vec::new();
    for p in &left {
        let ends = (p.from.min(p.to), p.from.max(p.to));
        if seen.contains(&ends) {
            continue;
        }
        seen.push(ends);
        let what = format!(
            "gpu{} and gpu{}: {} where {} is predicted ({:.0} %), while their other pairs are not slow",
            ends.0,
            ends.1,
            p.measured,
            p.predicted,
            p.ratio().percent()
        );
        found.push(Suspect { what, edit: None, confirm: PAIR });
    }
    found
}

/// The GPU with the most slow pairs, if nearly all of its pairs are slow, and those pairs.
fn worst_gpu<'a>(overlay: &Overlay, slow: &[&'a Pair]) -> Option<(u32, Vec<&'a Pair>)> {
    let has = |p: &Pair, gpu: u32| p.from == gpu || p.to == gpu;
    let mut gpus: Vec<u32> = slow.iter().flat_map(|p| [p.from, p.to]).collect();
    gpus.sort_unstable();
    gpus.dedup();
    let counted = gpus.into_iter().map(|g| (g, slow.iter().filter(|p| has(p, g)).count()));
    let (gpu, count) = counted.max_by_key(|(g, n)| (*n, std::cmp::Reverse(*g)))?;
    let all = overlay.pairs.iter().filter(|p| has(p, gpu)).count();
    (count >= 4 && count * 10 >= all * 8).then(|| (gpu, slow.iter().filter(|p| has(p, gpu)).copied().collect()))
}
