//! What software may use: the library's version and the settings a user can turn.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::spec::SoftwareSpec;
use crate::parts::Family;
use crate::units::{Share, Time};

macro_rules! named_enum {
    ($(#[$doc:meta])* $t:ident, $what:literal, { $($(#[$vdoc:meta])* $v:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $t { $($(#[$vdoc])* $v),* }

        impl $t {
            /// All of them, in the library's order.
            pub const ALL: &'static [Self] = &[$(Self::$v),*];

            /// As written on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$v => $name),* }
            }
        }

        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $t {
            type Err = String;
            fn from_str(s: &str) -> Result<Self, String> {
                let wanted = s.trim().to_lowercase().replace('_', "-");
                Self::ALL.iter().copied().find(|a| a.name() == wanted || a.name().replace('-', "") == wanted).ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|a| a.name()).collect();
                    format!(concat!("{:?} is not ", $what, "; expected one of {}"), s, names.join(", "))
                })
            }
        }

        impl Serialize for $t {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $t {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

named_enum!(
    /// How a collective is carried out.
    Algorithm, "an algorithm", {
        /// One or more rings over all ranks.
        Ring = "ring",
        /// A chain inside the node, a double binary tree between nodes.
        Tree = "tree",
        /// In-switch reduction and multicast in the scale-up domain (`NVLink` SHARP).
        Nvls = "nvls",
        /// In-switch reduction inside, a tree between scale-up domains.
        NvlsTree = "nvls-tree",
        /// In-network reduction in the scale-out fabric (SHARP).
        Collnet = "collnet",
        /// Every pair exchanges directly.
        Direct = "direct",
    }
);

named_enum!(
    /// How bytes and flags travel together.
    Protocol, "a protocol", {
        /// 8-byte words, half of them flags: lowest latency, half the bandwidth.
        Ll = "ll",
        /// 120 of 128 bytes are data; needs ordered 128-byte stores.
        Ll128 = "ll128",
        /// Plain copies with fences: full bandwidth, highest latency.
        Simple = "simple",
    }
);

/// A library version as `major.minor` (NCCL's numbering).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 2 of 2.27.
    pub major: u32,
    /// 27 of 2.27.
    pub minor: u32,
}

impl FromStr for Version {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let fail = || format!("{s:?} is not a library version; expected for example 2.27");
        let mut parts = s.trim().trim_matches('"').split('.');
        let mut next = || parts.next().and_then(|p| p.parse::<u32>().ok()).ok_or_else(fail);
        let version = Self { major: next()?, minor: next()? };
        // NCCL and RCCL both number their releases 2.x.
        if version.major != 2 || version.minor > 99 {
            return Err(format!("no library {version} is known: releases are numbered 2.0 to 2.99"));
        }
        Ok(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What software may use on a system. All are settings that an edit can change.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own, as a user sets it")]
#[derive(Debug, Clone, PartialEq)]
pub struct Software {
    /// Version of the collectives library whose behaviour is modelled.
    pub library: Version,
    /// In-switch reduction in the scale-up domain, where the hardware has it.
    pub nvls: bool,
    /// The ll protocol, where the transport allows it.
    pub ll: bool,
    /// The ll128 protocol, where links keep its stores in order.
    pub ll128: bool,
    /// In-network reduction in the fabric, where the hardware has it. Off by default: it needs a plug-in and a service.
    pub sharp: bool,
    /// `GPUDirect` RDMA: the NIC reads and writes GPU memory.
    pub gdr: bool,
    /// Peer-to-peer between GPUs, where the hardware has it.
    pub p2p: bool,
    /// Reaching a NIC through the GPU beside it.
    pub pxn: bool,
    /// `PCIe` access control services: peer-to-peer traffic goes up to the root complex and back.
    pub acs: bool,
    /// Runs in a virtual machine.
    pub vm: bool,
    /// Launch overhead of one call, when the user knows better than the fit.
    pub launch: Option<Time>,
    /// GPUs driven by one process: 1 with MPI or torchrun, 8 with nccl-tests `-g 8`.
    pub gpus_per_process: u32,
    /// The only algorithm allowed.
    pub algorithm: Option<Algorithm>,
    /// The only protocol allowed.
    pub protocol: Option<Protocol>,
    /// Usable shares of the line rate, per family, over the catalogue's.
    pub usable: BTreeMap<Family, Share>,
}

impl Default for Software {
    fn default() -> Self {
        Self {
            library: Version { major: 2, minor: 27 },
            nvls: true,
            ll: true,
            ll128: true,
            sharp: false,
            gdr: true,
            p2p: true,
            pxn: true,
            acs: false,
            vm: false,
            launch: None,
            gpus_per_process: 1,
            algorithm: None,
            protocol: None,
            usable: BTreeMap::new(),
        }
    }
}

impl Software {
    /// The defaults with what a file says. Unknown families in `usable` are an error that names the valid ones.
    pub fn from_spec(spec: &SoftwareSpec) -> Result<Self, String> {
        let d = Self::default();
        let mut usable = BTreeMap::new();
        for (name, share) in &spec.usable {
            usable.insert(family(name)?, *share);
        }
        Ok(Self {
            library: spec.library.unwrap_or(d.library),
            nvls: spec.nvls.unwrap_or(d.nvls),
            ll: spec.ll.unwrap_or(d.ll),
            ll128: spec.ll128.unwrap_or(d.ll128),
            sharp: spec.sharp.unwrap_or(d.sharp),
            gdr: spec.gdr.unwrap_or(d.gdr),
            p2p: spec.p2p.unwrap_or(d.p2p),
            pxn: spec.pxn.unwrap_or(d.pxn),
            acs: spec.acs.unwrap_or(d.acs),
            vm: spec.vm.unwrap_or(d.vm),
            launch: spec.launch,
            gpus_per_process: spec.gpus_per_process.unwrap_or(d.gpus_per_process).max(1),
            algorithm: spec.algorithm,
            protocol: spec.protocol,
            usable,
        })
    }
}

/// The link family of a name, as used in `usable.nvlink`.
pub(super) fn family(name: &str) -> Result<Family, String> {
    Ok(match name {
        "pcie" => Family::Pcie,
        "nvlink" => Family::Nvlink,
        "xgmi" => Family::Xgmi,
        "socket" => Family::Socket,
        "c2c" => Family::C2c,
        "network" => Family::Network,
        _ => return Err(format!("unknown link family {name:?}; expected pcie, nvlink, xgmi, socket, c2c or network")),
    })
}
