//! Lessons as they are taken by keys: choices by letter, what shows after a key, Esc, and what is back after a lesson.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use std::sync::Arc;

use icx_tui::cli::learn::Walk;
use icx_tui::lesson::figure::Value;
use icx_tui::lesson::{self, Guess, Lesson, Run, Style, shipped};
use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;
use icx_tui::tui::program::{Input, Mouse, MouseKind};
use screen::{edits, press, text};

/// The explorer of a system with a lesson in it.
fn taught(system: &str, lesson: &str, size: (u16, u16)) -> Headless<App> {
    let mut app = App::new(load_shipped(system).unwrap(), Question::default(), Options::default());
    app.open_lesson(&lesson::load_shipped(lesson).unwrap());
    app.replay(size.0, size.1, [])
}

/// A lesson of one page.
fn own(page: &str) -> Arc<Lesson> {
    let text = format!("(name: \"own\", title: \"Own\", about: \"a\", system: \"dgx-h100\", pages: [{page}])");
    let open = |name: &str| load_shipped(name).map_err(|e| e.to_string());
    Arc::new(lesson::read(&text, "own.ron", &open).unwrap_or_else(|e| panic!("{e}")))
}

fn run(s: &Headless<App>) -> &Run {
    s.program().lesson().unwrap()
}

/// Goes on to the first page of the lesson that offers statements.
fn to_choice(s: &mut Headless<App>) -> usize {
    for _ in 0..9 {
        if run(s).choices() > 0 {
            return run(s).choices();
        }
        press(s, "<right>");
    }
    panic!("no page with a choice");
}

#[test]
fn a_statement_is_chosen_by_its_letter_or_number_and_by_arrows() {
    for (keys, place) in [("b", 1), ("2", 1), ("a", 0), ("<down><enter>", 1), ("<down><down>a", 0)] {
        let mut s = taught("dgx-h100", "latency", (120, 40));
        to_choice(&mut s);
        let before = edits(&s);
        press(&mut s, keys);
        assert_eq!(run(&s).guess(), Some(&Guess::Choice(place)), "{keys}");
        // The letters are keys of the picture too: nothing of that happened.
        assert!(edits(&s).starts_with(&before), "{keys}: {:?}", edits(&s));
    }
}

#[test]
fn letters_that_label_nothing_change_nothing_while_one_chooses() {
    let mut s = taught("dgx-h100", "latency", (120, 40));
    let count = to_choice(&mut s);
    let before = edits(&s);
    press(&mut s, "f");
    assert!(text(&s).contains("no such choice; there are a to c"), "{}", text(&s));
    press(&mut s, "d");
    assert_eq!((run(&s).guess().is_some(), edits(&s)), (count > 3, before));
}

#[test]
fn the_page_and_the_footer_say_that_letters_answer() {
    for size in [(120, 40), (80, 24), (60, 20)] {
        let mut s = taught("dgx-h100", "latency", size);
        let last = lesson::letter(to_choice(&mut s) - 1);
        let shown = text(&s);
        assert!(shown.contains(&format!("a-{last} or enter answers")), "{shown}");
        assert!(shown.lines().last().unwrap().contains(&format!("a-{last} choose")), "{shown}");
    }
}

