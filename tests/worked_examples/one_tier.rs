//! Section C: collectives on one tier.

use icx_tui::cost::Estimate;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::system::{Algorithm, Tier};
use icx_tui::units::{Bandwidth, Bytes, Time};

use super::machine::{Ideal, flat, line, node, shipped};
use super::row::Verdict::{Differs, Same};
use super::row::{ENGINEERING, Row, SCALING, Source, TRAINING, Value, gb, ms, us};

const AR: Collective = Collective::AllReduce;
/// A bf16 array of 4096 by 65536.
const ARRAY: Bytes = Bytes::new(4096.0 * 65536.0 * 2.0);

/// Section C.
pub fn rows() -> Vec<Row> {
    let mut rows = gathers();
    rows.extend(rings());
    rows.extend(crossings());
    rows.extend(in_switch());
    rows
}

fn gathers() -> Vec<Row> {
    let box8 = node(8, 0.0, 450.0);
    let real = shipped("dgx-h100", &[], &Question::new(Collective::AllGather, ARRAY));
    let row = |id, what, theirs, ours, how, verdict| Row {
        id,
        what,
        source: SCALING,
        theirs: ms(theirs),
        ours: Value::Time(ours),
        how,
        verdict,
    };
    let ideal = "ring on an ideal box";
    vec![
        row(
            "C1",
            "all-gather of bf16[4096, 65536] on 8 H100 at line rate",
            1.04,
            box8.ring(Collective::AllGather, ARRAY, Group::All),
            ideal,
            Same(0.01),
        ),
        row("C2", "the same as one measures it", 1.5, real.time, "the shipped system", Same(0.15)),
        row(
            "C3",
            "all-to-all of 8 GB in all on 8 GPUs: 7 B / (64 W)",
            7.0 * 8.0 / (64.0 * 0.45),
            box8.all_to_all(gb(1.0)),
            "every pair at once on an ideal box; nccl-tests counts one GPU's eighth",
            Same(0.01),
        ),
        row(
            "C4",
            "the same where each token goes to four of the eight: about half",
            3.5 * 8.0 / (64.0 * 0.45),
            box8.all_to_all(gb(0.5)),
            "half of the bytes",
            Same(0.01),
        ),
    ]
}

fn rings() -> Vec<Row> {
    let sixteen = flat(16, 10.0, 100.0);
    let many = flat(64, 2.0, 50.0);
    let small = many.ring(AR, gb(0.001), Group::All) * 1000.0;
    let large = many.ring(AR, gb(1.0), Group::All);
    let row = |id, what, theirs, ours, verdict| Row {
        id,
        what,
        source: TRAINING,
        theirs,
        ours,
        how: "ring on an ideal cluster",
        verdict,
    };
    vec![
        row(
            "C5",
            "all-reduce of 100 MB on 16 ranks, 10 us a step, 100 GB/s",
            ms(2.175),
            Value::Time(sixteen.ring(AR, gb(0.1), Group::All)),
            Same(0.001),
        ),
        row(
            "C6",
            "all-gather of the same",
            ms(1.09),
            Value::Time(sixteen.ring(Collective::AllGather, gb(0.1), Group::All)),
            Same(0.005),
        ),
        row("C7", "1000 gradients of 1 MB on 64 ranks, 2 us, 50 GB/s", ms(291.4), Value::Time(small), Same(0.001)),
        row("C8", "the same bytes in one call", ms(39.6), Value::Time(large), Same(0.001)),
        row(
            "C9",
            "by how much one call is faster",
            Value::Times(7.3),
            Value::Times(small.us() / large.us()),
            Same(0.01),
        ),
    ]
}

/// The smallest size at which something holds that holds from there on.
fn first_size(holds: impl Fn(Bytes) -> bool) -> Bytes {
    let (mut low, mut high) = (1.0, 1e12);
    for _ in 0..80 {
        let middle = f64::sqrt(low * high);
        if holds(Bytes::new(middle)) { high = middle } else { low = middle }
    }
    Bytes::new(high)
}

/// Where a message reaches half of the rate.
fn half_peak(m: Ideal) -> Bytes {
    first_size(|s| (s / m.shift(s)).gbytes_per_s() >= m.nic / 2.0)
}

/// Up to where a tree is faster than a ring.
fn crossing(m: Ideal, tree: impl Fn(Bytes) -> Time) -> Bytes {
    first_size(|s| m.ring(AR, s, Group::All) <= tree(s))
}

