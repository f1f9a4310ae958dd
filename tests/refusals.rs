//! Wrong use: every mistake ends with 2 and one clear line that says what was expected.
#![expect(clippy::unwrap_used, reason = "a failed run is the failure of the test")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const BIN: &str = env!("CARGO_BIN_EXE_icx-tui");

fn run(args: &[&str]) -> Output {
    Command::new(BIN).args(args).stdin(Stdio::null()).output().unwrap()
}

/// A file that goes away with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("icx-refusals-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
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

fn refused(args: &[&str], words: &[&str]) {
    let out = run(args);
    let line = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{args:?}: {line}");
    assert!(out.stdout.is_empty(), "{args:?}");
    assert!(line.starts_with("error: "), "{args:?}: {line}");
    for word in words {
        assert!(line.contains(word), "{args:?}: {word:?} is not in {line}");
    }
}

#[test]
fn edits_that_name_what_is_not_there() {
    let calc = |system: &str, edit: &str, words: &[&str]| refused(&["calc", system, "-e", edit], words);
    calc("dgx-h100", "off node0/gpu[3-1]", &["runs backwards", "[1-3]", "column 5"]);
    calc("dgx-h100", "off node0/gpu[0-99]", &["no gpu99", "gpu0 to gpu7"]);
    calc("dgx-h100", "off node0/gpu[0-3]--nvsw[0-9]", &["no nvsw9", "nvsw0 to nvsw3"]);
    calc("dgx-h100-superpod", "off node[1-128]/nic0", &["no node128", "node0 to node127"]);
    calc("dgx-h100-superpod", "off leaf[0-99]", &["no leaf99", "leaf0 to leaf31"]);
    calc("gb200-nvl72-ib", "off rack[0-9]/node3/gpu0", &["no rack9", "rack0 to rack7"]);
    calc("dgx-h100", "off node0/gpu[a-b]", &["not a number or range"]);
    calc("dgx-h100", "off node0/gpu[0-3", &["the bracket is not closed"]);
}

#[test]
fn values_that_nothing_has() {
    let calc = |edit: &str, words: &[&str]| refused(&["calc", "dgx-h100-superpod", "-e", edit], words);
    calc("set nic = \"ConnectX-88\"", &["did you mean ConnectX-8"]);
    let line = String::from_utf8(run(&["calc", "dgx-h100", "-e", "set nic = \"ConnectX-88\""]).stderr).unwrap();
    let names = line.to_lowercase();
    assert_eq!(names.matches("connectx-8").count(), 3, "what was asked, twice, and what is near, once: {line}");
    calc("set transport = rdma", &["infiniband, roce"]);
    calc("set library = 1.0", &["no library 1.0", "2.0 to 2.99"]);
    for nodes in ["0", "4000000000", "99999999999"] {
        calc(&format!("set nodes = {nodes}"), &["from 1 to 131072"]);
    }
}

#[test]
fn numbers_below_zero_are_values_not_flags() {
    refused(&["calc", "dgx-h100", "-s", "-5"], &["\"-5\" is not a size", "64K"]);
    refused(&["sweep", "dgx-h100", "--min", "-5"], &["\"-5\" is not a size"]);
    refused(&["sweep", "dgx-h100", "--factor", "-2"], &["--factor -2 must be above 1"]);
    refused(&["calc", "dgx-h100", "--at-least", "-5"], &["\"-5\" is not a rate"]);
}

#[test]
fn files_that_are_no_text_or_something_else() {
    let gz = File::new("packed.xml", b"\x1f\x8b\x08\x00rest");
    refused(&["import", gz.name()], &["packed with gzip", "gunzip -c"]);
    refused(&["diagnose", "dgx-h100", "--measured", gz.name()], &["packed with gzip"]);
    refused(&["calc", BIN], &["a program, no text"]);
    let binary = File::new("binary", b"abc\xff\x00\x01\x02");
    refused(&["import", binary.name()], &["binary, no text"]);
    let empty = File::new("empty.ron", b"");
    refused(&["calc", empty.name()], &["the file is empty", "a system in RON", "NCCL topology XML"]);
    refused(&["calc", "-"], &["the file is empty", "a system in RON"]);
    let folder = std::env::temp_dir();
    refused(&["import", folder.to_str().unwrap()], &["a folder; expected a file"]);
    let line = String::from_utf8(run(&["import", "no/such.xml"]).stderr).unwrap();
    assert_eq!(line.matches("os error").count(), 1, "{line}");
    let matrix = File::new(
        "p2p",
        b"P2P Connectivity Matrix\nUnidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n D\\D 0 1\n 0 1 2\n 1 2 1\n",
    );
    refused(&["import", matrix.name()], &["a matrix of measured copies", "--measured"]);
    refused(&["sweep", "dgx-h100", "--measured", matrix.name()], &["expected a log of nccl-tests"]);
}

/// Windows writes UTF-16 with a mark; a matrix saved so is read as any other.
#[test]
fn utf_16_is_read() {
    let text = "\u{feff}\tGPU0\tGPU1\tCPU Affinity\r\nGPU0\t X \tNV4\t0-15\r\nGPU1\tNV4\t X \t0-15\r\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = File::new("utf16.txt", &bytes);
    let out = run(&["import", file.name(), "--gpu", "rtx-3090"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.contains("2 GPUs"), "{text}");
}

#[test]
fn links_whose_ends_cannot_carry_them() {
    let system = |kind: &str, count: &str| {
        format!(
            "(name: \"pair\", title: \"x\", node: (devices: [(name: \"cpu0\", part: \"epyc-genoa\"), \
             (name: \"psw0\", part: \"pex89048\"), (name: \"gpu[0-1]\", part: \"l40s\")], links: [\
             (from: \"cpu0\", to: \"psw0\", kind: \"{kind}\", {count}), \
             (from: \"psw0\", to: \"gpu[0-1]\", kind: \"pcie4\", lanes: 16)]))"
        )
    };
    let good = File::new("good.ron", system("pcie4", "lanes: 16").as_bytes());
    assert_eq!(run(&["calc", good.name()]).status.code(), Some(0));
    for kind in ["nvlink4", "upi2", "xgmi-mi300"] {
        let bad = File::new(kind, system(kind, "count: 4").as_bytes());
        refused(&["calc", bad.name()], &["cpu0--psw0", "from a CPU to a PCIe switch"]);
    }
}
