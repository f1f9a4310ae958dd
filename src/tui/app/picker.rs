//! A list of values of the question, each with what it would cost.

use super::App;
use super::answers::answer;
use crate::cost::Answer;
use crate::question::{Collective, Group, Question};
use crate::system::{Algorithm, Protocol};

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Collective,
    Group,
    Algorithm,
    Protocol,
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// The value as it is written.
    pub(crate) name: String,
    /// What it would take, or why it cannot be.
    pub(crate) cost: Result<String, String>,
    /// The question with it.
    pub(crate) question: Question,
}

/// A list of values with a cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct Picker {
    pub(crate) what: What,
    pub(crate) choices: Vec<Choice>,
    pub(crate) at: usize,
    /// Choices without it are left out.
    pub(crate) filter: String,
}

impl Choice {
    /// Whether a filter leaves it in.
    pub(crate) fn shown(&self, filter: &str) -> bool {
        super::find::fits(filter, &self.text())
    }

    /// What a filter looks at: the value and what it comes to.
    fn text(&self) -> String {
        let (Ok(cost) | Err(cost)) = &self.cost;
        format!("{} {cost}", self.name)
    }
}

impl What {
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Collective => "collective",
            Self::Group => "who takes part",
            Self::Algorithm => "algorithm",
            Self::Protocol => "protocol",
        }
    }
}

impl App {
    /// The values of one part of the question, each priced on the machine as it is now.
    pub(crate) fn picker(&self, what: What) -> Picker {
        let q = self.question;
        let questions: Vec<(String, Question)> = match what {
            What::Collective => {
                Collective::ALL.iter().map(|c| (c.name().to_owned(), Question { collective: *c, ..q })).collect()
            }
            What::Group => groups(self).into_iter().map(|g| (g.to_string(), Question { group: g, ..q })).collect(),
            What::Algorithm => {
                let auto = ("auto".to_owned(), Question { algorithm: None, ..q });
                let one = |a: &Algorithm| (a.name().to_owned(), Question { algorithm: Some(*a), ..q });
                std::iter::once(auto).chain(Algorithm::ALL.iter().map(one)).collect()
            }
            What::Protocol => {
                let auto = ("auto".to_owned(), Question { protocol: None, ..q });
                let one = |p: &Protocol| (p.name().to_owned(), Question { protocol: Some(*p), ..q });
                std::iter::once(auto).chain(Protocol::ALL.iter().map(one)).collect()
            }
        };
        let at = questions.iter().position(|(_, other)| *other == q).unwrap_or(0);
        let choices = questions.into_iter().map(|(name, question)| self.choice(name, question)).collect();
        Picker { what, choices, at, filter: String::new() }
    }

    fn choice(&self, name: String, question: Question) -> Choice {
        let cost = match answer(self.system(), &question).0 {
            Answer::Estimate(e) => Ok(format!("{}  {} {}", e.time, e.chosen.algorithm, e.chosen.protocol)),
            Answer::Unreachable(u) => Err(u.because),
        };
        Choice { name, cost, question }
    }
}

/// The groups worth offering: the named ones, the present one, and the usual splits of the ranks.
fn groups(app: &App) -> Vec<Group> {
    let system = app.system();
    let mut all = vec![Group::All, Group::Node, Group::Rail];
    let (per_unit, ranks) = (system.ranks_per_unit(), system.ranks());
    let mut count = 2;
    while count < per_unit {
        all.push(Group::Strided { stride: 1, count });
        if u64::from(per_unit) * u64::from(count) <= ranks {
            all.push(Group::Strided { stride: per_unit, count });
        }
        count *= 2;
    }
    if !all.contains(&app.question.group) {
        all.push(app.question.group);
    }
    all.retain(|g| *g == app.question.group || g.participants(system).is_ok_and(|p| p.ranks > 1));
    all
}
