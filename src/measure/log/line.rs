//! One line of a log: what it is, without prefixes.

/// Element types of nccl-tests and rccl-tests with their bytes.
const TYPES: &[(&str, u32)] = &[
    ("float", 4),
    ("half", 2),
    ("double", 8),
    ("bfloat16", 2),
    ("int8", 1),
    ("char", 1),
    ("uint8", 1),
    ("int32", 4),
    ("int", 4),
    ("uint32", 4),
    ("int64", 8),
    ("uint64", 8),
    ("f8e4m3", 1),
    ("f8e5m2", 1),
    ("fp8_e4m3", 1),
    ("fp8_e5m2", 1),
];

/// Bytes of an element of this type.
pub(super) fn element_bytes(kind: &str) -> Option<u32> {
    TYPES.iter().find(|(n, _)| *n == kind).map(|(_, b)| *b)
}

/// A line without what `mpirun`, `srun` or a container runtime put in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The prefix: it names the stream that the line belongs to.
    pub(super) stream: &'a str,
    /// The rest, without a leading `#`.
    pub(super) body: &'a str,
}

/// Splits the prefix off: `[1,0]<stdout>:`, `node1: `, `0: `, a time stamp; then `#` signs.
pub(super) fn split(raw: &str) -> Line<'_> {
    let raw = raw.trim_end_matches(['\r', '\n']);
    let mut at = 0;
    for _ in 0..3 {
        let rest = raw.get(at..).unwrap_or_default();
        let Some(len) = prefix(rest) else { break };
        at += len;
    }
    let stream = raw.get(..at).unwrap_or_default();
    let body = raw.get(at..).unwrap_or_default();
    // A time stamp differs on every line: it names no stream.
    let stream = if stream.contains(['T', '-']) && stream.trim_end().ends_with('Z') { "" } else { stream.trim() };
    Line { stream, body: body.trim_start().trim_start_matches('#') }
}

/// Length of a prefix at the start of a line.
fn prefix(text: &str) -> Option<usize> {
    let blank = text.len() - text.trim_start().len();
    let word_end = text.get(blank..)?.find(char::is_whitespace).map_or(text.len(), |i| blank + i);
    let word = text.get(blank..word_end)?;
    if word.starts_with('[') {
        // `[1,0]<stdout>:` may be glued to what follows.
        let end = word.find(">:")?;
        let tag = word.get(..end)?;
        return (tag.contains(',') && tag.contains("]<")).then_some(blank + end + 2);
    }
    if is_time(word) {
        return Some(word_end);
    }
    let name = word.strip_suffix(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    // Words of the tests' own lines that end in a colon.
    let own =
        matches!(name, "step" | "iters" | "validation" | "graph" | "bandwidth" | "values" | "version" | "rccl-tests");
    (is_name && !own).then_some(word_end)
}

/// `2024-05-01T10:20:30.123456Z`, as container runtimes print it.
fn is_time(word: &str) -> bool {
    word.len() >= 20
        && word.ends_with('Z')
        && word.as_bytes().get(10) == Some(&b'T')
        && word.chars().take(4).all(|c| c.is_ascii_digit())
}

/// True for the line with the column names.
pub(super) fn is_header(raw: &str) -> bool {
    let has = |name: &str| raw.split_whitespace().any(|w| w == name);
    has("size") && has("algbw") && has("busbw")
}

/// The columns that a header names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    /// There is a column for the reduction.
    pub(super) redop: bool,
    /// There is a column for the root.
    pub(super) root: bool,
    /// Values in one block: time, algbw, busbw, errors, perhaps more.
    pub(super) block: usize,
    /// Blocks: 2, or 1 where only in-place was run.
    pub(super) blocks: usize,
    /// Where the first block ends, in characters of the raw line.
    pub(super) first_end: usize,
}

impl Columns {
    /// Reads a header line.
    pub(super) fn of(raw: &str) -> Self {
        let names: Vec<&str> = raw.split_whitespace().filter(|w| *w != "#").collect();
        let is_time = |n: &&str| matches!(*n, "time" | "cputime");
        let starts: Vec<usize> = names.iter().enumerate().filter(|(_, n)| is_time(n)).map(|(i, _)| i).collect();
        let (blocks, block) = match starts.as_slice() {
            [a, b, ..] => (2, b - a),
            [a] => (1, names.iter().skip(*a).take_while(|n| **n != "timestamp").count()),
            [] => (2, 4),
        };
        let first_end = raw.find("busbw").map_or(0, |i| i + 5);
        Self { redop: names.contains(&"redop"), root: names.contains(&"root"), block: block.max(3), blocks, first_end }
    }

    /// What stands where the header is missing: two blocks of four.
    pub(super) const fn usual() -> Self {
        Self { redop: true, root: true, block: 4, blocks: 2, first_end: 0 }
    }

