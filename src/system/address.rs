//! Addresses: `node3/gpu2`, `node*/nic0`, `rack2/node3/gpu1--nvsw5`, `node0/gpu3--nvsw1#2`, `leaf4`, `leaf4--spine2`.
//!
//! An address is a pattern: `*` stands for anything within a step, `[0-3,7]` for numbers. Where a system has one unit only,
//! the unit may be left out: `gpu3--nvsw1`.

mod lists;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{DeviceIx, Fabric, LeafIx, LinkIx, RangeSet, Shape, System};
use crate::parts::nearest;

/// A parsed address: its text, split into steps.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    text: String,
    from: Vec<String>,
    to: Option<Vec<String>>,
    nth: Option<u32>,
}

/// Which units an address speaks of.
pub type UnitSelector = RangeSet;

/// Devices of the selected units.
#[derive(Debug, Clone, PartialEq)]
pub struct DevicePattern {
    /// Units.
    pub units: UnitSelector,
    /// Devices, the same in each unit.
    pub devices: Vec<DeviceIx>,
}

/// Link bundles (or one link of each) of the selected units.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkPattern {
    /// Units.
    pub units: UnitSelector,
    /// Bundles, the same in each unit.
    pub links: Vec<LinkIx>,
    /// One of the parallel links, if `#n` was given.
    pub nth: Option<u32>,
}

/// Switches or cables of the fabric.
#[derive(Debug, Clone, PartialEq)]
pub enum FabricTarget {
    /// Leaves.
    Leaves(Vec<LeafIx>),
    /// Spines, by number.
    Spines(Vec<u32>),
    /// Cores, by number.
    Cores(Vec<u32>),
    /// Cable bundles between leaves and spines.
    Uplinks(Vec<(LeafIx, u32)>),
}

/// What an address means on a system.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Whole units (nodes, or racks).
    Units(UnitSelector),
    /// Devices; a node of a rack is all its devices.
    Devices(DevicePattern),
    /// Links.
    Links(LinkPattern),
    /// Parts of the fabric.
    Fabric(FabricTarget),
}

/// Why an address means nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not an address at all.
    #[error("{0:?} is not an address; expected for example node0/gpu3, node*/nic0 or node0/gpu3--nvsw1")]
    Syntax(String),
    /// A list in brackets that is none.
    #[error("{name}: {reason}")]
    List {
        /// The step as written.
        name: String,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// A list in brackets names more than there is.
    #[error("no {missing} in this system; {name} goes too far{there}")]
    TooFar {
        /// The address as written.
        name: String,
        /// The first member that is not there.
        missing: String,
        /// What is there, after a colon.
        there: String,
    },
    /// Names nothing on this system.
    #[error("no {name} in this system{}", hint(.nearest))]
    Nothing {
        /// The address as written.
        name: String,
        /// Nearest addresses.
        nearest: Vec<String>,
    },
    /// Leaves open which unit.
    #[error("which one? {0} is in every unit; write {1}0/{0} for one, {1}*/{0} for all")]
    WhichUnit(String, &'static str),
}

fn hint(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(" or ")) }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(s: &str) -> Result<Self, AddressError> {
        let text = s.trim().to_owned();
        let bad = || AddressError::Syntax(text.chars().take(60).collect());
        let (body, nth) = match text.split_once('#') {
            Some((b, n)) => (b, Some(n.parse::<u32>().map_err(|_| bad())?)),
            None => (text.as_str(), None),
        };
        let mut ends = body.split("--");
        let from = steps(ends.next().unwrap_or_default()).ok_or_else(bad)?;
        let to = ends.next().map(|t| steps(t).ok_or_else(bad)).transpose()?;
        if ends.next().is_some() || (nth.is_some() && to.is_none()) {
            return Err(bad());
        }
        for step in from.iter().chain(to.iter().flatten()) {
            lists::check(step)?;
        }
        Ok(Self { text, from, to, nth })
    }
}

