//! Size bands and robust statistics of errors.

use crate::units::{Bytes, Share};

/// A band of message sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Band {
    /// Up to 64 KiB: launch and steps.
    Tiny,
    /// Above 64 KiB, up to 1 MiB.
    Small,
    /// Above 1 MiB, up to 16 MiB.
    Middle,
    /// Above 16 MiB, up to 256 MiB: the ramp.
    Large,
    /// Above 256 MiB: bandwidth.
    Huge,
}

impl Band {
    /// All, smallest first.
    pub const ALL: [Self; 5] = [Self::Tiny, Self::Small, Self::Middle, Self::Large, Self::Huge];

    /// The band of a size.
    pub fn of(size: Bytes) -> Self {
        let s = size.get();
        if s <= 65_536.0 {
            Self::Tiny
        } else if s <= 1_048_576.0 {
            Self::Small
        } else if s <= 16_777_216.0 {
            Self::Middle
        } else if s <= 268_435_456.0 {
            Self::Large
        } else {
            Self::Huge
        }
    }

    /// As printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiny => "<= 64 KiB",
            Self::Small => "64 KiB-1 MiB",
            Self::Middle => "1-16 MiB",
            Self::Large => "16-256 MiB",
            Self::Huge => "> 256 MiB",
        }
    }
}

/// A quantile (0 to 1) of values, linear between neighbours; `None` when there are none.
pub fn quantile(values: &[Share], q: f64) -> Option<Share> {
    let mut sorted: Vec<f64> = values.iter().map(|v| v.ratio()).filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let at = q.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (low, high) = (sorted.get(at.floor() as usize)?, sorted.get(at.ceil() as usize)?);
    Some(Share::new(low + (high - low) * at.fract()))
}

/// The median.
pub fn median(values: &[Share]) -> Option<Share> {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate() {
        let v: Vec<Share> = [4.0, 1.0, 3.0, 2.0].map(Share::new).to_vec();
        assert_eq!(median(&v), Some(Share::new(2.5)));
        assert_eq!(quantile(&v, 1.0), Some(Share::new(4.0)));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn bands_close_at_their_upper_end() {
        assert_eq!(Band::of(Bytes::from_u64(65_536)), Band::Tiny);
        assert_eq!(Band::of(Bytes::from_u64(65_537)), Band::Small);
        assert_eq!(Band::of(Bytes::from_gib(1.0)), Band::Huge);
    }
}
