//! What each tier contributes to an answer.

use super::answer::{Candidate, TierUse};
use super::prepared::{Prepared, UnitCost};
use crate::system::{DeviceKind, LinkIx, Tier, tier_of};
use crate::units::{Bandwidth, Bytes, Share, Time};

/// The tiers that the chosen candidate uses, with the busiest link of each. A tier's time is what it alone would need.
pub(super) fn tiers(p: &Prepared<'_>, c: &Candidate) -> Vec<TierUse> {
    let total = c.time();
    let mut rows: Vec<TierUse> = on_chip(p, c).into_iter().collect();
    for tier in [Tier::ScaleUp, Tier::Host, Tier::ScaleOut] {
        rows.extend(busiest(p, c, tier));
    }
    for r in &mut rows {
        r.utilisation = r.time / total;
    }
    rows
}

fn busiest(p: &Prepared<'_>, c: &Candidate, tier: Tier) -> Option<TierUse> {
    let mut best: Option<(f64, &UnitCost<'_>, LinkIx)> = None;
    for u in &p.units {
        let shape = u.unit().shape;
        for l in shape.link_ixs().filter(|l| shape.link(*l).is_some_and(|k| tier_of(k.kind.family) == tier)) {
            let time = [0, 1].map(|d| time_on(p, u, c, l.0 as usize * 2 + d)).into_iter().fold(0.0, f64::max);
            if time > best.as_ref().map_or(0.0, |b| b.0) {
                best = Some((time, u, l));
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

fn time_on(p: &Prepared<'_>, u: &UnitCost<'_>, c: &Candidate, slot: usize) -> f64 {
    let of = |x: &super::PatternUse| {
        u.priced(p.system, x.pattern).ok().and_then(|v| v.times.get(slot)).map_or(0.0, |t| t * x.wire.get())
    };
    c.traffic.iter().map(of).sum()
}

/// Bytes that leave the unit's GPUs (or its NICs) on a tier, per rank.
fn bytes_per_rank(p: &Prepared<'_>, u: &UnitCost<'_>, c: &Candidate, tier: Tier) -> Bytes {
    let shape = u.unit().shape;
    let leaves = |d| match (tier, shape.device(d).map(|x| &x.kind)) {
        (Tier::ScaleOut, Some(DeviceKind::Nic(_))) => true,
        (Tier::ScaleUp | Tier::Host, Some(DeviceKind::Gpu(_))) => true,
        _ => false,
    };
    let mut sum = 0.0;
    for used in &c.traffic {
        let Ok(priced) = u.priced(p.system, used.pattern) else { continue };
        for (l, forward, _, bytes) in priced.traffic.loads.iter() {
            let Some(link) = shape.link(l) else { continue };
            let from = if forward { link.a } else { link.b };
            if tier_of(link.kind.family) == tier && leaves(from) {
                sum += bytes * used.bytes.get();
            }
        }
    }
    Bytes::new(sum / u.ranks().max(1) as f64)
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
