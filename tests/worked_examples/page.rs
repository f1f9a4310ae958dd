//! The page of the documentation, made from the rows.

use std::fmt::Write;

use super::curves::{CURVES, Curve};
use super::row::{Row, SOURCES, Verdict};

const HEAD: &str = "# Worked examples\n\n\
    Numeric examples of public courses, with the answer that their author gives and the answer that comes out of this \
    program's engine.\nMade by a test, which fails when a number moves: \
    `UPDATE_DOCS=1 cargo test --test worked_examples` writes it anew.\n\n\
    Textbooks price an *ideal* cluster: every link at its line rate, one latency per step, no launch, no protocol. Such \
    examples are put to the\nengine as a machine with ideal parts; what an algorithm sends over which link, in how many \
    steps, and who shares a link is the engine's\nown. Examples about real machines are put to the shipped systems. \
    Where the two answers differ, the last column says why.\n";

/// The whole page.
pub fn page(sections: &[(&str, Vec<Row>)]) -> String {
    let mut out = String::from(HEAD);
    let rows = || sections.iter().flat_map(|(_, rows)| rows);
    let same = rows().filter(|r| matches!(r.verdict, Verdict::Same(_))).count();
    let all = rows().count();
    let _ = writeln!(out, "\n{all} answers: {same} come out the same, {} do not and are explained.", all - same);
    for (letter, (title, rows)) in ('A'..).zip(sections) {
        section(&mut out, letter, title, rows);
    }
    curves(&mut out);
    out.push_str("\n## Sources\n\n");
    for s in SOURCES {
        let address = if s.url.is_empty() { String::new() } else { format!(", <{}>", s.url) };
        let _ = writeln!(out, "- **{}**: {}{address}", s.name, s.title);
    }
    out
}

fn section(out: &mut String, letter: char, title: &str, rows: &[Row]) {
    let _ = write!(
        out,
        "\n## {letter}. {title}\n\n| | example | source | theirs | ours | how ours comes about | verdict |\n\
         |---|---|---|---:|---:|---|---|\n"
    );
    for r in rows {
        let verdict = match r.verdict {
            Verdict::Same(_) => "same".to_owned(),
            Verdict::Differs(why) => format!("differs: {why}"),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {verdict} |",
            r.id, r.what, r.source.name, r.theirs, r.ours, r.how
        );
    }
}

/// Published curves and ours.
fn curves(out: &mut String) {
    out.push_str(
        "\n## Published curves\n\nAll-reduce as ml-engineering prints it. Most of these points are not among those that \
         the model was fitted on; `icx-tui validate` has\nthe errors over all published runs. Below a few MiB the host decides as much as the machine: this source's \
         calls take some 20 us longer\nthan those of other runs of the same boxes.\n",
    );
    for curve in &CURVES {
        let Curve { title, system: (name, edits), remark, .. } = curve;
        let edits = edits.iter().map(|e| format!(" -e \"{e}\"")).collect::<Vec<_>>().concat();
        let _ =
            write!(out, "\n**{title}** (`{name}{edits}`)\n\n| size | theirs | ours | off |\n|---:|---:|---:|---:|\n");
        for (size, theirs, ours) in curve.rows() {
            let _ = writeln!(out, "| {size} | {theirs} | {ours} | {:.0} % |", theirs.off(ours) * 100.0);
        }
        if !remark.is_empty() {
            let _ = writeln!(out, "\n({remark})");
        }
    }
}
