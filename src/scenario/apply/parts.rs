//! `set nvlink`, `pcie`, `xgmi`, `nic`, `gpu`, `transport`: another part everywhere. Devices and links keep their indices,
//! so health stays valid.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::Touched;
use super::super::step::generations;
use crate::parts::{Family, GpuPart, LinkKind, NicPart, Transport, nearest};
use crate::system::{Device, DeviceKind, Link, Shape, System, Tier, cable_kind, tier_of};
use crate::units::counted;

/// Rebuilds every shape with changed devices and links.
fn reshape(system: &mut System, device: impl Fn(&mut Device), link: impl Fn(&[Device], &mut Link)) {
    let mut done: Vec<(Arc<Shape>, Arc<Shape>)> = Vec::new();
    for class in &mut system.classes {
        let known = done.iter().find(|(old, _)| Arc::ptr_eq(old, &class.shape)).map(|(_, new)| Arc::clone(new));
        let new = known.unwrap_or_else(|| {
            let mut devices = class.shape.devices().to_vec();
            devices.iter_mut().for_each(&device);
            let mut links = class.shape.links().to_vec();
            for l in &mut links {
                link(&devices, l);
            }
            let new = Arc::new(Shape::new(devices, links));
            done.push((Arc::clone(&class.shape), Arc::clone(&new)));
            new
        });
        class.shape = new;
    }
}

/// Things of every unit that a test accepts, in the whole system.
fn count(system: &System, of: impl Fn(&Shape) -> usize) -> u64 {
    system.classes.iter().map(|c| of(&c.shape) as u64 * c.members.len()).sum()
}

/// Another generation of every link of a family.
pub(super) fn generation(system: &mut System, family: Family, generation: u32) -> Result<Touched, String> {
    let name = match family {
        Family::Nvlink => "NVLink",
        Family::Xgmi => "xGMI",
        _ => "PCIe",
    };
    let all = count(system, |s| s.links().iter().filter(|l| l.kind.family == family).count());
    if all == 0 {
        return Err(format!("no {name} in this system"));
    }
    let Some(kind) = system.catalogue.generation(family, generation).cloned() else {
        let known: Vec<String> = generations(system, family).iter().map(u32::to_string).collect();
        return Err(format!("no {name} {generation} in the catalogue; expected {}", known.join(", ")));
    };
    reshape(
        system,
        |_| {},
        |_, l| {
            if l.kind.family == family {
                l.kind = Arc::clone(&kind);
            }
        },
    );
    Ok(Touched::new(all, format!("{} of {name}", counted(all, "link"))))
}

