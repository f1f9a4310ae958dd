//! The network file of ASTRA-sim's analytical back end: one dimension per tier.

use std::fmt::Write;

use super::{common, unsaid};
use crate::parts::Family;
use crate::system::{Shape, System, Tier, TierRow, tier_of};

/// One dimension: its building block, its size, its rate and latency.
struct Dimension {
    block: &'static str,
    size: u64,
    row: TierRow,
}

/// YAML with `topology`, `npus_count`, `bandwidth` (GB/s per GPU and direction, the usable rate) and `latency` (ns of one
/// hop), the innermost dimension first.
pub fn astra_yaml(system: &System) -> String {
    let dims = dimensions(system);
    let list = |f: &dyn Fn(&Dimension) -> String| dims.iter().map(f).collect::<Vec<_>>().join(", ");
    let mut out = format!("# {}: {}\n", one_line(&system.name), one_line(&system.title));
    for note in unsaid(system) {
        let _ = writeln!(out, "# {}", one_line(&note));
    }
    for d in &dims {
        let _ = writeln!(
            out,
            "# {} of {}: {}, {} usable of {} line",
            d.block,
            d.size,
            one_line(&d.row.link),
            d.row.usable,
            d.row.line
        );
    }
    let _ = writeln!(out, "topology: [ {} ]", list(&|d| d.block.to_owned()));
    let _ = writeln!(out, "npus_count: [ {} ]", list(&|d| d.size.to_string()));
    let _ = writeln!(out, "bandwidth: [ {} ]  # GB/s", list(&|d| format!("{:.1}", d.row.usable.gbytes_per_s())));
    let _ = writeln!(out, "latency: [ {} ]  # ns", list(&|d| format!("{:.1}", d.row.latency.us() * 1000.0)));
    out
}

fn dimensions(system: &System) -> Vec<Dimension> {
    let tiers = system.tiers();
    let mut dims = Vec::new();
    let inside = u64::from(system.ranks_per_unit());
    let row = |wanted: Tier| tiers.iter().find(|t| t.tier == wanted).cloned();
    if let Some(row) = row(Tier::ScaleUp).or_else(|| row(Tier::Host)).filter(|_| inside > 1) {
        let block = common(system).map_or("Switch", |c| block(&c.shape));
        dims.push(Dimension { block, size: inside, row });
    }
    if let Some(row) = row(Tier::ScaleOut).filter(|_| system.units > 1 || dims.is_empty()) {
        dims.push(Dimension { block: "Switch", size: u64::from(system.units), row });
    }
    dims
}

/// How the GPUs of a unit are joined: by switches, each with each, or around.
fn block(shape: &Shape) -> &'static str {
    let gpus = shape.gpus();
    let scale_up = |a, b| {
        let direct =
            |(l, d): &(_, _)| *d == b && shape.link(*l).is_some_and(|l| tier_of(l.kind.family) == Tier::ScaleUp);
        shape.around(a).iter().any(direct)
    };
    let any = shape.links().iter().any(|l| matches!(l.kind.family, Family::Nvlink | Family::Xgmi));
    if !any || shape.scale_up_switches().next().is_some() {
        return "Switch";
    }
    let all = gpus.iter().enumerate().all(|(i, a)| gpus.iter().skip(i + 1).all(|b| scale_up(*a, *b)));
    if all { "FullyConnected" } else { "Ring" }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
