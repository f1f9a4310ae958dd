//! The keys of the screens of rows: explain, impact, compare, diagnose.

use super::{edits, learn, question};
use crate::tui::app::{App, CompareRow, Layer, LineKind, Screen};
use crate::tui::commands::Command;
use crate::tui::theme::Role;
use crate::tui::view;

/// Rows of a page.
const PAGE: isize = 10;

/// Lines by which the story scrolls.
const LINES: isize = 3;

/// Runs a command that means something else in rows than elsewhere; false if it does not.
pub(super) fn run(app: &mut App, command: Command) -> bool {
    if app.focus.screen() == Screen::Learn {
        return learn::in_list(app, command);
    }
    match command {
        Command::Up => app.move_in_report(-1),
        Command::Down => app.move_in_report(1),
        Command::PageUp if app.focus.screen() == Screen::Story => app.scroll_story(-LINES, view::story_most(app)),
        Command::PageDown if app.focus.screen() == Screen::Story => app.scroll_story(LINES, view::story_most(app)),
        Command::PageUp => app.move_in_report(-PAGE),
        Command::PageDown => app.move_in_report(PAGE),
        Command::First => app.move_in_report(isize::MIN / 2),
        Command::Last => app.move_in_report(isize::MAX / 2),
        Command::Left if app.focus.screen() == Screen::Explain => app.fold_section(Some(false)),
        Command::Right if app.focus.screen() == Screen::Explain => app.fold_section(Some(true)),
        // The other screens of rows have no branches.
        Command::Left | Command::Right => {}
        Command::RowTake => take(app),
        Command::RowFilter => app.filter_report(),
        Command::Other if app.focus.screen() == Screen::Diagnose => {
            let line = app.line(LineKind::Measured, "");
            app.focus.push(Layer::Line(Box::new(line)));
        }
        Command::Other => {
            let line = app.line(LineKind::Command, "compare ");
            app.focus.push(Layer::Line(Box::new(line)));
        }
        _ => return false,
    }
    true
}

/// Enter: folds or unfolds; makes the edit of the row; asks about the collective of the row.
fn take(app: &mut App) {
    match app.focus.screen() {
        Screen::Explain => app.fold_section(None),
        Screen::Impact => {
            let edit = app.reports.impact_rows().get(app.reports.at).map(|r| r.edit.clone());
            if let Some(edit) = edit {
                edits::push(app, edit);
                // Ranked anew: the worst and the best are at the top again.
                app.reports.at = 0;
            }
        }
        Screen::Compare => {
            let row = app.reports.compare_rows().get(app.reports.at).map(|r| CompareRow::clone(r));
            match &row {
                Some(CompareRow::Collective(collective, ..)) if *collective != app.question.collective => {
                    let question = crate::question::Question { collective: *collective, ..app.question };
                    question::ask(app, question);
                }
                Some(CompareRow::Collective(..)) => app.say("this is what is asked", Role::Dim),
                _ => app.say("a tier; on a collective this key asks for it", Role::Dim),
            }
        }
        Screen::Diagnose => app.apply_finding(),
        Screen::Story => app.open_stage(),
        Screen::Explore | Screen::Sweep | Screen::Scale | Screen::Watch | Screen::Quiz | Screen::Learn => {}
    }
}
