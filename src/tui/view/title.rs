//! The first row: which machine, how many edits, how long before and now.

use ratatui::layout::Rect;

use super::pen::{Pen, Piece, piece};
use crate::cost::Answer;
use crate::tui::app::{App, change_text};
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let right = times(app, area.width >= 76);
    let width: usize = right.iter().map(|(t, _)| text::width(t)).sum();
    let room = area.width.saturating_sub(width as u16 + 3);
    pen.pieces_right(Rect { width: area.width.saturating_sub(1), ..area }, 0, &right);
    pen.pieces(Rect { x: area.x + 1, width: room, ..area }, 0, &machine(app, room));
}

/// The smallest screen: the answer and what is selected.
pub(super) fn one_line(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let all = times(app, false);
    let width = |pieces: &[Piece]| pieces.iter().map(|(t, _)| text::width(t)).sum::<usize>();
    // Where both times have no room, the present one has.
    let mut pieces = if width(&all) <= usize::from(area.width) { all } else { vec![now(app)] };
    let only = pieces.len() == 1 && app.history().differs();
    pieces.extend(change(app).filter(|_| only).map(|(t, role)| piece(format!("  {}", short_change(&t)), role)));
    pieces.push(piece(format!("  {}", app.selection().name(app.system())), Role::Dim));
    // What has no room is left out, not cut: a part of a number is another number.
    while pieces.len() > 1 && width(&pieces) > usize::from(area.width) {
        pieces.pop();
    }
    pen.pieces(area, 0, &pieces);
}

fn machine(app: &App, room: u16) -> Vec<Piece> {
    let system = app.system();
    let count = if system.units > 1 { format!(" x {}", system.units) } else { String::new() };
    let edits = app.history().done().iter().filter(|e| e.enabled).count();
    // Where room is short, what is said is worth more than who says it.
    let own = if room >= 44 { "icx-tui  " } else { "" };
    let name = format!("{}{count}", system.name);
    let name = text::truncate(&name, usize::from(room).saturating_sub(text::width(own) + 4)).into_owned();
    let mut pieces = vec![piece(own, Role::Dim), piece(name, Role::Strong)];
    let noun = match edits {
        _ if room < 44 => "",
        1 => " edit",
        _ => " edits",
    };
    let edited = if edits > 0 { format!("  *{edits}{noun}") } else { String::new() };
    let used: usize = pieces.iter().map(|(t, _)| text::width(t)).sum::<usize>() + text::width(&edited);
    // All of it, or its first words.
    let network = network(app);
    let short = network.split_once(", ").map_or("", |(head, _)| head);
    let fits = |n: &&str| !n.is_empty() && used + 2 + text::width(n) <= usize::from(room);
    pieces.extend([network.as_str(), short].into_iter().find(fits).map(|n| piece(format!("  {n}"), Role::Text)));
    pieces.push(piece(edited, Role::WhatIf));
    pieces
}

/// `InfiniBand 400 Gb/s, rail-optimized`.
fn network(app: &App) -> String {
    let Some(f) = &app.system().fabric else { return String::new() };
    let rails = if f.rails { ", rail-optimized" } else { "" };
    let taper = if f.oversubscription > 1.0 { format!(", {}:1", f.oversubscription) } else { String::new() };
    format!("{} {} Gb/s{rails}{taper}", f.transport.title, f.port_rate.gbits_per_s().round())
}

/// `5.68 ms -> 10.70 ms  +88 % slower`, or one time when nothing differs.
fn times(app: &App, words: bool) -> Vec<Piece> {
    if !app.history().differs() {
        return vec![now(app)];
    }
    let mut pieces = vec![piece(time(&app.answers().baseline), Role::Baseline), piece(" -> ", Role::Dim), now(app)];
    pieces.extend(change(app).map(|(text, role)| {
        let text = if words { text.as_str() } else { short_change(&text) };
        piece(format!("  {text}"), role)
    }));
    pieces
}

fn time(a: &Answer) -> String {
    a.estimate().map_or_else(|| "unreachable".to_owned(), |e| e.time.to_string())
}

/// The time of the machine as it is now.
fn now(app: &App) -> Piece {
    let now = &app.answers().now;
    piece(time(now), if now.estimate().is_some() { Role::Strong } else { Role::Bad })
}

/// A change without the word for it.
fn short_change(text: &str) -> &str {
    text.trim_end_matches(" slower").trim_end_matches(" faster")
}

/// The change against the baseline, with the word for it.
pub(super) fn change(app: &App) -> Option<Piece> {
    let ratio = app.answers().ratio()?;
    let role = match ratio {
        r if (r - 1.0).abs() < 0.0005 => Role::Dim,
        r if r > 1.0 => Role::Bad,
        _ => Role::Good,
    };
    Some(piece(change_text(ratio), role))
}
