//! The diagnosis of a log: what explains it, on the baseline as the machine should be.

use super::table::Table;
use super::{App, change_text};
use crate::cost::estimate;
use crate::measure::diagnose::{Case, Diagnosis, Finding};
use crate::scenario::{Edit, Entry, Refused};
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
        let full = edit.clone().in_full(self.system());
        self.history.done().iter().any(|e| e.enabled && (e.edit == *edit || e.edit == full))
    }

    /// Makes the edits of the cause under the cursor, and those that size the machine as the run was. Those of the other
    /// causes in the list are taken out: one explanation at a time. What is said compares with the machine without any.
    pub(crate) fn apply_finding(&mut self) {
        let Some(Ok(d)) = &self.reports.diagnosis else { return };
        let Some(finding) = d.result.findings.get(self.reports.at) else { return };
        let (assumed, cause) = (d.case.assumed.clone(), finding.edits());
        let others: Vec<Edit> = d.result.findings.iter().flat_map(Finding::edits).collect();
        let others: Vec<Edit> = others.into_iter().map(|e| e.in_full(self.system())).collect();
        if self.is_applied(finding) {
            return self.say("in force already; u takes it back", Role::Dim);
        }
        for at in (0..self.history.done().len()).rev() {
            if self.history.done().get(at).is_some_and(|e| others.contains(&e.edit)) {
                self.history.remove(at);
            }
        }
        let sized = self.push_missing(assumed);
        let before = estimate(self.system(), &self.question).estimate().map(|e| e.time);
        let made = sized.and_then(|()| self.push_missing(cause));
        self.machine_changed();
        if let Err(refused) = made {
            return self.say(refused.to_string(), Role::Bad);
        }
        let change = match (before, self.answers.now.estimate()) {
            (Some(before), Some(now)) => change_text((now.time / before).ratio()),
            (_, None) => "now unreachable".to_owned(),
            (None, Some(now)) => now.time.to_string(),
        };
        self.say(format!("with this cause: {change}; w shows it with the points, u takes it back"), Role::WhatIf);
    }

    /// Makes those of the edits that are not in force.
    fn push_missing(&mut self, edits: Vec<Edit>) -> Result<(), Refused> {
        for edit in edits {
            if !self.has_edit(&edit) {
                self.history.try_push(edit)?;
            }
        }
        Ok(())
    }
}
