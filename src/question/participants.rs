//! From a group to the ranks of every unit: which GPUs of a unit belong together, and how many units a group spans.

use super::Group;
use crate::system::{DeviceIx, System, UnitClass};

/// The groups as one unit of a class sees them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ClassGroups {
    /// One list of GPUs per group that has ranks in this unit. All lists are busy at the same time.
    pub local: Vec<Vec<DeviceIx>>,
}

/// Who takes part, in the terms of the cost model.
#[derive(Debug, Clone, PartialEq)]
pub struct Participants {
    /// Ranks of the largest group.
    pub ranks: u64,
    /// Groups that run at the same time.
    pub groups: u64,
    /// Scale-up units that one group spans.
    pub units: u32,
    /// Distance between the units of a group: 1 for neighbours.
    pub unit_step: u32,
    /// Nodes (hosts) that one group spans.
    pub nodes: u64,
    /// Ranks of a group in its fullest unit.
    pub per_unit: u32,
    /// The same per class of units, in the order of the system's classes; empty for a class with no rank left.
    pub classes: Vec<ClassGroups>,
}

/// Why a question makes no sense on a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Nobody is left to take part.
    #[error("no rank takes part: every GPU is out")]
    NoRanks,
    /// The stride and count do not fit the ranks.
    #[error("group {group} does not fit {ranks} ranks of {per_unit} per unit; {expected}")]
    DoesNotFit {
        /// The group as written.
        group: String,
        /// Ranks in all.
        ranks: u64,
        /// Ranks per unit.
        per_unit: u32,
        /// What would fit.
        expected: String,
    },
}

impl Group {
    /// Resolves the group on a system.
    pub fn participants(self, system: &System) -> Result<Participants, QuestionError> {
        let per_unit = system.ranks_per_unit();
        let plan = Plan::of(self, system, per_unit)?;
        let classes: Vec<ClassGroups> = system.classes.iter().map(|c| plan.in_class(c, system.gpus_used)).collect();
        let all: u64 = system.classes.iter().zip(&classes).map(|(c, g)| c.members.len() * g.ranks()).sum();
        if all == 0 {
            return Err(QuestionError::NoRanks);
        }
        let fullest = classes.iter().flat_map(|c| &c.local).map(Vec::len).max().unwrap_or(0);
        let busy: u64 =
            system.classes.iter().zip(&classes).filter(|(_, g)| g.ranks() > 0).map(|(c, _)| c.members.len()).sum();
        let units = if plan.units == system.units { busy as u32 } else { plan.units };
        let ranks = if self == Self::All { all } else { fullest as u64 * u64::from(units) };
        Ok(Participants {
            ranks,
            groups: plan.groups,
            units: units.max(1),
            unit_step: plan.step,
            nodes: plan.nodes(units, system),
            per_unit: fullest as u32,
            classes,
        })
    }
}

impl ClassGroups {
    /// Ranks in one unit.
    pub fn ranks(&self) -> u64 {
        self.local.iter().map(|l| l.len() as u64).sum()
    }
}

/// How a group lies on units: positions inside a unit, and units spanned.
struct Plan {
    local: Vec<Vec<u32>>,
    units: u32,
    step: u32,
    groups: u64,
}

impl Plan {
    fn of(group: Group, system: &System, per_unit: u32) -> Result<Self, QuestionError> {
        let per_node = per_node(system);
        let (all, units) = ((0..per_unit).collect::<Vec<u32>>(), system.units);
        Ok(match group {
            Group::All => Self { local: vec![all], units, step: 1, groups: 1 },
            Group::Node => {
                let local: Vec<Vec<u32>> = all.chunks(per_node as usize).map(<[u32]>::to_vec).collect();
                Self { groups: local.len() as u64 * u64::from(units), local, units: 1, step: 1 }
            }
            Group::Rail => {
                let column = |k: u32| (k..per_unit).step_by(per_node as usize).collect::<Vec<u32>>();
                let local: Vec<Vec<u32>> = (0..per_node.min(per_unit)).map(column).collect();
                Self { groups: local.len() as u64, local, units, step: 1 }
            }
            Group::Strided { stride, count } => Self::strided(group, stride, count, system, per_unit)?,
        })
    }

    fn strided(group: Group, stride: u32, count: u32, system: &System, per_unit: u32) -> Result<Self, QuestionError> {
        let ranks = u64::from(per_unit) * u64::from(system.units);
        let fail = |expected: String| QuestionError::DoesNotFit { group: group.to_string(), ranks, per_unit, expected };
        let block = u64::from(stride) * u64::from(count);
        let unit = u64::from(per_unit.max(1));
        if block == 0 || block > ranks || ranks % block != 0 {
            return Err(fail(format!("stride times count must divide {ranks}")));
        }
        let groups = ranks / u64::from(count);
        if unit % block == 0 {
            let member = |b: u64, o: u32| (0..count).map(|k| b as u32 * block as u32 + o + k * stride).collect();
            let local = (0..unit / block).flat_map(|b| (0..stride).map(move |o| member(b, o))).collect();
            return Ok(Self { local, units: 1, step: 1, groups });
        }
        if block % unit != 0 {
            return Err(fail(format!("stride times count must be a multiple or a divisor of {per_unit}")));
        }
        if stride <= per_unit && per_unit.is_multiple_of(stride) {
            let member = |o: u32| (o..per_unit).step_by(stride as usize).collect();
            return Ok(Self {
                local: (0..stride).map(member).collect(),
                units: (block / unit) as u32,
                step: 1,
                groups,
            });
        }
        if stride.is_multiple_of(per_unit) {
            let local = (0..per_unit).map(|o| vec![o]).collect();
            return Ok(Self { local, units: count, step: stride / per_unit, groups });
        }
        Err(fail(format!("the stride must be a divisor or a multiple of {per_unit}")))
    }

    fn in_class(&self, class: &UnitClass, used: Option<u32>) -> ClassGroups {
        let gpus = class.shape.gpus();
        let limit = used.map_or(gpus.len(), |n| n as usize);
        let pick =
            |i: &u32| gpus.get(*i as usize).copied().filter(|g| (*i as usize) < limit && class.health.device_up(*g));
        let local = self.local.iter().map(|l| l.iter().filter_map(pick).collect::<Vec<_>>());
        ClassGroups { local: local.filter(|l| !l.is_empty()).collect() }
    }

    /// Hosts that one group touches, for the report.
    fn nodes(&self, units: u32, system: &System) -> u64 {
        let per_node = per_node(system);
        let first = self.local.first().map_or(&[][..], Vec::as_slice);
        let mut hosts: Vec<u32> = first.iter().map(|i| i / per_node).collect();
        hosts.dedup();
        (hosts.len() as u64).max(1) * u64::from(units.max(1))
    }
}

/// GPUs of one node (host), whether they take part or not: `set gpus = 4` in a rack takes the first tray's.
fn per_node(system: &System) -> u32 {
    let all = system.classes.first().map_or(0, |c| c.shape.gpus().len() as u32);
    (all / system.nodes_per_unit.max(1)).max(1)
}
