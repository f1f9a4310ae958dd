//! Pasted text: byte order mark, carriage returns, terminal escapes, MPI prefixes, HTML. Line numbers stay what they were.

use std::borrow::Cow;

/// The text without what terminals, mail and launchers put around it. The number of lines does not change.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let html = text.contains("&lt;") && !text.contains('<');
    let dirty = has_controls(text) || text.as_bytes().contains(&b'\r') || text.contains(">:") || html;
    if !dirty {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        let line = without_mpi_prefix(line.strip_suffix('\r').unwrap_or(line));
        let start = out.len();
        push_plain(&mut out, line);
        if html {
            let plain = out.get(start..).map(unescape_html).unwrap_or_default();
            out.truncate(start);
            out.push_str(&plain);
        }
        out.push('\n');
    }
    out.pop();
    Cow::Owned(out)
}

/// Whether a text has control characters that terminals and editors leave behind. Byte by byte searches are what the
/// standard library is fast at, also on a hundred megabytes.
fn has_controls(text: &str) -> bool {
    [0x1b, 0x08, 0x00].iter().any(|b| text.as_bytes().contains(b))
}

/// Copies a line without terminal escapes (`ESC [ ... letter`) and control characters other than the tab.
fn push_plain(out: &mut String, line: &str) {
    if !has_controls(line) {
        out.push_str(line);
        return;
    }
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            let mut rest = chars.clone();
            if rest.next() == Some('[') {
                let length = rest.clone().take(32).position(|c| c.is_ascii_alphabetic());
                if let Some(n) = length {
                    chars = rest;
                    chars.nth(n);
                }
            }
        } else if c == '\t' || !c.is_control() {
            out.push(c);
        }
    }
}

/// `[1,0]<stdout>:text` -> `text`.
fn without_mpi_prefix(line: &str) -> &str {
    let Some(rest) = line.strip_prefix('[') else { return line };
    let Some((rank, tail)) = rest.split_once("]<") else { return line };
    if rank.len() > 16 || !rank.chars().all(|c| c.is_ascii_digit() || c == ',') {
        return line;
    }
    tail.strip_prefix("stdout>:").or_else(|| tail.strip_prefix("stderr>:")).unwrap_or(line)
}

fn unescape_html(s: &str) -> String {
    s.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_terminals_and_launchers_add_is_taken_away() {
        assert_eq!(clean("\u{feff}a\r\nb\r\n"), "a\nb\n");
        assert_eq!(clean("\u{1b}[4m\tGPU0\u{1b}[0m\nx"), "\tGPU0\nx");
        assert_eq!(clean("[1,0]<stdout>:hello\n[1,12]<stderr>:x"), "hello\nx");
        assert_eq!(clean("&lt;system version=&quot;1&quot;&gt;"), "<system version=\"1\">");
        assert_eq!(clean("a &lt; b <i>"), "a &lt; b <i>");
        assert_eq!(clean("\u{1b}[999"), "[999");
    }
}
