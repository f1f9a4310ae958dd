//! `rocm-smi --showtopo` and `amd-smi topology`.

use super::*;

#[test]
fn tables_of_amd_smi() {
    let e = plain("amd/amd-smi-tables.txt").unwrap_err();
    assert_eq!(e.flag.as_deref(), Some("--gpu mi300x"));
    let i = with_gpu("amd/amd-smi-tables.txt", "mi300x").unwrap();
    let l = links(&i);
    assert_eq!((i.kind, i.report.counts.gpus), (import::Kind::AmdSmi, 4));
    assert!(has(&l, "gpu0--gpu1 xgmi-mi300 4"), "all links over one link: {l:#?}");
    assert!(has(&l, "gpu2--gpu3 xgmi-mi300 1") && !l.iter().any(|l| l.starts_with("gpu0--gpu3")), "{l:#?}");
    assert!(notes(&i).contains("gpu1 is 0000:22:00.0"));
}

#[test]
fn json_of_amd_smi_old_new_and_from_documentation() {
    let i = with_gpu("amd/amd-smi-new.json.txt", "mi300x").unwrap();
    assert!(has(&links(&i), "gpu0--gpu1 xgmi-mi300 2"), "{:#?}", links(&i));
    let l = links(&with_gpu("amd/amd-smi-old.json.txt", "mi300x").unwrap());
    assert!(has(&l, "gpu1--gpu2 xgmi-mi300 1") && !l.iter().any(|l| l.starts_with("gpu0--gpu2")), "{l:#?}");
    let e = import::import(
        "[\n{\"gpu\": 0, \"links\": [ }\n",
        &Options { gpu: Some("mi300x"), ..Options::default() },
        &catalogue(),
    );
    assert!(e.is_err());
}

#[test]
fn rocm_smi_with_wrong_titles_errors_and_too_few_labels() {
    let i = plain("amd/rocm-smi.txt").unwrap();
    let l = links(&i);
    assert!(i.spec.title.contains("MI300X"), "named by its card series: {}", i.spec.title);
    assert_eq!(l.iter().filter(|l| l.contains("xgmi-mi300")).count(), 4, "{l:#?}");
    assert!(has(&l, "cpu1--gpu3 pcie5 16"), "{l:#?}");
    let n = notes(&i);
    assert!(
        n.contains("XXXX") && n.contains("reports an error") && n.contains("4 cells in a row under 3 labels"),
        "{n}"
    );
}

#[test]
fn numa_nodes_alone_leave_the_links_unknown() {
    let i = with_gpu("amd/rocm-smi-numa-only.txt", "mi300x").unwrap();
    assert_eq!(links(&i).iter().filter(|l| l.contains("xgmi-mi300")).count(), 28);
    assert!(notes(&i).contains("does not mean that there are none"), "{}", notes(&i));
}
