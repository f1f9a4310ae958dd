//! What a figure comes to: a quantity with its unit, a count, a ratio, or a word.

use std::fmt;

use crate::units::{Bandwidth, Bytes, Share, Time, significant};

/// The value of a figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A rate, GB/s per direction.
    Rate(Bandwidth),
    /// A duration.
    Time(Time),
    /// Bytes.
    Size(Bytes),
    /// A share of a whole, shown in percent.
    Share(Share),
    /// A ratio or another number without a unit.
    Ratio(Share),
    /// A whole number of things.
    Count(u64),
    /// A word or a name.
    Word(String),
}

/// What sort of value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// GB/s per direction.
    Rate,
    /// Microseconds.
    Time,
    /// Bytes.
    Size,
    /// No unit: shares, ratios and counts.
    Number,
    /// A word.
    Word,
}

impl Dimension {
    /// For messages: what it is and how it could be written.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Rate => "a rate, for example 50GB/s or 400Gb/s",
            Self::Time => "a time, for example 12us or 3.5ms",
            Self::Size => "a size, for example 64KiB or 1GiB",
            Self::Number => "a number, for example 8, 1.75 or 50%",
            Self::Word => "a word",
        }
    }
}

impl Value {
    /// A ratio of two like quantities.
    pub const fn ratio(v: f64) -> Self {
        Self::Ratio(Share::new(v))
    }

    /// A word.
    pub fn word(text: impl Into<String>) -> Self {
        Self::Word(text.into())
    }

    /// Its sort.
    pub const fn dimension(&self) -> Dimension {
        match self {
            Self::Rate(_) => Dimension::Rate,
            Self::Time(_) => Dimension::Time,
            Self::Size(_) => Dimension::Size,
            Self::Share(_) | Self::Ratio(_) | Self::Count(_) => Dimension::Number,
            Self::Word(_) => Dimension::Word,
        }
    }

    /// Text that reads back as the same value: what a learner who knows the answer would type.
    pub fn exact(&self) -> String {
        match self {
            Self::Rate(v) => format!("{}GB/s", v.gbytes_per_s()),
            Self::Time(v) => format!("{}us", v.us()),
            Self::Size(v) => format!("{}B", v.get()),
            Self::Share(v) | Self::Ratio(v) => v.ratio().to_string(),
            Self::Count(n) => n.to_string(),
            Self::Word(w) => w.clone(),
        }
    }

    /// The number in the base unit (GB/s, us, bytes, 1); none for a word.
    pub(super) fn base(&self) -> Option<f64> {
        Some(match self {
            Self::Rate(v) => v.gbytes_per_s(),
            Self::Time(v) => v.us(),
            Self::Size(v) => v.get(),
            Self::Share(v) | Self::Ratio(v) => v.ratio(),
            Self::Count(n) => *n as f64,
            Self::Word(_) => return None,
        })
    }

    /// The same sort of value with another number in the base unit.
    fn with_base(&self, v: f64) -> Option<Self> {
        Some(match self {
            Self::Rate(_) => Self::Rate(Bandwidth::from_gbytes_per_s(v)),
            Self::Time(_) => Self::Time(Time::from_us(v)),
            Self::Size(_) => Self::Size(Bytes::new(v)),
            Self::Share(_) => Self::Share(Share::new(v)),
            Self::Count(_) if v >= 0.0 && v.fract() == 0.0 => Self::Count(v as u64),
            Self::Count(_) | Self::Ratio(_) => Self::ratio(v),
            Self::Word(_) => return None,
        })
    }

