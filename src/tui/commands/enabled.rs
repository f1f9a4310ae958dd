//! Whether a command can be done now, and if not, why.

use super::Command;
use crate::tui::app::{App, Layer, Leaf, Quizzing, Screen, Spot};
use crate::tui::picture::Pick;

pub(super) fn enabled(command: Command, app: &App) -> Result<(), String> {
    match command {
        Command::Toggle => has_address(app),
        Command::Degrade => can_degrade(app),
        Command::EditValue => app.value_key().map(|_| ()).ok_or_else(no_value),
        Command::StepUp | Command::StepDown => can_step(app, command == Command::StepUp),
        Command::Undo | Command::Redo if matches!(app.focus.top(), Layer::Picker(_)) => {
            Err("not in a list of choices".to_owned())
        }
        Command::Undo => when(!app.history.done().is_empty(), "no edit to undo"),
        Command::Redo => when(!app.history.undone().is_empty(), "no undone edit"),
        Command::Baseline | Command::BaselineNow => when(app.history.differs(), "nothing differs from the baseline"),
        Command::RepeatAll => app.repeat_on_all().map(|_| ()),
        Command::Edits => when(!app.history.done().is_empty() || !app.history.undone().is_empty(), "no edits yet"),
        Command::Plane => when(app.draws_node(), "the planes are those of a node's picture"),
        Command::Path => when(app.path_end().is_some(), "select a device first"),
        Command::Matrix => when(app.current_node().is_some(), "no node is selected"),
        Command::NextSibling | Command::PreviousSibling => {
            when(app.sibling_count() > 1, "there is nothing beside what is drawn")
        }
        Command::NextException | Command::PreviousException => {
            when(!app.exceptions().is_empty(), "nothing is edited, broken or full")
        }
        Command::RowFilter => when(
            matches!(app.focus.screen(), Screen::Explain | Screen::Impact),
            "there is nothing to fold or to filter",
        ),
        Command::CopyTable | Command::CopyCsv => when(!app.table().rows.is_empty(), "this shows no table"),
        Command::Filter => when(app.can_filter(), "there is no list to narrow"),
        Command::Other => {
            when(matches!(app.focus.screen(), Screen::Compare | Screen::Diagnose), "only when comparing or diagnosing")
        }
        Command::RowTake if app.focus.screen() == Screen::Diagnose => {
            when(!app.reports.findings().is_empty(), "there is no cause to apply")
        }
        Command::Out => when(app.selection != Spot::System, "this is the whole system"),
        Command::Scale => when(app.system().fabric.is_some(), "there is no network to grow over"),
        Command::ChartSeries | Command::Measured => when(app.focus.screen() == Screen::Sweep, "only in the sweep"),
        Command::Take | Command::ChartValue | Command::ChartScale => {
            when(app.focus.screen() != Screen::Watch, "there is no chart here")
        }
        Command::WatchPlay
        | Command::WatchFaster
        | Command::WatchSlower
        | Command::WatchMoves
        | Command::WatchUp
        | Command::WatchDown
        | Command::WatchLane
        | Command::WatchLaneBack => watching(app, command),
        Command::Choose => when(app.choices() > 0, "there is nothing to choose"),
        Command::QuizLift => when(app.quiz().is_some_and(Quizzing::orders), "there is nothing to put in order"),
        Command::QuizNext | Command::QuizPrevious => {
            when(app.quiz().is_some_and(|q| q.sitting().is_some()), "the quiz has not begun")
        }
        Command::QuizMore | Command::QuizFewer | Command::QuizTopic => {
            when(app.quiz().is_some_and(|q| q.sitting().is_none()), "the quiz has begun")
        }
        Command::QuizStudy => {
            when(app.quiz().is_some_and(|q| q.lesson().is_some()), "nothing to study: no question went wrong yet")
        }
        Command::QuizAgain => when(
            app.quiz().is_some_and(|q| !matches!(q.leaf(), Leaf::Question(..))),
            "on the first page and at the end",
        ),
        Command::Right | Command::Left if app.in_tree() => Ok(()),
        Command::ListToggle | Command::ListRemove => {
            when(matches!(app.focus.top(), Layer::Edits { .. }), "only in the list of edits")
        }
        Command::LessonAct | Command::LessonNext | Command::LessonPrevious | Command::Hint => {
            when(app.lesson().is_some(), "no lesson is open")
        }
        _ => Ok(()),
    }
}

/// The keys of the collective step by step.
fn watching(app: &App, command: Command) -> Result<(), String> {
    when(app.focus.screen() == Screen::Watch, "only while a collective is watched")?;
    match command {
        Command::WatchPlay | Command::WatchFaster | Command::WatchSlower => {
            when(!app.config.no_motion, "motion is off in the configuration; left and right go step by step")
        }
        Command::WatchUp | Command::WatchDown => when(crate::tui::view::watch_most(app) > 0, "all rows show"),
        Command::WatchMoves => when(app.watch.draws(), "there is no drawing of this"),
        _ => when(app.watch.lanes() > 1, "there is one way only"),
    }
}

fn when(holds: bool, reason: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(reason.to_owned()) }
}

fn no_value() -> String {
    "what is selected has no value to set".to_owned()
}

fn has_address(app: &App) -> Result<(), String> {
    match app.selection {
        Spot::System => Err("the whole system cannot be taken out; select a part of it".to_owned()),
        Spot::Fabric => Err("select a leaf, a spine or a cable of the fabric".to_owned()),
        Spot::Services => Err("the services tier carries no collective".to_owned()),
        Spot::Thing(Pick::Pair { .. }) => Err("select one of the links on the way".to_owned()),
        _ => when(app.address().is_some(), "this has no address"),
    }
}

fn can_degrade(app: &App) -> Result<(), String> {
    has_address(app)?;
    match app.selection {
        Spot::Thing(Pick::Unit(_) | Pick::Node { .. } | Pick::Class(_) | Pick::Group(_)) => {
            Err("select a link, a NIC or a GPU".to_owned())
        }
        _ => Ok(()),
    }
}

fn can_step(app: &App, up: bool) -> Result<(), String> {
    let key = app.value_key().ok_or_else(no_value)?;
    let end = if up { "largest" } else { "smallest" };
    key.step(app.history.system(), up).map(|_| ()).ok_or_else(|| format!("{key} is at its {end} value"))
}
