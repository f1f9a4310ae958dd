//! The four tiers of the hierarchy: on-chip memory, scale-up, scale-out, services.

use serde::Serialize;

use super::{DeviceKind, Shape, System};
use crate::parts::Family;
use crate::units::{Bandwidth, Time};

/// One level of the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// HBM (or GDDR) of a GPU.
    OnChip,
    /// `NVLink`, xGMI: GPU to GPU inside the domain.
    ScaleUp,
    /// `PCIe`, sockets, host memory: the way inside a node where there is no scale-up link, and the way to the NIC.
    Host,
    /// NICs and the fabric between units.
    ScaleOut,
    /// Plain Ethernet for storage and management.
    Services,
}

impl Tier {
    /// As written on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnChip => "on-chip",
            Self::ScaleUp => "scale-up",
            Self::Host => "host",
            Self::ScaleOut => "scale-out",
            Self::Services => "services",
        }
    }
}

/// The tier of a link.
pub const fn tier_of(family: Family) -> Tier {
    match family {
        Family::Nvlink | Family::Xgmi => Tier::ScaleUp,
        Family::Pcie | Family::Socket | Family::C2c => Tier::Host,
        Family::Network => Tier::ScaleOut,
    }
}

/// A tier of a machine: what it is made of and how fast, per GPU and direction.
#[derive(Debug, Clone, PartialEq)]
pub struct TierRow {
    /// Which tier.
    pub tier: Tier,
    /// What it is made of: `NVLink 4 x18`.
    pub link: String,
    /// Line rate of one GPU's share, GB/s per direction.
    pub line: Bandwidth,
    /// What software reaches on it, GB/s per direction.
    pub usable: Bandwidth,
    /// One-way latency of one hop, us.
    pub latency: Time,
    /// Where the rate comes from.
    pub source: String,
}

impl System {
    /// The tiers of a healthy unit, widest first, one row each. A machine without scale-up links has no such row: its
    /// host tier (`PCIe`) takes that part.
    pub fn tiers(&self) -> Vec<TierRow> {
        let Some(class) = self.classes.first() else { return Vec::new() };
        let shape = &class.shape;
        let mut rows: Vec<TierRow> = Vec::new();
        rows.extend(on_chip(shape));
        rows.extend([Family::Nvlink, Family::Xgmi, Family::Pcie].into_iter().filter_map(|f| per_gpu(self, shape, f)));
        rows.extend(scale_out(self));
        rows.extend(self.services.as_ref().map(|s| TierRow {
            tier: Tier::Services,
            link: s.title.clone(),
            line: s.rate,
            usable: s.rate,
            latency: Time::ZERO,
            source: s.source.clone(),
        }));
        rows
    }
}

fn on_chip(shape: &Shape) -> Option<TierRow> {
    let gpu = shape.gpus().first().and_then(|g| shape.device(*g))?;
    let DeviceKind::Gpu(part) = &gpu.kind else { return None };
    Some(TierRow {
        tier: Tier::OnChip,
        link: part.memory_kind.clone(),
        line: part.memory_rate.is,
        usable: part.memory_rate.is,
        latency: Time::ZERO,
        source: part.memory_rate.from.to_string(),
    })
}

/// The links of one family at the first GPU, summed.
fn per_gpu(system: &System, shape: &Shape, family: Family) -> Option<TierRow> {
    let gpu = *shape.gpus().first()?;
    let links: Vec<_> =
        shape.around(gpu).iter().filter_map(|(l, _)| shape.link(*l)).filter(|l| l.kind.family == family).collect();
    let first = links.first()?;
    let line: Bandwidth = links.iter().map(|l| l.line_rate()).sum();
    let share = system.software.usable.get(&family).copied().unwrap_or(first.kind.usable.is);
    let count: u32 = links.iter().map(|l| l.count).sum();
    let link = if family == Family::Pcie { first.describe() } else { format!("{} x{count}", first.kind.title) };
    Some(TierRow {
        tier: tier_of(family),
        link,
        line,
        usable: line * share,
        latency: first.kind.latency.is,
        source: format!("{}; usable share {}", first.kind.line.from, first.kind.usable.from),
    })
}

fn scale_out(system: &System) -> Option<TierRow> {
    let f = system.fabric.as_ref()?;
    let all = system.classes.first().map_or(1, |c| c.shape.gpus().len() as u32);
    let per_node = (all / system.nodes_per_unit.max(1)).max(1);
    // Ranks fill the nodes one after the other.
    let nodes = system.ranks_per_unit().div_ceil(per_node).max(1);
    let gpus = f64::from(system.ranks_per_unit().max(1)) / f64::from(nodes);
    let nics = f64::from(system.nics_used.map_or(f.nics_per_node, |n| n.min(f.nics_per_node)));
    let line = f.port_rate * nics / gpus;
    let share = system.software.usable.get(&Family::Network).copied().unwrap_or(f.transport.usable_of(f.port_rate).is);
    let gdr = if system.software.gdr { 1.0 } else { f.transport.without_gdr.is.ratio() };
    Some(TierRow {
        tier: Tier::ScaleOut,
        link: format!("{} {} Gb/s x{nics} per node", f.transport.title, f.port_rate.gbits_per_s().round()),
        line,
        usable: line * share * gdr,
        latency: f.transport.step.is,
        source: format!("{}; step latency {}", f.transport.usable.from, f.transport.step.from),
    })
}
