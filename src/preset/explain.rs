//! From an error of the RON reader, or of the system's own checks, to a sentence and a place.

use std::ops::Range;

use ron::Error;
use serde_path_to_error::Segment;

use super::error::LoadError;
use super::tree::{Inside, Node, Role, Step, outline};
use crate::parts::nearest;
use crate::system::{BuildError, PathStep};

/// What the reader stumbled over.
pub(super) struct Stumble {
    /// The error.
    pub(super) code: Error,
    /// Where in the data.
    pub(super) path: serde_path_to_error::Path,
    /// How far it had read, in bytes.
    pub(super) offset: usize,
}

/// The error of reading a text: a fault of the writing if there is one anywhere, else the reader's own complaint at the
/// value that it is about.
pub(super) fn reading(stumble: &Stumble, text: &str, file: &str) -> LoadError {
    let tree = match outline(text) {
        Ok(tree) => tree,
        Err(fault) => return LoadError::at(file, text, &fault.span, fault.message),
    };
    let place = Where { tree: &tree, text, offset: stumble.offset, path: steps(&stumble.path) };
    let (span, message) = place.describe(&stumble.code);
    LoadError::at(file, text, &span, message)
}

/// The error of a check: the value that its path leads to.
pub(super) fn checking(error: &BuildError, text: &str, file: &str) -> LoadError {
    let Ok(tree) = outline(text) else { return LoadError::whole(file, error.to_string()) };
    let path: Vec<Step> = error
        .path
        .iter()
        .map(|s| match s {
            PathStep::Field(name) => Step::Field((*name).to_owned()),
            PathStep::Index(i) => Step::Index(*i),
        })
        .collect();
    let (node, found) = tree.at(&path, text);
    let named = found.then(|| quoted_in(&error.message)).flatten().and_then(|name| last_named(node, name, text));
    let span = named.unwrap_or_else(|| mark(node, text));
    LoadError::at(file, text, &span, error.to_string())
}

/// The second of two equal keys of the map at a path; the reader itself takes the last without a word.
pub(super) fn duplicate_key(text: &str, file: &str, path: &[Step]) -> Option<LoadError> {
    let tree = outline(text).ok()?;
    let (Node { inside: Inside::Fields(fields), .. }, true) = tree.at(path, text) else { return None };
    let twice = fields.iter().enumerate().find_map(|(i, (key, _))| {
        fields.iter().take(i).any(|(other, _)| other.name(text) == key.name(text)).then_some(key)
    })?;
    Some(LoadError::at(file, text, &twice.span, format!("{:?} is there twice", twice.name(text))))
}

struct Where<'a> {
    tree: &'a Node,
    text: &'a str,
    offset: usize,
    path: Vec<Step>,
}

impl Where<'_> {
    fn describe(&self, code: &Error) -> (Range<usize>, String) {
        match code {
            Error::NoSuchStructField { expected, found, .. } => {
                (self.key(found), format!("unknown field {found:?}; {}", choices(found, expected)))
            }
            Error::DuplicateStructField { field, .. } => (self.key(field), format!("field {field:?} is there twice")),
            Error::MissingStructField { field, .. } => {
                let node = self.tree.at(&self.path, self.text).0;
                (mark(node, self.text), format!("missing field {field:?}; expected {field}: ... inside these brackets"))
            }
            Error::NoSuchEnumVariant { expected, found, .. } => {
                (self.word(found), format!("unknown word {found:?}; {}", choices(found, expected)))
            }
            Error::Message(m) => (self.value(), m.clone()),
            Error::InvalidValueForType { expected, .. } | Error::ExpectedDifferentLength { expected, .. } => {
                self.instead(expected)
            }
            Error::ExpectedDifferentStructName { found, .. } if self.opens_bracket(found) => {
                (self.word(found), format!("{found:?} is not what belongs here; leave the word before the bracket out"))
            }
            Error::NoSuchExtension(name) => {
                (self.near(), format!("no RON extension {name:?}; expected none: implicit_some is on already"))
            }
            other => match wanted(other) {
                Some(wanted) => self.instead(wanted),
                None => (self.near(), lower(&other.to_string())),
            },
        }
    }

    fn instead(&self, expected: &str) -> (Range<usize>, String) {
        let span = self.value();
        let found = self.text.get(span.clone()).unwrap_or_default();
        let found: String = found.chars().take(40).collect();
        let what = match found.chars().next() {
            Some('(' | '[' | '{') => "a bracket".to_owned(),
            Some(_) => found,
            None => "nothing".to_owned(),
        };
        (span, format!("found {what}; expected {expected}"))
    }

    /// The value that the path leads to; where the path ends above it, the value at which reading stopped.
    fn value(&self) -> Range<usize> {
        let (node, found) = self.tree.at(&self.path, self.text);
        if found && (node.inside == Inside::Scalar || node.span.start >= self.offset) {
            return node.span.clone();
        }
        let mut best: Option<Range<usize>> = None;
        node.walk(&mut |n, role| {
            let touched = n.span.start <= self.offset && self.offset <= n.span.end;
            // A key only where no value is: the name in a map that lacks its quotes.
            if n.inside == Inside::Scalar && touched && (role == Role::Value || best.is_none()) {
                best = Some(n.span.clone());
            }
        });
        best.unwrap_or_else(|| mark(node, self.text))
    }

    /// The key of this name that is nearest to where reading stopped.
    fn key(&self, name: &str) -> Range<usize> {
        self.nearest(|n, role| role == Role::Key && n.name(self.text) == name)
    }

    /// The value that is or starts with this word, nearest to where reading stopped.
    fn word(&self, word: &str) -> Range<usize> {
        let span = self.nearest(|n, role| role == Role::Value && starts_with_word(self.text.get(n.span.clone()), word));
        let end = if starts_with_word(self.text.get(span.clone()), word) { span.start + word.len() } else { span.end };
        span.start..end
    }

    /// True where the word stands before a bracket: `System(name: ...)`.
    fn opens_bracket(&self, word: &str) -> bool {
        let span = self.word(word);
        self.text.get(span.end..).is_some_and(|rest| rest.trim_start().starts_with('('))
    }

    fn nearest(&self, fits: impl Fn(&Node, Role) -> bool) -> Range<usize> {
        let mut best: Option<Range<usize>> = None;
        if fits(self.tree, Role::Value) {
            best = Some(self.tree.span.clone());
        }
        let far = |s: &Range<usize>| s.start.abs_diff(self.offset).min(s.end.abs_diff(self.offset));
        self.tree.walk(&mut |n, role| {
            if fits(n, role) && best.as_ref().is_none_or(|b| far(&n.span) < far(b)) {
                best = Some(n.span.clone());
            }
        });
        best.unwrap_or_else(|| self.near())
    }

    /// Where reading stopped.
    const fn near(&self) -> Range<usize> {
        self.offset..self.offset
    }
}

