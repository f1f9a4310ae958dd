//! What every rank holds of every chunk; many ranks are summed up by node, many chunks by neighbours.

use crate::collective::schedule::{Chunk, Move, Place, Rank, Replay, Schedule};
use crate::system::System;

/// Ranks that are followed one by one.
pub const MOST_RANKS: u64 = 128;

/// Ranks that have a row of their own.
const OWN_ROWS: usize = 16;

/// Columns at most.
const COLUMNS: usize = 32;

/// How much is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Done {
    /// Nothing.
    #[default]
    Nothing,
    /// Some of it.
    Partly,
    /// All of it.
    All,
}

impl Done {
    /// Of parts, so many of which are complete.
    pub const fn of(complete: usize, parts: usize) -> Self {
        match complete {
            0 => Self::Nothing,
            n if n < parts => Self::Partly,
            _ => Self::All,
        }
    }
}

/// What one rank, or all of a node, has of a chunk or of some neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell {
    /// Ranks whose data is in it; of several the most.
    pub summed: usize,
    /// How much of it is complete.
    pub done: Done,
    /// Whether something of it came in this step.
    pub arrived: bool,
    /// Whether something of it leaves in the next step.
    pub leaves: bool,
}

/// The cells, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkTable {
    /// What is over the columns.
    pub head: Vec<String>,
    /// A name and its cells.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// Whether a row is a node with all its ranks.
    pub by_node: bool,
    /// Whether cells count how many ranks are summed up.
    pub adds: bool,
    /// Ranks whose data is in a complete chunk.
    pub full: usize,
}

/// What the ranks of the first group hold after the moves of a step; `next` are those of the step after it.
pub fn chunk_table(system: &System, s: &Schedule, state: &Replay, moves: &[Move], next: &[Move]) -> ChunkTable {
    let ranks = state.ranks();
    let by_node = ranks.len() > OWN_ROWS;
    let mut names: Vec<(String, Vec<usize>)> = Vec::new();
    for (i, rank) in ranks.iter().enumerate() {
        let name = name(system, s, *rank, by_node);
        match names.iter_mut().find(|(n, _)| *n == name) {
            Some((_, list)) => list.push(i),
            None => names.push((name, vec![i])),
        }
    }
    let chunks = state.chunks();
    // The slices of a block stay together.
    let slices = s.slices().max(1) as usize;
    let each = chunks.len().div_ceil(COLUMNS * slices).max(1) * slices;
    let columns: Vec<&[Chunk]> = chunks.chunks(each).collect();
    let head = columns.iter().map(|c| head(s, c)).collect();
    let full = if s.adds() { ranks.len() } else { 1 };
    let cell = |rows: &[usize], column: &[Chunk]| {
        let mut all = Cell::default();
        let mut complete = 0;
        for r in rows {
            for c in column {
                let summed = state.held(*r, *c).summed();
                all.summed = all.summed.max(summed);
                complete += usize::from(summed >= full);
                let rank = ranks.get(*r).map(|r| Place::Gpu(*r));
                all.arrived |= moves.iter().any(|m| Some(m.to) == rank && touches(s, m, *c));
                all.leaves |= next.iter().any(|m| Some(m.from) == rank && touches(s, m, *c));
            }
        }
        all.done = Done::of(complete, rows.len() * column.len());
        all
    };
    let rows = names.into_iter().map(|(n, list)| (n, columns.iter().map(|c| cell(&list, c)).collect())).collect();
    ChunkTable { head, rows, by_node, adds: s.adds(), full }
}

/// Whether a move carries a chunk of the table. A shift has one column, whoever sends.
fn touches(s: &Schedule, m: &Move, c: Chunk) -> bool {
    s.chunks(0) == 1 || m.chunks.contains(&c)
}

fn head(s: &Schedule, chunks: &[Chunk]) -> String {
    match chunks {
        [one] => {
            let mark = s.chunk_mark(*one);
            if mark.is_empty() { one.index.to_string() } else { mark }
        }
        [first, ..] => (first.index / s.slices().max(1)).to_string(),
        [] => String::new(),
    }
}

/// The row of a rank: its own, or that of its node.
fn name(system: &System, s: &Schedule, rank: Rank, by_node: bool) -> String {
    let Some((unit, class)) = s.unit(0, rank.unit) else { return String::new() };
    let device = s.gpus(0, rank.unit).get(rank.gpu as usize).copied();
    let path = device.and_then(|d| system.classes.get(class.0)?.shape.device(d)).map_or("?", |d| d.path.as_str());
    let full = if s.units(0) == 1 { path.to_owned() } else { format!("{}/{path}", system.unit_name(unit)) };
    let shown = if by_node { full.rsplit_once('/').map_or(full.as_str(), |(node, _)| node) } else { full.as_str() };
    short_place(shown)
}

/// `node1/gpu0` as `n1/g0`, `the switches of node1` as `n1/switches`.
pub fn short_place(name: &str) -> String {
    let step = |part: &str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let first = part.chars().next().map(String::from).unwrap_or_default();
        if digits.is_empty() { part.to_owned() } else { format!("{first}{digits}") }
    };
    match name {
        "the switches" => "switches".to_owned(),
        "the fabric's switches" => "fabric".to_owned(),
        _ => match name.strip_prefix("the switches of ") {
            Some(unit) => format!("{}/switches", step(unit)),
            None => name.split('/').map(step).collect::<Vec<_>>().join("/"),
        },
    }
}
