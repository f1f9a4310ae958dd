//! What is wrong: which single cause, or pair of causes, best explains a measured curve.
//!
//! A cause is a list of edits, so its curve is an estimate like any other. Scores are losses of the logarithm of measured
//! over estimated time, in units of the estimate's own range, every size band counting the same: what the model cannot
//! tell apart, the diagnosis does not either.

mod assume;
mod case;
mod causes;
mod curve;
mod rank;
mod words;

use crate::cost::Params;
use crate::measure::log::{Test, Ways};
use crate::measure::stats::Band;
use crate::measure::table::TableRow;
use crate::question::Collective;
use crate::scenario::Edit;
use crate::system::{Algorithm, Protocol, System};
use crate::units::{Bytes, Share, Time};

use curve::{Cell, Curve, Rows, cells};

pub(super) use curve::{launch_for, price};

/// One measured row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observed {
    /// The collective.
    pub collective: Collective,
    /// nccl-tests' size.
    pub size: Bytes,
    /// Time of one call.
    pub time: Time,
    /// The algorithm, where it is known that the run forced it.
    pub algorithm: Option<Algorithm>,
    /// The protocol, where it is known that the run forced it.
    pub protocol: Option<Protocol>,
}

impl Observed {
    /// The rows of one table of a log. Empty if the log does not say which collective it is.
    pub fn of_test(test: &Test) -> Vec<Self> {
        let Some(collective) = test.collective else { return Vec::new() };
        let rows = test.rows.iter().filter_map(|r| Some((r.size, r.sample()?.time)));
        let one = |(size, time)| Self { collective, size, time, algorithm: None, protocol: None };
        rows.map(one).filter(Self::is_usable).collect()
    }

    /// A row of a table of measurements.
    pub fn of_row(row: &TableRow) -> Self {
        // Send and receive have no choice of algorithm, whatever the run was told.
        let direct = matches!(row.collective, Collective::AllToAll | Collective::SendRecv);
        let algorithm = row.algorithm.filter(|_| !direct);
        Self { collective: row.collective, size: row.size, time: row.time(), algorithm, protocol: row.protocol }
    }

    fn is_usable(&self) -> bool {
        self.time.us() > 0.0 && self.time.us().is_finite() && self.size.get() > 0.0
    }
}

/// What sort of thing a cause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CauseKind {
    /// Peer-to-peer is off.
    PeerToPeer,
    /// Peer-to-peer is off, and the way through host memory is slow as well.
    SlowStaging,
    /// `GPUDirect` RDMA is off.
    GpuDirect,
    /// In-switch reduction is not used.
    Nvls,
    /// `PCIe` access control.
    Acs,
    /// NICs of other GPUs are not used.
    Pxn,
    /// Several GPUs in one process.
    GpusPerProcess,
    /// An algorithm or a protocol is forced.
    Forced,
    /// TCP instead of RDMA.
    Tcp,
    /// Fewer NICs than there are.
    FewNics,
    /// One NIC is sick.
    Nic,
    /// One node is slow.
    SlowNode,
    /// All NICs are slow.
    AllNics,
    /// The network is oversubscribed.
    Oversubscribed,
    /// Some scale-up links of a GPU are down.
    ScaleUpLinks,
    /// Scale-up links are gone: traffic falls back to `PCIe`.
    Fallback,
    /// `PCIe` is slower than it should be.
    Pcie,
    /// A launch takes longer: a virtual machine, power saving, a busy host.
    Launch,
}

/// Something that may be wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    /// What sort of thing.
    pub kind: CauseKind,
    /// In words.
    pub title: String,
    /// The edits that make it so.
    pub edits: Vec<Edit>,
}

/// A cause, or a pair of them, and how well it explains the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// One or two causes.
    pub causes: Vec<Cause>,
    /// Loss that is left: 0 fits exactly, about 0.4 is off by half the range's width everywhere.
    pub score: Share,
    /// How much of the healthy estimate's loss it explains.
    pub explains: Share,
    /// Causes whose curve is the same for these rows: no measurement of these sizes tells them apart.
    pub same: Vec<Cause>,
    /// True when it fits as well as the best in every band, within noise.
    pub tied: bool,
    /// Its curve against the healthy one, in words.
    pub signature: String,
}

impl Finding {
    /// The edits of all its causes.
    pub fn edits(&self) -> Vec<Edit> {
        self.causes.iter().flat_map(|c| c.edits.iter().cloned()).collect()
    }
}

