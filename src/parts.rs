//! What can be bought: kinds of links, GPUs, NICs, switches, CPUs and network transports, every figure with its origin.
//!
//! The catalogue is data (`presets/parts.ron`, embedded in the binary). Nothing in the cost model knows a part by name:
//! two machines differ only in what their parts say here.

mod catalogue;
mod figure;

use serde::{Deserialize, Serialize};

pub use catalogue::{Catalogue, CatalogueError, CatalogueFile, nearest};
pub use figure::{Figure, Origin};

use crate::units::{Bandwidth, Bytes, Share, Time};

/// What sort of wire a link is. The tier of a link follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// PCI Express, counted in lanes.
    Pcie,
    /// NVIDIA `NVLink`, counted in links (also as bridges between two cards).
    Nvlink,
    /// AMD Infinity Fabric between GPUs, counted in links.
    Xgmi,
    /// Between CPU sockets or NUMA nodes: UPI, QPI, xGMI of EPYC.
    Socket,
    /// Cache-coherent link between a CPU and its GPU (NVLink-C2C).
    C2c,
    /// A port of a NIC into the scale-out fabric.
    Network,
}

/// How the bytes of a link are moved; the usable share of a wire depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mover {
    /// GPU kernels store straight into the peer's memory.
    Peer,
    /// Bounced through host memory: peer-to-peer is off or impossible.
    Host,
    /// The NIC reads and writes GPU memory itself (`GPUDirect` RDMA).
    Nic,
    /// The NIC works on host memory; the GPU's data is copied there first.
    NicHost,
}

/// Latency of one step of an algorithm over a link, per protocol, in us. A step is what the library pays to hand a chunk
/// to the next rank: flags, polling, fences. It is not the wire's own latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// 8-byte words, half of them flags.
    pub ll: Time,
    /// 120 of 128 bytes are data.
    pub ll128: Time,
    /// Plain copies with fences.
    pub simple: Time,
    /// Where the three come from.
    pub from: Origin,
}

/// A kind of link: what one lane or one link of it carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkKind {
    /// Name used in system files: `nvlink4`, `pcie5`, `upi2`.
    pub name: String,
    /// As people write it: `NVLink 4`.
    pub title: String,
    /// What sort of wire.
    pub family: Family,
    /// Generation number, for `set nvlink = 5` and upgrades; 0 where the family has none.
    #[serde(default)]
    pub generation: u32,
    /// Payload line rate of one link (of one lane for `PCIe`), GB/s per direction.
    pub line: Figure<Bandwidth>,
    /// Share of the line rate that GPU kernels reach with collectives (peer-to-peer, both directions busy).
    pub usable: Figure<Share>,
    /// Share of the line rate of one copy-engine transfer (what bandwidth tests print); shown, not used for collectives.
    #[serde(default)]
    pub copy: Option<Figure<Share>>,
    /// Share of the line rate when the data is staged in host memory.
    #[serde(default)]
    pub staged: Option<Figure<Share>>,
    /// One-way latency of the wire and its end points, us.
    pub latency: Figure<Time>,
    /// Latency of an algorithm's step over this link.
    #[serde(default)]
    pub steps: Option<Steps>,
    /// Latency of a step when the data is staged in host memory.
    #[serde(default)]
    pub staged_steps: Option<Steps>,
    /// Channels (thread blocks) that the library runs over this link, where it uses fewer than the architecture's own number.
    #[serde(default)]
    pub channels: Option<u32>,
}

/// GPU architecture: what the kernels of one generation can do, independent of the wires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arch {
    /// `volta`, `ampere`, `hopper`, `blackwell`, `ada`, `cdna3`.
    pub name: String,
    /// Ceiling of the ll protocol per channel, GB/s.
    pub ll_channel: Figure<Bandwidth>,
    /// Ceiling of the ll128 protocol per channel, GB/s. Taken as what a channel's kernel copies with simple too: the ramp of
    /// published rows bears it out.
    pub ll128_channel: Figure<Bandwidth>,
    /// Ceiling per channel of all-gather and reduce-scatter with the simple protocol when they cross the network, GB/s,
    /// where it was seen to bind.
    #[serde(default)]
    pub gather_channel: Option<Figure<Bandwidth>>,
    /// Share of the link rate that the tree's kernel reaches, where rows tell it; else the library's own figure holds.
    #[serde(default)]
    pub tree: Option<Figure<Share>>,
    /// Channels on one scale-up domain with a switch or a mesh.
    pub channels: u32,
    /// Channels when the collective spans several scale-up domains.
    pub channels_multi: u32,
    /// True when the architecture takes part in in-switch reduction (NVLS): sm90 and later.
    #[serde(default)]
    pub in_switch_reduction: bool,
    /// Where the channel counts come from.
    pub from: Origin,
}

