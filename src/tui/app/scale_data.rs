//! The data of the scaling: the same question on ever more nodes (racks, in a rack system), for several sizes.

use crate::cost::{Answer, Estimate, Prepared};
use crate::question::Question;
use crate::scenario::{Context, Edit, Entry, History, Key, Value, apply};
use crate::system::System;
use crate::units::{Bytes, Share};

/// No more GPUs than this: what one job of today may use.
const MOST_RANKS: u64 = 131_072;

/// The further sizes, as multiples of the question's own.
const SIZES: [f64; 3] = [1.0 / 4096.0, 1.0 / 64.0, 16.0];

/// Smallest and largest of them.
const SPAN: (Bytes, Bytes) = (Bytes::from_u64(8), Bytes::from_gib(64.0));

/// One number of units.
#[derive(Debug, Clone)]
pub struct ScaleRow {
    /// Nodes, or racks.
    pub units: u32,
    /// Answers, in the order of [`Scaling::sizes`]; `None` where there is none.
    pub answers: Vec<Option<Estimate>>,
    /// The baseline's answer on as many units, at the question's own size, where something differs from it.
    pub baseline: Option<Estimate>,
}

/// What is known about the scaling.
#[derive(Debug, Clone)]
pub struct Scaling {
    /// The question's size first, then the others, rising.
    pub sizes: Vec<Bytes>,
    /// Rising numbers of units.
    pub rows: Vec<ScaleRow>,
    /// Why there are no more rows.
    pub ends: String,
}

impl Scaling {
    /// Works everything out.
    pub(super) fn new(history: &History, question: &Question) -> Self {
        let sizes = all_sizes(question);
        let mut rows = Vec::new();
        let mut ends = format!("ends at {MOST_RANKS} GPUs");
        for units in counts(history) {
            match row(history, question, &sizes, units) {
                Ok(row) => rows.push(row),
                Err(reason) => {
                    ends = reason;
                    break;
                }
            }
        }
        Self { sizes, rows, ends }
    }

    /// The stop nearest to a number of units.
    pub(super) fn nearest(&self, units: u32) -> u32 {
        self.rows.iter().map(|r| r.units).min_by_key(|u| u.abs_diff(units)).unwrap_or(units)
    }

    /// The row of a number of units.
    pub fn row(&self, units: u32) -> Option<&ScaleRow> {
        self.rows.iter().find(|r| r.units == units)
    }

    /// Bus bandwidth at a size as a share of that on the fewest units that have any.
    pub fn efficiency(&self, size: usize, e: &Estimate) -> Option<Share> {
        let mut all = self.rows.iter().filter_map(|r| r.answers.get(size)?.as_ref());
        let first = all.find(|e| e.busbw().is_usable())?;
        let share = e.busbw().gbytes_per_s() / first.busbw().gbytes_per_s();
        share.is_finite().then_some(Share::new(share))
    }
}

fn all_sizes(question: &Question) -> Vec<Bytes> {
    let own = Bytes::from_u64(question.size.to_u64().max(1));
    let mut all = vec![own];
    for size in SIZES.map(|k| Bytes::from_u64((own * k).to_u64())) {
        if size.get() >= SPAN.0.get() && size.get() <= SPAN.1.get() && size != own {
            all.push(size);
        }
    }
    all
}

/// Powers of two, and the present number.
fn counts(history: &History) -> Vec<u32> {
    let system = history.system();
    let per = u64::from(system.ranks_per_unit().max(1));
    let most = (MOST_RANKS / per).max(1);
    let mut all: Vec<u32> = (0..31).map(|i| 1u32 << i).filter(|n| u64::from(*n) <= most).collect();
    all.push(system.units);
    all.sort_unstable();
    all.dedup();
    all
}

/// The edit that gives a system so many units.
pub(crate) const fn size_edit(is_rack: bool, units: u32) -> Edit {
    Edit::set(if is_rack { Key::Racks } else { Key::Nodes }, Value::Count(units))
}

fn row(history: &History, question: &Question, sizes: &[Bytes], units: u32) -> Result<ScaleRow, String> {
    let system = history.system();
    let mut trial = history.clone();
    if units != system.units {
        trial.try_push(size_edit(system.is_rack, units)).map_err(|e| e.reason)?;
    }
    let system = trial.system();
    let baseline = if history.differs() { baseline(history.baseline(), question, units) } else { None };
    let answers = match Prepared::participants(system, question.group) {
        Err(_) => vec![None; sizes.len()],
        Ok(who) => {
            let prepared = Prepared::new(system, &who);
            let one = |s: &Bytes| match prepared.answer(&question.at_size(*s)) {
                Answer::Estimate(e) => Some(*e),
                Answer::Unreachable(_) => None,
            };
            sizes.iter().map(one).collect()
        }
    };
    Ok(ScaleRow { units, answers, baseline })
}

/// The baseline's answer on so many units.
fn baseline(system: &System, question: &Question, units: u32) -> Option<Estimate> {
    let edit = Entry { edit: size_edit(system.is_rack, units), enabled: true };
    let sized = apply(system, &[edit], &Context::default()).system;
    if sized.units != units {
        return None;
    }
    super::answers::answer(&sized, question).0.estimate().cloned()
}
