//! The host side of a node as a forest: sockets, root ports, switches of any depth, GPUs and NICs.
//!
//! Nothing here has a position yet; [`super::tree`] gives it one.

use std::collections::{BTreeSet, VecDeque};

use super::reading::Look;
use super::sketch::is_cpu;
use crate::system::{DeviceIx, DeviceKind, LinkIx};

/// A switch or an endpoint with what hangs under it. Alike branches may be drawn as one.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    /// The device; of alike ones the first.
    pub(super) devices: Vec<DeviceIx>,
    /// The link up to the parent, one for each device; empty at a root.
    pub(super) links: Vec<LinkIx>,
    /// What hangs under it (a switch), or sits beside it (an endpoint).
    pub(super) children: Vec<Branch>,
    pub(super) is_switch: bool,
}

/// A CPU socket with its root ports, or the devices that no CPU reaches.
#[derive(Debug, Clone)]
pub(super) struct Socket {
    /// The CPUs, several when alike ones are drawn as one; empty when there is none.
    pub(super) cpus: Vec<DeviceIx>,
    pub(super) ports: Vec<Branch>,
}

/// The host side of one node.
#[derive(Debug, Clone, Default)]
pub(super) struct Host {
    pub(super) sockets: Vec<Socket>,
    /// Links between sockets.
    pub(super) between: Vec<LinkIx>,
    /// Host links that the forest does not use: second uplinks, links between switches.
    pub(super) extra: Vec<LinkIx>,
}

impl Branch {
    pub(super) fn first(&self) -> Option<DeviceIx> {
        self.devices.first().copied()
    }

    /// Switches on the longest way down, itself counted.
    pub(super) fn depth(&self) -> u16 {
        if !self.is_switch {
            return 0;
        }
        1 + self.children.iter().map(Self::depth).max().unwrap_or(0)
    }

    fn leaf(device: DeviceIx) -> Self {
        Self { devices: vec![device], links: Vec::new(), children: Vec::new(), is_switch: false }
    }

    /// Every endpoint, left to right.
    pub(super) fn endpoints<'a>(&'a self, out: &mut Vec<&'a Self>) {
        if !self.is_switch {
            out.push(self);
        }
        for c in &self.children {
            c.endpoints(out);
        }
    }
}

impl Host {
    /// The forest of a node. Each device hangs under the parent that is nearest to a CPU.
    pub(super) fn of(look: &Look, node: u32) -> Self {
        let shape = look.shape();
        let inside = |d: DeviceIx| {
            shape.device(d).is_some_and(|dev| {
                dev.node == Some(node) && !matches!(dev.kind, DeviceKind::ScaleUpSwitch(_) | DeviceKind::Fabric)
            })
        };
        let all: Vec<DeviceIx> = shape.device_ixs().filter(|d| inside(*d)).collect();
        let mut growing = Growing { look, parents: vec![None; shape.devices().len()], seen: BTreeSet::new() };
        let cpus: Vec<DeviceIx> = all.iter().copied().filter(|d| is_cpu(look, *d)).collect();
        growing.grow(&cpus, &inside);
        let mut roots = Vec::new();
        // What no CPU reaches: switches first, so that their endpoints hang under them.
        for switches in [true, false] {
            for d in all.iter().copied().filter(|d| super::sketch::is_host_switch(look, *d) == switches) {
                if !growing.seen.contains(&d) {
                    growing.grow(&[d], &inside);
                    roots.push(d);
                }
            }
        }
        let mut sockets: Vec<Socket> =
            cpus.iter().map(|c| Socket { cpus: vec![*c], ports: growing.children(*c, &all) }).collect();
        if !roots.is_empty() {
            let ports = roots.iter().map(|r| growing.branch(*r, None, &all)).collect();
            sockets.push(Socket { cpus: Vec::new(), ports });
        }
        let mut host = Self { sockets, ..Self::default() };
        host.sort_links(look, &growing, &inside);
        host
    }

