//! The screen of a collective that is watched: what it draws and says at every size, its keys, and that it sleeps.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use icx_tui::cost::{Prepared, Timeline};
use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Question};
use icx_tui::scenario::{Context, Entry, History};
use icx_tui::system::{Algorithm, System};
use icx_tui::tui::app::{App, Options, Screen};
use icx_tui::tui::config::Config;
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::{to_styled, to_text};
use icx_tui::tui::program::Program;
use icx_tui::tui::theme::Theme;
use icx_tui::units::Bytes;
use std::sync::Arc;

/// A shipped system after some edits.
fn edited(name: &str, edits: &[&str]) -> System {
    let base = Arc::new(load_shipped(name).unwrap());
    let edits = edits.iter().map(|e| Entry { edit: e.parse().unwrap(), enabled: true }).collect();
    History::with(base, Arc::new(Context::default()), edits, Vec::new()).system().clone()
}

fn app(system: System, question: Question, glyphs: Glyphs, theme: Theme, no_motion: bool) -> App {
    let config = Config { no_motion, ..Config::default() };
    App::new(system, question, Options { source: "x".to_owned(), glyphs, theme, config, ..Options::default() })
}

fn shown(system: System, question: Question, size: (u16, u16), keys: &str) -> Headless<App> {
    let mut app = app(system, question, Glyphs::Unicode, Theme::default(), false);
    app.open_screen(Screen::Watch);
    app.replay(size.0, size.1, parse_script(keys).unwrap())
}

fn snapshot(name: &str, text: &str) {
    screen::snapshot(&format!("watch__{name}"), text);
}

fn ask(collective: Collective, algorithm: Option<Algorithm>) -> Question {
    Question { algorithm, ..Question::new(collective, Bytes::from_gib(1.0)) }
}

/// A name, a system with its edits, a question, keys.
fn frames() -> Vec<(&'static str, System, Question, &'static str)> {
    let four = || edited("dgx-h100-superpod", &["set nodes = 4"]);
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    vec![
        ("ring", edited("dgx-h100", &[]), ring, "<right><right><right><right><right>"),
        ("ring-gather", edited("dgx-h100", &[]), ring, "<end><left><left><left><left>"),
        ("rings-on-a-mesh", edited("dgx-1", &["off gpu0--gpu3"]), ring, "<right><right>]"),
        ("ring-over-nodes", four(), ring, "<pagedown><pagedown>"),
        ("tree", four(), ask(Collective::AllReduce, Some(Algorithm::Tree)), "<pagedown>"),
        ("nvls", edited("dgx-h100", &[]), ask(Collective::AllReduce, None), "<right><right>"),
        ("nvls-tree", four(), ask(Collective::AllReduce, Some(Algorithm::NvlsTree)), "<right><right><right>"),
        ("all-to-all", edited("mi300x", &[]), ask(Collective::AllToAll, None), "<right><right><right>"),
        ("broadcast", edited("pcie-4090x8", &[]), ask(Collective::Broadcast, None), "<right><right><right>"),
        ("rack", edited("gb200-nvl72", &[]), ring, "<pagedown><pagedown>"),
        ("131072-gpus", edited("dgx-h100-superpod", &["set nodes = 16384"]), ring, "<pagedown>"),
    ]
}

#[test]
fn frames_of_every_algorithm() {
    for (name, system, question, keys) in frames() {
        snapshot(&format!("{name}__120x40"), &to_text(shown(system, question, (120, 40), keys).buffer()));
    }
}

/// What is drawn at a size: a name, keys, and a part of the drawing.
#[test]
fn rings_chains_trees_and_switches_are_drawn_at_every_size() {
    let four = || edited("dgx-h100-superpod", &["set nodes = 4"]);
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    let cases = [
        ("loop", edited("dgx-h100", &[]), ring, "m", ["[g0]━━━━►[g1]", "▲"]),
        ("rows", four(), ring, "m", ["a row per node", "n3 [g"]),
        ("tree", four(), ask(Collective::AllReduce, Some(Algorithm::Tree)), "m", ["tree 1", "▲"]),
        ("star", edited("dgx-h100", &[]), ask(Collective::AllReduce, None), "m", ["╞══+", "nvsw[0-3]"]),
        ("chain", edited("dgx-h100", &[]), ask(Collective::Broadcast, None), "m", ["►[g1]", "►[g2]"]),
        (
            "fabric",
            edited("dgx-h100-superpod", &["set nodes = 4", "set sharp = on"]),
            ask(Collective::AllReduce, Some(Algorithm::Collnet)),
            "m",
            ["the fabric's switches", "+"],
        ),
    ];
    for (name, system, question, keys, parts) in cases {
        for size in [(160, 50), (120, 40), (80, 24), (60, 20)] {
            let picture = |keys: &str| to_text(shown(system.clone(), question, size, keys).buffer());
            let text = picture("<end>");
            // Where the table goes first, a key draws.
            let drawn = |t: &str| parts.iter().all(|p| t.contains(p));
            let text = if drawn(&text) { text } else { picture(&format!("<end>{keys}")) };
            assert!(drawn(&text), "{name} at {size:?}\n{text}");
            let (w, h) = size;
            if matches!(size, (80, 24) | (60, 20)) {
                snapshot(&format!("drawn-{name}__{w}x{h}"), &text);
            }
        }
    }
}

