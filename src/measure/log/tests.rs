#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a failed parse is the failure of the test; figures are read, not computed"
)]

use super::*;

const MODERN: &str = "\
# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 2 minBytes 1048576 maxBytes 4194304 step: 4(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid   4242 on      node1 device  0 [0000:11:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   4242 on      node1 device  1 [0000:21:00] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place          
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong 
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)         
     1048576        262144     float     sum      -1    40.00   26.21   26.21       0    41.00   25.58   25.58       0
     4194304       1048576     float     sum      -1   100.00   41.94   41.94       0   101.00   41.53   41.53     N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 33.8150 
#
# Collective test concluded: all_reduce_perf
";

fn one(text: &str) -> (Test, Vec<Remark>) {
    let mut log = read(text, "t.log").unwrap();
    assert_eq!(log.tests.len(), 1, "{log:?}");
    (log.tests.remove(0), log.remarks)
}

fn lines(change: impl Fn(&str) -> String) -> String {
    MODERN.lines().map(change).collect()
}

fn times(test: &Test) -> Vec<(u64, f64)> {
    test.rows.iter().map(|r| (r.size.to_u64(), r.sample().unwrap().time.us())).collect()
}

#[test]
fn a_modern_log() {
    let (t, remarks) = one(MODERN);
    assert_eq!((t.collective, t.collective_from), (Some(Collective::AllReduce), Known::Said));
    assert_eq!((t.ranks, t.hosts, t.gpus_per_process, t.threads), (Some(2), Some(1), Some(2), Some(1)));
    assert_eq!((t.library.as_deref(), t.gpu.as_deref()), (Some("2.28.7"), Some("NVIDIA H100 80GB HBM3")));
    assert_eq!((t.line, t.complete), (10, true));
    let last = t.rows[1];
    assert_eq!((last.line, last.size.to_u64()), (13, 4_194_304));
    let (out, inp) = (last.out_of_place.unwrap(), last.in_place.unwrap());
    assert_eq!(
        (out.time.us(), out.algbw.gbytes_per_s(), out.busbw.gbytes_per_s(), out.wrong),
        (100.0, 41.94, 41.94, Some(0.0))
    );
    assert_eq!((inp.time.us(), inp.wrong), (101.0, None));
    assert!(remarks.is_empty(), "{remarks:?}");
}

#[test]
fn prefixes_do_not_matter() {
    let (plain, _) = one(MODERN);
    for prefix in ["[1,0]<stdout>:", "node1: ", "0: ", "2026-01-02T03:04:05.678901234Z ", "worker-0.pod: "] {
        let text = lines(|l| [prefix, l, "\r\n"].concat());
        let (t, remarks) = one(&text);
        assert_eq!(t, plain, "{prefix}");
        assert!(remarks.is_empty(), "{prefix}: {remarks:?}");
    }
    let bare = lines(|l| [l.trim_start_matches('#'), "\n"].concat());
    assert_eq!(one(&bare).0, plain, "without comment signs");
}

