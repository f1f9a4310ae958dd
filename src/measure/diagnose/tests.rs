#![expect(clippy::expect_used, clippy::panic, reason = "a failed look-up is the failure of the test")]

use super::*;
use crate::measure::table;
use crate::preset;
use crate::scenario::{Context, Entry, Outcome, apply};

fn parse(texts: &[&str]) -> Vec<Edit> {
    texts.iter().map(|t| t.parse().unwrap_or_else(|e| panic!("{t}: {e}"))).collect()
}

fn system(name: &str, edits: &[&str]) -> System {
    let entries: Vec<Entry> = parse(edits).into_iter().map(Entry::from).collect();
    let applied = apply(&preset::load_shipped(name).expect("shipped"), &entries, &Context::default());
    assert!(applied.outcomes.iter().all(|o| matches!(o, Outcome::Active { .. })), "{name}: {edits:?}");
    applied.system
}

/// Noise of up to 5 % either way, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1.0 + ((self.0 >> 33) as f64 / f64::from(1_u32 << 31) - 0.5) * 0.1
    }
}

/// A sweep as a log would have it, of a system with a fault.
fn sweep(system: &System, fault: &[Edit], collective: Collective, seed: u64) -> Vec<Observed> {
    let mut noise = Noise(seed);
    let at = |i: u32| Bytes::from_u64(8 << i);
    let one = |size| Observed { collective, size, time: Time::from_us(1.0), algorithm: None, protocol: None };
    let mut rows: Vec<Observed> = (0..31).map(at).map(one).collect();
    let curve = price(system, fault, &rows).unwrap_or_else(|| panic!("{fault:?} has no answer"));
    for (o, t) in rows.iter_mut().zip(curve) {
        o.time = Time::from_us(t * noise.next());
    }
    rows
}

fn of_id(id: &str) -> Vec<Observed> {
    let rows = table::read(table::PUBLISHED, table::PUBLISHED_NAME).expect("the published table");
    let rows: Vec<Observed> = rows.iter().filter(|r| r.id == id && !r.is_warm_up()).map(Observed::of_row).collect();
    assert!(!rows.is_empty(), "{id}");
    rows
}

/// Whether a fault is among the first: the first finding, one with the same curve, or one tied with it.
fn is_first(d: &Diagnosis, fault: &[Edit]) -> bool {
    let is = |edits: &[Edit]| edits == fault;
    d.findings.iter().filter(|f| f.tied).any(|f| is(&f.edits()) || f.same.iter().any(|s| is(&s.edits)))
}

/// Whether a fault is the first finding itself, or has the same curve.
fn is_the_first(d: &Diagnosis, fault: &[Edit]) -> bool {
    d.findings.first().is_some_and(|f| f.edits() == fault || f.same.iter().any(|s| s.edits == fault))
}

fn list(d: &Diagnosis) -> String {
    let one = |f: &Finding| {
        let edits: Vec<String> = f.edits().iter().map(ToString::to_string).collect();
        format!(
            "{} {:.3} {:.0} % {}",
            if f.tied { "=" } else { " " },
            f.score.ratio(),
            f.explains.percent(),
            edits.join("; ")
        )
    };
    format!(
        "{:?}, healthy {:.3}\n{}",
        d.verdict,
        d.healthy.ratio(),
        d.findings.iter().map(one).collect::<Vec<_>>().join("\n")
    )
}

const SYSTEMS: &[(&str, &[&str], Collective)] = &[
    ("dgx-a100", &[], Collective::AllReduce),
    ("dgx-h100", &[], Collective::AllReduce),
    ("dgx-1", &[], Collective::AllReduce),
    ("pcie-v100x4", &[], Collective::AllGather),
    ("dgx-h100-superpod", &["set nodes = 2"], Collective::AllReduce),
    ("dgx-h100-superpod", &["set nodes = 64"], Collective::AllToAll),
    ("dgx-a100-hdr", &["set nodes = 4"], Collective::ReduceScatter),
    ("gh200-slingshot", &["set nodes = 2"], Collective::AllReduce),
    ("mi300x-roce", &["set nodes = 2"], Collective::AllReduce),
    ("pcie-4090x4", &[], Collective::AllReduce),
    ("lumi-g", &["set nodes = 2"], Collective::AllGather),
];