#[test]
fn drawings_are_plain_where_they_have_to_be() {
    let tree = ask(Collective::AllReduce, Some(Algorithm::Tree));
    let system = edited("dgx-h100-superpod", &["set nodes = 4"]);
    let mut ascii = app(system, tree, Glyphs::Ascii, Theme::mono(), false);
    ascii.open_screen(Screen::Watch);
    let screen = ascii.replay(120, 40, parse_script("<end>").unwrap());
    assert!(to_text(screen.buffer()).is_ascii());
    snapshot("tree__ascii-mono", &to_styled(screen.buffer(), &Theme::mono()));
}

#[test]
fn rows_that_do_not_fit_scroll_and_say_so() {
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    let sixteen = edited("dgx-2", &[]);
    let text = |size, keys: &str| to_text(shown(sixteen.clone(), ring, size, keys).buffer());
    let top = text((60, 20), "<right>");
    assert!(top.contains("[g0]") && !top.contains("[g15]") && top.contains("more below"), "{top}");
    let end = text((60, 20), &format!("<right>{}", "<down>".repeat(40)));
    assert!(end.contains("[g15]") && end.contains("more above"), "{end}");
    let back = text((60, 20), &format!("<right>{}{}", "<down>".repeat(40), "<up>".repeat(9)));
    assert_eq!(top, back, "no key press is lost beyond the end");
    // On the smallest screen the moves are below the rows.
    let eight =
        shown(edited("dgx-h100", &[]), ring, (40, 12), "<right><down><down><down><down><down><down><down><down>");
    let text = to_text(eight.buffer());
    assert!(text.contains("8 moves") && text.contains("━━►"), "{text}");
}

#[test]
fn every_key_of_the_screen_is_in_footer_help_and_palette() {
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    for (size, words) in [
        ((80, 24), ["space play/pause", "right step", "left back", "+ faster", "- slower"]),
        ((120, 40), ["space play/pause", "right step", "left back", "m moves/picture", "- slower"]),
    ] {
        let text = to_text(shown(edited("dgx-h100", &[]), ring, size, "<right>").buffer());
        let footer = text.lines().last().unwrap();
        assert!(words.iter().all(|w| footer.contains(w)), "{footer}");
    }
    for id in ["watch-play", "watch-faster", "watch-slower", "watch-moves"] {
        let keys = format!("?\"{id}\"");
        let help = to_text(shown(edited("dgx-h100", &[]), ring, (80, 24), &keys).buffer());
        assert!(help.contains(id), "{help}");
    }
    let listed = to_text(shown(edited("dgx-h100", &[]), ring, (120, 40), "<right>m").buffer());
    assert!(!listed.contains("links busy at once") && listed.contains("8 moves"), "{listed}");
}

#[test]
fn a_frame_at_every_size_in_colour_and_without() {
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    let keys = "<right><right><right><right><right>";
    for (w, h) in [(80, 24), (60, 20), (40, 12)] {
        let screen = shown(edited("dgx-h100", &[]), ring, (w, h), keys);
        snapshot(&format!("ring__{w}x{h}"), &to_styled(screen.buffer(), &Theme::default()));
    }
    let mut ascii = app(edited("dgx-h100", &[]), ring, Glyphs::Ascii, Theme::mono(), false);
    ascii.open_screen(Screen::Watch);
    let screen = ascii.replay(120, 40, parse_script(keys).unwrap());
    assert!(to_text(screen.buffer()).is_ascii());
    snapshot("ring__ascii-mono", &to_styled(screen.buffer(), &Theme::mono()));
}

#[test]
fn no_size_and_no_step_is_too_much() {
    for (_, system, question, _) in frames() {
        for size in [(0, 0), (1, 1), (12, 3), (40, 12), (41, 13), (60, 20), (76, 22), (110, 34), (160, 50), (200, 70)] {
            let screen = shown(system.clone(), question, size, "<right><end><pageup>]]<home>");
            assert_eq!(screen.program().watch().step, 0);
        }
    }
}

