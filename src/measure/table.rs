//! Tables of measurements: the published ones that the model is checked against, and users' own.
//!
//! CSV with a header line. Columns: `id, system, edits, collective, ranks, gpus_per_process, algorithm, protocol,
//! size_bytes, time_us, busbw_gbytes_per_s, note, source`. Needed are `system`, `collective`, `ranks`, `size_bytes` and one
//! of `time_us` and `busbw_gbytes_per_s`; the others may be left out or empty. Lines that begin with `#` are comments.

use std::str::FromStr;

use super::{MeasureError, check_size, excerpt};
use crate::parts::nearest;
use crate::question::Collective;
use crate::system::{Algorithm, Protocol};
use crate::units::{Bandwidth, Bytes, Time};

/// The published measurements that come with the program, as CSV.
pub const PUBLISHED: &str = include_str!("../../data/measured.csv");

/// Name of [`PUBLISHED`] in messages.
pub const PUBLISHED_NAME: &str = "data/measured.csv";

const COLUMNS: &[&str] = &[
    "id",
    "system",
    "edits",
    "collective",
    "ranks",
    "gpus_per_process",
    "algorithm",
    "protocol",
    "size_bytes",
    "time_us",
    "busbw_gbytes_per_s",
    "note",
    "source",
];

/// One measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// Line in the file, from 1.
    pub line: usize,
    /// Which configuration it belongs to: rows of one id are one sweep.
    pub id: String,
    /// A shipped system, or what the caller takes for one.
    pub system: String,
    /// Edits to it, in the edit language.
    pub edits: Vec<String>,
    /// The collective.
    pub collective: Collective,
    /// Ranks that took part.
    pub ranks: u32,
    /// GPUs that one process drove.
    pub gpus_per_process: u32,
    /// The algorithm, where the run forced one.
    pub algorithm: Option<Algorithm>,
    /// The protocol, where the run forced one.
    pub protocol: Option<Protocol>,
    /// nccl-tests' size.
    pub size: Bytes,
    /// Time of one call, where it was published.
    pub measured_time: Option<Time>,
    /// busbw, where it was published.
    pub measured_busbw: Option<Bandwidth>,
    /// What is special: `degraded: ...`, `warm-up`, what was inferred.
    pub note: String,
    /// Where it was published.
    pub source: String,
}

impl TableRow {
    /// Time of one call; from busbw where only that was published.
    pub fn time(&self) -> Time {
        self.measured_time.unwrap_or_else(|| {
            let busbw = self.measured_busbw.unwrap_or(Bandwidth::ZERO);
            (self.size / busbw) * self.collective.bus_factor(u64::from(self.ranks))
        })
    }

    /// busbw; from the time where only that was published.
    pub fn busbw(&self) -> Bandwidth {
        self.measured_busbw.unwrap_or_else(|| {
            let time = self.measured_time.unwrap_or(Time::ZERO);
            (self.size / time) * self.collective.bus_factor(u64::from(self.ranks))
        })
    }

    /// True when the machine was not as it should be: a case for diagnosis, not for calibration.
    pub fn is_degraded(&self) -> bool {
        self.note.contains("degraded:")
    }

    /// Whether a rate of the machine had to be guessed: such rows are compared, but nothing is fitted to them.
    pub fn is_guessed(&self) -> bool {
        self.note.contains("guessed")
    }

    /// True for a first row that holds the warm-up of the run.
    pub fn is_warm_up(&self) -> bool {
        self.note.contains("warm-up")
    }
}

/// Reads a table. The first fault is the error, with line and column.
pub fn read(text: &str, file: &str) -> Result<Vec<TableRow>, MeasureError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_size(text, file)?;
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut lines = Lines { text, at: 0, line: 1 };
    let header = reader.headers().map_err(|e| fault(&e, file, &mut lines))?.clone();
    let columns = Columns::of(&header, file)?;
    let mut rows = Vec::new();
    for record in reader.into_records() {
        let record = record.map_err(|e| fault(&e, file, &mut lines))?;
        let line = record.position().map_or(0, |p| lines.of(p));
        rows.push(Cells { record: &record, columns: &columns, line, file }.row()?);
    }
    if rows.is_empty() {
        return Err(MeasureError::at(file, 1, "the table has no rows below its header"));
    }
    Ok(rows)
}

/// Counts lines. The reader's own position of a record is where it began to look: before comments and blank lines.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of the record that is looked for from a position on; positions must not go back.
    fn of(&mut self, position: &csv::Position) -> usize {
        let to = usize::try_from(position.byte()).unwrap_or(usize::MAX).min(self.text.len());
        self.line += self.text.get(self.at..to).unwrap_or_default().matches('\n').count();
        self.at = self.at.max(to);
        // A position may lie between the two ends of a CRLF line.
        while let Some(rest) = self.text.get(self.at..)
            && (rest.starts_with(['#', '\r', '\n']))
            && let Some(end) = rest.find('\n')
        {
            self.at += end + 1;
            self.line += 1;
        }
        self.line
    }
}

/// A fault of the CSV itself.
fn fault(e: &csv::Error, file: &str, lines: &mut Lines<'_>) -> MeasureError {
    let line = e.position().map(|p| lines.of(p));
    let message = match e.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} columns; expected {expected_len} as in the header")
        }
        _ => "not CSV".to_owned(),
    };
    MeasureError { line, ..MeasureError::whole(file, message) }
}

