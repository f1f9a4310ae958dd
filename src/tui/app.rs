//! The state of the explorer. Everything that shows follows from it; `update` changes it, `view` reads it.

mod answers;
mod charts;
mod command_line;
mod comparison;
mod diagnosis;
mod files;
mod filter;
mod find;
mod focus;
mod folder;
mod learn;
mod line;
mod names;
mod navigate;
mod picker;
mod place;
mod quiz;
#[cfg(test)]
mod reach;
mod reading;
mod reports;
mod save;
mod scale_data;
mod several;
mod spot;
mod story;
mod sweep_data;
mod table;
mod tour;
mod tree;
mod watch;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use ratatui::buffer::Buffer;

pub use answers::Answers;
pub use charts::{Charts, Screen, Split, Value};
pub use comparison::{CompareRow, Comparison, TierSide, TimeSide};
pub use diagnosis::Diagnosed;
pub(crate) use files::Pending;
pub use files::system_in;
pub(crate) use find::Find;
pub use focus::{Focus, Layer, Panel};
pub(crate) use folder::Folder;
pub(crate) use learn::after_panel;
pub use learn::{Class, Learn};
pub(crate) use line::{Entered, Line, LineKind, Preview};
pub(crate) use picker::{Choice, Picker, What};
pub use quiz::{Bench, Leaf, Quizzing};
pub(crate) use reading::Readings;
pub use reading::{Reading, State};
pub use reports::{ExplainRow, Reports, Shown, Unfolded};
use save::Saving;
pub(crate) use scale_data::size_edit;
pub use scale_data::{ScaleRow, Scaling};
pub(crate) use several::joined;
pub use spot::Spot;
pub(crate) use spot::{shape_of, stem};
pub(crate) use sweep_data::busbw;
pub use sweep_data::{Kin, Series, Stretch, Sweep};
pub use table::Table;
pub use tour::Tour;
pub use tree::Row;
pub use watch::{Cell, ChunkTable, Course, Done, Drawing, Flow, Frame, Knot, MoveRow, Play, Scene, Star, Watch, Wire};

use super::config::Config;
use super::glyphs::Glyphs;
use super::headless::Headless;
use super::picture::{Lens, PairCell, Plane, Scope};
use super::program::Input;
use super::theme::{Depth, Role, Theme};
use super::view::LastScene;
use crate::measure::overlay::{Measured, NamedMatrices};
use crate::question::Question;
use crate::scenario::{Context, Entry, History};
use crate::system::System;
use crate::units::significant;

/// How the explorer starts and looks.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What the user typed for the system: a shipped name or a path. Goes into saved scenarios and copied commands.
    pub source: String,
    /// Colours.
    pub theme: Theme,
    /// Glyphs.
    pub glyphs: Glyphs,
    /// The scenario's file, if it was opened from one: saving there again asks nothing.
    pub file: Option<PathBuf>,
    /// The working folder, from which a saved scenario names its system.
    pub folder: PathBuf,
    /// Edits that are there from the start.
    pub edits: Vec<Entry>,
    /// Edits of the baseline.
    pub baseline: Vec<Entry>,
    /// Whether the mouse is used from the start.
    pub mouse: bool,
    /// How many colours a theme that is chosen later may use; `None` for all.
    pub depth: Option<Depth>,
    /// What the user has configured: keys, and styles for themes that are chosen later.
    pub config: Config,
    /// What was measured.
    pub measured: Option<Measured>,
    /// Progress in the lessons, and where it is kept.
    pub learn: Learn,
    /// On the first run, the file that remembers it: the tour is offered, and the first key leaves the file behind.
    pub first_run: Option<PathBuf>,
}

/// One line for the user, until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// How it is styled.
    pub role: Role,
}

/// The explorer.
#[derive(Debug, Clone)]
pub struct App {
    pub(crate) source: String,
    pub(crate) history: History,
    pub(crate) question: Question,
    pub(crate) answers: Arc<Answers>,
    pub(crate) charts: Charts,
    /// Measured matrices between the devices of a node.
    pub(crate) matrices: Option<NamedMatrices>,
    pub(crate) reports: Reports,
    /// What a machine of the story has taken the place of.
    pub(crate) visit: Option<Box<story::Visit>>,
    pub(crate) watch: Watch,
    /// The quiz, once it was opened.
    pub(crate) quiz: Option<Box<Quizzing>>,
    pub(crate) focus: Focus,
    /// One address for tree, picture and inspector.
    pub(crate) selection: Spot,
    /// What the picture shows.
    pub(crate) scope: Scope,
    /// Branches of the tree that are open.
    pub(crate) open: BTreeSet<Spot>,
    pub(crate) lens: Lens,
    pub(crate) plane: Plane,
    pub(crate) cell: PairCell,
    pub(crate) message: Option<Message>,
    /// What the text is that was last put on the clipboard, for the message when that is done.
    pub(crate) copied: String,
    /// Lines entered at `:`, the oldest first.
    pub(crate) lines: Vec<String>,
    /// A file that was asked for.
    pub(crate) pending: Option<Pending>,
    pub(crate) saving: Saving,
    pub(crate) learn: Learn,
    /// The folder that the line on top completes from.
    pub(crate) folder: Option<Folder>,
    pub(crate) theme: Theme,
    pub(crate) glyphs: Glyphs,
    pub(crate) mouse: bool,
    depth: Option<Depth>,
    pub(crate) config: Config,
    /// The file that remembers the first run, until it is written.
    pub(crate) first_run: Option<PathBuf>,
    /// Columns and rows of the screen.
    pub(crate) size: (u16, u16),
    pub(crate) last_scene: LastScene,
}

