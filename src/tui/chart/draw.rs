//! Lays a chart out on a canvas.

use super::grid::Grid;
use super::{Axis, Chart, Layer, Shape, Stroke};
use crate::tui::canvas::Canvas;
use crate::tui::glyphs::{Glyphs, mark};
use crate::tui::text;
use crate::tui::theme::Role;

/// Where the dots of a chart go in a canvas of this size: column, row, columns, rows. `None` where a chart would say
/// nothing.
pub fn plot_area(chart: &Chart, width: u16, height: u16) -> Option<(u16, u16, u16, u16)> {
    let labels = chart.y.ticks().iter().map(|t| text::width(&t.label)).max().unwrap_or(0) as u16;
    let head = u16::from(!chart.regions.is_empty());
    let (left, foot) = (labels + 1, 2);
    let (columns, rows) = (width.checked_sub(left + 1)?, height.checked_sub(head + foot)?);
    (columns >= 12 && rows >= 3).then_some((left, head, columns, rows))
}

/// Draws a chart into a canvas of this size; empty where there is no room for one.
pub fn draw(chart: &Chart, width: u16, height: u16, glyphs: Glyphs) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    if let Some((left, top, columns, rows)) = plot_area(chart, width, height) {
        let mut plot = Plot { chart, canvas: &mut canvas, left, top, columns, rows, glyphs };
        plot.horizontal_axis();
        plot.vertical_axis();
        plot.verticals();
        let feet = plot.dots();
        plot.names();
        plot.points();
        plot.label();
        plot.feet(&feet);
    }
    canvas
}

struct Plot<'a> {
    chart: &'a Chart,
    canvas: &'a mut Canvas,
    left: u16,
    top: u16,
    columns: u16,
    rows: u16,
    glyphs: Glyphs,
}

/// A curve in places, from left to right.
type Places = Vec<(f64, f64)>;

fn places(x: &Axis, y: &Axis, points: &[super::At]) -> Places {
    points.iter().filter_map(|p| Some((x.place(p.x)?, y.place(p.y)?))).collect()
}

/// The height of a curve at a place, if it reaches there.
fn height_at(curve: &Places, u: f64) -> Option<f64> {
    let after = curve.iter().position(|p| p.0 >= u)?;
    let (x1, y1) = *curve.get(after)?;
    if (x1 - u).abs() < 1e-9 {
        return Some(y1);
    }
    let (x0, y0) = *curve.get(after.checked_sub(1)?)?;
    Some(if x1 > x0 { y0 + (y1 - y0) * (u - x0) / (x1 - x0) } else { y1 })
}

