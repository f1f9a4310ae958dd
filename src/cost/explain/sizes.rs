//! Sizes at which something changes: the algorithm or protocol, and the half-peak size.

use super::super::candidates::candidates;
use super::{Facts, Section};
use crate::cost::sizes as powers;
use crate::system::{Algorithm, Protocol};
use crate::units::{Bandwidth, Bytes, Time};

/// Smallest and largest size that is looked at, unless the question's own is larger.
const SPAN: (Bytes, Bytes) = (Bytes::from_u64(8), Bytes::from_gib(16.0));

/// What the library takes at one size.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    size: Bytes,
    way: (Algorithm, Protocol),
    time: Time,
}

/// Where the choice changes and where half of the peak is reached; `None` for a single rank.
pub(super) fn sizes(f: &Facts<'_, '_>) -> Option<Section> {
    let last = SPAN.1.max(f.e.question.size);
    let points: Vec<Point> = powers(SPAN.0, last, 2.0).into_iter().filter_map(|s| at(f, s)).collect();
    let (first, top) = (points.first()?, points.last()?);
    f.recipe.as_ref()?;
    let mut lines = vec![format!("from {}: {} {}", first.size, first.way.0, first.way.1)];
    for pair in points.windows(2) {
        if let [a, b] = pair
            && a.way != b.way
        {
            lines.push(change(f, *a, *b));
        }
    }
    let n = lines.len() - 1;
    let crossovers = Section::new("crossovers", "Crossover sizes", format!("{n} of them")).lines(lines);
    let half = half(f, &points, *top);
    let value = half.as_ref().map_or(String::new(), |h| h.value.clone());
    Some(Section::new("sizes", "Sizes", value).with([crossovers]).with(half))
}

fn at(f: &Facts<'_, '_>, size: Bytes) -> Option<Point> {
    let q = crate::question::Question { size, ..f.e.question };
    let list = candidates(&f.pricer, &q).ok()?;
    list.first().map(|c| Point { size, way: (c.algorithm, c.protocol), time: c.time() })
}

/// Narrows an interval of sizes down to 1 %: the upper end is where the test first holds.
fn narrow(f: &Facts<'_, '_>, low: Point, high: Point, holds: impl Fn(&Point) -> bool) -> Point {
    let (mut low, mut high) = (low.size.get(), high);
    while high.size.get() > low * 1.01 + 1.0 {
        let Some(middle) = at(f, Bytes::from_u64((low * high.size.get()).sqrt().round() as u64)) else { break };
        if holds(&middle) {
            high = middle;
        } else {
            low = middle.size.get();
        }
    }
    high
}

fn change(f: &Facts<'_, '_>, a: Point, b: Point) -> String {
    let found = narrow(f, a, b, |p| p.way != a.way);
    format!("from {}: {} {} ({} there)", found.size, found.way.0, found.way.1, found.time)
}

fn busbw(f: &Facts<'_, '_>, p: &Point) -> Bandwidth {
    (p.size / p.time) * f.e.question.collective.bus_factor(f.e.ranks)
}

/// The smallest size that reaches half of the bus bandwidth at the largest.
fn half(f: &Facts<'_, '_>, points: &[Point], top: Point) -> Option<Section> {
    let wanted = busbw(f, &top) / 2.0;
    let enough = |p: &Point| busbw(f, p) >= wanted;
    let i = points.iter().rposition(|p| !enough(p))?;
    let found = narrow(f, *points.get(i)?, *points.get(i + 1)?, enough);
    Some(
        Section::new("half_peak", "Half-peak size", format!("half of the peak at {}", found.size))
            .line(format!("peak: {} at {}", busbw(f, &top), top.size))
            .line(format!("half of it, {wanted}, from {} on ({})", found.size, found.time)),
    )
}