/// A part by name, title or alias, in any case.
fn find<'a, T: 'a>(
    what: &str,
    wanted: &str,
    all: impl Iterator<Item = &'a Arc<T>> + Clone,
    names: impl Fn(&'a T) -> Vec<&'a str>,
) -> Result<Arc<T>, String> {
    let same = |n: &str| n.eq_ignore_ascii_case(wanted);
    if let Some(part) = all.clone().find(|p| names(p).into_iter().any(same)) {
        return Ok(Arc::clone(part));
    }
    // A part is offered once, by the name that is nearest; where none is near, all by the names that files use.
    let id = |p: &'a Arc<T>| names(p).into_iter().next().unwrap_or_default();
    let mut near: Vec<String> = Vec::new();
    let mut owners: Vec<&str> = Vec::new();
    for name in nearest(wanted, all.clone().flat_map(|p| names(p).into_iter())) {
        let owner = all.clone().find(|p| names(p).into_iter().any(|n| n == name)).map_or("", id);
        if !owners.contains(&owner) {
            owners.push(owner);
            near.push(name);
        }
    }
    let hint = if near.is_empty() {
        format!("expected {}", all.map(id).collect::<Vec<_>>().join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Err(format!("no {what} {wanted:?} in the catalogue; {hint}"))
}

fn with_aliases<'a>(name: &'a str, title: &'a str, aliases: &'a [String]) -> Vec<&'a str> {
    [name, title].into_iter().chain(aliases.iter().map(String::as_str)).collect()
}

/// Another NIC everywhere, with its cable and the rate of the fabric's ports.
pub(super) fn nic(system: &mut System, wanted: &str) -> Result<Touched, String> {
    let all = count(system, |s| s.nics().len());
    if all == 0 {
        return Err(format!("{} has no NICs", system.name));
    }
    let catalogue = Arc::clone(&system.catalogue);
    let parts: Vec<&Arc<NicPart>> = catalogue.nics().collect();
    let part = find("NIC", wanted, parts.into_iter(), |n| with_aliases(&n.name, &n.title, &n.aliases))?;
    if let Some(f) = system.fabric.as_mut() {
        f.port_rate = part.rate.is;
    }
    recable(system, |d| {
        if d.is_nic() {
            d.kind = DeviceKind::Nic(Arc::clone(&part));
        }
    });
    Ok(Touched::new(all, counted(all, "NIC")))
}

/// Another transport, with the usable share of every cable.
pub(super) fn transport(system: &mut System, wanted: &str) -> Result<Touched, String> {
    let catalogue = Arc::clone(&system.catalogue);
    let parts: Vec<&Arc<Transport>> = catalogue.transports().collect();
    let part = find("transport", wanted, parts.into_iter(), |t| with_aliases(&t.name, &t.title, &[]))?;
    let Some(f) = system.fabric.as_mut() else { return Err(format!("{} has no network between nodes", system.name)) };
    f.transport = part;
    recable(system, |_| {});
    let all = count(system, |s| s.nics().len());
    Ok(Touched::new(all, counted(all, "cable")))
}

/// Makes the cables anew from the NICs and the transport.
fn recable(system: &mut System, device: impl Fn(&mut Device)) {
    let transport = system.fabric.as_ref().map(|f| Arc::clone(&f.transport));
    let kinds: BTreeMap<String, Arc<LinkKind>> = match &transport {
        Some(t) => system.catalogue.nics().map(|n| (n.name.clone(), Arc::new(cable_kind(t, n)))).collect(),
        None => BTreeMap::new(),
    };
    reshape(system, device, |devices, l| {
        let ends = [l.a, l.b].map(|d| devices.get(d.0 as usize));
        let nic = ends.iter().flatten().find_map(|d| match &d.kind {
            DeviceKind::Nic(n) => Some(n),
            _ => None,
        });
        let to_fabric = ends.iter().flatten().any(|d| d.kind == DeviceKind::Fabric);
        if let (true, Some(kind)) = (to_fabric, nic.and_then(|n| kinds.get(&n.name))) {
            l.kind = Arc::clone(kind);
        }
    });
}

/// Another GPU everywhere. Its links stay as they are, so it needs ports for them.
pub(super) fn gpu(system: &mut System, wanted: &str) -> Result<Touched, String> {
    let catalogue = Arc::clone(&system.catalogue);
    let parts: Vec<&Arc<GpuPart>> = catalogue.gpus().collect();
    let part = find("GPU", wanted, parts.into_iter(), |g| with_aliases(&g.name, &g.title, &g.aliases))?;
    let used = system.classes.iter().map(|c| ports_used(&c.shape)).max().unwrap_or(0);
    if used > part.scale_up_ports {
        let have = part.scale_up_ports;
        return Err(format!("{} has {have} scale-up ports and this system uses {used} per GPU", part.title));
    }
    reshape(
        system,
        |d| {
            if d.is_gpu() {
                d.kind = DeviceKind::Gpu(Arc::clone(&part));
            }
        },
        |_, _| {},
    );
    let all = count(system, |s| s.gpus().len());
    Ok(Touched::new(all, counted(all, "GPU")))
}

/// Scale-up links of the GPU that has most.
fn ports_used(shape: &Shape) -> u32 {
    let of = |g: &crate::system::DeviceIx| -> u32 {
        let links = shape.around(*g).iter().filter_map(|(l, _)| shape.link(*l));
        links.filter(|l| tier_of(l.kind.family) == Tier::ScaleUp).map(|l| l.count).sum()
    };
    shape.gpus().iter().map(of).max().unwrap_or(0)
}
