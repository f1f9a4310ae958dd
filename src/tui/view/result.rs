//! The answer: baseline and what-if as bars on one axis, the bottleneck, how busy the tiers are, where the time goes.

mod bars;

use ratatui::layout::{Position, Rect};

use super::areas::{Areas, Form};
use super::panel::{self, Heading};
use super::pen::{Pen, Piece, piece, wrapped};
use super::title;
use super::tree::percent;
use crate::cost::{Answer, BindingPlace, Estimate, TierUse};
use crate::question::Group;
use crate::system::Tier;
use crate::tui::app::App;
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::units::{Time, counted};

pub(super) fn draw(app: &App, pen: &mut Pen<'_>, area: Rect, areas: &Areas) -> Option<Position> {
    if areas.form == Form::Tabs && area.height <= 5 {
        short(app, pen, area);
        return None;
    }
    let (left, right) = (question(app), method(app, areas.form));
    let inner = panel::frame(pen, area, &Heading { left: &left, right: &right, focused: false });
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    if areas.form == Form::Tabs {
        narrow(app, pen, inner);
        return None;
    }
    let compact = inner.height < 5;
    let mut row = bars::draw(app, pen, inner, compact);
    if compact {
        pen.pieces(inner, row, &compact_line(app, inner.width));
        return None;
    }
    for line in [busy(app, inner.width), split(app, inner.width), bottleneck(app)].into_iter().chain(notes(app)) {
        if !line.is_empty() {
            pen.pieces(inner, row, &line);
            row += 1;
        }
    }
    None
}

/// `all-reduce  1 GiB  32 ranks`, with the group where it is not all.
pub(super) fn question(app: &App) -> String {
    let q = app.question();
    let ranks = app.answers().now.estimate().map_or_else(|| app.system().ranks(), |e| e.ranks);
    let who = match (q.group, app.answers().now.estimate()) {
        (Group::All, _) | (_, None) => counted(ranks, "rank"),
        (group, Some(e)) => format!("{} of {} ({group})", counted(e.groups, "group"), counted(ranks, "rank")),
    };
    format!("{}  {}  {who}", q.collective, q.size)
}

/// `ring, simple (auto)`, and the keys that change it.
pub(super) fn method(app: &App, form: Form) -> String {
    let q = app.question();
    let auto = if q.algorithm.is_none() && q.protocol.is_none() { " (auto)" } else { "" };
    let method = app
        .answers()
        .now
        .estimate()
        .map_or_else(String::new, |e| format!("{}, {}{auto}", e.chosen.algorithm, e.chosen.protocol));
    if form >= Form::Medium { format!("{method}   [c] [s] [r] [a] [p] change it") } else { method }
}

/// A tab of its own, high and narrow: everything wrapped.
fn narrow(app: &App, pen: &mut Pen<'_>, inner: Rect) {
    let row = bars::draw(app, pen, inner, true);
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    if let Some(e) = app.answers().now.estimate() {
        let range = format!("{} to {}, busbw {}, bound {}", e.low, e.high, e.busbw(), e.bound);
        lines.extend(wrapped(&range, inner.width, Role::Text));
        for t in &e.tiers {
            let busy = percent(t.utilisation.ratio());
            let bar = mark::SOLID.to_string().repeat(usize::from(busy) / 5);
            let name = text::pad(tier_name(t), 10);
            lines.push(vec![
                piece(name, tier_role(t.tier)),
                piece(format!("{busy:>3} % "), Role::for_load(busy)),
                piece(bar, Role::for_load(busy)),
            ]);
        }
    }
    for line in std::iter::once(bottleneck(app)).chain(notes(app)) {
        let words: String = line.iter().map(|(t, _)| t.as_str()).collect();
        lines.extend(wrapped(&words, inner.width, Role::Text));
    }
    for (y, line) in lines.iter().enumerate() {
        pen.pieces(inner, row + y as u16, line);
    }
}

/// Four rows without a frame.
pub(super) fn short(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let method = app
        .answers()
        .now
        .estimate()
        .map_or_else(String::new, |e| format!("  {} {}", e.chosen.algorithm, e.chosen.protocol));
    pen.pieces(inner, 0, &[piece(question(app), Role::Strong), piece(method, Role::Dim)]);
    let below = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    let row = bars::draw(app, pen, below, true);
    pen.pieces(below, row, &compact_line(app, below.width));
}

