//! What one step puts on the links, and which of them is busiest.

use std::collections::HashMap;

use super::Slowest;
use crate::collective::schedule::{Leg, Schedule};
use crate::collective::{Pattern, Via, slot};
use crate::cost::fabric_load::uplink;
use crate::cost::prepared::UnitCost;
use crate::cost::{BindingPlace, Estimate, Prepared, rates};
use crate::system::{ClassIx, LinkIx, Tier, tier_of};
use crate::units::Time;

/// Two links are equally slow when their times differ by less than this share.
pub(super) const SAME: f64 = 1e-9;

/// What a step costs.
#[derive(Debug, Clone, Default)]
pub(super) struct StepCost {
    /// The link that it waits for.
    pub(super) slowest: Option<Slowest>,
    /// Whether bytes cross the network.
    pub(super) network: bool,
    /// Bytes on the links of the shown units, by [`Self::index`].
    pub(super) tiers: [f64; 4],
}

impl StepCost {
    /// Where a tier's bytes are; of on-chip memory, what the GPUs' links carry. `None` for tiers that carry none.
    pub(super) const fn index(tier: Tier) -> Option<usize> {
        match tier {
            Tier::ScaleUp => Some(0),
            Tier::Host => Some(1),
            Tier::ScaleOut => Some(2),
            Tier::OnChip => Some(3),
            Tier::Services => None,
        }
    }

    /// What its slowest link needs.
    pub(super) fn need(&self) -> f64 {
        self.slowest.as_ref().map_or(0.0, |s| s.time.us())
    }

    /// The same with a part of the bytes.
    pub(super) fn part(mut self, share: f64) -> Self {
        if let Some(s) = &mut self.slowest {
            s.time = s.time * share;
        }
        self.tiers = self.tiers.map(|t| t * share);
        self
    }

    fn add(&mut self, tier: Tier, bytes: f64) {
        if let Some(cell) = Self::index(tier).and_then(|i| self.tiers.get_mut(i)) {
            *cell += bytes;
            if tier != Tier::ScaleOut {
                self.tiers[3] += bytes;
            }
        }
    }
}

/// Prices steps.
pub(super) struct Costs<'p, 's> {
    p: &'p Prepared<'s>,
    e: &'p Estimate,
}

/// A link of a unit of the system in one direction, in the order in which the first of equals is named.
type Key = (ClassIx, LinkIx, bool, u32);

impl<'p, 's> Costs<'p, 's> {
    pub(super) fn new(p: &'p Prepared<'s>, e: &'p Estimate) -> Self {
        Self { p, e }
    }

    /// A step, by its moves.
    pub(super) fn step(&self, schedule: &Schedule, step: u64) -> StepCost {
        let mut cost = StepCost::default();
        let mut busy: HashMap<Key, f64> = HashMap::new();
        for group in schedule.in_step() {
            let shown = schedule.shown(group);
            for m in schedule.moves(group, step, None) {
                // What happens in other units is only a part of what they do.
                let legs = m.legs.iter().filter(|l| shown.contains(&l.unit));
                for (leg, unit) in legs.filter_map(|l| Some((l, schedule.unit(group, l.unit)?.0))) {
                    self.add(leg, unit, m.bytes.get(), &mut cost, &mut busy);
                }
                cost.network |= m.legs.iter().any(|l| l.pattern.is_network());
            }
        }
        let most = busy.values().copied().fold(0.0, f64::max);
        let near = busy.into_iter().filter(|(_, time)| *time >= most * (1.0 - SAME) && most > 0.0);
        // Among equals the link that the estimate names, then the first one.
        let first = near.min_by_key(|((class, link, back, unit), _)| {
            (
                !self.binds(BindingPlace::Link { class: *class, link: *link, forward: !back }),
                *class,
                *link,
                *back,
                *unit,
            )
        });
        cost.slowest = first.map(|((class, link, back, unit), time)| Slowest {
            place: BindingPlace::Link { class, link, forward: !back },
            unit: Some(unit),
            name: self.p.unit_link_name(unit, class, link),
            time: Time::from_us(time),
        });
        cost
    }

