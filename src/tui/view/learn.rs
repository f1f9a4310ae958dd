//! The text of a lesson, the reminder of its open step, and the list of lessons.

use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece};
use super::rows;
use crate::lesson::{self, Run, Sheet, SheetLine, Step, Style};
use crate::tui::app::{App, Layer, Screen};
use crate::tui::commands::Command;
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::Share;

/// A line of the page as it is drawn.
struct Drawn {
    pieces: Vec<Piece>,
    /// Whether the learner is to look at it.
    active: bool,
    /// Whether the last key has brought it up.
    fresh: bool,
}

/// Draws what shows of the open lesson; where the terminal's cursor stands while it has the keys.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let class = app.learn.class.as_ref()?;
    if let Some(area) = areas.reminder {
        reminder(app, pen, area, &class.run, &class.sheet);
    }
    let area = areas.lesson?;
    let has_keys = matches!(app.focus.top(), Layer::Lesson);
    let (title, place) = headings(&class.run, usize::from(area.width));
    let inner = panel::frame(pen, area, &Heading { left: &title, right: &place, focused: has_keys });
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let (page, keys) = split(inner);
    let all = drawn(&class.sheet, page.width);
    let (first, most) = window(&all, page.height, class.scroll);
    let mut cursor = None;
    for (y, line) in all.iter().skip(first).take(usize::from(page.height)).enumerate() {
        pen.pieces(page, y as u16, &line.pieces);
        if line.active && cursor.is_none() {
            cursor = Some(Position { x: page.x, y: page.y + y as u16 });
        }
    }
    foot(app, pen, keys, &class.run, (first, most));
    cursor.filter(|_| has_keys)
}

/// The page, and the row for its keys.
fn split(inner: Rect) -> (Rect, Rect) {
    let rows = u16::from(inner.height >= 6);
    let page = Rect { height: inner.height - rows, ..inner };
    (page, Rect { y: page.bottom(), height: rows, ..inner })
}

/// Whether a cell is one of the lesson's text.
pub(super) fn is_over(areas: &Areas, at: Position) -> bool {
    areas.lesson.is_some_and(|area| area.contains(at))
}

/// The first line that shows, and the last that can be the first.
pub(super) fn lines(app: &App, areas: &Areas) -> (usize, usize) {
    let (Some(class), Some(area)) = (app.learn.class.as_ref(), areas.lesson) else { return (0, 0) };
    let inner = panel::inner(area, areas.form);
    let (page, _) = split(Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner });
    window(&drawn(&class.sheet, page.width), page.height, class.scroll)
}

/// Where the learner has scrolled to; else so that what the last key has brought up shows, from its start if it is longer
/// than the page, and with it the step that is open, if that can be.
fn window(all: &[Drawn], height: u16, scroll: Option<usize>) -> (usize, usize) {
    let height = usize::from(height);
    let most = all.len().saturating_sub(height);
    let mut auto = 0;
    let mut show = |is: fn(&Drawn) -> bool| {
        if let (Some(first), Some(last)) = (all.iter().position(is), all.iter().rposition(is)) {
            auto = auto.max((last + 1).saturating_sub(height)).min(first);
        }
    };
    show(|l| l.active);
    show(|l| l.fresh);
    (scroll.unwrap_or(auto).min(most), most)
}

/// `One link: Links in parallel` and `page 2 of 3`.
fn headings(run: &Run, width: usize) -> (String, String) {
    let (lesson, page) = (run.lesson(), run.page());
    let place = format!("{}/{}", run.at() + 1, lesson.pages.len());
    let both = format!("{}: {}", lesson.title, page.title);
    let title = if text::width(&both) + text::width(&place) + 12 <= width { both } else { page.title.clone() };
    (title, place)
}

