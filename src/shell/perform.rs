//! Effects that need no terminal state: the clipboard and files.

use std::io;
use std::path::{Path, PathBuf};

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

use super::{files, terminal};
use crate::tui::program::{FolderEntry, NotSaved, Outcome};

/// The longest text that is put on the clipboard, in bytes: terminals cut or drop longer OSC 52 sequences.
const MAX_COPY: usize = 74_000;

/// Most names of a folder that are looked at.
const MOST_NAMES: usize = 2000;

/// Puts the text on the clipboard by an OSC 52 sequence, which works over SSH too.
pub(super) fn copy(text: &str) -> io::Result<Outcome> {
    if text.len() > MAX_COPY {
        let problem = format!("{} bytes are too many for the terminal's clipboard (limit {MAX_COPY})", text.len());
        return Ok(Outcome::Copied(Err(problem)));
    }
    let _held = terminal::writing();
    execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))?;
    Ok(Outcome::Copied(Ok(())))
}

/// Writes a file of the program's own, whole or not at all, and the folders on the way.
pub(super) fn write(path: PathBuf, contents: &str) -> Outcome {
    let result = files::write_atomic_with_folders(&path, contents.as_bytes()).map_err(|error| error.to_string());
    Outcome::Written { path, result }
}

/// Writes a file that the user named, whole or not at all; one that is there only goes if it may.
pub(super) fn save(path: PathBuf, contents: &str, replace: bool) -> Outcome {
    let result = if !replace && path.exists() && !path.is_dir() {
        Err(NotSaved::Exists)
    } else {
        files::write_atomic(&path, contents.as_bytes()).map_err(|error| NotSaved::Failed(error.to_string()))
    };
    Outcome::Saved { path, result }
}

/// Reads a text file.
pub(super) fn read(path: PathBuf) -> Outcome {
    let result = files::read_text(&path, files::MAX_BYTES).map_err(|error| error.to_string());
    Outcome::Read { path, result }
}

/// Lists a folder. What cannot be listed is empty: there is nothing to go on with.
pub(super) fn list(path: PathBuf) -> Outcome {
    let folder = if path.as_os_str().is_empty() { Path::new(".") } else { path.as_path() };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_NAMES);
    let entry = |e: std::fs::DirEntry| {
        // A link to a folder leads on like a folder.
        let is_folder = e.path().is_dir();
        Some(FolderEntry { name: e.file_name().into_string().ok()?, is_folder })
    };
    let mut entries: Vec<FolderEntry> = entries.filter_map(entry).collect();
    entries.sort();
    Outcome::Listed { path, entries }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_is_refused_without_touching_the_terminal() {
        let outcome = copy(&"x".repeat(MAX_COPY + 1));
        assert!(matches!(outcome, Ok(Outcome::Copied(Err(problem))) if problem.contains("74001 bytes")));
    }

    #[test]
    fn a_file_that_is_there_goes_only_if_it_may() {
        let path = std::env::temp_dir().join(format!("icx-tui-save-{}.ron", std::process::id()));
        let result = |text: &str, replace: bool| match save(path.clone(), text, replace) {
            Outcome::Saved { result, .. } => (Some(result), std::fs::read_to_string(&path).ok()),
            _ => (None, None),
        };
        assert_eq!(result("one", false), (Some(Ok(())), Some("one".to_owned())));
        assert_eq!(result("two", false), (Some(Err(NotSaved::Exists)), Some("one".to_owned())));
        assert_eq!(result("two", true), (Some(Ok(())), Some("two".to_owned())));
        assert!(std::fs::remove_file(&path).is_ok());
        let folder = save(path.join("no/such/folder.ron"), "x", false);
        assert!(matches!(folder, Outcome::Saved { result: Err(NotSaved::Failed(_)), .. }), "{folder:?}");
    }

    #[test]
    fn a_missing_file_is_an_outcome_that_names_it() {
        let outcome = read(PathBuf::from("no/such/file.ron"));
        assert!(matches!(outcome, Outcome::Read { result: Err(problem), .. } if problem.contains("no/such/file.ron")));
    }
}
