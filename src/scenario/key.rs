//! The table of keys: everything that `set` can change.

use std::fmt;
use std::str::FromStr;

use super::parse::did_you_mean;
use super::value::Kind;
use super::{Value, step};
use crate::parts::Family;
use crate::system::{DeviceKind, MAX_UNITS, System};

/// What is known about a key.
pub struct KeyInfo {
    /// As written: `fabric.oversubscription`.
    pub name: &'static str,
    /// What sort of value it takes.
    pub kind: Kind,
    /// One line for people.
    pub doc: &'static str,
    /// A valid use, without `set`.
    pub example: &'static str,
    /// Its value on a system; `None` where the system has no such thing.
    current: fn(&System) -> Option<Value>,
}

macro_rules! keys {
    ($($(#[$doc:meta])* $key:ident = $name:literal, $kind:expr, $text:literal, $example:literal, $current:expr;)*) => {
        /// What `set` can change. The order is the order in which the sets of a list apply.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Key { $(#[doc = concat!("`set ", $name, "`")] $key),* }

        impl Key {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$key),*];

            /// Its row of the table.
            pub fn info(self) -> &'static KeyInfo {
                match self {
                    $(Self::$key => {
                        static ROW: KeyInfo = KeyInfo {
                            name: $name, kind: $kind, doc: $text, example: $example, current: $current,
                        };
                        &ROW
                    })*
                }
            }
        }
    };
}

/// Most nodes or racks.
const UNITS: Kind = Kind::Count { max: MAX_UNITS };

keys! {
    Nodes = "nodes", Kind::Count { max: MAX_UNITS }, "nodes in the system", "nodes = 64",
        |s| u32::try_from(s.nodes()).ok().map(Value::Count);
    Racks = "racks", UNITS, "racks in the system", "racks = 8", |s| s.is_rack.then_some(Value::Count(s.units));
    Gpu = "gpu", Kind::Gpu, "the GPU, replaced everywhere", "gpu = \"H100 SXM\"", gpu_part;
    Nic = "nic", Kind::Nic, "the NIC, replaced everywhere together with its cable", "nic = \"ConnectX-8\"", nic_part;
    Nvlink = "nvlink", Kind::Generation(Family::Nvlink), "generation of every NVLink", "nvlink = 5",
        |s| generation(s, Family::Nvlink);
    Pcie = "pcie", Kind::Generation(Family::Pcie), "generation of every PCIe link", "pcie = 4",
        |s| generation(s, Family::Pcie);
    Xgmi = "xgmi", Kind::Generation(Family::Xgmi), "generation of every xGMI link between GPUs", "xgmi = 4",
        |s| generation(s, Family::Xgmi);
    Transport = "transport", Kind::Transport, "how data crosses the network", "transport = tcp",
        |s| s.fabric.as_ref().map(|f| Value::Word(f.transport.name.clone()));
    Oversubscription = "fabric.oversubscription", Kind::Ratio, "ports down per port up at a leaf",
        "fabric.oversubscription = 2", |s| s.fabric.as_ref().map(|f| Value::Ratio(f.oversubscription));
    Rails = "fabric.rails", Kind::Switch, "every rail a plane of its own, with its own leaves", "fabric.rails = off",
        |s| s.fabric.as_ref().map(|f| Value::Switch(f.rails));
    LeafNodes = "fabric.leaf_nodes", Kind::Count { max: 1 << 20 }, "nodes under one leaf", "fabric.leaf_nodes = 16",
        |s| s.fabric.as_ref().map(|f| Value::Count(f.leaf_nodes));
    Radix = "fabric.radix", Kind::Count { max: 4096 }, "ports of a network switch", "fabric.radix = 64",
        |s| s.fabric.as_ref().map(|f| Value::Count(f.switch.ports));
    Gpus = "gpus", Kind::Count { max: 4096 }, "GPUs that take part, per node (per rack where NVLink spans nodes)",
        "gpus = 4", |s| Some(Value::Count(s.ranks_per_unit()));
    Nics = "nics", Kind::Count { max: 4096 }, "NICs used per node, well spread", "nics = 4", nics;
    Nvls = "nvls", Kind::Switch, "in-switch reduction in the NVLink domain", "nvls = off",
        |s| Some(Value::Switch(s.software.nvls));
    Ll = "protocol.ll", Kind::Switch, "the ll protocol, where the transport allows it", "protocol.ll = off",
        |s| Some(Value::Switch(s.software.ll));
    Ll128 = "protocol.ll128", Kind::Switch, "the ll128 protocol, where links keep the order of stores",
        "protocol.ll128 = off",
        |s| Some(Value::Switch(s.software.ll128));
    Sharp = "sharp", Kind::Switch, "in-network reduction in the fabric", "sharp = on",
        |s| Some(Value::Switch(s.software.sharp));
    Gdr = "gdr", Kind::Switch, "GPUDirect RDMA", "gdr = off", |s| Some(Value::Switch(s.software.gdr));
    P2p = "p2p", Kind::Switch, "peer-to-peer between GPUs", "p2p = off", |s| Some(Value::Switch(s.software.p2p));
    Pxn = "pxn", Kind::Switch, "reaching a NIC through the GPU beside it", "pxn = off",
        |s| Some(Value::Switch(s.software.pxn));
    Acs = "acs", Kind::Switch, "PCIe access control: peer traffic goes up to the CPU", "acs = on",
        |s| Some(Value::Switch(s.software.acs));
    Vm = "vm", Kind::Switch, "runs in a virtual machine", "vm = on", |s| Some(Value::Switch(s.software.vm));
    Algorithm = "algorithm", Kind::Algorithm, "the only algorithm allowed", "algorithm = ring",
        |s| Some(s.software.algorithm.map_or(Value::Auto, Value::Algorithm));
    Protocol = "protocol", Kind::Protocol, "the only protocol allowed", "protocol = ll128",
        |s| Some(s.software.protocol.map_or(Value::Auto, Value::Protocol));
    Launch = "launch", Kind::Time, "launch overhead of one call", "launch = 12us",
        |s| Some(s.software.launch.map_or(Value::Auto, Value::Time));
    GpusPerProcess = "gpus_per_process", Kind::Count { max: 4096 }, "GPUs driven by one process",
        "gpus_per_process = 8", |s| Some(Value::Count(s.software.gpus_per_process));
    Library = "library", Kind::Version, "version of the collectives library", "library = 2.27",
        |s| Some(Value::Version(s.software.library));
    UsableNvlink = "usable.nvlink", Kind::Share(Family::Nvlink), "usable share of NVLink's line rate",
        "usable.nvlink = 80%", |s| usable(s, Family::Nvlink);
    UsablePcie = "usable.pcie", Kind::Share(Family::Pcie), "usable share of PCIe's line rate", "usable.pcie = 80%",
        |s| usable(s, Family::Pcie);
    UsableXgmi = "usable.xgmi", Kind::Share(Family::Xgmi), "usable share of xGMI's line rate", "usable.xgmi = 80%",
        |s| usable(s, Family::Xgmi);
    UsableSocket = "usable.socket", Kind::Share(Family::Socket), "usable share of the links between sockets",
        "usable.socket = 80%", |s| usable(s, Family::Socket);
    UsableNetwork = "usable.network", Kind::Share(Family::Network), "usable share of a NIC's line rate",
        "usable.network = 90%", |s| usable(s, Family::Network);
}

