//! The published figures and the orderings that a performance engineer expects, on the shipped systems.
#![expect(clippy::expect_used, clippy::panic, reason = "a failed look-up is the failure of the test")]

use icx_tui::cost::{Answer, Estimate, estimate};
use icx_tui::preset;
use icx_tui::question::{Collective, Question};
use icx_tui::scenario::{Context, Edit, Entry, Outcome, apply};
use icx_tui::system::{Algorithm, Protocol, System};
use icx_tui::units::Bytes;

fn system(name: &str, edits: &[&str]) -> System {
    let base = preset::load_shipped(name).expect("shipped");
    let entries: Vec<Entry> = edits
        .iter()
        .map(|t| Entry { edit: t.parse::<Edit>().unwrap_or_else(|e| panic!("{t}: {e}")), enabled: true })
        .collect();
    let applied = apply(&base, &entries, &Context::default());
    for (o, t) in applied.outcomes.iter().zip(edits) {
        assert!(matches!(o, Outcome::Active { .. }), "{name}: {t}: {o:?}");
    }
    applied.system
}

fn ask(name: &str, edits: &[&str], collective: Collective, size: &str) -> Estimate {
    let question = Question::new(collective, size.parse::<Bytes>().expect("a size"));
    match estimate(&system(name, edits), &question) {
        Answer::Estimate(e) => *e,
        Answer::Unreachable(u) => panic!("{name} {edits:?}: {u}"),
    }
}

fn busbw(name: &str, edits: &[&str], size: &str) -> f64 {
    ask(name, edits, Collective::AllReduce, size).busbw().gbytes_per_s()
}

