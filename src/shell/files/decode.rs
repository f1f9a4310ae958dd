//! Bytes to text: UTF-8, UTF-16 with its mark as Windows writes it, and a few stray bytes as logs have them. What is
//! packed or binary is refused by what it is.

/// How files begin that are no text, and what they are.
const PACKED: [(&[u8], &str); 9] = [
    (b"\x1f\x8b", "packed with gzip; unpack it first: gunzip -c FILE | icx-tui ... -"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd; unpack it first: zstd -dc FILE | icx-tui ... -"),
    (b"\xfd7zXZ", "packed with xz; unpack it first: xz -dc FILE | icx-tui ... -"),
    (b"BZh", "packed with bzip2; unpack it first: bzip2 -dc FILE | icx-tui ... -"),
    (b"\x7fELF", "a program, no text"),
    (b"\x89PNG", "a picture, no text; copy the output as text"),
    (b"\xff\xd8\xff", "a picture, no text; copy the output as text"),
    (b"%PDF-", "a PDF; copy the output as text"),
];

/// One stray byte in so many is let through, as a replacement character.
const STRAY: usize = 200;

/// The text of a file's bytes. The error says what they are instead.
pub(super) fn text(bytes: Vec<u8>) -> Result<String, String> {
    if let Some((_, what)) = PACKED.iter().find(|(head, _)| bytes.starts_with(head)) {
        return Err((*what).to_owned());
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return utf16(rest, u16::from_be_bytes);
    }
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let bytes = error.as_bytes();
    if bytes.contains(&0) {
        return Err("binary, no text".to_owned());
    }
    let strays: usize = bytes.utf8_chunks().map(|c| c.invalid().len()).sum();
    if strays > 2.max(bytes.len() / STRAY) {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + bytes.iter().take(valid).filter(|byte| **byte == b'\n').count();
        return Err(format!("line {line}: not text in UTF-8 or UTF-16"));
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let units = bytes.chunks_exact(2).filter_map(|c| <[u8; 2]>::try_from(c).ok()).map(unit);
    let text: Result<String, _> = char::decode_utf16(units).collect();
    text.map_err(|_| "begins like UTF-16 and is none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn windows_and_stray_bytes_are_read() {
        let little: Vec<u8> = "\u{feff}GPU0\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}GPU0\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(little), Ok("GPU0\r\n".to_owned()));
        assert_eq!(text(big), Ok("GPU0\r\n".to_owned()));
        let mut log = "a line of a log\n".repeat(100).into_bytes();
        log.extend(b"caf\xe9\n");
        assert!(text(log).is_ok_and(|t| t.ends_with("caf\u{fffd}\n")));
    }

    #[test]
    fn what_is_no_text_is_named() {
        for (bytes, what) in [
            (&b"\x1f\x8b\x08rest"[..], "gzip"),
            (b"PK\x03\x04rest", "zip archive"),
            (b"\x7fELF\x02\x01", "a program"),
            (b"abc\xff\x00\x01", "binary"),
            (b"\xff\xfe\x00\xd8", "UTF-16"),
            (b"one\n\xff\xfd\xfc\xfb", "line 2"),
        ] {
            assert!(text(bytes.to_vec()).is_err_and(|e| e.contains(what)), "{what}");
        }
    }
}
