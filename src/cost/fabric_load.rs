//! Load of the fabric's own links: what leaves a leaf towards the spines.

use super::answer::Unreachable;
use super::prepared::Prepared;
use crate::collective::Pattern;
use crate::parts::Family;
use crate::system::{Fabric, LeafIx};
use crate::units::{Bandwidth, Time};

/// The busiest leaf for one byte of a network pattern's unit of account.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UplinkLoad {
    /// Microseconds per byte on the busiest leaf's uplinks.
    pub(super) time: f64,
    /// That leaf.
    pub(super) leaf: LeafIx,
}

impl UplinkLoad {
    /// The ranks below a leaf without a way up reach no other leaf: no time is an answer to that.
    pub(super) fn leads_out(&self) -> Result<(), Unreachable> {
        if self.time.is_finite() {
            return Ok(());
        }
        let leaf = self.leaf.0;
        let because = format!("no uplink of leaf{leaf} is left");
        Err(Unreachable { ranks: format!("ranks below leaf{leaf}"), because })
    }
}

/// Microseconds per byte on the busiest leaf's uplinks; zero when the pattern stays below its leaves.
pub(super) fn uplink(p: &Prepared<'_>, pattern: Pattern) -> UplinkLoad {
    let none = UplinkLoad { time: 0.0, leaf: LeafIx(0) };
    let Some(fabric) = p.system.fabric.as_ref() else { return none };
    if fabric.groups() <= 1 || p.who.units <= 1 || !pattern.is_network() {
        return none;
    }
    let bytes = crossing(p, fabric, pattern);
    if bytes <= 0.0 {
        return none;
    }
    let (leaf, rate) = slowest(fabric);
    let share = p
        .system
        .software
        .usable
        .get(&Family::Network)
        .copied()
        .unwrap_or(fabric.transport.usable_of(fabric.port_rate).is);
    let rate = rate * share;
    UplinkLoad { time: bytes / (1000.0 * rate.gbytes_per_s()), leaf }
}

/// Bytes that leave one leaf upwards, per byte of the pattern's unit of account.
fn crossing(p: &Prepared<'_>, fabric: &Fabric, pattern: Pattern) -> f64 {
    let planes = f64::from(fabric.planes());
    let under = f64::from(fabric.leaf_nodes) / f64::from(p.system.nodes_per_unit.max(1));
    let span = f64::from(p.who.units) * f64::from(p.who.unit_step);
    let straddles = span > under;
    let concurrent = p.units.iter().map(super::prepared::UnitCost::concurrent).max().unwrap_or(1) as f64;
    let per_unit = match pattern {
        Pattern::PairsNetwork => f64::from(p.who.per_unit) * concurrent,
        _ => concurrent,
    };
    match pattern {
        Pattern::PairsNetwork => {
            let inside = (under / f64::from(p.who.unit_step)).min(f64::from(p.who.units));
            let away = ((f64::from(p.who.units) - inside) / f64::from((p.who.units - 1).max(1))).max(0.0);
            let rails = if fabric.rails && !p.system.software.pxn { 1.0 - 1.0 / planes } else { 0.0 };
            under.min(f64::from(p.system.units)) * per_unit * away.max(rails) / planes
        }
        _ if straddles => under.min(f64::from(p.who.unit_step)).min(f64::from(p.system.units)) * per_unit / planes,
        _ => 0.0,
    }
}

/// The leaf with the least uplink rate. Without exceptions all are equal.
pub(super) fn slowest(fabric: &Fabric) -> (LeafIx, Bandwidth) {
    let h = &fabric.health;
    let usual = (LeafIx(0), fabric.leaf_uplink(LeafIx(0)));
    if h.spines.is_empty() && h.uplinks.is_empty() && h.leaves.is_empty() && h.cores.is_empty() {
        return usual;
    }
    // One leaf of every plane stands for those without an exception of their own.
    let own = h.uplinks.keys().map(|(l, _)| *l).chain(h.leaves.keys().copied()).chain(0..fabric.planes());
    let alive = own.filter(|l| h.leaves.get(l).is_none_or(|s| s.ratio() > 0.0)).map(LeafIx);
    alive
        .map(|l| (l, fabric.leaf_uplink(l)))
        .min_by(|a, b| a.1.gbytes_per_s().total_cmp(&b.1.gbytes_per_s()))
        .unwrap_or(usual)
}

/// What further levels of switches add to one network step, us: two more crossings per level above the leaf.
pub(super) fn levels_latency(p: &Prepared<'_>) -> Time {
    let Some(fabric) = p.system.fabric.as_ref() else { return Time::ZERO };
    let above = fabric.levels().len().saturating_sub(1);
    fabric.switch.latency.is * (2 * above) as f64
}
