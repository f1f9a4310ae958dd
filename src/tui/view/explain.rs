//! The explanation: every number of the answer with its formula and where it comes from, as a tree.

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::pen::{Pen, Piece, piece};
use super::rows::{self, Line};
use crate::cost::Section;
use crate::tui::app::{App, ExplainRow, Unfolded};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let right = if areas.form >= Form::Small { "enter unfolds, z all" } else { "" };
    let inner = rows::frame(app, pen, areas, "why this answer", right);
    if let Some(Err(why)) = &app.reports.explanation {
        rows::none(pen, inner, why);
        return None;
    }
    let all = app.reports.explain_rows();
    let lines: Vec<Line> = all
        .iter()
        .enumerate()
        .flat_map(|(i, row)| drawn(app, row, inner).into_iter().map(move |line| (Some(i), line)))
        .collect();
    rows::list(pen, inner, &lines, app.reports.at)
}

/// The lines of a row: a heading is one, a line of the derivation as many as it needs.
fn drawn(app: &App, row: &ExplainRow<'_>, area: Rect) -> Vec<Vec<Piece>> {
    match row.what {
        Unfolded::Heading(section, open) => {
            heading(app, section, open, usize::from(row.depth), usize::from(area.width))
        }
        Unfolded::Line(line) => {
            let indent = usize::from(row.depth) * 2;
            let room = usize::from(area.width).saturating_sub(indent + 2).max(16);
            let blanks = " ".repeat(indent);
            let wrapped = text::wrap(line, room).into_iter().enumerate();
            wrapped
                .map(|(i, l)| {
                    let hang = if i == 0 { "" } else { "  " };
                    vec![piece(format!("{blanks}{hang}{l}"), Role::Text)]
                })
                .collect()
        }
    }
}

/// The title, what it comes to, and its share of the time at the right end.
fn heading(app: &App, section: &Section, open: Option<bool>, depth: usize, width: usize) -> Vec<Vec<Piece>> {
    let fold = match open {
        Some(true) => mark::OPEN,
        Some(false) => mark::CLOSED,
        None => mark::NOTHING,
    };
    let head = format!("{}{fold} ", " ".repeat(depth * 2));
    let share = share(app, section);
    let room = width.saturating_sub(text::width(&share) + 1);
    let title = text::truncate(&section.title, room.saturating_sub(text::width(&head))).into_owned();
    let mut pieces = vec![piece(head, Role::Dim), piece(title, Role::Strong)];
    let used: usize = pieces.iter().map(|(t, _)| text::width(t)).sum();
    if !section.value.is_empty() {
        let value = format!("  {}", section.value);
        pieces.push(piece(text::truncate(&value, room.saturating_sub(used)), Role::Text));
    }
    if !share.is_empty() {
        let used: usize = pieces.iter().map(|(t, _)| text::width(t)).sum();
        pieces.push(piece(" ".repeat((room + 1).saturating_sub(used)), Role::Text));
        pieces.push(piece(share, Role::Key));
    }
    vec![pieces]
}

/// What a section adds to the time, as a bar and a share of it.
fn share(app: &App, section: &Section) -> String {
    let (Some(time), Some(e)) = (section.time, app.answers().now.estimate()) else { return String::new() };
    let ratio = (time / e.time).ratio();
    if !ratio.is_finite() {
        return String::new();
    }
    let cells = (ratio.clamp(0.0, 1.0) * 10.0).round() as usize;
    format!("{} {:>3.0} %", text::pad(&mark::SOLID.to_string().repeat(cells), 10), ratio * 100.0)
}