/// Every single cause that takes a machine out of its range comes back first, or within noise of the first.
#[test]
fn every_cause_is_found_again() {
    let (mut seen, mut first) = (0, 0);
    for (i, (name, edits, collective)) in SYSTEMS.iter().enumerate() {
        let machine = system(name, edits);
        for (j, cause) in causes::causes(&machine, &[*collective]).into_iter().enumerate() {
            if price(&machine, &cause.edits, &sweep(&machine, &[], *collective, 1)).is_none() {
                continue;
            }
            let rows = sweep(&machine, &cause.edits, *collective, (100 * i + j) as u64);
            let d = diagnose(&machine, &rows).unwrap_or_else(|e| panic!("{name}: {e}"));
            if d.verdict == Verdict::Healthy {
                // Within the range: nothing that the model could tell from a healthy machine.
                assert!(!is_sick(&d.bands, d.healthy.ratio()) && d.findings.is_empty());
                continue;
            }
            seen += 1;
            first += usize::from(is_the_first(&d, &cause.edits));
            assert!(d.verdict == Verdict::Fault && is_first(&d, &cause.edits), "{name}: {cause:?}\n{}", list(&d));
        }
    }
    assert!(seen > 100 && first * 10 >= seen * 9, "{seen} causes were visible, {first} came back first");
}

#[test]
fn a_healthy_machine_is_healthy() {
    for (i, (name, edits, collective)) in SYSTEMS.iter().enumerate() {
        let machine = system(name, edits);
        let d = diagnose(&machine, &sweep(&machine, &[], *collective, i as u64)).expect("an answer");
        assert_eq!(d.verdict, Verdict::Healthy, "{name}\n{}", list(&d));
        // Noise of five per cent may leave a range of three.
        assert!(d.signature.starts_with("as expected ") && !d.signature.contains("slow"), "{name}: {}", d.signature);
    }
}

/// Two faults at once, of which neither explains the curve alone.
#[test]
fn pairs_are_found_where_one_cause_is_not_enough() {
    let pairs: &[(&str, &[&str], &[&str])] = &[
        ("dgx-h100-superpod", &["set nodes = 2"], &["set nics = 2", "set launch = 60us"]),
        ("azure-ndv4", &["set nodes = 2"], &["set nics = 1", "set launch = 90us"]),
        ("dgx-a100-hdr", &["set nodes = 2"], &["set p2p = off", "set launch = 80us"]),
    ];
    for (i, (name, edits, fault)) in pairs.iter().enumerate() {
        let machine = system(name, edits);
        let fault = parse(fault);
        let d = diagnose(&machine, &sweep(&machine, &fault, Collective::AllReduce, i as u64)).expect("an answer");
        let keys = |e: &[Edit]| e.iter().map(Edit::key).collect::<Vec<_>>();
        let found = d.findings.iter().find(|f| f.tied && keys(&f.edits()) == keys(&fault));
        let found = found.unwrap_or_else(|| panic!("{name}\n{}", list(&d)));
        assert_eq!(found.edits().first(), fault.first(), "{name}\n{}", list(&d));
        assert!(found.explains.ratio() > 0.9, "{name}\n{}", list(&d));
        // One cause alone may come near; then it stands first, as the simpler one.
        assert!(d.findings.first().is_some_and(|f| f == found || f.causes.len() == 1), "{name}\n{}", list(&d));
    }
}

/// Every sort of thing that goes wrong is among the candidates of a cluster, a rack system or a `PCIe` box.
#[test]
fn every_sort_of_cause_is_a_candidate() {
    use CauseKind as K;
    let kinds = |name: &str, edits: &[&str]| -> Vec<K> {
        causes::causes(&system(name, edits), &[Collective::AllToAll]).into_iter().map(|c| c.kind).collect()
    };
    let everywhere = [K::PeerToPeer, K::Acs, K::Forced, K::Pcie];
    let scale_up = [K::ScaleUpLinks, K::Fallback, K::Nvls];
    let network = [K::GpuDirect, K::Tcp, K::FewNics, K::Nic, K::SlowNode, K::AllNics, K::Oversubscribed, K::Pxn];
    for (name, edits, wanted) in [
        ("dgx-h100-superpod", &["set nodes = 4"][..], [&everywhere[..], &scale_up, &network].concat()),
        ("gb200-nvl72-ib", &["set racks = 2"][..], [&everywhere[..], &scale_up, &network].concat()),
        ("pcie-4090x4", &[][..], [&everywhere[..], &[K::SlowStaging, K::GpusPerProcess]].concat()),
    ] {
        let all = kinds(name, edits);
        for kind in wanted {
            assert!(all.contains(&kind), "{name}: {kind:?} is no candidate");
        }
    }
}

