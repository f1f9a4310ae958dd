//! The report of an import, and the error when there is nothing to import.

use std::fmt;

use serde::Serialize;

use crate::system::System;

/// Notes kept per list; a file with more of them gets a count instead.
const MAX_NOTES: usize = 200;
/// Line numbers kept per note.
const MAX_LINES: usize = 64;

/// One thing that was read, derived, assumed or dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Lines of the file it comes from, from 1; empty when it speaks of the whole file.
    pub lines: Vec<u32>,
    /// What.
    pub text: String,
}

/// How much was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// GPUs of one node (or rack).
    pub gpus: u32,
    /// NICs of one node (or rack).
    pub nics: u32,
    /// Link bundles of one node (or rack), cables into the fabric left out.
    pub links: u32,
    /// Hosts that the node file describes.
    pub nodes_in_file: u32,
    /// Units (nodes, or racks) of the system.
    pub units: u32,
}

/// What an importer did with a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Facts that stand in the file.
    pub read: Vec<Note>,
    /// Facts that follow from those.
    pub derived: Vec<Note>,
    /// What had to be assumed, because the file does not say.
    pub assumed: Vec<Note>,
    /// What was not understood or left out, and why.
    pub dropped: Vec<Note>,
    /// Notes beyond the first 200 of a list.
    pub more: u32,
    /// What was found.
    pub counts: Counts,
}

impl Report {
    /// A fact that stands in the file at a line (0: nowhere in particular).
    pub(super) fn read(&mut self, line: u32, text: impl Into<String>) {
        self.more += add(&mut self.read, line, text.into());
    }

    /// A fact that follows from what was read.
    pub(super) fn derived(&mut self, line: u32, text: impl Into<String>) {
        self.more += add(&mut self.derived, line, text.into());
    }

    /// Something that the file does not say.
    pub(super) fn assumed(&mut self, line: u32, text: impl Into<String>) {
        self.more += add(&mut self.assumed, line, text.into());
    }

    /// Something that was left out.
    pub(super) fn dropped(&mut self, line: u32, text: impl Into<String>) {
        self.more += add(&mut self.dropped, line, text.into());
    }

    /// Takes over the notes of another file, with a word before each that says which file its lines are of.
    pub(super) fn take_over(&mut self, other: Self, prefix: &str) {
        let lists = [
            (&mut self.read, other.read),
            (&mut self.derived, other.derived),
            (&mut self.assumed, other.assumed),
            (&mut self.dropped, other.dropped),
        ];
        for (own, new) in lists {
            for n in new {
                let place = match n.lines.as_slice() {
                    [] => String::new(),
                    [one] => format!("line {one}: "),
                    [first, ..] => format!("line {first} and {} more: ", n.lines.len() - 1),
                };
                self.more += add(own, 0, format!("{prefix}{place}{}", n.text));
            }
        }
        self.more += other.more;
    }

    /// Number of warnings: everything assumed or dropped.
    pub fn warnings(&self) -> usize {
        self.assumed.len() + self.dropped.len() + self.more as usize
    }
}

/// Adds a note, or a line to the note of the same text. Returns 1 when there was no room.
fn add(list: &mut Vec<Note>, line: u32, text: String) -> u32 {
    let known = list.iter().rposition(|n| n.text == text);
    if let Some(note) = known.and_then(|i| list.get_mut(i)) {
        if let Err(at) = note.lines.binary_search(&line)
            && line > 0
            && note.lines.len() < MAX_LINES
        {
            note.lines.insert(at, line);
        }
        return 0;
    }
    if list.len() >= MAX_NOTES {
        return 1;
    }
    let lines = if line > 0 { vec![line] } else { Vec::new() };
    list.push(Note { lines, text });
    0
}

impl Counts {
    /// Counts a built system.
    pub(super) fn of(system: &System, nodes_in_file: u32) -> Self {
        let Some(class) = system.classes.first() else { return Self::default() };
        let cables = class.shape.nics().iter().filter(|n| class.shape.cable(**n).is_some()).count();
        Self {
            gpus: class.shape.gpus().len() as u32,
            nics: class.shape.nics().len() as u32,
            links: (class.shape.links().len() - cables) as u32,
            nodes_in_file,
            units: system.units,
        }
    }
}

/// `1 GPU`, `8 GPUs`, `2 switches`.
pub fn several(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n if noun.ends_with("ch") => format!("{n} {noun}es"),
        n => format!("{n} {noun}s"),
    }
}

/// `line 3: text`, `lines 3, 9: text`, `lines 3..9 (4): text`, or the text alone.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lines.as_slice() {
            [] => {}
            [one] => write!(f, "line {one}: ")?,
            [first, second] => write!(f, "lines {first}, {second}: ")?,
            [first, .., last] => write!(f, "lines {first}..{last} ({}): ", self.lines.len())?,
        }
        f.write_str(&self.text)
    }
}

/// The four lists under their headings; empty ones are left out.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists =
            [("read", &self.read), ("derived", &self.derived), ("assumed", &self.assumed), ("dropped", &self.dropped)];
        for (title, notes) in lists.into_iter().filter(|(_, n)| !n.is_empty()) {
            writeln!(f, "{title}")?;
            for n in notes {
                writeln!(f, "  {n}")?;
            }
        }
        if self.more > 0 {
            writeln!(f, "and {} more", self.more)?;
        }
        Ok(())
    }
}

/// Why a file is no system: one line with the place, what was expected and the flag that helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// Line in the file, from 1, if the problem has a place.
    pub line: Option<u32>,
    /// Column in that line, from 1.
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// What was expected; may be empty.
    pub expected: String,
    /// The flag that supplies what is missing, with an example value: `--gpu a100`.
    pub flag: Option<String>,
    /// True when line and column are those of the fabric file.
    pub of_fabric: bool,
}

impl ImportError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            line: None,
            column: None,
            message: message.into(),
            expected: String::new(),
            flag: None,
            of_fabric: false,
        }
    }

    pub(super) fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line.max(1));
        self.column = Some(column.max(1));
        self
    }

    pub(super) fn expecting(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    pub(super) fn flag(mut self, flag: impl Into<String>) -> Self {
        self.flag = Some(flag.into());
        self
    }

    /// The error with the name of its file: `node.xml:3:7: ...`.
    pub fn in_file(&self, file: &str) -> String {
        format!("{file}:{}{self}", if self.line.is_some() { "" } else { " " })
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "{line}:{}: ", self.column.unwrap_or(1))?;
        }
        f.write_str(&self.message)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?;
        }
        match &self.flag {
            Some(flag) => write!(f, "; give it with {flag}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ImportError {}
