//! What is selected: one address for tree, picture and inspector.

use crate::system::{ClassIx, DeviceIx, LinkIx, RangeSet, Shape, System};
use crate::tui::picture::Pick;

/// Something that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// The whole machine.
    System,
    /// The scale-out fabric as a whole.
    Fabric,
    /// Plain Ethernet for storage and management.
    Services,
    /// One thing.
    Thing(Pick),
    /// A run of neighbours of one sort: `gpu0..7`, `node1..3`, the links `gpu3--nvsw2..3`.
    Run {
        /// The first of them.
        first: Pick,
        /// The last of them.
        last: Pick,
    },
}

/// A name without the number at its end, and the number.
pub(crate) fn stem(name: &str) -> (&str, Option<u32>) {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (head, name.strip_prefix(head).and_then(|n| n.parse().ok()))
}

impl Spot {
    /// The one thing that stands for it: of a run the first.
    pub fn pick(self) -> Option<Pick> {
        match self {
            Self::Thing(pick) | Self::Run { first: pick, .. } => Some(pick),
            Self::System | Self::Fabric | Self::Services => None,
        }
    }

    /// One thing, or a run of them.
    pub(crate) fn of_run(first: Pick, last: Pick) -> Self {
        if first == last { Self::Thing(first) } else { Self::Run { first, last } }
    }

