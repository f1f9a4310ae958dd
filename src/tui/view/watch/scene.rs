//! The drawings of a step, each in the best way that fits.

use super::sketch::Sketch;
use super::{rows, star, trees};
use crate::tui::app::{Drawing, Scene};
use crate::tui::text;
use crate::tui::theme::Role;

/// How good a drawing has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// The first way of each part, and all parts.
    Best,
    /// Any way; where there is no room for all parts, the first one alone.
    Any,
}

/// All drawings of a step with marks of so many cells, one over the other; `None` where there are none or where they do not fit.
pub(super) fn sketch((scene, mark): (&Scene, usize), (width, height): (u16, u16), fit: Fit) -> Option<Sketch> {
    let size = (usize::from(width), usize::from(height));
    // Inside the units both trees' pieces go together, so their marks have no sign of the tree.
    let trees = scene.iter().any(|(_, d)| matches!(d, Drawing::Trees(_)));
    let inside = if trees { mark.saturating_sub(1) } else { mark };
    let mut whole = Sketch::default();
    for (i, (heading, drawing)) in scene.iter().enumerate() {
        let y = if i == 0 { 0 } else { whole.height() + 1 };
        let mut ways = match drawing {
            Drawing::Rows(r) => rows::ways(r, inside),
            Drawing::Trees(t) => trees::ways(t, mark),
            Drawing::Star(s) => star::ways(s, inside),
        };
        if fit == Fit::Best {
            ways.truncate(1);
        }
        let shown = !heading.is_empty() && text::width(heading) <= size.0;
        let top = y + usize::from(shown);
        let room = (size.0, size.1.saturating_sub(top));
        let Some(part) = ways.into_iter().find(|w| w.fits(room)) else {
            // The first part alone says more than none.
            return if i > 0 && fit == Fit::Any { Some(whole) } else { None };
        };
        if shown {
            whole.put(0, y, heading, Role::Dim);
        }
        whole.lay(0, top, &part);
    }
    (whole.height() > 0).then_some(whole)
}
