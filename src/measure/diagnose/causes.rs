//! What may be wrong: every cause is a few edits, and the list is in the order of how often such a thing happens.

use super::{Cause, CauseKind};
use crate::parts::Family;
use crate::question::Collective;
use crate::scenario::{Edit, Key, Value};
use crate::system::{Algorithm, DeviceIx, LinkIx, Protocol, Shape, System, Tier, tier_of};

/// All causes that a system could have. Those that change nothing for the rows are sorted out later.
pub(super) fn causes(system: &System, collectives: &[Collective]) -> Vec<Cause> {
    let mut list = List { system, all: Vec::new() };
    list.software(collectives);
    if system.units > 1 && system.fabric.is_some() {
        list.network();
    }
    list.scale_up();
    list.pcie();
    list.all
}

struct List<'a> {
    system: &'a System,
    all: Vec<Cause>,
}

impl List<'_> {
    /// Adds a cause; texts that are no edits here are left out.
    fn add(&mut self, kind: CauseKind, title: impl Into<String>, edits: &[String]) {
        let edits: Vec<Edit> = edits.iter().filter_map(|e| e.parse().ok()).collect();
        if !edits.is_empty() {
            self.all.push(Cause { kind, title: title.into(), edits });
        }
    }

    fn set(&mut self, kind: CauseKind, title: impl Into<String>, key: Key, value: Value) {
        self.all.push(Cause { kind, title: title.into(), edits: vec![Edit::set(key, value)] });
    }

    fn software(&mut self, collectives: &[Collective]) {
        let s = &self.system.software;
        let per_unit = self.system.ranks_per_unit();
        let spans = self.system.units > 1;
        if s.p2p {
            let title = "peer-to-peer between GPUs is off: data is staged through host memory";
            self.set(CauseKind::PeerToPeer, title, Key::P2p, Value::Switch(false));
        }
        if !spans && per_unit > 1 && !s.usable.contains_key(&Family::Pcie) {
            self.slow_staging(s.p2p);
        }
        if s.gdr && spans {
            let title = "GPUDirect RDMA is off: NICs reach GPU memory through host memory";
            self.set(CauseKind::GpuDirect, title, Key::Gdr, Value::Switch(false));
        }
        if s.nvls {
            self.set(CauseKind::Nvls, "in-switch reduction is not used", Key::Nvls, Value::Switch(false));
        }
        if !s.acs {
            let title = "PCIe access control is on: peer traffic goes up to the CPU";
            self.set(CauseKind::Acs, title, Key::Acs, Value::Switch(true));
        }
        if !s.vm {
            let title = "the nodes are virtual machines: PCIe and calls pay for it";
            self.set(CauseKind::Launch, title, Key::Vm, Value::Switch(true));
        }
        if s.pxn && spans && collectives.contains(&Collective::AllToAll) {
            let title = "NICs are not reached through the GPU beside them";
            self.set(CauseKind::Pxn, title, Key::Pxn, Value::Switch(false));
        }
        if s.gpus_per_process == 1 && per_unit > 1 {
            let title = format!("one process drives {per_unit} GPUs: their launches add up");
            self.set(CauseKind::GpusPerProcess, title, Key::GpusPerProcess, Value::Count(per_unit));
        }
        if s.algorithm.is_none() {
            for a in [Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree] {
                self.set(CauseKind::Forced, format!("algorithm {a} is forced"), Key::Algorithm, Value::Algorithm(a));
            }
        }
        if s.protocol.is_none() {
            for p in [Protocol::Simple, Protocol::Ll, Protocol::Ll128] {
                self.set(CauseKind::Forced, format!("protocol {p} is forced"), Key::Protocol, Value::Protocol(p));
            }
        }
    }

    /// Neither peer-to-peer nor a good way through host memory: what two GPUs of a container without shared memory show,
    /// about 2 GB/s over `PCIe` 4 (rows kalavai-4090, published as degraded).
    fn slow_staging(&mut self, p2p: bool) {
        let title = "host staging is slow: shared memory is missing or far (containers, sockets inside the node)";
        let off = p2p.then(|| "set p2p = off".to_owned());
        let edits: Vec<String> = off.into_iter().chain(["set usable.pcie = 8%".to_owned()]).collect();
        self.add(CauseKind::SlowStaging, title, &edits);
    }

    fn network(&mut self) {
        let Some(fabric) = self.system.fabric.as_ref() else { return };
        let (tcp, oversubscription) = (fabric.transport.name == "tcp", fabric.oversubscription);
        if !tcp {
            self.tcp();
        }
        if let Some(Value::Count(have)) = Key::Nics.current(self.system) {
            for k in fewer(have) {
                let title = format!("only {k} of {have} NICs of each node are used");
                self.set(CauseKind::FewNics, title, Key::Nics, Value::Count(k));
            }
        }
        self.nics();
        for ratio in [2.0, 4.0].into_iter().filter(|r| *r > oversubscription) {
            let title = format!("the network behaves as if oversubscribed {ratio}:1");
            self.set(CauseKind::Oversubscribed, title, Key::Oversubscription, Value::Ratio(ratio));
        }
    }

    /// TCP instead of RDMA: over every NIC, or over the one interface that happened to be found. Streams of TCP are bound by
    /// a CPU, so that an interface of 200 Gb/s may well carry 25; that is what the slower kinds stand for.
    fn tcp(&mut self) {
        let title = "data crosses the network by TCP instead of RDMA or the fabric's plug-in";
        self.set(CauseKind::Tcp, title, Key::Transport, Value::Word("tcp".to_owned()));
        let one = ["set transport = tcp".to_owned(), "set nics = 1".to_owned()];
        self.add(CauseKind::Tcp, format!("{title}, over one interface"), &one);
        for (rate, nic) in [(100, "eth-100"), (50, "eth-50"), (25, "eth-25"), (10, "eth-10")] {
            let title = format!("{title}, over one interface that carries {rate} Gb/s");
            self.add(CauseKind::Tcp, title, &[one.as_slice(), &[format!("set nic = \"{nic}\"")]].concat());
        }
    }

    /// One sick NIC, and all NICs of one node.
    fn nics(&mut self) {
        let Some(class) = self.system.classes.first() else { return };
        let unit = self.system.unit_name(class.members.first().unwrap_or(0));
        let used = class.used_nics(self.system.nics_used);
        let Some(nic) = used.first().and_then(|d| class.shape.device(*d)) else { return };
        let path = &nic.path;
        let one = format!("{unit}/{path}");
        self.add(CauseKind::Nic, "one NIC of one node is out", &[format!("off {one}")]);
        self.add(CauseKind::Nic, "one NIC of one node runs at half its rate", &[format!("degrade {one} to 50%")]);
        if used.len() > 1 {
            let of_node = format!("{unit}/{}*", path.trim_end_matches(|c: char| c.is_ascii_digit()));
            let title = "one slow node: all its NICs run at half their rate";
            self.add(CauseKind::SlowNode, title, &[format!("degrade {of_node} to 50%")]);
        }
        let kind = if self.system.is_rack { "rack" } else { "node" };
        let every = format!("{kind}*/{}*", path.trim_end_matches(|c: char| c.is_ascii_digit()));
        let every = if self.system.is_rack { every.replacen("node0", "node*", 1) } else { every };
        // Half is a port of the next lower speed or width; less than that is a way that never gets up to speed.
        for (title, left) in [
            ("every NIC runs at half its rate", "50%"),
            ("every NIC carries a quarter of its rate: reached through the CPU, packets lost, one queue pair", "25%"),
            ("every NIC carries an eighth of its rate: packets lost, too little in flight", "12.5%"),
        ] {
            self.add(CauseKind::AllNics, title, &[format!("degrade {every} to {left}")]);
        }
    }

    /// Scale-up links of one GPU, and of all.
    fn scale_up(&mut self) {
        let Some(class) = self.system.classes.first() else { return };
        let shape = class.shape.as_ref();
        let unit = self.system.unit_name(class.members.first().unwrap_or(0));
        let Some(gpu) = class.active(self.system.gpus_used).next() else { return };
        let links = scale_up_links(shape, gpu);
        let Some(title) = links.first().and_then(|l| shape.link(*l)).map(|l| family(&l.kind.title)) else { return };
        let off = |l: &LinkIx| format!("off {unit}/{}", shape.link_name(*l));
        let name = shape.device(gpu).map_or("gpu0", |d| d.path.as_str());
        let all: Vec<String> = links.iter().map(off).collect();
        let half = links.len() / 2;
        if half > 0 {
            let text = format!("{half} of the {} {title} connections of {name} are down", links.len());
            self.add(CauseKind::ScaleUpLinks, text, all.get(..half).unwrap_or_default());
        }
        let text = format!("{name} of one node has no {title}: its traffic falls back to PCIe");
        self.add(CauseKind::Fallback, text, &all);
        if let Some(stem) = switch_stem(shape) {
            let text = format!("one switch of the {title} domain of {unit} is out");
            self.add(CauseKind::ScaleUpLinks, text, &[format!("off {unit}/{stem}0")]);
        }
        let kind = if self.system.is_rack { "rack" } else { "node" };
        let text = format!("no {title} at all: traffic falls back to PCIe");
        let edits: Vec<String> = match switch_stem(shape) {
            Some(stem) => vec![format!("off {kind}*/{stem}*")],
            None => scale_up_of_all(shape).map(|l| format!("off {kind}*/{}", shape.link_name(l))).collect(),
        };
        self.add(CauseKind::Fallback, text, &edits);
    }

    /// `PCIe` trained lower than it should.
    fn pcie(&mut self) {
        if let Some(Value::Count(generation)) = Key::Pcie.step(self.system, false) {
            let title = format!("PCIe runs at generation {generation}");
            self.set(CauseKind::Pcie, title, Key::Pcie, Value::Count(generation));
        }
        let Some(class) = self.system.classes.first() else { return };
        let shape = class.shape.as_ref();
        let unit = self.system.unit_name(class.members.first().unwrap_or(0));
        let Some(gpu) = class.active(self.system.gpus_used).next() else { return };
        let pcie = shape
            .around(gpu)
            .iter()
            .map(|(l, _)| *l)
            .find(|l| shape.link(*l).is_some_and(|k| k.kind.family == Family::Pcie));
        if let Some(l) = pcie {
            let edit = format!("degrade {unit}/{} to 50%", shape.link_name(l));
            self.add(CauseKind::Pcie, "the PCIe link of one GPU has half its lanes or rate", &[edit]);
        }
    }
}

