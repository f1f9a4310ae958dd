//! One scale-up unit as an explicit graph: devices and bundles of links.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::tiers::{Tier, tier_of};
use crate::parts::{CpuPart, Family, GpuPart, LinkKind, NicPart, SwitchPart};
use crate::units::Bandwidth;

/// Index of a device in its [`Shape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeviceIx(pub u32);

/// Index of a link bundle in its [`Shape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkIx(pub u32);

/// What a device is, with its part.
#[derive(Debug, Clone, PartialEq)]
pub enum DeviceKind {
    /// A GPU.
    Gpu(Arc<GpuPart>),
    /// A network adapter.
    Nic(Arc<NicPart>),
    /// A CPU socket or NUMA node.
    Cpu(Arc<CpuPart>),
    /// A `PCIe` switch.
    PcieSwitch(Arc<SwitchPart>),
    /// A switch of the scale-up domain.
    ScaleUpSwitch(Arc<SwitchPart>),
    /// The scale-out fabric as seen from the unit: the far end of every NIC's cable.
    Fabric,
}

/// A device of a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// Path inside the unit: `gpu3`, in a rack `node5/gpu1` or `nvsw4`.
    pub path: String,
    /// Its own name, the last step of the path.
    pub name: String,
    /// What it is.
    pub kind: DeviceKind,
    /// The node of the rack it belongs to; 0 in a unit that is one node; `None` for devices of the rack itself.
    pub node: Option<u32>,
    /// Which NUMA node a CPU is, when known.
    pub numa: Option<u32>,
}

/// A bundle of parallel links between two devices.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// One end.
    pub a: DeviceIx,
    /// The other end.
    pub b: DeviceIx,
    /// The kind of each link.
    pub kind: Arc<LinkKind>,
    /// Parallel links.
    pub count: u32,
    /// Lanes of each (`PCIe`); 1 elsewhere.
    pub lanes: u32,
}

impl Link {
    /// Line rate of the whole bundle, GB/s per direction.
    pub fn line_rate(&self) -> Bandwidth {
        self.kind.line.is * f64::from(self.count) * f64::from(self.lanes)
    }

    /// The end that is not `d`.
    pub fn other(&self, d: DeviceIx) -> DeviceIx {
        if self.a == d { self.b } else { self.a }
    }

    /// `NVLink 4 x5`, `PCIe 5 x16`.
    pub fn describe(&self) -> String {
        match (self.kind.family, self.count) {
            (Family::Pcie, 1) => format!("{} x{}", self.kind.title, self.lanes),
            (Family::Pcie, n) => format!("{n}x {} x{}", self.kind.title, self.lanes),
            (_, 1) => self.kind.title.clone(),
            (_, n) => format!("{} x{n}", self.kind.title),
        }
    }
}

impl Device {
    /// True for a GPU.
    pub fn is_gpu(&self) -> bool {
        matches!(self.kind, DeviceKind::Gpu(_))
    }

    /// True for a NIC.
    pub fn is_nic(&self) -> bool {
        matches!(self.kind, DeviceKind::Nic(_))
    }

    /// True for a switch between GPUs.
    pub fn is_scale_up_switch(&self) -> bool {
        matches!(self.kind, DeviceKind::ScaleUpSwitch(_))
    }

    /// The part's title, `fabric` for the far end of the NICs.
    pub fn title(&self) -> &str {
        match &self.kind {
            DeviceKind::Gpu(p) => &p.title,
            DeviceKind::Nic(p) => &p.title,
            DeviceKind::Cpu(p) => &p.title,
            DeviceKind::PcieSwitch(p) | DeviceKind::ScaleUpSwitch(p) => &p.title,
            DeviceKind::Fabric => "fabric",
        }
    }
}

/// The graph of one unit. Built once per system and shared by all its classes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shape {
    devices: Vec<Device>,
    links: Vec<Link>,
    around: Vec<Vec<(LinkIx, DeviceIx)>>,
    gpus: Vec<DeviceIx>,
    nics: Vec<DeviceIx>,
    switches: Vec<DeviceIx>,
    fabric: Option<DeviceIx>,
    tiers: Vec<(Range<u32>, Tier)>,
    by_path: BTreeMap<String, DeviceIx>,
}

