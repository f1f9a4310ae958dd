//! Prices all causes and the promising pairs, and puts them in order.

use super::causes::causes;
use super::curve::{Curve, Rows, launch_for, price};
use super::{Cause, CauseKind, Finding, launch_now, words};
use crate::measure::log::Ways;
use crate::question::Collective;
use crate::scenario::{Edit, Key, Value};
use crate::system::System;
use crate::units::Share;

/// Curves nearer than this (logarithmic) are the same: no run would tell them apart.
const SAME: f64 = 0.01;

/// Singles from which pairs are made.
const PAIRED: usize = 5;

/// A single cause with less loss than this needs no second one.
const GOOD: f64 = 0.12;

/// A pair has to take away this share of the best single cause's loss.
const PAIR_GAIN: f64 = 0.35;

/// And it has to explain this much more of the gap to stand before a single cause: the simpler explanation first.
const PAIR_MORE: f64 = 0.08;

/// Pairs that are shown.
const PAIRS: usize = 3;

/// Handicap of a rare cause, as a share of its score.
const RARE: f64 = 0.1;

/// Findings that are kept.
const KEPT: usize = 12;

/// A launch overhead counts as a cause from this much on, us.
const LAUNCH_FROM: f64 = 2.0;

/// Cause or pair with its curve.
struct Trial {
    causes: Vec<Cause>,
    same: Vec<Cause>,
    curve: Curve,
    score: f64,
    /// Added to the score for the order alone: rates are lost more often than somebody forces a protocol, and one thing is
    /// wrong more often than two.
    handicap: f64,
}

/// The findings, best first, and how many were priced.
pub(super) fn rank(system: &System, rows: &Rows<'_>, healthy: &Curve, ways: &Ways) -> (Vec<Finding>, usize) {
    let mut bench = Bench { system, rows, healthy, ways, gap: rows.score(healthy).max(1e-9), tried: 0 };
    let mut trials = bench.singles();
    sort(&mut trials);
    if trials.first().is_none_or(|t| t.score > GOOD) {
        let best = trials.first().map_or(f64::INFINITY, |t| t.score);
        let mut pairs = bench.pairs(&trials);
        sort(&mut pairs);
        trials.extend(pairs.into_iter().filter(|p| p.score < best * (1.0 - PAIR_GAIN)).take(PAIRS));
        sort(&mut trials);
    }
    let findings = bench.findings(trials);
    (findings, bench.tried)
}

/// Best first; what is equal keeps its order: the more common cause first, single ones before pairs.
fn sort(trials: &mut [Trial]) {
    let key = |t: &Trial| ((t.score + t.handicap) * 1e3).round();
    trials.sort_by(|a, b| key(a).total_cmp(&key(b)));
}

struct Bench<'a> {
    system: &'a System,
    rows: &'a Rows<'a>,
    healthy: &'a Curve,
    ways: &'a Ways,
    /// Loss of the healthy estimate.
    gap: f64,
    tried: usize,
}

