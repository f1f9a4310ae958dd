//! The lessons: every figure has a value, every task is undone before its solution and done after it, no number is typed.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed step fails the test")]

#[path = "common/screen.rs"]
mod screen;
#[path = "common/typed.rs"]
mod typed;

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};

use icx_tui::cli::learn::{Walk, problems};
use icx_tui::lesson::figure::{Form, Prose, Quantity};
use icx_tui::lesson::{self, Expected, Lesson, Page, Progress, read, shipped};
use icx_tui::preset;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Learn, Options};
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;
use icx_tui::tui::program::{Effect, Outcome};
use screen::snapshot;
use typed::typed_number;

/// Every shipped lesson, read once.
fn all() -> impl Iterator<Item = &'static Arc<Lesson>> {
    static ALL: LazyLock<Vec<Arc<Lesson>>> =
        LazyLock::new(|| shipped().iter().map(|s| lesson::load_shipped(s.name).unwrap()).collect());
    ALL.iter()
}

fn icx(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icx-tui")).args(args).output().unwrap()
}

#[test]
fn the_list_is_the_folder() {
    let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/lessons")).unwrap();
    let names: BTreeSet<String> = folder
        .filter_map(|f| Some(f.ok()?.file_name().to_str()?.strip_suffix(".ron")?.to_owned()))
        .filter(|name| name != "quiz" && name != "story")
        .collect();
    let listed: BTreeSet<String> = shipped().iter().map(|s| s.name.to_owned()).collect();
    assert_eq!(names, listed);
    assert!(all().zip(shipped()).all(|(l, s)| l.name == s.name));
}

#[test]
fn every_task_is_undone_before_its_solution_and_done_after_it() {
    for l in all() {
        let found: Vec<String> = problems(l).iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}\n{}", l.name, found.join("\n"));
        assert!(l.pages.iter().any(|p| !p.tasks.is_empty()), "{} has nothing to do", l.name);
        assert!(l.pages.iter().any(|p| p.predict.is_some()), "{} has nothing to predict", l.name);
        assert!((3..=6).contains(&l.pages.len()), "{} has {} pages", l.name, l.pages.len());
    }
}

/// Every text of a page.
fn texts(p: &Page) -> Vec<&Prose> {
    let mut all = vec![&p.text];
    if let Some(predict) = &p.predict {
        all.extend([&predict.ask, &predict.why]);
        all.extend(&predict.hints);
        if let Expected::Choice(choices) = &predict.answer {
            all.extend(choices.iter().flat_map(|c| std::iter::once(&c.say).chain(&c.but)));
        }
    }
    for t in &p.tasks {
        all.extend([&t.ask, &t.then]);
        all.extend(&t.hints);
    }
    all
}

#[test]
fn no_number_is_typed() {
    for l in all() {
        for p in &l.pages {
            let typed = texts(p).into_iter().flat_map(Prose::typed);
            for text in typed.chain([p.title.as_str(), l.title.as_str(), l.about.as_str()]) {
                assert_eq!(typed_number(text), None, "{}, {}", l.name, p.title);
            }
        }
    }
}

/// Words of the field, each with what explains it; in lessons taken in order no word comes before that.
const DEFINITIONS: [(&str, &str); 34] = [
    ("NIC", "a network adapter, a NIC"),
    ("node", "one server, a node"),
    ("NVLink", "the links between the GPUs of the server, NVLink"),
    ("collective", "A collective, in which all GPUs take part"),
    ("kernels", "kernels (the programs on the GPUs)"),
    ("nccl-tests", "nccl-tests, the usual benchmark"),
    ("busbw", "busbw: the score that nccl-tests prints"),
    ("all-reduce", "an all-reduce. That is the collective which training needs most: every GPU brings"),
    ("bound", "The word bound in the strip is"),
    ("launch", "launch (starting the kernels)"),
    ("fabric manager", "fabric manager, which sets the switches up"),
    ("exception", "exception (whatever is edited, broken or full)"),
    ("domain", "inside one domain: the"),
    ("library", "the library (NCCL or another, which carries the collectives out)"),
    ("gradients", "gradients, what a training step has learned"),
    ("RDMA", "RDMA (a NIC that reads memory by itself)"),
    ("PCIe", "PCIe, the bus for cards in every server"),
    ("PHB", "PHB means through a CPU"),
    ("sockets", "the sockets, the places of the CPUs"),
    ("peer-to-peer", "peer-to-peer, no access to each other's memory"),
    ("NVSwitch", "such an NVSwitch adds"),
    ("bisection", "bisection of this box, half of the GPUs against the other half"),
    ("all-gather", "an all-gather: every GPU has a piece of the data"),
    ("all-to-all", "In an all-to-all every GPU has something else for every other one"),
    ("RoCE", "RoCE (RDMA over converged Ethernet)"),
    ("spines", "NICs on leaves, leaves on spines"),
    ("rank", "rank to rank (a rank is a GPU that takes part)"),
    ("algbw", "algbw is the size over the time"),
    ("chunks", "chunks (pieces)"),
    ("token", "token (a piece of text)"),
    ("activations", "activations, the results of a layer"),
    ("replica", "replica, each a copy of the model"),
    ("micro-batch", "micro-batch, a slice of the batch"),
    ("gate", "The same question on the command line with a gate"),
];

