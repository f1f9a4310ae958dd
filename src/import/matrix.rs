//! The matrix of `nvidia-smi topo -m`, however it was pasted: wrapped, glued, commented, as a Markdown table, cut off.

use std::collections::BTreeMap;

use super::report::Report;

/// Most devices of a matrix.
const MAX_COLUMNS: usize = 512;
/// Lines that a wrapped row may go on for.
const MAX_WRAP: usize = 12;

/// How two devices of a matrix reach each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    /// The device itself.
    Own,
    /// So many `NVLinks`.
    Nvlink(u32),
    /// One `PCIe` switch.
    Pix,
    /// Several `PCIe` switches.
    Pxb,
    /// A host bridge.
    Phb,
    /// Host bridges of one NUMA node.
    Node,
    /// NUMA nodes.
    Sys,
    /// Not told, or a code that this program does not know.
    Unknown,
}

/// What the rows under a header hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Path codes: the topology.
    Paths,
    /// OK, NS and the like: who may reach whom.
    PeerToPeer,
    /// Something else.
    Other,
}

/// A matrix with what stands beside it.
#[derive(Debug, Clone, Default)]
pub(super) struct Matrix {
    /// Names of the devices, as in the header.
    pub(super) names: Vec<String>,
    /// Paths, row by row.
    pub(super) paths: Vec<Vec<Path>>,
    /// Affinities of each row: CPU list, NUMA list, NUMA id of the GPU's memory.
    pub(super) affinity: Vec<Vec<String>>,
    /// Which of the three affinity columns the header has.
    pub(super) columns: Vec<Affinity>,
    /// Real names of NICs, from the NIC legend.
    pub(super) legend: BTreeMap<String, String>,
    /// Line of the header, from 1.
    pub(super) line: u32,
    /// Line of each row; 0 for a row that is missing.
    pub(super) lines: Vec<u32>,
}

/// A column right of the devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Affinity {
    /// List of CPUs.
    Cpu,
    /// List of NUMA nodes.
    Numa,
    /// NUMA node of the GPU's own memory.
    GpuNuma,
}

/// A line without what quoting and tables put before it.
fn bare(line: &str) -> &str {
    line.trim_start_matches(['#', '>', '|', ' ', '\t', '*'])
}

fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == '|').filter(|t| !t.is_empty())
}

fn is_gpu(token: &str) -> bool {
    token.strip_prefix("GPU").is_some_and(|n| !n.is_empty() && n.len() < 5 && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a line is the header of a matrix: it begins with a GPU's name and goes on with another device or the affinities.
pub(super) fn is_header(line: &str) -> bool {
    if !line.contains("GPU") {
        return false;
    }
    let mut t = tokens(bare(line)).skip_while(|t| *t == "GPU");
    let (Some(first), Some(second)) = (t.next(), t.next()) else { return false };
    is_gpu(first.get(..first.len().min(5)).unwrap_or(""))
        && (is_device(second) || (second == "CPU" && t.next() == Some("Affinity")))
        || (first.len() > 5 && is_gpu(unglue(first).first().copied().unwrap_or("")) && is_device(second))
}

/// A device's name: letters with a number at the end, and no path code.
fn is_device(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic())
        && token.ends_with(|c: char| c.is_ascii_digit())
        && token.len() <= 64
        && !matches!(code(token), Some((Path::Nvlink(_), "")))
}

/// Splits `NIC12NIC13` where a terminal's wrap has glued two names.
fn unglue(token: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> =
        ["GPU", "NIC"].iter().flat_map(|p| token.match_indices(p).map(|(i, _)| i)).filter(|i| *i > 0).collect();
    cuts.sort_unstable();
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([token.len()]) {
        parts.extend(token.get(from..cut));
        from = cut;
    }
    parts
}

/// What the rows after a header hold, judged by the first row.
pub(super) fn body<'a>(after: impl Iterator<Item = &'a str>) -> Body {
    for line in after.take(4) {
        let mut t = tokens(bare(line));
        if !t.next().is_some_and(is_gpu) {
            continue;
        }
        let cells: Vec<&str> = t.take(4).collect();
        let any = |list: &[&str]| cells.iter().any(|c| list.contains(c));
        if any(&["OK", "NS", "CNS", "GNS", "TNS", "DR", "NSC"]) {
            return Body::PeerToPeer;
        }
        if cells.iter().any(|c| code(c).is_some_and(|(p, _)| p != Path::Unknown)) {
            return Body::Paths;
        }
    }
    Body::Other
}

