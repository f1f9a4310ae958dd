//! Cuts against brute force, and the parts of the bound by themselves.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use super::cutter::{Cutter, Role, Scratch, Wire};
use super::flow::FlowNet;
use super::partition::{Choice, best};
use super::*;
use crate::question::Group;
use crate::system::fixture::{Machine, bridged_pairs, switched_node};
use crate::system::{Cut, DeviceIx, LinkIx, Shape};

/// The least cut by trying every side of every device between.
fn brute(between: usize, wires: &[Wire], inside: &[bool]) -> f64 {
    let cost = |sides: usize| {
        let near = |r: Role| match r {
            Role::Rank(i) => inside[i],
            Role::Outside => false,
            Role::Between(v) => sides >> v & 1 == 1,
        };
        wires.iter().filter(|(_, a, b, _)| near(*a) != near(*b)).map(|w| w.3).sum::<f64>()
    };
    (0..1_usize << between).map(cost).fold(f64::INFINITY, f64::min)
}

/// The same by augmenting paths.
fn by_flow(between: usize, wires: &[Wire], inside: &[bool]) -> f64 {
    let (source, sink) = (between, between + 1);
    let node = |r: Role| match r {
        Role::Rank(i) if inside[i] => source,
        Role::Rank(_) | Role::Outside => sink,
        Role::Between(v) => v,
    };
    let mut net = FlowNet::new(between + 2);
    for (_, a, b, rate) in wires.iter().filter(|w| node(w.1) != node(w.2)) {
        net.link(node(*a), node(*b), *rate, *rate);
    }
    net.max_flow(source, sink)
}

const RANKS: usize = 4;
const BETWEEN: usize = 8;

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        4 => (0..RANKS).prop_map(Role::Rank),
        8 => (0..BETWEEN).prop_map(Role::Between),
        1 => Just(Role::Outside),
    ]
}

fn wires(most: usize) -> impl Strategy<Value = Vec<Wire>> {
    let wire = (role(), role(), 1_u32..50).prop_filter("a link has two ends", |(a, b, _)| a != b);
    prop::collection::vec(wire.prop_map(|(a, b, rate)| (LinkIx(0), a, b, f64::from(rate))), 0..most)
}

fn agree(wires: &[Wire]) {
    let cutter = Cutter::new(BETWEEN, wires);
    for set in 1..1_usize << RANKS {
        let inside: Vec<bool> = (0..RANKS).map(|i| set >> i & 1 == 1).collect();
        let (folded, least) = (cutter.rate(&inside, &mut Scratch::default()), brute(BETWEEN, wires, &inside));
        assert!((folded - least).abs() < 1e-6, "folding gives {folded}, trying all gives {least}");
        let flow = by_flow(BETWEEN, wires, &inside);
        assert!((flow - least).abs() < 1e-6, "augmenting gives {flow}, trying all gives {least}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folding_finds_the_least_cut_of_sparse_units(w in wires(14)) {
        agree(&w);
    }

    #[test]
    fn folding_finds_the_least_cut_of_dense_units(w in wires(40)) {
        agree(&w);
    }

    #[test]
    fn the_best_partition_is_the_best_of_all(rates in prop::collection::vec(1_u32..100, 15)) {
        let mut table = vec![(0.0, 0.0)];
        table.extend(rates.iter().map(|r| (1.0, f64::from(*r))));
        let ratio = |parts: &[usize]| {
            (parts.len() as f64 - 1.0) / parts.iter().map(|p| table[*p].1).sum::<f64>()
        };
        let most = partitions_of(15).iter().map(|p| ratio(p)).fold(0.0, f64::max);
        let choice = Choice::Every(table.clone(), 0.0);
        let found = best(&[(&choice, 1.0)], 1.0).unwrap();
        prop_assert!((found.moves / found.rate - most).abs() < 1e-9);
    }
}

/// All partitions of a set of bits.
fn partitions_of(set: usize) -> Vec<Vec<usize>> {
    if set == 0 {
        return vec![Vec::new()];
    }
    let lowest = set & set.wrapping_neg();
    let subsets = (0..=set).filter(|s| s & !set == 0 && s & lowest != 0);
    let mut all = Vec::new();
    for part in subsets {
        all.extend(partitions_of(set ^ part).into_iter().map(|mut rest| {
            rest.push(part);
            rest
        }));
    }
    all
}

#[test]
fn a_knot_beyond_pinning_goes_to_augmenting_paths() {
    // Every two of eight devices are linked: six pins leave two, which fold; twelve devices do not.
    let pairs = |n: usize| (0..n).flat_map(move |a| (0..a).map(move |b| (a, b)));
    for n in [BETWEEN, 12] {
        let wire = |a, b, rate| (LinkIx(0), a, b, rate);
        let mut wires: Vec<Wire> =
            pairs(n).map(|(a, b)| wire(Role::Between(a), Role::Between(b), 1.0 + (a * b) as f64)).collect();
        wires.extend((0..n).map(|v| wire(Role::Between(v), Role::Rank(v % RANKS), 3.0 + v as f64)));
        let cutter = Cutter::new(n, &wires);
        let inside = [true, false, true, false];
        let (found, least) = (cutter.rate(&inside, &mut Scratch::default()), brute(n, &wires, &inside));
        assert!((found - least).abs() < 1e-6, "{n} devices: {found} instead of {least}");
    }
}

fn rate(system: &System, group: Group, collective: Collective) -> BoundRate {
    let who = group.participants(system).unwrap();
    bound_rate(system, &who, collective)
}

/// GB/s of message per second at the bound.
fn algbw(system: &System, group: Group, collective: Collective) -> f64 {
    1.0 / (rate(system, group, collective).us_per_byte * 1000.0)
}

fn near(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-9, "{a} instead of {b}");
}

