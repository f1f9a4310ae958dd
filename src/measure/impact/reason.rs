//! Why a change does what it does, in a few words.

use super::{Kind, Look};
use crate::cost::{BindingPlace, Candidate, Unreachable};
use crate::system::System;
use crate::units::Share;

/// What sets the time of a candidate: `InfiniBand 400 Gb/s`, `latency`.
pub(super) fn binds(system: &System, c: &Candidate) -> String {
    if c.is_latency_bound() {
        return "latency".to_owned();
    }
    match c.binding.place {
        BindingPlace::Link { class, link, .. } => {
            let link = system.classes.get(class.0).and_then(|k| k.shape.link(link));
            link.map_or_else(String::new, |l| l.kind.title.clone())
        }
        BindingPlace::Uplink(_) => "leaf uplink".to_owned(),
        BindingPlace::Kernel => "kernel".to_owned(),
        BindingPlace::Nothing => "nothing".to_owned(),
    }
}

/// The words for one change.
pub(super) fn reason(base: &Look, new: &Result<Look, Unreachable>, change: Option<Share>, kind: Kind) -> String {
    let new = match new {
        Ok(l) => l,
        Err(u) => return format!("{}: {}", u.ranks, u.because),
    };
    let still = change.is_some_and(|c| c.ratio().abs() < super::NONE);
    let mut parts = Vec::new();
    if new.ranks != base.ranks {
        parts.push(format!("{} ranks", new.ranks));
    }
    if new.chosen.algorithm != base.chosen.algorithm {
        parts.push(format!("{} instead of {}", new.chosen.algorithm, base.chosen.algorithm));
    } else if new.chosen.protocol != base.chosen.protocol {
        parts.push(format!("{} instead of {}", new.chosen.protocol, base.chosen.protocol));
    }
    if new.binds != base.binds {
        parts.push(format!("{} binds", new.binds));
    }
    if parts.is_empty() {
        parts.push(unchanged(new, still, change, kind));
    }
    parts.join(", ")
}

/// Same way, same sort of link.
fn unchanged(new: &Look, still: bool, change: Option<Share>, kind: Kind) -> String {
    let slower = change.is_some_and(|c| c.ratio() > 0.0);
    let binds = &new.binds;
    match (still, kind) {
        (true, Kind::Down | Kind::HalfRate) => "not what binds".to_owned(),
        (true, _) => format!("no effect: {binds} binds"),
        (false, Kind::Down) if slower && binds != "latency" => format!("the {binds} that is left carries all"),
        (false, Kind::HalfRate) if slower && binds != "latency" => format!("the slowest {binds} sets the pace"),
        _ => format!("{binds} still binds"),
    }
}
