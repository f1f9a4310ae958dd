//! What each command does.

use super::{charts, edits, is_overlay, learn, prompts, question, quiz, reports, watch};
use crate::tui::app::{App, Find, Layer, LineKind, Screen, Table, What};
use crate::tui::commands::{Command, Context};
use crate::tui::picture::{Direction, Lens, PairCell, Plane};
use crate::tui::program::Effect;
use crate::tui::theme::Role;

/// Rows of a page.
const PAGE: usize = 10;

/// Runs a command if it is enabled, else says why not.
pub(super) fn run(app: &mut App, command: Command) -> Vec<Effect> {
    if let Err(reason) = command.enabled(app) {
        app.say(format!("{}: {reason}", command.spec().title), Role::Dim);
        return Vec::new();
    }
    let effects = carry_out(app, command);
    app.tour_heard(command);
    effects
}

fn carry_out(app: &mut App, command: Command) -> Vec<Effect> {
    let done = match app.focus.top().context() {
        Context::Chart if app.focus.screen() == Screen::Watch => watch::run(app, command),
        Context::Chart => charts::run(app, command),
        Context::Rows => reports::run(app, command),
        Context::Quiz | Context::Answer => quiz::run(app, command),
        Context::Lesson => learn::run(app, command),
        _ => false,
    };
    if done {
        return Vec::new();
    }
    match command {
        Command::Up | Command::Down | Command::PageUp | Command::PageDown | Command::First | Command::Last => {
            vertical(app, command);
        }
        Command::Left => app.step(Direction::Left, 1),
        Command::Right => app.step(Direction::Right, 1),
        Command::Into => app.walk_into(),
        Command::Back => app.back(),
        Command::Out => app.out(),
        Command::NextPanel => app.next_panel(true),
        Command::PreviousPanel => app.next_panel(false),
        Command::NextSibling => app.sibling(true),
        Command::PreviousSibling => app.sibling(false),
        Command::NextException => app.exception(true),
        Command::PreviousException => app.exception(false),
        Command::Toggle => edits::toggle(app),
        Command::Degrade => edits::degrade(app),
        Command::EditValue => edits::edit_value(app),
        Command::StepUp => edits::step(app, true),
        Command::StepDown => edits::step(app, false),
        Command::RepeatAll => edits::repeat_all(app),
        Command::Undo => edits::undo(app),
        Command::Redo => edits::redo(app),
        Command::Baseline => edits::baseline(app),
        Command::BaselineNow => edits::baseline_now(app),
        Command::ListToggle => edits::list_toggle(app),
        Command::ListRemove => edits::list_remove(app),
        Command::Collective => question::pick(app, What::Collective),
        Command::Ranks => question::pick(app, What::Group),
        Command::Algorithm => question::pick(app, What::Algorithm),
        Command::Protocol => question::pick(app, What::Protocol),
        Command::Larger => question::scale(app, 2.0),
        Command::Smaller => question::scale(app, 0.5),
        Command::Lens | Command::Plane | Command::Zoom | Command::Matrix | Command::Path => view(app, command),
        Command::Accept => return prompts::accept(app),
        Command::Complete => prompts::complete(app, true),
        Command::CompleteBack => prompts::complete(app, false),
        Command::Cancel | Command::ListClose => cancel(app),
        Command::Filter => app.open_filter(),
        Command::Learn | Command::LessonAct | Command::Hint | Command::LessonNext | Command::LessonPrevious => {
            learn::carry_out(app, command);
        }
        // Its keys are told apart before they are commands.
        Command::Choose => app.say("press the letter or the number that stands before it", Role::Dim),
        Command::Tour => app.next_stop(),
        Command::SearchUp => prompts::search_step(app, -1),
        Command::SearchDown => prompts::search_step(app, 1),
        Command::Sweep
        | Command::Scale
        | Command::Explain
        | Command::Impact
        | Command::Compare
        | Command::Diagnose
        | Command::Watch
        | Command::Quiz
        | Command::Story
        | Command::Take => {
            charts::screen(app, command);
        }
        Command::Measured
        | Command::Edits
        | Command::Line
        | Command::Size
        | Command::Find
        | Command::Help
        | Command::Save
        | Command::Open => open(app, command),
        Command::Copy
        | Command::CopyTable
        | Command::CopyCsv
        | Command::Mouse
        | Command::Redraw
        | Command::Suspend
        | Command::Quit => {
            return program(app, command);
        }
        // Keys of the charts, of the screens of rows and of the quiz, which have run by now; by name from elsewhere they have
        // nothing to act on.
        _ => {}
    }
    Vec::new()
}

