//! A told stage in lines, for the screen and for plain text.

use super::tell::{Before, Next, TierLine, Told};
use super::{Job, Story};
use crate::units::{Share, significant};

/// How a line is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Prose.
    Text,
    /// A tier that is as before.
    Same,
    /// A tier that is new or another one.
    New,
    /// A number that answers.
    Number,
    /// What to buy.
    Next,
    /// Sources and side remarks.
    Remark,
}

/// A line of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// How it is meant.
    pub tone: Tone,
    /// What it says.
    pub text: String,
}

fn line(tone: Tone, text: impl Into<String>) -> Line {
    Line { tone, text: text.into() }
}

impl Told {
    /// Who trains: `8 GPUs (H100 SXM) in 1 node`.
    pub fn who(&self) -> String {
        let s = |n: u64| if n == 1 { "" } else { "s" };
        format!("{} GPU{} ({}) in {} node{}", self.ranks, s(self.ranks), self.gpu, self.nodes, s(self.nodes))
    }

    /// The stage in lines.
    pub fn lines(&self, job: &Job) -> Vec<Line> {
        let mut all = vec![line(Tone::Text, self.stage.text.clone())];
        all.extend(self.tiers.iter().map(tier));
        all.extend(self.sums());
        let fits = if job.needed().get() <= self.memory.get() { "fits into" } else { "does not fit into" };
        let compute = format!(
            "compute {}: {}FLOP per GPU at {} of {} TFLOP/s dense bf16 ({})",
            self.compute,
            scaled(job.flop * job.parameters * job.tokens),
            job.utilisation,
            significant(self.peak.0),
            self.peak.1,
        );
        all.push(line(Tone::Remark, compute));
        let (needed, memory) = (job.needed(), self.memory);
        all.push(line(Tone::Remark, format!("weights and optimizer state: {needed}, which {fits} {memory} of memory")));
        all.push(line(Tone::Number, self.step_words()));
        all.push(line(Tone::Next, self.next_words()));
        all
    }

    /// What summing up the gradients costs.
    fn sums(&self) -> Vec<Line> {
        let Some(e) = &self.all_reduce else {
            return vec![line(Tone::Number, "no all-reduce: one GPU has all gradients")];
        };
        let first = format!("all-reduce of {}: {} ({} to {})", e.question.size, e.time, e.low, e.high);
        let how = format!(
            "by {} {}, busbw {}, what binds: {}; no algorithm can take less than {}",
            e.chosen.algorithm,
            e.chosen.protocol,
            e.busbw(),
            e.bottleneck,
            e.bound
        );
        vec![line(Tone::Number, first), line(Tone::Remark, how)]
    }

    fn step_words(&self) -> String {
        let grown = self.growth.map_or_else(String::new, |(gpus, tokens)| {
            format!(": {} times the stage before, with {} times the GPUs", significant(tokens), significant(gpus))
        });
        let (step, share) = (self.step(), self.share());
        format!("a step takes {step}, {share} of it communication; {} tokens per second{grown}", count(self.tokens))
    }

    /// What the next purchase should mend.
    pub fn next_words(&self) -> String {
        match &self.next {
            Next::MoreGpus => "next: more GPUs; there is no communication to make faster".to_owned(),
            Next::Part(b) => format!(
                "next: {}: the all-reduce takes {} ({} %), a step is {} shorter, and communication is {} of it",
                b.edit,
                b.time,
                signed(b.change),
                b.saves,
                b.share
            ),
            Next::Compute { best, twice } => {
                let compute = self.compute / self.step();
                let part = match best {
                    Some(b) => format!("the best single part ({}) would shorten it by {} only", b.edit, b.saves),
                    None => "no single better link or NIC shortens it".to_owned(),
                };
                format!(
                    "next: more GPUs or faster ones: compute is {compute} of a step, and {part}; with twice the tokens per GPU communication would be {twice}"
                )
            }
        }
    }
}

/// A count in words: `4 billion`, `118 thousand`.
pub(super) fn count(x: f64) -> String {
    let names = [(1e9, " billion"), (1e6, " million"), (1e3, " thousand")];
    let fits = names.into_iter().find(|(size, _)| x >= *size);
    fits.map_or_else(|| significant(x), |(size, name)| format!("{}{name}", significant(x / size)))
}

/// Operations with a prefix: `98.3 T`.
fn scaled(x: f64) -> String {
    let prefixes = [(1e15, "P"), (1e12, "T"), (1e9, "G")];
    let fits = prefixes.into_iter().find(|(size, _)| x >= *size);
    fits.map_or_else(|| format!("{} ", significant(x)), |(size, p)| format!("{} {p}", significant(x / size)))
}

fn signed(change: Share) -> String {
    format!("{:+.0}", change.percent())
}

fn tier(t: &TierLine) -> Line {
    let (tone, what) = match &t.before {
        None => (Tone::Same, String::new()),
        Some(Before::Nothing) => (Tone::New, "; new".to_owned()),
        Some(Before::Other(old)) => (Tone::New, format!("; before: {old}")),
    };
    let r = &t.row;
    line(tone, format!("{}: {}, {} line, {} usable per direction{what}", r.tier.name(), r.link, r.line, r.usable))
}

/// The whole story as linear text.
///
/// # Errors
/// A stage whose machine cannot be made, one line.
pub fn plain(story: &Story) -> Result<String, String> {
    let mut out = vec![story.title.clone(), String::new(), story.about.clone(), String::new()];
    out.push(format!("the job: {}", story.job.summary()));
    out.extend(story.job.assumed.iter().map(|a| format!("assumed: {a}")));
    for (i, told) in story.tell()?.iter().enumerate() {
        out.push(String::new());
        out.push(format!("{}. {}: {}", i + 1, told.stage.name, told.who()));
        out.extend(told.lines(&story.job).into_iter().map(|l| format!("   {}", l.text)));
    }
    Ok(out.join("\n") + "\n")
}
