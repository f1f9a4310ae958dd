//! A one-line text field: the state behind prompts and filters.

use unicode_segmentation::UnicodeSegmentation;

use super::keys::{Chord, Code};
use super::text;

/// How many entered lines are remembered.
const HISTORY_LIMIT: usize = 100;

/// What a key did to the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// The text changed.
    Text,
    /// Only the cursor moved, or the key had nothing to do here.
    Cursor,
    /// Not a key of a text field: the owner may use it (Enter, Esc, Tab, ...).
    No,
}

/// The text of a field, its cursor and its history. The cursor stands between grapheme clusters, never inside one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineEdit {
    /// What is left of the cursor.
    left: String,
    /// What is right of the cursor.
    right: String,
    /// Entered lines, the oldest first.
    history: Vec<String>,
    /// Place in the history, and the line that was being typed before it was left.
    recalled: Option<(usize, String)>,
}

impl LineEdit {
    /// An empty field with a history, the oldest line first.
    pub fn with_history(history: Vec<String>) -> Self {
        Self { history, ..Self::default() }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        format!("{}{}", self.left, self.right)
    }

    /// Whether the field is empty.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }

    /// The entered lines, the oldest first.
    pub fn history(&self) -> &[String] {
        &self.history
    }

    /// Replaces the text and puts the cursor at its end.
    pub fn set(&mut self, text: &str) {
        self.left.clear();
        self.right.clear();
        self.insert(text);
    }

    /// Inserts text at the cursor: typed or pasted. Line breaks and tabs become blanks, other control characters are
    /// left out.
    pub fn insert(&mut self, text: &str) {
        let blank = |c: char| if matches!(c, '\n' | '\t') { ' ' } else { c };
        self.left.extend(text.chars().map(blank).filter(|c| !c.is_control()));
        self.settle();
    }

