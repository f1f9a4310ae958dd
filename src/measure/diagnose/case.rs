//! A machine as it should be and what a log says was measured on it: what a diagnosis starts from.

use super::{Diagnosis, Observed, assume, diagnose_knowing};
use crate::measure::log::{Log, Test, Ways};
use crate::scenario::{Context, Edit, Entry, apply};
use crate::system::System;

/// A machine, sized as the run was, and the rows of the run.
#[derive(Debug, Clone)]
pub struct Case {
    /// The machine as it should be, with what the log says about the run.
    pub system: System,
    /// Edits that the log asked for: how many nodes or GPUs took part, GPUs per process.
    pub assumed: Vec<Edit>,
    /// The rows that are compared.
    pub rows: Vec<Observed>,
    /// Ranks of the run, if the log says it.
    pub ranks: Option<u32>,
    /// Which ways the library said it takes: they rule causes out.
    pub ways: Ways,
    /// What is worth knowing about the log: tables left out, settings shown.
    pub remarks: Vec<String>,
}

impl Case {
    /// The rows of all tables of a log that are about the ranks of its first one.
    ///
    /// # Errors
    /// One line: the log does not say which collective it is, or the machine has no such number of ranks.
    pub fn new(base: &System, log: &Log) -> Result<Self, String> {
        let known: Vec<&Test> = log.tests.iter().filter(|t| t.collective.is_some()).collect();
        let Some(first) = known.first() else { return Err("the log does not say which collective it is".to_owned()) };
        let assumed = assume(base, first)?;
        let entries: Vec<Entry> = assumed.iter().cloned().map(Entry::from).collect();
        // These edits were tried on this very machine.
        let system = apply(base, &entries, &Context::default()).system;
        let ranks = first.ranks;
        let mut case = Self { system, assumed, rows: Vec::new(), ranks, ways: log.ways.clone(), remarks: Vec::new() };
        for test in &known {
            case.take(test);
        }
        let unknown = log.tests.len() - known.len();
        if unknown > 0 {
            case.remarks.push(format!("{unknown} tables left out: which collective they are is not said"));
        }
        if case.ways.is_known() {
            case.remarks.push(format!("the log shows {}", case.ways));
        }
        Ok(case)
    }

    /// What explains the rows best.
    ///
    /// # Errors
    /// Why there is nothing to compare with.
    pub fn diagnose(&self) -> Result<Diagnosis, String> {
        diagnose_knowing(&self.system, &self.rows, &self.ways)
    }

    /// The rows of one table, if it is about the same ranks as the first.
    fn take(&mut self, test: &Test) {
        if test.ranks != self.ranks {
            let ranks = test.ranks.map_or("unknown".to_owned(), |r| r.to_string());
            self.remarks.push(format!("the table at line {} is left out: its ranks are {ranks}", test.line));
            return;
        }
        for (name, value) in &test.forced {
            self.remarks.push(format!("the log shows {name}={value} set"));
        }
        self.rows.extend(Observed::of_test(test));
    }
}
