//! The JSON of `nvbandwidth -j`.

use serde::Deserialize;

use super::{Corner, Matrices, MeasureError, Remark, Rows, Title, assemble, figure};

#[derive(Deserialize)]
struct File {
    nvbandwidth: Run,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    testcases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    bandwidth_description: String,
    #[serde(default)]
    bandwidth_matrix: Vec<Vec<serde_json::Value>>,
}

/// Reads the file.
pub(super) fn read(text: &str, file: &str) -> Result<Matrices, MeasureError> {
    let data: File = serde_json::from_str(text).map_err(|e| {
        let reason = e.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        MeasureError::at(file, e.line().max(1), format!("not the JSON of nvbandwidth: {reason}"))
    })?;
    let mut all = Matrices { matrices: Vec::new(), remarks: Vec::new() };
    for case in &data.nvbandwidth.testcases {
        let mut pass = |why: &str| all.remarks.push(Remark { line: 0, text: format!("{}: {why}", case.name) });
        let Some(title) = Title::of(&case.bandwidth_description) else {
            pass(if case.status.is_empty() { "no matrix" } else { &case.status });
            continue;
        };
        let rows = rows(case, file)?;
        let width = rows.first().map_or(0, |(_, r)| r.len());
        let columns = (0..width as u32).collect();
        all.matrices.push(assemble(0, &title, Corner::None, columns, rows, file, 1)?);
    }
    Ok(all)
}

/// Figures come as text (`"276.07"`, `"N/A"`) or as numbers.
fn rows(case: &Case, file: &str) -> Result<Rows, MeasureError> {
    let width = case.bandwidth_matrix.first().map_or(0, Vec::len);
    let mut rows = Rows::new();
    for (i, row) in case.bandwidth_matrix.iter().enumerate() {
        if row.len() != width {
            let message = format!("{}: row {i} has {} figures; expected {width}", case.name, row.len());
            return Err(MeasureError::whole(file, message));
        }
        let cells: Result<Vec<Option<f64>>, String> =
            row.iter().map(|v| v.as_str().map_or_else(|| Ok(v.as_f64()), |t| figure(t.trim()))).collect();
        rows.push((i as u32, cells.map_err(|m| MeasureError::whole(file, format!("{}: {m}", case.name)))?));
    }
    Ok(rows)
}
