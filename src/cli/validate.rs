//! `icx-tui validate`: estimates against measurements.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::args::{TextOrJson, ValidateArgs};
use super::{Output, source};
use crate::measure::stats::Band;
use crate::measure::table::{self, TableRow};
use crate::measure::validate::{BandError, Overall, Report, validate};
use crate::measure::{left_out, log};
use crate::parts::Catalogue;
use crate::preset;
use crate::system::System;
use crate::units::Share;

/// Largest median error of time over ids, per band, smallest first: what the published table must stay within.
pub const LIMITS: [f64; 5] = [0.116, 0.124, 0.095, 0.058, 0.023];

/// Compares a table (the published one without an argument) or a log with the model.
pub fn run(a: &ValidateArgs) -> Result<Output> {
    let rows = rows(a)?;
    let mut opened: HashMap<String, System> = HashMap::new();
    for row in &rows {
        if !opened.contains_key(&row.system) {
            opened.insert(row.system.clone(), source::open(&row.system)?);
        }
    }
    let open = |name: &str, _: &Arc<Catalogue>| opened.get(name).cloned().ok_or_else(|| format!("no system {name}"));
    let report = validate(&rows, &open, preset::catalogue()).map_err(anyhow::Error::msg)?;
    let left = if a.table.is_none() {
        let times = left_out::read(left_out::PUBLISHED, left_out::PUBLISHED_NAME, &rows)?;
        left_out::errors(&rows, &times, &report.predictions)
    } else {
        Vec::new()
    };
    let failed = a.table.is_none() && report.overall.iter().any(|o| o.median.ratio() > limit(o.band));
    let text = match a.format {
        TextOrJson::Text => text(&report, &left, a.top),
        TextOrJson::Json => format!("{}\n", serde_json::to_string_pretty(&to_json(&report, &left, a.top))?),
    };
    Ok(Output::coded(text, u8::from(failed)))
}

fn limit(band: Band) -> f64 {
    let at = Band::ALL.iter().position(|b| *b == band).unwrap_or(0);
    LIMITS.get(at).copied().unwrap_or(1.0)
}

fn rows(a: &ValidateArgs) -> Result<Vec<TableRow>> {
    let Some(path) = &a.table else { return Ok(table::read(table::PUBLISHED, table::PUBLISHED_NAME)?) };
    let text = source::read(path)?;
    if text.lines().next().is_some_and(|l| l.contains("size_bytes")) {
        return Ok(table::read(&text, path)?);
    }
    let Some(system) = &a.system else {
        bail!(
            "{path}: not a table of measurements (no column size_bytes); for an nccl-tests log name the machine: --system SYSTEM"
        );
    };
    from_log(&text, path, system, &a.edits)
}

/// The rows of an nccl-tests log as a table about one system.
pub fn from_log(text: &str, path: &str, system: &str, edits: &[String]) -> Result<Vec<TableRow>> {
    let log = log::read(text, path)?;
    let mut rows = Vec::new();
    for test in &log.tests {
        let Some(collective) = test.collective else {
            bail!("{path}: the log does not say which collective it is");
        };
        for r in &test.rows {
            let Some(side) = r.sample() else { continue };
            rows.push(TableRow {
                line: r.line,
                id: format!("{path}:{}", collective.name()),
                system: system.to_owned(),
                edits: edits.to_vec(),
                collective,
                ranks: test.ranks.unwrap_or(0),
                gpus_per_process: test.gpus_per_process.unwrap_or(1),
                algorithm: None,
                protocol: None,
                size: r.size,
                measured_time: Some(side.time),
                measured_busbw: None,
                note: String::new(),
                source: path.to_owned(),
            });
        }
    }
    if rows.is_empty() {
        bail!("{path}: no rows of an nccl-tests table found");
    }
    Ok(rows)
}

fn percent(s: Share) -> String {
    format!("{:.1}", s.percent())
}

