//! What is done to a draft before it gets parts: bridges with one device are folded, NICs far from every GPU become the
//! services tier, devices are put in order, CPUs are connected.

use std::collections::BTreeMap;

use super::draft::{Draft, DraftDevice, NicHint, What, Wire};
use super::report::Report;
use crate::system::spec::ServicesSpec;
use crate::units::Bandwidth;

/// Most NUMA nodes that are linked each with each; more are linked in a star.
const MAX_MESH: usize = 16;

/// Folds `PCIe` bridges that have exactly one device below: they share nothing, so they are part of that device's link. The
/// slower of the two links counts. Bridges that this program named itself are kept.
pub(super) fn fold_bridges(draft: &mut Draft, report: &mut Report) {
    let n = draft.devices.len();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut above: Vec<Option<usize>> = vec![None; n];
    for (i, w) in draft.wires.iter().enumerate() {
        let lists = (below.get_mut(w.a), above.get_mut(w.b));
        let (Some(down), Some(up)) = lists else { continue };
        if matches!(w.what, Wire::Pcie { .. }) {
            down.push(i);
            *up = up.or(Some(i));
        }
    }
    let mut gone = vec![false; n];
    let mut dead = vec![false; draft.wires.len()];
    for i in 0..n {
        let Some(device) = draft.devices.get(i).filter(|d| matches!(d.what, What::PcieSwitch(_)) && d.name.is_none())
        else {
            continue;
        };
        let (Some([down]), Some(up)) = (below.get(i).map(Vec::as_slice), above.get(i).copied().flatten()) else {
            continue;
        };
        let (down, line) = (*down, device.line);
        let Some((upper, upper_end)) = draft.wires.get(up).map(|w| (w.what, w.a)) else { continue };
        if let Some(w) = draft.wires.get_mut(down) {
            w.what = slower(upper, w.what);
            w.a = upper_end;
        }
        if let (Some(flag), Some(link)) = (gone.get_mut(i), dead.get_mut(up)) {
            (*flag, *link) = (true, true);
        }
        // The wire below now hangs where this bridge hung.
        if let Some(list) = below.get_mut(upper_end) {
            list.iter_mut().filter(|w| **w == up).for_each(|w| *w = down);
        }
        report.derived(line, "a bridge with one device below is folded into that device's link");
    }
    let mut i = 0;
    draft.wires.retain(|_| {
        i += 1;
        !dead.get(i - 1).copied().unwrap_or(false)
    });
    draft.retain(|i| !gone.get(i).copied().unwrap_or(false));
}

fn slower(upper: Wire, lower: Wire) -> Wire {
    let (Wire::Pcie { generation: ga, lanes: la }, Wire::Pcie { generation: gb, lanes: lb }) = (upper, lower) else {
        return lower;
    };
    let least = |a: Option<u32>, b: Option<u32>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    // Rates double per generation: compare lanes x 2^generation and keep the slower link whole.
    let speed = |g: Option<u32>, l: Option<u32>| Some(u64::from(l?) << g?.min(8));
    match (speed(ga, la), speed(gb, lb)) {
        (Some(a), Some(b)) if a < b => upper,
        (Some(_), Some(_)) => lower,
        _ => Wire::Pcie { generation: least(ga, gb), lanes: least(la, lb) },
    }
}

/// NICs under a `PCIe` root without a GPU, where others share one with a GPU, are storage or management: the services tier.
pub(super) fn services(draft: &mut Draft, report: &mut Report) -> Option<ServicesSpec> {
    let roots = roots(draft);
    let is_cpu = |i: usize| draft.devices.get(i).is_some_and(|d| matches!(d.what, What::Cpu(_)));
    let root = |i: usize| roots.get(i).copied().unwrap_or(i);
    let gpu_roots: Vec<usize> = draft.gpus().into_iter().map(root).filter(|r| !is_cpu(*r)).collect();
    let nics = draft.which(|w| matches!(w, What::Nic(_)));
    let switched = |i: usize| draft.devices.get(root(i)).is_some_and(|d| matches!(d.what, What::PcieSwitch(_)));
    let near = |i: usize| switched(i) && gpu_roots.contains(&root(i));
    let named = nics.iter().any(|i| draft.devices.get(*i).is_some_and(|d| d.name.is_some()));
    if named || !nics.iter().any(|i| near(*i)) {
        return None;
    }
    let far: Vec<usize> = nics.into_iter().filter(|i| !near(*i)).collect();
    if far.is_empty() {
        return None;
    }
    let mut rate = Bandwidth::ZERO;
    let mut names = Vec::new();
    for d in far.iter().filter_map(|i| draft.devices.get(*i)).filter(|d| d.host == Some(0)) {
        let What::Nic(NicHint { rate: r, .. }) = &d.what else { continue };
        rate = rate + r.unwrap_or(Bandwidth::from_gbits_per_s(10.0));
        names.push(d.label.clone());
        report.derived(
            d.line,
            format!("{} shares no PCIe switch with a GPU: taken as storage or management (services tier)", d.label),
        );
    }
    draft.retain(|i| !far.contains(&i));
    prune(draft);
    Some(ServicesSpec {
        title: names.join(", "),
        rate,
        source: "assumed: NICs that share no PCIe switch with a GPU, while others do".to_owned(),
    })
}