impl Plot<'_> {
    /// The cell of a place across; `None` outside.
    fn column(&self, x: f64) -> Option<i32> {
        let u = self.chart.x.place(x).filter(|u| (-1e-9..=1.0 + 1e-9).contains(u))?;
        Some(i32::from(self.left) + (dot(u, i32::from(self.columns) * 2) / 2))
    }

    /// The cell of a place up; `None` outside.
    fn row(&self, y: f64) -> Option<i32> {
        let v = self.chart.y.place(y).filter(|v| (-1e-9..=1.0 + 1e-9).contains(v))?;
        Some(i32::from(self.top) + dot(1.0 - v, i32::from(self.rows) * 4) / 4)
    }

    fn bottom(&self) -> i32 {
        i32::from(self.top) + i32::from(self.rows)
    }

    fn vertical_axis(&mut self) {
        let x = i32::from(self.left) - 1;
        for y in i32::from(self.top)..self.bottom() {
            self.canvas.put(x, y, '│', Role::Dim);
        }
        let mut free = self.bottom();
        for tick in self.chart.y.ticks() {
            let Some(row) = self.row(tick.at).filter(|r| *r < free) else { continue };
            self.canvas.text_right(x - 1, row, &tick.label, Role::Dim);
            self.canvas.put(x, row, '┤', Role::Dim);
            for column in (0..i32::from(self.columns)).step_by(4) {
                self.canvas.put(i32::from(self.left) + column, row, '┄', Role::Dim);
            }
            free = row - 1;
        }
    }

    fn horizontal_axis(&mut self) {
        let y = self.bottom();
        let end = i32::from(self.left + self.columns);
        self.canvas.put(i32::from(self.left) - 1, y, '└', Role::Dim);
        for x in i32::from(self.left)..end {
            self.canvas.put(x, y, '─', Role::Dim);
        }
        let mut free = 0;
        for tick in self.chart.x.ticks() {
            let Some(x) = self.column(tick.at) else { continue };
            self.canvas.put(x, y, '┴', Role::Dim);
            let width = columns_of(&tick.label);
            let start = (x - width / 2).min(end + 1 - width);
            if start >= free {
                free = self.canvas.text(start, y + 1, &tick.label, Role::Dim) + 1;
            }
        }
    }

    /// The rules: where regions meet, and the cursor.
    fn verticals(&mut self) {
        let mut from = i32::from(self.left);
        for region in &self.chart.regions {
            let end = i32::from(self.left + self.columns);
            let to = self.column(region.to).unwrap_or(end);
            let room = usize::try_from(to - from).unwrap_or(0);
            if let Some(name) = region.names.iter().find(|n| !n.is_empty() && text::width(n) < room) {
                let start = from + ((to - from) - columns_of(name)) / 2;
                self.canvas.text(start, i32::from(self.top) - 1, name, region.role);
            }
            if to < end {
                for y in i32::from(self.top) - 1..self.bottom() {
                    self.canvas.put(to, y, '┆', Role::Dim);
                }
            }
            from = to + 1;
        }
        if let Some(x) = self.chart.cursor.and_then(|c| self.column(c)) {
            for y in i32::from(self.top)..self.bottom() {
                self.canvas.put(x, y, '│', Role::Strong);
            }
            self.canvas.put(x, self.bottom(), '▲', Role::Strong);
        }
    }

    /// All that is made of dots; the columns of cells in which something lies below the chart.
    fn dots(&mut self) -> Vec<(i32, Role)> {
        let mut grid = Grid::new(self.columns, self.rows);
        let mut feet = Vec::new();
        for layer in &self.chart.layers {
            match &layer.shape {
                Shape::Curve(points, stroke) => {
                    let curve = places(&self.chart.x, &self.chart.y, points);
                    feet.extend(stroke_curve(&mut grid, &curve, *stroke, layer).map(|x| (x, layer.role)));
                }
                Shape::Band(low, high) => {
                    let ends = [low, high].map(|p| places(&self.chart.x, &self.chart.y, p));
                    fill_band(&mut grid, &ends, layer);
                }
                Shape::Points(_) => {}
            }
        }
        for y in 0..self.rows {
            for x in 0..self.columns {
                if let Some((glyph, ascii, role)) = grid.cell(x, y) {
                    let glyph = if self.glyphs == Glyphs::Ascii { ascii } else { glyph };
                    self.canvas.put(i32::from(self.left + x), i32::from(self.top + y), glyph, role);
                }
            }
        }
        feet
    }

    fn points(&mut self) {
        for layer in &self.chart.layers {
            let Shape::Points(points) = &layer.shape else { continue };
            for p in points {
                let Some(x) = self.column(p.x) else { continue };
                let (Some(v), top) = (self.chart.y.place(p.y), i32::from(self.top)) else { continue };
                let (y, glyph) = match v {
                    v if v < 0.0 => (self.bottom() - 1, mark::DEGRADED),
                    v if v > 1.0 => (top, '▲'),
                    _ => (self.row(p.y).unwrap_or(top), layer.ascii),
                };
                self.canvas.put(x, y, glyph, layer.role);
            }
        }
    }

    /// A `▼` at the foot of each column in which a curve lies below the chart.
    fn feet(&mut self, feet: &[(i32, Role)]) {
        for (x, role) in feet {
            self.canvas.put(i32::from(self.left) + x, self.bottom() - 1, mark::DEGRADED, *role);
        }
    }

    /// Writes a text if the cells from a column on hold nothing but glyphs that may go.
    fn write_if_free(&mut self, at: (i32, i32), name: &str, role: Role, may_go: &[char]) -> bool {
        let (x, y) = at;
        let width = columns_of(name);
        let inside = x > i32::from(self.left) && x + width < i32::from(self.left + self.columns);
        let clear = |c: i32| {
            let empty = self.canvas.is_free(c, y);
            empty || self.canvas.glyph(c, y).is_some_and(|(g, _)| may_go.contains(&g))
        };
        let rows = i32::from(self.top)..self.bottom();
        if !inside || !rows.contains(&y) || !(x - 2..=x + width + 1).all(clear) {
            return false;
        }
        self.canvas.text(x, y, name, role);
        true
    }

    /// The names of curves, each beside its own where nothing else is drawn.
    fn names(&mut self) {
        for layer in &self.chart.layers {
            let Shape::Curve(points, _) = &layer.shape else { continue };
            if layer.name.is_empty() {
                continue;
            }
            let curve = places(&self.chart.x, &self.chart.y, points);
            let width = columns_of(&layer.name);
            let spots = (0..i32::from(self.columns)).rev().filter_map(|c| {
                let u = f64::from(c) / f64::from(self.columns.max(2) - 1);
                let v = height_at(&curve, u).filter(|v| (0.0..=1.0).contains(v))?;
                Some((i32::from(self.left) + c, i32::from(self.top) + dot(1.0 - v, i32::from(self.rows) * 4) / 4))
            });
            for (x, y) in spots.collect::<Vec<_>>() {
                let tries = [(x - width / 2, y + 1), (x - width / 2, y - 1), (x + 2, y + 1), (x - width - 1, y - 1)];
                if tries.into_iter().any(|at| self.write_if_free(at, &layer.name, layer.role, &['┄'])) {
                    break;
                }
            }
        }
    }

    /// The label of a place on a curve, as near as there is room, and a tick on the axis.
    fn label(&mut self) {
        let Some((at, words)) = &self.chart.label else { return };
        let (Some(x), Some(y)) = (self.column(at.x), self.row(at.y)) else { return };
        self.canvas.put(x, self.bottom(), '┼', Role::Strong);
        let right = format!("{} {words}", mark::SELECTED_RIGHT);
        let left = format!("{words} {}", mark::SELECTED_LEFT);
        let width = columns_of(&left);
        // Nearest first; what lies below the curve is mostly free.
        let mut spots: Vec<(i32, i32, bool)> = (0..7)
            .flat_map(|down| (1..22).map(move |gap| (x + gap, y + down, true)))
            .chain((0..4).flat_map(|up| (1..12).map(move |gap| (x - width - gap, y - up, false))))
            .collect();
        spots.sort_by_key(|(sx, sy, to_right)| {
            let across = if *to_right { sx - x } else { x - sx - width };
            across + 3 * (sy - y).abs()
        });
        let mut write = |(x, y, to_right): (i32, i32, bool)| {
            self.write_if_free((x, y), if to_right { &right } else { &left }, Role::Strong, &['┄', '┆'])
        };
        let _ = spots.into_iter().any(&mut write);
    }
}

