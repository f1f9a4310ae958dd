//! The ring as a loop: the ranks in two rows, and on every link the chunk that goes over it now.

use ratatui::layout::Rect;

use super::{Pen, piece};
use crate::tui::app::{MoveRow, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Rows of the drawing.
const ROWS: u16 = 7;

/// Ranks at most.
const MOST: usize = 16;

/// Draws the loop where the step goes once round a ring and there is room.
pub(super) fn draw(play: &Play, pen: &mut Pen<'_>, area: Rect) {
    let Some(ring) = ring(play) else { return };
    let above = ring.len().div_ceil(2);
    let slot = ring.iter().map(|m| text::width(&m.from) + 2).max().unwrap_or(4);
    let wire = ring.iter().map(|m| text::width(&m.chunk)).max().unwrap_or(2) + 4;
    let columns = above * slot + (above - 1) * wire;
    if ROWS > area.height || columns > usize::from(area.width) {
        return;
    }
    let step = (slot + wire) as u16;
    // The upper row goes right, the lower one left; where it is one short, its last wire is a longer one.
    let at = |i: usize| match i {
        i if i < above => (i as u16 * step, 1),
        i if i + 1 == ring.len() => (0, 5),
        i => ((2 * above - 1 - i) as u16 * step, 5),
    };
    for (i, m) in ring.iter().enumerate() {
        let ((x, y), (to, to_y)) = (at(i), at((i + 1) % ring.len()));
        let label = text::pad(&format!("[{}]", m.from), slot);
        pen.text(area.x + x, area.y + y, slot as u16, &label, Role::ScaleUp);
        if y == to_y {
            across(m, pen, area, (x.min(to) + slot as u16, y), x.abs_diff(to) - slot as u16, x < to);
        } else {
            down(m, pen, area, (x.max(to), y < to_y));
        }
    }
}

/// The moves in the order of the ring; `None` where they are no ring of few ranks.
fn ring(play: &Play) -> Option<&[MoveRow]> {
    play.timeline.schedule().even()?;
    let moves = play.frame.moves.as_slice();
    let next = moves.iter().cycle().skip(1);
    let closed = moves.iter().zip(next).all(|(a, b)| a.to == b.from);
    (closed && (4..=MOST).contains(&moves.len())).then_some(moves)
}

/// A link between neighbours of a row, with its chunk over it (or under it in the lower row).
fn across(m: &MoveRow, pen: &mut Pen<'_>, area: Rect, (x, y): (u16, u16), wire: u16, right: bool) {
    let line = "━".repeat(usize::from(wire) - 1);
    let drawn =
        if right { format!("{line}{}", mark::SELECTED_LEFT) } else { format!("{}{line}", mark::SELECTED_RIGHT) };
    pen.text(area.x + x, area.y + y, wire, &drawn, role(m));
    let label = text::centre(&m.chunk, usize::from(wire));
    let beside = if right { y - 1 } else { y + 1 };
    pen.pieces(Rect { x: area.x + x, width: wire, ..area }, beside, &[piece(label, role(m))]);
}

/// The link from one row to the other at an end of the loop.
fn down(m: &MoveRow, pen: &mut Pen<'_>, area: Rect, (x, downward): (u16, bool)) {
    let x = x + 1;
    let head = if downward { (4, '▼') } else { (2, '▲') };
    for y in 2..=4 {
        let glyph = if y == head.0 { head.1 } else { '┃' };
        pen.text(area.x + x, area.y + y, 1, &glyph.to_string(), role(m));
    }
    pen.text(area.x + x + 2, area.y + 3, 6, &m.chunk, role(m));
}

const fn role(m: &MoveRow) -> Role {
    if m.slowest { Role::Bottleneck } else { m.role }
}
