//! Moving: in the tree, in the picture, between units.

use super::spot::shape_of;
use super::{App, Layer, Panel, Row, Spot};
use crate::system::LeafIx;
use crate::tui::commands::Command;
use crate::tui::picture::{Direction, Pick, Scope};
use crate::tui::view;

impl App {
    /// Moves the selection: in the tree by rows, in the picture along its wires.
    pub(crate) fn step(&mut self, direction: Direction, count: usize) {
        if self.in_tree() {
            match direction {
                Direction::Up => self.move_row(|at, _| at.saturating_sub(count)),
                Direction::Down => self.move_row(|at, last| (at + count).min(last)),
                Direction::Left => self.fold(),
                Direction::Right => self.unfold(),
            }
            return;
        }
        let scene = view::walked(self);
        for _ in 0..count {
            let Some(pick) = scene.step(self.selection.pick(), direction) else { return };
            self.pick(pick);
        }
    }

    /// Selects what the picture names, without drawing something else for it.
    pub(crate) fn pick(&mut self, pick: Pick) {
        self.selection = Spot::Thing(pick);
    }

    /// Moves the cursor of the tree; `to` gets its row and the last row.
    pub(crate) fn move_row(&mut self, to: impl Fn(usize, usize) -> usize) {
        let rows = self.rows();
        let at = to(self.cursor(&rows), rows.len().saturating_sub(1));
        if let Some(row) = rows.get(at) {
            self.select(row.spot);
        }
    }

    fn row_here(&self) -> Option<(Row, usize, Vec<Row>)> {
        let rows = self.rows();
        let at = self.cursor(&rows);
        rows.get(at).cloned().map(|row| (row, at, rows))
    }

    /// Closes the branch, or goes to what contains it.
    fn fold(&mut self) {
        let Some((row, at, rows)) = self.row_here() else { return };
        if row.open == Some(true) {
            self.open.remove(&row.spot);
            self.select(row.spot);
            return;
        }
        let above = rows.iter().take(at).rev().find(|r| r.depth < row.depth);
        if let Some(above) = above {
            self.select(above.spot);
        }
    }

    /// Opens the branch, or goes to its first row.
    fn unfold(&mut self) {
        let Some((row, at, rows)) = self.row_here() else { return };
        match row.open {
            Some(false) => self.open_branch(row.spot),
            Some(true) => {
                if let Some(next) = rows.get(at + 1).filter(|n| n.depth > row.depth) {
                    self.select(next.spot);
                }
            }
            None => {}
        }
    }

    /// Opens a branch; a run of units is walked into at its first member.
    fn open_branch(&mut self, spot: Spot) {
        match (spot, spot.pick()) {
            (Spot::Run { .. }, Some(first @ (Pick::Unit(_) | Pick::Node { .. }))) => self.walk_in(first),
            (Spot::Thing(Pick::Class(c)), _) => {
                if let Some(unit) = self.system().classes.get(c.0).and_then(|c| c.members.first()) {
                    self.walk_in(Pick::Unit(unit));
                }
            }
            _ => {
                self.open.insert(spot);
                self.select(spot);
            }
        }
    }

    fn walk_in(&mut self, pick: Pick) {
        self.open.insert(Spot::Thing(pick));
        self.select(Spot::Thing(pick));
    }

    /// Enter: into what is selected.
    pub(crate) fn walk_into(&mut self) {
        if let Layer::PathFrom(from) = *self.focus.top() {
            match self.path_end().filter(|to| *to != from) {
                Some(to) => {
                    self.focus.pop();
                    self.focus.push(Layer::Path(from, to));
                }
                None => self.say("select the device at the other end", crate::tui::theme::Role::Bad),
            }
            return;
        }
        if self.in_tree() {
            self.unfold();
            return;
        }
        match (self.selection, self.selection.pick()) {
            (Spot::System, _) => self.walk_in(Pick::Unit(0)),
            (_, Some(Pick::Pair { unit, from, to })) => {
                let end = |device| crate::tui::picture::End { unit, device };
                self.focus.push(Layer::Path(end(from), end(to)));
            }
            (_, Some(Pick::Class(c))) => self.open_branch(Spot::Thing(Pick::Class(c))),
            (_, Some(pick @ (Pick::Unit(_) | Pick::Node { .. }))) => self.enter_unit(pick),
            (_, Some(Pick::Device { unit, device })) => self.enter_device(unit, device),
            (_, Some(Pick::Group(_))) => {
                let text = self.address();
                if let Some(spot) = text.and_then(|t| super::names::lookup(self.system(), &t).ok()) {
                    self.open_branch(spot);
                }
            }
            _ => {}
        }
    }

