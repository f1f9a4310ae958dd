//! Usable rates of links: what is left of the wire, by who moves the bytes.

use crate::collective::{Loads, Traffic, Unit, Via};
use crate::parts::Family;
use crate::system::{DeviceKind, Link, LinkIx};
use crate::units::{Bandwidth, Share};

/// Usable rate of a link for a mover, health counted, GB/s per direction.
pub(super) fn usable(unit: Unit<'_>, link: LinkIx, via: Via, group: usize) -> Bandwidth {
    let Some(l) = unit.shape.link(link) else { return Bandwidth::ZERO };
    l.line_rate() * unit.health.left(unit.shape, link) * share(unit, l, via, group)
}

/// Usable share of the line rate.
fn share(unit: Unit<'_>, l: &Link, via: Via, group: usize) -> Share {
    let own = unit.software.usable.get(&l.kind.family).copied();
    let peer = own.unwrap_or(l.kind.usable.is);
    match (via, l.kind.family) {
        (Via::Reduce, _) => peer * reduction(unit, l, group),
        (Via::Host | Via::NicHost, Family::Network) | (Via::Host, _) => {
            own.map_or_else(|| l.kind.staged.as_ref().map_or(peer, |s| s.is), |o| o)
        }
        _ => peer,
    }
}

/// What the switch's reduction engine does of its ports' usable rate.
fn reduction(unit: Unit<'_>, l: &Link, group: usize) -> Share {
    let at = |d| unit.shape.device(d).map(|x| &x.kind);
    for kind in [at(l.a), at(l.b)].into_iter().flatten() {
        if let DeviceKind::ScaleUpSwitch(p) = kind
            && let Some(r) = &p.reduction
        {
            return if group > 16 { r.large.is } else { r.small.is };
        }
    }
    Share::ZERO
}

/// Microseconds per byte on every link and direction, dense: slot `2 * link` forward, `2 * link + 1` back.
pub(super) fn times(unit: Unit<'_>, traffic: &Traffic, group: usize) -> Vec<f64> {
    let mut times = vec![0.0; unit.shape.links().len() * 2];
    add_times(&mut times, unit, &traffic.loads, group);
    times
}

fn add_times(times: &mut [f64], unit: Unit<'_>, loads: &Loads, group: usize) {
    for (link, forward, via, bytes) in loads.iter() {
        let rate = usable(unit, link, via, group).gbytes_per_s();
        if let Some(cell) = times.get_mut(crate::collective::slot(link, forward)) {
            *cell += bytes / (1000.0 * rate);
        }
    }
}
