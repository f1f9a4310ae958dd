//! The keys of the lessons: their list, and the text of the open one.

use crate::lesson::figure::Value;
use crate::lesson::{Expected, Predict, Step};
use crate::tui::app::{App, Layer, LineKind, Screen};
use crate::tui::commands::Command;
use crate::tui::theme::Role;

/// Rows or lines of a page.
const PAGE: isize = 10;

/// How far a command moves; `None` for one that does not.
const fn distance(command: Command) -> Option<isize> {
    Some(match command {
        Command::Up => -1,
        Command::Down => 1,
        Command::PageUp => -PAGE,
        Command::PageDown => PAGE,
        Command::First => isize::MIN / 2,
        Command::Last => isize::MAX / 2,
        _ => return None,
    })
}

/// Runs a command in the list of lessons; false if it means the same there as elsewhere.
pub(super) fn in_list(app: &mut App, command: Command) -> bool {
    match (distance(command), command) {
        (Some(by), _) => app.move_in_lessons(by),
        (None, Command::RowTake | Command::Right) => {
            if let Some(name) = app.learn.list.get(app.learn.at).map(|h| h.name.clone()) {
                app.open_named_lesson(&name);
            }
        }
        (None, Command::Left) => {}
        _ => return false,
    }
    true
}

/// Runs a command that means something else in the text of a lesson than elsewhere; false if it does not.
pub(super) fn run(app: &mut App, command: Command) -> bool {
    match (distance(command), command) {
        (Some(by), _) => scroll(app, by),
        (None, Command::Back) => app.leave_lesson(),
        (None, Command::NextPanel) => app.lower_lesson(),
        _ => return false,
    }
    true
}

/// Up and down choose where there is a choice, and scroll elsewhere.
fn scroll(app: &mut App, by: isize) {
    let Some(class) = &mut app.learn.class else { return };
    if by.abs() == 1 && class.run.move_choice(by) {
        class.scroll = None;
        app.refresh_sheet();
    } else {
        scroll_text(app, by);
    }
}

fn scroll_text(app: &mut App, by: isize) {
    let (first, most) = crate::tui::view::lesson_lines(app);
    if let Some(class) = &mut app.learn.class {
        class.scroll = Some(first.saturating_add_signed(by).min(most));
    }
}

/// The wheel over the text scrolls it.
pub(super) fn wheeled(app: &mut App, up: bool) {
    scroll_text(app, if up { -3 } else { 3 });
}

/// The commands of the lessons.
pub(super) fn carry_out(app: &mut App, command: Command) {
    match command {
        Command::Learn if app.lesson().is_some() => app.raise_lesson(),
        Command::Learn => {
            let there = app.focus.screen() == Screen::Learn;
            if there {
                app.back();
            } else {
                app.open_screen(Screen::Learn);
            }
        }
        Command::LessonAct => act(app),
        Command::LessonNext => app.turn_page(true),
        Command::LessonPrevious => app.turn_page(false),
        _ => hint(app),
    }
}

/// Enter: answers the prediction; with a task open, says what is missing; else the next page.
fn act(app: &mut App) {
    let Some(class) = &mut app.learn.class else { return };
    match class.run.step() {
        Step::Predict(Predict { answer: Expected::Choice(_), .. }) => {
            class.run.choose();
            app.reveal_answer();
        }
        Step::Predict(_) => {
            let line = app.line(LineKind::Predict, "");
            app.focus.push(Layer::Line(Box::new(line)));
        }
        Step::Task(..) => {
            let key = |c: Command| app.config.keymap.key_label(c.spec());
            let text = format!(
                "the task is open: do it in the explorer; {} shows a hint, {} goes on without it",
                key(Command::Hint),
                key(Command::LessonNext)
            );
            app.say(text, Role::Dim);
        }
        Step::Done => app.turn_page(true),
    }
}

/// The statement of that number is the prediction.
pub(super) fn pick(app: &mut App, place: usize) {
    let Some(class) = &mut app.learn.class else { return };
    if class.run.choose_at(place) {
        app.reveal_answer();
    } else {
        let count = class.run.choices();
        app.say(super::quiz::no_choice(count), Role::Dim);
    }
}

/// A number was entered for the prediction.
pub(super) fn predicted(app: &mut App, value: Value) {
    if let Some(class) = &mut app.learn.class {
        class.run.commit_number(value);
        app.reveal_answer();
    }
}

fn hint(app: &mut App) {
    let Some(class) = &mut app.learn.class else { return };
    if class.run.hint() {
        class.scroll = None;
        app.refresh_sheet();
    } else {
        app.say("no more hints", Role::Dim);
    }
}
