//! NCCL and RCCL topology XML.

use super::*;

#[test]
fn a_dump_is_read_whole() {
    let i = plain("nccl/four-h100-dump.xml").unwrap();
    let l = links(&i);
    assert_eq!((i.kind, i.report.counts.gpus, i.report.counts.nics), (import::Kind::NcclXml, 4, 4));
    // Shown switches take the links of the GPU that hides its own.
    for g in 0..4 {
        for (s, n) in [(0, 5), (1, 5), (2, 4), (3, 4)] {
            assert!(has(&l, &format!("gpu{g}--nvsw{s} nvlink4 {n}")), "gpu{g} nvsw{s}: {l:#?}");
        }
        // The bridge of one GPU alone is folded away; its switch stays.
        assert!(has(&l, &format!("pcisw{g}--gpu{g} pcie5 16")), "{l:#?}");
        assert!(has(&l, &format!("pcisw{g}--nic{g} pcie5 16")));
        assert!(has(&l, &format!("cpu{}--pcisw{g} pcie5 16", g / 2)));
    }
    assert!(l.iter().any(|l| l.starts_with("cpu0--cpu1 upi2")));
    let n = notes(&i);
    assert!(n.contains("gpu3 is 0000:42:00.0"), "{n}");
    assert!(n.contains("line 73: port mlx5_10 has no dev"), "{n}");
    assert_eq!(i.spec.services.as_ref().map(|s| s.title.as_str()), Some("mlx5_9"));
    assert!(i.spec.parts.is_none(), "every part is in the catalogue: {:?}", i.spec.parts);
}

#[test]
fn nvlink_of_a_skeleton_is_unknown_not_absent() {
    let i = plain("nccl/eight-a100-skeleton.xml").unwrap();
    let l = links(&i);
    let out: u32 = l
        .iter()
        .filter(|l| l.starts_with("gpu0--nvsw"))
        .map(|l| l.rsplit(' ').next().unwrap().parse::<u32>().unwrap())
        .sum();
    assert_eq!(out, 12, "{l:#?}");
    assert!(i.report.assumed.iter().any(|n| n.text.contains("says nothing about NVLink")), "{}", notes(&i));
    assert_eq!(i.report.counts.nics, 4);
    assert!(has(&l, "cpu0--cpu1 epyc-xgmi2 4"));
}

#[test]
fn what_a_skeleton_lacks_is_named_with_its_flag() {
    let e = plain("nccl/classes-only-skeleton.xml").unwrap_err();
    assert_eq!(e.flag.as_deref().map(|f| f.starts_with("--gpu ")), Some(true), "{e}");
    assert_eq!(e.line, Some(5));
    let i = with_gpu("nccl/classes-only-skeleton.xml", "a100").unwrap();
    assert!(notes(&i).contains("--gpu a100 is taken as a100-sxm"), "{}", notes(&i));
    let e = with_gpu("nccl/classes-only-skeleton.xml", "h999").unwrap_err().to_string();
    assert!(e.contains("unknown GPU \"h999\"") && e.contains("h200-sxm"), "{e}");
}

#[test]
fn oddities_of_virtual_machines() {
    let i = plain("nccl/vm-with-oddities.xml").unwrap();
    let l = links(&i);
    // gpu0 is the one with dev 0, the second in the file; its link is listed by the other side only.
    assert!(has(&l, "gpu0--gpu1 nvlink3-bridge 4"), "{l:#?}");
    assert!(has(&l, "cpu0--gpu0 pcie4 16") && has(&l, "cpu0--gpu1 pcie4 16"), "{l:#?}");
    let n = notes(&i);
    for wanted in [
        "line 6: a GPU lists a link to itself",
        "one of its two GPUs only",
        "PCIe speed unknown",
        "NUMA id unknown",
        "port eth0 has no speed: 10 Gb/s",
        "port eth1 has no dev",
        "unknown element \"gadget\"",
    ] {
        assert!(n.contains(wanted), "{wanted}: {n}");
    }
    assert_eq!((i.report.counts.gpus, i.report.counts.nics), (2, 1));
    let nic = built(&i).classes[0].shape.devices().iter().find(|d| d.is_nic()).map(|d| d.title().to_owned());
    assert_eq!(nic.as_deref(), Some("10 GbE"));
}

#[test]
fn amd_counts_compute_units_where_nvidia_has_capabilities() {
    let i = plain("nccl/mi300x-pair.xml").unwrap();
    assert!(has(&links(&i), "gpu0--gpu1 xgmi-mi300 1"));
    assert!(i.spec.title.contains("MI300X"), "{}", i.spec.title);
    // A GPU that no part is known for becomes a part of the file's own, with guesses marked.
    let own = i.spec.parts.expect("an own part").gpus;
    assert_eq!(own.len(), 1);
    assert!(own[0].name.contains("1002-7fff") && own[0].from.is_assumed() && own[0].arch == "cdna3", "{own:?}");
}

#[test]
fn hosts_that_share_switches_are_a_rack() {
    let i = plain("nccl/two-trays-of-a-rack.xml").unwrap();
    let s = built(&i);
    assert!(s.is_rack);
    assert_eq!((s.nodes_per_unit, s.ranks_per_unit(), i.report.counts.nodes_in_file), (2, 8, 2));
    let l = links(&i);
    assert!(has(&l, "node1/gpu3--nvsw17 nvlink5 1"), "{l:#?}");
    assert!(l.iter().any(|l| l.starts_with("node0/cpu1--node0/gpu2 c2c")), "{l:#?}");
    assert!(l.iter().any(|l| l.starts_with("node0/cpu0--node0/cpu1 grace-clink")), "{l:#?}");
}

#[test]
fn a_cut_dump_gives_what_is_there() {
    let i = plain("nccl/cut-in-a-log.xml").unwrap();
    assert_eq!(i.report.counts.gpus, 3);
    let n = notes(&i);
    assert!(n.contains("broken XML") || n.contains("open elements"), "{n}");
    assert_eq!(plain("nccl/escaped-html.xml").unwrap().spec.node, plain("nccl/four-h100-dump.xml").unwrap().spec.node);
}

#[test]
fn what_is_no_topology_is_refused_with_the_reason() {
    let e = plain("nccl/refused-graph.xml").unwrap_err().to_string();
    assert!(e.starts_with("1:1: ") && e.contains("graph file"), "{e}");
    let e = plain("nccl/refused-bus-ids-only.xml").unwrap_err();
    assert!(e.message.contains("2 devices carry a bus id and nothing else"), "{e}");
    assert_eq!(e.in_file("g5.xml").split(": ").next(), Some("g5.xml:3:1"));
}
