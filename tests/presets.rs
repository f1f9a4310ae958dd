//! The shipped catalogue and systems: every file is read, built and counted.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use icx_tui::cost::estimate;
use icx_tui::parts::{Catalogue, CatalogueFile, Family, Figure, LinkKind, Mover, Origin};
use icx_tui::question::{Collective, Question};
use icx_tui::system::{DeviceIx, Shape, System, SystemSpec, Tier, build};
use icx_tui::units::{Bytes, Share};
use ron::extensions::Extensions;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("presets")
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap();
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(&text).unwrap_or_else(|e| panic!("{}:{e}", path.display()))
}

fn catalogue_file() -> CatalogueFile {
    read(&folder().join("parts.ron"))
}

fn catalogue() -> Arc<Catalogue> {
    Arc::new(Catalogue::from_file(catalogue_file()).unwrap_or_else(|e| panic!("{e}")))
}

/// Every shipped system by the name of its file.
fn systems() -> BTreeMap<String, (SystemSpec, System)> {
    let c = catalogue();
    let files = fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path());
    let stem = |p: &Path| p.file_stem().unwrap().to_string_lossy().into_owned();
    files
        .filter(|p| p.extension().is_some_and(|x| x == "ron") && stem(p) != "parts")
        .map(|p| {
            let spec: SystemSpec = read(&p);
            let system = build(&spec, &c).unwrap_or_else(|e| panic!("{}: {e} at {:?}", p.display(), e.path));
            (stem(&p), (spec, system))
        })
        .collect()
}

fn shape(s: &System) -> &Shape {
    &s.classes.first().unwrap().shape
}

/// Links of a family at a device: how many, and their line rate summed in GB/s.
fn links_at(shape: &Shape, d: DeviceIx, family: Family) -> (u32, f64) {
    let links = shape.around(d).iter().filter_map(|(l, _)| shape.link(*l)).filter(|l| l.kind.family == family);
    links.fold((0, 0.0), |(n, r), l| (n + l.count, r + l.line_rate().gbytes_per_s()))
}

fn has_text(what: &str, origin: &Origin) {
    assert!(origin.text().len() > 4, "{what} says nothing about its origin");
}

fn sound<T: Copy>(what: &str, figure: &Figure<T>) {
    has_text(what, &figure.from);
}

fn sound_share(what: &str, figure: &Figure<Share>) {
    sound(what, figure);
    assert!((0.0..=1.0).contains(&figure.is.ratio()), "{what} exceeds its line rate");
}

fn sound_link(l: &LinkKind) {
    sound(&l.name, &l.line);
    sound(&l.name, &l.latency);
    for figure in [Some(&l.usable), l.copy.as_ref(), l.staged.as_ref()].into_iter().flatten() {
        sound_share(&l.name, figure);
    }
    for steps in [&l.steps, &l.staged_steps].into_iter().flatten() {
        has_text(&l.name, &steps.from);
        assert!(steps.ll.us() > 0.0 && steps.ll < steps.simple, "{}: ll is the protocol of low latency", l.name);
    }
}

#[test]
fn every_figure_of_the_catalogue_has_an_origin_and_stays_below_the_wire() {
    let file = catalogue_file();
    file.links.iter().for_each(sound_link);
    for a in &file.archs {
        sound(&a.name, &a.ll_channel);
        sound(&a.name, &a.ll128_channel);
        has_text(&a.name, &a.from);
    }
    for g in &file.gpus {
        sound(&g.name, &g.memory_rate);
        has_text(&g.name, &g.from);
    }
    for n in &file.nics {
        sound(&n.name, &n.rate);
        sound(&n.name, &n.latency);
    }
    for s in &file.switches {
        sound(&s.name, &s.latency);
        for share in s.reduction.iter().flat_map(|r| [&r.small, &r.large]) {
            sound_share(&s.name, share);
        }
    }
    for c in &file.cpus {
        sound(&c.name, &c.memory_rate);
        sound(&c.name, &c.latency);
    }
    for t in &file.transports {
        sound_share(&t.name, &t.usable);
        sound_share(&t.name, &t.without_gdr);
        sound(&t.name, &t.step);
    }
}

