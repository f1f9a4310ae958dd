//! Which format a text is, by its content; and why a text that looks like one is not.

use serde::Serialize;

use super::report::ImportError;
use super::{clean, matrix};

/// The formats that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `NCCL_TOPO_FILE`, `NCCL_TOPO_DUMP_FILE`: XML of a node, also RCCL's.
    NcclXml,
    /// `nvidia-smi topo -m`.
    NvidiaSmi,
    /// `rocm-smi --showtopo`.
    RocmSmi,
    /// `amd-smi topology`, as text or JSON.
    AmdSmi,
    /// `lstopo file.xml`.
    Hwloc,
    /// `ibnetdiscover`, also the dialect of ibsim.
    IbNetDiscover,
    /// `iblinkinfo`.
    IbLinkInfo,
    /// Slurm's `topology.conf` or `topology.yaml`.
    Slurm,
}

impl Kind {
    /// As people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::NcclXml => "NCCL topology XML",
            Self::NvidiaSmi => "nvidia-smi topo -m",
            Self::RocmSmi => "rocm-smi --showtopo",
            Self::AmdSmi => "amd-smi topology",
            Self::Hwloc => "hwloc XML",
            Self::IbNetDiscover => "ibnetdiscover",
            Self::IbLinkInfo => "iblinkinfo",
            Self::Slurm => "Slurm topology",
        }
    }

    /// True for files that describe the network between nodes and no node.
    pub const fn is_fabric(self) -> bool {
        matches!(self, Self::IbNetDiscover | Self::IbLinkInfo | Self::Slurm)
    }
}

/// The format of a text, or `None`. Never looks at a file's name.
pub fn detect(text: &str) -> Option<Kind> {
    recognise(&clean::clean(text)).ok()
}

/// Whether a text is what a machine printed rather than a file in RON: one of the formats, or something that is known to
/// be none of them (a graph file, a log), for which [`super::import`] has the reason.
pub fn is_printed(text: &str) -> bool {
    let text = clean::clean(text);
    if text.trim_start().starts_with(['(', '/']) || text.trim_start().starts_with("#![") {
        return false;
    }
    recognise(&text).map_or_else(|e| e.message != NO_FORMAT, |_| true)
}

/// Said of a text of which nothing is known.
const NO_FORMAT: &str = "not a format that can be imported";

/// The format of a cleaned text; the error says what it is instead, where that can be told.
pub(super) fn recognise(text: &str) -> Result<Kind, ImportError> {
    if text.trim().is_empty() {
        return Err(ImportError::new("the file is empty").expecting(format!("a system in RON, or {EXPECTED}")));
    }
    by_element(text).or_else(|| by_lines(text)).unwrap_or_else(|| Err(refusal(text)))
}

const EXPECTED: &str = "NCCL topology XML, nvidia-smi topo -m, rocm-smi --showtopo, amd-smi topology, hwloc XML, \
                        or for --fabric ibnetdiscover, iblinkinfo or Slurm's topology.conf";

/// Elements that tell an XML format, or what else a file is.
const ELEMENTS: [(&str, Option<Kind>); 4] =
    [("system", Some(Kind::NcclXml)), ("topology", Some(Kind::Hwloc)), ("graphs", None), ("nvidia_smi_log", None)];
/// How many elements are looked at.
const TAGS: usize = 1_000_000;

/// XML formats, by the first of the telling elements.
fn by_element(text: &str) -> Option<Result<Kind, ImportError>> {
    let known = |(at, _): (usize, &str)| {
        let rest = text.get(at + 1..)?;
        let ends = |name: &str| {
            let after = rest.strip_prefix(name).map(|r| r.chars().next());
            after.is_some_and(|c| c.is_none_or(|c| c.is_whitespace() || c == '>' || c == '/'))
        };
        ELEMENTS.into_iter().find(|(name, _)| ends(name)).map(|e| (at, e))
    };
    let (at, (needle, kind)) = text.match_indices('<').take(TAGS).find_map(known)?;
    if let Some(kind) = kind {
        return Some(Ok(kind));
    }
    let message = if needle == "graphs" {
        "this is a graph file (NCCL_GRAPH_FILE), the rings and trees that NCCL found, not a topology"
    } else {
        "this is the XML of nvidia-smi -q, which has no links"
    };
    let line = text.get(..at).map_or(1, line_count);
    Some(Err(ImportError::new(message).at(line, 1).expecting("the dump of NCCL_TOPO_DUMP_FILE or nvidia-smi topo -m")))
}