/// One path code at the beginning of a text, and the rest.
fn code(text: &str) -> Option<(Path, &str)> {
    let starts = |p: &str| text.get(..p.len()).is_some_and(|h| h.eq_ignore_ascii_case(p));
    let table = [
        ("SYS", Path::Sys),
        ("SOC", Path::Sys),
        ("NODE", Path::Node),
        ("PHB", Path::Phb),
        ("PXB", Path::Pxb),
        ("PIX", Path::Pix),
        ("PSB", Path::Pix),
        ("N/A", Path::Unknown),
        ("C2C", Path::Unknown),
        ("X", Path::Own),
    ];
    if starts("NV") {
        let rest = text.get(2..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count().min(3);
        let n: u32 = rest.get(..digits)?.parse().ok()?;
        return Some((Path::Nvlink(n), rest.get(digits..)?));
    }
    let (word, path) = table.into_iter().find(|(w, _)| starts(w))?;
    Some((path, text.get(word.len()..)?))
}

/// Finds and reads the first matrix of a text.
pub(super) fn parse(text: &str, report: &mut Report) -> Option<Matrix> {
    let lines: Vec<&str> = text.lines().collect();
    let header = (0..lines.len()).find(|i| {
        lines.get(*i).is_some_and(|l| is_header(l)) && body(lines.iter().skip(i + 1).copied()) == Body::Paths
    })?;
    let mut m = head(lines.get(header)?, header as u32 + 1);
    let n = m.names.len();
    m.paths = vec![vec![Path::Unknown; n]; n];
    m.affinity = vec![Vec::new(); n];
    m.lines = vec![0; n];
    let mut i = header + 1;
    let mut idle = 0;
    while let Some(line) = lines.get(i).filter(|_| idle < 40) {
        let inner = bare(line);
        let row = m.names.iter().position(|name| tokens(inner).next() == Some(name));
        i += 1;
        match row {
            Some(r) if m.lines.get(r) == Some(&0) => {
                idle = 0;
                let more = lines.get(i..).unwrap_or(&[]);
                i += m.row(r, inner, more, i as u32, report);
            }
            Some(_) => {
                report.dropped(i as u32, "a second matrix; the first is taken");
                break;
            }
            None if is_header(line) || inner.starts_with("Legend") || inner.starts_with("NIC Legend") => break,
            None => {
                idle += 1;
                if !inner.is_empty() && !inner.bytes().all(|c| b"-|:= ".contains(&c)) {
                    report.dropped(i as u32, "a line that is no row of the matrix");
                }
            }
        }
    }
    m.legend(&lines);
    m.complete(report);
    Some(m)
}

/// The header: device names up to the affinities.
fn head(line: &str, number: u32) -> Matrix {
    let mut m = Matrix { line: number, ..Matrix::default() };
    let mut previous = "";
    for t in tokens(bare(line)) {
        match t {
            "Affinity" if previous == "CPU" => m.columns.push(Affinity::Cpu),
            "Affinity" if previous == "NUMA" => m.columns.push(Affinity::Numa),
            "ID" if previous == "NUMA" => m.columns.push(Affinity::GpuNuma),
            "CPU" | "NUMA" | "GPU" | "ID" | "Affinity" => {}
            _ if m.columns.is_empty() => {
                let room = MAX_COLUMNS.saturating_sub(m.names.len());
                m.names.extend(unglue(t).into_iter().take(room).map(str::to_owned));
            }
            _ => {}
        }
        previous = t;
    }
    m
}

impl Matrix {
    /// Reads row `r`, from its own line and as many of the following as it is wrapped over; how many those are.
    fn row(&mut self, r: usize, line: &str, more: &[&str], number: u32, report: &mut Report) -> usize {
        let n = self.names.len();
        let label = self.names.get(r).map_or(0, String::len);
        let (cells, used, rest) = self.cells(line.get(label..).unwrap_or(""), more, number, report);
        if cells.len() < n {
            report.dropped(
                number,
                format!(
                    "the row of {} is cut after {} of {n} cells",
                    self.names.get(r).map_or("", String::as_str),
                    cells.len()
                ),
            );
        }
        if let Some(row) = self.paths.get_mut(r) {
            for (cell, path) in row.iter_mut().zip(&cells) {
                *cell = *path;
            }
        }
        if let Some(a) = self.affinity.get_mut(r).filter(|_| cells.len() == n) {
            *a = tokens(rest).take(3).map(str::to_owned).collect();
        }
        if let Some(l) = self.lines.get_mut(r) {
            *l = number;
        }
        used
    }

    /// Path codes from a text on, over as many lines as it takes; how many those are, and what follows the codes.
    fn cells<'a>(
        &self,
        text: &'a str,
        more: &[&'a str],
        number: u32,
        report: &mut Report,
    ) -> (Vec<Path>, usize, &'a str) {
        let n = self.names.len();
        let mut rest = text;
        let mut cells = Vec::with_capacity(n);
        let mut used = 0;
        loop {
            rest = rest.trim_start_matches([' ', '\t', '|', '\u{a0}']);
            if cells.len() == n {
                break;
            }
            if rest.is_empty() {
                let Some(next) = more.get(used).filter(|l| used < MAX_WRAP && self.goes_on(l)) else { break };
                used += 1;
                rest = bare(next);
                continue;
            }
            if let Some((path, after)) = code(rest) {
                cells.push(path);
                rest = after;
                continue;
            }
            let word = tokens(rest).next().unwrap_or("");
            if !word.starts_with(|c: char| c.is_ascii_alphabetic()) || word.len() > 8 {
                break;
            }
            report.dropped(number, format!("unknown path {word:?}"));
            cells.push(Path::Unknown);
            rest = rest.get(word.len()..).unwrap_or("");
        }
        (cells, used, rest)
    }

    /// Whether a line continues a wrapped row.
    fn goes_on(&self, line: &str) -> bool {
        let first = tokens(bare(line)).next();
        first.is_some_and(|t| code(t).is_some() && !self.names.iter().any(|n| n == t)) && !line.contains('=')
    }

    /// `NIC0: mlx5_0` lines under the NIC legend.
    fn legend(&mut self, lines: &[&str]) {
        let after = lines.iter().skip(self.line as usize).skip_while(|l| !l.contains("NIC Legend"));
        for line in after.skip(1).take(2 * MAX_COLUMNS) {
            let mut t = tokens(bare(line));
            let (Some(nic), Some(name), None) = (t.next().and_then(|n| n.strip_suffix(':')), t.next(), t.next()) else {
                continue;
            };
            if self.names.iter().any(|n| n == nic) {
                self.legend.insert(nic.to_owned(), name.to_owned());
            }
        }
    }

    /// Fills what is missing from the other half, and settles what differs between the halves.
    fn complete(&mut self, report: &mut Report) {
        let n = self.names.len();
        for i in 0..n {
            for j in 0..i {
                let (low, high) = (self.path(j, i), self.path(i, j));
                let line = self.lines.get(i).copied().unwrap_or(0);
                let settled = match (low, high) {
                    (a, b) if a == b => a,
                    (Path::Unknown, b) => b,
                    (a, Path::Unknown) => a,
                    (a, _) => {
                        report.assumed(line, "the two halves of the matrix differ: the row of the lower device counts");
                        a
                    }
                };
                self.set(i, j, settled);
                self.set(j, i, settled);
            }
        }
        let missing: Vec<&str> =
            self.names.iter().zip(&self.lines).filter(|(_, l)| **l == 0).map(|(n, _)| n.as_str()).collect();
        if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
            report.dropped(
                self.line,
                format!(
                    "{} rows are missing ({first} to {last}); their cells are taken from the columns",
                    missing.len()
                ),
            );
        }
    }

    /// The path between two devices.
    pub(super) fn path(&self, i: usize, j: usize) -> Path {
        self.paths.get(i).and_then(|r| r.get(j)).copied().unwrap_or(Path::Unknown)
    }

    fn set(&mut self, i: usize, j: usize, path: Path) {
        if let Some(cell) = self.paths.get_mut(i).and_then(|r| r.get_mut(j)) {
            *cell = path;
        }
    }

    /// A value of an affinity column; values stand right-aligned under the columns, `N/A` is none.
    pub(super) fn affinity(&self, row: usize, column: Affinity) -> Option<&str> {
        let at = self.columns.iter().position(|c| *c == column)?;
        let value = self.affinity.get(row)?.get(at)?;
        (value != "N/A").then_some(value.as_str())
    }
}
