//! `learn quiz` and quizzes of one's own: which quiz is meant, its check, its text.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};

use crate::cli::args::LearnArgs;
use crate::cli::explore::{self, Teach};
use crate::cli::{self, Output, source};
use crate::lesson::quiz::{self, Quiz, Scope, Sitting};
use crate::parts::nearest;
use crate::tui::text;

/// The name of the quiz that comes with the program.
pub(super) const NAME: &str = "quiz";

/// Seeds that a check tries.
const SEEDS: u64 = 16;

/// Columns of the plain text.
const WIDTH: usize = 96;

/// The quiz of a name: the shipped one, or a file that is one; none for anything else.
///
/// # Errors
/// A file that is a quiz, but cannot be read.
pub(super) fn named(name: Option<&str>) -> Result<Option<Quiz>> {
    match name {
        Some(NAME) => Ok(Some(quiz::shipped()?)),
        Some(file) if std::path::Path::new(file).is_file() => {
            let text = source::read(file)?;
            if quiz::is_one(&text) { Ok(Some(quiz::parse(&text, file)?)) } else { Ok(None) }
        }
        _ => Ok(None),
    }
}

/// Which questions are asked.
///
/// # Errors
/// A topic that the quiz lacks.
pub(super) fn scope(a: &LearnArgs, quiz: &Quiz) -> Result<Scope> {
    if let Some(topic) = a.topic.as_ref().filter(|t| quiz.topic(t).is_none()) {
        let names = || quiz.topics.iter().map(|t| t.name.as_str());
        let near = nearest(topic, names());
        let hint = near.first().map_or(String::new(), |n| format!("; did you mean {n}?"));
        bail!("--topic: no topic {topic:?}; expected one of {}{hint}", names().collect::<Vec<_>>().join(", "));
    }
    let all = a.topic.as_ref().map(|_| usize::MAX);
    let count = a.count.or(all).unwrap_or(Scope::USUAL_COUNT);
    Ok(Scope { seed: a.seed.unwrap_or_else(any_seed), count, topic: a.topic.clone() })
}

/// A number of four digits that is another one every time: short enough to be read out to a class.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
    (now % 10_000) as u64
}

/// Tries every question with many seeds.
pub(super) fn check(quiz: &Quiz) -> Output {
    let problems = quiz::check(quiz, SEEDS);
    let mut out = String::new();
    for p in &problems {
        let _ = writeln!(out, "{p}");
    }
    let count = quiz.questions.len();
    if problems.is_empty() {
        let _ = writeln!(
            out,
            "{}: {count} questions, each with {SEEDS} seeds: every answer is the only right one",
            quiz.title
        );
        return Output::fine(out);
    }
    let bad = problems.len();
    let remark = format!("{}: {bad} of {count} questions cannot be asked as they are", quiz.title);
    Output { remark, ..Output::coded(out, 1) }
}

/// The questions, then the answers.
///
/// # Errors
/// A question that cannot be asked.
pub(super) fn plain(quiz: &Quiz, scope: Scope) -> Result<Output> {
    let text = quiz::plain(quiz, &Sitting::new(quiz, scope)?);
    let mut out = String::new();
    for line in text.lines() {
        wrapped(&mut out, line);
    }
    Ok(Output::fine(out))
}

/// A line in as many as it needs, the further ones indented to its words.
fn wrapped(out: &mut String, line: &str) {
    let words = line.trim_start();
    let indent = line.len() - words.len();
    let number =
        words.split_once(' ').map_or(0, |(first, _)| if first.ends_with([')', '.']) { first.len() + 1 } else { 0 });
    for (i, part) in text::wrap(words, WIDTH - indent - number).iter().enumerate() {
        let blanks = if i == 0 { indent } else { indent + number };
        let _ = writeln!(out, "{}{part}", " ".repeat(blanks));
    }
    if words.is_empty() {
        out.push('\n');
    }
}

/// Checks, prints or opens a quiz.
///
/// # Errors
/// A topic that it lacks, a question that cannot be asked, no terminal.
pub(super) fn run(a: &LearnArgs, quiz: Quiz) -> Result<ExitCode> {
    if a.check.is_some() {
        return Ok(cli::print(&check(&quiz)));
    }
    let scope = scope(a, &quiz)?;
    if a.plain {
        return Ok(cli::print(&plain(&quiz, scope)?));
    }
    explore::run(super::usual()?, &super::looks(a, Teach::Quiz(Arc::new(quiz), scope)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_hang_at_their_words() {
        let mut out = String::new();
        wrapped(&mut out, &format!("   a) {}", "word ".repeat(40)));
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.len() > 1 && lines.iter().all(|l| l.len() <= WIDTH), "{out}");
        assert!(lines.iter().skip(1).all(|l| l.starts_with("      word")), "{out}");
        wrapped(&mut out, "");
        assert!(out.ends_with("\n\n"));
    }
}
