//! Sections A and B: units, single links, totals, and the arithmetic of bus bandwidth.

use icx_tui::parts::{Family, LinkKind};
use icx_tui::preset;
use icx_tui::question::Collective;
use icx_tui::system::{DeviceKind, Link, Tier};
use icx_tui::units::{Bandwidth, Bytes, Share, Time};

use super::machine::{edited, line};
use super::row::Verdict::{Differs, Same};
use super::row::{ENGINEERING, RACK, Row, SCALING, TRAINING, VENDOR, Value, gb, gbs, ms, percent};

fn rate(text: &str) -> Bandwidth {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn kind(name: &str) -> std::sync::Arc<LinkKind> {
    let all = preset::catalogue();
    all.links().find(|l| l.name == name).unwrap_or_else(|| panic!("no {name}")).clone()
}

/// Section A.
pub fn links() -> Vec<Row> {
    let mut rows = transfers();
    rows.extend(spec_sheets());
    rows.extend(measured());
    rows.extend(totals());
    rows
}

fn transfers() -> Vec<Row> {
    let weights = Bytes::new(80e9 * 4.0);
    let row = |id, what, theirs, text| Row {
        id,
        what,
        source: ENGINEERING,
        theirs: ms(theirs),
        ours: Value::Time(weights / rate(text)),
        how: "bytes over rate",
        verdict: Same(0.001),
    };
    vec![
        row("A1", "80 billion fp32 weights once over 200 Gb/s", 12_800.0, "200Gb/s"),
        row("A2", "the same over 1600 Gb/s", 1_600.0, "1600Gb/s"),
    ]
}

fn spec_sheets() -> Vec<Row> {
    let row = |id, what, theirs, name| Row {
        id,
        what,
        source: SCALING,
        theirs: gbs(theirs),
        ours: Value::Rate(line(name, Tier::ScaleUp)),
        how: "scale-up tier of the shipped system",
        verdict: Same(0.001),
    };
    vec![
        row("A3", "NVLink of an A100 per direction: 12 links of 25", 300.0, "dgx-a100"),
        row("A4", "NVLink of an H100 per direction: 18 links of 25", 450.0, "dgx-h100"),
        row("A5", "NVLink of a B200 per direction: 18 links of 50", 900.0, "dgx-b200"),
        Row {
            source: ENGINEERING,
            how: "the catalogue has rates after the line code, so nothing is left to take off",
            ..row(
                "A6",
                "the link tool of a B200 shows 18 x 53.125; after the code 0.9412 of it",
                956.25 * 0.9412,
                "dgx-b200",
            )
        },
    ]
}

fn measured() -> Vec<Row> {
    let copy = |name: &str| kind(name).copy.clone().unwrap_or_else(|| panic!("{name} has no copy share")).is;
    let pcie = kind("pcie5").line.is * 16.0;
    vec![
        Row {
            id: "A7",
            what: "an A100 measures 235 where the sheet says 600: which efficiency?",
            source: ENGINEERING,
            theirs: percent(78.0),
            ours: Value::Share(gb(235.0) / gb(line("dgx-a100", Tier::ScaleUp).gbytes_per_s())),
            how: "600 adds both directions; the measured figure over the line rate of one",
            verdict: Same(0.01),
        },
        Row {
            id: "A8",
            what: "copy between two H200 over NVLink, one way",
            source: ENGINEERING,
            theirs: gbs(396.4),
            ours: Value::Rate(line("hgx-h200", Tier::ScaleUp) * copy("nvlink4")),
            how: "line rate times the copy share of the catalogue, which was read from this very run",
            verdict: Same(0.01),
        },
        Row {
            id: "A9",
            what: "copy between an H200 and its host over PCIe 5 x16",
            source: ENGINEERING,
            theirs: gbs(55.4),
            ours: Value::Rate(pcie * copy("pcie5")),
            how: "line rate times the copy share, read from this run",
            verdict: Same(0.01),
        },
        Row {
            id: "A10",
            what: "NVLink-C2C to the GPU, one way at a time",
            source: ENGINEERING,
            theirs: gbs(359.0),
            ours: Value::Rate(kind("c2c").line.is * kind("c2c").usable.is),
            how: "line rate times usable share",
            verdict: Same(0.01),
        },
        Row {
            id: "A11",
            what: "NVLink-C2C in each direction, both at once",
            source: ENGINEERING,
            theirs: gbs(175.0),
            ours: Value::Rate(kind("c2c").line.is * kind("c2c").usable.is),
            how: "line rate times usable share",
            verdict: Differs(
                "host memory is what both directions share there; the model has no engine for the memory of a CPU, \
                 and so expects twice as much of two copies at once",
            ),
        },
    ]
}

fn totals() -> Vec<Row> {
    let h100 = edited("dgx-h100", &[]);
    let shape = &h100.classes[0].shape;
    let egress = |gpus: usize| -> Bandwidth {
        let of =
            |g| shape.around(g).iter().filter_map(|(l, _)| shape.link(*l)).filter(|l| l.kind.family == Family::Nvlink);
        shape.gpus().iter().take(gpus).flat_map(|g| of(*g)).map(Link::line_rate).sum()
    };
    let switches: f64 = shape
        .devices()
        .iter()
        .filter_map(|d| if let DeviceKind::ScaleUpSwitch(p) = &d.kind { Some(f64::from(p.ports)) } else { None })
        .sum();
    let rack = line("gb200-nvl72", Tier::ScaleUp);
    let row = |id, what, source, theirs, ours, how| Row {
        id,
        what,
        source,
        theirs: gbs(theirs),
        ours: Value::Rate(ours),
        how,
        verdict: Same(0.005),
    };
    vec![
        row(
            "A12",
            "what the four switches of an 8x H100 box could carry",
            SCALING,
            6400.0,
            kind("nvlink4").line.is * switches,
            "ports of its switches",
        ),
        row(
            "A13",
            "what its eight GPUs can send, which is less and so sets the total",
            SCALING,
            3600.0,
            egress(8),
            "links of its GPUs",
        ),
        row(
            "A14",
            "bisection of that box, both directions added",
            SCALING,
            3600.0,
            egress(4) * 2.0,
            "links of half of its GPUs, twice",
        ),
        row(
            "A15",
            "all NVLink of an NVL72, both directions added",
            VENDOR,
            129_600.0,
            rack * (72.0 * 2.0),
            "72 GPUs, twice",
        ),
        Row {
            verdict: Differs(
                "130 TB/s is the sum over all GPUs and both directions; half of the GPUs can send a quarter of that \
                 to the other half",
            ),
            ..row(
                "A16",
                "bisection of an NVL72 each way, for which 130 TB/s is often quoted",
                VENDOR,
                130_000.0,
                rack * 36.0,
                "36 GPUs, one way",
            )
        },
    ]
}

/// Section B.
pub fn busbw() -> Vec<Row> {
    let algbw = |size: Bytes, time: f64| size / Time::from_us(time * 1e3);
    let bus = |ranks| Collective::AllReduce.bus_factor(ranks);
    let nic = rate("400Gb/s");
    let row = |id, what, source, theirs, ours, how| Row { id, what, source, theirs, ours, how, verdict: Same(0.001) };
    let (slow, slower) = (algbw(gb(1.0), 50.0), algbw(gb(1.0), 80.0));
    let big = algbw(Bytes::from_gib(8.0), 20.006);
    let share = |b: Bandwidth| Value::Share(Share::new(b.gbytes_per_s() / nic.gbytes_per_s()));
    let factor = "size over time, times 2(n-1)/n";
    vec![
        row(
            "B1",
            "all-reduce of 1 GB on 8 GPUs in 50 ms: algbw",
            TRAINING,
            gbs(20.0),
            Value::Rate(slow),
            "size over time",
        ),
        row("B2", "its busbw", TRAINING, gbs(35.0), Value::Rate(slow * bus(8)), factor),
        row(
            "B3",
            "the same as a share of a 400 Gb/s port",
            TRAINING,
            percent(70.0),
            share(slow * bus(8)),
            "over 50 GB/s",
        ),
        row(
            "B4",
            "all-reduce of 1 GB on 8 GPUs in 80 ms: algbw",
            TRAINING,
            gbs(12.5),
            Value::Rate(slower),
            "size over time",
        ),
        row("B5", "its busbw", TRAINING, gbs(21.875), Value::Rate(slower * bus(8)), factor),
        row(
            "B6",
            "the same as a share of a 400 Gb/s port",
            TRAINING,
            percent(43.75),
            share(slower * bus(8)),
            "over 50 GB/s",
        ),
        row(
            "B7",
            "all-reduce of 8 GiB on 72 GPUs in 20.006 ms: algbw",
            RACK,
            gbs(429.4),
            Value::Rate(big),
            "size over time",
        ),
        row("B8", "its busbw", RACK, gbs(846.8), Value::Rate(big * bus(72)), factor),
    ]
}
