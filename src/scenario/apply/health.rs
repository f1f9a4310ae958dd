//! `off`, `on`, `degrade` of units, devices and links.

use super::super::{Edit, Touched, touch};
use crate::system::faults::{Change, change, change_fabric};
use crate::system::{Address, Cut, DeviceIx, Health, LinkIx, RangeSet, Shape, System, Target, attached_rate};
use crate::units::Bandwidth;

/// Most uplinks that one edit may name: each is stored by itself.
const MOST_UPLINKS: u64 = 100_000;

/// Applies a health edit. The error says why it names nothing here.
pub(super) fn health(system: &mut System, edit: &Edit) -> Result<Touched, String> {
    let (address, to) = match edit {
        Edit::Off(a) => (a, Change::Up(false)),
        Edit::On(a) => (a, Change::Up(true)),
        Edit::Degrade(a, cut) => (a, Change::Degrade(*cut)),
        Edit::Set(key, _) => return Err(format!("{key} is a setting, not a device")),
    };
    let target = address.resolve(system).map_err(|e| e.to_string())?;
    let touched = touch::named(system, address, &target);
    match &target {
        Target::Units(units) => whole_units(system, address, units, to)?,
        Target::Devices(p) if address.is_whole_node() => whole_node(system, address, &p.units, &p.devices, to)?,
        Target::Devices(p) => {
            let own = |d: &DeviceIx| attached_rate(&system.classes.first()?.shape, *d);
            slower(p.devices.iter().filter_map(own), to, address)?;
            let ixs = &p.devices;
            change(system, &p.units, |shape, h| each(ixs, |d| device(shape, h, *d, to)));
        }
        Target::Links(p) => {
            slower(p.links.iter().filter_map(|l| line_rate(system, *l, p.nth.is_some())), to, address)?;
            change(system, &p.units, |shape, h| {
                each(&p.links, |l| match to {
                    Change::Up(up) => h.set_link(shape, *l, p.nth, up),
                    Change::Degrade(cut) => h.degrade_link(shape, *l, p.nth, cut),
                })
            });
        }
        Target::Fabric(_) if touched.count > MOST_UPLINKS => {
            return Err(format!("{address} names {}; name fewer, or the leaves or spines themselves", touched.what));
        }
        Target::Fabric(t) => change_fabric(system, t, to),
    }
    Ok(touched)
}

/// True if any of them changed; all are done.
fn each<T>(all: &[T], mut f: impl FnMut(&T) -> bool) -> bool {
    all.iter().fold(false, |changed, t| f(t) | changed)
}

fn device(shape: &Shape, h: &mut Health, d: DeviceIx, to: Change) -> bool {
    match to {
        Change::Up(false) => h.set_device(d, false),
        Change::Up(true) => {
            let back = h.set_device(d, true);
            each(shape.around(d), |(l, _)| h.set_link(shape, *l, None, true)) | back
        }
        Change::Degrade(cut) => h.degrade_device(shape, d, cut),
    }
}

/// A unit that is off has all its GPUs out; one that is on again has nothing wrong.
fn whole_units(system: &mut System, address: &Address, units: &RangeSet, to: Change) -> Result<(), String> {
    match to {
        Change::Up(true) => change(system, units, |_, h| !std::mem::take(h).is_healthy()),
        Change::Up(false) => change(system, units, |shape, h| each(shape.gpus(), |g| h.set_device(*g, false))),
        Change::Degrade(_) => return Err(no_such_degrade(system, address)),
    }
    Ok(())
}

/// The same for one node of a rack.
fn whole_node(
    system: &mut System,
    address: &Address,
    units: &RangeSet,
    devices: &[DeviceIx],
    to: Change,
) -> Result<(), String> {
    let gpu = |shape: &Shape, d: DeviceIx| shape.device(d).is_some_and(crate::system::Device::is_gpu);
    match to {
        Change::Up(true) => change(system, units, |shape, h| each(devices, |d| device(shape, h, *d, to))),
        Change::Up(false) => {
            change(system, units, |shape, h| each(devices, |d| gpu(shape, *d) && h.set_device(*d, false)));
        }
        Change::Degrade(_) => return Err(no_such_degrade(system, address)),
    }
    Ok(())
}

fn no_such_degrade(system: &System, address: &Address) -> String {
    let shape = system.classes.first().map(|c| &c.shape);
    let last = |d: DeviceIx| shape.and_then(|s| s.device(d)).map(|d| d.name.clone());
    let first = shape.and_then(|s| s.nics().first().or(s.gpus().first())).and_then(|d| last(*d)).unwrap_or_default();
    format!("{address} has many links; degrade one of its devices or links, for example {address}/{first}")
}

/// What a bundle, or one link of it, carries per direction when healthy.
fn line_rate(system: &System, l: LinkIx, one: bool) -> Option<Bandwidth> {
    let link = system.classes.first()?.shape.link(l)?;
    Some(link.line_rate() / if one { f64::from(link.count.max(1)) } else { 1.0 })
}

/// Refuses a rate that nothing named is faster than.
fn slower(own: impl Iterator<Item = Bandwidth>, to: Change, address: &Address) -> Result<(), String> {
    let Change::Degrade(Cut::To(rate)) = to else { return Ok(()) };
    let fastest = own.map(Bandwidth::gbytes_per_s).fold(0.0, f64::max);
    if fastest > rate.gbytes_per_s() {
        return Ok(());
    }
    let gbits = |v: f64| format!("{}Gb/s", crate::units::significant(v * 8.0));
    Err(format!("{address} runs at {}; {} is not slower", gbits(fastest), gbits(rate.gbytes_per_s())))
}
