//! Speed is part of correctness: `cargo bench`.
#![expect(clippy::expect_used, reason = "a benchmark stops when its machine does not load")]

use icx_tui::cost::{Prepared, estimate, sizes};
use icx_tui::measure::impact::{Limits, impact};
use icx_tui::preset;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::scenario::{Context, Edit, Entry, apply};
use icx_tui::system::System;
use icx_tui::units::Bytes;

fn main() {
    divan::main();
}

/// A DGX H100 cluster of so many nodes with so many random links down.
fn cluster(nodes: u32, down: u32) -> System {
    let base = preset::load_shipped("dgx-h100-superpod").expect("shipped");
    let mut texts = vec![format!("set nodes = {nodes}")];
    // A fixed linear congruence: the same links every time.
    let mut seed: u32 = 12345;
    for _ in 0..down {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        texts.push(format!("off node{}/gpu{}--nvsw{}", (seed >> 8) % nodes, (seed >> 3) % 8, (seed >> 24) % 4));
    }
    let entry = |t: &String| Entry { edit: t.parse::<Edit>().expect("an edit"), enabled: true };
    apply(&base, &texts.iter().map(entry).collect::<Vec<_>>(), &Context::default()).system
}

#[divan::bench(args = [(1, 0), (32, 0), (128, 0), (16384, 0), (16384, 100)])]
fn one_estimate(bencher: divan::Bencher<'_, '_>, (nodes, down): (u32, u32)) {
    let system = cluster(nodes, down);
    let question = Question::default();
    bencher.bench_local(|| estimate(&system, &question));
}

#[divan::bench(args = ["dgx-h100", "dgx-1", "mi300x", "gb200-nvl72", "gb200-nvl72-ib"])]
fn estimate_of_preset(bencher: divan::Bencher<'_, '_>, name: &str) {
    let system = preset::load_shipped(name).expect("shipped");
    let question = Question::default();
    bencher.bench_local(|| estimate(&system, &question));
}

#[divan::bench(args = ["dgx-h100", "dgx-h100-superpod", "gb200-nvl72"])]
fn sweep_of_31_sizes(bencher: divan::Bencher<'_, '_>, name: &str) {
    let system = preset::load_shipped(name).expect("shipped");
    let all = sizes(Bytes::from_u64(16), Bytes::from_gib(16.0), 2.0);
    bencher.bench_local(|| {
        let who = Prepared::participants(&system, Group::All).expect("ranks");
        let prepared = Prepared::new(&system, &who);
        all.iter().map(|s| prepared.answer(&Question::new(Collective::AllReduce, *s))).collect::<Vec<_>>()
    });
}

#[divan::bench(args = ["pcie-v100x4", "dgx-h100", "dgx-h100-superpod", "gb200-nvl72-ib"])]
fn load_preset(name: &str) -> System {
    preset::load_shipped(name).expect("shipped")
}

#[divan::bench(args = [128, 16384])]
fn impact_on_a_cluster(bencher: divan::Bencher<'_, '_>, nodes: u32) {
    let system = cluster(nodes, 0);
    let question = Question::default();
    bencher.bench_local(|| impact(&system, &question, Limits::default()));
}
