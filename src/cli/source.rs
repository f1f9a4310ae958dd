//! SYSTEM on the command line: a preset's name, or a file; and the edits on top of it.

use anyhow::{Context, Result, bail};

use super::explore::Start;
use crate::measure::overlay::{Measured, NamedLog};
use crate::preset;
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

/// Applies edits to a system; an edit that names nothing there, or cannot be, is an error.
pub fn edited(system: System, edits: &[String]) -> Result<System> {
    if edits.is_empty() {
        return Ok(system);
    }
    applied(&system, &entries(edits)?)
}

/// What the explorer opens: a system with edits, or a saved scenario.
pub fn start(name: &str, edits: &[String]) -> Result<Start> {
    let more = entries(edits)?;
    if let Some(mut start) = saved(name)? {
        start.edits.extend(more);
        return Ok(start);
    }
    let mut start = Start::plain(name, open(name)?);
    applied(&start.system, &more)?;
    start.edits = more;
    Ok(start)
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
    let system = open(&scenario.system).with_context(|| format!("{name}: system {:?}", scenario.system))?;
    Ok(Some(Start {
        source: scenario.system,
        system,
        edits: scenario.edits,
        baseline: scenario.baseline,
        question: scenario.question.unwrap_or_default(),
    }))
}

pub fn entries(edits: &[String]) -> Result<Vec<Entry>> {
    let read = |text: &String| {
        let edit: Edit = text.parse().map_err(|e| anyhow::anyhow!("edit {text:?}: {e}"))?;
        Ok(Entry { edit, enabled: true })
    };
    edits.iter().map(read).collect()
}

fn applied(system: &System, entries: &[Entry]) -> Result<System> {
    let applied = apply(system, entries, &context());
    for (outcome, entry) in applied.outcomes.iter().zip(entries) {
        if let Outcome::Inert { reason } = outcome {
            bail!("edit {:?}: {reason}", entry.edit.to_string());
        }
    }
    Ok(applied.system)
}

/// What applying edits has to know about the shipped systems.
pub fn context() -> EditContext {
    let with_fabric = preset::shipped().iter().filter(|s| s.text.contains("fabric: (")).map(|s| s.name.to_owned());
    EditContext { with_fabric: with_fabric.collect() }
}
