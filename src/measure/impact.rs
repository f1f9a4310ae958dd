//! What hurts and what helps: every single fault, upgrade and setting, by what it does to one question's time.
//!
//! Things that are alike by symmetry are priced once and counted; see `orbits`. Nothing here grows with the number of
//! units: a fault in one of 16,384 equal nodes splits off one class.

mod faults;
mod orbits;
mod reason;
mod upgrades;
mod words;

pub use words::change;

use crate::cost::{Candidate, Params, Prepared, Unreachable};
use crate::question::{Participants, Question};
use crate::scenario::{Context, Edit, Entry, Outcome, apply};
use crate::system::System;
use crate::units::{Share, Time};

/// Changes below this are inside the model's own resolution: two runs of one machine differ by as much.
pub const RESOLUTION: Share = Share::new(0.02);

/// What sort of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A device or link is gone.
    Down,
    /// A device or link runs at half its rate.
    HalfRate,
    /// A better part or network.
    Upgrade,
    /// What software may use.
    Setting,
}

impl Kind {
    /// As programs read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::HalfRate => "half-rate",
            Self::Upgrade => "upgrade",
            Self::Setting => "setting",
        }
    }

    /// True for what breaks.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Down | Self::HalfRate)
    }
}

/// One change and what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// The change, for one of those that are alike.
    pub edit: Edit,
    /// What sort of change.
    pub kind: Kind,
    /// How many things give the same answer when it happens to one of them; for upgrades and settings, how many it touches.
    pub alike: u64,
    /// What one of them is: `GPU`, `NVLink 4 link`; empty for upgrades and settings.
    pub what: String,
    /// Time with the change; `None` when the question cannot be answered any more.
    pub time: Option<Time>,
    /// Change of time: 0.5 is half as long again, -0.5 half; `None` when there is no answer any more.
    pub change: Option<Share>,
    /// Why, in a few words.
    pub reason: String,
}

impl Impact {
    /// True when the change is too small to be told from nothing.
    pub fn within_resolution(&self) -> bool {
        self.change.is_some_and(|c| c.ratio().abs() < RESOLUTION.ratio())
    }

    /// For sorting: no answer is worse than any time.
    fn weight(&self) -> f64 {
        self.change.map_or(f64::INFINITY, Share::ratio)
    }
}

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Classes of equal units whose faults are priced, largest first. A healthy system has one.
    pub classes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { classes: 4 }
    }
}

/// All changes of one question, and where they start from.
#[derive(Debug, Clone, PartialEq)]
pub struct Impacts {
    /// Time without a change.
    pub baseline: Time,
    /// What the library takes without a change.
    pub chosen: Candidate,
    /// Ranks of a group without a change.
    pub ranks: u64,
    /// Nodes that a group spans without a change.
    pub nodes: u64,
    /// Faults worst first, then upgrades best first, then settings best first.
    pub rows: Vec<Impact>,
    /// Units in classes that [`Limits`] left out.
    pub units_left_out: u64,
}

/// Prices every single change on a system. The error is why the question has no answer to begin with.
pub fn impact(system: &System, question: &Question, limits: Limits) -> Result<Impacts, Unreachable> {
    let who = Prepared::participants(system, question.group)?;
    let bench = Bench::new(system, question, &who);
    let base = bench.look(system, true)?;
    let (trials, units_left_out) = faults::trials(system, question, limits);
    let mut rows: Vec<Impact> = trials.iter().flat_map(|t| bench.orbit(&base, t)).collect();
    rows.extend(bench.singles(&base, upgrades::upgrades(system), Kind::Upgrade));
    rows.extend(bench.singles(&base, upgrades::settings(system), Kind::Setting));
    rows.retain(|r| r.kind != Kind::Setting || r.weight().abs() > NONE);
    rows.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| worst_first(a, b)));
    let (ranks, nodes) = (base.ranks, base.nodes);
    Ok(Impacts { baseline: base.chosen.time(), chosen: base.chosen, ranks, nodes, rows, units_left_out })
}

/// The rows with the largest changes, up or down, in the order that they had.
pub fn top(rows: &[Impact], n: usize) -> Vec<&Impact> {
    let mut by_size: Vec<usize> = (0..rows.len()).collect();
    let size = |i: &usize| rows.get(*i).map_or(0.0, |r| r.weight().abs());
    by_size.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let mut kept: Vec<usize> = by_size.into_iter().take(n).collect();
    kept.sort_unstable();
    kept.into_iter().filter_map(|i| rows.get(i)).collect()
}

/// Changes below this are none.
const NONE: f64 = 1e-9;

/// Times nearer than this to each other are the same: packings of rings that are equally good differ by rounding.
const SAME: f64 = 1e-3;

/// Largest orbit that is priced one by one when its members turn out not to be alike.
const MOST_PRICED: usize = 96;

