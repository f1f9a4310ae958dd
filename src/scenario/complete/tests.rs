use super::super::Edit;
use super::super::testbed::{lone, nodes, racks};
use super::complete;
use crate::system::System;

fn texts(s: &System, text: &str) -> Vec<String> {
    complete(s, text, text.len()).into_iter().map(|c| c.text).collect()
}

#[test]
fn verbs_keys_and_values() {
    let s = nodes(4);
    assert_eq!(texts(&s, "o"), ["off ", "on "]);
    assert_eq!(texts(&s, "sett"), ["set "], "the nearest where nothing begins so");
    assert_eq!(texts(&s, "set fabric.o"), ["fabric.oversubscription = "]);
    assert!(!texts(&s, "set ").iter().any(|t| t.starts_with("racks")), "only what the system has");
    assert_eq!(texts(&s, "set nvlink = "), ["4", "5"]);
    assert_eq!(texts(&s, "set nic = conn"), ["\"ConnectX-8\""]);
    assert_eq!(texts(&s, "set nodes = "), ["2", "4", "8"]);
    assert_eq!(texts(&s, "set gdr = o"), ["off", "on"]);
    let c = complete(&s, "set gdr = o", 11);
    assert_eq!(c.first().map(|c| c.start), Some(10));
    assert!(c.iter().any(|c| c.text == "on" && c.doc == "now"));
}

#[test]
fn addresses() {
    let s = nodes(4);
    assert!(texts(&s, "off nod").contains(&"node*/".to_owned()));
    assert!(texts(&s, "off leaf").contains(&"leaf7".to_owned()));
    assert!(texts(&s, "off node3/g").contains(&"node3/gpu*".to_owned()));
    let ends = texts(&s, "off node3/gpu2--");
    assert!(
        ends.contains(&"node3/gpu2--nvsw1".to_owned()) && ends.contains(&"node3/gpu2--psw2".to_owned()),
        "{ends:?}"
    );
    assert_eq!(texts(&s, "degrade node3/nic1"), ["node3/nic1 to ", "node3/nic1--"]);
    let cuts = texts(&s, "degrade node3/nic1 to ");
    assert!(cuts.contains(&"50%".to_owned()) && cuts.contains(&"200Gb/s".to_owned()), "{cuts:?}");
    assert!(texts(&s, "degrade node3/gpu1--nvsw0 to 6").contains(&"62.5GB/s".to_owned()));
    assert!(texts(&lone(), "off g").contains(&"gpu1".to_owned()), "one unit needs no name");
    assert!(texts(&racks(2), "off rack1/node3/g").contains(&"rack1/node3/gpu1".to_owned()));
    assert!(texts(&racks(2), "off rack1/").contains(&"rack1/node5".to_owned()));
    let docs = complete(&s, "off node*/ni", 12);
    assert!(docs.iter().any(|c| c.text == "node*/nic*" && c.doc == "32 NICs on 4 nodes"), "{docs:?}");
}

/// What is offered can be typed: followed to its end, every candidate becomes an edit that applies.
#[test]
fn what_is_offered_is_valid() {
    for s in [nodes(2), lone(), racks(2)] {
        let mut queue: Vec<(String, u32)> = ["off ", "degrade ", "set "].iter().map(|t| ((*t).to_owned(), 0)).collect();
        let mut edits = 0;
        while let Some((text, depth)) = queue.pop() {
            for c in complete(&s, &text, text.len()) {
                let whole = format!("{}{}", text.get(..c.start).unwrap_or_default(), c.text);
                if whole.ends_with(['/', ' ', '-']) {
                    if depth < 3 {
                        queue.push((whole, depth + 1));
                    }
                    continue;
                }
                let edit: Result<Edit, _> = whole.parse();
                let applied = edit.map(|e| super::super::touches(&s, &e));
                assert!(matches!(applied, Ok(Ok(_))), "{whole}: {applied:?}");
                edits += 1;
            }
        }
        assert!(edits > 40, "{edits}");
    }
}
