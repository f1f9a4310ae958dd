//! What is remembered between runs: which pages are finished, which predictions came out right.

use std::collections::{BTreeMap, BTreeSet};

use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

/// Progress in all lessons, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    #[serde(default)]
    lessons: BTreeMap<String, Record>,
}

/// Progress in one lesson. Pages are counted from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Pages that the lesson had.
    pub pages: usize,
    /// Those that are finished.
    pub done: BTreeSet<usize>,
    /// Those whose prediction came out right.
    #[serde(default)]
    pub right: BTreeSet<usize>,
}

impl Record {
    /// Whether every page is finished.
    pub fn is_complete(&self) -> bool {
        self.pages > 0 && self.done.len() >= self.pages
    }
}

impl Progress {
    /// Reads what was saved.
    ///
    /// # Errors
    /// Why the text is not that; a reader of lessons begins anew then.
    pub fn from_text(text: &str) -> Result<Self, String> {
        ron::from_str(text).map_err(|e| e.to_string())
    }

    /// As text to be saved.
    pub fn to_text(&self) -> String {
        // Maps of names and sets of numbers: nothing that RON cannot write.
        let text = ron::ser::to_string_pretty(self, PrettyConfig::default().depth_limit(2)).unwrap_or_default();
        text + "\n"
    }

    /// What is known of a lesson.
    pub fn of(&self, lesson: &str) -> Option<&Record> {
        self.lessons.get(lesson)
    }

    /// Remembers where a lesson stands; true if that is news.
    pub fn remember(&mut self, lesson: &str, record: Record) -> bool {
        let known = self.lessons.get(lesson);
        let something = !(record.done.is_empty() && record.right.is_empty());
        let news = known != Some(&record) && (known.is_some() || something);
        if news {
            self.lessons.insert(lesson.to_owned(), record);
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_reads_back() {
        let mut p = Progress::default();
        let record = Record { pages: 2, done: [0, 1].into(), right: [1].into() };
        assert!(p.remember("units", record.clone()) && !p.remember("units", record.clone()));
        assert!(record.is_complete());
        assert_eq!(Progress::from_text(&p.to_text()), Ok(p));
        assert!(Progress::from_text("(lessons: 4)").is_err());
        assert_eq!(Progress::from_text("()"), Ok(Progress::default()));
    }
}
