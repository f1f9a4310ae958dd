//! Links between GPUs that a file hides (behind a switch it does not show) or says nothing about.

use std::collections::BTreeMap;

use super::draft::{Draft, DraftDevice, ScaleUp, What, Wire};
use super::gpus::is_module;
use super::links;
use super::parts::Shelf;
use super::report::{ImportError, Report};
use crate::parts::{Family, GpuPart, LinkKind};

/// The pairs of the hybrid cube mesh of eight GPUs with six links each, with their link counts: two squares with
/// diagonals, and one link to the twin in the other square.
const CUBE_MESH: [(usize, usize, u32); 16] = [
    (0, 1, 1),
    (0, 2, 1),
    (0, 3, 2),
    (1, 2, 2),
    (1, 3, 1),
    (2, 3, 2),
    (4, 5, 1),
    (4, 6, 1),
    (4, 7, 2),
    (5, 6, 2),
    (5, 7, 1),
    (6, 7, 2),
    (0, 4, 2),
    (1, 5, 2),
    (2, 6, 1),
    (3, 7, 1),
];

/// Completes the draft: hidden switches get a number and ports, unknown links are assumed from the GPU's part.
pub(super) fn complete(draft: &mut Draft, gpus: &BTreeMap<usize, GpuPart>, shelf: &Shelf, report: &mut Report) {
    let Some((first, part)) = gpus.iter().next() else { return };
    let kind = links::scale_up(part, shelf.catalogue);
    let line = draft.devices.get(*first).map_or(0, |d| d.line);
    if draft.scale_up == ScaleUp::Unknown {
        assume(draft, gpus, &kind, line, report);
    }
    split_hidden(draft, &kind, shelf, report);
}

/// Link counts where a file has rates only: the rate over that of one link.
pub(super) fn count_by_rate(draft: &mut Draft, gpus: &BTreeMap<usize, GpuPart>, shelf: &Shelf, report: &mut Report) {
    let Some(part) = gpus.values().next() else { return };
    let line_rate = links::scale_up(part, shelf.catalogue).line.is;
    for w in &mut draft.wires {
        let Wire::ScaleUp { count, rate: Some(rate) } = &mut w.what else { continue };
        if *count == 0 {
            *count = ((*rate / line_rate).ratio().round() as u32).clamp(1, 64);
            report.derived(w.line, format!("links counted by their rate, {line_rate} each"));
        }
    }
}

/// Links of a machine whose file says nothing of them: what the part's usual baseboard has.
fn assume(draft: &mut Draft, gpus: &BTreeMap<usize, GpuPart>, kind: &LinkKind, line: u32, report: &mut Report) {
    let Some(part) = gpus.values().next() else { return };
    let all: Vec<usize> =
        gpus.keys().copied().filter(|i| draft.devices.get(*i).and_then(|d| d.host) == Some(0)).collect();
    let n = all.len() as u32;
    let ports = part.scale_up_ports;
    if ports == 0 || n < 2 {
        return;
    }
    if !is_module(part) {
        report.assumed(
            line,
            format!("the file says nothing about links between GPUs; {} may have bridges: taken as none", part.title),
        );
        return;
    }
    let mesh = kind.family == Family::Xgmi || n < 8;
    if kind.generation == 2 && n == 8 {
        for (a, b, count) in CUBE_MESH {
            if let (Some(a), Some(b)) = (all.get(a), all.get(b)) {
                draft.wire(*a, *b, Wire::ScaleUp { count, rate: None }, line);
            }
        }
        report.assumed(line, format!("the file says nothing about NVLink, which does not mean that there is none: the cube mesh usual for eight {}", part.title));
    } else if mesh {
        let count = (ports / (n - 1)).max(1);
        for (k, a) in all.iter().enumerate() {
            for b in all.iter().skip(k + 1).take(ports as usize) {
                draft.wire(*a, *b, Wire::ScaleUp { count, rate: None }, line);
            }
        }
        report.assumed(line, format!("the file says nothing about links between GPUs, which does not mean that there are none: {count} from each {} to each other", part.title));
    } else {
        let hidden = hidden_switch(draft, line);
        for g in all {
            draft.wire(g, hidden, Wire::ScaleUp { count: ports, rate: None }, line);
        }
        report.assumed(line, format!("the file says nothing about NVLink, which does not mean that there is none: {ports} links from each {} to switches", part.title));
    }
}

/// A switch that the file does not show; it is split into real ones by [`complete`].
pub(super) fn hidden_switch(draft: &mut Draft, line: u32) -> usize {
    draft.push(DraftDevice::new(What::ScaleUpSwitch, HIDDEN, line))
}

/// Label of a switch that stands for all those that the file does not show.
pub(super) const HIDDEN: &str = "hidden";

