//! The story as it is written.

use serde::Deserialize;

use super::{Job, Stage, Story};
use crate::preset::{LoadError, Part, error_at, read_text};
use crate::scenario::Edit;
use crate::units::{Bytes, Share};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Story")]
struct StoryFile {
    title: String,
    about: String,
    job: JobFile,
    stages: Vec<StageFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Job")]
struct JobFile {
    parameters: f64,
    gradient_bytes: f64,
    state_bytes: f64,
    flop: f64,
    tokens: f64,
    utilisation: Share,
    assumed: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Stage")]
struct StageFile {
    name: String,
    system: String,
    #[serde(default)]
    edits: Vec<String>,
    text: String,
}

pub(super) fn parse(text: &str, file: &str) -> Result<Story, LoadError> {
    let written: StoryFile = read_text(text, file)?;
    let j = written.job;
    let wrong = |field: &str, expected: &str| {
        error_at(text, file, &["job", field], Part::Value, format!("{field}: expected {expected}"))
    };
    let numbers = [
        ("parameters", j.parameters),
        ("gradient_bytes", j.gradient_bytes),
        ("state_bytes", j.state_bytes),
        ("flop", j.flop),
        ("tokens", j.tokens),
    ];
    for (field, value) in numbers {
        if !(value.is_finite() && value > 0.0) {
            return Err(wrong(field, "a number above 0"));
        }
    }
    if !(j.utilisation.ratio() > 0.0 && j.utilisation.ratio() <= 1.0) {
        return Err(wrong("utilisation", "a share above 0 and up to 100%"));
    }
    let job = Job {
        parameters: j.parameters,
        gradient: Bytes::new(j.gradient_bytes),
        state: Bytes::new(j.state_bytes),
        flop: j.flop,
        tokens: j.tokens,
        utilisation: j.utilisation,
        assumed: j.assumed,
    };
    let mut stages = Vec::new();
    for s in written.stages {
        let mut edits = Vec::new();
        for e in &s.edits {
            let edit: Edit = e.parse().map_err(|error| {
                error_at(text, file, &["stages"], Part::Value, format!("{} in stage {:?}: {error}", e, s.name))
            })?;
            edits.push(edit);
        }
        stages.push(Stage { name: s.name, system: s.system, edits, text: s.text });
    }
    if stages.is_empty() {
        return Err(error_at(text, file, &["stages"], Part::Value, "expected at least one stage".to_owned()));
    }
    Ok(Story { title: written.title, about: written.about, job, stages })
}
