//! `nvidia-smi topo -m`.

use super::*;

const GOOD: &str = "smi/eight-with-switches.txt";

#[test]
fn the_matrix_needs_the_gpus_name() {
    let e = plain(GOOD).unwrap_err();
    assert_eq!(e.line, Some(2));
    let text = e.to_string();
    assert!(text.contains("h100-sxm") && text.contains("--gpu "), "{text}");
}

#[test]
fn equal_links_between_all_are_switches() {
    let i = with_gpu(GOOD, "h100-sxm").unwrap();
    let l = links(&i);
    assert_eq!((i.report.counts.gpus, i.report.counts.nics), (8, 4));
    assert!(has(&l, "gpu7--nvsw0 nvlink4 5") && has(&l, "gpu7--nvsw3 nvlink4 4"), "{l:#?}");
    // PIX: two GPUs and a NIC under one switch.
    for wanted in ["pcisw3--gpu6 pcie5 16", "pcisw3--gpu7 pcie5 16", "pcisw3--nic3 pcie5 16", "cpu1--pcisw3 pcie5 16"] {
        assert!(has(&l, wanted), "{wanted}: {l:#?}");
    }
    let n = notes(&i);
    assert!(n.contains("nic0 is mlx5_2"), "the NIC legend names them: {n}");
    let e = with_gpu(GOOD, "a100-sxm-80").unwrap_err().to_string();
    assert!(e.contains("18 links on one GPU") && e.contains("has 12"), "{e}");
}

#[test]
fn glued_and_wrapped_cells_are_told_apart() {
    let a = with_gpu(GOOD, "h100-sxm").unwrap();
    let b = with_gpu("smi/glued-and-wrapped.txt", "h100-sxm").unwrap();
    assert_eq!(links(&a), links(&b));
    assert!(notes(&b).contains("hypervisor"), "{}", notes(&b));
}

#[test]
fn a_markdown_table_and_memory_numa_nodes() {
    let i = with_gpu("smi/markdown-gh200.txt", "gh200").unwrap();
    let l = links(&i);
    assert!(has(&l, "gpu0--gpu1 nvlink4 9"), "{l:#?}");
    assert!(has(&l, "cpu0--gpu0 c2c 1") && has(&l, "cpu1--gpu1 c2c 1"), "{l:#?}");
    let cpu = built(&i).classes[0].shape.devices().iter().find(|d| d.name == "cpu1").map(|d| d.numa);
    assert_eq!(cpu, Some(Some(1)), "the first NUMA id of the list");
}

#[test]
fn unequal_links_are_direct() {
    let i = with_gpu("smi/commented-cube-mesh.txt", "v100-sxm2").unwrap();
    let l = links(&i);
    assert_eq!(l.iter().filter(|l| l.contains("nvlink2")).count(), 16, "{l:#?}");
    assert!(has(&l, "gpu0--gpu4 nvlink2 2") && has(&l, "gpu3--gpu7 nvlink2 1"));
    assert!(has(&l, "cpu0--nic0 pcie3 16"), "the NIC is NODE to the first four: {l:#?}");
    assert!(i.report.assumed.iter().any(|n| n.text.contains("100 Gb/s")), "{}", notes(&i));
}

#[test]
fn missing_rows_come_from_the_columns() {
    let i = with_gpu("smi/cut-off.txt", "h100-sxm").unwrap();
    assert_eq!(i.report.counts.gpus, 8);
    assert!(has(&links(&i), "gpu7--nvsw0 nvlink4 5"), "{:#?}", links(&i));
    let n = notes(&i);
    assert!(n.contains("rows are missing") && n.contains("is cut after"), "{n}");
}

#[test]
fn a_peer_to_peer_matrix_is_refused() {
    let e = plain("smi/refused-p2p.txt").unwrap_err().to_string();
    assert!(e.starts_with("1:1: ") && e.contains("topo -p2p"), "{e}");
}

#[test]
fn a_virtual_machine_hides_its_host() {
    let i = with_gpu("smi/vm-all-sys.txt", "rtx-4090").unwrap();
    let l = links(&i);
    assert!(has(&l, "cpu0--nic0 pcie4 16") && has(&l, "cpu0--gpu1 pcie4 16"), "{l:#?}");
    assert!(notes(&i).contains("as in a virtual machine"), "{}", notes(&i));
}

#[test]
fn the_list_of_gpus_beside_the_matrix_names_them() {
    let i = plain("smi/named-beside.txt").unwrap();
    assert!(i.spec.title.contains("A100 SXM 80 GB"), "{}", i.spec.title);
    assert!(has(&links(&i), "gpu0--gpu1 nvlink3 12"));
}

#[test]
fn many_nics_under_one_switch_are_virtual_functions() {
    let i = with_gpu("smi/virtual-functions.txt", "h20").unwrap();
    assert_eq!(i.report.counts.nics, 2, "{:#?}", links(&i));
    assert!(notes(&i).contains("virtual functions"), "{}", notes(&i));
}