impl App {
    /// The explorer of a system, with a question.
    pub fn new(system: System, question: Question, options: Options) -> Self {
        let base = Arc::new(system);
        let history = History::with(base, Arc::new(context()), options.edits, options.baseline);
        let answers = Arc::new(Answers::new(&history, &question));
        let mut app = Self {
            source: options.source,
            history,
            question,
            answers,
            charts: Charts::default(),
            matrices: None,
            reports: Reports::default(),
            visit: None,
            watch: Watch::default(),
            quiz: None,
            focus: Focus::default(),
            selection: Spot::System,
            scope: Scope::Classes,
            open: BTreeSet::new(),
            lens: Lens::default(),
            plane: Plane::default(),
            cell: PairCell::default(),
            message: None,
            copied: String::new(),
            lines: Vec::new(),
            pending: None,
            saving: Saving::new(options.folder, options.file),
            learn: options.learn,
            folder: None,
            theme: options.theme,
            glyphs: options.glyphs,
            mouse: options.mouse,
            depth: options.depth,
            config: options.config,
            first_run: options.first_run,
            size: (0, 0),
            last_scene: LastScene::default(),
        };
        app.take_measured(options.measured);
        app.start();
        if app.first_run.is_some() {
            app.offer_tour();
        }
        app
    }

    /// The screen at a size, without a terminal.
    pub fn render(self, columns: u16, rows: u16) -> Buffer {
        self.replay(columns, rows, []).buffer().clone()
    }

    /// Runs a key script on a screen of this size, drawing after every input as the real loop does.
    pub fn replay(mut self, columns: u16, rows: u16, script: impl IntoIterator<Item = Input>) -> Headless<Self> {
        self.size = (columns, rows);
        let mut headless = Headless::new(self, columns, rows);
        headless.feed(script);
        headless
    }

    /// The machine as it is now.
    pub fn system(&self) -> &System {
        self.history.system()
    }

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The answers on the screen.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The edits and where one is in them.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What is selected.
    pub fn selection(&self) -> Spot {
        self.selection
    }

    /// The message that shows, if any.
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|m| m.text.as_str())
    }

    /// The theme.
    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// The address of what is selected.
    pub fn address(&self) -> Option<String> {
        self.selection.address(self.system())
    }

    /// Loads and states of the machine as it is now.
    pub(crate) fn readings(&self) -> Readings<'_> {
        Readings { system: self.system(), loads: &self.answers.loads }
    }

    /// Says something until the next key.
    pub(crate) fn say(&mut self, text: impl Into<String>, role: Role) {
        self.message = Some(Message { text: text.into(), role });
    }

    /// After an edit, undo or redo: the new answer, and a selection that still exists.
    pub(crate) fn machine_changed(&mut self) {
        self.answers = Arc::new(self.answers.updated(&self.history, &self.question));
        self.settle();
        self.refresh_charts();
        self.refresh_reports();
    }

    /// After a change of the question or the baseline: both answers.
    pub(crate) fn question_changed(&mut self) {
        self.answers = Arc::new(Answers::new(&self.history, &self.question));
        self.refresh_charts();
        self.refresh_reports();
    }

    /// After a change of the size alone: a sweep over all sizes stays as it is.
    pub(crate) fn size_changed(&mut self) {
        self.answers = Arc::new(Answers::new(&self.history, &self.question));
        let known = self.charts.sweep.as_ref().is_some_and(|s| s.at(self.question.size).is_some());
        if known && self.charts.scaling.is_none() {
            self.charts.size = self.question.size;
        } else {
            self.refresh_charts();
        }
        self.refresh_reports();
    }
}

/// The shipped systems that have a fabric, for the message when a system without one is asked to grow.
fn context() -> Context {
    Context {
        with_fabric: ["dgx-h100-superpod", "dgx-a100-hdr", "dgx-b200-ndr", "gb200-nvl72-ib"].map(str::to_owned).into(),
    }
}

/// A ratio of times as people say it: `+88 % slower`, `-12 % faster`, `same time`; far from one as `8.1x slower`,
/// `12x faster`, since no more than 100 % of a time can go.
pub(crate) fn change_text(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    let digits = usize::from(percent.abs() < 9.95);
    match ratio {
        _ if percent.abs() < 0.05 => "same time".to_owned(),
        r if r >= 5.0 => format!("{}x slower", significant(r)),
        r if r > 1.0 => format!("+{percent:.digits$} % slower"),
        r if r <= 0.2 => format!("{}x faster", significant(r.recip())),
        _ => format!("{percent:.digits$} % faster"),
    }
}
