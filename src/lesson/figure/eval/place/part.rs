//! Quantities of a part of the catalogue, by its name: `line of nvlink4`, `memory of h100-sxm`.

use super::super::super::error::Fault;
use super::super::super::quantity::Quantity;
use super::super::super::value::Value;
use crate::parts::{Catalogue, CpuPart, GpuPart, LinkKind, NicPart, SwitchPart, Transport};

/// Whether the catalogue has a part of this name.
pub(super) fn knows(name: &str, c: &Catalogue) -> bool {
    c.link(name).is_ok()
        || c.gpu(name).is_ok()
        || c.nic(name).is_ok()
        || c.switch(name).is_ok()
        || c.cpu(name).is_ok()
        || c.transport(name).is_ok()
}

/// A quantity of a part; `None` where such a part has none.
pub(super) fn value(q: Quantity, name: &str, c: &Catalogue) -> Result<Option<Value>, Fault> {
    if let Ok(part) = c.link(name) {
        return Ok(link(q, part));
    }
    if let Ok(part) = c.gpu(name) {
        return Ok(gpu(q, part));
    }
    if let Ok(part) = c.nic(name) {
        return Ok(nic(q, part));
    }
    if let Ok(part) = c.switch(name) {
        return Ok(switch(q, part));
    }
    if let Ok(part) = c.cpu(name) {
        return Ok(cpu(q, part));
    }
    c.transport(name).map(|part| transport(q, part)).map_err(|e| Fault::new(e.to_string()))
}

fn link(q: Quantity, p: &LinkKind) -> Option<Value> {
    Some(match q {
        Quantity::Line | Quantity::Rate => Value::Rate(p.line.is),
        Quantity::Usable => Value::Rate(p.line.is * p.usable.is),
        Quantity::Latency => Value::Time(p.latency.is),
        Quantity::Title => Value::word(&p.title),
        Quantity::Source => Value::word(p.line.from.to_string()),
        _ => return None,
    })
}

/// Of a GPU.
pub(super) fn gpu(q: Quantity, p: &GpuPart) -> Option<Value> {
    Some(match q {
        Quantity::Memory => Value::Size(p.memory),
        Quantity::MemoryRate => Value::Rate(p.memory_rate.is),
        Quantity::Tflops => Value::ratio(p.tflops.as_ref()?.is),
        Quantity::Ports => Value::Count(u64::from(p.scale_up_ports)),
        Quantity::Title => Value::word(&p.title),
        Quantity::Source => Value::word(p.memory_rate.from.to_string()),
        _ => return None,
    })
}

/// Of a NIC.
pub(super) fn nic(q: Quantity, p: &NicPart) -> Option<Value> {
    Some(match q {
        Quantity::Line | Quantity::Rate => Value::Rate(p.rate.is),
        Quantity::Latency => Value::Time(p.latency.is),
        Quantity::Title => Value::word(&p.title),
        Quantity::Source => Value::word(p.rate.from.to_string()),
        _ => return None,
    })
}

/// Of a switch.
pub(super) fn switch(q: Quantity, p: &SwitchPart) -> Option<Value> {
    Some(match q {
        Quantity::Ports => Value::Count(u64::from(p.ports)),
        Quantity::Latency => Value::Time(p.latency.is),
        Quantity::Title => Value::word(&p.title),
        Quantity::Source => Value::word(p.latency.from.to_string()),
        _ => return None,
    })
}

/// Of a CPU socket.
pub(super) fn cpu(q: Quantity, p: &CpuPart) -> Option<Value> {
    Some(match q {
        Quantity::MemoryRate => Value::Rate(p.memory_rate.is),
        Quantity::Latency => Value::Time(p.latency.is),
        Quantity::Title => Value::word(&p.title),
        Quantity::Source => Value::word(p.memory_rate.from.to_string()),
        _ => return None,
    })
}

fn transport(q: Quantity, p: &Transport) -> Option<Value> {
    Some(match q {
        Quantity::Latency => Value::Time(p.step.is),
        Quantity::Title => Value::word(&p.title),
        Quantity::Source => Value::word(p.usable.from.to_string()),
        _ => return None,
    })
}