/// Numbers of NICs worth a look, most first: all but one, and halves down to one.
fn fewer(have: u32) -> Vec<u32> {
    let mut list: Vec<u32> = std::iter::successors(Some(have / 2), |k| Some(k / 2)).take_while(|k| *k > 0).collect();
    if have > 2 {
        list.insert(0, have - 1);
    }
    list.dedup();
    list
}

fn is_scale_up(shape: &Shape, l: LinkIx) -> bool {
    shape.link(l).is_some_and(|k| tier_of(k.kind.family) == Tier::ScaleUp)
}

fn scale_up_links(shape: &Shape, gpu: DeviceIx) -> Vec<LinkIx> {
    shape.around(gpu).iter().map(|(l, _)| *l).filter(|l| is_scale_up(shape, *l)).collect()
}

fn scale_up_of_all(shape: &Shape) -> impl Iterator<Item = LinkIx> + '_ {
    shape.link_ixs().filter(|l| is_scale_up(shape, *l))
}

/// `nvsw` of `nvsw0`.
fn switch_stem(shape: &Shape) -> Option<&str> {
    let first = shape.scale_up_switches().next().and_then(|d| shape.device(d))?;
    Some(first.path.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// `NVLink` of `NVLink 4`.
fn family(title: &str) -> String {
    title.split_whitespace().next().unwrap_or(title).to_owned()
}
