//! The styles of the built-in themes: data, one function per theme.

use ratatui::style::{Color, Modifier, Style};

use super::Role;

const BOLD: Modifier = Modifier::BOLD;
const DIM: Modifier = Modifier::DIM;
const REVERSED: Modifier = Modifier::REVERSED;

const fn plain() -> Style {
    Style::new()
}

const fn modified(modifier: Modifier) -> Style {
    Style::new().add_modifier(modifier)
}

const fn fg(colour: Color) -> Style {
    Style::new().fg(colour)
}

const fn bold(colour: Color) -> Style {
    fg(colour).add_modifier(BOLD)
}

const fn rgb(hex: u32) -> Color {
    Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The terminal's own colours and the 16 ANSI ones. Dim is the DIM modifier and not dark grey, which some palettes
/// render in the colour of the background.
pub(super) const fn default_style(role: Role) -> Style {
    match role {
        Role::Text | Role::Chip | Role::Load2 => plain(),
        Role::Strong | Role::Focus | Role::Load3 | Role::Measured => modified(BOLD),
        Role::Dim | Role::Border | Role::Services | Role::Load0 | Role::Load1 | Role::Range => modified(DIM),
        Role::Selection => modified(BOLD.union(REVERSED)),
        Role::Key => bold(Color::Cyan),
        Role::Host | Role::Baseline => fg(Color::LightBlue),
        Role::ScaleUp | Role::Good | Role::SeriesD => fg(Color::Green),
        Role::ScaleOut | Role::SeriesA => fg(Color::Cyan),
        Role::Load4 | Role::SeriesB => fg(Color::Yellow),
        Role::Load5 => bold(Color::Yellow),
        Role::Bottleneck => bold(Color::Yellow).add_modifier(REVERSED),
        Role::Degraded => bold(Color::Red),
        Role::Down | Role::Bad => fg(Color::Red),
        Role::WhatIf => bold(Color::Magenta),
        Role::SeriesC => fg(Color::Magenta),
    }
}

/// Modifiers only. `fg` and `bg` stay unset: under `NO_COLOR` the terminal library writes an empty colour sequence,
/// which means "reset everything" and would erase the reversed selection.
pub(super) const fn mono_style(role: Role) -> Style {
    match role {
        Role::Text
        | Role::Chip
        | Role::Load2
        | Role::Host
        | Role::ScaleOut
        | Role::Baseline
        | Role::Good
        | Role::Bad
        | Role::SeriesA
        | Role::SeriesB
        | Role::SeriesC
        | Role::SeriesD => plain(),
        Role::Dim | Role::Border | Role::Services | Role::Load0 | Role::Load1 | Role::Range => modified(DIM),
        Role::Strong
        | Role::Focus
        | Role::Key
        | Role::ScaleUp
        | Role::Load3
        | Role::Load4
        | Role::Degraded
        | Role::Down
        | Role::WhatIf
        | Role::Measured => modified(BOLD),
        Role::Load5 => modified(BOLD.union(Modifier::UNDERLINED)),
        Role::Selection | Role::Bottleneck => modified(REVERSED),
    }
}

/// Dark inks chosen for a white page. The page itself stays the terminal's.
pub(super) const fn light_style(role: Role) -> Style {
    match role {
        Role::Text | Role::Chip | Role::Load2 => fg(rgb(0x1f_2328)),
        Role::Strong | Role::Focus | Role::Load3 | Role::Measured => bold(rgb(0x00_0000)),
        Role::Dim | Role::Border | Role::Services | Role::Load0 | Role::Load1 | Role::Range => fg(rgb(0x65_6d76)),
        Role::Selection => fg(rgb(0xff_ffff)).bg(rgb(0x09_5bc4)).add_modifier(BOLD),
        Role::Key => bold(rgb(0x09_5bc4)),
        Role::Host | Role::Baseline => fg(rgb(0x09_5bc4)),
        Role::ScaleUp | Role::Good | Role::SeriesD => fg(rgb(0x11_6329)),
        Role::ScaleOut | Role::SeriesA => fg(rgb(0x05_6b78)),
        Role::Load4 | Role::SeriesB => fg(rgb(0x8a_5a00)),
        Role::Load5 => bold(rgb(0x8a_5a00)),
        Role::Bottleneck => fg(rgb(0xff_ffff)).bg(rgb(0x8a_5a00)).add_modifier(BOLD),
        Role::Degraded => bold(rgb(0xb0_1020)),
        Role::Down | Role::Bad => fg(rgb(0xb0_1020)),
        Role::WhatIf => bold(rgb(0x86_2fa8)),
        Role::SeriesC => fg(rgb(0x86_2fa8)),
    }
}

/// Light inks chosen for a black page. The page itself stays the terminal's.
pub(super) const fn dark_style(role: Role) -> Style {
    match role {
        Role::Text | Role::Chip | Role::Load2 => fg(rgb(0xd0_d7de)),
        Role::Strong | Role::Focus | Role::Load3 | Role::Measured => bold(rgb(0xff_ffff)),
        Role::Dim | Role::Border | Role::Services | Role::Load0 | Role::Load1 | Role::Range => fg(rgb(0x8b_949e)),
        Role::Selection => fg(rgb(0x00_0000)).bg(rgb(0x79_c0ff)).add_modifier(BOLD),
        Role::Key => bold(rgb(0x79_c0ff)),
        Role::Host | Role::Baseline => fg(rgb(0x79_c0ff)),
        Role::ScaleUp | Role::Good | Role::SeriesD => fg(rgb(0x56_d364)),
        Role::ScaleOut | Role::SeriesA => fg(rgb(0x39_c5cf)),
        Role::Load4 | Role::SeriesB => fg(rgb(0xe3_b341)),
        Role::Load5 => bold(rgb(0xe3_b341)),
        Role::Bottleneck => fg(rgb(0x00_0000)).bg(rgb(0xe3_b341)).add_modifier(BOLD),
        Role::Degraded => bold(rgb(0xff_7b72)),
        Role::Down | Role::Bad => fg(rgb(0xff_7b72)),
        Role::WhatIf => bold(rgb(0xd2_a8ff)),
        Role::SeriesC => fg(rgb(0xd2_a8ff)),
    }
}

/// Nothing dim, the default ink for everything that need not differ, and reverse video for what matters.
pub(super) const fn high_contrast_style(role: Role) -> Style {
    match role {
        Role::Text
        | Role::Dim
        | Role::Border
        | Role::Chip
        | Role::Services
        | Role::Load0
        | Role::Load1
        | Role::Load2
        | Role::Host
        | Role::ScaleOut
        | Role::Baseline
        | Role::Range
        | Role::SeriesA => plain(),
        Role::Strong | Role::Focus | Role::Key | Role::ScaleUp | Role::Load3 | Role::Load4 | Role::Measured => {
            modified(BOLD)
        }
        Role::Load5 => modified(BOLD.union(Modifier::UNDERLINED)),
        Role::Selection | Role::Bottleneck => modified(BOLD.union(REVERSED)),
        Role::Degraded | Role::Down => bold(Color::Red).add_modifier(REVERSED),
        Role::Bad => bold(Color::Red),
        Role::WhatIf | Role::SeriesC => bold(Color::Magenta),
        Role::Good | Role::SeriesD => bold(Color::Green),
        Role::SeriesB => bold(Color::Blue),
    }
}

/// Blue for what is good and orange (palette colour 208) for what is broken, instead of green and red.
pub(super) const fn colour_blind_style(role: Role) -> Style {
    const ORANGE: Color = Color::Indexed(208);
    match role {
        Role::ScaleUp | Role::Good | Role::SeriesD => fg(Color::Blue),
        Role::Degraded => bold(ORANGE),
        Role::Down | Role::Bad => fg(ORANGE),
        // The scale-up tier takes the blue, so the host tier gives it up.
        Role::Host | Role::Baseline => plain(),
        _ => default_style(role),
    }
}
