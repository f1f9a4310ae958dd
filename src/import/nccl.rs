//! NCCL and RCCL topology XML: dumps (`NCCL_TOPO_DUMP_FILE`) and skeletons (`NCCL_TOPO_FILE`), several hosts too.

mod convert;

use std::collections::BTreeMap;

use super::draft::{Draft, MAX_DEVICES};
use super::report::{ImportError, Report};
use super::xml::{self, Step, Tag};

/// One `cpu` element: a NUMA node.
#[derive(Debug, Default)]
struct RawCpu {
    tag: Tag,
    host: u32,
    peers: Vec<Tag>,
}

/// Where a `pci` element hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parent {
    Cpu(usize),
    Pci(usize),
}

/// One `pci` element, or a `nic` directly under a `cpu`.
#[derive(Debug)]
struct RawPci {
    tag: Tag,
    parent: Parent,
    cpu: usize,
    gpus: Vec<RawGpu>,
    nets: Vec<Tag>,
    is_nic: bool,
    children: u32,
    peers: Vec<Tag>,
}

/// One `gpu` element with its links.
#[derive(Debug)]
struct RawGpu {
    tag: Tag,
    links: Vec<Tag>,
}

/// Everything of a file, before it gets a meaning.
#[derive(Debug, Default)]
struct Raw {
    system: Tag,
    cpus: Vec<RawCpu>,
    pcis: Vec<RawPci>,
    hosts: BTreeMap<String, u32>,
    /// Switches between GPUs, in files that this program wrote.
    switches: Vec<RawCpu>,
}

/// What is open while walking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Outside,
    System,
    Cpu(usize),
    Pci(usize),
    Gpu(usize),
    Nic(usize),
    Switch(usize),
    Leaf,
    Ignored,
}

/// Reads the XML into a draft.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Draft, ImportError> {
    let mut raw = Raw::default();
    let mut stack: Vec<Open> = Vec::new();
    xml::walk(text, false, report, |step, report| {
        match step {
            Step::Open(tag) => {
                let inside = stack.last().copied().unwrap_or(Open::Outside);
                stack.push(raw.open(inside, tag, report)?);
            }
            Step::Close => {
                stack.pop();
            }
            Step::Text(_) => {}
        }
        Ok(())
    })?;
    convert::draft(&raw, report)
}

impl Raw {
    /// Takes in an element; what it opens.
    fn open(&mut self, inside: Open, tag: Tag, report: &mut Report) -> Result<Open, ImportError> {
        if self.pcis.len() + self.cpus.len() + self.switches.len() > MAX_DEVICES {
            return Err(ImportError::new(format!("more than {MAX_DEVICES} devices")).at(tag.line, 1));
        }
        let name = tag.name.clone();
        let open = match (inside, name.as_str()) {
            (Open::Outside, "system") => {
                self.system = tag;
                Open::System
            }
            (Open::Outside, _) => Open::Outside,
            (Open::System, "cpu") => self.cpu(tag),
            (Open::Cpu(c), "pci") => self.pci(Parent::Cpu(c), tag),
            (Open::Pci(p), "pci") => self.pci(Parent::Pci(p), tag),
            (Open::Pci(p), "gpu") => self.gpu(p, tag),
            (Open::Pci(p), "nic") => self.nic(p),
            (Open::Cpu(c), "nic") => {
                let Open::Pci(p) = self.pci(Parent::Cpu(c), tag) else { return Ok(Open::Ignored) };
                self.nic(p)
            }
            (Open::System, "switch") => {
                self.switches.push(RawCpu { tag, host: 0, peers: Vec::new() });
                Open::Switch(self.switches.len() - 1)
            }
            (Open::Gpu(_), "nvlink" | "xgmi" | "c2c")
            | (Open::Nic(_), "net")
            | (Open::Switch(_) | Open::Cpu(_) | Open::Pci(_), "peer") => self.leaf(inside, tag),
            (Open::Pci(_), "pcilink") => {
                report.dropped(tag.line, "pcilink: a free path between two parts of one switch, not modelled");
                Open::Leaf
            }
            (Open::Ignored | Open::Leaf, _) => Open::Ignored,
            _ => {
                report.dropped(tag.line, format!("unknown element {:?} with what it contains", short(&name)));
                Open::Ignored
            }
        };
        Ok(open)
    }

    /// An element without children that belongs to what it is in.
    fn leaf(&mut self, inside: Open, tag: Tag) -> Open {
        let list = match inside {
            Open::Gpu(p) => self.pcis.get_mut(p).and_then(|p| p.gpus.last_mut()).map(|g| &mut g.links),
            Open::Nic(p) => self.pcis.get_mut(p).map(|p| &mut p.nets),
            Open::Pci(p) => self.pcis.get_mut(p).map(|p| &mut p.peers),
            Open::Cpu(c) => self.cpus.get_mut(c).map(|c| &mut c.peers),
            Open::Switch(s) => self.switches.get_mut(s).map(|s| &mut s.peers),
            _ => None,
        };
        if let Some(list) = list {
            list.push(tag);
        }
        Open::Leaf
    }

    fn cpu(&mut self, tag: Tag) -> Open {
        let key = tag.text("host_hash").to_owned();
        let next = self.hosts.len() as u32;
        let host = *self.hosts.entry(key).or_insert(next);
        self.cpus.push(RawCpu { tag, host, peers: Vec::new() });
        Open::Cpu(self.cpus.len() - 1)
    }

    fn pci(&mut self, parent: Parent, tag: Tag) -> Open {
        let cpu = match parent {
            Parent::Cpu(c) => c,
            Parent::Pci(p) => {
                let Some(above) = self.pcis.get_mut(p) else { return Open::Ignored };
                above.children += 1;
                above.cpu
            }
        };
        let new = RawPci {
            tag,
            parent,
            cpu,
            gpus: Vec::new(),
            nets: Vec::new(),
            is_nic: false,
            children: 0,
            peers: Vec::new(),
        };
        self.pcis.push(new);
        Open::Pci(self.pcis.len() - 1)
    }

    fn gpu(&mut self, p: usize, tag: Tag) -> Open {
        if let Some(pci) = self.pcis.get_mut(p) {
            pci.gpus.push(RawGpu { tag, links: Vec::new() });
        }
        Open::Gpu(p)
    }

    fn nic(&mut self, p: usize) -> Open {
        if let Some(pci) = self.pcis.get_mut(p) {
            pci.is_nic = true;
        }
        Open::Nic(p)
    }
}

/// The beginning of a text, for a message.
fn short(text: &str) -> String {
    text.chars().take(24).collect()
}
