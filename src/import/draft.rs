//! Devices and wires as a file names them, before parts and names of this program are given to them.

use std::fmt;

use crate::units::Bandwidth;

/// Most devices a file may describe.
pub(super) const MAX_DEVICES: usize = 4_096;

/// What a file describes: devices and wires of one host, or of several that share a scale-up domain.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Draft {
    /// Devices in the order in which they get their numbers.
    pub(super) devices: Vec<DraftDevice>,
    /// Wires; ends are indices into `devices`.
    pub(super) wires: Vec<DraftWire>,
    /// Number of hosts; device hosts are `0..hosts`.
    pub(super) hosts: u32,
    /// What is known about links between GPUs.
    pub(super) scale_up: ScaleUp,
    /// Short name that the file gives itself.
    pub(super) name: Option<String>,
}

/// What a file says about the links between GPUs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum ScaleUp {
    /// The file lists them, or is of a kind that would.
    #[default]
    Told,
    /// The file is a skeleton: it says nothing about them, which does not mean that there are none.
    Unknown,
}

/// A device of a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DraftDevice {
    /// The host it sits in; `None` for switches between hosts.
    pub(super) host: Option<u32>,
    /// What it is.
    pub(super) what: What,
    /// Line of the file, from 1.
    pub(super) line: u32,
    /// What the file calls it: a bus id, `NIC3`, `mlx5_0`.
    pub(super) label: String,
    /// Exact name in the system, where the file (written by this program) says so.
    pub(super) name: Option<String>,
    /// Exact part in the catalogue, where the file says so.
    pub(super) part: Option<String>,
}

/// What a device is, and what helps to find its part.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// A CPU socket or NUMA node.
    Cpu(CpuHint),
    /// A `PCIe` switch (or bridge).
    PcieSwitch(Option<PciId>),
    /// A GPU.
    Gpu(GpuHint),
    /// A network adapter.
    Nic(NicHint),
    /// A switch of the scale-up domain.
    ScaleUpSwitch,
}

/// Vendor and device number on the PCI bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PciId {
    /// 10de is NVIDIA, 1002 AMD, 15b3 Mellanox.
    pub(super) vendor: u16,
    /// The vendor's own number.
    pub(super) device: u16,
}

/// What a file says about a CPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CpuHint {
    /// NUMA id; `None` where the kernel does not tell.
    pub(super) numa: Option<u32>,
    /// `GenuineIntel`, `AuthenticAMD`.
    pub(super) vendor: String,
    /// `x86_64`, `arm64`, `ppc64`.
    pub(super) arch: String,
    /// CPU family as the file has it.
    pub(super) family: Option<u32>,
    /// CPU model as the file has it.
    pub(super) model: Option<u32>,
    /// Marketing name, where the file has one.
    pub(super) title: String,
}

/// What a file says about a GPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GpuHint {
    /// PCI id.
    pub(super) id: Option<PciId>,
    /// `NVIDIA A100-SXM4-80GB`.
    pub(super) model: String,
    /// Compute capability x 10; NVIDIA only.
    pub(super) sm: Option<u32>,
    /// AMD's architecture: `gfx942`.
    pub(super) gcn: String,
    /// The file's own index.
    pub(super) index: Option<u32>,
    /// True for AMD.
    pub(super) amd: bool,
}

/// What a file says about a NIC.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct NicHint {
    /// PCI id.
    pub(super) id: Option<PciId>,
    /// Rate of all its ports in use.
    pub(super) rate: Option<Bandwidth>,
    /// `Some(true)` for InfiniBand, `Some(false)` for Ethernet.
    pub(super) infiniband: Option<bool>,
    /// The file's own index.
    pub(super) index: Option<u32>,
}

/// A wire between two devices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DraftWire {
    /// One end (the upper one of a `PCIe` link).
    pub(super) a: usize,
    /// The other end.
    pub(super) b: usize,
    /// What it is.
    pub(super) what: Wire,
    /// Line of the file, from 1.
    pub(super) line: u32,
    /// Exact link kind in the catalogue, where the file says so.
    pub(super) kind: Option<String>,
    /// Links side by side, for `PCIe`; bundles of other links have their own count.
    pub(super) parallel: u32,
}

/// What a wire is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wire {
    /// `PCIe`: generation and lanes, where known.
    Pcie {
        /// 1 to 7.
        generation: Option<u32>,
        /// 1 to 32.
        lanes: Option<u32>,
    },
    /// `NVLink` or xGMI: parallel links.
    ScaleUp {
        /// Links in the bundle.
        count: u32,
        /// Rate of one link per direction, where the file has it.
        rate: Option<Bandwidth>,
    },
    /// CPU to its own GPU, cache-coherent.
    C2c {
        /// Rate of the whole bundle per direction, where the file has it.
        rate: Option<Bandwidth>,
    },
    /// CPU to CPU.
    Socket {
        /// Links in the bundle.
        count: u32,
    },
}

impl Draft {
    /// Adds a device; its index.
    pub(super) fn push(&mut self, device: DraftDevice) -> usize {
        self.devices.push(device);
        self.devices.len() - 1
    }

    /// Adds a wire.
    pub(super) fn wire(&mut self, a: usize, b: usize, what: Wire, line: u32) {
        self.wires.push(DraftWire { a, b, what, line, kind: None, parallel: 1 });
    }

    /// Indices of the devices that pass a test.
    pub(super) fn which(&self, test: impl Fn(&What) -> bool) -> Vec<usize> {
        self.devices.iter().enumerate().filter(|(_, d)| test(&d.what)).map(|(i, _)| i).collect()
    }

    /// Indices of the GPUs.
    pub(super) fn gpus(&self) -> Vec<usize> {
        self.which(|w| matches!(w, What::Gpu(_)))
    }

    /// Keeps the devices that pass a test, and the wires between them.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let mut new = Vec::with_capacity(self.devices.len());
        let mut next = 0;
        for i in 0..self.devices.len() {
            new.push(keep(i).then_some(next));
            next += usize::from(keep(i));
        }
        let mut i = 0;
        self.devices.retain(|_| {
            i += 1;
            keep(i - 1)
        });
        let moved = |i: usize| new.get(i).copied().flatten();
        self.wires = std::mem::take(&mut self.wires)
            .into_iter()
            .filter_map(|w| Some(DraftWire { a: moved(w.a)?, b: moved(w.b)?, ..w }))
            .collect();
    }
}

impl DraftDevice {
    /// A device of the first host without a name of its own.
    pub(super) fn new(what: What, label: impl Into<String>, line: u32) -> Self {
        Self { host: Some(0), what, line, label: label.into(), name: None, part: None }
    }
}

impl PciId {
    /// From two hexadecimal numbers, with or without `0x`; fake ids (0 and ffff) are none.
    pub(super) fn parse(vendor: &str, device: &str) -> Option<Self> {
        let hex = |s: &str| u16::from_str_radix(s.trim().trim_start_matches("0x"), 16).ok();
        let id = Self { vendor: hex(vendor)?, device: hex(device)? };
        let fake = [0, 0xffff];
        (!fake.contains(&id.vendor) && !fake.contains(&id.device)).then_some(id)
    }
}

/// `10de:20b0`.
impl fmt::Display for PciId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}:{:04x}", self.vendor, self.device)
    }
}
