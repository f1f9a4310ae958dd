//! A collective watched step by step: where one is in it, and what is shown there. Made when the screen opens, when machine
//! or question change and when the step changes, never while drawing.

mod scene;
mod table;

use std::time::Duration;

pub use crate::cost::{Cell, ChunkTable, Done};
pub use scene::{Course, Drawing, Flow, Knot, Scene, Star, Wire};

use super::{App, Screen};
use crate::collective::schedule::{Chunk, Move, Op, Replay};
use crate::cost::{Answer, MOST_RANKS, Prepared, Slowest, TierProgress, Timeline, chunk_table, short_place};
use crate::system::{System, Tier, tier_of};
use crate::tui::theme::Role;
use crate::units::{Bytes, Time};

/// A whole play takes about so many seconds at normal speed.
const WHOLE: f64 = 14.0;

/// The shortest time between two frames.
const FRAME: f64 = 0.05;

/// Fastest and slowest, as powers of two of the normal speed.
const SPEEDS: std::ops::RangeInclusive<i32> = -3..=5;

/// A collective and where one is in it.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Steps that are done.
    pub step: u64,
    /// Whether it goes on by itself.
    pub playing: bool,
    speed: i32,
    lane: usize,
    /// Whether the user has chosen it.
    chosen: bool,
    /// Rows that are scrolled away.
    scroll: usize,
    /// Whether the moves are listed in place of the drawing; `None` for what fits.
    lists: Option<bool>,
    /// Part of a step that has passed, in steps.
    passed: f64,
    play: Option<Result<Play, String>>,
}

/// The collective that is watched.
#[derive(Debug, Clone)]
pub struct Play {
    /// Steps and times.
    pub timeline: Timeline,
    /// What is shown now.
    pub frame: Frame,
    /// What the ranks hold, and after how many steps.
    state: Option<(u64, Replay)>,
}

/// What is shown after a step.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// The moves of the step, as many as are listed.
    pub moves: Vec<MoveRow>,
    /// How many there are.
    pub moved: usize,
    /// The drawings.
    pub scene: Scene,
    /// Cells of the widest mark of a chunk at any step, so that drawings stay where they are.
    pub mark: usize,
    /// What the ranks hold; `None` where there are too many of them.
    pub table: Option<ChunkTable>,
    /// The link that the step waited for.
    pub slowest: Option<Slowest>,
    /// What the tiers have done.
    pub tiers: Vec<TierProgress>,
    /// Time since the call.
    pub time: Time,
    /// What the step adds to it.
    pub added: Time,
}

/// A move as it is drawn.
#[derive(Debug, Clone)]
pub struct MoveRow {
    /// From whom: `g0`, `n1/g0`, `switches`.
    pub from: String,
    /// To whom.
    pub to: String,
    /// Which chunk: `c7`; empty where that says nothing.
    pub chunk: String,
    /// Whether it is added there.
    pub adds: bool,
    /// Bytes.
    pub bytes: Bytes,
    /// Over which devices.
    pub way: String,
    /// Colour of the widest tier that it crosses.
    pub role: Role,
    /// Whether it uses the slowest link of the step.
    pub slowest: bool,
}

/// Most moves that are listed.
const LISTED: usize = 256;

impl Watch {
    /// The collective, or why there is none.
    pub fn play(&self) -> Option<&Result<Play, String>> {
        self.play.as_ref()
    }

    fn known(&self) -> Option<&Play> {
        self.play.as_ref()?.as_ref().ok()
    }

    /// Rings, chains or parts of the message that one can follow.
    pub fn lanes(&self) -> usize {
        self.known().map_or(0, |p| p.timeline.schedule().lanes(0))
    }

    /// The one that is followed.
    pub const fn lane(&self) -> usize {
        self.lane
    }

    /// Rows that are scrolled away.
    pub const fn scroll(&self) -> usize {
        self.scroll
    }

    /// Whether the moves are listed in place of the drawing; `None` for what fits.
    pub const fn lists(&self) -> Option<bool> {
        self.lists
    }

    /// Whether there is a drawing of the step.
    pub fn draws(&self) -> bool {
        self.known().is_some_and(|p| !p.frame.scene.is_empty())
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.known().map_or(0, |p| p.timeline.steps())
    }