    /// GPUs alone, in a row: the scale-up plane without its host.
    pub(super) fn gpus_of(look: &Look, node: u32) -> Self {
        let shape = look.shape();
        let here = |g: &&DeviceIx| shape.device(**g).is_some_and(|d| d.node == Some(node));
        let ports: Vec<Branch> = shape.gpus().iter().filter(here).map(|g| Branch::leaf(*g)).collect();
        Self { sockets: vec![Socket { cpus: Vec::new(), ports }], ..Self::default() }
    }

    fn sort_links(&mut self, look: &Look, growing: &Growing, inside: &dyn Fn(DeviceIx) -> bool) {
        for l in look.shape().link_ixs() {
            let Some(link) = look.shape().link(l) else { continue };
            if !inside(link.a) || !inside(link.b) || !growing.is_host(l) {
                continue;
            }
            let used = |d: DeviceIx| growing.parents.get(d.0 as usize).copied().flatten().is_some_and(|p| p.1 == l);
            if is_cpu(look, link.a) && is_cpu(look, link.b) {
                self.between.push(l);
            } else if !used(link.a) && !used(link.b) {
                self.extra.push(l);
            }
        }
    }

    /// Every endpoint, left to right.
    pub(super) fn endpoints(&self) -> Vec<&Branch> {
        let mut out = Vec::new();
        for port in self.sockets.iter().flat_map(|s| &s.ports) {
            port.endpoints(&mut out);
        }
        out
    }

    /// Storeys of switches.
    pub(super) fn depth(&self) -> u16 {
        self.sockets.iter().flat_map(|s| &s.ports).map(Branch::depth).max().unwrap_or(0)
    }
}

struct Growing<'a> {
    look: &'a Look<'a>,
    parents: Vec<Option<(DeviceIx, LinkIx)>>,
    seen: BTreeSet<DeviceIx>,
}

impl Growing<'_> {
    /// A host link has no scale-up switch and no fabric at its ends, and is not between two GPUs.
    fn is_host(&self, l: LinkIx) -> bool {
        let shape = self.look.shape();
        let Some((a, b)) = shape.link(l).and_then(|l| Some((shape.device(l.a)?, shape.device(l.b)?))) else {
            return false;
        };
        let host = |k: &DeviceKind| !matches!(k, DeviceKind::ScaleUpSwitch(_) | DeviceKind::Fabric);
        host(&a.kind) && host(&b.kind) && !(a.is_gpu() && b.is_gpu())
    }

    fn grow(&mut self, roots: &[DeviceIx], inside: &dyn Fn(DeviceIx) -> bool) {
        self.seen.extend(roots);
        let mut queue: VecDeque<DeviceIx> = roots.iter().copied().collect();
        while let Some(here) = queue.pop_front() {
            for &(l, next) in self.look.shape().around(here) {
                if !inside(next) || !self.is_host(l) || self.seen.contains(&next) {
                    continue;
                }
                self.seen.insert(next);
                if let Some(p) = self.parents.get_mut(next.0 as usize) {
                    *p = Some((here, l));
                }
                queue.push_back(next);
            }
        }
    }

    /// Children in order: GPUs and switches before NICs under one parent.
    fn children(&self, parent: DeviceIx, all: &[DeviceIx]) -> Vec<Branch> {
        let hangs = |d: DeviceIx| self.parents.get(d.0 as usize).copied().flatten().filter(|p| p.0 == parent);
        let mut list: Vec<Branch> =
            all.iter().filter_map(|d| hangs(*d).map(|p| self.branch(*d, Some(p.1), all))).collect();
        list.sort_by_key(|b| {
            b.first().and_then(|d| self.look.shape().device(d)).is_some_and(crate::system::Device::is_nic)
        });
        list
    }

    fn branch(&self, device: DeviceIx, link: Option<LinkIx>, all: &[DeviceIx]) -> Branch {
        Branch {
            devices: vec![device],
            links: link.into_iter().collect(),
            children: self.children(device, all),
            is_switch: super::sketch::is_host_switch(self.look, device),
        }
    }
}
