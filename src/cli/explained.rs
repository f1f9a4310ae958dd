//! An explanation in linear text and in JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::cost::{Explanation, Section};

/// All sections unfolded, finer ones indented.
pub fn text(e: &Explanation) -> String {
    let mut out = String::new();
    for s in &e.sections {
        out.push('\n');
        section(&mut out, s, 0);
    }
    out
}

fn section(out: &mut String, s: &Section, depth: usize) {
    let indent = "  ".repeat(depth);
    let colon = if s.value.is_empty() { "" } else { ": " };
    let _ = writeln!(out, "{indent}{}{colon}{}", s.title, s.value);
    for l in &s.lines {
        let _ = writeln!(out, "{indent}  {l}");
    }
    for c in &s.children {
        section(out, c, depth + 1);
    }
}

/// The sections as objects: `id, title, value, lines, parts`, and `time_us` where a part contributes time.
pub fn to_json(e: &Explanation) -> Value {
    Value::Array(e.sections.iter().map(object).collect())
}

fn object(s: &Section) -> Value {
    let mut v = json!({
        "id": s.id,
        "title": s.title,
        "value": s.value,
        "lines": s.lines,
        "parts": s.children.iter().map(object).collect::<Vec<_>>(),
    });
    if let (Some(t), Some(fields)) = (s.time, v.as_object_mut()) {
        fields.insert("time_us".to_owned(), json!(t.us()));
    }
    v
}
