//! Fits the model's constants to the table of published measurements and judges them by leaving machines out.
//!
//! `cargo run --release --example fit -- [ROUNDS] [LEAVE_OUT_ROUNDS] [NAME=VALUE:SIGMA]... [ID]...`
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool for the model's makers"
)]

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;

use icx_tui::cost::{Machine, Params};
use icx_tui::measure::fit::Fit;
use icx_tui::measure::knobs::{Model, knobs};
use icx_tui::measure::predict::{Open, cases};
use icx_tui::measure::stats::{Band, median, quantile};
use icx_tui::measure::table::{self, TableRow};
use icx_tui::parts::Catalogue;
use icx_tui::preset;
use icx_tui::system::{System, SystemSpec, build};
use icx_tui::units::{Share, Time};

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let rows = table::read(table::PUBLISHED, table::PUBLISHED_NAME).expect("the published table reads");
    let specs: HashMap<String, SystemSpec> = preset::shipped()
        .iter()
        .map(|s| (s.name.to_owned(), preset::parse_spec(s.text, s.name).expect("shipped systems parse")))
        .collect();
    let open = |name: &str, catalogue: &Arc<Catalogue>| -> Result<System, String> {
        let spec = specs.get(name).ok_or_else(|| format!("no system {name}"))?;
        build(spec, catalogue).map_err(|e| e.to_string())
    };
    let shipped = Model { params: Params::default(), parts: preset::catalogue_file().expect("the catalogue parses") };
    let mut prior = Model { params: Params::default(), parts: preset::catalogue_file().expect("the catalogue parses") };
    let known = known(&mut prior);
    let fit = Fit::new(&rows, &open, &prior, &known).expect("the table fits the systems");
    let before = fit.price(&shipped).expect("prices");
    report("as shipped", &rows, &before);
    worst(&rows, &before);
    for id in std::env::args().skip(1).filter(|a| a.parse::<usize>().is_err() && !a.contains('=')) {
        curve(&rows, &before, &id);
    }
    let rounds = args.first().copied().unwrap_or(0);
    if rounds == 0 {
        return;
    }
    let full = fit.run(&prior, rounds, &|_| false).expect("fit");
    println!("\ncost {:.4}", full.cost.ratio());
    for (name, value, prior) in fit.values(&full.model) {
        let moved = if (value.ratio() / prior.ratio() - 1.0).abs() > 0.004 { "  *" } else { "" };
        println!("{name:34} {:10.4}  prior {:10.4}{moved}", value.ratio(), prior.ratio());
    }
    report("in sample", &rows, &full.times);
    worst(&rows, &full.times);
    let loo = args.get(1).copied().unwrap_or(0);
    if loo > 0 {
        let left = fit.leave_one_out(&full.model, loo, |m| eprintln!("left out {m}")).expect("leave one out");
        report("left out", &rows, &left);
        worst(&rows, &left);
        factors(&rows, &left, &open);
        record(&rows, &left);
    }
}

fn error(row: &TableRow, t: Option<Time>) -> f64 {
    t.map_or(1.0, |t| t.us() / row.time().us() - 1.0)
}

fn per_id(rows: &[TableRow], times: &[Option<Time>], band: Band) -> BTreeMap<String, Vec<f64>> {
    let mut map: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (row, t) in rows.iter().zip(times) {
        if !row.is_degraded() && !row.is_warm_up() && Band::of(row.size) == band {
            map.entry(row.id.clone()).or_default().push(error(row, *t));
        }
    }
    map
}

fn report(title: &str, rows: &[TableRow], times: &[Option<Time>]) {
    println!("\n{title}");
    for band in Band::ALL {
        let ids = per_id(rows, times, band);
        let shares = |v: &Vec<f64>| v.iter().map(|e| Share::new(e.abs())).collect::<Vec<_>>();
        let each: Vec<Share> = ids.values().filter_map(|v| median(&shares(v))).collect();
        let signed: Vec<Share> =
            ids.values().filter_map(|v| median(&v.iter().map(|e| Share::new(*e)).collect::<Vec<_>>())).collect();
        println!(
            "  {:14} median {:5.1} %  p90 {:5.1} %  bias {:+5.1} %  ({} ids)",
            band.name(),
            median(&each).unwrap_or_default().percent(),
            quantile(&each, 0.9).unwrap_or_default().percent(),
            median(&signed).unwrap_or_default().percent(),
            each.len()
        );
    }
}

