use super::*;
use crate::tui::commands::Context;

fn error(text: &str) -> String {
    Config::parse(text, "c.ron").err().map(|e| e.headline()).unwrap_or_default()
}

#[test]
fn the_template_says_nothing_and_everything_in_it_can_be_said() {
    assert_eq!(Config::parse(TEMPLATE, "c.ron"), Ok(Config::default()));
    assert_eq!(Config::parse("", "c.ron"), Ok(Config::default()));
    // With the slashes away it is a configuration.
    let bare = |l: &str| match l.trim_start().strip_prefix("// ") {
        Some(code) if code.trim_start().starts_with(['"', '}']) || code.contains(": {") || is_field(code) => {
            code.to_owned()
        }
        Some(_) => String::new(),
        None => l.to_owned(),
    };
    let all: Vec<String> = TEMPLATE.lines().map(bare).collect();
    let config = Config::parse(&all.join("\n"), "c.ron");
    assert!(config.as_ref().is_ok_and(|c| c.mouse && c.ascii && c.colours.len() == 3), "{config:?}");
    let keymap = config.map(|c| c.keymap).unwrap_or_default();
    let of = |key: &str| key.parse().ok().and_then(|chord| keymap.of(Context::Panel, chord));
    assert_eq!((of("V"), of("v")), (Some(Command::Lens), None));
}

fn is_field(code: &str) -> bool {
    ["theme: ", "ascii: ", "mouse: "].iter().any(|f| code.starts_with(f))
}

#[test]
fn styles_lie_over_the_theme() {
    let config = Config::parse("(colours: {\"down\": \"blue\"})", "c.ron").unwrap_or_default();
    let theme = config.over(Theme::default());
    assert_eq!(theme.style(Role::Down), parse_style("blue").unwrap_or_default());
    assert_eq!(theme.style(Role::Good), Theme::default().style(Role::Good));
}

#[test]
fn errors_have_the_place_and_the_nearest() {
    for (text, start, has) in [
        ("(\n  them: \"dark\")", "c.ron:2:3: ", "theme"),
        ("(theme: \"drak\")", "c.ron:1:9: ", "did you mean \"dark\"?"),
        ("(\n keys: {\n  \"undoo\": [\"u\"] })", "c.ron:3:3: ", "did you mean undo"),
        ("(keys: { \"undo\": [\"u\", \"e\"] })", "c.ron:1:24: ", "it is edit there"),
        ("(keys: { \"undo\": [\"<x\"] })", "c.ron:1:19: ", "<x"),
        ("(keys: { \"undo\": [\"u\"], \"undo\": [\"Z\"] })", "c.ron:1:25: ", "there twice"),
        ("(colours: { \"bottlneck\": \"red\" })", "c.ron:1:13: ", "did you mean bottleneck"),
        ("(colours: { \"down\": \"rd\" })", "c.ron:1:21: ", "did you mean \"red\"?"),
        ("(mouse: 3)", "c.ron:1:9: ", ""),
        ("(mouse: true", "c.ron:1:", ""),
        ("theme", "c.ron:1:1: expected round brackets", ""),
    ] {
        let e = error(text);
        assert!(e.starts_with(start) && e.contains(has), "{text}: {e}");
    }
}
