//! The nearest of a list of names to a mistyped one.

/// The candidate with the fewest edits from `word`, when that is few enough to be a likely slip: at most a third of
/// the word's letters, at least one and two from four letters on. Ties go to the earlier candidate.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    let allowed = match letters.len() {
        0..=3 => 1,
        n => (n / 3).max(2),
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(&letters, candidate), candidate))
        .filter(|(edits, _)| *edits <= allowed)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, row by row; `word` in lower case.
fn distance(word: &[char], candidate: &str) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (i, b) in candidate.to_lowercase().chars().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for (a, pair) in word.iter().zip(row.windows(2)) {
            let (diagonal, above) = match pair {
                [diagonal, above] => (*diagonal, *above),
                _ => continue,
            };
            left = (diagonal + usize::from(*a != b)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(a: &str, b: &str) -> usize {
        distance(&a.chars().collect::<Vec<_>>(), b)
    }

    #[test]
    fn counts_edits() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", ""), 3);
        assert_eq!(edits("same", "same"), 0);
    }

    #[test]
    fn offers_a_likely_slip_and_nothing_else() {
        assert_eq!(nearest("entr", ["esc", "enter", "end"]), Some("enter"));
        assert_eq!(nearest("DARK", ["light", "dark"]), Some("dark"));
        assert_eq!(nearest("xyzzy", ["light", "dark"]), None);
    }
}
