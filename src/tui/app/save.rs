//! Scenarios to files: what is written, where its system is then found, and no other file replaced unasked.

use std::path::{Component, Path, PathBuf};

use super::{App, Layer, LineKind};
use crate::preset;
use crate::scenario::{Entry, Scenario};
use crate::tui::program::{Effect, NotSaved};
use crate::tui::theme::Role;
use crate::units::counted;

/// Where scenarios live.
#[derive(Debug, Clone, Default)]
pub(crate) struct Saving {
    /// The file that this scenario was last saved to or opened from: saving there again replaces it unasked.
    own: Option<PathBuf>,
    /// A file that exists and that the next save to it replaces: the user was told.
    asked: Option<PathBuf>,
    /// A file that the next opening of takes the place of edits that are not saved: the user was told.
    leaving: Option<PathBuf>,
    /// The edits as they were last saved or opened.
    kept: Vec<Entry>,
    /// The working folder, absolute; empty where there is none to speak of.
    folder: PathBuf,
}

impl Saving {
    /// In a working folder, with the file that the scenario was opened from.
    pub(super) fn new(folder: PathBuf, own: Option<PathBuf>) -> Self {
        Self { own, folder, ..Self::default() }
    }

    /// A new prompt: what was asked at an earlier one is forgotten.
    pub(crate) fn asks_anew(&mut self) {
        (self.asked, self.leaving) = (None, None);
    }

    /// The scenario on the screen is this file's from now on.
    pub(super) fn is(&mut self, path: Option<PathBuf>) {
        self.own = path;
    }

    /// These edits are in a file.
    pub(super) fn keeps(&mut self, edits: &[Entry]) {
        self.kept = edits.to_vec();
    }

    /// How a scenario in `file` names its system: relative to its own folder where that shares more than the root with
    /// the system's, so that both can be moved together.
    fn system_from(&self, source: &str, file: &Path) -> String {
        let named = preset::shipped().iter().any(|s| s.name == source) || Path::new(source).is_absolute();
        if named || (self.folder.as_os_str().is_empty() && file.is_absolute()) {
            return source.to_owned();
        }
        let (system, file) = (plain(&self.folder.join(source)), plain(&self.folder.join(file)));
        let here: Vec<Component<'_>> = file.parent().into_iter().flat_map(Path::components).collect();
        let there: Vec<Component<'_>> = system.components().collect();
        let common = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
        if common < 2 {
            return system.display().to_string();
        }
        let up = here.iter().skip(common).map(|_| Component::ParentDir);
        let path: PathBuf = up.chain(there.iter().skip(common).copied()).collect();
        path.display().to_string()
    }
}

/// A path without `.` and without the `..` that can be resolved by its words alone.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

impl App {
    /// What is on the screen as a scenario.
    pub(crate) fn scenario(&self) -> Scenario {
        Scenario {
            system: self.source.clone(),
            edits: self.history.done().to_vec(),
            baseline: self.history.baseline_edits().to_vec(),
            question: Some(self.question),
        }
    }

    /// The name offered for a scenario's file: its own, or one after the machine.
    pub(crate) fn scenario_name(&self) -> String {
        let own = self.saving.own.as_ref().map(|path| path.display().to_string());
        own.unwrap_or_else(|| format!("{}.scenario.ron", self.system().name))
    }

    /// Asks for the scenario to be written. A file that is there and not the scenario's own is replaced only when it is
    /// named a second time.
    pub(crate) fn save(&mut self, path: PathBuf) -> Vec<Effect> {
        let mut scenario = self.scenario();
        if Path::new(&scenario.system) == path {
            let own =
                format!("{} is the machine's own file, which a scenario needs; choose another name", path.display());
            self.say(own, Role::Bad);
            return Vec::new();
        }
        scenario.system = self.saving.system_from(&scenario.system, &path);
        let replace = [self.saving.own.as_ref(), self.saving.asked.take().as_ref()].contains(&Some(&path));
        match scenario.to_text() {
            Ok(contents) => vec![Effect::Save { path, contents, replace }],
            Err(e) => {
                self.say(e, Role::Bad);
                Vec::new()
            }
        }
    }

    /// Whether edits that are in no file would be lost by opening this one. Then the prompt comes again, and says so; the
    /// second time it is meant.
    pub(super) fn holds_back(&mut self, path: &Path) -> bool {
        let count = self.history.done().len();
        let kept = count == 0 || self.history.done() == self.saving.kept.as_slice();
        if kept || self.saving.leaving.take().is_some_and(|asked| asked == path) {
            return false;
        }
        self.focus.push(Layer::Line(Box::new(self.line(LineKind::Open, &path.display().to_string()))));
        let edits = counted(count as u64, "edit");
        self.say(format!("{edits} not saved: Enter again opens and drops them, Esc keeps them"), Role::Degraded);
        self.saving.leaving = Some(path.to_owned());
        true
    }

    /// A scenario is saved, or not.
    pub(crate) fn saved(&mut self, path: PathBuf, result: Result<(), NotSaved>) {
        match result {
            Ok(()) => {
                self.say(format!("saved to {}", path.display()), Role::Good);
                self.saving.keeps(self.history.done());
                self.saving.is(Some(path));
            }
            Err(NotSaved::Exists) => {
                let name = path.display().to_string();
                self.focus.push(Layer::Line(Box::new(self.line(LineKind::Save, &name))));
                self.say(format!("{name} is there already; Enter again replaces it, Esc keeps it"), Role::Degraded);
                self.saving.asked = Some(path);
            }
            Err(NotSaved::Failed(why)) => self.say(why, Role::Bad),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_named_as_seen_from_the_scenario() {
        let saving = Saving::new(PathBuf::from("/srv/lab"), None);
        let named = |system: &str, file: &str| saving.system_from(system, Path::new(file));
        assert_eq!(named("dgx-h100", "plans/a.ron"), "dgx-h100");
        assert_eq!(named("box.ron", "a.ron"), "box.ron");
        assert_eq!(named("machines/box.ron", "machines/a.ron"), "box.ron");
        assert_eq!(named("machines/box.ron", "plans/new/a.ron"), "../../machines/box.ron");
        assert_eq!(named("../box.ron", "a.ron"), "../box.ron");
        assert_eq!(named("box.ron", "/mnt/a.ron"), "/srv/lab/box.ron");
        assert_eq!(named("/srv/box.ron", "a.ron"), "/srv/box.ron");
    }
}
