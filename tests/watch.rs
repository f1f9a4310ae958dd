//! Collectives step by step: the moves are the priced traffic, they keep the collective's promise, and the last step ends at
//! the estimate's time.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed step fails the test")]

use icx_tui::collective::schedule::{Plan, Reserve, Schedule};
use icx_tui::collective::{Pattern, Router, Unit, traffic};
use icx_tui::cost::{BindingPlace, Estimate, LinkLoads, Prepared, Timeline};
use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Group, Participants, Question};
use icx_tui::scenario::{Context, Entry, History};
use icx_tui::system::{Algorithm, ClassIx, System};
use icx_tui::units::Bytes;
use std::collections::HashMap;
use std::sync::Arc;

/// A shipped system after some edits.
fn edited(name: &str, edits: &[&str]) -> System {
    let base = Arc::new(load_shipped(name).unwrap());
    let edits = edits.iter().map(|e| Entry { edit: e.parse().unwrap(), enabled: true }).collect();
    History::with(base, Arc::new(Context::default()), edits, Vec::new()).system().clone()
}

/// Systems and edits: switches, meshes, rings of islands, host links, racks, rails and none, sick links, missing GPUs.
const MACHINES: &[(&str, &[&str])] = &[
    ("dgx-h100", &[]),
    ("dgx-h100", &["off gpu3"]),
    ("dgx-h100", &["off gpu3--nvsw1"]),
    ("dgx-h100", &["set gpus = 5"]),
    ("dgx-1", &[]),
    ("dgx-1", &["off gpu0--gpu3"]),
    ("dgx-2", &[]),
    ("dgx-2", &["off nvsw3"]),
    ("mi300x", &[]),
    ("mi300x", &["degrade gpu2--gpu5 to 50%"]),
    ("pcie-4090x8", &[]),
    ("pcie-a100x8-bridged", &[]),
    ("pcie-v100x4", &["set p2p = off"]),
    ("lumi-g", &[]),
    ("gb200-nvl72", &[]),
    ("gb200-nvl72", &["off node3/gpu1--nvsw5"]),
    ("dgx-h100-superpod", &["set nodes = 2"]),
    ("dgx-h100-superpod", &["set nodes = 3", "set sharp = on"]),
    ("dgx-h100-superpod", &["set nodes = 4", "degrade node1/nic2 to 50%"]),
    ("dgx-h100-superpod", &["set nodes = 4", "off node2/gpu5"]),
    ("dgx-h100-superpod", &["set nodes = 5", "set nics = 4", "set pxn = off"]),
    ("dgx-a100-hdr", &["set nodes = 4", "off node1/nic3"]),
    ("mi300x-roce", &["set nodes = 2"]),
    ("mi300x-roce", &["set nodes = 4", "off node0/gpu1--gpu2"]),
    ("gh200-slingshot", &["set nodes = 6"]),
    ("rtx3090-roce-pair", &[]),
    ("tcp-t4", &[]),
];

const GROUPS: &[&str] = &["all", "node", "rail", "1x2", "2x4", "4x2", "8x2", "1x16"];

fn questions() -> Vec<Question> {
    let sizes = [Bytes::from_gib(1.0), Bytes::new(8192.0)];
    let mut list = Vec::new();
    for collective in Collective::ALL {
        for size in sizes {
            let q = Question::new(*collective, size);
            list.push(q);
            if *collective == Collective::AllReduce {
                for a in [Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree, Algorithm::Collnet] {
                    list.push(Question { algorithm: Some(a), ..q });
                }
            }
        }
    }
    list
}