#[test]
fn library_messages_between_and_inside_rows() {
    let text = "\
[1,0]<stdout>:# nThread 1 nGpus 1 minBytes 1 maxBytes 4096 step: 2(factor) warmup iters: 5 iters: 20 validation: 0
[1,0]<stdout>:node1:7:9 [0] NCCL INFO comm 0x1 rank 0 nranks 8 cudaDev 0 - Init START
[1,0]<stdout>:node1:7:9 [0] NCCL INFO NCCL version 2.26.2+cuda12.8
[1,0]<stdout>:node1:7:9 [0] NCCL INFO NCCL_ALGO set by environment to RING
[1,0]<stdout>:#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
[1,0]<stdout>:#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
[1,0]<stdout>:           0             0   float           34.27    0.00    0.00    N/A    33.57    0.00    0.00    N/A
[1,0]<stdout>:        1024            32   float    node1:7:9 [0] NCCL INFO Launch mode Parallel
[1,1]<stdout>:node2:8:8 [0] NCCL WARN something
[1,0]<stdout>:        2048            64   float           35.00    0.06    0.05  2e-07    36.00    0.06    0.05  2e-07
[1,0]<stdout>:        3072            96   float    node1:7:9 [0] NCCL INFO Channel 00
[1,0]<stdout>:         37.00    0.08    0.07  2e-07    38.00    0.08    0.07  2e-07
[1,0]<stdout>:        4096           128   float         
";
    let (t, remarks) = one(text);
    assert_eq!(times(&t), [(0, 34.27), (2048, 35.0), (3072, 37.0)]);
    assert_eq!((t.ranks, t.ranks_from, t.library.as_deref()), (Some(8), Known::Said, Some("2.26.2")));
    assert_eq!(t.forced, [("NCCL_ALGO".to_owned(), "RING".to_owned())]);
    let said: Vec<(usize, &str)> = remarks.iter().map(|r| (r.line, r.text.as_str())).collect();
    assert_eq!(
        said,
        [
            (5, "the table has no end: an incomplete run"),
            (8, "row of 1024 bytes is cut: 0 of 8 values"),
            (13, "row of 4096 bytes is cut: 0 of 8 values"),
        ]
    );
}

#[test]
fn rows_wrapped_over_two_lines() {
    let wrapped =
        MODERN.replace("      -1    40.00", "      -1\n    40.00").replace("       0    41.00", "       0\n    41.00");
    assert_eq!(times(&one(&wrapped).0), [(1_048_576, 40.0), (4_194_304, 100.0)]);
    let before_root = MODERN.replace("     sum      -1   100.00", "     sum\n      -1   100.00");
    assert_eq!(times(&one(&before_root).0), [(1_048_576, 40.0), (4_194_304, 100.0)]);
}

fn table(header: &str, row: &str) -> String {
    format!("#{header}\n{row}\n# Avg bus bandwidth : 1\n")
}

const BLOCKS: &str = "time algbw busbw error time algbw busbw error";

#[test]
fn older_and_newer_columns() {
    let cases = [
        // before 2.12: no root, or no reduction, or neither
        (format!("size count type redop {BLOCKS}"), "1048576 262144 float sum 40.0 26.21 45.87 2e-07 41.0 25.58 44.76 2e-07"),
        (format!("size count type {BLOCKS}"), "1048576 32768 float 40.0 26.21 22.94 N/A 41.0 25.58 22.38 N/A"),
        (format!("size count type root {BLOCKS}"), "1048576 262144 float 0 40.0 26.21 26.21 0e+00 41.0 25.58 25.58 0e+00"),
        // time stamps, iteration statistics, CPU time
        (
            format!("size count type redop root {} timestamp", BLOCKS.replace("error", "#wrong")),
            "1048576 262144 float sum -1 40.0 26.21 45.87 0 41.0 25.58 44.76 0 2026-01-02 03:04:05",
        ),
        (
            "size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min i_max i_p99 i_cv%".to_owned(),
            "1048576 262144 float sum -1 40.0 26.21 45.87 0 39 41 41 1.5 41.0 25.58 44.76 0 40 42 42 1.5",
        ),
        (
            format!("size count type redop root {}", BLOCKS.replace("time", "cputime")),
            "1048576 262144 f8e4m3 sum -1 40.0 26.21 45.87 0 41.0 25.58 44.76 0",
        ),
    ];
    for (header, row) in cases {
        let (t, remarks) = one(&table(&header, row));
        let r = t.rows[0];
        assert_eq!((r.out_of_place.unwrap().time.us(), r.in_place.unwrap().time.us()), (40.0, 41.0), "{header}");
        assert!(remarks.is_empty(), "{header}: {remarks:?}");
    }
}

