//! The picture panel.

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::panel::{self, Heading};
use super::pen::Pen;
use crate::tui::app::{App, Layer, Panel, Screen};
use crate::tui::glyphs::mark;
use crate::tui::picture::{self, Caption, PictureInput, Scene, Scope};
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, areas: &Areas) -> Option<Position> {
    let inner = panel::inner(area, areas.form);
    let scene = layout(app, inner);
    let focused = app.focus.panel() == Panel::Picture && !matches!(app.focus.top(), Layer::Line(_) | Layer::Lesson);
    let right = right_heading(app, &scene, areas.form);
    let left = heading(app, &scene, usize::from(area.width).saturating_sub(text::width(&right) + 10));
    let inner = panel::frame(pen, area, &Heading { left: &left, right: &right, focused });
    let theme = pen.theme();
    picture::paint(&scene, theme, crate::tui::glyphs::Glyphs::Unicode, inner, pen.buffer());
    scene.cursor.map(|(x, y)| Position { x: inner.x + x, y: inner.y + y })
}

/// Where one is: `explore ▸ cluster ▸ node0 ▸ gpu3 ▸ --nvsw1`, as much of it as `room` columns take; and what the
/// picture leaves out.
fn heading(app: &App, scene: &Scene, room: usize) -> String {
    if let Scope::Path { .. } = app.drawn() {
        return scene.title.clone();
    }
    let mut crumbs = app.crumbs();
    match app.system().units {
        1 if crumbs.is_empty() => crumbs.push(app.system().name.clone()),
        1 => {}
        _ => crumbs.insert(0, "cluster".to_owned()),
    }
    if let Some(Layer::Matrix) = app.focus.instead_of_picture() {
        crumbs.push("pairs".to_owned());
    }
    let separator = format!(" {} ", mark::CLOSED);
    let join = |from: usize| crumbs.iter().skip(from).map(String::as_str).collect::<Vec<_>>().join(&separator);
    let screen = format!("{}{separator}{}", Screen::Explore.name(), join(0));
    let mut ways = Vec::new();
    // A scene's title is its place, what that is, and what is left out or drawn once.
    let parts: Vec<&str> = scene.title.split("   ").collect();
    let note = match (app.drawn(), parts.as_slice()) {
        (Scope::Classes, [_, note]) | (_, [_, _, note]) => *note,
        (_, [_, what]) if app.system().units == 1 => *what,
        _ => "",
    };
    if !note.is_empty() {
        ways.extend([format!("{screen}   {note}"), format!("{}   {note}", join(0))]);
    }
    ways.push(screen);
    // The inner steps say more than the outer ones.
    ways.extend((0..crumbs.len()).map(join));
    let fits = ways.iter().position(|w| text::width(w) <= room);
    ways.swap_remove(fits.unwrap_or(ways.len() - 1))
}

fn right_heading(app: &App, scene: &Scene, form: Form) -> String {
    let plane = if app.draws_node() && form >= Form::Medium {
        format!("plane: {}   ", app.plane.name())
    } else {
        String::new()
    };
    let tab = if form == Form::Small { "   tab: tree" } else { "" };
    format!("{plane}{}{tab}", scene.unit)
}

/// Lays the picture out for the cells inside its frame.
pub(super) fn layout(app: &App, inner: Rect) -> Scene {
    with_input(app, |input| picture::layout(input, (inner.width, inner.height)))
}

/// What is drawn from, for a function of the picture.
pub(super) fn with_input<T>(app: &App, ask: impl FnOnce(&PictureInput<'_>) -> T) -> T {
    let captions = captions(app);
    let pairs = app.pairs();
    let input = PictureInput {
        system: app.system(),
        scope: app.drawn(),
        lens: app.lens,
        plane: app.plane,
        cell: app.cell,
        pairs: pairs.as_ref(),
        selection: app.selection.pick(),
        loads: &app.answers.loads,
        baseline: app.history.differs().then_some(&app.answers.before as &dyn picture::Loads),
        bottleneck: &app.answers.bottleneck,
        edited: &app.answers.edited,
        captions: &captions,
        glyphs: app.glyphs,
    };
    ask(&input)
}

/// The edits that apply, the newest first.
fn captions(app: &App) -> Vec<Caption> {
    let applied = app.history.applied();
    let rows = app.history.done().iter().zip(&applied.outcomes).rev();
    rows.filter_map(|(entry, outcome)| {
        let (text, role) = match outcome {
            crate::scenario::Outcome::Active { .. } => (format!("*{}", entry.edit), Role::WhatIf),
            crate::scenario::Outcome::Inert { reason } => (format!("{}: inert, {reason}", entry.edit), Role::Dim),
            _ => return None,
        };
        Some(Caption { text, role })
    })
    .collect()
}
