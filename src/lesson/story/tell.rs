//! What the engine says about one machine of the story.

use super::{Job, Stage};
use crate::cost::{Answer, Estimate, Prepared};
use crate::measure::impact::{self, Kind, Limits, RESOLUTION};
use crate::preset;
use crate::question::{Collective, Question};
use crate::scenario::{Context, Entry, Outcome, apply};
use crate::system::{DeviceKind, System, Tier, TierRow};
use crate::units::{Bytes, Share, Time};

/// A tier of a machine, and what is new about it.
#[derive(Debug, Clone, PartialEq)]
pub struct TierLine {
    /// The tier.
    pub row: TierRow,
    /// What the stage before had there, if it is not the same; `None` for the same.
    pub before: Option<Before>,
}

/// What a tier was before.
#[derive(Debug, Clone, PartialEq)]
pub enum Before {
    /// It was not there, or nothing went over it.
    Nothing,
    /// It was another one.
    Other(String),
}

/// A better part, and what it would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Better {
    /// The change, as an edit.
    pub edit: String,
    /// All-reduce with it.
    pub time: Time,
    /// Change of its time: negative is faster.
    pub change: Share,
    /// Share of communication in a step with it.
    pub share: Share,
    /// Share of a step that it saves.
    pub saves: Share,
}

/// What the next purchase should mend.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// There is no communication to make faster.
    MoreGpus,
    /// The single better part that gains most: a step is shorter by more than the model's resolution.
    Part(Better),
    /// Compute: no single better part makes a step shorter by more than that.
    Compute {
        /// The one that gains most, if any gains.
        best: Option<Better>,
        /// Share of communication in a step with twice the tokens per GPU.
        twice: Share,
    },
}

/// One machine of the story, told.
#[derive(Debug, Clone)]
pub struct Told {
    /// The stage.
    pub stage: Stage,
    /// The machine.
    pub system: System,
    /// GPUs that train.
    pub ranks: u64,
    /// Hosts that they are in.
    pub nodes: u64,
    /// The tiers that carry something.
    pub tiers: Vec<TierLine>,
    /// Name of the GPU.
    pub gpu: String,
    /// Its dense bf16 peak, TFLOP/s, and where that comes from.
    pub peak: (f64, String),
    /// Memory of a GPU.
    pub memory: Bytes,
    /// Compute of a step.
    pub compute: Time,
    /// The all-reduce; `None` for one GPU.
    pub all_reduce: Option<Estimate>,
    /// Tokens per second of all GPUs.
    pub tokens: f64,
    /// GPUs and tokens per second as multiples of the stage before.
    pub growth: Option<(f64, f64)>,
    /// What the next purchase should mend.
    pub next: Next,
}

impl Told {
    /// Time of the all-reduce.
    pub fn communication(&self) -> Time {
        self.all_reduce.as_ref().map_or(Time::ZERO, |e| e.time)
    }

    /// Time of a step: compute, then communication.
    pub fn step(&self) -> Time {
        self.compute + self.communication()
    }

    /// Share of communication in a step.
    pub fn share(&self) -> Share {
        self.communication() / self.step()
    }
}

/// Tells a stage after the one before.
pub(super) fn tell(job: &Job, stage: &Stage, before: Option<&Told>) -> Result<Told, String> {
    let system = machine(stage)?;
    let question = Question::new(Collective::AllReduce, job.gradients());
    let who = Prepared::participants(&system, question.group).map_err(|u| u.to_string())?;
    let answer = Prepared::new(&system, &who).answer(&question);
    let all_reduce = match answer {
        Answer::Estimate(e) if e.ranks > 1 => Some(*e),
        Answer::Estimate(_) => None,
        Answer::Unreachable(u) => return Err(format!("stage {:?}: {u}", stage.name)),
    };
    let (gpu, peak, memory) = gpu(&system, stage)?;
    let flop = job.flop * job.parameters * job.tokens;
    // TFLOP/s to operations per microsecond.
    let compute = Time::from_us(flop / (peak.0 * 1e6 * job.utilisation.ratio()));
    let next = match &all_reduce {
        None => Next::MoreGpus,
        Some(e) => next(&system, &question, compute, e.time)?,
    };
    let mut told = Told {
        stage: stage.clone(),
        ranks: who.ranks,
        nodes: who.nodes,
        tiers: Vec::new(),
        gpu,
        peak,
        memory,
        compute,
        all_reduce,
        tokens: 0.0,
        growth: None,
        next,
        system,
    };
    told.tiers = tiers(&told, before);
    told.tokens = told.ranks as f64 * job.tokens / told.step().us() * 1e6;
    told.growth = before.map(|b| (told.ranks as f64 / b.ranks as f64, told.tokens / b.tokens));
    Ok(told)
}

