//! Facts about a link.

use super::{Facts, state};
use crate::parts::Family;
use crate::system::{Link, LinkIx, Shape, System};
use crate::tui::app::{App, stem};
use crate::tui::view::tree::percent;
use crate::units::{Bandwidth, Share, counted};

pub(super) fn facts(app: &App, unit: u32, link: LinkIx) -> Facts {
    let mut facts = Facts::default();
    let system = app.system();
    let Some((class, c)) = system.class_of(unit) else { return facts };
    let Some(l) = c.shape.link(link) else { return facts };
    facts.what = what(l);
    let left = c.health.left(&c.shape, link);
    let lost = c.health.link(link).map_or(0, crate::system::LinkHealth::lost);
    let detail = match lost {
        0 if left.ratio() > 0.0 && left.ratio() < 1.0 => format!(" to {left}"),
        n if n > 0 && n < l.count => format!(", {n} of {} links out", l.count),
        _ => String::new(),
    };
    state(app, &mut facts, &detail);
    facts.figure("line", l.line_rate().to_string(), &l.kind.line.from);
    let (rate, from) = usable(system, l, left);
    facts.rows.push(super::Fact {
        name: "usable",
        value: rate.to_string(),
        role: crate::tui::theme::Role::Text,
        from: Some(from),
    });
    facts.figure("delay", l.kind.latency.is.to_string(), &l.kind.latency.from);
    load(app, &mut facts, (class, link), [end(&c.shape, l, true), end(&c.shape, l, false)]);
    let (alike, units) = alike(app, l, link, class);
    facts.say("alike", if units > 1 { format!("{alike} in {units} units") } else { counted(alike, "link") });
    facts
}

/// `NVLink 4, 4 links`.
fn what(l: &Link) -> String {
    match (l.kind.family, l.count) {
        (Family::Pcie, _) => l.describe(),
        (_, 1) => format!("{}, 1 link", l.kind.title),
        (_, n) => format!("{}, {n} links", l.kind.title),
    }
}

/// What software reaches, with the health, and why.
pub(super) fn usable(system: &System, l: &Link, left: Share) -> (Bandwidth, String) {
    let own = system.software.usable.get(&l.kind.family);
    let network = system.fabric.as_ref().filter(|_| l.kind.family == Family::Network);
    let (share, from) = match (own, network) {
        (Some(share), _) => (*share, "set by an edit or the system's file".to_owned()),
        (None, Some(f)) => (f.transport.usable.is, super::origin(&f.transport.usable.from)),
        (None, None) => (l.kind.usable.is, super::origin(&l.kind.usable.from)),
    };
    (l.line_rate() * left * share, format!("{share} of the line rate; {from}"))
}

/// The name of an end.
fn end(shape: &Shape, l: &Link, first: bool) -> String {
    shape.device(if first { l.a } else { l.b }).map_or_else(String::new, |d| d.name.clone())
}

fn load(app: &App, facts: &mut Facts, at: (crate::system::ClassIx, LinkIx), ends: [String; 2]) {
    let loads = |l: &crate::cost::LinkLoads| l.link(at.0, at.1).map(|[a, b]| [percent(a.ratio()), percent(b.ratio())]);
    let now = loads(&app.answers().loads).unwrap_or([0, 0]);
    let then = loads(&app.answers().before).unwrap_or([0, 0]);
    let role = crate::tui::theme::Role::for_load(now[0].max(now[1]));
    let [a, b] = ends;
    if now[0] == now[1] {
        facts.role("load", format!("{} % both ways", now[0]), role);
    } else {
        facts.role("load", format!("{} % from {a}, {} % from {b}", now[0], now[1]), role);
    }
    if now != then && app.history().differs() {
        let was = if then[0] == then[1] { format!("{} %", then[0]) } else { format!("{} %, {} %", then[0], then[1]) };
        facts.role("was", was, crate::tui::theme::Role::Baseline);
    }
}

/// What the ends of a link are: their names without their numbers.
fn sorts<'a>(shape: &'a Shape, l: &Link) -> [Option<&'a str>; 2] {
    [l.a, l.b].map(|d| shape.device(d).map(|d| stem(&d.name).0))
}

/// How many links of the machine look the same: sort, ends, count, health and load; and in how many units.
fn alike(app: &App, l: &Link, link: LinkIx, class: crate::system::ClassIx) -> (u64, u64) {
    let system = app.system();
    let Some(own) = system.classes.get(class.0) else { return (0, 0) };
    let (wanted, left) = (sorts(&own.shape, l), own.health.left(&own.shape, link));
    let load = app.answers().loads.link(class, link);
    let same_load = |other: Option<[Share; 2]>| match (load, other) {
        (Some(a), Some(b)) => a.iter().zip(&b).all(|(a, b)| (a.percent() - b.percent()).abs() < 0.5),
        (a, b) => a.is_none() && b.is_none(),
    };
    let mut sum = (0, 0);
    for (i, c) in system.classes.iter().enumerate() {
        let same = |other: &LinkIx| {
            c.shape.link(*other).is_some_and(|o| {
                o.kind.name == l.kind.name
                    && o.count == l.count
                    && c.health.left(&c.shape, *other) == left
                    && same_load(app.answers().loads.link(crate::system::ClassIx(i), *other))
                    && sorts(&c.shape, o) == wanted
            })
        };
        let here = c.shape.link_ixs().filter(same).count() as u64;
        sum.0 += here * c.members.len();
        sum.1 += if here > 0 { c.members.len() } else { 0 };
    }
    sum
}
