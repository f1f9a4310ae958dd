//! The keys of a collective that is watched.

use crate::tui::app::App;
use crate::tui::commands::Command;
use crate::tui::theme::Role;
use crate::tui::view;

/// Steps of a page.
const PAGE: i64 = 10;

/// Runs a command that means something else here than elsewhere; false if it does not.
pub(super) fn run(app: &mut App, command: Command) -> bool {
    match command {
        Command::Left => app.watch_move(-1),
        Command::Right => app.watch_move(1),
        Command::PageUp => app.watch_move(-PAGE),
        Command::PageDown => app.watch_move(PAGE),
        Command::First => app.watch_move(i64::MIN),
        Command::Last => app.watch_move(i64::MAX),
        Command::WatchPlay => app.watch_play(),
        Command::WatchFaster => app.watch_speed(true),
        Command::WatchSlower => app.watch_speed(false),
        Command::WatchUp => app.watch_scroll(-1, view::watch_most(app)),
        Command::WatchDown => app.watch_scroll(1, view::watch_most(app)),
        Command::WatchMoves => {
            let lists = view::watch_draws(app);
            app.watch_list(lists);
            if !lists && !view::watch_draws(app) {
                app.say("the drawing needs a larger screen", Role::Dim);
            }
        }
        Command::WatchLane => app.watch_lane(true),
        Command::WatchLaneBack => app.watch_lane(false),
        _ => return false,
    }
    true
}
