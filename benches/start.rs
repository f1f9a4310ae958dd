//! The program as users start it, in a pseudo terminal of 200 by 60: how long until its first frame is there, how much
//! memory it holds then and after many edits, and what it does while nobody does anything.
//!
//! `cargo bench --bench start` prints a line per system. The promises are 15 ms, 15 MB and no processor time at all.

#[cfg(target_os = "linux")]
#[expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops when it cannot go on")]
mod linux {
    use std::io::{Read, Write};
    use std::path::{Path, PathBuf};
    use std::time::{Duration, Instant};

    use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

    const PROGRAM: &str = env!("CARGO_BIN_EXE_icx-tui");

    /// The end of a frame: from here on the terminal shows it.
    const END: &[u8] = b"\x1b[?2026l";

    /// Starts of each system.
    const STARTS: usize = 30;

    /// Times that a link is cut or mended again.
    const EDITS: usize = 400;

    /// A program that runs.
    struct Running {
        child: Box<dyn Child + Send + Sync>,
        _master: Box<dyn MasterPty + Send>,
        reader: Box<dyn Read + Send>,
        writer: Box<dyn Write + Send>,
        started: Instant,
    }

    impl Running {
        fn start(system: &str, home: &Path) -> Self {
            let size = PtySize { rows: 60, cols: 200, pixel_width: 0, pixel_height: 0 };
            let pair = native_pty_system().openpty(size).expect("a pty");
            let mut command = CommandBuilder::new(PROGRAM);
            command.arg(system);
            command.env("TERM", "xterm-256color");
            command.env("LANG", "C.UTF-8");
            command.env("XDG_CONFIG_HOME", home.join("config"));
            command.env("XDG_STATE_HOME", home.join("state"));
            let reader = pair.master.try_clone_reader().expect("a reader");
            let writer = pair.master.take_writer().expect("a writer");
            let started = Instant::now();
            let child = pair.slave.spawn_command(command).expect("the program starts");
            Self { child, _master: pair.master, reader, writer, started }
        }

        /// Waits for the end of the next frame.
        fn frame(&mut self) {
            let (mut seen, mut buffer): (Vec<u8>, _) = (Vec::new(), [0; 8192]);
            while !seen.windows(END.len()).any(|w| w == END) {
                let count = self.reader.read(&mut buffer).expect("output");
                assert!(count > 0, "the program has ended");
                let keep = seen.len().saturating_sub(END.len());
                seen.drain(..keep);
                seen.extend(buffer.iter().take(count));
            }
        }

        fn press(&mut self, keys: &str) {
            self.writer.write_all(keys.as_bytes()).expect("typing");
            self.frame();
        }

        fn proc(&self, file: &str) -> String {
            let pid = self.child.process_id().expect("a process");
            std::fs::read_to_string(format!("/proc/{pid}/{file}")).expect("a running process")
        }

        /// Resident memory, MB.
        fn memory(&self) -> f64 {
            let status = self.proc("status");
            let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).expect("VmRSS");
            let kib: f64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
            kib * 1024.0 / 1e6
        }

        /// Processor time so far, nanoseconds.
        fn processor(&self) -> u64 {
            self.proc("schedstat").split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number")
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// A program that has run before, without settings.
    fn home() -> PathBuf {
        let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-home");
        std::fs::create_dir_all(home.join("state/icx-tui")).expect("a folder");
        std::fs::write(home.join("state/icx-tui/toured"), "").expect("a file");
        home
    }

    pub(super) fn main() {
        let heads = ["least", "median", "memory", "400 edits", "idle in 2 s"];
        let [least, median, memory, edits, idle] = heads;
        println!("{:<20} {least:>10} {median:>10} {memory:>12} {edits:>12} {idle:>12}", "system");
        for system in ["dgx-h100-superpod", "gb200-nvl72-ib"] {
            measure(system);
        }
    }

    fn measure(system: &str) {
        let home = home();
        let first = |_| {
            let mut program = Running::start(system, &home);
            program.frame();
            program.started.elapsed()
        };
        let mut times: Vec<Duration> = (0..STARTS).map(first).collect();
        times.sort_unstable();
        let [least, middle] = [0, STARTS / 2].map(|i| times.get(i).copied().unwrap_or_default());
        let mut program = Running::start(system, &home);
        program.frame();
        let fresh = program.memory();
        for _ in 0..EDITS {
            program.press("j");
            program.press(" ");
        }
        let edited = program.memory();
        std::thread::sleep(Duration::from_millis(200));
        let before = program.processor();
        std::thread::sleep(Duration::from_secs(2));
        let idle = program.processor() - before;
        println!("{system:<20} {least:>10.1?} {middle:>10.1?} {fresh:>9.1} MB {edited:>9.1} MB {idle:>9} ns");
    }
}

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}
