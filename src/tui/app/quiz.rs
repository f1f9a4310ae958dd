//! The quiz in the explorer: which question shows, where the cursor is, what was typed. The questions, their answers and
//! the score are [`crate::lesson::quiz`]'s.

use std::sync::Arc;

use super::answers::{answer, bottleneck};
use super::{App, Layer, Screen};
use crate::cost::LinkLoads;
use crate::lesson::quiz::{Body, Mark, Posed, Quiz, Reply, Scope, Sitting, Stage, Topic};
use crate::lesson::{self, Results, quiz};
use crate::preset::LoadError;
use crate::system::{Address, System, Target};
use crate::tui::line_edit::LineEdit;
use crate::tui::picture::{Marks, Pick};
use crate::tui::program::Effect;
use crate::tui::theme::Role;

/// A quiz that is open, or was.
#[derive(Debug, Clone)]
pub struct Quizzing {
    pub(crate) quiz: Arc<Quiz>,
    /// What will be asked, or is.
    pub(crate) scope: Scope,
    /// The questions; none while the first page shows.
    pub(crate) sitting: Option<Sitting>,
    /// The question that shows; behind the last one the score does.
    pub(crate) at: usize,
    /// The choice or item under the cursor.
    pub(crate) cursor: usize,
    /// Items by their number, as the learner has put them.
    pub(crate) order: Vec<usize>,
    /// Whether the item under the cursor moves with it.
    pub(crate) lifted: bool,
    /// What is typed.
    pub(crate) line: LineEdit,
    /// Why what was typed is no answer yet.
    pub(crate) refused: Option<String>,
    /// First line that shows; follows the cursor or the verdict until the learner scrolls.
    pub(crate) scroll: Option<usize>,
    /// How the topics went when they were asked last, before this sitting.
    pub(crate) before: Results,
    /// The machine of a question about links.
    pub(crate) bench: Option<Box<Bench>>,
}

/// A machine whose links are the choices, with the loads that are shown once the question is answered.
#[derive(Debug, Clone)]
pub struct Bench {
    pub(crate) system: Arc<System>,
    pub(crate) loads: LinkLoads,
    pub(crate) bottleneck: Marks,
    /// The links, in the order of the choices.
    pub(crate) picks: Vec<Option<Pick>>,
}

/// Which page of the quiz shows.
#[derive(Debug, Clone, Copy)]
pub enum Leaf<'a> {
    /// What will be asked.
    Cover,
    /// A question, with its mark once it is answered.
    Question(&'a Posed, Option<&'a (Reply, Mark)>),
    /// The score.
    End(&'a Sitting),
}

impl Quizzing {
    /// A quiz that has not begun.
    pub fn new(quiz: Arc<Quiz>, scope: Scope) -> Self {
        Self {
            quiz,
            scope,
            sitting: None,
            at: 0,
            cursor: 0,
            order: Vec::new(),
            lifted: false,
            line: LineEdit::default(),
            refused: None,
            scroll: None,
            before: Results::new(),
            bench: None,
        }
    }

