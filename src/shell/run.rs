//! The event loop: inputs in, effects out, a frame when something changed.

use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};

use super::input::{self, Event};
use super::terminal::{self, Screen};
use super::{perform, signals};
use crate::tui::program::{Effect, Input, Program};

/// How many queued inputs are taken before a frame is drawn. A held key then scrolls as fast as it repeats and stops
/// when it is let go, instead of drawing frames that are already out of date.
const DRAIN: usize = 64;

/// The shortest sleep between ticks: a program that asks for more frames than anybody sees does not get a core.
const SHORTEST_TICK: Duration = Duration::from_millis(10);

/// How the program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Take the mouse from the start.
    pub mouse: bool,
    /// Write colours although `NO_COLOR` is set, because the user named a theme on the command line.
    pub force_colour: bool,
}

/// Why the program could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// Standard input or output is a pipe or a file.
    #[error(
        "{0} is not a terminal; to print a screen without one use `icx-tui render SYSTEM --screen explore --size 120x40`"
    )]
    NotATerminal(&'static str),
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Runs a program on the terminal until it quits; its exit code.
///
/// The terminal is given back whatever happens. A signal that ends the process (or a terminal that goes away) exits
/// from here with 128 + the signal's number.
///
/// # Errors
/// [`ShellError`] when there is no terminal, or it cannot be used. The terminal is restored then too.
pub fn run(program: &mut impl Program, options: Options) -> Result<i32, ShellError> {
    for (there, name) in
        [(io::stdin().is_terminal(), "standard input"), (io::stdout().is_terminal(), "standard output")]
    {
        if !there {
            return Err(ShellError::NotATerminal(name));
        }
    }
    if options.force_colour {
        crossterm::style::force_color_output(true);
    }
    let (sender, events) = mpsc::channel();
    terminal::install_panic_hook();
    // Before the terminal is taken: a signal that comes right after must already find its handler.
    signals::listen(sender.clone())?;
    let _guard = terminal::enter(options.mouse)?;
    let screen = Screen::new()?;
    input::listen(sender)?;
    input::watch()?;
    let last_tick = Instant::now();
    let runner = Runner { program, events, screen, mouse: options.mouse, dirty: true, own_stop: false, last_tick };
    match runner.run() {
        Err(error) if is_hang_up(&error) => terminal::leave_and_exit(signals::HANG_UP),
        other => Ok(other?),
    }
}

/// Whether an error says that the terminal is gone: EIO, ENXIO, or a pipe without a reader.
fn is_hang_up(error: &io::Error) -> bool {
    // Elsewhere than on Unix the numbers mean other things.
    error.kind() == io::ErrorKind::BrokenPipe || (cfg!(unix) && matches!(error.raw_os_error(), Some(5 | 6)))
}

struct Runner<'a, P> {
    program: &'a mut P,
    events: Receiver<Event>,
    screen: Screen,
    /// Whether the mouse is ours.
    mouse: bool,
    /// Whether what the screen shows is out of date.
    dirty: bool,
    /// Whether the next "continued" is the end of a stop that we asked for ourselves.
    own_stop: bool,
    last_tick: Instant,
}

