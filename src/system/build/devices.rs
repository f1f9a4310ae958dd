//! Devices and links of one unit from their written form.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::spec::{DeviceSpec, Join, LinkSpec, SystemSpec};
use super::super::{Device, DeviceIx, DeviceKind, Link, expand};
use super::{BuildError, PathStep, ends};
use crate::parts::{Catalogue, Family, Figure, LinkKind, NicPart, SwitchRole, Transport, nearest};

use PathStep::{Field, Index};

/// All devices and links of a unit: a node, or a rack of nodes with its switches.
pub(super) fn unit(spec: &SystemSpec, catalogue: &Catalogue) -> Result<(Vec<Device>, Vec<Link>), BuildError> {
    let at = [Field("node"), Field("devices")];
    let mut devices = Vec::new();
    let nodes = spec.rack.as_ref().map_or(1, |r| r.nodes);
    for node in 0..nodes {
        let prefix = if spec.rack.is_some() { format!("node{node}/") } else { String::new() };
        for (i, d) in spec.node.devices.iter().enumerate() {
            add_device(&mut devices, d, &prefix, Some(node), catalogue, &[&at[..], &[Index(i)]].concat())?;
        }
    }
    if let Some(rack) = &spec.rack {
        for (i, d) in rack.devices.iter().enumerate() {
            let at = [Field("rack"), Field("devices"), Index(i)];
            add_device(&mut devices, d, "", None, catalogue, &at)?;
        }
    }
    let links = links(spec, catalogue, &devices, nodes)?;
    Ok((devices, links))
}

fn add_device(
    devices: &mut Vec<Device>,
    spec: &DeviceSpec,
    prefix: &str,
    node: Option<u32>,
    catalogue: &Catalogue,
    at: &[PathStep],
) -> Result<(), BuildError> {
    let here = |field| [at, &[Field(field)]].concat();
    let names = expand(&spec.name).ok_or_else(|| {
        BuildError::new(&here("name"), format!("{:?} is not a name", spec.name)).expecting("expected gpu0 or gpu[0-7]")
    })?;
    let kind = kind_of(&spec.part, catalogue).map_err(|m| BuildError::new(&here("part"), m))?;
    for name in names {
        if !well_formed(&name) {
            let message = format!("{name:?} is not a device name");
            return Err(
                BuildError::new(&here("name"), message).expecting("expected letters with a number at the end, as gpu0")
            );
        }
        let path = format!("{prefix}{name}");
        if devices.iter().any(|d| d.path == path) {
            return Err(BuildError::new(&here("name"), format!("duplicate device name {name:?}")));
        }
        devices.push(Device { path, name, kind: kind.clone(), node, numa: spec.numa });
    }
    Ok(())
}

fn well_formed(name: &str) -> bool {
    let reserved = ["node", "rack", "leaf", "spine", "core", "fabric"];
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    !letters.is_empty()
        && letters.len() < name.len()
        && name.len() <= 24
        && letters.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
        && !reserved.contains(&letters)
}

/// Looks a part up in every list of the catalogue.
fn kind_of(part: &str, c: &Catalogue) -> Result<DeviceKind, String> {
    if let Ok(p) = c.gpu(part) {
        return Ok(DeviceKind::Gpu(Arc::clone(p)));
    }
    if let Ok(p) = c.nic(part) {
        return Ok(DeviceKind::Nic(Arc::clone(p)));
    }
    if let Ok(p) = c.cpu(part) {
        return Ok(DeviceKind::Cpu(Arc::clone(p)));
    }
    if let Ok(p) = c.switch(part) {
        return match p.role {
            SwitchRole::Pcie => Ok(DeviceKind::PcieSwitch(Arc::clone(p))),
            SwitchRole::ScaleUp => Ok(DeviceKind::ScaleUpSwitch(Arc::clone(p))),
            SwitchRole::Fabric => Err(format!("{part:?} is a switch of the fabric, not of a node")),
        };
    }
    let all: Vec<&str> = c
        .gpus()
        .map(|p| p.name.as_str())
        .chain(c.nics().map(|p| p.name.as_str()))
        .chain(c.cpus().map(|p| p.name.as_str()))
        .chain(c.switches().map(|p| p.name.as_str()))
        .collect();
    let near = nearest(part, all);
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    Err(format!("unknown part {part:?}{hint}"))
}

fn links(spec: &SystemSpec, catalogue: &Catalogue, devices: &[Device], nodes: u32) -> Result<Vec<Link>, BuildError> {
    let index: BTreeMap<&str, DeviceIx> =
        devices.iter().enumerate().map(|(i, d)| (d.path.as_str(), DeviceIx(i as u32))).collect();
    let mut all = Vec::new();
    for node in 0..nodes {
        let prefix = if spec.rack.is_some() { format!("node{node}/") } else { String::new() };
        for (i, l) in spec.node.links.iter().enumerate() {
            let at = [Field("node"), Field("links"), Index(i)];
            let (from, to) = ends(l).map_err(|f| bad_name(&at, f))?;
            let wide = |names: Vec<String>| names.iter().map(|n| format!("{prefix}{n}")).collect();
            add_links(&mut all, l, (wide(from), wide(to)), catalogue, (&index, devices), &at)?;
        }
    }
    for (i, l) in spec.rack.iter().flat_map(|r| r.links.iter().enumerate()) {
        let at = [Field("rack"), Field("links"), Index(i)];
        let (from, to) = ends(l).map_err(|f| bad_name(&at, f))?;
        let wide = |names: Vec<String>| names.iter().flat_map(|n| matching(n, devices)).collect();
        add_links(&mut all, l, (wide(from), wide(to)), catalogue, (&index, devices), &at)?;
    }
    Ok(all)
}

