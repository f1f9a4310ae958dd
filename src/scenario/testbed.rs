//! Small systems for the tests of this module, with a catalogue that has something to change to.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a mistake in a test system fails the test")]

use std::fmt::Write;
use std::sync::Arc;

use super::{Edit, Entry};
use crate::parts::{Catalogue, CatalogueFile, Figure, LinkKind, NicPart, Origin, Transport};
use crate::system::fixture::{Machine, switched_node};
use crate::system::{Shape, System};
use crate::units::{Bandwidth, Share};

fn origin() -> Origin {
    Origin::Assumed("test".to_owned())
}

/// Adds generations, a NIC and a transport to change to, and gives the links generations.
fn richer(mut system: System) -> System {
    let c = &system.catalogue;
    let with = |name: &str, new: &str, generation: u32, line: f64| {
        let old = c.link(name).unwrap();
        LinkKind {
            name: new.to_owned(),
            title: new.to_owned(),
            generation,
            line: Figure::new(Bandwidth::from_gbytes_per_s(line), origin()),
            ..LinkKind::clone(old)
        }
    };
    let links = vec![
        with("nvlink", "nvlink", 4, 25.0),
        with("nvlink", "nvlink5", 5, 50.0),
        with("pcie", "pcie", 5, 3.938),
        with("pcie", "pcie4", 4, 1.969),
    ];
    let nic = NicPart {
        name: "connectx-8".to_owned(),
        title: "ConnectX-8".to_owned(),
        rate: Figure::new(Bandwidth::from_gbits_per_s(800.0), origin()),
        ..NicPart::clone(c.nic("nic").unwrap())
    };
    let tcp = Transport {
        name: "tcp".to_owned(),
        title: "TCP".to_owned(),
        rdma: false,
        usable: Figure::new(Share::new(0.6), origin()),
        ..Transport::clone(c.transport("ib").unwrap())
    };
    let mut more = Catalogue::clone(c);
    more.extend(CatalogueFile { links, nics: vec![nic], transports: vec![tcp], ..CatalogueFile::default() }).unwrap();
    system.catalogue = Arc::new(more);
    for class in &mut system.classes {
        let links = class.shape.links().to_vec().into_iter().map(|mut l| {
            if let Ok(kind) = system.catalogue.link(&l.kind.name) {
                l.kind = Arc::clone(kind);
            }
            l
        });
        class.shape = Arc::new(Shape::new(class.shape.devices().to_vec(), links.collect()));
    }
    system
}

/// Nodes of 8 GPUs and 8 NICs, rails, 32 nodes under a leaf.
pub(super) fn nodes(units: u32) -> System {
    richer(switched_node(units))
}

/// Two GPUs on a switch, no network.
pub(super) fn lone() -> System {
    richer(
        Machine { devices: "cpu0 psw0 gpu[0-1]", links: "cpu0 psw0 pcie; psw0 gpu[0-1] pcie", ..Machine::default() }
            .build(),
    )
}

/// Racks of 6 nodes with 2 GPUs and 2 NICs each, 4 nodes under a leaf, so that leaves do not end where racks do.
pub(super) fn racks(units: u32) -> System {
    richer(
        Machine {
            devices: "cpu0 gpu[0-1] nic[0-1]",
            links: "cpu0 gpu[0-1] pcie; cpu0 nic[0-1] pcie",
            rack: Some((6, "nvsw[0-1]", "node*/gpu* nvsw* nvlink 4")),
            units,
            fabric: Some((true, 4, 1.0)),
        }
        .build(),
    )
}

pub(super) fn edit(text: &str) -> Edit {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub(super) fn entries(lines: &[&str]) -> Vec<Entry> {
    lines.iter().map(|l| Entry::from(edit(l))).collect()
}

/// Everything of a system that an edit can change, as text.
pub(super) fn fingerprint(s: &System) -> String {
    let mut text = format!("{} {:?} {:?} {:?} {:?}\n", s.units, s.gpus_used, s.nics_used, s.software, s.fabric);
    for c in &s.classes {
        writeln!(text, "{} {:?} {:?}", c.members, c.health, c.shape.links()).unwrap();
        text.push_str(&c.shape.devices().iter().map(|d| d.title().to_owned() + " ").collect::<String>());
    }
    text
}
