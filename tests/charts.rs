//! The screens with charts as they are drawn and used: sweep and scale, at every size, with measured points, by keys.
//!
//! Every snapshot was looked at before it was taken.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use icx_tui::measure::overlay::{Measured, Verdict};
use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Question};
use icx_tui::tui::app::{App, Options, Screen, Split, Value};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::program::{Effect, Input, Mouse, MouseKind, Outcome};
use icx_tui::tui::theme::Theme;
use icx_tui::units::{Bytes, Time};
use screen::{at_every_size, snapshot, text};

const POD: &str = "dgx-h100-superpod";
const SIZES: [(u16, u16); 4] = [(160, 50), (120, 40), (80, 24), (60, 20)];

/// A log of eight ranks; the last row is far slower than such a machine should be.
const LOG: &str = "\
# nThread 1 nGpus 8 minBytes 32768 maxBytes 8589934592 step: 32(factor) warmup iters: 5 iters: 20
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
       32768          8192     float     sum      -1    25.10    1.31    2.28      0    25.00    1.31    2.29      0
     1048576        262144     float     sum      -1    41.70   25.15   44.01      0    41.00   25.57   44.76      0
    33554432       8388608     float     sum      -1   230.10  145.83  255.19      0   229.00  146.53  256.42      0
  1073741824     268435456     float     sum      -1  4100.00  261.89  458.30      0  4090.00  262.53  459.43      0
  8589934592    2147483648     float     sum      -1 42000.00  204.52  357.92      0 42000.00  204.52  357.92      0
";

fn measured() -> Measured {
    Measured::read(LOG, "node-a.log").unwrap()
}

fn app(name: &str, screen: Screen, options: Options) -> App {
    let options = Options { source: name.to_owned(), ..options };
    let mut app = App::new(load_shipped(name).unwrap(), Question::default(), options);
    app.open_screen(screen);
    app
}

fn shown(name: &str, screen: Screen, size: (u16, u16), keys: &str) -> Headless<App> {
    app(name, screen, Options::default()).replay(size.0, size.1, parse_script(keys).unwrap())
}

#[test]
fn both_screens_at_four_sizes() {
    for screen in [Screen::Sweep, Screen::Scale] {
        for size in SIZES {
            let name = format!("{}__{POD}__{}x{}", screen.name(), size.0, size.1);
            snapshot(&name, &text(&shown(POD, screen, size, "")));
        }
    }
}

#[test]
fn other_machines_values_and_edits() {
    for (name, machine, screen, size, keys) in [
        ("edited__120x40", POD, Screen::Sweep, (120, 40), ":\"set nics = 4\"<enter>"),
        ("protocols__80x24", POD, Screen::Sweep, (80, 24), "<tab>"),
        ("time__120x40", "mi300x", Screen::Sweep, (120, 40), "v<left><left><left><left>"),
        ("linear__80x24", "pcie-4090x8", Screen::Sweep, (80, 24), "L"),
        ("all_to_all__120x40", "gb200-nvl72-ib", Screen::Sweep, (120, 40), ":\"collective all-to-all\"<enter>"),
        ("table__40x12", POD, Screen::Sweep, (40, 12), ""),
        ("racks__120x40", "gb200-nvl72-ib", Screen::Scale, (120, 40), ""),
        ("efficiency__80x24", POD, Screen::Scale, (80, 24), "vv<right><right>"),
        ("no_network__60x20", "dgx-h100", Screen::Scale, (60, 20), ""),
        ("table__40x12", POD, Screen::Scale, (40, 12), ""),
    ] {
        snapshot(&format!("{}__{name}", screen.name()), &text(&shown(machine, screen, size, keys)));
    }
}

#[test]
fn ascii_tells_the_curves_apart() {
    for (screen, size) in [(Screen::Sweep, (120, 40)), (Screen::Scale, (80, 24))] {
        let options = Options { glyphs: Glyphs::Ascii, theme: Theme::mono(), ..Options::default() };
        let shown = app(POD, screen, options).replay(size.0, size.1, []);
        let text = text(&shown);
        assert!(text.is_ascii(), "{text}");
        assert!(text.contains('*') && text.contains('+') && text.contains('-'), "{text}");
        snapshot(&format!("{}__ascii__{}x{}", screen.name(), size.0, size.1), &text);
    }
}

