//! One cell of the grid: arms of wires, diagonals, text over them.

use ratatui::buffer::Cell as ScreenCell;

use crate::tui::glyphs::{Glyphs, Weight, joint};
use crate::tui::theme::{Role, Theme};

/// How a wire is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stroke {
    /// Down: `╎ ╌`, to be marked with `╳` and the word.
    Down,
    /// Idle, or set off by policy (then with the word): `┆ ┄`.
    Idle,
    /// Below half of its rate: `│ ─`.
    Light,
    /// Half of its rate and more: `┃ ━`.
    Heavy,
    /// The bar of a switch: `║ ═`.
    Double,
}

impl Stroke {
    /// The stroke of a link with this load, in whole percent of the time of the answer.
    pub const fn for_load(percent: u8) -> Self {
        match percent {
            0 => Self::Idle,
            1..=49 => Self::Light,
            _ => Self::Heavy,
        }
    }

    const fn weight(self) -> Weight {
        match self {
            Self::Down | Self::Idle | Self::Light => Weight::Light,
            Self::Heavy => Weight::Heavy,
            Self::Double => Weight::Double,
        }
    }

    /// The dashed characters (vertical, horizontal) of a straight run, when this stroke has its own.
    const fn dashes(self) -> Option<(char, char)> {
        match self {
            Self::Down => Some(('╎', '╌')),
            Self::Idle => Some(('┆', '┄')),
            _ => None,
        }
    }
}

/// Text of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ink {
    /// A single character.
    Glyph(char),
    /// A cluster of several characters, or a wide one.
    Cluster(Box<str>),
    /// The rest of the wide cluster on its left.
    Tail,
}

impl Ink {
    /// The ink of a cluster's first cell, or of a further one.
    pub(super) fn of(cluster: &str, further: bool) -> Self {
        let mut chars = cluster.chars();
        match (chars.next(), chars.next()) {
            _ if further => Self::Tail,
            (Some(glyph), None) => Self::Glyph(glyph),
            _ => Self::Cluster(cluster.into()),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// Up, right, down, left.
    arms: [Option<Stroke>; 4],
    /// Diagonals: falling to the right, rising to the right.
    diagonals: [bool; 2],
    ink: Option<Ink>,
    wire_role: Option<Role>,
    ink_role: Option<Role>,
}

impl Cell {
    /// Adds an arm; of two strokes on one arm the heavier stays.
    pub(super) fn lay(&mut self, arm: Option<usize>, stroke: Stroke, role: Role) {
        let Some(slot) = arm.and_then(|place| self.arms.get_mut(place)) else { return };
        *slot = (*slot).max(Some(stroke));
        self.claim(role);
    }

    pub(super) fn lay_diagonal(&mut self, falling: bool, role: Role) {
        let [falls, rises] = &mut self.diagonals;
        *(if falling { falls } else { rises }) = true;
        self.claim(role);
    }

    /// Of two wires in one cell the more urgent role is seen; the later of equals.
    fn claim(&mut self, role: Role) {
        if self.wire_role.is_none_or(|old| role.urgency() >= old.urgency()) {
            self.wire_role = Some(role);
        }
    }

    pub(super) fn write(&mut self, ink: Ink, role: Role) {
        self.ink = Some(ink);
        self.ink_role = Some(role);
    }

    pub(super) fn restyle(&mut self, role: Role) {
        for slot in [&mut self.wire_role, &mut self.ink_role] {
            if slot.is_some() {
                *slot = Some(role);
            }
        }
    }

    pub(super) fn is_free(&self) -> bool {
        self.ink.is_none() && self.wire_role.is_none()
    }

    pub(super) fn role(&self) -> Role {
        self.ink_role.or(self.wire_role).unwrap_or(Role::Text)
    }

    /// The character in the unicode set; the first one of a cluster.
    pub(super) fn glyph(&self) -> char {
        match &self.ink {
            Some(Ink::Glyph(glyph)) => *glyph,
            Some(Ink::Cluster(cluster)) => cluster.chars().next().unwrap_or(' '),
            Some(Ink::Tail) => ' ',
            None => self.wire(),
        }
    }

    fn wire(&self) -> char {
        match (self.diagonals, self.arms) {
            ([true, true], _) => '╳',
            ([true, false], [None, None, None, None]) => '╲',
            ([false, true], [None, None, None, None]) => '╱',
            (_, arms) => straight_or_joint(whole(arms)),
        }
    }

    /// Writes the cell to the screen. `room` says whether the cell on the right is on the screen too.
    pub(super) fn paint(&self, target: &mut ScreenCell, theme: &Theme, glyphs: Glyphs, room: bool) {
        let wide = |cluster: &str| crate::tui::text::width(cluster) > 1;
        match &self.ink {
            Some(Ink::Cluster(cluster)) if room || !wide(cluster) => target.set_symbol(cluster),
            Some(Ink::Cluster(_)) => target.set_char(' '),
            Some(Ink::Glyph(glyph)) if !room && wide(glyph.encode_utf8(&mut [0; 4])) => target.set_char(' '),
            _ => target.set_char(self.glyph()),
        };
        if glyphs == Glyphs::Ascii && !target.symbol().is_ascii() {
            let mut chars = target.symbol().chars();
            let ascii = match (chars.next(), chars.next()) {
                (Some(glyph), None) => glyphs.map(glyph),
                _ => '?',
            };
            target.set_char(ascii);
        }
        target.set_style(ratatui::style::Style::reset()).set_style(theme.style(self.role()));
    }
}

/// A wire that ends in a cell without meeting another fills the cell.
fn whole(arms: [Option<Stroke>; 4]) -> [Option<Stroke>; 4] {
    match arms {
        [Some(s), None, None, None] | [None, None, Some(s), None] => [Some(s), None, Some(s), None],
        [None, Some(s), None, None] | [None, None, None, Some(s)] => [None, Some(s), None, Some(s)],
        other => other,
    }
}

fn straight_or_joint(arms: [Option<Stroke>; 4]) -> char {
    let dashes = |stroke: Stroke| stroke.dashes();
    match arms {
        [Some(a), None, Some(b), None] if a == b && dashes(a).is_some() => dashes(a).map_or('│', |d| d.0),
        [None, Some(a), None, Some(b)] if a == b && dashes(a).is_some() => dashes(a).map_or('─', |d| d.1),
        _ => {
            let [up, right, down, left] = arms.map(|arm| arm.map_or(Weight::None, Stroke::weight));
            joint(up, right, down, left)
        }
    }
}