#[test]
fn names_that_an_import_may_meet_stand_for_one_part_only() {
    let file = catalogue_file();
    let mut seen = BTreeMap::new();
    let gpus = file.gpus.iter().flat_map(|g| g.aliases.iter().map(move |a| (a, &g.name)));
    let nics = file.nics.iter().flat_map(|n| n.aliases.iter().map(move |a| (a, &n.name)));
    for (alias, part) in gpus.chain(nics) {
        if let Some(other) = seen.insert(alias.to_lowercase(), part) {
            panic!("{alias} is {other} and {part}");
        }
    }
}

#[test]
fn peers_and_host_copies_differ_where_they_differ_in_life() {
    let c = catalogue();
    let pcie = c.link("pcie4").unwrap();
    let peer = pcie.line.is * 16.0 * pcie.share(Mover::Peer).is;
    let host = pcie.line.is * 16.0 * pcie.share(Mover::Host).is;
    assert!((25.0..27.0).contains(&peer.gbytes_per_s()) && (13.0..15.0).contains(&host.gbytes_per_s()));
    // Between sockets it is the other way round: the CPUs carry their own copies better than peer traffic.
    let socket = c.link("epyc-xgmi2").unwrap();
    assert!(socket.share(Mover::Host).is > socket.share(Mover::Peer).is);
}

#[test]
fn generations_are_found_by_number() {
    let c = catalogue();
    for (family, generation, name) in [
        (Family::Pcie, 3, "pcie3"),
        (Family::Pcie, 6, "pcie6"),
        (Family::Nvlink, 1, "nvlink1"),
        (Family::Nvlink, 3, "nvlink3"),
        (Family::Nvlink, 5, "nvlink5"),
    ] {
        assert_eq!(c.generation(family, generation).map(|l| l.name.as_str()), Some(name));
    }
    assert!(c.generation(Family::Nvlink, 0).is_none());
}

#[test]
fn every_system_is_named_like_its_file_and_says_where_it_comes_from() {
    for (stem, (spec, _)) in systems() {
        assert_eq!(spec.name, stem);
        assert!(!spec.about.contains('\n') && !spec.about.contains("  "), "{stem}: {:?}", spec.about);
        assert!(spec.title.len() > 8 && spec.about.len() > 60 && !spec.sources.is_empty(), "{stem}");
        assert!(spec.fabric.iter().all(|f| !f.source.is_empty()), "{stem}");
    }
}

#[test]
fn every_system_shows_its_tiers() {
    for (stem, (_, system)) in systems() {
        let tiers = system.tiers();
        let has = |t| tiers.iter().any(|r| r.tier == t);
        assert!(has(Tier::OnChip) && has(Tier::Services), "{stem}");
        let inside = has(Tier::ScaleUp) || has(Tier::Host) || shape(&system).gpus().len() == 1;
        assert!(inside, "{stem}");
        assert_eq!(has(Tier::ScaleOut), system.fabric.is_some(), "{stem}");
        assert!(tiers.iter().all(|r| r.usable <= r.line && r.line.gbytes_per_s() > 0.0), "{stem}: {tiers:?}");
    }
}

