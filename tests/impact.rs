//! What `impact` prints.

#![expect(clippy::unwrap_used, reason = "a failed run is the failure of the test")]

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icx-tui")).arg("impact").args(args).output().unwrap()
}

#[test]
fn text_has_faults_and_upgrades_and_says_what_is_small() {
    let out = run(&["dgx-h100-superpod", "-c", "all-reduce", "-s", "1GiB", "-e", "set nodes = 64", "--top", "100"]);
    assert!(out.status.success());
    let text = String::from_utf8(out.stdout).unwrap();
    let (faults, rest) = text.split_once("upgrades, best first").unwrap();
    assert!(faults.contains("over 512 ranks on 64 nodes") && faults.contains("faults, worst first"));
    assert!(faults.lines().any(|l| l.contains("degrade node0/nic0 to 50%") && l.contains("512 NICs")), "{faults}");
    assert!(rest.contains("set nvlink = 5") && rest.contains("inside the model's own resolution"), "{rest}");
    assert!(!rest.contains("not shown"), "100 is more than there are");
}

#[test]
fn json_is_ranked_and_limited() {
    let out = run(&["dgx-a100-hdr", "-s", "64MiB", "--top", "7", "--format", "json"]);
    let v: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let rows = v["impacts"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    assert!(v["changes"].as_u64().unwrap() > 7);
    for r in rows {
        let (time, change) = (r["time_us"].as_f64(), r["change"].as_f64());
        let base = v["baseline_us"].as_f64().unwrap();
        let fits = time.zip(change).is_none_or(|(t, c)| (t / base - 1.0 - c).abs() < 1e-9);
        assert!(fits && r["alike"].as_u64().unwrap() > 0, "{r}");
    }
}

#[test]
fn every_edit_that_is_printed_can_be_given_back() {
    let out = run(&["gb200-nvl72", "-s", "1GiB", "--top", "100", "--format", "json"]);
    let v: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    for r in v["impacts"].as_array().unwrap() {
        let edit = r["edit"].as_str().unwrap();
        let again = Command::new(env!("CARGO_BIN_EXE_icx-tui"))
            .args(["calc", "gb200-nvl72", "-s", "1GiB", "--format", "json", "-e", edit])
            .output()
            .unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
        assert_eq!(answer["time_us"].as_f64(), r["time_us"].as_f64(), "{edit}");
    }
}

#[test]
fn no_answer_is_exit_code_one() {
    let out = run(&["dgx-h100", "-e", "off node0"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8(out.stdout).unwrap().starts_with("unreachable"));
}
