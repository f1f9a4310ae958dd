//! What `diagnose` prints, and how it ends.

#![expect(clippy::unwrap_used, reason = "a failed run is the failure of the test")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const BIN: &str = env!("CARGO_BIN_EXE_icx-tui");

fn run(args: &[&str]) -> Output {
    Command::new(BIN).arg("diagnose").args(args).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A log as the tests print it, of what a machine with a fault would show.
fn log(system: &str, edits: &[&str], ranks: u64, per_host: u64) -> String {
    let mut sweep = Command::new(BIN);
    sweep.args(["sweep", system, "--max", "8GiB", "--format", "json"]);
    for e in edits {
        sweep.args(["-e", e]);
    }
    let rows: Vec<Value> = serde_json::from_slice(&sweep.output().unwrap().stdout).unwrap();
    let mut out = "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor)\n# Using devices\n".to_owned();
    for i in 0..ranks {
        let (node, device) = (i / per_host, i % per_host);
        writeln!(out, "#  Rank {i:2} Group  0 Pid {:6} on host{node} device {device:2} [0x1b] GPU", 1000 + i).unwrap();
    }
    out += "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
    out += "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
    for r in &rows {
        let n = |k: &str| r[k].as_f64().unwrap();
        let size = r["size_bytes"].as_u64().unwrap();
        let side = format!("{:.2} {:.2} {:.2} 0", n("time_us"), n("algbw_gbytes_per_s"), n("busbw_gbytes_per_s"));
        writeln!(out, "{size:12} {:12} float sum -1 {side} {side}", size / 4).unwrap();
    }
    out + "# Out of bounds values : 0 OK\n"
}

/// A file that goes away with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("icx-diagnose-{}-{name}.log", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn healthy_ends_with_zero_and_says_so() {
    let file = File::new("healthy", &log("dgx-h100", &[], 8, 8));
    let out = run(&["dgx-h100", "--measured", file.name()]);
    let text = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}");
    assert!(text.contains("healthy: this is what this machine should show"), "{text}");
    assert!(!text.contains("to confirm"), "{text}");
}

