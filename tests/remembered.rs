//! What is remembered between answers never shows: after any edits a machine is answered as by a program that has just
//! started.
#![expect(clippy::expect_used, reason = "a failed look-up is the failure of the test")]

use icx_tui::cost::{Answer, estimate};
use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Question};
use icx_tui::scenario::{Context, Edit, Entry, apply};
use icx_tui::system::System;
use icx_tui::units::Bytes;

/// Edits of which each touches another part of a machine, in an order in which one part is mended or hurt again while
/// another stays as it is.
fn edited(base: &System, edits: &[&str]) -> System {
    let entry = |e: &&str| Entry { edit: e.parse::<Edit>().expect("an edit"), enabled: true };
    apply(base, &edits.iter().map(entry).collect::<Vec<_>>(), &Context::default()).system
}

fn answers(system: &System) -> Vec<Answer> {
    let ask = |c: &Collective| estimate(system, &Question::new(*c, Bytes::from_u64(64 << 20)));
    Collective::ALL.iter().map(ask).collect()
}

/// Answers of a thread that remembers nothing.
fn fresh(system: &System) -> Vec<Answer> {
    std::thread::scope(|s| s.spawn(|| answers(system)).join().expect("no panic"))
}

fn check(name: &str, histories: &[&[&str]]) {
    let base = load_shipped(name).expect("a shipped system");
    for edits in histories {
        let system = edited(&base, edits);
        assert!(answers(&system) == fresh(&system), "{name} after {edits:?}");
    }
}

#[test]
fn a_node_on_switches() {
    check(
        "dgx-h100-superpod",
        &[
            &[],
            &["off node0/nic2"],
            &["off node0/nic2", "off node0/gpu1--nvsw2"],
            &["off node0/gpu1--nvsw2"],
            &["degrade node0/gpu1--nvsw2 to 50%"],
            &["degrade node0/gpu1--nvsw2 to 50%", "degrade node0/nic2 to 50%"],
            &["off node0/nvsw1"],
            &["off node0/nvsw*"],
            &["off node0/nvsw*", "off node0/nic2"],
            &["off node0/cpu1"],
            &["off node0/gpu3"],
            &["off node0/gpu3", "off node0/nic2"],
            &["set p2p = off", "off node0/nic2"],
            &["set gdr = off"],
            &["set gdr = off", "off node0/gpu1--nvsw2"],
            &["off node5/nic2"],
            &[],
        ],
    );
}

#[test]
fn a_rack() {
    check(
        "gb200-nvl72-ib",
        &[
            &["off rack0/node0/nic0"],
            &["off rack0/node0/nic0", "off rack0/node0/gpu0--nvsw0"],
            &["off rack0/node0/gpu0--nvsw0"],
            &["off rack0/nvsw3", "off rack0/node0/cpu0"],
            &["off rack0/node1/gpu2"],
            &["off rack0/nvsw*"],
            &["off rack1/node0/nic0"],
        ],
    );
}

#[test]
fn nodes_without_switches_between_their_gpus() {
    for name in ["dgx-1", "pcie-4090x8"] {
        let histories: [&[&str]; 5] =
            [&[], &["off node0/gpu1"], &["degrade node0/gpu1 to 50%"], &["off node0/cpu0"], &["set p2p = off"]];
        check(name, &histories);
    }
}