impl Bench<'_> {
    fn price(&mut self, edits: &[Edit]) -> Option<Curve> {
        self.tried += 1;
        price(self.system, edits, self.rows.all)
    }

    /// Every cause that changes the curve; those that give the same curve stand together.
    fn singles(&mut self) -> Vec<Trial> {
        let mut collectives: Vec<Collective> = Vec::new();
        for o in self.rows.all {
            if !collectives.contains(&o.collective) {
                collectives.push(o.collective);
            }
        }
        let mut all: Vec<Trial> = Vec::new();
        for cause in causes(self.system, &collectives).into_iter().filter(|c| is_possible(c, self.ways)) {
            if let Some(curve) = self.price(&cause.edits) {
                self.put(&mut all, vec![cause], curve);
            }
        }
        if let Some((cause, curve)) = self.launch(&[], self.healthy) {
            self.put(&mut all, vec![cause], curve);
        }
        all
    }

    fn put(&self, all: &mut Vec<Trial>, causes: Vec<Cause>, curve: Curve) {
        if Rows::apart(&curve, self.healthy) < SAME {
            return;
        }
        match all.iter_mut().find(|t| Rows::apart(&t.curve, &curve) < SAME) {
            Some(same) if causes.len() == 1 && same.causes.len() == 1 => same.same.extend(causes),
            Some(_) => {}
            None => {
                let score = self.rows.score(&curve);
                let rare = if causes.iter().any(|c| c.kind == CauseKind::Forced) { RARE * score } else { 0.0 };
                let pair = if causes.len() > 1 { PAIR_MORE * self.gap } else { 0.0 };
                all.push(Trial { causes, same: Vec::new(), curve, score, handicap: rare + pair });
            }
        }
    }

    /// A fitted launch overhead on top of other edits, if the small sizes ask for one.
    fn launch(&mut self, edits: &[Edit], curve: &Curve) -> Option<(Cause, Curve)> {
        let now = launch_now(self.system);
        let launch = launch_for(now, curve, self.rows.all)?;
        let more = launch.us() - now.us();
        if more < LAUNCH_FROM {
            return None;
        }
        let edit = Edit::set(Key::Launch, Value::Time(launch));
        let priced = self.price(&[edits, std::slice::from_ref(&edit)].concat())?;
        let title = format!("every call pays {more:.0} us more than usual (virtual machine, power saving, busy host)");
        Some((Cause { kind: CauseKind::Launch, title, edits: vec![edit] }, priced))
    }

    /// The best singles, each with every other cause and with a fitted launch overhead.
    fn pairs(&mut self, singles: &[Trial]) -> Vec<Trial> {
        let mut all = Vec::new();
        for (i, a) in singles.iter().enumerate().take(PAIRED) {
            let Some(first) = a.causes.first() else { continue };
            if first.kind == CauseKind::Launch {
                continue;
            }
            if let Some((launch, curve)) = self.launch(&first.edits, &a.curve) {
                self.put(&mut all, vec![first.clone(), launch], curve);
            }
            for b in singles.iter().skip(i + 1).filter_map(|b| b.causes.first()) {
                if b.kind == CauseKind::Launch || clash(first, b) {
                    continue;
                }
                if let Some(curve) = self.price(&[first.edits.as_slice(), &b.edits].concat()) {
                    self.put(&mut all, vec![first.clone(), b.clone()], curve);
                }
            }
        }
        all
    }

    fn findings(&self, trials: Vec<Trial>) -> Vec<Finding> {
        let best = trials.first().map(|t| t.curve.clone()).unwrap_or_default();
        let one = |t: Trial| Finding {
            score: Share::new(t.score),
            explains: Share::new(1.0 - t.score / self.gap),
            tied: self.rows.ties(&t.curve, &best),
            signature: words::signature(self.rows, &t.curve, self.healthy),
            causes: t.causes,
            same: t.same,
        };
        let better = trials.into_iter().filter(|t| t.score < self.gap).map(one);
        let mut kept: Vec<Finding> = Vec::new();
        for f in better {
            // Only four NICs used, only two used: one of a sort is enough, unless they are as good as each other.
            if f.tied || !kept.iter().any(|k| kinds(k) == kinds(&f)) {
                kept.push(f);
            }
        }
        kept.truncate(KEPT);
        kept
    }
}

/// Whether a cause agrees with what the library said. One rank's word on `GPUDirect` says nothing about the other nodes.
fn is_possible(cause: &Cause, ways: &Ways) -> bool {
    match cause.kind {
        CauseKind::Tcp => ways.tcp() != Some(false),
        CauseKind::PeerToPeer | CauseKind::SlowStaging => !ways.p2p || ways.shm,
        _ => true,
    }
}

fn kinds(f: &Finding) -> Vec<CauseKind> {
    f.causes.iter().map(|c| c.kind).collect()
}

/// Two causes of the same kind, or that set the same key, are no pair. Neither is anything forced: nearly every curve can
/// be met by a bad protocol and one more fault.
fn clash(a: &Cause, b: &Cause) -> bool {
    if a.kind == CauseKind::Forced || b.kind == CauseKind::Forced {
        return true;
    }
    let keys = |c: &Cause| c.edits.iter().filter_map(Edit::key).collect::<Vec<_>>();
    a.kind == b.kind || keys(a).iter().any(|k| keys(b).contains(k))
}
