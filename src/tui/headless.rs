//! A program without a terminal: for key scripts, for `render`, for tests.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::program::{Effect, Input, Program};

/// A program and the screen that it would show. Draws after every input that asks for it, as the real loop does.
pub struct Headless<P> {
    program: P,
    terminal: Terminal<TestBackend>,
    exit_code: Option<i32>,
    asked: Vec<Effect>,
}

impl<P: Program> Headless<P> {
    /// Starts a program on a screen of this many columns and rows and draws its first frame.
    pub fn new(program: P, columns: u16, rows: u16) -> Self {
        let Ok(terminal) = Terminal::new(TestBackend::new(columns, rows));
        let mut headless = Self { program, terminal, exit_code: None, asked: Vec::new() };
        headless.draw();
        headless
    }

    /// Feeds inputs, such as those of a key script. Stops at the one that quits.
    pub fn feed(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for input in inputs {
            if self.exit_code.is_some() {
                return;
            }
            self.step(input);
        }
    }

    fn step(&mut self, input: Input) {
        let mut dirty = false;
        if let Input::Resize(columns, rows) = input {
            // A new one: resizing the backend to no rows or columns would index its empty buffer.
            let Ok(terminal) = Terminal::new(TestBackend::new(columns, rows));
            self.terminal = terminal;
            dirty = true;
        }
        for effect in self.program.handle(input) {
            match effect {
                Effect::Quit(code) => {
                    self.exit_code = Some(code);
                    break;
                }
                Effect::Redraw | Effect::Repaint => dirty = true,
                // Nothing stops here; what a terminal would do after the stop is done at once.
                Effect::Suspend => {
                    self.step(Input::Resume);
                    dirty = true;
                }
                other => self.asked.push(other),
            }
        }
        if dirty {
            self.draw();
        }
    }

    fn draw(&mut self) {
        if self.buffer().area.is_empty() {
            return;
        }
        let Ok(_) = self.terminal.draw(|frame| self.program.view(frame));
    }

    /// What the screen shows.
    pub fn buffer(&self) -> &Buffer {
        self.terminal.backend().buffer()
    }

    /// The exit code, once the program has quit.
    pub fn exit_code(&self) -> Option<i32> {
        self.exit_code
    }

    /// What the program has asked for since the last call and nobody has done: the clipboard, files, the mouse. Feed
    /// an [`Input::Done`] for what you do.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.asked)
    }

    /// The program.
    pub fn program(&self) -> &P {
        &self.program
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::parse_script;
    use crate::tui::output::to_text;
    use ratatui::Frame;
    use std::time::Duration;

    #[derive(Default)]
    struct Echo {
        text: String,
        quiet: String,
        time: Duration,
    }

    impl Program for Echo {
        fn handle(&mut self, input: Input) -> Vec<Effect> {
            match input {
                Input::Key(chord) if chord.to_string() == "q" => {
                    return vec![Effect::Quit(7), Effect::Copy("no".into())];
                }
                Input::Key(chord) if chord.to_string() == "n" => {
                    self.quiet.push('n');
                    return vec![];
                }
                Input::Key(chord) if chord.to_string() == "<c-z>" => return vec![Effect::Suspend],
                Input::Key(chord) => self.text.push_str(&chord.to_string()),
                Input::Resume => self.text.push_str("again"),
                Input::Tick(time) => self.time += time,
                _ => return vec![Effect::Mouse(true)],
            }
            vec![Effect::Redraw]
        }

        fn view(&self, frame: &mut Frame<'_>) {
            frame.render_widget(format!("{}{} {:?}", self.text, self.quiet, self.time), frame.area());
        }

        fn next_deadline(&self) -> Option<Duration> {
            None
        }
    }

    fn after(script: &str) -> Headless<Echo> {
        let mut headless = Headless::new(Echo::default(), 20, 1);
        headless.feed(parse_script(script).unwrap_or_default());
        headless
    }

    #[test]
    fn draws_what_changed_and_only_when_asked() {
        assert_eq!(to_text(after("ab<wait 2s>").buffer()), "ab 2s\n");
        assert_eq!(to_text(after("an").buffer()), "a 0ns\n");
        assert_eq!(to_text(after("a<c-z>").buffer()), "aagain 0ns\n");
        assert_eq!(to_text(after("an<resize 5x2>").buffer()), "an 0n\n\n");
    }

    #[test]
    fn stops_at_the_quit() {
        let mut headless = after("aqb");
        assert_eq!((headless.exit_code(), headless.program().text.as_str()), (Some(7), "a"));
        assert_eq!(headless.take_effects(), []);
    }

    #[test]
    fn keeps_what_was_asked_of_the_terminal() {
        let mut headless = after("<paste x>");
        assert_eq!(headless.take_effects(), [Effect::Mouse(true)]);
        assert_eq!(headless.take_effects(), []);
    }

    #[test]
    fn any_size_will_do() {
        for (columns, rows) in [(0, 0), (0, 5), (5, 0), (1, 1), (300, 2)] {
            let mut headless = Headless::new(Echo::default(), columns, rows);
            headless.feed([Input::Resize(rows, columns), Input::Resize(columns, rows)]);
            assert_eq!((headless.buffer().area.width, headless.buffer().area.height), (columns, rows));
        }
    }
}
