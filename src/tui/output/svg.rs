//! A buffer as an SVG picture.
//!
//! Lines, blocks, braille dots and marks are drawn as shapes, so columns meet in every viewer whatever its fonts lack.
//! Words are text with their length fixed to the grid.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::palette::Page;
use super::run::{Look, Shown, rows, runs};
use super::svg_glyph::{CELL_HEIGHT, CELL_WIDTH, Shape, is_straight, shape};

/// Distance of the text's base line from the top of its cell.
const BASELINE: f64 = 13.5;
const FONT_SIZE: f64 = 15.0;

/// The buffer as a complete SVG document on a light or dark page. Cells are 9 by 18 units.
pub fn to_svg(buffer: &Buffer, page: Page) -> String {
    let (width, height) = (f64::from(buffer.area.width) * CELL_WIDTH, f64::from(buffer.area.height) * CELL_HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" \
         font-size=\"{FONT_SIZE}\" xml:space=\"preserve\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
        hex(page.paper())
    );
    for (row, y) in rows(buffer).iter().zip(0u32..) {
        for (look, run) in runs(row) {
            write_run(&mut out, look, run, f64::from(y) * CELL_HEIGHT, page);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Ink and paper of a look; `None` for the page's own paper.
fn colours(look: Look, page: Page) -> ([u8; 3], Option<[u8; 3]>) {
    let (ink, paper) = (page.rgb(look.fg).unwrap_or(page.ink()), page.rgb(look.bg));
    if look.has(Modifier::REVERSED) { (paper.unwrap_or(page.paper()), Some(ink)) } else { (ink, paper) }
}

fn write_run(out: &mut String, look: Look, run: &[Shown<'_>], y: f64, page: Page) {
    let (ink, paper) = colours(look, page);
    let columns: usize = run.iter().map(|cell| cell.width).sum();
    if let (Some(paper), Some(first)) = (paper, run.first()) {
        let (x, width) = (first.column as f64 * CELL_WIDTH, columns as f64 * CELL_WIDTH);
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{CELL_HEIGHT}\" fill=\"{}\"/>",
            hex(paper)
        );
    }
    let (shapes, words) = (shapes(run, y), words(run));
    if shapes.iter().all(|(_, data)| data.is_empty()) && words.is_empty() {
        return;
    }
    let _ = write!(out, "<g fill=\"{}\"{}>", hex(ink), attributes(look));
    for (opacity, data) in shapes.iter().filter(|(_, data)| !data.is_empty()) {
        let _ = write!(out, "<path d=\"{data}\"{opacity}/>");
    }
    for word in words {
        let x = word.column as f64 * CELL_WIDTH;
        let length = word.columns as f64 * CELL_WIDTH;
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            y + BASELINE,
            escape(&word.text)
        );
    }
    out.push_str("</g>\n");
}

fn attributes(look: Look) -> String {
    [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::DIM, " opacity=\"0.6\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
    ]
    .into_iter()
    .filter(|(modifier, _)| look.has(*modifier))
    .map(|(_, attribute)| attribute)
    .collect()
}

/// The shapes of a run as path data: solid ones and the three shades, each with its opacity attribute.
fn shapes(run: &[Shown<'_>], y: f64) -> [(&'static str, String); 4] {
    let mut paths = [
        ("", String::new()),
        (" fill-opacity=\"0.25\"", String::new()),
        (" fill-opacity=\"0.5\"", String::new()),
        (" fill-opacity=\"0.75\"", String::new()),
    ];
    for same in run.chunk_by(|a, b| a.symbol() == b.symbol() && is_straight(a.symbol())) {
        let Some(first) = same.first() else { continue };
        let Some(Shape { shade, data }) = shape(first.symbol(), first.column as f64 * CELL_WIDTH, y, same.len()) else {
            continue;
        };
        if let Some((_, path)) = paths.get_mut(usize::from(shade)) {
            path.push_str(&data);
        }
    }
    paths
}

/// Neighbouring characters that are drawn as one text.
struct Word {
    column: usize,
    columns: usize,
    text: String,
}

fn words(run: &[Shown<'_>]) -> Vec<Word> {
    let is_text = |cell: &Shown<'_>| cell.symbol() != " " && shape(cell.symbol(), 0.0, 0.0, 1).is_none();
    run.chunk_by(|a, b| is_text(a) == is_text(b))
        .filter_map(|part| {
            let first = part.first().filter(|cell| is_text(cell))?;
            Some(Word {
                column: first.column,
                columns: part.iter().map(|cell| cell.width).sum(),
                text: part.iter().map(Shown::symbol).collect(),
            })
        })
        .collect()
}

/// Text as XML character data. Control characters, which XML 1.0 bars, are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::{Color, Style};

    fn picture(text: &str, style: Style) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_string(0, 0, text, style);
        to_svg(&buffer, Page::Light)
    }

    #[test]
    fn words_are_text_of_fixed_length_and_are_escaped() {
        let svg = picture("a<b &c", Style::new());
        assert!(
            svg.contains("<text x=\"0\" y=\"13.5\" textLength=\"27\" lengthAdjust=\"spacingAndGlyphs\">a&lt;b</text>")
        );
        assert!(svg.contains("x=\"36\""), "{svg}");
        assert!(svg.contains("&amp;c"));
    }

    #[test]
    fn no_line_block_or_braille_character_is_left_to_a_font() {
        for first in ['\u{2500}', '\u{2580}', '\u{2800}', '■'] {
            let last = match first {
                '\u{2500}' => '\u{257f}',
                '\u{2580}' => '\u{2593}',
                '\u{2800}' => '\u{28ff}',
                _ => '■',
            };
            for glyph in first..=last {
                let svg = picture(&glyph.to_string(), Style::new());
                assert!(!svg.contains("<text"), "{glyph}");
                assert_eq!(svg.contains("<path"), glyph != '\u{2800}', "{glyph}");
            }
        }
    }

    #[test]
    fn a_straight_line_is_one_shape() {
        for (text, rectangles) in [("──────", 1), ("━━━", 1), ("████", 1), ("─┬─", 5), ("│││", 6)]
        {
            let svg = picture(text, Style::new());
            let path = svg.split("<path").nth(1).unwrap_or_default();
            assert_eq!(path.matches('M').count(), rectangles, "{text}: {svg}");
        }
        assert!(picture("──", Style::new()).contains("M0 8.4h18v1.2h-18z"));
    }

    #[test]
    fn reversed_swaps_ink_and_paper() {
        let svg = picture("ab", Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::REVERSED));
        assert!(svg.contains("<rect x=\"0\" y=\"0\" width=\"18\" height=\"18\" fill=\"#010203\"/>"), "{svg}");
        assert!(svg.contains("<g fill=\"#ffffff\">"), "{svg}");
    }

    #[test]
    fn the_page_is_as_large_as_the_grid_even_when_empty() {
        let svg = to_svg(&Buffer::empty(Rect::ZERO), Page::Dark);
        assert!(svg.contains("viewBox=\"0 0 0 0\""));
        assert!(picture("", Style::new()).contains("viewBox=\"0 0 108 18\""));
    }
}
