//! The four parts of the time: launch, steps, fill, transfer.

use std::fmt::Write;

use super::super::formula::KernelLimit;
use super::super::prepared::{Prepared, Priced, UnitCost};
use super::super::rates::{shares, usable};
use super::super::recipes::{Passes, Recipe, tree_share};
use super::words::{count, factor, pattern};
use super::{Facts, Section};
use crate::collective::{Pattern, Via};
use crate::cost::BindingPlace;
use crate::parts::{Origin, Steps};
use crate::system::{Algorithm, ClassIx, LinkIx, Protocol};
use crate::units::{Bandwidth, Bytes, Share, Time, counted, significant};

/// The time and its parts, which add up to it.
pub(super) fn time(f: &Facts<'_, '_>) -> Section {
    let c = f.chosen();
    let t = c.terms;
    Section::new("time", "Time", c.time().to_string())
        .line(format!("= launch {} + steps {} + fill {} + transfer {}", t.launch, t.steps, t.fill, t.transfer))
        .with([launch(f), steps(f), fill(f), transfer(f)])
}

fn launch(f: &Facts<'_, '_>) -> Section {
    let total = f.chosen().terms.launch;
    let section = Section::new("launch", "Launch", total.to_string()).taking(total);
    let set = f.prepared().system.software.launch;
    let p = f.params();
    let first = match set {
        Some(t) => format!("{t} a call (a setting of this system)"),
        None => format!("{} for the kernel and its first flag ({})", p.launch.is, p.launch.from),
    };
    let section = section.line(first);
    let Some(l) = f.recipe.as_ref().map(|r| f.pricer.launch(r)).filter(|l| l.more > 0.0) else { return section };
    section.line(format!(
        "{} further GPUs of the process x {} = {} ({})",
        significant(l.more),
        l.each,
        l.each * l.more,
        p.launch_per_gpu.from
    ))
}

fn steps(f: &Facts<'_, '_>) -> Section {
    let c = f.chosen();
    let who = f.prepared().who;
    let row = |k: u64, network: bool, each: Time, from: String| {
        let formula = count(k, who, network, c.algorithm).map_or_else(String::new, |t| format!(" = {t}"));
        format!("{}{formula} x {each} = {} ({from})", counted(k, "step"), each * k as f64)
    };
    let mut section = Section::new("steps", "Steps", c.terms.steps.to_string()).taking(c.terms.steps);
    if c.steps_inside > 0 {
        let from = pace(f).map_or_else(|| "no link paces them".to_owned(), ToString::to_string);
        section = section.line(format!("inside: {}", row(c.steps_inside, false, c.step_inside, from)));
    }
    if c.steps_network > 0 {
        section = section.line(format!("network: {}", row(c.steps_network, true, c.step_network, network_step(f))));
    }
    let fixed = f.recipe.as_ref().map_or(Time::ZERO, |r| r.fixed);
    if fixed.us() > 0.0 {
        section = section.lines(fixed_costs(f, fixed));
    }
    section
}

/// Where the pace inside comes from: a kind of link in use whose step takes as long.
pub(super) fn pace<'a>(f: &Facts<'a, '_>) -> Option<&'a Origin> {
    let c = f.chosen();
    let of = |s: &Steps| match c.protocol {
        Protocol::Ll => s.ll,
        Protocol::Ll128 => s.ll128,
        Protocol::Simple => s.simple,
    };
    let all = c.traffic.iter().filter_map(|t| f.prepared().priced(t.pattern).ok()).flatten();
    let kinds = all.flat_map(|(u, p)| {
        let shape = u.unit().shape;
        p.loads.iter().filter_map(move |(l, _, via, _)| Some((&shape.link(l)?.kind, via)))
    });
    let mut steps = kinds.filter_map(|(k, via)| match via {
        Via::Host => k.staged_steps.as_ref().or(k.steps.as_ref()),
        _ => k.steps.as_ref(),
    });
    steps.find(|s| of(s) == c.step_inside).or_else(|| idle_links(f).find(|s| of(s) == c.step_inside)).map(|s| &s.from)
}

/// Steps of all links: a detour over the host is paced by the scale-up links that it stands in for.
fn idle_links<'a>(f: &Facts<'a, '_>) -> impl Iterator<Item = &'a Steps> {
    let links = f.prepared().units.iter().flat_map(|u| u.unit().shape.links());
    links.filter_map(|l| l.kind.steps.as_ref())
}

fn network_step(f: &Facts<'_, '_>) -> String {
    let Some(t) = f.pricer.transport() else { return String::new() };
    let p = f.params();
    let levels = super::super::fabric_load::levels_latency(f.prepared());
    let mut text = format!("{} of {}, {}", t.step.is, t.title, t.step.from);
    if levels.us() > 0.0 {
        let _ = write!(text, "; {levels} for the switch levels above the leaf");
    }
    match f.chosen().protocol {
        Protocol::Ll => {}
        Protocol::Ll128 => {
            let _ = write!(text, "; ll128 adds {}, {}", p.network_ll128.is, p.network_ll128.from);
        }
        Protocol::Simple => {
            let more = &p.network_simple;
            let _ =
                write!(text, "; simple makes the trip twice (flush, ready flag) and adds {}, {}", more.is, more.from);
        }
    }
    text
}

