//! Which key does what: the table's keys, or the user's own in their place.

use std::sync::LazyLock;

use super::{Command, Context, Spec, TABLE};
use crate::tui::keys::Chord;

/// The keys of every command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keymap {
    /// Commands with keys of the user's own, as text, in place of the table's.
    own: Vec<(Command, Vec<String>)>,
    /// Chord and context to command, with those keys; without own keys it stays empty and the table's is used.
    chords: Vec<(Context, Chord, Command)>,
}

/// Why keys cannot be taken: which of them, counted from 0, of which command, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The command that they were for.
    pub command: Command,
    /// Which of its keys; `None` for all of them.
    pub key: Option<usize>,
    /// The reason.
    pub reason: String,
}

/// The table's own.
static TABLES: LazyLock<Vec<(Context, Chord, Command)>> = LazyLock::new(|| chords(&[]));

fn chords(own: &[(Command, Vec<String>)]) -> Vec<(Context, Chord, Command)> {
    let mut all = Vec::new();
    for spec in TABLE {
        for key in keys_of(own, spec) {
            let Ok(chord) = key.parse::<Chord>() else { continue };
            all.extend(spec.contexts.iter().map(|context| (*context, chord, spec.command)));
        }
    }
    all
}

fn keys_of<'a>(own: &'a [(Command, Vec<String>)], spec: &Spec) -> Vec<&'a str> {
    match own.iter().find(|(c, _)| *c == spec.command) {
        Some((_, keys)) => keys.iter().map(String::as_str).collect(),
        None => spec.keys.to_vec(),
    }
}

impl Keymap {
    /// The table's keys, with these commands' keys replaced.
    ///
    /// # Errors
    /// A key that cannot be read, that would be typed, or that another command has in the same place.
    pub fn with(own: Vec<(Command, Vec<String>)>) -> Result<Self, Refused> {
        if own.is_empty() {
            return Ok(Self::default());
        }
        for (command, keys) in &own {
            check(*command, keys)?;
        }
        let chords = chords(&own);
        for (i, (context, chord, command)) in chords.iter().enumerate() {
            let taken = |(c, k, other): &&(Context, Chord, Command)| c == context && k == chord && other != command;
            let Some((_, _, other)) = chords.iter().skip(i + 1).find(taken) else { continue };
            // One of the two is the user's own, or the table itself would be at fault.
            let mine = |c: &Command| own.iter().position(|(o, _)| o == c);
            let (user, table) = if mine(command) > mine(other) { (command, other) } else { (other, command) };
            let keys = own.iter().find(|(c, _)| c == user).map(|(_, keys)| keys.as_slice()).unwrap_or_default();
            let key = keys.iter().position(|k| k.parse::<Chord>().as_ref() == Ok(chord));
            let (id, held) = (user.spec().id, table.spec().id);
            let reason = format!("{chord} cannot be {id}: it is {held} there; give {held} another key too");
            return Err(Refused { command: *user, key, reason });
        }
        Ok(Self { own, chords })
    }

    /// The command of a key in a context.
    pub fn of(&self, context: Context, chord: Chord) -> Option<Command> {
        let chords = if self.own.is_empty() { &*TABLES } else { &self.chords };
        chords.iter().find(|(c, k, _)| *c == context && *k == chord).map(|(.., command)| *command)
    }

    /// The first key of a command as people read it: `space`, `ctrl-r`, `u`. Empty where it has none.
    pub fn key_label(&self, spec: &Spec) -> String {
        keys_of(&self.own, spec).first().map_or_else(String::new, |k| label(k))
    }

    /// All keys of a command as people read them.
    pub fn keys_label(&self, spec: &Spec) -> String {
        keys_of(&self.own, spec).into_iter().map(label).collect::<Vec<_>>().join(" ")
    }
}

/// Whether the keys can be read and typed text stays text.
fn check(command: Command, keys: &[String]) -> Result<(), Refused> {
    let refused = |key, reason| Err(Refused { command, key, reason });
    if command == Command::Quit && keys.is_empty() {
        return refused(None, "quit needs a key".to_owned());
    }
    let types = command.spec().contexts.iter().any(|c| c.types());
    for (i, key) in keys.iter().enumerate() {
        match key.parse::<Chord>() {
            Err(e) => return refused(Some(i), e.to_string()),
            Ok(chord) if types && chord.typed().is_some() => {
                let id = command.spec().id;
                return refused(
                    Some(i),
                    format!("{id} works where one types, so {key} would be typed; take another key"),
                );
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// `<space>` as `space`, `<c-r>` as `ctrl-r`.
fn label(key: &str) -> String {
    let Some(inner) = key.strip_prefix('<').and_then(|k| k.strip_suffix('>')) else { return key.to_owned() };
    match inner {
        "lt" => "<".to_owned(),
        other => other.replace("c-", "ctrl-").replace("s-", "shift-").replace("a-", "alt-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(rows: &[(Command, &[&str])]) -> Result<Keymap, Refused> {
        Keymap::with(rows.iter().map(|(c, keys)| (*c, keys.iter().map(|k| (*k).to_owned()).collect())).collect())
    }

    #[test]
    fn own_keys_take_the_place_of_the_tables() {
        let map = own(&[(Command::Undo, &["<c-u>", "Z"])]).unwrap_or_default();
        let of = |key: &str| key.parse().ok().and_then(|chord| map.of(Context::Panel, chord));
        assert_eq!((of("Z"), of("u"), of("<space>")), (Some(Command::Undo), None, Some(Command::Toggle)));
        assert_eq!(map.keys_label(Command::Undo.spec()), "ctrl-u Z");
        assert_eq!(map.key_label(Command::Toggle.spec()), "space");
        assert_eq!(Keymap::default().key_label(Command::Undo.spec()), "u");
    }

    #[test]
    fn a_key_that_is_taken_names_both_commands() {
        let refused = own(&[(Command::Undo, &["Z", "e"])]).err();
        let refused = refused.map(|r| (r.command, r.key, r.reason));
        let reason = "e cannot be undo: it is edit there; give edit another key too".to_owned();
        assert_eq!(refused, Some((Command::Undo, Some(1), reason)));
        assert!(own(&[(Command::Undo, &["e"]), (Command::EditValue, &["u"])]).is_ok(), "a swap is fine");
    }

    #[test]
    fn keys_that_would_lock_one_in_are_refused() {
        assert!(own(&[(Command::Back, &["x"])]).is_err_and(|r| r.reason.contains("would be typed")));
        assert!(own(&[(Command::Quit, &[])]).is_err_and(|r| r.key.is_none()));
        assert!(own(&[(Command::Undo, &["<hyper-x>"])]).is_err_and(|r| r.key == Some(0)));
    }
}
