//! The command line: one file per subcommand. Every command builds its whole output as text first, so that nothing
//! half-written is ever printed, and returns an exit code: 0 fine, 1 a check failed, 2 wrong use or bad input.

mod args;
mod calc;
mod explained;
pub mod explore;
mod list;
mod question;
pub mod render;
mod show;
mod source;
mod sweep;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

/// What a command prints on standard output, and its exit code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub text: String,
    /// 0 fine, 1 a check failed or the group is unreachable.
    pub code: u8,
}

impl Output {
    /// Text with exit code 0.
    pub const fn fine(text: String) -> Self {
        Self { text, code: 0 }
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(a) => a,
        Err(e) => {
            // Help and version come this way too, with exit code 0; a closed pipe is no news.
            let _ = e.print();
            return ExitCode::from(u8::from(e.use_stderr()) * 2);
        }
    };
    match run(arguments) {
        Ok(output) => print(&output),
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "error: {e:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<Output> {
    match arguments.command {
        Some(Command::Presets(a)) => list::run(&a),
        Some(Command::Show(a)) => show::run(&a),
        Some(Command::Calc(a)) => calc::run(&a),
        Some(Command::Sweep(a)) => sweep::run(&a),
        None => anyhow::bail!("no command"),
    }
}

/// Writes the output; a reader that has gone away (`| head`) is no error.
fn print(output: &Output) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(output.text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "error: cannot write to standard output: {e}");
            ExitCode::from(2)
        }
        _ => ExitCode::from(output.code),
    }
}
