//! Files that describe the network between nodes: `ibnetdiscover`, `iblinkinfo`, Slurm. They are read into a list of hosts,
//! switches and cables ([`net::Net`]), and from that into the few numbers of a fabric's rules ([`Found`]).

mod iblink;
mod ibnet;
mod net;
mod rules;
mod slurm;

use super::clean;
use super::detect::{self, Kind};
use super::report::{ImportError, Report};
use crate::units::Bandwidth;

pub(super) use rules::{Cluster, cluster};

/// What a fabric file says about the fabric as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// Format of the file.
    pub(super) kind: Kind,
    /// Hosts.
    pub(super) hosts: u32,
    /// Ports per host, the most frequent number; 0 where the file does not tell.
    pub(super) nics: u32,
    /// Rate of a host's port, the most frequent one.
    pub(super) rate: Option<Bandwidth>,
    /// Most hosts under one leaf.
    pub(super) leaf_nodes: u32,
    /// Whether each port of a host goes to another leaf.
    pub(super) rails: bool,
    /// Rate down over rate up of the leaves, the median; `None` where the file does not tell.
    pub(super) oversubscription: Option<f64>,
    /// Levels of switches.
    pub(super) levels: u32,
    /// Model of the leaves, as their description has it.
    pub(super) model: String,
    /// Ports of the largest switch.
    pub(super) ports: u32,
}

/// Reads a fabric file. Lines in its notes are lines of that file; the notes say so.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Found, ImportError> {
    let text = clean::clean(text);
    let in_fabric = |mut e: ImportError| {
        e.message = format!("in the fabric file: {}", e.message);
        e.of_fabric = true;
        e
    };
    let formats = "ibnetdiscover, iblinkinfo or Slurm's topology.conf";
    let kind = detect::recognise(&text).map_err(|e| in_fabric(e.expecting(formats)))?;
    let mut own = Report::default();
    let net = match kind {
        Kind::IbNetDiscover => ibnet::read(&text, &mut own),
        Kind::IbLinkInfo => iblink::read(&text, &mut own),
        Kind::Slurm => slurm::read(&text, &mut own),
        _ => Err(ImportError::new(format!("this is {}, which describes a node", kind.title())).expecting(formats)),
    }
    .map_err(in_fabric)?;
    let found = net.found(kind, &mut own).map_err(in_fabric)?;
    report.take_over(own, "fabric file, ");
    Ok(found)
}