fn steps(text: &str) -> Option<Vec<String>> {
    let steps: Vec<String> = text.split('/').map(|s| s.trim().to_owned()).collect();
    let good = |s: &String| {
        !s.is_empty() && s.len() < 64 && s.chars().all(|c| c.is_ascii_alphanumeric() || "*[],-_.".contains(c))
    };
    (steps.len() <= 3 && steps.iter().all(good)).then_some(steps)
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Whether a step's pattern (`gpu*`, `gpu[0-3]`) fits a name.
fn fits(pattern: &str, name: &str) -> bool {
    let Some(at) = pattern.find(['*', '[']) else { return pattern == name };
    let (head, rest) = pattern.split_at(at);
    let Some(tail) = name.strip_prefix(head) else { return false };
    if let Some(after) = rest.strip_prefix('*') {
        let mut ends = tail.char_indices().map(|(i, _)| i).chain([tail.len()]);
        return ends.any(|i| tail.get(i..).is_some_and(|t| fits(after, t)));
    }
    let Some((list, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) else { return false };
    let digits = tail.chars().take_while(char::is_ascii_digit).count();
    let (Some(number), Some(left)) = (tail.get(..digits), tail.get(digits..)) else { return false };
    number.parse::<u32>().is_ok_and(|n| listed(list, n)) && fits(after, left)
}

fn listed(list: &str, n: u32) -> bool {
    list.split(',').any(|part| match part.split_once('-') {
        Some((a, b)) => a.parse::<u32>().is_ok_and(|a| a <= n) && b.parse::<u32>().is_ok_and(|b| n <= b),
        None => part.parse::<u32>() == Ok(n),
    })
}

/// The numbers below `limit` for which `{prefix}{n}` fits the pattern; quick for plain numbers and `*`.
fn numbered(pattern: &str, prefix: &str, limit: u32) -> RangeSet {
    let Some(rest) = pattern.strip_prefix(prefix) else { return RangeSet::default() };
    match rest {
        "*" => RangeSet::from_range(0..limit),
        _ => match rest.parse::<u32>() {
            Ok(n) if n < limit && rest == n.to_string() => RangeSet::from_range(n..n + 1),
            Ok(_) => RangeSet::default(),
            Err(_) => (0..limit).filter(|n| fits(pattern, &format!("{prefix}{n}"))).collect(),
        },
    }
}

impl Address {
    /// True for a node of a rack as a whole: `rack2/node3`, `node*` where there is one rack.
    pub fn is_whole_node(&self) -> bool {
        self.to.is_none() && self.from.last().is_some_and(|s| s.starts_with("node"))
    }

    /// With its unit written out, where the system has one unit and the address leaves it away: `gpu3` becomes
    /// `node0/gpu3`. Any other address stays as it is.
    #[must_use]
    pub fn in_full(self, system: &System) -> Self {
        let prefix = unit_prefix(system);
        let spoken = self.from.first().is_some_and(|first| names_unit(first, prefix));
        if system.units != 1 || spoken || self.in_fabric(system).is_some() || self.resolve_some(system).is_err() {
            return self;
        }
        let text = format!("{prefix}0/{self}");
        text.parse().unwrap_or(self)
    }

    /// What the address means on a system; an error names the nearest addresses that mean something.
    pub fn resolve(&self, system: &System) -> Result<Target, AddressError> {
        let target = self.resolve_some(system)?;
        lists::all_there(self, system)?;
        Ok(target)
    }

    /// What of the address means something: members of a list that are not there are left out.
    fn resolve_some(&self, system: &System) -> Result<Target, AddressError> {
        if let Some(t) = self.in_fabric(system) {
            return Ok(t);
        }
        let (units, rest) = self.units(system)?;
        if units.is_empty() {
            return Err(self.nothing(system));
        }
        let target = match (&self.to, rest.is_empty()) {
            (None, true) => Some(Target::Units(units)),
            (None, false) => {
                Self::devices(system, &rest).map(|devices| Target::Devices(DevicePattern { units, devices }))
            }
            (Some(to), _) => {
                self.links(system, &rest, to).map(|links| Target::Links(LinkPattern { units, links, nth: self.nth }))
            }
        };
        target.ok_or_else(|| self.nothing(system))
    }

    fn units(&self, system: &System) -> Result<(RangeSet, Vec<String>), AddressError> {
        let prefix = unit_prefix(system);
        let first = self.from.first().map_or("", String::as_str);
        if names_unit(first, prefix) {
            let rest = self.from.iter().skip(1).cloned().collect();
            return Ok((numbered(first, prefix, system.units), rest));
        }
        if system.units == 1 {
            return Ok((RangeSet::from_range(0..1), self.from.clone()));
        }
        let known = Self::devices(system, &self.from).is_some();
        if known { Err(AddressError::WhichUnit(self.text.clone(), prefix)) } else { Err(self.nothing(system)) }
    }

    fn devices(system: &System, path: &[String]) -> Option<Vec<DeviceIx>> {
        let shape = &system.classes.first()?.shape;
        if let Some(one) = exact(shape, path) {
            return Some(vec![one]);
        }
        let hits: Vec<DeviceIx> = shape
            .device_ixs()
            .filter(|d| shape.device(*d).is_some_and(|dev| dev.path != "fabric" && path_fits(path, &dev.path)))
            .collect();
        (!hits.is_empty()).then_some(hits)
    }

    fn links(&self, system: &System, from: &[String], to: &[String]) -> Option<Vec<LinkIx>> {
        let shape = &system.classes.first()?.shape;
        let is = |d: DeviceIx, path: &[String], beside: DeviceIx| {
            let (Some(dev), Some(near)) = (shape.device(d), shape.device(beside)) else { return false };
            let local = dev.node == near.node && path.len() == 1 && path.first().is_some_and(|p| fits(p, &dev.name));
            let leaf = dev.path == "fabric" && path.first().is_some_and(|p| p.starts_with("leaf") || p == "fabric");
            local || leaf || path_fits(path, &dev.path)
        };
        let hit = |l: &LinkIx| {
            let Some(link) = shape.link(*l) else { return false };
            [(link.a, link.b), (link.b, link.a)]
                .into_iter()
                .any(|(a, b)| shape.device(a).is_some_and(|d| path_fits(from, &d.path)) && is(b, to, a))
                && self.nth.is_none_or(|n| n < link.count)
        };
        if let Some(a) = exact(shape, from) {
            let far = shape.around(a).iter().filter(|(l, b)| is(*b, to, a) && hit(l)).map(|(l, _)| *l);
            let hits: Vec<LinkIx> = far.collect();
            return (!hits.is_empty()).then_some(hits);
        }
        let hits: Vec<LinkIx> = shape.link_ixs().filter(hit).collect();
        (!hits.is_empty()).then_some(hits)
    }

    fn in_fabric(&self, system: &System) -> Option<Target> {
        let fabric = system.fabric.as_ref()?;
        let [only] = self.from.as_slice() else { return None };
        let levels = fabric.levels();
        let count = |i: usize| levels.get(i).map_or(0, |l| l.count);
        let spines = |p: &str| -> Vec<u32> { numbered(p, "spine", count(1)).iter().collect() };
        let leaves: Vec<LeafIx> = numbered(only, "leaf", fabric.leaves()).iter().map(LeafIx).collect();
        let target = match self.to.as_deref() {
            Some([to]) => {
                let ends = spines(to);
                let per_plane = fabric.spines_per_plane().max(1);
                let in_plane = |l: &LeafIx| {
                    let first = fabric.place_of(*l).0 * per_plane;
                    let (from, to) = (first, first + per_plane);
                    let range = ends.partition_point(|s| *s < from)..ends.partition_point(|s| *s < to);
                    (*l, ends.get(range).unwrap_or_default())
                };
                let pairs = leaves.iter().map(in_plane);
                let real: Vec<_> = pairs.flat_map(|(l, ends)| ends.iter().map(move |s| (l, *s))).collect();
                (!real.is_empty()).then_some(FabricTarget::Uplinks(real))
            }
            Some(_) => None,
            None if !leaves.is_empty() => Some(FabricTarget::Leaves(leaves)),
            None => {
                let (s, c) = (spines(only), numbered(only, "core", count(2)));
                let cores: Vec<u32> = c.iter().collect();
                if s.is_empty() {
                    (!cores.is_empty()).then_some(FabricTarget::Cores(cores))
                } else {
                    Some(FabricTarget::Spines(s))
                }
            }
        };
        target.map(Target::Fabric)
    }

    /// The uplinks of the leaf that the address begins with: only the spines of its own plane are reached.
    fn uplinks_of_leaf(&self, fabric: &Fabric) -> Vec<String> {
        let first = self.from.first().map_or("", String::as_str);
        let Some(leaf) = numbered(first, "leaf", fabric.leaves()).iter().next().filter(|_| self.to.is_some()) else {
            return Vec::new();
        };
        let per_plane = fabric.spines_per_plane();
        let plane = fabric.place_of(LeafIx(leaf)).0;
        (plane * per_plane..(plane + 1) * per_plane).map(|s| format!("leaf{leaf}--spine{s}")).collect()
    }

    /// The error that names what is nearest: names of devices and links near the one asked for.
    fn nothing(&self, system: &System) -> AddressError {
        let Some(class) = system.classes.first() else {
            return AddressError::Nothing { name: self.text.clone(), nearest: Vec::new() };
        };
        let shape = &class.shape;
        let prefix = unit_prefix(system);
        let short = system.units == 1 && !self.text.starts_with(prefix);
        let one = if short { String::new() } else { format!("{prefix}0/") };
        let mut names: Vec<String> =
            shape.devices().iter().filter(|d| d.path != "fabric").map(|d| format!("{one}{}", d.path)).collect();
        if self.to.is_some() {
            names = shape.link_ixs().map(|l| format!("{one}{}", shape.link_name(l))).collect();
        }
        if let Some(f) = &system.fabric {
            names.extend((0..f.leaves().min(64)).map(|i| format!("leaf{i}")));
            names.extend(self.uplinks_of_leaf(f));
        }
        let near = |text: &str| nearest(text, names.iter().map(String::as_str));
        let mut found = near(&self.text);
        if found.is_empty() && !one.is_empty() {
            // The unit was left away too.
            found = near(&format!("{one}{}", self.text));
        }
        AddressError::Nothing { name: self.text.clone(), nearest: found }
    }
}

/// What the names of a system's units begin with.
const fn unit_prefix(system: &System) -> &'static str {
    if system.is_rack { "rack" } else { "node" }
}

/// Whether the first step of an address speaks of units: `node3`, `rack*`.
fn names_unit(first: &str, prefix: &str) -> bool {
    first.starts_with(prefix) && first != "rack"
}

/// The device of a path without patterns; saves a look at every device and link.
fn exact(shape: &Shape, path: &[String]) -> Option<DeviceIx> {
    let plain = path.iter().all(|s| !s.contains(['*', '[']));
    let found = if plain { shape.find(&path.join("/")) } else { None };
    found.filter(|d| shape.device(*d).is_some_and(|d| d.path != "fabric"))
}

/// A path pattern fits a device's path step by step; a pattern that ends early (`node3`) takes all below it.
fn path_fits(pattern: &[String], path: &str) -> bool {
    let mut steps = path.split('/');
    !pattern.is_empty() && pattern.iter().all(|p| steps.next().is_some_and(|s| fits(p, s)))
}
