#![expect(clippy::expect_used, clippy::panic, reason = "a failed look-up is the failure of the test")]

use super::*;
use crate::preset;
use crate::question::Collective;
use crate::scenario::{Context, Entry, apply};
use crate::units::Bytes;

fn machine(name: &str, edits: &[&str]) -> System {
    let entry = |t: &&str| Entry::from(t.parse::<Edit>().expect("an edit"));
    let entries: Vec<Entry> = edits.iter().map(entry).collect();
    apply(&preset::load_shipped(name).expect("shipped"), &entries, &Context::default()).system
}

fn sweep(system: &System, truth: &[&str]) -> Vec<Observed> {
    let one = |i: u32| Observed {
        collective: Collective::AllReduce,
        size: Bytes::from_u64(8 << i),
        time: Time::from_us(1.0),
        algorithm: None,
        protocol: None,
    };
    let mut rows: Vec<Observed> = (0..31).map(one).collect();
    let edits: Vec<Edit> = truth.iter().map(|t| t.parse().expect("an edit")).collect();
    let curve = price(system, &edits, &rows).expect("an answer");
    for (i, (o, t)) in rows.iter_mut().zip(curve).enumerate() {
        o.time = Time::from_us(t * if i % 2 == 0 { 1.02 } else { 0.98 });
    }
    rows
}

fn value(c: &Calibration, key: Key) -> f64 {
    let found = c.edits.iter().find_map(|e| match e {
        Edit::Set(k, Value::Share(s)) if *k == key => Some(s.ratio()),
        Edit::Set(k, Value::Time(t)) if *k == key => Some(t.us()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{key} is not in {:?}", c.edits))
}

#[test]
fn finds_what_was_set() {
    let m = machine("dgx-h100-superpod", &["set nodes = 4"]);
    let c = calibrate(&sweep(&m, &["set launch = 19us", "set usable.network = 71%"]), &m).expect("an answer");
    assert!((value(&c, Key::Launch) - 19.0).abs() < 2.0, "{c:?}");
    assert!((value(&c, Key::UsableNetwork) - 0.71).abs() < 0.03, "{c:?}");
    assert!(c.after.ratio() < 0.03 && c.after.ratio() < c.before.ratio() / 3.0, "{c:?}");

    let m = machine("dgx-a100", &[]);
    let c = calibrate(&sweep(&m, &["set usable.nvlink = 70%"]), &m).expect("an answer");
    assert!((value(&c, Key::UsableNvlink) - 0.7).abs() < 0.02, "{c:?}");
    assert_eq!(c.edits.len(), c.was.len());
}

#[test]
fn changes_nothing_where_the_estimate_fits() {
    let m = machine("dgx-a100", &[]);
    let c = calibrate(&sweep(&m, &[]), &m).expect("an answer");
    assert_eq!(c.edits, []);
    assert_eq!(c.before, c.after);
}
