//! A machine as textbooks draw it: every link at its line rate, one latency per step, no launch, no flags, no kernels.
//!
//! It goes through the same engine as a real machine; only its parts and the library's constants are ideal. What the
//! algorithms put on the links, how many steps they take, and how groups share links is the engine's own.

use icx_tui::cost::{Answer, Estimate, Params, estimate_with};
use icx_tui::preset;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::system::{Algorithm, Protocol, System};
use icx_tui::units::{Bandwidth, Bytes, Share, Time};

/// What a textbook says of a cluster. One NIC per GPU.
#[derive(Debug, Clone, Copy)]
pub struct Ideal {
    /// GPUs in a node.
    pub gpus: u32,
    /// Nodes.
    pub nodes: u32,
    /// Rate of the links inside a node, GB/s per direction.
    pub inside: f64,
    /// Latency of a step inside, us.
    pub step_inside: f64,
    /// Rate of a NIC, GB/s per direction.
    pub nic: f64,
    /// Latency of a step between nodes, us.
    pub step_nic: f64,
    /// Ports down to ports up at every node's leaf.
    pub oversubscription: f64,
}

/// A cluster of single GPUs with one latency and one rate, as the simplest cost model has it.
pub fn flat(ranks: u32, step: f64, rate: f64) -> Ideal {
    Ideal { gpus: 1, nodes: ranks, inside: rate, step_inside: step, nic: rate, step_nic: step, oversubscription: 1.0 }
}

/// One node.
pub fn node(gpus: u32, step: f64, rate: f64) -> Ideal {
    Ideal { gpus, nodes: 1, ..flat(1, step, rate) }
}

impl Ideal {
    /// The system.
    pub fn system(&self) -> System {
        preset::parse(&self.text(), "ideal", preset::catalogue()).unwrap_or_else(|e| panic!("{e}"))
    }

    /// What the engine answers, with the ideal library.
    pub fn ask(&self, question: Question) -> Estimate {
        match estimate_with(&ideal_library(), &self.system(), &question) {
            Answer::Estimate(e) => *e,
            Answer::Unreachable(u) => panic!("{u}"),
        }
    }

    /// Time of a ring in a group.
    pub fn ring(&self, collective: Collective, size: Bytes, group: Group) -> Time {
        self.ask(Question { group, ..forced(collective, size, Algorithm::Ring) }).time
    }

    /// Time of every rank to the next. The protocol that the engine has for this pays two trips a step, so half of the
    /// latency is given to each.
    pub fn shift(&self, size: Bytes) -> Time {
        let halved = Self { step_nic: self.step_nic / 2.0, ..*self };
        halved.ask(Question::new(Collective::SendRecv, size)).time
    }

    /// Time of every rank to every other.
    pub fn all_to_all(&self, size: Bytes) -> Time {
        self.ask(Question::new(Collective::AllToAll, size)).time
    }

    /// Time of the pipelined double tree.
    pub fn tree(&self, size: Bytes) -> Time {
        self.ask(forced(Collective::AllReduce, size, Algorithm::Tree)).time
    }

