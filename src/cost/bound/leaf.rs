//! Cuts in the fabric: around the units under one set of leaves, whose uplinks are all that connects them with the rest.

use std::collections::BTreeMap;

use super::spread::Spread;
use crate::question::{Collective, Participants};
use crate::system::{Fabric, LeafIx, System};

/// A cut around leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LeafCut {
    /// Number of the group of leaves; `None` for all groups as parts.
    pub(super) group: Option<u32>,
    /// Bytes across per byte of the message.
    pub(super) load: f64,
    /// Rate of the uplinks, GB/s per direction.
    pub(super) rate: f64,
}

/// The units under each group of leaves.
struct Leaves<'a> {
    fabric: &'a Fabric,
    spread: &'a Spread,
    /// Units under one group of leaves.
    units: u32,
    of_system: u32,
    /// First unit and end of each run of equal units, with groups, ranks, and ranks of the largest group.
    runs: Vec<(u32, u32, [f64; 3])>,
}

/// All cuts around leaves that are worth a look; none where a unit lies under several groups of leaves, or where it is not
/// certain which groups go beyond them.
pub(super) fn cuts(system: &System, who: &Participants, collective: Collective) -> Vec<LeafCut> {
    let spread = Spread::of(system, who);
    let Some(fabric) = system.fabric.as_ref().filter(|f| f.groups() > 1 && spread.certain()) else { return Vec::new() };
    let per_unit = system.nodes_per_unit.max(1);
    if fabric.leaf_nodes % per_unit != 0 || fabric.leaf_nodes == 0 {
        return Vec::new();
    }
    let units = fabric.leaf_nodes / per_unit;
    let leaves = Leaves { fabric, spread: &spread, units, of_system: system.units, runs: runs(system, who) };
    let mut list: Vec<LeafCut> =
        leaves.worth_a_look().into_iter().filter_map(|g| leaves.around(g, collective)).collect();
    if collective == Collective::AllReduce && !fabric.transport.sharp {
        list.extend(leaves.all_parts());
    }
    list
}

fn runs(system: &System, who: &Participants) -> Vec<(u32, u32, [f64; 3])> {
    let mut runs: Vec<(u32, u32, [f64; 3])> = Vec::new();
    for (class, groups) in system.classes.iter().zip(&who.classes) {
        let largest = groups.local.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let facts = [groups.local.len() as f64, groups.ranks() as f64, largest];
        runs.extend(class.members.ranges().map(|r| (r.start, r.end, facts)));
    }
    runs.sort_by_key(|r| r.0);
    runs
}

impl Leaves<'_> {
    /// The first group of leaves, the last, and those with exceptions.
    fn worth_a_look(&self) -> Vec<u32> {
        let h = &self.fabric.health;
        let planes = self.fabric.planes().max(1);
        let hurt = h.leaves.keys().copied().chain(h.uplinks.keys().map(|(leaf, _)| *leaf)).map(|leaf| leaf / planes);
        let last = self.fabric.groups() - 1;
        let set: std::collections::BTreeSet<u32> = hurt.chain([0, last]).filter(|g| *g <= last).collect();
        set.into_iter().collect()
    }

    /// Uplinks of all planes' leaves of a group, GB/s per direction.
    fn rate(&self, group: u32) -> f64 {
        let planes = self.fabric.planes().max(1);
        let first = group * planes;
        (first..first + planes).map(|leaf| self.fabric.leaf_uplink(LeafIx(leaf)).gbytes_per_s()).sum()
    }

    fn facts(&self, unit: u32) -> [f64; 3] {
        let at = self.runs.partition_point(|r| r.1 <= unit);
        self.runs.get(at).filter(|r| r.0 <= unit).map_or([0.0; 3], |r| r.2)
    }

    fn around(&self, group: u32, collective: Collective) -> Option<LeafCut> {
        let first = group * self.units;
        let end = (first + self.units).min(self.of_system);
        let block = if self.spread.whole { self.of_system } else { (self.spread.units * self.spread.step).max(1) };
        // Units that hold the same groups: one entry per block of units and place in the step.
        let mut sums: BTreeMap<(u32, u32), [f64; 4]> = BTreeMap::new();
        for unit in first..end {
            let [groups, ranks, largest] = self.facts(unit);
            let at = (unit / block, unit % block % self.spread.step);
            let sum = sums.entry(at).or_default();
            sum[0] = sum[0].max(groups);
            sum[1] += ranks;
            sum[2] += largest;
            let to = unit + self.spread.step;
            let next = if to / block == unit / block && to < self.of_system { to } else { at.0 * block + at.1 };
            sum[3] += f64::from(u8::from(!(first..end).contains(&next))) * groups;
        }
        let load = self.load(collective, sums.values());
        let rate = self.rate(group);
        (load > 0.0 && rate > 0.0).then_some(LeafCut { group: Some(group), load, rate })
    }

    /// Bytes across: `[groups, ranks, most ranks of one group, steps out]` per set of groups.
    fn load<'a>(&self, collective: Collective, sums: impl Iterator<Item = &'a [f64; 4]>) -> f64 {
        let (low, high) = (self.spread.low, self.spread.high);
        let (mut out, mut into, mut largest) = (0.0, 0.0, 0.0_f64);
        for [groups, ranks, most, steps] in sums.filter(|s| s[1] > 0.0 && s[2] < low) {
            let absent = 1.0 - most / low;
            let (o, i) = match collective {
                Collective::AllReduce | Collective::Broadcast | Collective::Reduce => (*groups, *groups),
                Collective::AllGather | Collective::ReduceScatter => (ranks / high, groups * absent),
                Collective::AllToAll => (ranks * absent, ranks * absent),
                Collective::SendRecv => (*steps, *steps),
            };
            out += o;
            into += i;
            largest = largest.max(o);
        }
        if matches!(collective, Collective::Broadcast | Collective::Reduce) && !self.spread.whole {
            // Roots may be on either side: one set of groups has all of its own on one side.
            return largest;
        }
        out.max(into)
    }

    /// Every group of leaves as a part, for a fabric that cannot reduce: half of `2(k-1)` is counted in `load`.
    fn all_parts(&self) -> Option<LeafCut> {
        let groups = self.fabric.groups();
        let lost = u64::from(self.of_system) - self.spread.full_units.min(u64::from(self.of_system));
        if !self.spread.whole || lost >= u64::from(self.units) {
            return None;
        }
        // With losses the last, smaller group of leaves may have no rank of some group left.
        let parts = groups - u32::from(lost > 0);
        let hurt = self.worth_a_look();
        let usual = (0..groups).find(|g| !hurt.contains(g)).unwrap_or(0);
        let others = f64::from(groups - hurt.len() as u32) * self.rate(usual);
        let rate = others + hurt.iter().map(|g| self.rate(*g)).sum::<f64>();
        let moves = (f64::from(parts) - 1.0) * self.spread.local as f64;
        (moves > 0.0 && rate.is_finite()).then_some(LeafCut { group: None, load: 2.0 * moves, rate })
    }
}