fn link(shape: &Shape, a: &str, b: &str) -> LinkIx {
    let find = |p: &str| -> DeviceIx { shape.find(p).unwrap() };
    shape.between(find(a), find(b)).unwrap()
}

#[test]
fn one_slow_cable_of_a_mesh_binds_by_the_gpu_at_its_end() {
    let mut s = Machine {
        devices: "gpu[0-3]",
        links: "gpu0 gpu[1-3] nvlink 2; gpu1 gpu[2-3] nvlink 2; gpu2 gpu3 nvlink 2",
        ..Machine::default()
    }
    .build();
    // Healthy: 6 transmissions of S over four times 150 GB/s.
    near(algbw(&s, Group::All, Collective::AllReduce), 100.0);
    near(algbw(&s, Group::All, Collective::AllGather), 200.0);
    near(algbw(&s, Group::All, Collective::AllToAll), 200.0);
    near(algbw(&s, Group::All, Collective::Broadcast), 150.0);
    let class = s.classes.first_mut().unwrap();
    let l = link(&class.shape, "gpu0", "gpu1");
    let mut health = (*class.health).clone();
    health.set_link(&class.shape, l, None, false);
    class.health = health.into();
    // gpu0 and gpu1 have 100 GB/s left each; the sum of all is 500.
    near(algbw(&s, Group::All, Collective::AllReduce), 500.0 / 6.0);
    near(algbw(&s, Group::All, Collective::AllGather), 400.0 / 3.0);
    near(algbw(&s, Group::All, Collective::Broadcast), 100.0);
}

#[test]
fn bridged_pairs_are_parts_behind_their_pcie_switch() {
    let s = bridged_pairs();
    // A pair leaves by one PCIe uplink; four of them send 6 S. What the fabric's switches might reduce comes in by two NICs.
    let pcie = 3.938 * 16.0;
    let node = rate(&s, Group::Node, Collective::AllReduce);
    near(1.0 / (node.us_per_byte * 1000.0), (4.0 * pcie + 100.0) / 6.0);
    assert_eq!(node.cut().unwrap().place, CutPlace::Parts { sizes: vec![2, 2, 2, 2] });
    near(algbw(&s, Group::Node, Collective::AllGather), pcie / (6.0 / 8.0));
}

#[test]
fn groups_that_run_at_the_same_time_add_up() {
    let s = switched_node(4);
    // Eight rails with four ranks each, over eight NICs of 50 GB/s (the fabric could reduce): S per group and NIC.
    near(algbw(&s, Group::Rail, Collective::AllReduce), 50.0);
    near(algbw(&s, Group::Rail, Collective::AllGather), 50.0 / 0.75);
    // One group of all: the NICs would do 400, but inside a node nothing reduces: 62 S over 32 GPUs and what comes back
    // reduced from the fabric.
    let gpu = 18.0 * 25.0 + 3.938 * 16.0;
    near(algbw(&s, Group::All, Collective::AllReduce), (32.0 * gpu + 4.0 * 400.0) / 62.0);
    near(algbw(&s, Group::All, Collective::AllGather), gpu * 32.0 / 31.0);
    near(algbw(&s, Group::All, Collective::AllToAll), 400.0 / (8.0 * 24.0 / 32.0));
    near(algbw(&s, Group::All, Collective::SendRecv), 400.0);
}