/// Gives a node without NICs those that the fabric's file counts, each beside a GPU.
pub(super) fn add_nics(draft: &mut Draft, count: u32, report: &mut Report) {
    if count == 0 || !draft.which(|w| matches!(w, What::Nic(_))).is_empty() || draft.hosts > 1 {
        return;
    }
    let gpus = draft.gpus();
    for k in 0..(count as usize).min(64) {
        let beside = gpus.get(k * gpus.len() / count as usize).copied();
        let up = draft
            .wires
            .iter()
            .find(|w| Some(w.b) == beside && !matches!(w.what, Wire::ScaleUp { .. }))
            .map(|w| (w.a, w.line));
        let Some((above, line)) = up else { continue };
        let hint = NicHint { index: Some(k as u32), ..NicHint::default() };
        let nic = draft.push(DraftDevice::new(What::Nic(hint), format!("NIC {k} of the fabric's file"), line));
        draft.wire(above, nic, Wire::Pcie { generation: None, lanes: None }, line);
    }
    report.assumed(
        0,
        format!("the node's file shows no NIC, the fabric's file {count} ports per host: each is placed beside a GPU"),
    );
}

/// For every device the topmost device below the CPU on its way up (itself, when it hangs on the CPU directly).
fn roots(draft: &Draft) -> Vec<usize> {
    let mut up: Vec<Option<usize>> = vec![None; draft.devices.len()];
    for w in draft.wires.iter().filter(|w| matches!(w.what, Wire::Pcie { .. })) {
        let from_cpu = draft.devices.get(w.a).is_some_and(|d| matches!(d.what, What::Cpu(_)));
        if let Some(u) = up.get_mut(w.b).filter(|_| !from_cpu) {
            *u = Some(w.a);
        }
    }
    (0..draft.devices.len())
        .map(|mut i| {
            for _ in 0..up.len() {
                match up.get(i).copied().flatten() {
                    Some(above) => i = above,
                    None => break,
                }
            }
            i
        })
        .collect()
}

/// Takes away switches with nothing below.
pub(super) fn prune(draft: &mut Draft) {
    loop {
        let mut below = vec![0_u32; draft.devices.len()];
        for w in &draft.wires {
            if let Some(n) = below.get_mut(w.a) {
                *n += 1;
            }
        }
        let idle = |i: usize, d: &DraftDevice| {
            matches!(d.what, What::PcieSwitch(_)) && below.get(i) == Some(&0) && d.name.is_none()
        };
        let gone: Vec<bool> = draft.devices.iter().enumerate().map(|(i, d)| idle(i, d)).collect();
        if !gone.contains(&true) {
            return;
        }
        draft.retain(|i| !gone.get(i).copied().unwrap_or(false));
    }
}

/// Puts devices in order: host by host CPUs, switches, GPUs and NICs, each by the file's own numbers.
pub(super) fn sort(draft: &mut Draft) {
    let key = |i: usize, d: &DraftDevice| {
        let (class, number) = match &d.what {
            What::Cpu(c) => (0, c.numa),
            What::PcieSwitch(_) => (1, None),
            What::Gpu(g) => (2, g.index),
            What::Nic(n) => (3, n.index),
            What::ScaleUpSwitch => (4, None),
        };
        (d.host.unwrap_or(u32::MAX), class, number.unwrap_or(u32::MAX), i)
    };
    let mut order: Vec<usize> = (0..draft.devices.len()).collect();
    order.sort_by_key(|i| draft.devices.get(*i).map(|d| key(*i, d)));
    let mut place = vec![0_usize; order.len()];
    for (new, old) in order.iter().enumerate() {
        if let Some(p) = place.get_mut(*old) {
            *p = new;
        }
    }
    draft.devices = order.iter().filter_map(|i| draft.devices.get(*i).cloned()).collect();
    for w in &mut draft.wires {
        w.a = place.get(w.a).copied().unwrap_or(w.a);
        w.b = place.get(w.b).copied().unwrap_or(w.b);
        if w.a > w.b && matches!(w.what, Wire::ScaleUp { .. } | Wire::Socket { .. }) {
            std::mem::swap(&mut w.a, &mut w.b);
        }
    }
}

/// Links the NUMA nodes of a host where the file says nothing of it: each with each, as NCCL does.
pub(super) fn connect_cpus(draft: &mut Draft, report: &mut Report) {
    let named = draft.devices.iter().any(|d| matches!(d.what, What::Cpu(_)) && d.name.is_some());
    if named || draft.wires.iter().any(|w| matches!(w.what, Wire::Socket { .. })) {
        return;
    }
    let mut per_host: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for i in draft.which(|w| matches!(w, What::Cpu(_))) {
        let host = draft.devices.get(i).and_then(|d| d.host).unwrap_or(0);
        per_host.entry(host).or_default().push(i);
    }
    for cpus in per_host.values().filter(|c| c.len() > 1) {
        let line = cpus.first().and_then(|i| draft.devices.get(*i)).map_or(0, |d| d.line);
        let mesh = cpus.len() <= MAX_MESH;
        let hubs = if mesh { cpus.len() } else { 1 };
        for (k, a) in cpus.iter().take(hubs).enumerate() {
            for b in cpus.iter().skip(k + 1) {
                draft.wire(*a, *b, Wire::Socket { count: 0 }, line);
            }
        }
        let how = if mesh { "each linked with each" } else { "linked in a star" };
        let text = if cpus.len() == 2 {
            "the links between the two NUMA nodes are not in the file: as usual for this CPU".to_owned()
        } else {
            format!("{} NUMA nodes, {how}: which of them share a socket is not in the file", cpus.len())
        };
        report.assumed(line, text);
    }
}