#[test]
fn measured_points_stand_on_the_chart_with_their_verdict() {
    let options = Options { measured: Some(measured()), ..Options::default() };
    let shown = app("dgx-h100", Screen::Sweep, options).replay(120, 40, []);
    let text = text(&shown);
    assert!(text.contains("measured: node-a.log, 5 sizes") && text.contains("worst at 8 GiB: 42 ms"), "{text}");
    let sweep = shown.program().charts().sweep.clone().unwrap();
    let verdicts: Vec<Verdict> = sweep.compared().iter().map(icx_tui::measure::overlay::Compared::verdict).collect();
    assert_eq!(verdicts.last(), Some(&Verdict::Slower));
    assert_eq!(sweep.worst().map(|w| w.size), Some(Bytes::from_gib(8.0)));
    snapshot("sweep__measured__120x40", &text);
}

#[test]
fn a_log_of_other_ranks_is_named_but_not_shown() {
    let options = Options { measured: Some(measured()), ..Options::default() };
    for (columns, rows) in [(120, 40), (60, 20)] {
        let shown = app(POD, Screen::Sweep, options.clone()).replay(columns, rows, []);
        assert!(text(&shown).contains("measured over 8 ranks"), "{}", text(&shown));
        assert_eq!(shown.program().charts().sweep.as_ref().unwrap().compared(), []);
    }
}

#[test]
fn a_log_is_opened_by_keys() {
    let mut s = shown("dgx-h100", Screen::Sweep, (120, 40), "o\"runs/node-a.log\"<enter>");
    let path = std::path::PathBuf::from("runs/node-a.log");
    assert!(s.take_effects().contains(&Effect::ReadFile { path: path.clone() }));
    s.feed([Input::Done(Outcome::Read { path: path.clone(), result: Ok("not a log".to_owned()) })]);
    assert!(s.program().message().unwrap().contains("runs/node-a.log"), "{:?}", s.program().message());
    s.feed(parse_script(":\"measured runs/node-a.log\"<enter>").unwrap());
    s.feed([Input::Done(Outcome::Read { path, result: Ok(LOG.to_owned()) })]);
    assert!(text(&s).contains("measured: node-a.log, 5 sizes"), "{}", text(&s));
}

#[test]
fn the_cursor_walks_and_enter_asks_its_size() {
    let mut s = shown(POD, Screen::Explore, (120, 40), "w");
    assert!(text(&s).contains("► 1 GiB"), "{}", text(&s));
    s.feed(parse_script("<left><left>").unwrap());
    assert_eq!(s.program().charts().size, Bytes::from_gib(0.25));
    assert_eq!(s.program().question().size, Bytes::from_gib(1.0));
    s.feed(parse_script("<enter>").unwrap());
    assert_eq!(s.program().question().size, Bytes::from_gib(0.25));
    s.feed(parse_script("<end>").unwrap());
    assert_eq!(s.program().charts().size, Bytes::from_gib(16.0));
    s.feed(parse_script("<right><home><left>").unwrap());
    assert_eq!(s.program().charts().size, Bytes::from_u64(8));
    s.feed(parse_script("<pagedown>").unwrap());
    assert_eq!(s.program().charts().size, Bytes::from_u64(256));
    // One step back, and the picture is there again.
    s.feed(parse_script("<esc>").unwrap());
    assert!(text(&s).contains("hierarchy") && s.program().charts().sweep.is_none());
}

#[test]
fn the_readout_says_what_calc_says() {
    let s = shown(POD, Screen::Sweep, (160, 50), "");
    let e = s.program().answers().now.estimate().unwrap().clone();
    let line = format!("► 1 GiB  {} {}  {}", e.chosen.algorithm, e.chosen.protocol, e.time);
    assert!(text(&s).contains(&line), "{line}\n{}", text(&s));
}

#[test]
fn crossovers_and_half_peak_are_where_they_are() {
    let s = shown("dgx-h100", Screen::Sweep, (120, 40), "");
    let sweep = s.program().charts().sweep.clone().unwrap();
    let points = sweep.now.clone().unwrap();
    assert!(sweep.stretches.len() > 1, "{:?}", sweep.stretches);
    for pair in sweep.stretches.windows(2) {
        assert!(pair[0].to < pair[1].to && pair[0].way != pair[1].way);
        // On both sides of the size that was found, the answers at the powers of two agree with the stretches.
        let below = points.iter().rev().find(|e| e.question.size < pair[0].to).unwrap();
        assert_eq!((below.chosen.algorithm, below.chosen.protocol), pair[0].way);
    }
    let peak = points.last().unwrap().busbw().gbytes_per_s();
    let (size, rate) = sweep.half.unwrap();
    assert!((rate.gbytes_per_s() / peak - 0.5).abs() < 0.03, "{size} {rate} of {peak}");
    assert!(text(&s).contains(&format!("half of peak at {size}")), "{}", text(&s));
}

