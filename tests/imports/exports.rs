//! What is exported comes back as the same system.

use icx_tui::{export, preset};

use super::*;

/// Devices and links of the first unit, in an order of their own, NICs' cables left out. Own parts and link kinds are
/// compared by name.
fn inventory(s: &System) -> Vec<String> {
    let shape = &s.classes.first().unwrap().shape;
    let mut all: Vec<String> = shape
        .devices()
        .iter()
        .filter(|d| d.path != "fabric")
        .map(|d| format!("{} {} numa {:?}", d.path, d.title(), d.numa))
        .collect();
    let cable = |a: &str, b: &str| a == "fabric" || b == "fabric";
    for l in shape.links() {
        let name = |d| shape.device(d).unwrap().path.clone();
        let (a, b) = (name(l.a).min(name(l.b)), name(l.a).max(name(l.b)));
        if !cable(&a, &b) {
            all.push(format!("{a}--{b} {} {}x{}", l.kind.name, l.count, l.lanes));
        }
    }
    all.sort();
    all
}

/// GPUs in rank order: the order is part of the machine.
fn ranks(s: &System) -> Vec<String> {
    let shape = &s.classes.first().unwrap().shape;
    shape.gpus().iter().map(|g| shape.device(*g).unwrap().path.clone()).collect()
}

#[test]
fn our_nccl_xml_comes_back_as_the_same_node() {
    for shipped in preset::shipped() {
        let system = preset::load_shipped(shipped.name).unwrap();
        let xml = export::nccl_xml(&system);
        let back = import::import(&xml, &Options::default(), preset::catalogue())
            .unwrap_or_else(|e| panic!("{}: {e}\n{xml}", shipped.name));
        let again = system::build(&back.spec, preset::catalogue()).unwrap();
        assert_eq!(inventory(&system), inventory(&again), "{}\n{xml}", shipped.name);
        assert_eq!(ranks(&system), ranks(&again), "{}", shipped.name);
        assert_eq!(again.name, system.name);
        assert_eq!((again.is_rack, again.nodes_per_unit), (system.is_rack, system.nodes_per_unit), "{}", shipped.name);
    }
}

#[test]
fn the_written_form_comes_back_as_the_same_system() {
    for shipped in preset::shipped() {
        let system = preset::load_shipped(shipped.name).unwrap();
        let ron = preset::spec_to_ron(&export::spec(&system, preset::catalogue()));
        let again = preset::parse(&ron, "again.ron", preset::catalogue()).unwrap_or_else(|e| panic!("{e}\n{ron}"));
        assert_eq!(inventory(&system), inventory(&again), "{}\n{ron}", shipped.name);
        assert_eq!((ranks(&system), system.units), (ranks(&again), again.units));
        assert_eq!(system.software, again.software);
        let rules = |s: &System| {
            s.fabric
                .as_ref()
                .map(|f| (f.transport.name.clone(), f.switch.name.clone(), f.rails, f.leaf_nodes, f.nics_per_node))
        };
        assert_eq!(rules(&system), rules(&again));
    }
}

