//! Steps in words: who sends what to whom, over which devices.

use super::{Cell, ChunkTable, Done, MOST_RANKS, TierProgress, Timeline, chunk_table};
use crate::collective::schedule::{Move, Op, Place};
use crate::system::{DeviceIx, DeviceKind, Shape, System, collapse};
use crate::units::{Share, counted};

/// Moves that a step lists one by one; of more, as many of the rest are said to be.
const LISTED: usize = 128;

/// Steps that are all listed.
const MANY: u64 = 200;

impl Timeline {
    /// A place's address: `gpu3`, `node1/gpu3` where a group spans several units, `the switches of node1`.
    pub fn place(&self, system: &System, group: usize, place: Place) -> String {
        let s = self.schedule();
        let unit = |u: u32| s.unit(group, u).map_or_else(String::new, |(id, _)| system.unit_name(id));
        match place {
            Place::Gpu(rank) => {
                let device = s.gpus(group, rank.unit).get(rank.gpu as usize).copied();
                let class = s.unit(group, rank.unit).and_then(|(_, c)| system.classes.get(c.0));
                let name = device.and_then(|d| class?.shape.device(d)).map_or("?", |d| d.path.as_str());
                if s.units(group) == 1 { name.to_owned() } else { format!("{}/{name}", unit(rank.unit)) }
            }
            Place::Switches(_) if s.units(group) == 1 => "the switches".to_owned(),
            Place::Switches(u) => format!("the switches of {}", unit(u)),
            Place::Fabric => "the fabric's switches".to_owned(),
        }
    }

    /// The devices between the ends of a move: `over nvsw[0-3]`, `over psw0`, `directly`.
    pub fn way(&self, system: &System, group: usize, m: &Move) -> String {
        let s = self.schedule();
        let mut parts: Vec<String> = Vec::new();
        for leg in &m.legs {
            let Some(class) = system.classes.get(leg.class.0) else { continue };
            let ends = [m.from, m.to].map(|p| match p {
                Place::Gpu(r) if r.unit == leg.unit => s.gpus(group, r.unit).get(r.gpu as usize).copied(),
                _ => None,
            });
            let hops = leg.hops.iter().filter_map(|h| class.shape.link(h.link).map(|l| (l.a, l.b, h.forward)));
            let mut seen: Vec<DeviceIx> = Vec::new();
            for (a, b, forward) in hops {
                let ordered = if forward { [a, b] } else { [b, a] };
                for d in ordered {
                    if !seen.contains(&d) && !ends.contains(&Some(d)) && passes(&class.shape, d) {
                        seen.push(d);
                    }
                }
            }
            for run in runs(&class.shape, &seen) {
                if !parts.contains(&run) {
                    parts.push(run);
                }
            }
        }
        let into = [m.from, m.to].iter().any(|p| matches!(p, Place::Switches(_)));
        match parts.as_slice() {
            _ if into => String::new(),
            [] => "directly".to_owned(),
            list => format!("over {}", list.join(", ")),
        }
    }

    /// A move as a clause: `gpu0 sends chunk 7 (128 MiB) to gpu1, which adds it, over nvsw[0-3]`.
    pub fn say(&self, system: &System, group: usize, m: &Move) -> String {
        let s = self.schedule();
        let what = match m.chunks.as_slice() {
            [one] => s.chunk_name(*one),
            list => format!("{} pieces", list.len()),
        };
        let (from, to) = (self.place(system, group, m.from), self.place(system, group, m.to));
        let adds = match (m.op, m.to) {
            (Op::Copy, _) => "",
            (Op::Add, Place::Gpu(_)) => ", which adds it",
            (Op::Add, _) => ", which add it up",
        };
        let way = self.way(system, group, m);
        let gap = if way.is_empty() { "" } else { ", " };
        let verb = if matches!(m.from, Place::Gpu(_)) { "sends" } else { "send" };
        format!("{from} {verb} {what} ({}) to {to}{adds}{gap}{way}", m.bytes)
    }

    /// All steps in words: a heading for each, then what its links and tiers do, a line per move of the first group's lane
    /// with the binding link, and what the ranks hold after it where they are few enough to be followed. Of a very long schedule the beginning
    /// and the end.
    pub fn text(&self, system: &System) -> String {
        let all = self.steps();
        let s = self.schedule();
        let mut lines = vec![
            format!("{}; launch {}, all done after {}", counted(all, "step"), self.end(0), self.total()),
            format!("what binds the whole: {}", self.bottleneck()),
        ];
        if s.lanes(0) > 1 {
            let share = Share::new(s.lane_share(0, self.lane()));
            lines.push(format!(
                "shown: {} {} of {} side by side, {share} of the message",
                s.lane_kind(),
                self.lane() + 1,
                s.lanes(0)
            ));
        }
        lines.extend(self.beside(system));
        lines.extend(Some(s.marks()).filter(|m| !m.is_empty()));
        let mut state = s.replay(0, Some(self.lane())).filter(|r| r.ranks().len() as u64 <= MOST_RANKS);
        lines.extend(state.as_ref().map(|_| legend(s.adds())));
        let (first, last) = if all > MANY { (MANY / 2, all - 4) } else { (all, all) };
        for step in 0..all {
            let moves = if state.is_some() || !(first..last).contains(&step) {
                s.moves(0, step, Some(self.lane()))
            } else {
                Vec::new()
            };
            if let Some(state) = &mut state {
                state.step(&moves);
            }
            if step == first && first < last {
                lines.push(format!("\nsteps {} to {last} go on in the same way", first + 1));
            }
            if !(first..last).contains(&step) {
                lines.extend(self.step_text(system, step, &moves));
                lines.extend(state.as_ref().map(|r| grid(&chunk_table(system, s, r, &moves, &[]))).unwrap_or_default());
            }
        }
        lines.join("\n") + "\n"
    }

