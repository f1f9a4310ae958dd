//! The `PCIe` tree: sockets above, switches in storeys, GPUs and NICs in one row.
//!
//! A parent is a bar over all its children, so every link is a straight vertical run with room for its number.

mod draw;

use super::host::{Branch, Host, Socket};
use super::reading::Look;
use crate::system::{DeviceIx, LinkIx};

/// How much room the parts of the tree take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// Cells per endpoint.
    pub(super) slot: i32,
    /// Cells of an endpoint's token.
    pub(super) token: i32,
    /// Names without brackets.
    pub(super) bare: bool,
    /// Rows of wire between storeys.
    pub(super) wire: i32,
    /// Sockets as boxes of three rows, not as bars of one.
    pub(super) boxed: bool,
    /// Rows below the endpoints for what leaves the node.
    pub(super) exits: i32,
    /// Cells between sockets.
    pub(super) gap: i32,
    /// Cells left of the tree.
    pub(super) margin: i32,
}

/// A device of the tree that has got its place.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) devices: Vec<DeviceIx>,
    pub(super) links: Vec<LinkIx>,
    /// Left edge, column of the wire, last column.
    pub(super) x: i32,
    pub(super) tap: i32,
    pub(super) end: i32,
    /// Storey of a switch, from 0; endpoints stand below all switches.
    pub(super) depth: i32,
    /// Row of the parent (its lower edge) and own row.
    pub(super) above: i32,
    pub(super) y: i32,
    pub(super) kind: Kind,
    /// Columns where children tap in.
    taps: Vec<i32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Socket,
    Switch,
    End,
    /// An endpoint that hangs on the endpoint on its left.
    Beside,
}

/// The tree with its places.
pub(super) struct Tree {
    pub(super) style: Style,
    pub(super) spots: Vec<Spot>,
    pub(super) between: Vec<LinkIx>,
    pub(super) extra: Vec<LinkIx>,
    /// Columns from the left margin's start to the last one in use.
    pub(super) width: i32,
    /// Row of the endpoints.
    pub(super) floor: i32,
    /// Rows above the boxes for what links the sockets.
    head: i32,
    depth: i32,
    has_sockets: bool,
}

impl Tree {
    /// Gives every device its place.
    pub(super) fn new(host: &Host, style: Style) -> Self {
        let has_sockets = host.sockets.iter().any(|s| !s.cpus.is_empty());
        let ring = host.sockets.len() > 2 || (style.boxed && style.gap < 7 && host.sockets.len() > 1);
        let head = i32::from(has_sockets && ring && style.boxed);
        let depth = i32::from(host.depth());
        let mut tree = Self {
            style,
            spots: Vec::new(),
            between: host.between.clone(),
            extra: host.extra.clone(),
            width: 0,
            floor: 0,
            head,
            depth,
            has_sockets,
        };
        tree.floor = if has_sockets { tree.row_of(depth) } else { (depth * (style.wire + 1)).max(0) };
        let mut x = style.margin;
        for s in &host.sockets {
            x += tree.socket(s, x) + style.gap;
        }
        tree.width = tree.spots.iter().map(|s| s.end + 1).max().unwrap_or(0);
        tree
    }

    /// The lower edge of the sockets.
    fn ceiling(&self) -> i32 {
        if self.style.boxed { self.head + 2 } else { 0 }
    }

    /// Row of the switches of a depth.
    fn row_of(&self, depth: i32) -> i32 {
        if self.has_sockets {
            self.ceiling() + (depth + 1) * (self.style.wire + 1)
        } else {
            depth * (self.style.wire + 1)
        }
    }

    fn socket(&mut self, socket: &Socket, x: i32) -> i32 {
        let index = self.spots.len();
        let ceiling = self.ceiling();
        if !socket.cpus.is_empty() {
            self.spots.push(Spot {
                devices: socket.cpus.clone(),
                links: Vec::new(),
                x,
                tap: x + 1,
                end: x,
                depth: -1,
                above: ceiling,
                y: ceiling,
                kind: Kind::Socket,
                taps: Vec::new(),
            });
        }
        let mut at = x;
        let mut taps = Vec::new();
        for port in &socket.ports {
            taps.push(at + 1);
            at += self.branch(port, (at, ceiling), 0);
        }
        let sum = at - x;
        let name = 12.min(sum.max(8));
        let own = if self.style.bare { sum - 1 } else { sum - 2 }.max(name);
        if let Some(s) = self.spots.get_mut(index).filter(|_| !socket.cpus.is_empty()) {
            s.end = x + own - 1;
            s.taps = taps;
        }
        sum.max(name + 1)
    }

    /// Places a branch from column `x` on, under the row `above`; returns its width.
    fn branch(&mut self, b: &Branch, (x, above): (i32, i32), depth: i32) -> i32 {
        if !b.is_switch {
            return self.endpoint(b, (x, above));
        }
        let index = self.spots.len();
        let y = self.row_of(depth);
        let kind = Kind::Switch;
        let spot = Spot {
            devices: b.devices.clone(),
            links: b.links.clone(),
            x,
            tap: x + 1,
            end: x,
            depth,
            above,
            y,
            kind,
            taps: Vec::new(),
        };
        self.spots.push(spot);
        let mut at = x;
        let mut taps = Vec::new();
        for c in &b.children {
            taps.push(at + 1);
            at += self.branch(c, (at, y), depth + 1);
        }
        let sum = (at - x).max(self.style.slot);
        let last = self.spots.last().filter(|_| self.spots.len() > index + 1).map_or(x + sum - 1, |s| s.end);
        if let Some(s) = self.spots.get_mut(index) {
            s.end = if self.style.bare { x + sum - 1 } else { last.max(x + 3) };
            s.taps = taps;
        }
        sum + 1
    }

    fn endpoint(&mut self, b: &Branch, (x, above): (i32, i32)) -> i32 {
        let mut at = x;
        let mut rest = vec![(b, Kind::End)];
        while let Some((b, kind)) = rest.pop() {
            let w = self.style.token;
            let start = if self.style.bare { at + 1 } else { at };
            self.spots.push(Spot {
                devices: b.devices.clone(),
                links: b.links.clone(),
                x: start,
                tap: at + 1,
                end: start + w - 1,
                depth: self.depth,
                above: if kind == Kind::End { above } else { self.floor },
                y: self.floor,
                kind,
                taps: Vec::new(),
            });
            at += self.style.slot;
            rest.extend(b.children.iter().rev().map(|c| (c, Kind::Beside)));
        }
        at - x
    }

    /// Columns of the endpoints' wires by device.
    pub(super) fn ends(&self) -> impl Iterator<Item = &Spot> {
        self.spots.iter().filter(|s| matches!(s.kind, Kind::End | Kind::Beside))
    }

    /// Rows, the exits counted.
    pub(super) fn height(&self, look: &Look) -> i32 {
        let exits = if self.ends().any(|s| cable(look, s).is_some()) { self.style.exits } else { 0 };
        self.floor + 1 + exits
    }

    /// The storey number of the endpoints' row.
    pub(super) fn storey(&self) -> u16 {
        (2 * self.depth + 4) as u16
    }
}

/// The cable of an endpoint, if it has one.
pub(super) fn cable(look: &Look, s: &Spot) -> Option<LinkIx> {
    s.devices.first().and_then(|d| look.shape().cable(*d))
}
