//! Reading other RON files of the program, such as its configuration, with errors as good as a system's.

use serde::de::DeserializeOwned;

use super::LoadError;
use super::tree::{Inside, NO_BRACKETS, Node, Step, outline};

/// Reads any value. `file` is what errors call the text. A text with nothing but comments is read as `()`.
///
/// # Errors
/// Where the text is not RON or not such a value, with what was expected and the nearest valid choice.
pub fn read_text<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, LoadError> {
    let code = super::plain(text);
    let empty = code.lines().map(str::trim).all(|l| l.is_empty() || l.starts_with("//"));
    if empty {
        return super::read("()", file);
    }
    if let Err(fault) = outline(code)
        && fault.message == NO_BRACKETS
    {
        return Err(LoadError::at(
            file,
            code,
            &fault.span,
            "expected round brackets around all of it: ( field: value )",
        ));
    }
    super::read(code, file)
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

/// One step on the way to a value: a field or map key by its name, or an item of a list from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At<'a> {
    /// By name.
    Field(&'a str),
    /// By place.
    Item(usize),
}

/// An error about the value at a path through fields and lists; `character` (from 1) points into the text that the value
/// is, as it reads without its quotes.
pub fn error_inside(
    text: &str,
    file: &str,
    path: &[At<'_>],
    character: Option<usize>,
    message: impl Into<String>,
) -> LoadError {
    let text = super::plain(text);
    let Ok(tree) = outline(text) else { return LoadError::whole(file, message) };
    let step = |at: &At<'_>| match at {
        At::Field(name) => Step::Field((*name).to_owned()),
        At::Item(i) => Step::Index(*i),
    };
    let span = tree.at(&path.iter().map(step).collect::<Vec<_>>(), text).0.span.clone();
    let inside = character.and_then(|n| text.get(span.clone()).and_then(|quoted| offset(quoted, n)));
    let span = inside.map_or(span.clone(), |at| span.start + at..span.start + at + 1);
    LoadError::at(file, text, &span, message)
}

/// Where the n-th character (from 1) of a quoted text stands in its source, in bytes.
fn offset(quoted: &str, n: usize) -> Option<usize> {
    let open = quoted.find('"')? + 1;
    let raw = quoted.starts_with('r');
    let mut at = open;
    for _ in 1..n.max(1) {
        at += continued(quoted.get(at..)?, raw);
        let rest = quoted.get(at..)?;
        let c = rest.chars().next()?;
        at += match (c, raw) {
            ('\\', false) if rest.starts_with("\\u{") => rest.find('}')? + 1,
            ('\\', false) => 1 + rest.chars().nth(1)?.len_utf8(),
            _ => c.len_utf8(),
        };
    }
    at += continued(quoted.get(at..).unwrap_or_default(), raw);
    Some(at.min(quoted.len()))
}

/// Bytes of a backslash at the end of a line and the blanks of the next one: no character of the text.
fn continued(rest: &str, raw: bool) -> usize {
    let Some(next) = rest.strip_prefix('\\').filter(|next| !raw && next.starts_with(['\n', '\r'])) else { return 0 };
    rest.len() - next.trim_start().len()
}

fn key(node: &Node, name: &str, text: &str) -> Option<std::ops::Range<usize>> {
    let Inside::Fields(fields) = &node.inside else { return None };
    fields.iter().rev().find(|(k, _)| k.name(text) == name).map(|(k, _)| k.span.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_of_a_text_is_found_in_its_source() {
        let text = "(\n  list: [(a: \"x\"), (a: \"\\u{e4}\\\"bad\")],\n  raw: r#\"ä\nbad\"#,\n)";
        let place = |path: &[At<'_>], n| error_inside(text, "f", path, Some(n), "no").headline();
        assert_eq!(place(&[At::Field("list"), At::Item(1), At::Field("a")], 3), "f:2:33: no");
        assert_eq!(place(&[At::Field("raw")], 3), "f:4:1: no");
        assert_eq!(error_inside(text, "f", &[At::Field("raw")], None, "no").headline(), "f:3:8: no");
        assert_eq!(place(&[At::Field("raw")], 999), "f:3:8: no");
        let text = "(\n  long: \"one \\\n      two\",\n)";
        let place = |n| error_inside(text, "f", &[At::Field("long")], Some(n), "no").headline();
        assert_eq!((place(1), place(5), place(6)), ("f:2:10: no".into(), "f:3:7: no".into(), "f:3:8: no".into()));
    }
}
