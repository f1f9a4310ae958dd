//! Changing the machine.

use crate::scenario::Edit;
use crate::tui::app::{App, Layer, LineKind, Spot, State, change_text};
use crate::tui::picture::Pick;
use crate::tui::theme::Role;
use crate::units::counted;

/// Makes an edit: it is in the list, or the reason why not is on the screen.
pub(super) fn push(app: &mut App, edit: Edit) {
    let before = app.answers.now.estimate().map(|e| e.time);
    let text = edit.to_string();
    if let Err(refused) = app.history.try_push(edit) {
        app.say(refused.to_string(), Role::Bad);
        return;
    }
    app.machine_changed();
    let change = match (before, app.answers.now.estimate()) {
        (Some(before), Some(now)) => format!("  {}", change_text((now.time / before).ratio())),
        (_, None) => "  now unreachable".to_owned(),
        (None, Some(now)) => format!("  {}", now.time),
    };
    app.say(format!("{text}{change}   u undoes it"), Role::WhatIf);
}

/// Makes several edits, one after the other.
pub(super) fn push_all(app: &mut App, edits: Vec<Edit>) {
    let before = app.answers.now.estimate().map(|e| e.time);
    let count = edits.len();
    for edit in edits {
        push(app, edit);
    }
    let change = before.zip(app.answers.now.estimate()).map(|(then, e)| change_text((e.time / then).ratio()));
    let change = change.unwrap_or_else(|| "now unreachable".to_owned());
    app.say(format!("{count} edits  {change}   u undoes them one by one"), Role::WhatIf);
}

/// Opens the line with a text in it.
pub(super) fn line(app: &mut App, text: &str) {
    let line = app.line(LineKind::Command, text);
    app.focus.push(Layer::Line(Box::new(line)));
}

/// Takes the selection out or back. What is more than one thing goes through the line, which says how many first.
pub(super) fn toggle(app: &mut App) {
    let Some(address) = app.address() else { return };
    let down = app.readings().of(app.selection).state == State::Down;
    let word = if down { "on" } else { "off" };
    let text = format!("{word} {address}");
    if matches!(app.selection, Spot::Run { .. } | Spot::Thing(Pick::Class(_) | Pick::Group(_) | Pick::Uplink(_))) {
        line(app, &text);
        return;
    }
    let mirrored =
        app.history.done().last().is_some_and(|e| e.enabled && e.edit.to_string() == format!("off {address}"));
    if down && mirrored {
        undo(app);
        return;
    }
    match text.parse::<Edit>() {
        Ok(edit) => push(app, edit),
        Err(e) => app.say(e.to_string(), Role::Bad),
    }
}

pub(super) fn degrade(app: &mut App) {
    if let Some(address) = app.address() {
        line(app, &format!("degrade {address} to "));
    }
}

pub(super) fn edit_value(app: &mut App) {
    if let Some(key) = app.value_key() {
        line(app, &format!("set {key} = "));
    }
}

pub(super) fn step(app: &mut App, up: bool) {
    let Some(key) = app.value_key() else { return };
    if let Some(value) = key.step(app.history.system(), up) {
        push(app, Edit::set(key, value));
    }
}

pub(super) fn repeat_all(app: &mut App) {
    match app.repeat_on_all() {
        Ok(text) => line(app, &text),
        Err(reason) => app.say(reason, Role::Dim),
    }
}

pub(super) fn undo(app: &mut App) {
    if let Some(text) = app.history.undo() {
        app.machine_changed();
        app.say(format!("undone: {text}   U does it again"), Role::WhatIf);
    }
    keep_cursor(app);
}

pub(super) fn redo(app: &mut App) {
    if let Some(text) = app.history.redo() {
        app.machine_changed();
        app.say(format!("done again: {text}   u undoes it"), Role::WhatIf);
    }
}

pub(super) fn baseline(app: &mut App) {
    let count = app.history.done().len().saturating_sub(app.history.baseline_edits().len());
    app.history.reset();
    app.machine_changed();
    let again = if app.history.undone().is_empty() { "" } else { "   U does them again, one by one" };
    app.say(format!("back at the baseline, {} undone{again}", counted(count as u64, "edit")), Role::WhatIf);
}

pub(super) fn baseline_now(app: &mut App) {
    app.history.rebase_to_now();
    app.question_changed();
    app.say("the machine as it is now is the baseline", Role::WhatIf);
}

pub(super) fn list_toggle(app: &mut App) {
    let Layer::Edits { at, .. } = *app.focus.top() else { return };
    if at >= app.history.done().len() {
        app.say("this one is undone; U does it again", Role::Dim);
    } else if app.history.toggle(at) {
        app.machine_changed();
    }
}

pub(super) fn list_remove(app: &mut App) {
    let Layer::Edits { at, .. } = *app.focus.top() else { return };
    if let Some(edit) = app.history.remove(at) {
        app.machine_changed();
        app.say(format!("removed: {edit}"), Role::WhatIf);
    }
    keep_cursor(app);
}

/// The cursor of the list of edits stays in it.
fn keep_cursor(app: &mut App) {
    app.move_in_list(0);
}
