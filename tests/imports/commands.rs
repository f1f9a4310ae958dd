//! The command line on files that machines print.

use std::process::Command;

use super::*;

/// Runs the program; standard output, standard error, exit code.
fn run(args: &[&str]) -> (String, String, Option<i32>) {
    let out = Command::new(env!("CARGO_BIN_EXE_icx-tui")).current_dir(folder()).args(args).output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (text(&out.stdout), text(&out.stderr), out.status.code())
}

#[test]
fn a_printed_file_stands_where_a_system_stands() {
    let (out, err, code) = run(&["calc", "nccl/four-h100-dump.xml", "-s", "1GiB"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("4 ranks"), "{out}");
}

#[test]
fn refusals_name_file_place_and_flag() {
    let (out, err, code) = run(&["show", "smi/eight-with-switches.txt"]);
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(err.contains("smi/eight-with-switches.txt:2:1: ") && err.contains("--gpu h100-sxm"), "{err}");
    let (_, err, code) = run(&["import", "nccl/refused-graph.xml"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("graph file"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[test]
fn an_import_with_its_network_is_written_and_opened_again() {
    let file = std::env::temp_dir().join(format!("icx-import-{}.ron", std::process::id()));
    let path = file.to_str().unwrap();
    let fabric = "fabric/two-rails.ibnet.txt";
    let (out, err, code) =
        run(&["import", "nccl/four-h100-dump.xml", "--fabric", fabric, "--nodes", "64", "--name", "mine", "-o", path]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("derived") && out.contains("written to"), "{out}");
    let (out, err, code) = run(&["show", path]);
    let _ = std::fs::remove_file(&file);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("64 nodes x 4 GPUs = 256 ranks"), "{out}");
}

#[test]
fn show_writes_every_form() {
    for (format, wanted) in [
        ("ron", "name: \"dgx-h100\""),
        ("dot", "graph \"dgx-h100\""),
        ("astra-yaml", "npus_count"),
        ("nccl-xml", "<system version"),
    ] {
        let (out, err, code) = run(&["show", "dgx-h100", "--format", format]);
        assert!(code == Some(0) && out.contains(wanted), "{format}: {out}{err}");
    }
}
