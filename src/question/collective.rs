//! The collectives and their bus-bandwidth factors.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::parts::nearest;
use crate::units::Share;

/// A collective operation, as nccl-tests measures it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Collective {
    /// Everyone ends with the sum of all.
    AllReduce,
    /// Everyone ends with everyone's piece.
    AllGather,
    /// Everyone ends with its piece of the sum.
    ReduceScatter,
    /// One sends to all.
    Broadcast,
    /// One ends with the sum.
    Reduce,
    /// Everyone sends a different piece to everyone.
    AllToAll,
    /// Everyone sends to the next rank and receives from the one before.
    SendRecv,
}

impl Collective {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::AllReduce,
        Self::AllGather,
        Self::ReduceScatter,
        Self::Broadcast,
        Self::Reduce,
        Self::AllToAll,
        Self::SendRecv,
    ];

    /// As written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all-reduce",
            Self::AllGather => "all-gather",
            Self::ReduceScatter => "reduce-scatter",
            Self::Broadcast => "broadcast",
            Self::Reduce => "reduce",
            Self::AllToAll => "all-to-all",
            Self::SendRecv => "send-recv",
        }
    }

    /// Whether it only gathers or scatters pieces: every byte crosses each link once.
    pub const fn gathers(self) -> bool {
        matches!(self, Self::AllGather | Self::ReduceScatter)
    }

    /// nccl-tests' bus-bandwidth factor for n ranks: `busbw = algbw x factor`
    /// (NVIDIA/nccl-tests `doc/PERFORMANCE.md`: all-reduce 2(n-1)/n; all-gather, reduce-scatter, all-to-all (n-1)/n; else 1).
    pub fn bus_factor(self, ranks: u64) -> Share {
        let n = ranks.max(1) as f64;
        let peers = (n - 1.0) / n;
        Share::new(match self {
            Self::AllReduce => 2.0 * peers,
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => peers,
            Self::Broadcast | Self::Reduce | Self::SendRecv => 1.0,
        })
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Collective {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let plain = |t: &str| t.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
        let wanted = plain(s);
        Self::ALL.iter().copied().find(|c| plain(c.name()) == wanted).ok_or_else(|| {
            let names = Self::ALL.iter().map(|c| c.name());
            let near = nearest(s, names.clone());
            let hint = near.first().map_or(String::new(), |n| format!("; did you mean {n}?"));
            format!("{s:?} is not a collective; expected one of {}{hint}", names.collect::<Vec<_>>().join(", "))
        })
    }
}

impl Serialize for Collective {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Collective {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}
