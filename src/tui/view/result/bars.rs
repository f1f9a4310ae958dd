//! Times as bars on one axis: solid the baseline, hatched the what-if, whiskers the range, a rule at the bound.

use ratatui::layout::Rect;

use crate::cost::{Answer, Estimate};
use crate::tui::app::{App, Screen};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::pen::{Pen, piece};
use crate::units::{Time, significant};

/// Columns of the words before a bar.
const WORDS: u16 = 53;
const WORDS_COMPACT: u16 = 39;
const WORDS_BARE: u16 = 16;
/// Label, time and a blank column of a compact row.
const COMPACT_BEFORE: usize = 15;
/// Below this width a compact bar has the time alone before it.
const BARE: u16 = 66;

/// One bar.
struct Bar<'a> {
    label: &'static str,
    answer: &'a Answer,
    role: Role,
    fill: char,
}

/// Draws the bars from the first row on; the row after them.
pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, compact: bool) -> u16 {
    let answers = app.answers();
    let differs = app.history().differs();
    let then = Bar {
        label: if compact { "base" } else { "baseline" },
        answer: &answers.baseline,
        role: Role::Baseline,
        fill: mark::SOLID,
    };
    let now = Bar {
        label: if compact { "if" } else { "what-if" },
        answer: &answers.now,
        role: Role::WhatIf,
        fill: mark::HATCHED,
    };
    let longest = [&answers.baseline, &answers.now].into_iter().filter_map(|a| a.estimate());
    let scale = longest.map(|e| e.high.max(e.time)).fold(Time::ZERO, Time::max);
    let bound = answers.baseline.estimate().map_or(Time::ZERO, |e| e.bound);
    let axis =
        Axis { area, scale, bound, compact, end: super::change(app).map_or(0, |(t, _)| text::width(&t) as u16 + 2) };
    axis.bar(pen, 0, &then);
    if differs {
        axis.bar(pen, 1, &now);
        if let Some((change, role)) = super::change(app) {
            pen.pieces_right(area, 1, &[piece(change, role)]);
        }
    } else {
        let label = if compact { "if    " } else { "what-if   " };
        let room = usize::from(area.width).saturating_sub(text::width(label));
        pen.pieces(area, 1, &[piece(label, Role::Dim), piece(no_edits(app, room), Role::Dim)]);
    }
    if compact { 2 } else { axis.bound_row(app, pen) }
}

/// How an edit is made, in as many words as `room` columns take.
fn no_edits(app: &App, room: usize) -> String {
    // The baseline may have edits of its own.
    let none = if app.history().done().is_empty() { "no edits yet" } else { "as the baseline" };
    let ways: &[&str] = match app.focus.screen() {
        Screen::Explore => &[
            ": space takes the selected part out, : types an edit",
            ": space takes out, : types one",
            ": space, or :",
            "",
        ],
        _ => &["; type one after a colon (:)", ""],
    };
    let ways = ways.iter().map(|w| format!("{none}{w}")).chain(["no edits".to_owned()]);
    ways.into_iter().find(|w| text::width(w) <= room).unwrap_or_default()
}

struct Axis {
    area: Rect,
    scale: Time,
    bound: Time,
    compact: bool,
    /// Columns kept free at the end of the row.
    end: u16,
}

impl Axis {
    fn bar(&self, pen: &mut Pen<'_>, row: u16, bar: &Bar<'_>) {
        let label = text::pad(bar.label, if self.compact { 5 } else { 9 });
        let e = match bar.answer {
            Answer::Estimate(e) => e,
            Answer::Unreachable(u) => {
                pen.pieces(self.area, row, &[piece(label, bar.role), piece(format!(" {u}"), Role::Down)]);
                return;
            }
        };
        let bare = self.compact && self.area.width < BARE;
        let mut words = words(e, self.compact);
        if bare {
            words.1.clear();
        }
        pen.pieces(self.area, row, &[piece(label, bar.role), piece(words.0, Role::Strong), piece(words.1, Role::Text)]);
        let start = match (self.compact, bare) {
            (_, true) => WORDS_BARE,
            (true, false) => WORDS_COMPACT,
            (false, false) => WORDS,
        };
        let width = self.area.width.saturating_sub(start + self.end);
        if width < 6 || row >= self.area.height {
            return;
        }
        let area = Rect { x: self.area.x + start, y: self.area.y + row, width, height: 1 };
        self.draw_bar(pen, area, e, bar);
    }

    fn draw_bar(&self, pen: &mut Pen<'_>, area: Rect, e: &Estimate, bar: &Bar<'_>) {
        let at = |t: Time| {
            ((t / self.scale).ratio() * f64::from(area.width - 1)).round().clamp(0.0, f64::from(area.width - 1)) as u16
        };
        let (full, high) = (at(e.time), at(e.high));
        for x in 0..area.width {
            let (glyph, role) = match x {
                x if x < full => (bar.fill, bar.role),
                x if x == high => ('┤', Role::Range),
                x if x < high => ('─', Role::Range),
                _ => continue,
            };
            pen.text(area.x + x, area.y, 1, &glyph.to_string(), role);
        }
        if self.bound > Time::ZERO {
            pen.text(area.x + at(self.bound), area.y, 1, "│", Role::Strong);
        }
    }

    /// The row that says what the rule means; the row after it.
    fn bound_row(&self, app: &App, pen: &mut Pen<'_>) -> u16 {
        let (Some(then), now) = (app.answers().baseline.estimate(), app.answers().now.estimate()) else { return 2 };
        if self.bound <= Time::ZERO {
            return 2;
        }
        let share = now.map_or_else(String::new, |n| format!("; the answer is at {} of its limit", n.share_of_bound()));
        let other = now
            .filter(|n| (n.bound / then.bound).ratio() - 1.0 > 0.001 || (then.bound / n.bound).ratio() - 1.0 > 0.001);
        let other = match (now, other) {
            (None, _) => "; with the edits there is no time at all".to_owned(),
            (_, other) => other.map_or_else(String::new, |n| format!(", with the edits {}", n.bound)),
        };
        pen.pieces(
            self.area,
            2,
            &[
                piece(format!("bound    {}", text::right(&then.bound.to_string(), 9)), Role::Dim),
                piece(format!("  │ no algorithm is faster{other}{share}"), Role::Dim),
            ],
        );
        3
    }
}

/// Time; range and busbw.
fn words(e: &Estimate, compact: bool) -> (String, String) {
    let (low, high) = range(e);
    let time = text::right(&e.time.to_string(), 9);
    let busbw = e.busbw().gbytes_per_s();
    let busbw = if busbw.is_finite() { significant(busbw) } else { "-".to_owned() };
    if compact {
        let room = usize::from(WORDS_COMPACT) - COMPACT_BEFORE;
        // A number is whole or it is left out.
        let ways = [format!("  {low}..{high}  busbw {busbw}"), format!("  busbw {busbw}"), String::new()];
        let fits = ways.into_iter().find(|w| text::width(w) <= room).unwrap_or_default();
        return (time, text::pad(&fits, room));
    }
    (time, format!("  {}  busbw {busbw} GB/s", text::pad(&format!("{low} .. {high}"), 13)))
}

/// Both ends of the range in the unit of the time.
fn range(e: &Estimate) -> (String, String) {
    let unit = match e.time.us().abs() {
        t if t >= 1e6 => 1e6,
        t if t >= 1e3 => 1e3,
        _ => 1.0,
    };
    (significant(e.low.us() / unit), significant(e.high.us() / unit))
}
