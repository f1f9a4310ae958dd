//! The story of a growing job: its table, and a stage's machine in the explorer, from which Esc leads back.

use super::learn::Before;
use super::save::Saving;
use super::{App, Screen, Table};
use crate::lesson::story::Told;
use crate::preset;
use crate::question::{Collective, Question};
use crate::scenario::{Entry, Scenario};
use crate::tui::theme::Role;

/// A machine of the story is on the screen: what was there before, and comes back.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    before: Before,
    saving: Saving,
    /// The stage's row in the story.
    at: usize,
}

impl App {
    /// The stage under the cursor opens in the explorer, with the all-reduce of its gradients. The user's machine and edits
    /// are kept: they come back with the story.
    pub(crate) fn open_stage(&mut self) {
        let Some(Ok((story, told))) = self.reports.story else { return };
        let at = self.reports.at;
        let Some(stage) = told.get(at).map(|t| &t.stage) else { return };
        let system = match preset::load_shipped(&stage.system) {
            Err(e) => return self.say(e.to_string(), Role::Bad),
            Ok(system) => system,
        };
        if self.focus.has_lesson() {
            // A lesson has a machine of its own: what was there before it is the user's.
            self.leave_lesson();
            self.open_screen(Screen::Story);
        }
        let visit = Visit { before: Before::of(self), saving: self.saving.clone(), at };
        // What is saved meanwhile is not saved over the user's own file.
        self.saving.is(None);
        let edits = stage.edits.iter().map(|e| Entry { edit: e.clone(), enabled: true }).collect();
        let question = Some(Question::new(Collective::AllReduce, story.job.gradients()));
        self.adopt(system, Scenario { system: stage.system.clone(), edits, baseline: Vec::new(), question });
        self.visit = Some(Box::new(visit));
        self.say(format!("{}: esc leads back to the story and to your own machine", stage.name), Role::Good);
    }

    /// Whether a machine of the story is on the screen.
    pub(crate) const fn visits(&self) -> bool {
        self.visit.is_some()
    }

    /// Back from a machine of the story: the story is on the screen, and below it what was there before.
    pub(crate) fn end_visit(&mut self) {
        let Some(visit) = self.visit.take() else { return };
        let Visit { before, saving, at } = *visit;
        self.leave_lesson();
        before.restore(self);
        self.saving = saving;
        self.reports.at = at;
        self.say("back in the story; your own machine and its edits are as they were", Role::Good);
    }

    /// A row per stage.
    pub(super) fn story_table(&self) -> Table {
        let header = ["stage", "GPUs", "compute us", "all-reduce us", "share %", "tokens/s", "next"];
        let row = |t: &Told| {
            vec![
                t.stage.name.clone(),
                t.ranks.to_string(),
                format!("{:.1}", t.compute.us()),
                format!("{:.1}", t.communication().us()),
                format!("{:.1}", t.share().percent()),
                format!("{:.0}", t.tokens),
                t.next_words(),
            ]
        };
        let told = self.reports.story.and_then(Result::ok).map(|s| s.1.as_slice()).unwrap_or_default();
        Table::new("story", &header, told.iter().map(row).collect())
    }
}
