//! A buffer as text with ANSI colour sequences.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::run::{Look, Shown, rows, runs};

/// The rows of the buffer with their colours and modifiers as SGR sequences, a line each. Every line ends in the
/// terminal's own style, so the text can be cut, piped and printed anywhere.
pub fn to_ansi(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        for (look, run) in runs(&row) {
            let text: String = run.iter().map(Shown::symbol).collect();
            if look == Look::PLAIN {
                out.push_str(&text);
            } else {
                let _ = write!(out, "\u{1b}[{}m{text}\u{1b}[0m", sequence(look));
            }
        }
        let kept = out.trim_end_matches(' ').len();
        out.truncate(kept);
        out.push('\n');
    }
    out
}

/// The parameters of the look's SGR sequence.
fn sequence(look: Look) -> String {
    const MODIFIERS: [(Modifier, &str); 7] = [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::UNDERLINED, "4"),
        (Modifier::REVERSED, "7"),
        (Modifier::HIDDEN, "8"),
        (Modifier::CROSSED_OUT, "9"),
    ];
    let mut codes: Vec<String> =
        MODIFIERS.iter().filter(|(m, _)| look.has(*m)).map(|(_, code)| (*code).to_owned()).collect();
    codes.extend(colour(look.fg, 30));
    codes.extend(colour(look.bg, 40));
    codes.join(";")
}

/// The parameters of a colour; `base` is 30 for the foreground, 40 for the background.
fn colour(colour: Color, base: u8) -> Option<String> {
    let index = match colour {
        Color::Reset => return None,
        Color::Rgb(r, g, b) => return Some(format!("{};2;{r};{g};{b}", base + 8)),
        Color::Indexed(n) => return Some(format!("{};5;{n}", base + 8)),
        named => super::palette::ansi_index(named),
    };
    // 0..=7 are base + n; the bright ones start at 90 and 100.
    Some(if index < 8 { base + index } else { base + 60 + index - 8 }.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn line(text: &str, style: Style) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        buffer.set_string(1, 0, text, style);
        to_ansi(&buffer)
    }

    #[test]
    fn writes_modifiers_and_every_kind_of_colour() {
        assert_eq!(line("x", Style::new()), " x\n");
        assert_eq!(line("x", Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD)), " \u{1b}[1;33mx\u{1b}[0m\n");
        assert_eq!(line("x", Style::new().fg(Color::LightBlue).bg(Color::White)), " \u{1b}[94;107mx\u{1b}[0m\n");
        assert_eq!(line("x", Style::new().fg(Color::Indexed(208))), " \u{1b}[38;5;208mx\u{1b}[0m\n");
        assert_eq!(line("x", Style::new().bg(Color::Rgb(1, 2, 3))), " \u{1b}[48;2;1;2;3mx\u{1b}[0m\n");
    }

    #[test]
    fn blanks_at_the_end_are_cut_but_not_reversed_ones() {
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        assert_eq!(line("a ", reversed), " \u{1b}[7ma \u{1b}[0m\n");
    }
}
