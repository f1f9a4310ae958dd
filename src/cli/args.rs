//! The arguments of every subcommand.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::explore::LookArgs;
use super::render::{Format, Size};
use crate::question::{Collective, Group};
use crate::units::{Bandwidth, Bytes, Time};

/// Explore GPU interconnects: see the tiers of links in a machine, price collectives, break a link, watch the time change.
#[derive(Debug, Parser)]
#[command(name = "icx-tui", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// What to do; without it the explorer opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The explorer's arguments.
    #[command(flatten)]
    pub explore: ExploreArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the shipped systems, a line each.
    Presets(PresetsArgs),
    /// Show a system's hierarchy and its tiers.
    Show(ShowArgs),
    /// Answer one question: how long does a collective take?
    Calc(CalcArgs),
    /// Predict nccl-tests' table over sizes.
    Sweep(SweepArgs),
    /// Rank every single fault, upgrade and setting by what it does to the time.
    Impact(ImpactArgs),
    /// Turn what a machine printed into a system, with a report of what was read, derived, assumed and dropped.
    Import(ImportArgs),
    /// Compare estimates with measurements: the published ones, a table of your own, or an nccl-tests log.
    Validate(ValidateArgs),
    /// Say what explains the gap between a log and what the machine should show.
    Diagnose(DiagnoseArgs),
    /// Draw a screen without a terminal: the very frame that the explorer shows.
    Render(RenderArgs),
    /// Learn how GPUs talk to each other: lessons on the live machine.
    Learn(LearnArgs),
    /// Say where the explorer's configuration is, or print one to begin with.
    Config(ConfigArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man,
}

/// Arguments of the explorer.
#[derive(Debug, Args)]
pub struct ExploreArgs {
    /// A preset's name, or a file: a system in RON, a saved scenario, or what a real machine printed.
    pub system: Option<String>,
    /// An edit to start with; may be given several times.
    #[arg(short, long = "edit", value_name = "EDIT")]
    pub edits: Vec<String>,
    /// How it looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// What was measured, over the prediction: an nccl-tests log (the sweep opens first), or the matrices of
    /// p2pBandwidthLatencyTest or nvbandwidth (the pairs open first).
    #[arg(long, value_name = "FILE")]
    pub measured: Option<String>,
}

/// Arguments of `learn`.
#[derive(Debug, Args)]
pub struct LearnArgs {
    /// A shipped lesson, `quiz`, `story` (one training job that grows), or the file of a lesson or a quiz; without it the list
    /// of lessons opens.
    pub lesson: Option<String>,
    /// The shipped lessons, a line each, in the order in which they are best taken.
    #[arg(long, conflicts_with_all = ["lesson", "plain", "check", "seed", "count", "topic"])]
    pub list: bool,
    /// Print it as plain text with the answers: for screen readers, printers and pipes.
    #[arg(long, conflicts_with = "check")]
    pub plain: bool,
    /// Prove that every figure has a value, that the words hold, and that each task is undone before its solution and done
    /// after it; of this file, of LESSON, or of all shipped lessons.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    pub check: Option<String>,
    /// Of a quiz: what its numbers are drawn from. The same seed asks the same questions; without it, any.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Of a quiz: how many questions (12, or all of a topic).
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Of a quiz: questions of one topic alone.
    #[arg(long)]
    pub topic: Option<String>,
    /// How it looks.
    #[command(flatten)]
    pub look: LookArgs,
}

/// Arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// A preset's name or a file.
    pub system: String,
    /// The screen: explore, sweep, scale, explain, impact, compare, diagnose, watch, quiz, learn, story.
    #[arg(long, default_value = "explore")]
    pub screen: String,
    /// Columns and rows.
    #[arg(long, default_value = "120x40")]
    pub size: Size,
    /// Keys that are pressed first, as "j j <space>".
    #[arg(long, default_value = "")]
    pub keys: String,
    /// What was measured: an nccl-tests log, for sweep and diagnose, or matrices between devices, for the pairs.
    #[arg(long, value_name = "LOG")]
    pub measured: Option<String>,
    /// An edit to start with; may be given several times.
    #[arg(short, long = "edit", value_name = "EDIT")]
    pub edits: Vec<String>,
    /// An edit that the baseline has; may be given several times.
    #[arg(long, value_name = "EDIT")]
    pub baseline: Vec<String>,
    /// What is asked.
    #[command(flatten)]
    pub question: ChoiceArgs,
    /// Bytes, as nccl-tests means them: 8, 64K, 1GiB (1 GiB where none are given).
    #[arg(short = 's', long = "bytes", value_name = "BYTES")]
    pub bytes: Option<Bytes>,
    /// The other system of the compare screen.
    #[arg(long, value_name = "SYSTEM")]
    pub against: Option<String>,
    /// Colours: default, light, dark, high-contrast, colour-blind, mono.
    #[arg(long)]
    pub theme: Option<String>,
    /// Printable ASCII only.
    #[arg(long)]
    pub ascii: bool,
    /// A configuration of keys and colours; without it there is none, so that a picture is the same everywhere.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// What is asked, without the size. What is not given is a scenario's own, or the explorer's at its start.