    /// Reads a learner's answer: a quantity of a sort, with its unit. A share may be written in percent, a word as it is.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str, dimension: Dimension) -> Result<Self, String> {
        let t = text.trim();
        let fail = || format!("{:?} is not {}", t.chars().take(40).collect::<String>(), dimension.describe());
        match dimension {
            Dimension::Word if t.is_empty() => Err(fail()),
            Dimension::Word => Ok(Self::word(t)),
            Dimension::Rate => t.parse().map(Self::Rate).map_err(|_| fail()),
            Dimension::Time => t.parse().map(Self::Time).map_err(|_| fail()),
            Dimension::Size => t.parse().map(Self::Size).map_err(|_| fail()),
            Dimension::Number => number(t).ok_or_else(fail),
        }
    }

    /// Any literal: `8`, `1.5`, `50%`, `400Gb/s`, `64KiB`, `12us`.
    pub(super) fn literal(text: &str) -> Option<Self> {
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        number(text)
            .or_else(|| text.parse().ok().map(Self::Rate))
            .or_else(|| text.parse().ok().map(Self::Time))
            .or_else(|| text.parse().ok().map(Self::Size))
    }

    /// How far another value of the same sort is off, as a ratio to this one (`0.1` is ten percent too much); none for
    /// words and for different sorts.
    pub fn off_by(&self, guess: &Self) -> Option<Share> {
        if self.dimension() != guess.dimension() {
            return None;
        }
        let (is, said) = (self.base()?, guess.base()?);
        if is.total_cmp(&said).is_eq() {
            return Some(Share::ZERO);
        }
        (is.abs() > 0.0 && is.is_finite() && said.is_finite()).then(|| Share::new(said / is - 1.0))
    }

    /// Whether two values are the same: words in any case, numbers to a millionth.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Word(a), Self::Word(b)) => a.trim().eq_ignore_ascii_case(b.trim()),
            _ => self.off_by(other).is_some_and(|off| off.ratio().abs() < 1e-6),
        }
    }

    /// Whether another value is within a tolerance of this one.
    pub fn near(&self, other: &Self, tolerance: Share) -> bool {
        self.same(other) || self.off_by(other).is_some_and(|off| off.ratio().abs() <= tolerance.ratio())
    }

    /// Which of two like values is larger; none for words, different sorts and what is no number.
    pub fn compare(&self, other: &Self) -> Option<std::cmp::Ordering> {
        if self.dimension() != other.dimension() {
            return None;
        }
        self.base()?.partial_cmp(&other.base()?)
    }

    /// Sum of like values.
    pub(super) fn plus(&self, other: &Self, sign: f64) -> Option<Self> {
        if self.dimension() != other.dimension() {
            return None;
        }
        let sum = self.base()? + sign * other.base()?;
        match (self, other) {
            (Self::Count(_), Self::Ratio(_) | Self::Share(_)) => Some(Self::ratio(sum)),
            _ => self.with_base(sum),
        }
    }

    /// Product: of anything with a number, and of a rate with a time.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Rate(r), Self::Time(t)) | (Self::Time(t), Self::Rate(r)) => Some(Self::Size(*r * *t)),
            (Self::Count(_), Self::Share(_)) => Some(Self::ratio(self.base()? * other.base()?)),
            (a, b) if b.dimension() == Dimension::Number => a.with_base(a.base()? * b.base()?),
            (a, b) if a.dimension() == Dimension::Number => b.with_base(a.base()? * b.base()?),
            _ => None,
        }
    }

    /// Quotient: of like values a ratio, of a size and a rate a time, of a size and a time a rate, of anything by a number.
    pub(super) fn over(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Size(s), Self::Rate(r)) => Some(Self::Time(*s / *r)),
            (Self::Size(s), Self::Time(t)) => Some(Self::Rate(*s / *t)),
            (a, b) if a.dimension() == b.dimension() => Some(Self::ratio(a.base()? / b.base()?)),
            (a, b) if b.dimension() == Dimension::Number => a.with_base(a.base()? / b.base()?),
            _ => None,
        }
    }
}

/// A bare number or a percentage.
fn number(text: &str) -> Option<Value> {
    if let Ok(n) = text.parse::<u64>() {
        return Some(Value::Count(n));
    }
    if let Some(percent) = text.strip_suffix('%') {
        return plain(percent.trim()).map(|v| Value::Share(Share::from_percent(v)));
    }
    plain(text).map(Value::ratio)
}

fn plain(text: &str) -> Option<f64> {
    let good = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse::<f64>().ok().filter(|v| good && v.is_finite())
}

/// With its unit, as everywhere in the program.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate(v) => v.fmt(f),
            Self::Time(v) => v.fmt(f),
            Self::Size(v) => v.fmt(f),
            Self::Share(v) => f.pad(&format!("{} %", significant(v.percent()))),
            Self::Ratio(v) => f.pad(&significant(v.ratio())),
            Self::Count(n) => f.pad(&grouped(*n)),
            Self::Word(w) => f.pad(w),
        }
    }
}

/// `131,072`: large counts in groups of three.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            out.push(',');
        }
        out.push(c);
    }
    out
}
