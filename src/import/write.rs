//! Names of devices, and links between them as a system file has them.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, What};
use crate::system::compact_links;
use crate::system::spec::{Join, LinkSpec};

/// A link with its kind, between two devices of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) kind: String,
    pub(super) count: u32,
    pub(super) lanes: u32,
}

/// Names of all devices, counted per host and kind; names that the file gives are used if they are unique and well formed.
pub(super) fn names(draft: &Draft) -> Vec<String> {
    let given: Vec<(Option<u32>, &String)> =
        draft.devices.iter().filter_map(|d| Some((d.host, d.name.as_ref()?))).collect();
    let unique: BTreeSet<_> = given.iter().collect();
    if given.len() == draft.devices.len() && unique.len() == given.len() && given.iter().all(|(_, n)| well_formed(n)) {
        return given.into_iter().map(|(_, n)| n.clone()).collect();
    }
    let mut next: BTreeMap<(Option<u32>, &str), u32> = BTreeMap::new();
    draft
        .devices
        .iter()
        .map(|d| {
            let prefix = match d.what {
                What::Cpu(_) => "cpu",
                What::PcieSwitch(_) => "pcisw",
                What::Gpu(_) => "gpu",
                What::Nic(_) => "nic",
                What::ScaleUpSwitch => "nvsw",
            };
            let n = next.entry((d.host, prefix)).or_default();
            *n += 1;
            format!("{prefix}{}", *n - 1)
        })
        .collect()
}

fn well_formed(name: &str) -> bool {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let letters = !head.is_empty() && head.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    letters && head.len() < name.len() && name.len() <= 24
}

/// A name for the command line: letters, digits and dashes, at most 40.
pub(super) fn short_name(text: &str) -> String {
    let name: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).take(40).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "imported".to_owned() } else { name }
}

/// Bundles between the same two devices of the same kind become one.
pub(super) fn merge(links: Vec<Link>) -> Vec<Link> {
    let mut place: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
    let mut all: Vec<Link> = Vec::with_capacity(links.len());
    for l in links.into_iter().filter(|l| l.a != l.b) {
        let key = (l.a.min(l.b), l.a.max(l.b), l.kind.clone());
        if let Some(old) = place.get(&key).and_then(|i| all.get_mut(*i)) {
            old.count = (old.count + l.count).min(64);
        } else {
            place.insert(key, all.len());
            all.push(l);
        }
    }
    all
}

/// Links in their short form, in the order of the devices.
pub(super) fn links(list: &[&Link], names: &[String]) -> Vec<LinkSpec> {
    let name = |i: usize| names.get(i).cloned().unwrap_or_default();
    let mut list = list.to_vec();
    list.sort_by_key(|l| (l.a, l.b));
    let single = |l: &&Link| LinkSpec {
        from: name(l.a),
        to: name(l.b),
        kind: l.kind.clone(),
        count: l.count,
        lanes: l.lanes,
        join: Join::Each,
    };
    compact_links(list.iter().map(single).collect())
}