/// The lines of a sheet, wrapped to a width. Between two of a different sort there is an empty one.
fn drawn(sheet: &Sheet, width: u16) -> Vec<Drawn> {
    let mut all: Vec<Drawn> = Vec::new();
    let mut last: Option<&SheetLine> = None;
    for line in &sheet.lines {
        if last.is_some_and(|before| line.stands_apart(before)) {
            all.push(Drawn { pieces: Vec::new(), active: false, fresh: false });
        }
        let rows = item(line, width).into_iter();
        all.extend(rows.map(|pieces| Drawn { pieces, active: line.active, fresh: line.fresh }));
        last = Some(line);
    }
    all
}

/// One line of the sheet, its mark before its first row.
fn item(line: &SheetLine, width: u16) -> Vec<Vec<Piece>> {
    let role = role(line.style);
    if let Some(bar) = line.bar {
        return vec![bar_row(line, bar, role, usize::from(width))];
    }
    let cursor = line.style == Style::Cursor;
    let mark = match line.mark.as_str() {
        "" if line.text.starts_with("- ") => "- ".to_owned(),
        "" => String::new(),
        m if cursor => format!("{}{m}{} ", mark::SELECTED_LEFT, mark::SELECTED_RIGHT),
        m if m.len() == 1 => format!(" {m}  "),
        m => format!("{m} "),
    };
    let content = line.text.strip_prefix("- ").unwrap_or(&line.text);
    let indent = text::width(&mark);
    let rows = text::wrap(content, usize::from(width).saturating_sub(indent).max(1));
    let before = |i: usize| if i == 0 { mark.clone() } else { " ".repeat(indent) };
    rows.into_iter().enumerate().map(|(i, row)| vec![piece(before(i), role), piece(row, role)]).collect()
}

/// `guess   5.8 ms  ░░░░░░┤`.
fn bar_row(line: &SheetLine, bar: Share, role: Role, width: usize) -> Vec<Piece> {
    let label = text::pad(&line.mark, 7);
    let value = text::right(&line.text, 12);
    let room = width.saturating_sub(7 + 12 + 3).min(24);
    let cells = (bar.ratio().clamp(0.0, 1.0) * room as f64).round() as usize;
    let fill = if line.style == Style::Engine { mark::SOLID } else { mark::LIGHT };
    vec![piece(label, Role::Dim), piece(value, role), piece(format!("  {}", fill.to_string().repeat(cells)), role)]
}

const fn role(style: Style) -> Role {
    match style {
        Style::Text | Style::Choice | Style::Then => Role::Text,
        Style::Ask | Style::Cursor | Style::Engine => Role::Strong,
        Style::Right => Role::Good,
        Style::Wrong | Style::Fault => Role::Bad,
        Style::Hint => Role::WhatIf,
        Style::Later => Role::Dim,
    }
}

/// The last row of the panel: what the keys would do now, and how much of the page lies outside.
fn foot(app: &App, pen: &mut Pen<'_>, area: Rect, run: &Run, (first, most): (usize, usize)) {
    let key = |c: Command| app.config.keymap.key_label(c.spec());
    let enter = match run.step() {
        Step::Predict(_) => "answers",
        Step::Task(..) => "",
        Step::Done if run.at() + 1 == run.lesson().pages.len() => "ends the lesson",
        Step::Done => "next page",
    };
    let mut pieces = Vec::new();
    if enter.is_empty() {
        pieces.push(piece(format!("{} ", key(Command::NextPanel)), Role::Key));
        let what = if app.focus.screen() == Screen::Explore { "into the picture" } else { "into the screen beside" };
        pieces.push(piece(what, Role::Dim));
    } else {
        if let Some(last) = run.choices().checked_sub(1) {
            pieces.push(piece(format!("a-{}", lesson::letter(last)), Role::Key));
            pieces.push(piece(" or ", Role::Dim));
        }
        pieces.push(piece(format!("{} ", key(Command::LessonAct)), Role::Key));
        pieces.push(piece(enter, Role::Dim));
    }
    let end = pen.pieces(area, 0, &pieces);
    let (above, below) = (first, most - first);
    let lines = |n: usize| if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
    let (up, down) = (key(Command::PageUp), key(Command::PageDown));
    // The longest that fits.
    let ways = match (above, below) {
        (0, 0) => return,
        (0, n) => [format!("{} below, {down}", lines(n)), format!("{n} below, {down}"), format!("{n} below")],
        (n, 0) => [format!("{} above, {up}", lines(n)), format!("{n} above, {up}"), format!("{n} above")],
        (a, b) => {
            let both = format!("{a} above, {b} below");
            [format!("{a} above, {} below, {down}", lines(b)), both, format!("{b} below")]
        }
    };
    let room = usize::from(area.right().saturating_sub(end + 2));
    let Some(more) = ways.iter().find(|w| text::width(w) <= room) else { return };
    let rest = Rect { x: end, width: area.right().saturating_sub(end), ..area };
    super::charts::hint(pen, rest, more);
}

