use super::super::testbed::{lone, nodes, racks};
use super::super::{Context, Edit, Entry, Key, Outcome, apply};
use crate::system::System;

fn step(s: &System, key: Key, up: bool) -> String {
    key.step(s, up).map_or_else(|| "-".to_owned(), |v| v.to_string())
}

#[test]
fn up_and_down() {
    let s = nodes(4);
    let both = |k| [step(&s, k, true), step(&s, k, false)];
    assert_eq!(both(Key::Nodes), ["8", "2"]);
    assert_eq!(both(Key::Gpus), ["-", "4"]);
    assert_eq!(both(Key::Nics), ["-", "4"]);
    assert_eq!(both(Key::Nvlink), ["5", "-"]);
    assert_eq!(both(Key::Nic), ["\"ConnectX-8\"", "-"]);
    assert_eq!(both(Key::Oversubscription), ["2", "-"]);
    assert_eq!(both(Key::Nvls), ["off", "off"]);
    assert_eq!(both(Key::Algorithm), ["ring", "-"]);
    assert_eq!(both(Key::UsableNvlink), ["85%", "75%"]);
    assert_eq!(both(Key::Xgmi), ["-", "-"]);
    assert_eq!(step(&racks(2), Key::Nodes, true), "24", "whole racks");
    assert_eq!(step(&lone(), Key::Nodes, true), "-", "no network to grow into");
}

/// A step is an edit that applies, and after it the key has that value.
#[test]
fn every_step_leads_to_its_value() {
    for s in [nodes(4), racks(2), lone()] {
        for key in Key::ALL {
            for value in [true, false].into_iter().filter_map(|up| key.step(&s, up)) {
                let edit = Edit::set(*key, value.clone());
                let a = apply(&s, &[Entry::from(edit.clone())], &Context::default());
                assert!(matches!(a.outcomes.first(), Some(Outcome::Active { .. })), "{edit}: {:?}", a.outcomes);
                assert_eq!(key.current(&a.system), Some(value), "{edit}");
            }
        }
    }
}