fn worst(rows: &[TableRow], times: &[Option<Time>]) {
    for band in Band::ALL {
        let mut list: Vec<(String, f64)> = per_id(rows, times, band)
            .into_iter()
            .filter_map(|(id, v)| Some((id, median(&v.iter().map(|e| Share::new(*e)).collect::<Vec<_>>())?.percent())))
            .collect();
        list.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let text: Vec<String> = list.iter().take(14).map(|(id, e)| format!("{id} {e:+.0}")).collect();
        println!("  {:14} {}", band.name(), text.join(", "));
    }
}

fn curve(rows: &[TableRow], times: &[Option<Time>], id: &str) {
    println!("{id}");
    for (row, t) in rows.iter().zip(times).filter(|(r, _)| r.id == id) {
        let t = t.unwrap_or_default();
        println!(
            "  {:>12} measured {:>12.1} predicted {:>12.1} {:+6.1} %  busbw {:.1}",
            row.size.to_string(),
            row.time().us(),
            t.us(),
            error(row, Some(t)) * 100.0,
            row.busbw().gbytes_per_s()
        );
    }
}

/// 10 % and 90 % points of measured over predicted, by kind of machine and band, each id with equal weight.
fn factors(rows: &[TableRow], times: &[Option<Time>], open: Open<'_>) {
    let catalogue = preset::catalogue();
    let mut by: BTreeMap<(String, Band), BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    for case in cases(rows).expect("cases") {
        let system = case.system(open, catalogue).expect("system");
        let kind = case.machine(&system).map_or("none".to_owned(), |m: Machine| format!("{m:?}"));
        for i in &case.rows {
            let (row, t) = (&rows[*i], times[*i]);
            if let (Some(t), false) = (t, row.is_degraded() || row.is_warm_up() || row.is_guessed()) {
                let cell = by.entry((kind.clone(), Band::of(row.size))).or_default();
                cell.entry(row.id.clone()).or_default().push(row.time().us() / t.us());
            }
        }
    }
    for ((kind, band), ids) in by {
        let mut weighted: Vec<(f64, f64)> =
            ids.values().flat_map(|v| v.iter().map(|r| (*r, 1.0 / v.len() as f64))).collect();
        weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = weighted.iter().map(|w| w.1).sum();
        let at = |q: f64| {
            let mut sum = 0.0;
            weighted
                .iter()
                .find(|(_, w)| {
                    sum += w;
                    sum >= q * total
                })
                .map_or(1.0, |w| w.0)
        };
        println!(
            "  {kind:8} {:14} {:.2} .. {:.2}  (median {:.2}, {} ids)",
            band.name(),
            at(0.1),
            at(0.9),
            at(0.5),
            ids.len()
        );
    }
}

/// Writes the times predicted without the row's own machine beside the table.
fn record(rows: &[TableRow], times: &[Option<Time>]) {
    let mut out = String::from("id,size_bytes,time_us\n");
    for (row, t) in rows.iter().zip(times) {
        let _ = writeln!(out, "{},{},{:.3}", row.id, row.size.to_u64(), t.unwrap_or_default().us());
    }
    std::fs::write("data/left_out.csv", out).expect("data/left_out.csv is writable");
}

