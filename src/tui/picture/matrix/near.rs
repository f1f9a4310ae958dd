//! How a class of pairs is drawn and named.

use crate::system::Nearness;
use crate::tui::theme::Role;

/// What a class means, beside its name: that tells how many links.
pub(super) fn words(near: Nearness) -> &'static str {
    near.meaning().trim_end_matches(", n links")
}

/// How near, as a height.
pub(super) const fn near_gauge(near: Nearness) -> char {
    match near {
        Nearness::ScaleUp(..) => '▇',
        Nearness::Pix => '▅',
        Nearness::Pxb => '▄',
        Nearness::Phb => '▃',
        Nearness::Sys | Nearness::Relay => '▁',
        Nearness::Net | Nearness::Own => '·',
    }
}

/// The tier of the links between them, as a colour.
pub(super) const fn near_role(near: Nearness) -> Role {
    match near {
        Nearness::ScaleUp(..) => Role::ScaleUp,
        Nearness::Pix | Nearness::Pxb => Role::Host,
        Nearness::Phb => Role::Text,
        Nearness::Net => Role::ScaleOut,
        Nearness::Sys | Nearness::Relay | Nearness::Own => Role::Dim,
    }
}
