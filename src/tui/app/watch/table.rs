//! The moves of a step as a table to copy.

use super::super::{App, Table};
use super::MoveRow;

impl App {
    /// The moves of the step that is shown.
    pub(crate) fn watch_table(&self) -> Table {
        let frame = self.watch.play().and_then(|p| p.as_ref().ok()).map(|p| &p.frame);
        let row = |m: &MoveRow| {
            let what = if m.adds { "add" } else { "copy" };
            vec![
                m.from.clone(),
                m.to.clone(),
                m.chunk.clone(),
                what.to_owned(),
                m.bytes.to_u64().to_string(),
                m.way.clone(),
            ]
        };
        let rows = frame.map(|f| f.moves.iter().map(row).collect()).unwrap_or_default();
        Table::new("moves of the step", &["from", "to", "chunk", "what", "bytes", "way"], rows)
    }
}
