//! A collective step by step: what the ranks hold, the moves of the step on their links, time and bytes so far.

mod circle;
mod moves;
mod table;

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::pen::{Pen, Piece, piece, wrapped};
use super::rows;
use crate::cost::TierProgress;
use crate::system::Tier;
use crate::tui::app::{App, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Rows that the table and the moves get before anything else.
const MIDDLE: u16 = 9;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let e = app.answers().now.estimate();
    let what =
        e.map_or_else(|| "a collective".to_owned(), |e| format!("{}, {}", e.question.collective, e.chosen.algorithm));
    let watch = app.watch();
    let right = format!("step {} of {}", watch.step, watch.steps());
    let inner = rows::frame(app, pen, areas, &what, &right);
    match watch.play() {
        Some(Ok(play)) => collective(app, play, pen, inner),
        Some(Err(why)) => rows::none(pen, inner, why),
        None => {}
    }
    None
}

fn collective(app: &App, play: &Play, pen: &mut Pen<'_>, area: Rect) {
    let head = head(app, play, area);
    let roomy = area.height >= 22;
    let mut row = 0;
    for line in head {
        pen.pieces(area, row, &line);
        row += 1;
    }
    row += u16::from(roomy);
    let slowest = slowest(play, area.width);
    let foot: Vec<Vec<Piece>> = play
        .frame
        .tiers
        .iter()
        .map(|t| tier(t, area.width))
        .chain(table::legend(play))
        .chain(beside(app, play, area.width))
        .collect();
    let wanted = table::height(play).max(moves::height(play)) + 1;
    let left = area.height.saturating_sub(row + 1);
    let middle = wanted.min(left.saturating_sub(foot.len() as u16).max(MIDDLE)).min(left);
    let body = Rect { y: area.y + row, height: middle, ..area };
    // Where both do not fit side by side, the table goes first.
    let beside = if area.width < 44 { 0 } else { moves::width(play) + 3 };
    let used = table::draw(play, pen, body, beside);
    let gap = if used > 0 { 3 } else { 0 };
    let room = Rect { x: body.x + used + gap, width: body.width.saturating_sub(used + gap), ..body };
    moves::draw(app, play, pen, room);
    row += middle + u16::from(roomy);
    pen.pieces(area, row, &slowest);
    row += 1;
    for line in foot {
        pen.pieces(area, row, &line);
        row += 1;
    }
    let row = (row + 1).min(area.height);
    circle::draw(play, pen, Rect { y: area.y + row, height: area.height - row, ..area });
}

/// What happens, and the time so far.
fn head(app: &App, play: &Play, area: Rect) -> Vec<Vec<Piece>> {
    let watch = app.watch();
    let schedule = play.timeline.schedule();
    let shown = watch.step.checked_sub(1);
    let (phase, about) = match shown {
        None => ("launch".to_owned(), "nothing has moved yet; right or space goes on".to_owned()),
        Some(s) => (schedule.phase(s).to_string(), schedule.about(s)),
    };
    let small = area.height < 12;
    let line = if small { phase } else { format!("{phase}: {about}") };
    let mut lines = wrapped(&line, area.width, Role::Strong);
    lines.truncate(2);
    let time = format!(" {} of {}", play.frame.time, play.timeline.total());
    let speed = rate(watch.rate());
    let state = match (app.config.no_motion, watch.playing) {
        (true, _) => "  step by step".to_owned(),
        (_, true) => format!("  playing, {speed}"),
        (_, false) => format!("  paused, {speed}"),
    };
    let room = usize::from(area.width).saturating_sub(text::width(&time) + 5);
    // The bar gives way to the words, the words to the time.
    let (bar, state) = match room.checked_sub(text::width(&state)) {
        Some(left) => (left.min(40), state),
        None => (room.min(40), String::new()),
    };
    let share = play.frame.time / play.timeline.total();
    lines.push(vec![
        piece("time ", Role::Dim),
        piece(gauge(share.ratio(), bar), Role::WhatIf),
        piece(time + &state, Role::Text),
    ]);
    lines
}

/// `2 steps/s`, `1/4 step/s`.
fn rate(steps: f64) -> String {
    match steps {
        s if s > 1.0 => format!("{s:.0} steps/s"),
        s if s < 1.0 => format!("1/{:.0} step/s", 1.0 / s),
        _ => "1 step/s".to_owned(),
    }
}

/// A bar that is filled up to a share.
fn gauge(share: f64, cells: usize) -> String {
    let full = ((share * cells as f64).round().max(0.0) as usize).min(cells);
    let part = |glyph: char, n: usize| glyph.to_string().repeat(n);
    part(mark::SOLID, full) + &part(mark::LIGHT, cells - full)
}

/// What a tier has done so far.
fn tier(t: &TierProgress, width: u16) -> Vec<Piece> {
    let role = match t.tier {
        Tier::OnChip => Role::Chip,
        Tier::ScaleUp => Role::ScaleUp,
        Tier::Host => Role::Host,
        Tier::ScaleOut => Role::ScaleOut,
        Tier::Services => Role::Services,
    };
    let name = piece(format!("{:<10}", t.tier.name()), role);
    let bytes = format!("{} of {} per GPU", t.bytes, t.all_bytes);
    let time = format!("busy {} of {}", t.time, t.all_time);
    if width < 66 {
        return vec![name, piece(bytes, Role::Text)];
    }
    let share = if t.all_bytes.get() > 0.0 { t.bytes.get() / t.all_bytes.get() } else { 0.0 };
    vec![name, piece(gauge(share, 10), role), piece(format!(" {bytes:<28}  "), Role::Text), piece(time, Role::Dim)]
}

/// The link that the step waited for, what it needs for the step's bytes, and what the step takes; as much of it as fits.
fn slowest(play: &Play, width: u16) -> Vec<Piece> {
    let Some(s) = &play.frame.slowest else { return vec![piece("no link is in use", Role::Dim)] };
    let added = play.frame.added;
    let rest = if s.time.us() < 0.95 * added.us() { ", the rest is latency" } else { "" };
    let ways = [
        ("slowest link", format!(" {}: {} for its bytes, the step takes {added}{rest}", s.name, s.time)),
        ("slowest link", format!(" {}: {} for its bytes, the step takes {added}", s.name, s.time)),
        ("slowest link", format!(" {}: {} of the step's {added}", s.name, s.time)),
        ("slowest", format!(" {} {}", s.name, s.time)),
        ("slowest", format!(" {}", s.name)),
    ];
    let fits = |(word, rest): &&(&str, String)| text::width(word) + text::width(rest) + 2 <= usize::from(width);
    let (word, rest) = ways.iter().find(fits).unwrap_or(&ways[4]);
    vec![piece(format!("{} {word}", mark::BOTTLENECK), Role::Bottleneck), piece(rest.clone(), Role::Text)]
}

/// What goes on besides what is drawn.
fn beside(app: &App, play: &Play, width: u16) -> Vec<Vec<Piece>> {
    let schedule = play.timeline.schedule();
    let mut words: Vec<String> = Vec::new();
    if schedule.lanes(0) > 1 {
        let (kind, lane) = (schedule.lane_kind(), app.watch().lane());
        let share = crate::units::Share::new(schedule.lane_share(0, lane));
        words.push(format!(
            "drawn: {kind} {} of {}, {share} of the message; [ ] for others",
            lane + 1,
            schedule.lanes(0)
        ));
    }
    words.extend(play.timeline.beside(app.system()));
    words.iter().flat_map(|w| wrapped(w, width, Role::Dim)).collect()
}
