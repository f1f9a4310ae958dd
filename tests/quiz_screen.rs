//! The quiz as it is drawn and taken: every kind of question at several sizes, a whole quiz by keys, clicks.
//!
//! Every snapshot was looked at before it was taken.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;

use std::sync::{Arc, LazyLock};

use icx_tui::lesson::Progress;
use icx_tui::lesson::quiz::{self, Body, Posed, Quiz, Reply, Scope};
use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Leaf, Learn, Options, Screen};
use icx_tui::tui::glyphs::Glyphs;
use icx_tui::tui::headless::Headless;
use icx_tui::tui::output::to_text;
use icx_tui::tui::program::{Effect, Input, Mouse, MouseKind};
use icx_tui::tui::theme::Theme;
use screen::{press, snapshot, text};

static QUIZ: LazyLock<Arc<Quiz>> = LazyLock::new(|| Arc::new(quiz::shipped().unwrap_or_else(|e| panic!("{e}"))));

/// A quiz of one question, so that a change of another does not move it.
fn only(name: &str) -> Arc<Quiz> {
    let mut one = Quiz::clone(&QUIZ);
    one.questions.retain(|q| q.name == name);
    assert_eq!(one.questions.len(), 1, "{name}");
    Arc::new(one)
}

fn started(quiz: Arc<Quiz>, scope: Scope, size: (u16, u16), options: Options) -> Headless<App> {
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), options);
    app.open_quiz(quiz, scope);
    app.replay(size.0, size.1, [])
}

fn shown(quiz: Arc<Quiz>, size: (u16, u16), keys: &str) -> Headless<App> {
    let mut s = started(quiz, Scope { count: 99, ..Scope::new(7) }, size, Options::default());
    press(&mut s, keys);
    s
}

fn posed(s: &Headless<App>) -> Posed {
    match s.program().quiz().unwrap().leaf() {
        Leaf::Question(p, _) => p.clone(),
        _ => panic!("no question shows: {}", text(s)),
    }
}

/// The mark of the question that shows.
fn right(s: &Headless<App>) -> Option<bool> {
    match s.program().quiz().unwrap().leaf() {
        Leaf::Question(_, mark) => mark.map(|(_, m)| m.right),
        _ => None,
    }
}

/// Keys that give a reply.
fn keys_for(posed: &Posed, reply: &Reply) -> String {
    match (&posed.body, reply) {
        (Body::Choice { .. }, Reply::Choice(i)) => (i + 1).to_string(),
        (Body::Number { .. }, Reply::Number(_)) => format!("<paste {}><enter>", posed.reply_text(reply)),
        (Body::Order { items, .. }, Reply::Order(order)) => {
            let mut keys = String::new();
            let mut now: Vec<usize> = (0..items.len()).collect();
            // From the top: the cursor goes to the item that belongs here, and a digit puts it there.
            let mut cursor = 0;
            for (place, item) in order.iter().enumerate() {
                let at = now.iter().position(|i| i == item).unwrap();
                keys.push_str(&"<down>".repeat(at.saturating_sub(cursor)));
                keys.push_str(&"<up>".repeat(cursor.saturating_sub(at)));
                keys.push_str(&(place + 1).to_string());
                let moved = now.remove(at);
                now.insert(place, moved);
                cursor = place;
            }
            keys + "<enter>"
        }
        _ => panic!("{reply:?} does not answer {}", posed.name),
    }
}

/// One question of each kind, and keys after which its page is worth a look.
const KINDS: [(&str, &str, &str); 5] = [
    ("choice", "what-nvlink-is-for", "<down>"),
    ("number", "spec-sheet", "<paste 900><enter>"),
    ("order", "order-of-tiers", "<space><down>"),
    ("largest", "gains-most", "<down><down>"),
    ("binds", "binds-a100-bridged", "<down>"),
];