/// A machine with edits: NCCL's XML leaves out what is down and says what runs slow; the written form has both as faults.
#[test]
fn an_edited_machine_is_carried_on() {
    let mut system = preset::load_shipped("dgx-h100").unwrap();
    system.units = 1;
    let class = system.classes.first_mut().unwrap();
    let shape = Arc::clone(&class.shape);
    let find = |name: &str| shape.find(name).unwrap();
    let mut health = system::Health::default();
    health.set_device(find("gpu7"), false);
    health.set_device(find("nic2"), false);
    let bundle = shape.between(find("gpu0"), find("nvsw1")).unwrap();
    let whole = shape.link(bundle).unwrap().count;
    health.set_link(&shape, bundle, Some(0), false);
    health.degrade_link(
        &shape,
        shape.between(find("gpu1"), find("nvsw1")).unwrap(),
        None,
        system::Cut::Share(icx_tui::units::Share::new(0.5)),
    );
    class.health = Arc::new(health);
    let xml = export::nccl_xml(&system);
    let back = import::import(&xml, &Options::default(), preset::catalogue()).unwrap();
    assert_eq!((back.report.counts.gpus, back.report.counts.nics), (7, shape.nics().len() as u32 - 1));
    let l = links(&back);
    assert!(has(&l, &format!("gpu0--nvsw1 nvlink4 {}", whole - 1)), "{l:#?}");
    assert!(xml.contains("<!-- 1 link bundles run below their rate"), "{}", xml.lines().next().unwrap());
    let spec = export::spec(&system, preset::catalogue());
    let faults: Vec<String> = spec.faults.iter().map(|f| format!("{} {}", f.at, f.left)).collect();
    let wanted = ["node0/nic2 0%", "node0/gpu7 0%", "node0/gpu0--nvsw1#0 0%", "node0/gpu1--nvsw1 50%"];
    assert!(faults.len() == 4 && wanted.iter().all(|w| faults.iter().any(|f| f == w)), "{faults:?}");
    let again = preset::parse(&preset::spec_to_ron(&spec), "again.ron", preset::catalogue()).unwrap();
    assert_eq!((again.ranks(), &again.classes[0].health), (7, &system.classes[0].health));
}

#[test]
fn own_parts_are_written_along() {
    let i = plain("nccl/mi300x-pair.xml").unwrap();
    let ron = preset::spec_to_ron(&export::spec(&built(&i), preset::catalogue()));
    let again = preset::parse(&ron, "own.ron", preset::catalogue()).unwrap();
    assert_eq!(inventory(&built(&i)), inventory(&again));
    // And an import written to a file is a file that a person can read.
    let ron = preset::spec_to_ron(&i.spec);
    assert!(ron.contains("gpu[0-1]") || ron.contains("gpu0"), "{ron}");
    preset::parse(&ron, "import.ron", preset::catalogue()).unwrap();
}

#[test]
fn dot_has_every_device_and_link() {
    let system = preset::load_shipped("dgx-h100").unwrap();
    let text = export::dot(&system);
    let shape = &system.classes.first().unwrap().shape;
    assert_eq!(text.matches(" -- ").count(), shape.links().len());
    for d in shape.devices() {
        assert!(text.contains(&format!("\"{}\" [label=", d.path)), "{}", d.path);
    }
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}

#[test]
fn astra_sim_gets_a_dimension_per_tier() {
    let one = |name: &str| {
        let text = export::astra_yaml(&preset::load_shipped(name).unwrap());
        text.lines().filter(|l| !l.starts_with('#')).take(2).collect::<Vec<_>>().join(" ")
    };
    let system = preset::load_shipped("dgx-h100").unwrap();
    let wanted = if system.units > 1 {
        format!("topology: [ Switch, Switch ] npus_count: [ 8, {} ]", system.units)
    } else {
        "topology: [ Switch ] npus_count: [ 8 ]".to_owned()
    };
    assert_eq!(one("dgx-h100"), wanted);
    assert!(one("mi300x").starts_with("topology: [ FullyConnected"), "{}", one("mi300x"));
    assert!(one("dgx-1").starts_with("topology: [ Ring"), "{}", one("dgx-1"));
    for shipped in preset::shipped() {
        let text = export::astra_yaml(&preset::load_shipped(shipped.name).unwrap());
        let rates = text.lines().find_map(|l| l.strip_prefix("bandwidth: [ ")).unwrap();
        let rates = rates.split(" ]").next().unwrap();
        assert!(
            !rates.is_empty() && rates.split(", ").all(|r| r.parse::<f64>().unwrap() > 0.0),
            "{}: {text}",
            shipped.name
        );
    }
}

#[test]
fn json_says_all_classes_and_links() {
    let system = preset::load_shipped("gb200-nvl72").unwrap();
    let v = export::json(&system);
    assert_eq!(v["classes"][0]["links"].as_array().unwrap().len(), system.classes[0].shape.links().len());
    assert_eq!(v["ranks"].as_u64(), Some(system.ranks()));
}
