//! What small and crowded screens must still say: whole numbers, every part, the right hint.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use icx_tui::preset::load_shipped;
use icx_tui::question::Question;
use icx_tui::tui::app::{App, Options};
use icx_tui::tui::headless::Headless;
use icx_tui::tui::keys::parse_script;
use icx_tui::tui::output::to_text;

fn replay(name: &str, (w, h): (u16, u16), keys: &str) -> Headless<App> {
    let options = Options { source: name.to_owned(), ..Options::default() };
    App::new(load_shipped(name).unwrap(), Question::default(), options).replay(w, h, parse_script(keys).unwrap())
}

fn text(name: &str, size: (u16, u16), keys: &str) -> String {
    to_text(replay(name, size, keys).buffer())
}

#[track_caller]
fn says(text: &str, words: &str) {
    assert!(text.contains(words), "{words:?} is not on\n{text}");
}

/// A tier of the strip has its whole number or is left out; the busiest is always there.
#[test]
fn the_busiest_tier_has_its_number_at_every_width() {
    for name in ["dgx-h100-superpod", "h100-roce-2to1", "gb200-nvl72-ib", "dgx-1"] {
        for (w, h) in [(40, 12), (47, 13), (60, 20), (76, 22), (80, 24)] {
            let shown = replay(name, (w, h), "");
            let estimate = shown.program().answers().now.estimate().unwrap().clone();
            let all: Vec<String> =
                estimate.tiers.iter().map(|t| format!("{:.0}", (t.utilisation.ratio() * 100.0).round())).collect();
            let most = estimate.tiers.iter().map(|t| t.utilisation.ratio()).fold(0.0, f64::max);
            let text = to_text(shown.buffer());
            let line = text.lines().rev().find(|l| l.trim_start_matches([' ', '│']).starts_with('◄')).unwrap();
            let tail = line.trim_end_matches([' ', '│']);
            says(tail, &format!(" {:.0}", (most * 100.0).round()));
            let last = tail.rsplit(' ').next().unwrap_or_default();
            assert!(all.iter().any(|n| n == last), "{name} {w}x{h}: {last:?} is no whole number of {all:?}\n{text}");
        }
    }
}

/// Sixteen GPUs and twelve chips on two boards: drawn with alike ones once, not told in one line.
#[test]
fn two_boards_of_chips_are_a_picture_at_80_and_60_columns() {
    for size in [(80, 24), (60, 20)] {
        let text = text("dgx-2", size, "");
        says(&text, "►g0◄");
        says(&text, "[g*]");
        says(&text, "g* x15");
        says(&text, "x6");
    }
}

/// The bandwidth of each pair stands in the matrix wherever its columns have room for it.
#[test]
fn the_matrix_has_numbers_where_they_fit() {
    let wide = text("dgx-h100", (100, 30), "m");
    says(&wide, "▇367 ▇367 ▇367");
    says(&wide, "[g7] (n0)");
    let cubes = text("dgx-1", (120, 40), "m");
    says(&cubes, "▇ 42 ▁6.0");
    says(&cubes, "▇NV NVLink, n links");
    // Where the class alone fits, the heading promises no rate, and a row says which columns are which.
    let narrow = text("dgx-h100", (60, 34), "m");
    says(&narrow, "━ class ━");
    says(&narrow, "GPU             NIC");
    // A row per class of pairs names the count of links once.
    let classes = text("dgx-h100", (80, 24), "m");
    says(&classes, "▇NV18     28 pairs    367  NVLink ");
}

#[test]
fn a_card_tells_alike_links_in_one_line_and_has_every_nic() {
    says(&text("dgx-h100-superpod", (120, 40), "<esc><esc>"), "◄84 nic0..7--fabric");
    let hurt = text("aws-p5en", (120, 40), "<esc><esc>\":off node3/nic12\"<enter>");
    says(&hurt, "NICs  0..15");
    let gauges = hurt.lines().find(|l| l.contains("╳") && !l.contains("nic12")).unwrap();
    let of_it: Vec<char> = gauges.chars().skip(28).filter(|c| "▁▂▃▄▅▆▇╳".contains(*c)).collect();
    assert_eq!((of_it.len(), of_it.iter().filter(|c| **c == '╳').count()), (16, 1), "{gauges}");
    says(&text("aws-p5", (120, 40), "<esc><esc>"), "NICs  0..31, 2 each");
}

#[test]
fn each_line_says_what_it_takes() {
    says(&text("dgx-h100", (80, 24), "O"), "a scenario, or a system's file");
    says(&text("dgx-h100", (80, 24), ":"), "or a command; tab completes, esc leaves");
    says(&text("dgx-h100", (80, 24), "s<c-u>"), "a size: 8, 64K, 1GiB");
    says(&text("dgx-h100", (40, 12), ":"), "an edit or a command");
}

