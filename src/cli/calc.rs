//! `icx-tui calc`: one answer, and a gate.

use std::fmt::Write;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::args::{CalcArgs, TextOrJson};
use super::question::ask;
use super::source::Machine;
use super::{Output, explained};
use crate::cost::{Answer, Estimate, Explanation, Prepared, Timeline};
use crate::question::Question;
use crate::system::System;
use crate::units::{counted, significant};

/// Answers one question.
pub fn run(a: &CalcArgs) -> Result<Output> {
    let Machine { system, edits, question } = ask(&a.ask, a.size)?;
    if a.steps && matches!(a.format, TextOrJson::Json) {
        bail!("--steps: the steps are text; expected --format text");
    }
    let (answer, why, steps) = answer(&system, &question, a);
    let missed = gate(a, &answer);
    let text = match a.format {
        TextOrJson::Json => {
            let mut object = to_json(&system.name, &edits, &answer);
            if let (Some(why), Some(fields)) = (&why, object.as_object_mut()) {
                fields.insert("explanation".to_owned(), explained::to_json(why));
            }
            format!("{}\n", serde_json::to_string_pretty(&object)?)
        }
        TextOrJson::Text => {
            text(&system.name, &answer) + &why.as_ref().map(explained::text).unwrap_or_default() + &steps
        }
    };
    let code = u8::from(answer.estimate().is_none() || missed.is_some());
    Ok(Output { text, remark: missed.unwrap_or_default(), code })
}

/// The answer, and its explanation and its steps in words if they are wanted and there are any.
fn answer(system: &System, question: &Question, a: &CalcArgs) -> (Answer, Option<Explanation>, String) {
    let who = match Prepared::participants(system, question.group) {
        Ok(who) => who,
        Err(u) => return (Answer::Unreachable(u), None, String::new()),
    };
    let prepared = Prepared::new(system, &who);
    let answer = prepared.answer(question);
    let why = answer.estimate().filter(|_| a.explain).map(|e| prepared.explain(e));
    let timeline = answer.estimate().filter(|_| a.steps).map(|e| Timeline::of(&prepared, e));
    let steps = timeline.map(|t| t.map_or_else(|| "nothing is moved\n".to_owned(), |t| t.text(system)));
    (answer, why, steps.map(|s| format!("\n{s}")).unwrap_or_default())
}

/// The limit that the estimate misses, and by what.
fn gate(a: &CalcArgs, answer: &Answer) -> Option<String> {
    let e = answer.estimate()?;
    if let Some(least) = a.at_least.filter(|r| e.busbw() < *r) {
        return Some(format!("check failed: busbw {} is below --at-least {least}", e.busbw()));
    }
    let most = a.at_most.filter(|t| e.time > *t)?;
    Some(format!("check failed: time {} is above --at-most {most}", e.time))
}

fn text(system: &str, answer: &Answer) -> String {
    let e = match answer {
        Answer::Estimate(e) => e,
        Answer::Unreachable(u) => return format!("{u}\n"),
    };
    let mut out = String::new();
    let q = &e.question;
    let who = format!("{} on {}", counted(e.ranks, "rank"), counted(e.nodes, "node"));
    let _ = writeln!(out, "{system}: {} {} over {who}", q.collective, q.size);
    let _ = writeln!(out, "  {} {}  {}  ({} .. {})", e.chosen.algorithm, e.chosen.protocol, e.time, e.low, e.high);
    let _ = writeln!(out, "  algbw {}  busbw {}", e.algbw(), e.busbw());
    let _ = writeln!(out, "  bound {}", e.bound_words());
    let _ = writeln!(out, "  bottleneck: {}", e.bottleneck);
    for t in &e.tiers {
        let busy = significant(t.utilisation.percent());
        let _ = writeln!(
            out,
            "  {:9} {:>4} % busy  {} per rank at {}  {}",
            t.tier.name(),
            busy,
            t.bytes_per_rank,
            t.usable,
            t.link
        );
    }
    let list: Vec<String> =
        e.candidates.iter().map(|c| format!("{} {} {}", c.algorithm, c.protocol, c.time())).collect();
    let _ = writeln!(out, "  candidates: {}", list.join(", "));
    for n in &e.notes {
        let _ = writeln!(out, "  note: {}", n.0);
    }
    out
}

/// An answer as JSON.
pub fn to_json(system: &str, edits: &[String], answer: &Answer) -> Value {
    match answer {
        Answer::Unreachable(u) => json!({"unreachable": {"ranks": u.ranks, "because": u.because}}),
        Answer::Estimate(e) => estimate_json(system, edits, e),
    }
}

fn estimate_json(system: &str, edits: &[String], e: &Estimate) -> Value {
    json!({
        "system": system,
        "edits": edits,
        "collective": e.question.collective.name(),
        "size_bytes": e.question.size.to_u64(),
        "group": e.question.group.to_string(),
        "groups": e.groups,
        "ranks": e.ranks,
        "nodes": e.nodes,
        "algorithm": e.chosen.algorithm.name(),
        "protocol": e.chosen.protocol.name(),
        "time_us": e.time.us(),
        "time_low_us": e.low.us(),
        "time_high_us": e.high.us(),
        "algbw_gbytes_per_s": e.algbw().gbytes_per_s(),
        "busbw_gbytes_per_s": e.busbw().gbytes_per_s(),
        "bound_time_us": e.bound.us(),
        "bottleneck": e.bottleneck,
        "tiers": e.tiers.iter().map(|t| json!({
            "tier": t.tier.name(),
            "link": t.link,
            "bytes_per_rank": t.bytes_per_rank.to_u64(),
            "usable_gbytes_per_s": t.usable.gbytes_per_s(),
            "time_us": t.time.us(),
            "utilisation": t.utilisation.ratio(),
        })).collect::<Vec<_>>(),
        "candidates": e.candidates.iter().map(|c| json!({
            "algorithm": c.algorithm.name(), "protocol": c.protocol.name(), "time_us": c.time().us(),
        })).collect::<Vec<_>>(),
        "notes": e.notes.iter().map(|n| n.0.as_str()).collect::<Vec<_>>(),
    })
}
