//! How changes and counts are written.

use crate::units::{Share, significant};

/// `+88 %`, `x11` from three times on, `-` without an answer.
pub fn change(c: Option<Share>) -> String {
    match c {
        None => "-".to_owned(),
        Some(c) if c.ratio() >= 2.0 => format!("x{}", significant(c.ratio() + 1.0)),
        Some(c) if c.ratio().abs() < 0.0005 => "0 %".to_owned(),
        Some(c) if c.percent().abs() < 9.95 => format!("{:+.1} %", c.percent()),
        Some(c) => format!("{:+.0} %", c.percent()),
    }
}
