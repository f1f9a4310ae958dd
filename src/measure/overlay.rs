//! A log beside the prediction, row by row: for the points of a chart and for the table of `sweep --measured`.

use std::fmt;

use super::MeasureError;
use super::log::{self, Log, Sample, Test};
use super::matrix::{self, Matrices};
use crate::cost::{Estimate, Prepared, Unreachable};
use crate::question::{Collective, Question};
use crate::units::{Bytes, Share};

/// A log and what it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedLog {
    /// The file's name, without its folder.
    pub name: String,
    /// The file, as the user named it.
    pub path: String,
    /// Its tables.
    pub log: Log,
}

/// Matrices between the devices of a node and what they are called.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMatrices {
    /// The file's name, without its folder.
    pub name: String,
    /// The file, as the user named it.
    pub path: String,
    /// The matrices.
    pub all: Matrices,
}

/// What a file of measurements holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// Rows of nccl-tests or rccl-tests.
    Log(NamedLog),
    /// Bandwidths or latencies between devices.
    Matrices(NamedMatrices),
}

impl Measured {
    /// Reads a file by what it holds, whatever its name.
    ///
    /// # Errors
    /// It is neither, or cannot be read; the text says what is wrong where.
    pub fn read(text: &str, path: &str) -> Result<Self, MeasureError> {
        let name = std::path::Path::new(path).file_name().map_or(path.to_owned(), |n| n.to_string_lossy().into_owned());
        if matrix::looks_like(text) {
            return Ok(Self::Matrices(NamedMatrices { name, path: path.to_owned(), all: matrix::read(text, path)? }));
        }
        Ok(Self::Log(NamedLog { name, path: path.to_owned(), log: log::read(text, path)? }))
    }
}

/// What a measured time says about a predicted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Within the range of the prediction.
    AsPredicted,
    /// Above its slow end: something is worth a look.
    Slower,
    /// Below its fast end.
    Faster,
    /// Below the physical limit: the log is of another machine, another collective or other ranks.
    BelowBound,
}

impl Verdict {
    /// In a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::AsPredicted => "in the range",
            Self::Slower => "slower than the range",
            Self::Faster => "faster than the range",
            Self::BelowBound => "faster than the limit: another machine?",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// One row of a log with the prediction for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// nccl-tests' size.
    pub size: Bytes,
    /// What was measured: out of place, or in place where nothing else was.
    pub sample: Sample,
    /// What is predicted at this size.
    pub estimate: Estimate,
}

impl Compared {
    /// Measured time over predicted time: above 1 is slower than predicted.
    pub fn ratio(&self) -> Share {
        self.sample.time / self.estimate.time
    }

    /// What the measured time says.
    pub fn verdict(&self) -> Verdict {
        match self.sample.time {
            t if t < self.estimate.bound => Verdict::BelowBound,
            t if t < self.estimate.low => Verdict::Faster,
            t if t > self.estimate.high => Verdict::Slower,
            _ => Verdict::AsPredicted,
        }
    }
}

/// The table of a log that answers a question asked of so many ranks: of those that may, the one with most rows.
///
/// # Errors
/// No table is of this collective, or of so many ranks; the text says what the log has instead.
pub fn table_for<'l>(log: &'l Log, question: &Question, ranks: u64) -> Result<&'l Test, String> {
    let of = |t: &&Test| t.collective.is_none_or(|c| c == question.collective);
    let same: Vec<&Test> = log.tests.iter().filter(of).collect();
    if same.is_empty() {
        let names = log.tests.iter().filter_map(|t| t.collective).map(Collective::name);
        return Err(format!("measured is {}, asked is {}", listed(names), question.collective));
    }
    let fits = same.iter().filter(|t| t.ranks.is_none_or(|r| u64::from(r) == ranks));
    fits.max_by_key(|t| t.rows.len()).copied().ok_or_else(|| {
        let counts: Vec<String> = same.iter().filter_map(|t| t.ranks).map(|r| r.to_string()).collect();
        format!("measured over {} ranks, asked of {ranks}", listed(counts.iter().map(String::as_str)))
    })
}

/// Names without repetition.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.join(", ")
}

/// The rows of a table beside the prediction for their sizes, in the order of the table.
///
/// # Errors
/// The group cannot be reached, or nothing that is allowed can do it.
pub fn compare(prepared: &Prepared<'_>, question: &Question, test: &Test) -> Result<Vec<Compared>, Unreachable> {
    let mut all = Vec::new();
    for row in &test.rows {
        let Some(sample) = row.sample().filter(|s| s.time.us() > 0.0 && s.time.us().is_finite()) else { continue };
        if row.size.get() < 1.0 {
            continue;
        }
        match prepared.answer(&question.at_size(row.size)) {
            crate::cost::Answer::Estimate(e) => all.push(Compared { size: row.size, sample, estimate: *e }),
            crate::cost::Answer::Unreachable(u) => return Err(u),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a missing table is the failure of the test")]
    use super::*;
    use crate::measure::log::read;
    use crate::preset::load_shipped;
    use crate::units::Time;
    use std::fmt::Write;

    /// A log of eight ranks with these sizes and times.
    fn log(rows: &[(u64, f64)]) -> Log {
        let mut text = "# nThread 1 nGpus 8 minBytes 8 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20\n\
             #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n\
             #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
            .to_owned();
        for (size, us) in rows {
            let algbw = *size as f64 / us / 1e3;
            let busbw = algbw * 1.75;
            let half = format!("{us:.2} {algbw:.2} {busbw:.2} 0");
            let _ = writeln!(text, "{size} {} float sum -1 {half} {half}", size / 4);
        }
        read(&text, "a.log").unwrap()
    }

    #[test]
    fn verdicts_follow_range_and_bound() {
        let system = load_shipped("dgx-h100").unwrap();
        let question = Question::default();
        let who = Prepared::participants(&system, question.group).unwrap();
        let prepared = Prepared::new(&system, &who);
        let at = prepared.answer(&question.at_size(Bytes::from_gib(1.0)));
        let e = at.estimate().unwrap();
        let verdict = |time: Time| {
            let log = log(&[(1 << 30, time.us())]);
            let rows = compare(&prepared, &question, log.tests.first().unwrap()).unwrap();
            let row = rows.first().unwrap();
            assert!((row.ratio().ratio() - (time / e.time).ratio()).abs() < 0.01);
            row.verdict()
        };
        assert_eq!(verdict(e.time), Verdict::AsPredicted);
        assert_eq!(verdict(e.high * 1.1), Verdict::Slower);
        assert_eq!(verdict(e.bound * 0.5), Verdict::BelowBound);
    }

    #[test]
    fn a_log_of_something_else_is_refused_with_what_it_has() {
        let log = log(&[(1 << 30, 4000.0), (1 << 20, 50.0)]);
        let q = Question::default();
        assert_eq!(table_for(&log, &q, 8).unwrap().rows.len(), 2);
        assert!(table_for(&log, &q, 16).unwrap_err().contains("over 8 ranks, asked of 16"));
        let q = Question { collective: Collective::AllToAll, ..q };
        assert!(table_for(&log, &q, 8).unwrap_err().contains("measured is all-reduce, asked is all-to-all"));
    }
}
