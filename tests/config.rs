//! The user's configuration: what it changes on the screen, and what the command line says of it.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::fs;
use std::process::{Command, Output};

use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::config::{Config, TEMPLATE};
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;

fn icx(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icx-tui")).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn own_keys_work_and_are_what_footer_and_help_show() {
    let config = Config::parse("(keys: { \"toggle\": [\"Z\"], \"matrix\": [\"<space>\"] })", "c.ron").unwrap();
    let app =
        App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options { config, ..Options::default() });
    let mut screen = app.replay(160, 50, parse_script("/gpu3--nvsw1<enter>Z").unwrap());
    let edits: Vec<String> = screen.program().history().done().iter().map(|e| e.edit.to_string()).collect();
    assert_eq!(edits, ["off gpu3--nvsw1"]);
    let text = to_text(screen.buffer());
    assert!(text.contains(" Z off/on ") && text.contains(" space matrix "), "{text}");
    screen.feed(parse_script("<space>").unwrap());
    assert!(to_text(screen.buffer()).contains("pairs"), "{}", to_text(screen.buffer()));
    screen.feed(parse_script("<esc>?\"toggle\"").unwrap());
    assert!(to_text(screen.buffer()).contains("Z            toggle"), "{}", to_text(screen.buffer()));
}

#[test]
fn the_command_line_prints_the_template_and_points_into_a_bad_file() {
    let printed = icx(&["config", "--template"]);
    assert_eq!((printed.status.code(), String::from_utf8_lossy(&printed.stdout).as_ref()), (Some(0), TEMPLATE));
    let missing = icx(&["dgx-h100", "--config", "no-such-file.ron"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("no-such-file.ron: no such file"), "{}", stderr(&missing));
    let path = std::env::temp_dir().join(format!("icx-tui-config-{}.ron", std::process::id()));
    fs::write(&path, "(\n    keys: { \"undoo\": [\"Z\"] },\n)\n").unwrap();
    let bad = icx(&["dgx-h100", "--config", &path.to_string_lossy()]);
    fs::remove_file(&path).unwrap();
    assert_eq!(bad.status.code(), Some(2));
    assert!(stderr(&bad).contains(":2:13: ") && stderr(&bad).contains("did you mean undo"), "{}", stderr(&bad));
}