#[test]
fn in_place_alone() {
    let text = "#   in-place\n# size count type redop root time algbw busbw #wrong\n 1048576 262144 float sum -1 40.0 26.21 45.87 0\n# Avg bus bandwidth : 1\n";
    let (t, _) = one(text);
    assert!(t.rows[0].out_of_place.is_none());
    assert_eq!(t.rows[0].in_place.unwrap().time.us(), 40.0);
    // A replayed trace prints two blocks and leaves the first one blank.
    let blank = MODERN.replace("    40.00   26.21   26.21       0    41", "                                    41");
    let (t, _) = one(&blank);
    assert!(t.rows[0].out_of_place.is_none());
    assert_eq!(t.rows[0].in_place.unwrap().time.us(), 41.0);
}

#[test]
fn what_the_log_does_not_say_is_inferred_where_certain() {
    let infer = |row: &str| {
        let (t, _) = one(&table(&format!("size count type redop root {BLOCKS}"), row));
        (t.collective, t.ranks)
    };
    let row = |count: u64, op: &str, root: i32, busbw: f64| {
        format!("1073741824 {count} float {op} {root} 4000 268.44 {busbw} 0 4000 268.44 {busbw} 0")
    };
    // 268.44 x 1.75: eight ranks
    assert_eq!(infer(&row(268_435_456, "sum", -1, 469.77)), (Some(Collective::AllReduce), Some(8)));
    assert_eq!(infer(&row(268_435_456, "sum", -1, 532.68)), (Some(Collective::AllReduce), Some(128)));
    // pieces of an eighth
    assert_eq!(infer(&row(33_554_432, "sum", -1, 234.88)), (Some(Collective::ReduceScatter), Some(8)));
    assert_eq!(infer(&row(33_554_432, "none", -1, 234.88)), (None, Some(8)), "all-gather or all-to-all");
    assert_eq!(infer(&row(268_435_456, "none", 0, 268.44)), (Some(Collective::Broadcast), None));
    assert_eq!(infer(&row(268_435_456, "sum", 0, 268.44)), (Some(Collective::Reduce), None));
    assert_eq!(infer(&row(268_435_456, "sum", -1, 268.44)), (None, None), "all-reduce of two or send-recv");
    let old = |columns: &str, busbw: &str| {
        let row = format!("1073741824 33554432 float 4000 268.44 {busbw} N/A 4000 268.44 {busbw} N/A");
        one(&table(&format!("size count type {columns} {BLOCKS}"), &row)).0.collective
    };
    assert_eq!(old("redop", "234.88"), Some(Collective::AllToAll));
    assert_eq!(old("", "234.88"), Some(Collective::AllGather));
    let command = format!(
        "$ mpirun -np 8 ./build/alltoall_perf -b 1G\n{}",
        table(&format!("size count type redop root {BLOCKS}"), &row(33_554_432, "none", -1, 234.88))
    );
    assert_eq!(one(&command).0.collective, Some(Collective::AllToAll));
}

