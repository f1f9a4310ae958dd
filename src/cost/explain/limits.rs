//! Everything that the chosen candidate loads, with the time that each alone would need.

use super::super::fabric_load::uplink;
use super::Facts;
use crate::collective::slot;
use crate::cost::BindingPlace;
use crate::units::Time;

/// Something that takes time, and how many are just like it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limit {
    pub(super) place: BindingPlace,
    pub(super) time: Time,
    /// Links or leaves that need the same time, in the whole system.
    pub(super) alike: u64,
}

/// Times nearer than this to each other are the same.
const SAME: f64 = 1e-3;

/// All limits, longest first; links that need the same time are one.
pub(super) fn limits(f: &Facts<'_, '_>) -> Vec<Limit> {
    let longest_first = |all: &mut Vec<Limit>| all.sort_by(|a, b| b.time.us().total_cmp(&a.time.us()));
    let mut each = links(f);
    longest_first(&mut each);
    let mut all: Vec<Limit> = Vec::new();
    for l in each {
        match all.last_mut() {
            Some(same) if l.time.us() > same.time.us() * (1.0 - SAME) => same.alike += l.alike,
            _ => all.push(l),
        }
    }
    all.extend(kernels(f));
    all.extend(uplinks(f));
    longest_first(&mut all);
    all
}

/// The first limit that is shorter than the longest by more than rounding.
pub(super) fn next(all: &[Limit]) -> Option<&Limit> {
    let most = all.first()?.time.us();
    all.iter().find(|l| l.time.us() < most * (1.0 - SAME))
}

/// Every link that carries something, in its busier direction, once for all members of its class.
fn links(f: &Facts<'_, '_>) -> Vec<Limit> {
    let Some(recipe) = &f.recipe else { return Vec::new() };
    let bytes = f.e.question.size.get() / f.pricer.efficiency(f.chosen().protocol).ratio();
    let mut all = Vec::new();
    for (i, u) in f.prepared().units.iter().enumerate() {
        let Ok(parts) = f.pricer.parts(recipe, i) else { continue };
        let at = |s: usize| parts.iter().filter_map(|(t, k)| t.get(s).map(|t| t * k)).sum::<f64>() * bytes;
        let alike = f.prepared().system.classes.get(u.class.0).map_or(1, |c| c.members.len());
        for link in u.unit().shape.link_ixs() {
            let (there, back) = (at(slot(link, true)), at(slot(link, false)));
            let place = BindingPlace::Link { class: u.class, link, forward: there >= back };
            all.push(Limit { place, time: Time::from_us(there.max(back)), alike });
        }
    }
    all.retain(|l| l.time.us() > 0.0);
    all
}

fn kernels(f: &Facts<'_, '_>) -> Option<Limit> {
    let c = f.chosen();
    let time = f.pricer.kernels(f.recipe.as_ref()?, c.protocol, f.e.question.size, c.channels).time;
    (time.us() > 0.0).then_some(Limit { place: BindingPlace::Kernel, time, alike: f.e.ranks })
}

fn uplinks(f: &Facts<'_, '_>) -> Vec<Limit> {
    let Some(recipe) = &f.recipe else { return Vec::new() };
    let equal = |x: &&crate::system::Fabric| x.health == crate::system::FabricHealth::default();
    let leaves = f.prepared().system.fabric.as_ref().filter(equal).map_or(1, |x| u64::from(x.leaves()));
    let bytes = f.e.question.size.get() / f.pricer.efficiency(f.chosen().protocol).ratio();
    let of = |(pattern, k, _): &(crate::collective::Pattern, f64, crate::units::Share)| {
        let up = uplink(f.prepared(), *pattern);
        let time = Time::from_us(up.time * k * bytes);
        (time.us() > 0.0).then_some(Limit { place: BindingPlace::Uplink(up.leaf), time, alike: leaves })
    };
    recipe.traffic.iter().filter_map(of).collect()
}
