//! The story of a growing job: its table, and opening a stage's machine.

use super::{App, Table};
use crate::lesson::story::Told;
use crate::preset;
use crate::question::{Collective, Question};
use crate::scenario::{Entry, Scenario};
use crate::tui::theme::Role;

impl App {
    /// The stage under the cursor opens in the explorer, with the all-reduce of its gradients.
    pub(crate) fn open_stage(&mut self) {
        let Some(Ok((story, told))) = self.reports.story else { return };
        let Some(stage) = told.get(self.reports.at).map(|t| &t.stage) else { return };
        match preset::load_shipped(&stage.system) {
            Err(e) => self.say(e.to_string(), Role::Bad),
            Ok(system) => {
                let edits = stage.edits.iter().map(|e| Entry { edit: e.clone(), enabled: true }).collect();
                let question = Some(Question::new(Collective::AllReduce, story.job.gradients()));
                self.adopt(system, Scenario { system: stage.system.clone(), edits, baseline: Vec::new(), question });
            }
        }
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
