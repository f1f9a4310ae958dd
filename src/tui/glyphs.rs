//! The glyphs that the screen may use, and their ASCII set.
//!
//! Everything is drawn with the unicode set; the ASCII set replaces cell by cell at the very end, so both have the
//! same geometry. One table, [`ascii_of`], maps each allowed glyph to exactly one ASCII character.

mod joint;

pub use joint::{Weight, arms_of, joint};

use ratatui::buffer::Buffer;

use super::text;

/// The marks of the screen, by what they say.
pub mod mark {
    /// Left of the selected name.
    pub const SELECTED_LEFT: char = '►';
    /// Right of the selected name.
    pub const SELECTED_RIGHT: char = '◄';
    /// Before the load of the bottleneck.
    pub const BOTTLENECK: char = '◄';
    /// A device or link that is out.
    pub const DOWN: char = '╳';
    /// A device or link that runs below its rate.
    pub const DEGRADED: char = '▼';
    /// An edit.
    pub const EDIT: char = '*';
    /// A closed branch of the tree.
    pub const CLOSED: char = '▸';
    /// An open branch of the tree.
    pub const OPEN: char = '▾';
    /// Text was cut here.
    pub const ELLIPSIS: char = '…';
    /// A GPU of a rack; a complete chunk.
    pub const FULL: char = '■';
    /// An empty box.
    pub const EMPTY: char = '□';
    /// Nothing here: a spare, an idle gauge, no link.
    pub const NOTHING: char = '·';
    /// Left end of a switch bar.
    pub const BAR_LEFT: char = '╞';
    /// Right end of a switch bar.
    pub const BAR_RIGHT: char = '╡';
    /// Filled part of a bar of the baseline.
    pub const SOLID: char = '█';
    /// Filled part of a bar of the what-if.
    pub const HATCHED: char = '▒';
    /// The light part of a split bar.
    pub const LIGHT: char = '░';
}

/// Which set of glyphs is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Box drawing, blocks and the few marks of [`is_allowed`].
    #[default]
    Unicode,
    /// Printable ASCII only.
    Ascii,
}

impl Glyphs {
    /// The character that this set paints for a glyph of the unicode set. What no table knows (a user's own names)
    /// stays itself in the unicode set and becomes `?` in the ASCII set.
    pub fn map(self, glyph: char) -> char {
        match self {
            Self::Unicode => glyph,
            Self::Ascii => ascii_of(glyph).unwrap_or('?'),
        }
    }

    /// Turns a finished buffer into this set, cell by cell. The last step of drawing a frame.
    pub fn apply(self, buffer: &mut Buffer) {
        if self == Self::Unicode {
            return;
        }
        for cell in &mut buffer.content {
            if cell.symbol().is_ascii() {
                continue;
            }
            // A wide glyph covers the cells after it; they hold blanks, so one `?` and a blank keep the columns.
            let mut glyphs = cell.symbol().chars();
            let ascii = match (glyphs.next(), glyphs.next()) {
                (Some(glyph), None) => self.map(glyph),
                _ => '?',
            };
            cell.set_char(ascii);
        }
    }
}

/// The gauge of a load in whole percent: `·` at 0, then seven equal steps `▁` to `▇`. Never `█`: stacked full blocks
/// melt together.
pub const fn gauge(percent: u8) -> char {
    // Step k covers the loads above (k-1)/7 up to k/7 of 100 %.
    match (percent as u32 * 7).div_ceil(100) {
        0 => '·',
        1 => '▁',
        2 => '▂',
        3 => '▃',
        4 => '▄',
        5 => '▅',
        6 => '▆',
        _ => '▇',
    }
}

/// Whether built-in text may contain this character. All allowed ones are one cell wide outside of the
/// ambiguous-is-wide mode of some terminals, which gets the ASCII set.
pub const fn is_allowed(glyph: char) -> bool {
    matches!(
        glyph,
        ' '..='~'
            | '\u{2500}'..='\u{257f}'
            | '\u{2580}'..='\u{2593}'
            | '\u{2800}'..='\u{28ff}'
            | '■' | '□' | '▲' | '►' | '▼' | '◄' | '▸' | '▾' | '·' | '…'
    )
}

/// The first character of a built-in text that [`is_allowed`] bars, if any. For tests that walk the built-in texts.
pub fn first_barred(text: &str) -> Option<char> {
    text.chars().find(|c| *c != '\n' && !is_allowed(*c))
}

