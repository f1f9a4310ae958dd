//! `icx-tui sweep --measured LOG`: predicted, measured, their ratio and a verdict, at the sizes of the log.

use std::fmt::Write;

use anyhow::{Result, anyhow, bail};
use serde_json::json;

use crate::cli::Output;
use crate::cli::args::{SweepArgs, TableFormat};
use crate::cli::calc::to_json;
use crate::cli::question::ask;
use crate::cli::source::{self, Machine};
use crate::cost::{Answer, Prepared};
use crate::measure::overlay::{Compared, Verdict, compare, table_for};

/// Compares the log's table that fits the question with the prediction.
pub(super) fn run(a: &SweepArgs, path: &str) -> Result<Output> {
    let named = source::log(path)?;
    let Machine { system, edits, question } = ask(&a.ask, Some(a.min))?;
    let who = Prepared::participants(&system, question.group).map_err(|u| anyhow!("{u}"))?;
    let test = table_for(&named.log, &question, who.ranks).map_err(|why| anyhow!("{path}: {why}"))?;
    let rows = compare(&Prepared::new(&system, &who), &question, test).map_err(|u| anyhow!("{u}"))?;
    if rows.is_empty() {
        bail!("{path}:{}: the table has no time above 0", test.line);
    }
    Ok(Output::fine(match a.format {
        TableFormat::Text => table(&rows),
        TableFormat::Csv => csv(&rows)?,
        TableFormat::Json => {
            let all: Vec<_> = rows.iter().map(|r| row_json(&system.name, &edits, r)).collect();
            format!("{}\n", serde_json::to_string_pretty(&all)?)
        }
    }))
}

fn table(rows: &[Compared]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:>14} {:>14} {:>13} {:>8} {:>11} {:>11}  {:22}  algorithm protocol",
        "size (B)", "predicted (us)", "measured (us)", "ratio", "busbw pred.", "busbw meas.", "verdict"
    );
    for r in rows {
        let e = &r.estimate;
        let _ = writeln!(
            out,
            "{:>14} {:>14.2} {:>13.2} {:>8.2} {:>11.2} {:>11.2}  {:22}  {} {}",
            r.size.to_u64(),
            e.time.us(),
            r.sample.time.us(),
            r.ratio().ratio(),
            e.busbw().gbytes_per_s(),
            r.sample.busbw.gbytes_per_s(),
            r.verdict(),
            e.chosen.algorithm,
            e.chosen.protocol
        );
    }
    let inside = rows.iter().filter(|r| r.verdict() == Verdict::AsPredicted).count();
    let _ = writeln!(out, "{inside} of {} sizes lie in the range of the prediction", rows.len());
    out
}

fn row_json(system: &str, edits: &[String], r: &Compared) -> serde_json::Value {
    let mut value = to_json(system, edits, &Answer::Estimate(Box::new(r.estimate.clone())));
    if let Some(map) = value.as_object_mut() {
        map.insert("measured_time_us".to_owned(), json!(r.sample.time.us()));
        map.insert("measured_busbw_gbytes_per_s".to_owned(), json!(r.sample.busbw.gbytes_per_s()));
        map.insert("measured_over_predicted".to_owned(), json!(r.ratio().ratio()));
        map.insert("verdict".to_owned(), json!(r.verdict().words()));
    }
    value
}

fn csv(rows: &[Compared]) -> Result<String> {
    let mut w = csv::Writer::from_writer(Vec::new());
    w.write_record([
        "size_bytes",
        "predicted_us",
        "low_us",
        "high_us",
        "bound_us",
        "measured_us",
        "measured_over_predicted",
        "verdict",
        "algorithm",
        "protocol",
    ])?;
    for r in rows {
        let e = &r.estimate;
        w.write_record([
            r.size.to_u64().to_string(),
            format!("{:.3}", e.time.us()),
            format!("{:.3}", e.low.us()),
            format!("{:.3}", e.high.us()),
            format!("{:.3}", e.bound.us()),
            format!("{:.3}", r.sample.time.us()),
            format!("{:.4}", r.ratio().ratio()),
            r.verdict().words().to_owned(),
            e.chosen.algorithm.to_string(),
            e.chosen.protocol.to_string(),
        ])?;
    }
    Ok(String::from_utf8(w.into_inner()?)?)
}
