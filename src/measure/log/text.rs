//! The printed form: a walk over the lines, one state per stream.

use std::collections::{BTreeMap, BTreeSet};

use super::line::{self, Columns, Line, RowText};
use super::{Known, Log, MeasureError, Remark, Row, Sample, Test, Ways};
use crate::question::Collective;
use crate::units::{Bandwidth, Bytes, Time};

/// Streams (prefixes) that are followed; the lines of further ones count as one more.
const MAX_STREAMS: usize = 256;
/// Rows that are kept, of all tables: no run of the tests has as many sizes.
pub(super) const MAX_ROWS: usize = 100_000;
/// Remarks that are kept.
const MAX_REMARKS: usize = 200;

/// Reads the lines.
pub(super) fn read(text: &str, file: &str) -> Result<Log, MeasureError> {
    let mut reader = Reader::default();
    for (i, raw) in text.lines().enumerate() {
        reader.line(i + 1, raw);
    }
    reader.finish(file)
}

/// What was read of one stream.
#[derive(Default)]
struct Stream {
    /// What was said before the next header.
    about: Test,
    ranks: BTreeSet<u32>,
    hosts: BTreeSet<String>,
    columns: Option<Columns>,
    /// The line above the header names no out-of-place block.
    only_in_place: bool,
    /// The table that rows go to.
    table: Option<usize>,
    /// A row that was cut, waiting for its numbers.
    stub: Option<(usize, RowText)>,
}

#[derive(Default)]
struct Reader {
    streams: BTreeMap<String, Stream>,
    tables: Vec<Test>,
    remarks: Vec<Remark>,
    masked: Option<(usize, usize)>,
    failure: Option<Remark>,
    /// Rows so far, and the line of the first beyond the limit.
    rows: usize,
    beyond: Option<usize>,
    library: Option<String>,
    ways: Ways,
}

impl Reader {
    fn line(&mut self, number: usize, raw: &str) {
        let line = line::split(raw);
        if line.body.trim().is_empty() {
            return;
        }
        let key =
            if self.streams.len() < MAX_STREAMS || self.streams.contains_key(line.stream) { line.stream } else { "" };
        let mut stream = self.streams.remove(key).unwrap_or_default();
        self.in_stream(&mut stream, number, raw, line);
        self.streams.insert(key.to_owned(), stream);
    }

    fn in_stream(&mut self, stream: &mut Stream, number: usize, raw: &str, line: Line<'_>) {
        if let Some(row) = line::row(line.body, stream.columns.as_ref()) {
            self.flush(stream);
            self.row(stream, number, row);
            return;
        }
        if let Some(more) = line::only_values(line.body)
            && stream.stub.is_some()
        {
            self.continued(stream, more);
            return;
        }
        if line.body.contains("NCCL failure") || line.body.contains("Test failure") {
            self.failure.get_or_insert(Remark {
                line: number,
                text: format!("failed run: {}", super::super::excerpt(line.body)),
            });
            return;
        }
        if line::is_header(line.body) {
            self.header(stream, number, raw);
            return;
        }
        self.said(stream, line.body);
    }

    /// Starts a table. What was said before belongs to it.
    fn header(&mut self, stream: &mut Stream, number: usize, raw: &str) {
        self.flush(stream);
        let columns = Columns::of(raw);
        let layout = Some((columns.redop, columns.root));
        stream.columns = Some(columns);
        let ranks = stream.ranks.last().map(|r| r + 1);
        let mut test = Test { line: number, layout, ..stream.about.clone() };
        if ranks.is_some() {
            (test.ranks, test.ranks_from) = (ranks, Known::Said);
        }
        test.hosts = u32::try_from(stream.hosts.len()).ok().filter(|n| *n > 0);
        stream.table = Some(self.tables.len());
        self.tables.push(test);
    }

    fn row(&mut self, stream: &mut Stream, number: usize, row: RowText) {
        if row.masked {
            let (first, count) = self.masked.unwrap_or((number, 0));
            self.masked = Some((first, count + 1));
            return;
        }
        let wanted = stream.columns.as_ref().map_or(8, Columns::values);
        if row.values.len() == wanted {
            self.keep(stream, number, &row);
        } else {
            stream.stub = Some((number, row));
        }
    }

    /// Numbers for the row that was cut.
    fn continued(&mut self, stream: &mut Stream, more: Vec<Option<f64>>) {
        let Some((number, mut row)) = stream.stub.take() else { return };
        let wanted = stream.columns.as_ref().map_or(8, Columns::values);
        let mut more = more.into_iter();
        // The root may have been cut off together with the numbers.
        let columns = stream.columns.clone().unwrap_or(Columns::usual());
        if row.values.is_empty() && row.root.is_none() && columns.root && more.len() > wanted {
            more.next();
        }
        row.values.extend(more.take(wanted.saturating_sub(row.values.len())));
        if row.values.len() == wanted { self.keep(stream, number, &row) } else { stream.stub = Some((number, row)) }
    }

