//! Small machines for tests that must not depend on the shipped ones.
#![expect(clippy::panic, reason = "a mistake in a test machine fails the test")]

use std::sync::Arc;

use super::spec::{DeviceSpec, FabricSpec, Join, LinkSpec, NodeSpec, RackSpec, SoftwareSpec, SystemSpec};
use super::{System, build};
use crate::parts::{
    Arch, Catalogue, CatalogueFile, CpuPart, Family, Figure, GpuPart, LinkKind, NicPart, Origin, SwitchPart,
    SwitchRole, Transport,
};
use crate::units::{Bandwidth, Bytes, Share, Time};

fn origin() -> Origin {
    Origin::Assumed("test".to_owned())
}

fn fig<T: Copy>(v: T) -> Figure<T> {
    Figure::new(v, origin())
}

fn rate(v: f64) -> Figure<Bandwidth> {
    fig(Bandwidth::from_gbytes_per_s(v))
}

fn us(v: f64) -> Figure<Time> {
    fig(Time::from_us(v))
}

fn share(v: f64) -> Figure<Share> {
    fig(Share::new(v))
}

fn kind(name: &str, title: &str, family: Family, line: f64) -> LinkKind {
    LinkKind {
        name: name.to_owned(),
        title: title.to_owned(),
        family,
        generation: 0,
        line: rate(line),
        usable: share(0.8),
        copy: None,
        staged: None,
        latency: us(0.5),
        steps: None,
        staged_steps: None,
        channels: None,
    }
}

fn switch(name: &str, role: SwitchRole, ports: u32) -> SwitchPart {
    SwitchPart { name: name.to_owned(), title: name.to_owned(), role, ports, latency: us(0.3), reduction: None }
}

fn arch() -> Arch {
    Arch {
        name: "arch".to_owned(),
        ll_channel: rate(1.0),
        ll128_channel: rate(1.0),
        gather_channel: None,
        tree: None,
        channels: 8,
        channels_multi: 8,
        in_switch_reduction: true,
        from: origin(),
    }
}

fn parts() -> CatalogueFile {
    CatalogueFile {
        links: vec![
            kind("pcie", "PCIe 5", Family::Pcie, 3.938),
            kind("nvlink", "NVLink 4", Family::Nvlink, 25.0),
            kind("xgmi", "xGMI", Family::Xgmi, 48.0),
            kind("upi", "UPI", Family::Socket, 20.0),
            kind("c2c", "C2C", Family::C2c, 450.0),
        ],
        archs: vec![arch()],
        gpus: vec![GpuPart {
            name: "gpu".to_owned(),
            title: "GPU".to_owned(),
            arch: "arch".to_owned(),
            memory: Bytes::from_gib(80.0),
            memory_kind: "HBM3".to_owned(),
            memory_rate: rate(3000.0),
            tflops: None,
            scale_up_ports: 18,
            peer_to_peer: true,
            aliases: Vec::new(),
            from: origin(),
        }],
        nics: vec![NicPart {
            name: "nic".to_owned(),
            title: "NIC".to_owned(),
            rate: rate(50.0),
            latency: us(1.0),
            aliases: Vec::new(),
        }],
        switches: vec![
            switch("psw", SwitchRole::Pcie, 256),
            switch("nvsw", SwitchRole::ScaleUp, 144),
            switch("leaf", SwitchRole::Fabric, 64),
        ],
        cpus: vec![CpuPart {
            name: "cpu".to_owned(),
            title: "Xeon".to_owned(),
            memory_rate: rate(300.0),
            latency: us(0.3),
        }],
        transports: vec![Transport {
            name: "ib".to_owned(),
            title: "InfiniBand".to_owned(),
            rdma: true,
            usable: share(0.97),
            port_most: None,
            without_gdr: share(0.5),
            step: us(5.0),
            only_simple: false,
            ll128: true,
            sharp: true,
        }],
    }
}

fn devices(text: &str) -> Vec<DeviceSpec> {
    let part = |n: &str| n.trim_end_matches(|c: char| !c.is_alphabetic()).split('[').next().map(str::to_owned);
    let list = text.split_whitespace();
    list.map(|n| DeviceSpec { name: n.to_owned(), part: part(n).unwrap_or_default(), numa: None }).collect()
}

