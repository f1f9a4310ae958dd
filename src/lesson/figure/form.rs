//! How a figure is written out: `as GB`, `as Gb/s`, `as %`, `as times`, `as word`.

use std::fmt;

use super::value::{Dimension, Value};
use crate::units::significant;

/// A way to write a value, other than the program's usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form(&'static Row);

/// One form: its name, the values that it is for, and what one of its units is worth in the base unit.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: &'static str,
    of: Dimension,
    how: How,
    doc: &'static str,
}

#[derive(Debug, PartialEq, Eq)]
enum How {
    /// Divided by so many millionths of the base unit, with the name behind it.
    Unit(u64),
    /// `50 %`.
    Percent,
    /// `1.75 times`.
    Times,
    /// `+75 % slower`, `-20 % faster`: of a ratio of times.
    Change,
    /// The nearest whole number.
    Whole,
    /// Rounded up.
    Up,
    /// The number alone.
    Bare,
    /// Counts in letters.
    Word,
    /// `a seventh`: of a ratio.
    Part,
}

const fn row(name: &'static str, of: Dimension, how: How, doc: &'static str) -> Row {
    Row { name, of, how, doc }
}

const MICRO: u64 = 1_000_000;

static ROWS: [Row; 24] = [
    row("GB/s", Dimension::Rate, How::Unit(MICRO), "gigabytes per second"),
    row("Gb/s", Dimension::Rate, How::Unit(MICRO / 8), "gigabits per second"),
    row("TB/s", Dimension::Rate, How::Unit(1000 * MICRO), "terabytes per second"),
    row("Tb/s", Dimension::Rate, How::Unit(125 * MICRO), "terabits per second"),
    row("us", Dimension::Time, How::Unit(MICRO), "microseconds"),
    row("ms", Dimension::Time, How::Unit(1000 * MICRO), "milliseconds"),
    row("s", Dimension::Time, How::Unit(1_000_000 * MICRO), "seconds"),
    row("B", Dimension::Size, How::Unit(MICRO), "bytes"),
    row("kB", Dimension::Size, How::Unit(1000 * MICRO), "decimal kilobytes"),
    row("MB", Dimension::Size, How::Unit(1_000_000 * MICRO), "decimal megabytes"),
    row("GB", Dimension::Size, How::Unit(1_000_000_000 * MICRO), "decimal gigabytes"),
    row("KiB", Dimension::Size, How::Unit(1024 * MICRO), "binary kilobytes"),
    row("MiB", Dimension::Size, How::Unit(1_048_576 * MICRO), "binary megabytes"),
    row("GiB", Dimension::Size, How::Unit(1_073_741_824 * MICRO), "binary gigabytes"),
    row("%", Dimension::Number, How::Percent, "a ratio in percent"),
    row("times", Dimension::Number, How::Times, "a ratio with the word times"),
    row("change", Dimension::Number, How::Change, "a ratio of times as a change: slower or faster"),
    row("whole", Dimension::Number, How::Whole, "the nearest whole number"),
    row("up", Dimension::Number, How::Up, "rounded up to a whole number: how many are enough"),
    row("bare", Dimension::Number, How::Bare, "the number alone"),
    row("word", Dimension::Number, How::Word, "a small count in letters"),
    row("Word", Dimension::Number, How::Word, "the same with a capital"),
    row("part", Dimension::Number, How::Part, "a ratio below one as a part: half, a third, a seventh"),
    row("name", Dimension::Word, How::Bare, "a word as it is"),
];

impl Form {
    /// The form of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        ROWS.iter().find(|r| r.name == name).map(Self)
    }

    /// All names with what they do, for messages and the documentation.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        ROWS.iter().map(|r| (r.name, r.doc))
    }

    /// The unit that it writes behind the number, if it writes one and the number is of that unit.
    pub(super) const fn unit(self) -> Option<&'static str> {
        match self.0.how {
            How::Unit(_) | How::Percent => Some(self.0.name),
            _ => None,
        }
    }

    /// The sort of value that it is for.
    pub(super) const fn dimension(self) -> Dimension {
        self.0.of
    }

    /// A value in this form; as usual where it does not fit.
    pub(super) fn write(self, value: &Value) -> String {
        let Some(v) = value.base().filter(|_| value.dimension() == self.0.of) else { return value.to_string() };
        match &self.0.how {
            How::Unit(micro) => format!("{} {}", significant(v / (*micro as f64 / MICRO as f64)), self.0.name),
            How::Percent => format!("{} %", significant(v * 100.0)),
            How::Times => format!("{} times", significant(v)),
            How::Change => change(v),
            How::Whole => Value::Count(v.max(0.0).round() as u64).to_string(),
            How::Up => Value::Count(v.max(0.0).ceil() as u64).to_string(),
            How::Bare => significant(v),
            How::Word => in_letters(v, self.0.name == "Word"),
            How::Part => part(v),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

/// A ratio of times as people say it.
fn change(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    match percent {
        p if p.abs() < 0.05 => "the same time".to_owned(),
        p if p > 0.0 => format!("{} % slower", significant(p)),
        p => format!("{} % faster", significant(-p)),
    }
}

const LETTERS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

fn in_letters(v: f64, capital: bool) -> String {
    let n = v.max(0.0).round();
    let Some(word) = LETTERS.get(n as usize).filter(|_| (v - n).abs() < 1e-9) else { return significant(v) };
    let mut letters = word.chars();
    match letters.next() {
        Some(first) if capital => first.to_uppercase().chain(letters).collect(),
        _ => (*word).to_owned(),
    }
}

const PARTS: [&str; 9] =
    ["half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth"];

fn part(v: f64) -> String {
    let n = 1.0 / v;
    let whole = (n - n.round()).abs() < 1e-6 * n;
    let named = (n.round() as usize).checked_sub(2).and_then(|i| PARTS.get(i));
    match named {
        Some(name) if whole => (*name).to_owned(),
        _ if whole && n >= 2.0 => format!("1/{}", n.round()),
        _ => format!("{} %", significant(v * 100.0)),
    }
}
