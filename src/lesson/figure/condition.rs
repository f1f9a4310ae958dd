//! Conditions on figures: `state of node0/gpu3--nvsw1 = down and nics = 4`, `busbw > 350GB/s`, `time about 5.9ms`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::error::{Fault, FigureError};
use super::eval::eval;
use super::expr::Expr;
use super::parse::{Reader, short};
use super::scene::{Names, Scene};
use super::value::Value;
use super::words::words;
use crate::system::Algorithm;
use crate::units::Share;

/// How far `about` reaches: two percent.
const ABOUT: Share = Share::new(0.02);

/// A condition that holds or does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    text: String,
    holds: Clause,
}

#[derive(Debug, Clone, PartialEq)]
enum Clause {
    Compare(Expr, Comparison, Expr),
    Not(Box<Clause>),
    All(Vec<Clause>),
    Any(Vec<Clause>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Is,
    IsNot,
    Less,
    LessOrSame,
    More,
    MoreOrSame,
    About,
    Starts,
}

const COMPARISONS: [(&str, Comparison); 8] = [
    ("=", Comparison::Is),
    ("!=", Comparison::IsNot),
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrSame),
    (">", Comparison::More),
    (">=", Comparison::MoreOrSame),
    ("about", Comparison::About),
    ("starts", Comparison::Starts),
];

/// Deepest nesting of `not`.
const DEEPEST: usize = 32;

impl Condition {
    /// Reads a condition that may use names.
    ///
    /// # Errors
    /// What is wrong, in which column, and what was expected.
    pub fn parse(text: &str, names: &Names) -> Result<Self, FigureError> {
        let words = words(text)?;
        let mut r = Reader::new(&words, text.chars().count() + 1, names);
        let holds = any(&mut r)?;
        r.finish()?;
        Ok(Self { text: text.trim().to_owned(), holds })
    }

    /// Whether it holds. A figure without a value there (a link that the machine lacks, ranks out of reach) is a fault.
    ///
    /// # Errors
    /// Why one of its figures has no value.
    pub fn holds(&self, scene: &Scene<'_>) -> Result<bool, Fault> {
        self.holds.holds(scene)
    }
}

impl FromStr for Condition {
    type Err = FigureError;

    fn from_str(text: &str) -> Result<Self, FigureError> {
        Self::parse(text, &Names::default())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

fn any(r: &mut Reader<'_, '_>) -> Result<Clause, FigureError> {
    let first = all(r)?;
    let mut list = vec![first];
    while r.take("or") {
        list.push(all(r)?);
    }
    Ok(if list.len() == 1 { list.remove(0) } else { Clause::Any(list) })
}

fn all(r: &mut Reader<'_, '_>) -> Result<Clause, FigureError> {
    let mut list = vec![not(r, 0)?];
    while r.take("and") {
        list.push(not(r, 0)?);
    }
    Ok(if list.len() == 1 { list.remove(0) } else { Clause::All(list) })
}

fn not(r: &mut Reader<'_, '_>, depth: usize) -> Result<Clause, FigureError> {
    if r.take("not") {
        if depth > DEEPEST {
            return r.error("too many nots", "expected a comparison");
        }
        return not(r, depth + 1).map(|c| Clause::Not(Box::new(c)));
    }
    let left = side(r)?;
    let word = r.peek().filter(|w| !w.quoted).map_or("", |w| w.text);
    let Some((_, how)) = COMPARISONS.iter().find(|(name, _)| *name == word) else {
        let message = if word.is_empty() {
            "a comparison is missing".to_owned()
        } else {
            format!("{:?} compares nothing", short(word))
        };
        return r.error(message, "expected one of = != < <= > >= about starts");
    };
    r.next();
    // `nvls` is a key too; compared with, it is the algorithm.
    let right = r.peek().filter(|w| !w.quoted && w.text.parse::<Algorithm>().is_ok());
    if let Some(word) = right {
        r.next();
        return Ok(Clause::Compare(left, *how, Expr::Literal(Value::word(word.text))));
    }
    Ok(Clause::Compare(left, *how, side(r)?))
}

/// A figure, or a bare word to compare one with: `down`, `ring`, `node0/gpu3`.
fn side(r: &mut Reader<'_, '_>) -> Result<Expr, FigureError> {
    let Some(word) = r.peek() else {
        return r.error("one side of the comparison is missing", "expected for example nics = 4");
    };
    let lone = !word.quoted && !word.text.starts_with('$') && word.text != "(" && r.is_no_figure(word.text);
    if lone {
        r.next();
        return Ok(Expr::Literal(Value::word(word.text)));
    }
    r.sum()
}

impl Clause {
    fn holds(&self, scene: &Scene<'_>) -> Result<bool, Fault> {
        match self {
            Self::Not(c) => c.holds(scene).map(|h| !h),
            Self::All(list) => {
                for c in list {
                    if !c.holds(scene)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Any(list) => {
                for c in list {
                    if c.holds(scene)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Compare(a, how, b) => compare(&eval(a, scene, 0)?, *how, &eval(b, scene, 0)?),
        }
    }
}

fn compare(a: &Value, how: Comparison, b: &Value) -> Result<bool, Fault> {
    let alike = a.dimension() == b.dimension();
    let order = || a.compare(b).filter(|_| alike);
    let unlike = || Fault::new(format!("{a} and {b} cannot be compared"));
    Ok(match how {
        _ if !alike => return Err(unlike()),
        Comparison::Is => a.same(b),
        Comparison::IsNot => !a.same(b),
        Comparison::About => b.near(a, ABOUT),
        Comparison::Starts => match (a, b) {
            (Value::Word(whole), Value::Word(start)) => whole.to_lowercase().starts_with(&start.to_lowercase()),
            _ => return Err(unlike()),
        },
        Comparison::Less => order().ok_or_else(unlike)? == Ordering::Less && !a.same(b),
        Comparison::LessOrSame => order().ok_or_else(unlike)? == Ordering::Less || a.same(b),
        Comparison::More => order().ok_or_else(unlike)? == Ordering::Greater && !a.same(b),
        Comparison::MoreOrSame => order().ok_or_else(unlike)? == Ordering::Greater || a.same(b),
    })
}
