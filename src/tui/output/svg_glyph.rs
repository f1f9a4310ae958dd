//! The shapes of box-drawing, block, braille and mark characters, as SVG path data.

use std::fmt::Write as _;

use crate::tui::glyphs::{Weight, arms_of};

/// Width of a cell in SVG units.
pub(super) const CELL_WIDTH: f64 = 9.0;
/// Height of a cell in SVG units.
pub(super) const CELL_HEIGHT: f64 = 18.0;

const LIGHT: f64 = 1.2;
const HEAVY: f64 = 3.0;
/// Distance of each rail of a double line from the middle.
const RAIL: f64 = 1.8;

/// The shape of one character.
pub(super) struct Shape {
    /// 0 solid, 1 to 3 a quarter to three quarters of the ink.
    pub(super) shade: u8,
    /// Path data, to be filled.
    pub(super) data: String,
}

/// Whether neighbours of this character make one straight shape.
pub(super) fn is_straight(symbol: &str) -> bool {
    matches!(symbol, "─" | "━" | "█" | "░" | "▒" | "▓")
}

/// The shape of a character whose cell has its top left at `(x, y)`, of a straight one in so many cells; `None` when a
/// font should draw it.
pub(super) fn shape(symbol: &str, x: f64, y: f64, cells: usize) -> Option<Shape> {
    let mut chars = symbol.chars();
    let (Some(glyph), None) = (chars.next(), chars.next()) else { return None };
    let mut pen = Pen { x, y, data: String::new() };
    let mut shade = 0;
    let width = cells as f64 * CELL_WIDTH;
    let mut across = |thickness: f64| pen.rect(0.0, (CELL_HEIGHT - thickness) / 2.0, width, thickness);
    match glyph {
        '─' => across(LIGHT),
        '━' => across(HEAVY),
        '█' => across(CELL_HEIGHT),
        '░' | '▒' | '▓' => {
            shade = (glyph as u32 - 0x2590) as u8;
            across(CELL_HEIGHT);
        }
        '\u{2580}'..='\u{2590}' => block(&mut pen, glyph),
        '\u{2800}'..='\u{28ff}' => braille(&mut pen, glyph),
        '╱' | '╲' | '╳' => diagonals(&mut pen, glyph),
        '■' | '□' | '▲' | '►' | '▼' | '◄' | '▸' | '▾' | '·' | '…' => mark(&mut pen, glyph),
        _ => line(&mut pen, glyph)?,
    }
    Some(Shape { shade, data: pen.data })
}

/// Collects path data relative to a cell.
struct Pen {
    x: f64,
    y: f64,
    data: String,
}

impl Pen {
    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64) {
        let (x, y) = (number(self.x + x), number(self.y + y));
        let (w, h) = (number(width), number(height));
        let _ = write!(self.data, "M{x} {y}h{w}v{h}h-{w}z");
    }

    fn polygon(&mut self, points: &[(f64, f64)]) {
        for (index, (x, y)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(self.data, "{command}{} {}", number(self.x + x), number(self.y + y));
        }
        self.data.push('z');
    }

    fn dot(&mut self, x: f64, y: f64, radius: f64) {
        let (x, y, r, d) = (number(self.x + x - radius), number(self.y + y), number(radius), number(2.0 * radius));
        let _ = write!(self.data, "M{x} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z");
    }
}

