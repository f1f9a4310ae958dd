//! The explorer on the terminal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use super::{config, learn, source};
use crate::lesson::Lesson;
use crate::lesson::quiz::{Quiz, Scope};
use crate::measure::overlay::Measured;
use crate::question::Question;
use crate::scenario::{Entry, apply};
use crate::shell::env::Environment;
use crate::shell::{self, Options as ShellOptions};
use crate::system::System;
use crate::tui::app::{App, Options, Screen};
use crate::tui::glyphs::Glyphs;
use crate::tui::theme::{Depth, Role, Theme};

/// The system that opens when none is named.
pub const DEFAULT_SYSTEM: &str = "dgx-h100-superpod";

/// How the explorer looks and what it listens to, over the configuration.
#[derive(Debug, Clone, Default, Args)]
pub struct LookArgs {
    /// Colours: default, light, dark, high-contrast, colour-blind, mono.
    #[arg(long)]
    pub theme: Option<String>,
    /// Printable ASCII only.
    #[arg(long)]
    pub ascii: bool,
    /// Use the mouse: click selects, wheel scrolls.
    #[arg(long)]
    pub mouse: bool,
    /// A configuration in place of your own (`icx-tui config` says where that is).
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// How the explorer looks, as asked for on the command line.
#[derive(Debug, Clone, Default)]
pub struct Looks {
    /// Theme, glyphs, mouse and configuration; what is not named there the environment decides.
    pub look: LookArgs,
    /// What was measured; the explorer then opens with the screen that shows it.
    pub measured: Option<Measured>,
    /// Opens a lesson, or the list of lessons.
    pub teach: Teach,
}

/// Whether the explorer opens with something to learn.
#[derive(Debug, Clone, Default)]
pub enum Teach {
    /// It does not.
    #[default]
    Nothing,
    /// The list of lessons.
    List,
    /// A lesson.
    Lesson(Arc<Lesson>),
    /// The story of a growing job.
    Story,
    /// A quiz, and which of its questions are asked.
    Quiz(Arc<Quiz>, Scope),
}

/// What is opened: a system, edits on it, and a question.
#[derive(Debug, Clone)]
pub struct Start {
    /// What the user typed for the system.
    pub source: String,
    /// The system without edits.
    pub system: System,
    /// The edits, those that are switched off too.
    pub edits: Vec<Entry>,
    /// The edits of the baseline.
    pub baseline: Vec<Entry>,
    /// What is asked.
    pub question: Question,
    /// The file of the scenario, if it is one.
    pub file: Option<PathBuf>,
}

impl Start {
    /// A system without edits and with the default question.
    pub fn plain(source: &str, system: System) -> Self {
        let source = source.to_owned();
        Self { source, system, edits: Vec::new(), baseline: Vec::new(), question: Question::default(), file: None }
    }

    /// The system with the edits.
    pub fn edited(&self) -> System {
        apply(&self.system, &self.edits, &source::context()).system
    }

    /// The application, with these looks.
    pub(super) fn app(self, looks: Options) -> App {
        let Self { source, edits, baseline, file, .. } = self;
        let options = Options { source, file, edits, baseline, ..looks };
        App::new(self.system, self.question, options)
    }
}

/// Opens the explorer and returns its exit code when it is left.
///
/// # Errors
/// An unknown theme; no terminal, or one that cannot be used.
pub fn run(start: Start, looks: &Looks) -> Result<ExitCode> {
    let environment = Environment::read();
    let config = config::load(&environment, looks.look.config.as_deref())?;
    // NO_COLOR goes before a configured theme, which says nothing about this very terminal.
    let configured = config.theme.as_deref().filter(|_| environment.depth != Depth::Mono);
    let name = looks.look.theme.as_deref().or(configured).unwrap_or_else(|| environment.theme_name());
    // A theme that was asked for by name is shown in colour even under NO_COLOR.
    let depth = Some(environment.depth).filter(|d| looks.look.theme.is_none() || *d != Depth::Mono);
    let theme = config.over(Theme::named(name)?);
    let theme = match depth {
        Some(depth) => theme.at_depth(depth),
        None => theme,
    };
    let glyphs = if looks.look.ascii || config.ascii { Glyphs::Ascii } else { environment.glyphs };
    let measured = looks.measured.clone();
    let mouse = looks.look.mouse || config.mouse;
    // Files come and go between runs; this one is there from the second run on.
    let first_run = environment.state_file("toured").filter(|path| !path.exists());
    let (learn, notice) = learn::remembered(&environment);
    let folder = environment.folder.clone();
    let mut app = start.app(Options {
        theme,
        glyphs,
        folder,
        mouse,
        depth,
        config,
        measured,
        learn,
        first_run,
        ..Options::default()
    });
    match looks.measured {
        Some(Measured::Log(_)) => app.open_screen(Screen::Sweep),
        Some(Measured::Matrices(_)) => app.open_pairs(),
        None => {}
    }
    match &looks.teach {
        Teach::Nothing => {}
        Teach::List => app.open_screen(Screen::Learn),
        Teach::Lesson(lesson) => {
            // Where the lesson leads back to.
            app.open_screen(Screen::Learn);
            app.open_lesson(lesson);
        }
        Teach::Story => app.open_screen(Screen::Story),
        Teach::Quiz(quiz, scope) => app.open_quiz(Arc::clone(quiz), scope.clone()),
    }
    if let Some(notice) = notice {
        app.say(notice, Role::Bad);
    }
    let options = ShellOptions { mouse, force_colour: looks.look.theme.is_some() };
    let code = shell::run(&mut app, options)?;
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
