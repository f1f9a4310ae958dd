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

/// `1 leaf`, `16,384 NICs`.
pub fn counted(n: u64, what: &str) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    match what {
        _ if n == 1 => format!("{text} {what}"),
        "leaf" => format!("{text} leaves"),
        _ if what.ends_with("switch") => format!("{text} {what}es"),
        _ => format!("{text} {what}s"),
    }
}
