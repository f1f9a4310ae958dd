//! The command line that gives the answer on the screen.

use super::{App, Screen};
use crate::question::Group;

impl App {
    /// `icx-tui calc ...` with the question and the edits that apply; `icx-tui sweep ...` where the sweep shows.
    pub fn command_line(&self) -> String {
        let q = &self.question;
        let sweeps = self.focus.screen() == Screen::Sweep;
        let verb = if sweeps { "sweep" } else { "calc" };
        let mut words = vec!["icx-tui".to_owned(), verb.to_owned(), quoted(&self.source)];
        words.extend(["-c".to_owned(), q.collective.to_string()]);
        if !sweeps {
            words.extend(["-s".to_owned(), exact_size(q.size)]);
        }
        if let Some(a) = q.algorithm {
            words.extend(["-a".to_owned(), a.to_string()]);
        }
        if let Some(p) = q.protocol {
            words.extend(["-p".to_owned(), p.to_string()]);
        }
        if q.group != Group::All {
            words.extend(["--group".to_owned(), q.group.to_string()]);
        }
        for entry in self.history.done().iter().filter(|e| e.enabled) {
            words.extend(["-e".to_owned(), quoted(&entry.edit.to_string())]);
        }
        words.join(" ")
    }
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
