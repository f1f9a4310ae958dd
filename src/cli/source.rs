//! SYSTEM on the command line: a preset's name, or a file; and the edits on top of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::explore::Start;
use crate::measure::overlay::{Measured, NamedLog};
use crate::preset;
use crate::question::Question;
use crate::scenario::{Context as EditContext, Edit, Entry, Outcome, Scenario, apply};
use crate::shell::files;
use crate::system::System;
use crate::tui::app::system_in;

/// Opens a SYSTEM argument: a preset's name, a RON file, or a file that an importer knows. `-` is standard input.
pub fn open(name: &str) -> Result<System> {
    if let Ok(system) = preset::load_shipped(name) {
        return Ok(system);
    }
    if name == "-" || std::path::Path::new(name).exists() {
        return from_file(name);
    }
    if name.contains(['/', '.']) {
        bail!("{name}: no such file");
    }
    Ok(preset::load_shipped(name)?)
}

fn from_file(path: &str) -> Result<System> {
    let text = read(path)?;
    system_in(&text, path).map_err(anyhow::Error::msg)
}

/// A file's text, or standard input's for `-`; refuses what is too large or not text.
pub fn read(path: &str) -> Result<String> {
    if path == "-" {
        let named = std::path::Path::new("standard input");
        let text = files::read_stream(std::io::stdin().lock(), named, files::MAX_BYTES);
        return text.map_err(|e| anyhow::anyhow!("{e}"));
    }
    // The reason is in the message; as a source it would be printed twice.
    files::read_text(std::path::Path::new(path), files::MAX_BYTES).map_err(|e| anyhow::anyhow!("{e}"))
}

/// A file of measurements: a log of nccl-tests, or matrices between devices.
pub fn measured(path: &str) -> Result<Measured> {
    Ok(Measured::read(&read(path)?, path)?)
}

/// A log of nccl-tests with the name of its file.
pub fn log(path: &str) -> Result<NamedLog> {
    match measured(path)? {
        Measured::Log(named) => Ok(named),
        Measured::Matrices(_) => {
            bail!("{path}: matrices between devices; expected a log of nccl-tests (matrices go with icx-tui show)")
        }
    }
}

/// A machine with its edits, and what is asked of it.
pub struct Machine {
    /// The system with the edits.
    pub system: System,
    /// The texts of the edits: a scenario's own that are switched on, and those that were given.
    pub edits: Vec<String>,
    /// A saved scenario's own question, or the one that the explorer starts with.
    pub question: Question,
}

/// Opens a SYSTEM argument with edits; a saved scenario has some of its own. An answer that passes over one of them would
/// mislead: such an edit is an error here, while the explorer lists it with the reason.
pub fn machine(name: &str, edits: &[String]) -> Result<Machine> {
    let start = start(name, edits)?;
    if let Some((edit, reason)) = first_inert(&start, 0) {
        bail!("{name}: edit {edit:?}: {reason} (\"# \" before it in the file switches it off)");
    }
    let enabled = start.edits.iter().filter(|e| e.enabled);
    Ok(Machine {
        system: start.edited(),
        edits: enabled.map(|e| e.edit.to_string()).collect(),
        question: start.question,
    })
}

/// What the explorer opens: a system with edits, or a saved scenario. An edit that is given and names nothing there, or
/// cannot be, is an error; one that was saved stays, inert.
pub fn start(name: &str, edits: &[String]) -> Result<Start> {
    let mut start = match saved(name)? {
        Some(start) => start,
        None => Start::plain(name, open(name)?),
    };
    let before = start.edits.len();
    start.edits.extend(entries(edits)?);
    if let Some((edit, reason)) = first_inert(&start, before) {
        bail!("edit {edit:?}: {reason}");
    }
    Ok(start)
}

/// The first edit from a place on that does nothing, and why.
fn first_inert(start: &Start, from: usize) -> Option<(String, String)> {
    let outcomes = apply(&start.system, &start.edits, &context()).outcomes;
    outcomes.into_iter().zip(&start.edits).skip(from).find_map(|(outcome, entry)| match outcome {
        Outcome::Inert { reason } => Some((entry.edit.to_string(), reason)),
        _ => None,
    })
}

/// A saved scenario, if the file is one: it names its system.
fn saved(name: &str) -> Result<Option<Start>> {
    if preset::shipped().iter().any(|s| s.name == name) || name == "-" || !std::path::Path::new(name).is_file() {
        return Ok(None);
    }
    let text = read(name)?;
    if !Scenario::is_one(&text) {
        return Ok(None);
    }
    let scenario = Scenario::from_text(&text).map_err(|e| anyhow::anyhow!("{name}:{e}"))?;
    let source = match preset::load_shipped(&scenario.system) {
        Ok(_) => scenario.system.clone(),
        Err(_) if scenario.system.contains(['/', '.']) => scenario.system_file(Path::new(name)).display().to_string(),
        Err(e) => return Err(e).with_context(|| format!("{name}: system {:?}", scenario.system)),
    };
    let system = open(&source).with_context(|| format!("{name}: system {:?}", scenario.system))?;
    Ok(Some(Start {
        source,
        system,
        edits: scenario.edits,
        baseline: scenario.baseline,
        question: scenario.question.unwrap_or_default(),
        file: Some(PathBuf::from(name)),
    }))
}

pub fn entries(edits: &[String]) -> Result<Vec<Entry>> {
    let read = |text: &String| {
        let edit: Edit = text.parse().map_err(|e| anyhow::anyhow!("edit {text:?}: {e}"))?;
        Ok(Entry { edit, enabled: true })
    };
    edits.iter().map(read).collect()
}

/// What applying edits has to know about the shipped systems.
pub fn context() -> EditContext {
    let with_fabric = preset::shipped().iter().filter(|s| s.text.contains("fabric: (")).map(|s| s.name.to_owned());
    EditContext { with_fabric: with_fabric.collect() }
}
