//! `rocm-smi --showtopo` and `amd-smi topology` (tables or JSON) -> a draft.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Options;
use super::draft::{CpuHint, Draft, DraftDevice, GpuHint, ScaleUp, What, Wire};
use super::report::{ImportError, Report};

/// Most GPUs of one host.
const MAX_GPUS: usize = 256;

/// What the tools say, whatever form it had.
#[derive(Debug, Default)]
struct Seen {
    /// Bus ids or `GPU0`.
    labels: Vec<String>,
    /// Parallel xGMI links of pairs, from both sides.
    xgmi: BTreeMap<(usize, usize), u32>,
    /// Pairs whose link the tool could not tell.
    untold: u32,
    /// True when there was a table of links at all.
    told: bool,
    /// NUMA node of each GPU.
    numa: BTreeMap<usize, u32>,
    /// Name of the GPU.
    model: String,
    /// Line of the first table, from 1.
    line: u32,
}

/// Reads either tool's output.
pub(super) fn read(text: &str, options: &Options, report: &mut Report) -> Result<Draft, ImportError> {
    let mut seen = Seen { model: model(text), line: 1, ..Seen::default() };
    let json = text.lines().take(200).any(|l| l.trim_start().starts_with(['[', '{'])) && text.contains("\"gpu\"");
    if json {
        seen.json(text, report)?;
    } else {
        seen.tables(text, report);
    }
    if seen.labels.is_empty() {
        return Err(ImportError::new("no GPU in the output")
            .at(1, 1)
            .expecting("rocm-smi --showtopo or amd-smi topology"));
    }
    if options.gpu.is_none() && seen.model.is_empty() {
        return Err(ImportError::new("the output does not say which GPU this is")
            .at(seen.line, 1)
            .flag("--gpu mi300x"));
    }
    report.counts.nodes_in_file = 1;
    report.read(seen.line, format!("{} GPUs, {} pairs with xGMI", seen.labels.len(), seen.xgmi.len()));
    Ok(seen.draft(report))
}

/// `Card Series: AMD Instinct MI300X`, `MARKET_NAME: ...`.
fn model(text: &str) -> String {
    let keys = ["card series:", "card model:", "market_name:", "device name:"];
    let find = |l: &str| {
        let low = l.to_ascii_lowercase();
        let (at, key) = keys.iter().find_map(|k| low.find(k).map(|i| (i, *k)))?;
        let name = l.get(at + key.len()..)?.trim();
        (name.len() > 2 && name.len() < 64 && !name.starts_with("0x")).then(|| name.to_owned())
    };
    text.lines().take(10_000).find_map(find).unwrap_or_default()
}

impl Seen {
    fn index(&mut self, label: &str) -> Option<usize> {
        if let Some(i) = self.labels.iter().position(|l| l == label) {
            return Some(i);
        }
        if self.labels.len() >= MAX_GPUS {
            return None;
        }
        self.labels.push(label.to_owned());
        Some(self.labels.len() - 1)
    }

