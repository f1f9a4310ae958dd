//! What is wrong with a system file: one clear line, then the place in the text.

use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthStr;

/// Columns of the source line that are shown around the place.
const SHOWN: usize = 100;

/// Why a text is not a system. Prints `FILE:LINE:COL: message`, then the source line with the place underlined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The file, as the caller named it.
    pub file: String,
    /// Where, if it is about a place in a text.
    pub place: Option<Place>,
    /// What is wrong, what was expected, the nearest valid choice.
    pub message: String,
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What the line holds around the place, without control characters.
    source: String,
    /// Blanks before the underline, in terminal columns.
    indent: usize,
    /// Length of the underline, in terminal columns.
    width: usize,
}

impl LoadError {
    /// An error about the whole file, or about a name.
    pub(super) fn whole(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: None, message: message.into() }
    }

    /// An error about some bytes of the text.
    pub(super) fn at(file: &str, text: &str, span: &Range<usize>, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: Some(Place::new(text, span)), message: message.into() }
    }

    /// The first line alone: `FILE:LINE:COL: message`.
    pub fn headline(&self) -> String {
        match &self.place {
            Some(p) => format!("{}:{}:{}: {}", self.file, p.line, p.column, self.message),
            None if self.file.is_empty() => self.message.clone(),
            None => format!("{}: {}", self.file, self.message),
        }
    }
}

impl Place {
    fn new(text: &str, span: &Range<usize>) -> Self {
        let start = floor(text, span.start);
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let head = text.get(line_start..start).unwrap_or_default();
        let tail = text.get(start..).unwrap_or_default();
        let tail = tail.get(..tail.find(['\n', '\r']).unwrap_or(tail.len())).unwrap_or_default();
        let marked = tail.get(..floor(tail, span.end.saturating_sub(start))).unwrap_or(tail);

        let shown_head = last_chars(head, SHOWN / 2);
        let shown_tail: String = tail.chars().take(SHOWN).collect();
        let shown_mark: String = marked.chars().take(SHOWN).collect();
        Self {
            line: before.matches('\n').count() + 1,
            column: head.chars().count() + 1,
            source: printable(&format!("{shown_head}{shown_tail}")),
            indent: printable(shown_head).width(),
            width: printable(&shown_mark).width().max(1),
        }
    }
}

/// The character boundary at or before an index.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

fn last_chars(text: &str, n: usize) -> &str {
    let start = text.char_indices().rev().nth(n.saturating_sub(1)).map_or(0, |(i, _)| i);
    text.get(start..).unwrap_or_default()
}

/// Tabs become blanks, control characters a mark: a broken file must not steer the terminal.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline())?;
        let Some(p) = &self.place else { return Ok(()) };
        let gutter = p.line.to_string().len();
        write!(f, "\n{:gutter$} |\n{} | {}\n", "", p.line, p.source)?;
        write!(f, "{:gutter$} | {:indent$}{}", "", "", "^".repeat(p.width), indent = p.indent)
    }
}

impl std::error::Error for LoadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_place() {
        let text = "(\r\n\ta: \"äb\", \u{1b}[c: x)\n";
        let at = text.find('x').unwrap_or_default();
        let e = LoadError::at("f.ron", text, &(at..at + 1), "no");
        assert_eq!(e.to_string(), "f.ron:2:16: no\n  |\n2 |  a: \"äb\", \u{fffd}[c: x)\n  |                ^");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = "x".repeat(10_000);
        let e = LoadError::at("f", &text, &(5000..5003), "no");
        let shown = e.to_string();
        assert!(shown.starts_with("f:1:5001: no\n"));
        assert!(shown.lines().all(|l| l.len() < 170), "{shown}");
        assert!(shown.ends_with("   ^^^"));
    }

    #[test]
    fn places_beyond_the_text_are_its_end() {
        let e = LoadError::at("f", "ä", &(1..99), "no");
        assert_eq!(e.headline(), "f:1:1: no");
        assert_eq!(LoadError::whole("", "no").to_string(), "no");
    }
}