/// Links as `from to kind count`, separated by `;`; a `=` before `from` joins pairwise, `PCIe` gets 16 lanes.
fn links(text: &str) -> Vec<LinkSpec> {
    let one = |row: &str| {
        let mut words = row.split_whitespace();
        let from = words.next()?;
        let (to, kind) = (words.next()?, words.next()?);
        let count = words.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        Some(LinkSpec {
            from: from.trim_start_matches('=').to_owned(),
            to: to.to_owned(),
            kind: kind.to_owned(),
            count,
            lanes: if kind == "pcie" { 16 } else { 1 },
            join: if from.starts_with('=') { Join::Pairwise } else { Join::Each },
        })
    };
    text.split(';').filter_map(one).collect()
}

/// What a test machine is made of.
#[derive(Default)]
pub(crate) struct Machine<'a> {
    /// Devices of a node: `gpu[0-7] nic[0-3]`; the letters name the part.
    pub(crate) devices: &'a str,
    /// Links of a node, see [`links`].
    pub(crate) links: &'a str,
    /// Nodes in a rack, its devices and its links.
    pub(crate) rack: Option<(u32, &'a str, &'a str)>,
    /// Units, 1 if 0.
    pub(crate) units: u32,
    /// Fabric: rails, nodes under a leaf, oversubscription.
    pub(crate) fabric: Option<(bool, u32, f64)>,
}

impl Machine<'_> {
    /// Builds it; a mistake in a test machine fails the test.
    pub(crate) fn build(&self) -> System {
        let mut catalogue = Catalogue::default();
        catalogue.extend(parts()).unwrap_or_else(|e| panic!("{e}"));
        let spec = SystemSpec {
            name: "test".to_owned(),
            title: "Test machine".to_owned(),
            about: String::new(),
            sources: Vec::new(),
            parts: None,
            node: NodeSpec { devices: devices(self.devices), links: links(self.links) },
            rack: self.rack.map(|(nodes, d, l)| RackSpec { nodes, devices: devices(d), links: links(l) }),
            units: self.units.max(1),
            fabric: self.fabric.map(|(rails, leaf_nodes, oversubscription)| FabricSpec {
                transport: "ib".to_owned(),
                switch: "leaf".to_owned(),
                rails,
                leaf_nodes,
                oversubscription,
                source: String::new(),
            }),
            services: None,
            software: SoftwareSpec::default(),
            gpus: None,
            nics: None,
            faults: Vec::new(),
        };
        build(&spec, &Arc::new(catalogue)).unwrap_or_else(|e| panic!("{e} at {:?}", e.path))
    }
}

/// A node of 8 GPUs and 8 NICs on 8 `PCIe` switches, two sockets, four scale-up switches with 5, 5, 4 and 4 links.
pub(crate) fn switched_node(units: u32) -> System {
    Machine {
        devices: "cpu[0-1] psw[0-7] gpu[0-7] nic[0-7] nvsw[0-3]",
        links: "cpu0 cpu1 upi 4; =psw[0-7] cpu[0-1] pcie; =gpu[0-7] psw[0-7] pcie; =nic[0-7] psw[0-7] pcie; \
                gpu[0-7] nvsw[0-1] nvlink 5; gpu[0-7] nvsw[2-3] nvlink 4",
        units,
        fabric: Some((true, 32, 1.0)),
        ..Machine::default()
    }
    .build()
}

/// Two sockets, two `PCIe` switches each, two GPUs on every switch, bridged in pairs; a NIC on each socket.
pub(crate) fn bridged_pairs() -> System {
    Machine {
        devices: "cpu[0-1] psw[0-3] gpu[0-7] nic[0-1]",
        links: "cpu0 cpu1 upi 3; =psw[0-3] cpu[0-1] pcie; =gpu[0-7] psw[0-3] pcie; =nic[0-1] cpu[0-1] pcie; \
                gpu0 gpu1 nvlink 12; gpu2 gpu3 nvlink 12; gpu4 gpu5 nvlink 12; gpu6 gpu7 nvlink 12",
        fabric: Some((false, 32, 1.0)),
        units: 2,
        ..Machine::default()
    }
    .build()
}
