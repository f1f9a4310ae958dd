//! What binds, how many are alike, and what would bind next.

use super::limits::{Limit, limits, next};
use super::{Facts, Section};
use crate::cost::{BindingPlace, Terms};
use crate::units::{Share, counted};

/// What sets the transfer time; `None` where nothing is moved.
pub(super) fn binding(f: &Facts<'_, '_>) -> Option<Section> {
    let all = limits(f);
    let first = all.first()?;
    let mut section = Section::new("binding", "What binds", name(f, first)).line(format!(
        "{} alone takes {}; {}",
        name(f, first),
        first.time,
        alike(f, first)
    ));
    let t = f.chosen().terms;
    let waiting = (t.launch + t.steps) / t.total();
    if f.chosen().is_latency_bound() {
        section = section.line(format!(
            "launch and steps are {waiting} of the time: this is a latency question, and a faster link saves at most {}",
            (t.transfer + t.fill) / t.total()
        ));
    }
    Some(section.with([following(f, &all)]))
}

/// What trails, by how much, and the time if only the first were gone.
fn following(f: &Facts<'_, '_>, all: &[Limit]) -> Section {
    let (Some(first), Some(second)) = (all.first(), next(all)) else {
        return Section::new("next", "What binds next", "nothing else is loaded");
    };
    let trails = Share::ONE.ratio() - (second.time / first.time).ratio();
    let then = Terms { transfer: second.time, ..f.chosen().terms }.total();
    Section::new("next", "What binds next", name(f, second))
        .line(format!("it takes {}, {} less; {}", second.time, Share::new(trails), alike(f, second)))
        .line(format!(
            "with no limit at {} the call would take {then} instead of {} (launch, steps and fill as they are)",
            name(f, first),
            f.e.time
        ))
}

/// A limit in words: an address and what it is.
pub(super) fn name(f: &Facts<'_, '_>, l: &Limit) -> String {
    match l.place {
        BindingPlace::Link { class, link, .. } => {
            let kind = f
                .prepared()
                .system
                .classes
                .get(class.0)
                .and_then(|c| c.shape.link(link))
                .map(crate::system::Link::describe);
            format!("{} ({})", f.prepared().link_name(class, link), kind.unwrap_or_default())
        }
        BindingPlace::Uplink(leaf) => format!("the uplinks of leaf{}", leaf.0),
        BindingPlace::Kernel => {
            format!("the kernels: {} on {}", f.chosen().protocol, counted(u64::from(f.chosen().channels), "channel"))
        }
        BindingPlace::Nothing => "nothing".to_owned(),
    }
}

fn alike(f: &Facts<'_, '_>, l: &Limit) -> String {
    let what = match l.place {
        BindingPlace::Link { .. } => "link",
        BindingPlace::Uplink(_) => "leaf",
        BindingPlace::Kernel | BindingPlace::Nothing => "GPU",
    };
    let all = f.prepared().system.units;
    if l.alike == 1 {
        return format!("no other {what} needs as much");
    }
    let count = counted(l.alike, what).replace("leafs", "leaves");
    format!("{count} in {} need the same time", counted(u64::from(all), "unit"))
}
