//! Loads, changes and rates as the few characters that stand beside a wire.

use crate::units::Share;

/// Whole percent, never 0 for something, never above 100.
pub(in crate::tui::picture) fn percent_of(ratio: f64) -> u8 {
    if ratio > 0.000_5 { (ratio * 100.0).round().clamp(1.0, 100.0) as u8 } else { 0 }
}

/// The number and the percent of a load.
pub(in crate::tui::picture) fn load_number(load: Share) -> (String, u8) {
    let p = percent_of(load.ratio());
    (if p == 0 { String::new() } else { p.to_string() }, p)
}

/// The number and the weight of a change of load.
pub(in crate::tui::picture) fn change_number(now: Share, before: Share) -> (String, u8) {
    let delta = (now.percent() - before.percent()).round();
    if delta.abs() < 1.0 {
        return (String::new(), 0);
    }
    (format!("{delta:+}"), percent_of(delta.abs() / 100.0))
}

/// A figure in at most three or four cells.
pub(in crate::tui::picture) fn short(v: f64) -> String {
    if !v.is_finite() {
        String::new()
    } else if v.abs() >= 9.95 {
        format!("{v:.0}")
    } else {
        format!("{v:.1}")
    }
}
