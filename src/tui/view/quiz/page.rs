//! The lines of a page.

use super::Page;
use super::score;
use crate::lesson::letter;
use crate::lesson::quiz::{Body, Choice, Item, Mark, Posed, Reply};
use crate::tui::app::{Leaf, Quizzing};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::pen::{Piece, piece, wrapped};

/// Before a number that is typed.
const LABEL: &str = "answer [";

/// Columns of a choice's letter or a place's number.
const NUMBER: usize = 4;

/// The page that shows, wrapped to a width.
pub(super) fn page(q: &Quizzing, width: u16) -> Page {
    let mut page = Page::default();
    match q.leaf() {
        Leaf::Cover => score::cover(q, &mut page, width),
        Leaf::End(sitting) => score::end(q, sitting, &mut page, width),
        Leaf::Question(posed, mark) => question(q, posed, mark, &mut page, width),
    }
    page
}

fn question(q: &Quizzing, posed: &Posed, mark: Option<&(Reply, Mark)>, page: &mut Page, width: u16) {
    if let Some(sitting) = q.sitting() {
        page.add(score::progress(q, sitting, width));
    }
    page.blank();
    page.lines.extend(wrapped(&posed.text, width, Role::Strong));
    page.blank();
    match &posed.body {
        Body::Choice { options, right, .. } => choices(q, options, *right, mark, page, width),
        Body::Number { .. } => number(q, posed, mark, page, width),
        Body::Order { items, from_most } => items_in_order(q, items, *from_most, mark.is_some(), page, width),
    }
    if let Some((reply, mark)) = mark {
        verdict(posed, reply, mark, page, width);
    }
}

/// A row with a letter or number before it; further lines are indented.
fn row(page: &mut Page, head: &str, words: &str, role: Role, width: u16) {
    let from = page.lines.len();
    let room = usize::from(width).saturating_sub(NUMBER).max(8);
    for (i, line) in text::wrap(words, room).into_iter().enumerate() {
        let head = if i == 0 { head } else { "" };
        page.add(vec![piece(text::pad(head, NUMBER), Role::Key), piece(line, role)]);
    }
    page.rows.push((from, page.lines.len()));
}

fn choices(q: &Quizzing, options: &[Choice], right: usize, mark: Option<&(Reply, Mark)>, page: &mut Page, width: u16) {
    let taken = mark.and_then(|(reply, _)| if let Reply::Choice(i) = reply { Some(*i) } else { None });
    for (i, option) in options.iter().enumerate() {
        let value = if option.shown.is_empty() { String::new() } else { format!("   ({})", option.shown) };
        let (words, role) = match taken {
            None => (option.text.clone(), Role::Text),
            Some(_) if i == right => (format!("{}{value}   = right", option.text), Role::Good),
            Some(t) if i == t => (format!("{}{value}   = yours", option.text), Role::Bad),
            Some(_) => (format!("{}{value}", option.text), Role::Text),
        };
        row(page, &format!(" {}", letter(i)), &words, role, width);
    }
    if mark.is_none() && q.bench.is_some() {
        page.blank();
        page.lines.extend(wrapped("Which of these links works all the time while the others wait?", width, Role::Dim));
    }
}

fn number(q: &Quizzing, posed: &Posed, mark: Option<&(Reply, Mark)>, page: &mut Page, width: u16) {
    if let Some((reply, mark)) = mark {
        let role = if mark.right { Role::Good } else { Role::Bad };
        page.add(vec![piece("answer  ", Role::Dim), piece(posed.reply_text(reply), role)]);
        return;
    }
    let Body::Number { wanted, within, .. } = &posed.body else { return };
    let unit = wanted.unit().unwrap_or_default();
    let room = usize::from(width).saturating_sub(LABEL.len() + 2 + text::width(unit)).clamp(1, 24);
    let (shown, caret) = q.line.view(room);
    page.caret = Some((page.lines.len(), (LABEL.len() + caret) as u16));
    page.add(vec![
        piece(LABEL, Role::Dim),
        piece(text::pad(&shown, room), Role::Strong),
        piece("]", Role::Dim),
        piece(format!(" {unit}"), Role::Text),
    ]);
    let hint = format!("{}; {} % off is near enough", wanted.describe(), within.percent());
    let (words, role) = q.refused.as_deref().map_or((hint.as_str(), Role::Dim), |why| (why, Role::Bad));
    page.lines.extend(wrapped(words, width, role));
}

fn items_in_order(q: &Quizzing, items: &[Item], from_most: bool, answered: bool, page: &mut Page, width: u16) {
    let end = if from_most { "the largest" } else { "the smallest" };
    let how = if answered {
        String::new()
    } else if q.lifted {
        "move it with the arrows, space drops it".to_owned()
    } else {
        format!("{end} first: space lifts an item, a digit puts it at that place, enter answers")
    };
    for (place, i) in q.order.iter().enumerate() {
        let Some(item) = items.get(*i) else { continue };
        let (words, role) = match (answered, item.place == place) {
            (false, _) if q.lifted && place == q.cursor => (format!("{}   <- lifted", item.text), Role::WhatIf),
            (false, _) => (item.text.clone(), Role::Text),
            (true, true) => (format!("{}   ({})", item.text, item.shown), Role::Good),
            (true, false) => (format!("{}   ({}) belongs at {}", item.text, item.shown, item.place + 1), Role::Bad),
        };
        row(page, &format!(" {}", place + 1), &words, role, width);
    }
    if !how.is_empty() {
        page.blank();
        page.lines.extend(wrapped(&how, width, Role::Dim));
    }
}

/// What became of the answer, and why.
fn verdict(posed: &Posed, reply: &Reply, mark: &Mark, page: &mut Page, width: u16) {
    page.blank();
    page.verdict = Some(page.lines.len());
    let (word, role) = if mark.right { ("Right.", Role::Good) } else { ("Not right.", Role::Bad) };
    let shown = match &posed.body {
        Body::Number { shown, .. } => format!(" The answer is {shown}."),
        _ => String::new(),
    };
    page.add(vec![piece(word, role), piece(shown, Role::Strong)]);
    paragraph(page, &mark.why, Role::Text, width);
    paragraph(page, &posed.why, Role::Text, width);
    for line in others(posed, reply, mark) {
        paragraph(page, &line, Role::Dim, width);
    }
    if let Some(source) = &posed.source {
        paragraph(page, &format!("Source: {source}"), Role::Dim, width);
    }
    page.blank();
    page.add(vec![piece("enter", Role::Key), piece(" goes on", Role::Dim)]);
}

fn paragraph(page: &mut Page, words: &str, role: Role, width: u16) {
    if !words.trim().is_empty() {
        page.lines.extend::<Vec<Vec<Piece>>>(wrapped(words.trim(), width, role));
    }
}

/// What is wrong with the answers that were not given.
fn others(posed: &Posed, reply: &Reply, mark: &Mark) -> Vec<String> {
    match &posed.body {
        Body::Choice { options, right, .. } => {
            let rest = options.iter().enumerate().filter(|(i, _)| i != right && *reply != Reply::Choice(*i));
            rest.map(|(i, o)| format!("Not {}: {}", letter(i), o.why)).collect()
        }
        Body::Number { .. } => Vec::new(),
        Body::Order { items, .. } => {
            let mut noted: Vec<&Item> =
                items.iter().filter(|i| !i.why.is_empty() && !mark.why.contains(&i.why)).collect();
            noted.sort_by_key(|i| i.place);
            noted.iter().map(|i| format!("{}: {}", i.text, i.why)).collect()
        }
    }
}