/// The machine of a stage.
fn machine(stage: &Stage) -> Result<System, String> {
    let base = preset::load_shipped(&stage.system).map_err(|e| e.to_string())?;
    let entries: Vec<Entry> = stage.edits.iter().map(|e| Entry { edit: e.clone(), enabled: true }).collect();
    let applied = apply(&base, &entries, &Context::default());
    for (entry, outcome) in entries.iter().zip(&applied.outcomes) {
        if let Outcome::Inert { reason } = outcome {
            return Err(format!("stage {:?}: {}: {reason}", stage.name, entry.edit));
        }
    }
    Ok(applied.system)
}

/// Name, peak and memory of the machine's GPUs.
fn gpu(system: &System, stage: &Stage) -> Result<(String, (f64, String), Bytes), String> {
    let part = system.classes.first().and_then(|c| {
        let device = c.shape.gpus().first().and_then(|g| c.shape.device(*g))?;
        if let DeviceKind::Gpu(part) = &device.kind { Some(part.clone()) } else { None }
    });
    let part = part.ok_or_else(|| format!("stage {:?}: it has no GPU", stage.name))?;
    let Some(peak) = &part.tflops else {
        return Err(format!("stage {:?}: the catalogue has no compute rate of {}", stage.name, part.title));
    };
    Ok((part.title.clone(), (peak.is, peak.from.to_string()), part.memory))
}

/// The tiers that the step uses, with what is new about them.
fn tiers(told: &Told, before: Option<&Told>) -> Vec<TierLine> {
    let used = |t: Tier| {
        let moved = |e: &Estimate| e.tiers.iter().any(|u| u.tier == t);
        t == Tier::OnChip || told.all_reduce.as_ref().is_some_and(moved)
    };
    let rows = told.system.tiers();
    let line = |row: TierRow| {
        let old = before.map(|b| b.tiers.iter().find(|l| l.row.tier == row.tier));
        let before = match old {
            None => None,
            Some(None) => Some(Before::Nothing),
            Some(Some(l)) if l.row.link == row.link => None,
            Some(Some(l)) => Some(Before::Other(l.row.link.clone())),
        };
        TierLine { row, before }
    };
    rows.into_iter().filter(|r| used(r.tier)).map(line).collect()
}

/// What shortens a step most: the single better part that makes the all-reduce fastest, as the impact screen ranks them, or,
/// where that saves less than the model can tell, compute.
fn next(system: &System, question: &Question, compute: Time, now: Time) -> Result<Next, String> {
    let all = impact::impact(system, question, Limits { classes: 0 }).map_err(|u| u.to_string())?;
    let step = compute + now;
    let better = |r: &impact::Impact| {
        let (time, change) = (r.time?, r.change?);
        let saves = (now - time) / step;
        Some(Better { edit: r.edit.to_string(), time, change, share: time / (compute + time), saves })
    };
    let parts = all.rows.iter().filter(|r| r.kind == Kind::Upgrade).filter_map(better);
    let best = parts.min_by(|a, b| a.time.us().total_cmp(&b.time.us())).filter(|b| b.saves.ratio() > 0.0);
    Ok(match best {
        Some(b) if b.saves > RESOLUTION => Next::Part(b),
        best => Next::Compute { best, twice: now / (compute * 2.0 + now) },
    })
}
