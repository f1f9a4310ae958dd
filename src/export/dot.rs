//! Graphviz dot of one unit, with the fabric as one box.

use std::fmt::Write;

use super::{common, links_left, unsaid};
use crate::parts::Family;
use crate::system::{Device, DeviceKind, System};

/// The graph of the most frequent unit: a box per host, a line per link bundle. Links that are down are dashed.
pub fn dot(system: &System) -> String {
    let mut out = format!("graph {} {{\n", quote(&system.name));
    let _ = writeln!(out, "  label={};", quote(&format!("{} x {}", system.units, system.title)));
    out.push_str("  node [shape=box, fontsize=10];\n");
    for note in unsaid(system) {
        let _ = writeln!(out, "  // {}", note.replace('\n', " "));
    }
    let Some(class) = common(system) else {
        out.push_str("}\n");
        return out;
    };
    for node in 0..system.nodes_per_unit {
        let _ = writeln!(out, "  subgraph cluster_node{node} {{\n    label=\"node {node}\";");
        for d in class.shape.devices().iter().filter(|d| d.node == Some(node) && d.kind != DeviceKind::Fabric) {
            device(&mut out, d, "    ");
        }
        out.push_str("  }\n");
    }
    for d in class.shape.devices().iter().filter(|d| d.node.is_none() || d.kind == DeviceKind::Fabric) {
        device(&mut out, d, "  ");
    }
    for l in class.shape.link_ixs() {
        let Some(link) = class.shape.link(l) else { continue };
        let name = |d| class.shape.device(d).map_or("", |x| x.path.as_str());
        let left = class.health.left(&class.shape, l);
        let style = if links_left(class, l) == 0 {
            ", style=dashed, color=red".to_owned()
        } else if left.ratio() < 1.0 {
            format!(", color=orange, xlabel=\"{left}\"")
        } else {
            format!(", color={}", colour(link.kind.family))
        };
        let label = quote(&link.describe());
        let _ = writeln!(out, "  {} -- {} [label={label}{style}];", quote(name(link.a)), quote(name(link.b)));
    }
    out.push_str("}\n");
    out
}

fn device(out: &mut String, d: &Device, indent: &str) {
    let fill = match d.kind {
        DeviceKind::Gpu(_) => "palegreen",
        DeviceKind::Nic(_) => "lightsalmon",
        DeviceKind::Cpu(_) => "lightblue",
        DeviceKind::PcieSwitch(_) => "lightgrey",
        DeviceKind::ScaleUpSwitch(_) => "khaki",
        DeviceKind::Fabric => "white",
    };
    let label = quote(&format!("{}\n{}", d.name, d.title()));
    let _ = writeln!(out, "{indent}{} [label={label}, style=filled, fillcolor={fill}];", quote(&d.path));
}

const fn colour(family: Family) -> &'static str {
    match family {
        Family::Nvlink | Family::Xgmi => "darkgreen",
        Family::Pcie => "black",
        Family::Socket | Family::C2c => "blue",
        Family::Network => "brown",
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
