//! `icx-tui impact`: what one change does, faults and upgrades ranked.

use std::fmt::Write;

use anyhow::Result;
use serde_json::{Value, json};

use super::Output;
use super::args::{ImpactArgs, TextOrJson};
use super::question::ask;
use super::source::Machine;
use crate::cost::Unreachable;
use crate::measure::impact::{Impact, Impacts, Kind, Limits, RESOLUTION, change, impact, top};
use crate::question::Question;
use crate::units::{Share, counted};

/// Widest bar, characters, and the change that fills it.
const BAR: (usize, f64) = (12, 1.0);

/// Ranks the changes.
pub fn run(a: &ImpactArgs) -> Result<Output> {
    let Machine { system, edits, question } = ask(&a.ask, a.size)?;
    let result = impact(&system, &question, Limits::default());
    let code = u8::from(result.is_err());
    let text = match a.format {
        TextOrJson::Json => {
            let object = to_json(&system.name, &edits, &question, &result, a.top);
            format!("{}\n", serde_json::to_string_pretty(&object)?)
        }
        TextOrJson::Text => match &result {
            Ok(all) => text(&system.name, &question, all, a.top),
            Err(u) => format!("{u}\n"),
        },
    };
    Ok(Output::coded(text, code))
}

/// A heading and what belongs under it.
type Group = (&'static str, fn(Kind) -> bool);

fn text(system: &str, q: &Question, all: &Impacts, n: usize) -> String {
    let mut out = String::new();
    let c = &all.chosen;
    let _ = writeln!(
        out,
        "{system}: {} {} over {} on {}",
        q.collective,
        q.size,
        counted(all.ranks, "rank"),
        counted(all.nodes, "node")
    );
    let _ = writeln!(out, "  baseline {} {}  {}", c.algorithm, c.protocol, all.baseline);
    let shown = top(&all.rows, n);
    let groups: [Group; 3] = [
        ("faults, worst first", Kind::is_fault),
        ("upgrades, best first", |k| k == Kind::Upgrade),
        ("settings, best first", |k| k == Kind::Setting),
    ];
    let width = shown.iter().map(|r| r.edit.to_string().len()).max().unwrap_or(0).max(24);
    for (title, is) in groups {
        let rows: Vec<&&Impact> = shown.iter().filter(|r| is(r.kind)).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n  {title:width$}  {:>28}  {:>9}  {:>8}", "alike", "time", "change");
        for r in rows {
            row(&mut out, r, width);
        }
    }
    footer(&mut out, all, shown.len());
    out
}

fn row(out: &mut String, r: &Impact, width: usize) {
    let alike = if r.what.is_empty() { "all".to_owned() } else { counted(r.alike, &r.what) };
    let time = r.time.map_or_else(|| "none".to_owned(), |t| t.to_string());
    let small = if r.within_resolution() { "~" } else { " " };
    let edit = r.edit.to_string();
    let _ = writeln!(
        out,
        " {small}{edit:width$}  {alike:>28}  {time:>9}  {:>8}  {:width2$}  {}",
        change(r.change),
        bar(r.change),
        r.reason,
        width2 = BAR.0,
    );
}

/// `#` for slower, `=` for faster; cut at twice the time.
fn bar(c: Option<Share>) -> String {
    let ratio = c.map_or(BAR.1, Share::ratio);
    let full = (ratio.abs().min(BAR.1) / BAR.1 * BAR.0 as f64).round() as usize;
    let mark = if ratio < 0.0 { "=" } else { "#" };
    mark.repeat(full)
}

fn footer(out: &mut String, all: &Impacts, shown: usize) {
    let _ = writeln!(out, "\n  alike: how many would give the same answer, each by itself; one is priced, by symmetry");
    let _ = writeln!(out, "  ~ less than {RESOLUTION}: inside the model's own resolution, as good as nothing");
    let _ = writeln!(out, "  bars: # slower, = faster, cut at twice the time");
    if shown < all.rows.len() {
        let _ = writeln!(out, "  {} not shown (--top)", counted((all.rows.len() - shown) as u64, "smaller change"));
    }
    if all.units_left_out > 0 {
        let _ = writeln!(
            out,
            "  faults of {} are left out: those units differ from the rest",
            counted(all.units_left_out, "unit")
        );
    }
}

fn to_json(system: &str, edits: &[String], q: &Question, result: &Result<Impacts, Unreachable>, n: usize) -> Value {
    let all = match result {
        Ok(all) => all,
        Err(u) => return json!({"unreachable": {"ranks": u.ranks, "because": u.because}}),
    };
    let rows: Vec<Value> = top(&all.rows, n)
        .into_iter()
        .map(|r| {
            json!({
                "edit": r.edit.to_string(),
                "kind": r.kind.name(),
                "alike": r.alike,
                "what": r.what,
                "time_us": r.time.map(crate::units::Time::us),
                "change": r.change.map(Share::ratio),
                "within_resolution": r.within_resolution(),
                "reason": r.reason,
            })
        })
        .collect();
    json!({
        "system": system,
        "edits": edits,
        "collective": q.collective.name(),
        "size_bytes": q.size.to_u64(),
        "group": q.group.to_string(),
        "ranks": all.ranks,
        "baseline_us": all.baseline.us(),
        "changes": all.rows.len(),
        "units_left_out": all.units_left_out,
        "impacts": rows,
    })
}
