//! The words of a RON text with their places: enough to say where something is. The values are read by `ron` itself.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
    /// `:`.
    Colon,
    /// `,`.
    Comma,
    /// A string or a character in quotes, raw strings too.
    Quoted,
    /// A number, a name, `true`: whatever is not punctuation.
    Word,
}

/// A token and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Where it is, in bytes.
    pub(super) span: Range<usize>,
}

/// A text that is not RON: what is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// What is wrong and what was expected.
    pub(super) message: String,
    /// Where, in bytes.
    pub(super) span: Range<usize>,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span }
    }
}

/// Reads tokens one by one.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Passes over `#![enable(...)]` lines at the start.
    pub(super) fn skip_attributes(&mut self) -> Result<(), Fault> {
        loop {
            self.skip_blank()?;
            if !self.rest().starts_with("#!") {
                return Ok(());
            }
            let start = self.at;
            let Some(end) = self.rest().find(']') else {
                return Err(Fault::new("this attribute is never closed; expected )]", start..self.text.len()));
            };
            self.at += end + 1;
        }
    }

    /// Passes over white space and comments (block comments nest).
    fn skip_blank(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(is_blank);
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                let len = block_comment(trimmed)
                    .ok_or_else(|| Fault::new("this comment is never closed; expected */", self.at..self.at + 2))?;
                self.at += len;
            } else {
                return Ok(());
            }
        }
    }

    /// The next token, or nothing at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token>, Fault> {
        self.skip_blank()?;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let one = first.len_utf8();
        let (kind, len) = match first {
            '(' | '[' | '{' => (Kind::Open(first), one),
            ')' | ']' | '}' => (Kind::Close(first), one),
            ':' => (Kind::Colon, one),
            ',' => (Kind::Comma, one),
            _ => match quoted(rest) {
                Some(Quote::Closed(len)) => (Kind::Quoted, len),
                Some(Quote::Open) => {
                    let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
                    return Err(Fault::new(
                        "this text is never closed; expected a quote at its end",
                        self.at..self.at + end,
                    ));
                }
                None => (Kind::Word, word(rest)),
            },
        };
        let span = self.at..self.at + len;
        self.at = span.end;
        Ok(Some(Token { kind, span }))
    }
}

/// White space as RON has it.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\r' | '\x0B' | '\x0C' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}'
    )
}

/// Length of the block comment that the text starts with.
fn block_comment(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += rest.find(['/', '*'])?;
        let rest = text.get(at..)?;
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
}

/// A quoted text: its length with the quotes, or that it is not closed.
enum Quote {
    Closed(usize),
    Open,
}

/// The quoted text at the start, if there is one.
fn quoted(text: &str) -> Option<Quote> {
    let head = text.strip_prefix('b').unwrap_or(text);
    let prefix = text.len() - head.len();
    if let Some(body) = head.strip_prefix('"') {
        return Some(length(closed(body, '"'), prefix + 1));
    }
    if let Some(body) = head.strip_prefix('\'') {
        return Some(length(closed(body, '\''), prefix + 1));
    }
    let raw = head.strip_prefix('r')?;
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let body = raw.get(hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(length(body.find(&end).map(|n| n + end.len()), prefix + 1 + hashes + 1))
}

fn length(body: Option<usize>, head: usize) -> Quote {
    body.map_or(Quote::Open, |n| Quote::Closed(head + n))
}

/// Length up to and with the closing quote; a backslash protects the next character.
fn closed(body: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in body.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return Some(i + c.len_utf8());
        }
    }
    None
}

/// Length of a word: up to punctuation, a quote, white space or a comment; at least one character.
fn word(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let tail = text.get(first..).unwrap_or_default();
    let end = tail.char_indices().find(|(i, c)| {
        is_blank(*c)
            || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ':' | ',' | ';' | '=' | '"' | '\'')
            || (*c == '/' && tail.get(i + 1..).is_some_and(|t| t.starts_with(['/', '*'])))
    });
    first + end.map_or(tail.len(), |(i, _)| i)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed parse is the failure of the test")]
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(text);
        lexer.skip_attributes().unwrap();
        std::iter::from_fn(|| lexer.next().unwrap()).map(|t| &text[t.span]).collect()
    }

    #[test]
    fn comments_strings_and_raw_strings() {
        assert_eq!(
            words("#![enable(implicit_some)] (a: 1 /* x /* y */ ) */, // :\n b)"),
            ["(", "a", ":", "1", ",", "b", ")"]
        );
        assert_eq!(words(r##"["a\"],", r#"b"],"#, 'c', '\'', b"d", -1.5e3]"##).len(), 13);
        assert_eq!(words("r#type: 1"), ["r#type", ":", "1"]);
        assert_eq!(words("1//x\n2"), ["1", "2"]);
    }

    #[test]
    fn what_is_not_closed_is_said() {
        for (text, word) in [("\"abc\n", "text"), ("/* x", "comment"), ("#![enable(", "attribute")] {
            let mut lexer = Lexer::new(text);
            let fault = lexer.skip_attributes().and_then(|()| lexer.next().map(|_| ())).unwrap_err();
            assert!(fault.message.contains(word), "{}", fault.message);
        }
    }
}
