//! Rank by chunk: how many ranks are summed up in each.

use ratatui::layout::Rect;

use super::{Pen, Piece, piece};
use crate::tui::app::{Cell, ChunkTable, Done, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Rows of the table without its head.
pub(super) fn height(play: &Play) -> u16 {
    play.frame.table.as_ref().map_or(0, |t| t.rows.len() as u16)
}

/// Draws the table, beside which so many columns stay free; the columns that it takes.
pub(super) fn draw(play: &Play, pen: &mut Pen<'_>, area: Rect, free: u16) -> u16 {
    let Some(table) = &play.frame.table else { return 0 };
    let name = table.rows.iter().map(|(n, _)| text::width(n)).max().unwrap_or(0) + 3;
    let digits = table.rows.iter().flat_map(|r| &r.1).map(|c| c.summed.to_string().len()).max().unwrap_or(1);
    let slot = if table.adds { digits + 2 } else { 3 };
    let room = usize::from(area.width);
    let most = room.saturating_sub(name + usize::from(free)).max(room / 3) / slot;
    // Neighbours share a column where there are too many.
    let each = table.head.len().div_ceil(most.max(1)).max(1);
    let mut head = vec![piece(" ".repeat(name), Role::Dim)];
    let label = |h: &[String]| {
        let first = h.first().map_or("", String::as_str);
        let bare = first.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let fits = if text::width(first) < slot { first } else { bare };
        piece(text::pad(&format!(" {fits}"), slot), Role::Dim)
    };
    head.extend(table.head.chunks(each).map(label));
    pen.pieces(area, 0, &head);
    for (i, (label, cells)) in table.rows.iter().enumerate() {
        let row = i as u16 + 1;
        let hidden = table.rows.len() - i;
        if row + 1 == area.height && hidden > 1 {
            pen.pieces(area, row, &[piece(format!("and {hidden} more"), Role::Dim)]);
            break;
        }
        let mut line = vec![piece(text::pad(&format!("[{label}]"), name), Role::ScaleUp)];
        line.extend(cells.chunks(each).flat_map(|c| drawn(table, together(c), slot)));
        pen.pieces(area, row, &line);
    }
    ((name + table.head.len().div_ceil(each) * slot) as u16).min(area.width)
}

/// Neighbours as one.
fn together(cells: &[Cell]) -> Cell {
    let all = cells.iter().filter(|c| c.done == Done::All).count();
    let some = cells.iter().any(|c| c.done == Done::Partly);
    let done = match Done::of(all, cells.len()) {
        Done::Nothing if some => Done::Partly,
        done => done,
    };
    cells.iter().fold(Cell { done, ..Cell::default() }, |a, c| Cell {
        summed: a.summed.max(c.summed),
        arrived: a.arrived || c.arrived,
        leaves: a.leaves || c.leaves,
        ..a
    })
}

/// `►6 `, ` ·  `, ` ■► `: arrived before it, leaves after it.
fn drawn(table: &ChunkTable, c: Cell, slot: usize) -> Vec<Piece> {
    let (what, role) = state(table, c);
    let before = if c.arrived { mark::SELECTED_LEFT } else { ' ' };
    let after = if c.leaves { mark::CLOSED } else { ' ' };
    let text = format!("{before}{what}{after}");
    let role = if c.arrived { Role::Selection } else { role };
    let content = text::truncate(text.trim_end(), slot);
    let rest = slot.saturating_sub(text::width(&content));
    vec![piece(content, role), piece(" ".repeat(rest), Role::Text)]
}

fn state(table: &ChunkTable, c: Cell) -> (String, Role) {
    match (c.done, c.summed) {
        (Done::All, _) => (mark::FULL.to_string(), Role::Good),
        (Done::Partly, _) => (mark::EMPTY.to_string(), Role::Good),
        (_, 0) => (" ".to_owned(), Role::Dim),
        (_, 1) if table.adds => (mark::NOTHING.to_string(), Role::Dim),
        (_, summed) => (summed.to_string(), Role::Load4),
    }
}

/// What the marks mean.
pub(super) fn legend(play: &Play) -> Option<Vec<Piece>> {
    let table = play.frame.table.as_ref()?;
    let own = table.adds.then(|| format!("{} own  2.. ranks summed", mark::NOTHING));
    let complete = Some(format!("{} complete", mark::FULL));
    let partly = table.by_node.then(|| format!("{} in some GPUs", mark::EMPTY));
    let moved = Some(format!("{}x came now  x{} goes next", mark::SELECTED_LEFT, mark::CLOSED));
    let words: Vec<String> = [own, complete, partly, moved].into_iter().flatten().collect();
    Some(vec![piece(words.join("  "), Role::Dim)])
}