#[test]
fn what_the_tree_names_can_be_gone_to() {
    for (typed, name) in [("fabric", "fabric"), ("services", "services")] {
        let shown = replay("gb200-nvl72-ib", (120, 40), &format!("\":go {typed}\"<enter>"));
        assert_eq!(shown.program().selection().name(shown.program().system()), name);
    }
    says(&text("dgx-h100", (120, 40), "\":go fabric\"<enter>"), "no fabric");
}

#[test]
fn the_inspector_counts_what_is_hurt() {
    let text = text("dgx-h100", (120, 40), "\":off gpu3--nvsw1\"<enter><esc>");
    says(&text, "hurt    1 link ");
    assert!(!text.contains("1 of 1"), "{text}");
}

#[test]
fn the_smallest_screen_compares_only_what_differs() {
    let plain = text("dgx-h100", (30, 8), "");
    assert!(!plain.contains("same time"), "{plain}");
    says(&text("dgx-h100", (30, 8), "\":off gpu3--nvsw1\"<enter>"), "+75 %");
}

/// Eight racks: the leaves beside each other wherever they have room, cards else, never a line of text.
#[test]
fn a_fabric_of_eight_groups_is_a_picture_at_every_size() {
    for size in [(160, 50), (120, 40), (80, 24)] {
        let text = text("gb200-nvl72-ib", size, "\":go fabric\"<enter>");
        says(&text, "spines");
        says(&text, "su7");
        assert!(text.matches("▂21╡").count() >= 8, "{text}");
    }
    says(&text("gb200-nvl72-ib", (60, 20), "\":go fabric\"<enter>"), "rack* ");
    // What is down is told in the narrowest columns too.
    let hurt =
        text("gb200-nvl72-ib", (80, 24), "\":off leaf9\"<enter>\":off rack3/node4\"<enter>\":go fabric\"<enter>");
    says(&hurt, "l9╳");
    says(&hurt, "1 ╳");
}

/// Where no picture of a node has room, the classes of its pairs stand below the line, with their rates.
#[test]
fn a_low_screen_still_tells_how_near_the_devices_are() {
    let low = text("dgx-1", (70, 16), "");
    says(&low, "▇NV2       8 pairs     42 GB/s  NVLink");
    says(&low, "▁SYS ");
    let least = text("mi300x", (40, 12), "");
    says(&least, "28 pairs     47 GB/s");
}

/// A GPU that `set gpus` leaves out is told from one that waits.
#[test]
fn spare_gpus_are_marked() {
    let half = text("dgx-h100", (120, 40), "\":set gpus = 4\"<enter>\":go gpu5\"<enter><esc>\":go gpu6\"<enter>");
    says(&half, "[g3]");
    says(&half, "·g4··g5·");
    says(&half, "takes no part");
    says(&text("dgx-h100", (80, 24), "\":set gpus = 4\"<enter>"), "g· ");
}

/// The legend of the impacts speaks of drawn columns alone.
#[test]
fn a_legend_names_no_column_that_is_not_there() {
    let keys = "i";
    let wide = text("dgx-h100-superpod", (160, 50), keys);
    says(&wide, "alike: how many");
    let narrow = text("dgx-h100-superpod", (110, 40), keys);
    assert!(!narrow.contains("alike: how many"), "{narrow}");
    says(&narrow, "cut at twice the time");
}

/// The help says what keys do, and why one does nothing now, also where there is little room.
#[test]
fn the_help_is_of_use_in_few_columns() {
    says(&text("dgx-h100", (40, 12), "?"), "up k         move up; in the");
    says(&text("dgx-h100", (60, 20), "?redo"), "(no undone edit");
    says(&text("dgx-h100", (80, 24), "?baseline<space>back"), "(");
}

/// Edits that have no row under the picture are counted.
#[test]
fn edits_without_a_row_are_counted() {
    let keys =
        "\":off gpu1--nvsw0\"<enter>\":off gpu2--nvsw0\"<enter>\":off gpu3--nvsw0\"<enter>\":off gpu4--nvsw0\"<enter>";
    says(&text("dgx-h100", (80, 24), keys), "+3 more  [E]");
    assert!(!text("dgx-h100", (160, 50), keys).contains("more  [E]"));
}

/// A delay below a microsecond has its number on every wire, also in the narrowest columns.
#[test]
fn short_delays_are_numbers_in_narrow_columns() {
    let delays = text("h100-roce-2to1", (80, 24), "vv");
    assert!(delays.matches("│.4").count() >= 12, "{delays}");
}

/// The row of a list that keys act on is marked without colour, and what lies above and below is told.
#[test]
fn lists_mark_their_row_and_what_is_cut() {
    for (keys, down) in [("i", "j"), ("x", "j"), ("R", "j")] {
        let top = text("dgx-h100-superpod", (60, 20), keys);
        let (marked, more) = ("┃►", "▾┃");
        assert_eq!(top.matches(marked).count(), 1, "{top}");
        assert!(!top.contains("▲┃"), "{top}");
        says(&top, more);
        let moved = text("dgx-h100-superpod", (60, 20), &format!("{keys}{}", down.repeat(40)));
        assert_eq!(moved.matches(marked).count(), 1, "{moved}");
        says(&moved, "▲┃");
    }
}
