//! Names of devices, and runs of equal devices and links in the short form that people write: `gpu[0-7]`.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, What};
use crate::system::spec::{DeviceSpec, Join, LinkSpec};

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
    split(name).is_some_and(|(head, _)| !head.is_empty() && head.chars().all(|c| c.is_ascii_alphabetic() || c == '_'))
        && name.len() <= 24
}

/// The letters of a name.
fn head(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Prefix and number of a name.
fn split(name: &str) -> Option<(&str, u32)> {
    let head = head(name);
    Some((head, name.get(head.len()..)?.parse().ok()?))
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

/// Runs of neighbouring names of the same part become one entry.
pub(super) fn devices(list: Vec<DeviceSpec>) -> Vec<DeviceSpec> {
    let mut runs: Vec<(Vec<String>, DeviceSpec)> = Vec::new();
    for d in list {
        let fits = runs.last().is_some_and(|(names, r)| {
            let last = names.last().and_then(|n| split(n));
            let here = split(&d.name);
            let next = last.zip(here).is_some_and(|(a, b)| a.0 == b.0 && a.1 + 1 == b.1);
            next && r.part == d.part && r.numa == d.numa && r.numa.is_none()
        });
        match runs.last_mut().filter(|_| fits) {
            Some((names, _)) => names.push(d.name),
            None => runs.push((vec![d.name.clone()], d)),
        }
    }
    runs.into_iter().map(|(names, d)| DeviceSpec { name: run(&names).unwrap_or(d.name), ..d }).collect()
}

/// `gpu[0-3,6]` for names with one prefix; `None` for several prefixes.
pub(super) fn run(names: &[String]) -> Option<String> {
    if let [one] = names {
        return Some(one.clone());
    }
    let parts: Option<Vec<(&str, u32)>> = names.iter().map(|n| split(n)).collect();
    let parts = parts?;
    let head = parts.first()?.0;
    if parts.iter().any(|(h, _)| *h != head) {
        return None;
    }
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (_, n) in parts {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == n => *end = n,
            _ => ranges.push((n, n)),
        }
    }
    let list: Vec<String> =
        ranges.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
    Some(format!("{head}[{}]", list.join(",")))
}

/// What makes links alike apart from their ends.
type Sort = (String, u32, u32);

/// Links in their short form: equal ones from one device to several, from several to the same ones, and pair by pair.
pub(super) fn links(list: &[&Link], names: &[String]) -> Vec<LinkSpec> {
    let name = |i: usize| names.get(i).cloned().unwrap_or_default();
    let mut fans: Vec<(Sort, String, Vec<String>)> = Vec::new();
    let mut list = list.to_vec();
    list.sort_by_key(|l| (l.a, l.b));
    for l in list {
        let sort = (l.kind.clone(), l.count, l.lanes);
        let to = name(l.b);
        let same_head = |other: &[String]| other.first().is_some_and(|o| head(o) == head(&to));
        match fans.iter_mut().find(|(s, from, to)| *s == sort && *from == name(l.a) && same_head(to)) {
            Some((_, _, all)) => all.push(to),
            None => fans.push((sort, name(l.a), vec![to])),
        }
    }
    let mut groups: Vec<(Sort, Vec<String>, Vec<String>)> = Vec::new();
    for (sort, from, to) in fans {
        let fits = |f: &[String]| f.first().is_some_and(|o| head(o) == head(&from)) && !to.contains(&from);
        match groups.iter_mut().find(|(s, f, t)| *s == sort && *t == to && fits(f)) {
            Some((_, f, _)) => f.push(from),
            None => groups.push((sort, vec![from], to)),
        }
    }
    pairs(groups)
}

/// Single links of one sort between two runs of ascending names become one entry, joined pair by pair.
fn pairs(groups: Vec<(Sort, Vec<String>, Vec<String>)>) -> Vec<LinkSpec> {
    let mut out: Vec<(Sort, Vec<String>, Vec<String>, Join)> = Vec::new();
    for (sort, from, to) in groups {
        let single = from.len() == 1 && to.len() == 1;
        let follows = |old: &[String], new: &[String]| {
            let ends = old.last().and_then(|o| split(o)).zip(new.first().and_then(|n| split(n)));
            ends.is_some_and(|(a, b)| a.0 == b.0 && a.1 < b.1)
        };
        let open = out.iter_mut().find(|(s, f, t, join)| {
            let one = f.len() == 1 && t.len() == 1;
            single && *s == sort && (one || *join == Join::Pairwise) && follows(f, &from) && follows(t, &to)
        });
        match open {
            Some((_, f, t, join)) => {
                f.extend(from);
                t.extend(to);
                *join = Join::Pairwise;
            }
            None => out.push((sort, from, to, Join::Each)),
        }
    }
    let spec = |((kind, count, lanes), from, to, join): (Sort, Vec<String>, Vec<String>, Join)| {
        Some(LinkSpec { from: run(&from)?, to: run(&to)?, kind, count, lanes, join })
    };
    out.into_iter().filter_map(spec).collect()
}
