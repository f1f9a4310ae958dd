//! The keys of the quiz.

use crate::lesson::letter;
use crate::lesson::quiz::{Body, Reply};
use crate::tui::app::{App, Leaf, Quizzing};
use crate::tui::commands::Command;
use crate::tui::keys::Chord;
use crate::tui::line_edit::Edited;
use crate::tui::program::Effect;
use crate::tui::theme::Role;
use crate::tui::view;

/// Lines of a page.
const PAGE: isize = 10;

/// Runs a command of the quiz; false if it is none.
pub(super) fn run(app: &mut App, command: Command) -> bool {
    match command {
        Command::Up => step(app, -1),
        Command::Down => step(app, 1),
        Command::PageUp => scroll(app, -PAGE),
        Command::PageDown => scroll(app, PAGE),
        Command::First => scroll(app, isize::MIN / 2),
        Command::Last => scroll(app, isize::MAX / 2),
        Command::QuizTake => take(app),
        Command::QuizLift => with(app, |q| q.lifted = !q.lifted),
        Command::QuizNext | Command::QuizPrevious => turn(app, command == Command::QuizNext),
        Command::QuizMore => count(app, 4),
        Command::QuizFewer => count(app, -4),
        Command::QuizTopic => with(app, Quizzing::next_topic),
        Command::QuizAgain => again(app),
        Command::QuizStudy => study(app),
        _ => return false,
    }
    app.settle_quiz();
    true
}

fn with(app: &mut App, change: impl FnOnce(&mut Quizzing)) {
    if let Some(q) = app.quiz.as_deref_mut() {
        change(q);
    }
}

/// Moves the cursor, with the item if one is lifted; where there is none, the text.
fn step(app: &mut App, by: isize) {
    let rows = app.quiz.as_ref().map_or(0, |q| q.rows());
    if rows == 0 {
        scroll(app, by);
        return;
    }
    with(app, |q| {
        let to = q.cursor.saturating_add_signed(by).min(rows - 1);
        if q.lifted && to < q.order.len() && q.cursor < q.order.len() {
            q.order.swap(q.cursor, to);
        }
        (q.cursor, q.scroll) = (to, None);
    });
}

/// Scrolls the text by so many lines.
fn scroll(app: &mut App, by: isize) {
    let (first, most) = view::quiz_lines(app);
    with(app, |q| q.scroll = Some(first.saturating_add_signed(by).min(most)));
}

/// Enter: begins, answers, goes on.
fn take(app: &mut App) {
    let Some(q) = app.quiz.as_deref_mut() else { return };
    match q.leaf() {
        Leaf::Cover => {
            if let Err(e) = q.begin() {
                app.say(e.headline(), Role::Bad);
            }
        }
        Leaf::Question(posed, None) => {
            let reply = match &posed.body {
                Body::Choice { .. } => Ok(Reply::Choice(q.cursor)),
                Body::Number { .. } => posed.read_number(&q.line.text()),
                Body::Order { .. } if q.lifted => {
                    q.lifted = false;
                    return;
                }
                Body::Order { .. } => Ok(Reply::Order(q.order.clone())),
            };
            match reply {
                Ok(reply) => q.answer(reply),
                Err(why) => (q.refused, q.scroll) = (Some(why), None),
            }
        }
        Leaf::Question(_, Some(_)) => on(q),
        Leaf::End(_) => again(app),
    }
}

/// The first page again, with the next seed and the results of the sitting that is over.
fn again(app: &mut App) {
    with(app, Quizzing::again);
    app.recall_results();
}

/// To the next question that is open, or to the score.
fn on(q: &mut Quizzing) {
    let next = q.sitting().and_then(|s| s.open_from(q.at + 1));
    q.go(next.unwrap_or(usize::MAX));
}

/// To the question after or before this one, answered or not.
fn turn(app: &mut App, forward: bool) {
    with(app, |q| {
        let to = if forward { q.at + 1 } else { q.at.saturating_sub(1) };
        if q.sitting.is_some() {
            q.go(to);
        }
    });
}

/// More or fewer questions.
fn count(app: &mut App, by: isize) {
    with(app, |q| {
        let most = q.available().max(1);
        q.scope.count = q.scope.count.min(most).saturating_add_signed(by).clamp(1, most);
    });
}

/// To the lesson of the weakest topic; it leads back to the score.
fn study(app: &mut App) {
    if let Some(lesson) = app.quiz.as_ref().and_then(|q| q.lesson()).map(str::to_owned) {
        app.open_named_lesson(&lesson);
    }
}

/// A key that is typed: a character of the number.
pub(super) fn typed(app: &mut App, chord: Chord) -> Vec<Effect> {
    let Some(q) = app.quiz.as_deref_mut() else { return Vec::new() };
    if q.types() && q.line.key(chord) == Edited::Text {
        (q.refused, q.scroll) = (None, None);
    }
    app.settle_quiz();
    Vec::new()
}

/// The choice of that number is the answer; the item under the cursor goes to that place.
pub(super) fn pick(app: &mut App, place: usize) {
    let Some(q) = app.quiz.as_deref_mut() else { return };
    if place >= q.rows() {
        let text = if q.orders() { format!("there is no place {}", place + 1) } else { no_choice(q.rows()) };
        app.say(text, Role::Dim);
        return;
    }
    if q.orders() {
        if q.cursor < q.order.len() {
            let item = q.order.remove(q.cursor);
            q.order.insert(place, item);
        }
        (q.cursor, q.scroll) = (place, None);
    } else {
        q.cursor = place;
        q.answer(Reply::Choice(place));
    }
}

/// What is said to who asks for a choice that is not there, of so many that are.
pub(super) fn no_choice(count: usize) -> String {
    format!("no such choice; there are a to {}", letter(count.saturating_sub(1)))
}

/// A click on a choice or its link goes there; a second one answers.
pub(super) fn clicked(app: &mut App, x: u16, y: u16) {
    let Some(at) = view::quiz_hit(app, x, y) else { return };
    let Some(q) = app.quiz.as_deref_mut() else { return };
    if q.cursor != at {
        (q.cursor, q.lifted) = (at, false);
    } else if !q.orders() {
        take(app);
    }
    app.settle_quiz();
}

/// The wheel scrolls the text.
pub(super) fn wheeled(app: &mut App, up: bool) {
    scroll(app, if up { -3 } else { 3 });
}

/// Pasted text goes into the number.
pub(super) fn pasted(app: &mut App, text: &str) {
    with(app, |q| {
        if q.types() {
            q.line.insert(text);
            q.refused = None;
        }
    });
}
