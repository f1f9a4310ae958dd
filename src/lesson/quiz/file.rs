//! A quiz as it is written. What the fields mean is in `docs/quiz-format.md`.

use serde::Deserialize;

use crate::units::Share;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuizFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) topics: Vec<TopicSpec>,
    pub(super) questions: Vec<QuestionSpec>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TopicSpec {
    pub(super) name: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) lesson: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionSpec {
    pub(super) name: String,
    pub(super) topic: String,
    /// What the figures are about that name no machine.
    #[serde(default)]
    pub(super) machine: Option<String>,
    #[serde(default)]
    pub(super) with: Option<String>,
    #[serde(default)]
    pub(super) draw: Vec<DrawSpec>,
    #[serde(default)]
    pub(super) figures: Vec<FigureSpec>,
    pub(super) text: String,
    #[serde(default)]
    pub(super) choice: Option<ChoiceSpec>,
    #[serde(default)]
    pub(super) number: Option<NumberSpec>,
    #[serde(default)]
    pub(super) largest: Option<Vec<ValuedSpec>>,
    #[serde(default)]
    pub(super) smallest: Option<Vec<ValuedSpec>>,
    #[serde(default)]
    pub(super) order: Option<OrderSpec>,
    #[serde(default)]
    pub(super) binds: Option<BindsSpec>,
    pub(super) why: String,
    #[serde(default)]
    pub(super) source: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawSpec {
    pub(super) name: String,
    #[serde(default)]
    pub(super) values: Vec<String>,
    #[serde(default)]
    pub(super) machines: Vec<String>,
    #[serde(default)]
    pub(super) with: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureSpec {
    pub(super) name: String,
    pub(super) is: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceSpec {
    pub(super) right: String,
    #[serde(default)]
    pub(super) proof: Option<String>,
    pub(super) wrong: Vec<WrongSpec>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrongSpec {
    pub(super) is: String,
    pub(super) why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NumberSpec {
    pub(super) is: String,
    pub(super) within: Share,
    #[serde(default)]
    pub(super) slips: Vec<WrongSpec>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValuedSpec {
    pub(super) is: String,
    pub(super) value: String,
    #[serde(default)]
    pub(super) why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderSpec {
    pub(super) from: From,
    pub(super) items: Vec<ValuedSpec>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum From {
    Largest,
    Smallest,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BindsSpec {
    pub(super) ask: String,
    pub(super) links: Vec<LinkSpec>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkSpec {
    pub(super) link: String,
    #[serde(default)]
    pub(super) why: String,
}