    fn step_text(&self, system: &System, step: u64, moves: &[Move]) -> Vec<String> {
        let s = self.schedule();
        let slowest = self
            .slowest(step)
            .map_or_else(String::new, |l| format!("; slowest link {}, {} for its bytes", l.name, l.time));
        let mut lines = vec![
            format!("\nstep {} of {}, {}: {}", step + 1, self.steps(), s.phase(step), s.about(step)),
            format!("  from {} to {}{slowest}", self.end(step), self.end(step + 1)),
        ];
        lines.extend(self.hidden(system, step).map(|h| format!("  {h}")));
        let tier = |t: &TierProgress| {
            format!("{} {} of {} (busy {} of {})", t.tier.name(), t.bytes, t.all_bytes, t.time, t.all_time)
        };
        let tiers: Vec<String> = self.tiers(step + 1).iter().map(tier).collect();
        lines.push(format!("  so far per GPU: {}", tiers.join(", ")));
        let before = s.first_stages().filter(|stages| step > *stages);
        if let (Some(stages), Some(piece)) = (before, moves.first().and_then(|m| m.chunks.first())) {
            let name = s.chunk_name(*piece);
            lines.push(format!("  the moves of step {} once more, with {name}", stages + 1));
            return lines;
        }
        lines.extend(moves.iter().take(LISTED).map(|m| format!("  {}", self.say(system, 0, m))));
        if moves.len() > LISTED {
            lines.push(format!("  and {} more like these", moves.len() - LISTED));
        }
        lines
    }

    /// What a step of a chain has behind it that no move shows: hand-overs in units that are not shown.
    pub fn hidden(&self, system: &System, step: u64) -> Option<String> {
        let more = self.schedule().passes(step).checked_sub(1).filter(|n| *n > 0)?;
        let what = if system.is_rack { "racks" } else { "nodes" };
        let when = if self.schedule().first_stages() == Some(step + 1) { "after" } else { "before" };
        Some(format!("the time includes {} in {what} that are not shown, {when} this one", counted(more, "hand-over")))
    }

    /// What goes on besides what is shown: other groups, other units; and what the price has beyond the moves.
    pub fn beside(&self, system: &System) -> Vec<String> {
        let s = self.schedule();
        let mut lines = Vec::new();
        if s.groups() > 1 {
            lines.push(format!("shown is the first of {} groups that do the same at the same time", s.groups()));
        }
        let (shown, all) = (s.shown(0).len() as u32, s.units(0));
        if shown < all {
            let what = if system.is_rack { "racks" } else { "nodes" };
            lines.push(format!("shown are {shown} of {all} {what}; the others do the same with their neighbours"));
        }
        lines.extend(s.reserve().map(|r| r.to_string()));
        lines
    }
}

/// What the marks of [`grid`] mean.
fn legend(adds: bool) -> String {
    let own = if adds { ". own data, 2.. ranks summed, " } else { "" };
    format!("what the ranks hold: {own}# complete, + in part or in some GPUs; > came in the step")
}

/// Who holds what, a row per rank or node.
fn grid(table: &ChunkTable) -> Vec<String> {
    let cell = |c: &Cell| {
        let what = match (c.done, c.summed) {
            (Done::All, _) => "#".to_owned(),
            (Done::Partly, _) => "+".to_owned(),
            (Done::Nothing, 0) => String::new(),
            (Done::Nothing, 1) if table.adds => ".".to_owned(),
            (Done::Nothing, n) => n.to_string(),
        };
        format!("{}{what}", if c.arrived { ">" } else { "" })
    };
    let name = table.rows.iter().map(|r| r.0.len()).max().unwrap_or(0);
    let wide = table.head.iter().map(String::len).max().unwrap_or(0);
    let wide = table.rows.iter().flat_map(|r| &r.1).map(|c| cell(c).len()).fold(wide, usize::max);
    let line = |name_of: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|c| format!("{c:>wide$}")).collect();
        format!("  {name_of:<name$}  {}", cells.join(" ")).trim_end().to_owned()
    };
    let head = line("", table.head.clone());
    std::iter::once(head).chain(table.rows.iter().map(|r| line(&r.0, r.1.iter().map(cell).collect()))).collect()
}

/// Whether a device is worth naming on a way: not the fabric, which is behind every NIC.
fn passes(shape: &Shape, d: DeviceIx) -> bool {
    shape.device(d).is_some_and(|x| !matches!(x.kind, DeviceKind::Fabric))
}

/// Devices in the order of the way, runs of one kind in their short form.
fn runs(shape: &Shape, devices: &[DeviceIx]) -> Vec<String> {
    let letters = |d: &DeviceIx| {
        let path = shape.device(*d).map_or("", |x| x.path.as_str());
        path.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    };
    let mut groups: Vec<Vec<DeviceIx>> = Vec::new();
    for d in devices {
        match groups.iter_mut().find(|g| g.first().is_some_and(|f| letters(f) == letters(d))) {
            Some(group) => group.push(*d),
            None => groups.push(vec![*d]),
        }
    }
    let name = |g: Vec<DeviceIx>| {
        let mut g = g;
        g.sort_unstable();
        let names: Vec<String> = g.iter().filter_map(|d| shape.device(*d).map(|x| x.path.clone())).collect();
        collapse(&names).unwrap_or_else(|| names.join(", "))
    };
    groups.into_iter().map(name).collect()
}