    /// Steps per second while it plays.
    pub fn rate(&self) -> f64 {
        let whole = (self.steps() as f64 / WHOLE).max(1.0).log2().floor();
        f64::from(self.speed).exp2() * whole.exp2()
    }
}

impl App {
    /// What is watched.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Makes what is shown anew after a change of machine or question; drops it when the screen is closed.
    pub(super) fn refresh_watch(&mut self) {
        if !self.focus.layers().any(|l| l.screen() == Some(Screen::Watch)) {
            if self.watch.play.is_some() {
                self.watch = Watch::default();
            }
            return;
        }
        let play = timeline(self.history.system(), &self.question).map(|timeline| Play {
            timeline,
            frame: Frame::default(),
            state: None,
        });
        self.watch.play = Some(play);
        self.watch.lane = match self.watch.known() {
            Some(p) if !self.watch.chosen => p.timeline.lane(),
            _ => self.watch.lane.min(self.watch.lanes().saturating_sub(1)),
        };
        self.watch_to(self.watch.step.min(self.watch.steps()));
    }

    /// Goes to a number of steps done.
    pub(crate) fn watch_to(&mut self, step: u64) {
        let steps = self.watch.steps();
        self.watch.step = step.min(steps);
        if self.watch.step == steps {
            self.watch.playing = false;
            self.watch.passed = 0.0;
        }
        let system = self.history.system();
        let (step, lane) = (self.watch.step, self.watch.lane);
        if let Some(Ok(play)) = &mut self.watch.play {
            play.show(system, step, lane);
        }
    }

    /// So many steps on, or back; what plays stops.
    pub(crate) fn watch_move(&mut self, by: i64) {
        self.watch.playing = false;
        self.watch_to(self.watch.step.saturating_add_signed(by));
    }

    /// Scrolls so many rows on, or back, as far as there are any.
    pub(crate) fn watch_scroll(&mut self, by: isize, most: usize) {
        self.watch.scroll = self.watch.scroll.min(most).saturating_add_signed(by).min(most);
    }

    /// The list of the moves, or the drawing in its place.
    pub(crate) fn watch_list(&mut self, lists: bool) {
        self.watch.lists = Some(lists);
        self.watch.scroll = 0;
    }

    /// Follows another ring.
    pub(crate) fn watch_lane(&mut self, on: bool) {
        let lanes = self.watch.lanes().max(1);
        self.watch.chosen = true;
        self.watch.lane = (self.watch.lane + if on { 1 } else { lanes - 1 }) % lanes;
        if let Some(Ok(play)) = &mut self.watch.play {
            play.state = None;
        }
        self.watch_to(self.watch.step);
    }

    /// Plays, or stops; from the end it begins again.
    pub(crate) fn watch_play(&mut self) {
        let playing = !self.watch.playing && self.watch.steps() > 0;
        if playing && self.watch.step == self.watch.steps() {
            self.watch_to(0);
        }
        self.watch.passed = 0.0;
        self.watch.playing = playing;
    }

    /// Twice or half as fast.
    pub(crate) fn watch_speed(&mut self, faster: bool) {
        let speed = self.watch.speed + if faster { 1 } else { -1 };
        self.watch.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
    }

    /// Time passes while it plays.
    pub(crate) fn watch_tick(&mut self, time: Duration) {
        let passed = self.watch.passed + time.as_secs_f64() * self.watch.rate();
        let whole = passed.floor();
        self.watch.passed = passed - whole;
        if whole >= 1.0 {
            // At most as many steps as there are.
            let by = whole.min(self.watch.steps() as f64) as u64;
            self.watch_to(self.watch.step + by);
        }
    }

    /// In how long the next step is due; `None` when nothing plays.
    pub(crate) fn watch_deadline(&self) -> Option<Duration> {
        let left = (1.0 - self.watch.passed) / self.watch.rate();
        self.watch.playing.then(|| Duration::from_secs_f64(left.clamp(FRAME, 10.0)))
    }
}