#[test]
fn edits_move_the_curve_and_keep_the_baseline() {
    let mut s = shown(POD, Screen::Sweep, (120, 40), ":\"set nics = 4\"<enter>");
    let sweep = s.program().charts().sweep.clone().unwrap();
    let (now, then) = (sweep.now.unwrap(), sweep.baseline.unwrap());
    let last = |all: &[icx_tui::cost::Estimate]| -> Time { all.last().unwrap().time };
    assert!(last(&now) > last(&then));
    s.feed(parse_script("u").unwrap());
    assert!(s.program().charts().sweep.as_ref().unwrap().baseline.is_none());
}

#[test]
fn the_question_is_changed_on_the_chart() {
    let s = shown(POD, Screen::Sweep, (120, 40), "c<down><enter>");
    assert_eq!(s.program().question().collective, Collective::AllGather);
    assert!(text(&s).contains("sweep ▸ all-gather"), "{}", text(&s));
    let s = shown(POD, Screen::Sweep, (120, 40), "v<tab>S");
    let charts = s.program().charts();
    assert_eq!((charts.value, charts.split), (Value::Time, Split::Protocols));
    assert!(charts.sweep.is_none() && charts.scaling.is_some());
}

#[test]
fn the_mouse_points_at_a_size_and_the_wheel_steps() {
    let mut s = shown(POD, Screen::Sweep, (120, 40), "");
    let mouse = |kind, column, row| Input::Mouse(Mouse { kind, column, row });
    s.feed([mouse(MouseKind::Click, 7, 20)]);
    assert_eq!(s.program().charts().size, Bytes::from_u64(8));
    s.feed([mouse(MouseKind::WheelDown, 60, 20)]);
    assert_eq!(s.program().charts().size, Bytes::from_u64(16));
    // Beside the chart nothing happens, least of all in the panels that it hides.
    let before = s.program().selection();
    s.feed([mouse(MouseKind::Click, 3, 38), mouse(MouseKind::Click, 0, 0)]);
    assert_eq!((s.program().selection(), s.program().charts().size), (before, Bytes::from_u64(16)));
}

#[test]
fn the_copied_command_gives_the_table() {
    let mut s = shown(POD, Screen::Sweep, (120, 40), ":\"set nics = 4\"<enter>y");
    let line = "icx-tui sweep dgx-h100-superpod -c all-reduce -e 'set nics = 4'".to_owned();
    assert!(s.take_effects().contains(&Effect::Copy(line.clone())), "{line}");
}

#[test]
fn the_scale_grows_the_machine() {
    let mut s = shown(POD, Screen::Explore, (120, 40), "S<right><right>");
    assert_eq!(s.program().charts().units, 512);
    s.feed(parse_script("<enter>").unwrap());
    assert_eq!(s.program().system().units, 512);
    let edits: Vec<String> = s.program().history().done().iter().map(|e| e.edit.to_string()).collect();
    assert_eq!(edits, ["set nodes = 512"]);
    let row = s.program().charts().scaling.as_ref().unwrap().row(512).unwrap().answers[0].clone().unwrap();
    assert_eq!(row.time, s.program().answers().now.estimate().unwrap().time);
    s.feed(parse_script("u<esc>").unwrap());
    assert_eq!(s.program().system().units, 128);
}

#[test]
fn a_machine_without_a_network_says_why_it_cannot_grow() {
    let s = shown("dgx-h100", Screen::Explore, (120, 40), "S");
    assert!(s.program().message().unwrap().contains("no network"), "{:?}", s.program().message());
}

#[test]
fn unreachable_is_said_in_place_of_the_chart() {
    let s = shown(POD, Screen::Sweep, (80, 24), ":\"off node0/nic*\"<enter>");
    assert!(text(&s).contains("unreachable"), "{}", text(&s));
}

/// Sizes from nothing to larger than every form, with lists over the chart.
#[test]
fn every_size_is_drawn_without_a_panic() {
    for (name, screen, keys) in [
        (POD, Screen::Sweep, ""),
        (POD, Screen::Scale, ""),
        (POD, Screen::Sweep, "?"),
        ("dgx-1", Screen::Sweep, "vL:\"set n\""),
        ("gb200-nvl72", Screen::Scale, "vvL"),
        ("tcp-25g", Screen::Sweep, ":\"off node0/nic*\"<enter>"),
    ] {
        let mut screen = shown(name, screen, (120, 40), keys);
        at_every_size(&mut screen);
    }
}
