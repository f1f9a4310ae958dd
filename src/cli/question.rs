//! From arguments to a question on an edited system.

use anyhow::Result;

use super::args::AskArgs;
use super::source;
use crate::question::Question;
use crate::system::System;
use crate::units::Bytes;

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
    Ok((system, question))
}

/// `auto` is no choice at all.
fn choice<T: std::str::FromStr<Err = String>>(text: &str) -> Result<Option<T>> {
    if text == "auto" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|e: String| anyhow::anyhow!("{e}, or auto"))
}
