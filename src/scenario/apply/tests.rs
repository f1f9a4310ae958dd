#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a missing device is the failure of the test; halves are exact"
)]
use std::time::Instant;

use super::super::testbed::{edit, entries, fingerprint, lone, nodes, racks};
use super::super::{Context, Entry, Outcome, apply, touches};
use super::Applied;
use crate::system::System;
use crate::units::Bandwidth;

fn with(base: &System, lines: &[&str]) -> Applied {
    apply(base, &entries(lines), &Context::default())
}

fn active(a: &Applied) -> Vec<u64> {
    let count = |o: &Outcome| match o {
        Outcome::Active { touched } => *touched,
        other => panic!("{other:?}"),
    };
    a.outcomes.iter().map(count).collect()
}

fn reason(base: &System, line: &str) -> String {
    match with(base, &[line]).outcomes.pop() {
        Some(Outcome::Inert { reason }) => reason,
        other => panic!("{line}: {other:?}"),
    }
}

fn members(s: &System) -> Vec<String> {
    s.classes.iter().map(|c| c.members.to_string()).collect()
}

#[test]
fn wildcards_keep_the_class_whole_and_one_unit_splits_it() {
    let base = nodes(64);
    let all = with(&base, &["off node*/nic4"]);
    assert_eq!((active(&all), members(&all.system)), (vec![64], vec!["0..63".to_owned()]));
    let one = with(&base, &["off node3/gpu2--nvsw1#2", "off node7/gpu2--nvsw1#2"]);
    assert_eq!(members(&one.system), ["0..2, 4..6, 8..63", "3, 7"]);
    let back = with(&base, &["off node3/gpu2--nvsw1#2", "on node3/gpu2--nvsw1#2"]);
    assert_eq!(fingerprint(&back.system), fingerprint(&base));
}

#[test]
fn what_is_off_is_out_and_on_brings_it_back() {
    let base = nodes(4);
    assert_eq!(with(&base, &["off node3"]).system.ranks(), 24);
    assert_eq!(with(&base, &["off node3", "on node3"]).system.ranks(), 32);
    assert_eq!(with(&base, &["off node3", "on node3/gpu0"]).system.ranks(), 25);
    assert_eq!(with(&base, &["off node0/gpu3"]).system.ranks(), 31);
    let healed = with(&base, &["degrade node0/nic4 to 50%", "off node0/gpu0--nvsw0", "on node0/nic4", "on node0/gpu0"]);
    assert_eq!(fingerprint(&healed.system), fingerprint(&base));
    let rack = racks(3);
    assert_eq!(with(&rack, &["off rack1/node2"]).system.ranks(), 34);
    assert_eq!(with(&rack, &["off rack1/node2", "on rack1/node2"]).system.ranks(), 36);
    assert_eq!(with(&rack, &["off rack2"]).system.ranks(), 24);
}

#[test]
fn a_rate_and_a_share_cut_the_same_cable_alike() {
    let base = nodes(2);
    let rate = with(&base, &["degrade node0/nic1 to 200Gb/s"]);
    let share = with(&base, &["degrade node0/nic1 to 50%"]);
    assert_eq!(fingerprint(&rate.system), fingerprint(&share.system));
    let class = &rate.system.classes[0];
    let cable = class.shape.cable(class.shape.find("nic1").unwrap()).unwrap();
    assert_eq!(class.health.left(&class.shape, cable).ratio(), 0.5);
    assert!(reason(&base, "degrade node0/nic1 to 400Gb/s").contains("400Gb/s"));
    assert!(reason(&base, "degrade node0 to 50%").contains("node0/nic0"));
}

#[test]
fn the_rate_of_a_gpu_is_that_of_all_its_links_together() {
    let base = nodes(1);
    let shape = &base.classes[0].shape;
    let gpu = shape.find("gpu1").unwrap();
    let own = crate::system::attached_rate(shape, gpu).unwrap();
    let half = with(&base, &[&format!("degrade node0/gpu1 to {}Gb/s", own.gbits_per_s() / 2.0)]);
    assert_eq!(fingerprint(&half.system), fingerprint(&with(&base, &["degrade node0/gpu1 to 50%"]).system));
    let whole = format!("{}Gb/s", crate::units::significant(own.gbits_per_s()));
    assert!(reason(&base, &format!("degrade node0/gpu1 to {whole}")).contains(&format!("runs at {whole}")));
}

