#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed parse is the failure of the test"
)]

use super::*;
use crate::parts::CatalogueFile;

/// Parts and a system that are sound; each case breaks one thing.
const PARTS: &str = r#"(
    links: [
        (name: "pcie4", title: "PCIe 4", family: pcie, generation: 4, line: (is: "1.969GB/s", from: Vendor("spec")),
         usable: (is: "80%", from: Assumed("t")), latency: (is: "0.5us", from: Assumed("t"))),
        (name: "nvlink4", title: "NVLink 4", family: nvlink, generation: 4, line: (is: "25GB/s", from: Vendor("spec")),
         usable: (is: 0.8, from: Assumed("t")), latency: (is: "0.5us", from: Assumed("t"))),
    ],
    archs: [(name: "ada", ll_channel: (is: "3GB/s", from: Library("t")), ll128_channel: (is: "20GB/s", from: Library("t")),
             channels: 4, channels_multi: 4, from: Library("t"))],
    gpus: [(name: "l40s", title: "L40S", arch: "ada", memory: "48GB", memory_kind: "GDDR6",
            memory_rate: (is: "864GB/s", from: Vendor("t")), scale_up_ports: 2, peer_to_peer: true, from: Vendor("t"))],
    nics: [(name: "connectx-7", title: "ConnectX-7", rate: (is: "400Gb/s", from: Vendor("t")),
            latency: (is: "1us", from: Assumed("t")))],
    switches: [(name: "pex", title: "PEX", role: pcie, ports: 64, latency: (is: "0.1us", from: Vendor("t"))),
               (name: "leaf", title: "Leaf", role: fabric, ports: 64, latency: (is: "0.1us", from: Vendor("t")))],
    cpus: [(name: "xeon", title: "Xeon", memory_rate: (is: "300GB/s", from: Vendor("t")), latency: (is: "0.3us", from: Assumed("t")))],
    transports: [(name: "roce", title: "RoCE", rdma: true, usable: (is: "94%", from: Fit("t")),
                  without_gdr: (is: "86%", from: Fit("t")), step: (is: "6us", from: Fit("t")))],
)"#;

const GOOD: &str = r#"// A pair of GPUs.
(
    name: "pair",
    title: "Two GPUs",
    node: (
        devices: [
            (name: "cpu0", part: "xeon"),
            (name: "psw0", part: "pex"),
            (name: "gpu[0-1]", part: "l40s"),
            (name: "nic0", part: "connectx-7"),
        ],
        links: [
            (from: "cpu0", to: "psw0", kind: "pcie4", lanes: 16),
            (from: "psw0", to: "gpu[0-1]", kind: "pcie4", lanes: 16),
            (from: "psw0", to: "nic0", kind: "pcie4", lanes: 16),
        ],
    ),
    units: 4,
    fabric: (transport: "roce", switch: "leaf", leaf_nodes: 32),
    services: (title: "eth", rate: "10Gb/s", source: "assumed"),
    software: (library: "2.27", usable: {"pcie": "70%"}),
)
"#;

fn parts() -> Arc<Catalogue> {
    let file: CatalogueFile = read(PARTS, "parts.ron").unwrap_or_else(|e| panic!("{e}"));
    Arc::new(Catalogue::from_file(file).expect("parts are sound"))
}

fn failure(text: &str) -> LoadError {
    parse(text, "f.ron", &parts()).expect_err(text)
}

/// Breaks the good text in one place; the error must be this line, with the underline below this text.
#[track_caller]
fn broken(from: &str, to: &str, want: &str, underlined: &str) {
    assert_eq!(GOOD.matches(from).count(), 1, "{from:?} must be there once");
    let e = failure(&GOOD.replace(from, to));
    assert_eq!(e.headline(), want);
    let shown = e.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    let (source, carets) = (lines[2], lines[3]);
    let start = carets.find('^').unwrap();
    let marked: String = source.chars().skip(start).take(carets.matches('^').count()).collect();
    assert_eq!(marked, underlined, "\n{shown}");
}

