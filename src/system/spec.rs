//! A system as it is written in a file. [`crate::preset`] reads it from RON, importers produce it, exporters write it.
//!
//! ```ron
//! (
//!     name: "pair", title: "Two GPUs on one switch",
//!     node: (
//!         devices: [(name: "cpu0", part: "xeon-sapphire-rapids"), (name: "psw0", part: "pex89048"),
//!                   (name: "gpu[0-1]", part: "l40s")],
//!         links: [(from: "cpu0", to: "psw0", kind: "pcie4", lanes: 16),
//!                 (from: "psw0", to: "gpu[0-1]", kind: "pcie4", lanes: 16)],
//!     ),
//! )
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::software::{Algorithm, Protocol, Version};
use crate::parts::CatalogueFile;
use crate::units::{Bandwidth, Share, Time};

/// A whole system file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemSpec {
    /// Short name, as used on the command line.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What makes it special; what is assumed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Where the wiring comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The user's own parts, added to the catalogue for this system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<CatalogueFile>,
    /// One node (host).
    pub node: NodeSpec,
    /// Where `NVLink` spans nodes: the rack around them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<RackSpec>,
    /// How many units (nodes, or racks) there are.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub units: u32,
    /// The network between units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fabric: Option<FabricSpec>,
    /// Plain Ethernet for storage and management.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<ServicesSpec>,
    /// What software may use; whatever is left out has the default.
    #[serde(default, skip_serializing_if = "SoftwareSpec::is_default")]
    pub software: SoftwareSpec,
    /// GPUs that take part, per node or, in a rack, per rack; without it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
    /// NICs that are used, per node; without it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nics: Option<u32>,
    /// What is wrong; whatever is not named is healthy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultSpec>,
}

/// Something that is wrong: `(at: "node3/gpu2--nvsw1")` is down, `(at: "node*/nic0", left: "50%")` slow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSpec {
    /// A device, a link, one of parallel links (`#2`), a leaf, a spine, a cable between them, a whole node.
    pub at: String,
    /// What is left of its own rate; 0 is down.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left: Share,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(s: &Share) -> bool {
    s.ratio() <= 0.0
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_one(n: &u32) -> bool {
    *n == 1
}

/// The devices and links of one node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeSpec {
    /// Devices. The kind follows from the part: a CPU, a switch, a GPU, a NIC.
    pub devices: Vec<DeviceSpec>,
    /// Links between them.
    pub links: Vec<LinkSpec>,
}

/// A device, or a run of equal ones: `gpu[0-7]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceSpec {
    /// Its name, with a number at the end: `gpu0`; `gpu[0-7]` are eight.
    pub name: String,
    /// A part of the catalogue.
    pub part: String,
    /// Which NUMA node a CPU is (printed beside it), when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numa: Option<u32>,
}

/// A bundle of links between two devices, or many alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkSpec {
    /// One end: `gpu0`, `gpu[0-7]`; in a rack also `node*/gpu*`.
    pub from: String,
    /// The other end.
    pub to: String,
    /// A link kind of the catalogue.
    pub kind: String,
    /// Parallel links in the bundle.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// Lanes of each link (`PCIe`).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub lanes: u32,
    /// How the two runs of names meet.
    #[serde(default, skip_serializing_if = "Join::is_default")]
    pub join: Join,
}

/// How the two runs of names of a [`LinkSpec`] meet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Every one of the first with every one of the second.
    #[default]
    Each,
    /// The first with the first, the second with the second; a shorter second run is spread evenly (8 GPUs on 4 switches:
    /// two GPUs each, in order).
    Pairwise,
}

impl Join {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_default(&self) -> bool {
        *self == Self::Each
    }
}

/// A rack whose scale-up domain spans its nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RackSpec {
    /// Nodes (compute trays) in the rack.
    pub nodes: u32,
    /// Devices of the rack itself: its switches.
    pub devices: Vec<DeviceSpec>,
    /// Links between nodes and rack: `from: "node*/gpu*", to: "nvsw*"`.
    pub links: Vec<LinkSpec>,
}

/// The scale-out network, by its rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FabricSpec {
    /// A transport of the catalogue: `infiniband`, `roce`, `efa2`, `tcp`.
    pub transport: String,
    /// The switch that it is built of; a name of the catalogue.
    pub switch: String,
    /// Rail-optimized: NIC k of every node goes to a leaf of rail k, and every rail is a plane of its own.
    #[serde(default)]
    pub rails: bool,
    /// Nodes under one leaf (of a rail).
    pub leaf_nodes: u32,
    /// Ports down to ports up at a leaf; 1 is non-blocking, 2 means 2:1.
    #[serde(default = "unity", skip_serializing_if = "is_unity")]
    pub oversubscription: f64,
    /// Where that comes from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

const fn unity() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_unity(v: &f64) -> bool {
    (*v - 1.0).abs() < f64::EPSILON
}

/// The services tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServicesSpec {
    /// What it is: `2x 100 GbE`.
    pub title: String,
    /// Rate per node and direction.
    pub rate: Bandwidth,
    /// Where that comes from; say "assumed" where it is.
    pub source: String,
}

/// What software may use. Every field is optional; [`super::Software`] has the defaults.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoftwareSpec {
    /// Version of the collectives library (NCCL's numbering).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<Version>,
    /// In-switch reduction in the scale-up domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nvls: Option<bool>,
    /// The ll protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ll: Option<bool>,
    /// The ll128 protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ll128: Option<bool>,
    /// In-network reduction in the fabric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sharp: Option<bool>,
    /// `GPUDirect` RDMA.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gdr: Option<bool>,
    /// Peer-to-peer between GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p2p: Option<bool>,
    /// Reaching a NIC through the GPU beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pxn: Option<bool>,
    /// `PCIe` access control services: peer traffic goes up to the root complex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acs: Option<bool>,
    /// Runs in a virtual machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vm: Option<bool>,
    /// Launch overhead of one call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<Time>,
    /// GPUs driven by one process (nccl-tests `-g`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus_per_process: Option<u32>,
    /// The only algorithm allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// The only protocol allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Usable share of the line rate per family (`nvlink`, `pcie`, `xgmi`, `socket`, `network`), over the catalogue's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub usable: BTreeMap<String, Share>,
}

impl SoftwareSpec {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
