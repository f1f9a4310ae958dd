//! Checks on a whole system: figures, ports, reachability.

use super::super::spec::{LinkSpec, SystemSpec};
use super::super::{DeviceIx, DeviceKind, Shape, Tier, tier_of};
use super::{BuildError, MAX_UNITS, PathStep};

use PathStep::{Field, Index};

/// Counts and rates that nothing can have.
pub(super) fn figures(spec: &SystemSpec) -> Result<(), BuildError> {
    let name_ok = !spec.name.is_empty() && spec.name.len() <= 40 && !spec.name.chars().any(char::is_whitespace);
    if !name_ok {
        return Err(BuildError::new(&[Field("name")], format!("{:?} is not a system name", spec.name))
            .expecting("expected a short word without spaces, as dgx-h100"));
    }
    count(spec.units, MAX_UNITS, &[Field("units")])?;
    if let Some(r) = &spec.rack {
        count(r.nodes, 256, &[Field("rack"), Field("nodes")])?;
    }
    for (i, l) in spec.node.links.iter().enumerate() {
        link(l, &[Field("node"), Field("links"), Index(i)])?;
    }
    for (i, l) in spec.rack.iter().flat_map(|r| r.links.iter().enumerate()) {
        link(l, &[Field("rack"), Field("links"), Index(i)])?;
    }
    if let Some(f) = &spec.fabric {
        count(f.leaf_nodes, 1 << 20, &[Field("fabric"), Field("leaf_nodes")])?;
        if !(f.oversubscription.is_finite() && (0.05..=100.0).contains(&f.oversubscription)) {
            return Err(BuildError::new(
                &[Field("fabric"), Field("oversubscription")],
                format!("{} is not an oversubscription", f.oversubscription),
            )
            .expecting("expected ports down per port up: 1 (non-blocking), 2, 4"));
        }
    }
    let rate = spec.services.as_ref().map(|s| s.rate.gbytes_per_s());
    if rate.is_some_and(|r| !(r.is_finite() && r > 0.0 && r < 1e5)) {
        return Err(BuildError::new(&[Field("services"), Field("rate")], "the rate must be above zero"));
    }
    Ok(())
}

fn count(n: u32, max: u32, at: &[PathStep]) -> Result<(), BuildError> {
    if (1..=max).contains(&n) {
        return Ok(());
    }
    Err(BuildError::new(at, format!("{n} is out of range")).expecting(format!("expected 1 to {max}")))
}

fn link(l: &LinkSpec, at: &[PathStep]) -> Result<(), BuildError> {
    count(l.count, 64, &[at, &[Field("count")]].concat())?;
    count(l.lanes, 64, &[at, &[Field("lanes")]].concat())
}

/// More links than ports: a GPU's scale-up ports, a switch's ports (lanes for `PCIe`).
pub(super) fn ports(shape: &Shape, spec: &SystemSpec) -> Result<(), BuildError> {
    for d in shape.device_ixs() {
        let Some(device) = shape.device(d) else { continue };
        let (used, have, what) = match &device.kind {
            DeviceKind::Gpu(p) if p.scale_up_ports > 0 => {
                (scale_up_links(shape, d), p.scale_up_ports, "scale-up ports")
            }
            DeviceKind::ScaleUpSwitch(p) => (scale_up_links(shape, d), p.ports, "ports"),
            DeviceKind::PcieSwitch(p) => (lanes(shape, d), p.ports, "lanes"),
            _ => continue,
        };
        if used > have {
            let message = format!("{} has {used} of {have} {what} in use", device.path);
            return Err(
                BuildError::new(&link_path(spec, &device.name), message).expecting(format!("expected at most {have}"))
            );
        }
    }
    Ok(())
}

fn scale_up_links(shape: &Shape, d: DeviceIx) -> u32 {
    let links = shape.around(d).iter().filter_map(|(l, _)| shape.link(*l));
    links.filter(|l| tier_of(l.kind.family) == Tier::ScaleUp).map(|l| l.count).sum()
}

fn lanes(shape: &Shape, d: DeviceIx) -> u32 {
    shape.around(d).iter().filter_map(|(l, _)| shape.link(*l)).map(|l| l.count * l.lanes).sum()
}

/// The links section that a device of this name is in.
fn link_path(spec: &SystemSpec, name: &str) -> Vec<PathStep> {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let hit = |l: &LinkSpec| l.from.contains(head) || l.to.contains(head);
    if let Some(i) = spec.rack.as_ref().and_then(|r| r.links.iter().position(hit)) {
        return vec![Field("rack"), Field("links"), Index(i)];
    }
    let i = spec.node.links.iter().position(hit).unwrap_or(0);
    vec![Field("node"), Field("links"), Index(i)]
}

/// Every unit has GPUs, every device is wired to the others, and several units have a network between them.
pub(super) fn reachable(shape: &Shape, spec: &SystemSpec) -> Result<(), BuildError> {
    let at = [Field("node"), Field("devices")];
    if shape.gpus().is_empty() {
        return Err(BuildError::new(&at, "no GPU in the node").expecting("expected a device whose part is a GPU"));
    }
    let connected = component(shape, shape.gpus().first().copied());
    let lonely = shape.device_ixs().find(|d| !connected.get(d.0 as usize).copied().unwrap_or(false));
    if let Some(device) = lonely.and_then(|d| shape.device(d)) {
        let message = format!("{} is linked to nothing that the GPUs reach", device.path);
        return Err(BuildError::new(&at, message).expecting("expected a link to it"));
    }
    if spec.units > 1 && spec.fabric.is_none() {
        let message = format!("{} units and no fabric: nobody can reach the others", spec.units);
        return Err(BuildError::new(&[Field("units")], message).expecting("expected a fabric section, or units: 1"));
    }
    Ok(())
}

fn component(shape: &Shape, start: Option<DeviceIx>) -> Vec<bool> {
    let mut seen = vec![false; shape.devices().len()];
    let mut queue: Vec<DeviceIx> = start.into_iter().collect();
    while let Some(d) = queue.pop() {
        let Some(flag) = seen.get_mut(d.0 as usize) else { continue };
        if !std::mem::replace(flag, true) {
            queue.extend(shape.around(d).iter().map(|(_, other)| *other));
        }
    }
    seen
}
