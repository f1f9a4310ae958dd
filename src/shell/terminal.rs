//! Taking the terminal and giving it back.
//!
//! [`leave`] undoes everything that [`enter`] did, does it once whoever calls first, and ignores errors: on a terminal
//! that is gone there is nobody to tell. The guard, the panic hook, the signal thread and the suspend all call it.

use std::io::{self, BufWriter, Stdout, Write};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::{Print, ResetColor};
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

/// Whether the terminal is ours now.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Held while a frame or a sequence is written, so that a signal does not restore the terminal in the middle of one.
static WRITING: Mutex<()> = Mutex::new(());

/// Button presses (1000) with coordinates of any size (1006), not motion: the terminal keeps hover and selection cheap.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// How long the end of a frame is waited for before the terminal is restored anyway.
const PATIENCE: Duration = Duration::from_secs(1);

/// The drawing half of the terminal. Never dropped: ratatui's own drop shows the cursor and, when that fails on a
/// terminal that is gone, prints to a standard error that is gone too, which aborts.
pub(super) struct Screen(ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>);

impl Screen {
    pub(super) fn new() -> io::Result<Self> {
        // Room for a full frame of a large terminal in one write.
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        Terminal::new(CrosstermBackend::new(out)).map(|terminal| Self(ManuallyDrop::new(terminal)))
    }

    /// Forgets what the screen shows: the next frame writes every cell.
    ///
    /// Not `Terminal::clear`, which asks the terminal where its cursor is and waits for an answer that the reader
    /// thread would take.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        let size = self.size()?;
        self.resize(ratatui::layout::Rect::new(0, 0, size.width, size.height))
    }
}

impl Deref for Screen {
    type Target = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Screen {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Gives the terminal back when dropped.
#[must_use]
pub(super) struct Guard(());

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Takes the terminal: raw mode, alternate screen, bracketed paste, hidden cursor, and the mouse if asked for.
pub(super) fn enter(mouse: bool) -> io::Result<Guard> {
    let guard = Guard(());
    enable_raw_mode()?;
    ACTIVE.store(true, Ordering::SeqCst);
    // The guard exists before the first sequence is sent: an error from here on restores what was done.
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    set_mouse(mouse)?;
    Ok(guard)
}

/// Takes the terminal again after somebody else (the user's shell) may have changed its mode while we were stopped.
pub(super) fn enter_again(mouse: bool) -> io::Result<()> {
    // The saved mode must not be the raw one: disable first, so that enabling saves what is there now.
    disable_raw_mode()?;
    std::mem::forget(enter(mouse)?);
    Ok(())
}

/// Takes the mouse or gives it back.
pub(super) fn set_mouse(on: bool) -> io::Result<()> {
    execute!(io::stdout(), Print(if on { MOUSE_ON } else { MOUSE_OFF }))
}

/// Gives the terminal back, once; errors are nobody's any more.
pub(super) fn leave() {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        Print(MOUSE_OFF),
        DisableBracketedPaste,
        ResetColor,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Holds back signals that would restore the terminal while something is written.
pub(super) fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the terminal back from another thread and ends the process; waits a moment for the end of a frame. A writer
/// that is stuck (nobody reads the terminal) is not waited for: then only the mode is restored.
pub(super) fn leave_and_exit(code: i32) -> ! {
    let held = wait_for_frame();
    if held.is_some() {
        leave();
    } else {
        let _ = disable_raw_mode();
    }
    std::process::exit(code)
}

/// Restores the terminal before the message of a panic is printed. A panic of another thread than the caller's ends
/// the process: the main thread would go on drawing over the message.
pub(super) fn install_panic_hook() {
    let main = std::thread::current().id();
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let on_main = std::thread::current().id() == main;
        // The main thread may hold the lock itself; any other waits for the frame to end.
        let held = (!on_main).then(wait_for_frame);
        leave();
        previous(info);
        if !on_main {
            std::process::exit(101);
        }
        drop(held);
    }));
}

fn wait_for_frame() -> Option<MutexGuard<'static, ()>> {
    let step = Duration::from_millis(10);
    for _ in 0..PATIENCE.as_millis() / step.as_millis() {
        match WRITING.try_lock() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(step),
        }
    }
    None
}
