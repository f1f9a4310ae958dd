//! Whether a text that teaches has a number in it that somebody typed, where the engine could have said it.

use icx_tui::preset;

/// Names that have digits in them; a number is not a name.
const NAMES: [&str; 33] = [
    "gpu",
    "nic",
    "node",
    "nvsw",
    "psw",
    "cpu",
    "leaf",
    "spine",
    "core",
    "rack",
    "hb",
    "g",
    "n",
    "H",
    "A",
    "B",
    "V",
    "GB",
    "GH",
    "NVL",
    "DGX-",
    "ConnectX-",
    "ll",
    "bf",
    "fp",
    "MI",
    "L",
    "PCIe",
    "NVLink",
    "set",
    "RTX",
    "x",
    "NVL",
];

/// Names with a number of their own behind a blank.
const SPACED: [&str; 3] = ["RTX 4090", "PCIe 4", "PCIe 5"];

/// Names of another form: what a status page prints.
const WORDS: [&str; 2] = ["4X", "4x"];

/// Formulas in letters, the longer first.
const FORMULAS: [&str; 8] = ["2(n-1)/(n+1)", "2(n-1)/n", "(n-1)/n", "(n+1)/n", "(1 + 1/n)", "2(n-1)", "n-1", "1/n"];

/// The first word with a digit in it that is neither a name nor a formula.
pub fn typed_number(text: &str) -> Option<String> {
    let text = FORMULAS.iter().chain(&SPACED).fold(text.to_owned(), |t, f| t.replace(f, "")).replace("--", " ");
    let is_system = |w: &&str| {
        let name = w.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        preset::shipped().iter().any(|s| s.name == name)
    };
    let words = text.split_whitespace().filter(|w| !is_system(w));
    let is_number = |word: &&str| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit() || ".*]".contains(c));
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        let named = NAMES.iter().any(|n| stem == *n || stem == format!("--{n}"));
        has_digit && (!named || stem.is_empty()) && !WORDS.contains(&word.trim_end_matches('.'))
    };
    words.flat_map(|w| w.split(|c: char| "(),;:/?!\"".contains(c))).find(is_number).map(str::to_owned)
}
