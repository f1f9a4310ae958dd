//! What was measured, on the screens that show it: the diagnosis of a log, and matrices over the pairs of a node.
//!
//! Every snapshot was looked at before it was taken.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use std::fmt::Write as _;
use std::path::PathBuf;

use icx_tui::cost::Prepared;
use icx_tui::measure::overlay::Measured;
use icx_tui::preset::load_shipped;
use icx_tui::question::{Group, Question};
use icx_tui::scenario::{Context, Entry, apply};
use icx_tui::system::System;
use icx_tui::tui::app::{App, Options, Screen};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::program::{Effect, Input, Outcome};
use icx_tui::tui::theme::Theme;
use icx_tui::units::Bytes;
use screen::{edits, snapshot, text};

const POD: &str = "dgx-h100-superpod";
const SIZES: [(u16, u16); 4] = [(160, 50), (120, 40), (80, 24), (60, 20)];

fn with(name: &str, edits: &[&str]) -> System {
    let entries: Vec<Entry> = edits.iter().map(|e| Entry { edit: e.parse().unwrap(), enabled: true }).collect();
    apply(&load_shipped(name).unwrap(), &entries, &Context::default()).system
}

/// A log as the tests print it, of what two nodes of a machine would show.
fn log(system: &System) -> String {
    let who = Prepared::participants(system, Group::All).unwrap();
    let prepared = Prepared::new(system, &who);
    let mut out = "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 4(factor)\n# Using devices\n".to_owned();
    for i in 0..who.ranks {
        writeln!(out, "#  Rank {i:2} Group  0 Pid {:6} on host{} device {:2} [0x1b] GPU", 1000 + i, i / 8, i % 8)
            .unwrap();
    }
    out += "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
    for i in (3..=33).step_by(2) {
        let question = Question::default().at_size(Bytes::from_u64(1 << i));
        let answer = prepared.answer(&question);
        let e = answer.estimate().unwrap();
        let side = format!("{:.2} {:.2} {:.2} 0", e.time.us(), e.algbw().gbytes_per_s(), e.busbw().gbytes_per_s());
        writeln!(out, "{:12} {:12} float sum -1 {side} {side}", 1_u64 << i, (1_u64 << i) / 4).unwrap();
    }
    out + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 1\n"
}

fn measured(edits: &[&str]) -> Measured {
    Measured::read(&log(&with(POD, edits)), "runs/two-nodes.log").unwrap()
}

fn shown_with(edits: &[&str], size: (u16, u16), keys: &str, options: Options) -> Headless<App> {
    let options = Options { source: POD.to_owned(), measured: Some(measured(edits)), ..options };
    let mut app = App::new(load_shipped(POD).unwrap(), Question::default(), options);
    app.open_screen(Screen::Diagnose);
    app.replay(size.0, size.1, parse_script(keys).unwrap())
}

fn shown(edits: &[&str], size: (u16, u16), keys: &str) -> Headless<App> {
    shown_with(edits, size, keys, Options::default())
}

const SICK: &[&str] = &["set nodes = 2", "set nics = 2"];

#[test]
fn the_diagnosis_at_four_sizes() {
    for size in SIZES {
        snapshot(&format!("diagnose__{}x{}", size.0, size.1), &text(&shown(SICK, size, "")));
    }
    snapshot("diagnose__applied__120x40", &text(&shown(SICK, (120, 40), "<enter>")));
    snapshot("diagnose__healthy__80x24", &text(&shown(&["set nodes = 2"], (80, 24), "")));
    let options = Options { glyphs: Glyphs::Ascii, theme: Theme::mono(), ..Options::default() };
    let ascii = text(&shown_with(SICK, (120, 40), "<down>", options));
    assert!(ascii.is_ascii(), "{ascii}");
    snapshot("diagnose__ascii__120x40", &ascii);
}

#[test]
fn enter_puts_a_cause_in_force_and_undo_takes_it_back() {
    let mut s = shown(SICK, (120, 40), "");
    assert!(text(&s).contains("fault: ") && text(&s).contains("only 2 of 8 NICs"), "{}", text(&s));
    s.feed(parse_script("<enter>").unwrap());
    assert_eq!(edits(&s), SICK, "{:?}", s.program().message());
    assert!(text(&s).contains(" * 100 %"), "{}", text(&s));
    // Another cause takes its place; the size of the run stays.
    s.feed(parse_script("<down><enter>").unwrap());
    let now = edits(&s);
    assert_eq!(now.first().map(String::as_str), Some("set nodes = 2"));
    assert!(!now.contains(&"set nics = 2".to_owned()) && now.len() > 1, "{now:?}");
    // The same again says so and changes nothing.
    s.feed(parse_script("<enter>").unwrap());
    assert_eq!(edits(&s), now);
    assert!(s.program().message().is_some_and(|m| m.contains("in force already")));
    s.feed(parse_script("uuuuu").unwrap());
    assert!(edits(&s).is_empty());
    // The sweep has the points and the cause.
    s.feed(parse_script("<home><enter>w").unwrap());
    assert!(text(&s).contains("measured: two-nodes.log, 16 sizes"), "{}", text(&s));
}