#[test]
fn a_fault_ends_with_one_and_names_edits_signature_and_commands() {
    let file = File::new("p2p", &log("dgx-h100", &["set p2p = off"], 8, 8));
    let out = run(&["dgx-h100", "--measured", file.name()]);
    let text = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{text}");
    for words in ["fault: ", "set p2p = off", "slow by a", "to confirm", "nvidia-smi topo -p2p r", "NCCL_DEBUG=INFO"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let first = text.lines().find(|l| l.contains(" %  ")).unwrap();
    assert!(first.contains("100 %  peer-to-peer between GPUs is off"), "{text}");
}

#[test]
fn json_holds_the_whole_diagnosis() {
    let file = File::new("json", &log("dgx-h100-superpod", &["set nodes = 2", "set nics = 2"], 16, 8));
    let out = run(&["dgx-h100-superpod", "--measured", file.name(), "--format", "json", "--top", "3"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let v: Value = serde_json::from_slice(&out.stdout).unwrap();
    for key in [
        "system",
        "edits",
        "measured",
        "assumed",
        "remarks",
        "ranks",
        "verdict",
        "rows",
        "bands",
        "signature",
        "findings",
    ] {
        assert!(v.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(v["verdict"], "fault");
    assert_eq!(v["assumed"], serde_json::json!(["set nodes = 2"]), "the log has two hosts");
    let findings = v["findings"].as_array().unwrap();
    assert!(findings.len() <= 3);
    let first = &findings[0];
    assert_eq!(first["edits"], serde_json::json!(["set nics = 2"]));
    assert!(first["explains"].as_f64().unwrap() > 0.99 && first["tied"] == true);
    assert!(first["confirm"][0].as_str().unwrap().contains("NCCL_IB_HCA"));
    assert!(first["same_curve"].is_array() && first["signature"].as_str().unwrap().contains("slow by"));
    for key in ["collective", "band", "measured_over_estimate", "range_low", "range_high"] {
        assert!(v["bands"][0].get(key).is_some(), "bands: {key} is missing");
    }
}

#[test]
fn calibration_is_a_list_of_edits_that_work() {
    let file = File::new("calibrate", &log("dgx-a100", &["set launch = 14us", "set usable.nvlink = 70%"], 8, 8));
    let out = run(&["dgx-a100", "--measured", file.name(), "--calibrate"]);
    let printed = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{printed}");
    let edits: Vec<&str> =
        printed.lines().filter_map(|l| l.trim().split("  (was ").next()).filter(|l| l.starts_with("set ")).collect();
    assert_eq!(edits.len(), 2, "{printed}");
    assert!(printed.contains("% before") && printed.contains("% after"), "{printed}");
    let mut again = vec!["dgx-a100", "--measured", file.name()];
    for e in &edits {
        again.extend(["-e", e]);
    }
    let out = run(&again);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stdout));
}

#[test]
fn a_log_of_another_size_is_refused_or_assumed_visibly() {
    let file = File::new("size", &log("dgx-h100", &["set gpus = 4"], 4, 4));
    let out = run(&["dgx-h100", "--measured", file.name()]);
    assert!(text(&out.stdout).contains("from the log: set gpus = 4"), "{}", text(&out.stdout));
    assert_eq!(out.status.code(), Some(0));
    let file = File::new("large", &log("dgx-h100-superpod", &["set nodes = 2"], 16, 8));
    let out = run(&["dgx-h100", "--measured", file.name()]);
    let line = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{line}");
    assert!(line.contains("16 ranks") && line.contains("set gpus = 4") && out.stdout.is_empty(), "{line}");
    // A machine without a network is not told to have more nodes; one with a network is.
    assert!(!line.contains("nodes ="), "{line}");
    let file = File::new("odd", &log("dgx-h100-superpod", &["set nodes = 2"], 13, 8));
    let line = text(&run(&["dgx-h100-superpod", "--measured", file.name()]).stderr);
    assert!(line.contains("13 ranks") && line.contains("set nodes = 2"), "{line}");
}

#[test]
fn what_nothing_explains_is_said_to_be_unexplained() {
    let good = log("dgx-h100", &[], 8, 8);
    // Times of the largest sizes three hundred times as long, which no part of such a machine does.
    let slow = |line: &str| {
        let mut cells: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let large = cells.first().and_then(|s| s.parse::<u64>().ok()).is_some_and(|s| s > 1 << 28);
        for at in [5, 9].into_iter().filter(|_| large) {
            for (cell, factor) in [(at, 300.0), (at + 1, 1.0 / 300.0), (at + 2, 1.0 / 300.0)] {
                cells[cell] = format!("{:.4}", cells[cell].parse::<f64>().unwrap() * factor);
            }
        }
        cells.join(" ")
    };
    let body: Vec<String> = good.lines().map(|l| if l.starts_with('#') { l.to_owned() } else { slow(l) }).collect();
    let file = File::new("unexplained", &body.join("\n"));
    let out = run(&["dgx-h100", "--measured", file.name()]);
    let printed = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{printed}{}", text(&out.stderr));
    assert!(printed.contains("unexplained: as expected up to 256 MiB; slow by a"), "{printed}");
    assert!(printed.contains("--calibrate"), "{printed}");
}

#[test]
fn what_is_no_log_is_refused() {
    let file = File::new("text", "hello\n");
    let out = run(&["dgx-h100", "--measured", file.name()]);
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(text(&out.stderr).lines().count(), 1, "{}", text(&out.stderr));
    assert_eq!(run(&["dgx-h100"]).status.code(), Some(2), "--measured is needed");
    assert_eq!(run(&["dgx-h100", "--measured", "no/such.log"]).status.code(), Some(2));
}
