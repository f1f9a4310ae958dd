//! Key scripts: what a user would type, as one text.
//!
//! Blanks separate and mean nothing; everything else is typed: `j j <enter> :set<space>x`. A quoted `"text"` types its
//! characters, blanks included (`\"` and `\\` inside). More tokens: `<resize 80x24>`, `<click 10,4>`, `<wheel-up 10,4>`,
//! `<wheel-down 10,4>`, `<wait 500ms>`, `<wait 2s>`, `<paste some text>`, `<resume>`.

use std::fmt;
use std::time::Duration;

use super::chord::Chord;
use crate::parts::nearest;
use crate::tui::program::{Input, Mouse, MouseKind};

/// A place of a key script that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key script, line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ScriptError {}

/// Reads a key script into the inputs that a terminal would have sent.
///
/// # Errors
/// [`ScriptError`] with the place of the first token that is not understood, and what was expected there.
pub fn parse_script(script: &str) -> Result<Vec<Input>, ScriptError> {
    let mut reader = Reader { rest: script.chars().collect(), at: 0 };
    let mut inputs = Vec::new();
    while let Some(c) = reader.peek() {
        let start = reader.at;
        let token = match c {
            c if c.is_whitespace() => {
                reader.at += 1;
                continue;
            }
            '"' => reader.quoted(),
            '<' => reader.bracketed().and_then(|token| bracket_token(&token)),
            c => {
                reader.at += 1;
                c.to_string().parse::<Chord>().map(|chord| vec![Input::Key(chord)]).map_err(|e| e.to_string())
            }
        };
        inputs.extend(token.map_err(|message| reader.error(start, message))?);
    }
    Ok(inputs)
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn error(&self, at: usize, message: String) -> ScriptError {
        let before = self.rest.iter().take(at);
        let line = 1 + before.clone().filter(|c| **c == '\n').count();
        let column = 1 + before.rev().take_while(|c| **c != '\n').count();
        ScriptError { line, column, message }
    }

    /// `"text"`: a key press for each character.
    fn quoted(&mut self) -> Result<Vec<Input>, String> {
        let mut keys = Vec::new();
        self.at += 1;
        loop {
            let c = match self.next() {
                Some('"') => return Ok(keys),
                Some('\\') => match self.next() {
                    Some(c @ ('"' | '\\')) => c,
                    _ => return Err("a \\ in quoted text must be followed by \\ or \"".to_owned()),
                },
                Some(c) if c.is_control() => return Err("quoted text must end on its line".to_owned()),
                Some(c) => c,
                None => return Err("quoted text has no closing \"".to_owned()),
            };
            keys.push(Input::Key(Chord::char(c)));
        }
    }

    /// `<...>` with its brackets. A `<` that nothing closes is an error: the key itself is written `<lt>`.
    fn bracketed(&mut self) -> Result<String, String> {
        let mut token = String::new();
        while let Some(c) = self.next() {
            token.push(c);
            // `<c->>` is control and `>`: the bracket after a dash is the key.
            let key = token.ends_with("->") && self.peek() == Some('>');
            if c == '>' && !key {
                return Ok(token);
            }
        }
        Err("a token has no closing \">\" (the key \"<\" is written <lt>)".to_owned())
    }
}

const VERBS: [&str; 7] = ["resize", "click", "wheel-up", "wheel-down", "wait", "paste", "resume"];

fn bracket_token(token: &str) -> Result<Vec<Input>, String> {
    let inner = token.trim_start_matches('<').strip_suffix('>').unwrap_or(token);
    let (verb, argument) = inner.split_once(' ').unwrap_or((inner, ""));
    let input = match verb {
        "resize" => pair(argument, 'x').map(|(w, h)| Input::Resize(w, h)).ok_or_else(|| wants(token, "<resize 80x24>")),
        "click" => mouse(token, argument, MouseKind::Click),
        "wheel-up" => mouse(token, argument, MouseKind::WheelUp),
        "wheel-down" => mouse(token, argument, MouseKind::WheelDown),
        "wait" => duration(argument).map(Input::Tick).ok_or_else(|| wants(token, "<wait 500ms> or <wait 2s>")),
        "paste" => Ok(Input::Paste(argument.to_owned())),
        "resume" if argument.is_empty() => Ok(Input::Resume),
        _ => token.parse().map(Input::Key).map_err(|error| match nearest(verb, VERBS).first() {
            Some(near) if !argument.is_empty() => format!("unknown token \"{token}\"; did you mean <{near} ...>?"),
            _ => error.to_string(),
        }),
    };
    input.map(|input| vec![input])
}