/// What the library says about its ways rules causes out: a slow NIC is not TCP where the log shows RDMA.
#[test]
fn the_librarys_own_words_decide_between_equal_curves() {
    let machine = system("h100-1nic-roce", &["set nodes = 2"]);
    let rows = of_id("moc-h100-2n4g-sr");
    let has = |d: &Diagnosis, kind| d.findings.iter().any(|f| f.tied && f.causes.iter().any(|c| c.kind == kind));
    let blind = diagnose(&machine, &rows).expect("an answer");
    assert!(has(&blind, CauseKind::Tcp) && has(&blind, CauseKind::AllNics), "{}", list(&blind));
    let ways = Ways { network: Some("IB".to_owned()), gdr: true, p2p: true, ..Ways::default() };
    let told = diagnose_knowing(&machine, &rows, &ways).expect("an answer");
    assert!(!has(&told, CauseKind::Tcp) && has(&told, CauseKind::AllNics), "{}", list(&told));
    assert!(told.findings.first().is_some_and(|f| f.explains.ratio() > 0.9), "{}", list(&told));
}

/// Published runs of machines that were not as they should be.
#[test]
fn real_degraded_machines() {
    let cases: &[(&str, &str, &[&str], CauseKind, &str)] = &[
        ("dgxa100-4gpu-nop2p-ar", "dgx-a100", &["set gpus = 4"], CauseKind::PeerToPeer, "set p2p = off"),
        ("a40-node-2gpu-nop2p-ar", "a40-bridged", &[], CauseKind::PeerToPeer, "set p2p = off"),
        ("aks-2n-ipoib-ar", "azure-ndv4", &["set nodes = 2"], CauseKind::Tcp, "set transport = tcp"),
        ("aws-p5-2n-degraded-ar", "aws-p5", &["set nodes = 2"], CauseKind::FewNics, "set nics = 4"),
    ];
    for (id, name, edits, kind, edit) in cases {
        let d = diagnose(&system(name, edits), &of_id(id)).unwrap_or_else(|e| panic!("{id}: {e}"));
        let best = d.findings.first().unwrap_or_else(|| panic!("{id}: nothing found"));
        let first = best.causes.first().expect("a cause");
        // Host staging is slow in two degrees.
        let staged = |k| if k == CauseKind::SlowStaging { CauseKind::PeerToPeer } else { k };
        assert_eq!(staged(first.kind), *kind, "{id}\n{}", list(&d));
        assert!(first.edits.contains(&edit.parse().expect("an edit")), "{id}\n{}", list(&d));
        assert_ne!(d.verdict, Verdict::Healthy, "{id}");
    }
}

/// The same machines, and others, where nothing was wrong.
#[test]
fn real_healthy_machines() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("dgxa100-4gpu-ar", "dgx-a100", &["set gpus = 4"]),
        ("a40-nvpair-2gpu-ar", "a40-bridged", &[]),
        ("aws-p5-2n-doeks-ar", "aws-p5", &["set nodes = 2"]),
        ("aks-2n-ib200-ar", "azure-ndv4", &["set nodes = 2"]),
        ("h100-dell-2n-ar", "dgx-h100-superpod", &["set nodes = 2"]),
        ("mi300x-1n-ar", "mi300x", &[]),
        ("cw-gb200-72-ar", "gb200-nvl72", &[]),
    ];
    for (id, name, edits) in cases {
        let d = diagnose(&system(name, edits), &of_id(id)).unwrap_or_else(|e| panic!("{id}: {e}"));
        assert_eq!(d.verdict, Verdict::Healthy, "{id}: {}\n{}", d.signature, list(&d));
    }
}