/// Moves up and down: in a list, in the search, in the tree, in the picture.
fn vertical(app: &mut App, command: Command) {
    let (down, count) = match command {
        Command::Up => (false, 1),
        Command::Down => (true, 1),
        Command::PageUp => (false, PAGE),
        Command::PageDown => (true, PAGE),
        Command::First => (false, usize::MAX / 2),
        _ => (true, usize::MAX / 2),
    };
    let by = if down { count.cast_signed() } else { -count.cast_signed() };
    if is_overlay(app.focus.top()) {
        prompts::search_step(app, by);
        return;
    }
    let direction = if down { Direction::Down } else { Direction::Up };
    // A picture has a few storeys: ten steps reach its end.
    let count = if app.in_tree() { count } else { count.min(PAGE) };
    app.step(direction, count);
}

/// Leaves a line or a list; what was typed into a filter is dropped with it.
fn cancel(app: &mut App) {
    if matches!(app.focus.top(), Layer::Filter(_)) {
        app.set_filter("");
    }
    app.focus.pop();
}

/// Opens a line or a list over the screen.
fn open(app: &mut App, command: Command) {
    let layer = match command {
        Command::Edits => {
            let last = (app.history.done().len() + app.history.undone().len()).saturating_sub(1);
            Layer::Edits { at: app.history.done().len().saturating_sub(1).min(last), filter: String::new() }
        }
        Command::Find => Layer::Find(Find { hits: app.find_hits(""), ..Find::default() }),
        Command::Help => Layer::Help(Find::default()),
        Command::Size => Layer::Line(Box::new(app.line(LineKind::Size, ""))),
        Command::Save => Layer::Line(Box::new(app.line(LineKind::Save, &app.scenario_name()))),
        Command::Measured => Layer::Line(Box::new(app.line(LineKind::Measured, ""))),
        Command::Open => Layer::Line(Box::new(app.line(LineKind::Open, ""))),
        _ => Layer::Line(Box::new(app.line(LineKind::Command, ""))),
    };
    app.saving.asks_anew();
    // From a list, the line takes its place. Help over a number that is typed leads back to it.
    if command != Command::Help || app.wanted().is_none() {
        app.focus.close(is_overlay);
    }
    app.focus.push(layer);
}

fn view(app: &mut App, command: Command) {
    match command {
        Command::Lens => app.lens = next(&Lens::ALL, app.lens),
        Command::Plane => app.plane = next(&Plane::ALL, app.plane),
        Command::Zoom => {
            let panel = app.focus.panel();
            if !app.focus.close(|l| matches!(l, Layer::Zoom(_))) {
                app.focus.push(Layer::Zoom(panel));
            }
        }
        Command::Matrix => {
            if matches!(app.focus.top(), Layer::Matrix) {
                app.cell = next(&PairCell::ALL, app.cell);
                if app.cell == PairCell::Measured && app.pairs().is_none() {
                    app.cell = PairCell::default();
                }
            } else {
                app.open_pairs();
            }
        }
        _ => path(app),
    }
}

/// `o`: the first press takes this end, the second the other.
fn path(app: &mut App) {
    if let Layer::PathFrom(_) = app.focus.top() {
        app.walk_into();
        return;
    }
    let Some(from) = app.path_end() else { return };
    app.focus.close(|l| matches!(l, Layer::Path(..) | Layer::Matrix));
    app.focus.push(Layer::PathFrom(from));
    app.say("path: select the device at the other end, then Enter", Role::Strong);
}

fn next<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let at = all.iter().position(|v| *v == now).map_or(0, |i| (i + 1) % all.len().max(1));
    all.get(at).copied().unwrap_or(now)
}

/// Puts a text on the clipboard; `what` is said when that is done.
fn copy(app: &mut App, text: String, what: String) -> Vec<Effect> {
    app.copied = what;
    vec![Effect::Copy(text)]
}

/// `impact, 27 rows as CSV`.
fn rows_of(table: &Table, format: &str) -> String {
    format!("{}, {} as {format}", table.name, crate::units::counted(table.rows.len() as u64, "row"))
}

fn program(app: &mut App, command: Command) -> Vec<Effect> {
    match command {
        Command::Copy => {
            let line = app.command_line();
            copy(app, line.clone(), line)
        }
        Command::CopyTable => {
            let table = app.table();
            copy(app, table.markdown(), rows_of(&table, "Markdown"))
        }
        Command::CopyCsv => {
            let table = app.table();
            copy(app, table.csv(), rows_of(&table, "CSV"))
        }
        Command::Mouse => {
            app.mouse = !app.mouse;
            let text = if app.mouse { "mouse on; hold shift to select text" } else { "mouse off" };
            app.say(text, Role::Strong);
            vec![Effect::Mouse(app.mouse)]
        }
        Command::Redraw => vec![Effect::Repaint],
        Command::Suspend => vec![Effect::Suspend],
        _ => vec![Effect::Quit(0)],
    }
}
