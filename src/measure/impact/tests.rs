#![expect(clippy::unwrap_used, reason = "a missing row is the failure of the test")]

use std::time::Instant;

use super::*;
use crate::preset::{load_shipped, shipped};
use crate::question::{Collective, Group};

fn system(name: &str, edits: &[&str]) -> System {
    let entries: Vec<Entry> = edits.iter().map(|e| Entry::from(e.parse::<Edit>().unwrap())).collect();
    apply(&load_shipped(name).unwrap(), &entries, &Context::default()).system
}

fn ask(collective: Collective, size: &str) -> Question {
    Question { collective, size: size.parse().unwrap(), group: Group::All, algorithm: None, protocol: None }
}

fn of(s: &System, c: Collective, size: &str) -> Impacts {
    impact(s, &ask(c, size), Limits::default()).unwrap()
}

fn row<'a>(all: &'a Impacts, edit: &str) -> &'a Impact {
    all.rows.iter().find(|r| r.edit.to_string() == edit).unwrap()
}

fn change(all: &Impacts, edit: &str) -> f64 {
    row(all, edit).change.unwrap().ratio()
}

#[test]
fn a_slow_nic_hurts_more_than_a_lost_link_and_a_spine_hurts_little() {
    let all = of(&system("dgx-h100-superpod", &[]), Collective::AllReduce, "1GiB");
    let nic = change(&all, "degrade node0/nic0 to 50%");
    assert!(nic > 0.5, "shares are even, so all wait for the slow one: {nic}");
    assert!(nic > change(&all, "off node0/nic0"), "a NIC that is seen to be gone is left out");
    assert!(nic > change(&all, "off node0/gpu0--nvsw1#0") + 0.3);
    assert!(change(&all, "off spine0").abs() < RESOLUTION.ratio());
    assert!(row(&all, "off spine0").within_resolution());
    let worst = all.rows.first().unwrap();
    assert_eq!(worst.edit.to_string(), "off node0/nvsw*", "a cliff, not a slope");
}

#[test]
fn symmetric_things_are_counted_once() {
    let all = of(&system("dgx-h100-superpod", &["set nodes = 64"]), Collective::AllReduce, "1GiB");
    for (edit, alike) in [
        ("off node0/gpu0", 64 * 8),
        ("off node0/nic0", 64 * 8),
        ("off node0/nvsw0", 64 * 2),
        ("off node0/nvsw1", 64 * 2),
        ("off node0/gpu0--nvsw0#0", 64 * 8 * 2 * 4),
        ("off node0/gpu0--nvsw1#0", 64 * 8 * 2 * 5),
        ("off node0", 64),
        ("off leaf0", 16),
    ] {
        assert_eq!(row(&all, edit).alike, alike, "{edit}");
    }
    let texts: Vec<String> = all.rows.iter().map(|r| r.edit.to_string()).collect();
    assert!(!texts.iter().any(|t| t.contains("gpu1")), "one of eight stands for all: {texts:?}");
}

#[test]
fn one_rack_has_one_kind_of_link_to_its_switches() {
    let all = of(&system("gb200-nvl72", &[]), Collective::AllReduce, "1GiB");
    assert_eq!(row(&all, "off rack0/node0/gpu0").alike, 72);
    assert_eq!(row(&all, "off rack0/nvsw0").alike, 18);
    assert_eq!(row(&all, "off rack0/node0").alike, 18);
}

