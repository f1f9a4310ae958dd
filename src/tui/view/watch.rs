//! A collective step by step: what the ranks hold, the moves of the step on their links, time and bytes so far.

mod moves;
mod page;
mod rows;
mod scene;
mod sketch;
mod star;
mod table;
mod trees;

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::pen::{Pen, Piece, piece, wrapped};
use super::{charts, panel, rows as frames};
use crate::cost::TierProgress;
use crate::system::Tier;
use crate::tui::app::{App, Play};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use page::{Page, Pane};

/// A line of pieces.
type Line = Vec<Piece>;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let e = app.answers().now.estimate();
    let what =
        e.map_or_else(|| "a collective".to_owned(), |e| format!("{}, {}", e.question.collective, e.chosen.algorithm));
    let watch = app.watch();
    let right = format!("step {} of {}", watch.step, watch.steps());
    let inner = frames::frame(app, pen, areas, &what, &right);
    match watch.play() {
        Some(Ok(play)) => collective(app, play, pen, inner),
        Some(Err(why)) => frames::none(pen, inner, why),
        None => {}
    }
    None
}

fn collective(app: &App, play: &Play, pen: &mut Pen<'_>, area: Rect) {
    let page = Page::new(app, play, area);
    for (row, line) in page.head.iter().enumerate() {
        pen.pieces(area, row as u16, line);
    }
    if let Some((at, sketch)) = &page.drawing {
        sketch.paint(pen, *at);
    }
    for p in &page.panes {
        pane(pen, p, app.watch().scroll().min(p.most()));
    }
    for (row, line) in page.foot.1.iter().enumerate() {
        pen.pieces(page.foot.0, row as u16, line);
    }
}

/// A heading and the rows below it, from so many on; the last line says how many do not show.
fn pane(pen: &mut Pen<'_>, p: &Pane, first: usize) {
    for (row, line) in p.heading.iter().enumerate() {
        pen.pieces(p.area, row as u16, line);
    }
    let top = p.heading.len();
    let window = p.window();
    for (row, line) in p.rows.iter().skip(first).take(window).enumerate() {
        pen.pieces(p.area, (top + row) as u16, line);
    }
    if p.rows.len() > window {
        let below = p.rows.len() - window - first.min(p.rows.len() - window);
        let words = match (first, below) {
            (0, _) => format!("{below} more below"),
            (_, 0) => format!("{first} more above"),
            _ => format!("{first} above, {below} below"),
        };
        pen.pieces(p.area, (top + window) as u16, &[piece(words, Role::Dim)]);
    }
}

/// How far what is watched can be scrolled on this screen.
pub(crate) fn most(app: &App) -> usize {
    laid_out(app).map_or(0, |p| p.most())
}

/// Whether a drawing shows on this screen.
pub(crate) fn draws(app: &App) -> bool {
    laid_out(app).is_some_and(|p| p.drawing.is_some())
}

fn laid_out(app: &App) -> Option<Page> {
    let areas = Areas::new(app.size, &app.focus);
    let inner = panel::inner(charts::split(&areas).0, areas.form);
    let area = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let play = app.watch().play()?.as_ref().ok()?;
    Some(Page::new(app, play, area))
}

/// What is below: the slowest link, what the marks mean, what the tiers have done, and what else there is to say.
fn foot(app: &App, play: &Play, width: u16) -> Vec<Line> {
    let marks = play.timeline.schedule().marks();
    let marks = if marks.is_empty() { Vec::new() } else { wrapped(&marks, width, Role::Dim) };
    std::iter::once(slowest(play, width))
        .chain(marks)
        .chain(play.frame.tiers.iter().map(|t| tier(t, width)))
        .chain(table::legend(play, width))
        .chain(beside(app, play, width))
        .collect()
}

/// What happens, and the time so far.
fn head(app: &App, play: &Play, area: Rect) -> Vec<Line> {
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
    let hidden = shown.and_then(|s| play.timeline.hidden(app.system(), s)).filter(|_| !small);
    lines.extend(hidden.iter().flat_map(|h| wrapped(h, area.width, Role::Text)));
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
fn beside(app: &App, play: &Play, width: u16) -> Vec<Line> {
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
