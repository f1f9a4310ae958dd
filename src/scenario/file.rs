//! A saved scenario: which system, which edits, which question. The system's own file is never written.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Edit, Entry};
use crate::question::Question;

/// A saved scenario.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scenario {
    /// A preset's name, or the path of a system file as seen from the scenario's own folder.
    pub system: String,
    /// The edits, in order; those that are switched off are kept.
    pub edits: Vec<Entry>,
    /// The edits that the baseline has.
    pub baseline: Vec<Entry>,
    /// What is asked, if it was saved.
    pub question: Option<Question>,
}

/// What is wrong with a scenario file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FileError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

/// `12:7: message`, to stand after the name of the file.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// What an edit that is switched off starts with in a file.
const OFF_MARK: &str = "# ";

/// The file as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario")]
struct Raw {
    system: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edits: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    baseline: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<Question>,
}

impl Scenario {
    /// Reads RON text; an error points at the place, inside an edit too.
    pub fn from_text(text: &str) -> Result<Self, FileError> {
        let raw: Raw = options().from_str(text).map_err(|e| FileError {
            line: e.span.start.line,
            column: e.span.start.col,
            message: e.code.to_string(),
        })?;
        if raw.system.trim().is_empty() {
            let (line, column) = place(text, text.find("system").unwrap_or(0));
            return Err(FileError { line, column, message: "no system; expected a name or a path".to_owned() });
        }
        Ok(Self {
            edits: entries(&raw.edits, text, "edits")?,
            baseline: entries(&raw.baseline, text, "baseline")?,
            system: raw.system,
            question: raw.question,
        })
    }

    /// Whether a text looks like a saved scenario: a RON struct whose first field is `system`. A system's own file
    /// starts with its name.
    pub fn is_one(text: &str) -> bool {
        let code =
            text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//") && !l.starts_with("#!["));
        let head: String = code.take(2).collect();
        head.trim_start_matches('\u{feff}').trim_start_matches('(').trim_start().starts_with("system:")
    }

    /// The file of its system, where that is no shipped one: seen from the scenario's own folder.
    pub fn system_file(&self, scenario: &Path) -> PathBuf {
        scenario.parent().unwrap_or(Path::new("")).join(&self.system)
    }

    /// As RON text, one edit per line.
    pub fn to_text(&self) -> Result<String, String> {
        let lines = |all: &[Entry]| all.iter().map(line).collect();
        let raw = Raw {
            system: self.system.clone(),
            edits: lines(&self.edits),
            baseline: lines(&self.baseline),
            question: self.question,
        };
        let pretty = ron::ser::PrettyConfig::default().struct_names(false);
        let text = options().to_string_pretty(&raw, pretty).map_err(|e| e.to_string())?;
        Ok(text + "\n")
    }
}

fn options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// An edit as a line of a file; one that is switched off starts with `# `.
fn line(e: &Entry) -> String {
    format!("{}{}", if e.enabled { "" } else { OFF_MARK }, e.edit)
}

fn entries(lines: &[String], text: &str, list: &str) -> Result<Vec<Entry>, FileError> {
    let one = |(i, l): (usize, &String)| {
        let bare = l.trim_start().strip_prefix(OFF_MARK.trim_end());
        let body = bare.unwrap_or(l);
        let skipped = l.chars().count() - body.chars().count();
        match body.parse::<Edit>() {
            Ok(edit) => Ok(Entry { edit, enabled: bare.is_none() }),
            Err(e) => {
                let start = string_at(text, list, i).unwrap_or(0);
                let (line, column) = place(text, start);
                let message = EditMessage(&e).to_string();
                Err(FileError { line, column: column + skipped + e.column - 1, message })
            }
        }
    };
    lines.iter().enumerate().map(one).collect()
}

/// An edit's error without its column, which has become one of the file's.
struct EditMessage<'a>(&'a super::EditError);

impl fmt::Display for EditMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0.to_string();
        f.write_str(whole.split_once(": ").map_or(whole.as_str(), |(_, m)| m))
    }
}

/// Line and column (characters) of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    (line, before.chars().rev().take_while(|c| *c != '\n').count() + 1)
}

/// Where the contents of the n-th string of a list start. The text is known to be sound.
fn string_at(text: &str, list: &str, nth: usize) -> Option<usize> {
    let mut seen_list = false;
    let mut count = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..)?;
        let c = rest.chars().next()?;
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/")? + 2;
        } else if c == '"' {
            if seen_list {
                if count == nth {
                    return Some(at + 1);
                }
                count += 1;
            }
            at += string_len(rest);
        } else {
            let key = rest.strip_prefix(list).is_some_and(|r| r.trim_start().starts_with(':'));
            seen_list |= key;
            at += c.len_utf8();
        }
    }
    None
}

/// Length in bytes of a quoted string that a text starts with.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return i + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
