//! The page of keys for the documentation, made from the table.

use std::fmt::Write;

use super::{Context, Group, Keymap, TABLE};

/// Headings in the order of the help.
const GROUPS: [Group; 8] =
    [Group::Move, Group::Edit, Group::Question, Group::View, Group::Learn, Group::File, Group::Program, Group::Prompt];

/// The page in Markdown: every command with its keys, its name for `:` and the configuration, and where it works.
pub fn keys_page() -> String {
    let keymap = Keymap::default();
    let mut out = String::from(
        "# Keys\n\nMade from the program's own table of commands: `UPDATE_DOCS=1 cargo test --test keys_page` writes it \
         anew.\n\nAny command can be run by its name: `:` and the name, or `?`, a few letters of it and Enter. Keys can be \
         replaced in the\nconfiguration (`icx-tui config --template` prints one that explains itself).\n",
    );
    for group in GROUPS {
        let _ = write!(out, "\n## {}\n\n| keys | command | what it does | where |\n|---|---|---|---|\n", group.title());
        for spec in TABLE.iter().filter(|s| s.group == group) {
            let keys = keymap.keys_label(spec);
            let keys: Vec<String> = keys.split(' ').map(|k| format!("`{}`", k.replace('|', "\\|"))).collect();
            let places: Vec<&str> = spec.contexts.iter().map(|c| place(*c)).collect();
            let _ = writeln!(out, "| {} | `{}` | {} | {} |", keys.join(" "), spec.id, spec.doc, places.join(", "));
        }
    }
    out
}

const fn place(context: Context) -> &'static str {
    match context {
        Context::Panel => "panels",
        Context::Chart => "charts",
        Context::Rows => "rows",
        Context::List => "lists",
        Context::Search => "searches",
        Context::Lesson => "lessons",
        Context::Text => "lines",
        Context::Quiz => "quiz",
        Context::Answer => "quiz, typing",
    }
}
