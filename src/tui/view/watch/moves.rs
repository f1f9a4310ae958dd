//! The moves of the step as arrows, with the devices on their way.

use super::{Line, piece};
use crate::tui::app::{App, MoveRow, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

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

/// What there is, and a row per move.
pub(super) fn lines(app: &App, play: &Play, width: u16) -> (Line, Vec<Line>) {
    let moves = &play.frame.moves;
    let all = play.frame.moved;
    let words = match all {
        0 if app.watch().step == 0 => "launch: nothing moves".to_owned(),
        0 => "nothing moves here in this step".to_owned(),
        1 => "one move".to_owned(),
        _ => format!("{all} moves, all at once"),
    };
    let wide = widths(moves);
    let mut rows: Vec<Line> = moves.iter().map(|m| line(m, wide, width)).collect();
    if all > moves.len() {
        rows.push(vec![piece(format!("and {} like these", all - moves.len()), Role::Dim)]);
    }
    (vec![piece(words, Role::Dim)], rows)
}

/// `[g0]━━ c7 ━━►+[g1]  128 MiB over nvsw[0-3]`.
fn line(m: &MoveRow, [from, chunk, to]: [usize; 3], width: u16) -> Line {
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
