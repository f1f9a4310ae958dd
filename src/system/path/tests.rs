//! Paths and classes of nearness on small machines.
#![expect(clippy::unwrap_used, reason = "a device that is not there fails the test")]

use super::super::fixture::{Machine, bridged_pairs, switched_node};
use super::super::{DeviceIx, Health, Nearness, Shape, System};

fn shape(s: &System) -> &Shape {
    &s.classes.first().unwrap().shape
}

/// The devices along a path, by name.
fn walk(shape: &Shape, from: &str, to: &str, health: &Health) -> String {
    let (mut here, to) = (shape.find(from).unwrap(), shape.find(to).unwrap());
    let Some(path) = shape.path(here, to, health) else { return "none".to_owned() };
    let mut names = vec![from.to_owned()];
    for (l, forward) in path {
        let link = shape.link(l).unwrap();
        assert_eq!(if forward { link.a } else { link.b }, here, "the direction must fit");
        here = link.other(here);
        names.push(shape.device(here).unwrap().name.clone());
    }
    assert_eq!(here, to);
    names.join(" ")
}

fn near(shape: &Shape, a: &str, b: &str, health: &Health) -> String {
    shape.nearness(shape.find(a).unwrap(), shape.find(b).unwrap(), health).name()
}

#[test]
fn scale_up_links_are_preferred_and_pcie_takes_over_when_they_are_gone() {
    let system = bridged_pairs();
    let (s, mut health) = (shape(&system), Health::default());
    assert_eq!(walk(s, "gpu0", "gpu1", &health), "gpu0 gpu1");
    assert_eq!(near(s, "gpu0", "gpu1", &health), "NV12");
    let bridge = s.between(s.find("gpu0").unwrap(), s.find("gpu1").unwrap()).unwrap();
    health.set_link(s, bridge, Some(3), false);
    assert_eq!(near(s, "gpu0", "gpu1", &health), "NV11");
    health.set_link(s, bridge, None, false);
    assert_eq!(walk(s, "gpu0", "gpu1", &health), "gpu0 psw0 gpu1");
    assert_eq!(near(s, "gpu0", "gpu1", &health), "PIX");
}

#[test]
fn each_class_of_nearness_is_told_apart() {
    let system = bridged_pairs();
    let (s, health) = (shape(&system), Health::default());
    assert_eq!(walk(s, "gpu0", "gpu2", &health), "gpu0 psw0 cpu0 psw1 gpu2");
    let pairs = [("gpu0", "gpu0", "·"), ("gpu0", "gpu2", "PHB"), ("gpu0", "gpu4", "SYS"), ("gpu0", "nic0", "PHB")];
    for (a, b, class) in pairs {
        assert_eq!(near(s, a, b, &health), class, "{a} {b}");
    }
    let cascade = Machine {
        devices: "cpu0 psw[0-2] gpu[0-1]",
        links: "cpu0 psw0 pcie; psw0 psw[1-2] pcie; =gpu[0-1] psw[1-2] pcie",
        ..Machine::default()
    }
    .build();
    assert_eq!(near(shape(&cascade), "gpu0", "gpu1", &health), "PXB");
}

#[test]
fn switches_add_up_and_a_dead_one_is_missed() {
    let system = switched_node(1);
    let (s, mut health) = (shape(&system), Health::default());
    assert_eq!(near(s, "gpu0", "gpu7", &health), "NV18");
    assert_eq!(near(s, "gpu0", "nic0", &health), "PIX");
    health.set_device(s.find("nvsw1").unwrap(), false);
    assert_eq!(near(s, "gpu0", "gpu7", &health), "NV13");
    assert_eq!(walk(s, "gpu0", "nvsw1", &health), "none");
    assert!(walk(s, "gpu0", "gpu7", &health).starts_with("gpu0 nvsw"));
}

#[test]
fn a_gpu_relays_only_when_nothing_else_leads_there() {
    let chain =
        Machine { devices: "gpu[0-2]", links: "gpu0 gpu1 xgmi 2; gpu1 gpu2 xgmi", ..Machine::default() }.build();
    let (s, mut health) = (shape(&chain), Health::default());
    assert_eq!(walk(s, "gpu0", "gpu2", &health), "gpu0 gpu1 gpu2");
    assert_eq!((near(s, "gpu0", "gpu2", &health), near(s, "gpu0", "gpu1", &health)), ("RLY".into(), "XGMI".into()));
    health.set_device(s.find("gpu1").unwrap(), false);
    assert_eq!((walk(s, "gpu0", "gpu2", &health), near(s, "gpu0", "gpu2", &health)), ("none".into(), "NET".into()));
}

#[test]
fn one_search_tells_the_same_as_one_for_each() {
    let s = switched_node(1);
    let shape = shape(&s);
    let all: Vec<DeviceIx> = (0..shape.devices().len() as u32).map(DeviceIx).collect();
    let mut health = Health::default();
    health.set_device(DeviceIx(1), false);
    for from in &all {
        let each: Vec<Nearness> = all.iter().map(|to| shape.nearness(*from, *to, &health)).collect();
        assert_eq!(shape.nearnesses(*from, &all, &health), each);
    }
}
