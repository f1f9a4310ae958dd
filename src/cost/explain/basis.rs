//! What was asked, whose behaviour is modelled, and what each tier has to do.

use super::words::symbols;
use super::{Facts, Section};
use crate::units::counted;
use crate::units::significant;

/// The question and its score.
pub(super) fn question(f: &Facts<'_, '_>) -> Section {
    let (e, q) = (f.e, &f.e.question);
    let who = f.prepared().who;
    let groups =
        if e.groups > 1 { format!(", {} at the same time", counted(e.groups, "group")) } else { String::new() };
    let value = format!(
        "{} of {} over {} on {}{groups}",
        q.collective,
        q.size,
        counted(e.ranks, "rank"),
        counted(e.nodes, "node")
    );
    let factor = q.collective.bus_factor(e.ranks);
    Section::new("question", "Question", value)
        .line(symbols(who))
        .line(format!("algbw = S / time = {:.0} B / {} us = {}", q.size.get(), significant(e.time.us()), e.algbw()))
        .line(format!(
            "busbw = algbw x {} = {} (nccl-tests' factor for {} on {})",
            significant(factor.ratio()),
            e.busbw(),
            q.collective,
            counted(e.ranks, "rank")
        ))
}

/// Whose behaviour is modelled, and with which settings.
pub(super) fn library(f: &Facts<'_, '_>) -> Section {
    let s = &f.prepared().system.software;
    let on = |b: bool| if b { "on" } else { "off" };
    let mut section =
        Section::new("library", "Library", format!("collectives library {} (NCCL's numbering)", s.library))
            .line(format!(
                "may use: nvls {}, sharp {}, gdr {}, p2p {}, pxn {}; acs {}, vm {}",
                on(s.nvls),
                on(s.sharp),
                on(s.gdr),
                on(s.p2p),
                on(s.pxn),
                on(s.acs),
                on(s.vm)
            ))
            .line(format!("one process drives {}", counted(u64::from(s.gpus_per_process), "GPU")));
    let forced = [s.algorithm.map(|a| format!("algorithm {a}")), s.protocol.map(|p| format!("protocol {p}"))];
    for text in forced.into_iter().flatten() {
        section = section.line(format!("{text} is the only one allowed, by setting"));
    }
    section
}

/// What each tier alone would need.
pub(super) fn tiers(f: &Facts<'_, '_>) -> Section {
    let row = |t: &crate::cost::TierUse| {
        Section::new("tier", t.tier.name(), format!("{} busy", t.utilisation)).line(format!(
            "busiest: {}; {} per rank at {} of a rank's share = {}",
            t.link, t.bytes_per_rank, t.usable, t.time
        ))
    };
    let value = f.e.tiers.iter().map(|t| format!("{} {}", t.tier.name(), t.utilisation)).collect::<Vec<_>>().join(", ");
    Section::new("tiers", "Tiers", value)
        .line("a tier's time is what it alone would need; they work at the same time, so they need not sum")
        .with(f.e.tiers.iter().map(row))
}
