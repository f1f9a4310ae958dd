//! Logs of nccl-tests and rccl-tests, of any version: text as printed (also by `mpirun --tag-output`, `srun -l` or a
//! container runtime, with library messages in between) and the JSON of `-J`.
//!
//! A file may hold several tables. What the log does not say is inferred where that is certain: the ranks from
//! `size / (count x element)` or from busbw / algbw, the collective from the same two.

mod infer;
mod json;
mod line;
mod text;
mod ways;

pub use ways::Ways;

use super::{MeasureError, Remark, check_size};
use crate::question::Collective;
use crate::units::{Bandwidth, Bytes, Time};

/// All tables of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// The tables that have rows, in order.
    pub tests: Vec<Test>,
    /// What was passed over.
    pub remarks: Vec<Remark>,
    /// Which ways the library said it takes.
    pub ways: Ways,
}

/// One table: one collective, one communicator.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Test {
    /// Line of its header, from 1.
    pub line: usize,
    /// The collective, if the log says it or the figures leave no doubt.
    pub collective: Option<Collective>,
    /// How the collective is known.
    pub collective_from: Known,
    /// Ranks of the communicator.
    pub ranks: Option<u32>,
    /// How the ranks are known.
    pub ranks_from: Known,
    /// Hosts that the devices are on.
    pub hosts: Option<u32>,
    /// The GPU's name, of the first rank.
    pub gpu: Option<String>,
    /// GPUs that one thread drives (nccl-tests `-g`); the launch of a call grows with it.
    pub gpus_per_process: Option<u32>,
    /// Threads of one process (`-t`).
    pub threads: Option<u32>,
    /// Version of the library, `2.26.2`.
    pub library: Option<String>,
    /// `NCCL_ALGO` and `NCCL_PROTO` where the log shows them set.
    pub forced: Vec<(String, String)>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// True when the footer of the table was there.
    pub complete: bool,
    /// A row names a reduction.
    sums: bool,
    /// Whether the header has columns for the reduction and the root; they tell old tests apart.
    layout: Option<(bool, bool)>,
}

/// How a fact about a test is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Known {
    /// It is not.
    #[default]
    No,
    /// The log says so.
    Said,
    /// It follows from the figures.
    Inferred,
}

/// One message size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Line in the file, from 1 (0 in JSON).
    pub line: usize,
    /// nccl-tests' size.
    pub size: Bytes,
    /// Elements as printed in the count column, and bytes of one, if the type is known.
    pub(super) elements: Option<(u64, u32)>,
    /// Input and output in different buffers.
    pub out_of_place: Option<Sample>,
    /// In one buffer.
    pub in_place: Option<Sample>,
}

/// What was measured at one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Time of one call.
    pub time: Time,
    /// Size over time.
    pub algbw: Bandwidth,
    /// algbw times the collective's factor.
    pub busbw: Bandwidth,
    /// Wrong elements, where the check was on.
    pub wrong: Option<f64>,
}

impl Row {
    /// Out of place, or in place where nothing else was measured.
    pub fn sample(&self) -> Option<Sample> {
        self.out_of_place.or(self.in_place)
    }
}

/// Reads a log. `file` is what errors call it. A file without any usable row is an error that says why.
pub fn read(text: &str, file: &str) -> Result<Log, MeasureError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_size(text, file)?;
    let mut log = if text.trim_start().starts_with('{') { json::read(text, file)? } else { text::read(text, file)? };
    for test in &mut log.tests {
        infer::complete(test, &mut log.remarks);
    }
    log.remarks.sort_by_key(|r| r.line);
    Ok(log)
}

/// A line without the prefix that `mpirun`, `srun` or a container runtime put in front.
pub(super) fn body_of(raw: &str) -> &str {
    line::split(raw).body
}

/// True when a text looks like a log of these tests: it has a table header, or is their JSON.
pub fn looks_like(text: &str) -> bool {
    let head: String = text.chars().take(4096).collect();
    if head.trim_start().starts_with('{') {
        return text.contains("\"out_of_place\"") || text.contains("\"in_place\"");
    }
    text.lines().any(line::is_header)
}

#[cfg(test)]
mod tests;
