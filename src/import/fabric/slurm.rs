//! Slurm's `topology.conf` and `topology.yaml`: a tree of switches, or blocks of nodes; no ports and no speeds.

use super::super::report::{ImportError, Report};
use super::net::Net;

/// Most names that the host lists of a file may stand for.
const MAX_NAMES: usize = 200_000;

/// A switch or block with what is under it.
#[derive(Debug, Default)]
struct Entry {
    name: String,
    nodes: String,
    switches: String,
    line: u32,
}

/// Reads either form.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Net, ImportError> {
    let conf =
        text.lines().any(|l| key_value(l.trim(), "SwitchName").or_else(|| key_value(l.trim(), "BlockName")).is_some());
    let entries = if conf { conf_entries(text, report) } else { yaml_entries(text)? };
    if entries.is_empty() {
        return Err(ImportError::new("no switch and no block in the file")
            .at(1, 1)
            .expecting("SwitchName=leaf1 Nodes=node[1-16]"));
    }
    let mut net = Net::default();
    let mut ports: u32 = 0;
    let mut names = 0;
    for e in &entries {
        let own = net.node(&format!("switch {}", e.name), true)?;
        if let Some(n) = net.get_mut(own) {
            n.description.clone_from(&e.name);
            n.line = e.line;
        }
        for (list, is_switch) in [(&e.nodes, false), (&e.switches, true)] {
            let all = hosts(list).ok_or_else(|| {
                ImportError::new(format!("{:?} is not a list of names", list.chars().take(40).collect::<String>()))
                    .at(e.line, 1)
                    .expecting("node[1-16,20]")
            })?;
            names += all.len();
            if names > MAX_NAMES {
                return Err(ImportError::new(format!("the lists stand for more than {MAX_NAMES} names")).at(e.line, 1));
            }
            for name in all {
                let other = net.node(&format!("{} {name}", if is_switch { "switch" } else { "node" }), is_switch)?;
                if let Some(n) = net.get_mut(other).filter(|n| n.description.is_empty()) {
                    n.description = name;
                }
                ports += 1;
                net.cable((own, ports), (other, ports), None, e.line);
            }
        }
    }
    report.read(0, format!("{} switches or blocks", entries.len()));
    Ok(net)
}

/// The value of `Key=value` at the beginning of a text, whatever the case of the key.
fn key_value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let head = text.get(..key.len())?;
    head.eq_ignore_ascii_case(key).then(|| text.get(key.len()..)?.strip_prefix('='))?
}

/// `SwitchName=leaf1 Nodes=n[1-2] # comment`, also over lines that end with a backslash.
fn conf_entries(text: &str, report: &mut Report) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut open = String::new();
    for (n, line) in text.lines().enumerate() {
        let number = n as u32 + 1;
        let line = line.split('#').next().unwrap_or("").trim();
        if let Some(head) = line.strip_suffix('\\') {
            if open.len() < 1 << 20 {
                open.push_str(head);
                open.push(' ');
            }
            continue;
        }
        open.push_str(line);
        let whole = std::mem::take(&mut open);
        let mut entry = Entry { line: number, ..Entry::default() };
        for word in whole.split_whitespace() {
            if let Some(v) = key_value(word, "SwitchName").or_else(|| key_value(word, "BlockName")) {
                v.clone_into(&mut entry.name);
            } else if let Some(v) = key_value(word, "Nodes") {
                v.clone_into(&mut entry.nodes);
            } else if let Some(v) = key_value(word, "Switches") {
                v.clone_into(&mut entry.switches);
            } else if key_value(word, "BlockSizes").is_none() && key_value(word, "LinkSpeed").is_none() {
                report.dropped(number, format!("{:?} was not understood", word.chars().take(24).collect::<String>()));
            }
        }
        if !entry.name.is_empty() {
            entries.push(entry);
        }
    }
    entries
}

