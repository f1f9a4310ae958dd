//! `iblinkinfo`, in blocks per node or (`-l`) one line per link.

use super::super::report::{ImportError, Report};
use super::net::{Net, is_adapter};
use crate::units::Bandwidth;

/// One side of a link line.
struct Side {
    lid: u32,
    port: u32,
    name: String,
}

/// Reads the link lines; nodes are told apart by their LID.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Net, ImportError> {
    let mut net = Net::default();
    let mut block: Option<(bool, String)> = None;
    let mut down = 0_u32;
    for (n, line) in text.lines().enumerate() {
        let number = n as u32 + 1;
        if let Some(b) = header(line) {
            block = Some(b);
            continue;
        }
        let Some((left, rest)) = line.split_once("==(") else { continue };
        let Some((state, right)) = rest.split_once(")==>") else {
            report.dropped(number, "a line that is cut");
            continue;
        };
        if !state.contains("LinkUp") {
            down += 1;
            continue;
        }
        let (Some(mut a), Some(b)) = (side(left), side(right)) else {
            report.dropped(number, "a link whose ends were not understood");
            continue;
        };
        let own = block.as_ref().filter(|_| a.name.is_empty());
        if let Some((_, name)) = own {
            a.name.clone_from(name);
        }
        if [&a, &b].iter().any(|s| s.name.contains("Aggregation Node")) {
            report.dropped(number, "an aggregation node (in-network reduction), not a host");
            continue;
        }
        if let Some((_, remark)) = right.split_once("Could be") {
            let remark: String = remark.trim_end_matches([')', ' ']).chars().take(40).collect();
            report.read(number, format!("{} - {}: could be{remark}", a.name, b.name));
        }
        let ends = [(&a, own.map(|(s, _)| *s)), (&b, None)].map(|(s, told)| node(&mut net, s, told, number));
        let [x, y] = ends;
        net.cable((x?, a.port), (y?, b.port), rate(state), number);
    }
    if down > 0 {
        report.read(0, format!("down: {}", super::super::report::several(down, "port")));
    }
    Ok(net)
}

/// `CA: host mlx5_0:` or `Switch: 0xguid name:`; the name may have colons itself.
fn header(line: &str) -> Option<(bool, String)> {
    let line = line.trim();
    let (is_switch, rest) = match line.split_once(": ")? {
        ("CA", rest) => (false, rest),
        ("Switch", rest) => (true, rest.split_once(' ').map_or(rest, |(_, name)| name)),
        _ => return None,
    };
    Some((is_switch, rest.trim().trim_end_matches(':').to_owned()))
}

/// LID, port and name of one side: `[0xguid] ["name"] lid port[ext] ["name"]`.
fn side(text: &str) -> Option<Side> {
    let mut name = "";
    let mut plain = String::new();
    for (i, piece) in text.split('"').enumerate().take(3) {
        if i == 1 {
            name = piece.trim();
        } else {
            plain.push_str(piece.split('(').next().unwrap_or(""));
            plain.push(' ');
        }
    }
    let numbers: Vec<u32> = plain
        .split(|c: char| c.is_whitespace() || c == '[' || c == ']')
        .filter(|w| !w.starts_with("0x"))
        .filter_map(|w| w.parse().ok())
        .collect();
    let [lid, port, ..] = numbers.as_slice() else { return None };
    Some(Side { lid: *lid, port: *port, name: name.to_owned() })
}

/// The node of a side. An adapter's description ends with the adapter's name; what does not is a switch.
fn node(net: &mut Net, side: &Side, told: Option<bool>, line: u32) -> Result<usize, ImportError> {
    let adapter = side.name.rsplit(' ').next().is_some_and(is_adapter);
    let i = net.node(&side.lid.to_string(), told.unwrap_or(!adapter))?;
    if let Some(n) = net.get_mut(i) {
        if let Some(is_switch) = told {
            n.is_switch = is_switch;
        }
        if n.description.is_empty() {
            n.description.clone_from(&side.name);
        }
        if told.is_some() && n.line == 0 {
            n.line = line;
        }
    }
    Ok(i)
}

/// Width times the speed of a lane, coding taken off: `4X 53.125 Gbps` is 200 Gb/s.
fn rate(state: &str) -> Option<Bandwidth> {
    let mut words = state.split_whitespace();
    let width: f64 = words.next()?.strip_suffix('X')?.parse().ok().filter(|w| (1.0..=12.0).contains(w))?;
    let raw: f64 = words.next()?.parse().ok()?;
    let table = [
        (2.5, 2.0),
        (5.0, 4.0),
        (10.0, 8.0),
        (14.0625, 13.64),
        (25.78125, 25.0),
        (53.125, 50.0),
        (106.25, 100.0),
        (212.5, 200.0),
    ];
    let lane = if state.contains("FDR10") { 10.0 } else { table.iter().find(|(r, _)| (r - raw).abs() < 0.05)?.1 };
    Some(Bandwidth::from_gbits_per_s(width * lane))
}
