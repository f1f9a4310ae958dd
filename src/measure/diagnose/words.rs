//! Signatures of curves in words, and what would confirm a cause.

use super::curve::{Rows, cell};
use super::{BandGap, CauseKind, Curve, Diagnosis, Verdict};
use crate::measure::stats::Band;
use crate::units::{Share, Time};

/// Factors within this of their middle are one constant.
const CONSTANT: f64 = 1.12;

/// Times within this of each other are one constant.
const SAME_TIME: f64 = 1.5;

/// One size band of all collectives: how much slower one curve is than another.
struct Part {
    band: Band,
    factor: f64,
    more: f64,
    /// What still counts as expected.
    high: f64,
    low: f64,
}

impl Rows<'_> {
    /// The measured times, as a curve.
    pub(super) fn measured(&self) -> Curve {
        self.all.iter().map(|o| o.time.us()).collect()
    }

    fn parts(&self, of: &Curve, base: &Curve) -> Vec<Part> {
        let mut parts = Vec::new();
        for band in Band::ALL {
            let here: Vec<usize> =
                (0..self.all.len()).filter(|i| self.all.get(*i).is_some_and(|o| cell(o).1 == band)).collect();
            let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(f64::NAN);
            let median = |f: &dyn Fn(usize) -> f64| {
                let values: Vec<Share> = here.iter().map(|i| Share::new(f(*i))).collect();
                crate::measure::stats::median(&values).map(Share::ratio)
            };
            let (Some(factor), Some(more), Some(high), Some(low)) = (
                median(&|i| at(of, i) / at(base, i)),
                median(&|i| at(of, i) - at(base, i)),
                median(&|i| at(&self.high, i)),
                median(&|i| at(&self.low, i)),
            ) else {
                continue;
            };
            parts.push(Part { band, factor, more, high, low });
        }
        parts
    }
}

/// How one curve lies to another, by size: "as expected up to 1 MiB; 2.1 times slower at all sizes above".
pub(super) fn signature(rows: &Rows<'_>, of: &Curve, base: &Curve) -> String {
    let parts = rows.parts(of, base);
    let mut runs: Vec<(State, Vec<&Part>)> = Vec::new();
    for p in &parts {
        match runs.last_mut() {
            Some((s, list)) if *s == p.state() => list.push(p),
            _ => runs.push((p.state(), vec![p])),
        }
    }
    if let [(state, list)] = runs.as_slice() {
        return format!("{} at all sizes measured", state.words(list));
    }
    let texts: Vec<String> =
        runs.iter().map(|(s, list)| format!("{} {}", s.words(list), sizes(list, &parts))).collect();
    texts.join("; ")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Expected,
    Slow,
    Fast,
}

impl Part {
    fn state(&self) -> State {
        // A predicted curve is free of noise: a few per cent are no difference either way.
        if self.factor > self.high {
            State::Slow
        } else if self.factor < self.low {
            State::Fast
        } else {
            State::Expected
        }
    }
}

impl State {
    fn words(self, parts: &[&Part]) -> String {
        let factors = || parts.iter().map(|p| if self == Self::Fast { 1.0 / p.factor } else { p.factor });
        let (least, most) = factors().fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), f| (a.min(f), b.max(f)));
        let how = match self {
            Self::Expected => return "as expected".to_owned(),
            Self::Slow => "slow",
            Self::Fast => "fast",
        };
        let middle = (least * most).sqrt();
        let small = matches!(parts, [p] if p.band <= Band::Small);
        let (low, high) =
            parts.iter().fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), p| (a.min(p.more), b.max(p.more)));
        if self == Self::Slow && (small || (parts.len() > 1 && high < low * SAME_TIME)) {
            return format!("slow by a constant {}", Time::from_us((low * high).sqrt()));
        }
        if most <= middle * CONSTANT {
            format!("{how} by a constant factor {}", times(middle))
        } else {
            let (first, last) = (parts.first().map_or(1.0, |p| p.factor), parts.last().map_or(1.0, |p| p.factor));
            let turn = |f: f64| if self == Self::Fast { 1.0 / f } else { f };
            format!("{how} by a factor from {} to {}", times(turn(first)), times(turn(last)))
        }
    }
}

/// A factor, to as many digits as anybody wants: 1.25, 2.1, 44.
fn times(f: f64) -> String {
    let digits = if f < 1.995 { 2 } else { usize::from(f < 9.95) };
    format!("{f:.digits$}")
}

/// Which sizes some bands are, among those that were measured.
fn sizes(list: &[&Part], all: &[Part]) -> String {
    let edge = |b: Band| match b {
        Band::Tiny => "64 KiB",
        Band::Small => "1 MiB",
        Band::Middle => "16 MiB",
        Band::Large | Band::Huge => "256 MiB",
    };
    let below = |b: Band| Band::ALL.iter().rev().find(|x| **x < b).copied();
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return String::new() };
    let starts = all.first().is_some_and(|p| p.band == first.band);
    let ends = all.last().is_some_and(|p| p.band == last.band);
    let from = below(first.band).map_or("0", edge);
    match (starts, ends) {
        (true, _) => format!("up to {}", edge(last.band)),
        (_, true) => format!("above {from}"),
        _ => format!("from {from} to {}", edge(last.band)),
    }
}

/// Best explanations that leave more of the gap than this say so.
const WHOLE: f64 = 0.8;

