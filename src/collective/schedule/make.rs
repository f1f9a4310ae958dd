//! From a plan to a schedule: the groups, their lanes, and which units are shown.

use super::super::{Pattern, Router, Unit};
use super::lanes::lanes;
use super::local::Local;
use super::members::Members;
use super::{Above, Cut, GroupPlan, Kind, Plan, Schedule, tree};
use crate::question::{ClassGroups, Collective, Participants};
use crate::system::{Algorithm, ClassIx, DeviceIx, System, UnitClass};

/// Up to so many units and ranks all units are shown.
const ALL_UNITS: u32 = 16;
/// See above.
const ALL_RANKS: u64 = 128;

pub(super) fn schedule(system: &System, who: &Participants, plan: &Plan<'_>) -> Option<Schedule> {
    if plan.uses.is_empty() || who.ranks < 2 {
        return None;
    }
    let kind = kind(who, plan)?;
    let members = Members::new(system, who, plan.focus);
    let patterns: Vec<Pattern> = plan.uses.iter().map(|u| u.0).collect();
    let mut made = Schedule {
        collective: plan.collective,
        kind,
        size: plan.size,
        uses: plan.uses.to_vec(),
        groups: Vec::new(),
        locals: Vec::new(),
        cut: Cut::default(),
    };
    let present = |class: &usize| members.first_of(ClassIx(*class)).is_some();
    let classes: Vec<usize> = (0..system.classes.len()).filter(present).collect();
    let count = classes.iter().filter_map(|c| who.classes.get(*c)).map(|g| g.local.len()).max().unwrap_or(0);
    for group in 0..count {
        let mut locals = vec![None; system.classes.len()];
        for c in &classes {
            let (Some(class), Some(groups)) = (system.classes.get(*c), who.classes.get(*c)) else { continue };
            let Some(gpus) = of_group(class, groups, group, count) else { continue };
            let router = Router::new(Unit::of(system, class));
            let local = Local::new(&router, gpus, &patterns, patterns.contains(&Pattern::Ring))?;
            if let Some(cell) = locals.get_mut(*c) {
                *cell = Some(made.locals.len());
            }
            made.locals.push(local);
        }
        let members = members.clone().only(|c| locals.get(c.0).is_some_and(Option::is_some));
        let plan = group_plan(&made, members, locals, plan.focus);
        made.groups.push(plan);
    }
    let edges: Vec<Vec<Vec<u64>>> = made.groups.iter().map(|g| made.edges(g)).collect();
    for (g, edges) in made.groups.iter_mut().zip(edges) {
        g.edges = edges;
    }
    // A class may have lost GPUs of one group: the first group is the one that shows every step.
    let mut order: Vec<(u64, GroupPlan)> = made.groups.iter().map(|g| (made.steps_of(g), g.clone())).collect();
    order.sort_by_key(|(steps, _)| std::cmp::Reverse(*steps));
    made.groups = order.into_iter().map(|(_, g)| g).collect();
    Some(made)
}

fn kind(who: &Participants, plan: &Plan<'_>) -> Option<Kind> {
    let uses = |p: Pattern| plan.uses.iter().any(|u| u.0 == p);
    let closed = uses(Pattern::Ring) || who.units > 1;
    Some(match (plan.collective, plan.algorithm) {
        (Collective::AllReduce, Algorithm::Tree) => Kind::Tree,
        (Collective::AllReduce, Algorithm::Nvls) => Kind::Switch(Above::Nothing),
        (Collective::AllReduce, Algorithm::NvlsTree) => Kind::Switch(Above::Tree),
        (Collective::AllReduce, Algorithm::Collnet) => Kind::Switch(Above::Fabric),
        (Collective::AllReduce, Algorithm::Ring) => Kind::Ring { scatter: true, gather: true },
        (Collective::ReduceScatter, Algorithm::Ring) => Kind::Ring { scatter: true, gather: false },
        (Collective::AllGather, Algorithm::Ring) => Kind::Ring { scatter: false, gather: true },
        (Collective::Broadcast, Algorithm::Ring) => Kind::Chain { adds: false, closed },
        (Collective::Reduce, Algorithm::Ring) => Kind::Chain { adds: true, closed },
        (Collective::AllToAll, _) => Kind::Pairs,
        (Collective::SendRecv, _) => Kind::Shift,
        _ => return None,
    })
}

/// The GPUs of a group in a class: groups are told apart by the place of their first GPU, since a class may have lost one.
fn of_group<'g>(class: &UnitClass, groups: &'g ClassGroups, group: usize, count: usize) -> Option<&'g [DeviceIx]> {
    if groups.local.len() == count {
        return groups.local.get(group).map(Vec::as_slice);
    }
    let at = |l: &&Vec<DeviceIx>| {
        let place = class.shape.gpus().iter().position(|g| l.first() == Some(g));
        place.is_some_and(|p| p % count == group)
    };
    groups.local.iter().find(at).map(Vec::as_slice)
}

fn group_plan(made: &Schedule, members: Members, locals: Vec<Option<usize>>, focus: Option<ClassIx>) -> GroupPlan {
    let of = |i: &Option<usize>| i.and_then(|i| made.locals.get(i));
    let list: Vec<Option<&Local>> = locals.iter().map(of).collect();
    let len = |c: ClassIx| list.get(c.0).copied().flatten().map_or(0, |l| u64::from(l.len()));
    let ranks = members.ranks_before(members.len(), len);
    let widest = list.iter().flatten().map(|l| u64::from(l.len())).max().unwrap_or(0);
    let units = shown(made.kind, &members, ranks, widest, focus);
    let shown = units.into_iter().map(|u| (u, members.ranks_before(u, len))).collect();
    let lanes = lanes(&list);
    GroupPlan { members, locals, lanes, ranks, widest, shown, edges: Vec::new() }
}

/// Which units are shown: all of a few; of many the first ones, or the way from a tree's root to a leaf, and one of the class
/// in focus.
fn shown(kind: Kind, members: &Members, ranks: u64, widest: u64, focus: Option<ClassIx>) -> Vec<u32> {
    let units = members.len();
    if units <= ALL_UNITS && (ranks <= ALL_RANKS || units == 1) {
        return (0..units).collect();
    }
    let few = if widest > 16 { 2 } else { 4 };
    let mut list: Vec<u32> = match kind {
        Kind::Tree | Kind::Switch(Above::Tree) => tree::spine(units),
        _ => (0..few.min(units)).collect(),
    };
    list.extend(focus.and_then(|c| members.first_of(c)));
    list.sort_unstable();
    list.dedup();
    list
}
