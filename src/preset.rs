//! RON text -> [`System`], with errors that point at the place.
//!
//! [`load_shipped`] reads a system that comes with the program, [`parse`] any text. Text, not paths: files are opened by the
//! command line. [`spec_to_ron`] writes a system back in the same form.

mod error;
mod explain;
mod lex;
mod point;
mod shipped;
mod tree;

use std::sync::Arc;

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use ron::{Deserializer, Options};
use serde::de::DeserializeOwned;

pub use error::{LoadError, Place};
pub use point::{At, Part, error_at, error_inside, read_text, twice};
pub use shipped::{Shipped, catalogue, catalogue_file, load_shipped, shipped};

use crate::parts::Catalogue;
use crate::system::{System, SystemSpec, build};
use tree::Step;

/// Longest text that is read: the largest rack written link by link is a hundredth of it.
const MAX_TEXT: usize = 4 << 20;

/// Reads a system: text to spec to checked system. `file` is what errors call the text.
pub fn parse(text: &str, file: &str, catalogue: &Arc<Catalogue>) -> Result<System, LoadError> {
    let text = plain(text);
    let spec = parse_spec(text, file)?;
    build(&spec, catalogue).map_err(|e| explain::checking(&e, text, file))
}

/// Reads the written form alone; whether its parts exist and its links end somewhere is not checked.
pub fn parse_spec(text: &str, file: &str) -> Result<SystemSpec, LoadError> {
    let spec: SystemSpec = read(text, file)?;
    if !spec.software.usable.is_empty() {
        let path = [Step::Field("software".to_owned()), Step::Field("usable".to_owned())];
        if let Some(twice) = explain::duplicate_key(plain(text), file, &path) {
            return Err(twice);
        }
    }
    Ok(spec)
}

/// The text of some bytes, or where they stop being UTF-8.
pub fn text_of<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, LoadError> {
    std::str::from_utf8(bytes).map_err(|e| {
        let good = bytes.get(..e.valid_up_to()).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
        LoadError::at(file, good, &(good.len()..good.len()), "not a text: the bytes here are not UTF-8")
    })
}

/// A system in RON as a person would write it: one device or link a line. Reads back as the same spec.
pub fn spec_to_ron(spec: &SystemSpec) -> String {
    let config = PrettyConfig::new().depth_limit(3).indentor("    ");
    // A spec holds nothing that RON cannot write; the alternative would be a panic.
    let text = options().to_string_pretty(spec, config).unwrap_or_default();
    text + "\n"
}

fn options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Without the byte order mark that some editors put in front.
fn plain(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads any value. The happy path keeps no book of where it is; only when it fails is the text read again with one.
fn read<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, LoadError> {
    let text = plain(text);
    if text.len() > MAX_TEXT {
        let message = format!("the text has {} bytes; expected at most {MAX_TEXT}", text.len());
        return Err(LoadError::whole(file, message));
    }
    if let Some(value) = fast(text) {
        return Ok(value);
    }
    slow(text).map_err(|stumble| explain::reading(&stumble, text, file))
}

fn fast<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut reader = Deserializer::from_str_with_options(text, &options()).ok()?;
    let value = T::deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

fn slow<T: DeserializeOwned>(text: &str) -> Result<T, explain::Stumble> {
    let mut track = serde_path_to_error::Track::new();
    let mut reader = match Deserializer::from_str_with_options(text, &options()) {
        Ok(reader) => reader,
        Err(e) => return Err(explain::Stumble { code: e.code, path: track.path(), offset: 0 }),
    };
    let value = T::deserialize(serde_path_to_error::Deserializer::new(&mut reader, &mut track));
    let result = value.and_then(|v| reader.end().map(|()| v));
    let offset = text.len() - reader.remainder().len();
    result.map_err(|code| explain::Stumble { code, path: track.path(), offset })
}

#[cfg(test)]
mod tests;