impl Diagnosis {
    /// What it comes to, in a sentence.
    pub fn sentence(&self) -> String {
        let fast = self.bands.iter().filter(|b| b.is_fast()).count() * 2 > self.bands.len();
        let best = self.findings.first().map_or(0.0, |f| f.explains.ratio());
        match self.verdict {
            Verdict::Healthy if fast => {
                "healthy: faster than this machine should be; is the system described as it is?".to_owned()
            }
            Verdict::Healthy if self.bands.iter().any(BandGap::is_slow) => {
                "healthy as a whole: this is about what this machine should show; bands marked slow lie above the range"
                    .to_owned()
            }
            Verdict::Healthy => "healthy: this is what this machine should show".to_owned(),
            Verdict::Fault if best < WHOLE => {
                format!("fault: {}; what fits best leaves {:.0} % of it open", self.signature, (1.0 - best) * 100.0)
            }
            Verdict::Fault => format!("fault: {}", self.signature),
            Verdict::Unexplained if self.bands.iter().filter(|b| b.is_fast()).count() * 2 > self.bands.len() => {
                format!("unexplained: {}; more fast than slow: is the system described as it is?", self.signature)
            }
            Verdict::Unexplained if self.findings.is_empty() => {
                format!("unexplained: {}; nothing of the {} causes tried helps", self.signature, self.tried)
            }
            Verdict::Unexplained => {
                format!("unexplained: {}; no cause that is known here explains half of the gap", self.signature)
            }
        }
    }

    /// What cannot be told apart, in a sentence; `None` where the best explanation stands alone.
    pub fn undecided(&self) -> Option<String> {
        let tied = self.findings.iter().filter(|f| f.tied).count();
        let same = self.findings.first().is_some_and(|f| !f.same.is_empty());
        match (self.verdict, tied > 1, same) {
            (Verdict::Healthy, ..) => None,
            (_, true, _) => Some(format!(
                "the {tied} marked = cannot be told apart on these rows: their scores are within noise of each other"
            )),
            (_, _, true) => Some(
                "causes with the same curve cannot be told apart by these rows: other sizes, collectives or pairs of nodes may"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// What would confirm a cause: commands and lines of logs, in general words.
pub const fn confirm(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::PeerToPeer => {
            "nvidia-smi topo -p2p r (AMD: rocm-smi --showtopo): every pair OK?; NCCL_DEBUG=INFO: channels via P2P, not SHM; is NCCL_P2P_DISABLE set?; simpleP2P or p2pBandwidthLatencyTest"
        }
        CauseKind::SlowStaging => {
            "df /dev/shm and the container's --shm-size; NCCL_DEBUG=INFO: SHM or NET/Socket between GPUs of one host; numactl -H and pinning: is the staging memory on the GPUs' socket?; dmesg: IOMMU"
        }
        CauseKind::GpuDirect => {
            "NCCL_DEBUG=INFO: NET lines end in GDRDMA; lsmod: nvidia_peermem (or DMA-BUF) on every node; is NCCL_NET_GDR_LEVEL set?"
        }
        CauseKind::Nvls => {
            "NCCL_DEBUG=INFO: NVLS channels and multicast support; is NCCL_NVLS_ENABLE=0 set?; state of the fabric manager; library version"
        }
        CauseKind::Acs => {
            "lspci -vvv: ACSCtl of the PCIe bridges; p2pBandwidthLatencyTest between GPUs of one PCIe switch"
        }
        CauseKind::Pxn => "NCCL_DEBUG=INFO: is NCCL_PXN_DISABLE set?; compare all-to-all with it and without",
        CauseKind::GpusPerProcess => "the command line of the test: -g and -t; run one process per GPU (-g 1)",
        CauseKind::Forced => {
            "env: NCCL_ALGO, NCCL_PROTO, a tuner plug-in or nccl.conf; NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=TUNING"
        }
        CauseKind::Tcp => {
            "NCCL_DEBUG=INFO: NET/Socket instead of NET/IB or the plug-in; is NCCL_IB_DISABLE or NCCL_NET set?; ibv_devices inside the container"
        }
        CauseKind::FewNics => {
            "NCCL_DEBUG=INFO: how many devices the NET line lists; NCCL_IB_HCA, and the devices that the container sees; nvidia-smi topo -m"
        }
        CauseKind::Nic => {
            "ibstat or rdma link on every node: state and rate of each port; the same test over pairs of nodes, and per NIC with perftest"
        }
        CauseKind::SlowNode => {
            "the same test over pairs of nodes: which one is in every slow pair; ibstat there; lspci -vv: LnkSta of its NICs"
        }
        CauseKind::AllNics => {
            "ibstat: rate of the ports; lspci -vv: LnkSta width and speed of the NICs; nvidia-smi topo -m: is each GPU's NIC PIX or PXB?; RoCE: pauses, discards, retransmits; queue pairs per connection (NCCL_IB_QPS_PER_CONNECTION); perftest between two NICs"
        }
        CauseKind::Oversubscribed => {
            "the same test inside one leaf and across leaves; port counters for congestion (discards, pauses, waits)"
        }
        CauseKind::ScaleUpLinks => {
            "nvidia-smi nvlink -s: links and rates of every GPU; nvidia-smi nvlink -e: error counters; kernel log: Xid 74; AMD: amd-smi xgmi"
        }
        CauseKind::Fallback => {
            "nvidia-smi topo -m: NV# between all pairs; nvidia-smi nvlink -s (AMD: amd-smi topology, amd-smi xgmi); is the fabric manager running?; NCCL_DEBUG=INFO: P2P over PCIe or SHM"
        }
        CauseKind::Pcie => {
            "nvidia-smi -q: link generation and width, current against maximum (under load); lspci -vv: LnkSta against LnkCap"
        }
        CauseKind::Launch => {
            "is it a virtual machine?; CPU governor and C-states; process pinning; a profiler or a busy host; the first row may hold the warm-up"
        }
    }
}
