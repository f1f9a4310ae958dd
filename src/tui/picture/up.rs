//! The scale-up plane of a node: which links it has, and which picture they get. Data decides, never a name.

use std::collections::BTreeMap;

use super::grid::{self, Placement};
use super::reading::Look;
use crate::system::{DeviceIx, LinkIx, Tier, tier_of};

/// Switch chips in rows of their own; more than this are merged where they are alike.
pub(super) const MOST_CHIPS: usize = 12;
/// Lanes of brackets; what needs more gets a grid or a chart.
const MOST_LANES: usize = 3;

/// The scale-up links of one node.
#[derive(Debug, Clone, Default)]
pub(super) struct ScaleUp {
    /// The node's GPUs in order.
    pub(super) gpus: Vec<DeviceIx>,
    /// Chips that GPUs of this node are wired to.
    pub(super) chips: Vec<DeviceIx>,
    /// GPU to chip.
    pub(super) spokes: Vec<LinkIx>,
    /// Chip to chip.
    pub(super) trunks: Vec<LinkIx>,
    /// GPU to GPU, with the places of both in `gpus`.
    pub(super) direct: Vec<(LinkIx, usize, usize)>,
}

/// How the plane is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    /// No scale-up links.
    None,
    /// Bars of switch chips under the GPUs.
    Crossbar,
    /// Brackets under the GPUs.
    Brackets,
    /// Boxes in two rows.
    Grid(Placement),
    /// A staircase of pairs.
    Chart,
}

impl ScaleUp {
    pub(super) fn of(look: &Look, node: u32) -> Self {
        let shape = look.shape();
        let here = |g: &&DeviceIx| shape.device(**g).is_some_and(|d| d.node == Some(node));
        let gpus: Vec<DeviceIx> = shape.gpus().iter().filter(here).copied().collect();
        let place: BTreeMap<DeviceIx, usize> = gpus.iter().enumerate().map(|(i, g)| (*g, i)).collect();
        let mut up = Self { gpus, ..Self::default() };
        let chip = |d: DeviceIx| shape.device(d).is_some_and(crate::system::Device::is_scale_up_switch);
        for l in shape.link_ixs() {
            let Some(link) = shape.link(l) else { continue };
            match (place.get(&link.a), place.get(&link.b)) {
                (Some(a), Some(b)) => up.direct.push((l, *a.min(b), *a.max(b))),
                (Some(_), None) if chip(link.b) => up.spokes.push(l),
                (None, Some(_)) if chip(link.a) => up.spokes.push(l),
                (None, None) if chip(link.a) && chip(link.b) => up.trunks.push(l),
                _ => {}
            }
        }
        let served = |d: DeviceIx| up.spokes.iter().any(|l| shape.link(*l).is_some_and(|l| l.a == d || l.b == d));
        up.chips = shape.scale_up_switches().filter(|d| served(*d)).collect();
        let chips = up.chips.clone();
        up.trunks.retain(|l| shape.link(*l).is_some_and(|l| chips.contains(&l.a) && chips.contains(&l.b)));
        up
    }

    /// Links that are drawn by the form; others are listed.
    pub(super) fn form(&self, look: &Look) -> Form {
        if !self.spokes.is_empty() {
            return Form::Crossbar;
        }
        if self.direct.is_empty() {
            return Form::None;
        }
        let spans: Vec<(usize, usize)> = self.direct.iter().map(|(_, a, b)| (*a, *b)).collect();
        let paired =
            self.gpus.iter().enumerate().all(|(i, _)| spans.iter().filter(|s| s.0 == i || s.1 == i).count() <= 1);
        if paired || lanes(&spans).iter().max().is_some_and(|m| *m < MOST_LANES) {
            return Form::Brackets;
        }
        let counts = |l: LinkIx| look.shape().link(l).map_or(1, |l| l.count);
        let wires: Vec<(usize, usize, u32)> = self.direct.iter().map(|(l, a, b)| (*a, *b, counts(*l))).collect();
        grid::place(self.gpus.len(), &wires).map_or(Form::Chart, Form::Grid)
    }

    /// Every scale-up link.
    pub(super) fn links(&self) -> Vec<LinkIx> {
        let direct = self.direct.iter().map(|d| d.0);
        self.spokes.iter().chain(&self.trunks).copied().chain(direct).collect()
    }

    /// What the family is called, for the title: `NVLink 4`.
    pub(super) fn family(&self, look: &Look) -> String {
        let first = self.spokes.first().copied().or_else(|| self.direct.first().map(|d| d.0));
        let link = first.and_then(|l| look.shape().link(l)).filter(|l| tier_of(l.kind.family) == Tier::ScaleUp);
        link.map_or_else(|| "scale-up".to_owned(), |l| l.kind.title.clone())
    }
}

/// The lane of each span: sorted by length, then left end, each in the first lane where it overlaps nothing; ends may
/// touch.
pub(super) fn lanes(spans: &[(usize, usize)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    let key = |i: &usize| spans.get(*i).map(|(a, b)| (b - a, *a));
    order.sort_by_key(key);
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut out = vec![0; spans.len()];
    for i in order {
        let Some(&(a, b)) = spans.get(i) else { continue };
        let free = |row: &Vec<(usize, usize)>| row.iter().all(|(c, d)| b <= *c || *d <= a);
        let lane = taken.iter().position(free).unwrap_or(taken.len());
        if lane == taken.len() {
            taken.push(Vec::new());
        }
        if let (Some(row), Some(slot)) = (taken.get_mut(lane), out.get_mut(i)) {
            row.push((a, b));
            *slot = lane;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::lanes;

    #[test]
    fn short_brackets_lie_above_long_ones_and_ends_may_touch() {
        assert_eq!(lanes(&[(0, 1), (1, 2), (2, 3), (0, 3)]), [0, 0, 0, 1]);
        assert_eq!(lanes(&[(0, 2), (1, 3)]), [0, 1]);
        assert_eq!(lanes(&[]), [0; 0]);
    }
}