/// A GPU as sold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuPart {
    /// Name used in system files: `h100-sxm`.
    pub name: String,
    /// As people write it: `H100 SXM`.
    pub title: String,
    /// Architecture, a name of [`Arch`].
    pub arch: String,
    /// Capacity of the on-chip memory (HBM or GDDR).
    pub memory: Bytes,
    /// Name of that memory: `HBM3`, `GDDR6X`.
    pub memory_kind: String,
    /// Bandwidth of that memory, GB/s.
    pub memory_rate: Figure<Bandwidth>,
    /// Dense bf16 (fp16 on Volta) matrix rate in TFLOP/s, for the story of a training step.
    #[serde(default)]
    pub tflops: Option<Figure<f64>>,
    /// Ports for scale-up links (`NVLink`, xGMI): more links than this is an error.
    #[serde(default)]
    pub scale_up_ports: u32,
    /// Whether peer-to-peer over `PCIe` works (it does not on `GeForce` cards with the stock driver).
    pub peer_to_peer: bool,
    /// Compute units of the GPU appear under other names; used when importing (`A100-SXM4-40GB`, `0x20b010de`).
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Where the figures come from.
    pub from: Origin,
}

/// A network adapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NicPart {
    /// Name used in system files: `connectx-7`.
    pub name: String,
    /// As people write it.
    pub title: String,
    /// Line rate of the adapter's port(s) into the fabric, GB/s per direction.
    pub rate: Figure<Bandwidth>,
    /// Latency of one message through the adapter, us, one way.
    pub latency: Figure<Time>,
    /// Other spellings, for importing.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// What a switch stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SwitchRole {
    /// A `PCIe` switch in a node.
    Pcie,
    /// A switch of the scale-up domain (`NVSwitch`).
    ScaleUp,
    /// A leaf, spine or core of the scale-out fabric.
    Fabric,
}

/// Reduction inside a switch of the scale-up domain (`NVLink` SHARP).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InSwitchReduction {
    /// Rate of the reduction engine as a share of the usable rate of the ports, up to 16 participants.
    pub small: Figure<Share>,
    /// The same for more than 16 participants.
    pub large: Figure<Share>,
}

/// A switch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchPart {
    /// Name used in system files: `nvswitch3`, `quantum-2`.
    pub name: String,
    /// As people write it.
    pub title: String,
    /// What it switches.
    pub role: SwitchRole,
    /// Ports (lanes for `PCIe` switches).
    pub ports: u32,
    /// Port-to-port latency, us.
    pub latency: Figure<Time>,
    /// In-switch reduction, if it can; of a fabric's switch, in-network reduction (SHARP).
    #[serde(default)]
    pub reduction: Option<InSwitchReduction>,
}

/// A CPU socket (or NUMA node).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuPart {
    /// Name used in system files: `xeon-sapphire-rapids`.
    pub name: String,
    /// As people write it.
    pub title: String,
    /// Memory bandwidth of the socket, GB/s.
    pub memory_rate: Figure<Bandwidth>,
    /// Latency through the root complex, us.
    pub latency: Figure<Time>,
}

/// How data crosses the scale-out fabric.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own, as a user sets it")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transport {
    /// `infiniband`, `roce`, `efa2`, `tcp`.
    pub name: String,
    /// As people write it.
    pub title: String,
    /// Whether the NIC moves the data without the kernel (RDMA).
    pub rdma: bool,
    /// Share of the port's line rate that collectives reach.
    pub usable: Figure<Share>,
    /// Most that one port carries, GB/s per direction, where software on the host is the limit and not the wire.
    #[serde(default)]
    pub port_most: Option<Figure<Bandwidth>>,
    /// What remains of that without `GPUDirect` RDMA.
    pub without_gdr: Figure<Share>,
    /// Latency of one network step with the ll protocol, us; the others add to it (see the cost model).
    pub step: Figure<Time>,
    /// The only protocol that the transport's plug-in allows, if it restricts them.
    #[serde(default)]
    pub only_simple: bool,
    /// Whether ll128 may be used over it with one GPU per node.
    #[serde(default)]
    pub ll128: bool,
    /// Whether the fabric's switches can reduce (SHARP).
    #[serde(default)]
    pub sharp: bool,
}

impl Steps {
    /// All three the same; for tests and imports.
    pub fn uniform(t: Time, from: Origin) -> Self {
        Self { ll: t, ll128: t, simple: t, from }
    }
}

impl Transport {
    /// Share of a port's line rate that collectives reach, with its origin: the transport's, or what the host manages.
    pub fn usable_of(&self, port: Bandwidth) -> Figure<Share> {
        match &self.port_most {
            Some(most) if most.is < port * self.usable.is => Figure::new(most.is / port, most.from.clone()),
            _ => self.usable.clone(),
        }
    }
}

impl LinkKind {
    /// Usable share of the line rate for a mover. Staging falls back on the peer share where nothing else is known.
    pub fn share(&self, mover: Mover) -> &Figure<Share> {
        match mover {
            Mover::Host | Mover::NicHost => self.staged.as_ref().unwrap_or(&self.usable),
            Mover::Peer | Mover::Nic => &self.usable,
        }
    }
}