#[test]
fn the_last_set_of_a_key_counts_and_sets_come_before_health() {
    let base = nodes(4);
    let a = with(&base, &["set nodes = 2", "off node3/gpu0", "set nodes = 8"]);
    assert_eq!(a.outcomes[0], Outcome::Superseded { by: 2 });
    assert_eq!((a.system.units, a.system.ranks()), (8, 63));
    let gone = with(&base, &["off node3/gpu0", "set nodes = 2"]);
    assert!(
        matches!(&gone.outcomes[0], Outcome::Inert { reason } if reason.contains("node3/gpu0")),
        "{:?}",
        gone.outcomes
    );
    assert_eq!(gone.system.ranks(), 16);
    let off = Entry { enabled: false, ..Entry::from(edit("set nodes = 2")) };
    assert_eq!(apply(&base, &[off], &Context::default()).outcomes, [Outcome::Disabled]);
}

#[test]
fn a_leaf_cuts_the_cables_below_it() {
    let base = nodes(64);
    let a = with(&base, &["off leaf9"]);
    assert_eq!(members(&a.system), ["0..31", "32..63"]);
    let sick = &a.system.classes[1];
    let cable = |nic: &str| {
        let c = sick.shape.cable(sick.shape.find(nic).unwrap()).unwrap();
        sick.health.left(&sick.shape, c).ratio()
    };
    assert_eq!((cable("nic1"), cable("nic0")), (0.0, 1.0));
    assert_eq!(a.system.fabric.as_ref().unwrap().health.leaves[&9].ratio(), 0.0);
    assert_eq!(fingerprint(&with(&base, &["off leaf9", "on leaf9"]).system), fingerprint(&base));
    let kept = with(&base, &["off leaf9", "on node40/nic1"]);
    assert_eq!(members(&kept.system), ["0..31", "32..63"], "a cable is no better than its leaf");
}

