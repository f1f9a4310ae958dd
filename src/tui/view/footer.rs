//! The last row: a message, or the keys that matter here. What cannot be done now is dim.

use ratatui::layout::Rect;

use super::areas::Areas;
use super::pen::{Pen, Piece, piece};
use crate::lesson::letter;
use crate::tui::app::{App, Layer, Screen, Tour};
use crate::tui::commands::{Command, Context, Spec, TABLE};
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) {
    if let (Some(row), Some(stop)) = (areas.tour, app.focus.tour) {
        tour(app, pen, row, stop);
    }
    let message = app.message.as_ref().map(|m| vec![piece(format!(" {}", m.text), m.role)]);
    match (areas.message, message) {
        (Some(row), message) => {
            if let Some(message) = message {
                pen.pieces(row, 0, &message);
            }
            keys(app, pen, areas.footer);
        }
        (None, Some(message)) => {
            pen.pieces(areas.footer, 0, &message);
        }
        (None, None) => keys(app, pen, areas.footer),
    }
}

/// The stop of the tour, and how to go on without doing what it asks.
fn tour(app: &App, pen: &mut Pen<'_>, row: Rect, stop: Tour) {
    let place = if row.width < 60 { String::new() } else { "tour ".to_owned() };
    let pieces = [
        piece(format!(" {place}{}/{} ", stop.number(), Tour::STOPS), Role::WhatIf),
        piece(app.tour_text(stop), Role::Strong),
    ];
    let end = pen.pieces(row, 0, &pieces);
    let key = |c: Command| app.config.keymap.key_label(c.spec());
    let rest = Rect { x: end, width: row.right().saturating_sub(end), ..row };
    super::charts::hint(pen, rest, &format!("{} skips, {} ends it ", key(Command::Tour), key(Command::Back)));
}

/// Keys by rank, as many as fit; help is never left out.
fn keys(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let context = app.focus.top().context();
    let in_lesson = context == Context::Lesson;
    // A number that is typed has no room for the key of the help.
    let numeric = app.wanted().is_some();
    let live = |s: &&Spec| {
        s.contexts.contains(&context)
            || in_lesson && s.contexts.contains(&Context::Panel)
            || numeric && s.command == Command::Help
    };
    // Steps are what a collective is watched by; elsewhere arrows need no words.
    let watching = matches!(app.focus.top(), Layer::Watch);
    let visiting = app.visits() && context == Context::Panel;
    let steps = |s: &Spec| match s.command {
        Command::Left | Command::Right => watching,
        // The way back to the story, and to the user's own machine.
        Command::Back => visiting,
        Command::PageDown => matches!(app.focus.top(), Layer::Story),
        _ => false,
    };
    let mut specs: Vec<&Spec> = TABLE.iter().filter(|s| s.rank > 0 || steps(s)).filter(live).collect();
    // Lists share keys, and most of them mean nothing in most lists.
    specs.retain(|s| context == Context::Panel || s.command.enabled(app).is_ok());
    // Its own key leads from a screen back to the picture, which Esc says already.
    specs.retain(|s| s.id != app.focus.screen().name());
    // With a log at hand its diagnosis is the next thing to ask for. In a lesson its own keys come first; those of the
    // picture work there too.
    let asked = app.charts.measured.is_some() && app.focus.screen() != Screen::Diagnose;
    let rank = |s: &Spec| match s.command {
        Command::Diagnose if asked => 50,
        Command::Back => 0,
        Command::PageDown => 30,
        Command::Right if watching => 20,
        Command::Left if watching => 30,
        _ => s.rank,
    };
    specs.sort_by_key(|s| (in_lesson && !s.contexts.contains(&context), rank(s)));
    let help = specs.iter().position(|s| s.command == Command::Help).map(|i| specs.remove(i));
    let tail = help.map_or(0, |s| width(app, s));
    let mut x = area.x;
    let mut write = |pen: &mut Pen<'_>, spec: &Spec| {
        let room = area.right().saturating_sub(x);
        x = pen.pieces(Rect { x, width: room, ..area }, 0, &hint(app, spec));
    };
    let mut used = 0;
    for spec in specs {
        let wide = width(app, spec);
        if used + wide + tail > usize::from(area.width) {
            break;
        }
        used += wide;
        write(pen, spec);
    }
    if let Some(spec) = help {
        write(pen, spec);
    }
}

fn width(app: &App, spec: &Spec) -> usize {
    hint(app, spec).iter().map(|(t, _)| text::width(t)).sum()
}

/// ` space off/on `.
fn hint(app: &App, spec: &Spec) -> Vec<Piece> {
    let live = spec.command.enabled(app).is_ok();
    let (key, word) = if live { (Role::Key, Role::Text) } else { (Role::Dim, Role::Dim) };
    let title = match (spec.command, app.focus.top()) {
        (Command::Accept, Layer::Picker(_)) => "choose",
        (Command::Accept, Layer::Help(_)) => "run it",
        (Command::Accept, Layer::Find(_)) => "select",
        (Command::Accept, Layer::Edits { .. }) => "off/on",
        (Command::Back, _) if app.visits() => "back to the story",
        (Command::PageDown, Layer::Story) => "scroll",
        (Command::Right, Layer::Watch) => "step",
        (Command::Left, Layer::Watch) => "back",
        (Command::LessonNext, _) if app.is_last_page() => "end of the lesson",
        (Command::RowTake, Layer::Lessons) => "open the lesson",
        (Command::RowTake, Layer::Impact) => "make the edit",
        (Command::RowTake, Layer::Story) => "open the machine",
        (Command::RowTake, Layer::Diagnose) => "apply the cause",
        (Command::Other, Layer::Diagnose) => "other log",
        (Command::RowTake, Layer::Compare) => "ask this",
        (Command::RowFilter, Layer::Explain) => "unfold all",
        (Command::RowFilter, _) => "faults/upgrades",
        _ => spec.title,
    };
    let label = match (spec.command, app.choices().checked_sub(1)) {
        // The labels that show.
        (Command::Choose, Some(last)) if app.puts_in_order() => format!("1-{}", last + 1),
        (Command::Choose, Some(last)) => format!("a-{}", letter(last)),
        _ => app.config.keymap.key_label(spec),
    };
    vec![piece(format!(" {label}"), key), piece(format!(" {title} "), word)]
}
