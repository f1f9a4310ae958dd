//! The screens of rows as they are drawn and used: explain, impact, compare, at every size, by keys.
//!
//! Every snapshot was looked at before it was taken.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use icx_tui::preset::load_shipped;
use icx_tui::question::{Collective, Question};
use icx_tui::tui::app::{App, CompareRow, Options, Screen, Shown};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::program::{Effect, Input, Outcome};
use icx_tui::tui::theme::Theme;
use screen::{at_every_size, edits, press, snapshot, text};

const POD: &str = "dgx-h100-superpod";
const SIZES: [(u16, u16); 4] = [(160, 50), (120, 40), (80, 24), (60, 20)];
const SCREENS: [(Screen, &str); 3] =
    [(Screen::Explain, "explain_screen"), (Screen::Impact, "impact"), (Screen::Compare, "compare")];

fn shown_with(name: &str, screen: Screen, size: (u16, u16), keys: &str, options: Options) -> Headless<App> {
    let mut app = App::new(load_shipped(name).unwrap(), Question::default(), options);
    app.open_screen(screen);
    app.replay(size.0, size.1, parse_script(keys).unwrap())
}

fn shown(name: &str, screen: Screen, size: (u16, u16), keys: &str) -> Headless<App> {
    shown_with(name, screen, size, keys, Options::default())
}

/// What each screen is drawn after.
const fn keys_of(screen: Screen) -> &'static str {
    match screen {
        Screen::Compare => ":\"set nics = 4\"<enter><esc>C",
        Screen::Impact => "<down><down>",
        _ => "",
    }
}

#[test]
fn all_screens_at_four_sizes() {
    for (screen, name) in SCREENS {
        for size in SIZES {
            let text = text(&shown(POD, screen, size, keys_of(screen)));
            snapshot(&format!("{name}__{}x{}", size.0, size.1), &text);
        }
    }
}

#[test]
fn ascii_and_mono_say_the_same() {
    for (screen, name) in SCREENS {
        let options = Options { glyphs: Glyphs::Ascii, theme: Theme::mono(), ..Options::default() };
        let text = text(&shown_with(POD, screen, (120, 40), keys_of(screen), options));
        assert!(text.is_ascii(), "{text}");
        snapshot(&format!("{name}__ascii__120x40"), &text);
    }
}

#[test]
fn two_systems_and_an_unfolded_explanation() {
    let keys = ":\"compare dgx-b200-ndr\"<enter>";
    snapshot("compare__systems__120x40", &text(&shown(POD, Screen::Explore, (120, 40), keys)));
    snapshot("compare__systems__80x24", &text(&shown(POD, Screen::Explore, (80, 24), keys)));
    snapshot("explain_screen__unfolded__120x40", &text(&shown("dgx-h100", Screen::Explain, (120, 40), "z")));
    snapshot("impact__racks__120x40", &text(&shown("gb200-nvl72-ib", Screen::Impact, (120, 40), "")));
}

#[test]
fn branches_fold_and_unfold_by_arrows_and_enter() {
    let mut s = shown(POD, Screen::Explain, (120, 40), "");
    let rows = |s: &Headless<App>| s.program().reports().explain_rows().len();
    let folded = rows(&s);
    press(&mut s, "<right>");
    let open = rows(&s);
    assert!(open > folded);
    // From a line below it, left folds the section again and stands on its heading.
    press(&mut s, "<down><down><left>");
    assert_eq!((rows(&s), s.program().reports().at), (folded, 0));
    press(&mut s, "<enter>");
    assert_eq!(rows(&s), open);
    press(&mut s, "<enter>z");
    let all = rows(&s);
    assert!(all > 2 * open, "{all} rows");
    press(&mut s, "<end>z");
    assert!(rows(&s) < folded);
    press(&mut s, "<left><left><right>");
    assert!(text(&s).contains("explain"), "{}", text(&s));
}

#[test]
fn the_explanation_follows_the_question_and_stays_unfolded() {
    let mut s = shown(POD, Screen::Explain, (120, 40), "");
    assert!(text(&s).contains("Transfer"), "{}", text(&s));
    let before = s.program().answers().now.estimate().unwrap().time.to_string();
    assert!(text(&s).contains(&format!("Time  {before}")), "{}", text(&s));
    press(&mut s, "<lt><lt>");
    let now = s.program().answers().now.estimate().unwrap().time.to_string();
    assert_ne!(before, now);
    assert!(text(&s).contains(&format!("Time  {now}")) && text(&s).contains("Transfer"), "{}", text(&s));
    press(&mut s, "<esc>");
    assert!(s.program().reports().explanation.is_none() && text(&s).contains("hierarchy"));
}

