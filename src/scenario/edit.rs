//! One change and its text.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Key, Value};
use crate::system::{Address, Cut, System};
use crate::units::{Bandwidth, Share};

/// One what-if change.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// `off ADDRESS`: take a device or link out.
    Off(Address),
    /// `on ADDRESS`: take it back, and everything below it.
    On(Address),
    /// `degrade ADDRESS to 200Gb/s` or `to 50%`: a sick link.
    Degrade(Address, Cut),
    /// `set KEY = VALUE`.
    Set(Key, Value),
}

/// An edit in a list, switched on or off.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The edit.
    pub edit: Edit,
    /// False for an edit that is kept but does not apply.
    pub enabled: bool,
}

/// The words an edit starts with, and what they do.
pub(super) const VERBS: [(&str, &str); 4] = [
    ("off", "take a device or link out"),
    ("on", "take a device or link back"),
    ("degrade", "cut a link down to a rate or a share of its own"),
    ("set", "size, parts, network, software"),
];

/// Parts per million: shares are kept to this, so that their text is exact.
const PPM: f64 = 1e6;

/// A share rounded to parts per million.
pub(super) fn rounded(s: Share) -> Share {
    Share::new((s.ratio() * PPM).round() / PPM)
}

/// A share as exact text: `50%`, `33.3333%`.
pub(super) fn share_text(s: Share) -> String {
    format!("{}%", (s.ratio() * PPM).round() / (PPM / 100.0))
}

/// A rate as exact text, in bits: eighths are exact in binary, so nothing is lost.
fn rate_text(b: Bandwidth) -> String {
    format!("{}Gb/s", b.gbits_per_s())
}

impl Edit {
    /// `set KEY = VALUE`.
    pub const fn set(key: Key, value: Value) -> Self {
        Self::Set(key, value)
    }

    /// `degrade ADDRESS to CUT`; a share is rounded to parts per million, as in its text.
    pub fn degrade(address: Address, cut: Cut) -> Self {
        let cut = match cut {
            Cut::Share(s) => Cut::Share(rounded(s)),
            Cut::To(_) => cut,
        };
        Self::Degrade(address, cut)
    }

    /// What it names, unless it is a `set`.
    pub const fn address(&self) -> Option<&Address> {
        match self {
            Self::Off(a) | Self::On(a) | Self::Degrade(a, _) => Some(a),
            Self::Set(..) => None,
        }
    }

    /// The same with the unit of its address written out, where the system can grow: `off gpu0` on one node of a cluster
    /// is `off node0/gpu0`, also after `set nodes = 2`.
    #[must_use]
    pub fn in_full(self, system: &System) -> Self {
        let grows = system.fabric.is_some();
        match self {
            Self::Off(a) if grows => Self::Off(a.in_full(system)),
            Self::On(a) if grows => Self::On(a.in_full(system)),
            Self::Degrade(a, cut) if grows => Self::Degrade(a.in_full(system), cut),
            other => other,
        }
    }

    /// The key that it sets.
    pub const fn key(&self) -> Option<Key> {
        match self {
            Self::Set(k, _) => Some(*k),
            _ => None,
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Off(a) => format!("off {a}"),
            Self::On(a) => format!("on {a}"),
            Self::Degrade(a, Cut::To(rate)) => format!("degrade {a} to {}", rate_text(*rate)),
            Self::Degrade(a, Cut::Share(s)) => format!("degrade {a} to {}", share_text(*s)),
            Self::Set(k, v) => format!("set {k} = {v}"),
        };
        f.pad(&text)
    }
}

impl Serialize for Edit {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Edit {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl From<Edit> for Entry {
    fn from(edit: Edit) -> Self {
        Self { edit, enabled: true }
    }
}