#[test]
fn the_good_one_is_good() {
    let system = parse(GOOD, "f.ron", &parts()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((system.name.as_str(), system.units, system.ranks_per_unit()), ("pair", 4, 2));
    let crlf = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert_eq!(parse(&crlf, "f.ron", &parts()).expect("BOM and CRLF are fine").name, "pair");
}

#[test]
fn wrong_names() {
    broken("part: \"l40s\"", "part: \"l40\"", "f.ron:9:38: unknown part \"l40\"; did you mean l40s?", "\"l40\"");
    broken("\"psw0\", part", "\"cpu0\", part", "f.ron:8:20: duplicate device name \"cpu0\"", "\"cpu0\"");
    broken(
        "to: \"psw0\", kind",
        "to: \"psw9\", kind",
        "f.ron:13:32: no device \"psw9\"; did you mean psw0?",
        "\"psw9\"",
    );
    broken(
        "to: \"nic0\", kind: \"pcie4\"",
        "to: \"nic0\", kind: \"pcie\"",
        "f.ron:15:46: unknown link kind \"pcie\"; did you mean pcie4?",
        "\"pcie\"",
    );
    broken("\"roce\"", "\"rock\"", "f.ron:19:25: unknown transport \"rock\"; did you mean roce?", "\"rock\"");
    broken(
        "{\"pcie\": \"70%\"}",
        "{\"pci\": \"70%\"}",
        "f.ron:21:42: unknown link family \"pci\"; expected pcie, nvlink, xgmi, socket, c2c or network",
        "\"pci\"",
    );
    broken("{\"pcie\":", "{\"pcie\": 1, \"pcie\":", "f.ron:21:53: \"pcie\" is there twice", "\"pcie\"");
}

#[test]
fn wrong_figures() {
    broken(
        "\"10Gb/s\"",
        "\"10Gbs\"",
        "f.ron:20:36: \"10Gbs\" is not a rate; expected for example 400Gb/s (bits: b) or 50GB/s (bytes: B)",
        "\"10Gbs\"",
    );
    broken(
        "\"10Gb/s\"",
        "10",
        "f.ron:20:36: \"10\" is not a rate; expected for example 400Gb/s (bits: b) or 50GB/s (bytes: B)",
        "10",
    );
    broken(
        "\"10Gb/s\"",
        "-10",
        "f.ron:20:36: found -10; expected a rate in quotes, for example 400Gb/s (bits: b) or 50GB/s (bytes: B)",
        "-10",
    );
    broken("\"10Gb/s\"", "\"0Gb/s\"", "f.ron:20:36: the rate must be above zero", "\"0Gb/s\"");
    broken("units: 4", "units: 0", "f.ron:18:12: 0 is out of range; expected 1 to 131072", "0");
    broken("units: 4", "units: 4000000", "f.ron:18:12: 4000000 is out of range; expected 1 to 131072", "4000000");
    broken("units: 4", "units: -4", "f.ron:18:12: found -4; expected a whole number from 0 to 4294967295", "-4");
    broken("units: 4", "units: 2.5", "f.ron:18:12: found 2.5; expected a whole number", "2.5");
    broken("units: 4", "units: four", "f.ron:18:12: found four; expected a whole number from 0 to 4294967295", "four");
    broken(
        "leaf_nodes: 32",
        "leaf_nodes: 32, oversubscription: -1",
        "f.ron:19:83: -1 is not an oversubscription; expected ports down per port up: 1 (non-blocking), 2, 4",
        "-1",
    );
    broken("name: \"pair\"", "name: 7", "f.ron:3:11: found 7; expected a text in quotes", "7");
    broken(
        "library: \"2.27\"",
        "library: \"new\"",
        "f.ron:21:25: \"new\" is not a library version; expected for example 2.27",
        "\"new\"",
    );
    broken(
        "library: \"2.27\"",
        "protocol: \"ll64\"",
        "f.ron:21:26: \"ll64\" is not a protocol; expected one of ll, ll128, simple",
        "\"ll64\"",
    );
    broken("library: \"2.27\"", "gdr: \"yes\"", "f.ron:21:21: found \"yes\"; expected true or false", "\"yes\"");
}

#[test]
fn wrong_wiring() {
    broken(
        "(from: \"psw0\", to: \"gpu[0-1]\", kind: \"pcie4\", lanes: 16)",
        "(from: \"psw0\", to: \"gpu[0-1]\", kind: \"pcie4\", lanes: 32)",
        "f.ron:13:13: psw0 has 96 of 64 lanes in use; expected at most 64",
        "(from: \"cpu0\", to: \"psw0\", kind: \"pcie4\", lanes: 16)",
    );
    broken(
        "to: \"gpu[0-1]\"",
        "to: \"gpu0\"",
        "f.ron:6:18: gpu1 is linked to nothing that the GPUs reach; expected a link to it",
        "[",
    );
    broken(
        "lanes: 16),\n        ],",
        "lanes: 0),\n        ],",
        "f.ron:15:62: 0 is out of range; expected 1 to 64",
        "0",
    );
    let alone = GOOD.replace("fabric: (transport: \"roce\", switch: \"leaf\", leaf_nodes: 32),\n", "\n");
    assert_eq!(
        failure(&alone).headline(),
        "f.ron:18:12: 4 units and no fabric: nobody can reach the others; expected a fabric section, or units: 1"
    );
}

#[test]
fn wrong_fields() {
    broken(
        "leaf_nodes: 32",
        "leaf_node: 32",
        "f.ron:19:49: unknown field \"leaf_node\"; expected transport, switch, rails, leaf_nodes, oversubscription, source; \
         did you mean leaf_nodes?",
        "leaf_node",
    );
    broken(
        ", part: \"connectx-7\"",
        "",
        "f.ron:10:13: missing field \"part\"; expected part: ... inside these brackets",
        "(name: \"nic0\")",
    );
    broken("title: \"Two GPUs\"", "title: \"a\", title: \"b\"", "f.ron:4:17: field \"title\" is there twice", "title");
    broken(
        "kind: \"pcie4\", lanes: 16),\n        ],",
        "kind: \"pcie4\", join: pair),\n        ],",
        "f.ron:15:61: unknown word \"pair\"; expected each, pairwise; did you mean pairwise?",
        "pair",
    );
}

#[test]
fn wrong_writing() {
    broken("\"xeon\"),", "\"xeon\")", "f.ron:7:41: missing comma; expected , or ] here", "");
    broken("units: 4,", "units: 4", "f.ron:18:13: missing comma; expected , or ) here", "");
    broken(
        "        ],\n    ),",
        "        ),\n    ),",
        "f.ron:16:9: found ); expected ] to close the [ of line 12",
        ")",
    );
    broken(
        "title: \"Two GPUs\",",
        "title: \"Two GPUs,",
        "f.ron:4:12: this text runs over several lines; expected a quote at its end",
        "\"Two GPUs,",
    );
    let open = GOOD.replace("{\"pcie\": \"70%\"}),\n)", "{\"pcie\": \"70%\"})\n");
    assert_eq!(failure(&open).headline(), "f.ron:2:1: this ( is never closed; expected ) before the end");
    assert_eq!(
        failure(&format!("{GOOD} junk")).headline(),
        "f.ron:23:2: there is more after the end of the system; expected nothing after the last bracket"
    );
    assert_eq!(
        failure("<?xml version=\"1.0\"?>").headline(),
        "f.ron:1:1: not a system in RON; expected round brackets: ( name: ..., title: ..., node: (...) )"
    );
    broken("{\"pcie\":", "{pcie:", "f.ron:21:42: found pcie; expected a text in quotes", "pcie");
    broken("name: \"pair\"", "name = \"pair\"", "f.ron:3:10: found =; expected : between a name and its value", "=");
    assert_eq!(failure("(\"a\")").headline(), "f.ron:1:2: found \"a\"; expected name: value");
    assert_eq!(
        failure("System(name: \"a\")").headline(),
        "f.ron:1:1: \"System\" is not what belongs here; leave the word before the bracket out"
    );
    assert_eq!(
        failure("(name: \"a\", title: \"b\", node: None)").headline(),
        "f.ron:1:31: found None; expected named values in round brackets: (name: value)"
    );
    assert_eq!(failure("").headline(), "f.ron:1:1: the text ends here; expected a value");
    assert_eq!(
        failure("[1]").headline(),
        "f.ron:1:1: found a bracket; expected named values in round brackets: (name: value)"
    );
}

#[test]
fn own_parts_are_pointed_at() {
    let own = r#"parts: (gpus: [(name: "l41", title: "", arch: "hoper", memory: 1, memory_kind: "",
        memory_rate: (is: "1GB/s", from: Assumed("")), peer_to_peer: true, from: Assumed(""))]),
    units: 4"#;
    broken("units: 4", own, "f.ron:18:51: unknown GPU architecture \"hoper\"", "\"hoper\"");
    let wrong = own.replace("hoper", "ada").replace("\"1GB/s\"", "\"1 GB\"");
    broken(
        "units: 4",
        &wrong,
        "f.ron:19:27: \"1 GB\" is not a rate; expected for example 400Gb/s (bits: b) or 50GB/s (bytes: B)",
        "\"1 GB\"",
    );
    let origin = own.replace("hoper", "ada").replace("from: Assumed(\"\"))]", "from: Guess(\"\"))]");
    broken(
        "units: 4",
        &origin,
        "f.ron:19:82: unknown word \"Guess\"; expected Vendor, Measured, Library, Derived, Fit, Assumed",
        "Guess",
    );
}

