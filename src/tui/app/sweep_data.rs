//! The data of the sweep: answers over sizes, where the choice changes, where half of the peak is reached, and what was
//! measured.

use super::charts::{Charts, Split};
use crate::cost::{Answer, Candidate, Estimate, Prepared, Unreachable, sizes};
use crate::measure::overlay::{Compared, compare, table_for};
use crate::question::{Collective, Question};
use crate::scenario::History;
use crate::system::{Algorithm, Protocol, System};
use crate::units::{Bandwidth, Bytes, Time};

/// Smallest and largest size, unless the question's or a measured one lies outside.
const SPAN: (Bytes, Bytes) = (Bytes::from_u64(8), Bytes::from_gib(16.0));

/// Sizes at which something changes are found to this ratio.
const NARROW: f64 = 1.02;

/// What is known about the sweep.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// Answers at rising sizes, or why there is none.
    pub now: Result<Vec<Estimate>, Unreachable>,
    /// The baseline's, where something differs from it.
    pub baseline: Option<Vec<Estimate>>,
    /// The best of each algorithm or protocol.
    pub series: Vec<Series>,
    /// Which way is taken up to which size.
    pub stretches: Vec<Stretch>,
    /// The smallest size that reaches half of the bus bandwidth at the largest.
    pub half: Option<(Bytes, Bandwidth)>,
    /// Rows of the log, or why they are not shown; `None` without a log.
    pub measured: Option<Result<Vec<Compared>, String>>,
}

/// What the curve of an algorithm or a protocol is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// An algorithm.
    Algorithm(Algorithm),
    /// A protocol.
    Protocol(Protocol),
}

impl Kin {
    /// What a way counts as.
    pub const fn of(split: Split, way: (Algorithm, Protocol)) -> Self {
        match split {
            Split::Algorithms => Self::Algorithm(way.0),
            Split::Protocols => Self::Protocol(way.1),
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Algorithm(a) => a.name(),
            Self::Protocol(p) => p.name(),
        }
    }
}

/// The curve of an algorithm or a protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Whose.
    pub kin: Kin,
    /// Its best time at each size at which it is on offer.
    pub points: Vec<(Bytes, Time)>,
}

/// A stretch of sizes over which one way is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// The way.
    pub way: (Algorithm, Protocol),
    /// The first size of the next stretch; the largest size for the last one.
    pub to: Bytes,
    /// Time there.
    pub time: Time,
}

impl Sweep {
    /// Works everything out.
    pub(super) fn new(history: &History, question: &Question, charts: &Charts) -> Self {
        let system = history.system();
        let mut sweep = match Prepared::participants(system, question.group) {
            Ok(who) => Self::of(&Prepared::new(system, &who), question, charts),
            Err(u) => Self::unreachable(u),
        };
        if history.differs() {
            sweep.baseline = baseline(history.baseline(), question, &sweep.sizes(question));
        }
        sweep
    }

    fn unreachable(u: Unreachable) -> Self {
        let series = Vec::new();
        Self { now: Err(u), baseline: None, series, stretches: Vec::new(), half: None, measured: None }
    }

    fn of(prepared: &Prepared<'_>, question: &Question, charts: &Charts) -> Self {
        let points = match answers(prepared, question, &all_sizes(question)) {
            Ok(points) => points,
            Err(u) => return Self::unreachable(u),
        };
        let measured = charts.measured.as_ref().map(|named| {
            let ranks = points.first().map_or(0, |e| e.ranks);
            let test = table_for(&named.log, question, ranks)?;
            compare(prepared, question, test).map_err(|u| u.to_string())
        });
        Self {
            series: series(&points, charts.split),
            stretches: stretches(prepared, &points),
            half: half(prepared, &points),
            now: Ok(points),
            baseline: None,
            measured,
        }
    }

    fn sizes(&self, question: &Question) -> Vec<Bytes> {
        self.now.as_ref().map_or_else(|_| all_sizes(question), |p| p.iter().map(|e| e.question.size).collect())
    }

    /// The sizes at which the cursor stops.
    pub fn stops(&self) -> impl Iterator<Item = Bytes> {
        let points = self.now.as_deref().unwrap_or_default();
        points.iter().map(|e| e.question.size)
    }

    /// The stop nearest to a size.
    pub(crate) fn nearest(&self, size: Bytes) -> Bytes {
        let far = |s: &Bytes| (s.get().ln() - size.get().max(1.0).ln()).abs();
        self.stops().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(size)
    }

    /// The answer at a size.
    pub fn at(&self, size: Bytes) -> Option<&Estimate> {
        self.now.as_deref().unwrap_or_default().iter().find(|e| e.question.size == size)
    }

