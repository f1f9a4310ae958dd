//! What explains a log: the verdict, the causes ranked by the share of the gap that they explain, and the gap itself.

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::pen::{Pen, Piece, piece};
use super::rows::{self, Line};
use crate::measure::diagnose::{BandGap, Finding, Verdict, confirm};
use crate::scenario::Edit;
use crate::tui::app::{App, Diagnosed};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// Cells of the bar of a share.
const BAR: usize = 10;

/// Cells of the bar of a gap: four for each doubling.
const GAP: usize = 24;

/// Narrowest inside with bars.
const WIDE: u16 = 70;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, areas: &Areas) -> Option<Position> {
    let name = app.charts.measured.as_ref().map_or("no log", |m| m.name.as_str());
    let right = if areas.form >= Form::Small { "against the baseline" } else { "" };
    let inner = rows::frame(app, pen, areas, name, right);
    let d = match app.reports.diagnosis.as_ref()? {
        Ok(d) => d,
        Err(why) => {
            rows::none(pen, inner, why);
            return None;
        }
    };
    let below = head(d, pen, inner);
    let mut gaps = gaps(d, below.width);
    let mut lines = causes(app, d, below.width);
    // Where there is room the gap stands first; it is what the causes explain.
    if areas.form >= Form::Medium && gaps.len() <= usize::from(below.height) / 3 || lines.is_empty() {
        gaps.push((None, Vec::new()));
        gaps.append(&mut lines);
        lines = gaps;
    } else {
        lines.push((None, Vec::new()));
        lines.append(&mut gaps);
    }
    lines.extend(remarks(d, below.width));
    rows::list(pen, below, &lines, app.reports.at)
}

