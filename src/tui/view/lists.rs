//! Lists over the screen: help, find, edits, choices.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece};
use super::tree::first_row;
use crate::scenario::{Entry, Outcome};
use crate::tui::app::{App, Find, Layer, Picker};
use crate::tui::commands::{Group, Spec};
use crate::tui::text;
use crate::tui::theme::Role;

/// Draws the list that lies on top, if one does; where the terminal's cursor stands.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    match app.focus.list() {
        Layer::Help(find) => Some(help(app, pen, areas, find)),
        Layer::Find(find) => Some(find_list(pen, areas, find)),
        Layer::Edits { at, filter } => Some(edits(app, pen, areas, *at, filter)),
        Layer::Picker(picker) => Some(choices(app, pen, areas, picker)),
        _ => None,
    }
}

/// A box in the middle of the body, at most so large.
fn centred(area: Rect, columns: u16, rows: u16) -> Rect {
    let (width, height) = (columns.min(area.width), rows.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// A box with a heading, emptied; its inside.
fn open(pen: &mut Pen<'_>, area: Rect, left: &str, right: &str) -> Rect {
    pen.clear(area);
    let inner = panel::frame(pen, area, &Heading { left, right, focused: true });
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

/// Rows with a cursor, scrolled so that it shows.
fn rows(pen: &mut Pen<'_>, area: Rect, rows: &[Vec<Piece>], at: usize) -> Position {
    let first = first_row(at, rows.len(), area.height);
    let mut cursor = Position { x: area.x, y: area.y };
    for (y, (i, row)) in rows.iter().enumerate().skip(first).take(usize::from(area.height)).enumerate() {
        pen.pieces(area, y as u16, row);
        if i == at {
            cursor.y = area.y + y as u16;
            pen.restyle(Rect { y: cursor.y, height: 1, ..area }, Role::Selection);
        }
    }
    cursor
}

/// The field that is typed into, then the hits.
fn search(pen: &mut Pen<'_>, inner: Rect, find: &Find, hits: &[Vec<Piece>], at: usize, none: &str) -> Position {
    let (shown, column) = find.text.view(usize::from(inner.width.saturating_sub(2)));
    pen.pieces(inner, 0, &[piece("/ ", Role::Key), piece(shown, Role::Strong)]);
    let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    if hits.is_empty() {
        pen.pieces(list, 0, &[piece(none, Role::Dim)]);
    } else {
        rows(pen, list, hits, at);
    }
    Position { x: inner.x + 2 + column as u16, y: inner.y }
}

fn help(app: &App, pen: &mut Pen<'_>, areas: &Areas, find: &Find) -> Position {
    let area = centred(areas.over, 110, areas.over.height);
    let inner = open(pen, area, "keys and commands", "type to search, enter runs, esc closes");
    let typed = find.text.text();
    let specs = app.help_hits(&typed);
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    let mut at = 0;
    let mut group: Option<Group> = None;
    for (i, spec) in specs.iter().enumerate() {
        if group != Some(spec.group) {
            group = Some(spec.group);
            lines.push(vec![piece(spec.group.title(), Role::Strong)]);
        }
        if i == find.at {
            at = lines.len();
        }
        lines.push(help_row(app, spec, inner.width.into()));
    }
    search(pen, inner, find, &lines, at, "no such command")
}

/// Columns of a help row from which the names of commands have a column of their own.
const WITH_NAMES: usize = 64;

/// Key, what it does, and why it cannot be done now; where room is short, the reason goes before what it does.
fn help_row(app: &App, spec: &Spec, room: usize) -> Vec<Piece> {
    let reason = if spec.group == Group::Prompt { Ok(()) } else { spec.command.enabled(app) };
    let (key, doc) = if reason.is_ok() { (Role::Key, Role::Text) } else { (Role::Dim, Role::Dim) };
    let mut row = vec![piece(format!("  {} ", text::pad(&app.config.keymap.keys_label(spec), 12)), key)];
    if room >= WITH_NAMES {
        row.push(piece(text::pad(spec.id, 19), doc));
    }
    let left = room.saturating_sub(row.iter().map(|(t, _)| text::width(t)).sum());
    let Err(reason) = reason else {
        row.push(piece(spec.doc, doc));
        return row;
    };
    let reason = format!("({reason})");
    // The reason is whole; what the key does has the rest, if that is worth a word.
    let rest = left.saturating_sub(text::width(&reason) + 2);
    if rest >= 16 {
        row.push(piece(format!("{}  ", text::truncate(spec.doc, rest)), doc));
    }
    row.push(piece(reason, Role::Degraded));
    row
}

fn find_list(pen: &mut Pen<'_>, areas: &Areas, find: &Find) -> Position {
    let area = centred(areas.over, 60, areas.over.height.min(24));
    let inner = open(pen, area, "find", "an address or a part of one");
    let lines: Vec<Vec<Piece>> = find.hits.iter().map(|(_, name)| vec![piece(name.clone(), Role::Text)]).collect();
    search(pen, inner, find, &lines, find.at, "nothing has such a name")
}

fn edits(app: &App, pen: &mut Pen<'_>, areas: &Areas, at: usize, filter: &str) -> Position {
    let history = app.history();
    let count = history.done().len() + history.undone().len();
    let area = centred(areas.over, 84, (count as u16).saturating_add(2).clamp(4, 24));
    let inner = open(pen, area, &filtered("edits", filter), "space off/on, u undoes, x drops for good");
    let outcomes = &history.applied().outcomes;
    let done = history.done().iter().zip(outcomes).enumerate().map(|(i, (e, o))| edit_row(i, e, o));
    let undone = history.undone().iter().enumerate().map(|(i, e)| {
        vec![
            piece(format!("{:>2}     ", history.done().len() + i + 1), Role::Dim),
            piece(format!("{}  undone", e.edit), Role::Dim),
        ]
    });
    let all = done.chain(undone).collect();
    let none = if filter.is_empty() { "no edits" } else { "no edit has this in it" };
    listed(app, pen, inner, all, at, none)
}

/// The rows of a list that its filter leaves, with the cursor on the row `at` of the whole.
fn listed(app: &App, pen: &mut Pen<'_>, inner: Rect, all: Vec<Vec<Piece>>, at: usize, none: &str) -> Position {
    let shown = app.listed();
    let cursor = shown.iter().position(|i| *i == at).unwrap_or(0);
    let lines: Vec<Vec<Piece>> =
        all.into_iter().enumerate().filter(|(i, _)| shown.contains(i)).map(|(_, row)| row).collect();
    if lines.is_empty() {
        pen.pieces(inner, 0, &[piece(none, Role::Dim)]);
    }
    rows(pen, inner, &lines, cursor)
}

/// A heading with the filter that narrows the list.
pub(super) fn filtered(heading: &str, filter: &str) -> String {
    if filter.is_empty() { heading.to_owned() } else { format!("{heading} /{filter}") }
}

fn edit_row(i: usize, entry: &Entry, outcome: &Outcome) -> Vec<Piece> {
    let on = if entry.enabled { "on " } else { "off" };
    let (note, role) = match outcome {
        Outcome::Active { touched: 1 } => (String::new(), Role::WhatIf),
        Outcome::Active { touched } => (format!("  {touched} things"), Role::WhatIf),
        Outcome::Inert { reason } => (format!("  inert: {reason}"), Role::Degraded),
        Outcome::Disabled => (String::new(), Role::Dim),
        Outcome::Superseded { by } => (format!("  edit {} counts instead", by + 1), Role::Dim),
    };
    vec![piece(format!("{:>2} {on} ", i + 1), Role::Dim), piece(entry.edit.to_string(), role), piece(note, Role::Dim)]
}

fn choices(app: &App, pen: &mut Pen<'_>, areas: &Areas, picker: &Picker) -> Position {
    let area = centred(areas.over, 64, (picker.choices.len() as u16).saturating_add(2));
    let inner = open(pen, area, &filtered(picker.what.title(), &picker.filter), "enter takes it");
    let row = |c: &crate::tui::app::Choice| match &c.cost {
        Ok(cost) => vec![piece(text::pad(&c.name, 16), Role::Strong), piece(cost.clone(), Role::Text)],
        Err(why) => vec![piece(text::pad(&c.name, 16), Role::Dim), piece(why.clone(), Role::Dim)],
    };
    let all = picker.choices.iter().map(row).collect();
    listed(app, pen, inner, all, picker.at, "no value has this in it")
}
