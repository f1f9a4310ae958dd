//! Traps of fabric files and of files with several hosts, one by one, in small texts of their own.

use super::*;

/// A node of two H100 with two NICs, as a matrix; its GPUs are named by the test.
const NODE: &str = "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n\
    GPU0\t X \tNV18\tPIX\tSYS\t0-31\t0\nGPU1\tNV18\t X \tSYS\tPIX\t32-63\t1\n\
    NIC0\tPIX\tSYS\t X \tSYS\nNIC1\tSYS\tPIX\tSYS\t X\n";

fn cluster(fabric: &str) -> Result<Imported, ImportError> {
    let options = Options { gpu: Some("h100-sxm"), fabric: Some(fabric), ..Options::default() };
    import::import(NODE, &options, &catalogue())
}

fn read(fabric: &str) -> (Imported, String) {
    let i = cluster(fabric).unwrap_or_else(|e| panic!("{e}\n{fabric}"));
    let n = notes(&i);
    (i, n)
}

/// A switch of ibnetdiscover with its ports.
fn switch(guid: &str, name: &str, ports: &[&str]) -> String {
    format!(
        "switchguid=0x{guid}({guid})\nSwitch\t41 \"S-{guid}\"\t\t# \"{name}\" enhanced port 0 lid 1 lmc 0\n{}\n\n",
        ports.join("\n")
    )
}

#[test]
fn a_host_has_many_spellings() {
    let leaf = |n: u32| {
        switch(
            &format!("a{n}"),
            &format!("MF0;leaf{n}:MQM8700/U1"),
            &[
                &format!("[1]\t\"H-1{n}\"[1](1{n}) \t\t# \"n1 mlx5_{n}\" lid 1{n} 4xHDR"),
                // One-based, and InfiniBand devices alone are counted.
                &format!("[2]    \"H-2{n}\"[1](2{n})    # \"n2 HCA-{}\" lid 2{n} 4xHDR", n + 1),
                &format!("[3]\t\"H-3{n}\"[1](3{n}) \t\t# \"n3.cluster.local ibp{n}s0\" lid 3{n} 4xHDR"),
            ],
        )
    };
    let (i, n) =
        read(&format!("# Faked topology file\nibwarn: [123] something went wrong\n{}\n\n\n{}", leaf(0), leaf(1)));
    assert_eq!(i.spec.units, 3, "{n}");
    assert!(n.contains("3 hosts, 2 switches, 6 cables"), "{n}");
    assert!(i.spec.fabric.as_ref().unwrap().rails, "each port of a host goes to another leaf");
}

/// Adapters that have no host's name yet are one host where their system GUID is one.
#[test]
fn hosts_without_a_name_are_told_apart_by_their_system() {
    let ca = |guid: &str, system: &str, port: u32| {
        format!(
            "sysimgguid=0x{system}\ncaguid=0x{guid}\nCa\t1 \"H-{guid}\"\t\t# \"MT4129 ConnectX7   Mellanox Technologies\"\n[1]({guid}) \t\"S-a0\"[{port}]\t\t# lid {port} lmc 0 \"MF0;leaf:MQM9700/U1\" lid 1 4xNDR\n\n"
        )
    };
    let leaf = switch("a0", "MF0;leaf:MQM9700/U1", &[]);
    let (i, n) = read(&[leaf, ca("11", "50", 1), ca("12", "50", 2), ca("21", "60", 3), ca("22", "60", 4)].concat());
    assert_eq!(i.spec.units, 2, "{n}");
}

#[test]
fn old_speeds_extended_ports_and_routers() {
    let ports = [
        "[1][ext 1]\t\"H-10\"[1](10) \t\t# \"n1 mlx4_0\" lid 10 4xSDR",
        "[2]\t\"H-20\"[1](20) \t\t# \"n2 mlx4_0\" lid 11 4x SDR",
        "[3]\t\"H-30\"[1](30) \t\t# \"n3 mlx4_0\" lid 12 ??",
        "[4]\t\"R-40\"[1](40) \t\t# \"router\" lid 13 4xSDR",
    ];
    let router =
        "rtguid=0x40\nRt\t1 \"R-40\"\t\t# \"router\"\n[1](40) \t\"S-a0\"[4]\t\t# lid 13 lmc 0 \"old\" lid 1 4xSDR\n";
    let (i, n) = read(&[switch("a0", "old switch; with: odd/name", &ports), router.to_owned()].concat());
    assert_eq!(i.spec.units, 3, "a router is no host\n{n}");
}

