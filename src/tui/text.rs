//! Fitting text to cells: width, cutting, padding. Works on grapheme clusters; never slices bytes.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::glyphs::mark::ELLIPSIS;

/// The grapheme clusters of a text that show, each with its width in cells (1 or 2, in a few scripts more). Control characters and clusters
/// without width take no cell and are left out, as the screen leaves them out.
pub fn cells(text: &str) -> impl DoubleEndedIterator<Item = (&str, usize)> {
    // Nearly all that is drawn is plain, and there is a lot of it.
    let (plain, other) = if text.chars().all(is_plain) { (text, "") } else { ("", text) };
    let clusters = other
        .graphemes(true)
        .filter(|cluster| !cluster.contains(char::is_control))
        .map(|cluster| (cluster, cluster.width()))
        .filter(|(_, width)| *width > 0);
    plain.split_inclusive(|_: char| true).map(|glyph| (glyph, 1)).chain(clusters)
}

/// A character that takes one cell and is a cluster by itself among others of its kind: printable ASCII, lines and blocks,
/// the marks of the pictures.
const fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~' | '─'..='▟' | '·' | '…' | '■' | '►' | '◄' | '▸' | '▾' | '▼')
}

/// How many cells the text takes on the screen.
pub fn width(text: &str) -> usize {
    cells(text).map(|(_, width)| width).sum()
}

/// The text, or its beginning and `…`, in at most `max` cells.
pub fn truncate(text: &str, max: usize) -> Cow<'_, str> {
    if width(text) <= max {
        return Cow::Borrowed(text);
    }
    if max == 0 {
        return Cow::Borrowed("");
    }
    let mut kept: String = take(cells(text), max - 1).concat();
    kept.push(ELLIPSIS);
    Cow::Owned(kept)
}

/// The text, or `…` and its end, in at most `max` cells: for paths and addresses, whose end tells them apart.
pub fn truncate_start(text: &str, max: usize) -> Cow<'_, str> {
    if width(text) <= max {
        return Cow::Borrowed(text);
    }
    if max == 0 {
        return Cow::Borrowed("");
    }
    let mut kept = take(cells(text).rev(), max - 1);
    kept.reverse();
    Cow::Owned(format!("{ELLIPSIS}{}", kept.concat()))
}

/// The leading clusters that fit in `max` cells.
fn take<'a>(cells: impl Iterator<Item = (&'a str, usize)>, max: usize) -> Vec<&'a str> {
    let mut used = 0;
    cells
        .take_while(|(_, width)| {
            used += width;
            used <= max
        })
        .map(|(cluster, _)| cluster)
        .collect()
}

/// The text in exactly `columns` cells, blanks on its right, cut with `…` when too long.
pub fn pad(text: &str, columns: usize) -> String {
    let (mut out, blanks) = fit(text, columns);
    out.extend(std::iter::repeat_n(' ', blanks));
    out
}

/// The text in exactly `columns` cells, blanks on its left, cut with `…` when too long.
pub fn right(text: &str, columns: usize) -> String {
    let (fitted, blanks) = fit(text, columns);
    let mut out = " ".repeat(blanks);
    out.push_str(&fitted);
    out
}

/// The text in exactly `columns` cells, blanks on both sides (the odd one on the right), cut with `…` when too long.
pub fn centre(text: &str, columns: usize) -> String {
    let (fitted, blanks) = fit(text, columns);
    let left = blanks / 2;
    format!("{}{fitted}{}", " ".repeat(left), " ".repeat(blanks - left))
}

/// The cut text and how many cells are left over.
fn fit(text: &str, columns: usize) -> (String, usize) {
    let out = truncate(text, columns).into_owned();
    let blanks = columns.saturating_sub(width(&out));
    (out, blanks)
}

/// The text in lines of at most `columns` cells, broken at blanks; a word that is too long is broken inside. Line
/// breaks of the text are kept.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            push_word(&mut lines, &mut line, word, columns.max(1));
        }
        lines.push(line);
    }
    lines
}

fn push_word(lines: &mut Vec<String>, line: &mut String, word: &str, columns: usize) {
    let gap = usize::from(!line.is_empty());
    if width(line) + gap + width(word) <= columns {
        line.extend(std::iter::repeat_n(' ', gap));
        line.push_str(word);
        return;
    }
    if !line.is_empty() {
        lines.push(std::mem::take(line));
    }
    for (cluster, cluster_width) in cells(word) {
        // A cluster that is wider than a line cannot be shown.
        let (cluster, cluster_width) = if cluster_width > columns { ("…", 1) } else { (cluster, cluster_width) };
        if !line.is_empty() && width(line) + cluster_width > columns {
            lines.push(std::mem::take(line));
        }
        line.push_str(cluster);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_characters_are_clusters_of_one_cell() {
        let plain: Vec<char> = ('\0'..='\u{2fff}').filter(|c| is_plain(*c)).collect();
        for a in &plain {
            for text in [format!("{a}"), format!("{a}{a}"), format!("{a}~{a}─")] {
                let clusters: Vec<(&str, usize)> = text.graphemes(true).map(|g| (g, g.width())).collect();
                assert_eq!(cells(&text).collect::<Vec<_>>(), clusters, "{text}");
            }
        }
        assert!(plain.len() > 250);
    }
    use proptest::prelude::*;

    #[test]
    fn counts_cells_not_bytes() {
        assert_eq!(width("gpu0"), 4);
        assert_eq!(width("▇►…"), 3);
        assert_eq!(width("日本"), 4);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("a\tb\u{7}"), 2);
    }

    #[test]
    fn cuts_with_an_ellipsis() {
        assert_eq!(truncate("node0/gpu3", 10), "node0/gpu3");
        assert_eq!(truncate("node0/gpu3", 6), "node0…");
        assert_eq!(truncate_start("node0/gpu3", 6), "…/gpu3");
        assert_eq!(truncate("日本語", 4), "日…");
        assert_eq!(truncate("abc", 1), "…");
        assert_eq!(truncate("abc", 0), "");
    }

    #[test]
    fn pads_to_the_column() {
        assert_eq!(pad("ab", 4), "ab  ");
        assert_eq!(right("ab", 4), "  ab");
        assert_eq!(centre("ab", 5), " ab  ");
        assert_eq!(right("12345", 3), "12…");
        // A wide cluster that does not fit leaves a blank cell.
        assert_eq!(pad("日本", 4), "日本");
        assert_eq!(pad("日本語", 5), "日本…");
        assert_eq!(pad("日本語", 4), "日… ");
    }

    #[test]
    fn wraps_at_blanks_and_inside_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("a\n\nb", 9), ["a", "", "b"]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,20}", columns in 0usize..24) {
            let _ = (truncate(&text, columns), truncate_start(&text, columns), wrap(&text, columns), pad(&text, columns));
        }

        // Scripts in which neighbouring clusters do not join, so that parts are as wide as in the whole.
        #[test]
        fn cut_and_padded_text_has_the_asked_width(text in "([ -~é日本▇═►\u{7}\n]|e\u{301}|👩){0,20}", columns in 0usize..24) {
            prop_assert!(width(&truncate(&text, columns)) <= columns);
            prop_assert!(width(&truncate_start(&text, columns)) <= columns);
            for padded in [pad(&text, columns), right(&text, columns), centre(&text, columns)] {
                prop_assert_eq!(width(&padded), columns);
            }
            for line in wrap(&text, columns.max(2)) {
                prop_assert!(width(&line) <= columns.max(2));
            }
        }
    }
}