/// The one ASCII character that stands for an allowed glyph; `None` for every other.
#[expect(clippy::match_same_arms, reason = "the table is read by kind of glyph, not by result")]
pub const fn ascii_of(glyph: char) -> Option<char> {
    Some(match glyph {
        ' '..='~' => glyph,
        // Wires and frames.
        '─' | '╴' | '╶' | '╼' => '-',
        '━' | '═' | '╸' | '╺' | '╾' => '=',
        '│' | '╵' | '╷' | '╽' => '|',
        '┃' | '║' | '╹' | '╻' | '╿' => '#',
        '┄' | '┅' | '┈' | '┉' | '╌' | '╍' => '.',
        '┆' | '┇' | '┊' | '┋' | '╎' | '╏' => ':',
        '╱' => '/',
        '╲' => '\\',
        '╳' => 'X',
        // Every corner, tee and cross that is left.
        '\u{2500}'..='\u{257f}' => '+',
        // Gauges: a ramp of ink, not digits, since a digit beside a gauge is a count.
        '·' => '.',
        '▁' => ':',
        '▂' => ';',
        '▃' => '+',
        '▄' => '*',
        '▅' => '&',
        '▆' => '#',
        '▇' => '@',
        // Bars of time.
        '█' => '#',
        '▓' => '*',
        '▒' => '+',
        '░' => '.',
        // The partial blocks that charts may use.
        '▀' | '▉' | '▊' | '▋' | '▌' | '▐' => '#',
        '▍' | '▎' | '▏' => '|',
        // Marks.
        '■' => 'O',
        '□' => '-',
        '►' | '▸' => '>',
        '◄' => '<',
        '▲' => '^',
        '▼' | '▾' => 'v',
        '…' => '~',
        // Braille: an empty cell stays empty, any dot is a star.
        '\u{2800}' => ' ',
        '\u{2801}'..='\u{28ff}' => '*',
        _ => return None,
    })
}

/// A text in this set of glyphs, as wide as the original.
pub fn in_glyphs(text: &str, glyphs: Glyphs) -> String {
    if glyphs == Glyphs::Unicode {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (cluster, width) in text::cells(text) {
        let mut chars = cluster.chars();
        match (chars.next(), chars.next()) {
            (Some(glyph), None) if width == 1 => out.push(glyphs.map(glyph)),
            _ => out.extend(std::iter::repeat_n('?', width)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use unicode_width::UnicodeWidthChar;

    fn allowed() -> impl Iterator<Item = char> {
        ('\0'..='\u{ffff}').filter(|c| is_allowed(*c))
    }

    #[test]
    fn every_allowed_glyph_has_one_ascii_character_and_width_one() {
        for glyph in allowed() {
            let ascii = ascii_of(glyph);
            assert!(ascii.is_some_and(|a| (' '..='~').contains(&a)), "{glyph:?}");
            assert_eq!(glyph.width(), Some(1), "{glyph:?}");
        }
    }

    #[test]
    fn what_is_not_allowed_has_no_ascii_character() {
        for glyph in ('\0'..='\u{ffff}').filter(|c| !is_allowed(*c)) {
            assert_eq!(ascii_of(glyph), None, "{glyph:?}");
        }
        for glyph in ['▶', '◀', '⚠', '✓', '✗', '→', '😀'] {
            assert!(!is_allowed(glyph));
        }
        assert_eq!(first_barred("load ▇ → 9"), Some('→'));
        assert_eq!(first_barred("load ▇\n9"), None);
    }

    #[test]
    fn gauges_rise_in_seven_steps_and_differ_in_both_sets() {
        let ramp: Vec<char> = (0..=100).map(gauge).fold(Vec::new(), |mut seen, g| {
            if seen.last() != Some(&g) {
                seen.push(g);
            }
            seen
        });
        assert_eq!(ramp.iter().collect::<String>(), "·▁▂▃▄▅▆▇");
        assert_eq!(in_glyphs("·▁▂▃▄▅▆▇", Glyphs::Ascii), ".:;+*&#@");
        assert_eq!(in_glyphs("░▒▓█", Glyphs::Ascii), ".+*#");
        assert_eq!((gauge(1), gauge(14), gauge(15)), ('▁', '▁', '▂'));
        assert_eq!((gauge(100), gauge(255)), ('▇', '▇'));
    }

    #[test]
    fn the_gauge_agrees_with_the_level_of_the_load() {
        // Idle and only idle is a dot; full is always the top step.
        assert!((1..=100).all(|p| gauge(p) != '·'));
        assert!((90..=100).all(|p| gauge(p) == '▇'));
    }

    #[test]
    fn a_buffer_in_ascii_keeps_its_columns() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_string(0, 0, "┏═►日é◄▇…x", ratatui::style::Style::new());
        Glyphs::Ascii.apply(&mut buffer);
        let row: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(row, "+=>? ?<@~x  ");
    }

    #[test]
    fn a_text_in_ascii_keeps_its_width() {
        assert_eq!(in_glyphs("►日é◄", Glyphs::Ascii), ">???<");
        assert_eq!(in_glyphs("►日é◄", Glyphs::Unicode), "►日é◄");
    }
}