#[test]
fn uplinks_bind_where_they_are_tapered() {
    let tapered = |units| {
        Machine {
            devices: "cpu0 gpu[0-3] nic[0-3]",
            links: "cpu0 gpu[0-3] pcie; cpu0 nic[0-3] pcie; gpu0 gpu[1-3] nvlink 6; gpu1 gpu[2-3] nvlink 6; gpu2 gpu3 nvlink 6",
            units,
            fabric: Some((true, 2, 4.0)),
            ..Machine::default()
        }
        .build()
    };
    let s = tapered(8);
    // Two nodes of four NICs under a group of leaves share 4 x 2 x 50 / 4 = 100 GB/s; 3/4 of the peers are outside.
    near(algbw(&s, Group::All, Collective::AllToAll), 100.0 / (8.0 * 24.0 / 32.0));
    assert!(matches!(rate(&s, Group::All, Collective::AllToAll).cut().unwrap().place, CutPlace::Leaf(_)));
    near(algbw(&s, Group::All, Collective::AllGather), 100.0 / 0.75);
    // Pairs of neighbouring nodes stay under their leaves: two groups of eight... four nodes' worth do not.
    let pairs = Group::Strided { stride: 1, count: 8 };
    assert!(matches!(rate(&s, pairs, Collective::AllToAll).cut().unwrap().place, CutPlace::Ranks { .. }));
    let fours = Group::Strided { stride: 1, count: 16 };
    near(algbw(&s, fours, Collective::AllToAll), 100.0 / (8.0 * 0.5));
    // Under one group of leaves there is no uplink.
    near(algbw(&tapered(2), Group::All, Collective::AllToAll), 200.0 / (4.0 * 0.5));
}

#[test]
fn a_bound_names_its_cut() {
    let s = switched_node(4);
    let text = rate(&s, Group::All, Collective::AllToAll).cut().unwrap().describe(&s);
    assert_eq!(text, "around one node: 8 x InfiniBand 400 Gb/s 50 GB/s: 400 GB/s for 6 of the message");
    let text = rate(&s, Group::All, Collective::AllReduce).cut().unwrap().describe(&s);
    assert_eq!(text, "between all GPUs: 18016 GB/s for 62 of the message");
    let text = rate(&s, Group::Node, Collective::Broadcast).cut().unwrap().describe(&s);
    assert!(text.starts_with("around node0/gpu0: "), "{text}");
}

#[test]
fn alone_there_is_nothing_to_move() {
    let s = Machine { devices: "gpu0", ..Machine::default() }.build();
    let r = rate(&s, Group::All, Collective::AllReduce);
    assert_eq!((r.time(Bytes::from_gib(1.0)), r.cut()), (Time::ZERO, None));
}

/// A system with one damaged link in each of some units, so that each is a class of its own.
fn damaged(mut s: System, hurt: &[(u32, u32, u32)]) -> System {
    for (unit, at, percent) in hurt {
        let Some(ix) = s.classes.iter().position(|c| c.members.contains(*unit)) else { continue };
        let mut own = s.classes[ix].clone();
        let l = LinkIx(at % own.shape.links().len() as u32);
        let mut health = (*own.health).clone();
        health.degrade_link(&own.shape, l, None, Cut::Share(Share::from_percent(f64::from(*percent))));
        own.health = health.into();
        own.members = [*unit].into_iter().collect();
        s.classes[ix].members.remove(*unit);
        s.classes.push(own);
    }
    s.classes.retain(|c| !c.members.is_empty());
    s
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_short_search_finds_what_the_full_one_finds(
        hurt in prop::collection::vec((0_u32..24, any::<u32>(), 0_u32..100), 5..15),
        bridged in any::<bool>(),
    ) {
        let base = if bridged { bridged_pairs() } else { switched_node(24) };
        let s = damaged(base, &hurt);
        for group in [Group::All, Group::Node, Group::Rail] {
            let who = group.participants(&s).unwrap();
            for c in Collective::ALL {
                let (short, full) = (searched(&s, &who, *c, 0), searched(&s, &who, *c, usize::MAX));
                let ratio = short.us_per_byte / full.us_per_byte;
                // A partition that suits one unit best need not suit a damaged one: looser there, but never too much.
                let floor = if *c == Collective::AllReduce { 0.5 } else { 1.0 - 1e-9 };
                prop_assert!(full.us_per_byte == 0.0 || (ratio <= 1.0 + 1e-9 && ratio >= floor), "{group} {c}: {ratio}");
            }
        }
    }
}