#[test]
fn several_tables_and_several_streams() {
    let two = format!("{MODERN}\n{}", MODERN.replace("all_reduce", "sendrecv"));
    let log = read(&two, "t.log").unwrap();
    let all: Vec<_> = log.tests.iter().map(|t| (t.collective.unwrap(), t.rows.len(), t.ranks)).collect();
    assert_eq!(all, [(Collective::AllReduce, 2, Some(2)), (Collective::SendRecv, 2, Some(2))]);
    let woven: String = MODERN.lines().flat_map(|l| [format!("a: {l}\n"), format!("b: {l}\n")]).collect();
    let log = read(&woven, "t.log").unwrap();
    assert_eq!(log.tests.iter().map(|t| t.rows.len()).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn what_is_wrong_is_said() {
    let masked = MODERN.replace("100.00   41.94   41.94", "XXX.XX   XX.XX   XX.XX");
    let (t, remarks) = one(&masked);
    assert_eq!((t.rows.len(), remarks[0].text.as_str()), (1, "1 rows have masked figures (XXX.XX)"));
    let idle = MODERN.replace("26.21   26.21", "26.21    0.00").replace("41.94   41.94", "41.94    0.00");
    assert!(one(&idle).1.iter().any(|r| r.text.contains("did not join")));
    let wrong = MODERN.replace("41.94   41.94       0", "41.94   41.94      17");
    assert!(one(&wrong).1.iter().any(|r| r.line == 13 && r.text.contains("wrong results")));
    let commented = MODERN.replace("     1048576        262144", "#    1048576        262144");
    assert_eq!(one(&commented).0.rows.len(), 2);
}

#[test]
fn refusals_name_the_line() {
    let refused = |text: &str| read(text, "t.log").unwrap_err().to_string();
    let head: String = MODERN.split_inclusive('\n').take(11).collect();
    assert_eq!(
        refused(&head),
        "t.log:10: the table has no rows; expected rows of size, count, type, time, algbw, busbw"
    );
    assert_eq!(
        refused(&format!("{head}     1048576        262144     float\n")),
        "t.log:12: no whole row: row of 1048576 bytes is cut: 0 of 8 values"
    );
    let failed = format!(
        "{head}node1: Test NCCL failure common.cu:392 'unhandled cuda error'\n .. node1 pid 5068: Test failure all_reduce.cu:90\n"
    );
    assert_eq!(
        refused(&failed),
        "t.log:12: failed run: Test NCCL failure common.cu:392 'unhandl; expected rows of results"
    );
    assert_eq!(
        refused("hello\nworld\n"),
        "t.log: not a log of nccl-tests or rccl-tests: no table header (size count type ... time algbw busbw)"
    );
    assert_eq!(refused(" \n"), "t.log: the file is empty");
    assert_eq!(
        refused("{\n \"results\": 5}"),
        "t.log:2: not the JSON of nccl-tests: invalid type: integer `5`, expected a sequence; expected results: [{size, out_of_place, in_place}]"
    );
}

#[test]
fn json() {
    let text = r#"{"version": 1, "args": ["/opt/all_gather_perf", "-b", "1M"], "env": ["A=b", "NCCL_PROTO=Simple"], "nccl_version": 22807,
      "config": {"nthreads": 1, "ngpus": 1, "devices": [
        {"rank": 0, "hostname": "n1", "device_info": "NVIDIA H100"}, {"rank": 1, "hostname": "n2", "device_info": "NVIDIA H100"}]},
      "results": [{"size": 1048576, "count": 131072, "type": "float", "redop": "none", "root": "    -1",
        "out_of_place": {"time": 40.0, "alg_bw": 26.2144, "bus_bw": 13.1072, "nwrong": 0.0},
        "in_place": null, "actual_iterations": 20}], "end_time": "2026-01-02 03:04:05"}"#;
    let (t, _) = one(text);
    assert_eq!((t.collective, t.ranks, t.hosts), (Some(Collective::AllGather), Some(2), Some(2)));
    assert_eq!((t.library.as_deref(), t.gpus_per_process), (Some("2.28.7"), Some(1)));
    assert_eq!(t.forced, [("NCCL_PROTO".to_owned(), "Simple".to_owned())]);
    assert_eq!(t.rows[0].sample().unwrap().busbw.gbytes_per_s(), 13.1072);
    assert!(looks_like(text) && looks_like(MODERN) && !looks_like("GPU0 GPU1"));
}

proptest::proptest! {
    #[test]
    fn random_damage_never_panics(at in 0_usize..1600, len in 0_usize..60, put in "[0-9 .\n#:XNA/]{0,8}") {
        let end = (at + len).min(MODERN.len());
        let _ = read(&format!("{}{put}{}", &MODERN[..at.min(end)], &MODERN[end..]), "t");
    }

    #[test]
    fn random_text_never_panics(text in "[\\PC\n]{0,300}") {
        let _ = read(&text, "t");
        let _ = read(&format!("{{{text}"), "t");
    }
}
