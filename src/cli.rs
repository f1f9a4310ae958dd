//! The command line: one file per subcommand. Every command builds its whole output as text first, so that nothing
//! half-written is ever printed, and returns an exit code: 0 fine, 1 a check failed, 2 wrong use or bad input.

mod args;
mod calc;
mod config;
mod diagnose;
mod explained;
pub mod explore;
mod impact;
mod import;
pub mod learn;
mod list;
mod question;
pub mod render;
mod show;
mod source;
mod sweep;
mod validate;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::measure::overlay::Measured;
use crate::shell::env::Environment;
use args::{Arguments, Command, ExploreArgs, RenderArgs};

/// What a command prints on standard output, and its exit code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub text: String,
    /// Standard error: which check failed, in one line without its end. Empty when there is nothing to say.
    pub remark: String,
    /// 0 fine, 1 a check failed or the group is unreachable.
    pub code: u8,
}

impl Output {
    /// Text with exit code 0.
    pub const fn fine(text: String) -> Self {
        Self::coded(text, 0)
    }

    /// Text with an exit code.
    pub const fn coded(text: String, code: u8) -> Self {
        Self { text, remark: String::new(), code }
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(a) => a,
        Err(e) => return refuse(&e),
    };
    let done = match &arguments.command {
        None => open_explorer(&arguments.explore),
        Some(Command::Learn(a)) => learn::run(a),
        Some(command) => run(command).map(|output| print(&output)),
    };
    match done {
        Ok(code) => code,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "error: {e:#}");
            ExitCode::from(2)
        }
    }
}

/// What the parser of arguments says: help and version as they are, a mistake in one line. A closed pipe is no news.
fn refuse(e: &clap::Error) -> ExitCode {
    let whole_text = !e.use_stderr() || e.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if whole_text {
        let _ = e.print();
    } else {
        let _ = writeln!(std::io::stderr(), "{}", one_line(&e.to_string()));
    }
    ExitCode::from(u8::from(e.use_stderr()) * 2)
}

/// A message of several lines as one: usage and the pointer to the help are left out.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more"));
    let mut out = String::new();
    for line in lines.filter(|l| !l.is_empty()) {
        if !out.is_empty() {
            out.push_str(if out.ends_with([':', ',']) { " " } else { "; " });
        }
        out.push_str(line);
    }
    out
}

fn run(command: &Command) -> anyhow::Result<Output> {
    match command {
        Command::Presets(a) => list::run(a),
        Command::Show(a) => show::run(a),
        Command::Calc(a) => calc::run(a),
        Command::Sweep(a) => sweep::run(a),
        Command::Impact(a) => impact::run(a),
        Command::Import(a) => import::run(a),
        Command::Validate(a) => validate::run(a),
        Command::Diagnose(a) => diagnose::run(a),
        Command::Render(a) => draw(a),
        // Has an exit code of its own: it may open the explorer.
        Command::Learn(_) => Ok(Output::default()),
        Command::Config(a) => Ok(config::run(a.template)),
        Command::Completions(a) => Ok(Output::fine(completions(a.shell))),
        Command::Man => manual(),
    }
}

fn open_explorer(a: &ExploreArgs) -> anyhow::Result<ExitCode> {
    let start = source::start(a.system.as_deref().unwrap_or(explore::DEFAULT_SYSTEM), &a.edits)?;
    let looks = explore::Looks {
        look: a.look.clone(),
        measured: measured(a.measured.as_deref())?,
        teach: explore::Teach::default(),
    };
    explore::run(start, &looks)
}

fn draw(a: &RenderArgs) -> anyhow::Result<Output> {
    let mut start = source::start(&a.system, &a.edits)?;
    start.baseline.extend(source::entries(&a.baseline)?);
    start.question = question::amended(start.question, &a.question, a.bytes, &start.edited())?;
    let picture = render::Render {
        screen: a.screen.clone(),
        size: a.size,
        keys: a.keys.clone(),
        theme: a.theme.clone(),
        ascii: a.ascii,
        measured: measured(a.measured.as_deref())?,
        against: a
            .against
            .as_deref()
            .map(|name| source::machine(name, &[]).map(|m| (name.to_owned(), m.system)))
            .transpose()?,
        config: a.config.as_deref().map(|file| config::load(&Environment::read(), Some(file))).transpose()?,
        format: a.format,
    };
    render::run(start, &picture).map(Output::fine)
}

/// Measurements that were named on the command line.
fn measured(path: Option<&str>) -> anyhow::Result<Option<Measured>> {
    path.map(source::measured).transpose()
}

fn completions(shell: clap_complete::Shell) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "icx-tui", &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn manual() -> anyhow::Result<Output> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut bytes)?;
    Ok(Output::fine(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Writes the output; a reader that has gone away (`| head`) is no error.
fn print(output: &Output) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(output.text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "error: cannot write to standard output: {e}");
            ExitCode::from(2)
        }
        _ => {
            if !output.remark.is_empty() {
                let _ = writeln!(std::io::stderr(), "{}", output.remark);
            }
            ExitCode::from(output.code)
        }
    }
}