#[test]
fn every_kind_of_question_open_and_answered() {
    for (kind, name, keys) in KINDS {
        for (w, h) in [(120, 40), (80, 24)] {
            let mut s = shown(only(name), (w, h), &format!("<enter>{keys}"));
            snapshot(&format!("quiz__{kind}__{w}x{h}"), &text(&s));
            let posed = posed(&s);
            let wrong = posed.wrong().first().unwrap().clone();
            if kind == "number" {
                press(&mut s, "<c-u>");
            }
            if kind == "order" {
                press(&mut s, "<enter><enter>");
            } else {
                press(&mut s, &keys_for(&posed, &wrong));
            }
            assert_eq!(right(&s), Some(false), "{kind}: {}", text(&s));
            snapshot(&format!("quiz__{kind}__answered__{w}x{h}"), &text(&s));
        }
    }
}

#[test]
fn small_screens_ascii_and_mono() {
    let bare = || Options { glyphs: Glyphs::Ascii, theme: Theme::mono(), ..Options::default() };
    for ((kind, name, keys), (w, h)) in [(KINDS[4], (60, 20)), (KINDS[0], (40, 12)), (KINDS[4], (120, 40))] {
        let mut s = started(only(name), Scope::new(7), (w, h), bare());
        press(&mut s, &format!("<enter>{keys}1"));
        let text = text(&s);
        assert!(text.is_ascii(), "{text}");
        snapshot(&format!("quiz__{kind}__ascii__{w}x{h}"), &text);
    }
}

#[test]
fn the_first_page_and_the_score() {
    for (w, h) in [(120, 40), (80, 24), (60, 20)] {
        let mut s = started(Arc::clone(&QUIZ), Scope::new(7), (w, h), Options::default());
        snapshot(&format!("quiz__cover__{w}x{h}"), &text(&s));
        press(&mut s, "-<enter>");
        // The first right, the others wrong.
        for at in 0.. {
            if !matches!(s.program().quiz().unwrap().leaf(), Leaf::Question(..)) {
                break;
            }
            let posed = posed(&s);
            let reply = if at == 0 { posed.right() } else { posed.wrong().first().unwrap().clone() };
            press(&mut s, &keys_for(&posed, &reply));
            press(&mut s, "<enter>");
        }
        snapshot(&format!("quiz__score__{w}x{h}"), &text(&s));
    }
}

#[test]
fn a_whole_quiz_is_taken_by_keys_alone() {
    let mut s = shown(Arc::clone(&QUIZ), (80, 24), "<enter>");
    let mut kinds = std::collections::HashSet::new();
    let all = s.program().quiz().unwrap().sitting().unwrap().posed().len();
    for at in 0..all {
        let posed = posed(&s);
        kinds.insert(std::mem::discriminant(&posed.body));
        // A slip now and then.
        let wrong = posed.wrong().first().cloned().filter(|_| at % 5 == 4);
        let reply = wrong.clone().unwrap_or_else(|| posed.right());
        press(&mut s, &keys_for(&posed, &reply));
        assert_eq!(right(&s), Some(wrong.is_none()), "{}: {}", posed.name, text(&s));
        press(&mut s, "<enter>");
    }
    assert_eq!(kinds.len(), 3);
    let q = s.program().quiz().unwrap();
    let score = q.sitting().unwrap().score(None);
    assert_eq!((score.asked, score.answered), (all, all));
    assert!(matches!(q.leaf(), Leaf::End(_)) && text(&s).contains("Study next"), "{}", text(&s));
    // Another quiz has the next seed; Esc leaves, and the key comes back to where one was.
    press(&mut s, "<enter>");
    assert_eq!(s.program().quiz().unwrap().scope().seed, 8);
    press(&mut s, "<enter><tab><esc>");
    assert!(!text(&s).contains("quiz"), "{}", text(&s));
    press(&mut s, "Q");
    assert_eq!(s.program().quiz().unwrap().at(), 1);
}

