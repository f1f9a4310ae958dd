//! A system in the forms of other tools: the written form of this program, JSON, Graphviz dot, ASTRA-sim's network YAML,
//! NCCL's topology XML of a node; and tables as CSV or Markdown.
//!
//! Faults that a form of another tool has no place for (a link at half its rate, one unit unlike the others) are said in its comments or
//! in the system's `about`, never dropped in silence.

mod astra;
mod dot;
mod json;
mod nccl;
mod spec;
mod table;

pub use astra::astra_yaml;
pub use dot::dot;
pub use json::json;
pub use nccl::nccl_xml;
pub use spec::spec;
pub use table::{csv, markdown};

use crate::system::{LinkIx, System, UnitClass};

/// The class that stands for the system in forms of one unit: the one with the most members.
fn common(system: &System) -> Option<&UnitClass> {
    system.classes.iter().rev().max_by_key(|c| c.members.len())
}

/// Parallel links of a bundle that are left; 0 when the bundle or a device at its end is down.
fn links_left(class: &UnitClass, l: LinkIx) -> u32 {
    let Some(link) = class.shape.link(l) else { return 0 };
    if class.health.left(&class.shape, l).ratio() <= 0.0 {
        return 0;
    }
    link.count.saturating_sub(class.health.link(l).map_or(0, crate::system::LinkHealth::lost))
}

/// Why a form of one healthy unit does not say everything about a system; empty when it does.
fn unsaid(system: &System) -> Vec<String> {
    let mut notes = Vec::new();
    if system.classes.len() > 1 {
        let others: Vec<String> =
            system.classes.iter().map(|c| format!("{} has {} members", c.members, c.members.len())).collect();
        notes.push(format!("not all units are alike ({}); the most frequent is written", others.join(", ")));
    }
    let slow = common(system).map_or(0, |c| c.health.links_hurt().filter(|(_, h)| h.is_degraded()).count());
    if slow > 0 {
        notes.push(format!("{slow} link bundles run below their rate, which this form cannot say"));
    }
    if let Some(f) = system.fabric.as_ref().map(|f| &f.health)
        && !(f.leaves.is_empty() && f.spines.is_empty() && f.cores.is_empty() && f.uplinks.is_empty())
    {
        notes.push("faults in the fabric, which this form cannot say".to_owned());
    }
    for (what, n) in [("GPUs per unit", system.gpus_used), ("NICs per node", system.nics_used)] {
        if let Some(n) = n {
            notes.push(format!("only {n} {what} are used, which this form cannot say"));
        }
    }
    notes
}