    /// Gives up on a row that was cut, or takes it as in-place only where its numbers stand in the right-hand block.
    fn flush(&mut self, stream: &mut Stream) {
        let Some((number, mut row)) = stream.stub.take() else { return };
        let columns = stream.columns.clone().unwrap_or(Columns::usual());
        let on_the_right = columns.first_end > 0 && row.first_value_end > columns.first_end;
        if !row.cut && columns.blocks == 2 && row.values.len() == columns.block && on_the_right {
            let mut values = vec![None; columns.block];
            values.append(&mut row.values);
            row.values = values;
            self.keep(stream, number, &row);
            return;
        }
        let text = format!("row of {} bytes is cut: {} of {} values", row.size, row.values.len(), columns.values());
        self.remark(number, text);
    }

    fn keep(&mut self, stream: &mut Stream, number: usize, row: &RowText) {
        let columns = stream.columns.clone().unwrap_or(Columns::usual());
        let (first, second) = row.values.split_at(columns.block.min(row.values.len()));
        let (out_of_place, in_place) = match columns.blocks {
            1 if stream.only_in_place => (None, sample(first)),
            1 => (sample(first), None),
            _ => (sample(first), sample(second)),
        };
        if self.rows >= MAX_ROWS {
            self.beyond.get_or_insert(number);
            return;
        }
        if out_of_place.is_none() && in_place.is_none() {
            self.remark(number, format!("row of {} bytes has no time", row.size));
            return;
        }
        let at = *stream.table.get_or_insert_with(|| {
            self.tables.push(Test { line: number, ..stream.about.clone() });
            self.tables.len() - 1
        });
        let Some(test) = self.tables.get_mut(at) else { return };
        self.rows += 1;
        let elements = row.element.map(|b| (row.count, b));
        test.rows.push(Row { line: number, size: Bytes::from_u64(row.size), elements, out_of_place, in_place });
        super::infer::operation(test, row.redop.as_deref(), row.root);
    }

    fn remark(&mut self, line: usize, text: String) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(Remark { line, text });
        }
    }

    /// Everything that is neither row nor header.
    fn said(&mut self, stream: &mut Stream, body: &str) {
        let words: Vec<&str> = body.split_whitespace().collect();
        if body.contains("in-place") {
            stream.only_in_place = !body.contains("out-of-place");
        } else if words.first() == Some(&"Rank") {
            device(stream, &words);
        } else if body.contains("Using devices") {
            stream.ranks.clear();
            stream.hosts.clear();
            stream.about.gpu = None;
        } else if body.contains("Collective test concluded") || body.contains("Avg bus bandwidth") {
            if let Some(test) = stream.table.and_then(|t| self.tables.get_mut(t)) {
                test.complete = true;
            }
        } else {
            self.announced(stream, &words, body);
        }
    }

    /// Settings, versions, the name of the test.
    fn announced(&mut self, stream: &mut Stream, words: &[&str], body: &str) {
        self.ways.said(body);
        if let Some(c) = words.iter().find_map(|w| program(w)) {
            (stream.about.collective, stream.about.collective_from) = (Some(c), Known::Said);
        }
        for (key, slot) in [("nGpus", &mut stream.about.gpus_per_process), ("nThread", &mut stream.about.threads)] {
            if let Some(n) = after(words, key).and_then(|w| w.parse().ok()) {
                *slot = Some(n);
            }
        }
        if let Some(n) = after(words, "nranks").and_then(|w| w.parse().ok())
            && body.contains("NCCL INFO")
            && stream.ranks.is_empty()
        {
            (stream.about.ranks, stream.about.ranks_from) = (Some(n), Known::Said);
        }
        if let Some(version) = version(words) {
            self.library = Some(version);
        }
        for key in ["NCCL_ALGO", "NCCL_PROTO"] {
            if let Some(value) = setting(words, key)
                && !stream.about.forced.iter().any(|(k, _)| k == key)
            {
                stream.about.forced.push((key.to_owned(), value));
            }
        }
    }

    fn finish(mut self, file: &str) -> Result<Log, MeasureError> {
        for mut stream in std::mem::take(&mut self.streams).into_values() {
            self.flush(&mut stream);
        }
        if let Some(line) = self.beyond {
            self.remark(line, format!("more than {MAX_ROWS} rows: those from here on are left out"));
        }
        if let Some((line, count)) = self.masked {
            self.remark(line, format!("{count} rows have masked figures (XXX.XX)"));
        }
        let empty: Vec<usize> = self.tables.iter().filter(|t| t.rows.is_empty()).map(|t| t.line).collect();
        self.tables.retain(|t| !t.rows.is_empty());
        if self.tables.is_empty() {
            return Err(self.refusal(file, empty.first().copied()));
        }
        for line in empty {
            self.remark(line, "a table without rows".to_owned());
        }
        if let Some(failure) = self.failure.take() {
            self.remark(failure.line, failure.text);
        }
        for test in &mut self.tables {
            test.library = test.library.take().or_else(|| self.library.clone());
            if !test.complete && self.remarks.len() < MAX_REMARKS {
                self.remarks
                    .push(Remark { line: test.line, text: "the table has no end: an incomplete run".to_owned() });
            }
        }
        Ok(Log { tests: self.tables, remarks: self.remarks, ways: self.ways })
    }

    /// Why there is nothing to read.
    fn refusal(&self, file: &str, header: Option<usize>) -> MeasureError {
        if let Some(failure) = &self.failure {
            return MeasureError::at(file, failure.line, format!("{}; expected rows of results", failure.text));
        }
        if let Some(remark) = self.remarks.first() {
            return MeasureError::at(file, remark.line, format!("no whole row: {}", remark.text));
        }
        if let Some(line) = header {
            return MeasureError::at(
                file,
                line,
                "the table has no rows; expected rows of size, count, type, time, algbw, busbw",
            );
        }
        let what = "not a log of nccl-tests or rccl-tests: no table header (size count type ... time algbw busbw)";
        MeasureError::whole(file, what)
    }
}

