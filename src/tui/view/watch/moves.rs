//! The moves of the step as arrows, with the devices on their way.

use ratatui::layout::Rect;

use super::{Pen, Piece, piece};
use crate::tui::app::{App, MoveRow, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Rows of the moves without their heading.
pub(super) fn height(play: &Play) -> u16 {
    play.frame.moves.len() as u16
}

/// Columns of the widest arrow.
pub(super) fn width(play: &Play) -> u16 {
    let [from, chunk, to] = widths(&play.frame.moves);
    let gap = if chunk == 0 { 0 } else { chunk + 2 };
    // Two brackets at each end, the wire, its head and the sign of adding.
    (from + to + gap + 10) as u16
}

fn widths(moves: &[MoveRow]) -> [usize; 3] {
    let most = |f: fn(&MoveRow) -> &String| moves.iter().map(|m| text::width(f(m))).max().unwrap_or(0);
    [most(|m| &m.from), most(|m| &m.chunk), most(|m| &m.to)]
}

pub(super) fn draw(app: &App, play: &Play, pen: &mut Pen<'_>, area: Rect) {
    if area.width < width(play).min(24) {
        return;
    }
    let moves = &play.frame.moves;
    if moves.is_empty() {
        let words = if app.watch().step == 0 { "launch: nothing moves" } else { "nothing moves here in this step" };
        pen.pieces(area, 0, &[piece(words, Role::Dim)]);
        return;
    }
    let all = play.frame.moved;
    let word = if all == 1 { "move".to_owned() } else { format!("{all} moves, all at once") };
    pen.pieces(area, 0, &[piece(word, Role::Dim)]);
    let wide = widths(moves);
    for (i, m) in moves.iter().enumerate() {
        let row = i as u16 + 1;
        let hidden = all - i;
        if row + 1 == area.height && hidden > 1 {
            pen.pieces(area, row, &[piece(format!("and {hidden} more like these"), Role::Dim)]);
            break;
        }
        pen.pieces(area, row, &line(m, wide, area.width));
    }
}

/// `[g0]━━ c7 ━━►+[g1]  128 MiB over nvsw[0-3]`.
fn line(m: &MoveRow, [from, chunk, to]: [usize; 3], width: u16) -> Vec<Piece> {
    let wire = "━━";
    let gap = if chunk == 0 { String::new() } else { format!(" {} ", text::pad(&m.chunk, chunk)) };
    let plus = if m.adds { '+' } else { ' ' };
    let arrow = format!("{wire}{gap}{wire}{}{plus}", mark::SELECTED_LEFT);
    let ends = [&m.from, &m.to].map(|n| format!("[{n}]"));
    let [a, b] = [text::pad(&ends[0], from + 2), text::pad(&ends[1], to + 2)];
    let mut used = text::width(&a) + text::width(&arrow) + text::width(&b);
    let mut line = vec![piece(a, Role::ScaleUp), piece(arrow, m.role), piece(b, Role::ScaleUp)];
    if m.slowest {
        let words = format!(" {} slowest", mark::BOTTLENECK);
        let words =
            if used + text::width(&words) <= usize::from(width) { words } else { format!(" {}", mark::BOTTLENECK) };
        used += text::width(&words);
        line.push(piece(words, Role::Bottleneck));
    }
    for extra in [format!("  {}", m.bytes), format!(" {}", m.way)] {
        if used + text::width(&extra) <= usize::from(width) {
            used += text::width(&extra);
            line.push(piece(extra, Role::Dim));
        }
    }
    line
}
