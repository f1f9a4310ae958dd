//! `icx-tui diagnose`: what explains the gap between a log and what the machine should show.

mod pairs;

use std::fmt::Write;

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};

use super::args::{DiagnoseArgs, TextOrJson};
use super::{Output, source};
use crate::measure::calibrate::{Calibration, calibrate};
use crate::measure::diagnose::{BandGap, Case, Cause, Diagnosis, Finding, Verdict, confirm};
use crate::measure::overlay::Measured;
use crate::scenario::Edit;
use crate::units::Share;

/// Compares a log with the machine as it should be.
pub fn run(a: &DiagnoseArgs) -> Result<Output> {
    let base = source::machine(&a.system, &a.edits)?.system;
    let log = match source::measured(&a.measured)? {
        Measured::Matrices(named) if a.calibrate => {
            bail!("{}: matrices between devices; --calibrate needs a log of nccl-tests", named.name)
        }
        Measured::Matrices(named) => return pairs::run(a, &base, &named),
        Measured::Log(named) => named.log,
    };
    let case = Case::new(&base, &log).map_err(|e| anyhow!("{}: {e}", a.measured))?;
    let result = case.diagnose().map_err(anyhow::Error::msg)?;
    if a.calibrate {
        let Some(c) = calibrate(&case.rows, &case.system) else { bail!("{}: no answer for these rows", a.system) };
        let text = match a.format {
            TextOrJson::Text => calibration_text(a, &case, &result, &c),
            TextOrJson::Json => pretty(&calibration_json(a, &case, &result, &c))?,
        };
        return Ok(Output::fine(text));
    }
    let text = match a.format {
        TextOrJson::Text => diagnosis_text(a, &case, &result),
        TextOrJson::Json => pretty(&diagnosis_json(a, &case, &result))?,
    };
    Ok(Output::coded(text, u8::from(result.verdict != Verdict::Healthy)))
}

fn pretty(v: &Value) -> Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(v)?))
}

fn texts(edits: &[Edit]) -> Vec<String> {
    edits.iter().map(ToString::to_string).collect()
}

fn header(out: &mut String, a: &DiagnoseArgs, case: &Case, rows: usize) {
    let ranks = case.ranks.map_or_else(|| "all".to_owned(), |r| r.to_string());
    let _ = writeln!(out, "{}: {rows} rows of {} over {ranks} ranks", case.system.name, a.measured);
    if !case.assumed.is_empty() {
        let _ = writeln!(out, "  from the log: {}", texts(&case.assumed).join("; "));
    }
    for r in &case.remarks {
        let _ = writeln!(out, "  {r}");
    }
}

fn diagnosis_text(a: &DiagnoseArgs, case: &Case, d: &Diagnosis) -> String {
    let mut out = String::new();
    header(&mut out, a, case, d.rows);
    let _ = writeln!(out, "\n  {:14} {:13} {:>9}  {:>12}", "collective", "band", "measured", "range");
    for b in &d.bands {
        band(&mut out, b);
    }
    let _ = writeln!(out, "  (medians of the time, as multiples of the healthy estimate)\n\n{}", d.sentence());
    if !d.findings.is_empty() {
        let _ = writeln!(out, "best explanations of {} priced, with the share of the gap that they explain\n", d.tried);
    }
    let several = d.findings.iter().filter(|f| f.tied).count() > 1;
    // What cannot be told apart from the best is never cut off.
    for (_, f) in d.findings.iter().enumerate().filter(|(i, f)| *i < a.top || f.tied) {
        finding(&mut out, f, several && f.tied);
    }
    if let Some(note) = d.undecided() {
        let _ = writeln!(out, "\n{note}");
    }
    confirmations(&mut out, d);
    if d.verdict == Verdict::Unexplained {
        let _ = writeln!(out, "\n--calibrate says which launch overhead and usable rates would fit this log");
    }
    out
}

fn band(out: &mut String, b: &BandGap) {
    let word = match (b.is_slow(), b.is_fast()) {
        (true, _) => "  slow",
        (_, true) => "  fast",
        _ => "",
    };
    let range = format!("{:.2}..{:.2}", b.low.ratio(), b.high.ratio());
    let name = b.collective.name();
    let _ = writeln!(out, "  {name:14} {:13} {:>9.2}  {range:>12}{word}", b.band.name(), b.off.ratio());
}

fn finding(out: &mut String, f: &Finding, tied: bool) {
    let mark = if tied { "=" } else { " " };
    let titles: Vec<&str> = f.causes.iter().map(|c| c.title.as_str()).collect();
    let _ = writeln!(out, "{mark} {:>3.0} %  {}", f.explains.percent().max(0.0), titles.join("; and "));
    let _ = writeln!(out, "         {}", short(&texts(&f.edits())));
    let _ = writeln!(out, "         would be {}", f.signature);
    for s in &f.same {
        let _ = writeln!(out, "         same curve: {} ({})", s.title, short(&texts(&s.edits)));
    }
}

