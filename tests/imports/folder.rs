//! A whole folder at once: file, kind, GPUs, NICs, link bundles, warnings, exit code.

use super::*;

/// One line for one file, and its exit code.
fn row(name: &str, text: &str, options: &Options, c: &Arc<Catalogue>) -> (String, i32) {
    let kind = import::detect(text).map_or("-", import::Kind::title);
    match import::import(text, options, c) {
        Ok(i) => {
            let n = i.report.counts;
            let warnings = i.report.warnings();
            (
                format!(
                    "{name:<46} {kind:<22} {:>4} {:>4} {:>5} {warnings:>4} 0  {}",
                    n.gpus, n.nics, n.links, i.spec.title
                ),
                0,
            )
        }
        Err(e) => (format!("{name:<46} {kind:<22}    -    -     -    - 2  {e}"), 2),
    }
}

fn files(dir: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for e in entries {
        if e.is_dir() {
            files(&e, into);
        } else {
            into.push(e);
        }
    }
}

/// What an error asks for with a flag is given, and the file tried again: then it must be a system, or refused for good.
#[test]
fn every_file_of_a_folder() {
    let dir = std::env::var_os("ICX_TOPOLOGIES").map_or_else(folder, PathBuf::from);
    let c = catalogue();
    let mut all = Vec::new();
    files(&dir, &mut all);
    assert!(!all.is_empty(), "no files in {}", dir.display());
    println!("{:<46} {:<22} GPUs NICs links warn exit", "file", "kind");
    for path in all {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let name = path.strip_prefix(&dir).unwrap().display().to_string();
        let (line, code) = row(&name, &text, &Options::default(), &c);
        println!("{line}");
        if let Some(word) = line.split("--gpu ").nth(1).and_then(|w| w.split_whitespace().next()).filter(|_| code != 0)
        {
            let (line, code) =
                row(&format!("  --gpu {word}"), &text, &Options { gpu: Some(word), ..Options::default() }, &c);
            println!("{line}");
            assert_eq!(code, 0, "{name} asks for --gpu {word} and does not take it");
        }
        let refused = name.contains("refused");
        assert!(!refused || code == 2, "{name} is refused by its name and was taken");
    }
}