/// What orbits claim is what pricing each member says.
#[test]
fn every_member_of_an_orbit_gives_the_same_answer() {
    for (name, collective) in
        [("dgx-1", Collective::AllReduce), ("pcie-4090x8", Collective::AllReduce), ("dgx-a100", Collective::SendRecv)]
    {
        let s = system(name, &[]);
        let q = ask(collective, "64MiB");
        let all = impact(&s, &q, Limits::default()).unwrap();
        let who = Prepared::participants(&s, Group::All).unwrap();
        let bench = Bench::new(&s, &q, &who);
        let base = bench.look(&s, false).unwrap();
        let shape = &s.classes[0].shape;
        let mut counted = 0;
        for gpu in shape.gpus() {
            let path = &shape.device(*gpu).unwrap().path;
            let alone = bench.one(&base, format!("off node0/{path}").parse().unwrap(), Kind::Down).unwrap();
            let rows = all.rows.iter().filter(|r| r.what == "GPU" && r.kind == Kind::Down);
            assert!(rows.clone().any(|r| same(r, &alone)), "{name} {path}");
            counted = rows.map(|r| r.alike).sum();
        }
        assert_eq!(counted, shape.gpus().len() as u64, "{name}");
    }
}

#[test]
fn every_shipped_system_has_impacts_and_no_fault_helps_while_all_ranks_stay() {
    for x in shipped() {
        let s = load_shipped(x.name).unwrap();
        let ranks = Prepared::participants(&s, Group::All).unwrap().ranks;
        if ranks < 2 {
            continue;
        }
        let q = ask(Collective::AllReduce, "16MiB");
        let all = impact(&s, &q, Limits::default()).unwrap();
        assert!(!all.rows.is_empty(), "{}", x.name);
        for r in all.rows.iter().filter(|r| r.kind.is_fault()) {
            let left = if r.reason.contains("ranks") { 0 } else { ranks };
            assert!(left < ranks || r.weight() > -1e-6, "{}: {} {:?}", x.name, r.edit, r.change);
            assert!(r.alike > 0 && !r.reason.is_empty(), "{}: {}", x.name, r.edit);
        }
    }
}

#[test]
fn every_collective_can_be_asked() {
    let s = system("h100-roce-2to1", &[]);
    for c in Collective::ALL {
        let all = of(&s, *c, "64MiB");
        let faults: Vec<f64> = all.rows.iter().filter(|r| r.kind.is_fault()).map(Impact::weight).collect();
        assert!(faults.is_sorted_by(|a, b| a >= b), "{c}: worst first");
    }
}

#[test]
fn no_oversubscription_helps_an_all_to_all_more_than_a_ring() {
    let s = system("h100-roce-2to1", &["set algorithm = ring", "set nodes = 256"]);
    let free = "set fabric.oversubscription = 1";
    let pairs = change(&of(&s, Collective::AllToAll, "1GiB"), free);
    let ring = change(&of(&s, Collective::AllReduce, "1GiB"), free);
    assert!(pairs < -0.1 && pairs < ring - 0.1, "{pairs} {ring}");
}

#[test]
fn a_question_without_an_answer_is_refused() {
    let s = system("dgx-h100", &["off node0"]);
    assert!(impact(&s, &ask(Collective::AllReduce, "1MiB"), Limits::default()).is_err());
}

#[test]
fn the_largest_changes_are_kept_in_order() {
    let all = of(&system("dgx-h100-superpod", &["set nodes = 4"]), Collective::AllReduce, "1GiB");
    let some = top(&all.rows, 5);
    assert_eq!(some.len(), 5);
    let least = some.iter().map(|r| r.weight().abs()).fold(f64::INFINITY, f64::min);
    let kept = |r: &Impact| some.iter().any(|s| s.edit == r.edit);
    assert!(all.rows.iter().filter(|r| !kept(r)).all(|r| r.weight().abs() <= least));
    assert_eq!(top(&all.rows, 1000).len(), all.rows.len());
}

#[test]
fn the_cost_does_not_grow_with_the_cluster() {
    let time = |nodes: &str| {
        let s = system("dgx-h100-superpod", &[nodes]);
        let best = (0..3).map(|_| {
            let t = Instant::now();
            of(&s, Collective::AllReduce, "1GiB");
            t.elapsed()
        });
        best.min().unwrap()
    };
    let (small, large) = (time("set nodes = 64"), time("set nodes = 16384"));
    // 256 times the nodes; loose enough for a busy machine.
    assert!(large < small * 4, "{small:?} {large:?}");
}
