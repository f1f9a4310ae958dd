//! Typing, completing and entering lines; choosing from lists.

use super::{edits, question, quiz, run};
use crate::tui::app::{App, Entered, Find, Layer, Line, LineKind, joined};
use crate::tui::keys::Chord;
use crate::tui::line_edit::Edited;
use crate::tui::program::Effect;
use crate::tui::theme::Role;

/// A key for the text field.
pub(super) fn typed(app: &mut App, chord: Chord) -> Vec<Effect> {
    let edited = match app.focus.top_mut() {
        Layer::Line(line) => line.edit.key(chord),
        Layer::Help(find) | Layer::Find(find) => find.text.key(chord),
        Layer::Filter(text) => text.key(chord),
        Layer::Quiz { .. } => return quiz::typed(app, chord),
        _ => return Vec::new(),
    };
    if edited == Edited::Text {
        changed(app);
    }
    Vec::new()
}

pub(super) fn pasted(app: &mut App, text: &str) -> Vec<Effect> {
    match app.focus.top_mut() {
        Layer::Line(line) if line.kind == LineKind::Command => line.edit.insert(&joined(text)),
        Layer::Line(line) => line.edit.insert(text),
        Layer::Help(find) | Layer::Find(find) => find.text.insert(text),
        Layer::Filter(line) => line.insert(text),
        Layer::Quiz { .. } => {
            quiz::pasted(app, text);
            return Vec::new();
        }
        _ => {
            app.say("paste works in a line: press : first", Role::Dim);
            return Vec::new();
        }
    }
    changed(app);
    Vec::new()
}

/// After the text has changed: what it would do, and the cursor on the first hit.
fn changed(app: &mut App) {
    match app.focus.top().clone() {
        Layer::Line(mut line) => {
            app.refresh_line(&mut line);
            *app.focus.top_mut() = Layer::Line(line);
        }
        Layer::Find(find) => {
            let hits = app.find_hits(&find.text.text());
            *app.focus.top_mut() = Layer::Find(Find { at: 0, hits, ..find });
        }
        Layer::Help(find) => *app.focus.top_mut() = Layer::Help(Find { at: 0, ..find }),
        Layer::Filter(text) => app.set_filter(&text.text()),
        _ => {}
    }
}

/// Tab: the next offer in place of what is typed.
pub(super) fn complete(app: &mut App, forward: bool) {
    let Layer::Line(line) = app.focus.top_mut() else { return };
    let mut line = line.clone();
    let Some(last) = line.offers.len().checked_sub(1) else { return };
    let at = match (line.taken, forward) {
        (None, true) => 0,
        (None, false) => last,
        (Some(i), true) => {
            if i >= last {
                0
            } else {
                i + 1
            }
        }
        (Some(i), false) => i.checked_sub(1).unwrap_or(last),
    };
    let Some(offer) = line.offers.get(at).cloned() else { return };
    line.edit.set(&offer.line);
    let offers = std::mem::take(&mut line.offers);
    app.refresh_line(&mut line);
    // A single offer is done: the next Tab goes on from it. Of several, the next Tab takes the next.
    if last > 0 {
        line.offers = offers;
        line.taken = Some(at);
    }
    *app.focus.top_mut() = Layer::Line(line);
}

/// Enter: the line, or the row of the list.
pub(super) fn accept(app: &mut App) -> Vec<Effect> {
    match app.focus.top().clone() {
        Layer::Line(line) => enter(app, *line),
        Layer::Picker(picker) => {
            app.focus.pop();
            let shown = picker.choices.get(picker.at).filter(|c| c.shown(&picker.filter));
            if let Some(choice) = shown {
                question::ask(app, choice.question);
            }
            Vec::new()
        }
        Layer::Edits { .. } => {
            edits::list_toggle(app);
            Vec::new()
        }
        // The list stays narrowed.
        Layer::Filter(_) => {
            app.focus.pop();
            Vec::new()
        }
        Layer::Find(find) => {
            if let Some((spot, _)) = find.hits.get(find.at) {
                let spot = *spot;
                app.focus.pop();
                app.reveal(spot);
            }
            Vec::new()
        }
        Layer::Help(find) => {
            let hits = app.help_hits(&find.text.text());
            let Some(spec) = hits.get(find.at).filter(|s| App::runs_from_help(s)) else { return Vec::new() };
            app.focus.pop();
            app.focus.close(|l| matches!(l, Layer::Line(_)));
            run::run(app, spec.command)
        }
        _ => Vec::new(),
    }
}

fn enter(app: &mut App, mut line: Line) -> Vec<Effect> {
    let text = line.edit.text();
    if text.trim().is_empty() {
        app.focus.pop();
        return Vec::new();
    }
    match app.parse_line(line.kind, &text) {
        // The reason already stands under the line.
        Err(_) => Vec::new(),
        Ok(entered) => {
            line.edit.enter();
            if line.kind == LineKind::Command {
                app.lines = line.edit.history().to_vec();
            }
            carry_out(app, entered)
        }
    }
}

fn carry_out(app: &mut App, entered: Entered) -> Vec<Effect> {
    let edits = match &entered {
        Entered::Edit(edit) => std::slice::from_ref(edit),
        Entered::Edits(edits) => edits,
        _ => &[],
    };
    let mut trial = app.history.clone();
    if let Some(refused) = edits.iter().find_map(|edit| trial.try_push(edit.clone()).err()) {
        app.say(refused.to_string(), Role::Bad);
        return Vec::new();
    }
    app.focus.pop();
    match entered {
        Entered::Edit(edit) => edits::push(app, edit),
        Entered::Edits(all) => edits::push_all(app, all),
        Entered::Run(command) => return run::run(app, command),
        Entered::Ask(q) => question::ask(app, q),
        Entered::Theme(theme) => app.theme = *theme,
        Entered::Go(spot) => app.reveal(spot),
        Entered::Save(path) => return app.save(path),
        Entered::Open(path) => return app.open_file(path),
        Entered::Predict(value) => super::learn::predicted(app, value),
        Entered::Learn(name) => app.open_named_lesson(&name),
        Entered::Compare(name) => return app.compare_named(&name),
        Entered::Measured(path) => return app.open_measured(path),
    }
    Vec::new()
}

/// Moves the cursor of a list.
pub(super) fn search_step(app: &mut App, by: isize) {
    let hits = match app.focus.top() {
        Layer::Help(find) => app.help_hits(&find.text.text()).len(),
        Layer::Find(find) => find.hits.len(),
        _ => 0,
    };
    let in_rows = app.focus.list().screen().is_some();
    match app.focus.top_mut() {
        Layer::Help(find) | Layer::Find(find) => find.step(by, hits),
        _ if in_rows => app.move_in_report(by),
        _ => app.move_in_list(by),
    }
}