#[test]
fn leaves_that_cut_through_racks() {
    let base = racks(3);
    // Leaf 2 is rail 0 of nodes 4..7: the last two of rack 0 and the first two of rack 1.
    let a = with(&base, &["off leaf2"]);
    assert_eq!(members(&a.system), ["0", "1", "2"]);
    let cut = |unit: usize| {
        let c = &a.system.classes[unit];
        c.health.links_hurt().map(|(l, _)| c.shape.link_name(l)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(cut(0), "node4/nic0--fabric node5/nic0--fabric");
    assert_eq!(cut(1), "node0/nic0--fabric node1/nic0--fabric");
    assert_eq!(cut(2), "");
}

#[test]
fn spines_and_uplinks() {
    let base = nodes(64);
    let f = |lines: &[&str]| with(&base, lines).system.fabric.unwrap();
    let leaf = crate::system::LeafIx(0);
    let healthy = f(&[]).leaf_uplink(leaf);
    let spine = f(&["off spine0"]).leaf_uplink(leaf);
    assert!(spine < healthy, "{spine} {healthy}");
    assert_eq!(f(&["off leaf0--spine0"]).leaf_uplink(leaf), spine);
    assert_eq!(f(&["off spine0", "off leaf0--spine0", "on spine0"]).leaf_uplink(leaf), healthy);
    assert_eq!(f(&["degrade leaf0 to 50%"]).leaf_uplink(leaf), healthy * 0.5);
}

#[test]
fn parts_are_replaced_everywhere_and_health_stays() {
    let base = nodes(4);
    let a =
        with(&base, &["off node1/gpu0--nvsw0", "set nvlink = 5", "set nic = \"connectx-8\"", "set transport = tcp"]);
    assert_eq!(active(&a), [1, 4 * 32, 4 * 8, 4 * 8]);
    assert_eq!(members(&a.system), ["0, 2..3", "1"]);
    let shape = &a.system.classes[0].shape;
    let nvlink = shape.link(shape.between(shape.find("gpu0").unwrap(), shape.find("nvsw0").unwrap()).unwrap()).unwrap();
    assert_eq!(nvlink.line_rate(), Bandwidth::from_gbytes_per_s(250.0));
    let cable = shape.link(shape.cable(shape.find("nic0").unwrap()).unwrap()).unwrap();
    assert_eq!((cable.line_rate().gbits_per_s(), cable.kind.usable.is.ratio()), (800.0, 0.6));
    assert_eq!(a.system.fabric.as_ref().unwrap().port_rate.gbits_per_s(), 800.0);
    assert_eq!(a.system.classes[1].health.links_hurt().count(), 1);
    assert!(reason(&base, "set nvlink = 7").contains("expected 4, 5"));
    assert!(reason(&base, "set nic = \"ConectX-8\"").contains("did you mean ConnectX-8"));
    assert!(reason(&base, "set xgmi = 4").contains("no xGMI"));
}

#[test]
fn sizes() {
    let base = nodes(4);
    assert_eq!(with(&base, &["set gpus = 4"]).system.ranks(), 16);
    let a = with(&base, &["set nics = 4"]);
    let class = &a.system.classes[0];
    let used: Vec<&str> =
        class.used_nics(a.system.nics_used).iter().map(|d| class.shape.device(*d).unwrap().name.as_str()).collect();
    assert_eq!(used, ["nic0", "nic2", "nic4", "nic6"]);
    assert!(reason(&base, "set nics = 9").contains("expected 1 to 8"));
    assert!(reason(&base, "set racks = 2").contains("nodes"));
    let context = Context { with_fabric: vec!["big".to_owned()] };
    let alone = apply(&lone(), &entries(&["set nodes = 2"]), &context);
    assert!(matches!(&alone.outcomes[0], Outcome::Inert { reason } if reason.contains("systems that have one: big")));
    let rack = racks(2);
    assert_eq!(with(&rack, &["set racks = 5"]).system.nodes(), 30);
    let later = with(&rack, &["set racks = 5", "set nodes = 18"]);
    assert_eq!((later.system.units, &later.outcomes[0]), (3, &Outcome::Superseded { by: 1 }));
    assert!(reason(&rack, "set nodes = 8").contains("6 or 12"));
    let used = rack.classes[0].used_nics(Some(1));
    assert_eq!(used.len(), 6, "one per node");
}

#[test]
fn names_that_are_not_there() {
    let base = nodes(4);
    assert!(
        reason(&base, "off node0/nvsw9").contains("did you mean node0/nvsw"),
        "{}",
        reason(&base, "off node0/nvsw9")
    );
    assert!(reason(&base, "off gpu3").contains("node*/gpu3"));
    assert!(reason(&lone(), "set fabric.rails = off").contains("no network"));
}

#[test]
fn what_is_touched() {
    let base = nodes(16_384);
    let what = |line: &str| touches(&base, &edit(line)).unwrap().what;
    assert_eq!(what("off node*/nic4"), "16,384 NICs on 16,384 nodes");
    assert_eq!(
        what("degrade node*/gpu*--nvsw0 to 50%"),
        "131,072 links (NVLink 4 x5) on 16,384 nodes".replace("NVLink 4", "nvlink")
    );
    assert_eq!(what("off node5"), "1 node");
    assert_eq!(touches(&racks(3), &edit("off rack*/node[2-3]")).unwrap().what, "6 nodes on 3 racks");
    assert_eq!(what("off leaf[0-3]"), "4 leaves");
}

/// The quickest of some runs.
fn quickest(base: &System, edits: &[Entry]) -> std::time::Duration {
    let run = |_| {
        let t = Instant::now();
        assert!(apply(base, edits, &Context::default()).outcomes.iter().all(|o| matches!(o, Outcome::Active { .. })));
        t.elapsed()
    };
    (0..7).map(run).min().unwrap()
}

#[test]
fn the_cost_of_an_edit_does_not_grow_with_the_units() {
    let (small, large) = (nodes(128), nodes(16_384));
    let lines: Vec<String> =
        (0..100_u32).map(|i| format!("off node{}/gpu{}--nvsw{}", i * 79 % 128, i % 8, i % 4)).collect();
    let single = entries(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    for edits in [single, entries(&["off node*/nic4"]), entries(&["set nvlink = 5", "degrade node*/gpu* to 50%"])] {
        let (few, many) = (quickest(&small, &edits), quickest(&large, &edits));
        assert!(many < few * 16, "{}: {few:?} for 128 nodes, {many:?} for 16,384", edits[0].edit);
    }
}

#[test]
fn too_many_uplinks_at_once_are_refused() {
    let text = reason(&nodes(16_384), "off leaf*--spine*");
    assert!(text.contains("leaf*") && text.contains("uplinks"), "{text}");
}