/// Replaces the hidden switch by as many as the baseboard of this generation has.
fn split_hidden(draft: &mut Draft, kind: &LinkKind, shelf: &Shelf, report: &mut Report) {
    let Some(hidden) = draft.devices.iter().position(|d| d.what == What::ScaleUpSwitch && d.label == HIDDEN) else {
        return;
    };
    let (line, host) = draft.devices.get(hidden).map_or((0, None), |d| (d.line, d.host));
    let bundles: Vec<(usize, u32)> =
        draft.wires.iter().filter(|w| w.b == hidden).filter_map(|w| Some((w.a, count(&w.what)?))).collect();
    let most = bundles.iter().map(|(_, n)| *n).max().unwrap_or(1);
    let pattern = shown_pattern(draft, hidden, most).unwrap_or_else(|| {
        let (switch, usual) = links::switch_of(kind, draft.hosts > 1);
        let ports = shelf.catalogue.switch(switch).map_or(64, |s| s.ports);
        let all: u32 = bundles.iter().map(|(_, n)| *n).sum();
        let m = usual.max(all.div_ceil(ports.max(1))).min(most).max(1);
        report.assumed(line, format!("the switches between the GPUs are not shown: {m}, as usual for {}", kind.title));
        let new: Vec<usize> = (0..m)
            .map(|i| {
                let mut d = DraftDevice::new(What::ScaleUpSwitch, format!("switch {i}"), line);
                d.host = host;
                draft.push(d)
            })
            .collect();
        spread(most, &new)
    });
    draft.wires.retain(|w| w.b != hidden);
    for (gpu, n) in bundles {
        let share =
            if n == most { pattern.clone() } else { spread(n, &pattern.iter().map(|(s, _)| *s).collect::<Vec<_>>()) };
        for (switch, count) in share.into_iter().filter(|(_, c)| *c > 0) {
            add(draft, gpu, switch, count, line);
        }
    }
    draft.retain(|i| i != hidden);
}

/// Adds links to a bundle, or the bundle.
fn add(draft: &mut Draft, a: usize, b: usize, more: u32, line: u32) {
    let old = draft.wires.iter_mut().find(|w| (w.a, w.b) == (a, b) && matches!(w.what, Wire::ScaleUp { .. }));
    match old.map(|w| &mut w.what) {
        Some(Wire::ScaleUp { count, .. }) => *count += more,
        _ => draft.wire(a, b, Wire::ScaleUp { count: more, rate: None }, line),
    }
}

fn count(w: &Wire) -> Option<u32> {
    if let Wire::ScaleUp { count, .. } = w { Some(*count) } else { None }
}

/// The bundles of another GPU that has the same number of links and whose switches are shown.
fn shown_pattern(draft: &Draft, hidden: usize, links: u32) -> Option<Vec<(usize, u32)>> {
    draft.gpus().into_iter().find_map(|g| {
        let to_switch = |b: usize| b != hidden && draft.devices.get(b).is_some_and(|d| d.what == What::ScaleUpSwitch);
        let shown: Vec<(usize, u32)> = draft
            .wires
            .iter()
            .filter(|w| w.a == g && to_switch(w.b))
            .filter_map(|w| Some((w.b, count(&w.what)?)))
            .collect();
        (shown.iter().map(|(_, n)| n).sum::<u32>() == links).then_some(shown)
    })
}

/// Links spread over switches as evenly as they go.
fn spread(links: u32, switches: &[usize]) -> Vec<(usize, u32)> {
    let m = (switches.len() as u32).max(1);
    switches.iter().zip(0..).map(|(s, i): (_, u32)| (*s, links / m + u32::from(i < links % m))).collect()
}

/// More links than a GPU has ports: an error where the user named the GPU, an own part where the file did.
pub(super) fn check_ports(
    draft: &Draft,
    gpus: &mut BTreeMap<usize, GpuPart>,
    named: Option<&str>,
    report: &mut Report,
) -> Result<(), ImportError> {
    let mut used: BTreeMap<usize, u32> = BTreeMap::new();
    for w in &draft.wires {
        if let Some(n) = count(&w.what) {
            *used.entry(w.a).or_default() += n;
            *used.entry(w.b).or_default() += n;
        }
    }
    for (i, part) in gpus {
        let n = used.get(i).copied().unwrap_or(0);
        let line = draft.devices.get(*i).map_or(0, |d| d.line);
        if n <= part.scale_up_ports || (part.scale_up_ports == 0 && named.is_none()) {
            continue;
        }
        if let Some(word) = named {
            return Err(ImportError::new(format!(
                "the file shows {n} links on one GPU and {} has {}",
                part.title, part.scale_up_ports
            ))
            .at(line, 1)
            .expecting(format!("a GPU with at least {n} links instead of {word:?}"))
            .flag("--gpu NAME"));
        }
        report.assumed(line, format!("{n} links on one GPU, more than {} has: the file is believed", part.title));
        part.name = format!("{}-{n}-links", part.name);
        part.scale_up_ports = n;
    }
    Ok(())
}
