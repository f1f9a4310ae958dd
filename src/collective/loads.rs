//! Bytes on every link and direction of a unit, by who moves them.

use super::Runs;
use crate::system::LinkIx;

/// Who moves the bytes: the usable share of a wire depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Via {
    /// GPU kernels, straight into the peer's memory.
    Peer,
    /// GPU kernels through host memory.
    Host,
    /// The NIC, straight from and to GPU memory.
    Nic,
    /// The NIC, from and to host memory.
    NicHost,
    /// The reduction engine of a scale-up switch.
    Reduce,
}

impl Via {
    /// All of them, in storage order.
    pub const ALL: [Self; 5] = [Self::Peer, Self::Host, Self::Nic, Self::NicHost, Self::Reduce];
}

/// Bytes per byte of the message on each link and direction, by mover.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loads {
    links: usize,
    by_via: [Vec<f64>; 5],
}

impl Loads {
    /// Nothing yet, for a unit of so many link bundles.
    pub fn new(links: usize) -> Self {
        Self { links, by_via: Default::default() }
    }

    /// Adds bytes on a link; `forward` is from its first end to its second.
    pub fn add(&mut self, link: LinkIx, forward: bool, via: Via, bytes: f64) {
        let Some(list) = self.by_via.get_mut(via as usize) else { return };
        if list.is_empty() {
            *list = vec![0.0; self.links * 2];
        }
        if let Some(cell) = list.get_mut(slot(link, forward)) {
            *cell += bytes;
        }
    }

    /// Bytes on a link and direction, all movers together.
    pub fn bytes(&self, link: LinkIx, forward: bool) -> f64 {
        self.by_via.iter().filter_map(|l| l.get(slot(link, forward))).sum()
    }

    /// All loads by mover: link, direction, bytes; only those that are not zero.
    pub fn iter(&self) -> impl Iterator<Item = (LinkIx, bool, Via, f64)> + '_ {
        Via::ALL.into_iter().zip(&self.by_via).flat_map(|(via, list)| {
            list.iter()
                .enumerate()
                .filter(|(_, b)| **b > 0.0)
                .map(move |(i, b)| (LinkIx((i / 2) as u32), i % 2 == 0, via, *b))
        })
    }

    /// The loads of every mover that moves anything, by [`slot`].
    pub(crate) fn lists(&self) -> impl Iterator<Item = (Via, &[f64])> {
        Via::ALL
            .into_iter()
            .zip(&self.by_via)
            .filter(|(_, list)| !list.is_empty())
            .map(|(v, list)| (v, list.as_slice()))
    }

    /// Every load times a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.by_via.iter_mut().flatten().for_each(|b| *b *= factor);
        self
    }
}

/// Loads that are kept for long: equal ones as runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Packed([Runs; 5]);

impl Packed {
    /// See [`Loads::iter`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = (LinkIx, bool, Via, f64)> + '_ {
        Via::ALL.into_iter().zip(&self.0).flat_map(|(via, list)| {
            let all = list.iter().enumerate().filter(|(_, b)| *b > 0.0);
            all.map(move |(i, b)| (LinkIx((i / 2) as u32), i % 2 == 0, via, b))
        })
    }

    /// The bytes on a link and direction of each mover that moves any.
    pub(crate) fn on(&self, link: LinkIx, forward: bool) -> impl Iterator<Item = (Via, f64)> + '_ {
        let here = move |list: &Runs| list.get(slot(link, forward)).filter(|b| *b > 0.0);
        Via::ALL.into_iter().zip(&self.0).filter_map(move |(via, list)| here(list).map(|b| (via, b)))
    }
}

impl From<&Loads> for Packed {
    fn from(loads: &Loads) -> Self {
        let lists = &loads.by_via;
        Self(std::array::from_fn(|i| lists.get(i).into_iter().flatten().copied().collect()))
    }
}

/// Position of a link and direction in a dense list.
pub(crate) const fn slot(link: LinkIx, forward: bool) -> usize {
    link.0 as usize * 2 + if forward { 0 } else { 1 }
}