/// A coordinate with at most two decimals.
fn number(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A rectangle along an arm, given along and across its direction from the middle of the cell.
fn along(pen: &mut Pen, arm: usize, from: f64, across: f64, thickness: f64) {
    let (cx, cy) = (CELL_WIDTH / 2.0, CELL_HEIGHT / 2.0);
    let side = across - thickness / 2.0;
    match arm {
        0 => pen.rect(cx + side, 0.0, thickness, cy - from),
        1 => pen.rect(cx + from, cy + side, cx - from, thickness),
        2 => pen.rect(cx + side, cy + from, thickness, cy - from),
        _ => pen.rect(0.0, cy + side, cx - from, thickness),
    }
}

fn line(pen: &mut Pen, glyph: char) -> Option<()> {
    if let Some(dashes) = dashes(glyph) {
        dashed(pen, dashes);
        return Some(());
    }
    let rounded = match glyph {
        '╭' => '┌',
        '╮' => '┐',
        '╯' => '┘',
        '╰' => '└',
        other => other,
    };
    let arms = arms_of(rounded)?;
    for (arm, weight) in arms.into_iter().enumerate() {
        draw_arm(pen, arms, arm, weight);
    }
    Some(())
}

/// How far before the middle an arm starts (negative: beyond it), so that corners close and tees touch.
fn draw_arm(pen: &mut Pen, arms: [Weight; 4], arm: usize, weight: Weight) {
    let at = |place: usize| arms.get(place % 4).copied().unwrap_or_default();
    // The sides across: for the vertical arms left and right, for the horizontal ones up and down.
    let (minus, plus) = if arm.is_multiple_of(2) { (at(3), at(1)) } else { (at(0), at(2)) };
    let across_double = minus == Weight::Double || plus == Weight::Double;
    let thickness = match weight {
        Weight::None => return,
        Weight::Heavy => HEAVY,
        Weight::Light | Weight::Double => LIGHT,
    };
    if weight == Weight::Double {
        for (side, here, there) in [(-RAIL, minus, plus), (RAIL, plus, minus)] {
            let from = match (here, there) {
                (Weight::Double, _) => RAIL - LIGHT / 2.0,
                (_, Weight::Double) => -RAIL - LIGHT / 2.0,
                _ => 0.0,
            };
            along(pen, arm, from, side, LIGHT);
        }
    } else if across_double {
        let through = at(arm + 2) != Weight::None;
        let tee = minus != Weight::None && plus != Weight::None;
        let from = if through {
            0.0
        } else if tee {
            RAIL
        } else {
            -RAIL - LIGHT / 2.0
        };
        along(pen, arm, from, 0.0, thickness);
    } else {
        let widest = if minus.max(plus) == Weight::Heavy { HEAVY } else { LIGHT };
        along(pen, arm, -widest / 2.0, 0.0, thickness);
    }
}

/// Whether it runs across, how many dashes, how thick.
fn dashes(glyph: char) -> Option<(bool, u8, f64)> {
    Some(match glyph {
        '╌' => (true, 2, LIGHT),
        '╍' => (true, 2, HEAVY),
        '┄' => (true, 3, LIGHT),
        '┅' => (true, 3, HEAVY),
        '┈' => (true, 4, LIGHT),
        '┉' => (true, 4, HEAVY),
        '╎' => (false, 2, LIGHT),
        '╏' => (false, 2, HEAVY),
        '┆' => (false, 3, LIGHT),
        '┇' => (false, 3, HEAVY),
        '┊' => (false, 4, LIGHT),
        '┋' => (false, 4, HEAVY),
        _ => return None,
    })
}

fn dashed(pen: &mut Pen, (across, count, thickness): (bool, u8, f64)) {
    let length = if across { CELL_WIDTH } else { CELL_HEIGHT };
    let step = length / f64::from(count);
    let (cx, cy) = ((CELL_WIDTH - thickness) / 2.0, (CELL_HEIGHT - thickness) / 2.0);
    for dash in 0..count {
        let start = (f64::from(dash) + 0.2) * step;
        if across {
            pen.rect(start, cy, step * 0.6, thickness);
        } else {
            pen.rect(cx, start, thickness, step * 0.6);
        }
    }
}

fn diagonals(pen: &mut Pen, glyph: char) {
    const HALF: f64 = LIGHT * 0.6;
    let (w, h) = (CELL_WIDTH, CELL_HEIGHT);
    if glyph != '╱' {
        pen.polygon(&[(-HALF, 0.0), (HALF, 0.0), (w + HALF, h), (w - HALF, h)]);
    }
    if glyph != '╲' {
        pen.polygon(&[(w - HALF, 0.0), (w + HALF, 0.0), (HALF, h), (-HALF, h)]);
    }
}

/// Half, eighth and full blocks.
fn block(pen: &mut Pen, glyph: char) {
    let (w, h) = (CELL_WIDTH, CELL_HEIGHT);
    let code = glyph as u32;
    match glyph {
        '▀' => pen.rect(0.0, 0.0, w, h / 2.0),
        '▐' => pen.rect(w / 2.0, 0.0, w / 2.0, h),
        // Lower blocks in eighths: U+2581 one, ... U+2588 eight.
        '\u{2581}'..='\u{2588}' => {
            let height = h * f64::from(code - 0x2580) / 8.0;
            pen.rect(0.0, h - height, w, height);
        }
        // Left blocks in eighths: U+2589 seven, ... U+258F one.
        _ => pen.rect(0.0, 0.0, w * f64::from(0x2590 - code) / 8.0, h),
    }
}

/// The eight dots of a braille cell: bits 0 to 2 and 6 run down the left column, 3 to 5 and 7 down the right one.
fn braille(pen: &mut Pen, glyph: char) {
    const PLACES: [(u8, u8); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let bits = glyph as u32 - 0x2800;
    for (bit, (column, row)) in PLACES.into_iter().enumerate() {
        if bits >> bit & 1 == 1 {
            let x = CELL_WIDTH * (f64::from(column) + 0.5) / 2.0;
            let y = CELL_HEIGHT * (f64::from(row) + 0.5) / 4.0;
            pen.dot(x, y, 1.2);
        }
    }
}

fn mark(pen: &mut Pen, glyph: char) {
    let (w, cy) = (CELL_WIDTH, CELL_HEIGHT / 2.0);
    match glyph {
        '■' => pen.rect(1.0, cy - 3.5, 7.0, 7.0),
        '□' => {
            pen.rect(1.0, cy - 3.5, 7.0, 1.0);
            pen.rect(1.0, cy + 2.5, 7.0, 1.0);
            pen.rect(1.0, cy - 2.5, 1.0, 5.0);
            pen.rect(7.0, cy - 2.5, 1.0, 5.0);
        }
        '▲' => pen.polygon(&[(0.5, cy + 4.0), (w / 2.0, cy - 4.0), (w - 0.5, cy + 4.0)]),
        '▼' => pen.polygon(&[(0.5, cy - 4.0), (w / 2.0, cy + 4.0), (w - 0.5, cy - 4.0)]),
        '►' => pen.polygon(&[(0.5, cy - 4.0), (w - 0.5, cy), (0.5, cy + 4.0)]),
        '◄' => pen.polygon(&[(w - 0.5, cy - 4.0), (0.5, cy), (w - 0.5, cy + 4.0)]),
        '▸' => pen.polygon(&[(2.5, cy - 3.0), (w - 2.0, cy), (2.5, cy + 3.0)]),
        '▾' => pen.polygon(&[(1.5, cy - 2.0), (w / 2.0, cy + 3.0), (w - 1.5, cy - 2.0)]),
        '…' => {
            for column in [1.5, 4.5, 7.5] {
                pen.dot(column, cy + 4.0, 0.8);
            }
        }
        _ => pen.dot(w / 2.0, cy, 1.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(glyph: char) -> String {
        shape(&glyph.to_string(), 0.0, 0.0, 1).map(|s| s.data).unwrap_or_default()
    }

    #[test]
    fn straight_lines_reach_both_edges() {
        // Each half covers its side of the cell and a little of the other.
        assert_eq!(data('─'), "M0 8.4h9v1.2h-9z");
        assert_eq!(data('┃'), "M3 0h3v9.6h-3zM3 8.4h3v9.6h-3z");
    }

    #[test]
    fn gauges_stand_on_the_lower_edge_and_grow() {
        assert_eq!(data('▄'), "M0 9h9v9h-9z");
        assert_eq!(data('█'), "M0 0h9v18h-9z");
        assert_eq!(data('▌'), "M0 0h4.5v18h-4.5z");
    }

    #[test]
    fn braille_has_a_dot_per_bit() {
        for code in 0x2800..=0x28ffu32 {
            let glyph = char::from_u32(code).unwrap_or(' ');
            assert_eq!(data(glyph).matches('M').count() as u32, (code - 0x2800).count_ones());
        }
    }

    #[test]
    fn shades_differ_in_opacity_alone() {
        let shades: Vec<u8> =
            "░▒▓█".chars().filter_map(|c| shape(&c.to_string(), 0.0, 0.0, 1)).map(|s| s.shade).collect();
        assert_eq!(shades, [1, 2, 3, 0]);
    }

    #[test]
    fn a_tee_on_a_switch_bar_starts_at_the_near_rail() {
        assert!(data('╤').contains("M3.9 10.8h1.2v7.2"), "{}", data('╤'));
    }

    #[test]
    fn letters_are_left_to_the_font() {
        assert!(shape("a", 0.0, 0.0, 1).is_none());
        assert!(shape("e\u{301}", 0.0, 0.0, 1).is_none());
        assert!(shape(" ", 0.0, 0.0, 1).is_none());
    }
}
