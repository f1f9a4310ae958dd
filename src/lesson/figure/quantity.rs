//! The table of quantities: everything that a figure can ask for, apart from the keys of `set`.

use crate::parts::nearest;
use crate::scenario::Key;

/// What a quantity is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A question on a machine: `time of all-reduce 1GiB on dgx-h100`.
    Question,
    /// A tier, device, link or part: `line of scale-up on dgx-h100`; some also take a question after `in`.
    Place,
    /// Two devices: `near of gpu0 to gpu1 on dgx-1`.
    Pair,
    /// Two algorithms: `crossover of tree to ring in all-reduce on pod`.
    Algorithms,
    /// A machine as a whole: `gpus on gb200-nvl72`.
    Machine,
    /// The explorer: `screen`.
    Explorer,
}

/// A row of the table.
#[derive(Debug)]
pub struct QuantityInfo {
    /// As written.
    pub name: &'static str,
    /// What it is asked about.
    pub about: About,
    /// One line for people.
    pub doc: &'static str,
}

macro_rules! quantities {
    ($($q:ident = $name:literal, $about:ident, $doc:literal;)*) => {
        /// A quantity that a figure can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Quantity {
            $(#[doc = $doc] $q,)*
            /// What `set` can change, by the name of its key.
            Setting(Key),
        }

        static TABLE: &[(Quantity, QuantityInfo)] =
            &[$((Quantity::$q, QuantityInfo { name: $name, about: About::$about, doc: $doc })),*];
    };
}

quantities! {
    Time = "time", Question, "how long it takes";
    Low = "low", Question, "the fast end of the range";
    High = "high", Question, "the slow end of the range";
    Busbw = "busbw", Question, "nccl-tests' bus bandwidth";
    Algbw = "algbw", Question, "nccl-tests' algorithm bandwidth: size over time";
    Bound = "bound", Question, "the time that no algorithm can beat";
    BoundBusbw = "bound-busbw", Question, "the bus bandwidth at that time";
    OfBound = "of-bound", Question, "the bound as a share of the time";
    Launch = "launch", Question, "the part of the time that is the launch";
    Steps = "steps", Question, "the part of the time that is steps and their latency";
    Fill = "fill", Question, "the part of the time until the pipeline is full";
    Transfer = "transfer", Question, "the part of the time that is bytes over the rate of the busiest link";
    StepsInside = "steps-inside", Question, "how many steps inside the units are on the critical path";
    StepsOutside = "steps-outside", Question, "how many steps over the network are on the critical path";
    Factor = "factor", Question, "busbw over algbw";
    Ranks = "ranks", Question, "GPUs of a group";
    Groups = "groups", Question, "groups that run at the same time";
    Spans = "spans", Question, "nodes that a group spans";
    Channels = "channels", Question, "channels of the library";
    Algorithm = "algorithm", Question, "the algorithm that the library takes";
    Protocol = "protocol", Question, "the protocol that the library takes";
    Bottleneck = "bottleneck", Question, "what binds, as the result strip says it";
    SlowestTier = "slowest-tier", Question, "the tier that would need the most time alone";
    Reachable = "reachable", Question, "yes or no: whether every rank can reach the others";
    Collective = "collective", Question, "the collective that is asked";
    Size = "size", Question, "the message size";
    Group = "group", Question, "who takes part: all, node, rail or stride x count";
    Forced = "forced", Question, "the algorithm that the question forces, or auto";
    Peak = "peak", Question, "the largest busbw over all sizes up to 16 GiB";
    HalfSize = "half-size", Question, "the size at which busbw reaches half of its peak";
    Crossover = "crossover", Algorithms, "the size from which the second algorithm is faster than the first";
    Line = "line", Place, "line rate per direction: of a tier per GPU, of a device all its fast links, of a part one link";
    Usable = "usable", Place, "what software reaches of that";
    Rate = "rate", Place, "what faults have left of the line rate";
    Left = "left", Place, "the share of the line rate that faults have left";
    State = "state", Place, "up, degraded or down";
    Latency = "latency", Place, "one-way latency of a hop";
    Count = "count", Place, "parallel links (or lanes) of a link, or of a device all its fast links";
    Load = "load", Place, "share of the answer's time in which a link or a device's busiest link works";
    Busy = "busy", Place, "share of the answer's time that a tier alone would need";
    Needs = "needs", Place, "the time that a tier alone would need";
    Sent = "sent", Place, "bytes that one rank sends over a tier";
    Memory = "memory", Place, "capacity of a GPU's memory";
    MemoryRate = "memory-rate", Place, "rate of a GPU's memory, or of a socket's";
    Tflops = "tflops", Place, "dense bf16 rate of a GPU, TFLOP/s";
    Ports = "ports", Place, "ports of a switch, or of a GPU for scale-up links";
    Title = "title", Place, "what it is called";
    Source = "source", Place, "where its rate comes from";
    Bisection = "bisection", Place, "rate between the two halves of a tier, per direction";
    Near = "near", Pair, "how near two devices are: NV18, PIX, PXB, PHB, SYS";
    Hops = "hops", Pair, "links on the way between two devices";
    Machine = "machine", Machine, "the machine's short name";
    MachineTitle = "machine-title", Machine, "the machine's title";
    TotalGpus = "total-gpus", Machine, "GPUs that take part in all";
    Domain = "domain", Machine, "GPUs of one scale-up domain";
    Trays = "trays", Machine, "nodes in one rack; one elsewhere";
    ScaleUpSwitches = "scale-up-switches", Machine, "switches of one scale-up domain";
    Leaves = "leaves", Machine, "leaf switches";
    Spines = "spines", Machine, "spine switches";
    Cores = "cores", Machine, "core switches";
    Screen = "screen", Explorer, "the screen that shows: explore, sweep, scale, explain, impact, compare";
    Picture = "picture", Explorer, "what is drawn: node, rack, fabric, classes, matrix or path";
    Selected = "selected", Explorer, "address of what is selected";
    Lens = "lens", Explorer, "what the numbers in the picture are";
    Edits = "edits", Explorer, "edits that are done";
    Baseline = "baseline-time", Explorer, "the time of the question on the baseline";
}

impl Quantity {
    /// Its row; a setting's is its key's.
    pub fn about(self) -> About {
        TABLE.iter().find(|(q, _)| *q == self).map_or(About::Machine, |(_, info)| info.about)
    }

    /// As written.
    pub fn name(self) -> &'static str {
        if let Self::Setting(key) = self {
            return key.info().name;
        }
        TABLE.iter().find(|(q, _)| *q == self).map_or("", |(_, info)| info.name)
    }

    /// All rows, in order, for the documentation.
    pub fn all() -> impl Iterator<Item = &'static QuantityInfo> {
        TABLE.iter().map(|(_, info)| info)
    }

    /// The quantity of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let own = TABLE.iter().find(|(_, info)| info.name == name).map(|(q, _)| *q);
        own.or_else(|| name.parse::<Key>().ok().map(Self::Setting))
    }

    /// `did you mean ...?`, or what else was expected.
    pub(super) fn hint<'a>(name: &str, also: impl Iterator<Item = &'a str>) -> String {
        let keys = Key::ALL.iter().map(|k| k.info().name);
        let near = nearest(name, TABLE.iter().map(|(_, i)| i.name).chain(keys).chain(also));
        if near.is_empty() {
            "expected a number with its unit, a name, or a quantity such as time, busbw or line".to_owned()
        } else {
            format!("did you mean {}?", near.join(" or "))
        }
    }
}