#[test]
fn the_diagnosis_is_about_the_baseline() {
    let mut s = shown(SICK, (120, 40), "<enter>");
    let before = text(&s);
    assert!(before.contains("only 2 of 8 NICs"), "{before}");
    // With the cause as the baseline there is nothing left to explain.
    s.feed(parse_script("B").unwrap());
    assert!(text(&s).contains("healthy: "), "{}", text(&s));
    s.feed(parse_script("y").unwrap());
    let copied = s.take_effects();
    let line = "icx-tui diagnose dgx-h100-superpod --measured runs/two-nodes.log -e 'set nodes = 2' -e 'set nics = 2'";
    assert_eq!(copied, [Effect::Copy(line.to_owned())]);
}

#[test]
fn without_a_log_the_screen_asks_for_one() {
    let app = App::new(load_shipped(POD).unwrap(), Question::default(), Options::default());
    let mut s = app.replay(80, 24, parse_script("D").unwrap());
    assert!(text(&s).contains("no log is loaded"), "{}", text(&s));
    s.feed(parse_script("o\"runs/two-nodes.log\"<enter>").unwrap());
    let path = PathBuf::from("runs/two-nodes.log");
    assert!(s.take_effects().contains(&Effect::ReadFile { path: path.clone() }));
    s.feed([Input::Done(Outcome::Read { path, result: Ok(log(&with(POD, SICK))) })]);
    assert!(text(&s).contains("fault: ") && text(&s).contains("two-nodes.log"), "{}", text(&s));
    s.feed(parse_script("<esc>").unwrap());
    assert!(s.program().reports().diagnosis.is_none());
}

#[test]
fn a_log_of_another_machine_is_named() {
    let options = Options { measured: Some(measured(SICK)), ..Options::default() };
    let mut app = App::new(load_shipped("pcie-4090x4").unwrap(), Question::default(), options);
    app.open_screen(Screen::Diagnose);
    let s = app.replay(80, 24, []);
    assert!(text(&s).contains("the log has 16 ranks"), "{}", text(&s));
}

/// What p2pBandwidthLatencyTest prints of eight GPUs of which the fourth gets half.
fn matrix() -> String {
    let mut out = "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D".to_owned();
    (0..8).for_each(|i| write!(out, " {i:6}").unwrap());
    for i in 0..8 {
        write!(out, "\n{i:6}").unwrap();
        for j in 0..8 {
            let rate = if i == j { 2500.0 } else { 390.0 * if i == 3 || j == 3 { 0.5 } else { 1.0 } };
            write!(out, " {:6.2}", rate + f64::from((i * 3 + j) % 4)).unwrap();
        }
    }
    out + "\n"
}

fn pairs(size: (u16, u16), keys: &str, options: Options) -> Headless<App> {
    let measured = Some(Measured::read(&matrix(), "p2p.txt").unwrap());
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options { measured, ..options });
    app.open_pairs();
    app.replay(size.0, size.1, parse_script(keys).unwrap())
}

#[test]
fn a_matrix_lies_over_the_pairs() {
    for size in [(120, 40), (80, 24), (60, 20)] {
        let s = pairs(size, "<down><right><right><right>", Options::default());
        assert!(text(&s).contains("42 of 56 as predicted, 14 slow"), "{}", text(&s));
        snapshot(&format!("pairs__measured__{}x{}", size.0, size.1), &text(&s));
    }
    let options = Options { glyphs: Glyphs::Ascii, theme: Theme::mono(), ..Options::default() };
    let ascii = text(&pairs((120, 40), "", options));
    assert!(ascii.is_ascii());
    snapshot("pairs__measured__ascii__120x40", &ascii);
}

#[test]
fn the_matrix_key_cycles_to_what_was_measured_only_where_there_is_something() {
    let s = pairs((120, 40), "m", Options::default());
    assert!(text(&s).contains("usable GB/s"), "{}", text(&s));
    let s = pairs((120, 40), "mmmmm", Options::default());
    assert!(text(&s).contains("% of one copy"), "{}", text(&s));
    let app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    let s = app.replay(120, 40, parse_script("mmmmm").unwrap());
    assert!(text(&s).contains("usable GB/s"), "{}", text(&s));
}

#[test]
fn a_matrix_of_another_machine_is_refused_with_the_reason() {
    let app = App::new(load_shipped("pcie-4090x4").unwrap(), Question::default(), Options::default());
    let mut s = app.replay(120, 40, parse_script(":\"measured p2p.txt\"<enter>").unwrap());
    s.feed([Input::Done(Outcome::Read { path: "p2p.txt".into(), result: Ok(matrix()) })]);
    assert!(
        s.program().message().is_some_and(|m| m.contains("GPU 7") && m.contains("has 4")),
        "{:?}",
        s.program().message()
    );
}

#[test]
fn every_size_draws() {
    for (w, h) in [(0, 0), (1, 1), (20, 5), (39, 12), (41, 13), (76, 22), (109, 33), (250, 80)] {
        let s = shown(SICK, (w, h), "<down><down><end>");
        assert_eq!((s.buffer().area.width, s.buffer().area.height), (w, h));
        pairs((w, h), "<down><right>", Options::default());
    }
}
