//! Quantities of the trade as types of their own: [`Bandwidth`], [`Time`], [`Bytes`], [`Share`].
//!
//! Conventions, everywhere in this crate:
//! * rates are decimal **GB/s (1e9 byte/s) per direction**; `Gb/s` is bits and is written with a small b;
//! * message sizes are binary (`64K` = 64 KiB) as in nccl-tests; `GB` as a *size* is decimal;
//! * times are microseconds.

mod count;
mod parse;

use std::fmt;
use std::ops::{Add, Div, Mul, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use count::counted;
pub use parse::UnitError;

/// A rate in GB/s (1e9 byte/s), per direction.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Bandwidth(f64);

/// A duration in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Time(f64);

/// A number of bytes: a message size (whole) or a load (may be a fraction of a byte after division).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Bytes(f64);

/// A dimensionless share; 1.0 is 100 %.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Share(f64);

impl Bandwidth {
    /// No bandwidth at all: a link that is down.
    pub const ZERO: Self = Self(0.0);
    /// No limit.
    pub const INFINITE: Self = Self(f64::INFINITY);

    /// From GB/s (1e9 byte/s) per direction.
    pub const fn from_gbytes_per_s(v: f64) -> Self {
        Self(v)
    }

    /// From Gb/s (1e9 bit/s) per direction.
    pub const fn from_gbits_per_s(v: f64) -> Self {
        Self(v / 8.0)
    }

    /// In GB/s (1e9 byte/s) per direction.
    pub const fn gbytes_per_s(self) -> f64 {
        self.0
    }

    /// In Gb/s (1e9 bit/s) per direction.
    pub const fn gbits_per_s(self) -> f64 {
        self.0 * 8.0
    }

    /// The smaller of two rates.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The larger of two rates.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// True for a rate that can move data (positive, not NaN).
    pub fn is_usable(self) -> bool {
        self.0 > 0.0
    }
}

impl Time {
    /// No time.
    pub const ZERO: Self = Self(0.0);

    /// From microseconds.
    pub const fn from_us(v: f64) -> Self {
        Self(v)
    }

    /// In microseconds.
    pub const fn us(self) -> f64 {
        self.0
    }

    /// The larger of two times.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// The smaller of two times.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
}

impl Bytes {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);

    /// From a number of bytes.
    pub const fn new(v: f64) -> Self {
        Self(v)
    }

    /// From a whole number of bytes.
    pub const fn from_u64(v: u64) -> Self {
        Self(v as f64)
    }

    /// From GiB (2^30 bytes).
    pub const fn from_gib(v: f64) -> Self {
        Self(v * 1_073_741_824.0)
    }

    /// As a float; exact below 2^53.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// As a whole number, rounded to nearest.
    pub fn to_u64(self) -> u64 {
        self.0.max(0.0).round() as u64
    }

    /// The smaller of two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Share {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
    /// All of it.
    pub const ONE: Self = Self(1.0);

    /// From a ratio, 1.0 being all.
    pub const fn new(v: f64) -> Self {
        Self(v)
    }

    /// From percent.
    pub const fn from_percent(v: f64) -> Self {
        Self(v / 100.0)
    }

    /// As a ratio.
    pub const fn ratio(self) -> f64 {
        self.0
    }

    /// In percent.
    pub const fn percent(self) -> f64 {
        self.0 * 100.0
    }
}

/// What goes into a file: the printed text if it reads back as the same value, else every digit in the base unit.
fn exact<T: fmt::Display + FromStr + PartialEq>(value: &T, base: f64, unit: &str) -> String {
    let short = value.to_string();
    if short.parse::<T>().is_ok_and(|v| v == *value) { short } else { format!("{base}{unit}") }
}

macro_rules! linear {
    ($t:ident, $unit:literal) => {
        impl Add for $t {
            type Output = Self;
            fn add(self, o: Self) -> Self {
                Self(self.0 + o.0)
            }
        }
        impl Sub for $t {
            type Output = Self;
            fn sub(self, o: Self) -> Self {
                Self(self.0 - o.0)
            }
        }
        impl Mul<f64> for $t {
            type Output = Self;
            fn mul(self, k: f64) -> Self {
                Self(self.0 * k)
            }
        }
        impl Mul<Share> for $t {
            type Output = Self;
            fn mul(self, k: Share) -> Self {
                Self(self.0 * k.0)
            }
        }
        impl Div<f64> for $t {
            type Output = Self;
            fn div(self, k: f64) -> Self {
                Self(self.0 / k)
            }
        }
        impl Div for $t {
            type Output = Share;
            /// The ratio of two like quantities.
            fn div(self, o: Self) -> Share {
                Share(self.0 / o.0)
            }
        }
        impl std::iter::Sum for $t {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self(0.0), Add::add)
            }
        }
        impl Serialize for $t {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&exact(self, self.0, $unit))
            }
        }
        impl<'de> Deserialize<'de> for $t {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                d.deserialize_any(parse::Quantity::<Self>::new())
            }
        }
    };
}

