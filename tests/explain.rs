//! What `calc --explain` prints. Numbers are blanked out in the snapshots: they move when the model is fitted again, the
//! derivation does not.

#![expect(clippy::unwrap_used, reason = "a failed run is the failure of the test")]

use std::process::Command;

fn run(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_icx-tui")).args(args).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Cuts what a figure rests on, which changes with every new fit, and the fitted figures themselves.
fn without_sources(text: &str) -> String {
    const KINDS: [&str; 6] = ["vendor: ", "measured: ", "library: ", "derived: ", "fit: ", "assumed: "];
    let fitted = text.find("  Fitted on measured rows").unwrap();
    let rest = text[fitted..].find("\nUsual").map_or("", |i| &text[fitted + i..]);
    let cut = |l: &str| {
        let at = KINDS.iter().filter_map(|k| l.find(k)).min();
        at.map_or_else(|| l.to_owned(), |i| format!("{}SOURCE", &l[..i]))
    };
    text[..fitted].lines().map(cut).chain(rest.lines().map(str::to_owned)).collect::<Vec<_>>().join("\n")
}

/// Every number becomes `#`; names like `gpu3` and `ll128` keep theirs.
fn blank(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let inside_name = before.is_ascii_alphabetic() || before == '_';
        if c.is_ascii_digit() && !inside_name {
            if before != '#' {
                out.push('#');
            }
            before = '#';
        } else if c == '.' && before == '#' {
            before = '#';
        } else {
            out.push(c);
            before = if c.is_ascii_digit() { 'x' } else { c };
        }
    }
    out
}

fn snapshot(name: &str, args: &[&str]) {
    let text = run(args);
    let start = text.find("\nQuestion:").unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, blank(&without_sources(&text[start..]))));
}

#[test]
fn in_switch_reduction_on_one_node() {
    snapshot("explain__dgx-h100", &["calc", "dgx-h100", "-c", "all-reduce", "-s", "8GiB", "--explain"]);
}

#[test]
fn a_ring_over_many_nodes() {
    let args = ["calc", "dgx-a100-hdr", "-c", "all-gather", "-s", "1GiB", "-e", "set nodes = 4", "--explain"];
    snapshot("explain__dgx-a100-hdr", &args);
}

#[test]
fn staging_in_host_memory() {
    snapshot("explain__pcie-4090x8", &["calc", "pcie-4090x8", "-s", "256MiB", "--explain"]);
}

#[test]
fn json_has_the_same_sections() {
    let text = run(&["calc", "dgx-h100", "-s", "1GiB", "--explain", "--format", "json"]);
    let v: serde_json::Value = serde_json::from_str(&text).unwrap();
    let sections = v["explanation"].as_array().unwrap();
    let time = sections.iter().find(|s| s["id"] == "time").unwrap();
    let parts: f64 = time["parts"].as_array().unwrap().iter().filter_map(|p| p["time_us"].as_f64()).sum();
    assert!((parts - v["time_us"].as_f64().unwrap()).abs() < 1e-6);
    let plain = run(&["calc", "dgx-h100", "-s", "1GiB", "--format", "json"]);
    assert!(!plain.contains("explanation"), "only when asked for");
}
