//! The JSON that nccl-tests writes with `-J`.

use serde::Deserialize;

use super::text::{program, version_of_code};
use super::{Known, Log, MeasureError, Row, Sample, Test};
use crate::units::{Bandwidth, Bytes, Time};

/// The parts of the file that are used; the rest is passed over.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    args: Vec<Option<String>>,
    #[serde(default)]
    env: Vec<Option<String>>,
    #[serde(default)]
    nccl_version: Option<u32>,
    #[serde(default)]
    config: Config,
    results: Vec<Entry>,
    #[serde(default)]
    end_time: Option<String>,
}

#[derive(Default, Deserialize)]
struct Config {
    #[serde(default)]
    nthreads: Option<u32>,
    #[serde(default)]
    ngpus: Option<u32>,
    #[serde(default)]
    devices: Vec<Device>,
}

#[derive(Deserialize)]
struct Device {
    rank: u32,
    #[serde(default)]
    hostname: Option<String>,
    #[serde(default, rename = "device_info")]
    gpu: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    size: u64,
    #[serde(default)]
    count: Option<u64>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    redop: Option<String>,
    #[serde(default)]
    root: Option<String>,
    #[serde(default)]
    out_of_place: Option<Block>,
    #[serde(default)]
    in_place: Option<Block>,
}

/// Figures may be null, or the text `nan`.
#[derive(Deserialize)]
struct Block {
    #[serde(default, alias = "cpu_time")]
    time: serde_json::Value,
    #[serde(default)]
    alg_bw: serde_json::Value,
    #[serde(default)]
    bus_bw: serde_json::Value,
    #[serde(default)]
    nwrong: serde_json::Value,
}

/// Reads the file.
pub(super) fn read(text: &str, file: &str) -> Result<Log, MeasureError> {
    let data: File = serde_json::from_str(text).map_err(|e| {
        let reason = e.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        MeasureError::at(
            file,
            e.line().max(1),
            format!("not the JSON of nccl-tests: {reason}; expected results: [{{size, out_of_place, in_place}}]"),
        )
    })?;
    let mut test = about(&data);
    for entry in &data.results {
        let (out_of_place, in_place) =
            (entry.out_of_place.as_ref().and_then(sample), entry.in_place.as_ref().and_then(sample));
        if out_of_place.is_none() && in_place.is_none() {
            continue;
        }
        let element = entry.kind.as_deref().and_then(super::line::element_bytes);
        let elements = entry.count.zip(element);
        test.rows.push(Row { line: 0, size: Bytes::from_u64(entry.size), elements, out_of_place, in_place });
        let root = entry.root.as_deref().and_then(|r| r.trim().parse().ok());
        super::infer::operation(&mut test, entry.redop.as_deref(), root);
    }
    if test.rows.is_empty() {
        return Err(MeasureError::whole(file, "the results have no row with a time"));
    }
    Ok(Log { tests: vec![test], remarks: Vec::new(), ways: super::Ways::default() })
}

fn about(data: &File) -> Test {
    let collective = data.args.first().and_then(|a| program(a.as_deref()?));
    let devices = &data.config.devices;
    // Built without MPI the file lists the first device only: then its ranks are not known.
    let ranks = devices.iter().map(|d| d.rank + 1).max().filter(|_| devices.len() > 1);
    let hosts: std::collections::BTreeSet<&String> = devices.iter().filter_map(|d| d.hostname.as_ref()).collect();
    let forced = data.env.iter().flatten().filter_map(|e| {
        let (key, value) = e.split_once('=')?;
        matches!(key, "NCCL_ALGO" | "NCCL_PROTO").then(|| (key.to_owned(), value.to_owned()))
    });
    Test {
        line: 1,
        collective,
        collective_from: if collective.is_some() { Known::Said } else { Known::No },
        ranks,
        ranks_from: if ranks.is_some() { Known::Said } else { Known::No },
        hosts: ranks.and_then(|_| u32::try_from(hosts.len()).ok()).filter(|n| *n > 0),
        gpu: devices.first().and_then(|d| d.gpu.clone()),
        gpus_per_process: data.config.ngpus,
        threads: data.config.nthreads,
        library: data.nccl_version.and_then(version_of_code),
        forced: forced.collect(),
        complete: data.end_time.is_some(),
        ..Test::default()
    }
}

fn sample(block: &Block) -> Option<Sample> {
    let time = block.time.as_f64().filter(|t| t.is_finite() && *t > 0.0)?;
    Some(Sample {
        time: Time::from_us(time),
        algbw: Bandwidth::from_gbytes_per_s(block.alg_bw.as_f64()?),
        busbw: Bandwidth::from_gbytes_per_s(block.bus_bw.as_f64()?),
        wrong: block.nwrong.as_f64(),
    })
}
