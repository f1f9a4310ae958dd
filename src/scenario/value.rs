//! Values of `set`, what kinds there are, and their exact text.

use std::fmt;

use super::edit::{rounded, share_text};
use crate::parts::Family;
use crate::system::{Algorithm, Protocol, Version};
use crate::units::{Bytes, Share, Time};

/// The right-hand side of `set KEY = VALUE`.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `auto`: left to the model or to the catalogue.
    Auto,
    /// A number of things, or a generation.
    Count(u32),
    /// A ratio, as in 2:1.
    Ratio(f64),
    /// `on` or `off`.
    Switch(bool),
    /// A part by its name or title; printed in quotes.
    Part(String),
    /// A word of the catalogue, as `tcp`.
    Word(String),
    /// A share of the line rate.
    Share(Share),
    /// A time.
    Time(Time),
    /// An algorithm.
    Algorithm(Algorithm),
    /// A protocol.
    Protocol(Protocol),
    /// A library version.
    Version(Version),
}

/// What sort of value a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number from 1 to the limit; `16K` is 16,384.
    Count {
        /// The largest.
        max: u32,
    },
    /// A generation of a family of links.
    Generation(Family),
    /// Ports down per port up.
    Ratio,
    /// `on` or `off`.
    Switch,
    /// A NIC of the catalogue.
    Nic,
    /// A GPU of the catalogue.
    Gpu,
    /// A transport of the catalogue.
    Transport,
    /// A usable share of a family's line rate, or `auto`.
    Share(Family),
    /// A time, or `auto`.
    Time,
    /// An algorithm, or `auto`.
    Algorithm,
    /// A protocol, or `auto`.
    Protocol,
    /// A library version.
    Version,
}

/// Limits of an oversubscription, as in a system file.
const RATIOS: std::ops::RangeInclusive<f64> = 0.05..=100.0;
/// Longest launch overhead that makes sense: one second.
const LONGEST_LAUNCH: Time = Time::from_us(1e6);

impl Kind {
    /// What it takes, for a message.
    pub fn expected(self) -> String {
        match self {
            Self::Count { max } => format!("a whole number from 1 to {max}"),
            Self::Generation(_) => "a generation".to_owned(),
            Self::Ratio => "ports down per port up, 0.05 to 100".to_owned(),
            Self::Switch => "on or off".to_owned(),
            Self::Nic => "a NIC".to_owned(),
            Self::Gpu => "a GPU".to_owned(),
            Self::Transport => "a transport".to_owned(),
            Self::Share(_) => "a share above 0 and at most 100%, or auto".to_owned(),
            Self::Time => "a time up to 1s, or auto".to_owned(),
            Self::Algorithm => format!("auto, {}", names(Algorithm::ALL.iter().map(|a| a.name()))),
            Self::Protocol => format!("auto, {}", names(Protocol::ALL.iter().map(|p| p.name()))),
            Self::Version => "a library version".to_owned(),
        }
    }

    /// Reads a value; the error says what is wrong with the text.
    pub(super) fn parse(self, text: &str) -> Result<Value, String> {
        let said: String = text.chars().take(40).collect();
        if said.is_empty() {
            return Err("a value is missing".to_owned());
        }
        let bad = || format!("{said:?} is not {}", self.noun());
        let auto = text == "auto";
        match self {
            Self::Count { max } => count(text).filter(|n| (1..=max).contains(n)).map(Value::Count).ok_or_else(bad),
            Self::Generation(_) => count(text).filter(|n| *n >= 1).map(Value::Count).ok_or_else(bad),
            Self::Ratio => ratio(text).map(Value::Ratio).ok_or_else(bad),
            Self::Switch => switch(text).map(Value::Switch).ok_or_else(bad),
            Self::Nic | Self::Gpu => name(text).map(Value::Part).ok_or_else(bad),
            Self::Transport => name(text).map(Value::Word).ok_or_else(bad),
            Self::Share(_) | Self::Time | Self::Algorithm | Self::Protocol if auto => Ok(Value::Auto),
            Self::Share(_) => share(text).map(Value::Share).ok_or_else(bad),
            Self::Time => text.parse().ok().filter(|t: &Time| *t <= LONGEST_LAUNCH).map(Value::Time).ok_or_else(bad),
            Self::Algorithm => text.parse().map(Value::Algorithm).map_err(|_| bad()),
            Self::Protocol => text.parse().map(Value::Protocol).map_err(|_| bad()),
            Self::Version => {
                text.parse().map(Value::Version).map_err(|e: String| if e.contains("known") { e } else { bad() })
            }
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Count { .. } => "such a number",
            Self::Generation(_) => "a generation",
            Self::Ratio => "such a ratio",
            Self::Switch => "on or off",
            Self::Nic => "the name of a NIC",
            Self::Gpu => "the name of a GPU",
            Self::Transport => "the name of a transport",
            Self::Share(_) => "such a share",
            Self::Time => "such a time",
            Self::Algorithm => "an algorithm",
            Self::Protocol => "a protocol",
            Self::Version => "a library version",
        }
    }
}

fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

/// `64`, `16K`: binary, as sizes are.
fn count(text: &str) -> Option<u32> {
    if let Ok(n) = text.parse::<u32>() {
        return Some(n);
    }
    let whole = text.strip_suffix(['K', 'M']).is_some_and(|n| n.parse::<u32>().is_ok());
    let bytes: Bytes = text.parse().ok().filter(|_| whole)?;
    u32::try_from(bytes.to_u64()).ok()
}

fn ratio(text: &str) -> Option<f64> {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse::<f64>().ok().filter(|v| plain && RATIOS.contains(v))
}

fn switch(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "on" | "true" | "yes" => Some(true),
        "off" | "false" | "no" => Some(false),
        _ => None,
    }
}

fn share(text: &str) -> Option<Share> {
    let s = rounded(text.parse().ok()?);
    (s.ratio() > 0.0 && s.ratio() <= 1.0).then_some(s)
}

fn name(text: &str) -> Option<String> {
    let good = text.len() <= 64 && text.trim() == text && !text.contains('"') && !text.chars().any(char::is_control);
    good.then(|| text.to_owned())
}

/// Exact text: parses back to the same value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Auto => "auto".to_owned(),
            Self::Count(n) => n.to_string(),
            Self::Ratio(r) => r.to_string(),
            Self::Switch(on) => if *on { "on" } else { "off" }.to_owned(),
            Self::Part(name) => format!("\"{name}\""),
            Self::Word(word) if word.contains(char::is_whitespace) => format!("\"{word}\""),
            Self::Word(word) => word.clone(),
            Self::Share(s) => share_text(*s),
            Self::Time(t) => format!("{}us", t.us()),
            Self::Algorithm(a) => a.to_string(),
            Self::Protocol(p) => p.to_string(),
            Self::Version(v) => v.to_string(),
        };
        f.pad(&text)
    }
}
