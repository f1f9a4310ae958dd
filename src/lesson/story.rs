//! The story of one training job that grows from a GPU to a cluster: what each machine adds to the hierarchy, what summing
//! up the gradients costs on it, what share of a step that is, and what the next purchase should mend.
//!
//! The job is a stated model of a training step, [`Job`]; machines, communication and upgrades come from the engine.

mod file;
mod lines;
mod tell;

use std::sync::LazyLock;

use crate::preset::LoadError;
use crate::scenario::Edit;
use crate::units::{Bytes, Share};

pub use lines::{Line, Tone, plain};
pub use tell::{Better, Next, TierLine, Told};

/// The story that comes with the program.
pub const SHIPPED: &str = include_str!("../../lessons/story.ron");

/// The model of a training step: data parallel, one all-reduce of all gradients after the backward pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Parameters of the model.
    pub parameters: f64,
    /// Bytes of a gradient: 2 for bf16.
    pub gradient: Bytes,
    /// Bytes of weights, gradients and optimizer state per parameter.
    pub state: Bytes,
    /// Operations per parameter and token, forward and backward pass: 6.
    pub flop: f64,
    /// Tokens per GPU and step.
    pub tokens: f64,
    /// Share of the GPU's dense bf16 peak that the compute reaches.
    pub utilisation: Share,
    /// What else is assumed, a sentence each.
    pub assumed: Vec<String>,
}

impl Job {
    /// Bytes that every GPU brings to the all-reduce: all gradients.
    pub fn gradients(&self) -> Bytes {
        self.gradient * self.parameters
    }

    /// Bytes that the model takes in a GPU's memory.
    pub fn needed(&self) -> Bytes {
        self.state * self.parameters
    }

    /// The job in a line.
    pub fn summary(&self) -> String {
        format!(
            "{} parameters, gradients of {} per GPU, {:.0} tokens per GPU and step, {} FLOP per parameter and token, {} of the GPU's peak, no overlap",
            lines::count(self.parameters),
            self.gradients(),
            self.tokens,
            self.flop,
            self.utilisation,
        )
    }
}

/// A machine of the story.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What it is called.
    pub name: String,
    /// A shipped system.
    pub system: String,
    /// Its edits.
    pub edits: Vec<Edit>,
    /// What changed, in words without numbers.
    pub text: String,
}

/// A job and the machines that it grows over.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// Its title.
    pub title: String,
    /// What happens, in a few sentences.
    pub about: String,
    /// What is trained.
    pub job: Job,
    /// The machines, the smallest first.
    pub stages: Vec<Stage>,
}

impl Story {
    /// Reads a story; `file` is what errors call the text.
    ///
    /// # Errors
    /// `FILE:LINE:COL`, what is wrong there and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Self, LoadError> {
        file::parse(text, file)
    }

    /// The shipped one.
    ///
    /// # Errors
    /// None, as long as the tests pass: the text comes with the program.
    pub fn shipped() -> Result<Self, LoadError> {
        Self::parse(SHIPPED, "story.ron")
    }

    /// The shipped one, told: worked out once.
    ///
    /// # Errors
    /// None, as long as the tests pass.
    pub fn told() -> Result<&'static (Self, Vec<Told>), &'static str> {
        static TOLD: LazyLock<Result<(Story, Vec<Told>), String>> = LazyLock::new(|| {
            let story = Story::shipped().map_err(|e| e.to_string())?;
            let told = story.tell()?;
            Ok((story, told))
        });
        TOLD.as_ref().map_err(String::as_str)
    }

    /// Tells all stages, each in the light of the one before.
    ///
    /// # Errors
    /// A stage whose machine cannot be made, one line.
    pub fn tell(&self) -> Result<Vec<Told>, String> {
        let mut told: Vec<Told> = Vec::with_capacity(self.stages.len());
        for stage in &self.stages {
            let next = tell::tell(&self.job, stage, told.last())?;
            told.push(next);
        }
        Ok(told)
    }
}
