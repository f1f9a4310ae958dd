//! Two machines side by side: their tiers, every collective at the present size, and what that comes to in a sentence.

use super::App;
use super::answers::answer;
use crate::cost::Answer;
use crate::question::{Collective, Question};
use crate::system::{System, Tier};
use crate::units::{Bandwidth, Time, counted, significant};

/// Ratios nearer to 1 than this are "the same".
const SAME: f64 = 0.005;

/// A tier of one machine: what it is made of, and what software reaches on one GPU's share, per direction.
#[derive(Debug, Clone, PartialEq)]
pub struct TierSide {
    /// What it is made of.
    pub link: String,
    /// What software reaches, GB/s per direction.
    pub usable: Bandwidth,
}

/// A collective on one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSide {
    /// Time of one call.
    pub time: Time,
    /// nccl-tests' bus bandwidth.
    pub busbw: Bandwidth,
    /// `ring simple`.
    pub method: String,
    /// What binds.
    pub bottleneck: String,
    /// Ranks of a group.
    pub ranks: u64,
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareRow {
    /// A tier; a machine without it has none.
    Tier(Tier, Option<TierSide>, Option<TierSide>),
    /// A collective; the error is why a machine has no time.
    Collective(Collective, Result<TimeSide, String>, Result<TimeSide, String>),
}

impl CompareRow {
    /// What a filter looks at: the name, and what it is made of or how it is done.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Tier(tier, a, b) => {
                let link = |t: &Option<TierSide>| t.as_ref().map_or("none".to_owned(), |t| t.link.clone());
                format!("{} {} {}", tier.name(), link(a), link(b))
            }
            Self::Collective(collective, a, b) => {
                let method = |t: &Result<TimeSide, String>| t.as_ref().map_or_else(Clone::clone, |t| t.method.clone());
                format!("{} {} {}", collective.name(), method(a), method(b))
            }
        }
    }

    /// How many times as fast the right one is; above 1 the right one wins.
    pub fn ratio(&self) -> Option<f64> {
        let ratio = match self {
            Self::Tier(_, Some(a), Some(b)) => (b.usable / a.usable).ratio(),
            Self::Collective(_, Ok(a), Ok(b)) => (a.time / b.time).ratio(),
            _ => return None,
        };
        ratio.is_finite().then_some(ratio)
    }
}

/// Two machines side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Their names.
    pub names: [String; 2],
    /// True for two systems, false for a baseline and what was made of it.
    pub two_systems: bool,
    /// Tiers first, then collectives.
    pub rows: Vec<CompareRow>,
    /// What it comes to.
    pub verdict: String,
}

impl Comparison {
    /// The baseline against the machine now, or the machine now against another system.
    pub(super) fn new(app: &App) -> Self {
        let now = app.system();
        let (left, right, names) = match &app.reports.other {
            Some(other) => (now, other, [named(app), other.name.clone()]),
            None => (app.history.baseline(), now, ["baseline".to_owned(), "what-if".to_owned()]),
        };
        let mut rows = tiers(left, right);
        rows.extend(Collective::ALL.iter().map(|c| {
            let q = of(&app.question, *c);
            CompareRow::Collective(*c, side(left, &q), side(right, &q))
        }));
        let two_systems = app.reports.other.is_some();
        let idle = !two_systems && !app.history.differs();
        let verdict = if idle { nothing() } else { verdict(&names, &rows, &app.question) };
        Self { names, two_systems, rows, verdict }
    }
}

/// The system's name, marked where it was edited.
fn named(app: &App) -> String {
    let mark = if app.history.done().iter().any(|e| e.enabled) { "*" } else { "" };
    format!("{}{mark}", app.system().name)
}

/// The question about another collective: what was forced counts for its own alone.
fn of(q: &Question, collective: Collective) -> Question {
    if q.collective == collective { *q } else { Question { collective, algorithm: None, protocol: None, ..*q } }
}

fn side(system: &System, q: &Question) -> Result<TimeSide, String> {
    match answer(system, q).0 {
        Answer::Estimate(e) => Ok(TimeSide {
            time: e.time,
            busbw: e.busbw(),
            method: format!("{} {}", e.chosen.algorithm, e.chosen.protocol),
            ranks: e.ranks,
            bottleneck: e.bottleneck,
        }),
        Answer::Unreachable(u) => Err(u.to_string()),
    }
}

fn tiers(left: &System, right: &System) -> Vec<CompareRow> {
    let all = [Tier::OnChip, Tier::ScaleUp, Tier::Host, Tier::ScaleOut, Tier::Services];
    let of = |system: &System, tier: Tier| {
        let row = system.tiers().into_iter().find(|t| t.tier == tier)?;
        Some(TierSide { link: row.link, usable: row.usable })
    };
    let row = |tier| CompareRow::Tier(tier, of(left, tier), of(right, tier));
    all.map(row).into_iter().filter(|r| !matches!(r, CompareRow::Tier(_, None, None))).collect()
}

fn nothing() -> String {
    "Nothing differs from the baseline: make an edit, or choose another system with o.".to_owned()
}

/// `1.9 times as fast`, `as fast`, `2.1 times as long`.
fn speed(ratio: f64) -> String {
    match ratio {
        r if (r - 1.0).abs() < SAME => "takes the same time".to_owned(),
        r if r > 1.0 => format!("is {} times as fast", significant(r)),
        r => format!("takes {} times as long", significant(1.0 / r)),
    }
}

/// What it comes to: the asked collective, the extremes of the others, and whether they are asked of equally many ranks.
fn verdict(names: &[String; 2], rows: &[CompareRow], q: &Question) -> String {
    let collectives = rows.iter().filter_map(|r| match r {
        CompareRow::Collective(c, ..) => Some((*c, r)),
        CompareRow::Tier(..) => None,
    });
    let all: Vec<(Collective, &CompareRow)> = collectives.collect();
    let Some((_, own)) = all.iter().find(|(c, _)| *c == q.collective) else { return String::new() };
    let head = match own {
        CompareRow::Collective(_, Err(_), _) => format!("{} has no time for {}", names[0], q.collective),
        CompareRow::Collective(_, _, Err(_)) => format!("{} has no time for {}", names[1], q.collective),
        _ => format!("{} of {}: {} {}", q.collective, q.size, names[1], speed(own.ratio().unwrap_or(1.0))),
    };
    format!("{head}{}{}.", extremes(&all), ranks(names, own))
}

fn extremes(all: &[(Collective, &CompareRow)]) -> String {
    let mut ratios: Vec<(f64, Collective)> = all.iter().filter_map(|(c, r)| Some((r.ratio()?, *c))).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    match (ratios.first(), ratios.last()) {
        (Some((low, _)), Some((high, _))) if high - low < 2.0 * SAME => ", like all others".to_owned(),
        (Some((low, worst)), Some((high, best))) => {
            format!("; least for {worst}, which {}, best for {best}, which {}", speed(*low), speed(*high))
        }
        _ => String::new(),
    }
}

fn ranks(names: &[String; 2], own: &CompareRow) -> String {
    match own {
        CompareRow::Collective(_, Ok(a), Ok(b)) if a.ranks != b.ranks => {
            format!(". Note: {} has {}, {} has {}", names[0], counted(a.ranks, "rank"), names[1], b.ranks)
        }
        _ => String::new(),
    }
}
