//! The reader thread: terminal events become inputs.

use std::io;
use std::sync::mpsc::Sender;
use std::time::Duration;

use crossterm::event::{self, Event as TerminalEvent, MouseButton, MouseEvent, MouseEventKind};

use super::signals::HANG_UP;
use super::terminal;
use crate::tui::keys::Chord;
use crate::tui::program::{Input, Mouse, MouseKind};

/// What wakes the loop.
#[derive(Debug)]
pub(super) enum Event {
    /// The user did something.
    Input(Input),
    /// Another process asks the program to stop (SIGTSTP).
    Stop,
    /// The program was continued after a stop (SIGCONT).
    Continued,
    /// The terminal cannot be read any more.
    Closed,
}

/// After so many failed reads in a row the terminal counts as gone.
const MAX_ERRORS: u32 = 3;

/// How often the terminal is looked at; see [`watch`].
const WATCH_EVERY: Duration = Duration::from_secs(2);

/// Reads the terminal on a thread of its own for the rest of the process.
pub(super) fn listen(events: Sender<Event>) -> io::Result<()> {
    std::thread::Builder::new().name("input".to_owned()).spawn(move || read(&events)).map(drop)
}

fn read(events: &Sender<Event>) {
    let mut errors = 0;
    while errors < MAX_ERRORS {
        let sent = match event::read() {
            Err(_) => {
                errors += 1;
                continue;
            }
            Ok(event) => {
                errors = 0;
                convert(event).map_or(Ok(()), |input| events.send(Event::Input(input)))
            }
        };
        if sent.is_err() {
            return;
        }
    }
    let _ = events.send(Event::Closed);
}

/// The input of a terminal event; `None` for what the program does not know (focus, key releases, mouse motion).
fn convert(event: TerminalEvent) -> Option<Input> {
    match event {
        TerminalEvent::Key(key) => Chord::from_event(key).map(Input::Key),
        TerminalEvent::Paste(text) => Some(Input::Paste(text)),
        TerminalEvent::Resize(columns, rows) => Some(Input::Resize(columns, rows)),
        TerminalEvent::Mouse(mouse) => convert_mouse(mouse).map(Input::Mouse),
        TerminalEvent::FocusGained | TerminalEvent::FocusLost => None,
    }
}

fn convert_mouse(mouse: MouseEvent) -> Option<Mouse> {
    let kind = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Click,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Mouse { kind, column: mouse.column, row: mouse.row })
}

/// Ends the process when the terminal goes away without a SIGHUP (it was not our controlling terminal): the reader
/// would then spin inside the terminal library. Only where the terminal can be asked for its size at all.
pub(super) fn watch() -> io::Result<()> {
    if crossterm::terminal::window_size().is_err() {
        return Ok(());
    }
    let look = || {
        while crossterm::terminal::window_size().is_ok() {
            std::thread::sleep(WATCH_EVERY);
        }
        terminal::leave_and_exit(HANG_UP)
    };
    std::thread::Builder::new().name("watch".to_owned()).spawn(look).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

    #[test]
    fn keys_pass_and_releases_do_not() {
        let key = |kind| TerminalEvent::Key(KeyEvent::new_with_kind(KeyCode::Char('j'), KeyModifiers::NONE, kind));
        assert_eq!(convert(key(KeyEventKind::Press)), Some(Input::Key(Chord::char('j'))));
        assert_eq!(convert(key(KeyEventKind::Release)), None);
    }

    #[test]
    fn mouse_clicks_and_wheel_pass_and_motion_does_not() {
        let mouse = |kind| {
            let event = MouseEvent { kind, column: 10, row: 4, modifiers: KeyModifiers::NONE };
            convert(TerminalEvent::Mouse(event))
        };
        let at = |kind| Some(Input::Mouse(Mouse { kind, column: 10, row: 4 }));
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Left)), at(MouseKind::Click));
        assert_eq!(mouse(MouseEventKind::ScrollUp), at(MouseKind::WheelUp));
        assert_eq!(mouse(MouseEventKind::Moved), None);
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Right)), None);
    }

    #[test]
    fn paste_and_resize_pass() {
        assert_eq!(convert(TerminalEvent::Paste("x".to_owned())), Some(Input::Paste("x".to_owned())));
        assert_eq!(convert(TerminalEvent::Resize(80, 24)), Some(Input::Resize(80, 24)));
        assert_eq!(convert(TerminalEvent::FocusGained), None);
    }
}
