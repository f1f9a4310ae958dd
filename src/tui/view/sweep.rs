//! The sweep: busbw or time against size, with limit, range, other ways, measurements; a readout under the cursor.

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::charts::{self, Entry, across, role_of};
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece};
use super::tree::first_row;
use crate::cost::Estimate;
use crate::measure::overlay::{Compared, Verdict};
use crate::tui::app::{App, Kin, Layer, Sweep, Value, busbw, change_text};
use crate::tui::chart;
use crate::tui::chart::{At, Axis, Chart, Region, Shape, Stroke};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Bytes, Time, counted, significant};

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let sweep = app.charts.sweep.as_ref()?;
    let (upper, strip) = charts::split(areas);
    charts::strip(app, pen, strip);
    let value = shown(app);
    let right = format!("{} against size", value.name());
    let focused = matches!(app.focus.top(), Layer::Sweep);
    let inner = panel::frame(pen, upper, &Heading { left: &heading(sweep), right: &right, focused });
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let points = match &sweep.now {
        Ok(points) => points,
        Err(u) => {
            for (row, line) in text::wrap(&u.to_string(), usize::from(inner.width)).iter().enumerate() {
                pen.pieces(inner, row as u16, &[piece(line.clone(), Role::Down)]);
            }
            return None;
        }
    };
    let below = below(areas);
    let chart_area = Rect { height: inner.height.saturating_sub(below), ..inner };
    let chart = chart(app, sweep, points, value);
    if !charts::fits(&chart, chart_area) {
        return Some(table(app, pen, inner, points));
    }
    charts::paint(app, pen, chart_area, &chart);
    let foot = Rect { y: chart_area.bottom(), height: below, ..inner };
    charts::legend(app, pen, foot, 0, &entries(app, sweep));
    readout(app, sweep, pen, Rect { y: foot.y + 1, height: below - 1, ..foot });
    Some(Position { x: foot.x, y: foot.y + 1 })
}

/// Rows of legend and readout.
fn below(areas: &Areas) -> u16 {
    if areas.form >= Form::Medium { 4 } else { 3 }
}

/// The size whose point is nearest to a cell of the chart.
pub(super) fn size_at(app: &App, areas: &Areas, at: Position) -> Option<Bytes> {
    let sweep = app.charts.sweep.as_ref()?;
    let inner = panel::inner(charts::split(areas).0, areas.form);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let area = Rect { height: inner.height.saturating_sub(below(areas)), ..inner };
    let chart = chart(app, sweep, sweep.now.as_deref().ok()?, shown(app));
    let (left, top, columns, rows) = chart::plot_area(&chart, area.width, area.height)?;
    let plot = Rect { x: area.x + left, y: area.y + top, width: columns, height: rows };
    if !charts::fits(&chart, area) || !plot.contains(at) {
        return None;
    }
    let place = f64::from(at.x - plot.x) / f64::from(columns.max(2) - 1);
    Some(sweep.nearest(Bytes::new(chart.x.value(place))))
}

/// Efficiency is of the other chart.
fn shown(app: &App) -> Value {
    if app.charts.value == Value::Time { Value::Time } else { Value::Busbw }
}

fn heading(sweep: &Sweep) -> String {
    let Some(e) = sweep.now.as_deref().ok().and_then(|p| p.first()) else { return "sweep".to_owned() };
    format!("sweep {} {}, {}", mark::CLOSED, e.question.collective, counted(e.ranks, "rank"))
}

/// Quantities into numbers of the vertical axis.
struct Scaling<'a> {
    value: Value,
    like: &'a Estimate,
}

impl Scaling<'_> {
    fn number(&self, size: Bytes, time: Time) -> f64 {
        match self.value {
            Value::Time => time.us(),
            Value::Busbw | Value::Efficiency => {
                busbw(self.like.question.collective, self.like.ranks, size, time).gbytes_per_s()
            }
        }
    }

    fn at(&self, size: Bytes, time: Time) -> At {
        At::new(across(size), self.number(size, time))
    }

    fn curve(&self, points: &[Estimate], time: impl Fn(&Estimate) -> Time) -> Vec<At> {
        points.iter().map(|e| self.at(e.question.size, time(e))).collect()
    }
}

