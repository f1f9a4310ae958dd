//! The user's configuration: colours, glyphs, mouse, keys. Everything in it is optional.

use std::collections::BTreeMap;

use ratatui::style::Style;
use serde::Deserialize;

use super::commands::{Command, Keymap};
use super::theme::{Role, Theme, parse_style};
use crate::parts::nearest;
use crate::preset::{LoadError, Part, error_at, read_text, twice};

/// A configuration that says everything there is to say, commented out.
pub const TEMPLATE: &str = include_str!("config/template.ron");

/// What the user has configured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// A theme's name.
    pub theme: Option<String>,
    /// Printable ASCII only.
    pub ascii: bool,
    /// Whether the mouse is used from the start.
    pub mouse: bool,
    /// Whether nothing may move by itself.
    pub no_motion: bool,
    /// Keys.
    pub keymap: Keymap,
    /// Styles laid over the theme's.
    pub colours: Vec<(Role, Style)>,
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename = "Config")]
struct Raw {
    theme: Option<String>,
    ascii: bool,
    mouse: bool,
    no_motion: bool,
    keys: BTreeMap<String, Vec<String>>,
    colours: BTreeMap<String, String>,
}

impl Config {
    /// Reads a configuration; `file` is what errors call it.
    ///
    /// # Errors
    /// `FILE:LINE:COL`, what is wrong there, and the nearest valid choice; for two commands on one key, both.
    pub fn parse(text: &str, file: &str) -> Result<Self, LoadError> {
        let raw: Raw = read_text(text, file)?;
        let double = twice(text, file, &["keys"]).or_else(|| twice(text, file, &["colours"]));
        if let Some(double) = double {
            return Err(double);
        }
        if let Some(name) = &raw.theme {
            Theme::named(name).map_err(|e| error_at(text, file, &["theme"], Part::Value, e.to_string()))?;
        }
        let keymap = keymap(&raw.keys, text, file)?;
        let colours = colours(&raw.colours, text, file)?;
        Ok(Self { theme: raw.theme, ascii: raw.ascii, mouse: raw.mouse, no_motion: raw.no_motion, keymap, colours })
    }

    /// A theme with the user's styles over it.
    #[must_use]
    pub fn over(&self, theme: Theme) -> Theme {
        self.colours.iter().fold(theme, |theme, (role, style)| theme.with(*role, *style))
    }
}

fn keymap(keys: &BTreeMap<String, Vec<String>>, text: &str, file: &str) -> Result<Keymap, LoadError> {
    let mut own = Vec::new();
    for (id, list) in keys {
        // Commands of lines and lists have keys too, though no line runs them.
        let known = super::commands::TABLE.iter().find(|s| s.id == id).map(|s| s.command);
        let command = match known {
            Some(command) => command,
            None => id.parse::<Command>().map_err(|e| error_at(text, file, &["keys", id], Part::Key, e))?,
        };
        own.push((command, list.clone()));
    }
    Keymap::with(own).map_err(|refused| {
        let part = refused.key.map_or(Part::Value, Part::Item);
        error_at(text, file, &["keys", refused.command.spec().id], part, refused.reason)
    })
}

fn colours(styles: &BTreeMap<String, String>, text: &str, file: &str) -> Result<Vec<(Role, Style)>, LoadError> {
    let mut all = Vec::new();
    for (name, style) in styles {
        let role = Role::from_name(name).ok_or_else(|| {
            let near = nearest(name, Role::ALL.iter().map(|r| r.name()));
            let hint = if near.is_empty() {
                format!("; expected one of {}", Role::ALL.map(Role::name).join(", "))
            } else {
                format!("; did you mean {}?", near.join(" or "))
            };
            error_at(text, file, &["colours", name], Part::Key, format!("no role {name:?}{hint}"))
        })?;
        let style =
            parse_style(style).map_err(|e| error_at(text, file, &["colours", name], Part::Value, e.to_string()))?;
        all.push((role, style));
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
