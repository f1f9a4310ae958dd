//! Bounded time and memory, and never a panic, whatever the bytes.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn quick(text: &str) -> Duration {
    let start = Instant::now();
    let _outcome = import::import(text, &Options { gpu: Some("h100-sxm"), ..Options::default() }, &catalogue());
    start.elapsed()
}

/// Generous for a machine that is busy with other tests; what it guards against takes minutes.
const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn entity_bombs_stay_small() {
    let mut bomb = "<!DOCTYPE system [<!ENTITY a \"aaaaaaaaaa\">".to_owned();
    for i in 1..40 {
        let before = format!("&a{};", i - 1).repeat(4);
        bomb.extend(["<!ENTITY a", &i.to_string(), " \"", &before, "\">"]);
    }
    bomb.push_str(
        "]><system version=\"1\"><cpu numaid=\"&a39;\"><pci busid=\"&a39;\" class=\"0x030200\"/></cpu></system>",
    );
    assert!(quick(&bomb) < LIMIT);
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("<system><cpu>{}", "<pci busid=\"0\">".repeat(100_000));
    let e = import::import(&deep, &Options::default(), &catalogue()).unwrap_err().to_string();
    assert!(e.contains("nested deeper"), "{e}");
    assert!(quick(&format!("{{{}", "[".repeat(1_000_000))) < LIMIT);
}

#[test]
fn very_many_elements_end_early() {
    let many = format!("<system><cpu>{}</cpu></system>", "<pci busid=\"0\" class=\"0x030200\"/>".repeat(200_000));
    let e = import::import(&many, &Options::default(), &catalogue()).unwrap_err().to_string();
    assert!(e.contains("more than 4096 devices"), "{e}");
    let other = format!("<system><cpu>{}", "<x/>".repeat(2_000_000));
    assert!(quick(&other) < LIMIT);
}

#[test]
fn long_matrices_and_headers_without_end() {
    assert!(quick(&"\tGPU0\tGPU1\n".repeat(300_000)) < LIMIT);
    assert!(quick(&format!("\t{}\nGPU0\t{}", "GPU0\tGPU1\t".repeat(100_000), "NV1\t".repeat(400_000))) < LIMIT);
    assert!(quick(&"GPU0 X NV1\n".repeat(300_000)) < LIMIT);
}

/// Pieces of all formats, thrown together.
fn scraps() -> impl Strategy<Value = String> {
    let words = [
        "<system version=\"1\">",
        "</system>",
        "<cpu numaid=\"0\" host_hash=\"0x1\">",
        "<cpu>",
        "</cpu>",
        "<pci busid=\"0000:01:00.0\" class=\"0x030200\" device=\"0x2330\" vendor=\"0x10de\">",
        "<pci class=\"0x0604\" link_speed=\"16 GT/s\" link_width=\"99999999999\">",
        "</pci>",
        "<gpu dev=\"0\" sm=\"90\" rank=\"0\">",
        "</gpu>",
        "<nvlink target=\"0000:01:00.0\" count=\"-3\"/>",
        "<nvlink target=\"fffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/>",
        "<c2c bw=\"1\" count=\"99999999\"/>",
        "<nic>",
        "<net name=\"x\" dev=\"0\" speed=\"1e9\"/>",
        "</nic>",
        "<",
        ">",
        "\"",
        "&a;",
        "<!--",
        "-->",
        "<![CDATA[",
        "\tGPU0\tGPU1\tCPU Affinity\n",
        "GPU0\t X \tNV18\t0-3\n",
        "GPU1\tNV18\t X\n",
        "NIC0",
        "NV99999999999",
        "PIX",
        "NODENODE",
        "N/A",
        "Legend:\n",
        "NIC Legend:\n",
        "  NIC0: mlx5_0\n",
        "\n",
        "\t",
        " ",
        "|",
        "#",
        "\u{1b}[4m",
        "é",
        "\u{1F600}",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..60).prop_map(|w| w.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scraps_of_formats_never_panic(text in scraps()) {
        let c = catalogue();
        let _kind = import::detect(&text);
        for gpu in [None, Some("h100-sxm"), Some("")] {
            // What is taken must build; import() itself checks that.
            if let Err(e) = import::import(&text, &Options { gpu, ..Options::default() }, &c) {
                prop_assert!(!e.to_string().contains('\n'), "{}", e);
            }
        }
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,400}") {
        let _outcome = import::import(&text, &Options::default(), &catalogue());
    }

    #[test]
    fn damaged_files_never_panic(file in proptest::sample::select(vec!["nccl/four-h100-dump.xml", "nccl/two-trays-of-a-rack.xml", "nccl/vm-with-oddities.xml", "smi/eight-with-switches.txt", "smi/glued-and-wrapped.txt"]), at in 0.0..1.0_f64, length in 0_usize..200, byte in any::<u8>()) {
        let mut bytes = fixture(file).into_bytes();
        let from = (bytes.len() as f64 * at) as usize;
        let to = (from + length).min(bytes.len());
        bytes.splice(from..to, [byte]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _outcome = import::import(&text, &Options { gpu: Some("h100-sxm"), ..Options::default() }, &catalogue());
    }
}