/// The steps of the answer to a question, or why there are none.
fn timeline(system: &System, question: &crate::question::Question) -> Result<Timeline, String> {
    let who = Prepared::participants(system, question.group).map_err(|u| u.to_string())?;
    let prepared = Prepared::new(system, &who);
    match prepared.answer(question) {
        Answer::Unreachable(u) => Err(u.to_string()),
        Answer::Estimate(e) => Timeline::of(&prepared, &e).ok_or_else(|| "one rank alone: nothing is moved".to_owned()),
    }
}

impl Play {
    /// Makes what is shown after so many steps.
    fn show(&mut self, system: &System, step: u64, lane: usize) {
        let slowest = step.checked_sub(1).and_then(|s| self.timeline.slowest(s)).cloned();
        let moves = step.checked_sub(1).map(|s| self.timeline.schedule().moves(0, s, Some(lane))).unwrap_or_default();
        let next = self.timeline.schedule().moves(0, step, Some(lane));
        self.replay(step, lane);
        let state = self.state.as_ref().map(|(_, s)| s);
        let table = state.map(|s| chunk_table(system, self.timeline.schedule(), s, &moves, &next));
        let on_slowest = |m: &Move| slowest.as_ref().is_some_and(|s| self.timeline.uses(s, m));
        // One mark is enough: the others are as slow.
        let marked = moves.iter().position(on_slowest);
        let row = |(i, m): (usize, &Move)| self.row(system, m, marked == Some(i));
        let rows = moves.iter().take(LISTED).enumerate().map(row).collect();
        let scene = scene::Draughtsman::new(system, &self.timeline, lane, &moves, on_slowest).scene();
        let tiers = self.timeline.tiers(step);
        let time = self.timeline.end(step);
        let added = step.checked_sub(1).map_or(time, |s| time - self.timeline.end(s));
        let moved = moves.len();
        let mark = self.widest_mark();
        self.frame = Frame { moves: rows, moved, scene, mark, table, slowest, tiers, time, added };
    }

    fn widest_mark(&self) -> usize {
        let schedule = self.timeline.schedule();
        let last = schedule.chunks(0).saturating_sub(1);
        crate::tui::text::width(&schedule.chunk_mark(Chunk { lane: 0, index: last }))
    }

    /// Carries out the moves up to a step, where the ranks are few enough to be followed one by one.
    fn replay(&mut self, step: u64, lane: usize) {
        let schedule = self.timeline.schedule();
        if schedule.ranks(0) > MOST_RANKS {
            return;
        }
        let known = self.state.take().filter(|(at, _)| *at <= step);
        let Some((mut at, mut state)) = known.or_else(|| Some((0, schedule.replay(0, Some(lane))?))) else { return };
        while at < step {
            state.step(&schedule.moves(0, at, Some(lane)));
            at += 1;
        }
        self.state = Some((step, state));
    }

    fn row(&self, system: &System, m: &Move, slowest: bool) -> MoveRow {
        let schedule = self.timeline.schedule();
        let name = |p| short_place(&self.timeline.place(system, 0, p));
        let chunk = match m.chunks.as_slice() {
            [one] => schedule.chunk_mark(*one),
            [first, second] => format!("{},{}", schedule.chunk_mark(*first), schedule.chunk_mark(*second)),
            [first, ..] => format!("{}..", schedule.chunk_mark(*first)),
            [] => String::new(),
        };
        MoveRow {
            from: name(m.from),
            to: name(m.to),
            chunk,
            adds: m.op == Op::Add,
            bytes: m.bytes,
            way: self.timeline.way(system, 0, m),
            role: role(system, m),
            slowest,
        }
    }
}

/// The widest tier that a move crosses.
fn role(system: &System, m: &Move) -> Role {
    let tiers = m.legs.iter().flat_map(|leg| {
        let shape = system.classes.get(leg.class.0).map(|c| &c.shape);
        leg.hops.iter().filter_map(move |h| shape?.link(h.link).map(|l| tier_of(l.kind.family)))
    });
    let mut role = Role::ScaleUp;
    for tier in tiers {
        match tier {
            Tier::ScaleOut => return Role::ScaleOut,
            Tier::Host => role = Role::Host,
            _ => {}
        }
    }
    role
}
