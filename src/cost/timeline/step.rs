//! What one step puts on the links, and which of them is busiest.

use std::collections::HashMap;

use super::Slowest;
use crate::collective::schedule::{Leg, Move, Schedule};
use crate::collective::{Pattern, Via, slot};
use crate::cost::fabric_load::uplink;
use crate::cost::prepared::UnitCost;
use crate::cost::{BindingPlace, Estimate, Prepared, rates};
use crate::system::{ClassIx, LinkIx, Tier, tier_of};
use crate::units::Time;

/// What a step costs.
#[derive(Debug, Clone, Default)]
pub(super) struct StepCost {
    /// The link that it waits for.
    pub(super) slowest: Option<Slowest>,
    /// Whether bytes cross the network.
    pub(super) network: bool,
    /// Bytes on the links of the shown units: scale-up, host, scale-out.
    tiers: [f64; 3],
}

impl StepCost {
    /// Bytes on the links of a tier; of on-chip memory, what the GPUs' links carry.
    pub(super) const fn on(&self, tier: Tier) -> f64 {
        match tier {
            Tier::ScaleUp => self.tiers[0],
            Tier::Host => self.tiers[1],
            Tier::ScaleOut => self.tiers[2],
            Tier::OnChip => self.tiers[0] + self.tiers[1],
            Tier::Services => 0.0,
        }
    }

    fn add(&mut self, tier: Tier, bytes: f64) {
        match tier {
            Tier::ScaleUp => self.tiers[0] += bytes,
            Tier::Host => self.tiers[1] += bytes,
            Tier::ScaleOut => self.tiers[2] += bytes,
            Tier::OnChip | Tier::Services => {}
        }
    }
}

/// Prices steps.
pub(super) struct Costs<'p, 's> {
    p: &'p Prepared<'s>,
    e: &'p Estimate,
}

/// Bytes that keep a link busy in a step: unit of the group, class, link and direction, and who moves them.
type OnLink = HashMap<(u32, ClassIx, LinkIx, bool), f64>;

impl<'p, 's> Costs<'p, 's> {
    pub(super) fn new(p: &'p Prepared<'s>, e: &'p Estimate) -> Self {
        Self { p, e }
    }

    /// A step, by its moves; where all steps are alike, a part of the whole.
    pub(super) fn step(&self, schedule: &Schedule, step: u64) -> StepCost {
        if let Some(steps) = schedule.even() {
            return self.even(steps);
        }
        let mut cost = StepCost::default();
        let mut busy = OnLink::new();
        for group in 0..schedule.groups() {
            for m in schedule.moves(group, step, None) {
                self.add(&m, &mut cost, &mut busy);
                cost.network |= m.legs.iter().any(|l| l.pattern.is_network());
            }
        }
        let worst = busy.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        cost.slowest = worst.map(|((_, class, link, forward), time)| self.link(class, link, forward, time));
        cost
    }

    fn add(&self, m: &Move, cost: &mut StepCost, busy: &mut OnLink) {
        for leg in &m.legs {
            let Some(u) = self.p.units.iter().find(|u| u.class == leg.class) else { continue };
            let bytes = m.bytes.get() * leg.factor;
            let wire = bytes * self.wire(leg.pattern);
            for h in leg.hops.iter() {
                let key = (leg.unit, leg.class, h.link, h.forward);
                *busy.entry(key).or_default() += wire * h.share * per_byte(u, h.link, leg);
                if let Some(l) = u.unit().shape.link(h.link) {
                    cost.add(tier_of(l.kind.family), bytes * h.share);
                }
            }
        }
    }

    /// What keeps the links busy per byte of data: flags, and the kernel's share of the rate.
    fn wire(&self, pattern: Pattern) -> f64 {
        let used = self.e.chosen.traffic.iter().find(|u| u.pattern == pattern);
        used.filter(|u| u.bytes.get() > 0.0).map_or(1.0, |u| u.wire.get() / u.bytes.get())
    }

    fn link(&self, class: ClassIx, link: LinkIx, forward: bool, time: f64) -> Slowest {
        let name = self.p.link_name(class, link);
        Slowest { place: BindingPlace::Link { class, link, forward }, name, time: Time::from_us(time) }
    }

    /// One of so many equal steps: the part of the priced loads.
    fn even(&self, steps: u64) -> StepCost {
        let part = 1.0 / steps.max(1) as f64;
        let traffic = &self.e.chosen.traffic;
        let network = traffic.iter().any(|u| u.pattern.is_network());
        let mut worst: Option<Slowest> = None;
        for u in &self.p.units {
            let slots = u.unit().shape.links().len() * 2;
            let mut sums = vec![0.0; slots];
            for used in traffic {
                let Ok(priced) = u.priced(self.p.system, used.pattern) else { continue };
                let wire = used.wire.get();
                sums.iter_mut().zip(&priced.times).for_each(|(sum, t)| *sum += t * wire * part);
            }
            for link in u.unit().shape.link_ixs() {
                for forward in [true, false] {
                    let time = sums.get(slot(link, forward)).copied().unwrap_or(0.0);
                    if time > worst.as_ref().map_or(0.0, |w| w.time.us()) {
                        worst = Some(self.link(u.class, link, forward, time));
                    }
                }
            }
        }
        for used in traffic {
            let up = uplink(self.p, used.pattern);
            let time = Time::from_us(up.time * used.wire.get() * part);
            if time.us() > worst.as_ref().map_or(0.0, |w| w.time.us()) {
                let name = format!("uplinks of leaf{}", up.leaf.0);
                worst = Some(Slowest { place: BindingPlace::Uplink(up.leaf), name, time });
            }
        }
        StepCost { slowest: worst, network, tiers: [0.0; 3] }
    }
}

/// Microseconds per byte of a link for who moves the leg's bytes.
fn per_byte(u: &UnitCost<'_>, link: LinkIx, leg: &Leg) -> f64 {
    let via: Via = leg.via;
    1.0 / (1000.0 * rates::usable(u.unit(), link, via, u.largest_group()).gbytes_per_s())
}
