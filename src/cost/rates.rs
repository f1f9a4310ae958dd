//! Usable rates of links: what is left of the wire, by who moves the bytes.

use crate::collective::{Loads, Router, Runs, Unit, Via};
use crate::parts::{Family, Figure, LinkKind, Origin};
use crate::system::{DeviceKind, Link, LinkIx};
use crate::units::{Bandwidth, Share};

/// Usable rate of a link for a mover, health counted, GB/s per direction.
pub(super) fn usable(unit: Unit<'_>, link: LinkIx, via: Via, group: usize) -> Bandwidth {
    let Some(l) = unit.shape.link(link) else { return Bandwidth::ZERO };
    l.line_rate() * unit.health.left(unit.shape, link) * shares(unit, l, via, group).share()
}

/// Usable share of a link's line rate, in its factors, each with where it comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usable<'a> {
    /// What the mover reaches on the wire.
    pub(super) wire: Share,
    /// Where that comes from; `None` for a setting.
    pub(super) from: Option<&'a Origin>,
    /// What a switch's reduction engine leaves of it; 1 for other movers.
    pub(super) engine: Share,
    /// Where that comes from.
    pub(super) engine_from: Option<&'a Origin>,
}

impl Usable<'_> {
    /// All factors together.
    pub(super) fn share(self) -> Share {
        self.wire * self.engine
    }
}

/// What a virtual machine leaves of a `PCIe` link: 51 to 52 GB/s between host and GPU on Azure's H100 and H200 machines
/// (Azure/AI-benchmarking-guide) where bare metal reaches 55.4 (stas00/ml-engineering).
pub(super) const PCIE_IN_A_VM: Share = Share::new(0.94);

/// Usable share of the line rate and where it comes from.
pub(super) fn shares<'a>(unit: Unit<'a>, l: &'a Link, via: Via, group: usize) -> Usable<'a> {
    let figure = match (via, &l.kind.staged) {
        (Via::Host, Some(s)) => s,
        (Via::NicHost, Some(s)) if l.kind.family == Family::Network => s,
        _ => &l.kind.usable,
    };
    let own = unit.software.usable.get(&l.kind.family).copied();
    let virtual_pcie = unit.software.vm && l.kind.family == Family::Pcie;
    let catalogue = if virtual_pcie { figure.is * PCIE_IN_A_VM } else { figure.is };
    let (wire, from) = own.map_or((catalogue, Some(&figure.from)), |o| (o, None));
    let engine = if via == Via::Reduce { Some(reduction(unit, l, group)) } else { None };
    Usable {
        wire,
        from,
        engine: engine.map_or(Share::ONE, |e| e.map_or(Share::ZERO, |f| f.is)),
        engine_from: engine.flatten().map(|f| &f.from),
    }
}

/// What the switch's reduction engine does of its ports' usable rate.
fn reduction<'a>(unit: Unit<'a>, l: &Link, group: usize) -> Option<&'a Figure<Share>> {
    [l.a, l.b]
        .into_iter()
        .find_map(|d| match &unit.shape.device(d)?.kind {
            DeviceKind::ScaleUpSwitch(part) => part.reduction.as_ref(),
            _ => None,
        })
        .map(|r| if group > 16 { &r.large } else { &r.small })
}

/// Microseconds per byte on every link and direction: slot `2 * link` forward, `2 * link + 1` back.
pub(super) fn times(router: &Router<'_>, loads: &Loads, group: usize) -> Runs {
    let unit = router.unit();
    let mut times = vec![0.0; unit.shape.links().len() * 2];
    for (via, list) in loads.lists() {
        let mut known: Option<(&LinkKind, Share)> = None;
        for ((i, l), (cells, bytes)) in
            unit.shape.links().iter().enumerate().zip(times.chunks_mut(2).zip(list.chunks(2)))
        {
            if bytes.iter().all(|b| *b <= 0.0) {
                continue;
            }
            let share = match known {
                // Most neighbours are of one kind; what a switch reduces depends on the switch, too.
                Some((kind, share)) if std::ptr::eq(kind, l.kind.as_ref()) && via != Via::Reduce => share,
                _ => shares(unit, l, via, group).share(),
            };
            known = Some((&l.kind, share));
            let rate = (l.line_rate() * router.left_of(LinkIx(i as u32)) * share).gbytes_per_s();
            for (cell, bytes) in cells.iter_mut().zip(bytes).filter(|(_, b)| **b > 0.0) {
                *cell += bytes / (1000.0 * rate);
            }
        }
    }
    times.into_iter().collect()
}
