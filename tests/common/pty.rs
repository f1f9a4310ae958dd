//! A program in a pseudo terminal, with the screen that a user would see.
//!
//! Everything waits for a condition with a generous limit and never just sleeps, so a loaded machine makes the tests
//! slower and not wrong.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// The longest wait for anything.
const LIMIT: Duration = Duration::from_secs(20);

/// What the terminal has received so far.
struct Received {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

/// A running program and its terminal.
pub struct Pty {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    reader: Option<JoinHandle<()>>,
    received: Arc<Mutex<Received>>,
    /// Set to make the reader let go of the terminal after the next bytes.
    stop: Arc<AtomicBool>,
    modes_before: String,
}

/// A home of the tests' own: no configuration, and a program that has run before. Whoever runs the tests, their own
/// files never come in.
fn home() -> PathBuf {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("home");
    let state = home.join("state/icx-tui");
    std::fs::create_dir_all(&state).expect("a folder for the tests");
    std::fs::write(state.join("toured"), "").expect("a file for the tests");
    home
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Pty {
    /// Starts a program. `environment` is added to one in which nothing about the terminal depends on who runs the
    /// tests: UTF-8, 256 colours, no `NO_COLOR`, no files of the user's.
    pub fn spawn(program: &str, arguments: &[&str], environment: &[(&str, &str)], columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a pty");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        for name in ["NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("RUST_BACKTRACE", "0");
        let home = home();
        command.env("XDG_CONFIG_HOME", home.join("config"));
        command.env("XDG_STATE_HOME", home.join("state"));
        for (name, value) in environment {
            command.env(name, value);
        }
        let modes_before = modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let rows_columns = |n| NonZeroU16::new(n).unwrap_or(NonZeroU16::MIN);
        let received = Arc::new(Mutex::new(Received {
            parser: vt100::Parser::new(rows_columns(rows), rows_columns(columns), 0),
            bytes: Vec::new(),
        }));
        let stop = Arc::new(AtomicBool::new(false));
        let reader = pair.master.try_clone_reader().expect("a reader");
        let reader = Some(collect(reader, Arc::clone(&received), Arc::clone(&stop)));
        let writer = Some(pair.master.take_writer().expect("a writer"));
        Self { child, master: Some(pair.master), writer, reader, received, stop, modes_before }
    }

    /// Types.
    pub fn send(&mut self, keys: &str) {
        let writer = self.writer.as_mut().expect("the terminal is open");
        writer.write_all(keys.as_bytes()).expect("typing");
        writer.flush().expect("typing");
    }

    /// The text of the screen, a line per row.
    pub fn screen(&self) -> String {
        self.look(vt100::Screen::contents)
    }

    /// Asks the screen something.
    pub fn look<T>(&self, ask: impl FnOnce(&vt100::Screen) -> T) -> T {
        ask(self.received.lock().expect("the screen").parser.screen())
    }

    /// Every byte that the program has sent.
    pub fn bytes(&self) -> Vec<u8> {
        self.received.lock().expect("the screen").bytes.clone()
    }

    /// What was written after the program had left the alternate screen for the last time.
    pub fn after_leaving(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes()).into_owned();
        text.rsplit_once("\x1b[?1049l").map(|(_, after)| after.to_owned()).unwrap_or_default()
    }

    /// How often a sequence was sent.
    pub fn count(&self, sequence: &str) -> usize {
        let bytes = self.bytes();
        bytes.windows(sequence.len()).filter(|window| *window == sequence.as_bytes()).count()
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("the screen shows {text:?}"), |pty| pty.screen().contains(text));
    }

