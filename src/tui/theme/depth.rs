//! How many colours a terminal shows, and bringing a style down to that.

use ratatui::style::{Color, Style};

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colour at all.
    Mono,
    /// The 16 ANSI colours.
    Ansi16,
    /// The 256-colour palette.
    Ansi256,
    /// 24-bit colour.
    Rgb,
}

impl Depth {
    /// The style with every colour replaced by the nearest one that this depth has. `Mono` drops the colours.
    pub fn limit(self, style: Style) -> Style {
        let mut limited = style;
        limited.fg = style.fg.and_then(|colour| self.limit_colour(colour));
        limited.bg = style.bg.and_then(|colour| self.limit_colour(colour));
        limited
    }

    fn limit_colour(self, colour: Color) -> Option<Color> {
        match (self, colour) {
            (Self::Mono, _) => None,
            (Self::Ansi256, Color::Rgb(r, g, b)) => Some(nearest_of_256([r, g, b])),
            (Self::Ansi16, Color::Rgb(r, g, b)) => Some(nearest_of_16([r, g, b])),
            // Orange stands against blue in the colour-blind theme: red keeps that distance, yellow (the nearest by
            // arithmetic) is taken by load.
            (Self::Ansi16, Color::Indexed(208)) => Some(Color::LightRed),
            (Self::Ansi16, Color::Indexed(index)) => Some(nearest_of_16(palette_rgb(index))),
            _ => Some(colour),
        }
    }
}

/// The 16 ANSI colours with the values that xterm gives them.
pub(crate) const ANSI_16: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

/// The red, green and blue of an entry of the 256-colour palette: 16 ANSI, a 6 x 6 x 6 cube, 24 greys.
pub(crate) fn palette_rgb(index: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |n: u8| LEVELS.get(usize::from(n % 6)).copied().unwrap_or(0);
    match index {
        0..=15 => ANSI_16.get(usize::from(index)).map_or([0; 3], |(_, rgb)| *rgb),
        16..=231 => {
            let n = index - 16;
            [level(n / 36), level(n / 6), level(n)]
        }
        _ => [8 + (index - 232) * 10; 3],
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(x, y)| u32::from(x.abs_diff(y)).pow(2)).sum()
}

fn nearest_of_16(rgb: [u8; 3]) -> Color {
    ANSI_16.iter().min_by_key(|(_, candidate)| distance(rgb, *candidate)).map_or(Color::Reset, |(colour, _)| *colour)
}

/// Only the cube and the greys: what the first 16 look like is the user's choice.
fn nearest_of_256(rgb: [u8; 3]) -> Color {
    (16..=255u8).min_by_key(|index| distance(rgb, palette_rgb(*index))).map_or(Color::Reset, Color::Indexed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_corners_are_the_standard_ones() {
        assert_eq!(palette_rgb(16), [0, 0, 0]);
        assert_eq!(palette_rgb(231), [255, 255, 255]);
        assert_eq!(palette_rgb(208), [255, 135, 0]);
        assert_eq!(palette_rgb(232), [8, 8, 8]);
        assert_eq!(palette_rgb(255), [238, 238, 238]);
    }

    #[test]
    fn colours_of_the_palette_find_themselves() {
        for index in 16..=255u8 {
            let Color::Indexed(found) = nearest_of_256(palette_rgb(index)) else { continue };
            assert_eq!(palette_rgb(found), palette_rgb(index));
        }
        for (colour, rgb) in ANSI_16 {
            assert_eq!(nearest_of_16(rgb), colour);
        }
    }

    #[test]
    fn orange_at_16_colours_is_not_the_yellow_of_load() {
        let style = Depth::Ansi16.limit(Style::new().fg(Color::Indexed(208)));
        assert_eq!(style.fg, Some(Color::LightRed));
    }
}
