//! `nvidia-smi topo -m` -> a draft. The matrix has no GPU name and no rate: the GPU comes from `--gpu` or from the list of
//! GPUs pasted beside the matrix.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{CpuHint, Draft, DraftDevice, GpuHint, NicHint, What, Wire};
use super::matrix::{self, Affinity, Matrix, Path};
use super::report::{ImportError, Report, several};
use super::{Options, gpus, scale_up};
use crate::parts::{Catalogue, GpuPart};

/// More NICs than this per GPU under one switch are virtual functions.
const REAL_NICS: usize = 2;

/// Reads the matrix.
pub(super) fn read(
    text: &str,
    options: &Options,
    catalogue: &Catalogue,
    report: &mut Report,
) -> Result<Draft, ImportError> {
    let m = matrix::parse(text, report).ok_or_else(|| {
        ImportError::new("no matrix of nvidia-smi topo -m").expecting("a header GPU0 GPU1 ... and a row for each")
    })?;
    let model = named_gpu(text);
    let is_gpu: Vec<bool> = m.names.iter().map(|n| n.starts_with("GPU")).collect();
    let gpu_rows: Vec<usize> = (0..m.names.len()).filter(|i| is_gpu.get(*i) == Some(&true)).collect();
    let most = gpu_rows.iter().flat_map(|i| gpu_rows.iter().map(|j| links(m.path(*i, *j)))).max().unwrap_or(0);
    let ports = match (options.gpu, &model) {
        (Some(word), _) => gpus::by_word(word, most, catalogue, report)?.scale_up_ports,
        (None, Some(_)) => 0,
        (None, None) => return Err(Unnamed::new(&m, &gpu_rows, most).error(catalogue)),
    };
    let mut builder = Builder {
        draft: Draft { hosts: 1, ..Draft::default() },
        device: vec![0; m.names.len()],
        m: &m,
        gpus: gpu_rows,
    };
    report.counts.nodes_in_file = 1;
    let vm = text.to_ascii_lowercase().contains("hypervisor vendor");
    if vm {
        report.read(0, "the text speaks of a hypervisor: a virtual machine");
    }
    builder.devices(model.as_deref().unwrap_or(""));
    let numa = builder.numa(report);
    builder.tree(&numa, report);
    builder.nvlinks(ports, report);
    let nics = m.names.len() - builder.gpus.len();
    report.read(m.line, format!("a matrix of {} GPUs and {nics} NICs", builder.gpus.len()));
    Ok(builder.draft)
}

fn links(p: Path) -> u32 {
    if let Path::Nvlink(n) = p { n } else { 0 }
}

/// `GPU 0: NVIDIA A100-SXM4-80GB (UUID: ...` of `nvidia-smi -L`, somewhere in the paste.
fn named_gpu(text: &str) -> Option<String> {
    text.lines().take(10_000).find_map(|l| {
        let rest = l.trim_start_matches(['#', '>', ' ', '\t']).strip_prefix("GPU ")?;
        let (n, name) = rest.split_once(": ")?;
        n.parse::<u32>().ok()?;
        let name = name.split(" (UUID").next()?.trim();
        (name.len() < 64 && name.len() > 2).then(|| name.to_owned())
    })
}

/// What a matrix without a GPU's name shows of it: enough to say which parts would fit.
struct Unnamed {
    line: u32,
    gpus: usize,
    /// Most links between two GPUs.
    links: u32,
    /// Most links of one GPU to all others, where they go directly from one to another.
    direct: u32,
    /// The GPUs' memories are NUMA nodes: they sit on a Grace CPU.
    on_grace: bool,
}

impl Unnamed {
    fn new(m: &Matrix, gpus: &[usize], links_of_pair: u32) -> Self {
        let of = |i: usize| gpus.iter().map(|j| links(m.path(i, *j))).sum::<u32>();
        let is_id = |v: &str| v.bytes().all(|b| b.is_ascii_digit());
        Self {
            line: m.line,
            gpus: gpus.len(),
            links: links_of_pair,
            direct: gpus.iter().map(|i| of(*i)).max().unwrap_or(0),
            on_grace: gpus.iter().any(|i| m.affinity(*i, Affinity::GpuNuma).is_some_and(is_id)),
        }
    }

