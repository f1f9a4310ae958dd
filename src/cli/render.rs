//! A screen without a terminal: as text, ANSI or SVG. The very frame that the terminal would show.

use std::str::FromStr;

use anyhow::{Result, bail};

use super::explore::Start;
use crate::measure::overlay::Measured;
use crate::system::System;
use crate::tui::app::Options;
use crate::tui::app::Screen;
use crate::tui::config::Config;
use crate::tui::glyphs::Glyphs;
use crate::tui::keys::parse_script;
use crate::tui::output::{Page, to_ansi, to_styled, to_svg, to_text};
use crate::tui::theme::Theme;

/// Most columns or rows.
const LARGEST: u16 = 1000;

/// How the picture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Plain text.
    #[default]
    Text,
    /// Text with colours.
    Ansi,
    /// A vector picture.
    Svg,
    /// Text and a grid of style letters, for tests.
    Styled,
}

/// Columns and rows, as `120x40`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = text.split_once('x').and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
        let fail = || format!("{text:?} is not a size; expected COLUMNSxROWS up to {LARGEST}x{LARGEST}, as 120x40");
        let (columns, rows) = size.filter(|(c, r)| *c <= LARGEST && *r <= LARGEST).ok_or_else(fail)?;
        Ok(Self { columns, rows })
    }
}

/// What is rendered, and how.
#[derive(Debug, Clone)]
pub struct Render {
    /// The screen's name.
    pub screen: String,
    /// How large.
    pub size: Size,
    /// A key script that runs first.
    pub keys: String,
    /// A theme's name.
    pub theme: Option<String>,
    /// Printable ASCII only.
    pub ascii: bool,
    /// What was measured, for the screens that show it.
    pub measured: Option<Measured>,
    /// The other system of a comparison, and what was typed for it.
    pub against: Option<(String, System)>,
    /// Keys and colours.
    pub config: Option<Config>,
    /// How it is written.
    pub format: Format,
}

/// Draws the screen after the keys.
///
/// # Errors
/// An unknown screen or theme, or a key script that cannot be read.
pub fn run(start: Start, render: &Render) -> Result<String> {
    let Some(screen) = Screen::named(&render.screen) else {
        bail!("no screen {:?}; expected one of {}", render.screen, Screen::ALL.map(Screen::name).join(", "));
    };
    let config = render.config.clone().unwrap_or_default();
    let name = render.theme.as_deref().or(config.theme.as_deref()).unwrap_or("default");
    let theme = config.over(Theme::named(name)?);
    let glyphs = if render.ascii || config.ascii { Glyphs::Ascii } else { Glyphs::Unicode };
    let keys = parse_script(&render.keys).map_err(|e| anyhow::anyhow!("--keys: {e}"))?;
    let measured = render.measured.clone();
    let mut app = start.app(Options { theme: theme.clone(), glyphs, measured, config, ..Options::default() });
    if let Some((name, system)) = &render.against {
        app.compare_with(Some(system.clone()), name);
    }
    app.open_screen(screen);
    let shown = app.replay(render.size.columns, render.size.rows, keys);
    let buffer = shown.buffer();
    let page = if theme.name() == "dark" { Page::Dark } else { Page::Light };
    Ok(match render.format {
        Format::Text => to_text(buffer),
        Format::Ansi => to_ansi(buffer),
        Format::Svg => to_svg(buffer, page),
        Format::Styled => to_styled(buffer, &theme),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_columns_by_rows() {
        assert_eq!("120x40".parse(), Ok(Size { columns: 120, rows: 40 }));
        assert_eq!("0x0".parse(), Ok(Size { columns: 0, rows: 0 }));
        for bad in ["120", "x", "axb", "-1x4", "70000x1", "1001x10"] {
            assert!(bad.parse::<Size>().is_err_and(|e| e.contains("120x40")), "{bad}");
        }
    }
}
