//! The bound on the shipped systems: closed forms where they are symmetric, below every measurement, and never above what
//! the model can be made to estimate.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::sync::{Arc, LazyLock};

use icx_tui::cost::{Answer, Params, Prepared, bound_rate};
use icx_tui::measure::table;
use icx_tui::parts::Family;
use icx_tui::preset::{load_shipped, shipped};
use icx_tui::question::{Collective, Group, Question};
use icx_tui::scenario::{Context, Edit, Entry, apply};
use icx_tui::system::System;
use icx_tui::units::{Bytes, Share};
use proptest::prelude::*;

fn edited(name: &str, edits: &[&str]) -> System {
    let base = load_shipped(name).unwrap();
    let entry = |t: &&str| Entry { edit: t.parse::<Edit>().unwrap_or_else(|e| panic!("{t}: {e}")), enabled: true };
    apply(&base, &edits.iter().map(entry).collect::<Vec<_>>(), &Context::default()).system
}

/// Software that gets all of every wire: what could beat a bound if anything can.
fn ideal(mut system: System) -> System {
    for f in [Family::Pcie, Family::Nvlink, Family::Xgmi, Family::Socket, Family::C2c, Family::Network] {
        system.software.usable.insert(f, Share::ONE);
    }
    system
}

/// Message bytes per time at the bound, GB/s.
fn algbw(system: &System, group: Group, collective: Collective) -> f64 {
    let who = group.participants(system).unwrap();
    let size = Bytes::from_gib(1.0);
    (size / bound_rate(system, &who, collective).time(size)).gbytes_per_s()
}

fn near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

/// Line rates: `PCIe` x16 of the generations, GB/s.
const PCIE4: f64 = 1.969_231 * 16.0;
const PCIE5: f64 = 3.938_462 * 16.0;

#[test]
fn a_switched_node_is_bound_by_all_wires_of_one_gpu() {
    // No reduction in the switch: 2(n-1) S over n GPUs. NVLink and PCIe are both wires.
    let a100 = load_shipped("dgx-a100").unwrap();
    let gpu = 300.0 + PCIE4;
    near(algbw(&a100, Group::All, Collective::AllReduce), gpu * 8.0 / 14.0);
    near(algbw(&a100, Group::All, Collective::AllGather), gpu * 8.0 / 7.0);
    near(algbw(&a100, Group::All, Collective::ReduceScatter), gpu * 8.0 / 7.0);
    near(algbw(&a100, Group::All, Collective::AllToAll), gpu * 8.0 / 7.0);
    near(algbw(&a100, Group::All, Collective::Broadcast), gpu);
    near(algbw(&a100, Group::All, Collective::Reduce), gpu);
    near(algbw(&a100, Group::All, Collective::SendRecv), gpu);
    // With reduction S leaves and S enters every GPU once.
    let h100 = load_shipped("dgx-h100").unwrap();
    near(algbw(&h100, Group::All, Collective::AllReduce), 450.0 + PCIE5);
    near(algbw(&h100, Group::All, Collective::AllGather), (450.0 + PCIE5) * 8.0 / 7.0);
}

#[test]
fn a_full_mesh_is_bound_by_the_links_of_one_gpu() {
    let s = load_shipped("mi300x").unwrap();
    let mesh: f64 = {
        let shape = &s.classes.first().unwrap().shape;
        let gpu = *shape.gpus().first().unwrap();
        let around = shape.around(gpu).iter();
        around.map(|(l, _)| shape.link(*l).unwrap().line_rate().gbytes_per_s()).sum()
    };
    near(algbw(&s, Group::All, Collective::AllReduce), mesh * 8.0 / 14.0);
    near(algbw(&s, Group::All, Collective::AllToAll), mesh * 8.0 / 7.0);
}

#[test]
fn nodes_are_bound_by_their_nics() {
    for nodes in [2.0, 4.0, 16.0] {
        let n = nodes * 8.0;
        let set = format!("set nodes = {nodes}");
        // Switches inside the node can reduce, RoCE cannot: 2(N-1) S over N nodes; on two nodes that is S per node, as a tree sends.
        let roce = edited("b200-roce", &[&set]);
        near(algbw(&roce, Group::All, Collective::AllReduce), 400.0 * nodes / (2.0 * (nodes - 1.0)));
        near(algbw(&roce, Group::All, Collective::AllGather), 400.0 * nodes / (nodes - 1.0));
        near(algbw(&roce, Group::All, Collective::AllToAll), 400.0 / (8.0 * (n - 8.0) / n));
        // InfiniBand switches can: S out of every node.
        let ib = edited("dgx-h100-superpod", &[&set]);
        near(algbw(&ib, Group::All, Collective::AllReduce), 400.0);
        near(algbw(&ib, Group::All, Collective::AllToAll), 400.0 / (8.0 * (n - 8.0) / n));
        near(algbw(&ib, Group::Rail, Collective::AllReduce), 50.0);
    }
}