    /// Into a unit or node: its picture, with its first GPU selected.
    fn enter_unit(&mut self, pick: Pick) {
        self.walk_in(pick);
        let (unit, node) = match pick {
            Pick::Node { unit, node } => (unit, Some(node)),
            other => (Spot::Thing(other).unit().unwrap_or(0), None),
        };
        let Some(shape) = shape_of(self.system(), unit) else { return };
        let mine = |d: &&crate::system::DeviceIx| node.is_none() || shape.device(**d).is_some_and(|d| d.node == node);
        if let Some(device) = shape.gpus().iter().find(mine).copied() {
            self.selection = Spot::Thing(Pick::Device { unit, device });
        }
    }

    /// Into a device of a rack: the picture of its node; elsewhere its links in the tree.
    fn enter_device(&mut self, unit: u32, device: crate::system::DeviceIx) {
        let node = shape_of(self.system(), unit).and_then(|s| s.device(device)).and_then(|d| d.node);
        if let (Scope::Rack { .. }, Some(node)) = (self.scope, node) {
            self.scope = Scope::Node { unit, node };
            return;
        }
        self.open_family(unit, device);
        self.open.insert(Spot::Thing(Pick::Device { unit, device }));
        let link = shape_of(self.system(), unit).and_then(|s| s.around(device).first()).map(|(l, _)| *l);
        if let Some(link) = link {
            self.selection = Spot::Thing(Pick::Link { unit, link });
        }
    }

    /// Out of what is drawn or selected, one step.
    pub(crate) fn out(&mut self) {
        let drawn = match self.scope {
            Scope::Node { unit, node } if self.system().is_rack => Spot::Thing(Pick::Node { unit, node }),
            Scope::Node { unit, .. } | Scope::Rack { unit } => Spot::Thing(Pick::Unit(unit)),
            Scope::Fabric => Spot::Fabric,
            _ => Spot::System,
        };
        let outer = self.parent(self.selection);
        if self.in_tree() || !self.is_within(outer, drawn) {
            if matches!((self.scope, outer), (Scope::Node { .. }, Spot::Thing(Pick::Unit(_)))) {
                self.scope = self.scope_out();
            }
            self.select(outer);
        } else {
            self.selection = outer;
        }
    }

    /// Whether something is, or is in, what `whole` stands for.
    fn is_within(&self, spot: Spot, whole: Spot) -> bool {
        let mut here = spot;
        loop {
            if here == whole {
                return true;
            }
            let outer = self.parent(here);
            if outer == here {
                return false;
            }
            here = outer;
        }
    }

    fn scope_out(&self) -> Scope {
        match self.scope {
            Scope::Node { unit, .. } if self.system().is_rack => Scope::Rack { unit },
            other => other,
        }
    }

    /// Esc: what lies on top goes away; the panels have nothing to close and go out one step.
    pub(crate) fn back(&mut self) {
        // A filter goes before the list that it narrows: also one that is being typed.
        if !self.filter().is_empty() {
            self.set_filter("");
            self.focus.close(|l| matches!(l, Layer::Filter(_)));
            return;
        }
        match self.focus.pop() {
            Some(layer) if layer.screen().is_some() => {
                self.refresh_charts();
                self.refresh_reports();
            }
            Some(_) => {}
            // The stop that asks for this very key goes on instead.
            None if self.focus.tour.is_some_and(|t| t.asks_for(Command::Back)) => {}
            None if self.focus.tour.is_some() => self.focus.tour = None,
            None if self.visits() => self.end_visit(),
            None if self.selection == Spot::System => self.say("q leaves", crate::tui::theme::Role::Dim),
            None => self.out(),
        }
    }

    /// The same item in the next or previous unit (in a rack's node: the next node of it).
    pub(crate) fn sibling(&mut self, forward: bool) {
        let count = self.sibling_count().max(1);
        let turn = |n: u32| if forward { (n + 1) % count } else { (n + count - 1) % count };
        match self.scope {
            Scope::Node { unit, node } if self.system().is_rack => self.go_to_node(unit, node, turn(node)),
            Scope::Node { unit, .. } | Scope::Rack { unit } => self.go_to_unit(unit, turn(unit)),
            _ => self.go_along_fabric(turn(self.fabric_row().0)),
        }
    }

    /// In the picture of the fabric: the same of the neighbouring group, or the neighbour itself.
    fn go_along_fabric(&mut self, to: u32) {
        let Some(f) = &self.system().fabric else { return };
        let leaf = |l: LeafIx| if f.groups() > 1 { LeafIx(to * f.planes() + f.place_of(l).0) } else { LeafIx(to) };
        let next = match self.selection.pick() {
            Some(Pick::Leaf(l)) => Pick::Leaf(leaf(l)),
            Some(Pick::Uplink(l)) => Pick::Uplink(leaf(l)),
            Some(Pick::Group(_)) => Pick::Group(to),
            Some(Pick::Spine(_)) => Pick::Spine(to),
            Some(Pick::Core(_)) => Pick::Core(to),
            Some(Pick::Class(_)) => Pick::Class(crate::system::ClassIx(to as usize)),
            Some(Pick::Unit(_)) => Pick::Unit(to),
            _ => return,
        };
        self.selection = Spot::Thing(next);
    }

