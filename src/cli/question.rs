//! From arguments to a question on an edited system.

use anyhow::{Result, bail};

use super::args::{AskArgs, ChoiceArgs};
use super::source::{self, Machine};
use crate::question::{Question, QuestionError};
use crate::system::System;
use crate::units::Bytes;

/// Largest message: whole numbers of bytes are exact up to here.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// The machine with its edits, and the question, at a size if one is given.
pub fn ask(a: &AskArgs, size: Option<Bytes>) -> Result<Machine> {
    let machine = source::machine(&a.system, &a.edits)?;
    let question = amended(machine.question, &a.question, size, &machine.system)?;
    Ok(Machine { question, ..machine })
}

/// A question with the parts that were given in place of its own.
pub fn amended(own: Question, a: &ChoiceArgs, size: Option<Bytes>, system: &System) -> Result<Question> {
    let question = Question {
        collective: a.collective.unwrap_or(own.collective),
        size: size.unwrap_or(own.size),
        group: a.group.unwrap_or(own.group),
        algorithm: a.algorithm.as_deref().map_or(Ok(own.algorithm), choice)?,
        protocol: a.protocol.as_deref().map_or(Ok(own.protocol), choice)?,
    };
    fits(&question, system)?;
    Ok(question)
}

/// Refuses a group that the system has no room for, and sizes beyond what is exact.
fn fits(question: &Question, system: &System) -> Result<()> {
    if let Err(e @ QuestionError::DoesNotFit { .. }) = question.group.participants(system) {
        bail!("--group: {e}");
    }
    if question.size.get() > LARGEST {
        bail!("size {}: expected at most {}", question.size, Bytes::new(LARGEST));
    }
    Ok(())
}

/// `auto` is no choice at all.
fn choice<T: std::str::FromStr<Err = String>>(text: &str) -> Result<Option<T>> {
    if text == "auto" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|e: String| anyhow::anyhow!("{e}, or auto"))
}
