//! A lenient, bounded walk over XML: start and end of elements with line numbers. No tree is built, no DTD or entity is
//! followed, and a broken end is a truncation, not an error.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::report::{ImportError, Report};

/// Deepest nesting.
const MAX_DEPTH: usize = 256;
/// Most elements read; the rest of the file is left unread.
const MAX_ELEMENTS: usize = 400_000;
/// Most attributes of one element.
const MAX_ATTRIBUTES: usize = 64;
/// Longest attribute value.
const MAX_VALUE: usize = 8_192;
/// How often the reader starts again behind a broken place.
const MAX_RESTARTS: usize = 16;

/// The start of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tag {
    /// Name of the element.
    pub(super) name: String,
    /// Line, from 1.
    pub(super) line: u32,
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute, untrimmed.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
    }

    /// The value of an attribute, empty if it is not there.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }

    /// A whole number.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.trim().parse().ok()
    }
}

/// What a consumer of the walk gets.
pub(super) enum Step {
    /// An element starts.
    Open(Tag),
    /// The innermost open element ends.
    Close,
    /// Text inside an element, trimmed, never empty.
    Text(String),
}

/// Walks over a text. Every `Open` is followed by its `Close`, also at a truncated end. The consumer may end the walk with
/// an error.
pub(super) fn walk(
    text: &str,
    with_text: bool,
    report: &mut Report,
    mut consume: impl FnMut(Step, &mut Report) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let mut place = Place { text, at: 0, line: 1 };
    let (mut depth, mut elements, mut restarts, mut from) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut reader = reader(text, 0);
    loop {
        let event = reader.read_event();
        let line = place.line_at(from + reader.buffer_position() as usize);
        match event {
            Ok(Event::Start(e)) => {
                depth += 1;
                check_depth(depth, line)?;
                elements += 1;
                consume(Step::Open(tag(&e, line)), report)?;
            }
            Ok(Event::Empty(e)) => {
                elements += 1;
                consume(Step::Open(tag(&e, line)), report)?;
                consume(Step::Close, report)?;
            }
            Ok(Event::End(_)) if depth > 0 => {
                depth -= 1;
                consume(Step::Close, report)?;
            }
            Ok(Event::Text(t)) if with_text => {
                if let Some(t) = plain_text(&t) {
                    consume(Step::Text(t), report)?;
                }
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(e) => {
                report.dropped(line, format!("broken XML: {}", first_words(&e.to_string())));
                restarts += 1;
                let behind = behind(text, from + reader.error_position() as usize);
                let Some(next) = behind.filter(|_| restarts < MAX_RESTARTS) else { break };
                from = next;
                reader = self::reader(text, from);
            }
        }
        if elements >= MAX_ELEMENTS {
            report.dropped(line, format!("more than {MAX_ELEMENTS} elements; the rest was not read"));
            break;
        }
    }
    if depth > 0 {
        report.dropped(place.line, format!("the file ends inside {depth} open elements; they were closed"));
    }
    (0..depth).try_for_each(|_| consume(Step::Close, report))
}

/// Where the next element may begin behind a broken place.
fn behind(text: &str, broken: usize) -> Option<usize> {
    let from = (broken.saturating_add(1)..=text.len()).find(|i| text.is_char_boundary(*i))?;
    text.get(from..)?.find('<').map(|i| from + i)
}

/// Text without blanks around it; none if nothing is left, or if it is absurdly long.
fn plain_text(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    (!text.is_empty() && text.len() <= 1 << 20).then(|| text.to_owned())
}

fn reader(text: &str, from: usize) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text.get(from..).unwrap_or(""));
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

fn check_depth(depth: usize, line: u32) -> Result<(), ImportError> {
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    Err(ImportError::new(format!("elements are nested deeper than {MAX_DEPTH}")).at(line, 1))
}

fn first_words(message: &str) -> String {
    message.chars().take(100).collect()
}

fn tag(e: &BytesStart, line: u32) -> Tag {
    let name = String::from_utf8_lossy(e.name().as_ref()).into_owned();
    let mut attributes = Vec::new();
    for a in e.attributes().with_checks(false).take(MAX_ATTRIBUTES).flatten() {
        if a.value.len() > MAX_VALUE {
            continue;
        }
        let raw = String::from_utf8_lossy(&a.value);
        let value =
            quick_xml::escape::unescape(&raw).map_or_else(|_| raw.clone().into_owned(), std::borrow::Cow::into_owned);
        attributes.push((String::from_utf8_lossy(a.key.as_ref()).into_owned(), value));
    }
    Tag { name, line, attributes }
}

/// Line numbers of ascending positions, in one pass over the text.
struct Place<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Place<'_> {
    fn line_at(&mut self, position: usize) -> u32 {
        if let Some(passed) = self.text.as_bytes().get(self.at..position) {
            self.line += passed.split(|b| *b == b'\n').skip(1).count() as u32;
            self.at = position;
        }
        self.line
    }
}
