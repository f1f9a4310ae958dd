//! Every screen and overlay at every size: as it is drawn at the four sizes that are laid out on purpose, in both glyph
//! sets; in every theme; and without a panic or an overlap at all the sizes in between.
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
use icx_tui::tui::program::Input;
use icx_tui::tui::theme::Theme;

/// The sizes that are laid out on purpose.
const SIZES: [(u16, u16); 4] = [(160, 50), (120, 40), (80, 24), (60, 20)];

/// A screen: its name, a system, and the keys that lead to it.
type Screen = (&'static str, &'static str, &'static str);

/// A sick NIC and a broken cable, selected.
const SICK: &str = "\":degrade node0/nic2 to 50%\"<enter>\"/node0/gpu3--nvsw1\"<enter><space>";

/// Screens whose snapshots are taken here in both glyph sets.
const HERE: [Screen; 7] = [
    ("explore", "dgx-h100-superpod", SICK),
    ("rack", "gb200-nvl72", "\":off node3/gpu1--nvsw5\"<enter>\":off nvsw7\"<enter>"),
    ("fabric", "h100-roce-2to1", "\":degrade leaf1 to 50%\"<enter>\":go leaf1\"<enter>"),
    (
        "classes",
        "dgx-h100-superpod",
        "\":set nodes = 2000\"<enter>\":off node7/nic0\"<enter>\":go node*\"<enter><esc><esc><esc>",
    ),
    ("pairs", "pcie-a100x8-bridged", "mll"),
    ("path", "dgx-h100-superpod", "\"/node0/gpu3\"<enter>o\"/node1/gpu0\"<enter><enter>"),
    ("tour", "dgx-1", "Tl"),
];

/// Screens whose unicode snapshots are taken with their own tests.
const ELSEWHERE: [Screen; 5] = [
    ("sweep", "dgx-h100-superpod", "w"),
    ("scale", "dgx-h100-superpod", "S"),
    ("explain", "dgx-h100-superpod", "x<down><down><down><enter>"),
    ("impact", "dgx-h100-superpod", "i"),
    ("compare", "dgx-h100-superpod", "\":set nvls = off\"<enter>C"),
];

/// What lies over a screen.
const OVERLAYS: [Screen; 9] = [
    ("help", "dgx-h100-superpod", "?"),
    ("find", "gb200-nvl72", "/gpu"),
    ("line", "dgx-h100-superpod", ":\"set n\""),
    ("line_refused", "dgx-h100-superpod", ":\"off node0/gpx3\""),
    ("edits", "dgx-h100-superpod", ":\"off node0/nic3\"<enter>:\"set nvls = off\"<enter>:\"off leaf1\"<enter>uE"),
    ("collectives", "pcie-4090x8", "c"),
    ("narrowed", "dgx-h100-superpod", "i/psw"),
    ("save", "dgx-1", "W"),
    ("unreachable", "dgx-h100-superpod", ":\"off node0/nic*\"<enter>"),
];

fn app((_, system, _): Screen, glyphs: Glyphs, theme: Theme) -> App {
    let options = Options { source: system.to_owned(), glyphs, theme, ..Options::default() };
    App::new(load_shipped(system).unwrap(), Question::default(), options)
}

fn shown(screen: Screen, (columns, rows): (u16, u16), glyphs: Glyphs) -> Headless<App> {
    app(screen, glyphs, Theme::default()).replay(columns, rows, parse_script(screen.2).unwrap())
}

fn snapshot(name: &str, text: &str) {
    screen::snapshot(&format!("screen__{name}"), text);
}

#[test]
fn unicode_at_every_size() {
    for screen in HERE.into_iter().chain(OVERLAYS) {
        let mut shown = shown(screen, SIZES[1], Glyphs::Unicode);
        for (columns, rows) in SIZES {
            shown.feed([Input::Resize(columns, rows)]);
            snapshot(&format!("{}__{columns}x{rows}", screen.0), &to_text(shown.buffer()));
        }
    }
}

#[test]
fn ascii_at_every_size() {
    for screen in HERE.into_iter().chain(ELSEWHERE) {
        let mut shown = shown(screen, SIZES[1], Glyphs::Ascii);
        for (columns, rows) in SIZES {
            shown.feed([Input::Resize(columns, rows)]);
            let text = to_text(shown.buffer());
            assert!(text.is_ascii(), "{}", screen.0);
            snapshot(&format!("{}__{columns}x{rows}__ascii", screen.0), &text);
        }
    }
}

#[test]
fn one_screen_in_every_theme() {
    for name in Theme::NAMES {
        let theme = Theme::named(name).unwrap();
        let shown = app(HERE[0], Glyphs::Unicode, theme.clone()).replay(80, 24, parse_script(SICK).unwrap());
        snapshot(&format!("theme_{name}"), &to_styled(shown.buffer(), &theme));
    }
}

/// From one cell to larger than every form: a coarse grid, and both sides of every step of the layout.
fn sizes() -> Vec<(u16, u16)> {
    let mut all: Vec<(u16, u16)> = Vec::new();
    for (i, columns) in (1..=200).step_by(19).enumerate() {
        // Every other row, in turn, covers the grid with half of the frames.
        all.extend((1 + (i as u16 % 2) * 6..=60).step_by(11).map(|rows| (columns, rows)));
    }
    for (columns, rows) in [(40, 12), (76, 22), (110, 34), (150, 45)] {
        all.extend([(columns, rows), (columns - 1, rows), (columns, rows - 1)]);
    }
    all.extend([(200, 60), (200, 1), (1, 60)]);
    all
}

/// Whether a text that stands somewhere stands there whole, or is cut by the sign for it or an edge.
fn is_whole(screen: &str, text: &str) -> Result<(), String> {
    let begin: String = text.chars().take(8).collect();
    for line in screen.lines() {
        for (at, _) in line.match_indices(&begin) {
            let rest = line.get(at..).unwrap_or_default();
            let same = rest.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
            let next = rest.chars().nth(same);
            if same < text.chars().count() && !next.is_none_or(|c| "…┃│~|#".contains(c)) {
                return Err(line.to_owned());
            }
        }
    }
    Ok(())
}

#[test]
fn no_size_of_a_picture_panics_or_writes_one_thing_over_another() {
    at_all_sizes(&HERE, true);
}

#[test]
fn no_size_of_another_screen_panics() {
    at_all_sizes(&ELSEWHERE, true);
}

#[test]
fn no_size_of_an_overlay_panics() {
    at_all_sizes(&OVERLAYS, false);
}

/// Draws screens at all sizes. Captions of edits are whole, unless something may lie over them.
fn at_all_sizes(screens: &[Screen], uncovered: bool) {
    for screen in screens {
        let mut shown = shown(*screen, (120, 40), Glyphs::Unicode);
        for (columns, rows) in sizes() {
            shown.feed([Input::Resize(columns, rows)]);
            let text = to_text(shown.buffer());
            let at = format!("{} {columns}x{rows}", screen.0);
            assert_eq!(text.lines().count(), usize::from(rows), "{at}");
            for edit in shown.program().history().done().iter().filter(|_| uncovered) {
                let whole = is_whole(&text, &format!("*{}", edit.edit));
                assert_eq!(whole, Ok(()), "{at}\n{text}");
            }
            if let Some(answer) = shown.program().answers().now.estimate().filter(|_| columns >= 12) {
                let first = text.lines().next().unwrap_or_default();
                assert!(first.contains(&answer.time.to_string()), "{at}: the time is in the first row\n{text}");
            }
        }
    }
}
