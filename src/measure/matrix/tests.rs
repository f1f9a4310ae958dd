#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a failed parse is the failure of the test; figures are read, not computed"
)]

use super::*;

const P2P: &str = "\
[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]
Device: 0, Some GPU, pciBusID: 1, pciDeviceID: 0, pciDomainID:0
Device=0 CAN Access Peer Device=1
P2P Connectivity Matrix
     D\\D     0     1
     0\t     1     0
     1\t     1     1
Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
   D\\D     0      1 
     0 900.10  11.50 
     1  11.70 901.00 
Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
   D\\D     0      1 
     0 902.00  25.10 
     1  25.20 903.00 
Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
   D\\D     0      1 
     0 904.00  50.00 
     1  50.40 905.00 
P2P=Disabled Latency Matrix (us)
   GPU     0      1 
     0   1.50  12.00 
     1  12.50   1.60 

   CPU     0      1 
     0   2.50   6.00 
     1   6.10   2.60 
P2P=Enabled Latency (P2P Writes) Matrix (us)
   GPU     0      1 
     0   1.50   1.20 
     1   1.30   1.60 

NOTE: The CUDA Samples are not meant for performance measurements.
";

#[test]
fn the_peer_to_peer_test() {
    let all = read(P2P, "p.txt").unwrap();
    let kinds: Vec<(What, Option<bool>)> = all.matrices.iter().map(|m| (m.what, m.peer_to_peer)).collect();
    assert_eq!(
        kinds,
        [
            (What::Access, None),
            (What::Unidirectional, Some(false)),
            (What::Unidirectional, Some(true)),
            (What::Bidirectional, Some(true)),
            (What::Latency, Some(false)),
            (What::Latency, Some(false)),
            (What::Latency, Some(true)),
        ]
    );
    let m = &all.matrices;
    assert_eq!((m[0].access(0, 1), m[0].access(1, 0)), (Some(false), Some(true)));
    assert_eq!(m[1].rate(0, 1).unwrap().gbytes_per_s(), 11.5);
    assert_eq!(m[3].rate(1, 0).unwrap().gbytes_per_s(), 25.2, "per direction");
    assert_eq!(m[4].latency(1, 0).unwrap().us(), 12.5);
    assert_eq!(m[5].latency(0, 1).unwrap().us(), 6.0);
    assert!(m[5].title.ends_with("CPU") && m[6].rate(0, 1).is_none() && m[1].rate(0, 7).is_none());
    assert!(all.remarks.is_empty(), "{:?}", all.remarks);
}

const NVB: &str = "\
nvbandwidth Version: v0.8
Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0     55.10     55.20

SUM host_to_device_memcpy_ce 110.30

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    390.50
 1    391.50       N/A

SUM device_to_device_memcpy_read_ce 782.00
Running device_to_device_bidirectional_memcpy_read_ce.
memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)
           0         1
 0       N/A    780.00
 1    782.00       N/A
Running device_to_device_latency_sm.
Device to Device Latency SM GPU(row) <-> GPU(column) (ns)
           0         1
 0       N/A    650.00
 1    660.00       N/A
";

#[test]
fn nvbandwidth() {
    let all = read(NVB, "n.txt").unwrap();
    let m = &all.matrices;
    assert_eq!(m.len(), 4);
    assert_eq!((m[0].rows, m[0].columns, m[0].way), (Side::Cpu, Side::Gpu, Way::RowToColumn));
    assert_eq!(m[0].rate(0, 1).unwrap().gbytes_per_s(), 55.2);
    assert_eq!((m[1].way, m[1].rate(0, 0)), (Way::ColumnToRow, None));
    assert_eq!((m[2].what, m[2].rate(1, 0).unwrap().gbytes_per_s()), (What::Bidirectional, 391.0));
    assert_eq!((m[3].what, m[3].latency(0, 1).unwrap().us()), (What::Latency, 0.65));
    assert!(looks_like(NVB) && looks_like(P2P) && !looks_like("GPU0 GPU1\nX PIX"));
}

#[test]
fn nvbandwidth_json() {
    let text = r#"{"nvbandwidth": {"testcases": [
        {"name": "a", "status": "Passed", "bandwidth_description": "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)",
         "bandwidth_matrix": [["N/A", "390.5"], [391.5, "N/A"]], "sum": 782.0},
        {"name": "b", "status": "Waived"}]}}"#;
    let all = read(text, "n.json").unwrap();
    assert_eq!(all.matrices[0].rate(1, 0).unwrap().gbytes_per_s(), 391.5);
    assert_eq!(all.remarks[0].text, "b: Waived");
    let e = read("{\"nvbandwidth\":\n [", "n.json").unwrap_err();
    assert!(e.to_string().starts_with("n.json:2: not the JSON of nvbandwidth"), "{e}");
}

#[test]
fn faults_have_their_line() {
    let fault = |from: &str, to: &str| read(&P2P.replacen(from, to, 1), "p.txt").unwrap_err().to_string();
    assert_eq!(fault("11.70 901.00", "11.70"), "p.txt:11: row 1 has 1 figures; expected 2");
    assert_eq!(fault("11.70 901.00", "11.70 fast"), "p.txt:11: \"fast\" is not a figure; expected a number or N/A");
    assert_eq!(
        fault("     1  11.70 901.00 \n", ""),
        "p.txt:9: the matrix has rows [0] and columns [0, 1]; expected the same"
    );
    assert_eq!(
        read("hello", "p.txt").unwrap_err().to_string(),
        "p.txt: no matrix; expected the output of p2pBandwidthLatencyTest or nvbandwidth"
    );
}

proptest::proptest! {
    #[test]
    fn random_damage_never_panics(at in 0_usize..1400, len in 0_usize..40, put in "[0-9 .\nDA/]{0,8}") {
        let end = (at + len).min(P2P.len());
        let text = format!("{}{put}{}", &P2P[..at.min(end)], &P2P[end..]);
        let _ = read(&text, "p");
    }

    #[test]
    fn random_text_never_panics(text in "[\\PC\n]{0,300}") {
        let _ = read(&text, "p");
    }
}
