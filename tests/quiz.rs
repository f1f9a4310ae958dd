//! The quiz: every answer can be computed and is the only right one, wrong ones are explained, a seed is a quiz.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a quiz that cannot be asked is the failure of the test")]

#[path = "common/typed.rs"]
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use icx_tui::lesson::figure::Prose;
use icx_tui::lesson::quiz::{self, Body, Posed, Quiz, Reply, Scope, Sitting};
use icx_tui::units::Bytes;
use proptest::prelude::*;
use typed::typed_number;

static SHIPPED: LazyLock<Quiz> = LazyLock::new(|| quiz::shipped().unwrap_or_else(|e| panic!("{e}")));

fn shipped() -> &'static Quiz {
    &SHIPPED
}

fn all(seed: u64) -> Scope {
    Scope { count: usize::MAX, ..Scope::new(seed) }
}

fn sit(quiz: &Quiz, scope: Scope) -> Sitting {
    Sitting::new(quiz, scope).unwrap_or_else(|e| panic!("{e}"))
}

/// A question as one text, its answer included.
fn shown(p: &Posed) -> String {
    format!("{} {:?} {}", p.text, p.body, p.why)
}

#[test]
fn the_shipped_quiz_proves_itself() {
    let problems: Vec<String> = quiz::check(shipped(), 6).iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn there_are_enough_questions_of_every_kind() {
    let quiz = shipped();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for q in &quiz.questions {
        *kinds.entry(q.kind()).or_default() += 1;
    }
    assert!(quiz.questions.len() >= 44, "{}", quiz.questions.len());
    for (kind, least) in [("choice", 20), ("number", 15), ("binds", 4), ("order", 4), ("largest", 2), ("smallest", 2)] {
        assert!(kinds.get(kind).is_some_and(|n| *n >= least), "{kind}: {kinds:?}");
    }
    for topic in &quiz.topics {
        let n = quiz.questions.iter().filter(|q| q.topic == topic.name).count();
        assert!(n >= 4, "{}: {n}", topic.name);
    }
    let names: BTreeSet<&str> = quiz.questions.iter().map(|q| q.name.as_str()).collect();
    assert_eq!(names.len(), quiz.questions.len(), "two questions of one name in two files");
    for basic in ["what-nvlink-is-for", "what-a-switch-adds", "gains-most", "what-joins-nodes", "why-interconnect"] {
        assert!(names.contains(basic), "{basic}");
    }
}

#[test]
fn every_topic_leads_to_a_lesson_that_is_there() {
    let lessons: BTreeSet<&str> = icx_tui::lesson::shipped().iter().map(|l| l.name).collect();
    for topic in &shipped().topics {
        assert!(topic.lesson.as_deref().is_some_and(|l| lessons.contains(l)), "{}: {:?}", topic.name, topic.lesson);
    }
}

#[test]
fn answers_are_computed_or_cited() {
    let quiz = shipped();
    let cited: Vec<&str> = quiz.questions.iter().filter(|q| !q.is_computed()).map(|q| q.name.as_str()).collect();
    assert!(cited.len() * 5 < quiz.questions.len(), "most answers are the engine's: {cited:?}");
    assert!(quiz.questions.iter().all(|q| q.is_computed() || q.source().is_some()), "{cited:?}");
}

/// Every file of the folder is part of the quiz.
#[test]
fn no_number_is_typed() {
    for q in &shipped().questions {
        for text in q.texts().into_iter().flat_map(Prose::typed) {
            assert_eq!(typed_number(text), None, "{}: {text}", q.name);
        }
    }
}

/// Collectives whose size stands after them in a figure.
const COLLECTIVES: [&str; 7] =
    ["all-reduce", "all-gather", "reduce-scatter", "broadcast", "reduce", "all-to-all", "send-recv"];

/// The questions about steps alone: their count is the same at every size.
const ANY_SIZE: [&str; 2] = ["ring-steps", "slow-steps"];

/// The size that a word is, as `64KiB`.
fn size(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    (word.ends_with('B') && word.parse::<Bytes>().is_ok()).then_some(word)
}

/// What is computed is what the text speaks of: every size that a figure asks about stands in a text of the question, or
/// the text speaks of a large message and the figure asks about one.
#[test]
fn figures_ask_about_the_sizes_that_the_text_names() {
    for (file, text) in quiz::files() {
        let text = text.replace("\\\n", " ");
        for question in text.split("            name: \"").skip(1) {
            let name = question.split('"').next().unwrap_or_default();
            let words: Vec<&str> = question.split_whitespace().collect();
            let shown: Vec<&str> =
                question.split('{').skip(1).filter_map(|b| size(b.split([' ', '}']).next()?)).collect();
            let large = question.contains(" large ") || question.contains("large message");
            for pair in words.windows(2) {
                let [collective, after] = pair else { continue };
                let asks = COLLECTIVES.contains(&collective.trim_matches(|c: char| "\"{(".contains(c)));
                let Some(asked) = size(after).filter(|_| asks) else { continue };
                let is_large = asked.parse::<Bytes>().is_ok_and(|b| b.get() >= 8.0 * 1024.0 * 1024.0 * 1024.0);
                assert!(
                    shown.contains(&asked) || (large && is_large) || ANY_SIZE.contains(&name),
                    "{file}, {name}: {collective} {asked} is computed, but the text does not speak of {asked}"
                );
            }
        }
    }
}

#[test]
fn no_file_is_forgotten() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons/quiz");
    let found: BTreeSet<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(found, quiz::files().iter().map(|(name, _)| (*name).to_owned()).collect());
}

