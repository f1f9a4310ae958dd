//! hwloc XML.

use super::*;

#[test]
fn devices_with_their_os_devices_and_rates() {
    let i = plain("hwloc/two-a100.xml").unwrap();
    let l = links(&i);
    assert_eq!((i.kind, i.report.counts.gpus, i.report.counts.nics), (import::Kind::Hwloc, 2, 2));
    assert!(has(&l, "gpu0--gpu1 nvlink3 4"), "100 GB/s are four links: {l:#?}");
    assert!(has(&l, "pcisw0--gpu0 pcie4 16") && has(&l, "pcisw1--gpu1 pcie4 16"), "the idle one too: {l:#?}");
    assert!(has(&l, "pcisw1--nic1 pcie4 16") && has(&l, "cpu1--pcisw1 pcie4 16"), "{l:#?}");
    let n = notes(&i);
    for wanted in [
        "nic0 is mlx5_0",
        "mlx5_1 is another port",
        "eth0 is Ethernet without RDMA",
        "a NUMA node without CPUs",
        "as idle GPUs are",
        "links counted by their rate",
        "EPYC (Milan)",
    ] {
        assert!(n.contains(wanted), "{wanted}: {n}");
    }
}

#[test]
fn version_one_has_sockets_in_numa_nodes() {
    let i = plain("hwloc/old-sockets.xml").unwrap();
    let l = links(&i);
    assert!(has(&l, "cpu0--gpu0 pcie3 16") && has(&l, "cpu0--gpu1 pcie3 8"), "{l:#?}");
}

#[test]
fn files_without_devices_or_gpus_are_refused() {
    let e = plain("hwloc/refused-no-devices.xml").unwrap_err().to_string();
    assert!(e.contains("CPUs and memory only") && e.contains("lstopo"), "{e}");
    let e = plain("hwloc/refused-no-gpu.xml").unwrap_err().to_string();
    assert!(e.starts_with("3:1: no GPU among the 1 PCI devices"), "{e}");
}
