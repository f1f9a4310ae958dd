//! The edit language on the shipped systems.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a shipped system that does not load is the failure of the test"
)]

use std::sync::Arc;

use icx_tui::preset::{load_shipped, shipped};
use icx_tui::scenario::{Context, Edit, Entry, History, Key, Outcome, Scenario, apply, complete, touches};
use icx_tui::system::System;

fn edit(text: &str) -> Edit {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn apply_all(system: &System, lines: &[String]) -> System {
    let edits: Vec<Entry> = lines.iter().map(|l| Entry::from(edit(l))).collect();
    let applied = apply(system, &edits, &Context::default());
    for (line, o) in lines.iter().zip(&applied.outcomes) {
        assert!(matches!(o, Outcome::Active { .. }), "{}: {line}: {o:?}", system.name);
    }
    applied.system
}

#[test]
fn every_step_of_every_key_applies_to_every_system() {
    for s in shipped() {
        let system = load_shipped(s.name).unwrap();
        for key in Key::ALL {
            for value in [true, false].into_iter().filter_map(|up| key.step(&system, up)) {
                let line = format!("set {key} = {value}");
                let after = apply_all(&system, std::slice::from_ref(&line));
                assert_eq!(key.current(&after), Some(value), "{}: {line}", s.name);
            }
        }
    }
}

#[test]
fn what_completion_offers_applies() {
    for s in shipped() {
        let system = load_shipped(s.name).unwrap();
        let mut queue: Vec<(String, u32)> = ["off ", "degrade ", "set "].iter().map(|t| ((*t).to_owned(), 0)).collect();
        while let Some((text, depth)) = queue.pop() {
            for c in complete(&system, &text, text.len()).into_iter().take(12) {
                let whole = format!("{}{}", text.get(..c.start).unwrap_or_default(), c.text);
                if whole.ends_with(['/', ' ', '-']) {
                    queue.extend((depth < 3).then_some((whole, depth + 1)));
                } else {
                    let touched = touches(&system, &edit(&whole));
                    assert!(touched.is_ok(), "{}: {whole}: {touched:?}", s.name);
                }
            }
        }
    }
}

#[test]
fn every_device_and_link_goes_out_and_comes_back() {
    for s in shipped() {
        let system = load_shipped(s.name).unwrap();
        let one = match (system.units, system.is_rack) {
            (1, _) => "",
            (_, true) => "rack0/",
            (_, false) => "node0/",
        };
        let class = system.classes.first().unwrap();
        let shape = &class.shape;
        let devices = shape.devices().iter().filter(|d| d.path != "fabric").map(|d| d.path.clone());
        for name in devices.chain(shape.link_ixs().step_by(37).map(|l| shape.link_name(l))) {
            let name = format!("{one}{name}");
            let off = apply_all(&system, &[format!("off {name}")]);
            assert!(off.classes.iter().any(|c| !c.health.is_healthy()), "{}: off {name}", s.name);
            let back = apply_all(&system, &[format!("off {name}"), format!("on {name}")]);
            let same = back.classes.len() == 1 && back.classes.iter().all(|c| c.health.is_healthy());
            assert!(same, "{}: on {name}: {:?}", s.name, back.classes);
        }
    }
}

#[test]
fn a_scenario_makes_the_same_system_again() {
    let base = Arc::new(load_shipped("dgx-h100-superpod").unwrap());
    let mut h = History::new(Arc::clone(&base), Arc::default());
    for line in ["set nodes = 64", "off node3/gpu2--nvsw1#2", "degrade node*/nic4 to 50%", "off leaf9"] {
        h.try_push(edit(line)).unwrap();
    }
    assert_eq!(h.applied().outcomes.get(2), Some(&Outcome::Active { touched: 64 }));
    let saved = Scenario { system: base.name.clone(), edits: h.done().to_vec(), ..Scenario::default() };
    let loaded = Scenario::from_text(&saved.to_text().unwrap()).unwrap();
    let again = History::with(base, Arc::default(), loaded.edits, loaded.baseline);
    let members = |h: &History| h.system().classes.iter().map(|c| c.members.to_string()).collect::<Vec<_>>();
    assert_eq!(members(&again), members(&h));
    assert_eq!(again.system().ranks(), h.system().ranks());
}