#[test]
fn a_seed_is_a_quiz() {
    let quiz = shipped();
    let texts = |seed| sit(quiz, Scope::new(seed)).posed().iter().map(shown).collect::<Vec<_>>();
    assert_eq!(texts(7), texts(7));
    assert_ne!(texts(7), texts(8));
    assert_eq!(texts(7).len(), Scope::USUAL_COUNT);
    // What is drawn for a question does not depend on which others are asked.
    let few = sit(quiz, Scope::new(7));
    let many = sit(quiz, all(7));
    for p in few.posed() {
        let same = many.posed().iter().find(|other| other.name == p.name).unwrap();
        assert_eq!(shown(p), shown(same));
    }
    assert_eq!(many.posed().len(), quiz.questions.len());
}

#[test]
fn numbers_and_the_order_of_choices_change_with_the_seed() {
    let quiz = shipped();
    let mut texts = BTreeSet::new();
    let mut places = BTreeSet::new();
    let question = quiz.questions.iter().find(|q| q.name == "busbw").unwrap();
    let choice = quiz.questions.iter().find(|q| q.name == "what-nvlink-is-for").unwrap();
    for seed in 0..20 {
        texts.insert(question.pose(seed).unwrap().text);
        let Body::Choice { right, .. } = choice.pose(seed).unwrap().body else { panic!("a choice") };
        places.insert(right);
    }
    assert!(texts.len() > 5, "{texts:?}");
    assert_eq!(places.len(), 4);
}

/// Distractors never read like the answer, and no question gives its answer away by length alone.
#[test]
fn choices_differ_and_do_not_give_themselves_away() {
    let quiz = shipped();
    let (mut longest, mut choices) = (0, 0);
    for seed in 0..3 {
        for p in sit(quiz, all(seed)).posed() {
            match &p.body {
                Body::Choice { options, right, .. } => {
                    let texts: BTreeSet<&str> = options.iter().map(|o| o.text.as_str()).collect();
                    assert_eq!(texts.len(), options.len(), "{}", p.name);
                    let length = |i: usize| options.get(i).map_or(0, |o| o.text.len());
                    choices += 1;
                    longest += usize::from((0..options.len()).all(|i| i == *right || length(i) < length(*right)));
                }
                Body::Number { shown, slips, .. } => {
                    assert!(slips.iter().all(|s| s.shown != *shown), "{}", p.name);
                }
                Body::Order { items, .. } => {
                    let values: BTreeSet<&str> = items.iter().map(|i| i.shown.as_str()).collect();
                    assert_eq!(values.len(), items.len(), "{}", p.name);
                }
            }
        }
    }
    assert!(longest * 2 < choices, "the longest choice is right in {longest} of {choices}");
}

