//! Signals: the ones that end the program restore the terminal first; stop and continue become events.

use std::io;
use std::sync::mpsc::Sender;

use super::input::Event;

/// Exit code of a process that ends by this signal.
pub(super) const fn exit_code(signal: i32) -> i32 {
    128 + signal
}

/// Exit code after the terminal is gone: that of SIGHUP.
pub(super) const HANG_UP: i32 = exit_code(1);

/// Registers the handlers, then serves them on a thread. The handlers are in place when this returns: it must be
/// called before the terminal is taken.
#[cfg(unix)]
pub(super) fn listen(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT])?;
    let serve = move || {
        for signal in signals.forever() {
            // The loop may be gone already: then there is nothing to tell it.
            let _ = match signal {
                SIGTSTP => events.send(Event::Stop),
                SIGCONT => events.send(Event::Continued),
                signal => super::terminal::leave_and_exit(exit_code(signal)),
            };
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(serve).map(drop)
}

/// There are no signals here.
#[cfg(not(unix))]
pub(super) fn listen(_events: Sender<Event>) -> io::Result<()> {
    Ok(())
}

/// Stops the process until it is continued. SIGSTOP, not SIGTSTP: the latter is ignored in an orphaned process group,
/// and is handled here.
#[cfg(unix)]
pub(super) fn stop() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

/// Programs cannot be stopped here: goes on at once.
#[cfg(not(unix))]
pub(super) fn stop() -> io::Result<()> {
    Ok(())
}