/// The words of a line that are sure to stand on one row.
fn start(line: &str) -> String {
    line.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// What the last key has brought up shows, on every page of every lesson, on small screens.
#[test]
fn what_a_key_brings_up_is_on_the_screen() {
    for size in [(80, 24), (44, 14)] {
        for l in shipped() {
            let lesson = lesson::load_shipped(l.name).unwrap();
            let mut walk = Walk::at(&lesson, size);
            for page in 0..lesson.pages.len() {
                walk.to_page(page);
                for round in 0..6 {
                    walk.to_text();
                    walk.press("H");
                    fresh_shows(&walk, &format!("{} page {} hint, round {round}, {size:?}", l.name, page + 1));
                }
                walk.predict_right();
                fresh_shows(&walk, &format!("{} page {} answer {size:?}", l.name, page + 1));
                while let Some((_, acts)) = walk.open_task() {
                    walk.to_text();
                    walk.press("HHH");
                    fresh_shows(&walk, &format!("{} page {} hint of a task {size:?}", l.name, page + 1));
                    assert!(walk.solve(&acts));
                    walk.to_text();
                    fresh_shows(&walk, &format!("{} page {} task {size:?}", l.name, page + 1));
                }
            }
        }
    }
}

/// The first of the lines that are new is on the screen.
fn fresh_shows(walk: &Walk, what: &str) {
    let Some(first) = walk.app().sheet().and_then(|s| s.lines.iter().find(|l| l.fresh).cloned()) else { return };
    let shown = to_text(walk.buffer());
    assert!(shown.contains(&start(&first.text)), "{what}: {:?} is not in\n{shown}", first.text);
}

#[test]
fn text_that_is_longer_than_the_page_scrolls_by_keys_and_wheel_and_says_how_much_is_left() {
    let long = (1..=60).map(|n| format!("Paragraph {n} of them.")).collect::<Vec<_>>().join("\n\n");
    let lesson = own(&format!("(title: \"Long\", text: \"{long}\")"));
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    app.open_lesson(&lesson);
    for size in [(120, 40), (80, 24), (60, 20)] {
        let mut s = app.clone().replay(size.0, size.1, []);
        assert!(text(&s).contains("Paragraph 1 of") && text(&s).contains(" below, pagedown"), "{}", text(&s));
        let wheel = |s: &mut Headless<App>, kind| s.feed([Input::Mouse(Mouse { kind, column: 10, row: 8 })]);
        wheel(&mut s, MouseKind::WheelDown);
        assert!(!text(&s).contains("Paragraph 1 of"), "{}", text(&s));
        wheel(&mut s, MouseKind::WheelUp);
        assert!(text(&s).contains("Paragraph 1 of"), "{}", text(&s));
        press(&mut s, "<down><down>");
        assert!(!text(&s).contains("Paragraph 1 of") && text(&s).contains("2 above"), "{}", text(&s));
        press(&mut s, "<pagedown><end>");
        assert!(text(&s).contains("Paragraph 60 of") && text(&s).contains(" above, pageup"), "{}", text(&s));
    }
}

/// Whatever the user had on the screen is there again, cell by cell.
#[test]
fn leaving_a_lesson_brings_back_what_was_on_the_screen() {
    let ways = [
        ("dgx-h100", "\":off gpu3\"<enter>vv\":go node0/nic2\"<enter>"),
        ("gb200-nvl72", "\":off node3/gpu1\"<enter>t<tab>jjj"),
        ("dgx-h100-superpod", "n>>w"),
        ("dgx-h100-superpod", "\":go leaf0\"<enter>vx"),
        ("dgx-h100", "m"),
        ("dgx-h100", "z"),
    ];
    for (system, keys) in ways {
        let app = App::new(load_shipped(system).unwrap(), Question::default(), Options::default());
        let mut s = app.replay(120, 40, parse_script(keys).unwrap());
        let before = text(&s);
        press(&mut s, "R<enter>vvv<tab>t<right><right><esc>");
        assert!(s.program().lesson().is_some(), "from the picture to the text: {}", text(&s));
        press(&mut s, "<esc>");
        assert!(text(&s).contains("lessons on the live engine"), "to the list: {}", text(&s));
        press(&mut s, "<esc>");
        assert_eq!(text(&s), before, "{system} {keys}");
    }
}

#[test]
fn esc_takes_one_layer_off_and_no_more() {
    for key in ["x", "i", "w", "S", "C", "P", "Q", "m", "?", ":", "/", "s"] {
        for to_panels in ["", "<tab>"] {
            let mut s = taught("dgx-h100-superpod", "slowest-tier", (120, 40));
            press(&mut s, &format!("<right>{to_panels}"));
            let before = text(&s);
            press(&mut s, key);
            assert_ne!(text(&s), before, "{key}");
            press(&mut s, "<esc>");
            assert_eq!(text(&s), before, "{to_panels}{key}");
        }
    }
}

/// A page that shows a chart keeps it under whatever is opened over it.
#[test]
fn the_screen_of_a_page_stays_under_others() {
    let lesson = own("(title: \"Chart\", text: \"Look.\", stage: (screen: \"sweep\"))");
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    app.open_lesson(&lesson);
    let mut s = app.replay(120, 40, []);
    let before = text(&s);
    for key in ["x", "i", "Q", "R"] {
        press(&mut s, &format!("{key}{}", if key == "R" { "" } else { "<esc>" }));
        assert_eq!(text(&s), before, "{key}");
    }
    // Tab goes into the chart, whose keys work then, and Esc back to the text.
    press(&mut s, "<tab><left>v");
    assert!(text(&s).contains("time") && text(&s) != before, "{}", text(&s));
    press(&mut s, "v<esc>");
    assert!(s.program().lesson().is_some() && text(&s).contains("Look."), "{}", text(&s));
}

/// A number is typed; letters that it cannot have are not, and help is at hand.
#[test]
fn a_prediction_takes_only_what_a_number_can_have() {
    let lesson = own(
        "(title: \"Rate\", text: \"A\", predict: (ask: \"How much?\", answer: \"line of scale-up\", why: \"So.\"))",
    );
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    app.open_lesson(&lesson);
    let mut s = app.replay(80, 24, parse_script("<enter>3q6h00").unwrap());
    assert!(text(&s).contains("your prediction 3600") && !text(&s).contains("q0"), "{}", text(&s));
    press(&mut s, "?");
    assert!(text(&s).contains("keys and commands"), "{}", text(&s));
    press(&mut s, "<esc>Gb/s");
    assert!(text(&s).contains("you say 450 GB/s"), "{}", text(&s));
    press(&mut s, "<enter>");
    let said = run(&s).guess().cloned();
    assert!(matches!(said, Some(Guess::Number(Value::Rate(_)))) && run(&s).is_right() == Some(true), "{said:?}");
    // A slip of bits and bytes is named.
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    app.open_lesson(&lesson);
    let s = app.replay(80, 24, parse_script("<enter>\"3600GB/s\"<enter>").unwrap());
    assert!(text(&s).contains("bits and bytes"), "{}", text(&s));
    let wrong = s.program().sheet().unwrap().lines.iter().filter(|l| l.style == Style::Wrong).count();
    assert!(wrong >= 2);
}

/// The last page says that it is the last, and the list goes on from the lesson that was left.
#[test]
fn the_list_goes_on_from_the_lesson_that_ended() {
    let mut s = taught("dgx-h100", "one-link", (120, 40));
    let pages = run(&s).lesson().pages.len();
    for _ in 1..pages {
        assert!(text(&s).contains("right next page"), "{}", text(&s));
        press(&mut s, "<right>");
    }
    assert!(text(&s).contains("right end of the lesson"), "{}", text(&s));
    press(&mut s, "<right>");
    assert!(text(&s).contains("some pages are not finished"), "{}", text(&s));
    let marked = text(&s).lines().find(|l| l.starts_with("┃►")).unwrap().to_owned();
    assert!(marked.contains("One link"), "{marked}");
}

/// A list under a short lesson has no row left: none of its marks is drawn elsewhere.
#[test]
fn a_list_without_room_draws_nothing() {
    let mut s = taught("dgx-h100", "network", (80, 24));
    for key in ["x", "i"] {
        press(&mut s, key);
        press(&mut s, "R");
        assert!(text(&s).starts_with(" icx-tui"), "{}", text(&s));
    }
}
