//! Draws the state. Reads it only: everything that takes thought was worked out by `update`.

mod areas;
mod charts;
mod compare;
mod diagnose;
mod explain;
mod footer;
mod impact;
mod inspector;
mod learn;
mod lists;
mod panel;
mod pen;
mod picture;
mod prompt;
mod quiz;
mod result;
mod rows;
mod scale;
mod story;
mod sweep;
mod tabs;
mod title;
mod tree;
mod watch;

use std::sync::Arc;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

pub(super) use areas::panels;
use areas::{Areas, Form};
use pen::Pen;
pub(super) use picture::LastScene;
pub(crate) use story::most as story_most;
pub(crate) use watch::{draws as watch_draws, most as watch_most};

use super::app::{App, Panel, Screen, Spot, Table};
use super::commands::Context;
use super::picture::{End, Scene, Scope};

/// Draws the screen at the frame's size.
pub(super) fn view(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let size = (area.width, area.height);
    let areas = Areas::new(size, &app.focus);
    let mut pen = Pen::new(frame.buffer_mut(), &app.theme);
    let mut cursor = None;
    if areas.form == Form::Line {
        title::one_line(app, &mut pen, area);
    } else {
        title::draw(app, &mut pen, areas.title);
        cursor = match app.focus.screen() {
            Screen::Explore => explore(app, &mut pen, &areas),
            Screen::Sweep => sweep::draw(app, &mut pen, &areas),
            Screen::Scale => scale::draw(app, &mut pen, &areas),
            Screen::Explain => explain::draw(app, &mut pen, &areas),
            Screen::Impact => impact::draw(app, &mut pen, &areas),
            Screen::Compare => compare::draw(app, &mut pen, &areas),
            Screen::Diagnose => diagnose::draw(app, &mut pen, &areas),
            Screen::Watch => watch::draw(app, &mut pen, &areas),
            Screen::Quiz => quiz::draw(app, &mut pen, &areas),
            Screen::Learn => learn::list(app, &mut pen, &areas),
            Screen::Story => story::draw(app, &mut pen, &areas),
        };
        cursor = learn::draw(app, &mut pen, &areas).or(cursor.filter(|_| areas.stage.height > 0));
        footer::draw(app, &mut pen, &areas);
        cursor = lists::draw(app, &mut pen, &areas).or(cursor);
        cursor = prompt::draw(app, &mut pen, &areas).or(cursor);
    }
    app.glyphs.apply(frame.buffer_mut());
    if let Some(at) = cursor.filter(|p| area.contains(*p)) {
        frame.set_cursor_position(at);
    }
}

/// The explore screen; where the cursor of the terminal stands.
fn explore(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    if let Some(tabs) = areas.tabs {
        tabs::draw(app, pen, tabs);
    }
    panels_of(app, pen, areas)
}

/// The panels; where the cursor of the terminal stands, for who cannot see the selection.
fn panels_of(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let mut cursor = None;
    for (panel, area) in areas.panels() {
        let at = match panel {
            Panel::Picture => picture::draw(app, pen, area, areas),
            Panel::Tree => tree::draw(app, pen, area, areas),
            Panel::Inspector => inspector::draw(app, pen, area, areas),
            Panel::Result => result::draw(app, pen, area, areas),
        };
        if panel == app.focus.panel() {
            cursor = at;
        }
    }
    cursor
}

/// The first line of the open lesson's text that shows, and the last that can be the first.
pub(super) fn lesson_lines(app: &App) -> (usize, usize) {
    learn::lines(app, &Areas::new(app.size, &app.focus))
}

/// Whether a cell is one of the open lesson's text.
pub(super) fn is_lesson(app: &App, x: u16, y: u16) -> bool {
    app.lesson().is_some() && learn::is_over(&Areas::new(app.size, &app.focus), Position { x, y })
}

/// The laid-out picture at the present size: for arrow keys and the mouse.
pub(super) fn scene(app: &App) -> Arc<Scene> {
    let areas = Areas::new(app.size, &app.focus);
    let inner = areas.picture_inner().unwrap_or(Rect::new(0, 0, 80, 24));
    picture::layout(app, inner)
}