#[test]
fn a_sitting_keeps_the_score_by_topic_and_says_what_to_study() {
    let quiz = shipped();
    let mut s = sit(quiz, all(3));
    let count = s.posed().len();
    for at in 0..count {
        let posed = s.posed().get(at).unwrap().clone();
        let weak = ["faults", "tiers"].contains(&posed.topic.as_str());
        // All of the faults wrong, of the tiers the first.
        let wrong = posed.topic == "faults" || (weak && posed.name == "four-nodes");
        let reply = if wrong { posed.wrong().first().unwrap().clone() } else { posed.right() };
        assert_eq!(s.open_from(at), Some(at));
        assert_eq!(s.answer(at, reply).unwrap().right, !wrong, "{}", posed.name);
    }
    assert_eq!(s.open_from(0), None);
    let total = s.score(None);
    assert_eq!((total.asked, total.answered), (count, count));
    assert_eq!(s.score(Some("faults")).right, 0);
    let study: Vec<&str> = s.study(quiz).iter().map(|t| t.name.as_str()).collect();
    assert_eq!(study, ["faults", "tiers"]);
    // A second answer changes nothing.
    let first = s.mark(0).unwrap().clone();
    s.answer(0, Reply::Choice(99));
    assert_eq!(s.mark(0), Some(&first));
    assert_eq!(s.answer(count, Reply::Choice(0)), None);
}

#[test]
fn a_topic_can_be_asked_alone() {
    let quiz = shipped();
    let s = sit(quiz, Scope { topic: Some("fabric".to_owned()), ..all(1) });
    assert!(s.posed().len() >= 4 && s.posed().iter().all(|p| p.topic == "fabric"));
    assert_eq!(s.by_topic(quiz).len(), 1);
}

/// A number is read with its unit; without one it is sent back, not judged.
#[test]
fn a_number_wants_its_unit() {
    let quiz = shipped();
    let posed = quiz.questions.iter().find(|q| q.name == "gib-over-gb").unwrap().pose(1).unwrap();
    let Body::Number { is, shown, .. } = &posed.body else { panic!("a number") };
    assert!(posed.read_number("12").is_err_and(|e| e.contains("unit is missing")));
    assert!(posed.read_number("").is_err());
    assert!(posed.judge(&posed.read_number(shown).unwrap()).right, "{shown}");
    let factor = quiz.questions.iter().find(|q| q.name == "more-ranks").unwrap().pose(1).unwrap();
    for text in ["1.14", "1.14x", "1.14 times", "114%"] {
        assert!(factor.judge(&factor.read_number(text).unwrap()).right, "{text}");
    }
    assert!(posed.judge(&Reply::Number(is.clone())).right);
    assert!(!posed.judge(&Reply::Choice(0)).right);
}

#[test]
fn the_plain_text_has_questions_first_and_answers_last() {
    let quiz = shipped();
    let s = sit(quiz, all(7));
    let text = quiz::plain(quiz, &s);
    let (questions, answers) = text.split_once("# Answers").unwrap();
    assert!(text.starts_with("GPU interconnects: ") && text.contains("seed 7"));
    for (n, p) in (1..).zip(s.posed()) {
        assert!(questions.contains(&format!("\n{n}. {}", p.text)), "{}", p.name);
        assert!(answers.contains(&p.why) && !questions.contains(&p.why), "{}", p.name);
    }
}

const HEAD: &str = "(title: \"t\", topics: [(name: \"a\", title: \"A\")], questions: [";

