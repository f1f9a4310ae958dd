//! A text in words, with the place of each: blanks part them, so that `node0/gpu3--nvsw1`, `all-reduce` and `400Gb/s` stay
//! whole and `-`, `*` and `/` are signs only where they stand alone.

use super::error::FigureError;

/// A word and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The word; of a quotation, what is inside.
    pub(super) text: &'a str,
    /// Whether it stood in quotes.
    pub(super) quoted: bool,
    /// Column of its first character, from 1.
    pub(super) column: usize,
}

/// Most words of a figure or a condition.
const MOST: usize = 256;

/// The words of a text. Round brackets are words of their own; single quotes hold one word together.
pub(super) fn words(text: &str) -> Result<Vec<Word<'_>>, FigureError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|t| t.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let column = text.get(..at).map_or(0, |t| t.chars().count()) + 1;
        if found.len() >= MOST {
            let message = format!("more than {MOST} words");
            return Err(FigureError { column, message, expected: "expected a shorter figure".to_owned() });
        }
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '(' || c == ')' {
            found.push(Word { text: rest.get(..1).unwrap_or_default(), quoted: false, column });
            at += 1;
        } else if c == '\'' {
            let inside = rest.get(1..).unwrap_or_default();
            let Some(end) = inside.find('\'') else {
                let message = "a quote is left open".to_owned();
                return Err(FigureError { column, message, expected: "expected a closing '".to_owned() });
            };
            found.push(Word { text: inside.get(..end).unwrap_or_default(), quoted: true, column: column + 1 });
            at += end + 2;
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || "()'".contains(c)).unwrap_or(rest.len());
            found.push(Word { text: rest.get(..end).unwrap_or_default(), quoted: false, column });
            at += end;
        }
    }
    Ok(found)
}