    /// The baseline's answer at a size.
    pub fn baseline_at(&self, size: Bytes) -> Option<&Estimate> {
        self.baseline.as_deref().unwrap_or_default().iter().find(|e| e.question.size == size)
    }

    /// The measured row at a size.
    pub fn measured_at(&self, size: Bytes) -> Option<&Compared> {
        self.compared().iter().find(|c| c.size == size)
    }

    /// All measured rows.
    pub fn compared(&self) -> &[Compared] {
        self.measured.as_ref().and_then(|m| m.as_deref().ok()).unwrap_or_default()
    }

    /// The measured row that is farthest above or below its prediction.
    pub fn worst(&self) -> Option<&Compared> {
        let far = |c: &Compared| c.ratio().ratio().ln().abs();
        self.compared().iter().max_by(|a, b| far(a).total_cmp(&far(b)))
    }
}

/// Powers of two, and the question's own size.
fn all_sizes(question: &Question) -> Vec<Bytes> {
    let own = Bytes::from_u64(question.size.to_u64().max(1));
    let mut all = sizes(SPAN.0, SPAN.1.max(own), 2.0);
    all.push(own);
    all.sort_by(|a, b| a.get().total_cmp(&b.get()));
    all.dedup();
    all
}

fn answers(prepared: &Prepared<'_>, question: &Question, all: &[Bytes]) -> Result<Vec<Estimate>, Unreachable> {
    let one = |s: &Bytes| match prepared.answer(&question.at_size(*s)) {
        Answer::Estimate(e) => Ok(*e),
        Answer::Unreachable(u) => Err(u),
    };
    all.iter().map(one).collect()
}

fn baseline(system: &System, question: &Question, all: &[Bytes]) -> Option<Vec<Estimate>> {
    let who = Prepared::participants(system, question.group).ok()?;
    answers(&Prepared::new(system, &who), question, all).ok()
}

const fn way(c: &Candidate) -> (Algorithm, Protocol) {
    (c.algorithm, c.protocol)
}

/// The best of each kin at each size.
fn series(points: &[Estimate], split: Split) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for e in points {
        for c in &e.candidates {
            let kin = Kin::of(split, way(c));
            let (size, time) = (e.question.size, c.time());
            match all.iter_mut().find(|s| s.kin == kin) {
                // Candidates come best first: the first of a size is the best.
                Some(s) if s.points.last().is_some_and(|p| p.0 == size) => {}
                Some(s) => s.points.push((size, time)),
                None => all.push(Series { kin, points: vec![(size, time)] }),
            }
        }
    }
    all
}

/// Narrows an interval of sizes down: the answer at the upper end, where the test first holds.
fn narrow(prepared: &Prepared<'_>, low: &Estimate, high: &Estimate, holds: impl Fn(&Estimate) -> bool) -> Estimate {
    let (mut below, mut above) = (low.question.size.get(), high.clone());
    while above.question.size.get() > below * NARROW + 1.0 {
        let middle = Bytes::from_u64((below * above.question.size.get()).sqrt().round() as u64);
        let Answer::Estimate(e) = prepared.answer(&low.question.at_size(middle)) else { break };
        if holds(&e) {
            above = *e;
        } else {
            below = middle.get();
        }
    }
    above
}

fn stretches(prepared: &Prepared<'_>, points: &[Estimate]) -> Vec<Stretch> {
    let mut all = Vec::new();
    for pair in points.windows(2) {
        if let [a, b] = pair
            && way(&a.chosen) != way(&b.chosen)
        {
            let found = narrow(prepared, a, b, |e| way(&e.chosen) != way(&a.chosen));
            all.push(Stretch { way: way(&a.chosen), to: found.question.size, time: found.time });
        }
    }
    all.extend(points.last().map(|e| Stretch { way: way(&e.chosen), to: e.question.size, time: e.time }));
    all
}

fn half(prepared: &Prepared<'_>, points: &[Estimate]) -> Option<(Bytes, Bandwidth)> {
    let wanted = points.last()?.busbw() * 0.5;
    let enough = |e: &Estimate| e.busbw() >= wanted;
    let i = points.iter().rposition(|e| !enough(e))?;
    let found = narrow(prepared, points.get(i)?, points.get(i + 1)?, enough);
    Some((found.question.size, found.busbw()))
}

/// nccl-tests' bus bandwidth of a time.
pub(crate) fn busbw(collective: Collective, ranks: u64, size: Bytes, time: Time) -> Bandwidth {
    (size / time) * collective.bus_factor(ranks)
}
