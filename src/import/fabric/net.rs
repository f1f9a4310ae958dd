//! Hosts, switches and cables of a fabric file, and what they have in common.

use std::collections::{BTreeMap, BTreeSet};

use super::super::detect::Kind;
use super::super::report::{ImportError, Report, several};
use super::Found;
use crate::units::Bandwidth;

/// Most nodes (hosts' ports and switches) of a file.
const MAX_NODES: usize = 400_000;

/// A switch, or an adapter of a host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// True for a switch.
    pub(super) is_switch: bool,
    /// Description: `MF0;leaf1:MQM9700/U1`, `node1 mlx5_0`.
    pub(super) description: String,
    /// GUID of the box that it is part of; empty if not told.
    pub(super) system: String,
    /// Ports that it has, in use or not; 0 if not told.
    pub(super) ports: u32,
    /// Line where it is defined, 0 if only others name it.
    pub(super) line: u32,
}

/// One cable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cable {
    /// Rate per direction.
    pub(super) rate: Option<Bandwidth>,
    /// Line where it is first listed.
    pub(super) line: u32,
    /// Whether both ends list it.
    pub(super) both: bool,
}

/// End of a cable: node and port.
pub(super) type End = (usize, u32);

/// Everything of a fabric file.
#[derive(Debug, Default)]
pub(super) struct Net {
    nodes: Vec<Node>,
    index: BTreeMap<String, usize>,
    cables: BTreeMap<(End, End), Cable>,
}

/// The ports of one host.
type Ports = Vec<(usize, Option<Bandwidth>)>;