    /// Links all to a switch, or spread over the other GPUs; pairs of cards may be joined by bridges.
    fn fits(&self, g: &GpuPart) -> bool {
        let has = |n: u32| g.scale_up_ports == n && (gpus::is_module(g) || self.direct == self.links);
        match self.links {
            0 => g.scale_up_ports == 0 && !g.arch.starts_with("cdna"),
            n => (has(n) || has(self.direct)) && !g.arch.starts_with("cdna"),
        }
    }

    fn error(&self, c: &Catalogue) -> ImportError {
        let mut fits: Vec<&GpuPart> = c.gpus().map(AsRef::as_ref).filter(|g| self.fits(g)).collect();
        let grace = |g: &GpuPart| g.name.starts_with("gh") || g.name.starts_with("gb");
        fits.sort_by(|a, b| {
            let key = |g: &GpuPart| grace(g) != self.on_grace;
            key(a).cmp(&key(b)).then(a.memory.get().total_cmp(&b.memory.get()))
        });
        let fits: Vec<&str> = fits.iter().map(|g| g.name.as_str()).take(6).collect();
        let example = fits.first().copied().unwrap_or("a100-sxm-80");
        let seen = match self.links {
            0 => format!("{} GPUs without NVLink", self.gpus),
            n => format!("{} GPUs with NV{n}", self.gpus),
        };
        let expected = if fits.is_empty() {
            format!("a part's name ({seen}: the links of the file are kept, whatever the part has)")
        } else {
            format!("for {seen} one of {}", fits.join(", "))
        };
        ImportError::new("the matrix does not say which GPU this is")
            .at(self.line, 1)
            .expecting(expected)
            .flag(format!("--gpu {example}"))
    }
}

struct Builder<'a> {
    draft: Draft,
    /// Device of the draft for each row.
    device: Vec<usize>,
    m: &'a Matrix,
    gpus: Vec<usize>,
}

