//! The command line that gives what is on the screen.

use super::{App, Layer, Screen, Spot, Value};
use crate::question::Group;
use crate::scenario::Entry;
use crate::tui::chart::Scale;
use crate::tui::glyphs::Glyphs;
use crate::tui::picture::{PairCell, Pick};
use crate::tui::theme::Theme;

impl App {
    /// `icx-tui calc ...` with the question and the edits that apply; on another screen the command that prints what it
    /// shows, or the one that draws it.
    pub fn command_line(&self) -> String {
        if let (Screen::Diagnose, Some(named)) = (self.focus.screen(), &self.charts.measured) {
            return self.diagnose_line(&named.path);
        }
        let verb = match (self.focus.screen(), self.focus.instead_of_picture()) {
            (Screen::Sweep, _) => "sweep",
            (Screen::Impact, _) => "impact",
            (Screen::Explore, None) | (Screen::Explain | Screen::Watch, _) => "calc",
            _ => "render",
        };
        let mut words = vec!["icx-tui".to_owned(), verb.to_owned(), quoted(&self.source)];
        words.extend(self.question_words(verb != "sweep"));
        let edits = self.history.done().iter().filter(|e| e.enabled);
        words.extend(edits.flat_map(|e| flag("-e", &e.edit.to_string())));
        words.extend(match (verb, self.focus.screen()) {
            ("render", screen) => self.render_words(screen),
            ("calc", Screen::Explain) => vec!["--explain".to_owned()],
            ("calc", Screen::Watch) => vec!["--steps".to_owned()],
            // The screen lists all of them.
            ("impact", _) => {
                let rows = self.reports.impacts.as_ref().and_then(|i| i.as_ref().ok()).map_or(0, |i| i.rows.len());
                flag("--top", &rows.to_string())
            }
            ("sweep", _) => self.charts.measured.iter().flat_map(|log| flag("--measured", &log.path)).collect(),
            _ => Vec::new(),
        });
        words.join(" ")
    }

    /// The diagnosis on the screen; it is about the baseline.
    fn diagnose_line(&self, log: &str) -> String {
        let mut words = vec!["icx-tui".to_owned(), "diagnose".to_owned(), quoted(&self.source)];
        words.extend(flag("--measured", log));
        let edits = self.history.baseline_edits().iter().filter(|e| e.enabled);
        words.extend(edits.flat_map(|e| flag("-e", &e.edit.to_string())));
        words.join(" ")
    }

    /// The question as arguments.
    fn question_words(&self, with_size: bool) -> Vec<String> {
        let q = &self.question;
        let mut words = flag("-c", &q.collective.to_string());
        if with_size {
            words.extend(flag("-s", &exact_size(q.size)));
        }
        words.extend(q.algorithm.iter().flat_map(|a| flag("-a", &a.to_string())));
        words.extend(q.protocol.iter().flat_map(|p| flag("-p", &p.to_string())));
        if q.group != Group::All {
            words.extend(flag("--group", &q.group.to_string()));
        }
        words
    }

    /// What else it takes to draw this screen.
    fn render_words(&self, screen: Screen) -> Vec<String> {
        let mut words = flag("--screen", screen.name());
        let active = |e: &&Entry| e.enabled;
        words.extend(
            self.history.baseline_edits().iter().filter(active).flat_map(|e| flag("--baseline", &e.edit.to_string())),
        );
        if let (Screen::Compare, Some(_)) = (screen, &self.reports.other) {
            words.extend(flag("--against", &self.reports.other_source));
        }
        if let (Some(Layer::Matrix), Some(named)) = (self.focus.instead_of_picture(), &self.matrices) {
            words.extend(flag("--measured", &named.path));
        }
        let keys = self.keys_to_here(screen);
        if !keys.is_empty() {
            words.extend(flag("--keys", &keys));
        }
        if self.size.0 > 0 && self.size.1 > 0 {
            words.extend(flag("--size", &format!("{}x{}", self.size.0, self.size.1)));
        }
        if self.theme.name() != Theme::default().name() {
            words.extend(flag("--theme", self.theme.name()));
        }
        if self.glyphs == Glyphs::Ascii {
            words.push("--ascii".to_owned());
        }
        words
    }

    /// The keys that lead from the screen as it opens to how it is now. They are the table's own: a drawing knows no
    /// configuration unless it is named.
    fn keys_to_here(&self, screen: Screen) -> String {
        match (screen, self.focus.instead_of_picture()) {
            (Screen::Scale, _) => {
                let value = Value::ALL.iter().position(|v| *v == self.charts.value).unwrap_or(0);
                let scale = if self.charts.scale == Scale::Linear { "L" } else { "" };
                format!("{}{scale}", "v".repeat(value))
            }
            (_, Some(Layer::Matrix)) => {
                let cell = PairCell::ALL.iter().position(|c| *c == self.cell).unwrap_or(0);
                // Where there is something measured, it comes first.
                let cell = if self.matrices.is_some() { (cell + 1) % PairCell::ALL.len() } else { cell };
                format!("{}{}", self.go(self.selection), "m".repeat(cell + 1))
            }
            (_, Some(Layer::Path(from, to))) => {
                let spot =
                    |end: &crate::tui::picture::End| Spot::Thing(Pick::Device { unit: end.unit, device: end.device });
                format!("{}o{}<enter>", self.go(spot(from)), self.go(spot(to)))
            }
            _ => String::new(),
        }
    }

    /// The keys that select something.
    fn go(&self, spot: Spot) -> String {
        spot.address(self.system()).map_or_else(String::new, |a| format!("\":go {a}\"<enter>"))
    }
}

/// A flag and its value.
fn flag(name: &str, value: &str) -> Vec<String> {
    vec![name.to_owned(), quoted(value)]
}

/// A size that reads back to the same number of bytes: in a whole unit where there is one.
pub(crate) fn exact_size(size: crate::units::Bytes) -> String {
    let bytes = size.to_u64();
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes >= 1 << shift && bytes.trailing_zeros() >= shift {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    bytes.to_string()
}

/// A word as the user's shell must see it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Bytes;

    #[test]
    fn sizes_read_back_exactly() {
        for bytes in [8, 1000, 1024, 1536, 1 << 20, 3 << 30] {
            let text = exact_size(Bytes::from_u64(bytes));
            assert_eq!(text.parse::<Bytes>().map(Bytes::to_u64).ok(), Some(bytes), "{text}");
        }
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("dgx-h100"), "dgx-h100");
        assert_eq!(quoted("off node0/gpu3"), "'off node0/gpu3'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("node*"), "'node*'");
    }
}