#[test]
fn words_are_explained_where_they_are_first_used() {
    let mut course = String::new();
    for l in all() {
        for p in &l.pages {
            for text in texts(p) {
                course.extend(text.typed());
                course.push(' ');
            }
        }
    }
    let course = course.split_whitespace().collect::<Vec<_>>().join(" ");
    for (word, explained) in DEFINITIONS {
        let there = course.find(explained).unwrap_or_else(|| panic!("{word}: {explained:?} is not in the lessons"));
        let begins = |at: usize| !course[..at].ends_with(|c: char| c.is_alphanumeric() || "-<".contains(c));
        let first = course.match_indices(word).map(|(at, _)| at).find(|at| begins(*at)).unwrap();
        let before: String = course[..first + word.len()].chars().rev().take(90).collect();
        assert!(
            (there..there + explained.len()).contains(&first),
            "{word} comes before it is explained: ... {}",
            before.chars().rev().collect::<String>()
        );
    }
}

/// Who is wrong is told why: every statement that is not right has its own answer.
#[test]
fn every_wrong_statement_is_answered() {
    for l in all() {
        for p in &l.pages {
            let Some(lesson::Predict { answer: Expected::Choice(all), .. }) = &p.predict else { continue };
            p.on_reveal(&l.names, |scene| {
                for c in all {
                    let right = c.when.as_ref().is_some_and(|w| w.holds(scene) == Ok(true));
                    assert!(right || c.but.is_some(), "{}, {}: {:?}", l.name, p.title, c.say.show(scene));
                }
            });
        }
    }
}

#[test]
fn the_list_is_printed_in_order() {
    let out = icx(&["learn", "--list"]);
    let text = String::from_utf8(out.stdout).unwrap();
    let names: Vec<&str> = text.lines().filter_map(|l| l.split_whitespace().next()).collect();
    let lessons: Vec<&str> = shipped().iter().map(|s| s.name).chain(["quiz", "story"]).collect();
    assert_eq!((out.status.code(), names), (Some(0), lessons));
    assert!(text.starts_with("units          Units and direction (bits and bytes"), "{text}");
    let out = icx(&["learn", "quizz"]);
    assert!(out.status.code() == Some(2) && String::from_utf8_lossy(&out.stderr).contains("did you mean quiz"));
}

#[test]
fn plain_text_needs_no_terminal_and_leaves_no_trace() {
    let state = std::env::temp_dir().join(format!("icx-lessons-{}", std::process::id()));
    let out = Command::new(env!("CARGO_BIN_EXE_icx-tui"))
        .args(["learn", "--plain", "units"])
        .env("XDG_STATE_HOME", &state)
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && !state.exists());
    assert!(text.lines().all(|l| l.chars().count() <= 80 && !l.contains('\u{1b}')), "{text}");
    snapshot("lesson_plain__units", &text);
}

