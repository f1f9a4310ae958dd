//! The quiz: the first page, a question with its choices, the verdict, the score.

mod page;
mod score;

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::panel::{self, Heading};
use super::pen::{Pen, Piece};
use crate::lesson::quiz::Body;
use crate::tui::app::{App, Bench, Leaf, Quizzing};
use crate::tui::glyphs::{Glyphs, mark};
use crate::tui::picture::{self, Idle, Lens, Marks, PairCell, Pick, PictureInput, Plane, Scene, Scope};
use crate::tui::theme::Role;

/// Columns and rows from which the machine of a question about links is drawn beside it.
const WITH_PICTURE: (u16, u16) = (100, 20);

/// What a page says, line by line.
#[derive(Debug, Default)]
struct Page {
    lines: Vec<Vec<Piece>>,
    /// Lines of each choice or item, from and up to.
    rows: Vec<(usize, usize)>,
    /// Line that a fresh verdict begins with.
    verdict: Option<usize>,
    /// Where the terminal's cursor stands: line and column.
    caret: Option<(usize, u16)>,
}

impl Page {
    fn add(&mut self, line: Vec<Piece>) {
        self.lines.push(line);
    }

    fn blank(&mut self) {
        // A page does not begin with a gap.
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(Vec::new());
        }
    }
}

/// Everything between title and footer: a quiz has no tabs.
fn body(areas: &Areas) -> Rect {
    areas.tabs.map_or(areas.body, |tabs| Rect { y: tabs.y, height: areas.body.height + tabs.height, ..areas.body })
}

/// Where the text of the page goes, and the picture.
fn split(q: &Quizzing, body: Rect) -> (Rect, Option<Rect>) {
    let wide = body.width >= WITH_PICTURE.0 && body.height >= WITH_PICTURE.1;
    if q.bench.is_none() || !wide {
        return (body, None);
    }
    let width = (body.width / 5 * 2).max(44);
    let text = Rect { width, ..body };
    (text, Some(Rect { x: body.x + width, width: body.width - width, ..body }))
}

/// Inside of the frame, a column free on both sides.
fn inside(frame: Rect) -> Rect {
    let inner = panel::inner(frame, super::areas::Form::Line);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

/// Draws the quiz; where the cursor of the terminal stands.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let q = app.quiz()?;
    let (text, beside) = split(q, body(areas));
    let (left, right) = headings(q);
    panel::frame(pen, text, &Heading { left: &left, right: &right, focused: true });
    if let (Some(area), Some(bench)) = (beside, &q.bench) {
        stage(app, q, bench, pen, area);
    }
    let area = inside(text);
    let page = page::page(q, area.width);
    let (first, _) = scrolled(q, &page, area.height);
    for (y, line) in page.lines.iter().skip(first).take(usize::from(area.height)).enumerate() {
        pen.pieces(area, y as u16, line);
    }
    let row = page.rows.get(q.cursor).copied().filter(|_| q.rows() > 0);
    if let Some((from, to)) = row {
        let (from, to) = (from.max(first), to.min(first + usize::from(area.height)));
        if from < to {
            let rect = Rect { y: area.y + (from - first) as u16, height: (to - from) as u16, ..area };
            pen.restyle(rect, Role::Selection);
        }
    }
    more(pen, text, first, page.lines.len(), area.height);
    let (line, column) = page.caret.or_else(|| row.map(|(from, _)| (from, 0)))?;
    let y = line.checked_sub(first).filter(|y| *y < usize::from(area.height))? as u16;
    Some(Position { x: area.x + column.min(area.width.saturating_sub(1)), y: area.y + y })
}

/// Says in the lower edge of the frame that there is more.
fn more(pen: &mut Pen<'_>, frame: Rect, first: usize, lines: usize, height: u16) {
    let below = lines.saturating_sub(first + usize::from(height));
    if frame.width < 24 || frame.height < 3 || (below == 0 && first == 0) {
        return;
    }
    let words = if below > 0 {
        format!(" {below} more {}, pgdn ", if below == 1 { "line" } else { "lines" })
    } else {
        " pgup ".to_owned()
    };
    let width = words.chars().count() as u16;
    pen.text(frame.right() - 2 - width, frame.bottom() - 1, width, &words, Role::Dim);
}

