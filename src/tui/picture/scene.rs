//! A laid-out picture: what is where. Drawing, mouse and arrow keys read it, so there is no second geometry.

use ratatui::layout::{Position, Rect};

use super::Pick;
use crate::tui::canvas::Canvas;

/// Something on the picture that can be selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is; of alike things drawn once, the first.
    pub pick: Pick,
    /// The other things that this item stands for.
    pub also: Vec<Pick>,
    /// Its cells, in the scene's own coordinates.
    pub rect: Rect,
    /// Further cells where the same thing is drawn again.
    pub echoes: Vec<Rect>,
    /// Its storey: items of one storey are one row of the arrow keys.
    pub storey: u16,
    /// A cell of a table: arrow keys go cell by cell.
    pub cell: bool,
    /// Its things are one stop of the arrow keys, as the four links between a tray and a chip: a walk over a rack would
    /// not end otherwise.
    pub lump: bool,
    /// What it is wired to: the ends of a link.
    pub ends: Vec<Pick>,
}

impl Item {
    /// Whether the item stands for this.
    pub fn stands_for(&self, pick: Pick) -> bool {
        self.pick == pick || self.also.contains(&pick)
    }

    /// What the arrow keys stop at: each thing that the item stands for.
    fn stops(&self) -> impl Iterator<Item = Pick> + '_ {
        let rest = if self.lump { &[] } else { self.also.as_slice() };
        std::iter::once(self.pick).chain(rest.iter().copied())
    }

    fn column(&self) -> i32 {
        i32::from(self.rect.x) * 2 + i32::from(self.rect.width)
    }

    fn wired_to(&self, other: &Self) -> bool {
        let touches = |a: &Self, b: &Self| a.ends.iter().any(|p| b.stands_for(*p));
        touches(self, other) || touches(other, self)
    }
}

/// A text on the picture and where it stands; for tests and screen readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Column of the first cell.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// The text, in the unicode set.
    pub text: String,
}

/// A direction of the arrow keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the storey above.
    Up,
    /// To the storey below.
    Down,
    /// To the previous item of the storey.
    Left,
    /// To the next item of the storey.
    Right,
}

/// A laid-out picture.
#[derive(Debug, Clone)]
pub struct Scene {
    /// What it shows, for the title of the panel: `node0   DGX H100`.
    pub title: String,
    /// What the numbers mean, for the right end of the title.
    pub unit: String,
    /// Everything that can be selected, in reading order.
    pub items: Vec<Item>,
    /// Every text.
    pub labels: Vec<Label>,
    /// Where the terminal's cursor stands, for screen readers.
    pub cursor: Option<(u16, u16)>,
    pub(super) canvas: Canvas,
}

impl Scene {
    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        (self.canvas.width(), self.canvas.height())
    }

    /// The item under a cell; of nested ones the smallest.
    pub fn hit(&self, x: u16, y: u16) -> Option<&Item> {
        let area = |i: &&Item| u32::from(i.rect.width) * u32::from(i.rect.height);
        let at = Position { x, y };
        let under = |i: &&Item| i.rect.contains(at) || i.echoes.iter().any(|r| r.contains(at));
        self.items.iter().filter(under).min_by_key(area)
    }

    /// The item that stands for this.
    pub fn find(&self, pick: Pick) -> Option<&Item> {
        self.items.iter().find(|i| i.pick == pick).or_else(|| self.items.iter().find(|i| i.stands_for(pick)))
    }

    /// Where an arrow key leads. From nothing, or from what is not on the picture, to the first item; `None` only on a
    /// picture without items.
    pub fn step(&self, from: Option<Pick>, direction: Direction) -> Option<Pick> {
        let Some(here) = from.and_then(|p| self.find(p)) else { return self.items.first().map(|i| i.pick) };
        let at = from.filter(|p| here.stops().any(|s| s == *p)).unwrap_or(here.pick);
        let next = match direction {
            Direction::Left | Direction::Right => self.along((here, at), direction == Direction::Right),
            Direction::Up | Direction::Down => self.across(here, direction == Direction::Down).map(|i| i.pick),
        };
        Some(next.unwrap_or(at))
    }

    /// Whether alike devices are drawn once, or everything is told in a line: what the arrow keys must come to is more
    /// than what is drawn.
    pub fn is_reduced(&self) -> bool {
        let link = |p: &Pick| matches!(p, Pick::Link { .. });
        self.items.len() < 2 || self.items.iter().any(|i| !i.also.iter().all(link))
    }

    /// The neighbour in the same storey, wrapping round.
    fn along(&self, (here, at): (&Item, Pick), forward: bool) -> Option<Pick> {
        let mut row: Vec<&Item> = self.items.iter().filter(|i| i.storey == here.storey).collect();
        row.sort_by_key(|i| (i.column(), i.rect.y, i.pick));
        let stops: Vec<Pick> = row.into_iter().flat_map(Item::stops).collect();
        let at = stops.iter().position(|p| *p == at)?;
        let next = if forward { at + 1 } else { at + stops.len() - 1 };
        stops.get(next % stops.len()).copied()
    }

    /// The way up or down: cell by cell in a table, else along a wire, else the nearest column of the next storey.
    fn across(&self, here: &Item, down: bool) -> Option<&Item> {
        let beyond = |i: &&Item| if down { i.storey > here.storey } else { i.storey < here.storey };
        let gap = |i: &&Item| i.storey.abs_diff(here.storey);
        let aside = |i: &&Item| (i.column() - here.column()).abs();
        let near = self.items.iter().filter(beyond).min_by_key(gap)?.storey;
        let next = || self.items.iter().filter(|i| i.storey == near).min_by_key(aside);
        let nearest = next()?;
        if here.cell && nearest.cell {
            return Some(nearest);
        }
        let wired = self.items.iter().filter(beyond).filter(|i| i.wired_to(here));
        wired.min_by_key(|i| (gap(i), aside(i))).or(Some(nearest))
    }
}
