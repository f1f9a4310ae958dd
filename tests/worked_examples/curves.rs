//! Section F: published curves, our estimate beside each point.

use icx_tui::question::{Collective, Question};
use icx_tui::units::{Bytes, Time};

use super::machine::shipped;
use super::row::{Value, gbs};

/// A curve of all-reduce on one machine.
pub struct Curve {
    /// What was measured.
    pub title: &'static str,
    /// The shipped system that stands for it, and edits.
    pub system: (&'static str, &'static [&'static str]),
    /// What the figures are.
    pub figures: Figures,
    /// Sizes in KiB and the published figure.
    pub points: &'static [(u32, f64)],
    /// What the reader should know.
    pub remark: &'static str,
}

/// What a curve lists.
#[derive(Debug, Clone, Copy)]
pub enum Figures {
    /// Microseconds.
    Times,
    /// GB/s of bus bandwidth.
    Busbw,
}

const MIB: u32 = 1024;
const GIB: u32 = 1024 * 1024;

/// The curves.
pub static CURVES: [Curve; 4] = [
    Curve {
        title: "8x A100, time",
        system: ("dgx-a100", &[]),
        figures: Figures::Times,
        points: &[
            (32, 43.8),
            (128, 51.8),
            (MIB, 101.9),
            (8 * MIB, 133.5),
            (64 * MIB, 685.0),
            (256 * MIB, 2421.0),
            (GIB, 8204.0),
            (16 * GIB, 127_997.0),
        ],
        remark: "the 101.9 us at 1 MiB is out of line with its neighbours: 8 MiB take only a third longer",
    },
    Curve {
        title: "8x H200, busbw",
        system: ("hgx-h200", &[]),
        figures: Figures::Busbw,
        points: &[
            (32, 1.4),
            (256, 11.7),
            (MIB, 39.9),
            (4 * MIB, 107.0),
            (16 * MIB, 220.0),
            (32 * MIB, 276.0),
            (64 * MIB, 347.0),
            (256 * MIB, 436.0),
            (GIB, 464.0),
            (16 * GIB, 482.0),
        ],
        remark: "",
    },
    Curve {
        title: "8x B200, busbw",
        system: ("dgx-b200", &[]),
        figures: Figures::Busbw,
        points: &[
            (MIB, 36.0),
            (16 * MIB, 255.0),
            (32 * MIB, 326.0),
            (128 * MIB, 568.0),
            (512 * MIB, 689.0),
            (GIB, 723.0),
            (16 * GIB, 846.0),
        ],
        remark: "",
    },
    Curve {
        title: "4 nodes of 8x B200 with EFA, busbw",
        system: ("aws-p6-b200", &["set nodes = 4"]),
        figures: Figures::Busbw,
        points: &[
            (MIB, 5.4),
            (16 * MIB, 64.0),
            (32 * MIB, 91.0),
            (128 * MIB, 198.0),
            (512 * MIB, 327.0),
            (GIB, 362.0),
            (16 * GIB, 382.0),
        ],
        remark: "none of the model's rows is of this transport on four nodes",
    },
];

impl Curve {
    /// Size, published figure, ours.
    pub fn rows(&self) -> Vec<(Bytes, Value, Value)> {
        let (name, edits) = self.system;
        let at = |(kib, figure): &(u32, f64)| {
            let size = Bytes::new(f64::from(*kib) * 1024.0);
            let e = shipped(name, edits, &Question::new(Collective::AllReduce, size));
            match self.figures {
                Figures::Times => (size, Value::Time(Time::from_us(*figure)), Value::Time(e.time)),
                Figures::Busbw => (size, gbs(*figure), Value::Rate(e.busbw())),
            }
        };
        self.points.iter().map(at).collect()
    }
}
