//! The semantic roles of the screen.

/// Makes the enum, its table of names and letters and its order from one list.
macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $letter:literal;)+) => {
        /// What a cell of the screen means; a theme gives it a style.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role { $($(#[$doc])* $variant,)+ }

        impl Role {
            /// How many roles there are.
            pub const COUNT: usize = [$($letter),+].len();

            /// Every role, in the order of the table.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];

            /// The role's name in a theme file, such as `scale_up`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The letter that stands for the role in a style snapshot. Fixed, so that a new role relabels no other.
            pub const fn letter(self) -> char {
                match self { $(Self::$variant => $letter,)+ }
            }
        }
    };
}

roles! {
    /// Everything that has no other role; switch bars.
    Text, "text", '.';
    /// Headings and the numbers that answer.
    Strong, "strong", 's';
    /// Units, hints, line rates of rails.
    Dim, "dim", 'd';
    /// Frames of panels.
    Border, "border", 'b';
    /// Frame of the focused panel.
    Focus, "focus", 'f';
    /// The selected item, together with `►◄`.
    Selection, "selection", 'S';
    /// Keys in the footer and in the help.
    Key, "key", 'k';
    /// CPU sockets and the `PCIe` tier.
    Host, "host", 'h';
    /// GPUs and the scale-up tier (`NVLink`, xGMI).
    ScaleUp, "scale_up", 'u';
    /// NICs, rails and the scale-out tier.
    ScaleOut, "scale_out", 'o';
    /// The on-chip tier (HBM).
    Chip, "chip", 'c';
    /// The services tier (plain Ethernet).
    Services, "services", 'v';
    /// A link that carries nothing.
    Load0, "load0", '0';
    /// A link loaded below 25 %.
    Load1, "load1", '1';
    /// A link loaded below 50 %.
    Load2, "load2", '2';
    /// A link loaded below 75 %.
    Load3, "load3", '3';
    /// A link loaded below 90 %.
    Load4, "load4", '4';
    /// A link loaded 90 % and more.
    Load5, "load5", '5';
    /// The most loaded class of links, together with `◄`.
    Bottleneck, "bottleneck", 'B';
    /// Runs below its rate, together with `▼`.
    Degraded, "degraded", 'D';
    /// Out, together with `╳`.
    Down, "down", 'X';
    /// The machine before the edits; solid bars.
    Baseline, "baseline", 'l';
    /// An edit and what follows from it; hatched bars and `*`.
    WhatIf, "whatif", 'w';
    /// Faster than the baseline, together with a minus sign.
    Good, "good", 'g';
    /// Slower than the baseline, together with a plus sign.
    Bad, "bad", 'r';
    /// Whiskers and bands of a range.
    Range, "range", 'n';
    /// Measured points.
    Measured, "measured", 'm';
    /// First curve of a chart.
    SeriesA, "series_a", 'p';
    /// Second curve of a chart.
    SeriesB, "series_b", 'q';
    /// Third curve of a chart.
    SeriesC, "series_c", 'x';
    /// Fourth curve of a chart.
    SeriesD, "series_d", 'y';
}

impl Role {
    /// Place in [`Role::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The role of this name, or `None`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The role of a link with this load, in whole percent of the time of the answer. A load above zero that rounds
    /// to zero should be passed as 1, since 0 says "idle".
    pub const fn for_load(percent: u8) -> Self {
        match percent {
            0 => Self::Load0,
            1..=24 => Self::Load1,
            25..=49 => Self::Load2,
            50..=74 => Self::Load3,
            75..=89 => Self::Load4,
            _ => Self::Load5,
        }
    }

    /// Which of two roles wins a cell that both want, higher first: what is selected, full or broken is never hidden
    /// by what is merely there.
    pub const fn urgency(self) -> u8 {
        match self {
            Self::Selection => 12,
            Self::Bottleneck => 11,
            Self::Down => 10,
            Self::Degraded => 9,
            Self::WhatIf => 8,
            Self::Load5 => 7,
            Self::Load4 => 6,
            Self::Load3 => 5,
            Self::Load2 => 4,
            Self::Load1 => 3,
            Self::Load0 => 2,
            Self::Text | Self::Dim | Self::Border => 0,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_and_letters_are_unique_and_found_again() {
        let letters: BTreeSet<char> = Role::ALL.iter().map(|role| role.letter()).collect();
        assert_eq!(letters.len(), Role::COUNT);
        for (index, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role.index(), index);
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
        assert_eq!(Role::from_name("no_such_role"), None);
    }

    #[test]
    fn load_roles_change_at_the_named_limits() {
        let at = |percent| Role::for_load(percent);
        assert_eq!([at(0), at(1), at(24), at(25)], [Role::Load0, Role::Load1, Role::Load1, Role::Load2]);
        assert_eq!([at(49), at(50), at(74), at(75)], [Role::Load2, Role::Load3, Role::Load3, Role::Load4]);
        assert_eq!([at(89), at(90), at(100), at(255)], [Role::Load4, Role::Load5, Role::Load5, Role::Load5]);
    }
}
