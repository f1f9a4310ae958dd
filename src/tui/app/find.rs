//! Lists that are searched by typing: addresses, and the help.

use super::spot::{link_name, shape_of};
use super::{App, Spot};
use crate::system::LeafIx;
use crate::tui::commands::{Group, Spec, TABLE};
use crate::tui::line_edit::LineEdit;
use crate::tui::picture::Pick;

/// A search: what was typed, what it finds, and the row of the cursor among the hits.
#[derive(Debug, Clone, Default)]
pub struct Find {
    pub(crate) text: LineEdit,
    pub(crate) at: usize,
    /// Found addresses; empty in the help, whose rows are the table's.
    pub(crate) hits: Vec<(Spot, String)>,
}

/// Most hits that are listed.
const MOST: usize = 200;

impl Find {
    /// Moves the cursor, within so many hits.
    pub(crate) fn step(&mut self, by: isize, hits: usize) {
        let last = hits.saturating_sub(1);
        self.at = self.at.min(last).saturating_add_signed(by).min(last);
    }
}

/// Whether all words of a search occur in a text, in any case.
pub(super) fn fits(typed: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    typed.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

impl App {
    /// The commands that the help lists for what was typed.
    pub(crate) fn help_hits(&self, typed: &str) -> Vec<&'static Spec> {
        let text = |s: &Spec| {
            format!("{} {} {} {} {}", s.id, s.title, s.doc, s.group.title(), self.config.keymap.keys_label(s))
        };
        TABLE.iter().filter(|s| fits(typed, &text(s))).collect()
    }

    /// Whether the help can run a command: those of lines and lists have no meaning there.
    pub(crate) fn runs_from_help(spec: &Spec) -> bool {
        spec.group != Group::Prompt
    }

    /// What a search for an address finds: an address as typed, then names that contain the words.
    pub(crate) fn find_hits(&self, typed: &str) -> Vec<(Spot, String)> {
        let system = self.system();
        let mut hits: Vec<(Spot, String)> = Vec::new();
        if let Ok(spot) = super::names::lookup(system, typed.trim()) {
            hits.push((spot, spot.name(system)));
        }
        for spot in self.named_spots() {
            if hits.len() >= MOST {
                break;
            }
            let name = spot.name(system);
            if fits(typed, &name) && !hits.iter().any(|(s, _)| *s == spot) {
                hits.push((spot, name));
            }
        }
        hits
    }

    /// Everything in the unit at hand that has a name, then units and switches.
    fn named_spots(&self) -> impl Iterator<Item = Spot> + '_ {
        let system = self.system();
        let unit = self.current_node().map_or(0, |(u, _)| u);
        let shape = shape_of(system, unit);
        let devices = shape.into_iter().flat_map(|s| s.device_ixs().filter(|d| Some(*d) != s.fabric()));
        let links = shape.into_iter().flat_map(crate::system::Shape::link_ixs);
        let levels = system.fabric.as_ref().map(crate::system::Fabric::levels).unwrap_or_default();
        let count = move |i: usize| levels.get(i).map_or(0, |l| l.count);
        let (leaves, spines, cores) = (count(0), count(1), count(2));
        devices
            .map(move |device| Spot::Thing(Pick::Device { unit, device }))
            .chain((0..system.units).map(|u| Spot::Thing(Pick::Unit(u))))
            .chain((0..leaves).map(|l| Spot::Thing(Pick::Leaf(LeafIx(l)))))
            .chain((0..spines).map(|n| Spot::Thing(Pick::Spine(n))))
            .chain((0..cores).map(|n| Spot::Thing(Pick::Core(n))))
            .chain(
                links
                    .filter(move |l| link_name(system, unit, *l).is_some())
                    .map(move |link| Spot::Thing(Pick::Link { unit, link })),
            )
    }
}
