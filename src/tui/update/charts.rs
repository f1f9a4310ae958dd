//! The keys of the screens with charts.

use super::{edits, question};
use crate::tui::app::{App, Screen, Split, Value, size_edit};
use crate::tui::chart::Scale;
use crate::tui::commands::Command;

/// Points of a page.
const PAGE: isize = 5;

/// Runs a command that means something else in a chart than elsewhere; false if it does not.
pub(super) fn run(app: &mut App, command: Command) -> bool {
    match command {
        Command::Left => app.move_in_chart(-1),
        Command::Right => app.move_in_chart(1),
        Command::PageUp => app.move_in_chart(-PAGE),
        Command::PageDown => app.move_in_chart(PAGE),
        Command::First => app.move_in_chart(isize::MIN / 2),
        Command::Last => app.move_in_chart(isize::MAX / 2),
        Command::Take => take(app),
        Command::ChartValue => app.charts.value = next_value(app.focus.screen(), app.charts.value),
        Command::ChartScale => {
            app.charts.scale = if app.charts.scale == Scale::Log { Scale::Linear } else { Scale::Log };
        }
        Command::ChartSeries => {
            let now = app.charts.split;
            app.charts.split = if now == Split::Algorithms { Split::Protocols } else { Split::Algorithms };
            app.refresh_charts();
        }
        _ => return false,
    }
    true
}

/// Opens a screen; from that very screen back to the picture.
pub(super) fn screen(app: &mut App, command: Command) {
    let wanted = match command {
        Command::Sweep => Screen::Sweep,
        Command::Scale => Screen::Scale,
        Command::Explain => Screen::Explain,
        Command::Impact => Screen::Impact,
        Command::Compare => Screen::Compare,
        Command::Diagnose => Screen::Diagnose,
        Command::Watch => Screen::Watch,
        Command::Quiz => Screen::Quiz,
        Command::Story => Screen::Story,
        _ => return,
    };
    let there = app.focus.screen() == wanted;
    app.open_screen(if there { Screen::Explore } else { wanted });
}

/// Only a chart over nodes shows efficiency.
fn next_value(screen: Screen, now: Value) -> Value {
    match (screen, now) {
        (_, Value::Busbw) => Value::Time,
        (Screen::Scale, Value::Time) => Value::Efficiency,
        _ => Value::Busbw,
    }
}

/// Asks what the cursor points at: the size, or the number of nodes.
fn take(app: &mut App) {
    match app.focus.screen() {
        Screen::Sweep => question::ask(app, app.question.at_size(app.charts.size)),
        Screen::Scale if app.charts.units != app.system().units => {
            edits::push(app, size_edit(app.system().is_rack, app.charts.units));
        }
        Screen::Scale
        | Screen::Explore
        | Screen::Explain
        | Screen::Impact
        | Screen::Compare
        | Screen::Diagnose
        | Screen::Watch
        | Screen::Quiz
        | Screen::Learn
        | Screen::Story => {}
    }
}
