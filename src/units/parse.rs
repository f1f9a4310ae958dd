//! Reading quantities: `400Gb/s`, `64KiB`, `1.5us`, `50%`.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};

use super::{Bandwidth, Bytes, Share, Time};

/// Why a text is not the quantity that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {what}; expected for example {example}")]
pub struct UnitError {
    text: String,
    what: &'static str,
    example: &'static str,
}

/// A quantity that can be written with one of several unit suffixes.
pub(super) trait Unit: Sized {
    /// What it is, with an article.
    const WHAT: &'static str;
    /// Two or three valid spellings.
    const EXAMPLE: &'static str;
    /// Suffixes and what one of each is worth in the base unit; "" allows a bare number.
    const SUFFIXES: &'static [(&'static str, f64)];
    /// From the base unit.
    fn from_base(v: f64) -> Self;
}

impl Unit for Bandwidth {
    const WHAT: &'static str = "a rate";
    const EXAMPLE: &'static str = "400Gb/s (bits: b) or 50GB/s (bytes: B)";
    const SUFFIXES: &'static [(&'static str, f64)] = &[
        ("TB/s", 1000.0),
        ("GB/s", 1.0),
        ("MB/s", 1e-3),
        ("Tb/s", 125.0),
        ("Gb/s", 0.125),
        ("Mb/s", 1.25e-4),
        ("GiB/s", 1.073_741_824),
    ];
    fn from_base(v: f64) -> Self {
        Self::from_gbytes_per_s(v)
    }
}

impl Unit for Time {
    const WHAT: &'static str = "a time";
    const EXAMPLE: &'static str = "1.5us, 12ms or 2s";
    const SUFFIXES: &'static [(&'static str, f64)] = &[("ns", 1e-3), ("us", 1.0), ("ms", 1e3), ("s", 1e6)];
    fn from_base(v: f64) -> Self {
        Self::from_us(v)
    }
}

impl Unit for Bytes {
    const WHAT: &'static str = "a size";
    const EXAMPLE: &'static str = "8, 64K, 64KiB, 1G or 1GiB";
    const SUFFIXES: &'static [(&'static str, f64)] = &[
        ("", 1.0),
        ("B", 1.0),
        ("K", 1024.0),
        ("KiB", 1024.0),
        ("M", 1_048_576.0),
        ("MiB", 1_048_576.0),
        ("G", 1_073_741_824.0),
        ("GiB", 1_073_741_824.0),
        ("T", 1_099_511_627_776.0),
        ("TiB", 1_099_511_627_776.0),
        ("kB", 1e3),
        ("KB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
    ];
    fn from_base(v: f64) -> Self {
        Self::new(v)
    }
}

impl Unit for Share {
    const WHAT: &'static str = "a share";
    const EXAMPLE: &'static str = "50% or 0.5";
    const SUFFIXES: &'static [(&'static str, f64)] = &[("%", 0.01), ("", 1.0)];
    fn from_base(v: f64) -> Self {
        Self::new(v)
    }
}

/// Reads `NUMBER SUFFIX`; refuses negative, infinite and unit-less figures (where a unit is needed).
fn read<U: Unit>(text: &str) -> Result<U, UnitError> {
    let fail = || UnitError { text: text.chars().take(40).collect(), what: U::WHAT, example: U::EXAMPLE };
    let t = text.trim();
    let end = t.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(t.len());
    let (number, suffix) = t.split_at(end);
    let value: f64 = number.replace('_', "").parse().map_err(|_| fail())?;
    let suffix = suffix.trim();
    let (_, factor) = U::SUFFIXES.iter().find(|(s, _)| *s == suffix).ok_or_else(fail)?;
    let base = value * factor;
    if base.is_finite() { Ok(U::from_base(base)) } else { Err(fail()) }
}

macro_rules! from_str {
    ($($t:ident),*) => {$(
        impl FromStr for $t {
            type Err = UnitError;
            fn from_str(s: &str) -> Result<Self, UnitError> {
                read(s)
            }
        }
    )*};
}

from_str!(Bandwidth, Time, Bytes, Share);

/// Serde visitor: a string with a unit, or a bare number where the quantity allows one.
pub(super) struct Quantity<U>(PhantomData<U>);

impl<U> Quantity<U> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<U: Unit> Visitor<'_> for Quantity<U> {
    type Value = U;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in quotes, for example {}", U::WHAT, U::EXAMPLE)
    }

    fn visit_str<E: Error>(self, v: &str) -> Result<U, E> {
        read(v).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, v: u64) -> Result<U, E> {
        read(&v.to_string()).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<U, E> {
        read(&v.to_string()).map_err(E::custom)
    }
}
