//! The quiz that comes with the program, a file per group of topics.

use super::{Quiz, parse};
use crate::preset::LoadError;

macro_rules! quiz_files {
    ($($name:literal),+ $(,)?) => {
        /// Names and texts of the files, in the order of teaching.
        pub const fn files() -> &'static [(&'static str, &'static str)] {
            &[$(($name, include_str!(concat!("../../../lessons/quiz/", $name)))),+]
        }
    };
}

quiz_files!["units.ron", "node.ron", "fabric.ron", "collectives.ron", "tiers.ron", "training.ron", "faults.ron"];

/// The quiz of all files.
///
/// # Errors
/// None for the program as built: a test reads it.
pub fn shipped() -> Result<Quiz, LoadError> {
    let mut all = Quiz { title: "GPU interconnects".to_owned(), topics: Vec::new(), questions: Vec::new() };
    for (name, text) in files() {
        let quiz = parse(text, name)?;
        all.topics.extend(quiz.topics);
        all.questions.extend(quiz.questions);
    }
    Ok(all)
}