fn text(r: &Report, left: &[Overall], top: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "error of time per id and band: median signed, median and 90 % point of |error|, in %; busbw alike\n"
    );
    let _ = writeln!(
        out,
        "{:34} {:22} {:13} {:>4} {:>7} {:>6} {:>6}  {:>6} {:>6}",
        "id", "system", "band", "rows", "signed", "time", "p90", "busbw", "p90"
    );
    for id in &r.ids {
        let note = if id.degraded { " (degraded)" } else { "" };
        for (band, e) in Band::ALL.iter().zip(&id.bands) {
            if let Some(e) = e {
                line(&mut out, &format!("{}{note}", id.id), &id.system, *band, e);
            }
        }
    }
    let _ = writeln!(out, "\noverall, each id counting once; range: share of rows inside, median width\n");
    let _ = writeln!(
        out,
        "{:13} {:>4} {:>7} {:>6} {:>7} {:>8} {:>6} {:>7}",
        "band", "ids", "median", "p90", "bias", "in range", "width", "limit"
    );
    for o in &r.overall {
        overall_line(&mut out, o);
    }
    if !left.is_empty() {
        let _ = writeln!(out, "\nthe same with the row's own machine left out of the fit\n");
        for o in left {
            overall_line(&mut out, o);
        }
    }
    let _ = writeln!(out, "\nworst rows\n");
    for w in r.worst.iter().take(top) {
        let _ = writeln!(
            out,
            "{:34} {:>9}  measured {:>9}, estimated {:>9}  {}",
            w.id,
            w.size.to_string(),
            w.measured.to_string(),
            w.estimated.to_string(),
            w.reason
        );
    }
    out
}

fn line(out: &mut String, id: &str, system: &str, band: Band, e: &BandError) {
    let _ = writeln!(
        out,
        "{id:34} {system:22} {:13} {:>4} {:>+7.1} {:>6} {:>6}  {:>6} {:>6}",
        band.name(),
        e.rows,
        e.signed.percent(),
        percent(e.time),
        percent(e.time_p90),
        percent(e.busbw),
        percent(e.busbw_p90)
    );
}

fn overall_line(out: &mut String, o: &Overall) {
    let _ = writeln!(
        out,
        "{:13} {:>4} {:>7} {:>6} {:>+7.1} {:>8} {:>6.2} {:>7}",
        o.band.name(),
        o.ids,
        percent(o.median),
        percent(o.p90),
        o.bias.percent(),
        percent(o.inside),
        o.width.ratio(),
        percent(Share::new(limit(o.band)))
    );
}

fn to_json(r: &Report, left: &[Overall], top: usize) -> Value {
    let band = |(b, e): (&Band, &Option<BandError>)| {
        e.as_ref().map(|e| {
            json!({"band": b.name(), "rows": e.rows, "signed": e.signed.ratio(), "time_median": e.time.ratio(),
            "time_p90": e.time_p90.ratio(), "busbw_median": e.busbw.ratio(), "busbw_p90": e.busbw_p90.ratio()})
        })
    };
    json!({
        "ids": r.ids.iter().map(|i| json!({"id": i.id, "system": i.system, "degraded": i.degraded,
            "bands": Band::ALL.iter().zip(&i.bands).filter_map(band).collect::<Vec<_>>()})).collect::<Vec<_>>(),
        "overall": r.overall.iter().map(|o| json!({"band": o.band.name(), "ids": o.ids, "median": o.median.ratio(),
            "p90": o.p90.ratio(), "bias": o.bias.ratio(), "in_range": o.inside.ratio(), "range_width": o.width.ratio(),
            "limit": limit(o.band)})).collect::<Vec<_>>(),
        "left_out": left.iter().map(|o| json!({"band": o.band.name(), "ids": o.ids, "median": o.median.ratio(),
            "p90": o.p90.ratio(), "bias": o.bias.ratio(), "in_range": o.inside.ratio(), "range_width": o.width.ratio()}))
            .collect::<Vec<_>>(),
        "worst": r.worst.iter().take(top).map(|w| json!({"id": w.id, "size_bytes": w.size.to_u64(),
            "measured_us": w.measured.us(), "estimated_us": w.estimated.us(), "reason": w.reason})).collect::<Vec<_>>(),
    })
}
