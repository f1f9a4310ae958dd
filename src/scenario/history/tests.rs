#![expect(clippy::unwrap_used, reason = "a refused edit is the failure of the test")]
use std::sync::Arc;

use proptest::prelude::*;

use super::super::parse::tests::any_edit;
use super::super::testbed::{edit, entries, fingerprint, lone, nodes};
use super::super::{Context, Outcome};
use super::History;

fn history() -> History {
    History::new(Arc::new(nodes(4)), Arc::default())
}

fn texts(h: &History) -> Vec<String> {
    h.done().iter().map(|e| e.edit.to_string()).collect()
}

#[test]
fn undo_and_redo_name_what_they_do() {
    let mut h = history();
    h.push(edit("off node0/gpu1"));
    h.push(edit("set gpus = 4"));
    assert_eq!(h.undo().as_deref(), Some("set gpus = 4"));
    assert_eq!((h.system().ranks(), h.undone().len()), (31, 1));
    assert_eq!(h.redo().as_deref(), Some("set gpus = 4"));
    assert_eq!((h.system().ranks(), h.redo()), (15, None));
    h.undo();
    h.push(edit("off node1"));
    assert_eq!((texts(&h).len(), h.redo()), (2, None), "a new edit drops what was undone");
    assert!(h.undo().is_some() && h.undo().is_some() && h.undo().is_none());
    assert_eq!(fingerprint(h.system()), fingerprint(h.base()));
}

#[test]
fn the_same_key_again_is_one_step() {
    let mut h = history();
    for n in [8, 16, 32] {
        h.push(edit(&format!("set nodes = {n}")));
    }
    h.push(edit("off node0/gpu1"));
    h.push(edit("set nodes = 2"));
    assert_eq!(texts(&h), ["set nodes = 32", "off node0/gpu1", "set nodes = 2"]);
    assert_eq!(h.applied().outcomes[0], Outcome::Superseded { by: 2 });
    h.toggle(2);
    assert_eq!(h.system().units, 32);
    h.push(edit("set nodes = 3"));
    assert_eq!(texts(&h).len(), 4, "one that is switched off is kept");
}

#[test]
fn an_edit_of_one_node_means_the_same_after_more_are_added() {
    let mut h = History::new(Arc::new(nodes(1)), Arc::default());
    for text in ["off gpu1", "degrade gpu2--nvsw0 to 50%", "off node0/nic0", "off leaf0", "set nodes = 2"] {
        h.try_push(edit(text)).unwrap();
    }
    let full = ["off node0/gpu1", "degrade node0/gpu2--nvsw0 to 50%", "off node0/nic0", "off leaf0", "set nodes = 2"];
    assert_eq!(texts(&h), full);
    assert!(h.applied().outcomes.iter().all(|o| matches!(o, Outcome::Active { .. })), "{:?}", h.applied().outcomes);
    let mut alone = History::new(Arc::new(lone()), Arc::default());
    alone.try_push(edit("off gpu1")).unwrap();
    assert_eq!(texts(&alone), ["off gpu1"], "a machine that cannot grow needs no node");
}

#[test]
fn what_names_nothing_is_refused_and_changes_nothing() {
    let mut h = history();
    h.push(edit("off node0/gpu1"));
    h.push(edit("off node0/gpu2"));
    h.undo();
    let e = h.try_push(edit("off node0/nvsw7")).unwrap_err();
    assert!(e.to_string().contains("did you mean"), "{e}");
    assert_eq!((texts(&h).len(), h.undone().len()), (1, 1));
    let context = Arc::new(Context { with_fabric: vec!["a1".to_owned(), "tests".to_owned()] });
    let mut alone = History::new(Arc::new(lone()), context);
    let e = alone.try_push(edit("set nodes = 4")).unwrap_err();
    assert!(e.reason.ends_with("one: tests"), "{e}");
    assert!(alone.try_push(edit("off gpu1")).is_ok());
}

#[test]
fn switches_and_removal() {
    let mut h = history();
    h.push(edit("off node0"));
    h.push(edit("off node1"));
    assert!(h.toggle(0) && !h.toggle(9));
    assert_eq!((h.system().ranks(), &h.applied().outcomes[0]), (24, &Outcome::Disabled));
    h.toggle(0);
    assert_eq!(h.remove(0), Some(edit("off node0")));
    assert_eq!((h.system().ranks(), texts(&h)), (24, vec!["off node1".to_owned()]));
    h.undo();
    assert_eq!((h.remove(0), h.remove(0)), (Some(edit("off node1")), None));
}

#[test]
fn the_baseline_moves_and_reset_goes_back_to_it() {
    let mut h = history();
    h.push(edit("off node0"));
    h.rebase_to_now();
    assert!(!h.differs());
    h.push(edit("off node1"));
    assert_eq!((h.baseline().ranks(), h.system().ranks(), h.differs()), (24, 16, true));
    h.reset();
    assert_eq!((h.system().ranks(), h.differs()), (24, false));
    assert_eq!(h.redo().as_deref(), Some("off node1"));
    h.undo();
    h.undo();
    assert_eq!((h.system().ranks(), h.differs()), (32, true), "the baseline's own edits can be undone");
    let saved = History::with(Arc::clone(h.base()), Arc::default(), entries(&["off node1"]), entries(&["off node0"]));
    assert_eq!((saved.baseline().ranks(), saved.system().ranks(), saved.undone().len()), (24, 24, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn undo_after_do_is_where_one_was(before in prop::collection::vec(any_edit(), 0..6), x in any_edit()) {
        let mut h = history();
        for e in before {
            h.push(e);
        }
        prop_assume!(x.key().is_none() || h.done().last().and_then(|e| e.edit.key()) != x.key());
        let was = fingerprint(h.system());
        h.push(x.clone());
        let with = fingerprint(h.system());
        prop_assert_eq!(h.undo(), Some(x.to_string()));
        prop_assert_eq!(fingerprint(h.system()), was);
        h.redo();
        prop_assert_eq!(fingerprint(h.system()), with);
    }

    #[test]
    fn every_unit_is_in_one_class_and_equal_ones_are_one(edits in prop::collection::vec(any_edit(), 0..12)) {
        let mut h = history();
        for e in edits {
            h.push(e);
        }
        let s = h.system();
        let members: u64 = s.classes.iter().map(|c| c.members.len()).sum();
        prop_assert_eq!(members, u64::from(s.units));
        for (i, a) in s.classes.iter().enumerate() {
            prop_assert!(!a.members.is_empty());
            for b in s.classes.iter().skip(i + 1) {
                prop_assert!(a.members.intersection(&b.members).is_empty());
                prop_assert!(a.members.first() < b.members.first());
                prop_assert!(a.health != b.health);
            }
        }
    }
}
