//! The frame of a panel.

use ratatui::layout::Rect;

use super::areas::Form;
use super::pen::Pen;
use crate::tui::text;
use crate::tui::theme::Role;

/// The inside of a panel's frame.
pub(super) fn inner(area: Rect, _form: Form) -> Rect {
    if area.width < 2 || area.height < 2 {
        return Rect { width: 0, height: 0, ..area };
    }
    Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
}

/// What is written in the upper edge of a frame.
pub(super) struct Heading<'a> {
    pub(super) left: &'a str,
    pub(super) right: &'a str,
    pub(super) focused: bool,
}

/// Draws the frame with its heading; the inside.
pub(super) fn frame(pen: &mut Pen<'_>, area: Rect, heading: &Heading<'_>) -> Rect {
    if area.width < 2 || area.height < 2 {
        return inner(area, Form::Line);
    }
    let glyphs = if heading.focused {
        ["┏", "━", "┓", "┃", "┗", "┛"]
    } else {
        ["┌", "─", "┐", "│", "└", "┘"]
    };
    let role = if heading.focused { Role::Focus } else { Role::Border };
    let [top_left, across, top_right, down, bottom_left, bottom_right] = glyphs;
    let middle = across.repeat(usize::from(area.width) - 2);
    let last = area.bottom() - 1;
    pen.text(area.x, area.y, area.width, &format!("{top_left}{middle}{top_right}"), role);
    pen.text(area.x, last, area.width, &format!("{bottom_left}{middle}{bottom_right}"), role);
    for y in area.y + 1..last {
        pen.text(area.x, y, 1, down, role);
        pen.text(area.right() - 1, y, 1, down, role);
    }
    titles(pen, area, heading);
    inner(area, Form::Line)
}

fn titles(pen: &mut Pen<'_>, area: Rect, heading: &Heading<'_>) {
    let room = area.width.saturating_sub(4);
    let title = if heading.focused { Role::Strong } else { Role::Text };
    let used = if heading.left.is_empty() {
        0
    } else {
        let cut = text::truncate(heading.left, usize::from(room.saturating_sub(2)));
        let words = format!(" {cut} ");
        pen.text(area.x + 2, area.y, room, &words, title) - area.x - 2
    };
    let width = text::width(heading.right) as u16 + 2;
    if !heading.right.is_empty() && used + width + 2 <= room {
        pen.text(area.right() - 2 - width, area.y, width, &format!(" {} ", heading.right), Role::Dim);
    }
}