impl<P: Program> Runner<'_, P> {
    /// Until the program quits: its exit code.
    fn run(mut self) -> io::Result<i32> {
        // Before the first event: what a click hits and how far a text scrolls hang on the size.
        let size = self.screen.size()?;
        if let Some(code) = self.feed(Input::Resize(size.width, size.height))? {
            return Ok(code);
        }
        loop {
            if std::mem::take(&mut self.dirty) {
                self.draw()?;
            }
            let first = self.wait();
            if let Some(code) = self.tick()? {
                return Ok(code);
            }
            let mut next = first;
            for _ in 0..DRAIN {
                let Some(event) = next else { break };
                if let Some(code) = self.take(event)? {
                    return Ok(code);
                }
                next = match self.events.try_recv() {
                    Ok(event) => Some(event),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => Some(Event::Closed),
                };
            }
            // The one that was taken out beyond the limit must not be lost.
            if let Some(event) = next
                && let Some(code) = self.take(event)?
            {
                return Ok(code);
            }
        }
    }

    /// Sleeps until something happens or the program's deadline; `None` for the deadline.
    fn wait(&self) -> Option<Event> {
        let Some(deadline) = self.program.next_deadline() else {
            return Some(self.events.recv().unwrap_or(Event::Closed));
        };
        match self.events.recv_timeout(deadline.max(SHORTEST_TICK)) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Closed),
        }
    }

    fn tick(&mut self) -> io::Result<Option<i32>> {
        let now = Instant::now();
        let elapsed = now.duration_since(std::mem::replace(&mut self.last_tick, now));
        self.feed(Input::Tick(elapsed))
    }

    fn take(&mut self, event: Event) -> io::Result<Option<i32>> {
        match event {
            Event::Input(input) => {
                // A terminal that shrank and grew back has lost cells although its size is the one that was drawn last.
                if matches!(input, Input::Resize(..)) {
                    self.forget()?;
                }
                self.feed(input)
            }
            Event::Stop => self.suspend(),
            Event::Continued => self.continued(),
            Event::Closed => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Gives the program an input and carries out what it asks for, and what follows from that. The exit code when
    /// it quits.
    fn feed(&mut self, input: Input) -> io::Result<Option<i32>> {
        let mut effects = VecDeque::from(self.program.handle(input));
        while let Some(effect) = effects.pop_front() {
            let outcome = match effect {
                Effect::Quit(code) => return Ok(Some(code)),
                Effect::Redraw => {
                    self.dirty = true;
                    continue;
                }
                Effect::Repaint => {
                    self.forget()?;
                    continue;
                }
                Effect::Mouse(on) => {
                    self.set_mouse(on)?;
                    continue;
                }
                Effect::Suspend => {
                    if let Some(code) = self.suspend()? {
                        return Ok(Some(code));
                    }
                    continue;
                }
                Effect::Copy(text) => perform::copy(&text)?,
                Effect::Write { path, contents } => perform::write(path, &contents),
                Effect::Save { path, contents, replace } => perform::save(path, &contents, replace),
                Effect::ReadFile { path } => perform::read(path),
                Effect::ListFolder { path } => perform::list(path),
            };
            effects.extend(self.program.handle(Input::Done(outcome)));
        }
        Ok(None)
    }

    fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        let _held = terminal::writing();
        terminal::set_mouse(on)
    }

    fn forget(&mut self) -> io::Result<()> {
        let _held = terminal::writing();
        self.screen.forget()?;
        self.dirty = true;
        Ok(())
    }

    /// Gives the terminal back, stops like any job of the user's shell, and takes it again.
    fn suspend(&mut self) -> io::Result<Option<i32>> {
        {
            let _held = terminal::writing();
            terminal::leave();
        }
        self.own_stop = cfg!(unix);
        signals::stop()?;
        self.reenter()
    }

    /// After a stop that came from outside (SIGSTOP cannot be seen coming): the user's shell has changed the mode.
    fn continued(&mut self) -> io::Result<Option<i32>> {
        if std::mem::take(&mut self.own_stop) { Ok(None) } else { self.reenter() }
    }

    fn reenter(&mut self) -> io::Result<Option<i32>> {
        {
            let _held = terminal::writing();
            terminal::enter_again(self.mouse)?;
        }
        self.forget()?;
        // The time in which the program stood still is no time of the program.
        self.last_tick = Instant::now();
        self.feed(Input::Resume)
    }

    /// One frame, between marks that let the terminal show it at once.
    fn draw(&mut self) -> io::Result<()> {
        let size = self.screen.size()?;
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        let _held = terminal::writing();
        let program = &*self.program;
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        self.screen.draw(|frame| program.view(frame))?;
        execute!(self.screen.backend_mut(), EndSynchronizedUpdate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_terminal_is_named_with_the_way_around() {
        let text = ShellError::NotATerminal("standard output").to_string();
        assert!(text.starts_with("standard output is not a terminal") && text.contains("icx-tui render"), "{text}");
    }

    #[test]
    fn a_terminal_that_is_gone_is_told_from_other_errors() {
        assert!(is_hang_up(&io::Error::from_raw_os_error(5)));
        assert!(is_hang_up(&io::ErrorKind::BrokenPipe.into()));
        assert!(!is_hang_up(&io::ErrorKind::PermissionDenied.into()));
    }
}
