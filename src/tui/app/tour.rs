//! The one-minute tour: a line at a time that asks for a key. Pressing it goes on, so one learns by doing.

use super::App;
use crate::tui::commands::Command;
use crate::tui::program::Effect;
use crate::tui::theme::Role;

/// One stop of the tour.
#[derive(Debug)]
struct Stop {
    /// What it says; `{}` stands for the keys of `keys`, in their order.
    text: &'static str,
    /// The commands whose keys are named.
    keys: &'static [Command],
    /// Any of these goes on.
    done_by: &'static [Command],
}

/// Short enough for a screen of 60 columns.
static STOPS: [Stop; 8] = [
    Stop {
        text: "arrows move along the wires: press one",
        keys: &[],
        done_by: &[Command::Left, Command::Right, Command::Up, Command::Down],
    },
    Stop { text: "{} takes what is selected out, or back", keys: &[Command::Toggle], done_by: &[Command::Toggle] },
    Stop { text: "{} undoes that, {} does it again", keys: &[Command::Undo, Command::Redo], done_by: &[Command::Undo] },
    Stop {
        text: "{} doubles the size, {} chooses the collective",
        keys: &[Command::Larger, Command::Collective],
        done_by: &[Command::Larger, Command::Collective, Command::Size, Command::Smaller],
    },
    Stop {
        text: "{} ranks what each fault and upgrade would do",
        keys: &[Command::Impact],
        done_by: &[Command::Impact],
    },
    Stop { text: "{} goes one step back, from everywhere", keys: &[Command::Back], done_by: &[Command::Back] },
    Stop { text: "{} draws the busbw against the size", keys: &[Command::Sweep], done_by: &[Command::Sweep] },
    Stop {
        text: "{} lists every key, {} takes any command",
        keys: &[Command::Help, Command::Line],
        done_by: &[Command::Help, Command::Line],
    },
];

/// A tour on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tour {
    at: usize,
}

impl Tour {
    /// Stops that there are.
    pub const STOPS: usize = STOPS.len();

    /// The number of this stop, from 1.
    pub const fn number(self) -> usize {
        self.at + 1
    }

    /// Whether a command is what this stop asks for.
    pub(crate) fn asks_for(self, command: Command) -> bool {
        STOPS.get(self.at).is_some_and(|s| s.done_by.contains(&command))
    }

    /// The stop after this one, if this is not the last.
    pub(crate) fn next(self) -> Option<Self> {
        (self.at + 1 < Self::STOPS).then_some(Self { at: self.at + 1 })
    }
}

impl App {
    /// What the present stop of the tour says, with the user's own keys.
    pub(crate) fn tour_text(&self, tour: Tour) -> String {
        let Some(stop) = STOPS.get(tour.at) else { return String::new() };
        let key = |c: &Command| self.config.keymap.key_label(c.spec());
        stop.keys.iter().fold(stop.text.to_owned(), |text, c| text.replacen("{}", &key(c), 1))
    }

    /// Says on the first run that there is a tour. Any key takes the line away.
    pub(super) fn offer_tour(&mut self) {
        let key = |c: Command| self.config.keymap.key_label(c.spec());
        let text =
            format!("new here? {} takes a one-minute tour, {} lists the keys", key(Command::Tour), key(Command::Help));
        self.say(text, Role::Strong);
    }

    /// Once somebody has pressed a key, the first run is over: the file that remembers it is asked for.
    pub(crate) fn remember_first_run(&mut self) -> Option<Effect> {
        let path = self.first_run.clone()?;
        Some(Effect::Write { path, contents: "The tour was offered.\n".to_owned() })
    }

    /// Starts the tour, or goes to its next stop; after the last it is over.
    pub(crate) fn next_stop(&mut self) {
        self.focus.tour = match self.focus.tour {
            None => Some(Tour::default()),
            Some(tour) => tour.next(),
        };
    }

    /// A command was carried out: where the tour asks for it, the tour goes on.
    pub(crate) fn tour_heard(&mut self, command: Command) {
        if self.focus.tour.is_some_and(|t| t.asks_for(command)) {
            self.next_stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::glyphs::first_barred;

    #[test]
    fn every_stop_names_its_keys_and_fits_a_narrow_screen() {
        for stop in &STOPS {
            assert_eq!(stop.text.matches("{}").count(), stop.keys.len(), "{}", stop.text);
            assert!(stop.text.len() <= 48 && first_barred(stop.text).is_none(), "{}", stop.text);
            assert!(!stop.done_by.is_empty());
        }
    }
}
