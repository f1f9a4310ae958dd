//! `icx-tui presets`: the shipped systems.

use std::fmt::Write;

use anyhow::Result;
use serde_json::json;

use super::Output;
use super::args::{PresetsArgs, TextOrJson};
use crate::preset;
use crate::system::System;

/// Lists the shipped systems.
pub fn run(a: &PresetsArgs) -> Result<Output> {
    let systems: Vec<System> =
        preset::shipped().iter().map(|s| preset::load_shipped(s.name)).collect::<Result<_, _>>()?;
    match a.format {
        TextOrJson::Text => Ok(Output::fine(text(&systems))),
        TextOrJson::Json => {
            let rows: Vec<_> = systems
                .iter()
                .map(|s| json!({"name": s.name, "title": s.title, "nodes": s.nodes(), "gpus": s.ranks()}))
                .collect();
            Ok(Output::fine(format!("{}\n", serde_json::to_string_pretty(&rows)?)))
        }
    }
}

fn text(systems: &[System]) -> String {
    let mut out = String::new();
    for s in systems {
        let (nodes, gpus) = (s.nodes(), s.ranks());
        let _ =
            writeln!(out, "{:22} {nodes:>4} node{} {gpus:>5} GPU{}  {}", s.name, plural(nodes), plural(gpus), s.title);
    }
    out
}

fn plural(n: u64) -> &'static str {
    if n == 1 { " " } else { "s" }
}