/// What the lesson asks for, while its text is hidden.
fn reminder(app: &App, pen: &mut Pen<'_>, area: Rect, run: &Run, sheet: &Sheet) {
    let key = |c: Command| app.config.keymap.key_label(c.spec());
    let (mark, words, role) = match run.step() {
        Step::Predict(_) => ("", "a prediction is open", Role::Dim),
        Step::Task(..) => {
            let open = sheet.lines.iter().find(|l| l.mark == "[ ]" && l.active);
            ("[ ] ", open.map_or("", |l| l.text.as_str()), Role::Strong)
        }
        Step::Done => ("[x] ", "this page is done", Role::Good),
    };
    let back = format!("; {} leads back to the text", key(Command::Learn));
    let hints = sheet.lines.iter().filter(|l| l.style == Style::Hint).map(|l| format!(" Hint: {}", l.text));
    let words = format!("{mark}{words}{}", hints.collect::<String>());
    let words = format!("{}{back}", words.trim_end_matches('.'));
    for (y, row) in text::wrap(&words, usize::from(area.width.saturating_sub(2))).iter().enumerate() {
        pen.pieces(Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }, y as u16, &[piece(row, role)]);
    }
}

/// The list of lessons with what is done of each.
pub(super) fn list(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let all = &app.learn.list;
    let finished = |h: &lesson::Heading| app.learn.progress.of(&h.name).is_some_and(lesson::Record::is_complete);
    let count = all.iter().filter(|h| finished(h)).count();
    let inner = rows::frame(app, pen, areas, "lessons on the live engine", &format!("{count} of {} done", all.len()));
    let note = all.get(app.learn.at).map(|h| format!("{}. icx-tui learn {}", h.about, h.name)).unwrap_or_default();
    let area = rows::above_note(pen, inner, &note, Role::Strong);
    let widest = all.iter().map(|h| text::width(&h.title)).max().unwrap_or(0);
    let lines: Vec<rows::Line> =
        all.iter().enumerate().map(|(i, h)| (Some(i), row(app, i, h, widest, area.width))).collect();
    rows::list(pen, area, &lines, app.learn.at)
}

/// ` 3  Units and direction   ■■■□  3 of 4, 2 predicted`.
fn row(app: &App, i: usize, h: &lesson::Heading, widest: usize, width: u16) -> Vec<Piece> {
    let none = lesson::Record::default();
    let record = app.learn.progress.of(&h.name).unwrap_or(&none);
    let gauge: String = (0..h.pages).map(|p| if record.done.contains(&p) { mark::FULL } else { mark::EMPTY }).collect();
    let role = if record.is_complete() { Role::Dim } else { Role::Text };
    let mut pieces = vec![
        piece(text::right(&(i + 1).to_string(), 3), Role::Dim),
        piece(format!("  {}  ", text::pad(&h.title, widest)), role),
        piece(gauge, Role::Good),
    ];
    let used: usize = pieces.iter().map(|(t, _)| text::width(t)).sum();
    if !record.right.is_empty() {
        let words = format!("  {} predicted right", record.right.len());
        if used + text::width(&words) <= usize::from(width) {
            pieces.push(piece(words, Role::Dim));
        }
    }
    pieces
}