fn fault(question: &str) -> String {
    let text = format!("{HEAD}\n{question}])");
    let e = match quiz::parse(&text, "my.ron") {
        Err(e) => e.to_string(),
        Ok(quiz) => quiz::check(&quiz, 4).first().map(ToString::to_string).unwrap_or_default(),
    };
    e.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn faults_of_a_file_are_named_with_their_place() {
    let cases = [
        (
            "(name: \"q\", topic: \"b\", text: \"?\", why: \"\", number: (is: \"8\", within: \"5%\"))",
            "my.ron:2:20: no topic \"b\"; did you mean a?",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"{lyne of scale-up}\", why: \"\", number: (is: \"8\", within: \"5%\"))",
            "my.ron:2:33: no figure \"lyne\"; did you mean line or lens?",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\")",
            "my.ron:2:1: expected one of choice, number, largest, smallest, order, binds in a question",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", number: (is: \"8\", within: \"80%\"))",
            "my.ron:2:71: expected a tolerance above zero, up to 50%",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", choice: (right: \"x\", wrong: [(is: \"y\", why: \"\")]))",
            "my.ron:2:89: say why one falls for this",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", choice: (right: \"x\", wrong: [(is: \"y\", why: \"w\")]))",
            "my.ron:2:53: the engine does not compute this answer: give a proof, or the source that it rests on",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", choice: (right: \"x\", proof: \"1 > 2\", \
             wrong: [(is: \"y\", why: \"w\")]))",
            "my.ron:2:73: the engine does not agree: this does not hold",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", source: \"s\", choice: (right: \"x\", \
             wrong: [(is: \"x\", why: \"w\")]))",
            "my.ron:2:92: two answers read \"x\"",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", machine: \"dgx-h10\", number: (is: \"8\", within: \"5%\"))",
            "my.ron:2:54: no machine \"dgx-h10\"; did you mean dgx-h100 or dgx-1 or dgx-a100?",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", largest: [(is: \"x\", value: \"1us\"), (is: \"y\", value: \"1.001us\")])",
            "my.ron:2:54: y (1 us) and x (1 us) are too near",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", binds: (ask: \"all-reduce 8GiB\", links: \
             [(link: \"node0/psw0--gpu0\"), (link: \"node0/gpu0--nvsw0\"), (link: \"node0/gpu1--nvsw0\")]))",
            "my.ron:2:84: two of the links bind alike",
        ),
        (
            "(name: \"q\", topic: \"a\", text: \"?\", why: \"\", draw: [(name: \"n\")], number: (is: \"8\", within: \"5%\"))",
            "my.ron:2:52: expected values: [...] or machines: [...] to draw from",
        ),
    ];
    for (question, want) in cases {
        assert_eq!(fault(question), want, "{question}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Bytes changed in a good file: a quiz or an error, never a panic.
    #[test]
    fn no_damage_to_a_file_panics(at in 0usize..6000, with in "\\PC{0,3}", cut in 0usize..40) {
        let (name, text) = quiz::files().first().unwrap();
        let start = (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap();
        let end = (start..=text.len()).find(|i| *i >= start + cut && text.is_char_boundary(*i)).unwrap_or(text.len());
        let damaged = format!("{}{with}{}", &text[..start], &text[end..]);
        if let Ok(quiz) = quiz::parse(&damaged, name) {
            for q in quiz.questions.iter().take(2) {
                let _ = q.pose(1);
            }
        }
    }

    #[test]
    fn no_text_panics(text in "[ -~\n]{0,200}") {
        let _ = quiz::parse(&text, "x.ron");
        let _ = quiz::parse(&format!("{HEAD}{text}])"), "x.ron");
    }

    /// Whatever is typed is read or sent back.
    #[test]
    fn no_typed_number_panics(text in "\\PC{0,24}") {
        let posed = shipped().questions.first().unwrap().pose(1).unwrap();
        if let Ok(reply) = posed.read_number(&text) {
            let _ = posed.judge(&reply);
        }
    }
}
