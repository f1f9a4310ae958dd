//! `icx-tui sweep`: nccl-tests' table, predicted.

use std::fmt::Write;

use anyhow::{Result, bail};

mod measured;

use super::Output;
use super::args::{SweepArgs, TableFormat};
use super::calc::to_json;
use super::question::ask;
use super::source::Machine;
use crate::cost::{Answer, Prepared, sizes};

/// Predicts the table, or puts a log beside the prediction.
pub fn run(a: &SweepArgs) -> Result<Output> {
    if let Some(path) = &a.measured {
        return measured::run(a, path);
    }
    if !(a.factor > 1.0 && a.factor.is_finite()) {
        bail!("--factor {} must be above 1", a.factor);
    }
    if a.min > a.max || a.min.get() < 1.0 {
        bail!("--min {} must be at least 1 and not above --max {}", a.min, a.max);
    }
    let Machine { system, edits, question } = ask(&a.ask, Some(a.min))?;
    let answers: Vec<Answer> = match Prepared::participants(&system, question.group) {
        Ok(who) => {
            let prepared = Prepared::new(&system, &who);
            sizes(a.min, a.max, a.factor).into_iter().map(|s| prepared.answer(&question.at_size(s))).collect()
        }
        Err(u) => vec![Answer::Unreachable(u)],
    };
    let code = u8::from(answers.iter().any(|x| x.estimate().is_none()));
    let text = match a.format {
        TableFormat::Text => table(&answers),
        TableFormat::Csv => csv(&answers)?,
        TableFormat::Json => {
            let rows: Vec<_> = answers.iter().map(|x| to_json(&system.name, &edits, x)).collect();
            format!("{}\n", serde_json::to_string_pretty(&rows)?)
        }
    };
    Ok(Output::coded(text, code))
}

fn table(answers: &[Answer]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:>14} {:>12} {:>10} {:>10} {:>10} {:>10} {:>7}  algorithm protocol",
        "size (B)", "time (us)", "low", "high", "algbw", "busbw", "bound %"
    );
    for answer in answers {
        match answer {
            Answer::Estimate(e) => {
                let _ = writeln!(
                    out,
                    "{:>14} {:>12.2} {:>10.1} {:>10.1} {:>10.2} {:>10.2} {:>7.1}  {} {}",
                    e.question.size.to_u64(),
                    e.time.us(),
                    e.low.us(),
                    e.high.us(),
                    e.algbw().gbytes_per_s(),
                    e.busbw().gbytes_per_s(),
                    e.share_of_bound().percent(),
                    e.chosen.algorithm,
                    e.chosen.protocol
                );
            }
            Answer::Unreachable(u) => {
                let _ = writeln!(out, "{u}");
                return out;
            }
        }
    }
    out
}

fn csv(answers: &[Answer]) -> Result<String> {
    let mut w = csv::Writer::from_writer(Vec::new());
    w.write_record([
        "size_bytes",
        "time_us",
        "time_low_us",
        "time_high_us",
        "algbw_gbytes_per_s",
        "busbw_gbytes_per_s",
        "bound_time_us",
        "algorithm",
        "protocol",
    ])?;
    for e in answers.iter().filter_map(Answer::estimate) {
        w.write_record([
            e.question.size.to_u64().to_string(),
            format!("{:.3}", e.time.us()),
            format!("{:.3}", e.low.us()),
            format!("{:.3}", e.high.us()),
            format!("{:.4}", e.algbw().gbytes_per_s()),
            format!("{:.4}", e.busbw().gbytes_per_s()),
            format!("{:.3}", e.bound.us()),
            e.chosen.algorithm.to_string(),
            e.chosen.protocol.to_string(),
        ])?;
    }
    Ok(String::from_utf8(w.into_inner()?)?)
}