    fn add(&self, leg: &Leg, unit: u32, bytes: f64, cost: &mut StepCost, busy: &mut HashMap<Key, f64>) {
        let Some(u) = self.p.units.iter().find(|u| u.class == leg.class) else { return };
        let bytes = bytes * leg.factor;
        let wire = bytes * self.wire(leg.pattern);
        for h in leg.hops.iter() {
            let key = (leg.class, h.link, !h.forward, unit);
            *busy.entry(key).or_default() += wire * h.share * per_byte(u, h.link, leg);
            if let Some(l) = u.unit().shape.link(h.link) {
                cost.add(tier_of(l.kind.family), bytes * h.share);
            }
        }
    }

    /// What keeps the links busy per byte of data: flags, and the kernel's share of the rate.
    fn wire(&self, pattern: Pattern) -> f64 {
        let used = self.e.chosen.traffic.iter().find(|u| u.pattern == pattern);
        used.filter(|u| u.bytes.get() > 0.0).map_or(1.0, |u| u.wire.get() / u.bytes.get())
    }

    /// Whether the estimate says that this binds.
    pub(super) fn binds(&self, place: BindingPlace) -> bool {
        self.e.chosen.binding.place == place
    }

    /// A part of everything that is priced: one of equal steps, or a piece on all stages at once.
    pub(super) fn part(&self, share: f64) -> StepCost {
        let traffic = &self.e.chosen.traffic;
        let mut all: Vec<Slowest> = Vec::new();
        for u in &self.p.units {
            let mut sums = vec![0.0; u.unit().shape.links().len() * 2];
            for used in traffic {
                let Ok(priced) = u.priced(self.p.system, used.pattern) else { continue };
                let wire = used.wire.get();
                sums.iter_mut().zip(priced.times.iter()).for_each(|(sum, t)| *sum += t * wire * share);
            }
            for link in u.unit().shape.link_ixs() {
                for forward in [true, false] {
                    let time = Time::from_us(sums.get(slot(link, forward)).copied().unwrap_or(0.0));
                    let place = BindingPlace::Link { class: u.class, link, forward };
                    all.push(Slowest { place, unit: None, name: String::new(), time });
                }
            }
        }
        all.extend(self.uplinks().map(|s| Slowest { time: s.time * share, ..s }));
        let most = all.iter().map(|s| s.time.us()).fold(0.0, f64::max);
        let near = || all.iter().filter(|s| most > 0.0 && s.time.us() >= most * (1.0 - SAME));
        let named = near().find(|s| s.place == self.e.chosen.binding.place).or_else(|| near().next()).cloned();
        let slowest = named.map(|s| match s.place {
            BindingPlace::Link { class, link, .. } => Slowest { name: self.p.link_name(class, link), ..s },
            _ => s,
        });
        let network = traffic.iter().any(|u| u.pattern.is_network());
        StepCost { slowest, network, tiers: [share; 4] }
    }

    /// What the uplinks of the busiest leaf need for everything that is priced.
    pub(super) fn uplinks(&self) -> Option<Slowest> {
        let of = |used: &crate::cost::PatternUse| {
            let up = uplink(self.p, used.pattern);
            let time = Time::from_us(up.time * used.wire.get());
            let name = format!("uplinks of leaf{}", up.leaf.0);
            Slowest { place: BindingPlace::Uplink(up.leaf), unit: None, name, time }
        };
        let all = self.e.chosen.traffic.iter().map(of).filter(|s| s.time.us() > 0.0);
        all.max_by(|a, b| a.time.us().total_cmp(&b.time.us()))
    }
}

/// Microseconds per byte of a link for who moves the leg's bytes.
fn per_byte(u: &UnitCost<'_>, link: LinkIx, leg: &Leg) -> f64 {
    let via: Via = leg.via;
    1.0 / (1000.0 * rates::usable(u.unit(), link, via, u.largest_group()).gbytes_per_s())
}