#[test]
fn settings_do_not_move_the_bound_and_hardware_does() {
    let all = |s: &System| Collective::ALL.iter().map(|c| algbw(s, Group::All, *c)).collect::<Vec<f64>>();
    let healthy = all(&edited("h100-roce-2to1", &[]));
    let soft = [
        "set gdr = off",
        "set p2p = off",
        "set nvls = off",
        "set launch = 90us",
        "set usable.nvlink = 40%",
        "set nics = 2",
    ];
    for setting in soft {
        assert_eq!(all(&edited("h100-roce-2to1", &[setting])), healthy, "{setting}");
    }
    let hurt = all(&edited("h100-roce-2to1", &["off node0/nic[0-3]"]));
    for (a, b) in hurt.iter().zip(&healthy) {
        assert!(a <= b, "{a} GB/s with fewer NICs, {b} with all");
    }
    near(algbw(&edited("h100-roce-2to1", &["off node0/nic[0-3]"]), Group::All, Collective::Broadcast), 200.0);
}

#[test]
fn size_of_the_system_does_not_matter() {
    let small = edited("dgx-h100-superpod", &["set nodes = 128"]);
    let large = edited("dgx-h100-superpod", &["set nodes = 16384"]);
    let (a, b) = (algbw(&small, Group::All, Collective::AllReduce), algbw(&large, Group::All, Collective::AllReduce));
    near(a, b);
}

#[test]
fn no_measurement_beats_the_bound() {
    let text = std::fs::read_to_string("data/measured.csv").unwrap();
    let rows = table::read(&text, "data/measured.csv").unwrap();
    let mut checked = 0;
    for r in rows.iter().filter(|r| r.size.get() >= 1e6) {
        let edits: Vec<&str> = r.edits.iter().map(String::as_str).collect();
        let s = edited(&r.system, &edits);
        let who = Group::All.participants(&s).unwrap();
        let least = bound_rate(&s, &who, r.collective).time(r.size).us();
        let took = r.time().us();
        assert!(took >= least, "{} (line {}): measured {took} us, bound {least} us", r.id, r.line);
        checked += 1;
    }
    assert!(checked > 100, "{checked} rows");
}

/// Every candidate of every forced choice takes at least the bound.
fn nothing_is_faster(system: &System, what: &str, group: Group, collective: Collective, size: Bytes) {
    let Ok(who) = group.participants(system) else { return };
    let prepared = Prepared::new(system, &who);
    let question = Question { group, ..Question::new(collective, size) };
    if let Answer::Estimate(e) = prepared.answer(&question) {
        assert!(e.bound.us().is_finite() && e.bound <= e.low, "{what} {group} {collective}: low end below the bound");
        // An answer is held at the bound; what would be priced without that must not need it.
        let c = prepared.choose(&Params::default(), &question).unwrap();
        let (time, bound) = (c.time().us(), e.bound.us());
        let why = || prepared.bound(collective).cut().map(|k| k.describe(system));
        assert!(
            time >= bound * (1.0 - 1e-9),
            "{what}: {group} {collective} {size} by {} {}: {time} us, bound {bound} us: {:?}",
            c.algorithm,
            c.protocol,
            why()
        );
    }
}

#[test]
fn no_estimate_beats_the_bound_on_shipped_systems() {
    for (name, s) in systems() {
        for system in [s.clone(), ideal(s.clone())] {
            for group in [Group::All, Group::Node, Group::Rail] {
                for c in Collective::ALL {
                    nothing_is_faster(&system, name, group, *c, Bytes::from_gib(8.0));
                }
            }
        }
    }
}

fn systems() -> &'static [(String, System)] {
    static ALL: LazyLock<Vec<(String, System)>> =
        LazyLock::new(|| shipped().iter().map(|s| (s.name.to_owned(), load_shipped(s.name).unwrap())).collect());
    &ALL
}

