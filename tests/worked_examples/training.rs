//! Section E: what it means for a training step.

use icx_tui::preset;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::system::Tier;
use icx_tui::units::{Bandwidth, Bytes, Time};

use super::machine::{Ideal, flat, line, node, shipped};
use super::row::Verdict::{Differs, Same};
use super::row::{ENGINEERING, Row, SCALING, TRAINING, Value, gb, ms};
use super::tiers::{least, pod};

const AR: Collective = Collective::AllReduce;

/// Section E.
pub fn rows() -> Vec<Row> {
    let mut rows = gradients();
    rows.extend(overlap());
    rows.extend(tokens());
    rows.extend(three_ways());
    rows.extend(one_or_many());
    rows
}

fn gradients() -> Vec<Row> {
    // Two billion gradients in fp32.
    let all = gb(8.0);
    let inside = |rate| node(8, 0.0, rate).ring(AR, all, Group::All);
    // One NIC for the eight GPUs of a node.
    let across = |rate: f64| {
        let m = Ideal { gpus: 8, nodes: 4, nic: rate / 8.0, ..node(8, 0.0, 450.0) };
        Ideal { step_nic: 0.0, ..m }.ring(AR, all, Group::All)
    };
    let row = |id, what, theirs, ours, verdict| Row {
        id,
        what,
        source: ENGINEERING,
        theirs: ms(theirs),
        ours: Value::Time(ours),
        how: "ring at line rate",
        verdict,
    };
    let twice = Differs(
        "counts twice the gradients; a ring of 8 moves 2 x 7/8 of them. Hidden behind 420 ms of compute either way",
    );
    vec![
        row("E1", "gradients of 2 billion parameters in fp32 on 8 A100", 53.0, inside(300.0), twice),
        row("E2", "the same on 8 H100", 35.0, inside(450.0), twice),
        row(
            "E3",
            "on 4 nodes with one 200 Gb/s port each: longer than 420 ms of compute",
            640.0,
            across(25.0),
            Same(0.04),
        ),
        row("E4", "with one 400 Gb/s port: hidden", 320.0, across(50.0), Same(0.04)),
        row("E5", "with 80 % of that port", 400.0, across(40.0), Same(0.04)),
    ]
}

fn overlap() -> Vec<Row> {
    let (compute, comm) = (Time::from_us(2e6), Time::from_us(6e5));
    let step = compute + comm * 0.2;
    let plain = compute + comm;
    let row = |id, what, theirs, ours| Row {
        id,
        what,
        source: TRAINING,
        theirs,
        ours,
        how: "sum of what is not hidden",
        verdict: Same(0.005),
    };
    vec![
        row(
            "E6",
            "2000 ms of compute, 600 ms of communication, 80 % of it hidden: the step",
            ms(2120.0),
            Value::Time(step),
        ),
        row("E7", "faster than without overlap by", Value::Times(1.23), Value::Times(plain.us() / step.us())),
        row("E8", "with all of it hidden", Value::Times(1.30), Value::Times(plain.us() / compute.us())),
    ]
}

/// Tokens per GPU below which the reduction of the gradients takes longer than their computation.
fn tokens() -> Vec<Row> {
    let flops = preset::catalogue().gpu("h100-sxm").ok().and_then(|g| g.tflops.clone());
    let flops = flops.unwrap_or_else(|| panic!("no rate for the H100")).is * 1e12;
    let at = |rate: Bandwidth| Value::Count(flops / (rate.gbytes_per_s() * 1e9));
    let scatter = |nodes| gb(1.0) / least(&pod(nodes), Collective::ReduceScatter, Group::All, gb(1.0));
    let nvlink = line("dgx-h100", Tier::ScaleUp);
    let node_nics = pod(8).fabric.map_or(Bandwidth::ZERO, |f| f.port_rate * f64::from(f.nics_per_node));
    let row = |id, what, theirs, ours, how, verdict| Row {
        id,
        what,
        source: SCALING,
        theirs: Value::Count(theirs),
        ours,
        how,
        verdict,
    };
    vec![
        row(
            "E9",
            "tokens per GPU that hide data parallelism inside an H100 node",
            2200.0,
            at(nvlink),
            "matrix rate over NVLink, both from the catalogue",
            Same(0.005),
        ),
        row(
            "E10",
            "across many nodes",
            2475.0,
            at(scatter(128)),
            "matrix rate over the bound of a reduce-scatter on 128 nodes",
            Same(0.01),
        ),
        row(
            "E11",
            "across two nodes: half",
            2475.0 / 2.0,
            at(scatter(2)),
            "the same on 2 nodes",
            Differs(
                "the NICs of two nodes would do for 800 GB/s, but then the links inside a node are the narrower tier: what a GPU takes in over NVLink binds",
            ),
        ),
        row(
            "E12",
            "most tensor parallelism for F = 28672",
            14.4,
            Value::Count(28_672.0 * nvlink.gbytes_per_s() * 1e9 / flops),
            "F over E9",
            Differs("divides by 1995 where it has found 2200 itself; the conclusion, 8, stays"),
        ),
        row(
            "E13",
            "tokens per GPU with 8 pipeline stages over 8 nodes",
            309.0,
            at(node_nics * 8.0),
            "matrix rate over the NICs of 8 nodes",
            Same(0.005),
        ),
    ]
}

/// 70 billion parameters on 512 GPUs: tensor, pipeline and data parallelism of 8 each.
fn three_ways() -> Vec<Row> {
    let activation = gb(0.064);
    let tensor = node(8, 1.0, 300.0).ring(AR, activation, Group::All) * (80.0 * 4.0);
    let between = flat(8, 5.0, 50.0);
    let pipeline = flat(2, 5.0, 50.0).shift(activation) * (8.0 * 2.0);
    let gradients = Bytes::new(70e9 * 2.0 / 64.0);
    let data = between.ring(AR, gradients, Group::All);
    let row = |id, what, theirs, ours, how, verdict| Row {
        id,
        what,
        source: TRAINING,
        theirs: ms(theirs),
        ours: Value::Time(ours),
        how,
        verdict,
    };
    let split = Differs(
        "17.5 GB per group forgets that a pipeline stage has an eighth of the layers: a rank has 2.19 GB of gradients",
    );
    vec![
        row(
            "E14",
            "70B on 512 GPUs, 8 x 8 x 8, per step: tensor parallelism",
            123.0,
            tensor,
            "320 rings in an ideal box",
            Same(0.01),
        ),
        row("E15", "pipeline parallelism", 20.5, pipeline, "16 sends", Same(0.01)),
        row("E16", "data parallelism", 612.6, data, "ring of 8 ideal ranks", split),
        row("E17", "all three", 757.0, tensor + pipeline + data, "their sum", split),
    ]
}

fn one_or_many() -> Vec<Row> {
    let busbw = |size| Value::Rate(shipped("hgx-h200", &[], &Question::new(AR, size)).busbw());
    let gbits = |v| Value::Rate(Bandwidth::from_gbits_per_s(v));
    let row = |id, what, theirs, ours, verdict| Row {
        id,
        what,
        source: ENGINEERING,
        theirs,
        ours,
        how: "the shipped 8x H200",
        verdict,
    };
    vec![
        row(
            "E18",
            "busbw of one all-reduce of 4 GB on 8 H200 (printed: 3723 Gb/s)",
            gbits(3723.0),
            busbw(gb(4.0)),
            Same(0.05),
        ),
        row("E19", "busbw of 4 MB calls (printed: 1146 Gb/s)", gbits(1146.0), busbw(gb(0.004)), Same(0.35)),
    ]
}