/// Values to start from that owe nothing to the fit, with how far they may stray (standard deviation of the logarithm):
/// the library's source, vendors, and first readings of a few rows by eye. (The third generation of EFA: the second's, less
/// the 35 % that AWS announced for it.)
const PRIORS: &[(&str, f64, f64)] = &[
    ("launch", 7.0, 0.5),
    ("launch_per_gpu", 3.6, 0.3),
    ("launch_per_peer", 0.95, 0.5),
    ("network_ll128", 3.5, 0.5),
    ("network_simple", 12.0, 0.2),
    ("network_ll_window", 5000.0, 0.3),
    ("network_ll128_window", 45_000.0, 0.5),
    ("reduce_latency", 34.0, 0.05),
    ("reduce_per_rank", 6.5, 0.5),
    ("peer", 0.9, 0.5),
    ("tree_share", 0.92, 0.0001),
    ("ampere.tree", 0.74, 0.01),
    ("hopper.tree", 0.92, 0.05),
    ("reduce_with_network", 0.925, 0.05),
    ("pair_share", 0.82, 0.2),
    ("pcie3.usable", 0.762, 0.03),
    ("pcie4.usable", 0.825, 0.03),
    ("nvlink2.usable", 0.84, 0.03),
    ("nvlink5.usable", 0.78, 0.03),
    ("xgmi-mi300.usable", 0.742, 0.03),
    ("pcie.staged", 0.543, 0.1),
    ("nvlink.step.ll", 0.9, 0.5),
    ("nvlink2.step.ll128", 2.2, 0.05),
    ("nvlink3.step.ll128", 3.6, 0.2),
    ("nvlink4.step.ll128", 2.0, 0.05),
    ("nvlink5.step.ll128", 3.0, 0.2),
    ("nvlink2.step.simple", 2.6, 0.05),
    ("nvlink3.step.simple", 3.6, 0.2),
    ("nvlink4.step.simple", 2.4, 0.03),
    ("nvlink5.step.simple", 3.6, 0.2),
    ("xgmi.step.ll", 0.8, 0.5),
    ("xgmi.step.ll128", 2.9, 0.5),
    ("xgmi.step.simple", 2.1, 0.5),
    ("pcie.step.ll", 0.6, 0.5),
    ("pcie.step.simple", 4.2, 0.5),
    ("staged.step.ll", 0.95, 0.5),
    ("staged.step.simple", 5.5, 0.5),
    ("infiniband.usable", 0.94, 0.03),
    ("infiniband.step", 6.0, 0.2),
    ("roce.usable", 0.94, 0.03),
    ("roce.step", 6.0, 0.2),
    ("roce.without_gdr", 0.86, 0.1),
    ("efa1.usable", 0.8, 0.03),
    ("efa1.step", 35.0, 0.2),
    ("efa1.without_gdr", 0.86, 0.1),
    ("efa2.step", 27.0, 0.2),
    ("efa3.step", 17.5, 0.2),
    ("slingshot.usable", 0.93, 0.03),
    ("slingshot.step", 13.0, 0.05),
    ("tcpx.usable", 0.84, 0.03),
    ("tcpx.step", 450.0, 0.2),
    ("tcpxo.usable", 0.945, 0.03),
    ("tcpxo.step", 45.0, 0.2),
    ("nvswitch3.reduction.small", 0.832, 0.003),
    ("nvlink5-switch.reduction.small", 0.748, 0.003),
    ("nvlink5-switch.reduction.large", 0.62, 0.05),
    ("blackwell.gather", 19.3, 0.1),
];

/// The priors, and parameters given on the command line as `name=value:sigma` over them.
fn known(prior: &mut Model) -> Vec<(String, Share)> {
    let mut list = Vec::new();
    let mut set = |prior: &mut Model, name: &str, value: f64, sigma: f64| {
        let knob = knobs(prior).into_iter().find(|k| k.name == name).unwrap_or_else(|| panic!("no parameter {name}"));
        knob.set(prior, Share::new(value));
        list.push((name.to_owned(), Share::new(sigma)));
    };
    for (name, value, sigma) in PRIORS {
        set(prior, name, *value, *sigma);
    }
    for a in std::env::args().skip(1) {
        let Some((name, rest)) = a.split_once('=') else { continue };
        let (value, sigma) = rest.split_once(':').expect("NAME=VALUE:SIGMA");
        set(prior, name, value.parse().expect("a value"), sigma.parse().expect("a spread"));
    }
    list
}
