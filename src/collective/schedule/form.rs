//! The shape of a schedule, for whoever draws it.

use super::{Above, Kind, Rank, Schedule, tree};

/// What kind of way the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Round all ranks.
    Ring,
    /// From rank to rank, to an end.
    Chain,
    /// Chains inside the units, two trees between them.
    Trees,
    /// Into switches that add.
    Switches,
    /// The same inside the units, two trees between them.
    SwitchesAndTrees,
    /// The same inside the units, switches of the fabric between them.
    SwitchesAndFabric,
    /// From everybody to everybody.
    Pairs,
    /// From every rank to the next.
    Shift,
}

/// A unit's place in one of the two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joint {
    /// The unit, counted among the units of its group.
    pub unit: u32,
    /// Who is above it.
    pub parent: Option<u32>,
    /// How far below the root it is.
    pub level: u32,
    /// Its place from left to right, so that no line crosses another.
    pub place: u32,
}

impl Schedule {
    /// What kind of way the data goes.
    pub const fn form(&self) -> Form {
        match self.kind {
            Kind::Ring { .. } => Form::Ring,
            Kind::Chain { .. } => Form::Chain,
            Kind::Tree => Form::Trees,
            Kind::Switch(Above::Nothing) => Form::Switches,
            Kind::Switch(Above::Tree) => Form::SwitchesAndTrees,
            Kind::Switch(Above::Fabric) => Form::SwitchesAndFabric,
            Kind::Pairs => Form::Pairs,
            Kind::Shift => Form::Shift,
        }
    }

    /// The GPUs of a unit in the order in which a lane goes through them, by their places in the group; of pairs and shifts in
    /// rank order.
    pub fn order(&self, group: usize, lane: usize, unit: u32) -> Vec<u32> {
        let Some(g) = self.groups.get(group) else { return Vec::new() };
        let Some((class, local)) = self.local(g, unit) else { return Vec::new() };
        match (self.kind, g.lanes.get(lane)) {
            (Kind::Pairs | Kind::Shift, _) | (_, None) => (0..local.len()).collect(),
            (_, Some(lane)) => local.order(lane.thread(class)).to_vec(),
        }
    }

    /// The unit after one, the first after the last.
    pub fn unit_after(&self, group: usize, unit: u32) -> u32 {
        self.groups.get(group).map_or(0, |g| g.after(unit, 1))
    }

    /// Where a chain starts or ends; `None` for everything else.
    pub fn root(&self, group: usize) -> Option<Rank> {
        let Kind::Chain { adds, closed } = self.kind else { return None };
        self.groups.get(group).map(|g| self.root_rank(g, adds, closed))
    }

    /// The shown units in one of the two trees (0 or 1).
    pub fn joints(&self, group: usize, of: u64) -> Vec<Joint> {
        let Some(g) = self.groups.get(group) else { return Vec::new() };
        tree::joints(g.members.len(), g.shown.iter().map(|s| s.0), of)
    }

    /// The tree (0 or 1) that a piece belongs to; 0 where there are none.
    pub fn tree_of_piece(&self, index: u64) -> u64 {
        let trees = matches!(self.kind, Kind::Tree | Kind::Switch(Above::Tree));
        if trees { index / self.cut.pieces() } else { 0 }
    }
}
