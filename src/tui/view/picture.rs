//! The picture panel.

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::panel::{self, Heading};
use super::pen::Pen;
use crate::tui::app::{App, Layer, Panel};
use crate::tui::picture::{self, Caption, PictureInput, Scene, Scope};
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, areas: &Areas) -> Option<Position> {
    let inner = panel::inner(area, areas.form);
    let scene = layout(app, inner);
    let focused = app.focus.panel() == Panel::Picture && !matches!(app.focus.top(), Layer::Line(_));
    let left = heading(app, &scene);
    let right = right_heading(app, &scene, areas.form);
    let inner = panel::frame(pen, area, &Heading { left: &left, right: &right, focused });
    let theme = pen.theme();
    picture::paint(&scene, theme, crate::tui::glyphs::Glyphs::Unicode, inner, pen.buffer());
    scene.cursor.map(|(x, y)| Position { x: inner.x + x, y: inner.y + y })
}

/// Where one is: `cluster ▸ node0`.
fn heading(app: &App, scene: &Scene) -> String {
    let layer = match app.focus.instead_of_picture() {
        Some(Layer::Matrix) => " ▸ pairs",
        _ => "",
    };
    let system = app.system();
    let root = if system.units > 1 { "cluster ▸ " } else { "" };
    match app.drawn() {
        Scope::Node { unit, node } | Scope::Matrix { unit, node } if system.is_rack => {
            format!("{root}rack{unit} ▸ node{node}{layer}")
        }
        Scope::Node { unit, .. } | Scope::Matrix { unit, .. } | Scope::Rack { unit } if system.units > 1 => {
            format!("{root}{}{layer}", system.unit_name(unit))
        }
        Scope::Fabric => format!("{root}fabric"),
        // The scene's own title says which picture it is.
        _ => scene.title.clone(),
    }
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
    let captions = captions(app);
    let input = PictureInput {
        system: app.system(),
        scope: app.drawn(),
        lens: app.lens,
        plane: app.plane,
        cell: app.cell,
        selection: app.selection.pick(),
        loads: &app.answers.loads,
        baseline: app.history.differs().then_some(&app.answers.before as &dyn picture::Loads),
        bottleneck: &app.answers.bottleneck,
        edited: &app.answers.edited,
        captions: &captions,
        glyphs: app.glyphs,
    };
    picture::layout(&input, (inner.width, inner.height))
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
