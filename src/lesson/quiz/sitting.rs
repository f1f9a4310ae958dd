//! One run through some questions of a quiz: which are asked, what was answered, and what to study next.

use super::judge::{Mark, Reply};
use super::pose::Posed;
use super::random::Random;
use super::{Question, Quiz};
use crate::lesson::progress::{Outcome, Results};
use crate::preset::LoadError;

/// Which questions are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// What every number is drawn from.
    pub seed: u64,
    /// How many; more than there are means all.
    pub count: usize,
    /// Of one topic only.
    pub topic: Option<String>,
}

impl Scope {
    /// Questions of a quiz that takes a quarter of an hour.
    pub const USUAL_COUNT: usize = 12;

    /// A quiz of the usual length from all topics.
    pub const fn new(seed: u64) -> Self {
        Self { seed, count: Self::USUAL_COUNT, topic: None }
    }
}

/// A run through some questions. A question once answered stays answered.
#[derive(Debug, Clone)]
pub struct Sitting {
    scope: Scope,
    posed: Vec<Posed>,
    marks: Vec<Option<(Reply, Mark)>>,
}

/// Right and asked questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Answered right.
    pub right: usize,
    /// Answered.
    pub answered: usize,
    /// Asked.
    pub asked: usize,
}

impl Sitting {
    /// Draws and poses the questions.
    ///
    /// # Errors
    /// A topic that the quiz lacks; a question that cannot be asked.
    pub fn new(quiz: &Quiz, scope: Scope) -> Result<Self, LoadError> {
        let posed = plan(quiz, &scope).into_iter().map(|q| q.pose(scope.seed)).collect::<Result<Vec<_>, _>>()?;
        let marks = posed.iter().map(|_| None).collect();
        Ok(Self { scope, posed, marks })
    }

    /// What was asked for.
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The questions, in order.
    pub fn posed(&self) -> &[Posed] {
        &self.posed
    }

    /// What became of a question; none while it is open.
    pub fn mark(&self, at: usize) -> Option<&(Reply, Mark)> {
        self.marks.get(at)?.as_ref()
    }

    /// Answers a question; a second answer changes nothing. The mark, if there is such a question.
    pub fn answer(&mut self, at: usize, reply: Reply) -> Option<&Mark> {
        let posed = self.posed.get(at)?;
        let cell = self.marks.get_mut(at)?;
        let entry = cell.get_or_insert_with(|| {
            let mark = posed.judge(&reply);
            (reply, mark)
        });
        Some(&entry.1)
    }

    /// The first question that is open, from a place on, then from the start.
    pub fn open_from(&self, at: usize) -> Option<usize> {
        let open = |i: &usize| self.mark(*i).is_none();
        let all = 0..self.posed.len();
        all.clone().skip(at).find(open).or_else(|| all.clone().find(open))
    }

    /// The score over all, or in one topic.
    pub fn score(&self, topic: Option<&str>) -> Score {
        let mut score = Score::default();
        for (posed, mark) in self.posed.iter().zip(&self.marks) {
            if topic.is_some_and(|t| t != posed.topic) {
                continue;
            }
            score.asked += 1;
            score.answered += usize::from(mark.is_some());
            score.right += usize::from(mark.as_ref().is_some_and(|(_, m)| m.right));
        }
        score
    }

    /// The topics that were asked about, with their scores, in the quiz's order.
    pub fn by_topic<'q>(&self, quiz: &'q Quiz) -> Vec<(&'q super::Topic, Score)> {
        let scored = quiz.topics.iter().map(|t| (t, self.score(Some(&t.name))));
        scored.filter(|(_, s)| s.asked > 0).collect()
    }

    /// How the topics went of which every question is answered: what is remembered for the next time.
    pub fn results(&self, quiz: &Quiz) -> Results {
        let whole = self.by_topic(quiz).into_iter().filter(|(_, s)| s.answered == s.asked);
        whole.map(|(t, s)| (t.name.clone(), Outcome { right: s.right, asked: s.asked })).collect()
    }

    /// What to study next: topics in which a question went wrong, the weakest first.
    pub fn study<'q>(&self, quiz: &'q Quiz) -> Vec<&'q super::Topic> {
        let so_far = self.by_topic(quiz).into_iter();
        let so_far = so_far.map(|(t, s)| (t.name.clone(), Outcome { right: s.right, asked: s.answered })).collect();
        quiz.weakest(&so_far)
    }
}

impl Quiz {
    /// The topics in which a question went wrong, the weakest first.
    pub fn weakest(&self, results: &Results) -> Vec<&super::Topic> {
        let of = |t: &super::Topic| results.get(&t.name).copied().filter(|o| o.is_weak());
        let mut weak: Vec<_> = self.topics.iter().filter_map(|t| of(t).map(|o| (t, o))).collect();
        weak.sort_by(|(_, a), (_, b)| a.weaker(*b));
        weak.into_iter().map(|(t, _)| t).collect()
    }
}

/// The questions of a scope: drawn in turn from every topic, asked topic by topic.
fn plan<'q>(quiz: &'q Quiz, scope: &Scope) -> Vec<&'q Question> {
    let topics = quiz.topics.iter().filter(|t| scope.topic.as_ref().is_none_or(|name| *name == t.name));
    let mut decks: Vec<Vec<&Question>> = topics
        .map(|t| {
            let mut deck: Vec<&Question> = quiz.questions.iter().filter(|q| q.topic == t.name).collect();
            Random::new(scope.seed, &t.name).shuffle(&mut deck);
            deck
        })
        .collect();
    // Where not every topic has its turn in the last round, the seed says which do.
    let mut turns: Vec<usize> = (0..decks.len()).collect();
    Random::new(scope.seed, "turns").shuffle(&mut turns);
    let mut taken: Vec<usize> = decks.iter().map(|_| 0).collect();
    let mut left = scope.count.min(decks.iter().map(Vec::len).sum());
    while left > 0 {
        for at in &turns {
            let (Some(deck), Some(n)) = (decks.get(*at), taken.get_mut(*at)) else { continue };
            if left > 0 && *n < deck.len() {
                *n += 1;
                left -= 1;
            }
        }
    }
    let place = |q: &Question| quiz.questions.iter().position(|other| other.name == q.name);
    for (deck, n) in decks.iter_mut().zip(taken) {
        deck.truncate(n);
        // What is easier stands first in the file.
        deck.sort_by_key(|q| place(q));
    }
    decks.into_iter().flatten().collect()
}
