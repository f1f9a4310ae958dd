//! Measured matrices between the GPUs of a node beside what one copy should reach there, and which link is suspect.
//!
//! What such tests print is one transfer by a copy engine, so the prediction is the narrowest hop of the way at the share
//! of its line rate that a copy reaches, GB/s per direction.

mod suspects;

pub use suspects::{Suspect, suspects};

use super::matrix::{Matrices, Matrix, Side, Way, What};
use crate::system::{DeviceIx, System, UnitClass};
use crate::units::{Bandwidth, Share};

/// A copy below this share of its prediction is slow: two machines of one kind differ by less.
const SLOW: f64 = 0.8;

/// A copy below this share of the median of its equals is slow too, however generous the prediction is.
const SLOW_AMONG_EQUALS: f64 = 0.85;

/// A copy above this share is faster than such a link can be: another machine.
const FAST: f64 = 1.25;

/// What a measured copy says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairVerdict {
    /// About what the way gives.
    AsPredicted,
    /// Less than the way should give, or than pairs on an equal way get.
    Slow,
    /// More than the way can give: is the system described as it is?
    Fast,
}

impl PairVerdict {
    /// In a word or two.
    pub const fn words(self) -> &'static str {
        match self {
            Self::AsPredicted => "as predicted",
            Self::Slow => "slow",
            Self::Fast => "too fast",
        }
    }
}

/// One pair of GPUs, in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Index of the GPU that the data leaves, among those of the node.
    pub from: u32,
    /// Index of the GPU that gets it.
    pub to: u32,
    /// What was measured, per direction.
    pub measured: Bandwidth,
    /// What one copy should reach, per direction.
    pub predicted: Bandwidth,
    /// What that says.
    pub verdict: PairVerdict,
}

impl Pair {
    /// Measured over predicted.
    pub fn ratio(&self) -> Share {
        self.measured / self.predicted
    }
}

/// A measured matrix beside the prediction for one node.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// The matrix, by its title.
    pub title: String,
    /// Its pairs, row by row; those without a figure or without a way are left out.
    pub pairs: Vec<Pair>,
}

impl Overlay {
    /// The pair in one direction.
    pub fn pair(&self, from: u32, to: u32) -> Option<&Pair> {
        self.pairs.iter().find(|p| p.from == from && p.to == to)
    }

    /// Pairs of one verdict.
    pub fn count(&self, verdict: PairVerdict) -> usize {
        self.pairs.iter().filter(|p| p.verdict == verdict).count()
    }
}

/// The matrix that says what a copy between GPUs reaches with peer-to-peer on: one direction at a time if there is one.
fn between_gpus(all: &Matrices) -> Option<&Matrix> {
    let fits = |m: &&Matrix| m.rows == Side::Gpu && m.columns == Side::Gpu && m.peer_to_peer != Some(false);
    let of = |what: What| all.matrices.iter().filter(fits).find(|m| m.what == what);
    of(What::Unidirectional).or_else(|| of(What::Bidirectional))
}

/// Compares with one node of a unit.
///
/// # Errors
/// One line: there is no matrix of bandwidths between GPUs, or the node has fewer GPUs than it.
pub fn compare(system: &System, (unit, node): (u32, u32), all: &Matrices) -> Result<Overlay, String> {
    let Some(matrix) = between_gpus(all) else {
        let what = "no matrix of bandwidths between GPUs with peer-to-peer enabled";
        return Err(format!("{what}; expected p2pBandwidthLatencyTest, or device to device of nvbandwidth"));
    };
    let Some((_, class)) = system.class_of(unit) else { return Err(format!("{} has no unit {unit}", system.name)) };
    let gpus = gpus_of(class, node);
    let last = matrix.row_labels.iter().chain(&matrix.column_labels).max().copied().unwrap_or(0);
    if last as usize >= gpus.len() {
        return Err(format!("the matrix has GPU {last}, a node of {} has {}", system.name, gpus.len()));
    }
    let mut pairs = Vec::new();
    for &row in &matrix.row_labels {
        for &column in &matrix.column_labels {
            let (from, to) = if matrix.way == Way::ColumnToRow { (column, row) } else { (row, column) };
            let rate = matrix.rate(row, column).filter(|_| row != column);
            let ends = gpus.get(from as usize).zip(gpus.get(to as usize));
            let predicted = ends.and_then(|(a, b)| copy_rate(system, class, *a, *b));
            if let (Some(measured), Some(predicted)) = (rate, predicted) {
                pairs.push(Pair { from, to, measured, predicted, verdict: PairVerdict::AsPredicted });
            }
        }
    }
    judge(&mut pairs);
    Ok(Overlay { title: matrix.title.clone(), pairs })
}

/// The GPUs of a node of a unit, in the order of their indices.
fn gpus_of(class: &UnitClass, node: u32) -> Vec<DeviceIx> {
    let shape = &class.shape;
    let here = |d: &&DeviceIx| shape.device(**d).is_some_and(|k| k.node == Some(node));
    shape.gpus().iter().filter(here).copied().collect()
}

/// What one copy between two devices reaches, per direction; `None` without a way inside the unit.
pub fn copy_rate(system: &System, class: &UnitClass, from: DeviceIx, to: DeviceIx) -> Option<Bandwidth> {
    let hops = class.shape.way(from, to, &class.health)?;
    let share = |l: &crate::system::Link| {
        let own = system.software.usable.get(&l.kind.family).copied();
        own.unwrap_or_else(|| l.kind.copy.as_ref().map_or(l.kind.usable.is, |c| c.is))
    };
    Some(class.shape.narrowest(&hops, &class.health, share)).filter(|r| r.is_usable() && r.gbytes_per_s().is_finite())
}

/// Verdicts: against the prediction, and against the median of the pairs with the same prediction.
fn judge(pairs: &mut [Pair]) {
    let ratios: Vec<(Bandwidth, f64)> = pairs.iter().map(|p| (p.predicted, p.ratio().ratio())).collect();
    for p in pairs.iter_mut() {
        let equal = |b: Bandwidth| ((b / p.predicted).ratio() - 1.0).abs() < 0.01;
        let equals: Vec<Share> = ratios.iter().filter(|(b, _)| equal(*b)).map(|(_, r)| Share::new(*r)).collect();
        let usual = super::stats::median(&equals).map_or(1.0, Share::ratio);
        p.verdict = match p.ratio().ratio() {
            r if r < SLOW || r < usual * SLOW_AMONG_EQUALS => PairVerdict::Slow,
            r if r > FAST => PairVerdict::Fast,
            _ => PairVerdict::AsPredicted,
        };
    }
}

#[cfg(test)]
mod tests;