/// Device paths that a name with `*` stands for; the name itself if none, so that the error can show it.
fn matching(name: &str, devices: &[Device]) -> Vec<String> {
    if !name.contains('*') {
        return vec![name.to_owned()];
    }
    let steps: Vec<&str> = name.split('/').collect();
    let fits = |path: &str| {
        let parts: Vec<&str> = path.split('/').collect();
        parts.len() == steps.len() && parts.iter().zip(&steps).all(|(p, s)| step_fits(s, p))
    };
    let hits: Vec<String> = devices.iter().map(|d| d.path.clone()).filter(|p| fits(p)).collect();
    if hits.is_empty() { vec![name.to_owned()] } else { hits }
}

fn step_fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(head) => name.strip_prefix(head).is_some_and(|n| n.chars().all(|c| c.is_ascii_digit())),
        None => pattern == name,
    }
}

fn bad_name(at: &[PathStep], field: &'static str) -> BuildError {
    BuildError::new(&[at, &[Field(field)]].concat(), "these are not names").expecting("expected gpu0 or gpu[0-7]")
}

fn add_links(
    all: &mut Vec<Link>,
    spec: &LinkSpec,
    (from, to): (Vec<String>, Vec<String>),
    catalogue: &Catalogue,
    (index, devices): (&BTreeMap<&str, DeviceIx>, &[Device]),
    at: &[PathStep],
) -> Result<(), BuildError> {
    let here = |field| [at, &[Field(field)]].concat();
    let kind = catalogue.link(&spec.kind).map_err(|e| BuildError::part(&here("kind"), &e))?;
    let find = |name: &String, field| {
        index.get(name.as_str()).copied().ok_or_else(|| {
            let near = nearest(name, index.keys().copied());
            let hint = if near.is_empty() { String::new() } else { format!("did you mean {}?", near.join(" or ")) };
            BuildError::new(&here(field), format!("no device {name:?}")).expecting(hint)
        })
    };
    for (a, b) in pairs(&from, &to, spec.join) {
        let (ia, ib) = (find(a, "from")?, find(b, "to")?);
        if ia == ib {
            return Err(BuildError::new(&here("to"), format!("{a} is linked to itself")));
        }
        if let (Some(x), Some(y)) = (devices.get(ia.0 as usize), devices.get(ib.0 as usize)) {
            let wrong = |(what, expected): (String, &'static str)| {
                BuildError::new(&here("kind"), format!("{a}--{b} is of kind {:?}: {what}", spec.kind))
                    .expecting(expected)
            };
            super::ends::check(kind.family, &x.kind, &y.kind).map_err(wrong)?;
        }
        // Ends first, then the kind by its address: a rack has more than a thousand links, and a kind many words.
        let same = |l: &Link| ((l.a, l.b) == (ia, ib) || (l.a, l.b) == (ib, ia)) && Arc::ptr_eq(&l.kind, kind);
        if all.iter().any(same) {
            let message = format!("{a}--{b} is there twice");
            return Err(BuildError::new(&here("to"), message).expecting("write count: 2 for two parallel links"));
        }
        all.push(Link { a: ia, b: ib, kind: Arc::clone(kind), count: spec.count, lanes: spec.lanes });
    }
    Ok(())
}

fn pairs<'a>(from: &'a [String], to: &'a [String], join: Join) -> Vec<(&'a String, &'a String)> {
    match join {
        Join::Each => from.iter().flat_map(|a| to.iter().map(move |b| (a, b))).filter(|(a, b)| a != b).collect(),
        Join::Pairwise => {
            let n = from.len().max(to.len());
            let pick = |list: &'a [String], i: usize| list.get(i * list.len() / n.max(1));
            (0..n).filter_map(|i| Some((pick(from, i)?, pick(to, i)?))).collect()
        }
    }
}

/// Adds the fabric as a device and a cable from every NIC to it. The cable is a link like any other: it has a rate, a
/// health and a load.
pub(super) fn wire_fabric(devices: &mut Vec<Device>, links: &mut Vec<Link>, transport: &Transport) {
    let fabric = DeviceIx(devices.len() as u32);
    let mut kinds: BTreeMap<String, Arc<LinkKind>> = BTreeMap::new();
    for (i, d) in devices.iter().enumerate() {
        let DeviceKind::Nic(nic) = &d.kind else { continue };
        let kind = kinds.entry(nic.name.clone()).or_insert_with(|| Arc::new(cable_kind(transport, nic)));
        links.push(Link { a: DeviceIx(i as u32), b: fabric, kind: Arc::clone(kind), count: 1, lanes: 1 });
    }
    devices.push(Device {
        path: "fabric".to_owned(),
        name: "fabric".to_owned(),
        kind: DeviceKind::Fabric,
        node: None,
        numa: None,
    });
}

/// The link kind of a NIC's port on a transport: the adapter's line rate, the transport's usable share.
pub(crate) fn cable_kind(transport: &Transport, nic: &NicPart) -> LinkKind {
    let usable = transport.usable_of(nic.rate.is);
    LinkKind {
        name: format!("{}-{}", transport.name, nic.name),
        title: format!("{} {} Gb/s", transport.title, nic.rate.is.gbits_per_s().round()),
        family: Family::Network,
        generation: 0,
        line: nic.rate.clone(),
        usable: usable.clone(),
        copy: None,
        staged: Some(Figure::new(usable.is * transport.without_gdr.is, transport.without_gdr.from.clone())),
        latency: nic.latency.clone(),
        steps: None,
        staged_steps: None,
        channels: None,
    }
}
