//! Matrices of bandwidth or latency between the devices of a node: CUDA's `p2pBandwidthLatencyTest` and `nvbandwidth`
//! (text, and the JSON of `nvbandwidth -j`).

mod json;

use super::log::body_of;
use super::{MeasureError, Remark, check_size, excerpt};
use crate::units::{Bandwidth, Time};

/// Most devices of a matrix.
const MAX_DEVICES: usize = 1024;

/// All matrices of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrices {
    /// In order.
    pub matrices: Vec<Matrix>,
    /// What was passed over.
    pub remarks: Vec<Remark>,
}

/// What the figures of a matrix are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Rate of one direction, the other idle.
    Unidirectional,
    /// Sum of both directions at once.
    Bidirectional,
    /// Latency of a small access.
    Latency,
    /// 1 where peer access is possible.
    Access,
}

/// What stands on a side of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// GPUs by index.
    Gpu,
    /// The host (one row or column).
    Cpu,
}

/// Which way the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the row's device to the column's.
    RowToColumn,
    /// From the column's device to the row's.
    ColumnToRow,
}

/// A matrix with its labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Line of its title, from 1 (0 in JSON).
    pub line: usize,
    /// The title as printed.
    pub title: String,
    /// What the figures are.
    pub what: What,
    /// Whether peer-to-peer was on, if the title says so.
    pub peer_to_peer: Option<bool>,
    /// What the rows are.
    pub rows: Side,
    /// What the columns are.
    pub columns: Side,
    /// Which way the data goes (of a bidirectional one, both).
    pub way: Way,
    /// Device numbers of the rows.
    pub row_labels: Vec<u32>,
    /// Device numbers of the columns.
    pub column_labels: Vec<u32>,
    /// Figures row by row, GB/s or us; `None` where `N/A`.
    cells: Vec<Vec<Option<f64>>>,
}

impl Matrix {
    fn cell(&self, row: u32, column: u32) -> Option<f64> {
        let r = self.row_labels.iter().position(|l| *l == row)?;
        let c = self.column_labels.iter().position(|l| *l == column)?;
        self.cells.get(r)?.get(c).copied().flatten()
    }

    /// Rate between two devices **per direction**; a bidirectional figure is halved. `None` for `N/A` or another kind.
    pub fn rate(&self, row: u32, column: u32) -> Option<Bandwidth> {
        let v = self.cell(row, column)?;
        match self.what {
            What::Unidirectional => Some(Bandwidth::from_gbytes_per_s(v)),
            What::Bidirectional => Some(Bandwidth::from_gbytes_per_s(v / 2.0)),
            What::Latency | What::Access => None,
        }
    }

    /// Latency between two devices.
    pub fn latency(&self, row: u32, column: u32) -> Option<Time> {
        self.cell(row, column).filter(|_| self.what == What::Latency).map(Time::from_us)
    }

    /// Whether the row's GPU may access the column's.
    pub fn access(&self, row: u32, column: u32) -> Option<bool> {
        self.cell(row, column).filter(|_| self.what == What::Access).map(|v| v > 0.0)
    }
}

/// Reads every matrix of a file. None at all is an error.
pub fn read(text: &str, file: &str) -> Result<Matrices, MeasureError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_size(text, file)?;
    let all = if text.trim_start().starts_with('{') { json::read(text, file)? } else { printed(text, file)? };
    if all.matrices.is_empty() {
        let what = "no matrix; expected the output of p2pBandwidthLatencyTest or nvbandwidth";
        return Err(MeasureError::whole(file, what));
    }
    Ok(all)
}

/// True when a text has the title of such a matrix.
pub fn looks_like(text: &str) -> bool {
    let named =
        |t: &str| t.contains("P2P Connectivity Matrix") || t.contains("nvbandwidth") || t.contains("GPU(column)");
    text.lines()
        .take(400)
        .any(|l| named(l) || Title::of(l).is_some_and(|t| t.what != What::Access && l.contains("P2P=")))
}

/// What a title says.
struct Title {
    text: String,
    what: What,
    peer_to_peer: Option<bool>,
    rows: Side,
    columns: Side,
    way: Way,
    /// What one of the printed figures is in GB/s or us.
    unit: f64,
}

impl Title {
    fn of(text: &str) -> Option<Self> {
        let low = text.to_lowercase();
        let what = if low.contains("connectivity matrix") {
            What::Access
        } else if low.contains("latency") {
            What::Latency
        } else if !low.contains("bandwidth") {
            return None;
        } else if low.contains("bidirectional") || (low.contains("<->") && low.contains("total")) {
            What::Bidirectional
        } else {
            What::Unidirectional
        };
        let unit = unit(&low, what)?;
        let peer_to_peer =
            if low.contains("p2p=enabled") { Some(true) } else { low.contains("p2p=disabled").then_some(false) };
        let side = |which: &str| if low.contains(&format!("cpu({which})")) { Side::Cpu } else { Side::Gpu };
        let way = if low.contains("<-") && !low.contains("<->") { Way::ColumnToRow } else { Way::RowToColumn };
        let text = excerpt_long(text);
        Some(Self { text, what, peer_to_peer, rows: side("row"), columns: side("column"), way, unit })
    }
}

