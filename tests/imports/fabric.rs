//! Fabric files: a node's file and one of these make a cluster.

use super::*;

fn cluster(node: &str, fabric: Option<&str>, nodes: Option<u32>) -> Result<Imported, ImportError> {
    let text = fabric.map(fixture);
    let gpu = node.starts_with("smi").then_some("h100-sxm");
    import::import(&fixture(node), &Options { gpu, fabric: text.as_deref(), nodes, name: Some("mine") }, &catalogue())
}

const NODE: &str = "nccl/four-h100-dump.xml";

#[test]
fn ibnetdiscover_gives_rails_leaves_and_oversubscription() {
    let i = cluster(NODE, Some("fabric/two-rails.ibnet.txt"), None).unwrap();
    let f = i.spec.fabric.as_ref().unwrap();
    assert_eq!((f.transport.as_str(), f.switch.as_str(), f.rails, f.leaf_nodes), ("infiniband", "qm9700", true, 4));
    // 4 x 50 GB/s down, 50 + 50 up on one leaf and 50 + 25 on the other: the median is the worse of the two.
    assert!((f.oversubscription - 2.667).abs() < 1e-9, "{}", f.oversubscription);
    assert_eq!((i.spec.units, i.spec.name.as_str()), (4, "mine"));
    assert_eq!(built(&i).ranks(), 16);
    let n = notes(&i);
    for wanted in [
        "fabric file, 4 hosts, 3 switches",
        "fabric file, 2 leaves with up to 4 hosts, 2 levels",
        "a cable at 25 GB/s beside one at 50 GB/s",
        "listed by one of its ends only",
        "aggregation node",
        "the node's file has 4 NICs, the fabric's file 2",
    ] {
        assert!(n.contains(wanted), "{wanted}: {n}");
    }
    assert_eq!(cluster(NODE, Some("fabric/two-rails.ibnet.txt"), Some(64)).unwrap().spec.units, 64);
}

#[test]
fn a_matrix_without_nics_takes_them_from_the_fabric() {
    let i = cluster("smi/markdown-gh200.txt", Some("fabric/two-rails.ibnet.txt"), Some(8)).unwrap();
    assert_eq!(i.report.counts.nics, 2);
    assert!(has(&links(&i), "cpu1--nic1 pcie5 16"), "{:#?}", links(&i));
    let e = cluster("smi/markdown-gh200.txt", Some("fabric/slurm.conf.txt"), Some(8)).unwrap_err().to_string();
    assert!(e.contains("shows no NIC"), "{e}");
}

#[test]
fn rates_of_the_fabric_are_those_of_the_nics() {
    // A matrix has no rates; 400 Gb/s would have been assumed.
    let i = cluster("smi/eight-with-switches.txt", Some("fabric/linkinfo-lines.txt"), None).unwrap();
    let s = built(&i);
    assert!((s.fabric.unwrap().port_rate.gbits_per_s() - 200.0).abs() < 1e-9);
    assert_eq!(i.spec.units, 2);
    assert_eq!(i.spec.fabric.unwrap().switch, "qm8700");
}

#[test]
fn link_info_in_blocks() {
    let i = cluster(NODE, Some("fabric/linkinfo.txt"), None).unwrap();
    assert_eq!((i.spec.units, i.spec.fabric.as_ref().unwrap().switch.as_str()), (2, "qm9700"));
    let n = notes(&i);
    assert!(n.contains("n2 mlx5_0: could be 4X") && n.contains("down: 1 port"), "{n}");
    assert!(n.contains("2 hosts, 1 switch, 2 cables"), "a cable seen from both ends is one: {n}");
}

#[test]
fn slurm_has_a_tree_and_no_rates() {
    let i = cluster(NODE, Some("fabric/slurm.conf.txt"), None).unwrap();
    let f = i.spec.fabric.as_ref().unwrap();
    assert_eq!((i.spec.units, f.leaf_nodes, f.rails), (7, 4, false));
    assert!(notes(&i).contains("no rates"), "{}", notes(&i));
    assert_eq!(cluster(NODE, Some("fabric/slurm-tree.yaml.txt"), None).unwrap().spec.units, 8);
    let e = cluster(NODE, Some("fabric/refused-both.yaml.txt"), None).unwrap_err().to_string();
    assert!(e.contains("both block and tree"), "{e}");
}

#[test]
fn ibsim_has_free_names_and_no_rates() {
    let i = cluster(NODE, Some("fabric/ibsim.txt"), None).unwrap();
    assert_eq!(i.spec.units, 2);
}

#[test]
fn a_number_of_nodes_alone_assumes_the_network_aloud() {
    let i = cluster(NODE, None, Some(64)).unwrap();
    assert_eq!(built(&i).ranks(), 256);
    assert!(i.report.assumed.iter().any(|n| n.text.contains("the network: infiniband")), "{}", notes(&i));
}

#[test]
fn a_fabric_file_alone_is_no_machine() {
    let e = plain("fabric/two-rails.ibnet.txt").unwrap_err();
    assert!(
        e.to_string().contains("between 4 hosts and no node")
            && e.flag.as_deref().is_some_and(|f| f.starts_with("--fabric"))
    );
    let e = cluster(NODE, Some(NODE), None).unwrap_err().to_string();
    assert!(e.contains("in the fabric file") && e.contains("describes a node"), "{e}");
}