#[test]
fn check_says_what_is_wrong_and_fails() {
    let dir = std::env::temp_dir().join(format!("icx-check-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let path = dir.join("mine.ron");
    let claiming = |task: &str, solution: &str, claim: &str| {
        let text = format!(
            r#"(name: "mine", title: "T", about: "a", system: "dgx-h100", pages: [(title: "P", text: "x",
            tasks: [(ask: "do", when: "{task}", solution: ["{solution}"], claims: [{claim}])])])"#
        );
        fs::write(&path, text).unwrap();
        let out = icx(&["learn", "--check", path.to_str().unwrap()]);
        (out.status.code(), String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap())
    };
    let mine = |task: &str, solution: &str| claiming(task, solution, "\"time > time on baseline\"");
    let (code, text) = mine("state of gpu3--nvsw1 = down", "off gpu3--nvsw1");
    assert_eq!((code, text.as_str()), (Some(0), "mine: 1 page, 1 task, 0 predictions: fine\n"));
    let (code, text) = claiming("state of gpu3--nvsw1 = down", "off gpu3--nvsw1", "\"time < time on baseline\"");
    assert!(code == Some(1) && text.contains("page 1, task 1: its claim does not hold: time < time on"), "{text}");
    let (code, text) = mine("state of gpu3 = up", "off gpu3");
    assert!(code == Some(1) && text.contains("page 1, task 1: holds before anything is done"), "{text}");
    let (code, text) = mine("state of gpu3 = down", "off gpu4");
    assert!(code == Some(1) && text.contains("page 1, task 1: is not done by its solution"), "{text}");
    let (code, text) = mine("state of gpu3 = down", "off gpu33");
    assert!(code == Some(1) && text.contains("cannot be entered at :; no gpu33 in this system"), "{text}");
    assert!(text.contains("mine.ron:2:73: page 1, task 1:") && text.contains("did you mean"), "{text}");
    let (code, text) = mine("stat of gpu3 = down", "off gpu3");
    assert!(code == Some(2) && text.contains("mine.ron:2:"), "{text}");
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn bad_files_are_refused_with_the_place() {
    let good = r#"(
    name: "mine", title: "T", about: "a", system: "dgx-h100",
    pages: [
        (title: "P", text: r"one {time}
two {busbw}"),
    ],
)"#;
    let open = |name: &str| preset::load_shipped(name).map_err(|e| e.to_string());
    assert!(read(good, "f", &open).is_ok());
    let error = |from: &str, to: &str| {
        let e = read(&good.replace(from, to), "f.ron", &open).expect_err(to);
        e.to_string()
    };
    for (from, to, want) in [
        ("{busbw}", "{buswb}", "f.ron:5:6: no figure \"buswb\"; did you mean busbw"),
        ("{busbw}", "{busbw", "f.ron:5:5: a brace is left open"),
        ("dgx-h100", "dgx-h10", "f.ron:2:51: no system \"dgx-h10\""),
        ("title: \"P\"", "titel: \"P\"", "f.ron:4:10: unknown field \"titel\""),
        ("pages: [", "edits: [\"off gpu9\"], pages: [", "f.ron:3:12: edit \"off gpu9\" on dgx-h100: no gpu9"),
        ("pages: [", "edits: [\"of gpu0\"], pages: [", "f.ron:3:14: unknown word \"of\""),
        ("pages: [", "question: \"all-reduse\", pages: [", "f.ron:3:16: \"all-reduse\" is no question"),
        ("pages: [", "figures: {\"on\": \"1\"}, pages: [", "f.ron:3:21: \"on\" is a word of the figures"),
        ("\"mine\"", "\"My lesson\"", "f.ron:2:11: \"My lesson\" is no name"),
        ("title: \"P\"", "title: \"P\", predict: (ask: \"a\", why: \"b\")", "f.ron:4:31: expected either an answer"),
        ("(\n", "lesson\n", "f.ron: not a lesson"),
    ] {
        let text = error(from, to);
        assert!(text.starts_with(want), "{to}\n is   {text}\n want {want}");
    }
}

#[test]
fn progress_is_asked_to_be_written_and_is_found_again() {
    let file = std::path::PathBuf::from("state/learn.ron");
    let learn = Learn::new(Progress::default(), Some(file.clone()));
    let app = |learn| {
        let options = Options { source: "dgx-h100".to_owned(), learn, ..Options::default() };
        App::new(preset::load_shipped("dgx-h100").unwrap(), Question::default(), options)
    };
    let mut screen = app(learn).replay(100, 30, parse_script("R<enter><right><right>").unwrap());
    assert!(screen.take_effects().iter().all(|e| !matches!(e, Effect::Write { .. })), "nothing is done yet");
    screen.feed(parse_script("<enter>\"43ms\"<enter>><down>").unwrap());
    let mut written = screen.take_effects().into_iter().filter_map(|e| match e {
        Effect::Write { path, contents } => (path == file).then_some(contents),
        _ => None,
    });
    let progress = Progress::from_text(&written.next_back().expect("the page is finished")).unwrap();
    assert!(progress.of("units").is_some_and(|r| r.done.contains(&2) && r.right.contains(&2)));
    let done = Outcome::Written { path: file, result: Ok(()) };
    screen.feed([icx_tui::tui::program::Input::Done(done)]);
    assert!(!to_text(screen.buffer()).contains("saved to"));
    let again = app(Learn::new(progress, None));
    let list = to_text(again.replay(100, 30, parse_script("R").unwrap()).buffer());
    assert!(list.contains("□□■□"), "{list}");
}