#[test]
fn a_file_with_a_mark_and_crlf_has_the_same_places() {
    let text = format!("\u{feff}{}", GOOD.replace("units: 4", "units: 0").replace('\n', "\r\n"));
    assert_eq!(failure(&text).headline(), "f.ron:18:12: 0 is out of range; expected 1 to 131072");
    let text = format!("\u{feff}{}", GOOD.replace("leaf_nodes", "leaves").replace('\n', "\r\n"));
    assert!(failure(&text).headline().starts_with("f.ron:19:49: unknown field \"leaves\""));
}

#[test]
fn bytes_that_are_no_text() {
    let e = text_of(b"(\n ab\xff)", "f.ron").expect_err("not UTF-8");
    assert_eq!(e.headline(), "f.ron:2:4: not a text: the bytes here are not UTF-8");
    assert_eq!(text_of("(ä)".as_bytes(), "f.ron").unwrap(), "(ä)");
}

#[test]
fn what_is_written_reads_back() {
    let mut spec = parse_spec(GOOD, "f.ron").unwrap();
    spec.parts = Some(read(PARTS, "parts.ron").unwrap());
    spec.about = "quotes \" and \\ and\na new line".to_owned();
    spec.software.launch = Some(crate::units::Time::from_us(1_234.567_891));
    spec.software.usable.insert("nvlink".to_owned(), crate::units::Share::new(0.29));
    let text = spec_to_ron(&spec);
    assert_eq!(parse_spec(&text, "out.ron").unwrap_or_else(|e| panic!("{e}\n{text}")), spec);
    assert!(text.contains("\n            (name: \"gpu[0-1]\", part: \"l40s\"),\n"), "{text}");
}

