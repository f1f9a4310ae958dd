#![expect(clippy::unwrap_used, reason = "a refused file is the failure of the test")]
use proptest::prelude::*;

use super::super::Entry;
use super::super::parse::tests::any_edit;
use super::super::testbed::edit;
use super::Scenario;
use crate::question::{Collective, Question};
use crate::units::Bytes;

#[test]
fn what_is_saved_is_what_is_loaded() {
    let s = Scenario {
        system: "my/own.ron".to_owned(),
        edits: vec![
            Entry::from(edit("off node0/gpu3--nvsw1#2")),
            Entry { edit: edit("set nic = \"ConnectX-8\""), enabled: false },
        ],
        baseline: vec![Entry::from(edit("set nodes = 8"))],
        question: Some(Question::new(Collective::AllToAll, Bytes::from_gib(4.0))),
    };
    let text = s.to_text().unwrap();
    assert!(text.contains("off node0/gpu3--nvsw1#2") && text.contains("# set nic"), "{text}");
    assert_eq!(Scenario::from_text(&text).unwrap(), s);
    let short =
        Scenario::from_text("(system: \"dgx\", question: (collective: \"all-reduce\", size: \"1GiB\"))").unwrap();
    assert_eq!((short.edits.len(), short.question), (0, Some(Question::default())));
}

#[test]
fn errors_point_into_the_file() {
    let text = "(\n  // \"edits\" come first\n  baseline: [\"off leaf1\"],\n  edits: [\n    \"off node0\",\n    \"# set noodes = 4\",\n  ],\n  system: \"x\",\n)";
    let e = Scenario::from_text(text).unwrap_err();
    assert_eq!(e.to_string(), "6:12: unknown key \"noodes\"; did you mean nodes?");
    for (text, line, part) in [
        ("(system: \"x\",\n edit: [])", 2, "edit"),
        ("(system: \"x\",\n edits: 4)", 2, "["),
        ("(edits: [])", 1, "system"),
        ("(system: \"\")", 1, "expected a name"),
        ("(system: \"x\",\n question: (collective: \"all-reduc\", size: \"1G\"))", 2, "all-reduce"),
        ("", 1, ""),
    ] {
        let e = Scenario::from_text(text).unwrap_err();
        assert_eq!(e.line, line, "{text}: {e}");
        assert!(e.message.to_lowercase().contains(part), "{text}: {e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_edits_survive(edits in prop::collection::vec((any_edit(), any::<bool>()), 0..6)) {
        let edits = edits.into_iter().map(|(edit, enabled)| Entry { edit, enabled }).collect();
        let s = Scenario { system: "dgx".to_owned(), edits, ..Scenario::default() };
        prop_assert_eq!(Scenario::from_text(&s.to_text().unwrap()).unwrap(), s);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}") {
        let _ = Scenario::from_text(&text);
        let _ = Scenario::from_text(&format!("(system: \"x\", edits: [\"{text}\"])"));
    }
}