    /// Takes the text out, remembers it (a blank line or a repeat of the last one is not) and empties the field.
    pub fn enter(&mut self) -> String {
        let line = self.text();
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
            let surplus = self.history.len().saturating_sub(HISTORY_LIMIT);
            self.history.drain(..surplus);
        }
        self.clear();
        line
    }

    /// Empties the field; the history stays.
    pub fn clear(&mut self) {
        self.set("");
        self.recalled = None;
    }

    /// Feeds one key: characters, arrows, Home, End, Backspace, Delete and the usual control keys of a shell
    /// (`<c-a> <c-e> <c-b> <c-f> <c-h> <c-d> <c-w> <c-u> <c-k> <c-p> <c-n>`, words with alt or control and an arrow).
    pub fn key(&mut self, chord: Chord) -> Edited {
        if let Some(c) = chord.typed() {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return Edited::Text;
        }
        let edited = self.control(chord);
        self.settle();
        edited
    }

    fn control(&mut self, chord: Chord) -> Edited {
        match (chord.code, chord.ctrl, chord.alt) {
            (Code::Left, false, false) | (Code::Char('b'), true, false) => self.move_left(&self.left_one()),
            (Code::Right, false, false) | (Code::Char('f'), true, false) => self.move_right(&self.right_one()),
            (Code::Left, ..) | (Code::Char('b'), false, true) => self.move_left(&self.left_word()),
            (Code::Right, ..) | (Code::Char('f'), false, true) => self.move_right(&self.right_word()),
            (Code::Home, ..) | (Code::Char('a'), true, false) => self.move_left(&self.left.clone()),
            (Code::End, ..) | (Code::Char('e'), true, false) => self.move_right(&self.right.clone()),
            (Code::Backspace, false, false) | (Code::Char('h'), true, false) => self.delete_left(&self.left_one()),
            (Code::Backspace, ..) | (Code::Char('w'), true, false) => self.delete_left(&self.left_word()),
            (Code::Char('u'), true, false) => self.delete_left(&self.left.clone()),
            (Code::Delete, ..) | (Code::Char('d'), true, false) => self.delete_right(&self.right_one()),
            (Code::Char('d'), false, true) => self.delete_right(&self.right_word()),
            (Code::Char('k'), true, false) => self.delete_right(&self.right.clone()),
            (Code::Up, false, false) | (Code::Char('p'), true, false) => self.recall(true),
            (Code::Down, false, false) | (Code::Char('n'), true, false) => self.recall(false),
            _ => Edited::No,
        }
    }

    /// The part of the text that shows in a field of `columns` cells, and the cursor's column in it. The text scrolls
    /// so that the cursor always shows.
    pub fn view(&self, columns: usize) -> (String, usize) {
        // The cursor takes a cell of its own at the end of the text.
        let room = columns.saturating_sub(1);
        let mut before: Vec<&str> = Vec::new();
        let mut cursor = 0;
        for (cluster, width) in text::cells(&self.left).rev() {
            if cursor + width > room {
                break;
            }
            cursor += width;
            before.push(cluster);
        }
        before.reverse();
        let mut shown = before.concat();
        let mut used = cursor;
        for (cluster, width) in text::cells(&self.right) {
            if used + width > columns {
                break;
            }
            used += width;
            shown.push_str(cluster);
        }
        (shown, cursor)
    }

    /// The cluster left of the cursor.
    fn left_one(&self) -> String {
        self.left.graphemes(true).next_back().unwrap_or_default().to_owned()
    }

    /// The cluster right of the cursor.
    fn right_one(&self) -> String {
        self.right.graphemes(true).next().unwrap_or_default().to_owned()
    }

    /// Blanks and the word left of the cursor.
    fn left_word(&self) -> String {
        let word = self.left.trim_end();
        let rest = word.trim_end_matches(|c: char| !c.is_whitespace());
        self.left.strip_prefix(rest).unwrap_or_default().to_owned()
    }

    /// Blanks and the word right of the cursor.
    fn right_word(&self) -> String {
        let word = self.right.trim_start();
        let rest = word.trim_start_matches(|c: char| !c.is_whitespace());
        self.right.strip_suffix(rest).unwrap_or_default().to_owned()
    }

    /// Moves the cursor to the left over a piece that stands there.
    fn move_left(&mut self, piece: &str) -> Edited {
        self.left.truncate(self.left.len().saturating_sub(piece.len()));
        self.right.insert_str(0, piece);
        Edited::Cursor
    }

    /// Moves the cursor to the right over a piece that stands there.
    fn move_right(&mut self, piece: &str) -> Edited {
        self.right = self.right.strip_prefix(piece).unwrap_or_default().to_owned();
        self.left.push_str(piece);
        Edited::Cursor
    }

    /// An edit can join what is left and right of the cursor to one cluster (a letter before a combining accent): the
    /// cursor then goes behind it.
    fn settle(&mut self) {
        let text = self.text();
        let inside = |at: usize| at < text.len() && !text.grapheme_indices(true).any(|(start, _)| start == at);
        while inside(self.left.len()) && !self.right.is_empty() {
            let first: String = self.right.chars().take(1).collect();
            self.move_right(&first);
        }
    }

    fn delete_left(&mut self, piece: &str) -> Edited {
        self.left.truncate(self.left.len().saturating_sub(piece.len()));
        if piece.is_empty() { Edited::Cursor } else { Edited::Text }
    }

    fn delete_right(&mut self, piece: &str) -> Edited {
        self.right = self.right.strip_prefix(piece).unwrap_or_default().to_owned();
        if piece.is_empty() { Edited::Cursor } else { Edited::Text }
    }

    /// Puts an older or newer line of the history into the field; beyond the newest, what was being typed.
    fn recall(&mut self, older: bool) -> Edited {
        let (at, draft) = self.recalled.clone().unwrap_or_else(|| (self.history.len(), self.text()));
        let next = if older { at.checked_sub(1) } else { Some(at + 1).filter(|n| *n <= self.history.len()) };
        let Some(next) = next else { return Edited::Cursor };
        let line = self.history.get(next).cloned().unwrap_or_else(|| draft.clone());
        self.set(&line);
        self.recalled = (next < self.history.len()).then_some((next, draft));
        Edited::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::parse_script;
    use crate::tui::program::Input;
    use proptest::prelude::*;

    fn feed(edit: &mut LineEdit, script: &str) {
        for input in parse_script(script).unwrap_or_default() {
            if let Input::Key(chord) = input {
                edit.key(chord);
            }
        }
    }

    /// The text after a script, with the cursor as `|`.
    fn typed(script: &str) -> String {
        let mut edit = LineEdit::default();
        feed(&mut edit, script);
        format!("{}|{}", edit.left, edit.right)
    }

    #[test]
    fn types_moves_and_deletes() {
        assert_eq!(typed("\"off gpu3\""), "off gpu3|");
        assert_eq!(typed("abc<left><left>X"), "aX|bc");
        assert_eq!(typed("abc<home><delete><end>d"), "bcd|");
        assert_eq!(typed("abc<backspace><c-a><c-d>"), "|b");
        assert_eq!(typed("<left><right><backspace><delete>"), "|");
    }

    #[test]
    fn words_and_line_ends() {
        assert_eq!(typed("\"off node0/gpu3  \"<c-w>"), "off |");
        assert_eq!(typed("\"one two three\"<a-b><a-b><a-d>"), "one | three");
        assert_eq!(typed("\"one two\"<c-left><c-k>"), "one |");
        assert_eq!(typed("\"one two\"<c-left><c-u>"), "|two");
        assert_eq!(typed("\"one two\"<c-a><c-right>x"), "onex| two");
    }

    #[test]
    fn a_cluster_is_one_step() {
        let mut edit = LineEdit::default();
        edit.insert("e\u{301}日👨\u{200d}👩");
        feed(&mut edit, "<left><left>");
        assert_eq!((edit.left.as_str(), edit.right.as_str()), ("e\u{301}", "日👨\u{200d}👩"));
        feed(&mut edit, "<backspace>");
        assert_eq!(edit.text(), "日👨\u{200d}👩");
    }

    #[test]
    fn the_cursor_never_stands_inside_a_cluster() {
        let mut edit = LineEdit::default();
        edit.insert("x\u{301}");
        feed(&mut edit, "<home>");
        edit.set("\u{301}");
        feed(&mut edit, "<home>e");
        assert_eq!((edit.left.as_str(), edit.right.as_str()), ("e\u{301}", ""));
    }

    #[test]
    fn pasted_line_breaks_become_blanks() {
        let mut edit = LineEdit::default();
        edit.insert("off gpu3\noff\tgpu4\u{1b}[0m");
        assert_eq!(edit.text(), "off gpu3 off gpu4[0m");
    }

    #[test]
    fn keys_of_the_owner_are_left_to_it() {
        let mut edit = LineEdit::default();
        for text in ["<enter>", "<esc>", "<tab>", "<c-c>", "<f1>", "<pageup>"] {
            assert_eq!(text.parse().map(|chord| edit.key(chord)), Ok(Edited::No), "{text}");
        }
    }

    #[test]
    fn history_goes_back_and_returns_to_the_draft() {
        let mut edit = LineEdit::default();
        for line in ["one", "two", "two", "  "] {
            edit.set(line);
            assert_eq!(edit.enter(), line);
        }
        assert_eq!(edit.history(), ["one", "two"]);
        feed(&mut edit, "dr<up>");
        assert_eq!(edit.text(), "two");
        feed(&mut edit, "<up><up>");
        assert_eq!(edit.text(), "one");
        feed(&mut edit, "<down><down><down>");
        assert_eq!(edit.text(), "dr");
    }

    #[test]
    fn a_long_text_scrolls_with_the_cursor() {
        let mut edit = LineEdit::default();
        edit.set("0123456789");
        assert_eq!(edit.view(20), ("0123456789".to_owned(), 10));
        assert_eq!(edit.view(5), ("6789".to_owned(), 4));
        feed(&mut edit, "<home>");
        assert_eq!(edit.view(5), ("01234".to_owned(), 0));
        assert_eq!(edit.view(0), (String::new(), 0));
    }

    proptest! {
        #[test]
        fn any_keys_leave_a_field_that_shows_its_cursor(
            texts in prop::collection::vec("\\PC{0,3}", 0..6),
            keys in prop::collection::vec(0usize..9, 0..20),
            columns in 1usize..12,
        ) {
            const KEYS: [&str; 9] =
                ["<left>", "<right>", "<c-w>", "<backspace>", "<delete>", "<a-b>", "<a-f>", "<up>", "<home>"];
            let mut edit = LineEdit::default();
            for (index, key) in keys.into_iter().enumerate() {
                edit.insert(texts.get(index).map_or("", String::as_str));
                feed(&mut edit, KEYS.get(key).copied().unwrap_or_default());
                let (shown, cursor) = edit.view(columns);
                prop_assert!(cursor < columns);
                prop_assert!(text::cells(&shown).count() <= columns);
                let text = edit.text();
                let at = edit.left.len();
                prop_assert!(at == text.len() || text.grapheme_indices(true).any(|(start, _)| start == at));
            }
        }
    }
}
