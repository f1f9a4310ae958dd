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

#[test]
fn a_hundred_megabytes_end() {
    let mut text = "<system version=\"1\"><cpu numaid=\"0\">".to_owned();
    let line = "<pci busid=\"0000:01:00.0\" class=\"0x060400\"></pci><!-- padding padding padding padding -->\n";
    text.push_str(&line.repeat((100 << 20) / line.len()));
    assert!(quick(&text) < LIMIT);
    assert!(quick(&"x".repeat(30 << 20)) < LIMIT);
    assert!(quick(&"<".repeat(10 << 20)) < LIMIT);
}

/// Pieces of all formats, thrown together.
const SCRAPS: &[&str] = &[
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
    "<switch busid=\"1\" label=\"nvsw0\"/>",
    "<peer target=\"cpu0\" family=\"socket\" count=\"4294967295\"/>",
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
    "<topology version=\"2.0\">",
    "<object type=\"Machine\" cpuset=\"0xf...f,,0x3\">",
    "<object type=\"NUMANode\" cpuset=\"0x3\" os_index=\"-1\">",
    "<object type=\"Bridge\" bridge_type=\"1-1\" pci_busid=\"0\" pci_link_speed=\"31.5\">",
    "<object type=\"PCIDev\" gp_index=\"1\" pci_busid=\"0000:01:00.0\" pci_type=\"0302 [10de:20b2\" pci_link_speed=\"NaN\">",
    "<object type=\"PCIDev\" gp_index=\"2\" pci_type=\"0302 [10de:20b2] [\" pci_link_speed=\"15.75\">",
    "</object>",
    "<distances2hetero name=\"NVLinkBandwidth\">",
    "<indexes>",
    "OSDev:1 PCIDev:2 ",
    "</indexes>",
    "<u64values>",
    "25000 99999999999 -1 ",
    "</u64values>",
    "</distances2hetero>",
    "LINK TYPE TABLE:\n",
    "  0000:0c:00.0 0000:22:00.0\n",
    "0000:0c:00.0 SELF XGMI\n",
    "GPU0 GPU1\n",
    "GPU0 0 XGMI XXXX PCIE\n",
    "GPU[3] : (Topology) Numa Node: 7\n",
    "Link Type between two GPUs\n",
    "[{\"gpu\": 0, \"links\": [",
    "{\"gpu\":1,\"link_type\":\"XGMI\"}",
    "]}]",
    "Switch\t65 \"S-1\" # \"MF0;a:b/U1\"\n",
    "[1]\t\"H-1\"[1](1) # \"n1 mlx5_0\" lid 1 4xNDR\n",
    "[2] \"S-2\"[99999999999] # \"\" 12xXDR\n",
    "Ca\t1 \"H-1\" # \"n1 mlx5_0\"\n",
    "Switch: 0x1 a:b:\n",
    " 1 1[ ] ==( 4X 53.125 Gbps Active/ LinkUp)==> 2 1[ ] \"n mlx5_0\" ( )\n",
    "==(",
    ")==>",
    "SwitchName=a Nodes=n[1-4]\n",
    "SwitchName=b Switches=a[\n",
    "BlockName=b Nodes=n[1-9][1-9]\n",
    "- topology: t\n",
    "  tree:\n",
    "    switches:\n",
    "      - switch: s\n        nodes: n[1-2]\n",
];

fn scraps() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(SCRAPS), 0..60).prop_map(|w| w.concat())
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
        let node = fixture("nccl/four-h100-dump.xml");
        let _outcome = import::import(&node, &Options { fabric: Some(&text), ..Options::default() }, &c);
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,400}") {
        let _outcome = import::import(&text, &Options::default(), &catalogue());
    }

    #[test]
    fn damaged_files_never_panic(file in proptest::sample::select(vec!["nccl/four-h100-dump.xml", "nccl/two-trays-of-a-rack.xml", "nccl/vm-with-oddities.xml", "smi/eight-with-switches.txt", "smi/glued-and-wrapped.txt", "hwloc/two-a100.xml", "amd/rocm-smi.txt", "amd/amd-smi-tables.txt", "amd/amd-smi-old.json.txt"]), at in 0.0..1.0_f64, length in 0_usize..200, byte in any::<u8>()) {
        let mut bytes = fixture(file).into_bytes();
        let from = (bytes.len() as f64 * at) as usize;
        let to = (from + length).min(bytes.len());
        bytes.splice(from..to, [byte]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _outcome = import::import(&text, &Options { gpu: Some("h100-sxm"), ..Options::default() }, &catalogue());
    }

    #[test]
    fn damaged_fabric_files_never_panic(file in proptest::sample::select(vec!["two-rails.ibnet.txt", "linkinfo.txt", "linkinfo-lines.txt", "slurm.conf.txt", "slurm-tree.yaml.txt"]), at in 0.0..1.0_f64, length in 0_usize..60, byte in any::<u8>()) {
        let mut bytes = fixture(&format!("fabric/{file}")).into_bytes();
        let from = (bytes.len() as f64 * at) as usize;
        let to = (from + length).min(bytes.len());
        bytes.splice(from..to, [byte]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let node = fixture("nccl/four-h100-dump.xml");
        let _outcome = import::import(&node, &Options { fabric: Some(&text), ..Options::default() }, &catalogue());
    }
}
