//! Load of every link for an answer: the share of its time in which the link must work.

use super::answer::{Estimate, PatternUse};
use super::fabric_load::uplink;
use super::prepared::Prepared;
use crate::system::{ClassIx, LinkIx};
use crate::units::{Share, Time};

/// Loads of all links, per class of units and direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkLoads {
    /// Dense per class: slot `2 * link` forward, `2 * link + 1` back. Empty for a class without ranks.
    classes: Vec<Vec<f64>>,
    uplink: f64,
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
                for (cell, t) in cells.iter_mut().zip(&priced.times) {
                    *cell += t * used.wire.get() / total;
                }
            }
        }
        let leaving = |u: &PatternUse| uplink(p, u.pattern).time * u.wire.get() / total;
        let up = e.chosen.traffic.iter().map(leaving).fold(0.0, f64::max);
        let peak = classes.iter().flatten().copied().fold(up, f64::max);
        Self { classes, uplink: up, peak }
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

    /// The largest load of all.
    pub fn peak(&self) -> Share {
        Share::new(self.peak)
    }

    /// Time that a link alone would need in its busier direction.
    pub fn busy(&self, class: ClassIx, link: LinkIx, total: Time) -> Time {
        self.link(class, link).map_or(Time::ZERO, |[a, b]| total * a.ratio().max(b.ratio()))
    }
}
