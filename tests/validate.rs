//! The published measurements: no band may get worse.
#![expect(clippy::expect_used, reason = "a command that does not start is the failure of the test")]

use std::process::Command;

use serde_json::Value;

fn validate(arguments: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_icx-tui")).arg("validate").args(arguments).output().expect("starts");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn every_band_stays_within_its_limit() {
    let (code, out, err) = validate(&["--format", "json"]);
    let v: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, Some(0), "{err}\n{}", v["overall"]);
    assert_eq!(v["overall"].as_array().map(Vec::len), Some(5));
    // Ranges are worth something: narrow, and most rows of machines left out of the fit fall inside.
    let widths = [2.0, 2.0, 1.7, 1.4, 1.15];
    for (o, width) in v["left_out"].as_array().expect("left out").iter().zip(widths) {
        let number = |k: &str| o[k].as_f64().unwrap_or(f64::NAN);
        assert!(number("range_width") <= width && number("in_range") > 0.6, "{o}");
    }
}

#[test]
fn a_table_of_ones_own_and_a_log() {
    let dir = std::env::temp_dir().join(format!("icx-validate-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let table = dir.join("mine.csv");
    std::fs::write(
        &table,
        "id,system,edits,collective,ranks,gpus_per_process,algorithm,protocol,size_bytes,time_us,busbw_gbytes_per_s,note,source\n\
         mine,dgx-h100,set gpus = 4;set nvls = off,all-reduce,4,1,,,1073741824,4400,,,here\n",
    )
    .expect("written");
    let (code, out, err) = validate(&[&table.to_string_lossy()]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("mine") && out.contains("> 256 MiB"), "{out}");
    let log = dir.join("log.txt");
    std::fs::write(&log, LOG).expect("written");
    let (code, out, err) = validate(&[&log.to_string_lossy(), "--system", "dgx-h100"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("all-reduce"), "{out}");
    let (code, _, err) = validate(&[&log.to_string_lossy()]);
    assert!(code == Some(2) && err.contains("--system"), "{err}");
    std::fs::remove_dir_all(&dir).expect("removed");
}

const LOG: &str = "\
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid   1000 on      host0 device  0 [0x01] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   1001 on      host0 device  1 [0x02] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024           256     float     sum      -1    15.00    0.07    0.12      0    14.90    0.07    0.12      0
   134217728      33554432     float     sum      -1   500.00  268.44  469.76      0   499.00  268.97  470.70      0
# Out of bounds values : 0 OK
";