/// All-reduce bus bandwidths that people published, GB/s.
#[test]
fn published_figures_within_ten_percent() {
    let cases: &[(&str, &[&str], &str, f64)] = &[
        ("dgx-a100", &[], "8GiB", 235.0),
        ("dgx-h100", &[], "8GiB", 479.0),
        ("dgx-h100", &["set nvls = off"], "8GiB", 368.0),
        ("dgx-b200", &[], "8GiB", 838.0),
        ("gb200-nvl72", &[], "8GiB", 847.0),
        ("pcie-v100x4", &[], "1GiB", 11.2),
        ("dgx-1", &[], "128MiB", 129.0),
        ("mi300x", &[], "8GiB", 316.0),
        ("pcie-4090x8", &[], "1GiB", 15.0),
        ("dgx-a100-hdr", &["set nodes = 2"], "8GiB", 188.0),
        ("dgx-h100-superpod", &["set nodes = 2"], "8GiB", 469.0),
        ("aws-p5en", &["set nodes = 16"], "8GiB", 370.0),
        ("tcp-25g", &[], "256MiB", 3.0),
        ("pcie-a100x8-bridged", &["set gpus = 2"], "1GiB", 208.0),
        ("pcie-a100x8-bridged", &["set gpus = 3"], "1GiB", 20.0),
    ];
    let off: Vec<String> = cases
        .iter()
        .filter_map(|(name, edits, size, want)| {
            let got = busbw(name, edits, size);
            ((got / want - 1.0).abs() > 0.10).then(|| format!("{name} {edits:?}: {got:.1} for {want}"))
        })
        .collect();
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn in_switch_reduction_is_chosen_where_it_wins() {
    let at = |name, n: u32| {
        let edit = format!("set gpus = {n}");
        ask(name, &[&edit], Collective::AllReduce, "8GiB").chosen.algorithm
    };
    // Published: ring up to 4 GPUs and nvls from 5 on Hopper, ring up to 5 and nvls from 6 on Blackwell.
    assert_eq!([4, 5, 8].map(|n| at("dgx-h100", n)), [Algorithm::Ring, Algorithm::Nvls, Algorithm::Nvls]);
    assert_eq!([5, 6, 8].map(|n| at("dgx-b200", n)), [Algorithm::Ring, Algorithm::Nvls, Algorithm::Nvls]);
    // A participant that misses a switch ends it.
    let e = ask("dgx-h100", &["off node0/gpu3--nvsw1"], Collective::AllReduce, "8GiB");
    assert_eq!(e.chosen.algorithm, Algorithm::Ring);
}

#[test]
fn protocols_follow_the_size() {
    for name in ["dgx-a100", "dgx-h100", "dgx-b200", "mi300x"] {
        assert_eq!(ask(name, &[], Collective::AllReduce, "1K").chosen.protocol, Protocol::Ll, "{name}");
        assert_eq!(ask(name, &[], Collective::AllReduce, "1GiB").chosen.protocol, Protocol::Simple, "{name}");
    }
}

#[test]
fn an_all_to_all_over_two_nodes_is_far_slower_than_over_one() {
    let one = ask("dgx-h100-superpod", &["set nodes = 1"], Collective::AllToAll, "1GiB").time;
    let two = ask("dgx-h100-superpod", &["set nodes = 2"], Collective::AllToAll, "1GiB").time;
    assert!((two / one).ratio() > 3.0, "{one} {two}");
}

#[test]
fn nics_count_until_nvlink_binds() {
    let at = |nics: &str| busbw("dgx-h100-superpod", &["set nodes = 4", nics], "8GiB");
    let (four, eight) = (at("set nics = 4"), at("set nics = 8"));
    assert!((1.7..=2.05).contains(&(eight / four)), "half the NICs nearly halve: {four} {eight}");
    // Sixteen 200G ports carry what eight 400G ports carry; doubling the rate helps only up to NVLink.
    let doubled = busbw("dgx-h100-superpod", &["set nodes = 4", "set nic = \"ConnectX-8\""], "8GiB");
    let nvlink = busbw("dgx-h100", &["set nvls = off"], "8GiB");
    assert!(doubled >= eight && doubled < nvlink * 1.25, "{eight} {doubled} {nvlink}");
}

#[test]
fn oversubscription_hurts_all_to_all_much_more_than_a_ring() {
    let slowdown = |collective, algorithm: &str| {
        let time = |over: &str| ask("h100-roce-2to1", &["set nodes = 64", over, algorithm], collective, "4GiB").time;
        (time("set fabric.oversubscription = 4") / time("set fabric.oversubscription = 1")).ratio()
    };
    let ring = slowdown(Collective::AllReduce, "set algorithm = ring");
    let all = slowdown(Collective::AllToAll, "set algorithm = ring");
    assert!(all > 1.5 && ring < 1.1, "all-to-all {all:.2}, ring {ring:.2}");
}

#[test]
fn one_nvlink_is_slower_than_pcie_and_twelve_win() {
    let c = preset::catalogue();
    let nvlink = c.link("nvlink3").expect("nvlink3").line.is.gbytes_per_s();
    let pcie = c.link("pcie4").expect("pcie4").line.is.gbytes_per_s() * 16.0;
    assert!((nvlink - 25.0).abs() < 0.01 && (pcie - 31.5).abs() < 0.1 && nvlink < pcie && 12.0 * nvlink > 9.0 * pcie);
}

#[test]
fn data_is_split_evenly_so_the_slowest_nic_sets_the_pace() {
    let healthy = busbw("dgx-a100-hdr", &["set nodes = 4", "set algorithm = ring"], "8GiB");
    let sick = busbw("dgx-a100-hdr", &["set nodes = 4", "set algorithm = ring", "degrade node0/nic2 to 50%"], "8GiB");
    assert!((sick / healthy - 0.5).abs() < 0.05, "one of eight NICs at half rate halves a ring: {healthy} {sick}");
    let gone = busbw("dgx-a100-hdr", &["set nodes = 4", "set algorithm = ring", "off node0/nic2"], "8GiB");
    assert!(gone > 0.8 * healthy && gone < healthy, "without it seven share the load: {healthy} {gone}");
}

#[test]
fn cliffs_and_slopes() {
    let healthy = busbw("dgx-h100", &["set nvls = off"], "1GiB");
    let slope = busbw("dgx-h100", &["set nvls = off", "off node0/gpu3--nvsw1"], "1GiB");
    let cliff = busbw("dgx-h100", &["set nvls = off", "off node0/gpu3--nvsw*"], "1GiB");
    assert!(slope > 0.6 * healthy && slope < healthy, "a slope: {healthy} {slope}");
    assert!(cliff < 0.15 * healthy, "a cliff: {cliff}");
}

#[test]
fn taking_out_a_gpu_takes_out_its_rank() {
    let e = ask("dgx-h100", &["off node0/gpu3"], Collective::AllReduce, "1GiB");
    assert_eq!(e.ranks, 7);
}

#[test]
fn a_unit_that_nothing_leads_out_of_is_unreachable() {
    let s = system("dgx-h100-superpod", &["set nodes = 4", "off node1/nic*"]);
    let Answer::Unreachable(u) = estimate(&s, &Question::default()) else { panic!("it has no NIC left") };
    assert!(u.ranks.starts_with("node1") && u.because.contains("NIC"), "{u}");
}

#[test]
fn a_hundred_thousand_gpus_are_few_different_things() {
    let s = system("dgx-h100-superpod", &["set nodes = 16384", "off node77/nic3"]);
    assert_eq!(s.classes.len(), 2);
    let Answer::Estimate(e) = estimate(&s, &Question::default()) else { panic!("it is connected") };
    assert_eq!(e.ranks, 131_072);
}
