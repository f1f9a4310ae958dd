//! A machine with edits, written as a file and read again, gives the same answers.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed step is the failure of the test")]

use icx_tui::cost::{Answer, estimate};
use icx_tui::export;
use icx_tui::preset;
use icx_tui::question::{Collective, Question};
use icx_tui::scenario::{Context, Edit, Entry, apply};
use icx_tui::system::System;
use icx_tui::units::Bytes;
use proptest::prelude::*;

const NAMES: &[&str] = &[
    "dgx-h100",
    "dgx-h100-superpod",
    "h100-roce-2to1",
    "gb200-nvl72-ib",
    "mi300x-roce",
    "lumi-g",
    "pcie-4090x8",
    "dgx-1",
    "aws-p5",
    "gh200-slingshot",
];

fn edited(base: &System, texts: &[String]) -> System {
    let entry = |t: &String| t.parse::<Edit>().map_or_else(|e| panic!("{t}: {e}"), Entry::from);
    // Edits that name nothing here stay inert.
    apply(base, &texts.iter().map(entry).collect::<Vec<_>>(), &Context::default()).system
}

fn again(system: &System) -> System {
    let ron = preset::spec_to_ron(&export::spec(system, preset::catalogue()));
    preset::parse(&ron, "again.ron", preset::catalogue()).unwrap_or_else(|e| panic!("{e}\n{ron}"))
}

/// Times of a few questions, or why there is none.
fn answers(system: &System) -> Vec<String> {
    let ask = |c: Collective, size: u64| match estimate(system, &Question::new(c, Bytes::from_u64(size))) {
        Answer::Estimate(e) => format!("{c} {size}: {:.6e} {} {}", e.time.us(), e.chosen.algorithm, e.chosen.protocol),
        Answer::Unreachable(u) => format!("{c} {size}: {u}"),
    };
    let all = [Collective::AllReduce, Collective::AllToAll, Collective::Broadcast];
    all.into_iter().flat_map(|c| [1 << 12, 1 << 30].map(|s| ask(c, s))).collect()
}

fn faults(system: &System) -> Vec<String> {
    let spec = export::spec(system, preset::catalogue());
    spec.faults.iter().map(|f| format!("{} {}", f.at, f.left)).collect()
}

fn check(name: &str, texts: &[String]) {
    let system = edited(&preset::load_shipped(name).unwrap(), texts);
    let back = again(&system);
    assert_eq!(answers(&system), answers(&back), "{name} {texts:?}");
    let state =
        |s: &System| -> Vec<String> { s.classes.iter().map(|c| format!("{} {:?}", c.members, c.health)).collect() };
    assert_eq!(state(&system).len(), state(&back).len(), "{name} {texts:?}");
    assert_eq!((system.ranks(), system.units), (back.ranks(), back.units), "{name} {texts:?}");
    assert_eq!(faults(&system), faults(&back), "{name} {texts:?}: what is written once is written again");
}

#[test]
fn faults_of_every_sort_are_carried() {
    let of = |name: &str, texts: &[&str]| check(name, &texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>());
    of("dgx-h100", &["off node0/gpu3--nvsw1#2", "degrade node0/gpu5 to 50%", "set gpus = 6"]);
    of("dgx-h100-superpod", &["off node3/gpu2", "degrade node*/nic1 to 200Gb/s", "off node[7-9,12]/nic4", "off node5"]);
    of("dgx-h100-superpod", &["off leaf4", "degrade leaf7 to 25%", "off spine2", "off leaf1--spine1", "set nics = 4"]);
    of("gb200-nvl72-ib", &["off rack2/nvsw5", "off rack*/node3/gpu1--nvsw7", "off rack0/node4", "set gpus = 36"]);
    of("lumi-g", &["degrade node0/gpu0--gpu1 to 33.3333%", "set nic = \"ConnectX-7\""]);
    of("mi300x-roce", &["set usable.network = 70%", "off node1/gpu0--gpu4", "set transport = tcp"]);
}

/// The faults of a file stand for all units that they name, and the mistake is pointed at.
#[test]
fn faults_in_a_file_are_checked() {
    let ron = preset::spec_to_ron(&export::spec(&preset::load_shipped("dgx-h100").unwrap(), preset::catalogue()));
    let end = ron.trim_end().rfind(')').unwrap();
    let with = |faults: &str| {
        let text = format!("{}    faults: [{faults}],\n)\n", &ron[..end]);
        preset::parse(&text, "own.ron", preset::catalogue()).map_err(|e| e.to_string())
    };
    assert_eq!(with("(at: \"node0/gpu3\")").unwrap().ranks(), 7);
    for (faults, words) in [
        ("(at: \"node0/gpu9\")", "no node0/gpu9"),
        ("(at: \"node0/gpu[0-9]\")", "gpu0 to gpu7"),
        ("(at: \"node0/gpu3\", left: \"150%\")", "is no fault"),
        ("(at: \"node0\", left: \"50%\")", "has many links"),
        ("(at: \"a b\")", "not an address"),
    ] {
        let message = with(faults).err().unwrap_or_default();
        assert!(message.contains(words) && message.contains("own.ron:"), "{faults}: {message}");
    }
}

fn any_edit() -> impl Strategy<Value = String> {
    let unit = prop_oneof!["node0", "node1", "node\\*", "node\\[1-3\\]", "rack0/node3", "rack1/node0"];
    let device = prop_oneof!["gpu[0-7]", "nic[0-7]", "nvsw[0-3]", "psw[0-3]"];
    let link = (unit.clone(), "gpu[0-7]", prop_oneof!["gpu[0-7]", "nvsw[0-3]", "psw[0-3]", "cpu[0-1]"]);
    prop_oneof![
        (unit, device).prop_map(|(u, d)| format!("off {u}/{d}")),
        (link.clone(), 0_u32..4).prop_map(|((u, a, b), n)| format!("off {u}/{a}--{b}#{n}")),
        link.clone().prop_map(|(u, a, b)| format!("off {u}/{a}--{b}")),
        (link, 10_u32..90).prop_map(|((u, a, b), p)| format!("degrade {u}/{a}--{b} to {p}%")),
        (0_u32..8, 20_u32..90).prop_map(|(n, p)| format!("degrade node1/nic{n} to {p}%")),
        (1_u32..9).prop_map(|n| format!("set nodes = {n}")),
        (2_u32..8).prop_map(|n| format!("set gpus = {n}")),
        (1_u32..8).prop_map(|n| format!("set nics = {n}")),
        (0_u32..4).prop_map(|n| format!("off leaf{n}")),
        (0_u32..4, 20_u32..90).prop_map(|(n, p)| format!("degrade leaf{n} to {p}%")),
        (0_u32..4, 0_u32..4).prop_map(|(l, s)| format!("off leaf{l}--spine{s}")),
        prop_oneof![
            "set fabric\\.oversubscription = 4",
            "set fabric\\.leaf_nodes = 2",
            "set fabric\\.rails = off",
            "set nvlink = 5",
            "set pcie = 4",
            "set p2p = off",
            "set gdr = off",
            "set launch = 12us",
            "off spine0"
        ],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_are_carried(which in 0_usize..NAMES.len(), texts in prop::collection::vec(any_edit(), 0..5)) {
        check(NAMES[which], &texts);
    }
}