#[test]
fn leaving_a_lesson_brings_the_machine_back() {
    let app = App::new(preset::load_shipped("gb200-nvl72").unwrap(), Question::default(), Options::default());
    let keys = "\":off node3/gpu1\"<enter>R<enter>";
    let mut screen = app.replay(120, 40, parse_script(keys).unwrap());
    assert!(screen.program().lesson().is_some());
    assert_eq!(screen.program().system().name, "dgx-h100-superpod");
    screen.feed(parse_script("<esc><esc>").unwrap());
    assert!(screen.program().lesson().is_none());
    assert_eq!(screen.program().system().name, "gb200-nvl72");
    assert_eq!(screen.program().history().done().len(), 1);
}

/// Every page at a size, before and after what there is to do on it; by its own solutions the lesson is finished.
fn pages(l: &Arc<Lesson>, size: (u16, u16)) -> String {
    let mut out = String::new();
    let mut walk = Walk::at(l, size);
    for page in 0..l.pages.len() {
        walk.to_page(page);
        out.push_str(&to_text(walk.buffer()));
        walk.predict_right();
        while let Some((_, acts)) = walk.open_task() {
            assert!(walk.solve(&acts), "{} page {}", l.name, page + 1);
        }
        walk.to_text();
        out.push_str(&to_text(walk.buffer()));
    }
    let record = walk.app().lesson().expect("the lesson is open").record();
    let predictions = l.pages.iter().filter(|p| p.predict.is_some()).count();
    assert!(record.is_complete(), "{}: {record:?}", l.name);
    assert_eq!(record.right.len(), predictions, "{}: who knows the answers is right", l.name);
    assert_eq!(walk.app().learn().progress.of(&l.name), Some(&record));
    out
}

#[test]
fn every_page_is_drawn_and_done_on_a_large_screen() {
    for l in all() {
        snapshot(&format!("lesson__{}__120x40", l.name), &pages(l, (120, 40)));
    }
}

#[test]
fn every_page_is_drawn_and_done_on_a_small_screen() {
    for l in all() {
        snapshot(&format!("lesson__{}__80x24", l.name), &pages(l, (80, 24)));
    }
}

#[test]
fn a_lesson_can_be_read_at_every_size() {
    let app = App::new(preset::load_shipped("dgx-h100").unwrap(), Question::default(), Options::default());
    let keys = parse_script("R<enter><down><enter><esc>HHH<pagedown>").unwrap();
    let mut screen = app.replay(120, 40, keys);
    for (w, h) in [
        (0, 0),
        (1, 1),
        (20, 6),
        (40, 12),
        (41, 13),
        (60, 20),
        (75, 21),
        (76, 22),
        (109, 34),
        (110, 34),
        (160, 50),
        (250, 80),
    ] {
        for keys in ["", "<tab>", "w", "R", "<esc>", "R<enter>", "<tab>", "R"] {
            screen.feed([icx_tui::tui::program::Input::Resize(w, h)]);
            screen.feed(parse_script(keys).unwrap());
        }
    }
}

/// The tables of quantities and forms in the documentation, made from the program's own.
#[test]
fn the_documentation_has_every_quantity_and_form() {
    use std::fmt::Write as _;
    let mut quantities = String::from("| quantity | what it is |\n|---|---|\n");
    for q in Quantity::all() {
        let _ = writeln!(quantities, "| `{}` | {} |", q.name, q.doc);
    }
    let mut forms = String::from("| `as` | how the value is written |\n|---|---|\n");
    for (name, doc) in Form::all() {
        let _ = writeln!(forms, "| `{name}` | {doc} |");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/lessons.md");
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let mut want = text.clone();
    for (name, table) in [("quantities", quantities), ("forms", forms)] {
        let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
        let (head, rest) = want.split_once(&begin).unwrap();
        let (_, tail) = rest.split_once(&end).unwrap();
        want = format!("{head}{begin}{table}{end}{tail}");
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &want).unwrap();
        return;
    }
    assert_eq!(text, want, "UPDATE_DOCS=1 cargo test --test lessons writes the tables");
}

/// The lesson in the documentation is one.
#[test]
fn the_example_of_the_documentation_is_sound() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/lessons.md")).unwrap();
    let (_, rest) = text.split_once("```ron\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let open = |name: &str| preset::load_shipped(name).map_err(|e| e.to_string());
    let lesson = read(example, "docs/lessons.md", &open).unwrap();
    let found: Vec<String> = problems(&Arc::new(lesson)).iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