#[test]
fn a_choice_is_taken_by_its_letter_its_number_or_the_arrows() {
    for keys in ["c", "3", "<down><down><enter>"] {
        let mut s = shown(only("gains-most"), (80, 24), "<enter>");
        assert!(text(&s).contains(" c  ") && text(&s).contains("a-"), "{}", text(&s));
        press(&mut s, keys);
        let at = s.program().quiz().unwrap().at();
        let reply = s.program().quiz().unwrap().sitting().unwrap().mark(at).map(|(r, _)| r.clone());
        assert_eq!(reply, Some(Reply::Choice(2)), "{keys}");
    }
    let mut s = shown(only("gains-most"), (80, 24), "<enter>f");
    assert_eq!(right(&s), None);
    assert!(text(&s).contains("no such choice; there are a to d"), "{}", text(&s));
    press(&mut s, "9");
    assert_eq!(right(&s), None);
    assert!(text(&s).contains("no such choice; there are a to d"), "{}", text(&s));
}

/// What was known before this sitting shows on the first page and at the end; what is answered is asked to be kept.
#[test]
fn results_are_kept_and_shown_the_next_time() {
    let file = std::path::PathBuf::from("state/learn.ron");
    let learn = |progress| Learn::new(progress, Some(file.clone()));
    let options = |progress| Options { learn: learn(progress), ..Options::default() };
    let mut s = started(only("spec-sheet"), Scope::new(7), (80, 24), options(Progress::default()));
    assert!(!text(&s).contains("last time") && !text(&s).contains("Study next"), "{}", text(&s));
    press(&mut s, "<enter>");
    let posed = posed(&s);
    s.take_effects();
    press(&mut s, &keys_for(&posed, posed.wrong().first().unwrap()));
    let written = s.take_effects().into_iter().find_map(|e| match e {
        Effect::Write { path, contents } => (path == file).then_some(contents),
        _ => None,
    });
    let progress = Progress::from_text(&written.unwrap()).unwrap();
    for (w, h) in [(80, 24), (60, 20), (40, 12)] {
        let mut s = started(only("spec-sheet"), Scope::new(8), (w, h), options(progress.clone()));
        assert!(text(&s).contains("last time 0/1"), "{}", text(&s));
        press(&mut s, "<end>");
        assert!(text(&s).contains("Study next") && text(&s).contains("icx-tui learn"), "{}", text(&s));
        press(&mut s, "<enter>");
        let reply = keys_for(&self::posed(&s), &self::posed(&s).right());
        press(&mut s, &format!("{reply}<enter>"));
        assert!(text(&s).contains("1/1") && text(&s).contains("last time 0/1"), "{}", text(&s));
        // The next first page knows this sitting.
        press(&mut s, "<enter>");
        assert!(text(&s).contains("last time 1/1") && !text(&s).contains("Study next"), "{}", text(&s));
    }
    let mut s = started(only("spec-sheet"), Scope::new(8), (80, 24), options(progress));
    press(&mut s, "s");
    assert_eq!(s.program().lesson().map(|run| run.lesson().name.clone()).as_deref(), Some("units"));
    press(&mut s, "<esc>");
    assert!(text(&s).contains("last time 0/1"), "{}", text(&s));
}

/// From the score to the lesson of the weakest topic, and back to the score.
#[test]
fn the_score_opens_the_lesson_to_study() {
    let mut s = shown(only("spec-sheet"), (80, 24), "<enter>");
    let posed = posed(&s);
    press(&mut s, &keys_for(&posed, posed.wrong().first().unwrap()));
    press(&mut s, "<enter>");
    assert!(text(&s).contains("icx-tui learn units") && text(&s).contains("opens the lesson"), "{}", text(&s));
    press(&mut s, "s");
    assert_eq!(s.program().lesson().map(|run| run.lesson().name.clone()).as_deref(), Some("units"));
    press(&mut s, "<esc>");
    assert!(s.program().lesson().is_none() && text(&s).contains("0 of 1 right"), "{}", text(&s));
}