/// Of all published runs of machines that nobody called degraded, nearly all are called healthy.
#[test]
fn published_machines_are_rarely_called_sick() {
    let rows = table::read(table::PUBLISHED, table::PUBLISHED_NAME).expect("the published table");
    let mut ids: Vec<&str> = rows.iter().filter(|r| !r.is_degraded()).map(|r| r.id.as_str()).collect();
    ids.dedup();
    let mut sick = Vec::new();
    for id in &ids {
        let of: Vec<&table::TableRow> = rows.iter().filter(|r| r.id == *id && !r.is_degraded()).collect();
        let Some(first) = of.first() else { continue };
        let driven = format!("set gpus_per_process = {}", first.gpus_per_process);
        let edits: Vec<&str> = first.edits.iter().map(String::as_str).chain([driven.as_str()]).collect();
        let d = diagnose(&system(&first.system, &edits), &of_id(id)).unwrap_or_else(|e| panic!("{id}: {e}"));
        if d.verdict != Verdict::Healthy {
            sick.push(format!("{id}: {}", d.signature));
        }
    }
    assert!(ids.len() > 40 && sick.len() * 12 <= ids.len(), "{} of {}: {sick:#?}", sick.len(), ids.len());
}

/// Single figures from reports of the field, at large sizes: busbw in GB/s.
#[test]
fn cases_of_the_field() {
    let at = |gbytes: f64, ranks: u64| {
        let size = Bytes::from_gib(1.0);
        let factor = Collective::AllReduce.bus_factor(ranks);
        let time = (size / crate::units::Bandwidth::from_gbytes_per_s(gbytes)) * factor;
        vec![Observed {
            collective: Collective::AllReduce,
            size,
            time,
            algorithm: Some(Algorithm::Ring),
            protocol: None,
        }]
    };
    // One node of a pair at half rate: 49 where 88 to 93 are usual.
    let d = diagnose(&system("a100-4hdr", &["set nodes = 3"]), &at(48.0, 24)).expect("an answer");
    assert!(is_first(&d, &parse(&["degrade node0/nic* to 50%"])), "{}", list(&d));
    assert!(is_first(&d, &parse(&["set nics = 2"])), "the two cannot be told apart at one size\n{}", list(&d));
    // Two NICs' worth of eight.
    let d = diagnose(&system("dgx-h100-superpod", &["set nodes = 3"]), &at(95.0, 24)).expect("an answer");
    assert!(is_first(&d, &parse(&["set nics = 2"])), "{}", list(&d));
    // A box without its NVLinks' manager: traffic goes over PCIe.
    let d = diagnose(&system("dgx-h100", &[]), &at(370.0, 8)).expect("an answer");
    assert_eq!(d.verdict, Verdict::Healthy, "{}", list(&d));
}

#[test]
fn nothing_fits_is_said() {
    let machine = system("dgx-h100", &[]);
    let mut rows = sweep(&machine, &[], Collective::AllReduce, 3);
    for o in rows.iter_mut().filter(|o| Band::of(o.size) == Band::Middle) {
        o.time = o.time * 60.0;
    }
    let d = diagnose(&machine, &rows).expect("an answer");
    assert_eq!(d.verdict, Verdict::Unexplained, "{}", list(&d));
    assert_eq!(
        d.signature,
        "as expected up to 1 MiB; slow by a constant factor 60 from 1 MiB to 16 MiB; as expected above 16 MiB"
    );
}

#[test]
fn signatures_say_where_a_curve_differs() {
    let machine = system("dgx-h100-superpod", &["set nodes = 2"]);
    let says = |fault: &str| {
        let rows = sweep(&machine, &parse(&[fault]), Collective::AllReduce, 5);
        diagnose(&machine, &rows).expect("an answer").signature
    };
    let nics = says("set nics = 2");
    assert!(nics.starts_with("as expected up to ") && nics.contains("slow by a") && nics.contains("above 1"), "{nics}");
    let launch = says("set launch = 100us");
    assert!(
        launch.starts_with("slow by a constant 9")
            && launch.contains("us up to")
            && launch.contains("as expected above"),
        "{launch}"
    );
}

#[test]
fn wrong_rows_are_refused() {
    let machine = system("dgx-h100", &[]);
    assert!(diagnose(&machine, &[]).is_err());
    let zero = Observed { time: Time::ZERO, ..sweep(&machine, &[], Collective::AllReduce, 1).remove(0) };
    assert!(diagnose(&machine, &[zero]).is_err());
    let cut = system("dgx-h100-superpod", &["set nodes = 2", "off node0/nic*"]);
    let rows = sweep(&machine, &[], Collective::AllReduce, 1);
    assert!(diagnose(&cut, &rows).is_err_and(|e| e.contains("no answer")));
}
