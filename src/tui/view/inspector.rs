//! What is selected, in words: what it is, its rates and where each number comes from, its state and load.

mod device;
mod fabric;
mod link;
mod pair;
mod unit;

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece, wrapped};
use crate::parts::Origin;
use crate::tui::app::{App, Panel, Spot, State};
use crate::tui::commands::Command;
use crate::tui::glyphs::mark;
use crate::tui::picture::Pick;
use crate::tui::text;
use crate::tui::theme::Role;

/// The facts about a selection, the most important first.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// First line: what it is.
    pub(super) what: String,
    /// Name and value; `from` marks the value with a letter that is explained below.
    pub(super) rows: Vec<Fact>,
    /// Longer text at the end.
    pub(super) text: String,
}

/// One fact.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) role: Role,
    pub(super) from: Option<String>,
}

/// An origin in words; a bare kind is not said twice.
pub(super) fn origin(from: &Origin) -> String {
    if from.text() == from.kind() { from.kind().to_owned() } else { from.to_string() }
}

impl Facts {
    /// Adds a fact.
    pub(super) fn say(&mut self, name: &'static str, value: impl Into<String>) {
        self.rows.push(Fact { name, value: value.into(), role: Role::Text, from: None });
    }

    /// Adds a figure with its origin.
    pub(super) fn figure(&mut self, name: &'static str, value: impl Into<String>, from: &Origin) {
        self.rows.push(Fact { name, value: value.into(), role: Role::Text, from: Some(origin(from)) });
    }

    /// Adds a fact in a role.
    pub(super) fn role(&mut self, name: &'static str, value: impl Into<String>, role: Role) {
        self.rows.push(Fact { name, value: value.into(), role, from: None });
    }

    /// Adds the load, percent: of what has several links, that of the busiest.
    pub(super) fn load(&mut self, percent: u8) {
        let value = if percent == 0 { "idle".to_owned() } else { format!("up to {percent} %") };
        self.role("load", value, Role::for_load(percent));
    }
}

/// The facts about what is selected.
fn facts(app: &App) -> Facts {
    match app.selection() {
        Spot::System => unit::system(app),
        Spot::Fabric => fabric::whole(app),
        Spot::Services => fabric::services(app),
        spot @ (Spot::Thing(_) | Spot::Run { .. }) => match spot.pick() {
            Some(Pick::Device { unit, device }) => device::facts(app, unit, device),
            Some(Pick::Link { unit, link }) => link::facts(app, unit, link),
            Some(Pick::Pair { unit, from, to }) => pair::facts(app, unit, from, to),
            Some(Pick::Leaf(_) | Pick::Uplink(_) | Pick::Spine(_) | Pick::Core(_) | Pick::Group(_)) => {
                fabric::switch(app)
            }
            _ => unit::unit(app),
        },
    }
}

/// State in a word, with its mark, and the edit that made it.
pub(super) fn state(app: &App, facts: &mut Facts, detail: &str) {
    let (mark, word, role) = match app.readings().of(app.selection()).state {
        State::Up => (String::new(), "up", Role::Text),
        State::Degraded => (format!("{} ", mark::DEGRADED), "degraded", Role::Degraded),
        State::Down => (format!("{} ", mark::DOWN), "out", Role::Down),
    };
    let edit = edit_of(app).map_or_else(String::new, |n| format!("  *edit {}", n + 1));
    facts.role("state", format!("{mark}{word}{detail}{edit}"), role);
}

/// The last edit that names the selection itself.
fn edit_of(app: &App) -> Option<usize> {
    let address = app.address()?;
    app.history().done().iter().rposition(|e| e.enabled && e.edit.address().is_some_and(|a| a.to_string() == address))
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, areas: &Areas) -> Option<Position> {
    let name = app.selection().name(app.system());
    let focused = app.focus.panel() == Panel::Inspector && !app.reads_lesson();
    let inner = panel::frame(pen, area, &Heading { left: &name, right: "", focused });
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let facts = facts(app);
    let lines = if areas.form == Form::Small { short(app, &facts, inner.width) } else { long(app, &facts, inner) };
    for (y, line) in lines.iter().enumerate().take(usize::from(inner.height)) {
        pen.pieces(inner, y as u16, line);
    }
    None
}