impl Net {
    /// The node of an id, made if it is new.
    pub(super) fn node(&mut self, id: &str, is_switch: bool) -> Result<usize, ImportError> {
        if let Some(i) = self.index.get(id) {
            return Ok(*i);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(ImportError::new(format!("more than {MAX_NODES} nodes")));
        }
        self.nodes.push(Node { is_switch, ..Node::default() });
        self.index.insert(id.to_owned(), self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    /// A node to fill in.
    pub(super) fn get_mut(&mut self, i: usize) -> Option<&mut Node> {
        self.nodes.get_mut(i)
    }

    /// A node.
    pub(super) fn get(&self, i: usize) -> Option<&Node> {
        self.nodes.get(i)
    }

    /// Whether an id is known.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// Adds a cable, or sees its other end.
    pub(super) fn cable(&mut self, a: End, b: End, rate: Option<Bandwidth>, line: u32) {
        let key = if a <= b { (a, b) } else { (b, a) };
        let cable = self.cables.entry(key).or_insert(Cable { rate, line, both: false });
        if cable.line != line {
            cable.both = true;
            cable.rate = cable.rate.or(rate);
        }
    }

    /// The rules of the fabric.
    pub(super) fn found(&self, kind: Kind, report: &mut Report) -> Result<Found, ImportError> {
        let hosts = self.hosts();
        if hosts.is_empty() {
            let cables = self.cables.len();
            return Err(ImportError::new(format!(
                "no host is connected to a switch ({} nodes, {cables} cables)",
                self.nodes.len()
            ))
            .at(1, 1)
            .expecting("switches with hosts on their ports"));
        }
        let told = kind != Kind::Slurm;
        let mut found = Found {
            kind,
            hosts: hosts.len() as u32,
            nics: if told { most_frequent(hosts.values().map(|p| p.len() as u32)).unwrap_or(0) } else { 0 },
            rate: most_frequent(hosts.values().flatten().filter_map(|(_, r)| *r).map(mbits)).map(from_mbits),
            leaf_nodes: 1,
            rails: false,
            oversubscription: None,
            levels: 1,
            model: String::new(),
            ports: self.nodes.iter().filter(|n| n.is_switch).map(|n| n.ports).max().unwrap_or(0),
        };
        let leaves = leaves(&hosts);
        found.leaf_nodes = leaves.values().map(|h| h.len() as u32).max().unwrap_or(1);
        let apart = |p: &Ports| p.len() > 1 && p.iter().map(|(s, _)| s).collect::<BTreeSet<_>>().len() == p.len();
        found.rails = 5 * hosts.values().filter(|p| apart(p)).count() >= 4 * hosts.len();
        found.levels = self.levels(leaves.keys().copied());
        found.model =
            leaves.keys().next().and_then(|l| self.get(*l)).map(|n| n.description.clone()).unwrap_or_default();
        found.oversubscription = self.oversubscription(&leaves);
        self.notes(&found, leaves.len(), &hosts, report);
        Ok(found)
    }

    /// Ports of every host, by its name: the leaf and the rate of each.
    fn hosts(&self) -> BTreeMap<String, Ports> {
        let mut hosts: BTreeMap<String, Ports> = BTreeMap::new();
        for ((a, b), cable) in &self.cables {
            let (Some(x), Some(y)) = (self.get(a.0), self.get(b.0)) else { continue };
            let (host, leaf, end) = match (x.is_switch, y.is_switch) {
                (false, true) => (x, b.0, a),
                (true, false) => (y, a.0, b),
                _ => continue,
            };
            // Adapters without a host's name yet are one host where they are one system.
            let unnamed = || match host.system.as_str() {
                "" => format!("adapter {}", end.0),
                system => format!("system {system}"),
            };
            let name = host_name(&host.description).unwrap_or_else(unnamed);
            hosts.entry(name).or_default().push((leaf, cable.rate));
        }
        hosts
    }

    /// Levels of switches above the hosts: the farthest switch from the leaves.
    fn levels(&self, leaves: impl Iterator<Item = usize>) -> u32 {
        let mut around: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (a, b) in self.cables.keys() {
            if [a.0, b.0].iter().all(|n| self.get(*n).is_some_and(|n| n.is_switch)) {
                around.entry(a.0).or_default().push(b.0);
                around.entry(b.0).or_default().push(a.0);
            }
        }
        let mut level: BTreeMap<usize, u32> = leaves.map(|l| (l, 1)).collect();
        let mut queue: std::collections::VecDeque<usize> = level.keys().copied().collect();
        while let Some(n) = queue.pop_front() {
            let next = level.get(&n).copied().unwrap_or(1) + 1;
            for o in around.get(&n).into_iter().flatten() {
                if !level.contains_key(o) {
                    level.insert(*o, next);
                    queue.push_back(*o);
                }
            }
        }
        level.values().copied().max().unwrap_or(1)
    }

    /// Median over the leaves of the rate down over the rate up.
    fn oversubscription(&self, leaves: &BTreeMap<usize, BTreeSet<&str>>) -> Option<f64> {
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for ((a, b), cable) in &self.cables {
            let rate = cable.rate?.gbytes_per_s();
            for (here, there) in [(a.0, b.0), (b.0, a.0)] {
                if !leaves.contains_key(&here) {
                    continue;
                }
                let sum = sums.entry(here).or_default();
                if self.get(there).is_some_and(|n| n.is_switch) { sum.1 += rate } else { sum.0 += rate }
            }
        }
        let mut ratios: Vec<f64> = sums.values().filter(|(_, up)| *up > 0.0).map(|(down, up)| down / up).collect();
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
        Some((median.clamp(0.05, 100.0) * 1000.0).round() / 1000.0)
    }

    fn notes(&self, found: &Found, leaves: usize, hosts: &BTreeMap<String, Ports>, report: &mut Report) {
        let switches = self.nodes.iter().filter(|n| n.is_switch).count();
        let [hosts_text, switches] = [several(found.hosts, "host"), several(switches as u64, "switch")];
        report.read(0, format!("{hosts_text}, {switches}, {}", several(self.cables.len() as u64, "cable")));
        let leaves = if leaves == 1 { "1 leaf".to_owned() } else { format!("{leaves} leaves") };
        let (under, levels) = (several(found.leaf_nodes, "host"), several(found.levels, "level"));
        report.derived(0, format!("{leaves} with up to {under}, {levels} of switches"));
        let odd = hosts.values().filter(|p| p.len() as u32 != found.nics).count();
        if odd > 0 && found.nics > 0 {
            report.read(0, format!("{odd} of {} hosts do not have {} ports like the others", found.hosts, found.nics));
        }
        for c in self.cables.values().filter(|c| !c.both && c.rate.is_some()) {
            report.read(c.line, "a cable is listed by one of its ends only");
        }
        self.slow_siblings(report);
    }

    /// Parallel cables of unequal rate, and hosts' ports slower than the others.
    fn slow_siblings(&self, report: &mut Report) {
        let mut best: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let rate = |c: &Cable| c.rate.map(Bandwidth::gbytes_per_s);
        for ((a, b), c) in &self.cables {
            let e = best.entry((a.0, b.0)).or_default();
            *e = e.max(rate(c).unwrap_or(0.0));
        }
        for ((a, b), c) in &self.cables {
            let most = best.get(&(a.0, b.0)).copied().unwrap_or(0.0);
            if let Some(r) = rate(c).filter(|r| *r < 0.99 * most) {
                report.read(c.line, format!("a cable at {r} GB/s beside one at {most} GB/s"));
            }
        }
    }
}

/// Hosts under every leaf.
fn leaves(hosts: &BTreeMap<String, Ports>) -> BTreeMap<usize, BTreeSet<&str>> {
    let mut leaves: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (name, ports) in hosts {
        for (leaf, _) in ports {
            leaves.entry(*leaf).or_default().insert(name);
        }
    }
    leaves
}

fn mbits(rate: Bandwidth) -> u64 {
    (rate.gbits_per_s() * 1000.0).round() as u64
}

fn from_mbits(mbits: u64) -> Bandwidth {
    Bandwidth::from_gbits_per_s(mbits as f64 / 1000.0)
}

/// The most frequent value, the larger of two that are equally so.
fn most_frequent<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, u32> = BTreeMap::new();
    for v in values {
        *counts.entry(v).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(v, n)| (*n, *v)).map(|(v, _)| v)
}

/// Whether a word names an adapter: `mlx5_0`, `HCA-6`.
pub(super) fn is_adapter(word: &str) -> bool {
    ["mlx4_", "mlx5_", "HCA-", "hfi1_", "ibp", "qib", "bnxt_re", "irdma"].iter().any(|p| word.starts_with(p))
}

/// The host's name in `node1 mlx5_0`; `None` for a description that names a product only.
fn host_name(description: &str) -> Option<String> {
    let d = description.trim();
    if d.is_empty() || (d.starts_with("MT") && d.contains("Mellanox")) {
        return None;
    }
    match d.rsplit_once(' ') {
        Some((host, adapter)) if is_adapter(adapter) => Some(host.trim().to_owned()),
        _ => Some(d.to_owned()),
    }
}
