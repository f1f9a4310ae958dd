//! What the README shows is what the program prints. `UPDATE_README=1 cargo test --test readme` writes it anew.
#![expect(clippy::expect_used, clippy::panic, reason = "a README that cannot be read is the failure of the test")]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

fn run(arguments: &[&str]) -> String {
    ending(arguments, 0)
}

/// What a command prints that ends with this code.
fn ending(arguments: &[&str], code: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_icx-tui"));
    let out = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the binary starts");
    assert_eq!(out.status.code(), Some(code), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// Import, sweep with the log over it, diagnosis: the commands as one types them and what they print. Long lists are cut
/// where it is said.
fn session() -> String {
    let file = std::env::temp_dir().join(format!("icx-session-{}.ron", std::process::id()));
    let path = file.to_str().expect("a path");
    let log = "docs/session/all_reduce.log";
    let import = ["import", "docs/session/topo.txt", "--gpu", "a100-sxm-80", "--nodes", "2", "--name", "our-a100"];
    let steps: [(Vec<&str>, i32, &[&str]); 3] = [
        ([&import[..], &["-o", path]].concat(), 0, &["line 1", "nic", "PCIe width", "switches are not named"]),
        (vec!["sweep", path, "--measured", log], 0, &[]),
        (vec!["diagnose", path, "--measured", log, "--top", "2"], 1, &[]),
    ];
    let mut out = String::new();
    for (arguments, code, cut) in &steps {
        let printed = ending(arguments, *code).replace(path, "ours.ron");
        let left: Vec<&str> =
            printed.lines().map(str::trim_end).filter(|l| !cut.iter().any(|c| l.trim_start().starts_with(c))).collect();
        let dots = if left.len() < printed.lines().count() { "\n  (some lines left out here)" } else { "" };
        let typed = arguments.join(" ").replace(path, "ours.ron");
        let _ = writeln!(out, "```text\n$ icx-tui {typed}\n{}{dots}\n```\n", left.join("\n"));
    }
    std::fs::remove_file(file).expect("the file was written");
    out.trim_end().to_owned() + "\n"
}

/// A screen, as text.
fn screen() -> String {
    let picture = run(&["render", "dgx-h100", "-e", "off node0/gpu3--nvsw1", "--size", "118x40", "--keys", "<tab>"]);
    let trimmed: Vec<&str> = picture.lines().map(str::trim_end).collect();
    format!("```text\n{}\n```\n", trimmed.join("\n"))
}

/// Errors per band, in sample and with the machine left out.
fn errors() -> String {
    let v: Value = serde_json::from_str(&run(&["validate", "--format", "json"])).expect("JSON");
    let mut out = String::from(
        "| size | configurations | median | p90 | left out: median | p90 | in range |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let list = |k: &str| v[k].as_array().cloned().unwrap_or_default();
    for (o, l) in list("overall").iter().zip(list("left_out")) {
        let p = |v: &Value, k: &str| format!("{:.0} %", 100.0 * v[k].as_f64().unwrap_or(f64::NAN));
        let fine = |v: &Value, k: &str| format!("{:.1} %", 100.0 * v[k].as_f64().unwrap_or(f64::NAN));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            o["band"].as_str().unwrap_or(""),
            o["ids"],
            fine(o, "median"),
            p(o, "p90"),
            fine(&l, "median"),
            p(&l, "p90"),
            p(&l, "in_range")
        );
    }
    out
}

fn block(text: &str, name: &str) -> (usize, usize) {
    let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
    let a = text.find(&begin).unwrap_or_else(|| panic!("README has no {begin}")) + begin.len();
    (a, text.find(&end).unwrap_or_else(|| panic!("README has no {end}")))
}

#[test]
fn the_readme_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let old = std::fs::read_to_string(&path).expect("README.md");
    let mut new = old.clone();
    for (name, content) in [("screen", screen()), ("validate", errors()), ("session", session())] {
        let (a, b) = block(&new, name);
        new.replace_range(a..b, &content);
    }
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, &new).expect("README.md is writable");
    } else {
        assert!(old == new, "README.md is out of date: UPDATE_README=1 cargo test --test readme");
    }
}

/// The pictures beside the text: a name in `docs/screens`, and what `render` is asked for, apart at `|`.
const PICTURES: [(&str, &str); 5] = [
    (
        "explore",
        "dgx-h100-superpod|-e|set nodes = 4|--baseline|set nodes = 4|-e|degrade node0/nic2 to 50%|--theme|dark",
    ),
    ("rack", "gb200-nvl72-ib|-e|off rack0/nvsw7|-e|off rack0/node8/gpu2|--theme|dark"),
    ("network", "h100-roce-2to1|-c|all-to-all|-e|degrade leaf3--spine3 to 50%|--keys|/leaf3<enter>"),
    ("sweep", "dgx-h100-superpod|--screen|sweep|-e|set nics = 4|--theme|dark"),
    ("watch", "dgx-h100|-a|ring|--keys|P<right><right><right>"),
];

#[test]
fn the_pictures_are_current() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/screens");
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    if update {
        std::fs::create_dir_all(&folder).expect("docs is writable");
    }
    let readme = std::fs::read_to_string(folder.join("../../README.md")).expect("README.md is there");
    for (name, arguments) in PICTURES {
        let arguments: Vec<&str> = arguments.split('|').collect();
        let drawn = run(&[&["render"], &arguments[..], &["--size", "120x40", "--format", "svg"]].concat());
        let path = folder.join(format!("{name}.svg"));
        if update {
            std::fs::write(&path, &drawn).expect("docs is writable");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(kept == drawn, "docs/screens/{name}.svg is out of date: UPDATE_DOCS=1 cargo test --test readme");
        assert!(readme.contains(&format!("docs/screens/{name}.svg")), "the README does not show {name}");
    }
    let all = std::fs::read_dir(&folder).expect("docs/screens is there").count();
    assert_eq!(all, PICTURES.len(), "docs/screens holds a picture that nothing draws");
}