/// The few shapes of `topology.yaml`: items with `switch:` or `block:` and `nodes:` or `children:`.
fn yaml_entries(text: &str) -> Result<Vec<Entry>, ImportError> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut plugins: Vec<(String, u32)> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let number = n as u32 + 1;
        let indent = line.len() - line.trim_start().len();
        let item = line.trim_start().strip_prefix("- ");
        let body = item.unwrap_or(line).trim();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let Some((key, value)) = body.split_once(':') else { continue };
        let value = value.split(" #").next().unwrap_or("").trim().trim_matches(['"', '\'']);
        match key.trim() {
            "tree" | "block" | "flat" | "ring" | "torus3d" if item.is_none() => {
                plugins.push((key.trim().to_owned(), number));
            }
            "switches" if !value.is_empty() => {
                return Err(ImportError::new("switches is not a list")
                    .at(number, indent as u32 + 1)
                    .expecting("items of switch: and nodes:"));
            }
            "block_sizes" if item.is_some() => {
                return Err(ImportError::new("block is a list")
                    .at(number, indent as u32 + 1)
                    .expecting("block_sizes: and blocks: as its fields"));
            }
            "switch" | "block" if item.is_some() => {
                entries.push(Entry { name: value.to_owned(), line: number, ..Entry::default() });
            }
            "nodes" => entries.last_mut().into_iter().for_each(|e| value.clone_into(&mut e.nodes)),
            "children" => entries.last_mut().into_iter().for_each(|e| value.clone_into(&mut e.switches)),
            "topology" => plugins.clear(),
            _ => {}
        }
        if let [.., (first, _), (second, line)] = plugins.as_slice() {
            return Err(ImportError::new(format!("one topology is both {first} and {second}"))
                .at(*line, 1)
                .expecting("one of them"));
        }
    }
    Ok(entries)
}

/// `a[0-3,7]b[1-2],c` as names; zeros in front are kept. `None` for what does not parse or is too long.
fn hosts(list: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for part in outside_brackets(list)?.into_iter().filter(|p| !p.is_empty()) {
        all.extend(expand(part, 0)?);
        if all.len() > MAX_NAMES {
            return None;
        }
    }
    Some(all)
}

/// Splits at commas that are not in brackets.
fn outside_brackets(list: &str) -> Option<Vec<&str>> {
    let (mut depth, mut from, mut parts) = (0_i32, 0, Vec::new());
    for (i, c) in list.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list.get(from..i)?);
                from = i + 1;
            }
            _ => {}
        }
        if !(0..=1).contains(&depth) {
            return None;
        }
    }
    parts.push(list.get(from..)?);
    (depth == 0).then_some(parts)
}

fn expand(name: &str, depth: u32) -> Option<Vec<String>> {
    let Some((head, rest)) = name.split_once('[') else { return Some(vec![name.to_owned()]) };
    let (inside, tail) = rest.split_once(']').filter(|_| depth < 4)?;
    let tails = expand(tail, depth + 1)?;
    let mut all = Vec::new();
    for part in inside.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (a, b): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        let width = first.trim().len();
        if b < a || (b - a) as usize >= MAX_NAMES || all.len() + (b - a) as usize * tails.len() > MAX_NAMES {
            return None;
        }
        all.extend((a..=b).flat_map(|n| tails.iter().map(move |t| format!("{head}{n:0width$}{t}"))));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::hosts;

    #[test]
    fn lists_of_hosts() {
        let names = |l: &str| hosts(l).map(|h| h.join(" "));
        assert_eq!(names("n[01-02,05],x[1-2]y").as_deref(), Some("n01 n02 n05 x1y x2y"));
        assert_eq!(names("a[0-1]b[1-2]").as_deref(), Some("a0b1 a0b2 a1b1 a1b2"));
        for bad in ["a[", "a]", "a[3-1]", "a[x]", "a[[1]]", "a[0-4294967295]", "a[0-9999]b[0-9999]"] {
            assert_eq!(names(bad), None, "{bad}");
        }
    }
}
