//! The laws of the house: dependencies between modules go one way, without circles.

#![expect(clippy::panic, reason = "a module outside the table of arrows is the failure of the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// For each module, the modules that it may use. Everything may use itself.
const ARROWS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("parts", &["units"]),
    ("system", &["units", "parts"]),
    ("question", &["units", "parts", "system"]),
    ("preset", &["units", "parts", "system", "question"]),
    ("import", &["units", "parts", "system", "question"]),
    ("export", &["units", "parts", "system", "question"]),
    ("collective", &["units", "parts", "system", "question"]),
    ("scenario", &["units", "parts", "system", "question"]),
    ("cost", &["units", "parts", "system", "question", "collective"]),
    ("measure", &["units", "parts", "system", "question", "collective", "cost", "scenario"]),
    ("lesson", &["units", "parts", "system", "question", "preset", "collective", "cost", "scenario", "measure"]),
    (
        "tui",
        &[
            "units",
            "parts",
            "system",
            "question",
            "collective",
            "cost",
            "scenario",
            "measure",
            "lesson",
            "preset",
            "import",
            "export",
        ],
    ),
    ("shell", &["tui", "units"]),
    (
        "cli",
        &[
            "units",
            "parts",
            "system",
            "question",
            "collective",
            "cost",
            "scenario",
            "measure",
            "lesson",
            "preset",
            "import",
            "export",
            "tui",
            "shell",
        ],
    ),
];

fn sources(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            into.push(path);
        }
    }
}

/// Tests of a module may use what stands above it: to load a shipped system, for instance.
fn is_test(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == "tests.rs" || n == "fixture.rs")
        || path.iter().any(|p| p == "tests" && path.starts_with(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")))
}

/// Lines of code that are not in a `#[cfg(test)]` module (which closes a file by convention) or a comment.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = text.lines().position(|l| l.trim() == "#[cfg(test)]").unwrap_or(usize::MAX);
    text.lines().enumerate().take(end).filter(|(_, l)| !l.trim_start().starts_with("//"))
}

/// Whether the parent of a `tests.rs` declares it under `#[cfg(test)]`.
fn declared_for_tests(file: &Path) -> bool {
    let Some(dir) = file.parent() else { return false };
    let parents = [dir.with_extension("rs"), dir.join("mod.rs")];
    let text: String = parents.iter().filter_map(|p| fs::read_to_string(p).ok()).collect();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.windows(2).any(|w| matches!(w, ["#[cfg(test)]", declared] if declared.ends_with("mod tests;")))
}

/// Modules of this crate that a line names: `crate::system::...`, also inside `use crate::{a, b}`.
fn named(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let rest = &line[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            found.extend(list.split(['}', ';']).next().unwrap_or("").split(',').map(|m| first_word(m.trim())));
        } else {
            found.push(first_word(rest));
        }
    }
    found
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

#[test]
fn arrows_go_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 50, "the sources are where they were");
    let mut wrong = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root).unwrap_or(&file);
        let first = relative.iter().next().and_then(|p| p.to_str()).unwrap_or("");
        let module = first.trim_end_matches(".rs");
        if module == "lib" || module == "main" {
            continue;
        }
        let may = allowed.get(module).unwrap_or_else(|| panic!("module {module} is not in the table of arrows"));
        // A module `tests` in a file of its own is declared under `#[cfg(test)]` too: held below.
        if file.file_name().is_some_and(|f| f == "tests.rs") {
            assert!(declared_for_tests(&file), "{} is not under #[cfg(test)]", relative.display());
            continue;
        }
        let text = fs::read_to_string(&file).unwrap_or_default();
        for (n, line) in code(&text) {
            for used in named(line).into_iter().filter(|u| allowed.contains_key(u) && *u != module && !may.contains(u))
            {
                wrong.push(format!("{}:{}: {module} must not use {used}", relative.display(), n + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that run backwards:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_itself_has_no_circle() {
    let order: Vec<&str> = ARROWS.iter().map(|(m, _)| *m).collect();
    for (module, uses) in ARROWS.iter().filter(|(m, _)| *m != "shell") {
        let at = order.iter().position(|m| m == module);
        assert!(uses.iter().all(|u| order.iter().position(|m| m == u) < at), "{module} uses what comes after it");
    }
}

/// The pure core knows no terminal, no files, no clock and prints nothing.
#[test]
fn the_core_does_no_io() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for module in
        ["units", "parts", "system", "question", "collective", "cost", "scenario", "preset", "import", "export"]
    {
        let mut files = vec![root.join(format!("{module}.rs"))];
        sources(&root.join(module), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap_or_default();
            for (n, line) in code(&text) {
                let bad = [
                    "std::fs",
                    "std::env",
                    "std::io::std",
                    "std::process",
                    "crossterm",
                    "ratatui",
                    "println!",
                    "SystemTime",
                ];
                if bad.iter().any(|b| line.contains(b)) {
                    wrong.push(format!("{}:{}: {}", file.display(), n + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the project says of itself holds no trace of the machine it was written on.
#[test]
fn no_machine_paths() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for dir in ["src", "tests", "benches", "examples"] {
        sources(&root.join(dir), &mut files);
    }
    let marks = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
    let bad = |f: &PathBuf| marks.iter().any(|m| fs::read_to_string(f).unwrap_or_default().contains(m));
    assert_eq!(files.into_iter().find(bad), None);
}