/// The dot of a place, of so many dots.
fn dot(place: f64, dots: i32) -> i32 {
    (place * f64::from(dots - 1)).round() as i32
}

/// Draws a curve; the columns of cells in which it lies below the grid.
fn stroke_curve(grid: &mut Grid, curve: &Places, stroke: Stroke, layer: &Layer) -> impl Iterator<Item = i32> + use<> {
    let (columns, rows) = (grid.columns(), grid.rows());
    let mut before: Option<i32> = None;
    let mut feet = Vec::new();
    for x in 0..columns {
        let u = f64::from(x) / f64::from(columns - 1);
        let Some(v) = height_at(curve, u) else {
            before = None;
            continue;
        };
        let y = dot(1.0 - v.clamp(-2.0, 3.0), rows);
        match stroke {
            Stroke::Dotted(n) => {
                if x % i32::from(n.max(1)) == 0 {
                    grid.set(x, y, layer.role, layer.ascii);
                }
            }
            Stroke::Thin | Stroke::Thick => {
                let from = before.map_or(y, |b| if b < y { b + 1 } else { (b - 1).max(y) });
                let thick = i32::from(stroke == Stroke::Thick);
                for dot in from.min(y)..=from.max(y) + thick {
                    grid.set(x, dot, layer.role, layer.ascii);
                }
                if y >= rows {
                    feet.push(x / 2);
                }
            }
        }
        before = Some(y);
    }
    feet.dedup();
    feet.into_iter()
}

/// Fills what lies between two curves with every second dot.
fn fill_band(grid: &mut Grid, [low, high]: &[Places; 2], layer: &Layer) {
    let (columns, rows) = (grid.columns(), grid.rows());
    for x in 0..columns {
        let u = f64::from(x) / f64::from(columns - 1);
        let (Some(a), Some(b)) = (height_at(low, u), height_at(high, u)) else { continue };
        let (top, foot) = (1.0 - a.max(b).clamp(-1.0, 1.0), 1.0 - a.min(b).clamp(0.0, 2.0));
        for y in dot(top, rows)..=dot(foot, rows).min(rows - 1) {
            if (x + y) % 2 == 0 {
                grid.set(x, y, layer.role, layer.ascii);
            }
        }
    }
}

/// The columns of a text.
fn columns_of(words: &str) -> i32 {
    i32::try_from(text::width(words)).unwrap_or(i32::MAX)
}
