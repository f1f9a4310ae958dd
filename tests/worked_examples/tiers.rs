//! Section D: two tiers and more.

use icx_tui::cost::bound;
use icx_tui::question::{Collective, Group, Question};
use icx_tui::system::{Algorithm, LeafIx, System, Tier};
use icx_tui::units::{Bytes, Time};

use super::machine::{Ideal, edited, flat, node};
use super::row::Verdict::{Differs, Same};
use super::row::{ENGINEERING, FIELD, Row, SCALING, TRAINING, Value, gb, gbs, ms, percent, us};

const POD: &str = "dgx-h100-superpod";
const AR: Collective = Collective::AllReduce;
const AG: Collective = Collective::AllGather;
const RS: Collective = Collective::ReduceScatter;

/// Section D.
pub fn rows() -> Vec<Row> {
    let mut rows = levels();
    rows.extend(non_blocking());
    rows.extend(two_levels());
    rows.extend(oversubscribed());
    rows.extend(sharded());
    rows.extend(tensor());
    rows
}

/// The least time of a collective on a shipped system.
pub fn least(system: &System, collective: Collective, group: Group, size: Bytes) -> Time {
    let who = group.participants(system).unwrap_or_else(|e| panic!("{e}"));
    bound(system, &who, collective, size)
}

/// So many nodes of the pod.
pub fn pod(nodes: u32) -> System {
    edited(POD, &[&format!("set nodes = {nodes}")])
}

fn levels() -> Vec<Row> {
    let gathered = |time: Time| Value::Rate(gb(1.0) / time);
    let ring = |m: Ideal| gathered(m.ring(AG, gb(1.0), Group::All));
    let bound = |nodes| gathered(least(&pod(nodes), AG, Group::All, gb(1.0)));
    let row = |id, what, theirs, ours, how| Row {
        id,
        what,
        source: SCALING,
        theirs: gbs(theirs),
        ours,
        how,
        verdict: Same(0.002),
    };
    vec![
        row(
            "D1",
            "all-gather rate in a node of a 1024-H100 pod: 8 x 450",
            514.0,
            ring(node(8, 0.0, 450.0)),
            "ring on an ideal box",
        ),
        row("D2", "at the leaves: 32 nodes of 400", 413.0, bound(32), "bound of 32 nodes of the shipped pod"),
        row(
            "D3",
            "at the spines: 4 units of 12.8 TB/s",
            17_067.0,
            ring(flat(4, 0.0, 12_800.0)),
            "ring of four ideal units",
        ),
        Row {
            verdict: Differs(
                "level by level only 31/32 of the array comes in at the leaves; but what comes from other units enters \
                 by the same eight NICs, so a node takes in 127/128 of it",
            ),
            ..row("D4", "the whole pod: the least of the three", 413.0, bound(128), "bound of the shipped pod")
        },
    ]
}

fn non_blocking() -> Vec<Row> {
    let system = pod(128);
    let f = system.fabric.as_ref().unwrap_or_else(|| panic!("{POD} has no fabric"));
    let (planes, under) = (f64::from(f.planes()), f64::from(f.leaf_nodes));
    let spine = f.levels().into_iter().nth(1).unwrap_or_else(|| panic!("{POD} has no spines"));
    let row = |id, what, ours| Row {
        id,
        what,
        source: SCALING,
        theirs: gbs(400.0),
        ours: Value::Rate(ours),
        how: "ports of the shipped pod",
        verdict: Same(0.001),
    };
    vec![
        row("D5", "is the pod of four units non-blocking? NICs of a node", f.port_rate * f64::from(f.nics_per_node)),
        row("D6", "uplinks of a unit's leaves, per node", f.leaf_uplink(LeafIx(0)) * planes / under),
        row("D7", "ports of the spines, per node", f.port_rate * f64::from(spine.count * spine.down) / f.nodes as f64),
    ]
}

/// The three phases of a hierarchical all-reduce: inside, between nodes, inside again.
struct Phases {
    inside: Time,
    between: Time,
}

impl Phases {
    fn of(m: Ideal, size: Bytes) -> Self {
        let shard = size / f64::from(m.gpus);
        let inside = m.ring(RS, size, Group::Node) + m.ring(AG, size, Group::Node);
        Self { inside, between: m.ring(AR, shard, Group::Rail) }
    }

    fn sum(&self) -> Time {
        self.inside + self.between
    }
}

const EIGHT_BY_EIGHT: Ideal =
    Ideal { gpus: 8, nodes: 8, inside: 300.0, step_inside: 1.0, nic: 50.0, step_nic: 5.0, oversubscription: 1.0 };

/// Why their flat ring is slow.
const ONE_NIC: &str = "their flat ring has one NIC for all eight GPUs of a node; libraries run a ring per NIC, so each \
                       carries an eighth";

