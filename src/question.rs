//! What is asked: which collective, how large, who takes part, and (if forced) by which algorithm and protocol.

mod collective;
mod group;
mod participants;

use serde::{Deserialize, Serialize};

pub use collective::Collective;
pub use group::Group;
pub use participants::{ClassGroups, Participants, QuestionError};

use crate::system::{Algorithm, Protocol};
use crate::units::Bytes;

/// A question about a system. Sizes follow nccl-tests: for all-gather, reduce-scatter and all-to-all the full buffer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The collective.
    pub collective: Collective,
    /// nccl-tests' size.
    pub size: Bytes,
    /// Who takes part.
    #[serde(default)]
    pub group: Group,
    /// Forced algorithm; `None` lets the library choose.
    #[serde(default)]
    pub algorithm: Option<Algorithm>,
    /// Forced protocol; `None` lets the library choose.
    #[serde(default)]
    pub protocol: Option<Protocol>,
}

impl Default for Question {
    /// An all-reduce of 1 GiB over all ranks.
    fn default() -> Self {
        Self::new(Collective::AllReduce, Bytes::from_gib(1.0))
    }
}

impl Question {
    /// A question over all ranks with the library's own choice.
    pub const fn new(collective: Collective, size: Bytes) -> Self {
        Self { collective, size, group: Group::All, algorithm: None, protocol: None }
    }

    /// The same question at another size.
    #[must_use]
    pub const fn at_size(self, size: Bytes) -> Self {
        Self { size, ..self }
    }
}
