//! The picture panel.

use std::sync::{Arc, Mutex, PoisonError};

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::panel::{self, Heading};
use super::pen::Pen;
use crate::scenario::{Applied, Outcome};
use crate::tui::app::{Answers, App, Layer, Panel, Screen};
use crate::tui::glyphs::{Glyphs, mark};
use crate::tui::picture::{self, Caption, Lens, PairCell, Pick, PictureInput, Plane, Scene, Scope};
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

/// All that the layout of a picture depends on. It holds what it compares by address, so that an address cannot come to
/// mean something else.
#[derive(Debug, Clone)]
struct Key {
    applied: Arc<Applied>,
    answers: Arc<Answers>,
    differs: bool,
    selection: Option<Pick>,
    shown: (Scope, Lens, Plane, PairCell),
    glyphs: Glyphs,
    size: (u16, u16),
}

impl Key {
    fn of(app: &App, size: (u16, u16), selection: Option<Pick>) -> Self {
        Self {
            applied: Arc::clone(app.history.applied()),
            answers: Arc::clone(&app.answers),
            differs: app.history.differs(),
            selection,
            shown: (app.drawn(), app.lens, app.plane, app.cell),
            glyphs: app.glyphs,
            size,
        }
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.applied, &other.applied)
            && Arc::ptr_eq(&self.answers, &other.answers)
            && self.differs == other.differs
            && self.selection == other.selection
            && self.shown == other.shown
            && self.glyphs == other.glyphs
            && self.size == other.size
    }
}

/// The pictures that were laid out last: the one on the screen, and the one that the arrow keys walk where that is
/// another. A key that moves along the wires asks for the very picture that is there.
#[derive(Debug, Default)]
pub(crate) struct LastScene {
    drawn: Slot,
    walked: Slot,
}

type Slot = Mutex<Option<(Key, Arc<Scene>)>>;

impl Clone for LastScene {
    /// Another explorer starts with none of its own: it is there to save time alone.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Lays the picture out for the cells inside its frame, once for as long as nothing changes that it depends on.
pub(super) fn layout(app: &App, inner: Rect) -> Arc<Scene> {
    once(app, &app.last_scene.drawn, (inner.width, inner.height), app.selection.pick())
}

/// Columns and rows on which nearly every picture draws alike things one by one.
const WHOLE: (u16, u16) = (240, 80);

/// The picture with room for each part, as it is whatever is selected: what a walk with the arrow keys stands on.
pub(super) fn whole(app: &App) -> Arc<Scene> {
    once(app, &app.last_scene.walked, WHOLE, None)
}

fn once(app: &App, slot: &Slot, size: (u16, u16), selection: Option<Pick>) -> Arc<Scene> {
    let lay = || {
        let draw = |input: &PictureInput<'_>| picture::layout(&PictureInput { selection, ..*input }, size);
        Arc::new(with_input(app, size.1, draw))
    };
    // What was measured is compared anew each time.
    if app.matrices.is_some() {
        return lay();
    }
    let key = Key::of(app, size, selection);
    let mut last = slot.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, scene)) = last.as_ref().filter(|(k, _)| k.is(&key)) {
        return Arc::clone(scene);
    }
    let scene = lay();
    *last = Some((key, Arc::clone(&scene)));
    scene
}

/// What is drawn from, for a function of the picture on so many rows.
pub(super) fn with_input<T>(app: &App, rows: u16, ask: impl FnOnce(&PictureInput<'_>) -> T) -> T {
    let captions = captions(app, rows);
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

/// The edits that apply, the newest first; one more than the rows could hold tells that there are more.
fn captions(app: &App, rows: u16) -> Vec<Caption> {
    let applied = app.history.applied();
    let all = app.history.done().iter().zip(&applied.outcomes).rev();
    let written = all.filter_map(|(entry, outcome)| {
        let (text, role) = match outcome {
            Outcome::Active { .. } => (format!("*{}", entry.edit), Role::WhatIf),
            Outcome::Inert { reason } => (format!("{}: inert, {reason}", entry.edit), Role::Dim),
            _ => return None,
        };
        Some(Caption { text, role })
    });
    written.take(usize::from(rows) + 1).collect()
}
