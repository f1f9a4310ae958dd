//! Scenarios to and from files. The files themselves are the shell's business.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Answers, App, Focus, Layer, Screen, Spot};
use crate::import;
use crate::measure::overlay::Measured;
use crate::measure::pairs;
use crate::preset;
use crate::scenario::{History, Outcome, Scenario, apply};
use crate::system::{System, build};
use crate::tui::picture::{PairCell, Pick};
use crate::tui::program::Effect;
use crate::tui::theme::Role;
use crate::units::counted;

/// What a comparison with no other system is called in a line.
pub(crate) const BASELINE: &str = "baseline";

/// A file that was asked for and has not come yet.
#[derive(Debug, Clone)]
pub(crate) enum Pending {
    /// A scenario.
    Scenario(PathBuf),
    /// The system of a scenario.
    System(Box<Scenario>, PathBuf),
    /// A log.
    Measured(PathBuf),
    /// The other system of a comparison.
    Other(PathBuf),
    /// The system of the scenario, in a file of its own, that is the other side of a comparison.
    OtherSystem(Box<Scenario>, PathBuf, PathBuf),
}

/// A system in its written form, or from what a machine printed.
///
/// # Errors
/// What is wrong, with the file's name and the place; the first line says it all.
pub fn system_in(text: &str, file: &str) -> Result<System, String> {
    if !import::is_printed(text) {
        return preset::parse(text, file, preset::catalogue()).map_err(|e| e.to_string());
    }
    let imported = import::import(text, &import::Options::default(), preset::catalogue()).map_err(|e| {
        let hint = if e.flag.is_some() { format!(" (icx-tui import {file} -o system.ron)") } else { String::new() };
        format!("{}{hint}", e.in_file(file))
    })?;
    build(&imported.spec, preset::catalogue()).map_err(|e| e.to_string())
}

/// The same, with an error of one line.
fn read_system(text: &str, path: &Path) -> Result<System, String> {
    let system = system_in(text, &path.display().to_string());
    system.map_err(|e| e.lines().next().unwrap_or_default().to_owned())
}

impl App {
    /// Asks for a scenario to be read.
    pub(crate) fn open_file(&mut self, path: PathBuf) -> Vec<Effect> {
        if self.holds_back(&path) {
            return Vec::new();
        }
        self.pending = Some(Pending::Scenario(path.clone()));
        vec![Effect::ReadFile { path }]
    }

    /// Asks for a log to be read, to show its points.
    pub(crate) fn open_measured(&mut self, path: PathBuf) -> Vec<Effect> {
        self.pending = Some(Pending::Measured(path.clone()));
        vec![Effect::ReadFile { path }]
    }

    /// Compares with a shipped system at once, with another's file when it has come, or with the baseline.
    pub(crate) fn compare_named(&mut self, name: &str) -> Vec<Effect> {
        if name == BASELINE {
            self.compare_with(None, name);
            return Vec::new();
        }
        if let Ok(system) = preset::load_shipped(name) {
            self.compare_with(Some(system), name);
            return Vec::new();
        }
        let path = PathBuf::from(name);
        self.pending = Some(Pending::Other(path.clone()));
        vec![Effect::ReadFile { path }]
    }

    /// Compares with another system, and what was typed for it; without one with the baseline.
    pub fn compare_with(&mut self, other: Option<System>, source: &str) {
        self.reports.other = other;
        source.clone_into(&mut self.reports.other_source);
        if self.focus.screen() == Screen::Compare {
            self.refresh_reports();
        } else {
            self.open_screen(Screen::Compare);
        }
    }

    /// Takes over what was measured.
    pub(super) fn take_measured(&mut self, measured: Option<Measured>) {
        match measured {
            Some(Measured::Log(log)) => self.charts.measured = Some(log),
            Some(Measured::Matrices(matrices)) => self.matrices = Some(matrices),
            None => return,
        }
        self.reports.diagnosis = None;
    }

    /// Takes over a file of measurements and shows it: a log in the sweep or the diagnosis, matrices with the pairs.
    fn measured_read(&mut self, path: &Path, text: &str) {
        let measured = match Measured::read(text, &path.display().to_string()) {
            Ok(measured) => measured,
            Err(e) => return self.say(e.to_string(), Role::Bad),
        };
        let is_log = matches!(measured, Measured::Log(_));
        self.take_measured(Some(measured));
        match self.focus.screen() {
            _ if !is_log => self.open_pairs(),
            Screen::Sweep => self.refresh_charts(),
            Screen::Diagnose => self.refresh_reports(),
            _ => self.open_screen(Screen::Sweep),
        }
    }

    /// Shows the pairs of the node that is selected, or of the first one.
    pub fn open_pairs(&mut self) {
        let over =
            |l: &Layer| l.screen().is_some() || matches!(l, Layer::Matrix | Layer::Path(..) | Layer::PathFrom(_));
        self.focus.close(over);
        if self.current_node().is_none() {
            self.select(Spot::Thing(Pick::Unit(0)));
        }
        self.focus.push(Layer::Matrix);
        let Some(named) = &self.matrices else { return };
        let node = self.current_node().unwrap_or((0, 0));
        match pairs::compare(self.system(), node, &named.all) {
            Ok(_) => self.cell = PairCell::Measured,
            Err(why) => {
                let text = format!("{}: {why}", named.name);
                self.cell = PairCell::default();
                self.say(text, Role::Bad);
            }
        }
    }

