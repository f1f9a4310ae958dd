//! What was on the screen before a lesson or a machine of the story, and comes back when it is left.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::question::Question;
use crate::scenario::History;
use crate::tui::app::{Answers, App, Charts, Focus, Spot};
use crate::tui::picture::{Lens, PairCell, Plane, Scope};

/// Everything that a lesson sets up or a learner may change in it.
#[derive(Debug, Clone)]
pub(in crate::tui::app) struct Before {
    source: String,
    history: History,
    question: Question,
    selection: Spot,
    scope: Scope,
    open: BTreeSet<Spot>,
    view: (Lens, Plane, PairCell),
    charts: Charts,
    focus: Focus,
}

impl Before {
    /// As it is now.
    pub(in crate::tui::app) fn of(app: &App) -> Self {
        Self {
            source: app.source.clone(),
            history: app.history.clone(),
            question: app.question,
            selection: app.selection,
            scope: app.scope,
            open: app.open.clone(),
            view: (app.lens, app.plane, app.cell),
            // Their data is made anew.
            charts: Charts { sweep: None, scaling: None, ..app.charts.clone() },
            focus: app.focus.clone(),
        }
    }

    /// How the picture was looked at, and nothing else.
    pub(super) fn restore_view(self, app: &mut App) {
        (app.lens, app.plane, app.cell) = self.view;
    }

    /// Puts it back, the screen that led to the lesson on top.
    pub(in crate::tui::app) fn restore(self, app: &mut App) {
        let Self { source, history, question, selection, scope, open, view, charts, focus } = self;
        (app.source, app.history, app.question) = (source, history, question);
        app.answers = Arc::new(Answers::new(&app.history, &app.question));
        (app.selection, app.scope, app.open) = (selection, scope, open);
        (app.lens, app.plane, app.cell) = view;
        // A log that was opened meanwhile is the user's, not the lesson's.
        app.charts = Charts { measured: app.charts.measured.take(), ..charts };
        let tour = app.focus.tour;
        app.focus = focus;
        app.focus.tour = tour;
        app.refresh_charts();
        app.refresh_reports();
    }
}
