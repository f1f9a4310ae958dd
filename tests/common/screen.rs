//! What tests of screens share: keys in, text out, snapshots.
#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it; keys of tests parse")]

use icx_tui::tui::app::App;
use icx_tui::tui::glyphs::first_barred;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;
use icx_tui::tui::program::Input;
use insta::Settings;

/// Presses keys, as `j<enter>`.
pub fn press(screen: &mut Headless<App>, keys: &str) {
    screen.feed(parse_script(keys).unwrap());
}

/// What the screen shows.
pub fn text(screen: &Headless<App>) -> String {
    to_text(screen.buffer())
}

/// The edits in force, as text.
pub fn edits(screen: &Headless<App>) -> Vec<String> {
    screen.program().history().done().iter().map(|e| e.edit.to_string()).collect()
}

/// Compares with a stored text, which may hold only glyphs that terminals have.
pub fn snapshot(name: &str, text: &str) {
    assert_eq!(first_barred(text), None, "{text}");
    let mut settings = Settings::new();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Draws at sizes from nothing to larger than every form.
pub fn at_every_size(screen: &mut Headless<App>) {
    for columns in (0..=170).step_by(17) {
        for rows in (0..=55).step_by(9) {
            screen.feed([Input::Resize(columns, rows)]);
        }
    }
    for size in [(39, 11), (40, 12), (41, 13), (75, 21), (76, 22), (109, 33), (110, 34), (150, 45), (1, 1)] {
        screen.feed([Input::Resize(size.0, size.1)]);
    }
}
