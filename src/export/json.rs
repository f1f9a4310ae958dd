//! A system as JSON.

use serde_json::{Value, json};

use crate::system::{DeviceKind, Link, LinkIx, Shape, System, UnitClass};

/// Everything of a system as one JSON object. Rates are GB/s per direction; `left` is the share of a link's rate that its
/// health leaves.
pub fn json(s: &System) -> Value {
    json!({
        "name": s.name, "title": s.title, "about": s.about, "sources": s.sources,
        "units": s.units, "nodes_per_unit": s.nodes_per_unit, "ranks": s.ranks(),
        "tiers": s.tiers().iter().map(|t| json!({
            "tier": t.tier.name(), "link": t.link, "line_gbytes_per_s": t.line.gbytes_per_s(),
            "usable_gbytes_per_s": t.usable.gbytes_per_s(), "latency_us": t.latency.us(), "source": t.source,
        })).collect::<Vec<_>>(),
        "fabric": s.fabric.as_ref().map(|f| json!({
            "transport": f.transport.name, "switch": f.switch.name, "rails": f.rails, "leaf_nodes": f.leaf_nodes,
            "oversubscription": f.oversubscription, "nics_per_node": f.nics_per_node,
            "port_gbytes_per_s": f.port_rate.gbytes_per_s(),
            "levels": f.levels().iter()
                .map(|l| json!({"name": l.name, "count": l.count, "down": l.down, "up": l.up})).collect::<Vec<_>>(),
        })),
        "services": s.services.as_ref().map(|v| json!({
            "title": v.title, "gbytes_per_s": v.rate.gbytes_per_s(), "source": v.source,
        })),
        "classes": s.classes.iter().map(class).collect::<Vec<_>>(),
    })
}

fn class(c: &UnitClass) -> Value {
    let shape: &Shape = &c.shape;
    let name = |d| shape.device(d).map_or("", |x| x.path.as_str());
    let link = |(i, l): (usize, &Link)| {
        json!({"a": name(l.a), "b": name(l.b), "kind": l.kind.name, "count": l.count, "lanes": l.lanes,
            "line_gbytes_per_s": l.line_rate().gbytes_per_s(), "left": c.health.left(shape, LinkIx(i as u32)).ratio()})
    };
    let devices = shape.device_ixs().filter_map(|d| {
        let x = shape.device(d)?;
        Some(json!({"path": x.path, "kind": kind(&x.kind), "title": x.title(), "node": x.node, "numa": x.numa,
            "up": c.health.device_up(d)}))
    });
    json!({
        "units": c.members.to_string(), "count": c.members.len(),
        "devices": devices.collect::<Vec<_>>(),
        "links": shape.links().iter().enumerate().map(link).collect::<Vec<_>>(),
    })
}

fn kind(k: &DeviceKind) -> &'static str {
    match k {
        DeviceKind::Gpu(_) => "gpu",
        DeviceKind::Nic(_) => "nic",
        DeviceKind::Cpu(_) => "cpu",
        DeviceKind::PcieSwitch(_) => "pcie-switch",
        DeviceKind::ScaleUpSwitch(_) => "scale-up-switch",
        DeviceKind::Fabric => "fabric",
    }
}
