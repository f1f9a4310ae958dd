//! The range around an estimate: the spread of measured over predicted for that kind of machine and size.

use super::prepared::Prepared;
use crate::parts::Family;
use crate::units::{Bytes, Time};

/// Upper ends of the size bands, bytes, and the kinds of machines; the factors are the 10 % and 90 % points of measured
/// over predicted on machines left out of the fit, rounded outward.
const BANDS: [f64; 5] = [65_536.0, 1_048_576.0, 16_777_216.0, 268_435_456.0, f64::INFINITY];

const NVLINK: [(f64, f64); 5] = [(0.72, 1.18), (0.74, 1.46), (0.87, 1.28), (0.94, 1.22), (0.96, 1.06)];
const RDMA: [(f64, f64); 5] = [(0.69, 1.20), (0.69, 1.35), (0.77, 1.26), (0.94, 1.22), (0.95, 1.07)];
const OTHER: [(f64, f64); 5] = [(0.56, 1.06), (0.82, 2.20), (0.80, 1.70), (0.88, 1.32), (0.94, 1.06)];
const PCIE: [(f64, f64); 5] = [(0.76, 1.02), (0.84, 1.23), (0.84, 1.05), (0.86, 1.08), (0.98, 1.13)];

/// Low and high end for a time at a size.
pub(super) fn range(p: &Prepared<'_>, size: Bytes, time: Time) -> (Time, Time) {
    let (low, high) = factors(Machine::of(p).table(), size.get());
    (time * low, time * high)
}

/// Kinds of machines that err alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// `NVLink` or xGMI inside one scale-up domain.
    ScaleUp,
    /// `PCIe` or host memory inside one node.
    Host,
    /// InfiniBand or RoCE.
    Rdma,
    /// EFA, TCP, Slingshot.
    Other,
}

impl Machine {
    /// Of a prepared system.
    pub fn of(p: &Prepared<'_>) -> Self {
        if p.who.units > 1 {
            let plain = p.system.fabric.as_ref().is_some_and(|f| f.transport.rdma && f.transport.step.is.us() < 10.0);
            return if plain { Self::Rdma } else { Self::Other };
        }
        let scale_up = p.units.iter().all(|u| {
            let shape = u.unit().shape;
            let wired = |l| shape.link(l).is_some_and(|k| matches!(k.kind.family, Family::Nvlink | Family::Xgmi));
            u.a_gpu().is_some_and(|g| shape.around(g).iter().any(|(l, _)| wired(*l)))
        });
        if scale_up && p.system.software.p2p { Self::ScaleUp } else { Self::Host }
    }

    /// In words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ScaleUp => "NVLink or xGMI inside one scale-up domain",
            Self::Host => "PCIe or host memory inside one node",
            Self::Rdma => "several units over InfiniBand or RoCE",
            Self::Other => "several units over EFA, TCP or another slow-step transport",
        }
    }

    const fn table(self) -> &'static [(f64, f64); 5] {
        match self {
            Self::ScaleUp => &NVLINK,
            Self::Host => &PCIE,
            Self::Rdma => &RDMA,
            Self::Other => &OTHER,
        }
    }
}

/// Factors between the middles of the bands, linear in log2 of the size, so that the range has no jumps.
fn factors(table: &[(f64, f64); 5], size: f64) -> (f64, f64) {
    // Middle of each band in log2: 8 B..64 KiB, ..1 MiB, ..16 MiB, ..256 MiB, ..8 GiB.
    const MIDDLES: [f64; 5] = [9.5, 18.0, 22.0, 26.0, 30.5];
    let x = size.max(1.0).log2();
    let at = MIDDLES.partition_point(|m| *m <= x);
    let get = |i: usize| table.get(i.min(BANDS.len() - 1)).copied().unwrap_or((1.0, 1.0));
    let (Some(a), Some(b)) = (at.checked_sub(1).and_then(|i| MIDDLES.get(i)), MIDDLES.get(at)) else {
        return get(if at == 0 { 0 } else { BANDS.len() - 1 });
    };
    let t = (x - a) / (b - a);
    let (below, above) = (get(at - 1), get(at));
    (below.0 + (above.0 - below.0) * t, below.1 + (above.1 - below.1) * t)
}