fn fixed_costs(f: &Facts<'_, '_>, fixed: Time) -> Vec<String> {
    let p = f.params();
    let mut lines = vec![format!("fixed: {fixed}")];
    match f.chosen().algorithm {
        Algorithm::Direct => {
            lines.push(format!("  {} x {} ({})", counted(f.e.ranks - 1, "peer"), p.peer.is, p.peer.from));
        }
        Algorithm::Nvls | Algorithm::NvlsTree | Algorithm::Collnet => {
            lines.push(format!("  {} to set up in-switch reduction ({})", p.reduce_latency.is, p.reduce_latency.from));
            let above = f.prepared().who.per_unit.saturating_sub(8);
            if above > 0 {
                let each = &p.reduce_per_rank;
                lines.push(format!("  {above} GPUs above eight in the domain x {} ({})", each.is, each.from));
            }
            if f.chosen().algorithm == Algorithm::Collnet {
                lines.push(format!("  {} in the fabric ({})", p.collnet_latency.is, p.collnet_latency.from));
            }
        }
        Algorithm::Ring | Algorithm::Tree => {}
    }
    lines
}

fn fill(f: &Facts<'_, '_>) -> Section {
    let c = f.chosen();
    let section = Section::new("fill", "Fill of the pipeline", c.terms.fill.to_string()).taking(c.terms.fill);
    let recipe = f.recipe.as_ref().filter(|_| c.protocol == Protocol::Simple);
    let size = f.e.question.size;
    let priced = recipe.and_then(|r| Some((r, f.pricer.fill(r, size, c.channels).ok()?)));
    let Some((r, fill)) = priced else {
        return section.line(format!("{} has no pipeline to fill: flags travel with the data", c.protocol));
    };
    let slot = &f.params().slot;
    let rate = Bandwidth::from_gbytes_per_s(1.0 / (1000.0 * fill.per_byte));
    section
        .line(format!("the last rank waits for its first chunk: {} at {rate} = {}", fill.chunk, c.terms.fill))
        .line(format!(
            "chunk = min(S, slots x channels x slot) = min({size}, {} x {} x {} = {})",
            significant(r.depth),
            c.channels,
            slot.is,
            fill.in_flight
        ))
        .line(passes(r, f.prepared()))
        .line(format!("slot: {}", slot.from))
}

/// What the first chunk waits for, in words.
fn passes(r: &Recipe, p: &Prepared<'_>) -> String {
    let kernel = p.units.iter().find_map(|u| p.system.catalogue.arch(u.arch()?).ok());
    let copy =
        kernel.map_or_else(String::new, |a| format!("{} a channel ({})", a.ll128_channel.is, a.ll128_channel.from));
    match r.passes {
        Passes::Copied => format!("a kernel copies it before it hands it on: {copy}"),
        Passes::Linked { .. } => "the rate is that of the narrowest link on the way".to_owned(),
        Passes::Stored => format!(
            "each hop waits for the whole chunk: {} inside at what kernels copy ({copy}) or the link carries, {} at the NICs' rate",
            r.inside, r.network
        ),
    }
}

/// Bytes on what binds, at its rate.
fn transfer(f: &Facts<'_, '_>) -> Section {
    let c = f.chosen();
    let section = Section::new("transfer", "Transfer", c.terms.transfer.to_string()).taking(c.terms.transfer);
    let section = match c.binding.place {
        BindingPlace::Link { class, link, forward } => {
            let (lines, rates) = on_link(f, class, link, forward);
            section.lines(lines).with([Section { lines: rates, ..rate_heading(f, class, link) }])
        }
        BindingPlace::Uplink(leaf) => section.lines(on_uplink(f, leaf.0)),
        BindingPlace::Kernel => section.line(kernel(f)),
        BindingPlace::Nothing => section.line("nothing is moved"),
    };
    let held = c.binding.time == c.terms.transfer && c.time() <= f.e.bound;
    let section = if held {
        section.line("held at the limit of the machine's cuts: without that it would be less")
    } else {
        section
    };
    section.with([bytes(f)])
}

/// The traffic of the algorithm, pattern by pattern.
fn bytes(f: &Facts<'_, '_>) -> Section {
    let c = f.chosen();
    let size = f.e.question.size;
    let efficiency = f.pricer.efficiency(c.protocol);
    let mut lines = Vec::new();
    for u in &c.traffic {
        let k = (u.bytes / size).ratio();
        let formula = factor(k, f.prepared().who, c.algorithm);
        lines.push(format!("{} {formula} x {size} = {}", pattern(u.pattern), u.bytes));
    }
    if efficiency != Share::ONE {
        lines.push(format!("{} keeps {efficiency} of the bytes for data, the rest are flags", c.protocol));
    }
    let total: Bytes = c.traffic.iter().map(|u| u.bytes).sum();
    Section::new("bytes", "Bytes moved", total.to_string()).lines(lines)
}

