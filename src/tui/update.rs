//! From inputs to actions, and what each action does to the state. Nothing here draws.

mod charts;
mod edits;
mod learn;
mod prompts;
mod question;
mod quiz;
mod reports;
mod run;
mod watch;

use super::app::{App, Layer, Screen};
use super::commands::{Command, Context};
use super::keys::Chord;
use super::program::{Effect, Input, Mouse, MouseKind, Outcome, Program};
use super::theme::Role;
use super::view;

/// What an input means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A command of the table.
    Run(Command),
    /// A key for the text field.
    Type(Chord),
    /// A key that can be no part of the number that is typed.
    Refused(Chord),
    /// The choice or place of this number, from 0, by the letter or digit before it.
    Choose(usize),
    /// Text for the text field.
    Paste(String),
    /// A click on a cell.
    Click(u16, u16),
    /// The wheel, over a cell: up or down.
    Wheel(u16, u16, bool),
    /// The size of the screen.
    Resize(u16, u16),
    /// Draw again.
    Draw,
    /// Time has passed while something plays.
    Tick(std::time::Duration),
    /// Something asked for is done.
    Done(Outcome),
    /// A key that means nothing here.
    Unknown(Chord),
}

/// What an input means in the present state; `None` for what changes nothing.
pub fn action(app: &App, input: Input) -> Option<Action> {
    Some(match input {
        Input::Key(chord) => {
            if let Some(place) = label(app, chord) {
                return Some(Action::Choose(place));
            }
            if chord.typed().is_some_and(|c| app.wanted().is_some_and(|w| !w.takes(c))) {
                // It cannot be part of the number: help opens where one types, and nothing else happens.
                let help = app.config.keymap.of(Context::Panel, chord) == Some(Command::Help);
                return Some(if help { Action::Run(Command::Help) } else { Action::Refused(chord) });
            }
            let context = app.focus.top().context();
            // What is no key of a lesson's text is one of the picture beside it.
            let below = (context == Context::Lesson).then_some(Context::Panel);
            let keymap = &app.config.keymap;
            let here = keymap.of(context, chord).filter(|c| *c != Command::Choose);
            match here.or_else(|| keymap.of(below?, chord)) {
                Some(command) => Action::Run(command),
                None if context.types() => Action::Type(chord),
                None => Action::Unknown(chord),
            }
        }
        Input::Paste(text) => Action::Paste(text),
        Input::Mouse(Mouse { kind: MouseKind::Click, column, row }) => Action::Click(column, row),
        Input::Mouse(Mouse { kind, column, row }) => Action::Wheel(column, row, kind == MouseKind::WheelUp),
        Input::Resize(columns, rows) => Action::Resize(columns, rows),
        Input::Resume => Action::Draw,
        Input::Done(outcome) => Action::Done(outcome),
        Input::Tick(time) if app.watch.playing => Action::Tick(time),
        Input::Tick(_) => return None,
    })
}

/// The choice that a key stands for where one chooses: what labels a choice there is no command. A letter of the table
/// that labels none is none either: who looks for the fourth of three does not want to change the machine.
fn label(app: &App, chord: Chord) -> Option<usize> {
    let count = app.choices();
    let place = chord.typed().and_then(|c| match c {
        '1'..='9' => (c as usize).checked_sub('1' as usize),
        'a'..='z' if !app.puts_in_order() => (c as usize).checked_sub('a' as usize),
        _ => None,
    })?;
    let listed = app.config.keymap.of(app.focus.top().context(), chord) == Some(Command::Choose);
    (count > 0 && (place < count || listed)).then_some(place)
}