fn headings(q: &Quizzing) -> (String, String) {
    let seed = q.scope().seed;
    match q.leaf() {
        Leaf::Cover => ("quiz".to_owned(), format!("seed {seed}")),
        Leaf::Question(posed, _) => {
            let topic = q.quiz.topic(&posed.topic).map_or("", |t| t.title.as_str());
            let of = q.sitting().map_or(0, |s| s.posed().len());
            (format!("quiz {} {topic}", mark::CLOSED), format!("{} of {of}   seed {seed}", q.at() + 1))
        }
        Leaf::End(_) => (format!("quiz {} score", mark::CLOSED), format!("seed {seed}")),
    }
}

/// The first line that shows, and the last that can be the first.
fn scrolled(q: &Quizzing, page: &Page, height: u16) -> (usize, usize) {
    let height = usize::from(height);
    let most = page.lines.len().saturating_sub(height);
    if let Some(first) = q.scroll {
        return (first.min(most), most);
    }
    if let Some(verdict) = page.verdict {
        return (verdict.min(most), most);
    }
    // The choice under the cursor, or the field, shows in full.
    let end = page.rows.get(q.cursor).map(|r| r.1).or_else(|| page.caret.map(|(line, _)| line + 2)).unwrap_or(0);
    (end.saturating_sub(height).min(most), most)
}

/// The same for the screen as it is: for keys that scroll.
pub(super) fn lines(app: &App, areas: &Areas) -> (usize, usize) {
    let Some(q) = app.quiz() else { return (0, 0) };
    let area = inside(split(q, body(areas)).0);
    scrolled(q, &page::page(q, area.width), area.height)
}

/// The choice or item under a cell of the text or of the picture.
pub(super) fn hit(app: &App, areas: &Areas, at: Position) -> Option<usize> {
    let q = app.quiz()?;
    let (text, beside) = split(q, body(areas));
    if let (Some(frame), Some(bench)) = (beside.filter(|a| a.contains(at)), &q.bench) {
        let inner = panel::inner(frame, areas.form);
        let scene = scene(app, q, bench, inner);
        let item = scene.hit(at.x.checked_sub(inner.x)?, at.y.checked_sub(inner.y)?)?;
        return bench.picks.iter().position(|p| p.is_some_and(|p| p == item.pick));
    }
    let area = inside(text);
    let page = page::page(q, area.width);
    let line = usize::from(at.y.checked_sub(area.y)?) + scrolled(q, &page, area.height).0;
    if !area.contains(at) || q.rows() == 0 {
        return None;
    }
    page.rows.iter().position(|(from, to)| (*from..*to).contains(&line))
}

/// The machine of a question about links: rates while it is open, loads once it is answered.
fn stage(app: &App, q: &Quizzing, bench: &Bench, pen: &mut Pen<'_>, area: Rect) {
    let inner = panel::inner(area, super::areas::Form::Medium);
    let scene = scene(app, q, bench, inner);
    panel::frame(pen, area, &Heading { left: &bench.system.name, right: &scene.unit, focused: false });
    let theme = pen.theme();
    picture::paint(&scene, theme, Glyphs::Unicode, inner, pen.buffer());
}

fn scene(app: &App, q: &Quizzing, bench: &Bench, inner: Rect) -> Scene {
    let answered = matches!(q.leaf(), Leaf::Question(_, Some(_)));
    let none = Marks::default();
    let shown = if answered { right_choice(q) } else { Some(q.cursor) };
    let pick = shown.and_then(|i| bench.picks.get(i).copied()).flatten();
    let unit = if let Some(Pick::Link { unit, .. }) = pick { unit } else { 0 };
    let input = PictureInput {
        system: &bench.system,
        scope: Scope::Node { unit, node: 0 },
        lens: if answered { Lens::Load } else { Lens::Rate },
        plane: Plane::All,
        cell: PairCell::default(),
        selection: pick,
        loads: if answered { &bench.loads } else { &Idle },
        baseline: None,
        bottleneck: if answered { &bench.bottleneck } else { &none },
        edited: &none,
        pairs: None,
        captions: &[],
        glyphs: app.glyphs,
    };
    picture::layout(&input, (inner.width, inner.height))
}

fn right_choice(q: &Quizzing) -> Option<usize> {
    match q.leaf() {
        Leaf::Question(posed, _) => match &posed.body {
            Body::Choice { right, .. } => Some(*right),
            _ => None,
        },
        _ => None,
    }
}