    /// Values in a whole row.
    pub(super) const fn values(&self) -> usize {
        self.block * self.blocks
    }
}

/// A row as far as the line goes: the words before the values, and the values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RowText {
    /// Bytes.
    pub(super) size: u64,
    /// Elements.
    pub(super) count: u64,
    /// Bytes of an element, if the type is known.
    pub(super) element: Option<u32>,
    /// `sum`, `none`.
    pub(super) redop: Option<String>,
    /// Root, when there is one.
    pub(super) root: Option<i64>,
    /// The values so far; `None` for `N/A`.
    pub(super) values: Vec<Option<f64>>,
    /// A figure is masked (`XXX.XX`).
    pub(super) masked: bool,
    /// The line went on with something else (a message of the library).
    pub(super) cut: bool,
    /// Where the first value ends, in characters of the body.
    pub(super) first_value_end: usize,
}

/// Reads a row: two whole numbers and a type, then what is there.
pub(super) fn row(body: &str, columns: Option<&Columns>) -> Option<RowText> {
    let mut words = Words { body, at: 0 };
    let size: u64 = words.next()?.parse().ok()?;
    let count: u64 = words.next()?.parse().ok()?;
    let kind = words.next()?;
    let element = element_bytes(kind);
    if !kind.starts_with(|c: char| c.is_ascii_alphabetic()) || (element.is_none() && !plausible_type(kind)) {
        return None;
    }
    let mut row = RowText {
        size,
        count,
        element,
        redop: None,
        root: None,
        values: Vec::new(),
        masked: false,
        cut: false,
        first_value_end: 0,
    };
    if let Some(word) = words.peek()
        && is_redop(word)
    {
        row.redop = words.next().map(str::to_owned);
    }
    if columns.is_none_or(|c| c.root) && root_follows(words.clone(), columns) {
        row.root = words.next().and_then(|w| w.parse().ok());
    }
    values(&mut words, &mut row, columns.map_or(8, Columns::values));
    Some(row)
}

/// The root stands there, and is not the first value: with a header the header says so; without one, the count tells.
fn root_follows(words: Words<'_>, columns: Option<&Columns>) -> bool {
    let rest: Vec<&str> = words.collect();
    let integer = rest.first().is_some_and(|w| w.parse::<i64>().is_ok());
    integer && (columns.is_some() || rest.len() % 2 == 1)
}

fn plausible_type(word: &str) -> bool {
    word.len() <= 12
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && word.contains(|c: char| c.is_ascii_digit())
}

fn is_redop(word: &str) -> bool {
    matches!(word, "sum" | "prod" | "min" | "max" | "avg" | "mulsum" | "none" | "all")
}

/// Collects values up to the number wanted; whatever comes after is a time stamp.
fn values(words: &mut Words<'_>, row: &mut RowText, wanted: usize) {
    while row.values.len() < wanted {
        let Some(word) = words.next() else { return };
        match value(word) {
            Value::Number(v) => row.values.push(Some(v)),
            Value::NotThere => row.values.push(None),
            Value::Masked => {
                row.masked = true;
                return;
            }
            Value::Other => {
                row.cut = true;
                return;
            }
        }
        if row.values.len() == 1 {
            row.first_value_end = words.at;
        }
    }
}

/// A line of nothing but values: what is missing of a row that was cut.
pub(super) fn only_values(body: &str) -> Option<Vec<Option<f64>>> {
    let mut all = Vec::new();
    let mut words = body.split_whitespace().peekable();
    // The root may stand in front.
    if let Some(root) = words.next_if(|w| w.starts_with('-') && w.parse::<i64>().is_ok()) {
        all.push(root.parse().ok());
    }
    for word in words {
        match value(word) {
            Value::Number(v) => all.push(Some(v)),
            Value::NotThere => all.push(None),
            Value::Masked | Value::Other => return None,
        }
    }
    (!all.is_empty() && all.len() <= 40).then_some(all)
}

enum Value {
    Number(f64),
    NotThere,
    Masked,
    Other,
}

fn value(word: &str) -> Value {
    if matches!(word, "N/A" | "nan" | "-nan" | "-") {
        return Value::NotThere;
    }
    if word.contains("XX") && word.chars().all(|c| matches!(c, 'X' | '.')) {
        return Value::Masked;
    }
    let plain = word.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    match word.parse::<f64>() {
        Ok(v) if plain && v.is_finite() => Value::Number(v),
        _ => Value::Other,
    }
}

/// Words of a line, with the place where the last one ended.
#[derive(Clone)]
struct Words<'a> {
    body: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.body.get(self.at..)?;
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = self.body.get(start..)?;
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + len;
        rest.get(..len).filter(|w| !w.is_empty())
    }
}
