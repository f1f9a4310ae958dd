//! A lesson in the explorer: its text beside the real machine. While one is open, its layer is somewhere in the focus stack.

mod before;
mod seen;

use std::path::PathBuf;
use std::sync::Arc;

pub(super) use before::Before;

use super::{Answers, App, Focus, Layer, Leaf, LineKind, Panel, Screen, Spot};
use crate::lesson::figure::{Fault, Wanted};
use crate::lesson::quiz::{Body, Posed};
use crate::lesson::{self, Heading, Heard, Lesson, Progress, Run, Sheet, Stage, Style};
use crate::question::Question;
use crate::scenario::{Entry, History};
use crate::tui::commands::{Command, Keymap};
use crate::tui::picture::Lens;
use crate::tui::program::Effect;
use crate::tui::theme::Role;

/// What the explorer knows of lessons.
#[derive(Debug, Clone, Default)]
pub struct Learn {
    /// What was done so far.
    pub progress: Progress,
    /// Where that is kept; without a file it is kept until the program ends.
    pub file: Option<PathBuf>,
    /// The lessons of the list.
    pub(crate) list: Vec<Heading>,
    /// Row of the cursor in the list.
    pub(crate) at: usize,
    /// The lesson that is open.
    pub(crate) class: Option<Box<Class>>,
}

impl Learn {
    /// What was done before, and where it is kept.
    pub fn new(progress: Progress, file: Option<PathBuf>) -> Self {
        Self { progress, file, ..Self::default() }
    }

    /// What writes the progress to its file, where it is kept in one.
    pub(crate) fn written(&self) -> Option<Effect> {
        Some(Effect::Write { path: self.file.clone()?, contents: self.progress.to_text() })
    }
}

/// An open lesson.
#[derive(Debug, Clone)]
pub struct Class {
    /// The learner.
    pub(crate) run: Run,
    /// What the page shows; made anew when the learner has done something.
    pub(crate) sheet: Sheet,
    /// First line of the text; follows what the learner is to look at until the learner scrolls.
    pub(crate) scroll: Option<usize>,
    /// What was on the screen before the lesson.
    before: Before,
}

impl App {
    /// What the explorer knows of lessons.
    pub fn learn(&self) -> &Learn {
        &self.learn
    }

    /// The learner in the open lesson.
    pub fn lesson(&self) -> Option<&Run> {
        self.learn.class.as_ref().map(|c| &c.run)
    }

    /// How many choices, or places for an item, the top of the screen offers by letter or digit; 0 elsewhere.
    pub fn choices(&self) -> usize {
        match self.focus.top() {
            Layer::Quiz { .. } => self.quiz().map_or(0, super::Quizzing::rows),
            Layer::Lesson => self.lesson().map_or(0, Run::choices),
            _ => 0,
        }
    }

    /// The number that is being typed, if one is: an answer in the quiz, or a prediction.
    pub fn wanted(&self) -> Option<Wanted> {
        match self.focus.top() {
            Layer::Quiz { typing: true } => self.quiz().and_then(|q| match q.leaf() {
                Leaf::Question(Posed { body: Body::Number { wanted, .. }, .. }, None) => Some(wanted.clone()),
                _ => None,
            }),
            Layer::Line(line) if line.kind == LineKind::Predict => self.lesson()?.wanted()?.ok(),
            _ => None,
        }
    }

    /// Whether those are places for an item.
    pub(crate) fn puts_in_order(&self) -> bool {
        matches!(self.focus.top(), Layer::Quiz { .. }) && self.quiz().is_some_and(super::Quizzing::orders)
    }

    /// What the open page shows.
    pub fn sheet(&self) -> Option<&Sheet> {
        self.learn.class.as_ref().map(|c| &c.sheet)
    }

    /// Makes the list of lessons, for when it opens.
    pub(super) fn list_lessons(&mut self) {
        self.learn.list = lesson::shipped().iter().filter_map(|s| Heading::of(s).ok()).collect();
        let done = |h: &Heading| self.learn.progress.of(&h.name).is_some_and(lesson::Record::is_complete);
        self.learn.at = self.learn.list.iter().position(|h| !done(h)).unwrap_or(0);
    }

    /// Whether the next page would leave the lesson.
    pub(crate) fn is_last_page(&self) -> bool {
        self.lesson().is_some_and(|run| run.at() + 1 == run.lesson().pages.len())
    }

    /// Moves the cursor of the list.
    pub(crate) fn move_in_lessons(&mut self, by: isize) {
        let last = self.learn.list.len().saturating_sub(1);
        self.learn.at = self.learn.at.saturating_add_signed(by).min(last);
    }

