//! The quiz on the command line: plain text from a seed, checks, mistakes.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn learn(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icx-tui")).arg("learn").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file that is gone when the test ends.
struct File(PathBuf);

impl File {
    fn new(name: &str, contents: &str) -> Self {
        let path = std::env::temp_dir().join(format!("icx-tui-quiz-{}-{name}", std::process::id()));
        fs::write(&path, contents).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn the_same_seed_prints_the_same_quiz() {
    let print = |seed| learn(&["quiz", "--plain", "--seed", seed, "--count", "6"]);
    let first = print("7");
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert_eq!(text(&first.stdout), text(&print("7").stdout));
    assert_ne!(text(&first.stdout), text(&print("8").stdout));
    let shown = text(&first.stdout);
    assert!(
        shown.starts_with("GPU interconnects: 6 questions, seed 7\n") && shown.contains("\n# Answers\n"),
        "{shown}"
    );
    assert!(shown.lines().all(|l| l.chars().count() <= 96), "{shown}");
    // Without a seed one is drawn, and said.
    assert!(text(&learn(&["quiz", "--plain", "--topic", "fabric"]).stdout).contains("questions, seed "));
}

const GOOD: &str = r#"(
    title: "Mine",
    topics: [(name: "a", title: "A")],
    questions: [
        (name: "q", topic: "a", text: "Rate?", why: "{answer}.",
         number: (is: "line of scale-up on dgx-h100", within: "5%", slips: [(is: "900GB/s", why: "Both ways.")])),
    ],
)"#;

#[test]
fn a_quiz_of_ones_own_is_checked_and_printed() {
    let file = File::new("good.ron", GOOD);
    let checked = learn(&["--check", file.path()]);
    assert!(checked.status.success() && text(&checked.stdout).starts_with("Mine: 1 questions"), "{checked:?}");
    let printed = text(&learn(&[file.path(), "--plain", "--seed", "1"]).stdout);
    assert!(printed.contains("1. 450 GB/s") && printed.contains("Not 900 GB/s: Both ways."), "{printed}");
}

#[test]
fn what_is_wrong_is_said_in_one_place() {
    // A slip of the pen.
    let misspelt = GOOD.replace("900GB/s", "lyne of scale-up");
    let cases = [
        (misspelt.as_str(), 2, ":6:83: no figure \"lyne\""),
        (&GOOD.replace("topic: \"a\",", "topic: \"b\","), 2, ":5:28: no topic \"b\"; did you mean a?"),
        (&GOOD.replace("line of scale-up on dgx-h100", "line of scale-up on dgx-h10"), 1, "no machine \"dgx-h10\""),
    ];
    for (contents, code, message) in cases {
        let file = File::new("bad.ron", contents);
        let done = learn(&["--check", file.path()]);
        let said = text(&done.stdout) + &text(&done.stderr);
        assert!(done.status.code() == Some(code) && said.contains(message), "{code} {message}: {said}");
    }
    for (args, message) in [
        (&["quiz", "--topic", "unit"][..], "did you mean units?"),
        (&["units", "--seed", "3"][..], "are for a quiz"),
        (&["quiz", "--plain", "--count", "x"][..], "invalid value"),
    ] {
        let done = learn(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(message), "{}", text(&done.stderr));
    }
}
