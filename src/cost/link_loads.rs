//! Load of every link for an answer: the share of its time in which the link must work.

use super::answer::{Estimate, PatternUse};
use super::fabric_load::{slowest, uplink};
use super::prepared::Prepared;
use crate::system::{ClassIx, Fabric, LeafIx, LinkIx};
use crate::units::{Share, Time};

/// Loads of all links, per class of units and direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkLoads {
    /// Dense per class: slot `2 * link` forward, `2 * link + 1` back. Empty for a class without ranks.
    classes: Vec<Vec<f64>>,
    uplink: f64,
    /// Uplink rate of the busiest leaf, GB/s per direction.
    least: f64,
    peak: f64,
}

impl LinkLoads {
    /// The loads of an answer's chosen candidate.
    pub fn of(p: &Prepared<'_>, e: &Estimate) -> Self {
        let mut classes = vec![Vec::new(); p.system.classes.len()];
        let total = e.time.us();
        for u in &p.units {
            let Some(cells) = classes.get_mut(u.class.0) else { continue };
            *cells = vec![0.0; u.unit().shape.links().len() * 2];
            for used in &e.chosen.traffic {
                let Ok(priced) = u.priced(p.system, used.pattern) else { continue };
                for (cell, t) in cells.iter_mut().zip(priced.times.iter()) {
                    *cell += t * used.wire.get() / total;
                }
            }
        }
        let leaving = |u: &PatternUse| uplink(p, u.pattern).time * u.wire.get() / total;
        let up = e.chosen.traffic.iter().map(leaving).fold(0.0, f64::max);
        let least = p.system.fabric.as_ref().map_or(0.0, |f| slowest(f).1.gbytes_per_s());
        let peak = classes.iter().flatten().copied().fold(up, f64::max);
        Self { classes, uplink: up, least, peak }
    }

    /// Load of a link: forward, back.
    pub fn link(&self, class: ClassIx, link: LinkIx) -> Option<[Share; 2]> {
        let cells = self.classes.get(class.0)?;
        let at = link.0 as usize * 2;
        Some([Share::new(*cells.get(at)?), Share::new(*cells.get(at + 1)?)])
    }

    /// Load of the busiest leaf's uplinks.
    pub fn uplink(&self) -> Share {
        Share::new(self.uplink)
    }

    /// Load of the uplinks of one leaf. All leaves send equally much, so it goes by what is left of their rates; a leaf
    /// without any carries nothing.
    pub fn uplink_of(&self, fabric: &Fabric, leaf: LeafIx) -> Share {
        let rate = fabric.leaf_uplink(leaf).gbytes_per_s();
        let load = self.uplink * self.least / rate;
        // Without a way up, or a need for one.
        if rate > 0.0 && load.is_finite() { Share::new(load) } else { Share::ZERO }
    }

    /// The largest load of all.
    pub fn peak(&self) -> Share {
        Share::new(self.peak)
    }

    /// Time that a link alone would need in its busier direction.
    pub fn busy(&self, class: ClassIx, link: LinkIx, total: Time) -> Time {
        self.link(class, link).map_or(Time::ZERO, |[a, b]| total * a.ratio().max(b.ratio()))
    }
}
