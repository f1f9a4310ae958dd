//! What is wrong in a tray, in an operator's words: `nvsw5: 3 of 4`, `gpu2 out`, `nic1 at 50 %`; and what the cells mean.

use std::collections::BTreeMap;

use super::super::hidden::{self, Note};
use super::super::reading::{Look, Reading, State};
use super::{Rack, Tray};
use crate::system::{DeviceIx, LinkIx};
use crate::tui::theme::Role;

/// What must be told of one tray: devices that are out, chosen or edited, and hurt, hot, chosen or edited links.
pub(super) fn notes(
    look: &Look,
    tray: &Tray,
    chips: &[DeviceIx],
    devices: impl Iterator<Item = DeviceIx>,
    links: impl Iterator<Item = LinkIx>,
) -> Vec<Note> {
    let mut notes: Vec<Note> = devices.filter_map(|d| of_device(look, d)).collect();
    // The links of a cell are told together.
    let mut cells: BTreeMap<usize, Vec<LinkIx>> = BTreeMap::new();
    for l in links {
        match tray.cells.iter().position(|cell| cell.contains(&l)) {
            Some(at) => cells.entry(at).or_default().push(l),
            None => notes.extend(of_link(look, tray, l)),
        }
    }
    let of_cells = cells.into_iter().filter_map(|(at, some)| of_cell(look, tray, *chips.get(at)?, at, &some));
    notes.extend(of_cells);
    notes.sort_by_key(|n| std::cmp::Reverse(n.role.urgency()));
    notes
}

fn name_of<'a>(look: &Look<'a>, d: DeviceIx) -> &'a str {
    look.shape().device(d).map_or("?", |d| d.name.as_str())
}

fn of_device(look: &Look, d: DeviceIx) -> Option<Note> {
    // Of a device that is there but hurt, the link that is hurt tells.
    if look.device_state(d) == State::Degraded && !look.is_selected(look.device_pick(d)) {
        return None;
    }
    let mut note = hidden::notes(look, std::iter::once(d), std::iter::empty()).pop()?;
    if look.device_state(d) == State::Down && note.role != Role::Selection {
        note.text = format!("{} out", name_of(look, d));
    }
    Some(note)
}

/// Some of the links from a tray to a chip: how many of all run, or at what share of their rate.
fn of_cell(look: &Look, tray: &Tray, chip: DeviceIx, at: usize, some: &[LinkIx]) -> Option<Note> {
    let first = some.first()?;
    let those = look.merged(some);
    let told = those.hot || those.selected || those.edited || some.iter().any(|l| look.class.health.link(*l).is_some());
    let cell = look.merged(tray.cells.get(at)?);
    told.then(|| Note {
        pick: look.link_pick(*first),
        text: worded(&those, name_of(look, chip), &what(look, &cell, tray.cells.get(at).map_or(&[], Vec::as_slice))),
        role: those.role(),
    })
}

/// A NIC's cable by its NIC; a link that the rack has no cell for by its ends.
fn of_link(look: &Look, tray: &Tray, l: LinkIx) -> Option<Note> {
    let nic = tray.nics.iter().find(|n| look.shape().cable(**n) == Some(l));
    let Some(nic) = nic else {
        return hidden::notes(look, std::iter::empty(), std::iter::once(l)).pop();
    };
    let r = look.reading(l);
    let what = if r.state == State::Down { " cut".to_owned() } else { what(look, &r, &[l]) };
    let told = r.hot || r.selected || r.edited || look.class.health.link(l).is_some();
    told.then(|| Note { pick: look.link_pick(l), text: worded(&r, name_of(look, *nic), &what), role: r.role() })
}

/// `: 3 of 4` where links are gone, ` at 50 %` where they are slow, else nothing.
fn what(look: &Look, r: &Reading, links: &[LinkIx]) -> String {
    if r.up < r.count {
        return format!(": {} of {}", r.up, r.count);
    }
    let left = |l: &LinkIx| look.class.health.left(look.shape(), *l).ratio();
    let share = links.iter().map(left).sum::<f64>() / links.len().max(1) as f64;
    if r.state == State::Degraded { format!(" at {:.0} %", share * 100.0) } else { String::new() }
}

fn worded(r: &Reading, name: &str, what: &str) -> String {
    match r {
        _ if r.selected => format!("►{name}{what}◄"),
        _ if r.hot => format!("◄ {name}{what}"),
        _ if r.edited && what.is_empty() => format!("*{name}"),
        _ => format!("{name}{what}"),
    }
}

/// The marks of notes that are only counted.
pub(super) fn marks<'a>(notes: impl Iterator<Item = &'a Note>) -> String {
    let roles: Vec<Role> = notes.map(|n| n.role).collect();
    let all = [(Role::Selection, '►'), (Role::Bottleneck, '◄'), (Role::Down, '╳'), (Role::Degraded, '▼')];
    all.into_iter().filter(|(role, _)| roles.contains(role)).map(|(_, mark)| mark).collect()
}

/// A note without its figures, for where these have no room: `nvsw5▼`.
pub(super) fn short(text: &str) -> String {
    let figures = text.find(": ").or_else(|| text.find(" at "));
    figures.and_then(|at| text.get(..at)).map_or_else(|| text.to_owned(), |name| format!("{name}▼"))
}

impl Rack<'_> {
    /// What the cells say beyond the legend.
    pub(super) fn hints(&self) -> Vec<String> {
        let look = &self.look;
        let out = self.chips.iter().filter(|c| look.device_state(**c) == State::Down).count();
        let mut hints = Vec::new();
        let cells = self.trays.iter().flat_map(|t| &t.cells).filter(|c| !c.is_empty());
        let few = |links: &Vec<LinkIx>| {
            let r = look.merged(links);
            (r.state != State::Down && r.up < r.count).then_some(r.count)
        };
        if let Some(count) = cells.map(few).find_map(|c| c) {
            hints.push(format!("a digit in a cell: links that are left of {count}"));
        }
        let all = self.chips.len();
        if out > 0 && out < all {
            let chips = if out == 1 { "1 chip is".to_owned() } else { format!("{out} chips are") };
            hints.push(format!(
                "{chips} out: every GPU has {} of {all} links left, and no in-switch reduction",
                all - out
            ));
        }
        hints
    }
}
