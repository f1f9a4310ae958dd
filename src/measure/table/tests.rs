#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed parse is the failure of the test")]

use std::collections::BTreeMap;

use super::*;
use crate::preset::shipped;

const HEAD: &str = "system,collective,ranks,size_bytes,time_us,busbw_gbytes_per_s,edits,algorithm";

#[track_caller]
fn refused(text: &str, want: &str) {
    assert_eq!(read(text, "t.csv").unwrap_err().to_string(), want);
}

#[test]
fn a_users_table() {
    let text = format!(
        "\u{feff}{HEAD}\r\n# mine\r\ndgx-h100, all_reduce ,8,1GiB,4023.3,,set nvls = off; off node0/gpu3,Ring\r\nx,all-gather,16,64K,,3.5,,\r\n"
    );
    let rows = read(&text, "t.csv").unwrap();
    let (a, b) = (&rows[0], &rows[1]);
    assert_eq!((a.line, a.collective, a.ranks, a.gpus_per_process), (3, Collective::AllReduce, 8, 1));
    assert_eq!(a.edits, ["set nvls = off", "off node0/gpu3"]);
    assert_eq!(a.algorithm, Some(Algorithm::Ring));
    assert!((a.busbw().gbytes_per_s() - 467.05).abs() < 0.01, "{}", a.busbw());
    assert!((b.time().us() - 65.536 / 3.5 * 15.0 / 16.0).abs() < 1e-9, "{:?}", b.time());
}

#[test]
fn faults_name_line_and_column() {
    refused("", "t.csv: the file is empty");
    refused(HEAD, "t.csv:1: the table has no rows below its header");
    refused(
        "system,colective\n",
        "t.csv:1: unknown column \"colective\"; expected id, system, edits, collective, ranks, gpus_per_process, algorithm, protocol, size_bytes, time_us, busbw_gbytes_per_s, note, source; did you mean collective?",
    );
    refused("system,system\n", "t.csv:1: column system is there twice");
    refused("system,collective,ranks\n", "t.csv:1: no column size_bytes; the header needs it");
    refused(
        "system,collective,ranks,size_bytes\n",
        "t.csv:1: neither time_us nor busbw_gbytes_per_s; the header needs one",
    );
    let row = |cells: &str| format!("{HEAD}\na,all-reduce,8,8,1,,,\n{cells}\n");
    refused(&row("a,all-reduce,8,8"), "t.csv:3: 4 columns; expected 8 as in the header");
    refused(&row(",all-reduce,8,8,1,,,"), "t.csv:3: column system: empty; expected a value");
    refused(&row("a,all-reduce,0,8,1,,,"), "t.csv:3: column ranks: \"0\"; expected a whole number above zero");
    refused(
        &row("a,all-reduce,8,8x,1,,,"),
        "t.csv:3: column size_bytes: \"8x\" is not a size; expected for example 8, 64K, 64KiB, 1G or 1GiB",
    );
    refused(&row("a,all-reduce,8,0,1,,,"), "t.csv:3: column size_bytes: 0; expected a size above zero");
    refused(&row("a,all-reduce,8,8,-1,,,"), "t.csv:3: column time_us: \"-1\"; expected a number above zero");
    refused(
        &row("a,all-reduce,8,8,,,,"),
        "t.csv:3: column time_us: empty, and busbw_gbytes_per_s too; expected one of the two",
    );
    let e = read(&row("a,all-reduse,8,8,1,,,"), "t.csv").unwrap_err().to_string();
    assert!(e.starts_with("t.csv:3: column collective: \"all-reduse\" is not a collective; expected one of"), "{e}");
    assert!(read(&row("a,all-reduce,8,8,1,,,rings"), "t.csv").unwrap_err().to_string().contains("column algorithm"));
}

fn published() -> Vec<TableRow> {
    read(PUBLISHED, PUBLISHED_NAME).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn published_rows_agree_with_themselves() {
    for r in published() {
        let (Some(time), Some(busbw)) = (r.measured_time, r.measured_busbw) else { continue };
        let from_time = (r.size / time) * r.collective.bus_factor(u64::from(r.ranks));
        let gap = (from_time.gbytes_per_s() - busbw.gbytes_per_s()).abs();
        // Printed with two decimals, the time with four digits.
        assert!(gap < 0.0051 + 0.006 * busbw.gbytes_per_s(), "{}: {from_time} from the time, {busbw} printed", r.line);
    }
}

#[test]
fn published_rows_have_a_shipped_system_and_a_source() {
    for r in published() {
        assert!(shipped().iter().any(|s| s.name == r.system), "line {}: no system {:?}", r.line, r.system);
        assert!(!r.source.is_empty(), "line {}: no source", r.line);
        assert!(r.gpus_per_process <= r.ranks && r.ranks > 1, "line {}", r.line);
    }
}

#[test]
fn one_id_is_one_sweep() {
    let mut ids: BTreeMap<String, TableRow> = BTreeMap::new();
    let mut sizes = std::collections::BTreeSet::new();
    for r in published() {
        let first = ids.entry(r.id.clone()).or_insert_with(|| r.clone());
        assert_eq!((&first.system, &first.edits, first.collective), (&r.system, &r.edits, r.collective), "{}", r.id);
        assert_eq!((first.ranks, first.algorithm), (r.ranks, r.algorithm), "{}", r.id);
        assert_eq!(first.is_degraded(), r.is_degraded(), "{}", r.id);
        assert!(sizes.insert((r.id.clone(), r.size.to_u64())), "{} has {} twice", r.id, r.size);
    }
    assert!(ids.len() > 60, "{}", ids.len());
}

proptest::proptest! {
    #[test]
    fn random_text_never_panics(text in "[\\PC\n\r\",;]{0,200}", cells in "[a-z0-9,\"\n.-]{0,120}") {
        let _ = read(&text, "t");
        let _ = read(&format!("{HEAD}\n{cells}"), "t");
    }
}

#[test]
fn published_edits_apply_and_give_the_ranks() {
    use crate::scenario::{Context, Edit, Entry, Outcome, apply};
    let mut seen = std::collections::BTreeSet::new();
    for r in published().into_iter().filter(|r| seen.insert(r.id.clone())) {
        let base = crate::preset::load_shipped(&r.system).unwrap();
        let parsed = r.edits.iter().map(|e| e.parse::<Edit>().unwrap_or_else(|e| panic!("{}: {e}", r.id)));
        let edits: Vec<Entry> = parsed.map(|edit| Entry { edit, enabled: true }).collect();
        let applied = apply(&base, &edits, &Context::default());
        for (outcome, text) in applied.outcomes.iter().zip(&r.edits) {
            assert!(matches!(outcome, Outcome::Active { .. }), "{}: {text}: {outcome:?}", r.id);
        }
        assert_eq!(applied.system.ranks(), u64::from(r.ranks), "{} on {} with {:?}", r.id, r.system, r.edits);
    }
}