    /// The page that shows.
    pub fn leaf(&self) -> Leaf<'_> {
        match &self.sitting {
            None => Leaf::Cover,
            Some(s) => match s.posed().get(self.at) {
                Some(posed) => Leaf::Question(posed, s.mark(self.at)),
                None => Leaf::End(s),
            },
        }
    }

    /// The run through the questions, once it has begun.
    pub fn sitting(&self) -> Option<&Sitting> {
        self.sitting.as_ref()
    }

    /// Number of the question that shows, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What will be asked, or is.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Whether a number is being typed.
    pub fn types(&self) -> bool {
        matches!(self.leaf(), Leaf::Question(p, None) if matches!(p.body, Body::Number { .. }))
    }

    /// Whether items are being put in order.
    pub(crate) fn orders(&self) -> bool {
        matches!(self.leaf(), Leaf::Question(p, None) if matches!(p.body, Body::Order { .. }))
    }

    /// Topics to study: at the end those in which something went wrong, before the start those in which it did last time.
    pub(crate) fn study(&self) -> Vec<&Topic> {
        match self.leaf() {
            Leaf::Cover => self.quiz.weakest(&self.before),
            Leaf::Question(..) => Vec::new(),
            Leaf::End(sitting) => sitting.study(&self.quiz),
        }
    }

    /// The lesson of the first of them that has one.
    pub(crate) fn lesson(&self) -> Option<&str> {
        let known = |name: &&str| lesson::shipped().iter().any(|l| l.name == *name);
        self.study().into_iter().filter_map(|t| t.lesson.as_deref()).find(known)
    }

    /// How many questions the scope has at most.
    pub(crate) fn available(&self) -> usize {
        let of = |topic: &str| self.scope.topic.as_ref().is_none_or(|t| t == topic);
        self.quiz.questions.iter().filter(|q| of(&q.topic)).count()
    }

    /// Choices or items that the cursor can be on.
    pub(crate) fn rows(&self) -> usize {
        match self.leaf() {
            Leaf::Question(p, None) => match &p.body {
                Body::Choice { options, .. } => options.len(),
                Body::Order { items, .. } => items.len(),
                Body::Number { .. } => 0,
            },
            _ => 0,
        }
    }

    /// Goes to a question, or behind the last one to the score.
    pub(crate) fn go(&mut self, at: usize) {
        let last = self.sitting.as_ref().map_or(0, |s| s.posed().len());
        self.at = at.min(last);
        (self.cursor, self.lifted, self.scroll, self.refused) = (0, false, None, None);
        self.line.clear();
        self.order.clear();
        self.bench = None;
        let Leaf::Question(posed, mark) = self.leaf() else { return };
        let order = match (&posed.body, mark) {
            (Body::Order { .. }, Some((Reply::Order(order), _))) => order.clone(),
            (Body::Order { items, .. }, _) => (0..items.len()).collect(),
            _ => Vec::new(),
        };
        let cursor = if let Some((Reply::Choice(i), _)) = mark { *i } else { 0 };
        let bench = match &posed.body {
            Body::Choice { stage: Some(stage), .. } => Some(Box::new(Bench::new(stage))),
            _ => None,
        };
        (self.order, self.cursor, self.bench) = (order, cursor, bench);
    }

    /// Draws the questions and shows the first.
    pub(crate) fn begin(&mut self) -> Result<(), LoadError> {
        self.sitting = Some(Sitting::new(&self.quiz, self.scope.clone())?);
        self.go(0);
        Ok(())
    }

    /// Another quiz: the first page again, with the next seed.
    pub(crate) fn again(&mut self) {
        self.sitting = None;
        self.scope.seed = self.scope.seed.wrapping_add(1);
        self.go(0);
    }

    /// Answers the question that shows.
    pub(crate) fn answer(&mut self, reply: Reply) {
        let at = self.at;
        if let Some(sitting) = &mut self.sitting {
            sitting.answer(at, reply);
        }
        (self.lifted, self.scroll, self.refused) = (false, None, None);
    }

    /// The next topic to be asked about alone, in turn; behind the last one all of them.
    pub(crate) fn next_topic(&mut self) {
        let topics = &self.quiz.topics;
        let next = match &self.scope.topic {
            None => topics.first(),
            Some(now) => topics.iter().skip_while(|t| t.name != *now).nth(1),
        };
        self.scope.topic = next.map(|t| t.name.clone());
    }
}

impl Bench {
    fn new(stage: &Stage) -> Self {
        let system = Arc::clone(&stage.system);
        let (now, loads) = answer(&system, &stage.question);
        let bottleneck = bottleneck(&system, &now, &loads);
        let picks = stage.links.iter().map(|l| pick(&system, l)).collect();
        Self { system, loads, bottleneck, picks }
    }
}

/// The link of an address.
fn pick(system: &System, link: &str) -> Option<Pick> {
    match link.parse::<Address>().ok()?.resolve(system).ok()? {
        Target::Links(p) => Some(Pick::Link { unit: p.units.first()?, link: *p.links.first()? }),
        _ => None,
    }
}

impl App {
    /// The quiz, if one was opened.
    pub fn quiz(&self) -> Option<&Quizzing> {
        self.quiz.as_deref()
    }

    /// Opens a quiz at its first page.
    pub fn open_quiz(&mut self, quiz: Arc<Quiz>, scope: Scope) {
        self.quiz = Some(Box::new(Quizzing::new(quiz, scope)));
        self.recall_results();
        self.open_screen(Screen::Quiz);
    }

    /// Shows the quiz that is open, else the one that comes with the program.
    pub(super) fn show_quiz(&mut self) {
        if self.quiz.is_none() {
            match quiz::shipped() {
                Ok(quiz) => self.quiz = Some(Box::new(Quizzing::new(Arc::new(quiz), Scope::new(1)))),
                Err(e) => {
                    self.say(e.headline(), Role::Bad);
                    return;
                }
            }
        }
        self.recall_results();
        self.focus.push(Layer::Quiz { typing: false });
        self.settle_quiz();
    }

    /// Takes the results of earlier sittings to the first page of the quiz.
    pub(crate) fn recall_results(&mut self) {
        if let Some(q) = self.quiz.as_deref_mut().filter(|q| q.sitting.is_none()) {
            q.before = self.learn.progress.results(&q.quiz.title);
        }
    }

    /// Remembers the topics of which every question is answered; asks for the progress to be written where that is news.
    pub(crate) fn quiz_heard(&mut self) -> Option<Effect> {
        let q = self.quiz.as_deref()?;
        let results = q.sitting.as_ref()?.results(&q.quiz);
        let news = self.learn.progress.remember_results(&q.quiz.title, results);
        self.learn.written().filter(|_| news)
    }

    /// After the quiz has changed: whether keys are typed now.
    pub(crate) fn settle_quiz(&mut self) {
        let types = self.quiz.as_ref().is_some_and(|q| q.types());
        if let Layer::Quiz { typing } = self.focus.top_mut() {
            *typing = types;
        }
    }
}
