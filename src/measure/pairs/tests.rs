#![expect(clippy::unwrap_used, reason = "a failed comparison is the failure of the test")]

use super::*;
use crate::measure::matrix;
use crate::preset;
use std::fmt::Write as _;

/// What the test of the CUDA samples would print on a machine, each figure times a factor.
fn printed(system: &System, factor: impl Fn(u32, u32) -> f64) -> Matrices {
    let (_, class) = system.class_of(0).unwrap();
    let gpus = gpus_of(class, 0);
    let n = gpus.len() as u32;
    let mut out = "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D".to_owned();
    (0..n).for_each(|i| write!(out, " {i:>6}").unwrap());
    for (i, a) in (0_u32..).zip(&gpus) {
        write!(out, "\n  {i:>4}").unwrap();
        for (j, b) in (0_u32..).zip(&gpus) {
            let rate = copy_rate(system, class, *a, *b).map_or(1500.0, |r| r.gbytes_per_s() * factor(i, j));
            write!(out, " {rate:>6.1}").unwrap();
        }
    }
    matrix::read(&out, "p2p.txt").unwrap()
}

fn shipped(name: &str) -> System {
    preset::load_shipped(name).unwrap()
}

#[test]
fn predictions_are_those_of_copies() {
    // NVLink 4 x18: one copy gets about 88 % of 450 GB/s; PCIe 4 about 26 of 31.5.
    for (name, least, most) in
        [("dgx-h100", 380.0, 400.0), ("pcie-4090x4-switch", 24.0, 27.0), ("dgx-a100", 255.0, 285.0)]
    {
        let system = shipped(name);
        let (_, class) = system.class_of(0).unwrap();
        let gpus = gpus_of(class, 0);
        let rate = copy_rate(&system, class, *gpus.first().unwrap(), *gpus.get(1).unwrap()).unwrap().gbytes_per_s();
        assert!((least..most).contains(&rate), "{name}: {rate}");
    }
}

#[test]
fn a_machine_as_it_should_be_has_no_suspect() {
    for name in ["dgx-h100", "dgx-1", "mi300x", "pcie-4090x8", "pcie-a100x8-bridged"] {
        let system = shipped(name);
        let jitter = |i: u32, j: u32| 1.0 + 0.01 * f64::from((i * 7 + j * 3) % 5) - 0.02;
        let overlay = compare(&system, (0, 0), &printed(&system, jitter)).unwrap();
        assert_eq!(overlay.count(PairVerdict::Slow), 0, "{name}");
        assert!(suspects(&overlay).is_empty(), "{name}");
    }
}

#[test]
fn a_sick_gpu_a_sick_pair_and_a_sick_machine_are_told_apart() {
    let system = shipped("dgx-h100");
    let of = |factor: &dyn Fn(u32, u32) -> f64| suspects(&compare(&system, (0, 0), &printed(&system, factor)).unwrap());
    let gpu = of(&|i, j| if i == 3 || j == 3 { 0.5 } else { 1.0 });
    assert_eq!(gpu.len(), 1);
    assert!(gpu.iter().all(|s| s.what.starts_with("gpu3: ") && s.edit.as_deref() == Some("degrade node0/gpu3 to 50%")));
    let pair = of(&|i, j| if (i, j) == (1, 6) || (i, j) == (6, 1) { 0.7 } else { 1.0 });
    assert_eq!(pair.len(), 1);
    assert!(pair.iter().all(|s| s.what.starts_with("gpu1 and gpu6: ")), "{pair:?}");
    let all = of(&|_, _| 0.1);
    assert!(all.len() == 1 && all.iter().all(|s| s.what.starts_with("all pairs")), "{all:?}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let four = shipped("pcie-4090x4");
    let wide = printed(&shipped("dgx-h100"), |_, _| 1.0);
    assert!(compare(&four, (0, 0), &wide).is_err_and(|e| e.contains("GPU 7") && e.contains("has 4")));
    let text = "P2P=Enabled Bandwidth Matrix (GB/s)\n D\\D 0 4294967295\n 0 1 2\n 4294967295 2 1\n";
    let far = matrix::read(text, "x").unwrap();
    assert!(compare(&four, (0, 0), &far).is_err_and(|e| e.contains("GPU 4294967295")));
    let text = "P2P=Disabled Latency Matrix (us)\n GPU 0 1\n 0 1.0 2.0\n 1 2.0 1.0\n";
    let latency = matrix::read(text, "x").unwrap();
    assert!(compare(&four, (0, 0), &latency).is_err_and(|e| e.contains("no matrix of bandwidths")));
}
