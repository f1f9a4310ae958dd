//! One worked example: what is asked, what the source answers, what the engine answers.

use icx_tui::units::{Bandwidth, Bytes, Share, Time, significant};

/// A quantity of either answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A duration.
    Time(Time),
    /// A rate, per direction unless the question says otherwise.
    Rate(Bandwidth),
    /// A number of bytes, printed in decimal units.
    Size(Bytes),
    /// A part of a whole.
    Share(Share),
    /// A ratio: so many times.
    Times(f64),
    /// A plain number: tokens, GPUs.
    Count(f64),
}

/// Milliseconds.
pub const fn ms(v: f64) -> Value {
    Value::Time(Time::from_us(v * 1e3))
}

/// Microseconds.
pub const fn us(v: f64) -> Value {
    Value::Time(Time::from_us(v))
}

/// GB/s.
pub const fn gbs(v: f64) -> Value {
    Value::Rate(Bandwidth::from_gbytes_per_s(v))
}

/// Percent.
pub const fn percent(v: f64) -> Value {
    Value::Share(Share::from_percent(v))
}

/// Decimal gigabytes.
pub const fn gb(v: f64) -> Bytes {
    Bytes::new(v * 1e9)
}

impl Value {
    fn base(self) -> f64 {
        match self {
            Self::Time(t) => t.us(),
            Self::Rate(b) => b.gbytes_per_s(),
            Self::Size(b) => b.get(),
            Self::Share(s) => s.ratio(),
            Self::Times(v) | Self::Count(v) => v,
        }
    }

    /// How far another answer is off, as a share of this one.
    pub fn off(self, other: Self) -> f64 {
        assert_eq!(std::mem::discriminant(&self), std::mem::discriminant(&other), "{self} and {other}");
        (other.base() / self.base() - 1.0).abs()
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Time(t) => write!(f, "{t}"),
            Self::Rate(b) if b.gbytes_per_s() >= 10_000.0 => write!(f, "{} TB/s", significant(b.gbytes_per_s() / 1e3)),
            Self::Rate(b) => write!(f, "{b}"),
            Self::Size(b) => {
                let (v, unit) = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
                    .iter()
                    .find(|(k, _)| b.get() >= *k)
                    .map_or((b.get(), "B"), |(k, u)| (b.get() / k, *u));
                write!(f, "{} {unit}", significant(v))
            }
            Self::Share(s) => write!(f, "{} %", significant(s.percent())),
            Self::Times(v) => write!(f, "{}x", significant(v)),
            Self::Count(v) => write!(f, "{}", significant(v)),
        }
    }
}

/// How the two answers stand to each other.
#[derive(Debug, Clone, Copy)]
pub enum Verdict {
    /// The same to within a share, which is the rounding of the source.
    Same(f64),
    /// Not the same, and why. It is held against the numbers too: an explanation of no difference fails.
    Differs(&'static str),
}

/// Where an example is from.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// What the table calls it.
    pub name: &'static str,
    /// Author or organisation, title, part.
    pub title: &'static str,
    /// Where it can be read.
    pub url: &'static str,
}

/// The scaling book.
pub const SCALING: Source = Source {
    name: "scaling book",
    title: "JAX scaling book, chapter 12 (GPUs)",
    url: "https://jax-ml.github.io/scaling-book/gpus",
};
/// The engineering notes.
pub const ENGINEERING: Source = Source {
    name: "ml-engineering",
    title: "stas00, Machine Learning Engineering, network and benchmarks",
    url: "https://github.com/stas00/ml-engineering/blob/master/network/README.md",
};
/// The book on distributed training.
pub const TRAINING: Source = Source {
    name: "training book",
    title: "T. Tsugriy, distributed-training-book, chapters 3 to 31",
    url: "https://ttsugriy.github.io/distributed-training-book",
};
/// A published run of a whole rack.
pub const RACK: Source = Source {
    name: "rack run",
    title: "coreweave, nccl-tests pull request 43: a full NVL72",
    url: "https://github.com/coreweave/nccl-tests/pull/43",
};
/// Vendor figures that courses repeat.
pub const VENDOR: Source = Source {
    name: "vendor figure",
    title: "NVIDIA, figures of the NVL72 as courses repeat them",
    url: "https://www.nvidia.com/en-us/data-center/gb200-nvl72",
};
/// A question of practitioners.
pub const FIELD: Source = Source {
    name: "field question",
    title: "Whether tensor parallelism of 16 over two nodes hurts; asked often, figures kept without an address",
    url: "",
};

/// All of them, in the order of the page.
pub const SOURCES: [Source; 6] = [SCALING, ENGINEERING, TRAINING, RACK, VENDOR, FIELD];

/// One answer of a worked example.
#[derive(Debug, Clone)]
pub struct Row {
    /// Number in the table: letter of the section and place in it.
    pub id: &'static str,
    /// What is asked.
    pub what: &'static str,
    /// Who asks.
    pub source: Source,
    /// Their answer.
    pub theirs: Value,
    /// Ours.
    pub ours: Value,
    /// How ours came about.
    pub how: &'static str,
    /// How the two stand to each other.
    pub verdict: Verdict,
}