#[test]
fn a_number_without_its_unit_is_sent_back() {
    let mut s = shown(only("spec-sheet"), (80, 24), "<enter>900<enter>");
    assert_eq!(right(&s), None);
    assert!(text(&s).contains("the unit is missing"), "{}", text(&s));
    // Letters of units are typed here, also those that are keys elsewhere.
    press(&mut s, "GB/s");
    assert!(text(&s).contains("900GB/s") && !text(&s).contains("is missing"), "{}", text(&s));
    // Others are not; help opens over the number and leads back to it.
    press(&mut s, "qnj");
    assert!(text(&s).contains("900GB/s ") && text(&s).contains("j is no part of a rate"), "{}", text(&s));
    press(&mut s, "?");
    assert!(text(&s).contains("keys and commands"), "{}", text(&s));
    press(&mut s, "<esc>");
    assert!(text(&s).contains("900GB/s "), "{}", text(&s));
    assert_eq!((right(&s), s.exit_code()), (None, None));
    press(&mut s, "<c-u>");
    let posed = posed(&s);
    press(&mut s, &keys_for(&posed, &posed.right()));
    assert_eq!(right(&s), Some(true));
    // Answered for good; typing does nothing now.
    press(&mut s, "1 <paste 5>");
    assert_eq!(right(&s), Some(true));
}

#[test]
fn an_item_is_lifted_and_moved() {
    let mut s = shown(only("order-of-tiers"), (80, 24), "<enter>");
    let first = |s: &Headless<App>| text(s).lines().find(|l| l.contains("┃  1  ")).unwrap_or_default().to_owned();
    let before = first(&s);
    // Places have numbers; a letter is none.
    press(&mut s, "b");
    assert!(first(&s) == before && text(&s).contains("b does nothing here"), "{}", text(&s));
    press(&mut s, "<space><down><down>");
    assert!(text(&s).contains("lifted") && first(&s) != before, "{}", text(&s));
    press(&mut s, "<up><up><enter>");
    // Enter drops what is lifted; it answers only then.
    assert_eq!((right(&s), first(&s)), (None, before));
    press(&mut s, "<enter>");
    assert!(right(&s).is_some());
}

#[test]
fn a_click_chooses_and_a_second_one_answers() {
    let mut s = shown(only("binds-a100-bridged"), (120, 40), "<enter>");
    let click = |s: &mut Headless<App>, column, row| {
        s.feed([Input::Mouse(Mouse { kind: MouseKind::Click, column, row })]);
    };
    let row_of = |s: &Headless<App>, what: &str| {
        text(s).lines().position(|l| l.contains(what)).unwrap_or_else(|| panic!("{what}: {}", text(s))) as u16
    };
    let row = row_of(&s, " c  node0/");
    click(&mut s, 10, row);
    assert_eq!(right(&s), None);
    click(&mut s, 10, row);
    assert!(right(&s).is_some(), "{}", text(&s));
    // Elsewhere nothing happens.
    click(&mut s, 0, 0);
    click(&mut s, 119, 39);
}

#[test]
fn no_size_panics_and_the_page_scrolls_to_its_end() {
    for (_, name, keys) in KINDS {
        for (w, h) in [(0, 0), (1, 1), (39, 11), (40, 12), (41, 13), (76, 22), (100, 22), (110, 34), (200, 60)] {
            let mut s = shown(only(name), (w, h), &format!("<enter>{keys}<enter><pgdn><end><home><pgup>"));
            press(&mut s, "<end>");
            if right(&s).is_some() && h >= 12 && w >= 40 {
                assert!(text(&s).contains("goes on"), "{name} {w}x{h}: {}", text(&s));
            }
        }
    }
    let mut app = App::new(load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    app.open_screen(Screen::Quiz);
    assert!(to_text(&app.render(80, 24)).contains("seed 1"));
}
