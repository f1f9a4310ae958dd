//! Narrowing a list to the rows that contain what was typed.

use super::find::fits;
use super::{App, Layer};
use crate::tui::commands::Context;
use crate::tui::line_edit::LineEdit;

impl App {
    /// What the list that has the keys, or would have them without the line of the filter, is narrowed to.
    pub(crate) fn filter(&self) -> &str {
        match self.focus.list() {
            Layer::Edits { filter, .. } => filter,
            Layer::Picker(picker) => &picker.filter,
            layer if layer.screen().is_some() => &self.reports.filter,
            _ => "",
        }
    }

    /// Whether what has the keys is a list of rows.
    pub(crate) fn can_filter(&self) -> bool {
        // The causes of a diagnosis are few, and what stands together in them must stay together; a story has five stages.
        matches!(self.focus.list().context(), Context::Rows | Context::List)
            && !matches!(self.focus.list(), Layer::Diagnose | Layer::Story)
    }

    /// Narrows that list; the cursor goes to a row that is left.
    pub(crate) fn set_filter(&mut self, text: &str) {
        match self.focus.list_mut() {
            Layer::Edits { filter, .. } => text.clone_into(filter),
            Layer::Picker(picker) => text.clone_into(&mut picker.filter),
            layer if layer.screen().is_some() => text.clone_into(&mut self.reports.filter),
            _ => return,
        }
        self.move_in_report(0);
        self.move_in_list(0);
    }

    /// Starts typing a filter, with the one that there is.
    pub(crate) fn open_filter(&mut self) {
        let mut text = LineEdit::default();
        text.set(self.filter());
        self.focus.push(Layer::Filter(text));
    }

    /// The rows that a list over the screen shows, as places in the whole list.
    pub(crate) fn listed(&self) -> Vec<usize> {
        let typed = self.filter();
        match self.focus.list() {
            Layer::Edits { .. } => {
                let all = self.history.done().iter().chain(self.history.undone());
                all.enumerate().filter(|(_, e)| fits(typed, &e.edit.to_string())).map(|(i, _)| i).collect()
            }
            Layer::Picker(picker) => {
                let all = picker.choices.iter().enumerate();
                all.filter(|(_, c)| c.shown(typed)).map(|(i, _)| i).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Moves the cursor of a list over the screen by so many of the rows that it shows.
    pub(crate) fn move_in_list(&mut self, by: isize) {
        let rows = self.listed();
        let (Layer::Edits { at, .. } | Layer::Picker(super::Picker { at, .. })) = self.focus.list_mut() else { return };
        // Where the row of the cursor is left out, the next one that shows.
        let here = rows.iter().position(|r| *r >= *at).unwrap_or(rows.len().saturating_sub(1));
        let there = here.saturating_add_signed(by).min(rows.len().saturating_sub(1));
        if let Some(row) = rows.get(there) {
            *at = *row;
        }
    }
}