    /// A file has come.
    pub(crate) fn file_read(&mut self, path: &Path, result: Result<String, String>) -> Vec<Effect> {
        let text = match result {
            Ok(text) => text,
            Err(e) => {
                self.pending = None;
                self.say(e, Role::Bad);
                return Vec::new();
            }
        };
        match self.pending.take() {
            Some(Pending::Scenario(expected)) if expected == path => self.scenario_read(path, &text),
            Some(Pending::System(scenario, expected)) if expected == path => {
                match read_system(&text, path) {
                    Ok(system) => self.adopt(system, *scenario),
                    Err(e) => self.say(e, Role::Bad),
                }
                Vec::new()
            }
            Some(Pending::Measured(expected)) if expected == path => {
                self.measured_read(path, &text);
                Vec::new()
            }
            Some(Pending::OtherSystem(scenario, source, expected)) if expected == path => {
                match read_system(&text, path) {
                    Ok(system) => self.compare_with_edited(&system, &scenario, &source),
                    Err(e) => self.say(e, Role::Bad),
                }
                Vec::new()
            }
            Some(Pending::Other(expected)) if expected == path => self.other_read(path, &text),
            other => {
                self.pending = other;
                Vec::new()
            }
        }
    }

    /// The other side of a comparison: a system, what a machine printed, or a scenario, whose edits apply.
    fn other_read(&mut self, path: &Path, text: &str) -> Vec<Effect> {
        if !Scenario::is_one(text) {
            match read_system(text, path) {
                Ok(system) => self.compare_with(Some(system), &path.display().to_string()),
                Err(e) => self.say(e, Role::Bad),
            }
            return Vec::new();
        }
        let Some(scenario) = self.scenario_in(path, text) else { return Vec::new() };
        if let Ok(system) = preset::load_shipped(&scenario.system) {
            self.compare_with_edited(&system, &scenario, path);
            return Vec::new();
        }
        let file = scenario.system_file(path);
        self.pending = Some(Pending::OtherSystem(Box::new(scenario), path.to_owned(), file.clone()));
        vec![Effect::ReadFile { path: file }]
    }

    /// The scenario of a file; what is wrong with it is said.
    fn scenario_in(&mut self, path: &Path, text: &str) -> Option<Scenario> {
        let read = Scenario::from_text(text);
        read.map_err(|e| self.say(format!("{}:{e}", path.display()), Role::Bad)).ok()
    }

    /// Compares with a scenario's system after its edits.
    fn compare_with_edited(&mut self, system: &System, scenario: &Scenario, path: &Path) {
        let edited = apply(system, &scenario.edits, &super::context()).system;
        self.compare_with(Some(edited), &path.display().to_string());
    }

    fn scenario_read(&mut self, path: &Path, text: &str) -> Vec<Effect> {
        if !Scenario::is_one(text) {
            // A machine without edits.
            match read_system(text, path) {
                Ok(system) => {
                    self.saving.is(None);
                    self.adopt(system, Scenario { system: path.display().to_string(), ..Scenario::default() });
                }
                Err(e) => self.say(e, Role::Bad),
            }
            return Vec::new();
        }
        let Some(scenario) = self.scenario_in(path, text) else { return Vec::new() };
        self.saving.is(Some(path.to_owned()));
        if let Ok(system) = preset::load_shipped(&scenario.system) {
            self.adopt(system, scenario);
            return Vec::new();
        }
        let file = scenario.system_file(path);
        let scenario = Scenario { system: file.display().to_string(), ..scenario };
        self.pending = Some(Pending::System(Box::new(scenario), file.clone()));
        vec![Effect::ReadFile { path: file }]
    }

    /// Takes over a scenario and its system.
    pub(super) fn adopt(&mut self, system: System, scenario: Scenario) {
        // What is opened by name stays; there is nothing to lead back to.
        self.visit = None;
        let count = scenario.edits.len();
        let base = std::sync::Arc::new(system);
        let context = std::sync::Arc::new(super::context());
        self.history = History::with(base, context, scenario.edits, scenario.baseline);
        self.source = scenario.system;
        self.saving.keeps(self.history.done());
        self.question = scenario.question.unwrap_or(self.question);
        self.answers = Arc::new(Answers::new(&self.history, &self.question));
        self.open.clear();
        self.focus = Focus::default();
        self.refresh_charts();
        self.selection = Spot::System;
        self.start();
        let inert = self.history.applied().outcomes.iter().filter(|o| matches!(o, Outcome::Inert { .. })).count();
        let (idle, role) = match inert {
            0 => (String::new(), Role::Good),
            n => (
                format!("; {} nothing here, E says why", if n == 1 { "1 does".to_owned() } else { format!("{n} do") }),
                Role::Degraded,
            ),
        };
        self.say(format!("opened {}, {}{idle}", self.source, counted(count as u64, "edit")), role);
    }
}
