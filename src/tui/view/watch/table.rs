//! Rank by chunk: how many ranks are summed up in each.

use super::{Line, Piece, piece, wrapped};
use crate::tui::app::{Cell, ChunkTable, Done, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Columns and rows of the whole table.
pub(super) fn natural(play: &Play) -> (u16, u16) {
    let Some(table) = &play.frame.table else { return (0, 0) };
    let (name, slot) = columns(table);
    ((name + table.head.len() * slot) as u16, table.rows.len() as u16 + 1)
}

/// Columns of the names, and of a cell.
fn columns(table: &ChunkTable) -> (usize, usize) {
    let name = table.rows.iter().map(|(n, _)| text::width(n)).max().unwrap_or(0) + 3;
    // The same at every step: nothing moves but what is in the cells.
    let digits = table.full.saturating_sub(1).to_string().len();
    (name, if table.adds { digits + 2 } else { 3 })
}

/// The head and the rows in so many columns, and those that they take; neighbours share one where there are too many.
pub(super) fn lines(play: &Play, room: u16) -> Option<((Line, Vec<Line>), u16)> {
    let table = play.frame.table.as_ref()?;
    let (name, slot) = columns(table);
    let most = usize::from(room).saturating_sub(name) / slot;
    let each = table.head.len().div_ceil(most.max(1)).max(1);
    let mut head = vec![piece(" ".repeat(name), Role::Dim)];
    let label = |h: &[String]| {
        let first = h.first().map_or("", String::as_str);
        let bare = first.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let fits = if text::width(first) < slot { first } else { bare };
        piece(text::pad(&format!(" {fits}"), slot), Role::Dim)
    };
    head.extend(table.head.chunks(each).map(label));
    let row = |(label, cells): &(String, Vec<Cell>)| {
        let mut line = vec![piece(text::pad(&format!("[{label}]"), name), Role::ScaleUp)];
        line.extend(cells.chunks(each).flat_map(|c| drawn(table, together(c), slot)));
        line
    };
    let width = (name + table.head.len().div_ceil(each) * slot) as u16;
    Some(((head, table.rows.iter().map(row).collect()), width.min(room)))
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
pub(super) fn legend(play: &Play, width: u16) -> Vec<Line> {
    let Some(table) = &play.frame.table else { return Vec::new() };
    let own = table.adds.then(|| format!("{} own, 2.. ranks summed", mark::NOTHING));
    let pairs = play.timeline.schedule().is_pairs();
    let pairs = pairs.then(|| "row: receiver, column: whose block".to_owned());
    let complete = Some(format!("{} complete", mark::FULL));
    let parts = table.by_node || play.timeline.schedule().slices() > 1;
    let partly = parts.then(|| format!("{} in part", mark::EMPTY));
    let moved = Some(format!("{}x came now, x{} goes next", mark::SELECTED_LEFT, mark::CLOSED));
    let words: Vec<String> = [pairs, own, complete, partly, moved].into_iter().flatten().collect();
    wrapped(&words.join(", "), width, Role::Dim)
}