/// What the reader wanted where it found something else, in words that say what to write.
const fn wanted(code: &Error) -> Option<&'static str> {
    Some(match code {
        Error::ExpectedString | Error::ExpectedStringEnd => "a text in quotes",
        Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } | Error::IntegerOutOfBounds => {
            "a whole number from 0 to 4294967295"
        }
        // The outline was read, so no comma is missing: a number stopped short, a fraction for a whole number.
        Error::ExpectedComma => "a whole number",
        Error::ExpectedFloat | Error::FloatUnderscore | Error::UnderscoreAtBeginning => "a number",
        Error::ExpectedBoolean => "true or false",
        Error::ExpectedArray => "a list: [ ... ]",
        Error::ExpectedMap => "a map: { \"name\": value }",
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) | Error::ExpectedDifferentStructName { .. } => {
            "named values in round brackets: (name: value)"
        }
        Error::ExpectedMapColon | Error::ExpectedIdentifier => "name: value",
        Error::ExpectedOption | Error::ExpectedUnit => "a plain name",
        _ => return None,
    })
}

fn starts_with_word(text: Option<&str>, word: &str) -> bool {
    text.and_then(|t| t.strip_prefix(word))
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn choices(found: &str, expected: &[&str]) -> String {
    if expected.is_empty() {
        return "expected nothing here".to_owned();
    }
    let near = nearest(found, expected.iter().copied());
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    format!("expected {}{hint}", expected.join(", "))
}

fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// What to underline of a value: all of it on one line, else its opening bracket.
fn mark(node: &Node, text: &str) -> Range<usize> {
    let all = text.get(node.span.clone()).unwrap_or_default();
    if !all.contains('\n') {
        return node.span.clone();
    }
    let open = all.find(['(', '[', '{', '"']).unwrap_or(0);
    node.span.start..node.span.start + open + 1
}

/// The first name in double quotes in a message.
fn quoted_in(message: &str) -> Option<&str> {
    message.split('"').nth(1).filter(|name| !name.is_empty())
}

/// The last text or key below a value that is exactly this name.
fn last_named(node: &Node, name: &str, text: &str) -> Option<Range<usize>> {
    let mut last = None;
    node.walk(&mut |n, _| {
        if n.inside == Inside::Scalar && n.name(text) == name {
            last = Some(n.span.clone());
        }
    });
    last
}

/// The reader's path in our words.
fn steps(path: &serde_path_to_error::Path) -> Vec<Step> {
    path.iter()
        .filter_map(|s| match s {
            Segment::Seq { index } => Some(Step::Index(*index)),
            Segment::Map { key } => Some(Step::Field(key.clone())),
            // `Vendor("...")`: the outline holds what is in its brackets as a list of one.
            Segment::Enum { .. } => Some(Step::Index(0)),
            Segment::Unknown => None,
        })
        .collect()
}
