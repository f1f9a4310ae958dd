//! Estimates for the rows of a measured table.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::table::TableRow;
use crate::cost::{Machine, Params, Prepared};
use crate::parts::Catalogue;
use crate::question::{Group, Question};
use crate::scenario::{Context, Entry, Outcome, apply};
use crate::system::{Algorithm, System};
use crate::units::Time;

/// Opens a system by the name that a table gives, with a catalogue of the caller's.
pub type Open<'a> = &'a dyn Fn(&str, &Arc<Catalogue>) -> Result<System, String>;

/// Rows that share a system, edits and launch mode: they are priced together.
#[derive(Debug, Clone)]
pub struct Case {
    /// Name of the system.
    pub system: String,
    /// Its edits, with the launch mode as one of them.
    edits: Vec<Entry>,
    /// Positions of the rows in the table.
    pub rows: Vec<usize>,
}

/// A row of the table with the model's answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Estimated time.
    pub time: Time,
    /// Its range.
    pub low: Time,
    /// See `low`.
    pub high: Time,
    /// Algorithm chosen.
    pub algorithm: Algorithm,
}

/// Groups the rows of a table by system, edits and launch mode. The error names the row whose edits do not parse.
pub fn cases(rows: &[TableRow]) -> Result<Vec<Case>, String> {
    let mut map: BTreeMap<(String, Vec<String>), Case> = BTreeMap::new();
    for (i, row) in rows.iter().enumerate() {
        let mut texts = row.edits.clone();
        if row.gpus_per_process > 1 {
            texts.push(format!("set gpus_per_process = {}", row.gpus_per_process));
        }
        let key = (row.system.clone(), texts.clone());
        if let Some(case) = map.get_mut(&key) {
            case.rows.push(i);
            continue;
        }
        let mut edits = Vec::new();
        for t in &texts {
            let edit = t.parse().map_err(|e| format!("row {} ({}): edit {t:?}: {e}", row.line, row.id))?;
            edits.push(Entry { edit, enabled: true });
        }
        map.insert(key, Case { system: row.system.clone(), edits, rows: vec![i] });
    }
    Ok(map.into_values().collect())
}

impl Case {
    /// The edited system. The error says which edit does nothing.
    pub fn system(&self, open: Open<'_>, catalogue: &Arc<Catalogue>) -> Result<System, String> {
        let base = open(&self.system, catalogue)?;
        let applied = apply(&base, &self.edits, &Context::default());
        for (outcome, entry) in applied.outcomes.iter().zip(&self.edits) {
            if let Outcome::Inert { reason } = outcome {
                return Err(format!("{}: edit {}: {reason}", self.system, entry.edit));
            }
        }
        Ok(applied.system)
    }

    /// What kind of machine it is, for ranges.
    pub fn machine(&self, system: &System) -> Option<Machine> {
        let who = Prepared::participants(system, Group::All).ok()?;
        Some(Machine::of(&Prepared::new(system, &who)))
    }

    /// Times for its rows, in their order, without ranges and explanations; `None` where the model says unreachable.
    pub fn times(&self, system: &System, params: &Params, rows: &[TableRow]) -> Vec<Option<Time>> {
        let Ok(who) = Prepared::participants(system, Group::All) else { return vec![None; self.rows.len()] };
        let prepared = Prepared::new(system, &who);
        let one = |i: &usize| Some(prepared.choose(params, &question(rows.get(*i)?)).ok()?.time());
        self.rows.iter().map(one).collect()
    }

    /// Answers for its rows, in their order; `None` where the model says unreachable.
    pub fn predict(&self, system: &System, params: &Params, rows: &[TableRow]) -> Vec<Option<Prediction>> {
        let Ok(who) = Prepared::participants(system, Group::All) else { return vec![None; self.rows.len()] };
        let prepared = Prepared::new(system, &who);
        let one = |i: &usize| {
            let row = rows.get(*i)?;
            let answer = prepared.answer_with(params, &question(row));
            let e = answer.estimate()?;
            Some(Prediction { time: e.time, low: e.low, high: e.high, algorithm: e.chosen.algorithm })
        };
        self.rows.iter().map(one).collect()
    }
}

/// The question that a row answers.
pub fn question(row: &TableRow) -> Question {
    Question { algorithm: row.algorithm, protocol: row.protocol, ..Question::new(row.collective, row.size) }
}