/// Line and spine cards of a director are its chips, not switches that hosts choose between.
#[test]
fn a_director_is_one_box() {
    let first = switch(
        "c1",
        "MF0;director:MCS8500/L01/U1",
        &[
            "[1]\t\"H-10\"[1](10) \t\t# \"n1 mlx5_0\" lid 10 4xHDR",
            "[33]\t\"S-d1\"[1]\t\t# \"MF0;director:MCS8500/S01/U1\" lid 3 4xHDR",
        ],
    );
    let second = switch(
        "c2",
        "MF0;director:MCS8500/L02/U1",
        &[
            "[1]\t\"H-20\"[1](20) \t\t# \"n2 mlx5_0\" lid 11 4xHDR",
            "[33]\t\"S-d1\"[2]\t\t# \"MF0;director:MCS8500/S01/U1\" lid 3 4xHDR",
        ],
    );
    let spine = switch("d1", "MF0;director:MCS8500/S01/U1", &[]);
    let (i, n) = read(&[first, second, spine].concat());
    assert_eq!(i.spec.units, 2, "{n}");
    assert!(n.contains("2 hosts"), "{n}");
}

#[test]
fn a_fabric_file_without_a_network_is_refused() {
    let e = cluster("caguid=0x10\nCa\t1 \"H-10\"\t\t# \"n1 mlx5_0\"\n").unwrap_err();
    assert!(e.of_fabric && e.to_string().contains("in the fabric file"), "{e}");
    let e = cluster("hello\nworld\n").unwrap_err();
    assert!(e.of_fabric && e.expected == "ibnetdiscover, iblinkinfo or Slurm's topology.conf", "{e}");
    let e = cluster(NODE).unwrap_err().to_string();
    assert!(e.contains("which describes a node"), "{e}");
}

#[test]
fn link_info_states_names_and_joins() {
    let text = "CA: n1 mlx5_0:\n      0x0000000000000010     10    1[  ] ==( 4X      53.125 Gbps Active/  LinkUp)==>       1    1[  ] \"MF0;leaf:with:colons:MQM8700/U1\" ( )\n\
        Switch: 0x00000000000000a0 MF0;leaf:with:colons:MQM8700/U1:\n\
        \u{20}          1    1[  ] ==( 4X      53.125 Gbps Active/  LinkUp)==>      10    1[  ] \"n1 mlx5_0\" ( )\n\
        \u{20}          1    2[  ] ==( 4X     14.0625 Gbps (FDR10) Active/ LinkUp)==>      11    1[  ] \"n2 mlx5_0\" ( Could be 53.125 Gbps)\n\
        \u{20}          1    3[  ] ==(                Down/Disabled)==>             [  ] \"\" ( )\n\
        \u{20}          1    4[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n\
        \u{20}          1    5[  ] ==( 4X      53.125 Gbps   Init/ LinkUp)==>      12    1[  ] \"n3 mlx5_0\" ( )\n";
    let (i, n) = read(text);
    assert!(n.contains("down: 2 ports") && n.to_lowercase().contains("could be"), "{n}");
    assert!(n.contains("1 switch, "), "both ends of a cable and a name with colons are one switch\n{n}");
    assert!((2..=3).contains(&i.spec.units), "{n}");
}

#[test]
fn slurm_names_in_every_spelling() {
    let text = "switchname=core Switches=leaf[1-2]   # named before they are\n\
        SwitchName=leaf1 Nodes=n[01-02,05],m[0-1]x[1-2] \\\n    LinkSpeed=100\n\
        SWITCHNAME=leaf2 NODES=n06,x[1-2]y\n# switch.1.1=leaf-1-1\n";
    let (i, n) = read(text);
    // leaf1: n01 n02 n05 and the four of m[0-1]x[1-2]; leaf2: n06 x1y x2y.
    assert_eq!(i.spec.units, 10, "{n}");
    assert_eq!(i.spec.fabric.as_ref().unwrap().leaf_nodes, 7, "{n}");
}

/// A list that names more nodes than there are atoms ends soon, and is said.
#[test]
fn slurm_lists_are_bounded() {
    let start = std::time::Instant::now();
    for list in ["n[0-4294967295]", "a[0-9999]b[0-9999]c[0-9999]", "n[1-", "n[5-1]", "n[]"] {
        let _outcome = cluster(&format!("SwitchName=s Nodes={list}\n")).map_err(|e| e.to_string());
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(20));
}

/// Hosts of a fused dump have equal bus ids and NUMA numbers: host and id together are the key.
#[test]
fn equal_bus_ids_on_two_hosts_are_two_devices() {
    let host = |hash: &str| {
        let gpu = |bus: &str, dev: u32| {
            format!(
                "<pci busid=\"{bus}\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2941\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"{dev}\" sm=\"100\" rank=\"{dev}\" gdr=\"1\"><nvlink target=\"fffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/></gpu></pci>"
            )
        };
        format!(
            "<cpu host_hash=\"{hash}\" numaid=\"0\" affinity=\"ffff\" arch=\"arm64\">{}{}</cpu>",
            gpu("0008:01:00.0", 0),
            gpu("0009:01:00.0", 1)
        )
    };
    let text = format!("<system version=\"1\">{}{}</system>", host("0x1"), host("0x2"));
    let i = import::import(&text, &Options { gpu: Some("gb200"), ..Options::default() }, &catalogue()).unwrap();
    let s = built(&i);
    assert!(s.is_rack && s.nodes_per_unit == 2, "{}", notes(&i));
    assert_eq!((i.report.counts.gpus, s.ranks()), (4, 4), "{}", notes(&i));
}
