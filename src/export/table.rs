//! Tables as CSV and Markdown.

/// A table as CSV (RFC 4180: comma, quotes where needed, a line each).
pub fn csv<H: AsRef<str>>(header: &[H], rows: &[Vec<String>]) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory fails only for rows of unequal length; those are filled up first.
    let width = header.len();
    let mut fine = writer.write_record(header.iter().map(AsRef::as_ref)).is_ok();
    for row in rows {
        let cells = (0..width).map(|i| row.get(i).map_or("", String::as_str));
        fine &= writer.write_record(cells).is_ok();
    }
    match writer.into_inner() {
        Ok(bytes) if fine => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    }
}

/// A table in Markdown, columns padded so that the text reads well too; the first column is aligned left, the others right.
pub fn markdown<H: AsRef<str>>(header: &[H], rows: &[Vec<String>]) -> String {
    let clean = |s: &str| s.replace('|', "\\|").replace('\n', " ");
    let head: Vec<String> = header.iter().map(|h| clean(h.as_ref())).collect();
    let body: Vec<Vec<String>> =
        rows.iter().map(|r| (0..head.len()).map(|i| clean(r.get(i).map_or("", String::as_str))).collect()).collect();
    let width = |i: usize| {
        let cells = body.iter().filter_map(|r| r.get(i)).chain(head.get(i));
        cells.map(|c| c.chars().count()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(i, (c, w))| if i == 0 { format!("{c:<w$}") } else { format!("{c:>w$}") });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().enumerate().map(|(i, w)| {
        let dashes = "-".repeat(w - 1);
        if i == 0 { format!(":{dashes}") } else { format!("{dashes}:") }
    });
    let rule = format!("| {} |\n", rule.collect::<Vec<_>>().join(" | "));
    let mut out = line(&head);
    out.push_str(&rule);
    for r in &body {
        out.push_str(&line(r));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_bars_are_escaped() {
        let rows = vec![vec!["a,b".to_owned(), "1".to_owned()], vec!["x|y".to_owned()]];
        assert_eq!(csv(&["name", "n"], &rows), "name,n\n\"a,b\",1\nx|y,\n");
        assert_eq!(
            markdown(&["name", "n"], &rows),
            "| name |   n |\n| :--- | --: |\n| a,b  |   1 |\n| x\\|y |     |\n"
        );
    }
}
