//! The outside contract: shapes of the output, exit codes, one clear line for every mistake.
#![expect(clippy::expect_used, reason = "a command that does not start is the failure of the test")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icx-tui"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(arguments: &[&str]) -> Value {
    let out = run(arguments);
    assert_eq!(out.status.code(), Some(0), "{arguments:?}: {}", text(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

/// Fails with 2, and says so in one line that holds all the words.
fn refused(arguments: &[&str], words: &[&str]) {
    let out = run(arguments);
    let line = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {line}");
    assert!(out.stdout.is_empty(), "{arguments:?} printed something");
    for w in words {
        assert!(line.contains(w), "{arguments:?}: {w:?} is not in {line:?}");
    }
}

#[test]
fn calc_prints_the_whole_answer() {
    let v = json(&["calc", "dgx-h100", "-c", "all-reduce", "-s", "8GiB", "--format", "json"]);
    let keys = [
        "system",
        "edits",
        "collective",
        "size_bytes",
        "group",
        "groups",
        "ranks",
        "nodes",
        "algorithm",
        "protocol",
        "time_us",
        "time_low_us",
        "time_high_us",
        "algbw_gbytes_per_s",
        "busbw_gbytes_per_s",
        "bound_time_us",
        "bottleneck",
        "tiers",
        "candidates",
        "notes",
    ];
    for k in keys {
        assert!(v.get(k).is_some(), "{k} is missing");
    }
    for k in ["tier", "link", "bytes_per_rank", "usable_gbytes_per_s", "time_us", "utilisation"] {
        assert!(v["tiers"][0].get(k).is_some(), "tiers: {k} is missing");
    }
    for k in ["algorithm", "protocol", "time_us"] {
        assert!(v["candidates"][0].get(k).is_some(), "candidates: {k} is missing");
    }
    assert_eq!(v["size_bytes"], 8_589_934_592_u64);
    let number = |k: &str| v[k].as_f64().unwrap_or(f64::NAN);
    assert!(number("bound_time_us") > 0.0 && number("bound_time_us") <= number("time_low_us"));
    assert!(number("time_low_us") <= number("time_us") && number("time_us") <= number("time_high_us"));
    assert!((number("busbw_gbytes_per_s") / number("algbw_gbytes_per_s") - 1.75).abs() < 1e-9);
}

#[test]
fn sweep_prints_a_row_per_size() {
    let v = json(&["sweep", "dgx-h100", "--min", "8", "--max", "1K", "--format", "json"]);
    let rows = v.as_array().expect("an array");
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[7]["size_bytes"], 1024);
    let out = run(&["sweep", "dgx-h100", "--min", "8", "--max", "1K", "--format", "csv"]);
    assert_eq!(text(&out.stdout).lines().count(), 9);
}

#[test]
fn gates_and_unreachable_groups_end_with_one() {
    let calc = |more: &[&str]| run(&[&["calc", "dgx-h100", "-s", "8GiB"], more].concat()).status.code();
    assert_eq!(calc(&["--at-least", "400GB/s"]), Some(0));
    assert_eq!(calc(&["--at-least", "500GB/s"]), Some(1));
    assert_eq!(calc(&["--at-most", "100ms"]), Some(0));
    assert_eq!(calc(&["--at-most", "1ms"]), Some(1));
    let out = run(&["calc", "dgx-h100-superpod", "-e", "off node0/nic*", "--format", "json"]);
    assert_eq!(out.status.code(), Some(1));
    let v: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert!(v["unreachable"]["ranks"].is_string() && v["unreachable"]["because"].is_string());
}

#[test]
fn a_failed_gate_names_the_limit() {
    let said =
        |more: &[&str]| text(&run(&[&["calc", "dgx-h100", "-s", "8GiB", "--format", "json"], more].concat()).stderr);
    assert!(said(&["--at-least", "900GB/s"]).contains("below --at-least 900 GB/s"));
    assert!(said(&["--at-most", "1ms"]).contains("above --at-most 1 ms"));
    assert_eq!(said(&["--at-least", "100GB/s"]), "");
}

#[test]
fn no_way_up_from_a_leaf_is_unreachable() {
    for (edit, leaf) in [("off spine*", "leaf0"), ("off leaf3--spine*", "leaf3")] {
        let out = run(&["calc", "dgx-h100-superpod", "-e", edit, "--format", "json"]);
        assert_eq!(out.status.code(), Some(1), "{edit}");
        let v: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        let said = v["unreachable"]["because"].as_str().unwrap_or_default();
        assert!(said.contains(leaf), "{edit}: {said}");
    }
    // Inside a node no spine is needed.
    json(&["calc", "dgx-h100-superpod", "-e", "off spine*", "--group", "node", "--format", "json"]);
}

#[test]
fn uplinks_that_bind_are_the_busiest_of_their_tier() {
    let edit = "set fabric.oversubscription = 8";
    let v = json(&["calc", "aws-p5en", "-s", "1GiB", "-e", edit, "--format", "json"]);
    assert_eq!(v["bottleneck"], "uplinks of leaf0");
    let tiers = v["tiers"].as_array().expect("tiers");
    let busiest = tiers.iter().max_by(|a, b| {
        let busy = |t: &Value| t["utilisation"].as_f64().unwrap_or_default();
        busy(a).total_cmp(&busy(b))
    });
    assert_eq!(busiest.map(|t| &t["link"]), Some(&v["bottleneck"]), "{v:#}");
}

#[test]
fn a_mistake_of_arguments_is_one_line() {
    for arguments in [
        &["calc"][..],
        &["calc", "dgx-h100", "-c", "foo"],
        &["calc", "dgx-h100", "-s", "-5"],
        &["show", "dgx-h100", "--format", "yaml"],
        &["dgx-h100", "--colour"],
    ] {
        let out = run(arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        let said = text(&out.stderr);
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{arguments:?}: {said:?}");
    }
}

#[test]
fn one_node_is_not_plural() {
    let said = text(&run(&["calc", "dgx-h100", "-e", "set gpus = 1"]).stdout);
    assert!(said.contains("over 1 rank on 1 node\n"), "{said}");
}

#[test]
fn mistakes_are_answered_with_what_was_expected() {
    refused(&["calc", "dgx-h10"], &["dgx-h10", "did you mean", "dgx-h100"]);
    refused(&["calc", "dgx-h100", "-s", "1XB"], &["1XB", "64K"]);
    refused(&["calc", "dgx-h100", "-c", "allreduze"], &["allreduze", "all-reduce"]);
    refused(&["calc", "dgx-h100", "-a", "rings"], &["rings", "ring", "auto"]);
    refused(&["calc", "dgx-h100", "-e", "off node0/gpu9"], &["gpu9", "did you mean"]);
    refused(&["calc", "dgx-h100", "-e", "of node0/gpu1"], &["of", "off"]);
    refused(&["calc", "dgx-h100", "-e", "set nodes = 4"], &["no network", "dgx-"]);
    refused(&["calc", "dgx-h100", "--group", "3x"], &["3x", "STRIDExCOUNT"]);
    refused(&["calc", "no/such/file.ron"], &["no/such/file.ron", "no such file"]);
    refused(&["sweep", "dgx-h100", "--min", "1M", "--max", "1K"], &["--min", "--max"]);
    refused(&["sweep", "dgx-h100", "--factor", "1"], &["--factor"]);
    refused(&["render", "dgx-h100", "--size", "big"], &["big", "120x40"]);
    refused(&["render", "dgx-h100", "--theme", "neon"], &["neon", "default"]);
}

#[test]
fn no_terminal_is_said_plainly() {
    refused(&[], &["terminal", "render"]);
}

#[test]
fn a_broken_file_points_at_the_place() {
    let dir = std::env::temp_dir().join(format!("icx-cli-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("bad.ron");
    let mut file = std::fs::File::create(&path).expect("a file");
    writeln!(
        file,
        "(\n  name: \"x\", title: \"x\",\n  node: (devices: [(name: \"gpu0\", part: \"h100-sxn\")], links: []),\n)"
    )
    .expect("written");
    let name = path.to_string_lossy();
    refused(&["show", &name], &["bad.ron:3:", "h100-sxn", "did you mean", "h100-sxm", "^"]);
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn every_preset_shows_its_four_tiers() {
    let v = json(&["presets", "--format", "json"]);
    let names: Vec<&str> = v.as_array().expect("an array").iter().filter_map(|s| s["name"].as_str()).collect();
    assert!(names.len() >= 20);
    for name in ["pcie-v100x4", "dgx-1", "dgx-h100-superpod", "gb200-nvl72-ib", "tcp-25g"] {
        assert!(names.contains(&name), "{name}");
        let shown = json(&["show", name, "--format", "json"]);
        let tiers: Vec<&str> =
            shown["tiers"].as_array().expect("tiers").iter().filter_map(|t| t["tier"].as_str()).collect();
        assert_eq!((tiers.first(), tiers.last()), (Some(&"on-chip"), Some(&"services")), "{name}: {tiers:?}");
    }
}

#[test]
fn help_names_every_command() {
    let help = text(&run(&["--help"]).stdout);
    for c in ["presets", "show", "calc", "sweep", "render", "completions", "man"] {
        assert!(help.contains(c), "{c}");
    }
    assert!(text(&run(&["man"]).stdout).contains(".TH"));
    assert!(text(&run(&["completions", "bash"]).stdout).contains("icx-tui"));
}

#[test]
fn a_log_stands_beside_the_prediction() {
    let dir = std::env::temp_dir().join(format!("icx-sweep-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("node-a.log");
    let log = "# nThread 1 nGpus 8 minBytes 1073741824 maxBytes 8589934592 step: 8(factor)\n\
        #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n\
        #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n\
        1073741824 268435456 float sum -1 4100.00 261.89 458.30 0 4090.00 262.53 459.43 0\n\
        8589934592 2147483648 float sum -1 42000.00 204.52 357.92 0 42000.00 204.52 357.92 0\n";
    std::fs::write(&path, log).expect("written");
    let name = path.to_string_lossy();
    let rows = json(&["sweep", "dgx-h100", "--measured", &name, "--format", "json"]);
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["measured_time_us"], 4100.0);
    assert_eq!(rows[1]["verdict"], "slower than the range");
    let ratio = 42000.0 / rows[1]["time_us"].as_f64().expect("a time");
    assert!((rows[1]["measured_over_predicted"].as_f64().expect("a ratio") - ratio).abs() < 1e-9);
    let table = text(&run(&["sweep", "dgx-h100", "--measured", &name]).stdout);
    assert!(table.contains("1 of 2 sizes lie in the range") && table.contains("slower than the range"), "{table}");
    let csv = text(&run(&["sweep", "dgx-h100", "--measured", &name, "--format", "csv"]).stdout);
    assert_eq!(csv.lines().count(), 3, "{csv}");
    refused(&["sweep", "dgx-h100", "-c", "all-to-all", "--measured", &name], &["measured is all-reduce", "all-to-all"]);
    refused(&["sweep", "dgx-h100-superpod", "--measured", &name], &["over 8 ranks", "1024"]);
    let arguments = ["render", "dgx-h100", "--screen", "sweep", "--measured", &name];
    assert!(text(&run(&arguments).stdout).contains("measured: node-a.log, 2 sizes"));
    refused(&["render", "dgx-h100", "--screen", "swap"], &["swap", "explore, sweep, scale"]);
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn a_saved_scenario_is_a_system_everywhere() {
    let folder = std::env::temp_dir().join(format!("icx-tui-scenario-{}", std::process::id()));
    let made = std::fs::create_dir_all(folder.join("machines"));
    made.expect("a temporary folder");
    let ron = text(&run(&["show", "pcie-a100x8-bridged", "--format", "ron"]).stdout);
    std::fs::write(folder.join("machines/box.ron"), ron).expect("written");
    let plan = folder.join("plan.ron");
    // The system is looked for beside the scenario, not where the command runs.
    let scenario = "(system: \"machines/box.ron\", edits: [\"off gpu3\", \"# off gpu2\"], question: (collective: \"all-gather\", size: \"1MiB\"))";
    std::fs::write(&plan, scenario).expect("written");
    let plan = plan.display().to_string();
    let v = json(&["calc", &plan, "--format", "json"]);
    assert_eq!((&v["collective"], &v["size_bytes"]), (&Value::from("all-gather"), &Value::from(1 << 20)));
    assert_eq!(v["edits"], serde_json::json!(["off gpu3"]));
    let more = json(&["calc", &plan, "-c", "all-reduce", "-s", "2MiB", "-e", "off gpu1", "--format", "json"]);
    assert_eq!((&more["collective"], &more["size_bytes"]), (&Value::from("all-reduce"), &Value::from(2 << 20)));
    assert_eq!(more["edits"], serde_json::json!(["off gpu3", "off gpu1"]));
    assert_eq!(v["ranks"].as_u64(), more["ranks"].as_u64().map(|n| n + 1));
    assert_eq!(v["ranks"], 7);
    refused(&["calc", &plan, "-e", "off gpu99"], &["no gpu99"]);
    // An edit of the scenario that names nothing is not passed over.
    let stale = folder.join("stale.ron");
    std::fs::write(&stale, "(system: \"dgx-h100\", edits: [\"off gpux9\"])").expect("written");
    let stale = stale.display().to_string();
    for command in ["calc", "show", "impact", "sweep"] {
        refused(&[command, &stale], &["stale.ron", "off gpux9", "did you mean gpu0", "switches it off"]);
    }
    refused(&["calc", "dgx-h100-superpod", "-e", "off nvsw9"], &["did you mean node0/nvsw"]);
    std::fs::remove_dir_all(folder).expect("removed");
}