impl Builder<'_> {
    fn line(&self, row: usize) -> u32 {
        self.m.lines.get(row).copied().filter(|l| *l > 0).unwrap_or(self.m.line)
    }

    fn at(&self, row: usize) -> usize {
        self.device.get(row).copied().unwrap_or(0)
    }

    fn nics(&self) -> Vec<usize> {
        (0..self.m.names.len()).filter(|i| !self.gpus.contains(i)).collect()
    }

    /// One device per row.
    fn devices(&mut self, model: &str) {
        for row in 0..self.m.names.len() {
            let name = self.m.names.get(row).cloned().unwrap_or_default();
            let index = name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok();
            let what = if self.gpus.contains(&row) {
                What::Gpu(GpuHint { model: model.to_owned(), index, ..GpuHint::default() })
            } else {
                What::Nic(NicHint { index: Some(row as u32), ..NicHint::default() })
            };
            let label = self.m.legend.get(&name).cloned().unwrap_or(name);
            let device = self.draft.push(DraftDevice::new(what, label, self.line(row)));
            if let Some(d) = self.device.get_mut(row) {
                *d = device;
            }
        }
    }

    /// The CPU of every row: by NUMA affinity, else by CPU affinity, else by who is not across NUMA nodes.
    fn numa(&mut self, report: &mut Report) -> Vec<usize> {
        let mut cpus: BTreeMap<String, usize> = BTreeMap::new();
        let mut home: Vec<Option<usize>> = vec![None; self.m.names.len()];
        for row in self.gpus.clone() {
            let list = self.m.affinity(row, Affinity::Numa);
            let id = list.and_then(|l| l.split([',', '-']).next()).and_then(|n| n.parse::<u32>().ok());
            let key = match (id, self.m.affinity(row, Affinity::Cpu)) {
                (Some(n), _) => format!("{n}"),
                (None, Some(c)) => format!("cpus {c}"),
                (None, None) => continue,
            };
            let line = self.line(row);
            let cpu = *cpus.entry(key.clone()).or_insert_with(|| push_cpu(&mut self.draft, id, &key, line));
            if let Some(h) = home.get_mut(row) {
                *h = Some(cpu);
            }
        }
        self.neighbours(&mut home, report);
        home.into_iter().map(|h| h.unwrap_or(0)).collect()
    }

    /// Rows without an affinity live where their neighbours live.
    fn neighbours(&mut self, home: &mut [Option<usize>], report: &mut Report) {
        let near = [Path::Pix, Path::Pxb, Path::Phb, Path::Node];
        for step in near {
            for row in 0..home.len() {
                if home.get(row) != Some(&None) {
                    continue;
                }
                let found = (0..home.len())
                    .filter(|o| self.m.path(row, *o) == step)
                    .find_map(|o| home.get(o).copied().flatten());
                if let Some(h) = home.get_mut(row).filter(|_| found.is_some()) {
                    *h = found;
                }
            }
        }
        let split = self.virtual_paths(home);
        for row in 0..home.len() {
            if home.get(row) != Some(&None) {
                continue;
            }
            let first = home.iter().copied().flatten().next();
            let line = self.line(row);
            let cpu = if let Some(cpu) = first.filter(|_| split) {
                report.assumed(
                    line,
                    "paths say SYS even inside a NUMA node, as in a virtual machine: placed at the first CPU",
                );
                cpu
            } else {
                report.assumed(line, "no affinity and no near neighbour: a NUMA node of its own");
                push_cpu(&mut self.draft, None, "unknown", line)
            };
            let friends = (0..home.len()).filter(|o| *o == row || near.contains(&self.m.path(row, *o)));
            for o in friends.collect::<Vec<_>>() {
                if let Some(h) = home.get_mut(o).filter(|h| h.is_none()) {
                    *h = Some(cpu);
                }
            }
        }
    }

    /// Whether two GPUs of one NUMA node are said to be across NUMA nodes: the host's layout is hidden.
    fn virtual_paths(&self, home: &[Option<usize>]) -> bool {
        let at = |i: usize| home.get(i).copied().flatten();
        self.gpus.iter().any(|i| {
            self.gpus.iter().any(|j| i < j && at(*i).is_some() && at(*i) == at(*j) && self.m.path(*i, *j) == Path::Sys)
        })
    }

    /// `PCIe` switches from the PIX and PXB closures, the rest on the CPU.
    fn tree(&mut self, numa: &[usize], report: &mut Report) {
        let rows: Vec<usize> = (0..self.m.names.len()).collect();
        let hierarchies = closure(&rows, |a, b| matches!(self.m.path(a, b), Path::Pix | Path::Pxb));
        for set in hierarchies {
            let Some(first) = set.first().copied() else { continue };
            let cpu = numa.get(first).copied().unwrap_or(0);
            let line = self.line(first);
            if set.len() == 1 {
                self.attach(cpu, first);
                continue;
            }
            let top = self.switch(cpu, line);
            let groups = closure(&set, |a, b| self.m.path(a, b) == Path::Pix);
            for group in &groups {
                // A cell that names the scale-up links hides the PCIe way beside them.
                let fits = |a: usize, b: usize| {
                    a == b || matches!(self.m.path(a, b), Path::Pix | Path::Nvlink(_) | Path::Unknown)
                };
                let whole = group.iter().all(|a| group.iter().all(|b| fits(*a, *b)));
                if !whole {
                    report.assumed(line, "PIX is not the same for all of a group: one switch for them");
                }
                let under = if groups.len() == 1 || group.len() == 1 { top } else { self.switch(top, line) };
                for row in self.real(group, report) {
                    self.attach(under, row);
                }
            }
        }
        self.drop_loose();
    }

    fn switch(&mut self, above: usize, line: u32) -> usize {
        let s = self.draft.push(DraftDevice::new(What::PcieSwitch(None), "switch", line));
        self.draft.wire(above, s, Wire::Pcie { generation: None, lanes: None }, line);
        s
    }

    fn attach(&mut self, above: usize, row: usize) {
        let line = self.line(row);
        let own_memory = self.m.affinity(row, Affinity::GpuNuma).is_some_and(|v| v.bytes().all(|b| b.is_ascii_digit()));
        let coherent = own_memory && self.draft.devices.get(above).is_some_and(|d| matches!(d.what, What::Cpu(_)));
        let what = if coherent { Wire::C2c { rate: None } } else { Wire::Pcie { generation: None, lanes: None } };
        let device = self.at(row);
        self.draft.wire(above, device, what, line);
    }

    /// The rows of a PIX group without virtual functions.
    fn real(&self, group: &[usize], report: &mut Report) -> Vec<usize> {
        let gpus = group.iter().filter(|r| self.gpus.contains(r)).count();
        let nics = group.len() - gpus;
        if gpus == 0 || nics <= REAL_NICS * gpus {
            if gpus == 0 && nics == 2 {
                report.derived(
                    self.line(*group.first().unwrap_or(&0)),
                    "two NICs under one switch without a GPU: two ports of one card",
                );
            }
            return group.to_vec();
        }
        let line = group.iter().find(|r| !self.gpus.contains(r)).map_or(0, |r| self.line(*r));
        report.assumed(
            line,
            format!(
                "{nics} NICs under one switch with {}: virtual functions, taken as {gpus}",
                several(gpus as u64, "GPU")
            ),
        );
        let mut left = gpus;
        let keep = |r: &usize| {
            self.gpus.contains(r) || {
                let room = left > 0;
                left = left.saturating_sub(1);
                room
            }
        };
        group.iter().copied().filter(keep).collect()
    }

    /// Takes away NICs that were left out of the tree.
    fn drop_loose(&mut self) {
        let wired: BTreeSet<usize> = self.draft.wires.iter().map(|w| w.b).collect();
        let loose: BTreeSet<usize> =
            self.nics().into_iter().map(|r| self.at(r)).filter(|d| !wired.contains(d)).collect();
        let mut next = 0;
        let new: Vec<usize> = (0..self.draft.devices.len())
            .map(|i| {
                let here = next;
                next += usize::from(!loose.contains(&i));
                here
            })
            .collect();
        self.draft.retain(|i| !loose.contains(&i));
        for d in &mut self.device {
            *d = new.get(*d).copied().unwrap_or(*d);
        }
    }

    /// `NVLink`: a switch where all pairs have more links together than a GPU has ports, else direct links.
    fn nvlinks(&mut self, ports: u32, report: &mut Report) {
        let sets = closure(&self.gpus, |a, b| links(self.m.path(a, b)) > 0);
        for set in sets.into_iter().filter(|s| s.len() > 1) {
            let (Some(a), Some(b)) = (set.first(), set.get(1)) else { continue };
            let (k, line) = (links(self.m.path(*a, *b)), self.line(*a));
            // Rows that were cut off say nothing against a switch.
            let fits = |p: Path| p == Path::Unknown || links(p) == k;
            let even = set.iter().all(|i| set.iter().all(|j| i == j || fits(self.m.path(*i, *j))));
            let needed = k * (set.len() as u32 - 1);
            let most = if ports > 0 { ports } else { MOST_PORTS };
            if even && needed > most {
                let hidden = scale_up::hidden_switch(&mut self.draft, line);
                for row in &set {
                    let gpu = self.at(*row);
                    self.draft.wire(gpu, hidden, Wire::ScaleUp { count: k, rate: None }, line);
                }
                report.derived(
                    line,
                    format!("NV{k} between all {} GPUs would need {needed} links each: they go to switches", set.len()),
                );
                continue;
            }
            for (n, i) in set.iter().enumerate() {
                for j in set.iter().skip(n + 1) {
                    let count = links(self.m.path(*i, *j));
                    let (a, b, line) = (self.at(*i), self.at(*j), self.line(*i));
                    if count > 0 {
                        self.draft.wire(a, b, Wire::ScaleUp { count: count.min(64), rate: None }, line);
                    }
                }
            }
            report.derived(line, format!("NVLink of {} GPUs goes directly from one to another", set.len()));
        }
    }
}

/// Ports of the GPU with the most of them, for matrices whose GPU is named beside.
const MOST_PORTS: u32 = 18;

fn push_cpu(draft: &mut Draft, numa: Option<u32>, label: &str, line: u32) -> usize {
    draft.push(DraftDevice::new(What::Cpu(CpuHint { numa, ..CpuHint::default() }), label, line))
}

/// Groups of rows that a relation ties together, in order.
fn closure(rows: &[usize], tied: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = rows.to_vec();
    let mut groups = Vec::new();
    while !left.is_empty() {
        let mut group = vec![left.remove(0)];
        let mut i = 0;
        while let Some(here) = group.get(i).copied() {
            let (near, far): (Vec<usize>, Vec<usize>) = left.iter().partition(|o| tied(here, **o));
            group.extend(near);
            left = far;
            i += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}
