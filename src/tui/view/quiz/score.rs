//! The first page, the bar of progress, and the score with what to study next.

use super::Page;
use crate::lesson::quiz::{Score, Sitting};
use crate::tui::app::Quizzing;
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::pen::{Piece, piece, wrapped};

/// Cells of a topic's bar.
const BAR: usize = 12;

/// What will be asked.
pub(super) fn cover(q: &Quizzing, page: &mut Page, width: u16) {
    let scope = q.scope();
    let count = scope.count.min(q.available());
    page.lines.extend(wrapped(&q.quiz.title, width, Role::Strong));
    page.blank();
    let asked = format!(
        "{count} of {} questions. Their numbers are drawn from seed {}: with the same seed a class gets the same quiz.",
        q.available(),
        scope.seed
    );
    page.lines.extend(wrapped(&asked, width, Role::Text));
    page.blank();
    for topic in &q.quiz.topics {
        let all = q.quiz.questions.iter().filter(|x| x.topic == topic.name).count();
        let on = scope.topic.as_ref().is_none_or(|t| *t == topic.name);
        let (sign, role) = if on { (mark::FULL, Role::Text) } else { (mark::EMPTY, Role::Dim) };
        let last = last_time(q, &topic.name);
        let room = usize::from(width).saturating_sub(6 + text::width(&last));
        let title = text::pad(&topic.title, room.min(36));
        page.add(vec![
            piece(format!("{sign} "), role),
            piece(title, role),
            piece(text::right(&all.to_string(), 4), Role::Dim),
            piece(last, last_role(q, &topic.name)),
        ]);
    }
    study_next(q, page, width);
    page.blank();
    let mut keys = vec![("enter", "begins"), ("+ -", "more or fewer"), ("t", "one topic"), ("n", "another seed")];
    if q.lesson().is_some() {
        keys.push(("s", "opens the lesson"));
    }
    for line in packed(&keys, width) {
        page.add(line);
    }
}

/// `  last time 2/3`; empty for a topic that was not asked yet.
fn last_time(q: &Quizzing, topic: &str) -> String {
    q.before.get(topic).map_or_else(String::new, |o| format!("  last time {}/{}", o.right, o.asked))
}

fn last_role(q: &Quizzing, topic: &str) -> Role {
    if q.before.get(topic).is_some_and(|o| o.is_weak()) { Role::Bad } else { Role::Good }
}

/// The topics to study, with their lessons; nothing where there are none.
fn study_next(q: &Quizzing, page: &mut Page, width: u16) {
    let study = q.study();
    if study.is_empty() {
        return;
    }
    page.blank();
    page.add(vec![piece("Study next", Role::Strong)]);
    for topic in study {
        let how = topic.lesson.as_ref().map_or_else(String::new, |l| format!(": icx-tui learn {l}"));
        page.lines.extend(wrapped(&format!("- {}{how}", topic.title), width, Role::Text));
    }
}

/// Keys and what they do, as many on a line as fit.
fn packed(keys: &[(&str, &str)], width: u16) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    let mut used = usize::MAX;
    for (key, does) in keys {
        let wide = text::width(key) + text::width(does) + 4;
        if used.saturating_add(wide) > usize::from(width) {
            lines.push(Vec::new());
            used = 0;
        }
        used += wide;
        if let Some(line) = lines.last_mut() {
            line.push(piece(*key, Role::Key));
            line.push(piece(format!(" {does}   "), Role::Dim));
        }
    }
    lines
}

/// A cell for each question, and the score so far.
pub(super) fn progress(q: &Quizzing, sitting: &Sitting, width: u16) -> Vec<Piece> {
    let score = sitting.score(None);
    let words = format!("  {} right of {}", score.right, score.answered);
    let room = usize::from(width).saturating_sub(text::width(&words));
    let all = sitting.posed().len();
    let mut pieces: Vec<Piece> = Vec::new();
    if all <= room {
        let wide = if all * 2 <= room.min(60) { 2 } else { 1 };
        for at in 0..all {
            let (sign, role) = match sitting.mark(at) {
                Some((_, m)) if m.right => (mark::SOLID, Role::Good),
                Some(_) => (mark::DOWN, Role::Bad),
                None if at == q.at() => (mark::EMPTY, Role::Key),
                None => (mark::NOTHING, Role::Dim),
            };
            let gap = if wide == 2 { " " } else { "" };
            pieces.push(piece(format!("{sign}{gap}"), role));
        }
    }
    pieces.push(piece(if pieces.is_empty() { words.trim().to_owned() } else { words }, Role::Dim));
    pieces
}

/// The score by topic, and what to study next.
pub(super) fn end(q: &Quizzing, sitting: &Sitting, page: &mut Page, width: u16) {
    let total = sitting.score(None);
    let open = total.asked - total.answered;
    let mut words = format!("{} of {} right", total.right, total.asked);
    if open > 0 {
        words = format!("{words}, {open} not answered");
    }
    page.add(vec![piece(words, Role::Strong)]);
    page.blank();
    for (topic, score) in sitting.by_topic(&q.quiz) {
        page.add(topic_line(&topic.title, score, &last_time(q, &topic.name), width));
    }
    if q.study().is_empty() {
        page.blank();
        let words = if open > 0 {
            "Nothing went wrong so far."
        } else {
            "Nothing went wrong: take another seed, or all topics."
        };
        page.lines.extend(wrapped(words, width, Role::Good));
    }
    study_next(q, page, width);
    page.blank();
    let mut keys = vec![("enter", "another quiz"), ("shift-tab", "back through the questions"), ("esc", "leaves")];
    if q.lesson().is_some() {
        keys.insert(0, ("s", "opens the lesson"));
    }
    for line in packed(&keys, width) {
        page.add(line);
    }
}

fn topic_line(title: &str, score: Score, last: &str, width: u16) -> Vec<Piece> {
    let numbers = format!(" {}/{}", score.right, score.asked);
    let bar = if width >= 56 { BAR } else { 0 };
    let room = usize::from(width).saturating_sub(numbers.len() + bar + 2 + text::width(last)).min(36);
    let full = (bar * score.right).checked_div(score.asked).unwrap_or(0);
    let role = if score.right == score.asked { Role::Good } else { Role::Bad };
    vec![
        piece(text::pad(title, room), Role::Text),
        piece(format!("  {}", mark::SOLID.to_string().repeat(full)), role),
        piece(mark::NOTHING.to_string().repeat(bar - full), Role::Dim),
        piece(numbers, Role::Strong),
        piece(last, Role::Dim),
    ]
}
