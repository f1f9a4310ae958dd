//! What the figures and conditions of a lesson see on the screen.

use crate::lesson::figure::{Condition, Fault, Scene, View};
use crate::lesson::{Run, Step};
use crate::tui::app::{App, Layer, Preview};
use crate::tui::picture::Scope;

impl App {
    /// Why the line that is typed cannot be entered.
    pub fn line_refused(&self) -> Option<String> {
        let Layer::Line(line) = self.focus.top() else { return None };
        match &line.preview {
            Preview::Bad { text, .. } => Some(text.clone()),
            _ => self.message().map(str::to_owned),
        }
    }

    /// What figures see on the screen.
    pub(crate) fn with_scene<T>(&self, run: &Run, see: impl FnOnce(&Scene<'_>) -> T) -> T {
        let view = self.lesson_view();
        see(&Scene {
            now: self.system(),
            base: self.history.base(),
            baseline: self.history.baseline(),
            question: &self.question,
            view: &view,
            names: &run.lesson().names,
        })
    }

    fn lesson_view(&self) -> View {
        let picture = match (self.focus.instead_of_picture(), self.scope) {
            (Some(Layer::Matrix), _) => "matrix",
            (Some(_), _) => "path",
            (None, Scope::Node { .. }) => "node",
            (None, Scope::Rack { .. }) => "rack",
            (None, Scope::Fabric) => "fabric",
            (None, _) => "classes",
        };
        View {
            screen: self.focus.screen().name().to_owned(),
            picture: picture.to_owned(),
            selected: self.address().unwrap_or_default(),
            lens: self.lens.name().to_owned(),
            edits: self.history.done().len().saturating_sub(self.history.baseline_edits().len()),
        }
    }

    /// Whether the condition of the open task holds on the screen.
    pub fn task_holds(&self) -> bool {
        let Some(run) = self.lesson() else { return false };
        match run.step() {
            Step::Task(_, task) => self.with_scene(run, |scene| task.when.holds(scene)) == Ok(true),
            _ => false,
        }
    }

    /// What a task of the open page claims and what does not hold on the screen as it is.
    pub fn broken_claims(&self, task: usize) -> Vec<String> {
        let Some(run) = self.lesson() else { return Vec::new() };
        let claims = run.page().tasks.get(task).map(|t| t.claims.as_slice()).unwrap_or_default();
        let broken = |c: &Condition| match self.with_scene(run, |scene| c.holds(scene)) {
            Ok(true) => None,
            Ok(false) => Some(format!("its claim does not hold: {c}")),
            Err(Fault(why)) => Some(format!("its claim {c}: {why}")),
        };
        claims.iter().filter_map(broken).collect()
    }
}
