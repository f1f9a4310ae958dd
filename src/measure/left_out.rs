//! The honest test: for every row of the published table the time that the model predicts after a fit in which the row's
//! own machine was left out. `cargo run --release --example fit` writes them.

use super::predict::Prediction;
use super::table::TableRow;
use super::validate::{Overall, overall};
use super::{MeasureError, stats::Band};
use crate::units::Time;

/// The times that come with the program, as CSV, in the order of the published table.
pub const PUBLISHED: &str = include_str!("../../data/left_out.csv");

/// Its name in messages.
pub const PUBLISHED_NAME: &str = "data/left_out.csv";

/// Reads the times for the rows of the table. They must be in the table's order, row by row.
pub fn read(text: &str, file: &str, rows: &[TableRow]) -> Result<Vec<Time>, MeasureError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut times = Vec::with_capacity(rows.len());
    for (i, record) in reader.records().enumerate() {
        let line = i + 2;
        let fail = |what: String| MeasureError { file: file.to_owned(), line: Some(line), column: None, message: what };
        let record = record.map_err(|e| fail(e.to_string()))?;
        let row = rows.get(i).ok_or_else(|| fail("more rows than the table has".to_owned()))?;
        let (id, size) = (record.get(0).unwrap_or(""), record.get(1).unwrap_or(""));
        if id != row.id || size != row.size.to_u64().to_string() {
            return Err(fail(format!("{id} {size}, but the table has {} {} here", row.id, row.size.to_u64())));
        }
        let us: f64 = record.get(2).and_then(|t| t.parse().ok()).ok_or_else(|| fail("no time".to_owned()))?;
        times.push(Time::from_us(us));
    }
    if times.len() == rows.len() {
        Ok(times)
    } else {
        Err(MeasureError {
            file: file.to_owned(),
            line: None,
            column: None,
            message: format!("{} rows, but the table has {}", times.len(), rows.len()),
        })
    }
}

/// Errors of these times per band, with the ranges that the estimates have.
pub fn errors(rows: &[TableRow], times: &[Time], predictions: &[Option<Prediction>]) -> Vec<Overall> {
    let one = |(t, p): (&Time, &Option<Prediction>)| {
        p.map(|p| Prediction { time: *t, low: *t * (p.low / p.time), high: *t * (p.high / p.time), ..p })
    };
    let left: Vec<Option<Prediction>> = times.iter().zip(predictions).map(one).collect();
    overall(rows, &left)
}

/// The errors of one band.
pub fn of_band(list: &[Overall], band: Band) -> Option<&Overall> {
    list.iter().find(|o| o.band == band)
}
