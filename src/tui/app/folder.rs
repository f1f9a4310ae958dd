//! Names of files that a line could go on with. The folder itself is read by the shell, when one is asked for.

use std::path::{Path, PathBuf};

use super::line::{Line, LineKind, Offer};
use super::{App, Layer};
use crate::tui::program::{Effect, FolderEntry};

/// Commands of the line whose value is a file.
const FILE_VERBS: [&str; 4] = ["open", "save", "compare", "measured"];

/// A folder that was listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Folder {
    path: PathBuf,
    entries: Vec<FolderEntry>,
}

/// The place of a file's name in a line: what stands before the path, and the path as far as it is typed.
fn file_in(kind: LineKind, text: &str) -> Option<(&str, &str)> {
    match kind {
        LineKind::Save | LineKind::Open | LineKind::Measured => Some(("", text)),
        LineKind::Command => {
            let (verb, rest) = text.trim_start().split_once(char::is_whitespace)?;
            let path = rest.trim_start();
            FILE_VERBS.contains(&verb).then(|| (text.strip_suffix(path).unwrap_or_default(), path))
        }
        LineKind::Size | LineKind::Predict => None,
    }
}

/// The folder of a path with its last slash, and the name as far as it is typed.
fn parts(path: &str) -> (&str, &str) {
    path.rfind('/').map_or(("", path), |at| path.split_at(at + 1))
}

impl App {
    /// The listing that the line on top needs and has not: to be asked for.
    pub(crate) fn wanted_listing(&self) -> Vec<Effect> {
        let Layer::Line(line) = self.focus.top() else { return Vec::new() };
        // Of several offers one shows: the next Tab takes the next, whatever this one has inside.
        if line.taken.is_some() {
            return Vec::new();
        }
        let text = line.edit.text();
        let Some((_, typed)) = file_in(line.kind, &text) else { return Vec::new() };
        let path = PathBuf::from(parts(typed).0);
        let known = self.folder.as_ref().is_some_and(|f| f.path == path);
        if known { Vec::new() } else { vec![Effect::ListFolder { path }] }
    }

    /// A folder was listed: the line on top goes on with its names.
    pub(crate) fn folder_listed(&mut self, path: PathBuf, entries: Vec<FolderEntry>) {
        self.folder = Some(Folder { path, entries });
        if let Layer::Line(line) = self.focus.top() {
            let mut line: Box<Line> = line.clone();
            self.refresh_line(&mut line);
            *self.focus.top_mut() = Layer::Line(line);
        }
    }

    /// The names that a path in a line could go on with; hidden ones once their dot is typed.
    pub(super) fn file_offers(&self, kind: LineKind, text: &str) -> Vec<Offer> {
        let (Some((head, typed)), Some(folder)) = (file_in(kind, text), &self.folder) else { return Vec::new() };
        let (above, begun) = parts(typed);
        if folder.path != Path::new(above) {
            return Vec::new();
        }
        let fits = |e: &&FolderEntry| {
            e.name.starts_with(begun)
                && (e.name != begun || e.is_folder)
                && (begun.starts_with('.') || !e.name.starts_with('.'))
        };
        let offer = |e: &FolderEntry| {
            let slash = if e.is_folder { "/" } else { "" };
            Offer::new(&format!("{head}{above}"), &format!("{}{slash}", e.name), "")
        };
        folder.entries.iter().filter(fits).map(offer).collect()
    }
}