fn unit<'p, 's>(f: &Facts<'p, 's>, class: ClassIx) -> Option<&'p UnitCost<'s>> {
    f.prepared().units.iter().find(|u| u.class == class)
}

fn rate_heading(f: &Facts<'_, '_>, class: ClassIx, link: LinkIx) -> Section {
    let line = unit(f, class).and_then(|u| u.unit().shape.link(link)).map(crate::system::Link::line_rate);
    Section::new("rates", "Rate", format!("line rate {}", line.unwrap_or_default()))
}

/// One line per pattern and mover on a link, and the rates that they use.
fn on_link(f: &Facts<'_, '_>, class: ClassIx, link: LinkIx, forward: bool) -> (Vec<String>, Vec<String>) {
    let Some(u) = unit(f, class) else { return Default::default() };
    let (mut lines, mut rates) = (Vec::new(), Vec::new());
    for used in &f.chosen().traffic {
        let Ok(priced) = u.priced(f.prepared().system, used.pattern) else { continue };
        for (via, part) in on(priced, link, forward) {
            let rate = usable(u.unit(), link, via, u.largest_group());
            let wire = used.wire * part;
            lines.push(format!(
                "{}: {} of {} on this link = {wire} at {rate} = {}",
                short(used.pattern),
                Share::new(part),
                wired(used.bytes, used.wire),
                wire / rate
            ));
            let text = rate_line(f, u, link, via);
            if !rates.contains(&text) {
                rates.push(text);
            }
        }
    }
    (lines, rates)
}

/// Loads of one link and direction by mover.
fn on(priced: &Priced, link: LinkIx, forward: bool) -> Vec<(Via, f64)> {
    priced.loads.on(link, forward).collect()
}

fn short(p: Pattern) -> &'static str {
    pattern(p).split(':').next().unwrap_or_default()
}

/// `14 GiB`, or with what flags and kernel make of it.
fn wired(bytes: Bytes, wire: Bytes) -> String {
    let share = bytes / wire;
    if (share.ratio() - 1.0).abs() < 1e-9 { bytes.to_string() } else { format!("{bytes} / {share}") }
}

/// `line 25 GB/s x 5 (vendor: ...) x usable 80% (library: ...) = 100 GB/s`.
fn rate_line(f: &Facts<'_, '_>, u: &UnitCost<'_>, link: LinkIx, via: Via) -> String {
    let Some(wire) = u.unit().shape.link(link) else { return String::new() };
    let s = shares(u.unit(), wire, via, u.largest_group());
    let left = u.unit().health.left(u.unit().shape, link);
    let from = s.from.map_or_else(|| "a setting of this system".to_owned(), ToString::to_string);
    let mut text = format!("{} line ({}: {})", wire.line_rate(), wire.describe(), wire.kind.line.from);
    if left != Share::ONE {
        let _ = write!(text, " x {left} left of it by its health");
    }
    let _ = write!(text, " x {} usable by {} ({from})", s.wire, mover(via));
    if let Some(engine) = s.engine_from {
        let _ = write!(text, " x {} of the reduction engine ({engine})", s.engine);
    }
    let _ = write!(text, " = {}", usable(u.unit(), link, via, u.largest_group()));
    if f.chosen().algorithm == Algorithm::Tree && via == Via::Peer {
        let kernel = tree_share(f.prepared(), f.params());
        let _ = write!(text, "; the tree's kernel reaches {} of it ({})", kernel.is, kernel.from);
    }
    text
}

const fn mover(via: Via) -> &'static str {
    match via {
        Via::Peer => "GPU kernels",
        Via::Host => "GPU kernels through host memory",
        Via::Nic => "the NIC, straight from GPU memory",
        Via::NicHost => "the NIC, from host memory",
        Via::Reduce => "the switch's multicast and reduction",
    }
}

fn on_uplink(f: &Facts<'_, '_>, leaf: u32) -> Vec<String> {
    let Some(x) = f.prepared().system.fabric.as_ref() else { return Vec::new() };
    let rate = x.leaf_uplink(crate::system::LeafIx(leaf));
    vec![
        format!(
            "leaf{leaf} sends up {rate} of line rate: {} ports down at {}, {}:1",
            x.leaf_down_ports(),
            x.port_rate,
            significant(x.oversubscription)
        ),
        match f.prepared().system.software.usable.get(&crate::parts::Family::Network) {
            Some(set) => format!("{set} usable of it (a setting of this system)"),
            None => format!("{} usable of it ({})", x.transport.usable.is, x.transport.usable.from),
        },
    ]
}

fn kernel(f: &Facts<'_, '_>) -> String {
    let c = f.chosen();
    let Some(r) = &f.recipe else { return String::new() };
    let KernelLimit { share, rate, window, time } = f.pricer.kernels(r, c.protocol, f.e.question.size, c.channels);
    format!(
        "{} {} x {} = {}, at most {} a channel on {} = {rate}: {time}",
        if window { "the connections between units carry" } else { "the kernels of a GPU send" },
        factor(share, f.prepared().who, c.algorithm),
        f.e.question.size,
        f.e.question.size * share,
        rate / f64::from(c.channels),
        counted(u64::from(c.channels), "channel"),
    )
}
