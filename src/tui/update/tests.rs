#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use proptest::prelude::*;

use super::*;
use crate::preset::load_shipped;
use crate::question::Question;
use crate::tui::app::Options;
use crate::tui::commands::TABLE;
use crate::tui::keys::parse_script;

fn app(name: &str) -> App {
    let mut app = App::new(load_shipped(name).unwrap(), Question::default(), Options::default());
    update(&mut app, Action::Resize(100, 30));
    app
}

#[test]
fn every_command_runs_anywhere_without_a_panic_and_redraws() {
    for spec in TABLE {
        for before in ["", "<tab>", "?", ":", "/", "m", "c", "o", "<tab><home>"] {
            let mut app = app("tcp-25g");
            for input in parse_script(before).unwrap() {
                app.handle(input);
            }
            let effects = update(&mut app, Action::Run(spec.command));
            assert!(matches!(effects.last(), Some(Effect::Redraw)), "{} after {before:?}", spec.id);
        }
    }
}

#[test]
fn a_disabled_command_changes_nothing_and_says_why() {
    for spec in TABLE {
        let mut app = app("dgx-1");
        let Err(reason) = spec.command.enabled(&app) else { continue };
        let (selection, edits) = (app.selection(), app.history().done().len());
        update(&mut app, Action::Run(spec.command));
        assert_eq!((app.selection(), app.history().done().len()), (selection, edits), "{}", spec.id);
        assert!(app.message().is_some_and(|m| m.contains(&reason)), "{}: {reason}", spec.id);
    }
}

#[test]
fn undo_after_any_edit_gives_the_same_answer() {
    for edit in ["off gpu0--gpu3", "degrade gpu1 to 50%", "set nvlink = 3", "off gpu7", "set p2p = off"] {
        let mut app = app("dgx-1");
        let before = app.answers().clone();
        for input in parse_script(&format!(":\"{edit}\"<enter>")).unwrap() {
            app.handle(input);
        }
        assert_eq!(app.history().done().len(), 1, "{edit}: {:?}", app.message());
        app.handle(Input::Key(Chord::char('u')));
        assert_eq!(app.answers().now, before.now, "{edit}");
        assert_eq!(app.answers().loads, before.loads, "{edit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_keys_never_panic(keys in prop::collection::vec("[ -~]|<(enter|esc|tab|s-tab|up|down|left|right|space|pageup|home|end|backspace|c-r)>", 0..40)) {
        let mut app = app("pcie-v100x4");
        for key in keys {
            let input = match key.parse::<Chord>() {
                Ok(chord) => Input::Key(chord),
                Err(_) => Input::Key(Chord::char(' ')),
            };
            app.handle(input);
        }
    }
}
