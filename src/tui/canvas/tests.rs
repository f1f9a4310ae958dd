//! Tests of the grid, on what it shows.

use super::*;
use proptest::prelude::*;
use ratatui::style::{Color, Modifier};

fn drawn(width: u16, height: u16, draw: impl FnOnce(&mut Canvas)) -> String {
    let mut canvas = Canvas::new(width, height);
    draw(&mut canvas);
    canvas.to_text()
}

#[test]
fn wires_that_meet_merge_into_joints() {
    let picture = drawn(9, 5, |c| {
        c.frame(0, 0, (9, 5), Stroke::Heavy, Role::Border);
        c.hline(2, 0, 8, Stroke::Light, Role::Load1);
        c.vline(4, 0, 4, Stroke::Light, Role::Load1);
    });
    assert_eq!(picture, "┏━━━┯━━━┓\n┃   │   ┃\n┠───┼───┨\n┃   │   ┃\n┗━━━┷━━━┛\n");
}

#[test]
fn a_heavy_wire_taps_a_switch_bar_and_goes_on_heavy() {
    let picture = drawn(9, 4, |c| {
        c.bar(1, 0, 8, Stroke::Double, Role::Text);
        c.vline(2, 0, 1, Stroke::Idle, Role::Load0);
        c.vline(2, 1, 3, Stroke::Heavy, Role::Load4);
        c.vline(6, 1, 3, Stroke::Heavy, Role::Load4);
        c.text(3, 1, "p0", Role::Text);
    });
    assert_eq!(picture, "  ┆\n╞═╪p0═╤═╡\n  ┃   ┃\n  ┃   ┃\n");
}

#[test]
fn idle_and_down_wires_are_dashed_and_turn_solid_only_in_joints() {
    let picture = drawn(5, 3, |c| {
        c.vline(0, 0, 2, Stroke::Idle, Role::Load0);
        c.hline(1, 0, 2, Stroke::Idle, Role::Load0);
        c.vline(4, 0, 2, Stroke::Down, Role::Down);
    });
    assert_eq!(picture, "┆   ╎\n├┄┄ ╎\n┆   ╎\n");
}

#[test]
fn a_dead_bar_is_dashed_between_its_caps() {
    let picture = drawn(9, 1, |c| {
        c.bar(0, 8, 0, Stroke::Down, Role::Down);
        c.put(4, 0, mark::DOWN, Role::Down);
    });
    assert_eq!(picture, "╞╌╌╌╳╌╌╌╡\n");
}

#[test]
fn diagonals_cross() {
    let picture = drawn(5, 5, |c| {
        c.diagonal((0, 0), (4, 4), Role::Load3);
        c.diagonal((4, 0), (0, 4), Role::Load3);
    });
    assert_eq!(picture, "╲   ╱\n ╲ ╱\n  ╳\n ╱ ╲\n╱   ╲\n");
}

#[test]
fn text_lies_over_wires_whatever_the_order_and_blanks_cover() {
    let before = drawn(9, 1, |c| {
        c.text(2, 0, " p0 ", Role::Text);
        c.hline(0, 0, 8, Stroke::Light, Role::Load1);
    });
    let after = drawn(9, 1, |c| {
        c.hline(0, 0, 8, Stroke::Light, Role::Load1);
        c.text(2, 0, " p0 ", Role::Text);
    });
    assert_eq!(before, "── p0 ───\n");
    assert_eq!(before, after);
}

#[test]
fn text_is_clipped_on_both_sides_and_half_a_wide_glyph_is_a_blank() {
    let picture = drawn(3, 2, |c| {
        assert_eq!(c.text(-1, 0, "abcde", Role::Text), 4);
        c.text(0, 1, "a日本", Role::Text);
    });
    assert_eq!(picture, "bcd\na日\n");
    assert_eq!(drawn(2, 1, |c| _ = c.text(1, 0, "日", Role::Text)), "\n");
    assert_eq!(drawn(4, 1, |c| _ = c.text_right(3, 0, "92", Role::Text)), "  92\n");
}

#[test]
fn the_more_urgent_wire_gives_the_joint_its_role() {
    let mut canvas = Canvas::new(3, 3);
    canvas.vline(1, 0, 2, Stroke::Heavy, Role::Bottleneck);
    canvas.hline(1, 0, 2, Stroke::Light, Role::Load1);
    assert_eq!(canvas.glyph(1, 1), Some(('╂', Role::Bottleneck)));
    assert_eq!(canvas.glyph(0, 1), Some(('─', Role::Load1)));
    assert_eq!(canvas.glyph(0, 0), Some((' ', Role::Text)));
    assert_eq!(canvas.glyph(3, 0), None);
    assert!(canvas.is_free(0, 0) && !canvas.is_free(1, 0) && !canvas.is_free(-1, 0));
    canvas.restyle(0, 1, 3, Role::Dim);
    assert_eq!(canvas.glyph(1, 1), Some(('╂', Role::Dim)));
}

