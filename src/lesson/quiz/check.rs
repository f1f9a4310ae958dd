//! Proves a quiz: with many seeds every answer can be computed and is the only right one.

use super::judge::Reply;
use super::places::At;
use super::pose::{Body, Posed};
use super::{Question, Quiz};
use crate::preset::LoadError;

/// What is wrong with a quiz, at most one complaint per question. Every question is posed with the seeds from 0 on, and its
/// own answer and every wrong one are judged.
pub fn check(quiz: &Quiz, seeds: u64) -> Vec<LoadError> {
    quiz.questions.iter().filter_map(|q| question(q, seeds).err()).collect()
}

fn question(q: &Question, seeds: u64) -> Result<(), LoadError> {
    if !q.is_computed() && q.source().is_none() {
        let message = "the engine does not compute this answer: give a proof, or the source that it rests on";
        return Err(q.error(&[At::Field("choice")], None, message));
    }
    for seed in 0..seeds {
        let posed = q.pose(seed)?;
        judged(&posed).map_err(|message| q.error(&[], None, format!("with seed {seed}: {message}")))?;
    }
    Ok(())
}

/// The right answer is judged right, each wrong one wrong and with an explanation.
fn judged(posed: &Posed) -> Result<(), String> {
    if !posed.judge(&posed.right()).right {
        return Err("the right answer is judged wrong".to_owned());
    }
    for wrong in posed.wrong() {
        let mark = posed.judge(&wrong);
        if mark.right {
            return Err(format!("a wrong answer is judged right: {}", posed.reply_text(&wrong)));
        }
        if mark.why.trim().is_empty() {
            return Err(format!("nothing explains why this is wrong: {}", posed.reply_text(&wrong)));
        }
    }
    Ok(())
}

impl Posed {
    /// The right answer.
    pub fn right(&self) -> Reply {
        match &self.body {
            Body::Choice { right, .. } => Reply::Choice(*right),
            Body::Number { is, .. } => Reply::Number(is.clone()),
            Body::Order { items, .. } => {
                let mut order: Vec<usize> = (0..items.len()).collect();
                order.sort_by_key(|i| items.get(*i).map(|item| item.place));
                Reply::Order(order)
            }
        }
    }

    /// Wrong answers: every other choice, every known slip, the order in which the items are shown.
    pub fn wrong(&self) -> Vec<Reply> {
        match &self.body {
            Body::Choice { options, right, .. } => {
                (0..options.len()).filter(|i| i != right).map(Reply::Choice).collect()
            }
            Body::Number { slips, .. } => slips.iter().map(|s| Reply::Number(s.is.clone())).collect(),
            Body::Order { items, .. } => vec![Reply::Order((0..items.len()).collect())],
        }
    }

    /// A reply in words.
    pub fn reply_text(&self, reply: &Reply) -> String {
        match (&self.body, reply) {
            (Body::Choice { options, .. }, Reply::Choice(i)) => {
                options.get(*i).map_or_else(String::new, |o| o.text.clone())
            }
            (Body::Number { is, shown, .. }, Reply::Number(v)) if v == is => shown.clone(),
            (Body::Number { slips, .. }, Reply::Number(v)) => {
                slips.iter().find(|s| s.is == *v).map_or_else(|| v.to_string(), |s| s.shown.clone())
            }
            (Body::Order { items, .. }, Reply::Order(order)) => {
                let names: Vec<&str> = order.iter().filter_map(|i| items.get(*i)).map(|i| i.text.as_str()).collect();
                names.join(", ")
            }
            _ => String::new(),
        }
    }
}
