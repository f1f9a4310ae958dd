//! How long a key press takes until its frame is ready: update plus view on a screen of 200 by 60, in colour, on the
//! largest shipped systems. The promise is under 2 ms at the 99th percentile for moving about.
//!
//! `cargo bench --bench frames` prints the percentiles of each kind of key, then divan's table.
#![expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops when it cannot start")]

use std::time::{Duration, Instant};

use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::program::Input;

/// The system with the most GPUs, and the one with the largest unit.
const SYSTEMS: [&str; 2] = ["dgx-h100-superpod", "gb200-nvl72-ib"];

/// A kind of use, and the keys that are pressed over and over: after them everything is as it was before.
const KINDS: [(&str, &str); 6] = [
    ("move in the picture", "lllljjhhhhkk"),
    ("move in the tree", "<tab>jjjjjjkkkkkk<tab>"),
    ("another lens, another node", "vvvv]["),
    ("cut a link and undo it", "jj<space>u<space>u"),
    ("type an edit", ":\"off node0/nic2\"<esc>"),
    ("sweep, impact, explain", "w<right><right><esc>i<down><esc>x<down><esc>"),
];

/// Rounds of the keys of a kind.
const ROUNDS: usize = 60;

fn screen(system: &str) -> Headless<App> {
    let options = Options { source: system.to_owned(), ..Options::default() };
    let system = load_shipped(system).expect("a shipped system");
    App::new(system, Question::default(), options).replay(200, 60, [])
}

fn keys(script: &str) -> Vec<Input> {
    parse_script(script).expect("a script")
}

/// Times of every key of a script, pressed over and over.
fn times(system: &str, script: &str) -> Vec<Duration> {
    let mut screen = screen(system);
    let keys = keys(script);
    let mut all = Vec::new();
    for round in 0..=ROUNDS {
        for key in &keys {
            let start = Instant::now();
            screen.feed([key.clone()]);
            // The first round fills what is remembered between frames.
            if round > 0 {
                all.push(start.elapsed());
            }
        }
    }
    all.sort_unstable();
    all
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

fn main() {
    println!("{:<20} {:<28} {:>9} {:>9} {:>9}", "system", "keys", "p50", "p99", "max");
    for system in SYSTEMS {
        for (kind, script) in KINDS {
            let all = times(system, script);
            let [p50, p99, max] = [50, 99, 100].map(|p| percentile(&all, p));
            println!("{system:<20} {kind:<28} {p50:>9.1?} {p99:>9.1?} {max:>9.1?}");
        }
    }
    divan::main();
}

/// One key and its frame.
#[divan::bench(args = SYSTEMS)]
fn a_move(bencher: divan::Bencher<'_, '_>, system: &str) {
    let mut screen = screen(system);
    let keys = keys("lh");
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 1) % keys.len();
        screen.feed(keys.get(at).cloned());
    });
}

/// From the system's text to the first frame.
#[divan::bench(args = SYSTEMS)]
fn a_start(system: &str) -> Headless<App> {
    screen(system)
}