    /// Text tables: a header of labels, then rows. What a table holds is seen in its cells: titles are wrong in places.
    fn tables(&mut self, text: &str, report: &mut Report) {
        let mut columns: Vec<usize> = Vec::new();
        let mut bandwidth = false;
        for (n, line) in text.lines().enumerate() {
            let number = n as u32 + 1;
            if let Some((gpu, node)) = numa(line) {
                if let Some(i) = self.index(&format!("GPU{gpu}")) {
                    self.numa.entry(i).or_insert(node);
                }
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().take(MAX_GPUS + 4).collect();
            if words.len() > 1 && words.iter().all(|w| is_label(w)) && !words.contains(&"SELF") {
                columns = words.iter().filter_map(|w| self.index(w)).collect();
                self.line = if self.told { self.line } else { number };
                continue;
            }
            if line.contains("TABLE:") || line.contains("==") {
                bandwidth = line.contains("NUMA BW");
            }
            let Some((label, cells)) =
                words.split_first().filter(|(l, c)| is_label(l) && !c.is_empty() && !columns.is_empty())
            else {
                if line.contains("ERROR") || line.contains("Not supported") {
                    report.dropped(number, "the tool reports an error here");
                }
                continue;
            };
            let Some(row) = self.index(label) else { continue };
            // `GPU0 0000:0c:00.0  SELF ...`: two labels before the cells.
            let cells: Vec<&str> = cells.iter().copied().filter(|c| !is_label(c)).collect();
            if cells.len() != columns.len() {
                report.dropped(number, format!("{} cells in a row under {} labels", cells.len(), columns.len()));
            }
            for (column, cell) in columns.iter().zip(cells) {
                self.cell(row, *column, cell, bandwidth, number, report);
            }
        }
    }

    fn cell(&mut self, row: usize, column: usize, cell: &str, bandwidth: bool, line: u32, report: &mut Report) {
        if row == column {
            return;
        }
        let pair = (row.min(column), row.max(column));
        match cell {
            "XGMI" => {
                self.told = true;
                self.xgmi.entry(pair).or_insert(1);
            }
            "PCIE" | "PCIe" => self.told = true,
            "XXXX" => {
                self.untold += 1;
                self.told = true;
                report.dropped(line, "pairs whose link the tool could not read (XXXX): taken as none");
            }
            _ if bandwidth => {
                if let (Some(n), Some(count)) = (parallel(cell), self.xgmi.get_mut(&pair)) {
                    *count = n;
                }
            }
            _ => {}
        }
    }

    /// `amd-smi topology --json`, both schemas; trailing commas and `...` of documentation are forgiven.
    fn json(&mut self, text: &str, report: &mut Report) -> Result<(), ImportError> {
        let skipped = text.lines().take_while(|l| !l.trim_start().starts_with(['[', '{'])).count();
        let body: Vec<&str> = text.lines().skip(skipped).filter(|l| l.trim() != "...").collect();
        let plain = without_trailing_commas(&body.join("\n"));
        let mut stream = serde_json::Deserializer::from_str(&plain).into_iter::<Value>();
        let value = match stream.next() {
            Some(Ok(v)) => v,
            Some(Err(e)) => {
                let line = (skipped + e.line()) as u32;
                return Err(ImportError::new(format!("broken JSON: {e}"))
                    .at(line, e.column() as u32)
                    .expecting("amd-smi topology --json"));
            }
            None => return Err(ImportError::new("no JSON").at(1, 1)),
        };
        self.line = skipped as u32 + 1;
        let list = value.as_array().cloned().unwrap_or_else(|| vec![value]);
        for gpu in list.iter().take(MAX_GPUS) {
            let Some(row) = gpu.get("gpu").and_then(Value::as_u64).and_then(|n| self.index(&format!("GPU{n}"))) else {
                continue;
            };
            self.new_schema(row, gpu);
            self.old_schema(row, gpu);
        }
        if !self.told {
            report.dropped(self.line, "no link types in the JSON");
        }
        Ok(())
    }

    fn new_schema(&mut self, row: usize, gpu: &Value) {
        for link in gpu.get("links").and_then(Value::as_array).into_iter().flatten().take(MAX_GPUS) {
            let other = link.get("gpu").and_then(Value::as_u64).and_then(|n| self.index(&format!("GPU{n}")));
            let kind = link.get("link_type").and_then(Value::as_str);
            let (Some(other), Some(kind)) = (other, kind) else { continue };
            self.told = true;
            if kind == "XGMI" && other != row {
                let n = link.get("bandwidth").and_then(Value::as_str).and_then(parallel).unwrap_or(1);
                let e = self.xgmi.entry((row.min(other), row.max(other))).or_insert(n);
                *e = n.max(*e);
            }
        }
    }

    fn old_schema(&mut self, row: usize, gpu: &Value) {
        for (name, kind) in gpu.get("link_type").and_then(Value::as_object).into_iter().flatten().take(MAX_GPUS) {
            let Some(other) =
                name.trim_start_matches("gpu_").parse::<u64>().ok().and_then(|n| self.index(&format!("GPU{n}")))
            else {
                continue;
            };
            self.told = true;
            if kind.as_str() == Some("XGMI") && other != row {
                let rate = gpu.get("numa_bandwidth").and_then(|b| b.get(name)).and_then(Value::as_str);
                let n = rate.and_then(parallel).unwrap_or(1);
                self.xgmi.entry((row.min(other), row.max(other))).or_insert(n);
            }
        }
    }

    /// Devices and wires: every GPU on the CPU of its NUMA node.
    fn draft(&self, report: &mut Report) -> Draft {
        let mut draft = Draft { hosts: 1, ..Draft::default() };
        draft.scale_up = if self.told { ScaleUp::Told } else { ScaleUp::Unknown };
        let mut cpus: BTreeMap<Option<u32>, usize> = BTreeMap::new();
        let mut gpus = Vec::new();
        for (i, label) in self.labels.iter().enumerate() {
            let hint = GpuHint { model: self.model.clone(), index: Some(i as u32), amd: true, ..GpuHint::default() };
            let gpu = draft.push(DraftDevice::new(What::Gpu(hint), label.clone(), self.line));
            let numa = self.numa.get(&i).copied();
            let cpu = *cpus.entry(numa).or_insert_with(|| {
                let hint = CpuHint { numa, ..CpuHint::default() };
                draft.push(DraftDevice::new(What::Cpu(hint), "cpu", self.line))
            });
            draft.wire(cpu, gpu, Wire::Pcie { generation: None, lanes: None }, self.line);
            gpus.push(gpu);
        }
        if self.numa.is_empty() {
            report.assumed(self.line, "the NUMA nodes of the GPUs are not told: all on one CPU");
        }
        for ((a, b), count) in &self.xgmi {
            if let (Some(a), Some(b)) = (gpus.get(*a), gpus.get(*b)) {
                draft.wire(*a, *b, Wire::ScaleUp { count: (*count).clamp(1, 64), rate: None }, self.line);
            }
        }
        if !self.xgmi.is_empty() && self.xgmi.values().all(|n| *n == 1) {
            report.assumed(self.line, "the number of xGMI links of a pair is not told: one each");
        }
        draft
    }
}

/// `GPU0` or a bus id.
fn is_label(word: &str) -> bool {
    let gpu = word.strip_prefix("GPU").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let bus = word.len() == 12
        && word.bytes().enumerate().all(|(i, b)| match i {
            4 | 7 => b == b':',
            10 => b == b'.',
            _ => b.is_ascii_hexdigit(),
        });
    gpu || bus
}

/// GPU and NUMA node of `GPU[3] : (Topology) Numa Node: 0`.
fn numa(line: &str) -> Option<(u32, u32)> {
    let rest = line.trim_start().strip_prefix("GPU[")?;
    let (gpu, rest) = rest.split_once(']')?;
    let (_, node) = rest.split_once("Numa Node:")?;
    Some((gpu.parse().ok()?, node.trim().parse().ok()?))
}

/// Parallel links of `50000-100000`: the least (one link) and the most (all links), MB/s.
fn parallel(range: &str) -> Option<u32> {
    let (low, high) = range.split_once('-')?;
    let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low > 0.0 && high >= low).then(|| ((high / low).round() as u32).clamp(1, 16))
}

fn without_trailing_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == ']' || c == '}' {
            let end = out.trim_end().len();
            if out.get(..end).is_some_and(|t| t.ends_with(',')) {
                out.truncate(end - 1);
            }
        }
        out.push(c);
    }
    out
}