#[test]
fn painting_uses_the_theme_and_leaves_free_cells_alone() {
    let mut canvas = Canvas::new(3, 1);
    canvas.put(0, 0, '◄', Role::Bottleneck);
    let mut buffer = Buffer::filled(Rect::new(0, 0, 4, 2), ratatui::buffer::Cell::new("."));
    canvas.paint(Rect::new(1, 1, 3, 1), &mut buffer, &Theme::default(), Glyphs::Ascii);
    assert_eq!(crate::tui::output::to_text(&buffer), "....\n.<..\n");
    let cell = buffer.cell((1, 1)).cloned().unwrap_or_default();
    assert_eq!((cell.fg, cell.modifier), (Color::Yellow, Modifier::BOLD | Modifier::REVERSED));
}

#[test]
fn both_glyph_sets_fill_the_same_cells() {
    let mut canvas = Canvas::new(12, 4);
    canvas.frame(0, 0, (12, 4), Stroke::Heavy, Role::Focus);
    canvas.bar(2, 1, 8, Stroke::Double, Role::Text);
    canvas.vline(3, 1, 3, Stroke::Idle, Role::Load0);
    canvas.text(5, 1, "日é▇", Role::Text);
    let area = Rect::new(0, 0, 12, 4);
    let paint = |glyphs| {
        let mut buffer = Buffer::empty(area);
        canvas.paint(area, &mut buffer, &Theme::mono(), glyphs);
        buffer
    };
    let (mut unicode, ascii) = (paint(Glyphs::Unicode), paint(Glyphs::Ascii));
    Glyphs::Ascii.apply(&mut unicode);
    assert_eq!(unicode, ascii);
}

#[derive(Debug, Clone)]
enum Call {
    H(i32, i32, i32),
    V(i32, i32, i32),
    D(i32, i32, i32, i32),
    T(i32, i32, String),
    F(i32, i32, u16, u16),
    R(i32, i32, u16),
}

fn call() -> impl Strategy<Value = Call> {
    let n = || prop_oneof![-3i32..14, Just(i32::MIN / 2), Just(i32::MAX / 2)];
    prop_oneof![
        (n(), n(), n()).prop_map(|(a, b, c)| Call::H(a, b, c)),
        (n(), n(), n()).prop_map(|(a, b, c)| Call::V(a, b, c)),
        (n(), n(), n(), n()).prop_map(|(a, b, c, d)| Call::D(a, b, c, d)),
        (n(), n(), "\\PC{0,9}").prop_map(|(a, b, c)| Call::T(a, b, c)),
        (n(), n(), 0u16..9, 0u16..9).prop_map(|(a, b, c, d)| Call::F(a, b, c, d)),
        (n(), n(), 0u16..9).prop_map(|(a, b, c)| Call::R(a, b, c)),
    ]
}

proptest! {
    #[test]
    fn nothing_that_is_laid_anywhere_panics(w in 0u16..12, h in 0u16..6, calls in prop::collection::vec(call(), 0..12)) {
        let mut canvas = Canvas::new(w, h);
        for call in calls {
            match call {
                Call::H(a, b, c) => canvas.hline(a, b, c, Stroke::Heavy, Role::Load3),
                Call::V(a, b, c) => canvas.vline(a, b, c, Stroke::Double, Role::Text),
                Call::D(a, b, c, d) => canvas.diagonal((a, b), (c, d), Role::Load1),
                Call::T(a, b, c) => _ = canvas.text(a, b, &c, Role::Text),
                Call::F(a, b, c, d) => canvas.frame(a, b, (c, d), Stroke::Light, Role::Border),
                Call::R(a, b, c) => canvas.restyle(a, b, c, Role::Dim),
            }
        }
        // A buffer that is smaller than the grid and an area that lies partly outside of it.
        let mut buffer = Buffer::empty(Rect::new(0, 0, 7, 3));
        canvas.paint(Rect::new(2, 1, 30, 30), &mut buffer, &Theme::default(), Glyphs::Ascii);
        prop_assert!(buffer.content.iter().all(|cell| cell.symbol().is_ascii()));
    }
}
