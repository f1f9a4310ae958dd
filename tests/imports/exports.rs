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
