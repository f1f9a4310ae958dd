//! The answers on the screen: worked out when something changes, never while drawing.

use super::reading::busier;
use crate::cost::{Answer, Binding, BindingPlace, LinkLoads, Prepared};
use crate::question::Question;
use crate::scenario::{Applied, Edit, History, Outcome};
use crate::system::{ClassIx, FabricTarget, System, Target};
use crate::tui::picture::Marks;

/// Links whose load is this near to the largest are the bottleneck together.
const NEAR_PEAK: f64 = 0.995;

/// What the screen says about the baseline and the machine as it is now.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The baseline's answer.
    pub baseline: Answer,
    /// The answer now.
    pub now: Answer,
    /// Load of every link now.
    pub loads: LinkLoads,
    /// Load of every link of the baseline.
    pub before: LinkLoads,
    /// The class of links with the largest load.
    pub bottleneck: Marks,
    /// What the edits touch.
    pub edited: Marks,
}

impl Answers {
    /// Both answers.
    pub(super) fn new(history: &History, question: &Question) -> Self {
        let (baseline, before) = answer(history.baseline(), question);
        let (now, loads) = answer(history.system(), question);
        let bottleneck = bottleneck(history.system(), &now, &loads);
        Self { baseline, now, loads, before, bottleneck, edited: edited(history.applied(), history) }
    }

    /// The answers after an edit; the baseline's stays.
    pub(super) fn updated(&self, history: &History, question: &Question) -> Self {
        let (now, loads) = answer(history.system(), question);
        let bottleneck = bottleneck(history.system(), &now, &loads);
        let edited = edited(history.applied(), history);
        Self { baseline: self.baseline.clone(), now, loads, before: self.before.clone(), bottleneck, edited }
    }

    /// The time now against the baseline: 1.88 is 88 % slower. `None` when one of them has no time.
    pub fn ratio(&self) -> Option<f64> {
        let (now, then) = (self.now.estimate()?, self.baseline.estimate()?);
        let ratio = now.time / then.time;
        ratio.ratio().is_finite().then_some(ratio.ratio())
    }
}

/// The answer to a question, and the load of every link in it.
pub(super) fn answer(system: &System, question: &Question) -> (Answer, LinkLoads) {
    let who = match Prepared::participants(system, question.group) {
        Ok(who) => who,
        Err(unreachable) => return (Answer::Unreachable(unreachable), LinkLoads::default()),
    };
    let prepared = Prepared::new(system, &who);
    let answer = prepared.answer(question);
    let loads = answer.estimate().map_or_else(LinkLoads::default, |e| LinkLoads::of(&prepared, e));
    (answer, loads)
}

/// The links that set the transfer time, and those as loaded as they.
pub(super) fn bottleneck(system: &System, answer: &Answer, loads: &LinkLoads) -> Marks {
    let mut marks = Marks::default();
    // Where one waits, no link is to blame.
    let chosen = answer.estimate().map(|e| &e.chosen).filter(|c| !c.is_latency_bound());
    let Some(Binding { place, .. }) = chosen.map(|c| c.binding) else { return marks };
    match place {
        BindingPlace::Link { class, link, .. } => {
            marks.first = Some((class, link));
            let full = busier(loads.link(class, link)).ratio() * NEAR_PEAK;
            for (i, c) in system.classes.iter().enumerate() {
                let same = |l: &crate::system::LinkIx| {
                    let load = busier(loads.link(ClassIx(i), *l)).ratio();
                    load > 0.0 && load >= full
                };
                marks.links.extend(c.shape.link_ixs().filter(same).map(|l| (ClassIx(i), l)));
            }
        }
        BindingPlace::Uplink(leaf) => {
            marks.uplinks.insert(leaf);
        }
        BindingPlace::Kernel | BindingPlace::Nothing => {}
    }
    marks
}

/// What the edits that apply name.
fn edited(applied: &Applied, history: &History) -> Marks {
    let mut marks = Marks::default();
    for (entry, outcome) in history.done().iter().zip(&applied.outcomes) {
        if let Outcome::Active { .. } = outcome {
            mark(&mut marks, &applied.system, &entry.edit);
        }
    }
    marks
}

fn mark(marks: &mut Marks, system: &System, edit: &Edit) {
    let Some(Ok(target)) = edit.address().map(|a| a.resolve(system)) else { return };
    let classes = |units: &crate::system::RangeSet| -> Vec<ClassIx> {
        let hit = |c: &crate::system::UnitClass| units.ranges().any(|r| !c.members.intersect(r).is_empty());
        system.classes.iter().enumerate().filter(|(_, c)| hit(c)).map(|(i, _)| ClassIx(i)).collect()
    };
    match target {
        Target::Units(_) => {}
        Target::Devices(p) => {
            for class in classes(&p.units) {
                marks.devices.extend(p.devices.iter().map(|d| (class, *d)));
            }
        }
        Target::Links(p) => {
            for class in classes(&p.units) {
                marks.links.extend(p.links.iter().map(|l| (class, *l)));
            }
        }
        Target::Fabric(FabricTarget::Leaves(l)) => marks.leaves.extend(l),
        Target::Fabric(FabricTarget::Spines(s)) => marks.spines.extend(s),
        Target::Fabric(FabricTarget::Cores(c)) => marks.cores.extend(c),
        Target::Fabric(FabricTarget::Uplinks(u)) => marks.uplinks.extend(u.into_iter().map(|(l, _)| l)),
    }
}
