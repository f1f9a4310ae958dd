//! The hierarchy panel.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece};
use crate::system::DeviceKind;
use crate::tui::app::{App, Layer, Panel, Row, Spot, State, shape_of};
use crate::tui::glyphs::mark;
use crate::tui::picture::Pick;
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, _: &Areas) -> Option<Position> {
    let focused = app.focus.panel() == Panel::Tree && !matches!(app.focus.top(), Layer::Line(_) | Layer::Lesson);
    let inner = panel::frame(pen, area, &Heading { left: "hierarchy", right: "load %", focused });
    let rows = app.rows();
    let at = app.cursor(&rows);
    let first = first_row(at, rows.len(), inner.height);
    let mut cursor = None;
    for (y, (i, row)) in rows.iter().enumerate().skip(first).take(usize::from(inner.height)).enumerate() {
        let y = y as u16;
        draw_row(app, pen, Rect { y: inner.y + y, height: 1, ..inner }, row, i == at);
        if i == at {
            cursor = Some(Position { x: inner.x + 1, y: inner.y + y });
        }
    }
    cursor
}

/// The first row that shows, so that the cursor's row is in sight, near the middle of a long list.
pub(super) fn first_row(at: usize, count: usize, height: u16) -> usize {
    let height = usize::from(height);
    at.saturating_sub(height / 2).min(count.saturating_sub(height))
}

fn draw_row(app: &App, pen: &mut Pen<'_>, area: Rect, row: &Row, selected: bool) {
    let values = values(row);
    let value_width: usize = values.iter().map(|(t, _)| text::width(t)).sum();
    let room = area.width.saturating_sub(value_width as u16 + 1);
    let fold = match row.open {
        Some(true) => mark::OPEN,
        _ => mark::CLOSED,
    };
    let indent = " ".repeat(usize::from(row.depth) * 2 + 1);
    // Links are short of room and stand under their device; other leaves stand in line with their neighbours.
    let link = row.label.starts_with("--");
    let lead = if link { indent.get(1..).unwrap_or_default().to_owned() } else { format!("{indent}  ") };
    let (head, name) = match (row.open, selected) {
        (Some(_), _) => (format!("{indent}{fold} "), row.label.clone()),
        (None, true) => {
            let head = format!("{}{}", lead.get(1..).unwrap_or_default(), mark::SELECTED_LEFT);
            (head, format!("{}{}", row.label, mark::SELECTED_RIGHT))
        }
        (None, false) => (lead, row.label.clone()),
    };
    // A far end is told by the end of its path.
    let space = usize::from(room).saturating_sub(text::width(&head));
    let name = match name.strip_prefix("--") {
        Some(far) if !selected => format!("--{}", text::truncate_start(far, space.saturating_sub(2))),
        _ => name,
    };
    let mut pieces = vec![piece(head, Role::Dim), piece(name, role(app, row))];
    let used: usize = pieces.iter().map(|(t, _)| text::width(t)).sum();
    if used + text::width(&row.note) + 1 < usize::from(room) {
        pieces.push(piece(format!(" {}", row.note), Role::Dim));
    }
    pen.pieces(Rect { width: room, ..area }, 0, &pieces);
    pen.pieces_right(Rect { width: area.width.saturating_sub(1), ..area }, 0, &values);
    if selected {
        pen.restyle(area, Role::Selection);
    }
}

/// Load and mark, in six cells; nothing for what carries no collective.
fn values(row: &Row) -> Vec<Piece> {
    if !row.wired {
        return Vec::new();
    }
    let percent = percent(row.load.ratio());
    let number = if row.state == State::Down { "out".to_owned() } else { percent.to_string() };
    let number = if percent == 0 && row.state != State::Down { "idle".to_owned() } else { number };
    let hot = row.hot && row.open != Some(true);
    let number = if hot { format!("◄{number}") } else { number };
    let load = match row.state {
        State::Down => Role::Down,
        _ if hot => Role::Bottleneck,
        _ => Role::for_load(percent),
    };
    let (glyph, state) = match row.state {
        State::Up => (' ', Role::Text),
        State::Degraded => (mark::DEGRADED, Role::Degraded),
        State::Down => (mark::DOWN, Role::Down),
    };
    let blanks = " ".repeat(4_usize.saturating_sub(text::width(&number)));
    vec![piece(blanks, Role::Text), piece(number, load), piece(format!(" {glyph}"), state)]
}

/// Whole percent, 1 for anything above nothing.
pub(super) fn percent(ratio: f64) -> u8 {
    if ratio > 0.000_5 { (ratio * 100.0).round().clamp(1.0, 100.0) as u8 } else { 0 }
}

/// Names have the colour of their tier.
fn role(app: &App, row: &Row) -> Role {
    match row.state {
        State::Down => return Role::Down,
        State::Degraded => return Role::Degraded,
        State::Up => {}
    }
    match row.spot.pick() {
        Some(Pick::Device { unit, device }) => {
            match shape_of(app.system(), unit).and_then(|s| s.device(device)).map(|d| &d.kind) {
                Some(DeviceKind::Gpu(_) | DeviceKind::ScaleUpSwitch(_)) => Role::ScaleUp,
                Some(DeviceKind::Nic(_) | DeviceKind::Fabric) => Role::ScaleOut,
                _ => Role::Host,
            }
        }
        Some(Pick::Leaf(_) | Pick::Uplink(_) | Pick::Spine(_) | Pick::Core(_)) => Role::ScaleOut,
        Some(pick @ Pick::Link { .. }) => match app.tier_of_link(pick) {
            Some(crate::system::Tier::ScaleUp) => Role::ScaleUp,
            Some(crate::system::Tier::ScaleOut) => Role::ScaleOut,
            _ => Role::Host,
        },
        _ if row.spot == Spot::Fabric => Role::ScaleOut,
        _ if row.spot == Spot::Services => Role::Services,
        _ => Role::Text,
    }
}