/// Bottleneck and tiers in one row, the busiest first. A tier that has no room for its number is left out: a part of a
/// number is another number.
fn compact_line(app: &App, columns: u16) -> Vec<Piece> {
    let Answer::Estimate(e) = &app.answers().now else { return Vec::new() };
    let tiers: Vec<(String, u8)> =
        busiest_first(e).iter().map(|t| (format!("  {} ", tier_name(t)), percent(t.utilisation.ratio()))).collect();
    let width = |(name, busy): &(String, u8)| text::width(name) + busy.to_string().len();
    let head = format!("{} {}", mark::BOTTLENECK, e.bottleneck);
    // The busiest tier has its room, however long the bottleneck's name is.
    let mut room = usize::from(columns).saturating_sub(tiers.first().map_or(0, width));
    let head = text::truncate(&head, room).into_owned();
    room = usize::from(columns).saturating_sub(text::width(&head));
    let mut line = vec![piece(head, Role::Bottleneck)];
    for tier in tiers {
        let Some(left) = room.checked_sub(width(&tier)) else { break };
        room = left;
        line.extend([piece(tier.0, Role::Dim), piece(tier.1.to_string(), Role::for_load(tier.1))]);
    }
    line
}

/// A tier as the strip calls it.
fn tier_name(t: &TierUse) -> &'static str {
    match t.tier {
        Tier::OnChip => "HBM",
        Tier::Host => "host",
        other => other.name(),
    }
}

fn tier_role(tier: Tier) -> Role {
    match tier {
        Tier::OnChip => Role::Chip,
        Tier::ScaleUp => Role::ScaleUp,
        Tier::Host => Role::Host,
        Tier::ScaleOut => Role::ScaleOut,
        Tier::Services => Role::Services,
    }
}

/// How long each tier alone would need, as a share of the time.
fn busy(app: &App, columns: u16) -> Vec<Piece> {
    let Answer::Estimate(e) = &app.answers().now else { return Vec::new() };
    let binding = e.chosen.binding_tier(app.system());
    let tiers = busiest_first(e);
    let count = tiers.len().max(1);
    let width = (usize::from(columns).saturating_sub(10) / count).saturating_sub(18).clamp(4, 17);
    let mut line = vec![piece("busy      ", Role::Dim)];
    for t in tiers {
        let busy = percent(t.utilisation.ratio());
        let full = (width * usize::from(busy)).div_ceil(100);
        line.push(piece(format!("{} ", text::pad(tier_name(t), 9)), tier_role(t.tier)));
        line.push(piece(mark::SOLID.to_string().repeat(full), Role::for_load(busy)));
        line.push(piece(mark::NOTHING.to_string().repeat(width - full), Role::Dim));
        let hot = binding == Some(t.tier);
        let number = if hot { format!("{}{busy}", mark::BOTTLENECK) } else { busy.to_string() };
        let blanks = " ".repeat(5_usize.saturating_sub(text::width(&number)));
        let role = if hot { Role::Bottleneck } else { Role::for_load(busy) };
        line.extend([piece(" ", Role::Text), piece(number, role), piece(blanks, Role::Text)]);
    }
    line
}

/// Launch, steps, fill and bytes as one bar.
fn split(app: &App, columns: u16) -> Vec<Piece> {
    let Answer::Estimate(e) = &app.answers().now else { return Vec::new() };
    let t = e.chosen.terms;
    let share = |part: Time| (part / e.time).ratio().clamp(0.0, 1.0);
    let parts = [
        ("launch", mark::LIGHT, share(t.launch)),
        ("steps", mark::HATCHED, share(t.steps)),
        ("fill", '▓', share(t.fill)),
        ("bytes", mark::SOLID, share(t.transfer)),
    ];
    let percents = whole_percents(&parts.map(|(.., s)| s));
    let words = parts.iter().zip(percents).map(|((name, glyph, _), p)| format!("{glyph} {name} {p}"));
    let legend = format!("  {} %", words.collect::<Vec<_>>().join("  "));
    let width = usize::from(columns).saturating_sub(10 + text::width(&legend));
    let mut bar = String::new();
    let mut done = 0.0;
    for (_, glyph, s) in parts {
        done += s;
        let until = (done * width as f64).round() as usize;
        let have = text::width(&bar);
        bar.push_str(&glyph.to_string().repeat(until.min(width).saturating_sub(have)));
    }
    vec![piece("time      ", Role::Dim), piece(bar, Role::Text), piece(legend, Role::Dim)]
}