fn two_levels() -> Vec<Row> {
    let p = Phases::of(EIGHT_BY_EIGHT, gb(2.0));
    let flat_ring = EIGHT_BY_EIGHT.ring(AR, gb(2.0), Group::All);
    let row = |id, what, theirs, ours, how, verdict| Row {
        id,
        what,
        source: TRAINING,
        theirs: ms(theirs),
        ours: Value::Time(ours),
        how,
        verdict,
    };
    let phases = "reduce-scatter and all-gather in nodes, all-reduce on rails, on an ideal cluster";
    vec![
        row(
            "D8",
            "all-reduce of 2 GB, 8x8 GPUs, 300 GB/s and 1 us inside, 50 and 5 us between: inside",
            11.62,
            p.inside,
            phases,
            Same(0.01),
        ),
        row("D9", "between nodes", 8.82, p.between, phases, Same(0.001)),
        row("D10", "one after the other", 20.44, p.sum(), phases, Same(0.005)),
        row("D11", "fully overlapped: the longer of the two", 11.7, p.inside.max(p.between), phases, Same(0.005)),
        row(
            "D12",
            "a flat ring instead",
            79.38,
            flat_ring,
            "ring over all ranks on the same cluster",
            Differs(ONE_NIC),
        ),
        Row {
            theirs: Value::Size(gb(6.0)),
            ours: Value::Size(crossing_link()),
            ..row(
                "D13",
                "2 nodes of 2 GPUs, flat ring of 1 GB: bytes over the link between them, each way",
                0.0,
                p.sum(),
                "NIC bytes of one node",
                Differs(
                    "only one edge of a ring leaves a node each way: 2(n-1)/n of the message once, not once per GPU",
                ),
            )
        },
        Row {
            source: ENGINEERING,
            theirs: percent(9.7),
            ours: Value::Share(leaving()),
            ..row(
                "D14",
                "4 nodes of 8: share of the bytes of a hierarchical gather that leave the node",
                0.0,
                p.sum(),
                "bytes per rank by tier",
                Same(0.005),
            )
        },
    ]
}

/// Bytes that one node of two GPUs sends out in a flat ring of four.
fn crossing_link() -> Bytes {
    let m = Ideal { gpus: 2, nodes: 2, ..EIGHT_BY_EIGHT };
    sent(m, AR, gb(1.0), Group::All, Tier::ScaleOut) * 2.0
}

fn leaving() -> icx_tui::units::Share {
    let m = Ideal { nodes: 4, ..EIGHT_BY_EIGHT };
    let inside = sent(m, AG, gb(8.0), Group::Node, Tier::ScaleUp);
    let out = sent(m, AG, gb(1.0), Group::Rail, Tier::ScaleOut);
    out / (inside + out)
}

/// Bytes that one rank sends over a tier.
fn sent(m: Ideal, collective: Collective, size: Bytes, group: Group, tier: Tier) -> Bytes {
    let e = m.ask(Question { group, algorithm: Some(Algorithm::Ring), ..Question::new(collective, size) });
    e.tiers.iter().find(|t| t.tier == tier).map_or(Bytes::ZERO, |t| t.bytes_per_rank)
}

fn oversubscribed() -> Vec<Row> {
    let fast = Ideal { inside: 600.0, ..EIGHT_BY_EIGHT };
    let p = Phases::of(fast, gb(10.0));
    let tapered = Phases::of(Ideal { oversubscription: 3.0, ..fast }, gb(10.0));
    let row = |id, what, theirs, ours, how| Row {
        id,
        what,
        source: TRAINING,
        theirs: ms(theirs),
        ours: Value::Time(ours),
        how,
        verdict: Same(0.005),
    };
    let phases = "phases on an ideal cluster";
    vec![
        row("D15", "all-reduce of 10 GB, 8x8 GPUs, 600 GB/s inside, 50 between: inside", 29.2, p.inside, phases),
        row("D16", "between nodes", 43.9, p.between, phases),
        row("D17", "one after the other", 73.1, p.sum(), phases),
        row("D18", "with 3:1 oversubscription above every node", 160.9, tapered.sum(), phases),
        Row {
            verdict: Differs(ONE_NIC),
            ..row(
                "D19",
                "a flat ring instead",
                394.0,
                fast.ring(AR, gb(10.0), Group::All),
                "ring over all ranks on the same cluster",
            )
        },
    ]
}

/// An all-gather over some of the ranks of a unit of 32 nodes while the others do the same with their part.
fn sharded() -> Vec<Row> {
    let array = Bytes::new(2.0 * 8192.0 * 32768.0);
    let unit = pod(32);
    let at = |y: u32| least(&unit, AG, Group::Strided { stride: y, count: 256 / y }, array / f64::from(y));
    let row = |id, what, theirs: f64, ours, verdict| Row {
        id,
        what,
        source: SCALING,
        theirs: us(theirs),
        ours: Value::Time(ours),
        how: "bound of 32 nodes, groups with that stride",
        verdict,
    };
    let inside = array.get() * 31.0 / 32.0 / 400e3;
    vec![
        row(
            "D20",
            "all-gather over 64 ranks of a unit, array split over 4 more: 2 D F x 31/32 / 400",
            inside,
            at(4),
            Same(0.001),
        ),
        row("D21", "split over 8: the same", inside, at(8), Same(0.001)),
        row(
            "D22",
            "split over 16, so over more than a node: 2 D F / (16 x 50)",
            array.get() / 16.0 / 50e3,
            at(16),
            Differs("leaves out that a rank has its own sixteenth already: 15/16 of it come in"),
        ),
    ]
}

fn tensor() -> Vec<Row> {
    let two =
        Ideal { gpus: 8, nodes: 2, inside: 450.0, step_inside: 0.0, nic: 50.0, step_nic: 0.0, oversubscription: 1.0 };
    let apart = Phases::of(two, gb(1.0)).sum();
    let together = node(16, 0.0, 450.0).ring(AR, gb(1.0), Group::All);
    let crossing = flat(2, 2.0, 50.0).shift(Bytes::new(1.0)) * 186.0;
    let row = |id, what, theirs, ours, how| Row { id, what, source: FIELD, theirs, ours, how, verdict: Same(0.01) };
    vec![
        row(
            "D23",
            "tensor parallelism of 16 over two nodes, tiers 9x apart, against one domain of 16: time for the bytes",
            Value::Times(1.53),
            Value::Times(apart.us() / together.us()),
            "phases on an ideal cluster over a ring of 16",
        ),
        row("D24", "what 186 crossings of 2 us add to a token", ms(0.37), Value::Time(crossing), "send-recv of a byte"),
    ]
}