/// Two rows: the facts one after the other.
fn short(app: &App, facts: &Facts, columns: u16) -> Vec<Vec<Piece>> {
    let mut first = vec![piece(facts.what.clone(), Role::Strong)];
    let mut second: Vec<Piece> = Vec::new();
    for fact in &facts.rows {
        let name = if fact.name.trim().is_empty() { ", ".to_owned() } else { format!("   {} ", fact.name) };
        let add = [piece(name, Role::Dim), piece(fact.value.clone(), fact.role)];
        let width = |line: &[Piece]| line.iter().map(|(t, _)| text::width(t)).sum::<usize>();
        let line = if second.is_empty() && width(&first) + width(&add) <= usize::from(columns) {
            &mut first
        } else {
            &mut second
        };
        line.extend(add);
    }
    if let Some((lead, _)) = second.first_mut() {
        *lead = lead.trim_start().to_owned();
    }
    second.push(piece("   ", Role::Text));
    second.extend(keys(app).into_iter().flatten());
    vec![first, second]
}

/// A row per fact, the origins below, keys at the end.
fn long(app: &App, facts: &Facts, inner: Rect) -> Vec<Vec<Piece>> {
    let columns = inner.width;
    let mut lines = wrapped(&facts.what, columns, Role::Strong);
    let mut origins: Vec<&String> = Vec::new();
    let names = facts.rows.iter().map(|f| text::width(f.name) + 1).fold(8, usize::max);
    for fact in &facts.rows {
        let letter = fact.from.as_ref().map_or_else(String::new, |from| {
            let at = origins.iter().position(|o| *o == from).unwrap_or_else(|| {
                origins.push(from);
                origins.len() - 1
            });
            format!("  [{}]", char::from(b'a' + (at as u8).min(25)))
        });
        let indent = if fact.name.is_empty() { 0 } else { names };
        let room = usize::from(columns).saturating_sub(indent).max(1);
        let mut parts: Vec<(String, String)> =
            text::wrap(&fact.value, room).into_iter().map(|part| (part, String::new())).collect();
        // The letter of the origin ends the value; where it has no room, it has a row.
        match parts.last_mut() {
            _ if letter.is_empty() => {}
            Some((part, tail)) if text::width(part) + text::width(&letter) <= room => *tail = letter,
            _ => parts.push((String::new(), letter.trim_start().to_owned())),
        }
        for (i, (part, tail)) in parts.into_iter().enumerate() {
            let name = if i == 0 { fact.name } else { "" };
            lines.push(vec![piece(text::pad(name, indent), Role::Dim), piece(part, fact.role), piece(tail, Role::Dim)]);
        }
    }
    let keys = keys(app);
    let spare = usize::from(inner.height).saturating_sub(lines.len());
    let mut notes: Vec<Vec<Piece>> = Vec::new();
    for (i, origin) in origins.iter().enumerate() {
        notes.extend(wrapped(&format!("[{}] {origin}", char::from(b'a' + (i as u8).min(25))), columns, Role::Dim));
    }
    if !facts.text.is_empty() {
        notes.extend(wrapped(&facts.text, columns, Role::Dim));
    }
    // Keys are known from the footer: they give way to the sources.
    let with_keys = spare >= keys.len() + 2;
    notes.truncate(if with_keys { spare - keys.len() } else { spare });
    lines.extend(notes);
    if with_keys {
        lines.extend(keys);
    }
    lines
}

/// What can be done with the selection.
fn keys(app: &App) -> Vec<Vec<Piece>> {
    let down = app.readings().of(app.selection()).state == State::Down;
    let key = app.value_key();
    let hints = [
        (Command::Toggle, if down { "take it back".to_owned() } else { "take it out".to_owned() }),
        (Command::Degrade, "degrade to ...".to_owned()),
        (Command::EditValue, key.map_or_else(String::new, |k| format!("set {k}"))),
    ];
    let live = hints.into_iter().filter(|(c, _)| c.enabled(app).is_ok());
    live.map(|(c, word)| {
        vec![
            piece(text::pad(&app.config.keymap.key_label(c.spec()), 6), Role::Key),
            piece(format!(" {word}  "), Role::Text),
        ]
    })
    .collect()
}