    fn text(&self) -> String {
        let last = self.gpus - 1;
        let origin = "Assumed(\"textbook\")";
        let kind = |name: &str, family: &str, rate: f64, step: f64| {
            format!(
                "(name: \"{name}\", title: \"{name}\", family: {family}, line: (is: \"{rate}GB/s\", from: {origin}), \
                 usable: (is: \"100%\", from: {origin}), latency: (is: \"0us\", from: {origin}), \
                 steps: (ll: \"{step}us\", ll128: \"{step}us\", simple: \"{step}us\", from: {origin})),"
            )
        };
        let switch = |name: &str, role: &str| {
            format!(
                "(name: \"{name}\", title: \"{name}\", role: {role}, ports: 65536, latency: (is: \"0us\", from: {origin})),"
            )
        };
        let links = kind("wire", "nvlink", self.inside, self.step_inside) + &kind("bus", "pcie", 9e5, 0.0);
        let switches =
            [("star", "scale_up"), ("tree", "fabric"), ("riser", "pcie")].map(|(n, r)| switch(n, r)).concat();
        let network = if self.nodes > 1 {
            format!(
                "units: {}, fabric: (transport: \"net\", switch: \"tree\", leaf_nodes: {}, oversubscription: {:?}),",
                self.nodes,
                if self.oversubscription > 1.0 { 1 } else { self.nodes },
                self.oversubscription
            )
        } else {
            String::new()
        };
        format!(
            "(name: \"ideal\", title: \"ideal\", parts: (links: [{links}], switches: [{switches}], \
             archs: [(name: \"a\", ll_channel: (is: \"900000GB/s\", from: {origin}), \
                ll128_channel: (is: \"900000GB/s\", from: {origin}), channels: 1, channels_multi: 1, from: {origin})], \
             gpus: [(name: \"g\", title: \"g\", arch: \"a\", memory: \"80GiB\", memory_kind: \"HBM\", \
                memory_rate: (is: \"900000GB/s\", from: {origin}), scale_up_ports: 1, peer_to_peer: true, from: {origin})], \
             nics: [(name: \"n\", title: \"n\", rate: (is: \"{nic}GB/s\", from: {origin}), latency: (is: \"0us\", from: {origin}))], \
             transports: [(name: \"net\", title: \"net\", rdma: true, usable: (is: \"100%\", from: {origin}), \
                without_gdr: (is: \"100%\", from: {origin}), step: (is: \"{step_nic}us\", from: {origin}))]), \
             node: (devices: [(name: \"psw[0-{last}]\", part: \"riser\"), (name: \"gpu[0-{last}]\", part: \"g\"), \
                (name: \"nvsw0\", part: \"star\"), (name: \"nic[0-{last}]\", part: \"n\")], \
             links: [(from: \"gpu[0-{last}]\", to: \"nvsw0\", kind: \"wire\"), \
                (from: \"psw[0-{last}]\", to: \"gpu[0-{last}]\", kind: \"bus\", join: pairwise), \
                (from: \"psw[0-{last}]\", to: \"nic[0-{last}]\", kind: \"bus\", join: pairwise)]), {network})",
            nic = self.nic,
            step_nic = self.step_nic,
        )
    }
}

fn forced(collective: Collective, size: Bytes, algorithm: Algorithm) -> Question {
    // The one protocol whose steps are single trips and whose data need no pipeline to be filled.
    Question { algorithm: Some(algorithm), protocol: Some(Protocol::Ll), ..Question::new(collective, size) }
}

/// The library without launch, flags, windows and fixed costs.
fn ideal_library() -> Params {
    let mut p = Params::default();
    let none = |f: &mut icx_tui::parts::Figure<Time>| f.is = Time::ZERO;
    none(&mut p.launch);
    none(&mut p.launch_per_gpu);
    none(&mut p.launch_per_peer);
    none(&mut p.peer);
    none(&mut p.reduce_latency);
    none(&mut p.reduce_per_rank);
    for share in [&mut p.ll_efficiency, &mut p.tree_share, &mut p.pair_share] {
        share.is = Share::ONE;
    }
    none(&mut p.network_simple);
    p.network_ll_window.is = Bytes::new(1e15);
    p.slot.is = Bytes::ZERO;
    p
}

/// What a shipped system answers, after edits.
pub fn shipped(name: &str, edits: &[&str], question: &Question) -> Estimate {
    match icx_tui::cost::estimate(&edited(name, edits), question) {
        Answer::Estimate(e) => *e,
        Answer::Unreachable(u) => panic!("{name} {edits:?}: {u}"),
    }
}

/// A shipped system after edits.
pub fn edited(name: &str, edits: &[&str]) -> System {
    use icx_tui::scenario::{Context, Edit, Entry, Outcome, apply};
    let base = preset::load_shipped(name).unwrap_or_else(|e| panic!("{e}"));
    let entries: Vec<Entry> =
        edits.iter().map(|t| Entry::from(t.parse::<Edit>().unwrap_or_else(|e| panic!("{t}: {e}")))).collect();
    let applied = apply(&base, &entries, &Context::default());
    assert!(applied.outcomes.iter().all(|o| matches!(o, Outcome::Active { .. })), "{name} {edits:?}");
    applied.system
}

/// Line rate of one tier of a shipped system, per GPU and direction.
pub fn line(name: &str, tier: icx_tui::system::Tier) -> Bandwidth {
    let system = edited(name, &[]);
    let row = system.tiers().into_iter().find(|t| t.tier == tier);
    row.unwrap_or_else(|| panic!("{name} has no such tier")).line
}
