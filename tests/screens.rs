//! The explore screen as it is drawn: text and styles, per family of systems, at three sizes, before and after an edit.
//!
//! Every snapshot was looked at before it was taken.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::{to_styled, to_text};
use icx_tui::tui::theme::Theme;

/// A family of systems, and the keys that take a link of it out.
const FAMILIES: [(&str, &str); 7] = [
    ("pcie-4090x8", "\":off gpu3--psw1\"<enter>"),
    ("pcie-a100x8-bridged", "\":off gpu0--gpu1\"<enter>"),
    ("dgx-1", "\":off gpu0--gpu3\"<enter>"),
    ("mi300x", "\":off gpu2--gpu5\"<enter>"),
    ("dgx-h100", "\"/gpu3--nvsw1\"<enter><space>"),
    ("gb200-nvl72", "\":off node3/gpu1--nvsw5\"<enter>"),
    ("dgx-h100-superpod", "\":degrade node0/nic2 to 50%\"<enter>\"/node0/gpu3--nvsw1\"<enter><space>"),
];

const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (60, 20)];

fn app(name: &str, glyphs: Glyphs, theme: Theme) -> App {
    let options = Options { source: name.to_owned(), glyphs, theme, ..Options::default() };
    App::new(load_shipped(name).unwrap(), Question::default(), options)
}

fn shown(name: &str, size: (u16, u16), keys: &str) -> Headless<App> {
    app(name, Glyphs::Unicode, Theme::default()).replay(size.0, size.1, parse_script(keys).unwrap())
}

fn snapshot(name: &str, text: &str) {
    screen::snapshot(&format!("explore__{name}"), text);
}

#[test]
fn every_family_before_and_after_an_edit() {
    for (name, keys) in FAMILIES {
        for size in SIZES {
            let at = format!("{name}__{}x{}", size.0, size.1);
            let before = shown(name, size, "");
            snapshot(&at, &to_styled(before.buffer(), &Theme::default()));
            let after = shown(name, size, keys);
            assert_ne!(before.buffer(), after.buffer(), "{at}");
            snapshot(&format!("{at}__edited"), &to_styled(after.buffer(), &Theme::default()));
        }
    }
}

#[test]
fn the_widest_form() {
    let (name, keys) = FAMILIES[6];
    snapshot("wide", &to_text(shown(name, (160, 50), keys).buffer()));
}

#[test]
fn ascii_has_the_same_geometry() {
    let (name, keys) = FAMILIES[6];
    let keys = parse_script(keys).unwrap();
    let ascii = app(name, Glyphs::Ascii, Theme::mono()).replay(120, 40, keys.clone());
    let text = to_text(ascii.buffer());
    assert!(text.is_ascii());
    let unicode = to_text(app(name, Glyphs::Unicode, Theme::mono()).replay(120, 40, keys).buffer());
    let widths = |t: &str| t.lines().map(|l| l.chars().count()).collect::<Vec<_>>();
    assert_eq!(widths(&text), widths(&unicode));
    snapshot("ascii__120x40", &text);
}

#[test]
fn lists_and_lines_over_the_screen() {
    let edits = ":\"off node0/nic3\"<enter>:\"set nvls = off\"<enter>:\"off leaf1\"<enter>u";
    for (name, keys) in [
        ("help", "?"),
        ("help_searched", "?undo"),
        ("find", "/nvsw"),
        ("line", ":"),
        ("line_edit", ":\"off node*/nic0\""),
        ("line_error", ":\"off node0/gpx3\""),
        ("line_completing", ":\"set n\"<tab>"),
        ("collectives", "c"),
        ("algorithms", "a"),
        ("edits", &format!("{edits}E")),
        ("zoomed_tree", "<tab>z"),
    ] {
        snapshot(&format!("over__{name}"), &to_text(shown("dgx-h100-superpod", (100, 30), keys).buffer()));
    }
}

#[test]
fn unreachable_is_said_with_the_reason() {
    let shown = shown("dgx-h100-superpod", (120, 40), ":\"off node0/nic*\"<enter>");
    let text = to_text(shown.buffer());
    assert!(text.contains("unreachable"), "{text}");
    snapshot("unreachable__120x40", &text);
}

#[test]
fn every_theme_shows_the_same_text() {
    let (name, keys) = FAMILIES[6];
    let text = |theme: &str| {
        let theme = Theme::named(theme).unwrap();
        to_text(app(name, Glyphs::Unicode, theme).replay(120, 40, parse_script(keys).unwrap()).buffer())
    };
    for theme in Theme::NAMES {
        assert_eq!(text(theme), text("default"), "{theme}");
    }
}