/// `Rank  0 Group  0 Pid 4242 on node1 device  0 [0000:11:00] NVIDIA H100 80GB HBM3`
fn device(stream: &mut Stream, words: &[&str]) {
    let Some(rank) = words.get(1).and_then(|w| w.parse::<u32>().ok()).filter(|r| *r < 1 << 24) else { return };
    stream.ranks.insert(rank);
    if let Some(host) = after(words, "on") {
        stream.hosts.insert(host.to_owned());
    }
    let name = words.iter().skip_while(|w| !w.starts_with('[')).skip(1).copied().collect::<Vec<_>>().join(" ");
    if stream.about.gpu.is_none() && !name.is_empty() {
        stream.about.gpu = Some(name);
    }
}

/// The word after a word.
fn after<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().position(|w| *w == key).and_then(|i| words.get(i + 1)).copied()
}

/// The collective of a program's name: `./build/all_reduce_perf`.
pub(super) fn program(word: &str) -> Option<Collective> {
    let name = word.rsplit('/').next()?.trim_matches(|c: char| !c.is_ascii_alphanumeric()).strip_suffix("_perf")?;
    name.parse().ok()
}

/// `NCCL version 2.20.5+cuda12.4`, `RCCL version : 2.22.3-HEAD:7d8d67c`, `nccl-library=22807`.
fn version(words: &[&str]) -> Option<String> {
    if let Some(code) = words.iter().find_map(|w| w.strip_prefix("nccl-library=")) {
        return version_of_code(code.parse().ok()?);
    }
    let i = words.windows(2).position(|w| matches!(w, ["NCCL" | "RCCL", "version"]))?;
    let text = words.iter().skip(i + 2).find(|w| **w != ":")?;
    let plain: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    plain.contains('.').then_some(plain)
}

/// 22807 is 2.28.7; before 2.9 the code had four digits: 2708 is 2.7.8.
pub(super) fn version_of_code(code: u32) -> Option<String> {
    match code {
        10_000.. => Some(format!("{}.{}.{}", code / 10_000, code / 100 % 100, code % 100)),
        1000.. => Some(format!("{}.{}.{}", code / 1000, code / 100 % 10, code % 100)),
        _ => None,
    }
}

/// `NCCL_ALGO=Ring`, `NCCL_ALGO set by environment to RING`.
fn setting(words: &[&str], key: &str) -> Option<String> {
    for (i, word) in words.iter().enumerate() {
        if let Some(value) = word.strip_prefix(key).and_then(|v| v.strip_prefix('=')) {
            return Some(value.trim_matches(['"', '\'', '\\']).to_owned());
        }
        if *word == key && words.get(i + 1..i + 5) == Some(&["set", "by", "environment", "to"]) {
            return words.get(i + 5).map(|v| v.trim_end_matches('.').to_owned());
        }
    }
    None
}

/// One block of a row: time, algbw, busbw, errors; `None` where the time is not there.
fn sample(block: &[Option<f64>]) -> Option<Sample> {
    let at = |i: usize| block.get(i).copied().flatten();
    let time = at(0).filter(|t| *t > 0.0)?;
    Some(Sample {
        time: Time::from_us(time),
        algbw: Bandwidth::from_gbytes_per_s(at(1)?),
        busbw: Bandwidth::from_gbytes_per_s(at(2)?),
        wrong: at(3),
    })
}