/// A list of edits, the middle left out of a long one.
fn short(edits: &[String]) -> String {
    match edits {
        [first, .., last] if edits.len() > 3 => format!("{first}; ... {} more ...; {last}", edits.len() - 2),
        _ => edits.join("; "),
    }
}

/// How to confirm what is within noise of the best.
fn confirmations(out: &mut String, d: &Diagnosis) {
    let mut lines: Vec<&str> = Vec::new();
    let best = d.findings.iter().filter(|f| f.tied);
    for c in best.flat_map(|f| f.causes.iter().chain(&f.same)) {
        let line = confirm(c.kind);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "\nto confirm");
    }
    for l in lines {
        let _ = writeln!(out, "  {l}");
    }
}

fn cause_json(c: &Cause) -> Value {
    json!({"cause": c.title, "edits": texts(&c.edits)})
}

fn finding_json(f: &Finding) -> Value {
    let mut confirmations: Vec<&str> = f.causes.iter().chain(&f.same).map(|c| confirm(c.kind)).collect();
    confirmations.dedup();
    json!({
        "causes": f.causes.iter().map(|c| c.title.as_str()).collect::<Vec<_>>(),
        "edits": texts(&f.edits()),
        "explains": f.explains.ratio(),
        "score": f.score.ratio(),
        "tied": f.tied,
        "signature": f.signature,
        "same_curve": f.same.iter().map(cause_json).collect::<Vec<_>>(),
        "confirm": confirmations,
    })
}

fn common_json(a: &DiagnoseArgs, case: &Case) -> Value {
    json!({
        "system": case.system.name,
        "edits": a.edits,
        "measured": a.measured,
        "assumed": texts(&case.assumed),
        "remarks": case.remarks,
        "ranks": case.ranks,
    })
}

fn merged(mut into: Value, more: Value) -> Value {
    if let (Value::Object(a), Value::Object(b)) = (&mut into, more) {
        a.extend(b);
    }
    into
}

fn diagnosis_json(a: &DiagnoseArgs, case: &Case, d: &Diagnosis) -> Value {
    let gap = |b: &BandGap| {
        json!({"collective": b.collective.name(), "band": b.band.name(), "measured_over_estimate": b.off.ratio(),
            "range_low": b.low.ratio(), "range_high": b.high.ratio()})
    };
    let shown = d.findings.iter().enumerate().filter(|(i, f)| *i < a.top || f.tied);
    let more = json!({
        "verdict": d.verdict.name(),
        "rows": d.rows,
        "bands": d.bands.iter().map(gap).collect::<Vec<_>>(),
        "signature": d.signature,
        "healthy_score": d.healthy.ratio(),
        "priced": d.tried,
        "findings": shown.map(|(_, f)| finding_json(f)).collect::<Vec<_>>(),
    });
    merged(common_json(a, case), more)
}

fn calibration_text(a: &DiagnoseArgs, case: &Case, d: &Diagnosis, c: &Calibration) -> String {
    let mut out = String::new();
    header(&mut out, a, case, d.rows);
    if c.edits.is_empty() {
        let _ = writeln!(out, "\nnothing to calibrate: no launch overhead or usable rate fits better");
    } else {
        let _ = writeln!(out, "\nedits that make the estimate fit this log");
    }
    for (edit, was) in c.edits.iter().zip(&c.was) {
        let was = was.as_ref().map_or_else(|| "auto".to_owned(), ToString::to_string);
        let _ = writeln!(out, "  {edit}  (was {was})");
    }
    let percent = |s: Share| format!("{:.1} %", s.percent());
    let _ = writeln!(out, "median error of time: {} before, {} after", percent(c.before), percent(c.after));
    if d.verdict != Verdict::Healthy {
        let _ = writeln!(
            out,
            "caution: this log is not that of a healthy machine ({}); the fault is calibrated away too: diagnose first",
            d.signature
        );
    }
    out
}

fn calibration_json(a: &DiagnoseArgs, case: &Case, d: &Diagnosis, c: &Calibration) -> Value {
    let was: Vec<Option<String>> = c.was.iter().map(|w| w.as_ref().map(ToString::to_string)).collect();
    let more = json!({
        "verdict": d.verdict.name(),
        "calibration": texts(&c.edits),
        "was": was,
        "error_before": c.before.ratio(),
        "error_after": c.after.ratio(),
    });
    merged(common_json(a, case), more)
}
