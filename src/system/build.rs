//! From the written form to a [`System`]: names are expanded, parts looked up, everything checked.

mod checks;
mod devices;
mod ends;

pub(crate) use devices::cable_kind;

use std::fmt;
use std::sync::Arc;

use super::spec::{FabricSpec, LinkSpec, SystemSpec};
use super::{DeviceKind, Fabric, FabricHealth, Health, RangeSet, Services, Shape, Software, System, UnitClass};
use crate::parts::{Catalogue, CatalogueError};

/// A step of the path to a place in a system file: a field or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// A field of a struct.
    Field(&'static str),
    /// An entry of a list, from 0.
    Index(usize),
}

/// What is wrong with a system file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", expected_text(.expected))]
pub struct BuildError {
    /// Where in the file: fields and list indices from the top.
    pub path: Vec<PathStep>,
    /// What is wrong.
    pub message: String,
    /// What was expected, or the nearest valid names; empty when the message says it all.
    pub expected: String,
}

fn expected_text(expected: &str) -> String {
    if expected.is_empty() { String::new() } else { format!("; {expected}") }
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Index(i) => write!(f, "[{i}]"),
        }
    }
}

/// A system built from its written form, with notes on what had to be assumed.
pub type Built = System;

impl BuildError {
    pub(super) fn new(path: &[PathStep], message: impl Into<String>) -> Self {
        Self { path: path.to_vec(), message: message.into(), expected: String::new() }
    }

    pub(super) fn expecting(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    fn part(path: &[PathStep], e: &CatalogueError) -> Self {
        Self::new(path, e.to_string())
    }
}

/// Most units a system may have: 131,072 nodes of 8 are a million GPUs.
pub(crate) const MAX_UNITS: u32 = 131_072;
/// Most link bundles in one unit: an NVL72 has about 1,500.
const MAX_LINKS: usize = 50_000;

/// Builds and checks a system. Checked: unknown parts, duplicate names, links to nothing or to themselves, zero, negative
/// or absurd figures, more links than ports, units nobody can reach.
pub fn build(spec: &SystemSpec, catalogue: &Arc<Catalogue>) -> Result<Built, BuildError> {
    use PathStep::Field;
    let catalogue = own_parts(spec, catalogue)?;
    checks::figures(spec)?;
    let (mut devices, mut links) = devices::unit(spec, &catalogue)?;
    if links.len() > MAX_LINKS {
        return Err(BuildError::new(&[Field("node"), Field("links")], format!("more than {MAX_LINKS} link bundles")));
    }
    let software =
        Software::from_spec(&spec.software).map_err(|m| BuildError::new(&[Field("software"), Field("usable")], m))?;
    let nodes_per_unit = spec.rack.as_ref().map_or(1, |r| r.nodes);
    let fabric = match &spec.fabric {
        Some(f) => Some(fabric(f, spec, nodes_per_unit, &catalogue, &mut devices, &mut links)?),
        None => None,
    };
    let shape = Shape::new(devices, links);
    checks::ports(&shape, spec)?;
    checks::reachable(&shape, spec)?;
    let class = UnitClass {
        shape: Arc::new(shape),
        health: Arc::new(Health::default()),
        members: RangeSet::from_range(0..spec.units),
    };
    let mut system = System {
        name: spec.name.clone(),
        title: spec.title.clone(),
        about: spec.about.clone(),
        sources: spec.sources.clone(),
        catalogue,
        classes: vec![class],
        nodes_per_unit,
        units: spec.units,
        is_rack: spec.rack.is_some(),
        fabric,
        services: spec.services.as_ref().map(|s| Services {
            title: s.title.clone(),
            rate: s.rate,
            source: s.source.clone(),
        }),
        software,
        gpus_used: None,
        nics_used: None,
    };
    used(&mut system, spec)?;
    super::faults::apply(&mut system, &spec.faults)?;
    Ok(system)
}

/// How many GPUs and NICs take part.
fn used(system: &mut System, spec: &SystemSpec) -> Result<(), BuildError> {
    let shape = system.classes.first().map(|c| (c.shape.gpus().len() as u32, c.shape.nics().len() as u32));
    let (gpus, nics) = shape.unwrap_or_default();
    let nics = nics / system.nodes_per_unit.max(1);
    for (field, wanted, have, slot) in
        [("gpus", spec.gpus, gpus, &mut system.gpus_used), ("nics", spec.nics, nics, &mut system.nics_used)]
    {
        let Some(n) = wanted else { continue };
        if !(1..=have).contains(&n) {
            return Err(BuildError::new(&[PathStep::Field(field)], format!("there are {have}, not {n}"))
                .expecting(format!("expected 1 to {have}")));
        }
        *slot = (n < have).then_some(n);
    }
    Ok(())
}

fn own_parts(spec: &SystemSpec, catalogue: &Arc<Catalogue>) -> Result<Arc<Catalogue>, BuildError> {
    let Some(parts) = &spec.parts else { return Ok(Arc::clone(catalogue)) };
    let mut own = Catalogue::clone(catalogue);
    own.extend(parts.clone()).map_err(|e| BuildError::part(&[PathStep::Field("parts")], &e))?;
    Ok(Arc::new(own))
}

/// Builds the fabric and wires every NIC to it.
fn fabric(
    f: &FabricSpec,
    spec: &SystemSpec,
    nodes_per_unit: u32,
    catalogue: &Catalogue,
    devices: &mut Vec<super::Device>,
    links: &mut Vec<super::Link>,
) -> Result<Fabric, BuildError> {
    use PathStep::Field;
    let at = |field| [Field("fabric"), Field(field)];
    let transport = catalogue.transport(&f.transport).map_err(|e| BuildError::part(&at("transport"), &e))?;
    let switch = catalogue.switch(&f.switch).map_err(|e| BuildError::part(&at("switch"), &e))?;
    let nics: Vec<_> = devices.iter().filter(|d| d.is_nic()).cloned().collect();
    let Some(first) = nics.first() else {
        return Err(BuildError::new(&[Field("node"), Field("devices")], "a fabric needs NICs, and the node has none")
            .expecting("expected a device whose part is a NIC"));
    };
    let DeviceKind::Nic(part) = &first.kind else {
        return Err(BuildError::new(&[Field("node"), Field("devices")], "the first NIC is not a NIC"));
    };
    let port_rate = part.rate.is;
    devices::wire_fabric(devices, links, transport);
    Ok(Fabric {
        transport: Arc::clone(transport),
        switch: Arc::clone(switch),
        rails: f.rails,
        nics_per_node: nics.len() as u32 / nodes_per_unit.max(1),
        port_rate,
        leaf_nodes: f.leaf_nodes,
        nodes: u64::from(spec.units) * u64::from(nodes_per_unit),
        oversubscription: f.oversubscription,
        source: f.source.clone(),
        health: FabricHealth::default(),
    })
}

/// The two ends of a link spec as lists of names.
fn ends(link: &LinkSpec) -> Result<(Vec<String>, Vec<String>), &'static str> {
    let from = super::expand(&link.from).ok_or("from")?;
    let to = super::expand(&link.to).ok_or("to")?;
    Ok((from, to))
}