const fn order(i: &Impact) -> u8 {
    match i.kind {
        Kind::Down | Kind::HalfRate => 0,
        Kind::Upgrade => 1,
        Kind::Setting => 2,
    }
}

fn worst_first(a: &Impact, b: &Impact) -> std::cmp::Ordering {
    let by_weight = b.weight().total_cmp(&a.weight());
    let by_weight = if a.kind.is_fault() { by_weight } else { by_weight.reverse() };
    by_weight.then_with(|| a.kind.cmp(&b.kind)).then_with(|| b.alike.cmp(&a.alike))
}

/// Things that should be alike, and the change that happens to one of them.
struct Trial<'a> {
    kind: Kind,
    what: String,
    /// How many there are of each member: parallel links, units of the class.
    times: u64,
    len: usize,
    edit: Box<dyn Fn(usize) -> Option<Edit> + 'a>,
}

/// What a system answers.
#[derive(Debug, Clone)]
struct Look {
    chosen: Candidate,
    ranks: u64,
    nodes: u64,
    /// What sets the time, in words.
    binds: String,
}

/// Prices changes.
struct Bench<'a> {
    system: &'a System,
    question: &'a Question,
    params: Params,
    context: Context,
    /// The system without a change: most of its units stay as they are.
    before: Prepared<'a>,
}

impl<'a> Bench<'a> {
    fn new(system: &'a System, question: &'a Question, who: &'a Participants) -> Self {
        let before = Prepared::new(system, who);
        Self { system, question, params: Params::default(), context: Context::default(), before }
    }

    /// What a system answers; with `fault`, one that differs from the base by its health alone.
    fn look(&self, system: &System, fault: bool) -> Result<Look, Unreachable> {
        let who = Prepared::participants(system, self.question.group)?;
        let prepared =
            if fault { Prepared::after_fault(system, &who, &self.before) } else { Prepared::new(system, &who) };
        let chosen = prepared.choose(&self.params, self.question)?;
        let binds = reason::binds(system, &chosen);
        Ok(Look { chosen, ranks: who.ranks, nodes: who.nodes, binds })
    }

    /// One change; `None` if it does not apply here.
    fn one(&self, base: &Look, edit: Edit, kind: Kind) -> Option<Impact> {
        let entry = Entry { edit, enabled: true };
        let applied = apply(self.system, std::slice::from_ref(&entry), &self.context);
        let Some(Outcome::Active { touched }) = applied.outcomes.first() else { return None };
        let new = self.look(&applied.system, kind.is_fault());
        let time = new.as_ref().ok().map(|l| l.chosen.time());
        let change = time.map(|t| Share::new((t / base.chosen.time()).ratio() - 1.0));
        let reason = reason::reason(base, &new, change, kind);
        Some(Impact { edit: entry.edit, kind, alike: *touched, what: String::new(), time, change, reason })
    }

    /// Changes that stand for themselves.
    fn singles(&self, base: &Look, edits: Vec<Edit>, kind: Kind) -> Vec<Impact> {
        edits.into_iter().filter_map(|e| self.one(base, e, kind)).collect()
    }

    /// Alike things: the first, the middle and the last are priced; if they differ, all are, and the equal ones are counted.
    fn orbit(&self, base: &Look, t: &Trial<'_>) -> Vec<Impact> {
        let price = |i: usize| self.one(base, (t.edit)(i)?, t.kind).map(|x| (i, x));
        let mut probes = vec![0, t.len / 2, t.len.saturating_sub(1)];
        probes.dedup();
        let probed: Vec<(usize, Impact)> = probes.into_iter().filter_map(price).collect();
        let Some((_, first)) = probed.first() else { return Vec::new() };
        let whole = |x: Impact, n: usize| Impact { alike: n as u64 * t.times, what: t.what.clone(), ..x };
        if probed.iter().all(|(_, x)| same(x, first)) {
            return vec![whole(first.clone(), t.len)];
        }
        // A larger orbit is sampled: what lies between two samples counts with the lower one.
        let stride = t.len.div_ceil(MOST_PRICED).max(1);
        let mut groups: Vec<(Impact, usize)> = Vec::new();
        for i in (0..t.len).step_by(stride) {
            let Some((_, x)) = price(i) else { continue };
            let n = stride.min(t.len - i);
            match groups.iter_mut().find(|(g, _)| same(g, &x)) {
                Some((_, count)) => *count += n,
                None => groups.push((x, n)),
            }
        }
        groups.into_iter().map(|(x, n)| whole(x, n)).collect()
    }
}

fn same(a: &Impact, b: &Impact) -> bool {
    match (a.time, b.time) {
        (Some(x), Some(y)) => (x.us() - y.us()).abs() <= SAME * x.us().max(1.0),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