    /// The unit that it is in, where that is one.
    pub fn unit(self) -> Option<u32> {
        match self.pick()? {
            Pick::Unit(unit)
            | Pick::Node { unit, .. }
            | Pick::Device { unit, .. }
            | Pick::Link { unit, .. }
            | Pick::Pair { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// Everything that it stands for. Units are not listed beyond `limit`.
    pub(crate) fn members(self, system: &System, limit: usize) -> Vec<Pick> {
        let Self::Run { first, last } = self else { return self.pick().into_iter().collect() };
        match (first, last) {
            (Pick::Unit(a), Pick::Unit(b)) => (a..=b).take(limit).map(Pick::Unit).collect(),
            (Pick::Node { unit, node: a }, Pick::Node { node: b, .. }) => {
                (a..=b).map(|node| Pick::Node { unit, node }).collect()
            }
            (Pick::Spine(a), Pick::Spine(b)) => (a..=b).take(limit).map(Pick::Spine).collect(),
            (Pick::Core(a), Pick::Core(b)) => (a..=b).take(limit).map(Pick::Core).collect(),
            (Pick::Leaf(a), Pick::Leaf(b)) => {
                (a.0..=b.0).take(limit).map(|l| Pick::Leaf(crate::system::LeafIx(l))).collect()
            }
            (Pick::Device { unit, device: a }, Pick::Device { device: b, .. }) => {
                let shape = shape_of(system, unit);
                let all = shape.map(|s| kin(s, a)).unwrap_or_default();
                let range = all.into_iter().filter(|d| (a..=b).contains(d));
                range.map(|device| Pick::Device { unit, device }).collect()
            }
            (Pick::Link { unit, link: a }, Pick::Link { link: b, .. }) => {
                let links = shape_of(system, unit).and_then(|s| Some(between(s, shared_end(s, a, b)?, a, b)));
                links.unwrap_or_else(|| vec![a]).into_iter().map(|link| Pick::Link { unit, link }).collect()
            }
            _ => vec![first],
        }
    }

    /// Whether a thing is one of those that it stands for.
    pub(crate) fn covers(self, system: &System, pick: Pick) -> bool {
        match (self, pick) {
            (Self::Thing(Pick::Class(ClassIx(c))), Pick::Unit(u)) => {
                system.classes.get(c).is_some_and(|class| class.members.contains(u))
            }
            (Self::Thing(p), _) => p == pick,
            (Self::Run { first: Pick::Unit(a), last: Pick::Unit(b) }, Pick::Unit(u)) => (a..=b).contains(&u),
            (Self::Run { .. }, _) => self.members(system, 4096).contains(&pick),
            _ => false,
        }
    }

    /// Its address in the edit language; `None` for what no edit can name.
    pub fn address(self, system: &System) -> Option<String> {
        let unit_word = if system.is_rack { "rack" } else { "node" };
        match self {
            Self::System | Self::Fabric | Self::Services => None,
            Self::Thing(Pick::Class(c)) => {
                let class = system.classes.get(c.0)?;
                Some(format!("{unit_word}{}", numbers(&class.members, system.units)))
            }
            Self::Run { first: Pick::Unit(a), last: Pick::Unit(b) } => {
                Some(format!("{unit_word}{}", numbers(&RangeSet::from_range(a..b + 1), system.units)))
            }
            Self::Run { first: Pick::Node { unit, node: a }, last: Pick::Node { node: b, .. } } => {
                Some(inside(system, unit, &format!("node[{a}-{b}]")))
            }
            Self::Run { first: Pick::Leaf(a), last: Pick::Leaf(b) } => Some(format!("leaf[{}-{}]", a.0, b.0)),
            Self::Run { first: Pick::Spine(a), last: Pick::Spine(b) } => Some(format!("spine[{a}-{b}]")),
            Self::Run { first: Pick::Core(a), last: Pick::Core(b) } => Some(format!("core[{a}-{b}]")),
            Self::Run { first: Pick::Device { unit, device: a }, last: Pick::Device { device: b, .. } } => {
                let shape = shape_of(system, unit)?;
                Some(inside(system, unit, &run_name(&shape.device(a)?.path, &shape.device(b)?.path, "[", "-", "]")?))
            }
            Self::Run { first: Pick::Link { unit, link: a }, last: Pick::Link { link: b, .. } } => {
                let shape = shape_of(system, unit)?;
                let end = shared_end(shape, a, b)?;
                let far = |l| shape.link(l).and_then(|l| shape.device(l.other(end)));
                let ends = run_name(&far(a)?.name, &far(b)?.name, "[", "-", "]")?;
                Some(inside(system, unit, &format!("{}--{ends}", shape.device(end)?.path)))
            }
            Self::Run { first, .. } | Self::Thing(first) => address_of(system, first),
        }
    }

    /// How it is called on the screen: its address, or a word for what has none.
    pub fn name(self, system: &System) -> String {
        match self {
            Self::System => system.name.clone(),
            Self::Fabric => "fabric".to_owned(),
            Self::Services => "services".to_owned(),
            Self::Thing(Pick::Group(g)) => format!("group{g}"),
            Self::Thing(Pick::Pair { unit, from, to }) => {
                let name = |d| shape_of(system, unit).and_then(|s| s.device(d)).map_or("?", |d| d.path.as_str());
                format!("{} to {}", name(from), name(to))
            }
            Self::Run { .. } | Self::Thing(_) => short_ranges(&self.address(system).unwrap_or_default()),
        }
    }
}

/// `gpu[0-2]` as people read it: `gpu0..2`.
fn short_ranges(address: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in address.chars() {
        match c {
            '[' | ']' => inside = c == '[',
            '-' if inside => out.push_str(".."),
            ',' if inside => out.push_str(", "),
            _ => out.push(c),
        }
    }
    out
}

/// The graph of a unit.
pub(crate) fn shape_of(system: &System, unit: u32) -> Option<&Shape> {
    system.class_of(unit).map(|(_, class)| class.shape.as_ref())
}

/// The devices of one sort in one node: those whose path differs in the last number alone.
pub(crate) fn kin(shape: &Shape, of: DeviceIx) -> Vec<DeviceIx> {
    let key = |d: DeviceIx| shape.device(d).map(|d| (stem(&d.path).0, d.node));
    let wanted = key(of);
    shape.device_ixs().filter(|d| key(*d) == wanted).collect()
}

/// The device that two links have in common.
pub(crate) fn shared_end(shape: &Shape, a: LinkIx, b: LinkIx) -> Option<DeviceIx> {
    let (a, b) = (shape.link(a)?, shape.link(b)?);
    [a.a, a.b].into_iter().find(|d| [b.a, b.b].contains(d))
}

/// The links of a device in the order of what they lead to: sort by sort, by number.
pub(crate) fn links_of(shape: &Shape, end: DeviceIx) -> Vec<LinkIx> {
    let links: Vec<LinkIx> = shape.around(end).iter().map(|(l, _)| *l).collect();
    let mut sorts: Vec<&str> = Vec::new();
    let mut keyed: Vec<(usize, u32, LinkIx)> = Vec::new();
    for link in links {
        let path = far_path(shape, end, link);
        let (sort, number) = stem(path);
        let at = sorts.iter().position(|s| *s == sort).unwrap_or_else(|| {
            sorts.push(sort);
            sorts.len() - 1
        });
        keyed.push((at, number.unwrap_or(0), link));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(.., link)| link).collect()
}

/// Path of the device at the far end of a link.
fn far_path(shape: &Shape, end: DeviceIx, link: LinkIx) -> &str {
    shape.link(link).and_then(|k| shape.device(k.other(end))).map_or("", |d| d.path.as_str())
}

/// The links of a device from one to another, of the same sort.
fn between(shape: &Shape, end: DeviceIx, a: LinkIx, b: LinkIx) -> Vec<LinkIx> {
    let sort = stem(far_path(shape, end, a)).0;
    let all = links_of(shape, end).into_iter().filter(|l| stem(far_path(shape, end, *l)).0 == sort);
    let mut inside: Vec<LinkIx> = all.skip_while(|l| *l != a).collect();
    let count = inside.iter().position(|l| *l == b).map_or(1, |i| i + 1);
    inside.truncate(count);
    inside
}

/// `gpu0` and `gpu2` as `gpu[0-2]`.
pub(crate) fn run_name(first: &str, last: &str, open: &str, to: &str, close: &str) -> Option<String> {
    let ((head, a), (tail, b)) = (stem(first), stem(last));
    (head == tail).then_some(())?;
    Some(format!("{head}{open}{}{to}{}{close}", a?, b?))
}

/// A set of numbers as a pattern: `3`, `[0-2,7]`, `*` for all.
fn numbers(set: &RangeSet, all: u32) -> String {
    if set.len() == u64::from(all) && all > 1 {
        return "*".to_owned();
    }
    let part = |r: std::ops::Range<u32>| {
        if r.len() == 1 { r.start.to_string() } else { format!("{}-{}", r.start, r.end - 1) }
    };
    let parts: Vec<String> = set.ranges().map(part).collect();
    match parts.as_slice() {
        [one] if set.len() == 1 => one.clone(),
        _ => format!("[{}]", parts.join(",")),
    }
}

/// A name inside a unit as an address: the unit is left out where there is one only.
fn inside(system: &System, unit: u32, name: &str) -> String {
    if system.units == 1 { name.to_owned() } else { format!("{}/{name}", system.unit_name(unit)) }
}

fn address_of(system: &System, pick: Pick) -> Option<String> {
    Some(match pick {
        Pick::Unit(unit) => system.unit_name(unit),
        Pick::Node { unit, node } => inside(system, unit, &format!("node{node}")),
        Pick::Device { unit, device } => inside(system, unit, &shape_of(system, unit)?.device(device)?.path),
        Pick::Link { unit, link } => inside(system, unit, &link_name(system, unit, link)?),
        Pick::Leaf(leaf) => format!("leaf{}", leaf.0),
        Pick::Uplink(leaf) => format!("leaf{}--spine*", leaf.0),
        Pick::Spine(n) => format!("spine{n}"),
        Pick::Core(n) => format!("core{n}"),
        Pick::Group(g) => group_address(system, g)?,
        Pick::Class(_) | Pick::Pair { .. } => return None,
    })
}

/// A link by its ends; the far end of a NIC's cable is its leaf.
pub(crate) fn link_name(system: &System, unit: u32, link: LinkIx) -> Option<String> {
    let shape = shape_of(system, unit)?;
    let l = shape.link(link)?;
    let (Some(fabric), Some(far)) = (shape.fabric(), system.fabric.as_ref()) else {
        return Some(shape.link_name(link));
    };
    if l.a != fabric && l.b != fabric {
        return Some(shape.link_name(link));
    }
    let nic = l.other(fabric);
    let device = shape.device(nic)?;
    let node = device.node.unwrap_or(0);
    let number = shape.nics().iter().filter(|n| shape.device(**n).is_some_and(|d| d.node == device.node));
    let index = number.take_while(|n| **n != nic).count() as u32;
    let host = u64::from(unit) * u64::from(system.nodes_per_unit) + u64::from(node);
    Some(format!("{}--leaf{}", device.path, far.leaf_of(host, index).0))
}

/// The units of a group of nodes that share their leaves.
fn group_address(system: &System, group: u32) -> Option<String> {
    let fabric = system.fabric.as_ref()?;
    let per_unit = system.nodes_per_unit.max(1);
    let first = u64::from(group) * u64::from(fabric.leaf_nodes) / u64::from(per_unit);
    let end = ((u64::from(group) + 1) * u64::from(fabric.leaf_nodes)).div_ceil(u64::from(per_unit));
    let range = first as u32..(end as u32).min(system.units);
    Spot::of_run(Pick::Unit(range.start), Pick::Unit(range.end.saturating_sub(1))).address(system)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed lookup fails the test")]

    use super::*;
    use crate::preset::load_shipped;
    use crate::system::Address;

    #[test]
    fn every_address_means_what_it_was_made_from() {
        for name in ["dgx-h100", "dgx-h100-superpod", "gb200-nvl72-ib", "dgx-1", "pcie-4090x8"] {
            let system = load_shipped(name).unwrap();
            let shape = shape_of(&system, 0).unwrap();
            let devices = shape.device_ixs().filter(|d| Some(*d) != shape.fabric());
            let spots = devices
                .map(|device| Spot::Thing(Pick::Device { unit: 0, device }))
                .chain(shape.link_ixs().take(200).map(|link| Spot::Thing(Pick::Link { unit: 0, link })))
                .chain([Spot::Thing(Pick::Unit(0))]);
            for spot in spots {
                let text = spot.address(&system).unwrap();
                let target = text.parse::<Address>().unwrap().resolve(&system);
                assert_eq!(super::super::names::spot_of(&system, &target.unwrap()), Some(spot), "{name} {text}");
            }
        }
    }

    #[test]
    fn runs_are_written_as_ranges() {
        let system = load_shipped("dgx-h100-superpod").unwrap();
        let shape = shape_of(&system, 0).unwrap();
        let device = |n: &str| Pick::Device { unit: 0, device: shape.find(n).unwrap() };
        let gpus = Spot::of_run(device("gpu0"), device("gpu2"));
        assert_eq!(gpus.address(&system).unwrap(), "node0/gpu[0-2]");
        assert_eq!(gpus.name(&system), "node0/gpu0..2");
        assert_eq!(gpus.members(&system, 99).len(), 3);
        let units = Spot::of_run(Pick::Unit(1), Pick::Unit(3));
        assert_eq!((units.address(&system).unwrap().as_str(), units.name(&system).as_str()), ("node[1-3]", "node1..3"));
        let link = |a: &str, b: &str| {
            let link = shape.between(shape.find(a).unwrap(), shape.find(b).unwrap()).unwrap();
            Pick::Link { unit: 0, link }
        };
        let links = Spot::of_run(link("gpu3", "nvsw1"), link("gpu3", "nvsw3"));
        assert_eq!(links.address(&system).unwrap(), "node0/gpu3--nvsw[1-3]");
        assert_eq!(links.members(&system, 99).len(), 3);
        assert_eq!(links.name(&system), "node0/gpu3--nvsw1..3");
    }
}