fn line_count(before: &str) -> u32 {
    before.bytes().filter(|b| *b == b'\n').count() as u32 + 1
}

/// How far into a text the lines of a format are looked for.
const LINES: usize = 200_000;

fn by_lines(text: &str) -> Option<Result<Kind, ImportError>> {
    let mut p2p = None;
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    for (i, line) in lines.iter().map(|l| beginning(l)).enumerate() {
        if matrix::is_header(line) {
            match matrix::body(lines.iter().skip(i + 1).copied()) {
                matrix::Body::Paths => return Some(Ok(Kind::NvidiaSmi)),
                matrix::Body::PeerToPeer => p2p = p2p.or(Some(i)),
                matrix::Body::Other => {}
            }
        }
        if let Some(kind) = telling(line) {
            return Some(Ok(kind));
        }
    }
    let line = p2p? as u32 + 1;
    Some(Err(ImportError::new(
        "this is the matrix of nvidia-smi topo -p2p (OK, NS, CNS ...): it says who may, not by which link",
    )
    .at(line, 1)
    .expecting("nvidia-smi topo -m")))
}

/// The beginning of a line; nothing that tells a format stands farther right.
fn beginning(line: &str) -> &str {
    let end = (0..=4096.min(line.len())).rev().find(|i| line.is_char_boundary(*i)).unwrap_or(0);
    line.get(..end).unwrap_or("")
}

/// Lines that occur in one format only.
fn telling(line: &str) -> Option<Kind> {
    let t = line.trim_start_matches(['#', '>', '|', ' ', '\t']);
    let starts = |p: &str| t.get(..p.len()).is_some_and(|h| h.eq_ignore_ascii_case(p));
    if t.contains("Link Type between two GPUs")
        || t.contains("Hops between two GPUs")
        || t.contains("Weight between two GPUs")
        || t.contains("(Topology) Numa Node")
    {
        return Some(Kind::RocmSmi);
    }
    if starts("LINK TYPE TABLE:")
        || starts("ACCESS TABLE:")
        || starts("HOPS TABLE:")
        || ["\"link_type\"", "\"link_accessibility\"", "\"links\": ["].iter().any(|k| t.contains(k))
    {
        return Some(Kind::AmdSmi);
    }
    if t.contains("==(") && t.contains(")==>") {
        return Some(Kind::IbLinkInfo);
    }
    let record = ["Switch", "Ca", "Hca", "Rt"].iter().any(|p| {
        line.strip_prefix(p).is_some_and(|r| {
            let mut w = r.split_whitespace();
            r.starts_with([' ', '\t'])
                && w.next().is_some_and(|n| n.parse::<u32>().is_ok())
                && w.next().is_some_and(|n| n.starts_with('"'))
        })
    });
    if record {
        return Some(Kind::IbNetDiscover);
    }
    let slurm = (starts("SwitchName=") || starts("BlockName=")) && !line.trim_start().starts_with('#');
    if slurm || ["tree:", "block:"].contains(&t.trim_end()) || starts("- topology:") {
        return Some(Kind::Slurm);
    }
    None
}

/// Why the text is none of the formats.
fn refusal(text: &str) -> ImportError {
    let header = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with('#')).unwrap_or_default();
    if header.contains("size_bytes,") && header.contains("time_us") {
        return ImportError::new("this is a table of measurements")
            .expecting("a topology (icx-tui validate compares the table)");
    }
    if text.contains("out-of-place") || text.contains("algbw") {
        return ImportError::new("this is an nccl-tests log, a measurement")
            .expecting("a topology (use the log with --measured)");
    }
    if ["Bandwidth Matrix (GB/s)", "P2P Connectivity Matrix", "nvbandwidth Version", "GPU(column)"]
        .iter()
        .any(|t| text.contains(t))
    {
        return ImportError::new("this is a matrix of measured copies (p2pBandwidthLatencyTest, nvbandwidth)")
            .expecting("a topology (use the matrix with icx-tui diagnose SYSTEM --measured)");
    }
    if text.trim_start().starts_with('(') && text.contains("devices:") {
        return ImportError::new("this is a system file of this program").expecting("a file that a machine printed");
    }
    ImportError::new(NO_FORMAT).at(1, 1).expecting(EXPECTED)
}