/// The verdict and what the log is; the area below.
fn head(d: &Diagnosed, pen: &mut Pen<'_>, area: Rect) -> Rect {
    let role = match d.result.verdict {
        Verdict::Healthy => Role::Good,
        Verdict::Fault => Role::Bad,
        Verdict::Unexplained => Role::Degraded,
    };
    let mut lines: Vec<(String, Role)> =
        text::wrap(&d.result.sentence(), usize::from(area.width)).into_iter().map(|l| (l, role)).collect();
    let ranks = d.case.ranks.map_or_else(|| "all".to_owned(), |r| r.to_string());
    let assumed: Vec<String> = d.case.assumed.iter().map(Edit::to_string).collect();
    let from = if assumed.is_empty() { String::new() } else { format!("; from the log: {}", assumed.join("; ")) };
    lines.push((format!("{} rows over {ranks} ranks{from}", d.result.rows), Role::Dim));
    let rows = (lines.len() as u16).min(area.height / 2);
    for (y, (line, role)) in lines.into_iter().take(usize::from(rows)).enumerate() {
        pen.pieces(area, y as u16, &[piece(line, role)]);
    }
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

fn causes(app: &App, d: &Diagnosed, width: u16) -> Vec<Line> {
    let findings = &d.result.findings;
    if findings.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![(None, vec![piece("   explains  cause", Role::Dim)])];
    let several = findings.iter().filter(|f| f.tied).count() > 1;
    for (i, f) in findings.iter().enumerate() {
        lines.push((Some(i), cause(app, f, several && f.tied, width)));
        if i == app.reports.at {
            lines.extend(details(f, width));
        }
    }
    if let Some(note) = d.result.undecided() {
        lines.push((None, Vec::new()));
        lines.extend(wrapped(&note, width, 0, Role::Dim));
    }
    lines
}

/// `=*  83 % ########  title`: `=` where several cannot be told apart, `*` where its edits are in force.
fn cause(app: &App, f: &Finding, tied: bool, width: u16) -> Vec<Piece> {
    let applied = app.is_applied(f);
    let marks = format!("{}{}", if tied { '=' } else { ' ' }, if applied { mark::EDIT } else { ' ' });
    let share = f.explains.percent().clamp(0.0, 100.0);
    let mut pieces = vec![piece(format!("{marks}{share:>4.0} %"), Role::Strong)];
    let mut used = 8;
    if width >= WIDE {
        let bar = mark::SOLID.to_string().repeat((share / 100.0 * BAR as f64).round() as usize);
        pieces.push(piece(format!(" {}", text::pad(&bar, BAR)), Role::Key));
        used += BAR + 1;
    }
    let titles: Vec<&str> = f.causes.iter().map(|c| c.title.as_str()).collect();
    let room = usize::from(width).saturating_sub(used + 1);
    let role = if applied { Role::WhatIf } else { Role::Text };
    pieces.push(piece(format!("  {}", text::truncate(&titles.join("; and "), room)), role));
    pieces
}

/// Everything about the cause of the cursor: it unfolds below it.
fn details(f: &Finding, width: u16) -> Vec<Line> {
    let titles: Vec<&str> = f.causes.iter().map(|c| c.title.as_str()).collect();
    let mut all = vec![
        (format!("cause   {}", titles.join("; and ")), Role::Text),
        (format!("edits   {}", short(&f.edits())), Role::WhatIf),
        (format!("curve   {}", f.signature), Role::Text),
    ];
    for s in &f.same {
        all.push((format!("same    {} ({})", s.title, short(&s.edits)), Role::Dim));
    }
    let mut asked: Vec<&str> = Vec::new();
    for c in f.causes.iter().chain(&f.same) {
        let how = confirm(c.kind);
        if !asked.contains(&how) {
            asked.push(how);
            all.push((format!("confirm {how}"), Role::Host));
        }
    }
    all.into_iter().flat_map(|(t, role)| wrapped(&t, width, 6, role)).collect()
}

/// A list of edits, the middle left out of a long one.
fn short(edits: &[Edit]) -> String {
    let texts: Vec<String> = edits.iter().map(Edit::to_string).collect();
    match texts.as_slice() {
        [first, .., last] if texts.len() > 3 => format!("{first}; ... {} more ...; {last}", texts.len() - 2),
        _ => texts.join("; "),
    }
}

/// Text of no row, indented; further lines hang below the text after its first word.
fn wrapped(content: &str, width: u16, indent: usize, role: Role) -> Vec<Line> {
    let hang = if indent > 0 { 8 } else { 0 };
    let room = usize::from(width).saturating_sub(indent + hang + 1).max(12);
    let (head, rest) = if hang > 0 { content.split_at(content.len().min(hang)) } else { ("", content) };
    let line = |(i, l): (usize, String)| {
        let lead = if i == 0 { text::pad(head, hang) } else { " ".repeat(hang) };
        (None, vec![piece(format!("{}{lead}", " ".repeat(indent)), Role::Dim), piece(l, role)])
    };
    text::wrap(rest, room).into_iter().enumerate().map(line).collect()
}

/// Measured against healthy, band by band.
fn gaps(d: &Diagnosed, width: u16) -> Vec<Line> {
    let several = d.result.bands.iter().any(|b| Some(b.collective) != d.result.bands.first().map(|f| f.collective));
    let first = d.result.bands.first().map_or("", |b| b.collective.name());
    let what = if several { "the times".to_owned() } else { format!("the times of {first}") };
    let mut lines =
        vec![(None, vec![piece(format!("{what}, as multiples of the healthy estimate (medians)"), Role::Dim)])];
    lines.extend(d.result.bands.iter().map(|b| (None, gap(b, several, width))));
    lines
}

fn gap(b: &BandGap, several: bool, width: u16) -> Vec<Piece> {
    let (word, role) = match (b.is_slow(), b.is_fast()) {
        (true, _) => ("slow", Role::Bad),
        (_, true) => ("fast", Role::Good),
        _ => ("", Role::Text),
    };
    let name = if several { format!("  {:14}", b.collective.name()) } else { "  ".to_owned() };
    let range = format!("{:.2}..{:.2}", b.low.ratio(), b.high.ratio());
    let mut pieces = vec![
        piece(format!("{name}{:13}", b.band.name()), Role::Text),
        piece(format!("{:>8.2} ", b.off.ratio()), if word.is_empty() { Role::Strong } else { role }),
        piece(format!(" range {range:<11}"), Role::Dim),
        piece(format!(" {word:5}"), role),
    ];
    if width >= WIDE {
        let cells = (b.off.ratio().log2().abs() * 4.0).round().min(GAP as f64) as usize;
        let glyph = if b.off.ratio() < 1.0 { mark::LIGHT } else { mark::SOLID };
        pieces.push(piece(glyph.to_string().repeat(cells), role));
    }
    pieces
}

/// What is worth knowing about the log.
fn remarks(d: &Diagnosed, width: u16) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    if !d.case.remarks.is_empty() {
        lines.push((None, Vec::new()));
    }
    lines.extend(d.case.remarks.iter().flat_map(|r| wrapped(r, width, 0, Role::Dim)));
    lines
}