/// Where each column is in the file.
struct Columns(Vec<Option<usize>>);

impl Columns {
    fn of(header: &csv::StringRecord, file: &str) -> Result<Self, MeasureError> {
        for (i, name) in header.iter().enumerate() {
            if !COLUMNS.contains(&name) {
                let near = nearest(name, COLUMNS.iter().copied());
                let hint = near.first().map_or(String::new(), |n| format!("; did you mean {n}?"));
                let message = format!("unknown column {:?}; expected {}{hint}", excerpt(name), COLUMNS.join(", "));
                return Err(MeasureError::at(file, 1, message));
            }
            if header.iter().take(i).any(|other| other == name) {
                return Err(MeasureError::at(file, 1, format!("column {name} is there twice")));
            }
        }
        let all = Self(COLUMNS.iter().map(|c| header.iter().position(|h| h == *c)).collect());
        for needed in ["system", "collective", "ranks", "size_bytes"] {
            if all.index(needed).is_none() {
                return Err(MeasureError::at(file, 1, format!("no column {needed}; the header needs it")));
            }
        }
        if all.index("time_us").or(all.index("busbw_gbytes_per_s")).is_none() {
            return Err(MeasureError::at(file, 1, "neither time_us nor busbw_gbytes_per_s; the header needs one"));
        }
        Ok(all)
    }

    fn index(&self, name: &str) -> Option<usize> {
        COLUMNS.iter().position(|c| *c == name).and_then(|i| self.0.get(i).copied().flatten())
    }
}

/// The cells of one line.
struct Cells<'a> {
    record: &'a csv::StringRecord,
    columns: &'a Columns,
    line: usize,
    file: &'a str,
}

impl Cells<'_> {
    fn row(&self) -> Result<TableRow, MeasureError> {
        let row = TableRow {
            line: self.line,
            id: self.text("id").to_owned(),
            system: self.needed("system")?.to_owned(),
            edits: self.text("edits").split(';').map(str::trim).filter(|e| !e.is_empty()).map(str::to_owned).collect(),
            collective: self.parsed("collective", self.needed("collective")?)?,
            ranks: self.count("ranks")?.ok_or_else(|| self.empty("ranks"))?,
            gpus_per_process: self.count("gpus_per_process")?.unwrap_or(1),
            algorithm: self.optional("algorithm")?,
            protocol: self.optional("protocol")?,
            size: self.parsed("size_bytes", self.needed("size_bytes")?)?,
            measured_time: self.positive("time_us")?.map(Time::from_us),
            measured_busbw: self.positive("busbw_gbytes_per_s")?.map(Bandwidth::from_gbytes_per_s),
            note: self.text("note").to_owned(),
            source: self.text("source").to_owned(),
        };
        if row.measured_time.is_none() && row.measured_busbw.is_none() {
            return Err(self.wrong("time_us", "empty, and busbw_gbytes_per_s too; expected one of the two"));
        }
        if row.size.get() <= 0.0 {
            return Err(self.wrong("size_bytes", "0; expected a size above zero"));
        }
        Ok(row)
    }

    fn text(&self, column: &str) -> &str {
        self.columns.index(column).and_then(|i| self.record.get(i)).unwrap_or_default()
    }

    fn needed(&self, column: &str) -> Result<&str, MeasureError> {
        Some(self.text(column)).filter(|t| !t.is_empty()).ok_or_else(|| self.empty(column))
    }

    fn parsed<T: FromStr<Err: ToString>>(&self, column: &str, text: &str) -> Result<T, MeasureError> {
        text.parse().map_err(|e: T::Err| self.wrong(column, e.to_string()))
    }

    fn optional<T: FromStr<Err: ToString>>(&self, column: &str) -> Result<Option<T>, MeasureError> {
        Some(self.text(column)).filter(|t| !t.is_empty()).map(|t| self.parsed(column, t)).transpose()
    }

    fn count(&self, column: &str) -> Result<Option<u32>, MeasureError> {
        let Some(text) = Some(self.text(column)).filter(|t| !t.is_empty()) else { return Ok(None) };
        match text.parse::<u32>() {
            Ok(n) if (1..=1 << 24).contains(&n) => Ok(Some(n)),
            _ => Err(self.wrong(column, format!("{:?}; expected a whole number above zero", excerpt(text)))),
        }
    }

    fn positive(&self, column: &str) -> Result<Option<f64>, MeasureError> {
        let Some(text) = Some(self.text(column)).filter(|t| !t.is_empty()) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(v) if v > 0.0 && v.is_finite() => Ok(Some(v)),
            _ => Err(self.wrong(column, format!("{:?}; expected a number above zero", excerpt(text)))),
        }
    }

    fn wrong(&self, column: &str, message: impl Into<String>) -> MeasureError {
        MeasureError { column: Some(column.to_owned()), ..MeasureError::at(self.file, self.line, message) }
    }

    fn empty(&self, column: &str) -> MeasureError {
        self.wrong(column, "empty; expected a value")
    }
}

#[cfg(test)]
mod tests;
