//! A lesson as it is written in RON. `docs/lessons.md` explains every field.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::units::Share;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Lesson")]
pub(super) struct Written {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) about: String,
    pub(super) system: String,
    #[serde(default)]
    pub(super) edits: Vec<String>,
    #[serde(default)]
    pub(super) question: Option<String>,
    #[serde(default)]
    pub(super) machines: BTreeMap<String, Machine>,
    #[serde(default)]
    pub(super) figures: BTreeMap<String, String>,
    pub(super) pages: Vec<Page>,
}

/// A machine with a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Machine {
    pub(super) system: String,
    #[serde(default)]
    pub(super) edits: Vec<String>,
}

/// A page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) stage: Option<Stage>,
    #[serde(default)]
    pub(super) predict: Option<Predict>,
    #[serde(default)]
    pub(super) tasks: Vec<Task>,
    #[serde(default)]
    pub(super) claims: Vec<String>,
}

/// What differs from the lesson's machine and question, and what shows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    #[serde(default)]
    pub(super) system: Option<String>,
    #[serde(default)]
    pub(super) edits: Option<Vec<String>>,
    #[serde(default)]
    pub(super) question: Option<String>,
    #[serde(default)]
    pub(super) screen: Option<String>,
    #[serde(default)]
    pub(super) select: Option<String>,
    #[serde(default)]
    pub(super) lens: Option<String>,
}

/// A prediction.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Predict {
    pub(super) ask: String,
    #[serde(default)]
    pub(super) answer: Option<String>,
    #[serde(default)]
    pub(super) within: Option<Share>,
    #[serde(default)]
    pub(super) choices: Vec<Choice>,
    pub(super) why: String,
    #[serde(default)]
    pub(super) shows: Option<Stage>,
    #[serde(default)]
    pub(super) hints: Vec<String>,
}

/// One of several statements.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    pub(super) say: String,
    #[serde(default)]
    pub(super) when: Option<String>,
    #[serde(default)]
    pub(super) but: Option<String>,
}

/// Something to do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub(super) ask: String,
    pub(super) when: String,
    #[serde(default)]
    pub(super) hints: Vec<String>,
    pub(super) solution: Vec<String>,
    #[serde(default)]
    pub(super) then: String,
    #[serde(default)]
    pub(super) claims: Vec<String>,
}
