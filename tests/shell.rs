//! The event loop on a real terminal: a small program in a pty, and what the terminal looks like afterwards.
//!
//! The program is this test binary itself, run again with one test and a variable that says what to do.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

mod common;

use std::io::Write;
use std::time::{Duration, Instant};

use common::pty::Pty;
use icx_tui::shell::env::Environment;
use icx_tui::shell::{Options, run};
use icx_tui::tui::program::{Effect, Input, Outcome, Program};
use icx_tui::tui::theme::{Role, Theme};
use ratatui::Frame;
use ratatui::text::{Line, Span, Text};

/// Tells the child what it is.
const CHILD: &str = "ICX_TUI_SHELL_TEST";

/// Counts keys, knows one key per effect.
#[derive(Default)]
struct Demo {
    keys: usize,
    last: String,
    ticking: bool,
    ticks: usize,
    resumed: usize,
}

impl Demo {
    fn key(&mut self, key: &str) -> Vec<Effect> {
        self.keys += 1;
        let redraw = Effect::Redraw;
        match key {
            "q" => vec![Effect::Quit(3)],
            "<c-z>" => vec![Effect::Suspend],
            "<c-l>" => vec![Effect::Repaint],
            "m" => vec![Effect::Mouse(true), redraw],
            "c" => vec![Effect::Copy("hello".to_owned())],
            "w" => vec![Effect::Write { path: std::env::var("OUT").unwrap().into(), contents: "saved".to_owned() }],
            "r" => vec![Effect::ReadFile { path: std::env::var("OUT").unwrap().into() }],
            "l" => {
                let out = std::path::PathBuf::from(std::env::var("OUT").unwrap());
                vec![Effect::ListFolder { path: out.parent().unwrap().into() }]
            }
            "t" => {
                self.ticking = !self.ticking;
                vec![redraw]
            }
            "p" => panic!("asked to"),
            "P" => {
                std::thread::spawn(|| panic!("asked to in a thread"));
                vec![]
            }
            "n" => vec![],
            _ => vec![redraw],
        }
    }
}

impl Program for Demo {
    fn handle(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(chord) => {
                self.last = chord.to_string();
                return self.key(&chord.to_string());
            }
            Input::Tick(_) if self.ticking => self.ticks += 1,
            Input::Tick(_) => return vec![],
            Input::Resume => self.resumed += 1,
            Input::Paste(text) => self.last = format!("pasted {text}"),
            Input::Resize(w, h) => self.last = format!("resized {w}x{h}"),
            Input::Mouse(mouse) => self.last = format!("{:?} {},{}", mouse.kind, mouse.column, mouse.row),
            Input::Done(Outcome::Copied(result)) => self.last = format!("copied {}", result.is_ok()),
            Input::Done(Outcome::Written { result, .. }) => self.last = format!("written {}", result.is_ok()),
            Input::Done(Outcome::Saved { result, .. }) => self.last = format!("saved {result:?}"),
            Input::Done(Outcome::Listed { entries, .. }) => {
                let own = format!("icx-tui-shell-{}.txt", std::env::var("OWN").unwrap());
                let found = entries.iter().find(|e| e.name == own).map(|e| e.is_folder);
                self.last = format!("listed {found:?}");
            }
            Input::Done(Outcome::Read { result, .. }) => self.last = format!("read {result:?}"),
        }
        vec![Effect::Redraw]
    }

    fn view(&self, frame: &mut Frame<'_>) {
        let text = format!("keys {} resumed {} ticks {} last {}", self.keys, self.resumed, self.ticks, self.last);
        let theme = Theme::named(Environment::read().theme_name()).unwrap();
        let roles = [Role::Selection, Role::Bottleneck, Role::Down];
        let marks = roles.map(|role| Span::styled(role.name(), theme.style(role)));
        frame.render_widget(Text::from(vec![Line::from(text), Line::from(marks.to_vec())]), frame.area());
    }

    fn next_deadline(&self) -> Option<Duration> {
        self.ticking.then_some(Duration::from_millis(20))
    }
}

#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    if let Some(path) = std::env::var_os("PID_FILE") {
        std::fs::write(path, std::process::id().to_string()).unwrap();
    }
    let code = match run(&mut Demo::default(), Options::default()) {
        Ok(code) => code,
        Err(error) => {
            // The test harness swallows nothing with --nocapture; this is the child's own standard error.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            2
        }
    };
    std::process::exit(code);
}

