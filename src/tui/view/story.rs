//! The story of a growing job: the stages side by side, and the one under the cursor in full.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::pen::{Pen, Piece, piece, wrapped};
use super::rows;
use crate::lesson::story::{Story, Told, Tone};
use crate::tui::app::App;
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Cells of the bar of a step.
const BAR: usize = 20;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let (story, told) = match app.reports.story? {
        Ok(known) => known,
        Err(why) => {
            let inner = rows::frame(app, pen, areas, "a growing job", "");
            rows::none(pen, inner, why);
            return None;
        }
    };
    let at = app.reports.at;
    let right = format!("stage {} of {}", at + 1, told.len());
    let inner = rows::frame(app, pen, areas, "a growing job", &right);
    let area = assumptions(story, pen, inner);
    let head = stages(told, at, pen, area);
    if let Some(stage) = told.get(at) {
        let rest = area.height.saturating_sub(head);
        detail(story, stage, pen, Rect { y: area.y + head, height: rest, ..area });
    }
    None
}

/// The job and what is assumed, at the foot; what is left above. All of it where there is room.
fn assumptions(story: &Story, pen: &mut Pen<'_>, area: Rect) -> Rect {
    if area.height < 10 {
        return area;
    }
    let mut words = format!("the job: {}", story.job.summary());
    if area.height >= 26 && area.width >= 76 {
        words = format!("{words}. Assumed: {}.", story.job.assumed.join("; "));
    }
    rows::above_note(pen, area, &words, Role::Dim)
}

/// A row per stage, of many the nearest ones; the rows that they take.
fn stages(told: &[Told], at: usize, pen: &mut Pen<'_>, area: Rect) -> u16 {
    let name = told.iter().map(|t| text::width(&t.stage.name)).max().unwrap_or(0) + 2;
    let bars = usize::from(area.width) >= name + 34 + BAR;
    let times = usize::from(area.width) >= name + 34;
    let columns = |gpus: &str, compute: &str, sums: &str, share: &str| {
        let times = if times { format!(" {compute:>9} {sums:>10}") } else { String::new() };
        format!("{gpus:>6}{times} {share:>6}")
    };
    let head = columns("GPUs", "compute", "all-reduce", "share");
    pen.pieces(area, 0, &[piece(format!("{:name$}{head}", ""), Role::Dim)]);
    let shown = if area.height >= 16 { told.len() } else { told.len().min(3) };
    let first = at.saturating_sub(shown / 2).min(told.len() - shown);
    for (row, (i, t)) in told.iter().enumerate().skip(first).take(shown).enumerate() {
        let row = row as u16 + 1;
        let sums = t.all_reduce.as_ref().map_or_else(|| "-".to_owned(), |e| e.time.to_string());
        let numbers = columns(&t.ranks.to_string(), &t.compute.to_string(), &sums, &t.share().to_string());
        let mut pieces = vec![piece(format!("{}{numbers}", text::pad(&t.stage.name, name)), Role::Text)];
        if bars {
            let part = ((t.share().ratio() * BAR as f64).round() as usize).min(BAR);
            pieces.push(piece(format!("  {}", mark::SOLID.to_string().repeat(BAR - part)), Role::Baseline));
            pieces.push(piece(mark::HATCHED.to_string().repeat(part), Role::WhatIf));
        }
        let end = pen.pieces(area, row, &pieces);
        if i == at && row < area.height {
            pen.restyle(Rect { y: area.y + row, height: 1, width: end - area.x, ..area }, Role::Selection);
        }
    }
    let mut rows = shown as u16 + 1;
    if bars && area.height > rows + 14 {
        let words = format!("{:name$}a step: {} compute  {} communication", "", mark::SOLID, mark::HATCHED);
        pen.pieces(area, rows, &[piece(words, Role::Dim)]);
        rows += 1;
    }
    rows + u16::from(area.height > rows + 12)
}

/// A stage in full, cut where the room ends: what answers goes before what explains.
fn detail(story: &Story, stage: &Told, pen: &mut Pen<'_>, area: Rect) {
    let all = stage.lines(&story.job);
    let title = vec![piece(format!("{} {}: {}", mark::OPEN, stage.stage.name, stage.who()), Role::Strong)];
    let drawn = |without: &[Tone]| -> Vec<Vec<Piece>> {
        let kept = all.iter().filter(|l| !without.contains(&l.tone));
        let lines = kept.flat_map(|l| wrapped(&l.text, area.width, role(l.tone)));
        std::iter::once(title.clone()).chain(lines).collect()
    };
    // Sources and prose give way first, then what has not changed.
    let ways: [&[Tone]; 5] = [
        &[],
        &[Tone::Remark],
        &[Tone::Remark, Tone::Text],
        &[Tone::Remark, Tone::Text, Tone::Same],
        &[Tone::Remark, Tone::Text, Tone::Same, Tone::New],
    ];
    let fits = |w: &&&[Tone]| drawn(w).len() <= usize::from(area.height);
    let lines = drawn(ways.iter().find(fits).unwrap_or(&ways[4]));
    for (row, line) in lines.iter().enumerate() {
        pen.pieces(area, row as u16, line);
    }
}

const fn role(tone: Tone) -> Role {
    match tone {
        Tone::Text => Role::Text,
        Tone::Same | Tone::Remark => Role::Dim,
        Tone::New => Role::WhatIf,
        Tone::Number => Role::Strong,
        Tone::Next => Role::Good,
    }
}
