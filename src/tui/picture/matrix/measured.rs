//! Measured copies in the cells of the pair matrix: the figure, its share of the prediction, a mark where it is slow.

use std::fmt::Write;

use super::super::reading::short;
use crate::measure::pairs::{Overlay, Pair, PairVerdict};
use crate::tui::glyphs::mark;
use crate::tui::text;
use crate::tui::theme::Role;

/// A cell of this many columns, one of them the gap to the next.
pub(super) fn cell(pair: Option<&Pair>, columns: i32, chosen: bool) -> String {
    let Some(p) = pair else { return " -".to_owned() };
    let (flag, percent) = (flag(p), p.ratio().percent());
    let rate = short(p.measured.gbytes_per_s());
    let content = match columns {
        9.. => format!("{rate} {percent:.0}%"),
        7.. => rate,
        3.. => format!("{percent:.0}"),
        _ => String::new(),
    };
    match (columns, chosen) {
        (..=2, true) => mark::SELECTED_LEFT.to_string(),
        (..=2, false) => flag.to_string(),
        (_, true) => {
            text::pad(&format!("{}{content}{}", mark::SELECTED_LEFT, mark::SELECTED_RIGHT), columns as usize - 1)
        }
        (_, false) => text::pad(&format!("{flag}{content}"), columns as usize - 1),
    }
}

const fn flag(p: &Pair) -> char {
    match p.verdict {
        PairVerdict::Slow => mark::DEGRADED,
        PairVerdict::Fast => '+',
        PairVerdict::AsPredicted => ' ',
    }
}

/// How a cell is styled.
pub(super) const fn role(pair: Option<&Pair>) -> Role {
    match pair {
        None => Role::Dim,
        Some(Pair { verdict: PairVerdict::Slow, .. }) => Role::Degraded,
        Some(Pair { verdict: PairVerdict::Fast, .. }) => Role::Good,
        Some(_) => Role::Measured,
    }
}

/// `measured 130 of 276 GB/s (47 %): slow`.
pub(super) fn sentence(p: &Pair) -> String {
    let [measured, predicted] = [p.measured, p.predicted].map(|r| short(r.gbytes_per_s()));
    let percent = p.ratio().percent();
    format!("measured {measured} of {predicted} GB/s ({percent:.0} %): {}", p.verdict.words())
}

/// `54 of 56 as predicted, 2 slow`.
pub(super) fn summary(overlay: &Overlay) -> String {
    let [good, slow, fast] = [PairVerdict::AsPredicted, PairVerdict::Slow, PairVerdict::Fast].map(|v| overlay.count(v));
    let mut text = format!("{good} of {} as predicted", overlay.pairs.len());
    for (count, word) in [(slow, PairVerdict::Slow.words()), (fast, PairVerdict::Fast.words())] {
        if count > 0 {
            let _ = write!(text, ", {count} {word}");
        }
    }
    format!("{text}   ({} slow; % of one copy)", mark::DEGRADED)
}
