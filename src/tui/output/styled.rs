//! The form of the snapshot tests: the text, then a grid of the same size with a letter per style, then what the
//! letters mean. A change of a style is a local change of the grid.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::run::{Look, Shown, rows};
use super::to_text;
use crate::tui::theme::{Role, Theme};

/// Letters for looks that are no role of the theme, handed out in the order of their descriptions.
const SPARE: &str = "ACEFGHIJKLMNOPQRTUVWYZ";

/// Text, style letters and legend of a buffer.
///
/// A letter belongs to a role and never moves (see [`Role::letter`]); of roles with one look the first in the order
/// of the table stands for all. A role laid over another, such as the selection over a device name, gets a spare
/// letter and is named as `scale_up+selection`.
pub fn to_styled(buffer: &Buffer, theme: &Theme) -> String {
    let rows = rows(buffer);
    let known = roles_by_look(theme);
    let letters = letters(&rows, &known, theme);
    let mut out = to_text(buffer);
    let _ = writeln!(out, "\n--- styles ({}) ---", theme.name());
    for row in &rows {
        for cell in row {
            let letter = letters.get(&key(cell.look())).map_or('?', |(letter, _)| *letter);
            out.extend(std::iter::repeat_n(letter, cell.width));
        }
        out.push('\n');
    }
    out.push('\n');
    let mut legend: Vec<_> = letters.values().filter(|(letter, _)| *letter != '.').collect();
    legend.sort();
    for (letter, name) in legend {
        let _ = writeln!(out, "{letter} {name}");
    }
    out
}

/// A look as a map key.
fn key(look: Look) -> String {
    describe(look)
}

type Letters = BTreeMap<String, (char, String)>;

fn roles_by_look(theme: &Theme) -> Letters {
    let mut known = Letters::new();
    known.insert(key(Look::PLAIN), ('.', "plain".to_owned()));
    for role in Role::ALL {
        let look = Look::of(theme.style(role));
        known.entry(key(look)).or_insert_with(|| (role.letter(), format!("{} = {}", role.name(), describe(look))));
    }
    known
}

/// The letters of the looks that occur.
fn letters(rows: &[Vec<Shown<'_>>], known: &Letters, theme: &Theme) -> Letters {
    let mut used = Letters::new();
    let mut others: BTreeMap<String, String> = BTreeMap::new();
    for look in rows.iter().flatten().map(Shown::look) {
        let key = key(look);
        match known.get(&key) {
            Some(entry) => drop(used.insert(key, entry.clone())),
            None => drop(others.entry(overlay(look, theme)).or_insert(key)),
        }
    }
    for (index, (name, key)) in others.into_iter().enumerate() {
        let letter = SPARE.chars().nth(index).unwrap_or('?');
        used.insert(key, (letter, name));
    }
    used
}

/// The name of a look that is no role: the roles that give it when laid one over the other, or its colours.
fn overlay(look: Look, theme: &Theme) -> String {
    for over in [Role::Selection, Role::Bottleneck, Role::Dim, Role::Strong] {
        for under in Role::ALL {
            if Look::of(theme.style(under).patch(theme.style(over))) == look {
                return format!("{}+{} = {}", under.name(), over.name(), describe(look));
            }
        }
    }
    describe(look)
}

/// A look in words: `Yellow on Reset bold reversed`, without what is not set.
fn describe(look: Look) -> String {
    let mut words = vec![look.fg.to_string()];
    if look.bg != ratatui::style::Color::Reset {
        words.push(format!("on {}", look.bg));
    }
    let names = Modifier::all().iter_names().filter(|(_, modifier)| look.has(*modifier));
    words.extend(names.map(|(name, _)| name.to_lowercase()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    fn sample(selected: u16) -> Buffer {
        let theme = Theme::default();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "g0 日 83", theme.style(Role::ScaleUp));
        buffer.set_string(0, 1, "n0 100", theme.style(Role::Bottleneck));
        buffer.set_style(Rect::new(0, selected, 2, 1), theme.style(Role::Selection));
        buffer
    }

    #[test]
    fn shows_text_letters_and_legend() {
        let expected = "\
g0 日 83
n0 100

--- styles (default) ---
AAuuuuuu
BBBBBB..

A scale_up+selection = Green bold reversed
B bottleneck = Yellow bold reversed
u scale_up = Green
";
        assert_eq!(to_styled(&sample(0), &Theme::default()), expected);
    }

    #[test]
    fn a_change_of_style_alone_is_seen() {
        let (one, other) = (sample(0), sample(1));
        assert_eq!(to_text(&one), to_text(&other));
        assert_ne!(to_styled(&one, &Theme::default()), to_styled(&other, &Theme::default()));
    }

    #[test]
    fn every_role_keeps_a_letter_in_every_theme() {
        for name in Theme::NAMES {
            let Ok(theme) = Theme::named(name) else { continue };
            let mut buffer = Buffer::empty(Rect::new(0, 0, 31, 1));
            for (x, role) in (0u16..).zip(Role::ALL) {
                buffer.set_string(x, 0, "x", theme.style(role));
            }
            assert!(!to_styled(&buffer, &theme).contains('?'), "{name}");
        }
    }
}
