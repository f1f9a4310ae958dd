//! The text form of a style in a theme file: `yellow bold reversed`, `#d0d7de on #000000`, `208`.

use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};

use crate::parts::nearest;

const MODIFIERS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed-out", Modifier::CROSSED_OUT),
];

const COLOURS: [&str; 17] = [
    "reset",
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "gray",
    "dark-gray",
    "light-red",
    "light-green",
    "light-yellow",
    "light-blue",
    "light-magenta",
    "light-cyan",
    "white",
];

/// A word of a style that is neither a colour nor a modifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseStyleError {
    word: String,
}

impl fmt::Display for ParseStyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no colour or modifier", self.word)?;
        let known = COLOURS.into_iter().chain(MODIFIERS.map(|(name, _)| name));
        if let Some(near) = nearest(&self.word, known).first() {
            write!(f, "; did you mean \"{near}\"?")?;
        }
        f.write_str(
            " (expected words such as \"light-blue\", \"#d0d7de\", \"208\", \"on black\", \"bold\", \"reversed\")",
        )
    }
}

impl std::error::Error for ParseStyleError {}

/// Reads a style: words for the foreground colour and modifiers, `on COLOUR` for the background. The empty text is
/// the terminal's own style.
///
/// # Errors
/// [`ParseStyleError`] names the first word that is not understood.
pub fn parse_style(text: &str) -> Result<Style, ParseStyleError> {
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if word == "on" {
            style = style.bg(colour(words.next().unwrap_or("on"))?);
        } else if let Some((_, modifier)) = MODIFIERS.iter().find(|(name, _)| *name == word) {
            style = style.add_modifier(*modifier);
        } else {
            style = style.fg(colour(word)?);
        }
    }
    Ok(style)
}

fn colour(word: &str) -> Result<Color, ParseStyleError> {
    Color::from_str(word).map_err(|_| ParseStyleError { word: word.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_colours_background_and_modifiers() {
        assert_eq!(parse_style(""), Ok(Style::new()));
        assert_eq!(
            parse_style("yellow bold reversed"),
            Ok(Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD | Modifier::REVERSED))
        );
        assert_eq!(
            parse_style("#d0d7de on 17"),
            Ok(Style::new().fg(Color::Rgb(0xd0, 0xd7, 0xde)).bg(Color::Indexed(17)))
        );
        assert_eq!(parse_style("light-blue"), Ok(Style::new().fg(Color::LightBlue)));
    }

    #[test]
    fn a_wrong_word_is_named_with_the_nearest() {
        let text = parse_style("yelow bold").map_err(|e| e.to_string());
        assert!(text.as_ref().is_err_and(|t| t.contains("\"yelow\"") && t.contains("\"yellow\"")), "{text:?}");
        assert!(parse_style("red on").is_err());
    }

    #[test]
    fn every_colour_that_is_suggested_is_understood() {
        for name in COLOURS {
            assert!(parse_style(name).is_ok(), "{name}");
        }
    }
}
