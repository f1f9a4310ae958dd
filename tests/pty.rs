//! The explorer as users start it: the real binary in a pseudo terminal, and what the terminal looks like afterwards.
//!
//! What the event loop itself must do (panics, effects, draining of held keys) is tested with a small program in
//! `shell.rs`; here is what only the real binary can show.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a failed step fails the test")]

mod common;

use std::time::Duration;

use common::pty::Pty;

const PROGRAM: &str = env!("CARGO_BIN_EXE_icx-tui");

/// Starts the explorer and waits for its first frame: from the name in the title to the end of the last row.
fn start_with(environment: &[(&str, &str)], arguments: &[&str]) -> Pty {
    let pty = Pty::spawn(PROGRAM, arguments, environment, 120, 40);
    pty.wait_for("icx-tui");
    pty.wait_for("? help");
    assert!(pty.look(vt100::Screen::alternate_screen));
    pty
}

fn start() -> Pty {
    start_with(&[], &[])
}

fn quit(pty: &mut Pty) {
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn q_quits_with_success_and_gives_the_terminal_back() {
    let mut pty = start();
    quit(&mut pty);
    // Nothing asks the terminal anything: an answer could arrive as keys.
    for query in ["\x1b[6n", "\x1b[c", "\x1b]11;?"] {
        assert_eq!(pty.count(query), 0, "{query:?}");
    }
}

#[test]
fn the_tour_is_offered_on_the_first_run_alone() {
    let state = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("first-run-{}", std::process::id()));
    let environment = [("XDG_STATE_HOME", state.to_str().expect("a plain path"))];
    let mut pty = Pty::spawn(PROGRAM, &[], &environment, 120, 40);
    pty.wait_for("T takes a one-minute tour");
    pty.send("T");
    pty.wait_for("tour 1/8");
    quit(&mut pty);
    let mut pty = start_with(&environment, &[]);
    assert!(!pty.screen().contains("one-minute tour"), "{}", pty.screen());
    quit(&mut pty);
    std::fs::remove_dir_all(&state).expect("the folder was made");
}

#[test]
fn help_opens_and_closes() {
    let mut pty = start();
    let before = pty.screen();
    pty.send("?");
    pty.wait_until("the help shows", |pty| pty.screen() != before);
    pty.send("\x1b");
    pty.wait_until("the help is gone", |pty| pty.screen() == before);
    quit(&mut pty);
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
fn control_z_suspends_and_continuing_repaints() {
    let mut pty = start();
    let before = pty.screen();
    pty.send("\x1a");
    pty.wait_stopped(true);
    pty.signal("CONT");
    pty.wait_until("the same screen is back", |pty| {
        pty.look(vt100::Screen::alternate_screen) && pty.screen() == before
    });
    quit(&mut pty);
}

#[test]
fn the_explorer_ends_with_its_terminal() {
    // Control-L repaints.
    assert_eq!(start().hang_up("\x0c").exit_code(), 129);
}

#[test]
fn an_idle_explorer_uses_no_processor_time() {
    let mut pty = start();
    // Whatever the start still had to do.
    pty.wait_until("the start is over", |pty| {
        let before = pty.processor_ticks();
        std::thread::sleep(Duration::from_millis(300));
        pty.processor_ticks() == before
    });
    let before = pty.processor_ticks();
    std::thread::sleep(Duration::from_secs(2));
    let used = pty.processor_ticks() - before;
    assert!(used <= 1, "{used} ticks of 10 ms in 2 s");
    quit(&mut pty);
}

/// How long it takes is for `cargo bench --bench start` to tell. Here is what makes it short: no work beyond the one frame,
/// and nothing that waits for an answer or draws twice.
#[test]
fn the_first_frame_is_whole_and_the_only_one() {
    const END: &str = "\x1b[?2026l";
    let pty = Pty::spawn(PROGRAM, &["gb200-nvl72-ib"], &[], 200, 60);
    pty.wait_until("a frame is there", |pty| pty.count(END) > 0);
    let (frame, ticks) = (pty.screen(), pty.processor_ticks());
    for part in ["hierarchy", "rack0", "all-reduce", "? help"] {
        assert!(frame.contains(part), "{part} is not in\n{frame}");
    }
    // Processor time does not depend on what else the machine does: a second of it without optimization is far off.
    assert!(ticks < 100, "{ticks} ticks of 10 ms");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!((pty.count(END), pty.screen()), (1, frame));
}

#[test]
fn many_edits_need_no_more_memory_than_some() {
    let mut pty = start_with(&[], &["gb200-nvl72-ib"]);
    // Enough for what is remembered of edits to be as much as it gets.
    let mut edit = |times: usize| {
        pty.send(&"j ".repeat(times));
        pty.send("?");
        pty.wait_for("keys and commands");
        pty.send("\x1b");
        pty.wait_until("the keys are gone", |pty| !pty.screen().contains("keys and commands"));
        pty.resident()
    };
    let (some, many) = (edit(60), edit(120));
    assert!(many < some + 4096, "{some} KiB, then {many} KiB");
    quit(&mut pty);
}

#[test]
fn every_size_is_drawn_and_the_first_one_comes_back() {
    let mut pty = start();
    let before = pty.screen();
    for (columns, rows) in [(80, 24), (60, 20), (20, 5), (1, 1), (0, 0), (400, 120), (3, 90), (120, 40)] {
        pty.resize(columns, rows);
        pty.send("\x0c");
    }
    pty.wait_until("the first screen is back", |pty| pty.screen() == before);
    quit(&mut pty);
}

#[test]
fn a_terminal_of_no_size_is_no_reason_to_fail() {
    let mut pty = Pty::spawn(PROGRAM, &[], &[], 0, 0);
    pty.wait_until("the alternate screen is on", |pty| pty.look(vt100::Screen::alternate_screen));
    quit(&mut pty);
}

#[test]
fn no_color_writes_no_colour_and_still_shows_a_selection() {
    let mut pty = start_with(&[("NO_COLOR", "1")], &[]);
    let (reversed, coloured) = pty.look(|screen| {
        let (rows, columns) = screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        let cells = (0..rows).flat_map(|row| (0..columns).filter_map(move |column| screen.cell(row, column)));
        cells.fold((0, 0), |(reversed, coloured), cell| {
            let own = cell.fgcolor() == vt100::Color::Default && cell.bgcolor() == vt100::Color::Default;
            (reversed + usize::from(cell.inverse()), coloured + usize::from(!own))
        })
    });
    assert!(reversed > 0, "nothing is reversed\n{}", pty.screen());
    assert_eq!(coloured, 0);
    quit(&mut pty);
}

#[test]
fn a_locale_without_utf8_gets_ascii() {
    for (environment, arguments) in [(&[("LANG", "C")][..], &[][..]), (&[("TERM", "linux")], &[]), (&[], &["--ascii"])]
    {
        let mut pty = start_with(environment, arguments);
        assert!(pty.screen().is_ascii(), "{environment:?} {arguments:?}\n{}", pty.screen());
        quit(&mut pty);
    }
}

#[test]
fn the_mouse_stays_the_terminals_unless_asked_for() {
    let mut pty = start();
    quit(&mut pty);
    assert_eq!(pty.count("\x1b[?1000h"), 0);
    let mut pty = start_with(&[], &["--mouse"]);
    pty.wait_until("the mouse is on", |pty| pty.count("\x1b[?1000h") == 1);
    quit(&mut pty);
}

#[test]
fn without_a_terminal_it_exits_2_and_names_render() {
    let output = std::process::Command::new(PROGRAM).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("is not a terminal") && message.contains("icx-tui render"), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
}
