//! What is remembered between runs: which pages are finished, which predictions came out right, how the quiz went.

use std::collections::{BTreeMap, BTreeSet};

use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

/// Progress in all lessons, by their names, and the results in all quizzes, by their titles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    #[serde(default)]
    lessons: BTreeMap<String, Record>,
    #[serde(default)]
    quizzes: BTreeMap<String, Results>,
}

/// How the questions of each topic went when it was asked last, by the topics' names.
pub type Results = BTreeMap<String, Outcome>;

/// How the questions of a topic went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Answered right.
    pub right: usize,
    /// Asked.
    pub asked: usize,
}

impl Outcome {
    /// Whether something went wrong.
    pub const fn is_weak(self) -> bool {
        self.right < self.asked
    }

    /// For sorting by the share of right answers, the weakest first; without division, so that none is by nothing.
    pub fn weaker(self, other: Self) -> std::cmp::Ordering {
        (self.right * other.asked).cmp(&(other.right * self.asked))
    }
}

/// Progress in one lesson. Pages are counted from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Why the text is not that, as `LINE:COLUMN: what was expected`: it is damaged, or another program's or version's.
    pub fn from_text(text: &str) -> Result<Self, String> {
        ron::from_str(text).map_err(|e: ron::error::SpannedError| {
            let at = e.span.start;
            format!("{}:{}: {}", at.line, at.col, e.code)
        })
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

    /// How each topic of a quiz went when it was asked last; the quiz is named by its title.
    pub fn results(&self, quiz: &str) -> Results {
        self.quizzes.get(quiz).cloned().unwrap_or_default()
    }

    /// Remembers how some topics of a quiz went; the others stay. True if that is news.
    pub fn remember_results(&mut self, quiz: &str, new: Results) -> bool {
        let mut all = self.results(quiz);
        all.extend(new);
        let news = all != self.results(quiz);
        if news {
            self.quizzes.insert(quiz.to_owned(), all);
        }
        news
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
        let one = |right| Results::from([("units".to_owned(), Outcome { right, asked: 3 })]);
        assert!(p.remember_results("Quiz", one(1)) && !p.remember_results("Quiz", one(1)));
        assert!(p.remember_results("Quiz", Results::from([("fabric".to_owned(), Outcome { right: 2, asked: 2 })])));
        assert_eq!((p.results("Quiz").len(), p.results("Other").len()), (2, 0));
        assert_eq!(Progress::from_text(&p.to_text()), Ok(p));
        assert!(Progress::from_text("(lessons: 4)").is_err_and(|e| e.starts_with("1:10: Expected")));
        assert!(Progress::from_text("(theme: \"dark\")").is_err(), "a file of another sort would lose its fields");
        assert_eq!(Progress::from_text("()"), Ok(Progress::default()));
    }
}
