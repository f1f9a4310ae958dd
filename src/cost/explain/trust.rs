//! How far to trust the answer: the bound, the range, and the figures that are guessed or fitted.

use super::super::range;
use super::super::recipes::tree_share;
use super::terms::pace;
use super::{Facts, Section};
use crate::parts::{Figure, Origin};
use crate::system::{Algorithm, Protocol};
use crate::units::{Share, Time};

/// The physical limit and the cut that sets it; `None` where nothing has to be moved.
pub(super) fn bound(f: &Facts<'_, '_>) -> Option<Section> {
    let (e, p) = (f.e, f.prepared());
    let cut = p.bound(e.question.collective).cut()?;
    let load = e.question.size * cut.load;
    let value = e.bound_words();
    Some(
        Section::new("bound", "Bound", value)
            .line("no algorithm is faster on these wires: line rates of every link, no latency, no software")
            .line(format!("the cut that binds: {}", cut.describe(p.system)))
            .line(format!("{load} must cross it at {} = {}", cut.rate, load / cut.rate)),
    )
}

/// The range and what it rests on.
pub(super) fn range(f: &Facts<'_, '_>) -> Section {
    let e = f.e;
    let (low, high) = range::range(f.prepared(), e.question.size, e.time);
    let section = Section::new("range", "Range", format!("{} .. {}", e.low, e.high))
        .line(format!(
            "four of five machines like this one measure between {} and {} of the estimate",
            low / e.time,
            high / e.time
        ))
        .line(format!(
            "kind of machine: {}; the factors run smoothly over the size",
            range::Machine::of(f.prepared()).name()
        ))
        .line("they are measured over predicted, 10 % and 90 % points, of machines left out of the fit");
    if low < e.bound { section.line("the fast end is held at the bound") } else { section }
}

/// Figures that enter this answer, by how sure they are.
pub(super) fn figures(f: &Facts<'_, '_>) -> Section {
    let all = used(f);
    let pick = |kind: &str| -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (what, from) in all.iter().filter(|(_, o)| o.kind() == kind) {
            let line = format!("{what}: {}", from.text());
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    };
    let (assumed, fitted) = (pick("assumed"), pick("fit"));
    let value = format!("{} assumed, {} fitted", assumed.len(), fitted.len());
    Section::new("figures", "Figures that are not a vendor's or a measurement", value).with([
        Section::new("assumed", "Assumed", assumed.len().to_string()).lines(assumed),
        Section::new("fitted", "Fitted on measured rows", fitted.len().to_string()).lines(fitted),
    ])
}

type Used<'a> = Vec<(String, &'a Origin)>;

fn used<'a>(f: &Facts<'a, '_>) -> Used<'a> {
    let mut all = link_figures(f);
    all.extend(pace(f).filter(|_| f.chosen().steps_inside > 0).map(|o| ("step inside".to_owned(), o)));
    all.extend(part_figures(f));
    all.extend(params(f));
    all
}

/// Of every kind of link that carries bytes.
fn link_figures<'a>(f: &Facts<'a, '_>) -> Used<'a> {
    let mut all: Used<'a> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for t in &f.chosen().traffic {
        for (u, priced) in f.prepared().priced(t.pattern).into_iter().flatten() {
            let shape = u.unit().shape;
            for (l, _, via, _) in priced.loads.iter() {
                let Some(link) = shape.link(l) else { continue };
                let k = &link.kind;
                if seen.contains(&k.name.as_str()) {
                    continue;
                }
                seen.push(&k.name);
                all.push((format!("{} line rate", k.title), &k.line.from));
                let s = super::super::rates::shares(u.unit(), link, via, u.largest_group());
                all.extend(s.from.map(|o| (format!("{} usable share", k.title), o)));
                all.extend(s.engine_from.map(|o| ("reduction engine".to_owned(), o)));
            }
        }
    }
    all
}

/// Of the GPU's architecture and the transport.
fn part_figures<'a>(f: &Facts<'a, '_>) -> Used<'a> {
    let mut all: Used<'a> = Vec::new();
    let arch = f.prepared().units.first().and_then(|u| f.pricer.arch(u));
    if let Some(a) = arch {
        all.push((format!("channels of {}", a.name), &a.from));
        match f.chosen().protocol {
            Protocol::Ll => all.push((format!("ll ceiling of {}", a.name), &a.ll_channel.from)),
            Protocol::Ll128 => all.push((format!("ll128 ceiling of {}", a.name), &a.ll128_channel.from)),
            Protocol::Simple => {}
        }
    }
    if let Some(t) = f.pricer.transport().filter(|_| f.e.units > 1) {
        all.push((format!("{} step", t.title), &t.step.from));
    }
    all
}

/// Constants of the library that this candidate uses.
fn params<'a>(f: &Facts<'a, '_>) -> Used<'a> {
    let (p, c) = (f.params(), f.chosen());
    let simple = c.protocol == Protocol::Simple;
    let network = c.steps_network > 0;
    let reduces = matches!(c.algorithm, Algorithm::Nvls | Algorithm::NvlsTree | Algorithm::Collnet);
    let trees = matches!(c.algorithm, Algorithm::Tree | Algorithm::NvlsTree);
    let several = f.prepared().system.software.gpus_per_process > 1;
    let time = |x: &'a Figure<Time>| &x.from;
    let share = |x: &'a Figure<Share>| &x.from;
    let all = [
        (true, "launch", time(&p.launch)),
        (several, "launch per further GPU", time(&p.launch_per_gpu)),
        (network && simple, "simple over the network", time(&p.network_simple)),
        (network && c.protocol == Protocol::Ll128, "ll128 over the network", time(&p.network_ll128)),
        (reduces, "in-switch reduction", time(&p.reduce_latency)),
        (reduces && f.prepared().who.per_unit > 8, "in-switch reduction per GPU", time(&p.reduce_per_rank)),
        (c.algorithm == Algorithm::Direct, "peer", time(&p.peer)),
        (trees && f.e.units >= 4, "units with two children", share(&p.tree_fan)),
        (c.algorithm == Algorithm::Tree, "tree kernel", share(tree_share(f.prepared(), p))),
        (simple, "slot", &p.slot.from),
    ];
    all.into_iter().filter(|(yes, _, _)| *yes).map(|(_, what, from)| (what.to_owned(), from)).collect()
}