/// The factor from the printed unit to GB/s or us; `None` when the title has no unit: then it is no title.
fn unit(low: &str, what: What) -> Option<f64> {
    let has = |u: &str| low.contains(&format!("({u})"));
    match what {
        What::Access => Some(1.0),
        What::Latency if has("us") => Some(1.0),
        What::Latency if has("ns") => Some(1e-3),
        What::Latency => None,
        _ if has("gb/s") => Some(1.0),
        _ if has("mb/s") => Some(1e-3),
        _ if has("gib/s") => Some(1.073_741_824),
        _ => None,
    }
}

fn excerpt_long(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(120).collect()
}

/// The printed form: a title, a line of column numbers, a line per row.
fn printed(text: &str, file: &str) -> Result<Matrices, MeasureError> {
    let lines: Vec<(usize, &str)> = text.lines().enumerate().map(|(i, l)| (i + 1, body_of(l))).collect();
    let mut all = Matrices { matrices: Vec::new(), remarks: Vec::new() };
    let mut at = 0;
    let mut title: Option<(usize, Title)> = None;
    while let Some((number, body)) = lines.get(at) {
        at += 1;
        if let Some(t) = Title::of(body) {
            if let Some((line, old)) = title.replace((*number, t)) {
                all.remarks.push(Remark { line, text: format!("no figures below {:?}", excerpt(&old.text)) });
            }
            continue;
        }
        let Some((labels, corner)) = header(body) else { continue };
        let Some((line, t)) = &title else { continue };
        let rows = rows(&lines, &mut at, labels.len(), file)?;
        let matrix = assemble(*line, t, corner, labels, rows, file, *number)?;
        all.matrices.push(matrix);
        // The latency test prints two matrices below one title: GPU, then CPU.
        if corner != Corner::Gpu {
            title = None;
        }
    }
    Ok(all)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Corner {
    None,
    Gpu,
    Cpu,
}

/// Column numbers: `D\D 0 1 2`, `GPU 0 1`, or the numbers alone.
fn header(body: &str) -> Option<(Vec<u32>, Corner)> {
    let mut words = body.split_whitespace().peekable();
    let corner = match *words.peek()? {
        "GPU" => Corner::Gpu,
        "CPU" => Corner::Cpu,
        _ => Corner::None,
    };
    if corner != Corner::None || words.peek() == Some(&"D\\D") {
        words.next();
    }
    let labels: Option<Vec<u32>> = words.map(|w| w.parse().ok()).collect();
    labels.filter(|l| !l.is_empty() && l.len() <= MAX_DEVICES && l.iter().is_sorted()).map(|l| (l, corner))
}

type Rows = Vec<(u32, Vec<Option<f64>>)>;

/// Rows until a line that is none. A row with too few or too many figures is an error.
fn rows(lines: &[(usize, &str)], at: &mut usize, width: usize, file: &str) -> Result<Rows, MeasureError> {
    let mut rows = Rows::new();
    while let Some((number, body)) = lines.get(*at) {
        let mut words = body.split_whitespace();
        let Some(label) = words.next().and_then(|w| w.parse::<u32>().ok()) else { break };
        let cells: Vec<&str> = words.collect();
        if cells.len() != width {
            let message = format!("row {label} has {} figures; expected {width}", cells.len());
            return Err(MeasureError::at(file, *number, message));
        }
        let figures: Result<Vec<Option<f64>>, MeasureError> =
            cells.iter().map(|c| figure(c).map_err(|m| MeasureError::at(file, *number, m))).collect();
        rows.push((label, figures?));
        *at += 1;
    }
    Ok(rows)
}

fn figure(word: &str) -> Result<Option<f64>, String> {
    if matches!(word, "N/A" | "nan" | "-nan" | "-") {
        return Ok(None);
    }
    match word.parse::<f64>() {
        Ok(v) if v.is_finite() && v >= 0.0 => Ok(Some(v)),
        _ => Err(format!("{:?} is not a figure; expected a number or N/A", excerpt(word))),
    }
}

fn assemble(
    line: usize,
    title: &Title,
    corner: Corner,
    column_labels: Vec<u32>,
    rows: Rows,
    file: &str,
    number: usize,
) -> Result<Matrix, MeasureError> {
    let square = title.rows == title.columns;
    let row_labels: Vec<u32> = rows.iter().map(|(l, _)| *l).collect();
    if square && row_labels != column_labels {
        let message = format!("the matrix has rows {row_labels:?} and columns {column_labels:?}; expected the same");
        return Err(MeasureError::at(file, number, message));
    }
    let scale = |v: Option<f64>| v.map(|v| v * title.unit);
    let cells = rows.into_iter().map(|(_, r)| r.into_iter().map(scale).collect()).collect();
    let host = corner == Corner::Cpu;
    Ok(Matrix {
        line,
        title: if host { format!("{} CPU", title.text) } else { title.text.clone() },
        what: title.what,
        peer_to_peer: title.peer_to_peer,
        rows: title.rows,
        columns: title.columns,
        way: title.way,
        row_labels,
        column_labels,
        cells,
    })
}

#[cfg(test)]
mod tests;
