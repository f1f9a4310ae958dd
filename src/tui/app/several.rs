//! Several edits in one line, parted by semicolons: what a list of edits becomes when it is pasted.

use super::answers::answer;
use super::line::{Entered, Preview};
use super::{App, change_text};
use crate::cost::Answer;
use crate::scenario::Edit;

/// What stands between two edits.
pub(crate) const SEPARATOR: &str = "; ";

/// A pasted text as one line: its lines parted by the separator, blank ones and comments left out. A text of one line
/// stays as it is.
pub(crate) fn joined(text: &str) -> String {
    if !text.trim_end().contains('\n') {
        return text.to_owned();
    }
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.collect::<Vec<_>>().join(SEPARATOR)
}

impl App {
    /// Reads edits parted by semicolons; the error has the character it fails at, from 1.
    pub(super) fn parse_several(text: &str) -> Result<Entered, (usize, String)> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut start = 0;
        for part in text.split(';') {
            if !part.trim().is_empty() {
                let edit = part.parse().map_err(|e: crate::scenario::EditError| (start + e.column, e.message))?;
                edits.push(edit);
            }
            start += part.chars().count() + 1;
        }
        if edits.is_empty() {
            return Err((1, "an edit is expected on one side of the semicolon".to_owned()));
        }
        Ok(Entered::Edits(edits))
    }

    /// What several edits would do together.
    pub(super) fn effect_of_several(&self, edits: &[Edit]) -> Preview {
        let mut trial = self.history.clone();
        for edit in edits {
            if let Err(e) = trial.try_push(edit.clone()) {
                return Preview::Bad { column: 1, text: e.to_string() };
            }
        }
        let now = self.answers.now.estimate().map(|e| e.time);
        let count = edits.len();
        Preview::Good(match (answer(trial.system(), &self.question).0, now) {
            (Answer::Estimate(e), Some(now)) => {
                format!("{count} edits: {now} -> {}  {}", e.time, change_text((e.time / now).ratio()))
            }
            (Answer::Estimate(e), None) => format!("{count} edits: {}", e.time),
            (Answer::Unreachable(u), _) => format!("{count} edits: then {u}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_edits_parted_by_semicolons() {
        assert_eq!(joined("off gpu0\n"), "off gpu0\n");
        assert_eq!(joined("off gpu0\n\n  # a comment\r\n set nvls = off\n"), "off gpu0; set nvls = off");
    }

    #[test]
    fn the_place_of_a_mistake_counts_over_the_whole_line() {
        let count = |text: &str| match App::parse_several(text) {
            Ok(Entered::Edits(e)) => Ok(e.len()),
            Ok(_) => Ok(0),
            Err((column, _)) => Err(column),
        };
        assert_eq!(count("off gpu0; set nvls = off;"), Ok(2));
        assert_eq!(count("off gpu0; set nvlz = off"), Err(15));
        assert_eq!(count(";"), Err(1));
    }
}
