//! A buffer as plain text.

use ratatui::buffer::Buffer;

use super::run::{Shown, rows};

/// The rows of the buffer, a line each, blanks at the ends cut.
pub fn to_text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        let line: String = row.iter().map(Shown::symbol).collect();
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn a_wide_glyph_takes_its_two_columns_once() {
        let mut buffer = Buffer::empty(Rect::new(3, 5, 8, 2));
        buffer.set_string(3, 5, "a日b", Style::new());
        assert_eq!(to_text(&buffer), "a日b\n\n");
    }

    #[test]
    fn an_empty_buffer_is_an_empty_text() {
        assert_eq!(to_text(&Buffer::empty(Rect::ZERO)), "");
        assert_eq!(to_text(&Buffer::empty(Rect::new(0, 0, 0, 3))), "");
    }
}