    fn go_to_unit(&mut self, from: u32, to: u32) {
        let was_open = self.open.contains(&Spot::Thing(Pick::Unit(from)));
        let moved = |pick: Pick| match pick {
            Pick::Device { device, .. } => Pick::Device { unit: to, device },
            Pick::Link { link, .. } => Pick::Link { unit: to, link },
            Pick::Node { node, .. } => Pick::Node { unit: to, node },
            Pick::Pair { from, to: end, .. } => Pick::Pair { unit: to, from, to: end },
            _ => Pick::Unit(to),
        };
        let spot = match self.selection {
            Spot::Run { first, last } => Spot::of_run(moved(first), moved(last)),
            other => Spot::Thing(other.pick().map_or(Pick::Unit(to), moved)),
        };
        if was_open {
            self.move_branches(from, moved);
        }
        self.select(spot);
    }

    /// The branches that are open in one unit are open in the next instead.
    fn move_branches(&mut self, from: u32, moved: impl Fn(Pick) -> Pick) {
        let branches: Vec<Spot> = self.open.iter().filter(|s| s.unit() == Some(from)).copied().collect();
        for branch in branches {
            self.open.remove(&branch);
            self.open.insert(match branch {
                Spot::Run { first, last } => Spot::of_run(moved(first), moved(last)),
                other => other.pick().map_or(other, |p| Spot::Thing(moved(p))),
            });
        }
    }

    fn go_to_node(&mut self, unit: u32, from: u32, to: u32) {
        self.scope = Scope::Node { unit, node: to };
        let Some(shape) = shape_of(self.system(), unit) else { return };
        let twin = self.selection.pick().and_then(|p| match p {
            Pick::Device { device, .. } => {
                let path = &shape.device(device)?.path;
                let other = path.replacen(&format!("node{from}/"), &format!("node{to}/"), 1);
                Some(Pick::Device { unit, device: shape.find(&other)? })
            }
            _ => None,
        });
        self.selection = Spot::Thing(twin.unwrap_or(Pick::Node { unit, node: to }));
    }

    /// To the next or previous thing that is edited, hurt or full.
    pub(crate) fn exception(&mut self, forward: bool) {
        let all = self.exceptions();
        let Some(last) = all.len().checked_sub(1) else { return };
        let here = all.iter().position(|s| *s == self.selection);
        let at = match (here, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(i), true) => {
                if i == last {
                    0
                } else {
                    i + 1
                }
            }
            (Some(i), false) => i.checked_sub(1).unwrap_or(last),
        };
        if let Some(spot) = all.get(at) {
            self.reveal(*spot);
        }
    }

    /// Gives the keys to the next panel that this size shows.
    pub(crate) fn next_panel(&mut self, forward: bool) {
        let panels = view::panels(self.size, &self.focus);
        if self.focus.has_lesson() && !self.reads_lesson() {
            match super::after_panel(panels, self.focus.panel(), forward) {
                Some(panel) => self.focus.set_panel(panel),
                None => self.raise_lesson(),
            }
            return;
        }
        let here = panels.iter().position(|p| *p == self.focus.panel()).unwrap_or(0);
        let count = panels.len().max(1);
        let at = if forward { (here + 1) % count } else { (here + count - 1) % count };
        self.focus.set_panel(panels.get(at).copied().unwrap_or(Panel::Picture));
    }
}

impl App {
    /// Selects something that was asked for by name and opens the branches of the tree that lead to it.
    pub(crate) fn reveal(&mut self, spot: Spot) {
        let mut outer = spot;
        while outer != Spot::System {
            if let Some(Pick::Device { unit, device }) = outer.pick() {
                self.open_family(unit, device);
            }
            outer = self.parent(outer);
            self.open.insert(outer);
        }
        self.select(spot);
    }

    /// Opens the branch of a device's sort.
    fn open_family(&mut self, unit: u32, device: crate::system::DeviceIx) {
        let kin = shape_of(self.system(), unit).map(|s| super::spot::kin(s, device)).unwrap_or_default();
        let pick = |device| Pick::Device { unit, device };
        if let (Some(a), Some(b)) = (kin.first(), kin.last()) {
            self.open.insert(Spot::of_run(pick(*a), pick(*b)));
        }
    }

    /// Selects a spot of the picture; what is drawn stays.
    pub(crate) fn select_in_picture(&mut self, spot: Spot) {
        self.selection = spot;
    }
}
