//! Estimates against measurements: errors per id and band, overall with each id counting once, and the worst rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::predict::{Open, Prediction, cases, question};
use super::stats::{Band, median, quantile};
use super::table::TableRow;
use crate::cost::{Params, Prepared};
use crate::parts::Catalogue;
use crate::question::Group;
use crate::units::{Bandwidth, Bytes, Share, Time};

/// Errors of time and busbw in one band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandError {
    /// Rows.
    pub rows: usize,
    /// Median signed error of time: above zero the estimate is too slow.
    pub signed: Share,
    /// Median absolute error of time.
    pub time: Share,
    /// 90 % point of the absolute error of time.
    pub time_p90: Share,
    /// Median absolute error of busbw.
    pub busbw: Share,
    /// 90 % point of the absolute error of busbw.
    pub busbw_p90: Share,
}

/// One id of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct IdReport {
    /// The id.
    pub id: String,
    /// The system it is compared with.
    pub system: String,
    /// Whether its notes say that the machine was degraded; such ids do not count in the overall figures.
    pub degraded: bool,
    /// Errors per band, smallest first; `None` where the id has no rows.
    pub bands: [Option<BandError>; 5],
}

/// All ids of one band together, each counting once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overall {
    /// The band.
    pub band: Band,
    /// Ids with rows in it.
    pub ids: usize,
    /// Median over ids of their median absolute error of time.
    pub median: Share,
    /// 90 % point over ids of the same.
    pub p90: Share,
    /// Median over ids of their median signed error of time.
    pub bias: Share,
    /// Share of rows whose measured time lies in the range.
    pub inside: Share,
    /// Median width of the range, high over low.
    pub width: Share,
}

/// A row that the model gets wrong, with the most likely reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Worst {
    /// The id.
    pub id: String,
    /// Size.
    pub size: Bytes,
    /// Measured time.
    pub measured: Time,
    /// Estimated time.
    pub estimated: Time,
    /// Why, in a clause.
    pub reason: String,
}

/// The whole comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Every id.
    pub ids: Vec<IdReport>,
    /// Every band, smallest first; bands without rows are left out.
    pub overall: Vec<Overall>,
    /// The worst rows, at most one per id and band.
    pub worst: Vec<Worst>,
    /// The estimate for every row, in the table's order.
    pub predictions: Vec<Option<Prediction>>,
}

/// Compares a table with the model. The error names a system or an edit that does not work.
pub fn validate(rows: &[TableRow], open: Open<'_>, catalogue: &Arc<Catalogue>) -> Result<Report, String> {
    let params = Params::default();
    let mut predictions: Vec<Option<Prediction>> = vec![None; rows.len()];
    let mut reasons: Vec<String> = vec![String::new(); rows.len()];
    for case in cases(rows)? {
        let system = case.system(open, catalogue)?;
        for (i, p) in case.rows.iter().zip(case.predict(&system, &params, rows)) {
            if let Some(cell) = predictions.get_mut(*i) {
                *cell = p;
            }
        }
        let Ok(who) = Prepared::participants(&system, Group::All) else { continue };
        let prepared = Prepared::new(&system, &who);
        for i in &case.rows {
            let (Some(row), Some(reason)) = (rows.get(*i), reasons.get_mut(*i)) else { continue };
            *reason = likely(row, predictions.get(*i).copied().flatten(), &prepared);
        }
    }
    Ok(report(rows, &predictions, &reasons))
}

/// The same statistics for times that were predicted elsewhere (for example with the row's machine left out of a fit);
/// the ranges are those of the estimates given.
pub fn overall(rows: &[TableRow], predictions: &[Option<Prediction>]) -> Vec<Overall> {
    let ids = by_id(rows, predictions);
    Band::ALL.iter().filter_map(|b| band_overall(*b, &ids)).collect()
}

type Pair<'a> = (&'a TableRow, Prediction);

fn by_id<'a>(rows: &'a [TableRow], predictions: &[Option<Prediction>]) -> BTreeMap<&'a str, Vec<Pair<'a>>> {
    let mut ids: BTreeMap<&str, Vec<Pair<'_>>> = BTreeMap::new();
    for (row, p) in rows.iter().zip(predictions) {
        if let (Some(p), false) = (p, row.is_warm_up()) {
            ids.entry(row.id.as_str()).or_default().push((row, *p));
        }
    }
    ids
}

fn report(rows: &[TableRow], predictions: &[Option<Prediction>], reasons: &[String]) -> Report {
    let ids = by_id(rows, predictions);
    let one = |(id, pairs): (&&str, &Vec<Pair<'_>>)| IdReport {
        id: (*id).to_owned(),
        system: pairs.first().map_or(String::new(), |(r, _)| r.system.clone()),
        degraded: pairs.iter().any(|(r, _)| r.is_degraded()),
        bands: Band::ALL.map(|b| band_error(pairs, b)),
    };
    Report {
        ids: ids.iter().map(one).collect(),
        overall: Band::ALL.iter().filter_map(|b| band_overall(*b, &ids)).collect(),
        worst: worst(rows, predictions, reasons),
        predictions: predictions.to_vec(),
    }
}