impl Shape {
    /// From devices and links. Links whose ends do not exist are left out; [`super::build`] has refused them before.
    pub fn new(devices: Vec<Device>, links: Vec<Link>) -> Self {
        let n = devices.len() as u32;
        let links: Vec<Link> = links.into_iter().filter(|l| l.a.0 < n && l.b.0 < n && l.a != l.b).collect();
        let mut around = vec![Vec::new(); devices.len()];
        for (i, l) in links.iter().enumerate() {
            for (here, there) in [(l.a, l.b), (l.b, l.a)] {
                if let Some(list) = around.get_mut(here.0 as usize) {
                    list.push((LinkIx(i as u32), there));
                }
            }
        }
        let pick = |f: fn(&Device) -> bool| -> Vec<DeviceIx> {
            devices.iter().enumerate().filter(|(_, d)| f(d)).map(|(i, _)| DeviceIx(i as u32)).collect()
        };
        let (gpus, nics, switches) = (pick(Device::is_gpu), pick(Device::is_nic), pick(Device::is_scale_up_switch));
        let fabric = pick(|d| d.kind == DeviceKind::Fabric).first().copied();
        let mut tiers: Vec<(Range<u32>, Tier)> = Vec::new();
        for (i, tier) in (0..).zip(links.iter().map(|l| tier_of(l.kind.family))) {
            match tiers.last_mut() {
                Some((run, last)) if *last == tier => run.end = i + 1,
                _ => tiers.push((i..i + 1, tier)),
            }
        }
        let by_path = devices.iter().enumerate().map(|(i, d)| (d.path.clone(), DeviceIx(i as u32))).collect();
        Self { devices, links, around, gpus, nics, switches, fabric, tiers, by_path }
    }

    /// All devices; the index is a [`DeviceIx`].
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// All link bundles; the index is a [`LinkIx`].
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// GPUs in rank order.
    pub fn gpus(&self) -> &[DeviceIx] {
        &self.gpus
    }

    /// NICs in order.
    pub fn nics(&self) -> &[DeviceIx] {
        &self.nics
    }

    /// A device; `None` for an index of another shape.
    pub fn device(&self, d: DeviceIx) -> Option<&Device> {
        self.devices.get(d.0 as usize)
    }

    /// A link bundle; `None` for an index of another shape.
    pub fn link(&self, l: LinkIx) -> Option<&Link> {
        self.links.get(l.0 as usize)
    }

    /// The links of a device with the device at their other end.
    pub fn around(&self, d: DeviceIx) -> &[(LinkIx, DeviceIx)] {
        self.around.get(d.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The device of a path inside the unit.
    pub fn find(&self, path: &str) -> Option<DeviceIx> {
        self.by_path.get(path).copied()
    }

    /// The bundle between two devices, the first if several kinds run in parallel.
    pub fn between(&self, a: DeviceIx, b: DeviceIx) -> Option<LinkIx> {
        self.around(a).iter().find(|(_, d)| *d == b).map(|(l, _)| *l)
    }

    /// Indices of all links.
    pub fn link_ixs(&self) -> impl Iterator<Item = LinkIx> + use<> {
        (0..self.links.len() as u32).map(LinkIx)
    }

    /// The links of a tier, as runs of their indices.
    pub fn links_of(&self, tier: Tier) -> impl Iterator<Item = Range<u32>> + '_ {
        self.tiers.iter().filter(move |(_, t)| *t == tier).map(|(run, _)| run.clone())
    }

    /// Indices of all devices.
    pub fn device_ixs(&self) -> impl Iterator<Item = DeviceIx> + use<> {
        (0..self.devices.len() as u32).map(DeviceIx)
    }

    /// Switches of the scale-up domain.
    pub fn scale_up_switches(&self) -> impl Iterator<Item = DeviceIx> + '_ {
        self.switches.iter().copied()
    }

    /// The far end of the NICs' cables, if the system has a fabric.
    pub const fn fabric(&self) -> Option<DeviceIx> {
        self.fabric
    }

    /// The cable of a NIC into the fabric.
    pub fn cable(&self, nic: DeviceIx) -> Option<LinkIx> {
        let fabric = self.fabric()?;
        self.between(nic, fabric)
    }

    /// NICs that are used when only so many per node are: spread evenly over each node's NICs in their order, so that they
    /// stand on different switches and sockets. All of them for `None`.
    pub fn used_nics(&self, used: Option<u32>) -> Vec<DeviceIx> {
        let node_of = |d: DeviceIx| self.device(d).and_then(|d| d.node);
        self.nics
            .chunk_by(|a, b| node_of(*a) == node_of(*b))
            .flat_map(|node| {
                let have = node.len();
                let want = used.map_or(have, |n| n as usize).min(have);
                (0..want).filter_map(move |i| node.get(i * have / want.max(1)).copied())
            })
            .collect()
    }

    /// `gpu3--nvsw1`, in a rack `node3/gpu1--nvsw5`.
    pub fn link_name(&self, l: LinkIx) -> String {
        let name = |d| self.device(d).map_or("?", |d| d.path.as_str());
        self.link(l).map_or_else(String::new, |link| format!("{}--{}", name(link.a), name(link.b)))
    }
}

impl fmt::Display for DeviceIx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {}", self.0)
    }
}
