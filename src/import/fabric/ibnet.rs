//! `ibnetdiscover`, and the dialect of ibsim (`Hca`, free ids, no speeds).

use super::super::report::{ImportError, Report};
use super::net::Net;
use crate::units::Bandwidth;

/// Reads the records: a header line of a switch or adapter, then a line for each of its cables.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Net, ImportError> {
    let mut net = Net::default();
    let mut owner: Option<(usize, bool)> = None;
    let mut system = String::new();
    for (n, line) in text.lines().enumerate() {
        let number = n as u32 + 1;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some((is_switch, ports, id, description)) = header(line) {
            owner = None;
            if is_aggregation(&description) {
                report.dropped(number, "an aggregation node (in-network reduction), not a host");
                continue;
            }
            let node = net.node(&key(&id, &description, is_switch, &net), is_switch)?;
            if let Some(n) = net.get_mut(node) {
                n.ports = ports;
                n.line = number;
                n.description = description;
                n.system = std::mem::take(&mut system);
            }
            owner = Some((node, is_switch));
        } else if let Some(guid) = line.strip_prefix("sysimgguid=") {
            guid.trim().clone_into(&mut system);
        } else if line.starts_with('[') {
            let Some((own, own_is_switch)) = owner else { continue };
            cable(&mut net, (own, own_is_switch), line, number, report)?;
        } else if !(line.starts_with('#')
            || line.contains("guid=")
            || line.starts_with("vendid=")
            || line.starts_with("devid="))
        {
            report.dropped(number, "a line that was not understood");
        }
    }
    Ok(net)
}

/// The key of a node: its id; ids that are blotted out and stand for several hosts get the description too.
fn key(id: &str, description: &str, is_switch: bool, net: &Net) -> String {
    let other = net
        .find(id)
        .and_then(|i| net.get(i))
        .is_some_and(|n| !n.description.is_empty() && n.description != description);
    if other && !is_switch && !description.is_empty() && id.contains(['<', '*', 'x']) {
        format!("{id} {description}")
    } else {
        id.to_owned()
    }
}

fn is_aggregation(description: &str) -> bool {
    description.contains("Aggregation Node")
}

/// `Switch 65 "S-..." # "description" ...`.
fn header(line: &str) -> Option<(bool, u32, String, String)> {
    let mut words = line.split_whitespace();
    let is_switch = match words.next()? {
        "Switch" | "Rt" => true,
        "Ca" | "Hca" => false,
        _ => return None,
    };
    let ports = words.next()?.parse().ok()?;
    let (id, rest) = quoted(line)?;
    let description = quoted(rest).map_or(id, |(d, _)| d);
    Some((is_switch, ports, id.to_owned(), description.to_owned()))
}

/// The first text in quotes, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once('"')?;
    let (inside, after) = rest.split_once('"')?;
    Some((inside.trim(), after))
}

/// The number in the first brackets.
fn port(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']')?.0.trim().parse().ok()
}

/// `[1] "H-..."[1](guid) # "host mlx5_0" lid 10 4xNDR`.
fn cable(
    net: &mut Net,
    (own, own_is_switch): (usize, bool),
    line: &str,
    number: u32,
    report: &mut Report,
) -> Result<(), ImportError> {
    let (Some(here), Some((id, rest))) = (port(line), quoted(line)) else {
        report.dropped(number, "a port without a remote end");
        return Ok(());
    };
    let (there, remark) = rest.split_once('#').unwrap_or((rest, ""));
    let description = quoted(remark).map_or(id, |(d, _)| d);
    if is_aggregation(description) {
        report.dropped(number, "an aggregation node (in-network reduction), not a host");
        return Ok(());
    }
    // An adapter is cabled to a switch; a switch to either, which the id or the description tells.
    let known = net.find(id).and_then(|i| net.get(i)).map(|n| n.is_switch);
    let is_switch = known.unwrap_or(!own_is_switch || ["S-", "R-", "Switch"].iter().any(|p| id.starts_with(p)));
    let other = net.node(&key(id, description, is_switch, net), is_switch)?;
    if let Some(n) = net.get_mut(other).filter(|n| n.description.is_empty()) {
        description.clone_into(&mut n.description);
    }
    net.cable((own, here), (other, port(there).unwrap_or(1)), rate(remark), number);
    Ok(())
}

/// Gb/s of one lane after coding.
fn lane(speed: &str) -> Option<f64> {
    Some(match speed {
        "SDR" => 2.0,
        "DDR" => 4.0,
        "QDR" => 8.0,
        "FDR10" => 10.0,
        "FDR" => 13.64,
        "EDR" => 25.0,
        "HDR" => 50.0,
        "NDR" => 100.0,
        "XDR" => 200.0,
        _ => return None,
    })
}

/// The rate of `4xNDR` (or `4x NDR`) in a remark.
fn rate(remark: &str) -> Option<Bandwidth> {
    let words: Vec<&str> = remark.split_whitespace().collect();
    let find = |(i, w): (usize, &&str)| {
        let (width, speed) = w.split_once('x')?;
        let width: f64 = width.parse().ok().filter(|w| (1.0..=12.0).contains(w))?;
        let speed = if speed.is_empty() { words.get(i + 1).copied()? } else { speed };
        Some(Bandwidth::from_gbits_per_s(width * lane(speed)?))
    };
    words.iter().enumerate().rev().find_map(find)
}