fn crossings() -> Vec<Row> {
    let (eight, more) = (flat(8, 5.0, 50.0), flat(256, 5.0, 200.0));
    // The whole message one hop after the other, down and up: 2 log2(n) calls to the next rank.
    let plain = |m: Ideal| crossing(m, |s| m.shift(s) * (2.0 * f64::from(m.nodes.ilog2())));
    let row = |id, what, theirs: f64, ours, how, verdict| Row {
        id,
        what,
        source: TRAINING,
        theirs: Value::Size(Bytes::new(theirs)),
        ours: Value::Size(ours),
        how,
        verdict,
    };
    let halves = "send-recv on two ideal ranks, searched for half of the rate";
    let searched = "ring against 2 log2(n) sends of the whole message, searched";
    vec![
        row(
            "C10",
            "message that reaches half of the rate: 2 us, 50 GB/s",
            100e3,
            half_peak(flat(2, 2.0, 50.0)),
            halves,
            Same(0.01),
        ),
        row(
            "C11",
            "the same for NVLink of an H100 with 1 us",
            900e3,
            half_peak(flat(2, 1.0, 450.0)),
            halves,
            Differs("900 GB/s adds both directions; a message goes one way, at 450"),
        ),
        row(
            "C12",
            "all-reduce size up to which a tree wins: 8 ranks, 5 us, 50 GB/s",
            0.47e6,
            plain(eight),
            searched,
            Same(0.01),
        ),
        row("C13", "the same: 256 ranks, 5 us, 200 GB/s", 35.3e6, plain(more), searched, Same(0.01)),
        row(
            "C14",
            "as C12, with the tree that libraries have",
            0.47e6,
            crossing(eight, |s| eight.tree(s)),
            "ring against the engine's double tree, searched",
            Differs(
                "their tree sends the whole message hop after hop; a pipelined double tree moves about 2 S per rank like a ring, so it stays ahead for far larger messages",
            ),
        ),
    ]
}

fn ask(name: &str, edits: &[&str], algorithm: Algorithm) -> Estimate {
    let question = Question { algorithm: Some(algorithm), ..Question::new(AR, Bytes::from_gib(8.0)) };
    shipped(name, edits, &question)
}

/// Bytes that one rank sends over the scale-up tier, as a share of the message.
fn moved(e: &Estimate) -> f64 {
    let tier = e.tiers.iter().find(|t| t.tier == Tier::ScaleUp);
    tier.map_or(0.0, |t| t.bytes_per_rank.get() / e.question.size.get())
}

fn in_switch() -> Vec<Row> {
    let (ring, nvls) = (ask("dgx-h100", &[], Algorithm::Ring), ask("dgx-h100", &[], Algorithm::Nvls));
    let rate: Bandwidth = line("dgx-h100", Tier::ScaleUp);
    let at_line = |e: &Estimate| Value::Time(gb(1.0) * moved(e) / rate);
    let gain = |name: &str| {
        let time = |a| ask(name, &[], a).time.us();
        Value::Times(time(Algorithm::Ring) / time(Algorithm::Nvls))
    };
    let wires = Value::Times(moved(&ring) / moved(&nvls));
    let row =
        |id, what, source: Source, theirs, ours, how, verdict| Row { id, what, source, theirs, ours, how, verdict };
    let counted = "bytes that a GPU sends, over the line rate";
    vec![
        row(
            "C15",
            "all-reduce of 1 GB by the switch, 8 GPUs of 450 GB/s: B / W",
            SCALING,
            us(1e6 / 450.0),
            at_line(&nvls),
            counted,
            Differs(
                "besides its data each GPU sends its eighth of the sum back into the switch: (1 + 1/n) B leave it, not B",
            ),
        ),
        row(
            "C16",
            "the same by a ring: 2 B (n-1) / n / W",
            SCALING,
            us(1e6 * 1.75 / 450.0),
            at_line(&ring),
            counted,
            Same(0.001),
        ),
        row(
            "C17",
            "what the switch should gain at 8 GPUs",
            SCALING,
            Value::Times(1.75),
            wires,
            "ring bytes over in-switch bytes",
            Differs("counts B against 1.75 B; with the eighth of C15 it is 1.125 B"),
        ),
        row(
            "C18",
            "the same by a count of the wires",
            ENGINEERING,
            Value::Times(14.0 / 9.0),
            wires,
            "ring bytes over in-switch bytes",
            Same(0.001),
        ),
        row(
            "C19",
            "what one measures on 8 H200",
            ENGINEERING,
            Value::Times(1.30),
            gain("hgx-h200"),
            "ring time over in-switch time, 8 GiB",
            Same(0.03),
        ),
        row(
            "C20",
            "what one measures on 8 B200",
            ENGINEERING,
            Value::Times(1.23),
            gain("dgx-b200"),
            "ring time over in-switch time, 8 GiB",
            Differs(
                "the ring comes out alike; by the switch this source measured more than the runs that the model was fitted on",
            ),
        ),
    ]
}