/// Every answer of a system that says something.
fn answers(system: &System, mut each: impl FnMut(&Participants, &Prepared<'_>, &Estimate)) {
    for group in GROUPS {
        let group: Group = group.parse().unwrap();
        let Ok(who) = Prepared::participants(system, group) else { continue };
        let prepared = Prepared::new(system, &who);
        let mut seen = Vec::new();
        for q in questions() {
            let answer = prepared.answer(&Question { group, ..q });
            let Some(e) = answer.estimate() else { continue };
            // The moves of an algorithm are the same at every size.
            if !seen.contains(&(q.collective, e.chosen.algorithm)) {
                seen.push((q.collective, e.chosen.algorithm));
                each(&who, &prepared, e);
            }
        }
    }
}

fn schedule(system: &System, who: &Participants, e: &Estimate, focus: Option<ClassIx>) -> Option<Schedule> {
    let uses: Vec<(Pattern, Bytes)> = e.chosen.traffic.iter().map(|u| (u.pattern, u.bytes)).collect();
    let (collective, algorithm) = (e.question.collective, e.chosen.algorithm);
    Schedule::new(system, who, &Plan { collective, algorithm, size: e.question.size, uses: &uses, focus })
}

/// Bytes on every link and direction of a class, as they are priced.
fn priced(system: &System, who: &Participants, e: &Estimate, class: ClassIx) -> Vec<f64> {
    let of = &system.classes[class.0];
    let router = Router::new(Unit::of(system, of));
    let mut sums = vec![0.0; of.shape.links().len() * 2];
    for used in &e.chosen.traffic {
        let t = traffic(&router, &who.classes[class.0], used.pattern).expect("it was priced");
        for link in of.shape.link_ixs() {
            for (side, forward) in [true, false].into_iter().enumerate() {
                sums[link.0 as usize * 2 + side] += t.loads.bytes(link, forward) * used.bytes.get();
            }
        }
    }
    sums
}

/// The same of all moves, in one unit of the system.
fn moved(system: &System, s: &Schedule, unit: u32, class: ClassIx) -> Vec<f64> {
    let mut sums = vec![0.0; system.classes[class.0].shape.links().len() * 2];
    for group in 0..s.groups() {
        for step in 0..s.steps() {
            for m in s.moves(group, step, None) {
                for leg in m.legs.iter().filter(|l| s.unit(group, l.unit) == Some((unit, class))) {
                    assert_eq!(leg.class, class);
                    for h in leg.hops.iter() {
                        let at = h.link.0 as usize * 2 + usize::from(!h.forward);
                        sums[at] += m.bytes.get() * leg.factor * h.share;
                    }
                }
            }
        }
    }
    sums
}

#[test]
fn the_bytes_of_all_moves_are_the_loads_that_were_priced() {
    let mut compared = 0;
    for (name, edits) in MACHINES {
        let system = edited(name, edits);
        answers(&system, |who, _, e| {
            for class in (0..system.classes.len()).map(ClassIx) {
                let Some(s) = schedule(&system, who, e, Some(class)) else { continue };
                let shown = s.shown(0).into_iter().filter_map(|u| s.unit(0, u)).filter(|x| x.1 == class).map(|x| x.0);
                let reserve = s.reserve();
                let want = priced(&system, who, e, class);
                let units: Vec<Vec<f64>> = shown.map(|u| moved(&system, &s, u, class)).collect();
                let what = format!("{name} {edits:?} {:?} {} class {class:?}", e.question, e.chosen.algorithm);
                for got in &units {
                    for (i, (w, g)) in want.iter().zip(got).enumerate() {
                        let slack = 1e-9 * e.question.size.get();
                        let fits = if reserve.is_some() { *g <= w + slack } else { (w - g).abs() <= slack };
                        assert!(fits, "{what}: slot {i} priced {w}, moved {g}");
                    }
                    compared += 1;
                }
                let top = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
                let most = units.iter().map(|u| top(u)).fold(0.0, f64::max);
                let all = s.shown(0).len() as u32 == s.units(0) && system.classes.len() == 1;
                assert!(
                    !all || (most - top(&want)).abs() <= 1e-9 * top(&want) + 1e-3,
                    "{what}: {most} of {}",
                    top(&want)
                );
            }
        });
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn after_all_moves_everyone_holds_what_the_collective_promises() {
    let mut proved = 0;
    for (name, edits) in MACHINES.iter().filter(|m| m.0 != "gb200-nvl72") {
        let system = edited(name, edits);
        answers(&system, |who, _, e| {
            let Some(s) = schedule(&system, who, e, None) else { return };
            for group in 0..s.groups() {
                // Lanes are independent of each other: each is followed by itself.
                for lane in (0..s.lanes(group)).step_by(s.lanes(group).div_ceil(3).max(1)) {
                    let Some(mut state) = s.replay(group, Some(lane)) else { continue };
                    for step in 0..s.steps() {
                        state.step(&s.moves(group, step, Some(lane)));
                    }
                    let what = format!("{name} {edits:?} {:?} {} lane {lane}", e.question, e.chosen.algorithm);
                    assert!(state.kept() || s.ranks(group) < 2, "{what}");
                    proved += 1;
                }
            }
        });
    }
    assert!(proved > 500, "{proved}");
}

#[test]
fn the_last_step_ends_at_the_time_of_the_estimate() {
    for (name, edits) in MACHINES {
        let system = edited(name, edits);
        answers(&system, |_, prepared, e| {
            let Some(t) = Timeline::of(prepared, e) else { return };
            let what = format!("{name} {edits:?} {:?} {}", e.question, e.chosen.algorithm);
            let (last, all) = (t.steps(), e.time.us());
            assert_eq!(t.end(last), e.time, "{what}");
            assert_eq!(t.end(0), e.chosen.terms.launch, "{what}");
            let mut before = t.end(0);
            for step in 1..=last {
                let now = t.end(step);
                assert!(now.us() >= before.us() - 1e-9 * all, "{what}: step {step}");
                before = now;
            }
            // Nothing is left over for the last step: it takes what its like takes.
            let near = t.end(last - 1).us() + t.alone(last - 1).us();
            assert!((near - all).abs() < 1e-6 * all, "{what}: {near} of {all}");
            let end = t.tiers(last);
            assert_eq!(end.len(), e.tiers.len());
            assert!(end.iter().zip(&e.tiers).all(|(a, b)| a.bytes == b.bytes_per_rank && a.time == b.time), "{what}");
        });
    }
}

/// Bytes on every link of the shown units in one step: per unit of the system with its class, slot by slot.
fn in_step(system: &System, s: &Schedule, step: u64) -> HashMap<(u32, ClassIx), Vec<f64>> {
    let mut sums: HashMap<(u32, ClassIx), Vec<f64>> = HashMap::new();
    for group in s.in_step() {
        for m in s.moves(group, step, None) {
            for leg in &m.legs {
                let unit = s.unit(group, leg.unit).unwrap();
                let slots = system.classes[unit.1.0].shape.links().len() * 2;
                let cells = sums.entry(unit).or_insert_with(|| vec![0.0; slots]);
                for h in leg.hops.iter() {
                    cells[h.link.0 as usize * 2 + usize::from(!h.forward)] += m.bytes.get() * leg.factor * h.share;
                }
            }
        }
    }
    sums
}

#[test]
fn every_step_moves_something_and_has_the_time_that_its_slowest_link_needs() {
    let mut seen = 0;
    for (name, edits) in MACHINES {
        let system = edited(name, edits);
        answers(&system, |who, prepared, e| {
            let Some(t) = Timeline::of(prepared, e) else { return };
            let s = t.schedule();
            let loads = LinkLoads::of(prepared, e);
            let prices: Vec<Vec<f64>> = (0..system.classes.len())
                .map(|c| if who.classes[c].ranks() > 0 { priced(&system, who, e, ClassIx(c)) } else { Vec::new() })
                .collect();
            let what = format!("{name} {edits:?} {:?} {}", e.question, e.chosen.algorithm);
            let steps: Vec<u64> = (0..s.steps()).collect();
            for step in steps.iter().copied().step_by(s.steps().div_ceil(8).max(1) as usize).chain([s.steps() - 1]) {
                let took = t.alone(step);
                assert!(took.us() > 0.0, "{what}: step {step} takes no time");
                for lane in [0, s.lanes(0) / 2, s.lanes(0) - 1] {
                    assert!(!s.moves(0, step, Some(lane)).is_empty(), "{what}: nothing moves in step {step}");
                }
                let said = t.slowest(step).unwrap_or_else(|| panic!("{what}: no slowest link in step {step}"));
                assert!(said.time.us() <= took.us() * (1.0 + 1e-9), "{what}: step {step}: {said:?} in {took}");
                for ((unit, class), cells) in in_step(&system, s, step) {
                    for link in system.classes[class.0].shape.link_ixs() {
                        let both = loads.link(class, link).unwrap();
                        for (side, load) in both.into_iter().enumerate() {
                            let slot = link.0 as usize * 2 + side;
                            if prices[class.0][slot] <= 0.0 {
                                continue;
                            }
                            let needs = load.ratio() * e.time.us() * cells[slot] / prices[class.0][slot];
                            assert!(
                                needs <= took.us() * (1.0 + 1e-6),
                                "{what}: step {step} takes {took}, {} of unit {unit} needs {needs} us",
                                prepared.link_name(class, link)
                            );
                        }
                    }
                }
                seen += 1;
            }
        });
    }
    assert!(seen > 5000, "{seen}");
}

#[test]
fn where_everything_moves_at_once_the_slowest_link_is_the_one_that_the_estimate_names() {
    let mut named = 0;
    for (name, edits) in MACHINES {
        let system = edited(name, edits);
        answers(&system, |_, prepared, e| {
            let Some(t) = Timeline::of(prepared, e) else { return };
            let at_once = t.schedule().even().is_some() || t.schedule().first_stages().is_some_and(|s| s < t.steps());
            let place = e.chosen.binding.place;
            if at_once && matches!(place, BindingPlace::Link { .. } | BindingPlace::Uplink(_)) {
                let last = t.slowest(t.steps() - 1).unwrap();
                assert_eq!(last.place, place, "{name} {edits:?} {:?} {}", e.question, e.chosen.algorithm);
                named += usize::from(last.name == e.bottleneck);
            }
        });
    }
    assert!(named > 50, "{named}");
}

#[test]
fn the_reserve_is_only_where_it_is_said() {
    let system = edited("dgx-h100-superpod", &["set nodes = 4"]);
    answers(&system, |who, _, e| {
        let Some(s) = schedule(&system, who, e, None) else { return };
        let rooted = matches!(e.question.collective, Collective::Broadcast | Collective::Reduce);
        let trees = matches!(e.chosen.algorithm, Algorithm::Tree | Algorithm::NvlsTree) && s.units(0) > 2;
        let want = if rooted { Some(Reserve::AnyRoot) } else { trees.then_some(Reserve::BusiestNode) };
        assert_eq!(s.reserve(), want, "{:?}", e.question);
    });
}

#[test]
fn a_huge_system_costs_a_few_units() {
    let system = edited("dgx-h100-superpod", &["set nodes = 16384"]);
    assert_eq!(system.ranks(), 131_072);
    answers(&system, |_, prepared, e| {
        let Some(t) = Timeline::of(prepared, e) else { return };
        let s = t.schedule();
        assert!(s.shown(0).len() <= 17, "{:?}", e.question);
        for step in [0, t.steps() / 2, t.steps() - 1] {
            let moves: usize = (0..s.groups()).map(|g| s.moves(g, step, None).len()).sum();
            assert!(moves < 8000, "{:?}: {moves}", e.question);
        }
        assert_eq!(t.end(t.steps()), e.time);
        let half = t.at(e.time * 0.5);
        assert!(t.end(half).us() <= e.time.us() && half <= t.steps());
    });
}

#[test]
fn steps_that_are_said_to_be_alike_load_the_same_links() {
    let system = edited("gb200-nvl72-ib", &["set racks = 2"]);
    let who = Prepared::participants(&system, Group::All).unwrap();
    let prepared = Prepared::new(&system, &who);
    let tree = Question::new(Collective::AllReduce, Bytes::from_gib(1.0));
    let answer = prepared.answer(&Question { algorithm: Some(Algorithm::Tree), ..tree });
    let s = schedule(&system, &who, answer.estimate().unwrap(), None).unwrap();
    let loads = |step: u64| {
        let mut sums = vec![0.0; system.classes[0].shape.links().len() * 2];
        for m in s.moves(0, step, None) {
            for h in m.legs.iter().filter(|l| l.unit == 0).flat_map(|l| l.hops.iter()) {
                sums[h.link.0 as usize * 2 + usize::from(!h.forward)] += m.bytes.get() * h.share;
            }
        }
        sums.iter().copied().fold(0.0, f64::max)
    };
    let steps: Vec<u64> = (0..s.steps()).filter(|k| s.like(*k) != *k).collect();
    assert!(steps.len() > 100);
    for step in steps.iter().step_by(17).chain(steps.last()) {
        let (own, like) = (loads(*step), loads(s.like(*step)));
        assert!((own / like - 1.0).abs() < 1e-9, "step {step}: {own} and {like}");
    }
}
