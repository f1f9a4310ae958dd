//! One key press with its modifiers, and its text form: `j`, `<c-r>`, `<enter>`, `<s-tab>`, `<f1>`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use serde::{Deserialize, Serialize};

use super::names;
use crate::parts::nearest;

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character as typed: shift is part of it.
    Char(char),
    /// Return.
    Enter,
    /// Tab.
    Tab,
    /// Escape.
    Esc,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Cursor left.
    Left,
    /// Cursor right.
    Right,
    /// Cursor up.
    Up,
    /// Cursor down.
    Down,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1.
    F(u8),
}

/// A key press with its modifiers.
///
/// Always in the form that a plain terminal sends, so that equal presses are equal values: shift is kept only with keys
/// that are not characters, and a control character is in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chord {
    /// The key.
    pub code: Code,
    /// Control held.
    pub ctrl: bool,
    /// Alt (or meta) held.
    pub alt: bool,
    /// Shift held; never with a character.
    pub shift: bool,
}

impl Chord {
    /// The key without modifiers.
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// A typed character.
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// Control and a character.
    pub const fn ctrl(c: char) -> Self {
        Self { ctrl: true, ..Self::char(c.to_ascii_lowercase()) }
    }

    /// The character that this press types into a text field; `None` for keys and for control and alt presses.
    pub const fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    /// The normal form; see the type.
    fn normal(mut self) -> Self {
        if let Code::Char(c) = self.code {
            let folded = if self.ctrl { c.to_ascii_lowercase() } else { c };
            let folded = if self.shift && !self.ctrl { upper(folded) } else { folded };
            self.code = Code::Char(folded);
            self.shift = false;
        }
        self
    }

    /// The press of a terminal event: `None` for a release and for keys that icx-tui does not know. Presses and repeats
    /// both count, and this is the one place that decides so.
    pub fn from_event(event: KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let code = match event.code {
            KeyCode::Char(c) if !c.is_control() => Code::Char(c),
            // Control-space arrives as a null on most terminals.
            KeyCode::Null => return Some(Self::ctrl(' ')),
            KeyCode::BackTab => Code::Tab,
            KeyCode::F(n) => Code::F(n),
            other => names::from_key_code(other)?,
        };
        let shift = event.modifiers.contains(KeyModifiers::SHIFT) || event.code == KeyCode::BackTab;
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::META);
        Some(Self { code, ctrl, alt, shift }.normal())
    }
}

fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modified = self.ctrl || self.alt || self.shift;
        let name = names::of(self.code);
        if let (Code::Char(c), false, None) = (self.code, modified, &name) {
            return write!(f, "{c}");
        }
        f.write_str("<")?;
        for (held, letter) in [(self.ctrl, "c-"), (self.alt, "a-"), (self.shift, "s-")] {
            f.write_str(if held { letter } else { "" })?;
        }
        match (name, self.code) {
            (Some(name), _) => f.write_str(&name)?,
            (None, Code::Char(c)) => write!(f, "{c}")?,
            (None, _) => {}
        }
        f.write_str(">")
    }
}

impl From<Chord> for String {
    fn from(chord: Chord) -> Self {
        chord.to_string()
    }
}

impl TryFrom<String> for Chord {
    type Error = ChordError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// A text that names no key press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChordError {
    text: String,
}

impl fmt::Display for ChordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown key \"{}\"", self.text)?;
        let word = self.text.trim_start_matches('<').trim_end_matches('>');
        let word = word.rsplit_once('-').map_or(word, |(_, name)| name);
        if let Some(near) = nearest(word, names::all()).first() {
            write!(f, "; did you mean \"<{near}>\"?")?;
        }
        f.write_str(" (expected a character, or a name such as <enter>, <c-r>, <s-tab>, <f1>)")
    }
}

impl std::error::Error for ChordError {}

impl FromStr for Chord {
    type Err = ChordError;

    /// Reads a single character, or modifiers and a name between `<` and `>`; names in any case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ChordError { text: text.to_owned() };
        if let Some(c) = only_char(text) {
            return if c.is_control() || c == ' ' { Err(error()) } else { Ok(Self::char(c)) };
        }
        let mut rest = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).ok_or_else(error)?;
        let mut chord = Self::char(' ');
        while let Some((modifier, after)) = rest.split_once('-').filter(|(_, after)| !after.is_empty()) {
            let slot = match modifier.to_lowercase().as_str() {
                "c" => &mut chord.ctrl,
                "a" => &mut chord.alt,
                "s" => &mut chord.shift,
                _ => return Err(error()),
            };
            if std::mem::replace(slot, true) {
                return Err(error());
            }
            rest = after;
        }
        let modified = chord.ctrl || chord.alt || chord.shift;
        chord.code = match (names::code(rest), only_char(rest)) {
            (Some(code), _) => code,
            (None, Some(c)) if modified && !c.is_control() && c != ' ' => Code::Char(c),
            _ => return Err(error()),
        };
        Ok(chord.normal())
    }
}

fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Some(c),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed parse fails the test")]

    use super::*;
    use proptest::prelude::*;

    fn chord(text: &str) -> Chord {
        text.parse().unwrap()
    }

    fn event(code: KeyCode, modifiers: KeyModifiers) -> Option<String> {
        Chord::from_event(KeyEvent::new(code, modifiers)).map(|c| c.to_string())
    }

    #[test]
    fn reads_and_prints_the_forms() {
        for text in
            ["j", "J", ":", "-", ">", "<c-r>", "<enter>", "<space>", "<s-tab>", "<f1>", "<f12>", "<esc>", "<lt>"]
        {
            assert_eq!(chord(text).to_string(), text);
        }
        for text in
            ["<a-x>", "<c-a-x>", "<c-space>", "<c-->", "<c-s-left>", "<a-enter>", "<pageup>", "<quote>", "<c-lt>"]
        {
            assert_eq!(chord(text).to_string(), text);
        }
    }

    #[test]
    fn equal_presses_are_equal_values() {
        assert_eq!(chord("<C-R>"), chord("<c-r>"));
        assert_eq!(chord("<s-a>"), chord("A"));
        assert_eq!(chord("<ENTER>"), chord("<enter>"));
        assert_eq!(chord("<cr>"), chord("<enter>"));
        assert_eq!(chord("<"), chord("<lt>"));
    }

    #[test]
    fn what_is_no_key_is_refused_with_the_nearest_name() {
        for text in ["", " ", "jj", "<>", "<entr>", "<x-j>", "<c->", "<c-c-j>", "<f0>", "<f99>", "<j>", "\u{7}"] {
            assert!(text.parse::<Chord>().is_err(), "{text:?}");
        }
        let message = "<entr>".parse::<Chord>().unwrap_err().to_string();
        assert!(message.contains("did you mean \"<enter>\"?"), "{message}");
        let message = "<c-spce>".parse::<Chord>().unwrap_err().to_string();
        assert!(message.contains("<space>"), "{message}");
    }

    #[test]
    fn terminal_events_become_chords() {
        let none = KeyModifiers::NONE;
        assert_eq!(event(KeyCode::Char('j'), none).as_deref(), Some("j"));
        assert_eq!(event(KeyCode::Char('J'), KeyModifiers::SHIFT).as_deref(), Some("J"));
        assert_eq!(event(KeyCode::Char('r'), KeyModifiers::CONTROL).as_deref(), Some("<c-r>"));
        assert_eq!(event(KeyCode::Char(' '), none).as_deref(), Some("<space>"));
        assert_eq!(event(KeyCode::BackTab, KeyModifiers::SHIFT).as_deref(), Some("<s-tab>"));
        assert_eq!(event(KeyCode::BackTab, none).as_deref(), Some("<s-tab>"));
        assert_eq!(event(KeyCode::Null, none).as_deref(), Some("<c-space>"));
        assert_eq!(event(KeyCode::F(5), none).as_deref(), Some("<f5>"));
        assert_eq!(event(KeyCode::CapsLock, none), None);
    }

    #[test]
    fn presses_and_repeats_count_and_releases_do_not() {
        let with = |kind| Chord::from_event(KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, kind));
        assert!(with(KeyEventKind::Press).is_some());
        assert!(with(KeyEventKind::Repeat).is_some());
        assert!(with(KeyEventKind::Release).is_none());
    }

    #[test]
    fn only_plain_characters_are_typed() {
        assert_eq!(chord("Q").typed(), Some('Q'));
        assert_eq!(chord("<space>").typed(), Some(' '));
        assert_eq!(chord("<c-q>").typed(), None);
        assert_eq!(chord("<enter>").typed(), None);
    }

    proptest! {
        #[test]
        fn what_a_terminal_can_send_prints_and_reads_back(c in "\\PC", ctrl: bool, alt: bool, shift: bool) {
            let code = KeyCode::Char(c.chars().next().unwrap());
            let mut modifiers = KeyModifiers::NONE;
            modifiers.set(KeyModifiers::CONTROL, ctrl);
            modifiers.set(KeyModifiers::ALT, alt);
            modifiers.set(KeyModifiers::SHIFT, shift);
            let chord = Chord::from_event(KeyEvent::new(code, modifiers)).unwrap();
            prop_assert_eq!(chord.to_string().parse::<Chord>(), Ok(chord));
        }

        #[test]
        fn random_text_never_panics(text in "\\PC{0,9}") {
            let _ = text.parse::<Chord>();
        }
    }
}
