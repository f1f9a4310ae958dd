//! Lists in brackets: `gpu[0-3,7]`. They are read before an address means anything, and all their members must be there.

use super::{Address, AddressError, System};

/// A list and what stands before and after it in its step.
struct List<'a> {
    head: &'a str,
    parts: Vec<(u32, u32)>,
    tail: &'a str,
}

/// The first list of a step; the error says what is wrong with it.
fn list(step: &str) -> Result<Option<List<'_>>, String> {
    let Some((head, rest)) = step.split_once('[') else { return Ok(None) };
    let Some((inner, tail)) = rest.split_once(']') else { return Err("the bracket is not closed".to_owned()) };
    let mut parts = Vec::new();
    for part in inner.split(',') {
        let (a, b) = part.split_once('-').unwrap_or((part, part));
        let number = |t: &str| {
            t.trim().parse::<u32>().map_err(|_| format!("{part:?} is not a number or range; expected as [0-3,7]"))
        };
        let (a, b) = (number(a)?, number(b)?);
        if a > b {
            return Err(format!("the range {a}-{b} runs backwards; expected [{b}-{a}]"));
        }
        parts.push((a, b));
    }
    Ok(Some(List { head, parts, tail }))
}

/// Refuses a list that cannot be read.
pub(super) fn check(step: &str) -> Result<(), AddressError> {
    let mut rest = step;
    loop {
        match list(rest) {
            Ok(None) => return Ok(()),
            Ok(Some(l)) => rest = l.tail,
            Err(reason) => return Err(AddressError::List { name: step.to_owned(), reason }),
        }
    }
}

/// Refuses an address with a list that has members which are not there. Names of a kind are numbered without holes, so that
/// the ends of each range tell.
pub(super) fn all_there(address: &Address, system: &System) -> Result<(), AddressError> {
    let steps = address.from.len() + address.to.as_ref().map_or(0, Vec::len);
    for at in 0..steps {
        let step = step_at(address, at);
        let Ok(Some(l)) = list(&step) else { continue };
        for (a, b) in l.parts.iter().copied() {
            for n in [b, a] {
                let one = format!("{}{n}{}", l.head, l.tail);
                if with_step(address, at, &one).resolve_some(system).is_err() {
                    let there = last_there(address, system, at, &l, n);
                    let name = address.text.clone();
                    return Err(AddressError::TooFar { name, missing: one, there });
                }
            }
        }
    }
    Ok(())
}

/// The numbers that are there, as `: gpu0 to gpu7 are there`.
fn last_there(address: &Address, system: &System, at: usize, l: &List<'_>, above: u32) -> String {
    let is = |n: u32| with_step(address, at, &format!("{}{n}{}", l.head, l.tail)).resolve_some(system).is_ok();
    // Halving finds the last of a run that begins at 0.
    let (mut low, mut high) = (0, above);
    if !is(low) {
        return String::new();
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is(middle) { low = middle } else { high = middle }
    }
    let name = |n: u32| format!("{}{n}{}", l.head, l.tail);
    if low == 0 { format!(": only {} is there", name(0)) } else { format!(": {} to {} are there", name(0), name(low)) }
}

fn step_at(address: &Address, at: usize) -> String {
    let mut all = address.from.iter().chain(address.to.iter().flatten());
    all.nth(at).cloned().unwrap_or_default()
}

/// The address with another step in one place.
fn with_step(address: &Address, at: usize, step: &str) -> Address {
    let mut other = address.clone();
    let slot = match at.checked_sub(other.from.len()) {
        None => other.from.get_mut(at),
        Some(i) => other.to.as_mut().and_then(|t| t.get_mut(i)),
    };
    if let Some(slot) = slot {
        step.clone_into(slot);
    }
    other
}
