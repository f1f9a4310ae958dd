//! Where everything of a step goes: the drawing where it fits, beside or over what the ranks hold; the moves in what is left.
//! What does not fit scrolls.

use ratatui::layout::Rect;

use super::scene::{self, Fit};
use super::sketch::Sketch;
use super::{Line, foot, head, moves, table};
use crate::collective::schedule::Form;
use crate::tui::app::{App, Play};

/// Rows that table and moves get before what is below them.
const MIDDLE: u16 = 9;

/// Columns between two panes.
const GAP: u16 = 3;

/// Fewest columns of a list of moves beside something else.
const NARROW: u16 = 24;

/// Fewest rows of a list of moves below something else: its heading and a few.
const FEW: u16 = 4;

/// Rows that scroll below a heading that does not.
#[derive(Debug, Default)]
pub(super) struct Pane {
    pub(super) area: Rect,
    pub(super) heading: Vec<Line>,
    pub(super) rows: Vec<Line>,
}

impl Pane {
    fn new(area: Rect, (heading, rows): (Line, Vec<Line>)) -> Self {
        Self { area, heading: vec![heading], rows }
    }

    /// Rows of the pane when nothing is hidden.
    fn height(&self) -> u16 {
        (self.heading.len() + self.rows.len()) as u16
    }

    /// Rows that show at once, the one that says how many more there are left out.
    pub(super) fn window(&self) -> usize {
        let room = usize::from(self.area.height).saturating_sub(self.heading.len());
        if self.rows.len() > room { room.saturating_sub(1).max(1) } else { room }
    }

    /// How far it can be scrolled.
    pub(super) fn most(&self) -> usize {
        if self.area.height == 0 { 0 } else { self.rows.len().saturating_sub(self.window()) }
    }
}

/// A step laid out.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) head: Vec<Line>,
    pub(super) drawing: Option<(Rect, Sketch)>,
    pub(super) panes: Vec<Pane>,
    pub(super) foot: (Rect, Vec<Line>),
}

impl Page {
    /// Lays a step out in an area.
    pub(super) fn new(app: &App, play: &Play, area: Rect) -> Self {
        let head = head(app, play, area);
        let foot = foot(app, play, area.width);
        let roomy = u16::from(area.height >= 22);
        let top = (head.len() as u16 + roomy).min(area.height);
        let left = area.height - top;
        let below = foot.len() as u16 + roomy;
        let most = left.saturating_sub(below).max(MIDDLE.min(left.saturating_sub(1))).min(left);
        let body = Rect { y: area.y + top, height: most, ..area };
        let (drawing, panes) = middle(app, play, body);
        let end = panes.iter().map(|p| p.area.y + p.area.height.min(p.height()));
        let drawn = drawing.iter().map(|(r, s)| r.y + s.height() as u16);
        let end = end.chain(drawn).max().unwrap_or(body.y).min(body.bottom());
        let y = (end + roomy).min(area.bottom());
        Self { head, drawing, panes, foot: (Rect { y, height: area.bottom() - y, ..area }, foot) }
    }

    /// How far it can be scrolled.
    pub(super) fn most(&self) -> usize {
        self.panes.iter().map(Pane::most).max().unwrap_or(0)
    }
}

type Middle = (Option<(Rect, Sketch)>, Vec<Pane>);

fn middle(app: &App, play: &Play, body: Rect) -> Middle {
    let drawn = match app.watch().lists() {
        Some(true) => None,
        // Asked for, it may take the place of the table.
        wanted => pictured(app, play, body, wanted.is_some()),
    };
    drawn.unwrap_or_else(|| (None, lists(app, play, body)))
}

/// The drawing beside the table or over it, and the moves in what is left; `None` where it does not fit.
fn pictured(app: &App, play: &Play, body: Rect, wanted: bool) -> Option<Middle> {
    let table = table::natural(play);
    // The chunks of a ring say more one by one than their loop does; pieces that follow each other may share a column.
    let whole = play.timeline.schedule().form() == Form::Ring && u32::from(table.0) * 5 <= u32::from(body.width) * 3;
    let least = if whole { table.0 } else { table.0.min(body.width / 3) };
    let beside = |fit: Fit| {
        let room = body.width.saturating_sub(if least > 0 { least + GAP } else { 0 });
        let sketch = scene::sketch((&play.frame.scene, play.frame.mark), (room, body.height), fit)?;
        let own = table.0.min(body.width.saturating_sub(sketch.width() as u16 + GAP));
        Some(side_by_side(app, play, body, own, sketch))
    };
    let over = |rest: u16| {
        let sketch = scene::sketch(
            (&play.frame.scene, play.frame.mark),
            (body.width, body.height.checked_sub(rest)?),
            Fit::Any,
        )?;
        let used = sketch.height() as u16 + 1;
        let below = Rect { y: body.y + used, height: body.height.saturating_sub(used), ..body };
        let panes = if below.height + 1 < FEW { Vec::new() } else { lists(app, play, below) };
        Some((Some((body, sketch)), panes))
    };
    // The whole table beside it is best, then some of its rows below, then the drawing alone.
    let some = beside(Fit::Best).or_else(|| over(table.1.clamp(FEW, 9) + 1)).or_else(|| beside(Fit::Any));
    let alone = || over(0).filter(|_| wanted || table.0 == 0 || u32::from(table.0) * 2 > u32::from(body.width) * 3);
    some.or_else(alone)
}

fn side_by_side(app: &App, play: &Play, body: Rect, own: u16, sketch: Sketch) -> Middle {
    let mut panes = Vec::new();
    let mut x = body.x;
    let mut used = sketch.height() as u16;
    if let Some((lines, width)) = table::lines(play, own) {
        let pane = Pane::new(Rect { width, ..body }, lines);
        used = used.max(pane.height());
        panes.push(pane);
        x += width + GAP;
    }
    let below = body.height.saturating_sub(used + 1);
    if below >= FEW {
        let area = Rect { y: body.y + used + 1, height: below, ..body };
        for p in &mut panes {
            p.area.height = used;
        }
        panes.push(Pane::new(area, moves::lines(app, play, area.width)));
    }
    let area = Rect { x, width: body.right().saturating_sub(x), ..body };
    (Some((area, sketch)), panes)
}

/// The table beside the moves, or, where it is too narrow for both, one over the other.
fn lists(app: &App, play: &Play, body: Rect) -> Vec<Pane> {
    let third = body.width / 3;
    let room = body.width.saturating_sub(moves::width(play) + GAP).max(third);
    let Some((lines, width)) = table::lines(play, room) else {
        return vec![Pane::new(body, moves::lines(app, play, body.width))];
    };
    let rest = body.width.saturating_sub(width + GAP);
    if rest >= NARROW.min(moves::width(play)) && body.width >= 44 {
        let right = Rect { x: body.x + width + GAP, width: rest, ..body };
        let list = moves::lines(app, play, rest);
        return vec![Pane::new(Rect { width, ..body }, lines), Pane::new(right, list)];
    }
    let mut pane = table::lines(play, body.width).map_or_else(Pane::default, |(l, _)| Pane::new(body, l));
    let (heading, rows) = moves::lines(app, play, body.width);
    pane.rows.push(heading);
    pane.rows.extend(rows);
    vec![pane]
}