    /// Opens the lesson of a name.
    pub(crate) fn open_named_lesson(&mut self, name: &str) {
        match lesson::load_shipped(name) {
            Ok(found) => self.open_lesson(&found),
            Err(e) => self.say(e, Role::Bad),
        }
    }

    /// Opens a lesson at its first unfinished page; what is on the screen comes back when it is left.
    pub fn open_lesson(&mut self, lesson: &Arc<Lesson>) {
        self.leave_lesson();
        let run = Run::new(Arc::clone(lesson), self.learn.progress.of(&lesson.name));
        let before = Before::of(self);
        self.learn.class = Some(Box::new(Class { run, sheet: Sheet::default(), scroll: None, before }));
        self.set_page();
    }

    /// Leaves the lesson: what was on the screen before is back, the screen that led to the lesson on top.
    pub(crate) fn leave_lesson(&mut self) {
        self.focus.close(|l| matches!(l, Layer::Lesson));
        let Some(class) = self.learn.class.take() else { return };
        class.before.restore(self);
    }

    /// Closes the book when its layer is gone: a scenario was opened over it.
    pub(crate) fn settle_lesson(&mut self) {
        if !self.focus.has_lesson()
            && let Some(class) = self.learn.class.take()
        {
            class.before.restore_view(self);
        }
    }

    fn show_machine(&mut self, source: String, history: History, question: Question) {
        (self.source, self.history, self.question) = (source, history, question);
        self.answers = Arc::new(Answers::new(&self.history, &self.question));
        self.open.clear();
        self.selection = Spot::System;
        self.start();
        self.refresh_charts();
        self.refresh_reports();
    }

    /// Puts the page's machine and question on the screen; the text has the keys.
    fn set_page(&mut self) {
        let Some(class) = &self.learn.class else { return };
        // Where the prediction is made already, what it showed is there.
        let page = class.run.page();
        let stage = if class.run.guess().is_some() { page.revealed() } else { &page.stage }.clone();
        let before = page.stage.edits.len();
        let entries: Vec<Entry> = stage.edits.into_iter().map(Entry::from).collect();
        let baseline = entries.get(..before).unwrap_or_default().to_vec();
        let history = History::with(Arc::clone(&stage.base), Arc::new(super::context()), entries, baseline);
        self.focus = self.focus.emptied();
        self.focus.push(Layer::Lesson);
        (self.lens, self.plane, self.cell) = Default::default();
        self.show_machine(stage.source, history, stage.question);
        self.take_look(&stage.look);
        self.refresh_sheet();
    }

    /// Shows a stage as its page wants it; what the explorer does not know is left out (the check says so).
    fn take_look(&mut self, look: &lesson::Look) {
        if let Some(address) = &look.select
            && let Ok(spot) = super::names::lookup(self.system(), address)
        {
            self.reveal(spot);
        }
        if let Some(lens) = look.lens.as_ref().and_then(|name| Lens::ALL.into_iter().find(|l| l.name() == name)) {
            self.lens = lens;
        }
        if let Some(screen) = look.screen.as_deref().and_then(Screen::named) {
            self.focus.close(|l| l.screen().is_some());
            self.open_screen(screen);
            self.raise_lesson();
        }
    }

    /// Gives the keys to the text of the open lesson.
    pub(crate) fn raise_lesson(&mut self) {
        let beside = self.screen_beside();
        self.focus.close(|l| matches!(l, Layer::Lesson | Layer::Panels(_)) || l.screen().is_some());
        for layer in beside.into_iter().chain([Layer::Lesson]) {
            self.focus.push(layer);
        }
    }

    /// Gives the keys from the text to what is beside it; Esc gives them back.
    pub(crate) fn lower_lesson(&mut self) {
        let panel = self.focus.panel();
        let layer = self.screen_beside().unwrap_or(Layer::Panels(panel));
        self.focus.push(layer);
    }

    /// The screen that shows in place of the panels, if one does.
    fn screen_beside(&self) -> Option<Layer> {
        self.focus.layers().rev().find(|l| l.screen().is_some()).cloned()
    }

    /// Another page of the open lesson, or the end of it.
    pub(crate) fn turn_page(&mut self, forward: bool) {
        let Some(class) = &mut self.learn.class else { return };
        let to = if forward { Some(class.run.at() + 1) } else { class.run.at().checked_sub(1) };
        let Some(to) = to else {
            self.say("this is the first page", Role::Dim);
            return;
        };
        if class.run.go(to) {
            class.scroll = None;
            self.set_page();
        } else {
            self.end_of_lesson();
        }
    }