#[test]
fn enter_on_an_impact_makes_its_edit() {
    let mut s = shown(POD, Screen::Explore, (120, 40), "i<down>");
    let row = (*s.program().reports().impact_rows().get(1).unwrap()).clone();
    press(&mut s, "<enter>");
    assert_eq!(edits(&s), [row.edit.to_string()]);
    // What was promised is what came.
    let now = s.program().answers().now.estimate().unwrap().time;
    assert!(((now / row.time.unwrap()).ratio() - 1.0).abs() < 1e-3, "{now} {row:?}");
    let again = s.program().reports().impacts.clone().unwrap().unwrap();
    assert!(((again.baseline / now).ratio() - 1.0).abs() < 1e-3);
    press(&mut s, "u");
    assert!(edits(&s).is_empty());
}

#[test]
fn impacts_are_filtered() {
    let mut s = shown(POD, Screen::Impact, (120, 40), "z");
    assert_eq!(s.program().reports().shown, Shown::Faults);
    assert!(s.program().reports().impact_rows().iter().all(|r| r.kind.is_fault()));
    assert!(!text(&s).contains("upgrades, best first"), "{}", text(&s));
    press(&mut s, "z");
    assert!(s.program().reports().impact_rows().iter().all(|r| !r.kind.is_fault()));
    press(&mut s, "z<end>");
    let reports = s.program().reports();
    assert_eq!((reports.shown, reports.at + 1), (Shown::All, reports.impact_rows().len()));
}

#[test]
fn baseline_and_what_if_are_compared() {
    let mut s = shown(POD, Screen::Explore, (120, 40), "C");
    assert!(text(&s).contains("Nothing differs from the baseline"), "{}", text(&s));
    press(&mut s, ":\"set nics = 4\"<enter>");
    let c = s.program().reports().comparison.clone().unwrap();
    assert_eq!(c.names, ["baseline", "what-if"]);
    let collectives = c.rows.iter().filter(|r| matches!(r, CompareRow::Collective(..))).count();
    assert_eq!(collectives, Collective::ALL.len());
    let ratio = s.program().answers().ratio().unwrap();
    let own = c.rows.iter().find(|r| matches!(r, CompareRow::Collective(Collective::AllReduce, ..))).unwrap();
    assert!((own.ratio().unwrap() * ratio - 1.0).abs() < 1e-9);
    let times = icx_tui::units::significant(ratio);
    assert!(c.verdict.contains(&format!("all-reduce of 1 GiB: what-if takes {times}")), "{}", c.verdict);
}

#[test]
fn systems_are_compared_by_name_and_from_a_file() {
    let mut s = shown("dgx-h100", Screen::Compare, (120, 40), "o\"dgx-b2\"<tab><enter>");
    assert_eq!(s.program().reports().comparison.as_ref().unwrap().names, ["dgx-h100", "dgx-b200"]);
    press(&mut s, "o\"dgx-b20\"<enter>");
    assert!(text(&s).contains("did you mean dgx-b200"), "{}", text(&s));
    press(&mut s, "<esc>o\"baseline\"<enter>");
    assert!(!s.program().reports().comparison.as_ref().unwrap().two_systems);
    press(&mut s, "o\"my.ron\"<enter>");
    assert!(s.take_effects().contains(&Effect::ReadFile { path: "my.ron".into() }));
    s.feed([Input::Done(Outcome::Read { path: "my.ron".into(), result: Ok("(name: 3)".to_owned()) })]);
    assert!(s.program().message().unwrap().contains("my.ron:1:"), "{:?}", s.program().message());
    press(&mut s, ":\"compare my.ron\"<enter>");
    let file = icx_tui::preset::shipped().iter().find(|p| p.name == "mi300x").unwrap().text.to_owned();
    s.feed([Input::Done(Outcome::Read { path: "my.ron".into(), result: Ok(file) })]);
    assert_eq!(s.program().reports().comparison.as_ref().unwrap().names[1], "mi300x");
}

#[test]
fn enter_on_a_collective_asks_for_it() {
    let mut s = shown(POD, Screen::Compare, (120, 40), "<end><enter>");
    assert_eq!(s.program().question().collective, Collective::SendRecv);
    press(&mut s, "<home><enter>");
    assert_eq!(s.program().question().collective, Collective::SendRecv);
}

#[test]
fn unreachable_is_said_in_place_of_rows() {
    for (screen, _) in SCREENS {
        let s = shown(POD, screen, (80, 24), ":\"off node0/nic*\"<enter>");
        assert!(text(&s).contains("unreachable"), "{}", text(&s));
    }
}

/// Sizes from nothing to larger than every form, with lists over the screen.
#[test]
fn every_size_is_drawn_without_a_panic() {
    for (name, screen, keys) in [
        (POD, Screen::Explain, "z<end>"),
        (POD, Screen::Impact, "<end>"),
        (POD, Screen::Compare, "<end>:\"compare d\""),
        ("gb10-pair", Screen::Compare, ":\"compare mi300x\"<enter>"),
        ("pcie-2080ti-x2", Screen::Impact, "?"),
    ] {
        let mut screen = shown(name, screen, (120, 40), keys);
        at_every_size(&mut screen);
    }
}
