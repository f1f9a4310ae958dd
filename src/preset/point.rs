//! Reading other RON files of the program, such as its configuration, with errors as good as a system's.

use serde::de::DeserializeOwned;

use super::LoadError;
use super::tree::{Inside, Node, Step, outline};

/// Reads any value. `file` is what errors call the text. A text with nothing but comments is read as `()`.
///
/// # Errors
/// Where the text is not RON or not such a value, with what was expected and the nearest valid choice.
pub fn read_text<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, LoadError> {
    let code = super::plain(text);
    let empty = code.lines().map(str::trim).all(|l| l.is_empty() || l.starts_with("//"));
    super::read(if empty { "()" } else { code }, file)
}

/// An error about the value, or its key, at a path of fields and map keys; `index` goes into a list there.
pub fn error_at(text: &str, file: &str, path: &[&str], place: Part, message: impl Into<String>) -> LoadError {
    let text = super::plain(text);
    let Ok(tree) = outline(text) else { return LoadError::whole(file, message) };
    let mut steps: Vec<Step> = path.iter().map(|p| Step::Field((*p).to_owned())).collect();
    if let Part::Item(i) = place {
        steps.push(Step::Index(i));
    }
    let span = match (place, path.split_last()) {
        (Part::Key, Some((last, above))) => {
            let above: Vec<Step> = above.iter().map(|p| Step::Field((*p).to_owned())).collect();
            key(tree.at(&above, text).0, last, text)
        }
        _ => None,
    };
    let span = span.unwrap_or_else(|| tree.at(&steps, text).0.span.clone());
    LoadError::at(file, text, &span, message)
}

/// The error of a key that a map has twice, if it does: the reader itself takes the last without a word.
pub fn twice(text: &str, file: &str, path: &[&str]) -> Option<LoadError> {
    let steps: Vec<Step> = path.iter().map(|p| Step::Field((*p).to_owned())).collect();
    super::explain::duplicate_key(super::plain(text), file, &steps)
}

/// Which part of what a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The key.
    Key,
    /// The value.
    Value,
    /// An item of the list that is the value, from 0.
    Item(usize),
}

fn key(node: &Node, name: &str, text: &str) -> Option<std::ops::Range<usize>> {
    let Inside::Fields(fields) = &node.inside else { return None };
    fields.iter().rev().find(|(k, _)| k.name(text) == name).map(|(k, _)| k.span.clone())
}
