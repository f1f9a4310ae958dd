//! What could be typed next in an edit: verbs, keys, values, addresses.

use super::edit::VERBS;
use super::{Key, touch};
use crate::parts::{Family, nearest};
use crate::system::{Address, Device, LinkIx, Shape, System, Target};
use crate::units::significant;

/// A way to go on. Replace the input from `start` to the cursor by `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The word to put.
    pub text: String,
    /// What it is, in a few words.
    pub doc: String,
    /// Byte offset in the input where it goes.
    pub start: usize,
}

/// Most candidates that are of use at once.
const MOST: usize = 64;
/// Units and switches that are listed by number; more are reached by typing.
const LISTED: u32 = 16;

/// Candidates for the word before the cursor (a byte offset), best first. Where nothing begins with what is typed, the
/// nearest names are offered.
pub fn complete(system: &System, text: &str, cursor: usize) -> Vec<Candidate> {
    let before = text.get(..cursor).unwrap_or(text);
    let verb_at = before.len() - before.trim_start().len();
    let after_verb = before.get(verb_at..).unwrap_or_default();
    let Some((verb, rest)) = after_verb.split_once(char::is_whitespace) else {
        let verbs = VERBS.iter().map(|(v, doc)| (format!("{v} "), (*doc).to_owned()));
        return pick(after_verb, verb_at, &verbs.collect::<Vec<_>>());
    };
    let typed = rest.trim_start();
    let at = before.len() - typed.len();
    match verb {
        "set" => set(system, typed, at),
        "off" | "on" => address(system, typed, at, ""),
        "degrade" => match typed.split_once(" to ") {
            Some((target, cut)) => {
                let cut = cut.trim_start();
                pick(cut, before.len() - cut.len(), &cuts(system, target.trim()))
            }
            None => match typed.split_once(char::is_whitespace) {
                Some((_, word)) => pick(word.trim_start(), before.len() - word.trim_start().len(), &to_word()),
                None => address(system, typed, at, " to "),
            },
        },
        _ => Vec::new(),
    }
}

fn to_word() -> Vec<(String, String)> {
    vec![("to ".to_owned(), "how far".to_owned())]
}

/// Those that begin with what is typed (in any case), else the nearest.
fn pick(typed: &str, start: usize, all: &[(String, String)]) -> Vec<Candidate> {
    let low = typed.to_lowercase();
    let begins = |t: &str| t.trim_matches('"').to_lowercase().starts_with(low.trim_start_matches('"'));
    let hits: Vec<&(String, String)> = all.iter().filter(|(t, _)| begins(t) && t.trim() != typed).collect();
    let known = all.iter().any(|(t, _)| begins(t));
    let near = if known { Vec::new() } else { nearest(typed, all.iter().map(|(t, _)| t.as_str())) };
    let near = near.iter().filter_map(|n| all.iter().find(|(t, _)| t == n));
    let make = |(text, doc): &(String, String)| Candidate { text: text.clone(), doc: doc.clone(), start };
    hits.into_iter().chain(near).take(MOST).map(make).collect()
}

fn set(system: &System, typed: &str, at: usize) -> Vec<Candidate> {
    let Some((name, value)) = typed.split_once('=') else {
        let row = |k: &Key| {
            let now = k.current(system)?;
            Some((format!("{k} = "), format!("{} (now {now})", k.info().doc)))
        };
        return pick(typed, at, &Key::ALL.iter().filter_map(row).collect::<Vec<_>>());
    };
    let Ok(key) = name.trim().parse::<Key>() else { return Vec::new() };
    let begun = value.trim_start();
    let now = key.current(system);
    let mut values = key.choices(system);
    if values.is_empty() {
        values.extend([key.step(system, false), now.clone(), key.step(system, true)].into_iter().flatten());
    }
    let doc = |v| if Some(v) == now.as_ref() { "now".to_owned() } else { key.info().doc.to_owned() };
    let rows: Vec<_> = values.iter().map(|v| (v.to_string(), doc(v))).collect();
    pick(begun, at + typed.len() - begun.len(), &rows)
}

/// Rates and shares that a link can be cut down to, in the units people use for it.
fn cuts(system: &System, target: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        ["50%", "25%", "10%"].iter().map(|s| ((*s).to_owned(), "of its own rate".to_owned())).collect();
    let Some(link) = attached(system, target) else { return all };
    let line = link.line_rate();
    let doc = format!("{} runs at {line}", link.describe());
    for part in [2.0, 4.0] {
        let text = match link.kind.family {
            Family::Network => format!("{}Gb/s", significant(line.gbits_per_s() / part)),
            _ => format!("{}GB/s", significant(line.gbytes_per_s() / part)),
        };
        all.push((text, doc.clone()));
    }
    all
}

/// The first link that an address names, or that the device it names is attached by.
fn attached<'a>(system: &'a System, target: &str) -> Option<&'a crate::system::Link> {
    let shape = &system.classes.first()?.shape;
    let target = target.parse::<Address>().ok()?.resolve(system).ok()?;
    let ix: LinkIx = match &target {
        Target::Links(p) => *p.links.first()?,
        Target::Devices(p) => {
            let d = *p.devices.first()?;
            shape.cable(d).or_else(|| shape.around(d).first().map(|(l, _)| *l))?
        }
        _ => return None,
    };
    shape.link(ix)
}