/// The picture that the arrow keys walk: the one at the present size, or where that draws alike things once, the same
/// with room for each. So the keys come to everything at every size, in one order.
pub(super) fn walked(app: &App) -> Arc<Scene> {
    let drawn = scene(app);
    let parts = matches!(app.drawn(), Scope::Node { .. } | Scope::Rack { .. } | Scope::Fabric | Scope::Classes);
    if parts && drawn.is_reduced() { picture::whole(app) } else { drawn }
}

/// The matrix of pairs as a table, while it is drawn.
pub(super) fn pairs(app: &App) -> Option<Table> {
    let Scope::Matrix { unit, node } = app.drawn() else { return None };
    let (header, rows) = picture::with_input(app, u16::MAX, |input| super::picture::pairs(input, (unit, node)));
    Some(Table { name: "pairs".to_owned(), header, rows })
}

/// The hops of a path as a table.
pub(super) fn hops(app: &App, from: End, to: End) -> Option<Table> {
    let (header, rows) = picture::with_input(app, u16::MAX, |input| super::picture::hops(input, from, to))?;
    Some(Table { name: "path".to_owned(), header, rows })
}

/// The first line of the quiz's page that shows, and the last that can be the first.
pub(super) fn quiz_lines(app: &App) -> (usize, usize) {
    quiz::lines(app, &Areas::new(app.size, &app.focus))
}

/// The choice of the quiz under a cell.
pub(super) fn quiz_hit(app: &App, x: u16, y: u16) -> Option<usize> {
    quiz::hit(app, &Areas::new(app.size, &app.focus), Position { x, y })
}

/// A click: gives the keys to a panel and selects what is under it; on the selection it goes into it.
pub(super) fn click(app: &mut App, x: u16, y: u16) {
    if app.focus.screen() != Screen::Explore {
        let areas = Areas::new(app.size, &app.focus);
        if app.focus.screen() == Screen::Sweep
            && let Some(size) = sweep::size_at(app, &areas, Position { x, y })
        {
            app.charts.size = size;
        }
        return;
    }
    let areas = Areas::new(app.size, &app.focus);
    let at = Position { x, y };
    // Whoever clicks on the picture of a lesson wants its keys there.
    if areas.stage.contains(at) && matches!(app.focus.top(), super::app::Layer::Lesson) {
        app.lower_lesson();
    }
    let Some((panel, area)) = areas.panels().into_iter().find(|(_, a)| a.contains(at)) else { return };
    match panel {
        Panel::Picture => {
            app.focus.set_panel(Panel::Picture);
            let inner = panel::inner(area, areas.form);
            let scene = scene(app);
            let (dx, dy) = (x.saturating_sub(inner.x), y.saturating_sub(inner.y));
            if let Some(item) = scene.hit(dx, dy) {
                again_or(app, Spot::Thing(item.pick), App::select_in_picture);
            }
        }
        Panel::Tree => {
            app.focus.set_panel(Panel::Tree);
            let rows = app.rows();
            let inner = panel::inner(area, areas.form);
            let first = tree::first_row(app.cursor(&rows), rows.len(), inner.height);
            if let Some(row) = rows.get(first + usize::from(y.saturating_sub(inner.y))) {
                again_or(app, row.spot, App::select);
            }
        }
        Panel::Inspector | Panel::Result => {}
    }
}

/// A second click on what is selected goes into it.
fn again_or(app: &mut App, spot: Spot, select: fn(&mut App, Spot)) {
    if app.selection == spot { app.walk_into() } else { select(app, spot) }
}

/// The wheel: moves through the panel under it.
pub(super) fn wheel(app: &mut App, x: u16, y: u16, up: bool) {
    if app.focus.screen() != Screen::Explore {
        let by = if up { -1 } else { 1 };
        match app.focus.top().context() {
            Context::Rows => app.move_in_report(by),
            Context::Chart if app.focus.screen() == Screen::Watch => app.watch_move(by as i64),
            _ => app.move_in_chart(by),
        }
        return;
    }
    let areas = Areas::new(app.size, &app.focus);
    let under = areas.panels().into_iter().find(|(_, a)| a.contains(Position { x, y }));
    let Some((panel @ (Panel::Tree | Panel::Picture), _)) = under else { return };
    app.focus.set_panel(panel);
    let direction = if up { super::picture::Direction::Up } else { super::picture::Direction::Down };
    app.step(direction, 1);
}
