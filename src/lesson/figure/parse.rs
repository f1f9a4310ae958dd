//! Reading a figure: every error says what is wrong, in which column, and what was expected.

use super::error::FigureError;
use super::expr::{Ask, Asked, Change, Expr, Machine, Place, Sign, Size};
use super::form::Form;
use super::quantity::{About, Quantity};
use super::scene::Names;
use super::value::Value;
use super::words::Word;
use crate::parts::nearest;
use crate::question::Collective;
use crate::scenario::Edit;
use crate::system::{Algorithm, Protocol};

/// Deepest nesting of brackets.
const DEEPEST: usize = 32;

/// Words that go on with a figure, so that no name may be one of them.
pub(super) const JOINTS: [&str; 9] = ["of", "in", "on", "with", "among", "by", "via", "to", "as"];

/// A list of words being read.
pub(super) struct Reader<'w, 'n> {
    words: &'w [Word<'w>],
    at: usize,
    depth: usize,
    end: usize,
    names: &'n Names,
}

type Read<T> = Result<T, FigureError>;

impl<'w, 'n> Reader<'w, 'n> {
    /// The words of a text that ends before a column.
    pub(super) const fn new(words: &'w [Word<'w>], end: usize, names: &'n Names) -> Self {
        Self { words, at: 0, depth: 0, end, names }
    }

    /// The next word.
    pub(super) fn peek(&self) -> Option<Word<'w>> {
        self.words.get(self.at).copied()
    }

    /// Goes past the next word if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let here = self.peek().is_some_and(|w| !w.quoted && w.text == word);
        self.at += usize::from(here);
        here
    }

    pub(super) fn next(&mut self) -> Option<Word<'w>> {
        let word = self.peek();
        self.at += usize::from(word.is_some());
        word
    }

    /// Where the next word is.
    pub(super) fn column(&self) -> usize {
        self.peek().map_or(self.end, |w| w.column)
    }

    /// An error about the next word.
    pub(super) fn error<T>(&self, message: impl Into<String>, expected: impl Into<String>) -> Read<T> {
        Err(FigureError { column: self.column(), message: message.into(), expected: expected.into() })
    }

    /// Nothing may be left.
    pub(super) fn finish(&self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(w) => self.error(format!("{:?} is too much", short(w.text)), "expected nothing after the figure"),
        }
    }

    /// Whether a word could not start a figure: it is neither a number, nor a name, nor a quantity.
    pub(super) fn is_no_figure(&self, word: &str) -> bool {
        Value::literal(word).is_none() && !self.names.figures.contains_key(word) && Quantity::named(word).is_none()
    }

    /// `a + b - c`.
    pub(super) fn sum(&mut self) -> Read<Expr> {
        let mut left = self.product()?;
        loop {
            let sign = match () {
                () if self.take("+") => Sign::Plus,
                () if self.take("-") => Sign::Minus,
                () => return Ok(left),
            };
            left = Expr::Pair(sign, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Read<Expr> {
        let mut left = self.atom()?;
        loop {
            let sign = match () {
                () if self.take("*") => Sign::Times,
                () if self.take("/") => Sign::Over,
                () => return Ok(left),
            };
            left = Expr::Pair(sign, Box::new(left), Box::new(self.atom()?));
        }
    }

    fn atom(&mut self) -> Read<Expr> {
        if self.take("(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return self.error("brackets are nested too deep", "expected a shorter figure");
            }
            let inside = self.sum()?;
            if !self.take(")") {
                return self.error("a bracket is left open", "expected )");
            }
            self.depth -= 1;
            return Ok(inside);
        }
        let Some(word) = self.peek() else {
            return self.error("a figure is missing", "expected for example busbw of all-reduce 1GiB on dgx-h100");
        };
        if word.quoted {
            self.next();
            return Ok(Expr::Literal(Value::word(word.text)));
        }
        if let Some(value) = self.literal(word) {
            return Ok(Expr::Literal(value));
        }
        if let Some(name) = word.text.strip_prefix('$') {
            return self.given(name).map(Expr::Given);
        }
        if self.names.figures.contains_key(word.text) {
            self.next();
            return Ok(Expr::Named(word.text.to_owned()));
        }
        let Some(quantity) = Quantity::named(word.text) else {
            let hint = Quantity::hint(word.text, self.names.figures.keys().map(String::as_str));
            return self.error(format!("no figure {:?}", short(word.text)), hint);
        };
        self.next();
        self.ask(quantity).map(|a| Expr::Ask(Box::new(a)))
    }

    /// A number with its unit, which may stand apart: `1 GiB`.
    fn literal(&mut self, word: Word<'_>) -> Option<Value> {
        let value = Value::literal(word.text)?;
        self.next();
        let unit = self.peek().filter(|w| !w.quoted).map(|w| format!("{}{}", word.text, w.text));
        let joined = unit.filter(|_| matches!(value, Value::Count(_) | Value::Ratio(_)));
        match joined.and_then(|text| Value::literal(&text)) {
            Some(joined) => {
                self.next();
                Some(joined)
            }
            None => Some(value),
        }
    }

    fn given(&mut self, name: &str) -> Read<String> {
        if self.names.given.contains_key(name) {
            self.next();
            return Ok(name.to_owned());
        }
        let near = nearest(name, self.names.given.keys().map(String::as_str));
        let hint = if near.is_empty() { String::new() } else { format!("did you mean ${}?", near.join(" or $")) };
        self.error(format!("no value ${} is given", short(name)), hint)
    }

    /// What follows a quantity.
    fn ask(&mut self, quantity: Quantity) -> Read<Ask> {
        let mut ask = Ask { quantity, place: None, question: None, machine: Machine::default() };
        match quantity.about() {
            About::Question => {
                if self.take("of") || self.take("in") {
                    ask.question = Some(self.question()?);
                }
            }
            About::Place => {
                self.needs("of", "line of scale-up")?;
                ask.place = Some(Place::One(self.place()?));
            }
            About::Pair => {
                self.needs("of", "near of gpu0 to gpu1")?;
                let from = self.place()?;
                self.needs("to", "near of gpu0 to gpu1")?;
                ask.place = Some(Place::Two(from, self.place()?));
            }
            About::Algorithms => {
                let example = "crossover of tree to ring in all-reduce";
                self.needs("of", example)?;
                let from = self.algorithm()?;
                self.needs("to", example)?;
                ask.place = Some(Place::Algorithms(from, self.algorithm()?));
            }
            About::Machine | About::Explorer => {}
        }
        if matches!(quantity.about(), About::Place | About::Algorithms) && self.take("in") {
            ask.question = Some(self.question()?);
        }
        if quantity.about() != About::Explorer {
            ask.machine = self.machine()?;
        }
        Ok(ask)
    }

    fn needs(&mut self, joint: &str, example: &str) -> Read<()> {
        if self.take(joint) {
            return Ok(());
        }
        self.error(format!("{joint:?} is missing"), format!("expected for example {example}"))
    }

    fn place(&mut self) -> Read<String> {
        match self.peek().filter(|w| w.quoted || !(JOINTS.contains(&w.text) || "()+*/-".contains(w.text))) {
            Some(w) => {
                self.next();
                Ok(w.text.to_owned())
            }
            None => {
                self.error("a place is missing", "expected a tier, an address or a part, as scale-up or node0/gpu3")
            }
        }
    }

    fn algorithm(&mut self) -> Read<Algorithm> {
        let word = self.peek().map_or("", |w| w.text);
        match word.parse() {
            Ok(a) => {
                self.next();
                Ok(a)
            }
            Err(e) => self.error(e, ""),
        }
    }

    fn protocol(&mut self) -> Read<Protocol> {
        let word = self.peek().map_or("", |w| w.text);
        match word.parse() {
            Ok(p) => {
                self.next();
                Ok(p)
            }
            Err(e) => self.error(e, ""),
        }
    }

    /// `[COLLECTIVE] [SIZE] [among GROUP] [by ALGORITHM] [via PROTOCOL]`, in any order.
    pub(super) fn question(&mut self) -> Read<Asked> {
        let mut asked = Asked::default();
        let start = self.at;
        while let Some(word) = self.peek().filter(|w| !w.quoted) {
            if let (None, Ok(c)) = (asked.collective, exact_collective(word.text)) {
                self.next();
                asked.collective = Some(c);
            } else if let (None, Some(name)) = (&asked.size, word.text.strip_prefix('$')) {
                asked.size = Some(Size::Given(self.given(name)?));
            } else if let (None, Some(value)) = (&asked.size, Value::literal(word.text)) {
                asked.size = Some(self.size(word, &value)?);
            } else if self.take("among") {
                let word = self.peek().map_or("", |w| w.text);
                asked.group = word.parse().or_else(|e: String| self.error(e, ""))?;
                self.next();
            } else if self.take("by") {
                asked.algorithm = Some(self.algorithm()?);
            } else if self.take("via") {
                asked.protocol = Some(self.protocol()?);
            } else {
                break;
            }
        }
        if self.at == start {
            let word = self.peek().map_or("", |w| w.text);
            let names: Vec<&str> = Collective::ALL.iter().map(|c| c.name()).collect();
            let near = nearest(word, names.iter().copied());
            let hint = match near.first() {
                Some(n) => format!("did you mean {n}?"),
                None => "expected for example all-reduce 1GiB by ring".to_owned(),
            };
            let message = if word.is_empty() {
                "a question is missing".to_owned()
            } else {
                format!("{:?} is no question", short(word))
            };
            return self.error(message, hint);
        }
        Ok(asked)
    }

    fn size(&mut self, word: Word<'_>, value: &Value) -> Read<Size> {
        let joined = self.literal(word);
        match joined.as_ref().unwrap_or(value) {
            Value::Size(b) => Ok(Size::Is(*b)),
            Value::Count(n) => Ok(Size::Is(crate::units::Bytes::from_u64(*n))),
            _ => {
                self.at -= 1;
                self.error(format!("{:?} is not a size", short(word.text)), "expected for example 64KiB or 1GiB")
            }
        }
    }

    /// `[on NAME] [with 'EDITS']`.
    fn machine(&mut self) -> Read<Machine> {
        let mut machine = Machine::default();
        if self.take("on") {
            machine.name = Some(self.place().map_err(|e| FigureError {
                message: "a machine is missing".to_owned(),
                expected: "expected for example on dgx-h100".to_owned(),
                ..e
            })?);
        }
        if self.take("with") {
            let Some(list) = self.peek().filter(|w| w.quoted) else {
                return self
                    .error("edits are missing", "expected them in quotes: with 'off node0/nic2; set nodes = 4'");
            };
            self.next();
            machine.edits = changes(list, self.names)?;
        }
        Ok(machine)
    }

    /// `as FORM`, if it is there.
    pub(super) fn form(&mut self) -> Read<Option<Form>> {
        if !self.take("as") {
            return Ok(None);
        }
        let word = self.peek().map_or("", |w| w.text);
        let Some(form) = Form::named(word) else {
            let names: Vec<&str> = Form::all().map(|(name, _)| name).collect();
            let near = nearest(word, names.iter().copied());
            let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
            let expected = format!("expected one of {}{hint}", names.join(", "));
            return self.error(format!("no form {:?}", short(word)), expected);
        };
        self.next();
        Ok(Some(form))
    }
}

/// A collective by its exact name: `reduce` must not be read out of `reduce-scatter` misspelt.
fn exact_collective(word: &str) -> Result<Collective, ()> {
    Collective::ALL.iter().copied().find(|c| c.name() == word).ok_or(())
}

/// Edits parted by semicolons.
fn changes(list: Word<'_>, names: &Names) -> Read<Vec<Change>> {
    let mut all = Vec::new();
    let mut at = 0;
    for text in list.text.split(';') {
        let column = list.column + at;
        at += text.chars().count() + 1;
        if text.contains('$') {
            unknown_given(text, names).map_or(Ok(()), |name| {
                let message = format!("no value ${} is given", short(name));
                Err(FigureError { column, message, expected: String::new() })
            })?;
            all.push(Change::Template(text.trim().to_owned()));
            continue;
        }
        let edit = text.parse::<Edit>().map_err(|e| FigureError {
            column: column + e.column - 1,
            message: e.message,
            expected: e.expected,
        })?;
        all.push(Change::Is(edit));
    }
    Ok(all)
}

fn unknown_given<'t>(text: &'t str, names: &Names) -> Option<&'t str> {
    let word =
        |t: &'t str| t.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).next().unwrap_or_default();
    text.split('$').skip(1).map(word).find(|name| !names.given.contains_key(*name))
}

/// A word of the user's, cut short for a message.
pub(super) fn short(word: &str) -> String {
    word.chars().take(40).collect()
}
