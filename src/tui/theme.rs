//! What a style means: the roles that the screens name, and themes that map each role to a style.
//!
//! Screens never name a colour. They name a [`Role`]; a [`Theme`] turns it into a [`Style`]. The default theme uses
//! the terminal's own foreground and background and the 16 ANSI colours, so it is readable on light and on dark
//! terminals without asking the terminal anything.

mod builtin;
mod depth;
mod parse;
mod role;

pub use depth::Depth;
pub(crate) use depth::palette_rgb;
pub use parse::{ParseStyleError, parse_style};
pub use role::Role;

use std::fmt;

use ratatui::style::Style;

use crate::parts::nearest;

/// A named mapping from every [`Role`] to a [`Style`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    name: String,
    styles: [Style; Role::COUNT],
}

impl Theme {
    /// The names of the built-in themes, in the order in which they are offered.
    pub const NAMES: [&'static str; 6] = ["default", "light", "dark", "high-contrast", "colour-blind", "mono"];

    /// The built-in theme of this name.
    ///
    /// # Errors
    /// [`UnknownTheme`] with the nearest name when there is none of this name.
    pub fn named(name: &str) -> Result<Self, UnknownTheme> {
        let styles: fn(Role) -> Style = match name {
            "default" => builtin::default_style,
            "light" => builtin::light_style,
            "dark" => builtin::dark_style,
            "high-contrast" => builtin::high_contrast_style,
            "colour-blind" | "color-blind" => builtin::colour_blind_style,
            "mono" => builtin::mono_style,
            _ => return Err(UnknownTheme { name: name.to_owned() }),
        };
        Ok(Self::from_fn(name, styles))
    }

    /// A theme made by asking `style` for every role.
    pub fn from_fn(name: impl Into<String>, style: impl Fn(Role) -> Style) -> Self {
        Self { name: name.into(), styles: Role::ALL.map(style) }
    }

    /// The theme without any colour: modifiers only. The one for `NO_COLOR`.
    pub fn mono() -> Self {
        Self::from_fn("mono", builtin::mono_style)
    }

    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role.index()).copied().unwrap_or_default()
    }

    /// The same theme with one role's style replaced: how a user's partial theme is laid over a built-in one.
    #[must_use]
    pub fn with(mut self, role: Role, style: Style) -> Self {
        if let Some(slot) = self.styles.get_mut(role.index()) {
            *slot = style;
        }
        self
    }

    /// The same theme brought down to what the terminal can show; see [`Depth`].
    #[must_use]
    pub fn at_depth(mut self, depth: Depth) -> Self {
        if depth == Depth::Mono {
            return Self::mono();
        }
        for style in &mut self.styles {
            *style = depth.limit(*style);
        }
        self
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::from_fn("default", builtin::default_style)
    }
}

/// There is no built-in theme of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTheme {
    name: String,
}

impl fmt::Display for UnknownTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no theme \"{}\"", self.name)?;
        if let Some(near) = nearest(&self.name, Theme::NAMES).first() {
            write!(f, "; did you mean \"{near}\"?")?;
        }
        write!(f, " (themes: {})", Theme::NAMES.join(", "))
    }
}

impl std::error::Error for UnknownTheme {}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed lookup fails the test")]

    use super::*;
    use ratatui::style::{Color, Modifier};

    fn has_no_colour(style: Style) -> bool {
        style.fg.is_none_or(|c| c == Color::Reset) && style.bg.is_none_or(|c| c == Color::Reset)
    }

    #[test]
    fn every_built_in_theme_is_found_under_its_own_name() {
        for name in Theme::NAMES {
            assert_eq!(Theme::named(name).unwrap().name(), name);
        }
    }

    #[test]
    fn a_mistyped_name_is_answered_with_the_nearest() {
        let text = Theme::named("drak").unwrap_err().to_string();
        assert!(text.contains("did you mean \"dark\"?"), "{text}");
        let text = Theme::named("zzzzzzzz").unwrap_err().to_string();
        assert!(!text.contains("did you mean") && text.contains("colour-blind"), "{text}");
    }

    #[test]
    fn mono_has_no_colour_and_still_tells_states_apart() {
        let mono = Theme::mono();
        for role in Role::ALL {
            assert!(has_no_colour(mono.style(role)), "{role:?}");
        }
        for role in [Role::Selection, Role::Bottleneck] {
            assert!(mono.style(role).add_modifier.contains(Modifier::REVERSED));
        }
        for role in [Role::Down, Role::Degraded, Role::WhatIf] {
            assert!(mono.style(role).add_modifier.contains(Modifier::BOLD));
        }
    }

    #[test]
    fn the_default_theme_uses_only_the_terminals_own_and_the_ansi_colours() {
        let theme = Theme::default();
        for role in Role::ALL {
            let style = theme.style(role);
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)), "{role:?}");
                // Bright yellow and white vanish on a light terminal, dark grey in some dark palettes.
                assert!(!matches!(colour, Color::LightYellow | Color::White | Color::DarkGray), "{role:?}");
            }
        }
    }

    #[test]
    fn only_an_alarm_is_red_and_load_is_never_red() {
        let theme = Theme::default();
        for role in Role::ALL {
            let red = matches!(theme.style(role).fg, Some(Color::Red | Color::LightRed));
            assert_eq!(red, matches!(role, Role::Degraded | Role::Down | Role::Bad), "{role:?}");
        }
    }

    #[test]
    fn the_colour_blind_theme_has_no_red_or_green() {
        let theme = Theme::named("colour-blind").unwrap();
        for role in Role::ALL {
            let fg = theme.style(role).fg;
            let barred = matches!(fg, Some(Color::Red | Color::LightRed | Color::Green | Color::LightGreen));
            assert!(!barred, "{role:?}");
        }
    }

    #[test]
    fn every_theme_reverses_or_fills_the_selection() {
        for name in Theme::NAMES {
            let style = Theme::named(name).unwrap().style(Role::Selection);
            assert!(style.add_modifier.contains(Modifier::REVERSED) || style.bg.is_some(), "{name}");
        }
    }

    #[test]
    fn with_replaces_one_role_and_no_other() {
        let style = Style::new().fg(Color::Magenta);
        let changed = Theme::default().with(Role::Host, style);
        for role in Role::ALL {
            let expected = if role == Role::Host { style } else { Theme::default().style(role) };
            assert_eq!(changed.style(role), expected);
        }
    }

    #[test]
    fn depth_16_leaves_no_palette_or_rgb_colour() {
        for name in Theme::NAMES {
            let theme = Theme::named(name).unwrap().at_depth(Depth::Ansi16);
            for role in Role::ALL {
                let style = theme.style(role);
                for colour in [style.fg, style.bg].into_iter().flatten() {
                    assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)), "{name} {role:?}");
                }
            }
        }
    }

    #[test]
    fn depth_mono_is_the_mono_theme() {
        assert_eq!(Theme::named("dark").unwrap().at_depth(Depth::Mono), Theme::mono());
    }
}