linear!(Bandwidth, " GB/s");
linear!(Time, " us");
linear!(Bytes, " B");

impl Mul<f64> for Share {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self(self.0 * k)
    }
}

impl Mul for Share {
    type Output = Self;
    fn mul(self, k: Self) -> Self {
        Self(self.0 * k.0)
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&exact(self, self.0, ""))
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(parse::Quantity::<Self>::new())
    }
}

/// Time to move some bytes at a rate: `bytes / (1000 * GB/s)` microseconds. Nothing to move takes no time at any rate.
impl Div<Bandwidth> for Bytes {
    type Output = Time;
    fn div(self, rate: Bandwidth) -> Time {
        if self.0 == 0.0 { Time::ZERO } else { Time(self.0 / (1000.0 * rate.0)) }
    }
}

/// The rate at which some bytes move in a time.
impl Div<Time> for Bytes {
    type Output = Bandwidth;
    fn div(self, t: Time) -> Bandwidth {
        Bandwidth(self.0 / (1000.0 * t.0))
    }
}

/// Bytes that a rate moves in a time.
impl Mul<Time> for Bandwidth {
    type Output = Bytes;
    fn mul(self, t: Time) -> Bytes {
        Bytes(self.0 * t.0 * 1000.0)
    }
}

/// A number with about three significant digits and no trailing zeros: `0.9`, `31.5`, `847`, `1240`.
pub fn significant(v: f64) -> String {
    let a = v.abs();
    let digits = if a >= 99.95 || a == 0.0 {
        0
    } else if a >= 9.995 {
        1
    } else if a >= 0.9995 {
        2
    } else {
        3
    };
    let text = format!("{v:.digits$}");
    if digits == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} GB/s", significant(self.0)))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.0;
        let (v, unit) = if us.abs() >= 1e6 {
            (us / 1e6, "s")
        } else if us.abs() >= 1e3 {
            (us / 1e3, "ms")
        } else {
            (us, "us")
        };
        f.pad(&format!("{} {unit}", significant(v)))
    }
}

/// The largest binary unit that divides the size evenly, else bytes (below 1 KiB) or three digits of the unit below it.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, f64); 4] =
            [("TiB", 1_099_511_627_776.0), ("GiB", 1_073_741_824.0), ("MiB", 1_048_576.0), ("KiB", 1024.0)];
        let text = UNITS
            .iter()
            .find(|(_, u)| self.0.abs() >= *u)
            .map_or_else(|| format!("{} B", significant(self.0)), |(n, u)| format!("{} {n}", significant(self.0 / u)));
        f.pad(&text)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}%", significant(self.0 * 100.0)))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed parse is the failure of the test")]
    #![expect(clippy::float_cmp, reason = "the figures are exact by construction")]
    use super::*;

    #[test]
    fn bits_and_bytes_are_different_things() {
        assert_eq!("400Gb/s".parse::<Bandwidth>().unwrap().gbytes_per_s(), 50.0);
        assert_eq!("400 GB/s".parse::<Bandwidth>().unwrap().gbytes_per_s(), 400.0);
        assert!("400".parse::<Bandwidth>().is_err());
        assert!("400 gbs".parse::<Bandwidth>().unwrap_err().to_string().contains("GB/s"));
    }

    #[test]
    fn sizes_are_binary_unless_they_say_decimal() {
        for (text, want) in [
            ("8", 8.0),
            ("64K", 65536.0),
            ("64KiB", 65536.0),
            ("1G", 1_073_741_824.0),
            ("1GiB", 1_073_741_824.0),
            ("1GB", 1e9),
            ("1.5M", 1_572_864.0),
        ] {
            assert_eq!(text.parse::<Bytes>().unwrap().get(), want, "{text}");
        }
        assert!("-1K".parse::<Bytes>().is_err());
        assert!("1e400".parse::<Bytes>().is_err());
        assert!("NaN".parse::<Bytes>().is_err());
    }

    #[test]
    fn time_of_a_transfer() {
        assert!(((Bytes::from_gib(1.0) / Bandwidth::from_gbytes_per_s(50.0)).us() - 21_474.836).abs() < 1e-2);
        assert_eq!((Bytes::ZERO / Bandwidth::ZERO).us(), 0.0);
    }

    #[test]
    fn what_is_printed_parses_back() {
        for v in [0.001, 0.9, 12.3, 847.0, 31.5] {
            let b = Bandwidth::from_gbytes_per_s(v);
            assert_eq!(b.to_string().parse::<Bandwidth>().unwrap(), b);
            assert_eq!(Time::from_us(v).to_string().parse::<Time>().unwrap(), Time::from_us(v));
            assert_eq!(Share::new(v).to_string().parse::<Share>().unwrap().percent(), Share::new(v).percent());
        }
        assert_eq!(Bytes::from_u64(1 << 20).to_string(), "1 MiB");
    }
}
