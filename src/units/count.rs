//! Counts in words.

/// `1 leaf`, `2 leaves`, `3 switches`, `1024 ranks`, `16,384 NICs`: commas from five digits on.
pub fn counted(n: u64, what: &str) -> String {
    let digits = n.to_string();
    let mut number = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            number.push(',');
        }
        number.push(c);
    }
    match what {
        _ if n == 1 => format!("{number} {what}"),
        "leaf" => format!("{number} leaves"),
        _ if what.ends_with("ch") => format!("{number} {what}es"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn words_have_their_plurals_and_numbers_their_commas() {
        for (n, what, text) in [
            (1, "leaf", "1 leaf"),
            (2, "leaf", "2 leaves"),
            (3, "switch", "3 switches"),
            (0, "NIC", "0 NICs"),
            (1024, "rank", "1024 ranks"),
            (131_072, "GPU", "131,072 GPUs"),
        ] {
            assert_eq!(counted(n, what), text);
        }
    }
}
