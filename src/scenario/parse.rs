//! Reading an edit: every error says what is wrong, in which column, and what was expected.

use std::str::FromStr;

use super::edit::VERBS;
use super::{Edit, Key};
use crate::parts::nearest;
use crate::system::{Address, AddressError, Cut};
use crate::units::{Bandwidth, Share};

/// Why a text is not an edit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}{}", tail(.expected))]
pub struct EditError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What was expected, or the nearest valid names.
    pub expected: String,
}

fn tail(expected: &str) -> String {
    if expected.is_empty() { String::new() } else { format!("; {expected}") }
}

/// `did you mean a or b?`, or what else was expected.
pub(super) fn did_you_mean(name: &str, all: impl IntoIterator<Item = &'static str> + Clone, what: &str) -> String {
    let near = nearest(name, all.clone());
    if near.is_empty() {
        let names: Vec<&str> = all.into_iter().collect();
        format!("expected {what}: {}", names.join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    }
}

/// A text being read, with the place of the next character.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Characters up to the first that `end` accepts.
    fn take_until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let word = rest.get(..rest.find(end).unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word
    }

    /// An error at a byte of the text.
    fn error(&self, at: usize, message: impl Into<String>, expected: impl Into<String>) -> EditError {
        let column = self.text.get(..at).map_or(0, |t| t.chars().count()) + 1;
        EditError { column, message: message.into(), expected: expected.into() }
    }
}

/// A word of the user's, cut short for a message.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

impl FromStr for Edit {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let mut r = Reader { text, at: 0 };
        r.skip_blanks();
        let at = r.at;
        let verb = r.take_until(char::is_whitespace);
        r.skip_blanks();
        match verb {
            "off" => Ok(Self::Off(address(&r, r.at, r.rest())?)),
            "on" => Ok(Self::On(address(&r, r.at, r.rest())?)),
            "degrade" => degrade(&r),
            "set" => set(&mut r),
            "" => Err(r.error(at, "nothing here", "expected an edit, for example off node0/gpu3")),
            other => {
                let expected = did_you_mean(other, VERBS.iter().map(|v| v.0), "one of");
                Err(r.error(at, format!("unknown word {:?}", short(other)), expected))
            }
        }
    }
}

fn address(r: &Reader<'_>, at: usize, text: &str) -> Result<Address, EditError> {
    let tight: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if tight.is_empty() {
        return Err(r.error(at, "an address is missing", "expected for example node0/gpu3, node*/nic0 or leaf4"));
    }
    if let Some(i) = text.trim_end().find(char::is_whitespace) {
        let word = text.get(i..).unwrap_or_default().trim();
        return Err(r.error(
            at + i + 1,
            format!("{:?} is too much", short(word)),
            "expected one address and nothing after it",
        ));
    }
    tight.parse().map_err(|e| match e {
        AddressError::List { name, reason } => r.error(at, format!("{}: {reason}", short(&name)), ""),
        _ => r.error(at, format!("{:?} is not an address", short(&tight)), "expected for example node0/gpu3"),
    })
}

fn degrade(r: &Reader<'_>) -> Result<Edit, EditError> {
    let rest = r.rest();
    let Some(i) = rest.find(" to ") else {
        let end = r.at + rest.trim_end().len();
        return Err(r.error(end, "how far is missing", "expected for example degrade node0/nic1 to 50%"));
    };
    let (target, cut) = (rest.get(..i).unwrap_or_default(), rest.get(i + 4..).unwrap_or_default());
    let address = address(r, r.at, target)?;
    let at = r.at + i + 4 + (cut.len() - cut.trim_start().len());
    let cut = cut_of(cut.trim()).map_err(|m| r.error(at, m, "expected for example 200Gb/s or 50%"))?;
    Ok(Edit::degrade(address, cut))
}

/// `200Gb/s`, `50%`.
fn cut_of(text: &str) -> Result<Cut, String> {
    if text.contains('/') {
        let rate: Bandwidth = text.parse().map_err(|_| format!("{:?} is not a rate", short(text)))?;
        return if rate.is_usable() { Ok(Cut::To(rate)) } else { Err("a link without any rate is off".to_owned()) };
    }
    let share: Share = text.parse().map_err(|_| format!("{:?} is neither a rate nor a share", short(text)))?;
    let left = super::edit::rounded(share);
    if !text.ends_with('%') && left.ratio() > 1.0 {
        return Err(format!("{:?} has no unit", short(text)));
    }
    match left.ratio() {
        v if v <= 0.0 => Err(format!("{text} leaves nothing: that is off")),
        v if v > 1.0 => Err(format!("{text} is more than the link has")),
        _ => Ok(Cut::Share(left)),
    }
}

fn set(r: &mut Reader<'_>) -> Result<Edit, EditError> {
    let at = r.at;
    let name = r.take_until(|c| c.is_whitespace() || c == '=');
    if name.is_empty() {
        return Err(r.error(at, "a key is missing", "expected for example set nodes = 4"));
    }
    let key: Key = name.parse().map_err(|expected| {
        let message = format!("unknown key {:?}", short(name));
        r.error(at, message, expected)
    })?;
    r.skip_blanks();
    if !r.rest().starts_with('=') {
        return Err(r.error(
            r.at,
            format!("no = after {key}"),
            format!("expected for example set {}", key.info().example),
        ));
    }
    r.at += 1;
    r.skip_blanks();
    let at = r.at;
    let text = unquoted(r)?;
    let kind = key.info().kind;
    let value = kind.parse(text).map_err(|message| {
        let example = key.info().example;
        r.error(at, message, format!("expected {}, for example set {example}", kind.expected()))
    })?;
    Ok(Edit::Set(key, value))
}

/// The value, without its quotes.
fn unquoted<'a>(r: &Reader<'a>) -> Result<&'a str, EditError> {
    let rest = r.rest().trim_end();
    let Some(open) = rest.strip_prefix('"') else { return Ok(rest) };
    match open.split_once('"') {
        Some((inside, "")) => Ok(inside),
        Some((inside, more)) => {
            let at = r.at + 2 + inside.len();
            Err(r.error(at, format!("{:?} is too much", short(more.trim())), "expected nothing after the value"))
        }
        None => Err(r.error(r.at, "a quote is left open", "expected a closing \"")),
    }
}

#[cfg(test)]
pub(super) mod tests;
