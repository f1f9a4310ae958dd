//! Which ends a kind of link can have: a socket link ends at two CPUs, `NVLink` never at a `PCIe` switch.

use super::super::DeviceKind;
use crate::parts::Family;

/// What an end is, as far as links are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Gpu,
    Cpu,
    Nic,
    PcieSwitch,
    ScaleUpSwitch,
    Fabric,
}

impl End {
    const fn of(kind: &DeviceKind) -> Self {
        match kind {
            DeviceKind::Gpu(_) => Self::Gpu,
            DeviceKind::Cpu(_) => Self::Cpu,
            DeviceKind::Nic(_) => Self::Nic,
            DeviceKind::PcieSwitch(_) => Self::PcieSwitch,
            DeviceKind::ScaleUpSwitch(_) => Self::ScaleUpSwitch,
            DeviceKind::Fabric => Self::Fabric,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "a GPU",
            Self::Cpu => "a CPU",
            Self::Nic => "a NIC",
            Self::PcieSwitch => "a PCIe switch",
            Self::ScaleUpSwitch => "a scale-up switch",
            Self::Fabric => "the fabric",
        }
    }
}

/// Refuses ends that a family of links cannot have: what is wrong, and what was expected.
pub(super) fn check(family: Family, a: &DeviceKind, b: &DeviceKind) -> Result<(), (String, &'static str)> {
    let ends = [End::of(a), End::of(b)];
    let only = |allowed: &[End]| ends.iter().all(|e| allowed.contains(e));
    let has = |e: End| ends.contains(&e);
    let (good, expected) = match family {
        Family::Pcie => {
            (only(&[End::Gpu, End::Cpu, End::Nic, End::PcieSwitch]), "PCIe joins CPUs, PCIe switches, GPUs and NICs")
        }
        Family::Nvlink | Family::Xgmi => (
            only(&[End::Gpu, End::Cpu, End::ScaleUpSwitch]) && (has(End::Gpu) || only(&[End::ScaleUpSwitch])),
            "scale-up links join GPUs with GPUs, scale-up switches, or the CPU that they sit on; to a PCIe switch lead kinds like pcie5",
        ),
        Family::Socket => (only(&[End::Cpu]), "links between sockets join CPUs"),
        Family::C2c => (only(&[End::Gpu, End::Cpu]) && has(End::Cpu), "chip-to-chip links join a CPU with its GPU"),
        Family::Network => (has(End::Nic), "network links end at a NIC"),
    };
    let [a, b] = ends.map(End::name);
    if good { Ok(()) } else { Err((format!("no such link goes from {a} to {b}"), expected)) }
}
