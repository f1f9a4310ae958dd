//! Usual misreadings of such numbers, those that apply here, with this answer's own figures.

use super::{Facts, Section};
use crate::question::Collective;
use crate::system::{Algorithm, Tier, tier_of};
use crate::units::{Bandwidth, Bytes, Share, significant};

/// What is often read wrongly about an answer like this.
pub(super) fn misreadings(f: &Facts<'_, '_>) -> Section {
    let all: Vec<String> =
        [score(f), both_directions(f), bits(f), units(f), buffer(f), all_to_all(f), small(f), host(f), tiers(f)]
            .into_iter()
            .flatten()
            .collect();
    Section::new("misreadings", "Usual misreadings", format!("{} apply", all.len())).lines(all)
}

/// busbw above the wire.
fn score(f: &Facts<'_, '_>) -> Option<String> {
    let (c, e) = (f.chosen(), f.e);
    let why = match c.algorithm {
        Algorithm::Nvls | Algorithm::NvlsTree | Algorithm::Collnet => {
            "the switches reduce, so fewer bytes cross the wires than the factor assumes"
        }
        Algorithm::Tree if e.units == 2 => "on two units a tree sends S per unit where the factor assumes 2(n-1)/n S",
        _ => return None,
    };
    Some(format!("busbw {} is a score, not a wire's rate, and may exceed it: {why}", e.busbw()))
}

/// Data sheets add both directions.
fn both_directions(f: &Facts<'_, '_>) -> Option<String> {
    let u = f.prepared().units.first()?;
    let (gpu, shape) = (u.a_gpu()?, u.unit().shape);
    let links = shape.around(gpu).iter().filter_map(|(l, _)| shape.link(*l));
    let scale_up: Vec<_> = links.filter(|l| tier_of(l.kind.family) == Tier::ScaleUp).collect();
    let line = scale_up.iter().fold(Bandwidth::ZERO, |sum, l| sum + l.line_rate());
    let kind = &scale_up.first()?.kind.title;
    Some(format!(
        "data sheets print {} for the {kind} of a GPU: that adds both directions; per direction it is {line}, before protocol",
        line * 2.0
    ))
}

/// NICs are sold in bits.
fn bits(f: &Facts<'_, '_>) -> Option<String> {
    let x = f.prepared().system.fabric.as_ref().filter(|_| f.e.units > 1)?;
    let r = x.port_rate;
    Some(format!(
        "a NIC of {}Gb/s (bits) carries {r} (bytes) per direction, {} of it usable = {}",
        significant(r.gbits_per_s()),
        x.transport.usable.is,
        r * x.transport.usable.is
    ))
}

/// GB against GiB.
fn units(f: &Facts<'_, '_>) -> Option<String> {
    let size = f.e.question.size;
    let (binary, decimal) = [(1_073_741_824.0, 1e9), (1_048_576.0, 1e6)].into_iter().find(|(b, _)| size.get() >= *b)?;
    let name = if decimal > 1e8 { "GB" } else { "MB" };
    let off = Share::new(binary / decimal - 1.0);
    Some(format!(
        "sizes are binary and rates decimal: {size} is {} {name}; taking one for the other is {off} off",
        significant(size.get() / decimal)
    ))
}

/// Which buffer the size means.
fn buffer(f: &Facts<'_, '_>) -> Option<String> {
    let q = &f.e.question;
    let per_rank: Bytes = q.size / f.e.ranks as f64;
    matches!(q.collective, Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll)
        .then(|| format!("the size is the full buffer, as in nccl-tests: each rank's own part is {per_rank}"))
}

/// Never the sum of the NICs.
fn all_to_all(f: &Facts<'_, '_>) -> Option<String> {
    (f.e.question.collective == Collective::AllToAll && f.e.units > 1).then(|| {
        "an all-to-all is limited by the network's rate per GPU; only rings and trees add up the NICs of a node"
            .to_owned()
    })
}

/// Small sizes measure launch.
fn small(f: &Facts<'_, '_>) -> Option<String> {
    let t = f.chosen().terms;
    let waiting = (t.launch + t.steps) / t.total();
    (waiting.ratio() > 0.5).then(|| {
        format!("{waiting} of this time is launch and steps: bandwidth at this size says nothing about the links")
    })
}

/// One process for all GPUs.
fn host(f: &Facts<'_, '_>) -> Option<String> {
    let (s, who) = (&f.prepared().system.software, f.prepared().who);
    let each = f.params().launch_per_gpu.is;
    if s.gpus_per_process > 1 {
        let n = s.gpus_per_process;
        return Some(format!(
            "{n} GPUs hang on one process here (nccl-tests -g {n}): training with one process each launches sooner"
        ));
    }
    let more = f64::from(who.per_unit.saturating_sub(1));
    let added = each * more;
    let counts = (added / f.e.time).ratio() > 0.02 && f.prepared().system.nodes_per_unit == 1;
    (more > 0.0 && counts).then(|| {
        format!(
            "nccl-tests with -g {} launches from one process: about {added} more than here ({} x {each})",
            who.per_unit,
            significant(more)
        )
    })
}

/// Tier times overlap.
fn tiers(f: &Facts<'_, '_>) -> Option<String> {
    (f.e.tiers.len() > 1).then(|| {
        "the tiers' times need not sum to the total: they overlap, and launch and steps belong to none".to_owned()
    })
}
