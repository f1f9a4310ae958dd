//! Changing what is asked.

use crate::question::Question;
use crate::tui::app::{App, Layer, What, change_text};
use crate::tui::theme::Role;
use crate::units::Bytes;

/// Smallest and largest size that stepping reaches.
const SMALLEST: f64 = 8.0;
const LARGEST: f64 = 1_099_511_627_776.0;

/// Asks something else.
pub(super) fn ask(app: &mut App, question: Question) {
    let before = app.answers.now.estimate().map(|e| e.time);
    let only_size = app.question.at_size(question.size) == question;
    app.question = question;
    if only_size {
        app.size_changed();
    } else {
        app.question_changed();
    }
    if let (Some(before), Some(now)) = (before, app.answers.now.estimate()) {
        let text = format!(
            "{} {}: {}  {}",
            question.collective,
            question.size,
            now.time,
            change_text((now.time / before).ratio())
        );
        app.say(text, Role::Strong);
    }
}

/// Opens the list of values of one part of the question.
pub(super) fn pick(app: &mut App, what: What) {
    let picker = app.picker(what);
    app.focus.push(Layer::Picker(picker));
}

/// Multiplies the size.
pub(super) fn scale(app: &mut App, by: f64) {
    let size = (app.question.size * by).get().clamp(SMALLEST, LARGEST);
    ask(app, app.question.at_size(Bytes::new(size)));
}