fn wants(token: &str, form: &str) -> String {
    format!("cannot read \"{token}\"; expected the form {form}")
}

fn mouse(token: &str, argument: &str, kind: MouseKind) -> Result<Input, String> {
    let (column, row) = pair(argument, ',').ok_or_else(|| wants(token, "<click 10,4> (column,row from 0)"))?;
    Ok(Input::Mouse(Mouse { kind, column, row }))
}

fn pair(text: &str, between: char) -> Option<(u16, u16)> {
    let (a, b) = text.split_once(between)?;
    Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
}

fn duration(text: &str) -> Option<Duration> {
    if let Some(ms) = text.strip_suffix("ms") {
        return ms.parse().ok().map(Duration::from_millis);
    }
    text.strip_suffix('s').and_then(|s| s.parse().ok()).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed parse fails the test")]

    use super::*;
    use proptest::prelude::*;

    fn shown(script: &str) -> String {
        let show = |input: &Input| match input {
            Input::Key(chord) => chord.to_string(),
            other => format!("{other:?}"),
        };
        parse_script(script).unwrap().iter().map(show).collect::<Vec<_>>().join(" ")
    }

    fn error(script: &str) -> (usize, usize, String) {
        let error = parse_script(script).unwrap_err();
        (error.line, error.column, error.to_string())
    }

    #[test]
    fn blanks_separate_and_everything_else_is_typed() {
        assert_eq!(shown("j j <enter> :set<space>x"), "j j <enter> : s e t <space> x");
        assert_eq!(shown("jj?<enter><c-c>"), "j j ? <enter> <c-c>");
        assert_eq!(shown(" \n "), "");
        assert_eq!(shown("<c->> >"), "<c->> >");
    }

    #[test]
    fn quoted_text_types_blanks_and_escapes() {
        assert_eq!(shown(r#":"off gpu3" <enter>"#), ": o f f <space> g p u 3 <enter>");
        assert_eq!(shown(r#""<a>\"\\""#), "<lt> a > <quote> \\");
    }

    #[test]
    fn tokens_that_are_no_keys() {
        assert_eq!(parse_script("<resize 80x24>").unwrap(), [Input::Resize(80, 24)]);
        let click = Mouse { kind: MouseKind::Click, column: 10, row: 4 };
        assert_eq!(parse_script("<click 10,4>").unwrap(), [Input::Mouse(click)]);
        assert_eq!(
            parse_script("<wheel-up 1,2>").unwrap(),
            [Input::Mouse(Mouse { kind: MouseKind::WheelUp, column: 1, row: 2 })]
        );
        assert_eq!(parse_script("<wait 500ms>").unwrap(), [Input::Tick(Duration::from_millis(500))]);
        assert_eq!(parse_script("<wait 2s>").unwrap(), [Input::Tick(Duration::from_secs(2))]);
        assert_eq!(parse_script("<paste off gpu3>").unwrap(), [Input::Paste("off gpu3".to_owned())]);
        assert_eq!(parse_script("<resume>").unwrap(), [Input::Resume]);
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        let (line, column, text) = error("j j <entr> k");
        assert_eq!((line, column), (1, 5));
        assert!(text.contains("line 1, column 5") && text.contains("<enter>"), "{text}");
        let (line, column, text) = error("j\n é <resize 80>");
        assert_eq!((line, column), (2, 4));
        assert!(text.contains("<resize 80x24>"), "{text}");
        assert!(error("<rezise 80x24>").2.contains("<resize"), "{}", error("<rezise 80x24>").2);
        assert!(error("a < b").2.contains("<lt>"));
        assert_eq!(error("ab \"cd").1, 4);
        assert!(error("\"a\\x\"").2.contains('\\'));
        assert!(error("<click 4>").2.contains("<click 10,4>"));
    }

    proptest! {
        #[test]
        fn random_scripts_never_panic(script in "[ -~\\n<>\"é]{0,40}") {
            let _ = parse_script(&script);
        }

        #[test]
        fn chords_joined_in_any_way_come_back(texts in prop::collection::vec("[!-~]", 0..9), blank: bool) {
            let chords: Vec<Chord> = texts.iter().map(|t| Chord::char(t.chars().next().unwrap())).collect();
            let words: Vec<String> = chords.iter().map(ToString::to_string).collect();
            let script = words.join(if blank { " " } else { "" });
            let keys: Vec<Input> = chords.into_iter().map(Input::Key).collect();
            prop_assert_eq!(parse_script(&script).unwrap(), keys);
        }
    }
}