#[derive(Debug, Clone, Default, Args)]
pub struct ChoiceArgs {
    /// The collective: all-reduce (where none is given), all-gather, reduce-scatter, broadcast, reduce, all-to-all, send-recv.
    #[arg(short, long)]
    pub collective: Option<Collective>,
    /// Force an algorithm: auto (where none is given), ring, tree, nvls, nvls-tree, collnet, direct.
    #[arg(short, long)]
    pub algorithm: Option<String>,
    /// Force a protocol: auto (where none is given), ll, ll128, simple.
    #[arg(short, long)]
    pub protocol: Option<String>,
    /// Who takes part: all (where none is given), node, rail, or `STRIDExCOUNT`.
    #[arg(long)]
    pub group: Option<Group>,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// A table with the columns of data/measured.csv, or an nccl-tests log; without it the published measurements.
    pub table: Option<String>,
    /// The machine that a log was made on.
    #[arg(long)]
    pub system: Option<String>,
    /// An edit of that machine; may be given several times.
    #[arg(short, long = "edit", value_name = "EDIT")]
    pub edits: Vec<String>,
    /// How many of the worst rows are named.
    #[arg(long, default_value_t = 20)]
    pub top: usize,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextOrJson,
}

/// Arguments of `diagnose`.
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// The machine as it should be: a preset's name or a file.
    pub system: String,
    /// What was measured on it: a log of nccl-tests or rccl-tests, text or JSON, or the matrices of p2pBandwidthLatencyTest
    /// or nvbandwidth; - is standard input.
    #[arg(short, long, value_name = "LOG")]
    pub measured: String,
    /// An edit of the machine; may be given several times.
    #[arg(short, long = "edit", value_name = "EDIT")]
    pub edits: Vec<String>,
    /// Instead of causes, print the launch overhead and usable rates that fit the log, as edits.
    #[arg(long)]
    pub calibrate: bool,
    /// Show so many causes.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub top: usize,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextOrJson,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Print a configuration that explains itself, with everything commented out.
    #[arg(long)]
    pub template: bool,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Text for people or JSON for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Formats of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Formats of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SystemFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// The written form, to edit and open again.
    Ron,
    /// Graphviz.
    Dot,
    /// ASTRA-sim's network file.
    AstraYaml,
    /// `NCCL_TOPO_FILE` of a node.
    NcclXml,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// What the machine printed: NCCL topology XML, nvidia-smi topo -m, rocm-smi, amd-smi, hwloc XML; - is standard input.
    pub file: String,
    /// The GPU, where the file does not name it, as a100 or h100-sxm.
    #[arg(long)]
    pub gpu: Option<String>,
    /// A file of the network: ibnetdiscover, iblinkinfo, Slurm's topology.conf.
    #[arg(long)]
    pub fabric: Option<String>,
    /// Nodes (or racks) in the cluster.
    #[arg(long)]
    pub nodes: Option<u32>,
    /// Short name of the system.
    #[arg(long)]
    pub name: Option<String>,
    /// Write the system to this file, instead of only reporting.
    #[arg(short, long)]
    pub output: Option<String>,
    /// Output format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextOrJson,
}

/// Arguments of `presets`.
#[derive(Debug, Args)]
pub struct PresetsArgs {
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextOrJson,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A preset's name or a file.
    pub system: String,
    /// An edit, as `off node0/gpu3--nvsw1` or `set nodes = 64`; may be given several times.
    #[arg(short, long = "edit", value_name = "EDIT")]
    pub edits: Vec<String>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: SystemFormat,
}

/// A machine and what is asked of it, without the size.
#[derive(Debug, Args)]
pub struct AskArgs {
    /// A preset's name, or a file: a system in RON, a saved scenario, or what a real machine printed.
    pub system: String,
    /// What is asked.
    #[command(flatten)]
    pub question: ChoiceArgs,
    /// An edit, as `off node0/gpu3--nvsw1` or `set nodes = 64`; may be given several times.
    #[arg(short, long = "edit", value_name = "EDIT")]
    pub edits: Vec<String>,
}

/// Arguments of `calc`.
#[derive(Debug, Args)]
pub struct CalcArgs {
    /// What is asked.
    #[command(flatten)]
    pub ask: AskArgs,
    /// The size, as nccl-tests means it: 8, 64K, 1GiB (1 GiB where none is given).
    #[arg(short, long, allow_negative_numbers = true)]
    pub size: Option<Bytes>,
    /// Print the derivation: steps, bytes, rates with their sources, what binds.
    #[arg(long)]
    pub explain: bool,
    /// Say every step in words: who sends which chunk to whom, over which links, and when. Text only.
    #[arg(long)]
    pub steps: bool,
    /// Exit with 1 if the bus bandwidth is below this.
    #[arg(long, value_name = "RATE", conflicts_with = "at_most", allow_negative_numbers = true)]
    pub at_least: Option<Bandwidth>,
    /// Exit with 1 if the time is above this.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub at_most: Option<Time>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextOrJson,
}

/// Arguments of `sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// What is asked.
    #[command(flatten)]
    pub ask: AskArgs,
    /// Smallest size.
    #[arg(long, default_value = "8", allow_negative_numbers = true)]
    pub min: Bytes,
    /// Largest size.
    #[arg(long, default_value = "16GiB", allow_negative_numbers = true)]
    pub max: Bytes,
    /// Each size is so many times the one before.
    #[arg(long, default_value_t = 2.0, allow_negative_numbers = true)]
    pub factor: f64,
    /// Compare with an nccl-tests log, at its sizes: predicted, measured, their ratio, a verdict.
    #[arg(long, value_name = "LOG", conflicts_with_all = ["min", "max", "factor"])]
    pub measured: Option<String>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TableFormat,
}

/// Arguments of `impact`.
#[derive(Debug, Args)]
pub struct ImpactArgs {
    /// What is asked.
    #[command(flatten)]
    pub ask: AskArgs,
    /// The size, as nccl-tests means it: 8, 64K, 1GiB (1 GiB where none is given).
    #[arg(short, long, allow_negative_numbers = true)]
    pub size: Option<Bytes>,
    /// Show so many of the largest changes.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextOrJson,
}
