//! An axis: from values to places, and its ticks.

use crate::units::{Bytes, significant};

/// How an axis divides its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal ratios are equally long.
    #[default]
    Log,
    /// Equal differences are equally long.
    Linear,
}

/// A tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Its value.
    pub at: f64,
    /// What is written at it.
    pub label: String,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    ticks: Vec<Tick>,
}

/// Ticks of a linear axis, about.
const LINEAR_TICKS: f64 = 5.0;

impl Axis {
    /// A logarithmic axis over whole decades that holds all values, cut to so many decades below the largest.
    pub fn decades(values: impl IntoIterator<Item = f64>, at_most: i32) -> Self {
        let good = values.into_iter().filter(|v| v.is_finite() && *v > 0.0).map(f64::log10);
        let (low, high) = good.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low.floor(), high.ceil()) };
        // Powers of ten that a float holds: the casts are exact.
        let high = (high as i32).clamp(-300, 300);
        let low = (low as i32).clamp(high - at_most.max(1), high - 1);
        let ticks = (low..=high).map(|d| 10f64.powi(d)).map(|at| Tick { at, label: plain(at) });
        Self { scale: Scale::Log, low: 10f64.powi(low), high: 10f64.powi(high), ticks: ticks.collect() }
    }

    /// A linear axis from 0 to a round number that holds all values.
    pub fn linear(values: impl IntoIterator<Item = f64>) -> Self {
        let top = values.into_iter().filter(|v| v.is_finite()).fold(0.0, f64::max);
        let top = if top > 0.0 { top } else { 1.0 };
        let rough = top / LINEAR_TICKS;
        let power = 10f64.powi(rough.log10().floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
        let count = (top / step).ceil().clamp(1.0, 12.0);
        let ticks = (0..=count as i32).map(|i| f64::from(i) * step).map(|at| Tick { at, label: plain(at) });
        Self { scale: Scale::Linear, low: 0.0, high: count * step, ticks: ticks.collect() }
    }

    /// Message sizes: logarithmic, with a tick at every power of 32 from 8 bytes on.
    pub fn sizes(low: Bytes, high: Bytes) -> Self {
        let low = low.get().max(1.0);
        let high = high.get().max(low * 2.0);
        let all = (0..20).map(|i| 8.0 * 32f64.powi(i));
        let ticks = all.filter(|s| (low..=high).contains(s)).map(|at| Tick { at, label: size_label(at) });
        Self { scale: Scale::Log, low, high, ticks: ticks.collect() }
    }

    /// Counts: logarithmic, with a tick at each of them.
    pub fn counts(all: &[u32]) -> Self {
        let low = all.first().copied().unwrap_or(1).max(1);
        let high = all.last().copied().unwrap_or(2).max(low + 1);
        let ticks = all.iter().map(|n| Tick { at: f64::from(*n), label: count_label(*n) }).collect();
        Self { scale: Scale::Log, low: f64::from(low), high: f64::from(high), ticks }
    }

    /// The same axis with other words at its ticks.
    #[must_use]
    pub fn labelled(mut self, words: impl Fn(f64) -> String) -> Self {
        for tick in &mut self.ticks {
            tick.label = words(tick.at);
        }
        self
    }

    /// Where a value lies: 0 at the low end, 1 at the high end, beyond them outside. `None` for what has no place.
    pub fn place(&self, value: f64) -> Option<f64> {
        let of = |v: f64| if self.scale == Scale::Log { v.ln() } else { v };
        let place = (of(value) - of(self.low)) / (of(self.high) - of(self.low));
        place.is_finite().then_some(place)
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Log => self.low * (self.high / self.low).powf(place),
            Scale::Linear => self.low + (self.high - self.low) * place,
        }
    }

    /// The low end.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The high end.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// The ticks, in rising order.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }
}

/// `1000`, `0.01`, and powers where these grow long.
fn plain(v: f64) -> String {
    if v == 0.0 {
        return "0".to_owned();
    }
    let decade = v.abs().log10();
    if !(-4.5..6.0).contains(&decade) {
        return format!("{v:.0e}");
    }
    if decade < -2.9 { format!("{v}") } else { significant(v) }
}

/// `8`, `256`, `8K`, `8M`, `8G`.
fn size_label(bytes: f64) -> String {
    const UNITS: [(&str, f64); 4] =
        [("T", 1_099_511_627_776.0), ("G", 1_073_741_824.0), ("M", 1_048_576.0), ("K", 1024.0)];
    let unit = UNITS.iter().find(|(_, u)| bytes >= *u);
    unit.map_or_else(|| significant(bytes), |(n, u)| format!("{}{n}", significant(bytes / u)))
}

fn count_label(n: u32) -> String {
    if n >= 1024 && n.is_multiple_of(1024) { format!("{}K", n / 1024) } else { n.to_string() }
}