const ARGUMENTS: [&str; 4] = ["child", "--exact", "--nocapture", "--test-threads=1"];

fn start_with(environment: &[(&str, &str)]) -> Pty {
    let program = std::env::current_exe().expect("this program");
    let environment = [&[(CHILD, "1")], environment].concat();
    let pty = Pty::spawn(program.to_str().expect("a plain path"), &ARGUMENTS, &environment, 80, 6);
    pty.wait_for("keys 0");
    pty
}

fn start() -> Pty {
    start_with(&[])
}

#[test]
fn keys_arrive_and_quit_gives_its_code_and_the_terminal_back() {
    let mut pty = start();
    assert!(pty.look(vt100::Screen::alternate_screen));
    assert!(pty.look(vt100::Screen::bracketed_paste));
    pty.send("jj");
    pty.wait_for("keys 2");
    pty.send("\x1b[1;5D");
    pty.wait_for("last <c-left>");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 3);
    pty.assert_restored();
}

#[test]
fn frames_are_synchronized_and_drawn_only_for_a_change() {
    let mut pty = start();
    pty.send("n");
    pty.send("n");
    pty.send("j");
    pty.wait_for("keys 3");
    // The first frame and the one for `j`: the two `n` asked for none.
    let frames = pty.count("\x1b[?2026h");
    assert!((2..=3).contains(&frames), "{frames} frames");
    pty.send("q");
    pty.wait_exit();
    // No cursor query: it would wait for an answer that the reader thread takes.
    assert_eq!(pty.count("\x1b[6n"), 0);
}

#[test]
fn a_flood_of_keys_is_drained_into_few_frames() {
    let mut pty = start();
    let before = pty.count("\x1b[?2026h");
    pty.send(&"j".repeat(1000));
    pty.wait_for("keys 1000");
    let frames = pty.count("\x1b[?2026h") - before;
    assert!(frames <= 500, "{frames} frames for 1000 keys");
    pty.send("q");
    pty.wait_exit();
}

#[test]
fn pasted_text_is_one_input_and_no_key() {
    let mut pty = start();
    pty.send("\x1b[200~q m\x1b[201~");
    pty.wait_for("keys 0 resumed 0 ticks 0 last pasted q m");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 3);
}

#[test]
fn the_mouse_is_off_until_asked_for_and_off_again_at_the_end() {
    let mut pty = start();
    assert_eq!(pty.count("\x1b[?1000h"), 0);
    pty.send("m");
    pty.wait_for("keys 1");
    // Presses only, no motion.
    assert_eq!((pty.count("\x1b[?1000h"), pty.count("\x1b[?1003h")), (1, 0));
    pty.send("\x1b[<0;11;5M");
    pty.wait_for("last Click 10,4");
    pty.send("\x1b[<64;1;1M");
    pty.wait_for("last WheelUp 0,0");
    pty.send("q");
    pty.wait_exit();
    pty.assert_restored();
}

#[test]
fn signals_restore_the_terminal_and_set_the_exit_code() {
    for (name, code) in [("TERM", 143), ("INT", 130), ("HUP", 129), ("QUIT", 131)] {
        let mut pty = start();
        pty.signal(name);
        assert_eq!(pty.wait_exit().exit_code(), code, "{name}");
        pty.assert_restored();
    }
}

#[test]
fn a_panic_restores_the_terminal_before_its_message() {
    let mut pty = start();
    pty.send("p");
    assert_eq!(pty.wait_exit().exit_code(), 101);
    pty.assert_restored();
    assert!(pty.after_leaving().contains("asked to"), "{}", pty.after_leaving());
}

#[test]
fn a_panic_in_a_thread_ends_the_program_too() {
    let mut pty = start();
    pty.send("P");
    assert_eq!(pty.wait_exit().exit_code(), 101);
    pty.assert_restored();
    assert!(pty.after_leaving().contains("asked to in a thread"), "{}", pty.after_leaving());
}

#[test]
fn a_suspended_program_gives_the_terminal_back_and_takes_it_again() {
    let mut pty = start();
    pty.send("m\x1a");
    pty.wait_stopped(true);
    pty.signal("CONT");
    pty.wait_for("keys 2 resumed 1");
    assert!(pty.look(vt100::Screen::alternate_screen));
    assert_eq!(pty.look(vt100::Screen::mouse_protocol_mode), vt100::MouseProtocolMode::PressRelease);
    pty.send("j");
    pty.wait_for("keys 3 resumed 1");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 3);
    pty.assert_restored();
}