fn chart(app: &App, sweep: &Sweep, points: &[Estimate], value: Value) -> Chart {
    let size = |e: Option<&Estimate>| e.map_or(Bytes::from_u64(8), |e| e.question.size);
    let x = Axis::sizes(size(points.first()), size(points.last()));
    let mut chart =
        Chart { x, y: Axis::linear([]), layers: Vec::new(), regions: Vec::new(), label: None, cursor: None };
    let Some(like) = points.first() else { return chart };
    let scaling = Scaling { value, like };
    let solid = points.iter().flat_map(|e| [e.time, e.low].map(|t| scaling.number(e.question.size, t)));
    let top = points.last().into_iter().map(|e| scaling.number(e.question.size, e.bound));
    let measured = sweep.compared().iter().map(|c| scaling.number(c.size, c.sample.time));
    chart.y = charts::axis(app, value, solid.chain(top).chain(measured));
    chart.layers = layers(app, sweep, points, &scaling);
    chart.regions = regions(app, sweep);
    if let Some((size, rate)) = sweep.half.filter(|_| value == Value::Busbw) {
        chart.label = Some((At::new(across(size), rate.gbytes_per_s()), format!("half of peak at {size}")));
    }
    chart.cursor = Some(across(app.charts.size));
    chart
}

/// Back to front: limit, other ways, range, baseline, prediction, measurements.
fn layers(app: &App, sweep: &Sweep, points: &[Estimate], scaling: &Scaling<'_>) -> Vec<chart::Layer> {
    let curve = |p: Vec<At>, stroke, role, ascii| chart::Layer::new(Shape::Curve(p, stroke), role, ascii);
    let mut layers = vec![curve(scaling.curve(points, |e| e.bound), Stroke::Dotted(3), Role::Dim, '-').named("bound")];
    for s in &sweep.series {
        let line = s.points.iter().map(|(size, time)| scaling.at(*size, *time)).collect();
        layers.push(curve(line, Stroke::Dotted(4), role_of(s.kin), '.').named(s.kin.name()));
    }
    let band = Shape::Band(scaling.curve(points, |e| e.low), scaling.curve(points, |e| e.high));
    layers.push(chart::Layer::new(band, Role::Range, ':'));
    if let Some(then) = &sweep.baseline {
        layers.push(curve(scaling.curve(then, |e| e.time), Stroke::Thin, Role::Baseline, '+').named("baseline"));
    }
    layers.extend(prediction(app, sweep, points, scaling));
    let measured: Vec<At> = sweep.compared().iter().map(|c| scaling.at(c.size, c.sample.time)).collect();
    if !measured.is_empty() {
        layers.push(chart::Layer::new(Shape::Points(measured), Role::Measured, 'o'));
    }
    layers
}

/// The automatic choice, a piece per way.
fn prediction(app: &App, sweep: &Sweep, points: &[Estimate], scaling: &Scaling<'_>) -> Vec<chart::Layer> {
    let mut from: Option<At> = None;
    let mut rest = points.iter().peekable();
    let mut pieces = Vec::new();
    for stretch in &sweep.stretches {
        let mut line: Vec<At> = from.into_iter().collect();
        while let Some(e) = rest.next_if(|e| e.question.size <= stretch.to) {
            line.push(scaling.at(e.question.size, e.time));
        }
        let end = scaling.at(stretch.to, stretch.time);
        line.push(end);
        from = Some(end);
        let role = role_of(Kin::of(app.charts.split, stretch.way));
        pieces.push(chart::Layer::new(Shape::Curve(line, Stroke::Thick), role, '*'));
    }
    pieces
}

fn regions(app: &App, sweep: &Sweep) -> Vec<Region> {
    let last = sweep.stretches.len().saturating_sub(1);
    let region = |(i, s): (usize, &crate::tui::app::Stretch)| Region {
        to: if i == last { f64::INFINITY } else { across(s.to) },
        names: [format!("{} {}", s.way.0, s.way.1), s.way.1.name().to_owned()],
        role: role_of(Kin::of(app.charts.split, s.way)),
    };
    sweep.stretches.iter().enumerate().map(region).collect()
}

