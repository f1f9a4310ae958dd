//! The numeric worked examples of public courses: their answer and ours, and why where the two differ.
//!
//! `docs/worked-examples.md` is made from these rows: `UPDATE_DOCS=1 cargo test --test worked_examples` writes it anew, and
//! the test fails when it is stale. No answer of ours is typed in: each comes out of the engine or the catalogue.
#![expect(clippy::panic, reason = "a failed look-up is the failure of the test")]

mod curves;
mod machine;
mod one_tier;
mod page;
mod row;
mod tiers;
mod training;
mod units;

use std::collections::BTreeSet;
use std::path::Path;

use row::{Row, Verdict};

fn all() -> Vec<(&'static str, Vec<Row>)> {
    vec![
        ("Units, single links, totals", units::links()),
        ("Bus bandwidth", units::busbw()),
        ("Collectives on one tier", one_tier::rows()),
        ("Two tiers and more", tiers::rows()),
        ("In a training step", training::rows()),
    ]
}

/// Differences below this are rounding, not another answer.
const ROUNDING: f64 = 0.01;

#[test]
fn every_answer_is_the_same_or_explained() {
    let mut wrong = Vec::new();
    for r in all().into_iter().flat_map(|(_, rows)| rows) {
        let off = r.theirs.off(r.ours);
        let (id, theirs, ours) = (r.id, r.theirs, r.ours);
        match r.verdict {
            Verdict::Same(within) if off > within => wrong.push(format!("{id}: {ours} for {theirs}")),
            Verdict::Differs(_) if off < ROUNDING => wrong.push(format!("{id}: {ours} is no longer different")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_example_is_listed_twice() {
    let rows: Vec<Row> = all().into_iter().flat_map(|(_, rows)| rows).collect();
    let ids: BTreeSet<&str> = rows.iter().map(|r| r.id).collect();
    assert_eq!(ids.len(), rows.len());
    for (letter, (_, rows)) in ('A'..).zip(all()) {
        for (n, r) in (1..).zip(rows) {
            assert_eq!(r.id, format!("{letter}{n}"), "{}", r.what);
        }
    }
}

/// Points of the curves that are far off are few: a change of the model that loses them is seen.
#[test]
fn most_points_of_the_published_curves_are_near() {
    let off: Vec<f64> =
        curves::CURVES.iter().flat_map(curves::Curve::rows).map(|(_, theirs, ours)| theirs.off(ours)).collect();
    let near = off.iter().filter(|v| **v < 0.25).count();
    assert!(near * 3 > off.len() * 2, "{near} of {} points within 25 %", off.len());
}

#[test]
fn the_page_is_what_the_rows_make_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/worked-examples.md");
    let page = page::page(&all());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/worked-examples.md is stale: UPDATE_DOCS=1 cargo test --test worked_examples");
}
