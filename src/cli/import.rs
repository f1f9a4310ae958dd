//! `icx-tui import`: what a machine printed -> a system and a report.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde_json::json;

use super::Output;
use super::args::{ImportArgs, TextOrJson};
use super::source;
use crate::import::{self, Imported, several};
use crate::preset;

/// Imports a file.
pub fn run(a: &ImportArgs) -> Result<Output> {
    let text = source::read(&a.file)?;
    let fabric = a.fabric.as_deref().map(source::read).transpose()?;
    let options =
        import::Options { gpu: a.gpu.as_deref(), nodes: a.nodes, fabric: fabric.as_deref(), name: a.name.as_deref() };
    let imported = import::import(&text, &options, preset::catalogue()).map_err(|e| {
        let file = a.fabric.as_ref().filter(|_| e.of_fabric).unwrap_or(&a.file);
        anyhow::anyhow!("{}", e.in_file(file))
    })?;
    if let Some(path) = &a.output {
        std::fs::write(path, preset::spec_to_ron(&imported.spec)).with_context(|| path.clone())?;
    }
    Ok(Output::fine(match a.format {
        TextOrJson::Text => report(&imported, a.output.as_deref()),
        TextOrJson::Json => format!(
            "{}\n",
            serde_json::to_string_pretty(&json!({
                "kind": imported.kind, "title": imported.spec.title, "report": imported.report,
            }))?
        ),
    }))
}

fn report(i: &Imported, written: Option<&str>) -> String {
    let n = i.report.counts;
    let mut out = format!("{}: {}\n", i.kind.title(), i.spec.title);
    let _ = writeln!(
        out,
        "{}, {}, {} per unit, {}\n",
        several(n.gpus, "GPU"),
        several(n.nics, "NIC"),
        several(n.links, "link bundle"),
        several(n.units, "unit"),
    );
    let _ = write!(out, "{}", i.report);
    match written {
        Some(path) => {
            let _ = writeln!(out, "written to {path}");
        }
        None => out.push_str("-o system.ron writes it to a file\n"),
    }
    out
}
