//! Texts with figures in braces: `A ring takes {time of all-reduce 1GiB by ring on dgx-h100}.`

use std::fmt;
use std::str::FromStr;

use super::Figure;
use super::error::{Fault, FigureError};
use super::scene::{Names, Scene};

/// A text whose braces are figures, computed when it is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prose {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    /// A figure, and the column of its first character.
    Figure(Figure, usize),
}

impl Prose {
    /// Reads a text. `{{` and `}}` stand for the braces themselves.
    ///
    /// # Errors
    /// What is wrong with a figure, in which column of the text (characters from 1, line ends counted as one).
    pub fn parse(text: &str, names: &Names) -> Result<Self, FigureError> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        let column = |rest: &str| text.chars().count() - rest.chars().count() + 1;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, here) = rest.split_at(at);
            plain.push_str(before);
            if let Some(after) = here.strip_prefix("{{").or_else(|| here.strip_prefix("}}")) {
                plain.push_str(here.get(..1).unwrap_or_default());
                rest = after;
                continue;
            }
            let Some(inside) = here.strip_prefix('{') else {
                let message = "} without {".to_owned();
                return Err(FigureError {
                    column: column(here),
                    message,
                    expected: "expected }} for a brace".to_owned(),
                });
            };
            let Some((figure, after)) = inside.split_once('}') else {
                let message = "a brace is left open".to_owned();
                return Err(FigureError {
                    column: column(here),
                    message,
                    expected: "expected } after the figure".to_owned(),
                });
            };
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            let figure = Figure::parse(figure, names).map_err(|e| e.shifted(column(inside) - 1))?;
            pieces.push(Piece::Figure(figure, column(inside)));
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self { pieces })
    }

    /// The text with its figures computed.
    ///
    /// # Errors
    /// Why one of them has no value.
    pub fn show(&self, scene: &Scene<'_>) -> Result<String, Fault> {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(t) => out.push_str(t),
                Piece::Figure(f, _) => {
                    out.push_str(&f.show(scene).map_err(|e| Fault::new(format!("{{{f}}}: {e}")))?);
                }
            }
        }
        Ok(out)
    }

    /// Its figures, in order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.pieces.iter().filter_map(|p| if let Piece::Figure(f, _) = p { Some(f) } else { None })
    }

    /// The first of them that has no value there: its column in the text, and why.
    pub fn fault(&self, scene: &Scene<'_>) -> Option<(usize, Fault)> {
        self.pieces.iter().find_map(|p| match p {
            Piece::Figure(f, column) => f.show(scene).err().map(|e| (*column, Fault::new(format!("{{{f}}}: {e}")))),
            Piece::Text(_) => None,
        })
    }

    /// What stands between the figures: what an author typed.
    pub fn typed(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|p| if let Piece::Text(t) = p { Some(t.as_str()) } else { None })
    }

    /// True for no text at all.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

impl FromStr for Prose {
    type Err = FigureError;

    fn from_str(text: &str) -> Result<Self, FigureError> {
        Self::parse(text, &Names::default())
    }
}

/// As it was written.
impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            match piece {
                Piece::Text(t) => f.write_str(&t.replace('{', "{{").replace('}', "}}"))?,
                Piece::Figure(figure, _) => write!(f, "{{{figure}}}")?,
            }
        }
        Ok(())
    }
}
