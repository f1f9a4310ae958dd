//! Drawing alike things once: branches of a host tree that are equal in structure, state and marks become one.

use super::host::{Branch, Host, Socket};
use super::reading::{Look, Reading};
use crate::system::{DeviceIx, LinkIx};

impl Host {
    /// The same host with equal branches, and then equal sockets, drawn once. Whatever is selected, edited or hurt stays
    /// apart.
    pub(super) fn merged(&self, look: &Look) -> Self {
        let ports: Vec<Branch> = self.sockets.iter().flat_map(|s| s.ports.iter().cloned()).collect();
        let mut kept: Vec<(String, Branch)> = Vec::new();
        for port in ports {
            let sign = signature(look, &port);
            match kept.iter_mut().find(|(s, _)| *s == sign) {
                Some((_, first)) => absorb(first, &port),
                None => kept.push((sign, port)),
            }
        }
        let cpus: Vec<DeviceIx> = self.sockets.iter().flat_map(|s| s.cpus.iter().copied()).collect();
        let ports = kept.into_iter().map(|(_, b)| b).collect();
        Self { sockets: vec![Socket { cpus, ports }], between: self.between.clone(), extra: self.extra.clone() }
    }
}

fn absorb(first: &mut Branch, other: &Branch) {
    first.devices.extend(&other.devices);
    first.links.extend(&other.links);
    for (a, b) in first.children.iter_mut().zip(&other.children) {
        absorb(a, b);
    }
}

/// Everything that is to be seen of a branch, as text.
fn signature(look: &Look, b: &Branch) -> String {
    let own: String = b.devices.iter().map(|d| device_signature(look, *d)).collect();
    let links: String = b.links.iter().map(|l| link_signature(look, *l)).collect();
    let below: String = b.children.iter().map(|c| signature(look, c)).collect();
    format!("{own}{links}({below})")
}

fn device_signature(look: &Look, d: DeviceIx) -> String {
    let part = look.shape().device(d).map_or("", crate::system::Device::title);
    let selected = look.is_selected(look.device_pick(d));
    let mut planes: Vec<String> = Vec::new();
    if look.shape().device(d).is_some_and(|d| d.is_gpu() || d.is_nic()) {
        planes = look.shape().around(d).iter().map(|(l, _)| link_signature(look, *l)).collect();
        planes.sort_unstable();
    }
    let spare = super::sketch::is_spare(look, d);
    format!("{part}{:?}{selected}{spare}{}[{}]", look.device_state(d), look.is_edited(d), planes.join(" "))
}

/// Loads may differ: of alike links the highest is shown.
fn link_signature(look: &Look, l: LinkIx) -> String {
    let kind = look.shape().link(l).map_or("", |k| k.kind.name.as_str());
    let Reading { state, selected, edited, up, hot, .. } = look.reading(l);
    format!("{kind}{state:?}{selected}{edited}{hot}{up}")
}
