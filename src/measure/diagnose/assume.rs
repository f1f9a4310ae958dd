//! What a log says about the run, as edits: how many nodes and GPUs took part, how many GPUs one process drove.

use crate::cost::Prepared;
use crate::measure::log::Test;
use crate::question::Group;
use crate::scenario::{Context, Edit, Entry, Key, Outcome, Value, apply};
use crate::system::System;

/// Edits after which a system has as many ranks as a test of a log, and its launch mode; empty where it has them already.
/// The error says which edit to give instead.
pub fn assume(system: &System, test: &Test) -> Result<Vec<Edit>, String> {
    let mut edits = match test.ranks {
        Some(n) if ranks(system, &[]) != Some(u64::from(n)) => size(system, n, test.hosts)?,
        _ => Vec::new(),
    };
    let driven = test.gpus_per_process.unwrap_or(1);
    if driven > 1 && system.software.gpus_per_process == 1 {
        edits.push(Edit::set(Key::GpusPerProcess, Value::Count(driven)));
    }
    Ok(edits)
}

fn ranks(system: &System, edits: &[Edit]) -> Option<u64> {
    let entries: Vec<Entry> = edits.iter().cloned().map(Entry::from).collect();
    let applied = apply(system, &entries, &Context::default());
    let active = applied.outcomes.iter().all(|o| matches!(o, Outcome::Active { .. }));
    Prepared::participants(&applied.system, Group::All).ok().filter(|_| active).map(|w| w.ranks)
}

/// The first of the ways to get to a number of ranks that works here.
fn size(system: &System, n: u32, hosts: Option<u32>) -> Result<Vec<Edit>, String> {
    let unit = if system.is_rack { Key::Racks } else { Key::Nodes };
    let per = system.ranks_per_unit().max(1);
    let units = |k: u32| Edit::set(unit, Value::Count(k));
    let gpus = |k: u32| Edit::set(Key::Gpus, Value::Count(k));
    let mut ways: Vec<Vec<Edit>> = Vec::new();
    if let Some(h) = hosts.filter(|h| *h > 0 && n.is_multiple_of(*h) && !system.is_rack) {
        let each = n / h;
        let all = [(h != system.units).then(|| units(h)), (each != per).then(|| gpus(each))];
        ways.push(all.into_iter().flatten().collect());
    }
    if n.is_multiple_of(per) {
        ways.push(vec![units(n / per)]);
    }
    ways.push(vec![gpus(n)]);
    ways.push(vec![units(1), gpus(n)]);
    if n.is_multiple_of(system.units.max(1)) {
        ways.push(vec![gpus(n / system.units.max(1))]);
    }
    let found = ways.into_iter().find(|w| ranks(system, w) == Some(u64::from(n)));
    found.ok_or_else(|| {
        let have = ranks(system, &[]).unwrap_or(0);
        let sizes = if system.fabric.is_some() { format!("set {unit} = 2 or set gpus = 4") } else { "set gpus = 4".to_owned() };
        format!(
            "the log has {n} ranks and {} has {have}; say what took part with an edit, as {sizes}, or take another system",
            system.name
        )
    })
}
