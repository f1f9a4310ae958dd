#![expect(clippy::panic, reason = "a key that cannot be read fails the test")]

use std::collections::BTreeSet;

use super::*;
use crate::tui::glyphs::first_barred;
use crate::tui::keys::{Chord, Code};

fn chords() -> impl Iterator<Item = (&'static Spec, Chord)> {
    TABLE.iter().flat_map(|s| s.keys.iter().map(move |k| (s, k.parse::<Chord>().unwrap_or_else(|e| panic!("{e}")))))
}

#[test]
fn every_command_finds_its_own_row() {
    for spec in TABLE {
        assert!(std::ptr::eq(spec.command.spec(), spec), "{}", spec.id);
        assert!(!spec.keys.is_empty() && !spec.contexts.is_empty(), "{}", spec.id);
        assert_eq!(first_barred(spec.doc).or(first_barred(spec.title)), None, "{}", spec.id);
        if spec.group != Group::Prompt {
            assert_eq!(spec.id.parse(), Ok(spec.command));
        }
    }
}

#[test]
fn names_are_unique_and_a_typo_is_answered_with_the_nearest() {
    let ids: BTreeSet<&str> = TABLE.iter().map(|s| s.id).collect();
    assert_eq!(ids.len(), TABLE.len());
    assert!("zom".parse::<Command>().is_err_and(|e| e.contains("did you mean zoom")), "nearest");
}

#[test]
fn no_chord_means_two_things_in_a_context() {
    let mut seen = BTreeSet::new();
    for (spec, chord) in chords() {
        for context in spec.contexts {
            assert!(seen.insert((*context, chord)), "{chord} twice in {context:?}: {}", spec.id);
            assert_eq!(Keymap::default().of(*context, chord), Some(spec.command));
        }
    }
}

#[test]
fn every_chord_can_be_sent_by_a_plain_terminal() {
    for (spec, chord) in chords() {
        let plain = match chord.code {
            // Control with these letters is Backspace, Tab, Enter or Escape on the wire.
            Code::Char(c) if chord.ctrl => c.is_ascii_lowercase() && !"hijm".contains(c),
            Code::Char(c) => c.is_ascii_graphic() || c == ' ',
            Code::Tab => true,
            _ => !chord.shift && !chord.ctrl,
        };
        assert!(plain && !chord.alt, "{} {chord}", spec.id);
    }
}

#[test]
fn a_letter_is_no_command_where_one_types() {
    for (spec, chord) in chords() {
        let types = spec.contexts.iter().any(|c| c.types());
        assert!(!types || chord.typed().is_none(), "{} {chord}", spec.id);
    }
}

#[test]
fn footer_places_are_unique_per_context() {
    for context in Context::ALL {
        let placed = TABLE.iter().filter(|s| s.rank > 0 && s.contexts.contains(&context));
        let ranks: Vec<u8> = placed.map(|s| s.rank).collect();
        let unique: BTreeSet<u8> = ranks.iter().copied().collect();
        assert_eq!(ranks.len(), unique.len(), "{context:?} {ranks:?}");
    }
}