impl Key {
    /// Its value on a system; `None` where the system has no such thing (`racks` on a node, `nvlink` on a machine without it).
    pub fn current(self, system: &System) -> Option<Value> {
        (self.info().current)(system)
    }

    /// The next value up or down from the present one, for `+` and `-`; `None` at the end or where there is nothing.
    pub fn step(self, system: &System, up: bool) -> Option<Value> {
        step::step(self, system, up)
    }

    /// Values worth offering on a system, smallest first; empty where any number will do.
    pub fn choices(self, system: &System) -> Vec<Value> {
        step::choices(self, system)
    }

    /// Keys that set the same thing: the nodes of a rack system are its racks.
    pub(super) fn same_thing(self, other: Self) -> bool {
        let size = |k| matches!(k, Self::Nodes | Self::Racks);
        self == other || (size(self) && size(other))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

/// The error names the nearest keys.
impl FromStr for Key {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let names = Self::ALL.iter().map(|k| k.info().name);
        Self::ALL.iter().copied().find(|k| k.info().name == s).ok_or_else(|| did_you_mean(s, names, "one of"))
    }
}

fn gpu_part(s: &System) -> Option<Value> {
    let shape = &s.classes.first()?.shape;
    let gpu = shape.device(*shape.gpus().first()?)?;
    Some(Value::Part(gpu.title().to_owned()))
}

fn nic_part(s: &System) -> Option<Value> {
    let shape = &s.classes.first()?.shape;
    let nic = shape.device(*shape.nics().first()?)?;
    Some(Value::Part(nic.title().to_owned()))
}

fn nics(s: &System) -> Option<Value> {
    let have = nics_per_node(s);
    (have > 0).then(|| Value::Count(s.nics_used.map_or(have, |n| n.min(have))))
}

/// NICs of a node of the first class.
pub(super) fn nics_per_node(s: &System) -> u32 {
    let Some(class) = s.classes.first() else { return 0 };
    let node = |d| class.shape.device(d).is_some_and(|d| matches!(d.kind, DeviceKind::Nic(_)) && d.node == Some(0));
    class.shape.nics().iter().filter(|d| node(**d)).count() as u32
}

fn generation(s: &System, family: Family) -> Option<Value> {
    let shape = &s.classes.first()?.shape;
    let link = shape.links().iter().find(|l| l.kind.family == family && l.kind.generation > 0)?;
    Some(Value::Count(link.kind.generation))
}

fn usable(s: &System, family: Family) -> Option<Value> {
    let shape = &s.classes.first()?.shape;
    let link = shape.links().iter().find(|l| l.kind.family == family)?;
    Some(Value::Share(super::edit::rounded(s.software.usable.get(&family).copied().unwrap_or(link.kind.usable.is))))
}

#[cfg(test)]
mod tests {
    use super::Key;
    use crate::scenario::Edit;

    #[test]
    fn every_example_is_an_edit_of_its_key() {
        for key in Key::ALL {
            let text = format!("set {}", key.info().example);
            let edit = text.parse::<Edit>();
            assert_eq!(edit.as_ref().ok().and_then(Edit::key), Some(*key), "{text}: {edit:?}");
            assert_eq!(edit.map(|e| e.to_string()).as_deref(), Ok(text.as_str()));
        }
    }
}