    /// After the last page: back to the quiz that led here, else to the list, with the cursor on what comes next.
    fn end_of_lesson(&mut self) {
        let complete = self.lesson().is_some_and(|run| run.record().is_complete());
        let text = if complete { "lesson finished" } else { "this was the last page; some pages are not finished" };
        // The list goes on from here: at the next lesson, or at this one while something in it is open.
        let name = self.lesson().map(|run| run.lesson().name.clone());
        self.leave_lesson();
        if matches!(self.focus.top(), Layer::Lessons) {
            self.list_lessons();
        } else if !matches!(self.focus.top(), Layer::Quiz { .. }) {
            self.open_screen(Screen::Learn);
        }
        if let Some(here) = self.learn.list.iter().position(|h| Some(&h.name) == name.as_ref()) {
            self.learn.at = (here + usize::from(complete)).min(self.learn.list.len().saturating_sub(1));
        }
        self.say(text, if complete { Role::Good } else { Role::Dim });
    }

    /// After the prediction is made: what the reveal changes is on the screen.
    pub(crate) fn reveal_answer(&mut self) {
        let Some(class) = &mut self.learn.class else { return };
        class.scroll = None;
        let page = class.run.page();
        let shows = page.predict.as_ref().and_then(|p| p.shows.clone());
        if let Some(Stage { edits, question, look, .. }) = shows {
            let have = page.stage.edits.len();
            for edit in edits.into_iter().skip(have) {
                self.history.push(edit);
            }
            self.question = question;
            self.answers = Arc::new(Answers::new(&self.history, &self.question));
            self.machine_changed();
            self.take_look(&look);
        }
        self.refresh_sheet();
    }

    /// Looks whether the learner has done what the page asks for; asks for the progress to be written where there is news.
    pub(crate) fn lesson_heard(&mut self) -> Option<Effect> {
        self.settle_lesson();
        let mut class = self.learn.class.take()?;
        let mut run = class.run.clone();
        let heard = self.with_scene(&class.run, |scene| run.heard(scene));
        if heard != Heard::Nothing {
            class.run = run;
            class.scroll = None;
            let text = if heard == Heard::Page { "done; enter goes on from the text" } else { "done; on to the next" };
            self.say(text, Role::Good);
        }
        let name = class.run.lesson().name.clone();
        let news = self.learn.progress.remember(&name, class.run.record());
        self.learn.class = Some(class);
        if heard != Heard::Nothing {
            self.refresh_sheet();
        }
        self.learn.written().filter(|_| news)
    }

    /// What the page shows, with the user's own keys in it.
    pub(crate) fn refresh_sheet(&mut self) {
        let Some(class) = &mut self.learn.class else { return };
        let mut sheet = class.run.sheet();
        for line in &mut sheet.lines {
            if let Err(Fault(why)) = with_keys(&mut line.text, &self.config.keymap) {
                line.style = Style::Fault;
                line.text = why;
            }
        }
        class.sheet = sheet;
    }

    /// Whether a line is being typed.
    pub fn is_typing(&self) -> bool {
        matches!(self.focus.top(), Layer::Line(_))
    }

    /// Whether the text of the lesson has the keys, or would have them without a line or list over it.
    pub(crate) fn reads_lesson(&self) -> bool {
        self.focus.reads_lesson()
    }
}

impl Focus {
    /// Whether the text of a lesson has the keys, or would have them without a line or list over it.
    pub(crate) fn reads_lesson(&self) -> bool {
        self.layers()
            .rev()
            .find(|l| l.is_stage() || matches!(l, Layer::Lesson))
            .is_some_and(|l| matches!(l, Layer::Lesson))
    }

    /// Whether a lesson is open.
    pub(crate) fn has_lesson(&self) -> bool {
        self.layers().any(|l| matches!(l, Layer::Lesson))
    }
}

/// Replaces `<find>` by the key of that command.
fn with_keys(text: &mut String, keymap: &Keymap) -> Result<(), Fault> {
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = if let Some((id, tail)) = after.split_once('>').filter(|(id, _)| is_id(id)) {
            let command = id.parse::<Command>().map_err(Fault)?;
            out.push_str(&keymap.key_label(command.spec()));
            tail
        } else {
            out.push('<');
            after
        };
    }
    out.push_str(rest);
    *text = out;
    Ok(())
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// The panels that Tab goes through while a lesson is open: those of the size, then back to the text.
pub(crate) fn after_panel(panels: &[Panel], here: Panel, forward: bool) -> Option<Panel> {
    let at = panels.iter().position(|p| *p == here).unwrap_or(0);
    let to = if forward { at.checked_add(1) } else { at.checked_sub(1) };
    to.and_then(|i| panels.get(i)).copied()
}
