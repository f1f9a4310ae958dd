//! Sets of ranks that a bound looks at: every set of up to eight ranks, the natural ones of more.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::unit::{ALL_SETS, UnitCuts, members};
use crate::system::{Device, DeviceIx, DeviceKind, LinkIx, Shape, Tier, tier_of};

/// A set of ranks, by position.
pub(super) type Set = Vec<bool>;

/// Calls back with every set worth a cut. Of equal-looking sets one is enough: leaving a cut out never makes a bound wrong.
pub(super) fn each(unit: &UnitCuts<'_>, families: &[Vec<Set>], mut visit: impl FnMut(&[bool])) {
    let n = unit.ranks.len();
    if n <= ALL_SETS {
        let last = (1_usize << n) - usize::from(!unit.spans());
        for set in 1..last {
            if let Some(inside) = members(set, n).get(..n) {
                visit(inside);
            }
        }
        return;
    }
    let looks = looks(unit);
    let mut seen = std::collections::HashSet::new();
    for set in families.iter().flatten() {
        if seen.insert(look_of(set, &looks, unit)) {
            visit(set);
        }
    }
}

/// Natural divisions of the ranks of a large unit: each rank alone, per `PCIe` switch, per socket, per switches of the
/// scale-up domain, per node, all together.
pub(super) fn families(unit: &UnitCuts<'_>) -> Vec<Vec<Set>> {
    if unit.ranks.len() <= ALL_SETS {
        return Vec::new();
    }
    let shape: &Shape = &unit.of.shape;
    let mut all = vec![by(unit, |d| Some(u64::from(d.0)))];
    let mut add = |f: Vec<Set>| {
        if f.len() > 1 && !all.contains(&f) {
            all.push(f);
        }
    };
    add(by(unit, |d| host_of(shape, d, |k| matches!(k, DeviceKind::PcieSwitch(_)))));
    add(by(unit, |d| socket_of(shape, d)));
    add(by(unit, |d| Some(switches_of(shape, d))));
    add(by(unit, |d| shape.device(d)?.node.map(u64::from)));
    all.push(vec![vec![true; unit.ranks.len()]]);
    all
}

/// Divides the ranks by a key; ranks without one stay alone.
fn by(unit: &UnitCuts<'_>, key: impl Fn(DeviceIx) -> Option<u64>) -> Vec<Set> {
    let mut sets: BTreeMap<(bool, u64), Set> = BTreeMap::new();
    for (i, d) in unit.ranks.iter().enumerate() {
        let at = key(*d).map_or((true, i as u64), |k| (false, k));
        let set = sets.entry(at).or_insert_with(|| vec![false; unit.ranks.len()]);
        if let Some(cell) = set.get_mut(i) {
            *cell = true;
        }
    }
    sets.into_values().collect()
}

/// The device of a kind that a device is attached to over a host link.
fn host_of(shape: &Shape, d: DeviceIx, kind: impl Fn(&DeviceKind) -> bool) -> Option<u64> {
    let fits = |(l, other): &&(LinkIx, DeviceIx)| {
        shape.link(*l).is_some_and(|k| tier_of(k.kind.family) == Tier::Host)
            && shape.device(*other).is_some_and(|x| kind(&x.kind))
    };
    shape.around(d).iter().find(fits).map(|(_, other)| u64::from(other.0))
}

fn socket_of(shape: &Shape, d: DeviceIx) -> Option<u64> {
    let cpu = |k: &DeviceKind| matches!(k, DeviceKind::Cpu(_));
    host_of(shape, d, cpu).or_else(|| {
        let switch = host_of(shape, d, |k| matches!(k, DeviceKind::PcieSwitch(_)))?;
        host_of(shape, DeviceIx(switch as u32), cpu)
    })
}

/// The scale-up switches of a GPU, as one number.
fn switches_of(shape: &Shape, d: DeviceIx) -> u64 {
    let mut hash = DefaultHasher::new();
    for (_, other) in shape.around(d) {
        if shape.device(*other).is_some_and(Device::is_scale_up_switch) {
            other.hash(&mut hash);
        }
    }
    hash.finish()
}

/// What each device looks like from beside: its kind and the rates of its links that are up.
fn looks(unit: &UnitCuts<'_>) -> Vec<u64> {
    let (shape, health) = (&unit.of.shape, &unit.of.health);
    let healthy = health.is_healthy();
    let own: Vec<u64> = shape
        .device_ixs()
        .map(|d| {
            let rate = |l: LinkIx| {
                let left = if healthy { 1.0 } else { health.left(shape, l).ratio() };
                shape.link(l).map_or(0.0, |k| k.line_rate().gbytes_per_s()) * left
            };
            let sum: f64 = shape.around(d).iter().map(|(l, _)| rate(*l)).sum();
            let kind = shape.device(d).map(|x| std::mem::discriminant(&x.kind));
            hashed((kind, (sum * 1e3) as u64))
        })
        .collect();
    let at = |d: DeviceIx| own.get(d.0 as usize).copied().unwrap_or(0);
    let near = |d: DeviceIx| shape.around(d).iter().fold(0_u64, |s, (_, o)| s.wrapping_add(at(*o)));
    shape.device_ixs().map(|d| hashed((at(d), near(d)))).collect()
}

/// What a set looks like: its members, the devices around them, and how its groups lie.
fn look_of(set: &[bool], looks: &[u64], unit: &UnitCuts<'_>) -> (u64, u64, u32) {
    let look = |d: &DeviceIx| looks.get(d.0 as usize).copied().unwrap_or(0);
    let inside = || unit.ranks.iter().zip(set).filter(|(_, i)| **i).map(|(d, _)| d);
    let members = inside().map(look).fold(0_u64, u64::wrapping_add);
    let first_rank = unit.lay.groups.iter().flatten().min().is_some_and(|r| set.get(*r) == Some(&true));
    (members, hashed((inside().count(), first_rank)), unit.lay.touched(set))
}

fn hashed(value: impl Hash) -> u64 {
    let mut hash = DefaultHasher::new();
    value.hash(&mut hash);
    hash.finish()
}