    /// Waits until something holds; `what` names it when it never does.
    pub fn wait_until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let end = Instant::now() + LIMIT;
        while !holds(self) {
            assert!(Instant::now() < end, "never: {what}; the screen was\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Changes the size of the terminal.
    pub fn resize(&self, columns: u16, rows: u16) {
        if let (Some(rows), Some(columns)) = (NonZeroU16::new(rows), NonZeroU16::new(columns)) {
            self.received.lock().expect("the screen").parser.screen_mut().set_size(rows, columns);
        }
        self.master().resize(size(columns, rows)).expect("a new size");
    }

    fn master(&self) -> &dyn MasterPty {
        self.master.as_deref().expect("the terminal is open")
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.process_id().expect("a process")
    }

    /// Sends a signal by name (`TERM`, `CONT`, ...).
    pub fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.pid());
        let status = std::process::Command::new("sh").args(["-c", &command]).status().expect("sh runs");
        assert!(status.success(), "{command}");
    }

    /// Fields of `/proc/PID/stat` after the name: the state first.
    fn stat(&self) -> Vec<String> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap_or_default();
        let after_name = text.rsplit_once(')').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        after_name.split_whitespace().map(str::to_owned).collect()
    }

    /// Waits until the process is stopped, and has given the terminal back when it was asked to stop.
    pub fn wait_stopped(&self, restored: bool) {
        self.wait_until("the process is stopped", |pty| pty.stat().first().is_some_and(|state| state == "T"));
        if restored {
            // What it wrote before it stopped may still be on its way to the screen.
            self.wait_until("the alternate screen is left", |pty| !pty.look(vt100::Screen::alternate_screen));
            self.wait_until("the cursor shows", |pty| !pty.look(vt100::Screen::hide_cursor));
            self.assert_restored();
        }
    }

    /// Processor time used so far, in clock ticks (1/100 s).
    pub fn processor_ticks(&self) -> u64 {
        // utime and stime are fields 14 and 15 of the whole line, 12 and 13 after the name.
        self.stat().iter().skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum()
    }

    /// Resident memory, in KiB.
    pub fn resident(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse().expect("a running process")
    }

    /// Waits for the end of the process and of its output.
    pub fn wait_exit(&mut self) -> ExitStatus {
        let end = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < end, "the program does not end; the screen was\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(5));
        };
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the reader ends");
        }
        status
    }

    /// Closes the terminal, as when its window is closed, and waits for the end of the process. `key` must make the
    /// program write something, so that the reader wakes up and lets go of the terminal.
    pub fn hang_up(mut self, key: &str) -> ExitStatus {
        self.stop.store(true, Ordering::SeqCst);
        self.send(key);
        self.reader.take().expect("a reader").join().expect("the reader ends");
        drop((self.writer.take(), self.master.take()));
        self.wait_exit()
    }

    /// Asserts that the terminal is as it was before the program started, by what it shows, by its mode and by the
    /// order of the bytes.
    pub fn assert_restored(&self) {
        self.look(|screen| {
            assert!(!screen.alternate_screen(), "the alternate screen is left");
            assert!(!screen.hide_cursor(), "the cursor shows");
            assert!(!screen.bracketed_paste(), "bracketed paste is off");
            assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is off");
        });
        assert_eq!(modes(self.master()), self.modes_before, "the terminal's mode");
        let bytes = self.bytes();
        let last = |sequence: &str| bytes.windows(sequence.len()).rposition(|window| window == sequence.as_bytes());
        for (on, off) in [
            ("\x1b[?1049h", "\x1b[?1049l"),
            ("\x1b[?2004h", "\x1b[?2004l"),
            ("\x1b[?1000h", "\x1b[?1000l"),
            ("\x1b[?25l", "\x1b[?25h"),
            ("\x1b[?2026h", "\x1b[?2026l"),
        ] {
            assert!(last(on) < last(off) || last(on).is_none(), "{off:?} comes after the last {on:?}");
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A test that failed half way must not leave its program behind; an ended one is no error.
        let _ = self.child.kill();
    }
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

fn collect(mut reader: Box<dyn Read + Send>, received: Arc<Mutex<Received>>, stop: Arc<AtomicBool>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            let mut received = received.lock().expect("the screen");
            let new = buffer.get(..count).unwrap_or_default();
            received.parser.process(new);
            received.bytes.extend_from_slice(new);
            if stop.load(Ordering::SeqCst) {
                return;
            }
        }
    })
}
