//! Figures: a small language by which a text asks the engine for a number when it is shown.
//!
//! ```text
//! busbw of all-reduce 1GiB on dgx-h100
//! time of all-reduce 8GiB by ring on dgx-h100-superpod with 'set nodes = 4; degrade node0/nic2 to 50%'
//! usable of scale-out / usable of scale-up as part
//! crossover of tree to ring in all-reduce on pod
//! 64KiB / usable of scale-up + latency of scale-up
//! ```
//!
//! A figure is `QUANTITY [of PLACE | of QUESTION] [in QUESTION] [on MACHINE] [with 'EDITS']`, or arithmetic of figures:
//! `+ - * /` with blanks around them, and round brackets. A question is `[COLLECTIVE] [SIZE] [among GROUP] [by ALGORITHM]
//! [via PROTOCOL]`; a machine is a shipped one, one that was given a name, or `here` (the machine on the screen, which is
//! what a figure means when it names none), `base` (the same without edits) and `baseline`. Edits are those of
//! [`crate::scenario`], parted by semicolons. `as FORM` at the end says how the value is written: `as GB`, `as %`, `as times`.
//!
//! [`Figure`] is one of them, [`Condition`] compares two, [`Prose`] is a text with figures in braces. All are read without a
//! machine at hand, then asked of a [`Scene`]. Nothing here does I/O.

mod condition;
mod error;
mod eval;
mod expr;
mod form;
mod parse;
mod prose;
mod quantity;
mod scene;
mod value;
mod wanted;
mod words;

use std::fmt;
use std::str::FromStr;

pub use condition::Condition;
pub use error::{Fault, FigureError};
pub use form::Form;
pub use prose::Prose;
pub use quantity::{About, Quantity, QuantityInfo};
pub(in crate::lesson) use scene::edited;
pub use scene::{Names, Scene, View};
pub use value::{Dimension, Value};
pub use wanted::Wanted;

use crate::question::Question;
use expr::Expr;
use parse::Reader;

/// A question to the engine, or arithmetic on several, with the way its value is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    text: String,
    expr: Expr,
    form: Option<Form>,
}

impl Figure {
    /// Reads a figure that may use names.
    ///
    /// # Errors
    /// What is wrong, in which column, and what was expected.
    pub fn parse(text: &str, names: &Names) -> Result<Self, FigureError> {
        let words = words::words(text)?;
        let mut r = Reader::new(&words, text.chars().count() + 1, names);
        let expr = r.sum()?;
        let form = r.form()?;
        r.finish()?;
        Ok(Self { text: text.trim().to_owned(), expr, form })
    }

    /// Its value.
    ///
    /// # Errors
    /// Why it has none there.
    pub fn value(&self, scene: &Scene<'_>) -> Result<Value, Fault> {
        eval::eval(&self.expr, scene, 0)
    }

    /// Its value as it is written: in its own form, else in that of the figure that it names, else as everywhere.
    ///
    /// # Errors
    /// Why it has none there.
    pub fn show(&self, scene: &Scene<'_>) -> Result<String, Fault> {
        let value = self.value(scene)?;
        let form = self.form_in(scene);
        match form {
            Some(form) if form.dimension() != value.dimension() => {
                Err(Fault::new(format!("{value} cannot be written as {form}")))
            }
            _ => Ok(write(form, &value)),
        }
    }

    /// What a learner who is asked for it has to type.
    ///
    /// # Errors
    /// Why it has no value there.
    pub fn wanted(&self, scene: &Scene<'_>, question: &str) -> Result<Wanted, Fault> {
        Ok(Wanted::new(self.value(scene)?, self.form_in(scene), question))
    }

    /// Its own form, else that of the figure that it names.
    fn form_in(&self, scene: &Scene<'_>) -> Option<Form> {
        self.form.or_else(|| match &self.expr {
            Expr::Named(name) => scene.names.figures.get(name)?.form,
            _ => None,
        })
    }

    /// Any value in this figure's form, such as a learner's guess at it.
    pub fn like(&self, value: &Value) -> String {
        write(self.form, value)
    }
}

fn write(form: Option<Form>, value: &Value) -> String {
    form.map_or_else(|| value.to_string(), |f| f.write(value))
}

/// `1`: the place of a figure that is read later.
impl Default for Figure {
    fn default() -> Self {
        Self { text: "1".to_owned(), expr: Expr::Literal(Value::Count(1)), form: None }
    }
}

/// Reads a question, as it stands after `of`: `all-reduce 1GiB among node by ring via simple`. What is missing is the usual
/// one's.
///
/// # Errors
/// What is wrong, in which column, and what was expected.
pub fn question(text: &str, usual: &Question) -> Result<Question, FigureError> {
    let names = Names::default();
    let words = words::words(text)?;
    let mut r = Reader::new(&words, text.chars().count() + 1, &names);
    let asked = r.question()?;
    r.finish()?;
    let size = match asked.size {
        Some(expr::Size::Is(size)) => size,
        _ => usual.size,
    };
    Ok(Question {
        collective: asked.collective.unwrap_or(usual.collective),
        size,
        group: asked.group,
        algorithm: asked.algorithm,
        protocol: asked.protocol,
    })
}

impl FromStr for Figure {
    type Err = FigureError;

    fn from_str(text: &str) -> Result<Self, FigureError> {
        Self::parse(text, &Names::default())
    }
}

/// As it was written.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests;
