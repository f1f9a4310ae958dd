//! A quiz as text from top to bottom: the questions, then the answers. For paper, pipes and screen readers.

use std::fmt::Write;

use super::pose::{Body, Posed};
use super::{Quiz, Sitting};
use crate::lesson::sheet::letter;

/// The questions of a sitting and, after all of them, the answers with their explanations. Wrapped at no column.
pub fn plain(quiz: &Quiz, sitting: &Sitting) -> String {
    let scope = sitting.scope();
    let count = sitting.posed().len();
    let mut out = format!("{}: {count} questions, seed {}\n", quiz.title, scope.seed);
    let mut topic = "";
    for (n, posed) in (1..).zip(sitting.posed()) {
        if posed.topic != topic {
            topic = &posed.topic;
            let title = quiz.topic(topic).map_or(topic, |t| t.title.as_str());
            let _ = write!(out, "\n# {title}\n");
        }
        question(&mut out, n, posed);
    }
    out.push_str("\n# Answers\n");
    for (n, posed) in (1..).zip(sitting.posed()) {
        answer(&mut out, n, posed);
    }
    out
}

fn question(out: &mut String, n: usize, posed: &Posed) {
    let _ = write!(out, "\n{n}. {}\n", posed.text.trim());
    match &posed.body {
        Body::Choice { options, .. } => {
            for (letter, option) in ('a'..).zip(options) {
                let _ = writeln!(out, "   {letter}) {}", option.text);
            }
        }
        Body::Number { wanted, within, .. } => {
            let _ = writeln!(out, "   ({}; {} % off is near enough)", wanted.describe(), within.percent());
        }
        Body::Order { items, from_most } => {
            let _ = writeln!(out, "   (put in order, the {} first)", if *from_most { "largest" } else { "smallest" });
            for (letter, item) in ('a'..).zip(items) {
                let _ = writeln!(out, "   {letter}) {}", item.text);
            }
        }
    }
}

fn answer(out: &mut String, n: usize, posed: &Posed) {
    let right = posed.reply_text(&posed.right());
    match &posed.body {
        Body::Choice { options, right: at, .. } => {
            let _ = write!(out, "\n{n}. {}) {right}\n   {}\n", letter(*at), posed.why.trim());
            for (i, option) in options.iter().enumerate().filter(|(i, _)| i != at) {
                let _ = writeln!(out, "   Not {}) {}", letter(i), option.why.trim());
            }
        }
        Body::Number { slips, .. } => {
            let _ = write!(out, "\n{n}. {right}\n   {}\n", posed.why.trim());
            for slip in slips {
                let _ = writeln!(out, "   Not {}: {}", slip.shown, slip.why.trim());
            }
        }
        Body::Order { items, .. } => {
            let mut sorted: Vec<(usize, &super::Item)> = items.iter().enumerate().collect();
            sorted.sort_by_key(|(_, item)| item.place);
            let list: Vec<String> =
                sorted.iter().map(|(i, item)| format!("{}) {} ({})", letter(*i), item.text, item.shown)).collect();
            let _ = write!(out, "\n{n}. {}\n   {}\n", list.join(", "), posed.why.trim());
            for (_, item) in sorted.iter().filter(|(_, item)| !item.why.is_empty()) {
                let _ = writeln!(out, "   {}: {}", item.text, item.why.trim());
            }
        }
    }
    if let Some(source) = &posed.source {
        let _ = writeln!(out, "   Source: {source}");
    }
}
