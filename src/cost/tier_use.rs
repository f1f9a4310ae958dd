//! What each tier contributes to an answer.

use super::answer::{BindingPlace, Candidate, TierUse};
use super::prepared::{Prepared, UnitCost};
use crate::collective::{Loads, Runs};
use crate::system::{DeviceKind, LinkIx, Shape, Tier, tier_of};
use crate::units::{Bandwidth, Bytes, Share, Time};

/// The tiers that the chosen candidate uses, with the busiest link of each. A tier's time is what it alone would need.
pub(super) fn tiers(p: &Prepared<'_>, c: &Candidate) -> Vec<TierUse> {
    let total = c.time();
    let mut rows: Vec<TierUse> = on_chip(p, c).into_iter().collect();
    for tier in [Tier::ScaleUp, Tier::Host, Tier::ScaleOut] {
        rows.extend(busiest(p, c, tier));
    }
    rows.iter_mut().filter(|r| r.tier == Tier::ScaleOut).for_each(|r| with_uplinks(r, c));
    for r in &mut rows {
        r.utilisation = r.time / total;
    }
    rows
}

/// The fabric's own links are part of the scale-out tier: where a leaf's uplinks bind, they are its busiest link.
fn with_uplinks(row: &mut TierUse, c: &Candidate) {
    if let BindingPlace::Uplink(leaf) = c.binding.place {
        row.time = c.binding.time;
        row.usable = row.bytes_per_rank / row.time;
        row.link = format!("uplinks of leaf{}", leaf.0);
    }
}

fn busiest(p: &Prepared<'_>, c: &Candidate, tier: Tier) -> Option<TierUse> {
    let mut best: Option<(f64, &UnitCost<'_>, LinkIx)> = None;
    for u in &p.units {
        let times = Runs::sum(&parts(p, u, c));
        for links in u.unit().shape.links_of(tier) {
            let slots = links.start as usize * 2..links.end as usize * 2;
            if let Some((slot, time)) = times.largest(slots)
                && time > best.as_ref().map_or(0.0, |b| b.0)
            {
                best = Some((time, u, LinkIx((slot / 2) as u32)));
            }
        }
    }
    let (time, u, link) = best?;
    let time = Time::from_us(time);
    let bytes = bytes_per_rank(p, u, c, tier);
    let shape = u.unit().shape;
    let kind = shape.link(link).map(crate::system::Link::describe).unwrap_or_default();
    let usable = if time.us() > 0.0 { bytes / time } else { Bandwidth::ZERO };
    let link = format!("{} ({kind})", p.link_name(u.class, link));
    Some(TierUse { tier, link, bytes_per_rank: bytes, usable, time, utilisation: Share::ZERO })
}

/// The patterns in use with their link times in one class, and how many bytes keep the links busy.
fn parts<'u>(p: &Prepared<'_>, u: &'u UnitCost<'_>, c: &Candidate) -> Vec<(&'u Runs, f64)> {
    let part = |x: &super::PatternUse| Some((&u.priced(p.system, x.pattern).ok()?.times, x.wire.get()));
    c.traffic.iter().filter_map(part).collect()
}

/// Bytes that leave the unit's GPUs (or its NICs) on a tier, per rank.
fn bytes_per_rank(p: &Prepared<'_>, u: &UnitCost<'_>, c: &Candidate, tier: Tier) -> Bytes {
    let of = |x: &super::PatternUse| u.priced(p.system, x.pattern).map_or(0.0, |v| v.leaving.on(tier) * x.bytes.get());
    Bytes::new(c.traffic.iter().map(of).sum::<f64>() / u.ranks().max(1) as f64)
}

/// Bytes of a pattern that leave the unit's GPUs (for scale-out: its NICs), by tier.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Leaving {
    scale_up: f64,
    host: f64,
    scale_out: f64,
}

impl Leaving {
    /// Summed over a unit's links.
    pub(super) fn of(shape: &Shape, loads: &Loads) -> Self {
        let mut sum = Self::default();
        for (l, forward, _, bytes) in loads.iter() {
            let Some(link) = shape.link(l) else { continue };
            let from = shape.device(if forward { link.a } else { link.b }).map(|d| &d.kind);
            match (tier_of(link.kind.family), from) {
                (Tier::ScaleUp, Some(DeviceKind::Gpu(_))) => sum.scale_up += bytes,
                (Tier::Host, Some(DeviceKind::Gpu(_))) => sum.host += bytes,
                (Tier::ScaleOut, Some(DeviceKind::Nic(_))) => sum.scale_out += bytes,
                _ => {}
            }
        }
        sum
    }

    const fn on(self, tier: Tier) -> f64 {
        match tier {
            Tier::ScaleUp => self.scale_up,
            Tier::Host => self.host,
            Tier::ScaleOut => self.scale_out,
            Tier::OnChip | Tier::Services => 0.0,
        }
    }
}

/// On-chip memory: what a rank sends is read, what it receives is written. A lower figure than the kernels' own traffic.
fn on_chip(p: &Prepared<'_>, c: &Candidate) -> Option<TierUse> {
    let u = p.units.first()?;
    let DeviceKind::Gpu(part) = &u.unit().shape.device(u.a_gpu()?)?.kind else { return None };
    let sent: Bytes = [Tier::ScaleUp, Tier::Host].into_iter().map(|t| bytes_per_rank(p, u, c, t)).sum();
    let bytes = sent * 2.0;
    let rate = part.memory_rate.is;
    Some(TierUse {
        tier: Tier::OnChip,
        link: part.memory_kind.clone(),
        bytes_per_rank: bytes,
        usable: rate,
        time: bytes / rate,
        utilisation: Share::ZERO,
    })
}