fn address(system: &System, typed: &str, at: usize, tail: &str) -> Vec<Candidate> {
    let Some(shape) = system.classes.first().map(|c| &c.shape) else { return Vec::new() };
    let unit = if system.is_rack { "rack" } else { "node" };
    let (prefix, inside) = match typed.split_once('/') {
        Some((u, rest)) if u.starts_with(unit) && (system.units > 1 || rest.is_empty() || !system.is_rack) => {
            (format!("{u}/"), rest)
        }
        _ => (String::new(), typed),
    };
    let mut rows = Vec::new();
    if prefix.is_empty() {
        rows.extend(units(system, unit, tail));
        rows.extend(switches(system, tail));
    }
    if !prefix.is_empty() || system.units == 1 {
        rows.extend(inner(shape, inside, &prefix, tail));
    }
    let mut all = pick(typed, at, &rows);
    for c in &mut all {
        if c.doc.is_empty() {
            c.doc = described(system, c.text.trim_end_matches(" to "));
        }
    }
    all
}

fn described(system: &System, address: &str) -> String {
    let Ok(address) = address.parse::<Address>() else { return String::new() };
    address.resolve(system).map_or_else(|_| String::new(), |t| touch::named(system, &address, &t).what)
}

/// Units by number, to go into or (where the edit can take a whole one) to name.
fn units(system: &System, unit: &str, tail: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    if system.units > 1 {
        rows.push((format!("{unit}*/"), format!("every {unit}")));
        for u in 0..system.units.min(LISTED) {
            rows.push((format!("{unit}{u}/"), format!("inside {unit} {u}")));
            if tail.is_empty() {
                rows.push((format!("{unit}{u}"), String::new()));
            }
        }
    }
    rows
}

fn switches(system: &System, tail: &str) -> Vec<(String, String)> {
    let Some(f) = &system.fabric else { return Vec::new() };
    let levels = f.levels();
    let listed = levels.iter().flat_map(|l| (0..l.count.min(LISTED)).map(move |i| format!("{}{i}{tail}", l.name)));
    listed.map(|t| (t, String::new())).collect()
}

/// Devices of a unit, step by step, or the other ends once `--` is typed.
fn inner(shape: &Shape, inside: &str, prefix: &str, tail: &str) -> Vec<(String, String)> {
    let Some((from, _)) = inside.split_once("--") else {
        let step = inside.rsplit_once('/').map(|(dir, _)| dir);
        return match step {
            Some(dir) => below(shape, dir, inside, prefix, tail),
            None => top(shape, inside, prefix, tail),
        };
    };
    let Some(device) = shape.find(from) else { return Vec::new() };
    let far = |(l, d): &(LinkIx, crate::system::DeviceIx)| {
        let (link, other, here) = (shape.link(*l)?, shape.device(*d)?, shape.device(device)?);
        let name = if other.node == here.node { &other.name } else { &other.path };
        Some((format!("{prefix}{from}--{name}{tail}"), link.describe()))
    };
    shape.around(device).iter().filter_map(far).collect()
}

/// The first step inside a unit: its own devices, and the nodes of a rack.
fn top(shape: &Shape, inside: &str, prefix: &str, tail: &str) -> Vec<(String, String)> {
    let own = |d: &&Device| d.path != "fabric" && !d.path.contains('/');
    let mut rows = listed(shape.devices().iter().filter(own), inside, prefix, tail);
    let mut nodes: Vec<&str> = shape.devices().iter().filter_map(|d| Some(d.path.split_once('/')?.0)).collect();
    nodes.dedup();
    if !nodes.is_empty() {
        rows.push((format!("{prefix}node*/"), "every node".to_owned()));
    }
    for node in nodes {
        rows.push((format!("{prefix}{node}/"), format!("inside {node}")));
        if tail.is_empty() {
            rows.push((format!("{prefix}{node}"), String::new()));
        }
    }
    rows
}

/// The devices of a node of a rack, or of all its nodes.
fn below(shape: &Shape, dir: &str, inside: &str, prefix: &str, tail: &str) -> Vec<(String, String)> {
    let example = if dir.ends_with('*') { "node0" } else { dir };
    let of = |d: &&Device| d.path.split_once('/').is_some_and(|(node, _)| node == example);
    let name = inside.rsplit_once('/').map_or(inside, |(_, name)| name);
    listed(shape.devices().iter().filter(of), name, &format!("{prefix}{dir}/"), tail)
}

/// Devices by name, with `gpu*` for all of a name, and `gpu3--` once `gpu3` is typed.
fn listed<'a>(
    devices: impl Iterator<Item = &'a Device>,
    typed: &str,
    prefix: &str,
    tail: &str,
) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut last = "";
    for d in devices {
        let letters = d.name.trim_end_matches(|c: char| c.is_ascii_digit());
        if letters != last {
            rows.push((format!("{prefix}{letters}*{tail}"), String::new()));
            last = letters;
        }
        rows.push((format!("{prefix}{}{tail}", d.name), d.title().to_owned()));
        if d.name == typed && !prefix.contains('*') {
            rows.push((format!("{prefix}{}--", d.name), "one of its links".to_owned()));
        }
    }
    rows
}

/// Whether an edit has been begun and its value is still to come: `degrade node0/nic0 to `, `set nodes = `.
pub fn awaits_value(text: &str) -> bool {
    let begun = text.trim_end();
    text.ends_with(' ') && (begun.ends_with(" to") || begun.ends_with('='))
}

#[cfg(test)]
mod tests;