#[test]
fn keys_go_through_the_steps() {
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    let at = |keys: &str| {
        let screen = shown(edited("dgx-h100", &[]), ring, (120, 40), keys);
        (screen.program().watch().step, screen.program().watch().playing)
    };
    assert_eq!(at(""), (0, false));
    assert_eq!(at("<right><right><left>"), (1, false));
    assert_eq!(at("<left>"), (0, false));
    assert_eq!(at("<end>"), (14, false));
    assert_eq!(at("<end><right>"), (14, false));
    assert_eq!(at("<end><home>"), (0, false));
    // One step a second; a tick belongs to the time before the key.
    assert_eq!(at("<space><wait 3s>"), (3, true));
    assert_eq!(at("<space><wait 1500ms><wait 1500ms>"), (3, true));
    assert_eq!(at("<space>+<wait 3s>"), (6, true));
    assert_eq!(at("<space>-<wait 4s>"), (2, true));
    assert_eq!(at("<space><wait 3s><space><wait 3s>"), (3, false));
    assert_eq!(at("<space><wait 3s><right>"), (4, false));
    assert_eq!(at("<space><wait 100s>"), (14, false));
    assert_eq!(at("<end><space><wait 2s>"), (2, true));
}

#[test]
fn it_sleeps_unless_it_plays_and_never_moves_where_motion_is_off() {
    let ring = ask(Collective::AllReduce, Some(Algorithm::Ring));
    let screen = |keys: &str| shown(edited("dgx-h100", &[]), ring, (80, 24), keys);
    assert_eq!(screen("").program().next_deadline(), None);
    assert!(screen("<space>").program().next_deadline().is_some());
    assert_eq!(screen("<space><space>").program().next_deadline(), None);
    assert_eq!(screen("<space><end>").program().next_deadline(), None);
    assert_eq!(screen("<space><esc>").program().next_deadline(), None, "closed");
    let mut still = app(edited("dgx-h100", &[]), ring, Glyphs::Unicode, Theme::default(), true);
    still.open_screen(Screen::Watch);
    let still = still.replay(80, 24, parse_script("<space><wait 5s><right>").unwrap());
    assert_eq!((still.program().watch().step, still.program().next_deadline()), (1, None));
    let asked = Config::parse("(no_motion: true)", "config.ron").unwrap();
    assert!(asked.no_motion && !Config::default().no_motion);
}

#[test]
fn it_follows_the_machine_and_the_question() {
    let ring = ask(Collective::AllReduce, None);
    let text = |keys: &str| to_text(shown(edited("dgx-h100", &[]), ring, (120, 40), keys).buffer());
    assert!(text("<right>").contains("all-reduce, nvls"));
    let edit = text("\":off gpu3--nvsw1\"<enter><right>");
    assert!(edit.contains("all-reduce, ring") && edit.contains("step 1 of 14"), "{edit}");
    let alone = text("\":set gpus = 1\"<enter>");
    assert!(alone.contains("nothing is moved"), "{alone}");
    assert!(!text("P").contains("slowest link"), "the same key closes it");
}

#[test]
fn what_is_drawn_first_has_the_slowest_link_in_it() {
    for (name, system, question, _) in frames() {
        let screen = shown(system, question, (120, 40), "<end>m");
        let play = screen.program().watch().play().unwrap().as_ref().unwrap();
        assert_eq!(play.frame.moves.iter().filter(|m| m.slowest).count(), 1, "{name}: {:?}", play.frame.slowest);
    }
}

#[test]
fn a_drawing_stays_where_it_is_from_step_to_step() {
    for (name, system, question, _) in frames() {
        for size in [(120, 40), (80, 24)] {
            let mut seen: Vec<usize> = Vec::new();
            for keys in ["<right>", "<pagedown>", "<end>", "<end><left>"] {
                let text = to_text(shown(system.clone(), question, size, keys).buffer());
                // Three ranks in one line, or the heading of a tree: only drawings have these.
                let drawn = |l: &&str| l.contains("tree 1") || ["[g1]", "[g2]", "[g3]"].iter().all(|g| l.contains(g));
                let places = text.lines().find(drawn).map(|line| {
                    let at = line.find("tree 1").or_else(|| line.rfind("[g2]")).unwrap();
                    line[..at].chars().count()
                });
                seen.extend(places);
            }
            seen.dedup();
            assert!(seen.len() <= 1, "{name} at {size:?}: {seen:?}");
        }
    }
}

#[test]
fn what_happens_fits_a_line_of_a_small_screen() {
    for (name, system, question, _) in frames() {
        let who = Prepared::participants(&system, question.group).unwrap();
        let prepared = Prepared::new(&system, &who);
        let answer = prepared.answer(&question);
        let t = Timeline::of(&prepared, answer.estimate().unwrap()).unwrap();
        for step in (0..t.steps()).step_by(t.steps().div_ceil(200) as usize) {
            let line = format!("{}: {}", t.schedule().phase(step), t.schedule().about(step));
            assert!(line.chars().count() <= 76, "{name}: {line}");
        }
    }
}
