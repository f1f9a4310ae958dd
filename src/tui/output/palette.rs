//! The colours of the 16 named ones on paper, for pictures outside of a terminal.

use ratatui::style::Color;

use crate::tui::theme::palette_rgb;

/// The page that an SVG is drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Page {
    /// Dark ink on white.
    Light,
    /// Light ink on near-black.
    #[default]
    Dark,
}

impl Page {
    /// Ink and paper where the style says "the terminal's own".
    pub(super) const fn ink(self) -> [u8; 3] {
        match self {
            Self::Light => [0x1f, 0x23, 0x28],
            Self::Dark => [0xd0, 0xd7, 0xde],
        }
    }

    pub(super) const fn paper(self) -> [u8; 3] {
        match self {
            Self::Light => [0xff, 0xff, 0xff],
            Self::Dark => [0x0d, 0x11, 0x17],
        }
    }

    /// Named colours in ANSI order, darkened on white and lightened on black so that each is readable as text.
    const fn named(self) -> [u32; 16] {
        match self {
            Self::Light => [
                0x24_292f, 0xcf_222e, 0x11_6329, 0x7d_5200, 0x09_69da, 0x82_50df, 0x1b_7c83, 0x6e_7781, 0x57_606a,
                0xa4_0e26, 0x1a_7f37, 0x63_3c01, 0x21_8bff, 0xa4_75f9, 0x31_92aa, 0x8c_959f,
            ],
            Self::Dark => [
                0x48_4f58, 0xff_7b72, 0x3f_b950, 0xd2_9922, 0x58_a6ff, 0xbc_8cff, 0x39_c5cf, 0xb1_bac4, 0x6e_7681,
                0xff_a198, 0x56_d364, 0xe3_b341, 0x79_c0ff, 0xd2_a8ff, 0x56_d4dd, 0xff_ffff,
            ],
        }
    }

    /// The red, green and blue of a colour; `None` for the terminal's own.
    pub(super) fn rgb(self, colour: Color) -> Option<[u8; 3]> {
        match colour {
            Color::Reset => None,
            Color::Rgb(r, g, b) => Some([r, g, b]),
            Color::Indexed(n) if n > 15 => Some(palette_rgb(n)),
            Color::Indexed(n) => Some(self.nth(n)),
            named => Some(self.nth(ansi_index(named))),
        }
    }

    fn nth(self, index: u8) -> [u8; 3] {
        let hex = self.named().get(usize::from(index)).copied().unwrap_or_default();
        [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
    }
}

/// Place of a named colour in the ANSI order, 0 black to 15 bright white.
pub(super) const fn ansi_index(colour: Color) -> u8 {
    match colour {
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance by the web's accessibility rules.
    fn luminance(rgb: [u8; 3]) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let [r, g, b] = rgb.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
        let (x, y) = (luminance(a), luminance(b));
        (x.max(y) + 0.05) / (x.min(y) + 0.05)
    }

    #[test]
    fn the_colours_of_the_default_theme_are_readable_on_both_pages() {
        use Color::{Cyan, Green, LightBlue, Magenta, Red, Yellow};
        for page in [Page::Light, Page::Dark] {
            for colour in [Cyan, Green, LightBlue, Magenta, Red, Yellow] {
                let rgb = page.rgb(colour).unwrap_or_default();
                assert!(contrast(rgb, page.paper()) >= 3.0, "{page:?} {colour:?}");
            }
            assert!(contrast(page.ink(), page.paper()) >= 7.0);
        }
    }
}
