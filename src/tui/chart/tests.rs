#![expect(clippy::unwrap_used, reason = "a missing piece fails the test")]

use super::*;
use crate::tui::glyphs::{Glyphs, first_barred};
use crate::units::Bytes;
use proptest::prelude::*;

fn chart(points: Vec<At>) -> Chart {
    let y = Axis::decades(points.iter().map(|p| p.y), 5);
    Chart {
        x: Axis::sizes(Bytes::from_u64(8), Bytes::from_gib(16.0)),
        y,
        layers: vec![
            Layer::new(Shape::Band(points.clone(), points.clone()), Role::Range, ':'),
            Layer::new(Shape::Curve(points.clone(), Stroke::Thick), Role::SeriesA, '*').named("ring"),
            Layer::new(Shape::Points(points), Role::Measured, 'o'),
        ],
        regions: Vec::new(),
        label: Some((At::new(1e6, 10.0), "half".to_owned())),
        cursor: Some(1e6),
    }
}

#[test]
fn decades_are_whole_and_cut_below() {
    let axis = Axis::decades([0.0003, 350.0], 5);
    assert_eq!((axis.low(), axis.high()), (0.01, 1000.0));
    let labels: Vec<&str> = axis.ticks().iter().map(|t| t.label.as_str()).collect();
    assert_eq!(labels, ["0.01", "0.1", "1", "10", "100", "1000"]);
    for (i, t) in axis.ticks().iter().enumerate() {
        assert!((axis.place(t.at).unwrap() - i as f64 / 5.0).abs() < 1e-9);
    }
    // A tick lies on the decade, not beside it; so does one at the edge of a decade.
    let exact = Axis::decades([100.0, 1000.0], 5);
    assert_eq!((exact.low(), exact.high()), (100.0, 1000.0));
}

#[test]
fn sizes_have_ticks_at_powers_of_32() {
    let axis = Axis::sizes(Bytes::from_u64(8), Bytes::from_gib(16.0));
    let labels: Vec<&str> = axis.ticks().iter().map(|t| t.label.as_str()).collect();
    assert_eq!(labels, ["8", "256", "8K", "256K", "8M", "256M", "8G"]);
    assert!((axis.value(axis.place(1e6).unwrap()) - 1e6).abs() < 1e-3);
}

#[test]
fn a_linear_axis_ends_at_a_round_number() {
    let axis = Axis::linear([361.0, f64::NAN, f64::INFINITY]);
    assert_eq!((axis.low(), axis.high()), (0.0, 400.0));
    let empty = Axis::linear([]);
    assert_eq!((empty.low(), empty.high()), (0.0, 1.0));
}

#[test]
fn a_curve_stands_where_the_ticks_say() {
    let c = chart(vec![At::new(8.0, 1.0), At::new(17_179_869_184.0, 1000.0)]);
    let text = draw(&c, 60, 20, Glyphs::Unicode).to_text();
    assert_eq!(first_barred(&text), None, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let (first, last) = (lines.first().unwrap(), lines.iter().find(|l| l.contains("1┤")).unwrap());
    assert!(first.trim_start().starts_with("1000┤") && first.ends_with('o'), "{text}");
    assert!(last.contains("1┤o"), "{text}");
}

#[test]
fn what_lies_below_is_marked_at_its_foot() {
    let c = chart(vec![At::new(8.0, 1e-4), At::new(17_179_869_184.0, 1000.0)]);
    let text = draw(&c, 60, 20, Glyphs::Unicode).to_text();
    let foot = text.lines().rev().nth(2).unwrap();
    assert!(foot.contains("▼"), "{text}");
}

#[test]
fn ascii_tells_layers_apart() {
    let c = chart(vec![At::new(8.0, 1.0), At::new(17_179_869_184.0, 1000.0)]);
    let text = draw(&c, 60, 20, Glyphs::Ascii).to_text();
    assert!(text.contains('*') && text.contains('o') && !text.contains('\u{28ff}'), "{text}");
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(0.0), -1e3..1e12f64]
}

proptest! {
    #[test]
    fn no_numbers_and_no_size_panic(
        points in prop::collection::vec((number(), number()), 0..6),
        (w, h) in (0u16..120, 0u16..40),
        linear in any::<bool>(),
    ) {
        let mut c = chart(points.iter().map(|(x, y)| At::new(*x, *y)).collect());
        if linear {
            c.y = Axis::linear(points.iter().map(|p| p.1));
        }
        c.cursor = points.first().map(|p| p.0);
        c.regions = points.iter().map(|p| Region { to: p.0, names: ["ring".into(), "r".into()], role: Role::Dim }).collect();
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let canvas = draw(&c, w, h, glyphs);
            prop_assert_eq!((canvas.width(), canvas.height()), (w, h));
        }
    }
}