#[test]
fn hostile_texts_end_soon() {
    let deep = "(".repeat(5000);
    assert!(failure(&deep).headline().contains("128 deep"), "{}", failure(&deep));
    let lists = format!("(node: {}", "[(a:".repeat(5000));
    assert!(failure(&lists).message.contains("128 deep"));
    let long = format!("(name: \"{}", "x".repeat(10_000_000));
    assert_eq!(failure(&long).headline(), "f.ron: the text has 10000008 bytes; expected at most 4194304");
    let wide = format!("(name: [{}])", "1,".repeat(2_000_000));
    assert!(failure(&wide).to_string().len() < 1000);
}

proptest::proptest! {
    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>) {
        if let Ok(text) = text_of(&bytes, "f") {
            let _ = parse(text, "f", &parts()).map_err(|e| e.to_string());
        }
    }

    #[test]
    fn random_damage_is_answered_within_the_text(at in 0_usize..900, len in 0_usize..30, put in "[\\[\\](){}:,\"'a0/*#r\\\\ \n-]{0,4}") {
        let clip = |i: usize| (0..=i.min(GOOD.len())).rev().find(|i| GOOD.is_char_boundary(*i)).unwrap_or(0);
        let text = format!("{}{put}{}", &GOOD[..clip(at)], &GOOD[clip(at + len)..]);
        if let Err(e) = parse(&text, "f", &parts()) {
            let place = e.place.as_ref().expect("every error of a short text has a place");
            proptest::prop_assert!(place.line <= text.matches('\n').count() + 1);
            proptest::prop_assert!(!e.to_string().is_empty());
        }
    }
}