/// Measured against healthy in one size band of one collective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandGap {
    /// The collective.
    pub collective: Collective,
    /// The band.
    pub band: Band,
    /// Median of measured over estimated time.
    pub off: Share,
    /// Low end of the range over the estimate.
    pub low: Share,
    /// High end of the range over the estimate.
    pub high: Share,
}

impl BandGap {
    /// Slower than the range allows.
    pub fn is_slow(&self) -> bool {
        self.off.ratio() > self.high.ratio()
    }

    /// Faster than the range allows.
    pub fn is_fast(&self) -> bool {
        self.off.ratio() < self.low.ratio()
    }
}

/// What the diagnosis comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// This is what the machine should show.
    Healthy,
    /// A cause explains what is missing.
    Fault,
    /// Something is missing, and no cause that is known here explains it.
    Unexplained,
}

impl Verdict {
    /// As programs read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Fault => "fault",
            Self::Unexplained => "unexplained",
        }
    }
}

/// The whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// What it comes to.
    pub verdict: Verdict,
    /// Rows that were used.
    pub rows: usize,
    /// Measured against healthy, per collective and band.
    pub bands: Vec<BandGap>,
    /// The same in words.
    pub signature: String,
    /// Loss of the healthy estimate.
    pub healthy: Share,
    /// Causes, best first; empty for a healthy machine.
    pub findings: Vec<Finding>,
    /// How many causes and pairs were priced.
    pub tried: usize,
}

/// Least share of the gap that a cause has to explain.
const EXPLAINS: f64 = 0.5;

/// A band may be this much slower than its range before a machine counts as sick: one machine in ten lies above the range
/// by its definition.
const GRACE: f64 = 1.1;

/// Healthy estimates with less loss than this fit as a whole, even if one band is off; and where only bands between
/// latency and bandwidth are off, in which the library's choices differ most between sites.
const FITS: f64 = 0.25;
/// See above.
const FITS_BUT_RAMP: f64 = 0.5;

/// Finds what explains the rows best. `system` is the machine as it should be. The error says why there is nothing to
/// compare with.
pub fn diagnose(system: &System, all: &[Observed]) -> Result<Diagnosis, String> {
    diagnose_knowing(system, all, &Ways::default())
}

/// The same, without the causes that contradict the ways that the library said it takes.
fn diagnose_knowing(system: &System, all: &[Observed], ways: &Ways) -> Result<Diagnosis, String> {
    let usable: Vec<Observed> = all.iter().copied().filter(Observed::is_usable).collect();
    if usable.is_empty() {
        return Err("no row with a size and a time".to_owned());
    }
    let Some((rows, healthy)) = Rows::new(&usable, system) else {
        return Err(format!("{}: the system as described has no answer for these rows", system.name));
    };
    let bands: Vec<BandGap> = cells(&usable).into_iter().map(|c| gap(&rows, &healthy, c)).collect();
    let score = rows.score(&healthy);
    let mut d = Diagnosis {
        verdict: Verdict::Healthy,
        rows: usable.len(),
        signature: words::signature(&rows, &rows.measured(), &healthy),
        bands,
        healthy: Share::new(score),
        findings: Vec::new(),
        tried: 0,
    };
    if is_sick(&d.bands, score) {
        (d.findings, d.tried) = rank::rank(system, &rows, &healthy, ways);
        let explains = d.findings.first().is_some_and(|f| f.explains.ratio() >= EXPLAINS);
        d.verdict = if explains { Verdict::Fault } else { Verdict::Unexplained };
    }
    Ok(d)
}

fn is_sick(bands: &[BandGap], score: f64) -> bool {
    let slow = |b: &&BandGap| b.off.ratio() > b.high.ratio() * GRACE;
    let ramp = |b: &BandGap| matches!(b.band, Band::Small | Band::Middle);
    let fits = if bands.iter().filter(slow).all(ramp) { FITS_BUT_RAMP } else { FITS };
    bands.iter().any(|b| slow(&b)) && score > fits
}

fn gap(rows: &Rows<'_>, healthy: &Curve, of: Cell) -> BandGap {
    let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(f64::NAN);
    BandGap {
        collective: of.0,
        band: of.1,
        off: Share::new(rows.median(of, |i, o| o.time.us() / at(healthy, i))),
        low: Share::new(rows.median(of, |i, _| at(&rows.low, i))),
        high: Share::new(rows.median(of, |i, _| at(&rows.high, i))),
    }
}

/// The launch overhead that a system has now.
pub(super) fn launch_now(system: &System) -> Time {
    let params = Params::default();
    system.software.launch.unwrap_or(params.launch.is)
}

pub use assume::assume;
pub use case::Case;
pub use words::confirm;

#[cfg(test)]
mod tests;
