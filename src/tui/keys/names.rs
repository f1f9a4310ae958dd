//! The names of keys: one table for reading, printing and terminal events.

use crossterm::event::KeyCode;

use super::chord::Code;

/// Keys that have a name, the printed name first, then what else is read.
const NAMED: [(Code, &[&str], Option<KeyCode>); 17] = [
    (Code::Enter, &["enter", "return", "cr"], Some(KeyCode::Enter)),
    (Code::Tab, &["tab"], Some(KeyCode::Tab)),
    (Code::Esc, &["esc", "escape"], Some(KeyCode::Esc)),
    (Code::Backspace, &["backspace", "bs"], Some(KeyCode::Backspace)),
    (Code::Delete, &["delete", "del"], Some(KeyCode::Delete)),
    (Code::Insert, &["insert", "ins"], Some(KeyCode::Insert)),
    (Code::Left, &["left"], Some(KeyCode::Left)),
    (Code::Right, &["right"], Some(KeyCode::Right)),
    (Code::Up, &["up"], Some(KeyCode::Up)),
    (Code::Down, &["down"], Some(KeyCode::Down)),
    (Code::Home, &["home"], Some(KeyCode::Home)),
    (Code::End, &["end"], Some(KeyCode::End)),
    (Code::PageUp, &["pageup", "pgup"], Some(KeyCode::PageUp)),
    (Code::PageDown, &["pagedown", "pgdn"], Some(KeyCode::PageDown)),
    // Characters that a script could not show otherwise.
    (Code::Char(' '), &["space"], None),
    (Code::Char('<'), &["lt"], None),
    (Code::Char('"'), &["quote"], None),
];

/// Function keys that terminals send.
const FUNCTION_KEYS: std::ops::RangeInclusive<u8> = 1..=24;

/// The printed name of a key; `None` when it is a character that stands for itself.
pub(super) fn of(code: Code) -> Option<String> {
    if let Code::F(n) = code {
        return Some(format!("f{n}"));
    }
    let (_, names, _) = NAMED.iter().find(|(named, _, _)| *named == code)?;
    names.first().map(|name| (*name).to_owned())
}

/// The key of a name in any case.
pub(super) fn code(name: &str) -> Option<Code> {
    let name = name.to_lowercase();
    if let Some(n) = name.strip_prefix('f').and_then(|n| n.parse().ok()) {
        return FUNCTION_KEYS.contains(&n).then_some(Code::F(n));
    }
    NAMED.iter().find(|(_, names, _)| names.contains(&name.as_str())).map(|(code, _, _)| *code)
}

/// The key of a terminal event, for keys that are not characters or function keys.
pub(super) fn from_key_code(key: KeyCode) -> Option<Code> {
    NAMED.iter().find(|(_, _, event)| *event == Some(key)).map(|(code, _, _)| *code)
}

/// Every name, for "did you mean".
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    NAMED.iter().filter_map(|(_, names, _)| names.first().copied())
}