fn any_edit() -> impl Strategy<Value = String> {
    let unit = prop_oneof!["node0", "node1", "node\\*", "rack0/node3", "rack1/node0"];
    let device = prop_oneof!["gpu[0-7]", "nic[0-7]", "nvsw[0-3]", "psw[0-3]"];
    let link = (unit.clone(), "gpu[0-7]", prop_oneof!["gpu[0-7]", "nvsw[0-3]", "psw[0-3]", "cpu[0-1]"]);
    prop_oneof![
        (unit, device).prop_map(|(u, d)| format!("off {u}/{d}")),
        link.clone().prop_map(|(u, a, b)| format!("off {u}/{a}--{b}")),
        (link, 10_u32..90).prop_map(|((u, a, b), p)| format!("degrade {u}/{a}--{b} to {p}%")),
        (0_u32..8, 20_u32..90).prop_map(|(n, p)| format!("degrade node1/nic{n} to {p}%")),
        (1_u32..9).prop_map(|n| format!("set nodes = {n}")),
        (2_u32..8).prop_map(|n| format!("set gpus = {n}")),
        (1_u32..8).prop_map(|n| format!("set nics = {n}")),
        (0_u32..4).prop_map(|n| format!("off leaf{n}")),
        prop_oneof![
            "set fabric.oversubscription = 4",
            "set fabric.leaf_nodes = 2",
            "set fabric.rails = off",
            "set sharp = on",
            "set p2p = off",
            "set gdr = off",
            "set pxn = off",
            "set nvls = off",
            "off spine0"
        ],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_estimate_beats_the_bound(
        which in 0_usize..1000,
        texts in prop::collection::vec(any_edit(), 0..5),
        collective in prop::sample::select(Collective::ALL.to_vec()),
        group in prop::sample::select(vec![
            Group::All, Group::All, Group::Node, Group::Rail,
            Group::Strided { stride: 1, count: 4 }, Group::Strided { stride: 4, count: 4 }, Group::Strided { stride: 8, count: 2 },
            Group::Strided { stride: 1, count: 16 },
        ]),
        size in 0_u32..34,
        perfect in any::<bool>(),
    ) {
        let list = systems();
        let (name, base) = &list[which % list.len()];
        let edits: Vec<Entry> =
            texts.iter().filter_map(|t| t.parse().ok()).map(|edit| Entry { edit, enabled: true }).collect();
        let system = apply(&Arc::new(base.clone()), &edits, &Context::default()).system;
        let system = if perfect { ideal(system) } else { system };
        let what = format!("{name} {texts:?} ideal {perfect}");
        nothing_is_faster(&system, &what, group, collective, Bytes::from_u64(1 << size));
    }
}

#[test]
fn a_sick_gpu_in_a_mesh_is_held_at_the_bound() {
    // The packing starts more chains at the slow GPU than its NIC is charged for.
    let s = edited("mi300x-roce", &["degrade node0/gpu1 to 50%"]);
    let who = Group::All.participants(&s).unwrap();
    let answer = Prepared::new(&s, &who).answer(&Question::new(Collective::AllGather, Bytes::from_gib(1.0)));
    let e = answer.estimate().unwrap();
    assert!(e.low <= e.time && e.time <= e.high && e.time >= e.bound, "{} {} {} {}", e.low, e.time, e.high, e.bound);
}

#[test]
fn a_second_fault_never_lifts_a_first() {
    let time = |edits: &[&str]| {
        let s = edited("dgx-h100", edits);
        let who = Group::All.participants(&s).unwrap();
        let answer = Prepared::new(&s, &who).answer(&Question::new(Collective::AllReduce, Bytes::from_gib(1.0)));
        answer.estimate().unwrap().time
    };
    for (first, second) in [
        ("off node0/gpu0--nvsw*", "degrade node0/gpu0 to 50%"),
        ("off node0/gpu0--nvsw0", "degrade node0/nvsw0 to 50%"),
        ("degrade node0/gpu1 to 10%", "degrade node0/nvsw* to 50%"),
    ] {
        assert!(time(&[first, second]) >= time(&[first]), "{first}, then {second}");
    }
}

#[test]
fn a_protocol_that_is_set_holds_for_algorithms_that_lack_it() {
    let s = edited("dgx-h100", &["set protocol = ll"]);
    let who = Group::All.participants(&s).unwrap();
    let answer = Prepared::new(&s, &who).answer(&Question::new(Collective::AllReduce, Bytes::from_gib(1.0)));
    assert_eq!(answer.estimate().unwrap().chosen.protocol, icx_tui::system::Protocol::Ll);
}