#[test]
fn the_systems_that_people_ask_for_are_there_with_their_counts() {
    let all = systems();
    // name, GPUs in a unit, units, scale-up links of a GPU, their line rate in GB/s per direction, NICs in a unit
    for (name, gpus, units, links, rate, nics) in [
        ("pcie-v100x4", 4, 1, 0, 0.0, 0),
        ("pcie-4090x8", 8, 1, 0, 0.0, 0),
        ("pcie-l40s-x4", 4, 1, 0, 0.0, 2),
        ("pcie-a100x8-bridged", 8, 1, 12, 300.0, 0),
        ("dgx-1", 8, 1, 6, 150.0, 4),
        ("mi300x", 8, 1, 7, 448.0, 8),
        ("dgx-2", 16, 1, 6, 150.0, 8),
        ("dgx-a100", 8, 1, 12, 300.0, 8),
        ("dgx-h100", 8, 1, 18, 450.0, 8),
        ("hgx-h200", 8, 1, 18, 450.0, 8),
        ("dgx-b200", 8, 1, 18, 900.0, 8),
        ("gb200-nvl72", 72, 1, 18, 900.0, 72),
        ("gb300-nvl72", 72, 1, 18, 900.0, 72),
        ("dgx-a100-hdr", 8, 2, 12, 300.0, 8),
        ("dgx-h100-superpod", 8, 128, 18, 450.0, 8),
        ("dgx-b200-ndr", 8, 64, 18, 900.0, 8),
        ("gb200-nvl72-ib", 72, 8, 18, 900.0, 72),
        ("h100-roce-2to1", 8, 64, 18, 450.0, 8),
        ("aws-p4d", 8, 2, 12, 300.0, 4),
        ("aws-p5", 8, 2, 18, 450.0, 32),
        ("aws-p5en", 8, 16, 18, 450.0, 16),
        ("tcp-25g", 1, 2, 0, 0.0, 1),
        ("gh200-slingshot", 4, 2, 18, 450.0, 4),
    ] {
        let (_, system) = all.get(name).unwrap_or_else(|| panic!("no {name}"));
        let shape = shape(system);
        assert_eq!((shape.gpus().len(), system.units), (gpus, units), "{name}");
        for gpu in shape.gpus() {
            let (n, r) = links_at(shape, *gpu, Family::Nvlink);
            let (nx, rx) = links_at(shape, *gpu, Family::Xgmi);
            assert_eq!(n + nx, links, "{name}: links of a GPU");
            assert!((r + rx - rate).abs() < 1e-6, "{name}: {} GB/s per GPU", r + rx);
        }
        assert_eq!(shape.devices().iter().filter(|d| d.is_nic()).count(), nics, "{name}: NICs");
    }
}

#[test]
fn every_gpu_reaches_a_cpu_over_pcie_or_c2c() {
    for (stem, (_, system)) in systems() {
        let shape = shape(&system);
        for gpu in shape.gpus() {
            let host = links_at(shape, *gpu, Family::Pcie).0 + links_at(shape, *gpu, Family::C2c).0;
            assert!(host > 0, "{stem}: a GPU that its CPU cannot drive");
        }
    }
}

#[test]
fn no_shipped_switch_of_a_fabric_has_more_ports_in_use_than_it_has() {
    for (stem, (_, system)) in systems() {
        let Some(mut f) = system.fabric.clone() else { continue };
        // Also when it grows beyond one leaf.
        f.nodes = f.nodes.max(u64::from(f.leaf_nodes) * 2);
        for level in f.levels() {
            assert!(level.down + level.up <= f.switch.ports, "{stem}: {level:?} of {} ports", f.switch.ports);
        }
    }
}

#[test]
fn a_superpod_has_the_switches_that_its_vendor_prints() {
    let all = systems();
    let counts = |name: &str| {
        let f = all.get(name).unwrap().1.fabric.clone().unwrap();
        f.levels().iter().map(|l| l.count).collect::<Vec<_>>()
    };
    assert_eq!(counts("dgx-h100-superpod"), [32, 16]);
    assert_eq!(counts("dgx-b200-ndr"), [16, 8]);
}

#[test]
fn every_system_answers_the_collectives_that_need_every_way() {
    for (stem, (_, system)) in systems() {
        for collective in [Collective::AllReduce, Collective::AllToAll] {
            let answer = estimate(&system, &Question::new(collective, Bytes::from_gib(1.0)));
            let Some(e) = answer.estimate() else { panic!("{stem}: {collective}: {answer:?}") };
            assert_eq!(e.ranks, system.ranks(), "{stem}");
            assert!(e.busbw().gbytes_per_s() > 0.5 && e.busbw().gbytes_per_s() < 2000.0, "{stem}: {}", e.busbw());
        }
    }
}
