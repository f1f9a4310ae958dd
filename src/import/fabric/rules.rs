//! From what a fabric file (or `--nodes` alone) says to the fabric section of a system.

use super::super::parts::Shelf;
use super::super::report::Report;
use super::Found;
use crate::parts::{Catalogue, SwitchPart, SwitchRole};
use crate::system::spec::FabricSpec;
use crate::units::Bandwidth;

/// What is known about the node that the fabric connects.
pub(in super::super) struct Cluster<'a> {
    /// Name of the NICs' part.
    pub(in super::super) nic: &'a str,
    /// What the node's file says: InfiniBand, or Ethernet.
    pub(in super::super) infiniband: Option<bool>,
    /// NICs per node.
    pub(in super::super) nics: u32,
    /// Nodes in one unit.
    pub(in super::super) nodes_per_unit: u32,
    /// Units, by `--nodes` or by the number of hosts in the node's file.
    pub(in super::super) units: Option<u32>,
}

/// The fabric section and the number of units.
pub(in super::super) fn cluster(
    found: Option<&Found>,
    node: &Cluster,
    shelf: &Shelf,
    report: &mut Report,
) -> (FabricSpec, u32) {
    let c = shelf.catalogue;
    let transport = transport(found, node, c, report);
    let port = c.nic(node.nic).map(|n| n.rate.is).unwrap_or_default();
    let own = shelf.own.nics.iter().find(|n| n.name == node.nic).map(|n| n.rate.is);
    let rate = found.and_then(|f| f.rate).or(own).unwrap_or(port);
    let switch = switch(found, rate, transport.as_str(), c, report);
    let per_unit = node.nodes_per_unit.max(1);
    let hosts = found.map_or(1, |f| f.hosts);
    let units = node.units.unwrap_or_else(|| (hosts / per_unit).max(1));
    let spec = match found {
        Some(f) => told(f, node, transport, switch.name.clone(), report),
        None => assumed(node, transport, &switch, report),
    };
    (spec, units.clamp(1, 131_072))
}

fn told(f: &Found, node: &Cluster, transport: String, switch: String, report: &mut Report) -> FabricSpec {
    if f.nics > 0 && f.nics != node.nics {
        report.assumed(
            0,
            format!(
                "the node's file has {} NICs, the fabric's file {} ports per host: the node's file counts",
                node.nics, f.nics
            ),
        );
    }
    if f.oversubscription.is_none() {
        report.assumed(0, "the fabric file has no rates: taken as not oversubscribed");
    }
    if f.nics == 0 && node.nics > 1 {
        report.assumed(0, "the fabric file does not tell rails apart: taken as none");
    }
    FabricSpec {
        transport,
        switch,
        rails: f.rails && node.nics > 1,
        leaf_nodes: f.leaf_nodes.max(1),
        oversubscription: f.oversubscription.unwrap_or(1.0),
        source: format!("imported from {}", f.kind.title()),
    }
}

/// `--nodes` without a fabric file: leaves half down, half up, one rail per NIC.
fn assumed(node: &Cluster, transport: String, switch: &SwitchPart, report: &mut Report) -> FabricSpec {
    let rails = node.nics > 1;
    let leaf_nodes = if rails { switch.ports / 2 } else { switch.ports / 2 / node.nics.max(1) }.max(1);
    let shape = if rails { "one rail per NIC" } else { "one plane" };
    report.assumed(0, format!("the network: {} over {}, {shape}, {leaf_nodes} nodes under a leaf, not oversubscribed; --fabric reads it from a file", transport, switch.title));
    FabricSpec {
        transport,
        switch: switch.name.clone(),
        rails,
        leaf_nodes,
        oversubscription: 1.0,
        source: "assumed".to_owned(),
    }
}

/// How data crosses the fabric, by the adapters.
fn transport(found: Option<&Found>, node: &Cluster, c: &Catalogue, report: &mut Report) -> String {
    let nic = node.nic;
    let infiniband = found.is_some_and(|f| f.rate.is_some());
    let wanted = match nic {
        _ if infiniband => "infiniband",
        n if n.starts_with("efa1") => "efa1",
        n if n.starts_with("efa2") => "efa2",
        n if n.starts_with("efa") => "efa3",
        n if n.starts_with("cassini") => "slingshot",
        n if n.starts_with("tcpxo") => "tcpxo",
        n if n.starts_with("tcpx") => "tcpx",
        n if n.starts_with("eth") || n.starts_with("nic") => "tcp",
        n if n.starts_with("thor") || n.starts_with("bluefield") || node.infiniband == Some(false) => "roce",
        _ => "infiniband",
    };
    if !infiniband && wanted == "infiniband" && node.infiniband.is_none() {
        report.assumed(0, "the NICs' protocol is not told: InfiniBand");
    }
    let known = c.transport(wanted).ok().or_else(|| c.transports().next());
    known.map_or_else(|| wanted.to_owned(), |t| t.name.clone())
}

/// The switch, by the model in its description, else by its rate.
fn switch(found: Option<&Found>, rate: Bandwidth, transport: &str, c: &Catalogue, report: &mut Report) -> SwitchPart {
    let model = found.map_or("", |f| f.model.as_str());
    let models = [
        ("970", "qm9700"),
        ("979", "qm9700"),
        ("87", "qm8700"),
        ("8500", "qm8700"),
        ("77", "switch-ib2"),
        ("78", "switch-ib2"),
        ("3400", "q3400"),
    ];
    let after = model.rsplit(':').next().unwrap_or("");
    let by_model = models.iter().find(|(digits, _)| after.starts_with('M') && after.contains(digits)).map(|(_, n)| *n);
    let infiniband = transport == "infiniband";
    let by_rate = match (infiniband, rate.gbits_per_s()) {
        (true, r) if r > 400.0 => "q3400",
        (true, r) if r > 200.0 => "qm9700",
        (true, r) if r > 100.0 => "qm8700",
        (true, _) => "switch-ib2",
        (false, _) if transport == "slingshot" => "rosetta",
        (false, _) if transport.starts_with("efa") || transport.starts_with("tcpx") => "cloud-leaf",
        (false, r) if r > 400.0 => "sn5600",
        (false, r) if r > 200.0 => "sn5400",
        (false, r) if r > 100.0 => "sn3700",
        (false, r) if r > 50.0 => "tor-100g",
        (false, _) => "tor-25g",
    };
    if by_model.is_none() {
        report.assumed(0, format!("the fabric's switches are not named: {by_rate}, by the rate of the ports"));
    }
    let known = c.switch(by_model.unwrap_or(by_rate)).ok();
    let any = known.or_else(|| c.switches().find(|s| s.role == SwitchRole::Fabric));
    any.map_or_else(|| fallback(by_rate), |s| SwitchPart::clone(s))
}

/// A name for the error that building will give when the catalogue has no fabric switch at all.
fn fallback(name: &str) -> SwitchPart {
    let from = crate::parts::Origin::Assumed("no fabric switch is known".to_owned());
    SwitchPart {
        name: name.to_owned(),
        title: name.to_owned(),
        role: SwitchRole::Fabric,
        ports: 64,
        latency: crate::parts::Figure::new(crate::units::Time::from_us(0.3), from),
        reduction: None,
    }
}
