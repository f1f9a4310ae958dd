//! `icx-tui diagnose` of measured matrices: every pair of GPUs beside what one copy should reach, and what is suspect.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use serde_json::json;

use super::pretty;
use crate::cli::Output;
use crate::cli::args::{DiagnoseArgs, TextOrJson};
use crate::measure::overlay::NamedMatrices;
use crate::measure::pairs::{Overlay, Pair, PairVerdict, Suspect, compare, suspects};
use crate::system::System;
use crate::units::counted;

/// Compares with the first node.
pub(super) fn run(a: &DiagnoseArgs, system: &System, named: &NamedMatrices) -> Result<Output> {
    let overlay = compare(system, (0, 0), &named.all).map_err(|e| anyhow!("{}: {e}", a.measured))?;
    let found = suspects(&overlay);
    let text = match a.format {
        TextOrJson::Text => text(a, system, &overlay, &found),
        TextOrJson::Json => pretty(&json(a, system, &overlay, &found))?,
    };
    Ok(Output::coded(text, u8::from(!found.is_empty())))
}

fn text(a: &DiagnoseArgs, system: &System, overlay: &Overlay, found: &[Suspect]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {} of {}", system.name, counted(overlay.pairs.len() as u64, "pair"), a.measured);
    let _ = writeln!(out, "  {}", overlay.title);
    let _ = writeln!(out, "  GB/s per direction, and the share of what one copy should reach there\n");
    table(&mut out, overlay);
    let [slow, fast] = [PairVerdict::Slow, PairVerdict::Fast].map(|v| overlay.count(v));
    let _ = match (slow, fast) {
        (0, 0) => writeln!(out, "\nhealthy: every copy is about what its way gives"),
        (0, n) => writeln!(
            out,
            "\nhealthy, but {n} copies are faster than such links can be: is the system described as it is?"
        ),
        (n, _) => writeln!(out, "\nfault: {n} of {} copies are slow (marked !)", overlay.pairs.len()),
    };
    for s in found {
        let _ = writeln!(out, "  {}", s.what);
        if let Some(edit) = &s.edit {
            let _ = writeln!(out, "    as an edit: {edit}");
        }
        let _ = writeln!(out, "    to confirm: {}", s.confirm);
    }
    out
}

/// The devices that data leaves down, those that it reaches across.
fn table(out: &mut String, overlay: &Overlay) {
    let mut gpus: Vec<u32> = overlay.pairs.iter().flat_map(|p| [p.from, p.to]).collect();
    gpus.sort_unstable();
    gpus.dedup();
    let _ = write!(out, "  from \\ to");
    for g in &gpus {
        let _ = write!(out, " {:>11}", format!("gpu{g}"));
    }
    let _ = writeln!(out);
    for from in &gpus {
        let _ = write!(out, "  {:9}", format!("gpu{from}"));
        for to in &gpus {
            let _ = write!(out, " {:>11}", overlay.pair(*from, *to).map_or("-".to_owned(), cell));
        }
        let _ = writeln!(out);
    }
}

fn cell(p: &Pair) -> String {
    let mark = match p.verdict {
        PairVerdict::Slow => "!",
        PairVerdict::Fast => "+",
        PairVerdict::AsPredicted => "",
    };
    format!("{mark}{:.1} {:>3.0}%", p.measured.gbytes_per_s(), p.ratio().percent())
}

fn json(a: &DiagnoseArgs, system: &System, overlay: &Overlay, found: &[Suspect]) -> serde_json::Value {
    let pair = |p: &Pair| {
        json!({"from": p.from, "to": p.to, "measured_gbytes_per_s": p.measured.gbytes_per_s(),
            "predicted_gbytes_per_s": p.predicted.gbytes_per_s(), "ratio": p.ratio().ratio(), "verdict": p.verdict.words()})
    };
    let suspect = |s: &Suspect| json!({"what": s.what, "edit": s.edit, "confirm": s.confirm});
    json!({
        "system": system.name,
        "edits": a.edits,
        "measured": a.measured,
        "matrix": overlay.title,
        "verdict": if found.is_empty() { "healthy" } else { "fault" },
        "pairs": overlay.pairs.iter().map(pair).collect::<Vec<_>>(),
        "suspects": found.iter().map(suspect).collect::<Vec<_>>(),
    })
}
