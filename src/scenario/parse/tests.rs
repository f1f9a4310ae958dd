#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a refused text fails the test")]
use proptest::prelude::*;

use super::super::value::Kind;
use super::super::{Edit, Key, Value};
use super::EditError;
use crate::system::{Algorithm, Cut, Protocol, Version};
use crate::units::{Bandwidth, Share, Time};

fn error(text: &str) -> EditError {
    text.parse::<Edit>().expect_err(text)
}

#[test]
fn canonical_text() {
    for (text, want) in [
        ("  off   node0/gpu3 ", "off node0/gpu3"),
        ("degrade node*/nic0 to 25GB/s", "degrade node*/nic0 to 200Gb/s"),
        ("degrade leaf4 to  0.5", "degrade leaf4 to 50%"),
        ("degrade gpu0--nvsw1#2 to 33.33333%", "degrade gpu0--nvsw1#2 to 33.3333%"),
        ("set nodes=16K", "set nodes = 16384"),
        ("set  nic = ConnectX-8", "set nic = \"ConnectX-8\""),
        ("set transport = \"tcp\"", "set transport = tcp"),
        ("set sharp = yes", "set sharp = on"),
        ("set launch = 1.5 ms", "set launch = 1500us"),
        ("set algorithm = NVLS_tree", "set algorithm = nvls-tree"),
        ("set usable.nvlink = 0.8", "set usable.nvlink = 80%"),
        ("set library = 2.30.4", "set library = 2.30"),
    ] {
        let edit: Edit = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(edit.to_string(), want);
        assert_eq!(want.parse::<Edit>().unwrap(), edit);
    }
}

#[test]
fn errors_point_at_the_place_and_name_what_was_expected() {
    for (text, column, part) in [
        ("", 1, "expected an edit"),
        ("of node0", 1, "did you mean off"),
        ("off", 4, "address is missing"),
        ("off node0 gpu3", 11, "too much"),
        ("off node0/gpu(3)", 5, "not an address"),
        ("degrade node0/nic0", 19, "to 50%"),
        ("degrade node0/nic0 to 200gbs", 23, "200Gb/s"),
        ("degrade node0/nic0 to 150%", 23, "more than the link has"),
        ("degrade node0/nic0 to 50", 23, "no unit"),
        ("degrade node0/nic0 to 0%", 23, "that is off"),
        ("degrade node0/nic0 to 0Gb/s", 23, "is off"),
        ("set", 4, "key is missing"),
        ("set noodes = 4", 5, "did you mean nodes"),
        ("set nodes 4", 11, "no = after nodes"),
        ("set nodes = ", 13, "value is missing"),
        ("set nodes = 0", 13, "whole number from 1"),
        ("set nodes = 1.5K", 13, "whole number"),
        ("set  pcie = five", 13, "generation"),
        ("set nic = \"ConnectX-8", 11, "closing"),
        ("set nic = \"a\" b", 14, "too much"),
        ("set nvls = maybe", 12, "on or off"),
        ("set protocol = ll64", 16, "ll128"),
        ("set algorithm = rings", 17, "nvls-tree"),
        ("set fabric.oversubscription = 1e9", 31, "ports down per port up"),
        ("set launch = 3h", 14, "a time up to 1s"),
        ("set usable.pcie = 120%", 19, "at most 100%"),
    ] {
        let e = error(text);
        assert_eq!(e.column, column, "{text}: {e}");
        assert!(e.to_string().contains(part), "{text}: {e}");
    }
}

fn value(kind: Kind) -> BoxedStrategy<Value> {
    let part = "[A-Za-z][A-Za-z0-9 ._()+-]{0,20}[A-Za-z0-9]";
    let auto = Just(Value::Auto);
    match kind {
        Kind::Count { max } => (1..=max).prop_map(Value::Count).boxed(),
        Kind::Generation(_) => (1_u32..20).prop_map(Value::Count).boxed(),
        Kind::Ratio => (0.05..=100.0).prop_map(Value::Ratio).boxed(),
        Kind::Switch => any::<bool>().prop_map(Value::Switch).boxed(),
        Kind::Nic | Kind::Gpu => part.prop_map(Value::Part).boxed(),
        Kind::Transport => part.prop_map(Value::Word).boxed(),
        Kind::Share(_) => {
            prop_oneof![auto, (1_u32..=1_000_000).prop_map(|p| Value::Share(Share::new(f64::from(p) / 1e6)))].boxed()
        }
        Kind::Time => prop_oneof![auto, (0.0..1e6).prop_map(|t| Value::Time(Time::from_us(t)))].boxed(),
        Kind::Algorithm => prop_oneof![auto, prop::sample::select(Algorithm::ALL).prop_map(Value::Algorithm)].boxed(),
        Kind::Protocol => prop_oneof![auto, prop::sample::select(Protocol::ALL).prop_map(Value::Protocol)].boxed(),
        Kind::Version => (0_u32..=99).prop_map(|minor| Value::Version(Version { major: 2, minor })).boxed(),
    }
}

pub(in crate::scenario) fn any_edit() -> impl Strategy<Value = Edit> {
    let address = "(node[0-3*]/(gpu[0-7*]|nic[0-7]|gpu[0-7]--nvsw[0-3*](#[0-4])?)|node[0-3]|leaf[0-7]|spine[0-9])"
        .prop_map(|t| t.parse().unwrap());
    let cut = prop_oneof![
        (0.001..1000.0).prop_map(|v| Cut::To(Bandwidth::from_gbytes_per_s(v))),
        (1_u32..=1_000_000).prop_map(|p| Cut::Share(Share::new(f64::from(p) / 1e6))),
    ];
    let set =
        prop::sample::select(Key::ALL).prop_flat_map(|key| value(key.info().kind).prop_map(move |v| Edit::set(key, v)));
    prop_oneof![
        2 => (address.clone(), any::<bool>()).prop_map(|(a, off)| if off { Edit::Off(a) } else { Edit::On(a) }),
        1 => (address, cut).prop_map(|(a, c)| Edit::degrade(a, c)),
        2 => set,
    ]
}

proptest! {
    #[test]
    fn every_edit_prints_as_text_that_is_the_same_edit(edit in any_edit()) {
        let text = edit.to_string();
        let again: Edit = text.parse().unwrap();
        prop_assert_eq!(&again, &edit, "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,40}", verb in "(off|on|degrade|set|set nodes =|degrade a to|) ?") {
        let whole = format!("{verb}{text}");
        if let Err(e) = whole.parse::<Edit>() {
            prop_assert!(e.column <= whole.chars().count() + 1, "{e}");
        }
    }
}
