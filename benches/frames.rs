//! How long a key press takes until its frame is ready: update plus view on a screen of 200 by 60, in colour, on the
//! largest shipped systems. The promise is under 2 ms at the 99th percentile for moving about.
//!
//! `cargo bench --bench frames` prints the first press and the percentiles of further ones for each kind of key, then
//! divan's table. What counts is processor time, so that other programs on the machine do not.
#![expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops when it cannot start")]

use std::time::Duration;

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

/// Processor time of this thread so far.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// The longest of the first time that each key of a script is pressed, and the times of all further ones, sorted.
fn times(system: &str, script: &str) -> (Duration, Vec<Duration>) {
    let mut screen = screen(system);
    let keys = keys(script);
    let (mut first, mut all) = (Duration::ZERO, Vec::new());
    for round in 0..=ROUNDS {
        for key in &keys {
            let start = now();
            screen.feed([key.clone()]);
            let time = now().saturating_sub(start);
            // The first round fills what is remembered between frames.
            if round == 0 {
                first = first.max(time);
            } else {
                all.push(time);
            }
        }
    }
    all.sort_unstable();
    (first, all)
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

fn main() {
    let heads = ["first", "p50", "p99", "max"].map(|h| format!(" {h:>9}")).concat();
    println!("{:<20} {:<28}{heads}", "system", "keys");
    for system in SYSTEMS {
        for (kind, script) in KINDS {
            // A thread of its own remembers nothing of the kinds before.
            let measure = || times(system, script);
            let (first, all) = std::thread::scope(|s| s.spawn(measure).join().expect("no panic"));
            let [p50, p99, max] = [50, 99, 100].map(|p| percentile(&all, p));
            println!("{system:<20} {kind:<28} {first:>9.1?} {p50:>9.1?} {p99:>9.1?} {max:>9.1?}");
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
