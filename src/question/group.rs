//! Who takes part: all ranks, each node by itself, each rail, or every so-many-th rank.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A division of the ranks into groups that run at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Group {
    /// One group of all ranks.
    #[default]
    All,
    /// Each node (host) is a group of its own.
    Node,
    /// GPUs of equal index across nodes; all rails at once.
    Rail,
    /// Blocks of `stride x count` ranks; in each block the ranks `o, o+stride, ...` form a group of `count`.
    Strided {
        /// Distance between neighbours in rank numbers.
        stride: u32,
        /// Ranks in a group.
        count: u32,
    },
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::Node => f.pad("node"),
            Self::Rail => f.pad("rail"),
            Self::Strided { stride, count } => f.pad(&format!("{stride}x{count}")),
        }
    }
}

impl FromStr for Group {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let fail = || format!("{s:?} is not a group; expected all, node, rail or STRIDExCOUNT as 8x16");
        match s.trim() {
            "all" => Ok(Self::All),
            "node" => Ok(Self::Node),
            "rail" => Ok(Self::Rail),
            other => {
                let (a, b) = other.split_once('x').ok_or_else(fail)?;
                let (stride, count) = (a.parse().map_err(|_| fail())?, b.parse().map_err(|_| fail())?);
                if stride == 0 || count == 0 { Err(fail()) } else { Ok(Self::Strided { stride, count }) }
            }
        }
    }
}

impl Serialize for Group {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}
