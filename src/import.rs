//! Files that real machines print -> a system, with a report of what was read, derived, assumed and dropped.
//!
//! One module per format turns text into a draft: devices and wires as the file names them. `assemble` gives
//! the draft the catalogue's parts, the names of this program and the shape of a system file. Formats are told apart by
//! content, never by name ([`detect`]). Everything is bounded: long files, deep nesting, entity tricks and random bytes end
//! in a clear error or a shorter result, never in a panic.

mod amd;
mod assemble;
mod clean;
mod detect;
mod draft;
mod fabric;
mod gpus;
mod hwloc;
mod links;
mod matrix;
mod nccl;
mod parts;
mod refine;
mod report;
mod scale_up;
mod smi;
mod write;
mod xml;

use std::sync::Arc;

pub use detect::{Kind, detect, is_printed};
pub use report::{Counts, ImportError, Note, Report, several};

use crate::parts::Catalogue;
use crate::system::{self, SystemSpec};

/// What the user says beside the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// The GPU, where the file does not name it (`--gpu a100`): a part's name, an alias, or the beginning of one.
    pub gpu: Option<&'a str>,
    /// Number of nodes (racks, where the file shows a rack) in the cluster (`--nodes 64`).
    pub nodes: Option<u32>,
    /// Text of a fabric file (`--fabric ibnet.txt`).
    pub fabric: Option<&'a str>,
    /// Short name of the new system; `imported` if left out.
    pub name: Option<&'a str>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The format that was recognised.
    pub kind: Kind,
    /// The system; it builds against the catalogue that was given.
    pub spec: SystemSpec,
    /// What was read, derived, assumed and dropped.
    pub report: Report,
}

/// Reads a file that a machine printed.
///
/// Errors: what is not a topology (with the reason), what lacks something that only a flag can supply (the error names the
/// flag), and files that describe more than this program takes.
pub fn import(text: &str, options: &Options, catalogue: &Arc<Catalogue>) -> Result<Imported, ImportError> {
    let text = clean::clean(text);
    let kind = detect::recognise(&text)?;
    let mut report = Report::default();
    if kind.is_fabric() {
        return Err(lone_fabric(&text, kind));
    }
    let network = options.fabric.map(|f| fabric::read(f, &mut report)).transpose()?;
    let draft = match kind {
        Kind::NcclXml => nccl::read(&text, &mut report)?,
        Kind::NvidiaSmi => smi::read(&text, options, catalogue, &mut report)?,
        Kind::RocmSmi | Kind::AmdSmi => amd::read(&text, options, &mut report)?,
        Kind::Hwloc => hwloc::read(&text, &mut report)?,
        Kind::IbNetDiscover | Kind::IbLinkInfo | Kind::Slurm => return Err(lone_fabric(&text, kind)),
    };
    let spec = assemble::assemble(draft, kind, options, network.as_ref(), catalogue, &mut report)?;
    let built = system::build(&spec, catalogue)
        .map_err(|e| ImportError::new(format!("what the file describes cannot be a system: {e}")))?;
    report.counts = Counts::of(&built, report.counts.nodes_in_file);
    Ok(Imported { kind, spec, report })
}

/// A fabric file given as the machine: what it shows, and how it is used.
fn lone_fabric(text: &str, kind: Kind) -> ImportError {
    match fabric::read(text, &mut Report::default()) {
        Err(e) => e,
        Ok(f) => {
            ImportError::new(format!("{} describes the network between {} hosts and no node", kind.title(), f.hosts))
                .expecting("a node's file first (NCCL topology XML, nvidia-smi topo -m)")
                .flag("--fabric FILE beside it")
        }
    }
}
