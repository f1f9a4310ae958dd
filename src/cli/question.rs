//! From arguments to a question on an edited system.

use anyhow::{Result, bail};

use super::args::AskArgs;
use super::source;
use crate::question::{Question, QuestionError};
use crate::system::System;
use crate::units::Bytes;

/// Largest message: whole numbers of bytes are exact up to here.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// The system with its edits, and the question at a size.
pub fn ask(a: &AskArgs, size: Bytes) -> Result<(System, Question)> {
    let question = Question {
        collective: a.collective,
        size,
        group: a.group,
        algorithm: choice(&a.algorithm)?,
        protocol: choice(&a.protocol)?,
    };
    let system = source::edited(source::open(&a.system)?, &a.edits)?;
    if let Err(e @ QuestionError::DoesNotFit { .. }) = question.group.participants(&system) {
        bail!("--group: {e}");
    }
    if size.get() > LARGEST {
        bail!("--size {size}: expected at most {}", Bytes::new(LARGEST));
    }
    Ok((system, question))
}

/// `auto` is no choice at all.
fn choice<T: std::str::FromStr<Err = String>>(text: &str) -> Result<Option<T>> {
    if text == "auto" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|e: String| anyhow::anyhow!("{e}, or auto"))
}