fn entries(app: &App, sweep: &Sweep) -> Vec<Entry> {
    let mut all: Vec<Entry> = vec![(["⠶⠶", "**"], Role::Strong, "predicted".to_owned())];
    if sweep.baseline.is_some() {
        all.push((["⠒⠒", "++"], Role::Baseline, "baseline".to_owned()));
    }
    all.push((["⢕⢕", "::"], Role::Range, "range".to_owned()));
    if let (Some(Ok(rows)), Some(named)) = (&sweep.measured, &app.charts.measured) {
        all.push((
            ["o", "o"],
            Role::Measured,
            format!("measured: {}, {}", named.name, counted(rows.len() as u64, "size")),
        ));
    }
    all.push((["⠂⠐", "--"], Role::Dim, "bound".to_owned()));
    if sweep.series.len() > 1 {
        all.push((["⠂ ⠂", ". ."], Role::Text, "other choices".to_owned()));
    }
    all
}

/// What is under the cursor; what was measured.
fn readout(app: &App, sweep: &Sweep, pen: &mut Pen<'_>, area: Rect) {
    let Some(e) = sweep.at(app.charts.size) else { return };
    let c = &e.chosen;
    let kin = Kin::of(app.charts.split, (c.algorithm, c.protocol));
    let mut groups = vec![
        vec![
            piece(format!("{} {}", mark::SELECTED_LEFT, e.question.size), Role::Strong),
            piece(format!("  {} {}", c.algorithm, c.protocol), role_of(kin)),
            piece(format!("  {}", e.time), Role::Strong),
            piece(format!(" ({} .. {})", e.low, e.high), Role::Dim),
        ],
        vec![piece(format!("busbw {} GB/s", rate(e)), Role::Text)],
    ];
    if let (Some(Err(why)), Some(named)) = (&sweep.measured, &app.charts.measured) {
        groups.insert(0, vec![piece(format!("{} is not shown: {why}", named.name), Role::Bad)]);
    }
    groups.extend(sweep.measured_at(app.charts.size).map(|m| measured("measured", m)));
    groups.extend(sweep.baseline_at(app.charts.size).map(|then| {
        let ratio = (e.time / then.time).ratio();
        let role = if ratio > 1.0005 { Role::Bad } else { Role::Good };
        vec![piece(format!("baseline {}", then.time), Role::Baseline), piece(format!("  {}", change_text(ratio)), role)]
    }));
    groups.push(vec![piece(format!("bound {}", e.bound_words()), Role::Dim)]);
    groups.extend(sweep.worst().map(|m| measured(&format!("worst at {}:", m.size), m)));
    groups.push(vec![piece(format!("{} {}", mark::BOTTLENECK, e.bottleneck), Role::Bottleneck)]);
    charts::flow(pen, area, 0, &groups);
}

fn rate(e: &Estimate) -> String {
    let rate = e.busbw().gbytes_per_s();
    if rate.is_finite() { significant(rate) } else { "-".to_owned() }
}

/// `measured 5.70 ms  +0.4 % slower, in the range`.
fn measured(word: &str, m: &Compared) -> Vec<Piece> {
    let role = match m.verdict() {
        Verdict::AsPredicted => Role::Good,
        Verdict::Faster => Role::Text,
        Verdict::Slower | Verdict::BelowBound => Role::Bad,
    };
    let verdict = match m.verdict() {
        Verdict::Slower | Verdict::Faster => "outside the range",
        other => other.words(),
    };
    vec![
        piece(format!("{word} {}", m.sample.time), Role::Measured),
        piece(format!("  {}, {verdict}", change_text(m.ratio().ratio())), role),
    ]
}

/// The numbers, where a chart has no room.
fn table(app: &App, pen: &mut Pen<'_>, area: Rect, points: &[Estimate]) -> Position {
    pen.pieces(area, 0, &[piece(format!("{:>8} {:>8} {:>5}  taken", "size", "time", "GB/s"), Role::Dim)]);
    let list = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let at = points.iter().position(|e| e.question.size == app.charts.size).unwrap_or(0);
    let first = first_row(at, points.len(), list.height);
    let mut cursor = Position { x: list.x, y: list.y };
    for (row, (i, e)) in points.iter().enumerate().skip(first).take(usize::from(list.height)).enumerate() {
        let (size, time) = (e.question.size.to_string(), e.time.to_string());
        let line = format!("{size:>8} {time:>8} {:>5}  {} {}", rate(e), e.chosen.algorithm, e.chosen.protocol);
        pen.pieces(list, row as u16, &[piece(line, Role::Text)]);
        if i == at {
            cursor.y = list.y + row as u16;
            pen.restyle(Rect { y: cursor.y, height: 1, ..list }, Role::Selection);
        }
    }
    cursor
}
