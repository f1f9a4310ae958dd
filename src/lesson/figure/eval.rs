//! From a figure to its value: the engine is asked, here and nowhere else.

mod machine;
mod place;
mod question;
mod search;

use super::error::Fault;
use super::expr::{Ask, Expr, Sign, Size};
use super::quantity::About;
use super::scene::Scene;
use super::value::Value;
use crate::question::Question;
use crate::units::Bytes;

/// Deepest chain of figures that name each other.
const DEEPEST: usize = 32;

/// The value of an expression.
pub(super) fn eval(expr: &Expr, scene: &Scene<'_>, depth: usize) -> Result<Value, Fault> {
    match expr {
        Expr::Literal(v) => Ok(v.clone()),
        Expr::Given(name) => given(name, scene),
        Expr::Named(name) => {
            let found = scene.names.figures.get(name).filter(|_| depth < DEEPEST);
            let figure = found.ok_or_else(|| Fault::new(format!("figure {name:?} leads back to itself")))?;
            eval(&figure.expr, scene, depth + 1)
        }
        Expr::Ask(ask) => asked(ask, scene),
        Expr::Pair(sign, a, b) => {
            let (a, b) = (eval(a, scene, depth)?, eval(b, scene, depth)?);
            let result = match sign {
                Sign::Plus => a.plus(&b, 1.0),
                Sign::Minus => a.plus(&b, -1.0),
                Sign::Times => a.times(&b),
                Sign::Over => a.over(&b),
            };
            let value = result.ok_or_else(|| Fault::new(format!("cannot {} {a} and {b}", sign.verb())))?;
            let sound = value.base().is_none_or(f64::is_finite);
            if sound { Ok(value) } else { Err(Fault::new(format!("{a} over {b} is no number"))) }
        }
    }
}

fn given(name: &str, scene: &Scene<'_>) -> Result<Value, Fault> {
    scene.names.given.get(name).cloned().ok_or_else(|| Fault::new(format!("no value ${name} is given")))
}

fn asked(ask: &Ask, scene: &Scene<'_>) -> Result<Value, Fault> {
    let system = scene.machine(&ask.machine)?;
    match ask.quantity.about() {
        About::Question => question::value(ask.quantity, &system, &asks(ask, scene)?),
        About::Algorithms => search::crossover(ask, &system, &asks(ask, scene)?),
        About::Place => place::value(ask, &system, &asks(ask, scene)?),
        About::Pair => place::pair(ask, &system),
        About::Machine => machine::value(ask.quantity, &system),
        About::Explorer => machine::explorer(ask.quantity, scene),
    }
}

/// The question that is meant: what is not said is the scene's.
fn asks(ask: &Ask, scene: &Scene<'_>) -> Result<Question, Fault> {
    let Some(asked) = &ask.question else { return Ok(*scene.question) };
    let size = match &asked.size {
        None => scene.question.size,
        Some(Size::Is(b)) => *b,
        Some(Size::Given(name)) => match given(name, scene)? {
            Value::Size(b) => b,
            Value::Count(n) => Bytes::from_u64(n),
            other => return Err(Fault::new(format!("${name} is {other}, not a size"))),
        },
    };
    Ok(Question {
        collective: asked.collective.unwrap_or(scene.question.collective),
        size,
        group: asked.group,
        algorithm: asked.algorithm,
        protocol: asked.protocol,
    })
}