/// Shares as whole percents that sum to what the shares sum to: the largest remainders are rounded up.
fn whole_percents<const N: usize>(shares: &[f64; N]) -> [u8; N] {
    let exact = shares.map(|s| s * 100.0);
    let mut whole = exact.map(f64::floor);
    let missing = (exact.iter().sum::<f64>() - whole.iter().sum::<f64>()).round() as usize;
    let mut order: Vec<usize> = (0..N).collect();
    let rest = |i: &usize| exact.get(*i).map_or(0.0, |x| x - x.floor());
    order.sort_by(|a, b| rest(b).total_cmp(&rest(a)));
    for i in order.into_iter().take(missing) {
        if let Some(w) = whole.get_mut(i) {
            *w += 1.0;
        }
    }
    whole.map(|w| w as u8)
}

/// What sets the time, why, and what comes next.
fn bottleneck(app: &App) -> Vec<Piece> {
    let e = match &app.answers().now {
        Answer::Estimate(e) => e,
        Answer::Unreachable(u) => {
            let hint = if app.history().done().is_empty() { "" } else { "   u takes the last edit back" };
            let what = format!("{} no time: {} cannot be reached", mark::DOWN, u.ranks);
            return vec![piece(what, Role::Down), piece(hint, Role::Dim)];
        }
    };
    let mut line = vec![
        piece(format!("{} bottleneck", mark::BOTTLENECK), Role::Bottleneck),
        piece(format!("  {}", e.bottleneck), Role::Strong),
    ];
    if let Some(reason) = reason(app, e) {
        line.push(piece(format!("  {reason}"), Role::Text));
    }
    if let Some(next) = next_tier(app, e) {
        line.push(piece(format!("; next {next}"), Role::Dim));
    }
    line
}

/// What the binding link can carry, and how many are alike.
fn reason(app: &App, e: &Estimate) -> Option<String> {
    let BindingPlace::Link { class, link, .. } = e.chosen.binding.place else { return None };
    let c = app.system().classes.get(class.0)?;
    let l = c.shape.link(link)?;
    let left = c.health.left(&c.shape, link);
    let alike = app.answers().bottleneck.links.len();
    let hurt = if left.ratio() < 1.0 { format!(", {left} of it left") } else { String::new() };
    let many = if alike > 1 { format!(", {alike} links alike") } else { String::new() };
    Some(format!("{}, {} line{hurt}{many}", l.describe(), l.line_rate()))
}

/// The tiers in use, the busiest first.
fn busiest_first(e: &Estimate) -> Vec<&TierUse> {
    let mut tiers: Vec<&TierUse> = e.tiers.iter().collect();
    tiers.sort_by(|a, b| b.utilisation.ratio().total_cmp(&a.utilisation.ratio()));
    tiers
}

/// The busiest tier besides the one that binds.
fn next_tier(app: &App, e: &Estimate) -> Option<String> {
    let binding = e.chosen.binding_tier(app.system());
    let next = busiest_first(e).into_iter().find(|t| binding != Some(t.tier))?;
    Some(format!("{} at {} %", tier_name(next), percent(next.utilisation.ratio())))
}

fn notes(app: &App) -> Vec<Vec<Piece>> {
    let Answer::Estimate(e) = &app.answers().now else { return Vec::new() };
    e.notes.iter().map(|n| vec![piece(format!("  note        {}", n.0), Role::Dim)]).collect()
}

/// The change of the time against the baseline, for the end of the what-if's bar.
fn change(app: &App) -> Option<Piece> {
    title::change(app)
}

#[cfg(test)]
mod tests {
    use super::whole_percents;

    #[test]
    fn shares_sum_to_a_hundred() {
        assert_eq!(whole_percents(&[0.005, 0.055, 0.105, 0.835]), [1, 6, 10, 83]);
        assert_eq!(whole_percents(&[1.0 / 3.0; 3]), [34, 33, 33]);
        assert_eq!(whole_percents(&[0.0, 0.0, 0.0, 1.0]), [0, 0, 0, 100]);
        for i in 0..1000 {
            let a = f64::from(i) / 1000.0;
            let sum: u32 = whole_percents(&[a, (1.0 - a) * 0.37, (1.0 - a) * 0.63]).iter().map(|p| u32::from(*p)).sum();
            assert_eq!(sum, 100, "{a}");
        }
    }
}
