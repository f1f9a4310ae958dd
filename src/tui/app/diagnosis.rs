//! The diagnosis of a log: what explains it, on the baseline as the machine should be.

use super::table::Table;
use super::{App, change_text};
use crate::measure::diagnose::{Case, Diagnosis, Finding};
use crate::scenario::{Edit, Entry};
use crate::tui::theme::Role;

/// A diagnosis and what it is about.
#[derive(Debug, Clone)]
pub struct Diagnosed {
    /// The machine and the rows.
    pub case: Case,
    /// What explains them.
    pub result: Diagnosis,
    /// The edits of the baseline that it was made for.
    baseline: Vec<Entry>,
}

impl super::Reports {
    /// The causes that are listed, best first.
    pub fn findings(&self) -> &[Finding] {
        match &self.diagnosis {
            Some(Ok(d)) => &d.result.findings,
            _ => &[],
        }
    }
}

impl App {
    /// The diagnosis for the log that is loaded. One that is still true is kept: edits of the what-if change nothing.
    pub(super) fn diagnosed(&self, known: Option<Result<Diagnosed, String>>) -> Result<Diagnosed, String> {
        if let Some(Ok(d)) = known
            && d.baseline == self.history.baseline_edits()
        {
            return Ok(d);
        }
        let Some(named) = &self.charts.measured else {
            return Err("no log is loaded: o asks for one, of nccl-tests or rccl-tests".to_owned());
        };
        let case = Case::new(self.history.baseline(), &named.log).map_err(|e| format!("{}: {e}", named.name))?;
        let result = case.diagnose().map_err(|e| format!("{}: {e}", named.name))?;
        Ok(Diagnosed { case, result, baseline: self.history.baseline_edits().to_vec() })
    }

    /// The causes as a table.
    pub(super) fn diagnose_table(&self) -> Table {
        let row = |f: &Finding| {
            let causes: Vec<&str> = f.causes.iter().map(|c| c.title.as_str()).collect();
            let edits: Vec<String> = f.edits().iter().map(Edit::to_string).collect();
            let tied = if f.tied { "yes" } else { "no" };
            let explains = format!("{:.1}", f.explains.percent());
            vec![explains, tied.to_owned(), causes.join("; and "), edits.join("; "), f.signature.clone()]
        };
        let header = ["explains %", "as good as the best", "cause", "edits", "curve"];
        Table::new("diagnosis", &header, self.reports.findings().iter().map(row).collect())
    }

    /// Whether all edits of a cause are in force.
    pub(crate) fn is_applied(&self, finding: &Finding) -> bool {
        finding.edits().iter().all(|e| self.has_edit(e))
    }

    fn has_edit(&self, edit: &Edit) -> bool {
        self.history.done().iter().any(|e| e.enabled && e.edit == *edit)
    }

    /// Makes the edits of the cause under the cursor, and those that size the machine as the run was. Those of the other
    /// causes in the list are taken out: one explanation at a time.
    pub(crate) fn apply_finding(&mut self) {
        let Some(Ok(d)) = &self.reports.diagnosis else { return };
        let Some(finding) = d.result.findings.get(self.reports.at) else { return };
        let wanted: Vec<Edit> = d.case.assumed.iter().cloned().chain(finding.edits()).collect();
        let others: Vec<Edit> = d.result.findings.iter().flat_map(Finding::edits).collect();
        if self.is_applied(finding) {
            return self.say("in force already; u takes it back", Role::Dim);
        }
        let before = self.answers.now.estimate().map(|e| e.time);
        for at in (0..self.history.done().len()).rev() {
            let other =
                self.history.done().get(at).is_some_and(|e| others.contains(&e.edit) && !wanted.contains(&e.edit));
            if other {
                self.history.remove(at);
            }
        }
        for edit in wanted.iter().filter(|e| !self.has_edit(e)).cloned().collect::<Vec<_>>() {
            if let Err(refused) = self.history.try_push(edit) {
                self.machine_changed();
                return self.say(refused.to_string(), Role::Bad);
            }
        }
        self.machine_changed();
        let change = match (before, self.answers.now.estimate()) {
            (Some(before), Some(now)) => change_text((now.time / before).ratio()),
            (_, None) => "now unreachable".to_owned(),
            (None, Some(now)) => now.time.to_string(),
        };
        self.say(format!("the cause is in force: {change}; w shows it with the points, u takes it back"), Role::WhatIf);
    }
}
