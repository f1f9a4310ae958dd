//! A lesson as linear text: what a screen reader, a printer or `head` can use. It is walked through in the explorer itself,
//! without a terminal, so that every number is the one that the screen would show.

use std::fmt::Write;
use std::sync::Arc;

use crate::lesson::{Act, Lesson, SheetLine, Style};
use crate::tui::app::App;
use crate::tui::text;

use super::proof::Walk;

/// Columns of a line.
const COLUMNS: usize = 80;

/// All lessons, one after the other.
pub(super) fn run(lessons: &[Arc<Lesson>]) -> String {
    let mut out = String::new();
    for (i, lesson) in lessons.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        one(&mut out, lesson);
    }
    out
}

fn line(out: &mut String, indent: &str, content: &str) {
    for (i, row) in text::wrap(content, COLUMNS - indent.len()).iter().enumerate() {
        let before = if i == 0 { indent.to_owned() } else { " ".repeat(indent.len()) };
        let _ = writeln!(out, "{}", format!("{before}{row}").trim_end());
    }
}

fn one(out: &mut String, lesson: &Arc<Lesson>) {
    line(out, "", &lesson.title);
    line(out, "", &"=".repeat(text::width(&lesson.title)));
    line(out, "", &lesson.about);
    let mut walk = Walk::new(lesson);
    for at in 0..lesson.pages.len() {
        walk.to_page(at);
        page(out, lesson, &mut walk, at);
    }
}

/// A page: the text, the question with its answer, each task with what solves it and what is said then.
fn page(out: &mut String, lesson: &Lesson, walk: &mut Walk, at: usize) {
    let page = lesson.page(at);
    let heading = format!("{}. {}", at + 1, page.title);
    let _ = writeln!(out);
    line(out, "", &heading);
    line(out, "", &"-".repeat(text::width(&heading)));
    let stage = &page.stage;
    let edits: Vec<String> = stage.edits.iter().map(ToString::to_string).collect();
    let with = if edits.is_empty() { String::new() } else { format!(" with {}", edits.join(", ")) };
    let q = stage.question;
    line(out, "", &format!("Machine: {}{with}. Asked: {} {}.", stage.source, q.collective, q.size));
    let mut seen = shown(out, walk.app(), 0);
    if page.predict.is_some() {
        walk.predict_right();
        seen = after_prediction(out, walk.app());
    }
    while let Some(acts) = walk.open_task().map(|(_, acts)| acts) {
        let solution: Vec<String> = acts.iter().map(said).collect();
        line(out, "  ", &format!("(One way: {}.)", solution.join(", then ")));
        if !walk.solve(&acts) {
            break;
        }
        seen = shown(out, walk.app(), seen);
    }
}

fn said(act: &Act) -> String {
    match act {
        Act::Line(line) => format!("enter `{line}` at the prompt `:`"),
        Act::Keys(keys) => format!("press {keys}"),
    }
}

/// The lines that show now: what comes later is left out.
fn present(app: &App) -> Vec<&SheetLine> {
    app.sheet().map_or_else(Vec::new, |s| s.lines.iter().filter(|l| l.style != Style::Later).collect())
}

/// What the page shows from a line on; how many lines were seen.
fn shown(out: &mut String, app: &App, from: usize) -> usize {
    let lines = present(app);
    let mut before: Option<&SheetLine> = None;
    for l in lines.iter().skip(from) {
        if before.is_none_or(|b| l.stands_apart(b)) {
            out.push('\n');
        }
        before = Some(l);
        match (l.style, l.mark.as_str()) {
            (Style::Ask, "[ ]") => line(out, "", &format!("Task: {}", l.text)),
            (Style::Ask, _) => line(out, "", &format!("Predict: {}", l.text)),
            (_, mark) if mark.len() == 1 => line(out, "  ", &format!("{mark}) {}", l.text)),
            _ => line(out, "", &l.text),
        }
    }
    lines.len()
}

/// The answer of the engine and the reason, once the prediction was made; how many lines were seen.
fn after_prediction(out: &mut String, app: &App) -> usize {
    let lines = present(app);
    let choice = |l: &&&SheetLine| l.style == Style::Right && l.mark.len() == 1;
    let right = lines.iter().find(choice).map(|l| format!("{})", l.mark));
    let engine = || lines.iter().find(|l| l.style == Style::Engine).map(|l| l.text.clone());
    if let Some(answer) = right.or_else(engine) {
        out.push('\n');
        line(out, "", &format!("Answer: {answer}"));
    }
    let first = lines.iter().position(|l| l.style == Style::Then).unwrap_or(lines.len());
    shown(out, app, first)
}