fn time_error((row, p): &Pair<'_>) -> Share {
    Share::new((p.time / row.time()).ratio() - 1.0)
}

fn busbw_error((row, p): &Pair<'_>) -> Share {
    Share::new((row.time() / p.time).ratio() - 1.0)
}

fn absolute(values: &[Share]) -> Vec<Share> {
    values.iter().map(|v| Share::new(v.ratio().abs())).collect()
}

fn band_error(pairs: &[Pair<'_>], band: Band) -> Option<BandError> {
    let here: Vec<&Pair<'_>> = pairs.iter().filter(|(r, _)| Band::of(r.size) == band).collect();
    let time: Vec<Share> = here.iter().map(|p| time_error(p)).collect();
    let busbw: Vec<Share> = absolute(&here.iter().map(|p| busbw_error(p)).collect::<Vec<_>>());
    Some(BandError {
        rows: here.len(),
        signed: median(&time)?,
        time: median(&absolute(&time))?,
        time_p90: quantile(&absolute(&time), 0.9)?,
        busbw: median(&busbw)?,
        busbw_p90: quantile(&busbw, 0.9)?,
    })
}

fn band_overall(band: Band, ids: &BTreeMap<&str, Vec<Pair<'_>>>) -> Option<Overall> {
    let healthy: Vec<&Vec<Pair<'_>>> = ids.values().filter(|p| !p.iter().any(|(r, _)| r.is_degraded())).collect();
    let errors: Vec<BandError> = healthy.iter().filter_map(|p| band_error(p, band)).collect();
    let medians: Vec<Share> = errors.iter().map(|e| e.time).collect();
    let here = || healthy.iter().flat_map(|p| p.iter()).filter(|(r, _)| Band::of(r.size) == band);
    let inside = here().filter(|(r, p)| p.low <= r.time() && r.time() <= p.high).count();
    let widths: Vec<Share> = here().map(|(_, p)| p.high / p.low).collect();
    Some(Overall {
        band,
        ids: errors.len(),
        median: median(&medians)?,
        p90: quantile(&medians, 0.9)?,
        bias: median(&errors.iter().map(|e| e.signed).collect::<Vec<_>>())?,
        inside: Share::new(inside as f64 / widths.len().max(1) as f64),
        width: median(&widths)?,
    })
}

fn worst(rows: &[TableRow], predictions: &[Option<Prediction>], reasons: &[String]) -> Vec<Worst> {
    let mut best: BTreeMap<(&str, Band), (f64, Worst)> = BTreeMap::new();
    for ((row, p), reason) in rows.iter().zip(predictions).zip(reasons) {
        let Some(p) = p.filter(|_| !row.is_degraded()) else { continue };
        let size = (p.time / row.time()).ratio().ln().abs();
        let key = (row.id.as_str(), Band::of(row.size));
        if best.get(&key).is_none_or(|b| b.0 < size) {
            let w = Worst {
                id: row.id.clone(),
                size: row.size,
                measured: row.time(),
                estimated: p.time,
                reason: reason.clone(),
            };
            best.insert(key, (size, w));
        }
    }
    let mut list: Vec<(f64, Worst)> = best.into_values().collect();
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    list.into_iter().map(|(_, w)| w).collect()
}

/// The most likely reason of an error: another choice of the library that fits, else what the band is governed by.
fn likely(row: &TableRow, p: Option<Prediction>, prepared: &Prepared<'_>) -> String {
    let Some(p) = p else { return "the model finds no way to do it".to_owned() };
    let off = (p.time / row.time()).ratio();
    if row.is_warm_up() {
        return "a warm-up row: the first call pays for connections".to_owned();
    }
    if (off - 1.0).abs() < 0.1 {
        return String::new();
    }
    let answer = prepared.answer(&question(row));
    let candidates = answer.estimate().map_or(&[][..], |e| &e.candidates);
    let other = candidates.iter().skip(1).find(|c| ((c.time() / row.time()).ratio() - 1.0).abs() < 0.1);
    if let Some(c) = other.filter(|_| off < 1.0) {
        return format!("{} {} would take {}: the library seems to have chosen it", c.algorithm, c.protocol, c.time());
    }
    reason_of_band(Band::of(row.size), off, row.busbw())
}

fn reason_of_band(band: Band, off: f64, busbw: Bandwidth) -> String {
    match (band, off < 1.0) {
        (Band::Tiny, true) => "a slower host: launch and step latency of that machine".to_owned(),
        (Band::Tiny, false) => "a quicker host: launch and step latency of that machine".to_owned(),
        (Band::Small | Band::Middle, true) => "a slower ramp: smaller chunks or fewer channels than assumed".to_owned(),
        (Band::Small | Band::Middle, false) => "a quicker ramp than assumed".to_owned(),
        (Band::Large | Band::Huge, true) => format!("a link below the catalogue's rate: {busbw} busbw was reached"),
        (Band::Large | Band::Huge, false) => "links above the catalogue's usable rate".to_owned(),
    }
}