/// Carries out an action. Returns what the loop shall do; the last is [`Effect::Redraw`] where something shows.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    if !matches!(action, Action::Resize(..) | Action::Draw | Action::Tick(_) | Action::Done(_)) {
        app.message = None;
    }
    let mut effects = match action {
        Action::Run(command) => run::run(app, command),
        Action::Type(chord) => prompts::typed(app, chord),
        Action::Choose(place) => {
            match app.focus.top() {
                Layer::Quiz { .. } => quiz::pick(app, place),
                _ => learn::pick(app, place),
            }
            Vec::new()
        }
        Action::Paste(text) => prompts::pasted(app, &text),
        Action::Click(x, y) if app.focus.screen() == Screen::Quiz => {
            quiz::clicked(app, x, y);
            Vec::new()
        }
        Action::Wheel(_, _, up) if app.focus.screen() == Screen::Quiz => {
            quiz::wheeled(app, up);
            Vec::new()
        }
        Action::Wheel(x, y, up) if view::is_lesson(app, x, y) => {
            learn::wheeled(app, up);
            Vec::new()
        }
        Action::Click(x, y) => {
            view::click(app, x, y);
            Vec::new()
        }
        Action::Wheel(x, y, up) => {
            view::wheel(app, x, y, up);
            Vec::new()
        }
        Action::Resize(columns, rows) => {
            app.size = (columns, rows);
            Vec::new()
        }
        Action::Draw => Vec::new(),
        Action::Tick(time) => {
            app.watch_tick(time);
            Vec::new()
        }
        Action::Done(outcome) => done(app, outcome),
        Action::Refused(chord) => {
            let sort = app.wanted().map_or("a number", |w| w.sort());
            app.say(format!("{chord} is no part of {sort}; esc goes back, ? lists the keys"), Role::Dim);
            Vec::new()
        }
        Action::Unknown(chord) => {
            app.say(format!("{chord} does nothing here; ? lists the keys"), Role::Dim);
            Vec::new()
        }
    };
    effects.extend(app.lesson_heard());
    effects.extend(app.quiz_heard());
    match app.focus.top() {
        Layer::Line(_) => effects.extend(app.wanted_listing()),
        // The next line looks anew.
        _ => app.folder = None,
    }
    effects.push(Effect::Redraw);
    effects
}

fn done(app: &mut App, outcome: Outcome) -> Vec<Effect> {
    let say = |app: &mut App, result: Result<(), String>, good: String| match result {
        Ok(()) => app.say(good, Role::Good),
        Err(e) => app.say(e, Role::Bad),
    };
    match outcome {
        Outcome::Copied(result) => {
            let text = format!("copied: {}", app.copied);
            say(app, result, text);
        }
        // Whether the first run can be remembered is no concern of the user: without it, the tour is offered again.
        // Progress is written as one goes along: only a failure is news.
        Outcome::Written { path, result: Ok(()) } if app.learn.file.as_ref() == Some(&path) => {}
        Outcome::Written { path, .. } if app.first_run.as_ref() == Some(&path) => app.first_run = None,
        Outcome::Written { result: Ok(()), .. } => {}
        Outcome::Written { result: Err(e), .. } => app.say(e, Role::Bad),
        Outcome::Saved { path, result } => app.saved(path, result),
        Outcome::Listed { path, entries } => app.folder_listed(path, entries),
        Outcome::Read { path, result } => return app.file_read(&path, result),
    }
    Vec::new()
}

impl Program for App {
    fn handle(&mut self, input: Input) -> Vec<Effect> {
        let by_user = matches!(input, Input::Key(_) | Input::Paste(_) | Input::Mouse(_));
        let remember = if by_user { self.remember_first_run() } else { None };
        // Before anything that quits.
        let mut effects: Vec<Effect> = remember.into_iter().collect();
        effects.extend(action(self, input).map_or_else(Vec::new, |a| update(self, a)));
        effects
    }

    fn view(&self, frame: &mut ratatui::Frame<'_>) {
        view::view(self, frame);
    }

    fn next_deadline(&self) -> Option<std::time::Duration> {
        // Nothing changes by itself but what plays.
        self.watch_deadline()
    }
}

/// Whether a layer is a line or a list over the screen.
fn is_overlay(layer: &Layer) -> bool {
    !layer.is_stage() && !matches!(layer, Layer::Lesson)
}

#[cfg(test)]
mod tests;
