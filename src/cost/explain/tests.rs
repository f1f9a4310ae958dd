#![expect(clippy::unwrap_used, clippy::panic, reason = "a missing part is the failure of the test")]

use std::collections::BTreeSet;

use super::limits::limits;
use super::words::{count, factor};
use super::*;
use crate::preset::{load_shipped, shipped};
use crate::question::{Collective, Group, Participants, Question};
use crate::scenario::{Context, Edit, Entry, apply};
use crate::system::{Algorithm, System};
use crate::units::Bytes;

fn system(name: &str, edits: &[&str]) -> System {
    let entries: Vec<Entry> = edits.iter().map(|e| Entry::from(e.parse::<Edit>().unwrap())).collect();
    apply(&load_shipped(name).unwrap(), &entries, &Context::default()).system
}

fn ask(collective: Collective, size: &str) -> Question {
    Question { collective, size: size.parse().unwrap(), group: Group::All, algorithm: None, protocol: None }
}

/// Runs a check on the estimate of a question and its explanation.
fn with<T>(s: &System, q: &Question, check: impl FnOnce(&Prepared<'_>, &Estimate, &Explanation) -> T) -> Option<T> {
    let who = Prepared::participants(s, q.group).ok()?;
    let p = Prepared::new(s, &who);
    let answer = p.answer(q);
    let e = answer.estimate()?;
    Some(check(&p, e, &p.explain(e)))
}

fn why(s: &System, q: &Question) -> Explanation {
    with(s, q, |_, _, x| x.clone()).unwrap()
}

fn texts(x: &Explanation, id: &str) -> String {
    x.find(id).unwrap_or_else(|| panic!("no section {id}")).lines.join("\n")
}

const IDS: [&str; 20] = [
    "question",
    "library",
    "choice",
    "candidates",
    "time",
    "launch",
    "steps",
    "fill",
    "transfer",
    "bytes",
    "binding",
    "next",
    "tiers",
    "sizes",
    "crossovers",
    "half_peak",
    "range",
    "bound",
    "figures",
    "misreadings",
];

#[test]
fn every_shipped_system_is_explained_and_its_parts_sum_to_the_time() {
    for shipped in shipped() {
        let s = load_shipped(shipped.name).unwrap();
        for c in Collective::ALL {
            with(&s, &ask(*c, "32MiB"), |p, e, x| {
                for id in IDS {
                    assert!(x.find(id).is_some(), "{} {c}: {id}", shipped.name);
                }
                let parts: Time = x.find("time").unwrap().children.iter().filter_map(|s| s.time).sum();
                assert!((parts.us() - e.time.us()).abs() < 1e-6, "{} {c}: {parts} of {}", shipped.name, e.time);
                let f = facts(p, e);
                let most = limits(&f).first().unwrap().time;
                assert!(((most / e.chosen.terms.transfer).ratio() - 1.0).abs() < 1e-9, "{} {c}", shipped.name);
            });
        }
    }
}

fn facts<'a, 's>(p: &'a Prepared<'s>, e: &'a Estimate) -> Facts<'a, 's> {
    let pricer = Pricer { prepared: p, params: &PARAMS };
    let (all, _) = recipes(&pricer, e.question.collective);
    Facts { recipe: all.into_iter().find(|r| r.algorithm == e.chosen.algorithm), pricer, e }
}

/// The time at the end of a line `... = 31.1 ms`.
fn result(line: &str) -> Option<Time> {
    line.rsplit(" = ").next()?.parse().ok()
}

#[test]
fn what_is_printed_for_the_binding_link_adds_up_to_the_transfer() {
    for (name, edits, c) in [
        ("dgx-h100", &[][..], Collective::AllReduce),
        ("dgx-h100-superpod", &["set nodes = 2"][..], Collective::AllReduce),
        ("dgx-h100-superpod", &["set nodes = 4"][..], Collective::AllToAll),
        ("pcie-v100x4", &[][..], Collective::AllGather),
        ("dgx-1", &[][..], Collective::Broadcast),
        ("mi300x", &[][..], Collective::ReduceScatter),
        ("dgx-a100-hdr", &["degrade node0/nic0 to 50%"][..], Collective::AllReduce),
    ] {
        let s = system(name, edits);
        with(&s, &ask(c, "1GiB"), |_, e, x| {
            let t = x.find("transfer").unwrap();
            let sum: Time = t.lines.iter().filter_map(|l| result(l)).sum();
            assert!((sum / e.chosen.terms.transfer).ratio() - 1.0 < 0.01, "{name}: {:?}", t.lines);
            assert!((sum / e.chosen.terms.transfer).ratio() > 0.99, "{name}: {:?}", t.lines);
        })
        .unwrap();
    }
}

#[test]
fn steps_are_the_formula_times_the_latency() {
    let s = load_shipped("dgx-a100").unwrap();
    with(&s, &ask(Collective::AllReduce, "1KiB"), |_, e, x| {
        assert_eq!(e.chosen.algorithm, Algorithm::Ring);
        let steps = texts(x, "steps");
        assert!(steps.contains("14 steps = 2(n-1) x"), "{steps}");
        let inner = steps.split(" x ").nth(1).unwrap();
        let (each, all) = inner.split_once(" = ").unwrap();
        let all = all.split(" (").next().unwrap();
        let (each, all): (Time, Time) = (each.parse().unwrap(), all.parse().unwrap());
        assert!((all / (each * 14.0)).ratio() - 1.0 < 0.01);
        assert_eq!(e.chosen.steps_inside, 14);
    })
    .unwrap();
}

#[test]
fn formulas_are_only_named_where_they_hold() {
    let who = |ranks, units, per_unit| Participants {
        ranks,
        groups: 1,
        units,
        unit_step: 1,
        nodes: u64::from(units),
        per_unit,
        classes: Vec::new(),
    };
    let two = who(16, 2, 8);
    assert_eq!(count(28, &two, false, Algorithm::Ring).as_deref(), Some("2(n-1) - 2(N-1)"));
    assert_eq!(count(2, &two, true, Algorithm::Ring).as_deref(), Some("2(N-1)"));
    assert_eq!(count(14, &two, false, Algorithm::Tree).as_deref(), Some("2(g-1)"));
    assert_eq!(count(5, &two, false, Algorithm::Tree), None);
    assert_eq!(factor(1.875, &two, Algorithm::Ring), "2(n-1)/n = 1.88");
    assert_eq!(factor(0.123, &two, Algorithm::Ring), "0.123");
}

#[test]
fn crossovers_hold_where_they_are_said_to_be() {
    let s = load_shipped("dgx-h100").unwrap();
    let text = why(&s, &ask(Collective::AllReduce, "1MiB"));
    let lines = &text.find("crossovers").unwrap().lines;
    assert!(lines.len() >= 2, "small messages and large ones are done differently: {lines:?}");
    for l in lines {
        let (size, way) = l.strip_prefix("from ").unwrap().split_once(": ").unwrap();
        // Printed with three digits, so look a little above.
        let above = Bytes::from_u64((size.parse::<Bytes>().unwrap().get() * 1.02).round() as u64);
        let q = Question { size: above, ..ask(Collective::AllReduce, "1MiB") };
        with(&s, &q, |_, e, _| {
            assert!(way.starts_with(&format!("{} {}", e.chosen.algorithm, e.chosen.protocol)), "{l}");
        })
        .unwrap();
    }
}

#[test]
fn half_of_the_peak_is_reached_at_the_half_peak_size() {
    let s = load_shipped("dgx-a100").unwrap();
    let x = why(&s, &ask(Collective::AllReduce, "1GiB"));
    let value = &x.find("half_peak").unwrap().value;
    let size: Bytes = value.strip_prefix("half of the peak at ").unwrap().parse().unwrap();
    let busbw = |size| with(&s, &Question { size, ..ask(Collective::AllReduce, "1") }, |_, e, _| e.busbw()).unwrap();
    let ratio = busbw(size) / busbw("16GiB".parse().unwrap());
    assert!((ratio.ratio() - 0.5).abs() < 0.02, "{value}: {ratio}");
}

#[test]
fn the_reason_follows_the_choice() {
    let h100 = load_shipped("dgx-h100").unwrap();
    let large = why(&h100, &ask(Collective::AllReduce, "8GiB"));
    assert!(texts(&large, "refused").contains("tree: inside one scale-up domain"));
    let forced = Question { algorithm: Some(Algorithm::Ring), ..ask(Collective::AllReduce, "8GiB") };
    assert!(texts(&why(&h100, &forced), "choice").contains("ring was asked for"));
    assert!(texts(&why(&h100, &forced), "misreadings").contains("900 GB/s"));
    assert!(texts(&large, "misreadings").contains("is a score"));
    assert!(!texts(&why(&h100, &forced), "misreadings").contains("is a score"));
}

#[test]
fn misreadings_fit_the_question() {
    let pod = system("dgx-h100-superpod", &["set nodes = 4"]);
    let all_to_all = texts(&why(&pod, &ask(Collective::AllToAll, "1GiB")), "misreadings");
    assert!(all_to_all.contains("rate per GPU") && all_to_all.contains("400Gb/s"), "{all_to_all}");
    let small = texts(&why(&pod, &ask(Collective::AllReduce, "8")), "misreadings");
    assert!(small.contains("launch and steps") && !small.contains("GiB is"), "{small}");
    let host = texts(
        &why(&system("dgx-a100", &["set gpus_per_process = 8"]), &ask(Collective::AllReduce, "8")),
        "misreadings",
    );
    assert!(host.contains("-g 8"), "{host}");
}

#[test]
fn guesses_are_listed_as_such_and_settings_are_named() {
    let assumed: usize = shipped()
        .iter()
        .filter_map(|s| {
            with(&load_shipped(s.name).unwrap(), &ask(Collective::AllReduce, "1GiB"), |_, _, x| {
                x.find("assumed").unwrap().lines.len()
            })
        })
        .sum();
    assert!(assumed > 0, "some figures of the catalogue are guesses");
    let set = system("dgx-a100", &["set usable.nvlink = 50%", "set launch = 12us"]);
    let x = why(&set, &ask(Collective::AllReduce, "1GiB"));
    assert!(
        texts(&x, "rates").contains("50% usable by GPU kernels (a setting of this system)"),
        "{}",
        texts(&x, "rates")
    );
    assert!(texts(&x, "launch").contains("12 us a call (a setting of this system)"));
}

#[test]
fn the_bound_is_what_its_cut_says() {
    for (name, c) in
        [("dgx-h100", Collective::AllReduce), ("dgx-1", Collective::AllGather), ("dgx-a100-hdr", Collective::AllToAll)]
    {
        let s = load_shipped(name).unwrap();
        with(&s, &ask(c, "1GiB"), |_, e, x| {
            let lines = &x.find("bound").unwrap().lines;
            let said = result(lines.last().unwrap()).unwrap();
            assert!(((said / e.bound).ratio() - 1.0).abs() < 0.01, "{name}: {lines:?} {}", e.bound);
        })
        .unwrap();
    }
}

#[test]
fn ids_are_unique_but_for_tiers() {
    fn walk<'a>(s: &'a Section, all: &mut Vec<&'a str>) {
        all.push(s.id);
        s.children.iter().for_each(|c| walk(c, all));
    }
    let x = why(&load_shipped("dgx-h100").unwrap(), &ask(Collective::AllReduce, "1GiB"));
    let mut all = Vec::new();
    x.sections.iter().for_each(|s| walk(s, &mut all));
    all.retain(|id| *id != "tier");
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "{all:?}");
}

#[test]
fn one_rank_alone_is_explained_too() {
    let s = system("dgx-h100", &["set gpus = 1"]);
    let x = why(&s, &ask(Collective::AllReduce, "1GiB"));
    assert!(x.find("time").is_some() && x.find("binding").is_none());
}