#[test]
fn a_stop_from_outside_is_answered_with_a_full_repaint() {
    let mut pty = start();
    pty.signal("STOP");
    pty.wait_stopped(false);
    pty.signal("CONT");
    pty.wait_for("resumed 1");
    pty.signal("TSTP");
    pty.wait_stopped(true);
    pty.signal("CONT");
    pty.wait_for("resumed 2");
    pty.send("q");
    pty.wait_exit();
    pty.assert_restored();
}

#[test]
fn the_program_ends_with_its_terminal() {
    let status = start().hang_up("j");
    assert_eq!(status.exit_code(), 129);
}

#[test]
fn a_terminal_that_goes_without_a_signal_ends_the_program_too() {
    let path = std::env::temp_dir().join(format!("icx-tui-shell-pid-{}.txt", std::process::id()));
    let program = std::env::current_exe().unwrap();
    // In a session of its own the program has no controlling terminal, so no SIGHUP reaches it.
    let command = format!("setsid -w '{}' {}", program.display(), ARGUMENTS.join(" "));
    let environment = [(CHILD, "1"), ("PID_FILE", path.to_str().unwrap())];
    let pty = Pty::spawn("sh", &["-c", &command], &environment, 80, 6);
    pty.wait_for("keys 0");
    let pid = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let runs = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
    };
    assert!(runs());
    pty.hang_up("j");
    let end = Instant::now() + Duration::from_secs(20);
    while runs() {
        assert!(Instant::now() < end, "process {pid} outlives its terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_color_keeps_the_selection_and_the_bottleneck_visible() {
    for environment in [&[][..], &[("NO_COLOR", "1")][..]] {
        let mut pty = start_with(environment);
        pty.wait_for("bottleneck");
        for column in [0, 9] {
            let reversed = pty.look(|screen| screen.cell(1, column).is_some_and(vt100::Cell::inverse));
            assert!(reversed, "{environment:?}: column {column}");
        }
        let colour = pty.look(|screen| screen.cell(1, 19).map(vt100::Cell::fgcolor));
        assert_eq!(colour == Some(vt100::Color::Default), !environment.is_empty());
        pty.send("q");
        pty.wait_exit();
    }
}

#[test]
fn an_idle_program_uses_no_processor_time() {
    let mut pty = start();
    let before = pty.processor_ticks();
    std::thread::sleep(Duration::from_secs(2));
    let used = pty.processor_ticks() - before;
    assert!(used <= 1, "{used} ticks of 10 ms in 2 s");
    pty.send("q");
    pty.wait_exit();
}

#[test]
fn ticks_come_while_asked_for() {
    let mut pty = start();
    pty.send("t");
    pty.wait_for("ticks 5 ");
    pty.send("q");
    pty.wait_exit();
}

#[test]
fn sizes_change_down_to_nothing_and_back() {
    let mut pty = start();
    for (w, h) in [(20, 3), (1, 1), (0, 0), (200, 50), (0, 7), (60, 5)] {
        pty.resize(w, h);
    }
    pty.wait_for("resized 60x5");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 3);
    pty.assert_restored();
}

#[test]
fn a_repaint_writes_every_cell_again() {
    let mut pty = start();
    pty.send("\x0c");
    pty.wait_for("keys 1");
    assert_eq!(pty.count("keys"), 2);
    pty.send("q");
    pty.wait_exit();
}

#[test]
fn effects_on_files_and_clipboard_report_back() {
    let path = std::env::temp_dir().join(format!("icx-tui-shell-{}.txt", std::process::id()));
    let own = std::process::id().to_string();
    let mut pty = start_with(&[("OUT", path.to_str().unwrap()), ("OWN", &own)]);
    pty.send("w");
    pty.wait_for("last written true");
    pty.send("l");
    pty.wait_for("last listed Some(false)");
    pty.send("r");
    pty.wait_for("last read Ok(\"saved\")");
    std::fs::remove_file(&path).unwrap();
    pty.send("r");
    pty.wait_for("last read Err");
    pty.send("c");
    pty.wait_for("last copied true");
    // "hello" in base 64.
    assert_eq!(pty.count("\x1b]52;c;aGVsbG8="), 1);
    pty.send("q");
    pty.wait_exit();
}

#[test]
fn without_a_terminal_it_says_what_to_use() {
    let output =
        std::process::Command::new(std::env::current_exe().unwrap()).args(ARGUMENTS).env(CHILD, "1").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("is not a terminal") && message.contains("icx-tui render"), "{message}");
}
