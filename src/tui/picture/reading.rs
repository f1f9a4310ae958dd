//! What a link shows under a lens: number, weight, role and marks, worked out once for every picture.

mod numbers;

pub(super) use numbers::{change_number, load_number, percent_of, short};

use super::{Lens, Pick, PictureInput, Scope};
use crate::system::{ClassIx, DeviceIx, DeviceKind, LinkIx, Shape, Tier, UnitClass, tier_of};
use crate::tui::canvas::Stroke;
use crate::tui::glyphs::{gauge, mark};
use crate::tui::theme::Role;
use crate::units::{Bandwidth, Share, Time};

/// State of a link or device; the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum State {
    /// As it should be.
    #[default]
    Up,
    /// There, but software may not use it.
    Off,
    /// Runs below its rate, or some of its parallel links are gone.
    Degraded,
    /// Out.
    Down,
}

/// What one link, or several drawn as one, shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent marks, any of which may be there")]
pub(super) struct Reading {
    /// The number under the lens; empty when there is nothing to say.
    pub(super) number: String,
    /// Height of the gauge and weight of the wire, percent.
    pub(super) percent: u8,
    pub(super) state: State,
    /// One of the bottleneck.
    pub(super) hot: bool,
    pub(super) edited: bool,
    pub(super) selected: bool,
    /// Parallel links that run, and that there are.
    pub(super) up: u32,
    pub(super) count: u32,
    /// The selection is elsewhere: draw it quietly.
    pub(super) aside: bool,
}

impl Reading {
    /// How the wire is drawn.
    pub(super) fn stroke(&self) -> Stroke {
        match self.state {
            State::Down => Stroke::Down,
            State::Off => Stroke::Idle,
            _ => Stroke::for_load(self.percent),
        }
    }

    /// Role of the wire.
    pub(super) fn wire_role(&self) -> Role {
        match self.state {
            _ if self.selected => Role::Selection,
            State::Down => Role::Down,
            _ if self.hot => Role::Load5,
            _ if self.aside => Role::Dim,
            _ => Role::for_load(self.percent),
        }
    }

    /// Role of the number.
    pub(super) fn role(&self) -> Role {
        match self.state {
            _ if self.selected => Role::Selection,
            _ if self.hot => Role::Bottleneck,
            State::Down => Role::Down,
            State::Degraded => Role::Degraded,
            _ if self.edited => Role::WhatIf,
            _ if self.aside => Role::Dim,
            _ => Role::for_load(self.percent),
        }
    }

    /// The cell of a table: `·`, a gauge, `▼` or `╳`.
    pub(super) fn gauge(&self) -> char {
        match self.state {
            State::Down => mark::DOWN,
            State::Degraded => mark::DEGRADED,
            State::Off => mark::NOTHING,
            State::Up => gauge(self.percent),
        }
    }

    /// Texts for the number with its marks, the fullest first, whatever fits is used. `prefix` stands before the number
    /// (`2x `).
    pub(super) fn texts(&self, prefix: &str) -> Vec<String> {
        let body = format!("{prefix}{}", self.number);
        let body = body.trim();
        let star = if self.edited { "*" } else { "" };
        if self.selected {
            let inner = if self.state == State::Down { "╳" } else { body };
            return vec![
                format!("►{star}{inner}◄"),
                format!("►{inner}◄"),
                format!("►{}◄", self.number),
                "►◄".into(),
                "►".into(),
            ];
        }
        let hot = if self.hot { "◄" } else { "" };
        match self.state {
            State::Down => vec![format!("{star}down"), "down".into(), "╳".into()],
            State::Off => vec![format!("{star}off"), "off".into()],
            State::Degraded => vec![
                format!("{star}{hot}{body}▼"),
                format!("{hot}{body}▼"),
                format!("{hot}{}▼", self.number),
                format!("{hot}▼"),
                "▼".into(),
            ],
            State::Up if self.hot => {
                vec![format!("{star}{hot}{body}"), format!("{hot}{body}"), format!("{hot}{}", self.number), "◄".into()]
            }
            // The zero before the point is the first that has no room.
            State::Up => vec![
                format!("{star}{body}"),
                body.to_owned(),
                self.number.clone(),
                self.number.strip_prefix('0').filter(|n| n.starts_with('.')).unwrap_or(star).to_owned(),
                star.to_owned(),
            ],
        }
    }

    /// Several links as one: the worst state, the highest load, all their parallel links.
    pub(super) fn join(mut self, other: &Self) -> Self {
        if other.percent > self.percent || self.number.is_empty() {
            self.percent = other.percent;
            self.number.clone_from(&other.number);
        }
        self.hot |= other.hot;
        self.edited |= other.edited;
        self.selected |= other.selected;
        self.aside &= other.aside;
        self.up += other.up;
        self.count += other.count;
        self.state = match (self.state, other.state) {
            // One of several gone is a loss, not the end.
            (State::Down, State::Down) => State::Down,
            (State::Down, _) | (_, State::Down) => State::Degraded,
            (a, b) => a.max(b),
        };
        self
    }
}

/// One unit as the pictures look at it.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) input: &'a PictureInput<'a>,
    pub(super) unit: u32,
    pub(super) class_ix: ClassIx,
    pub(super) class: &'a UnitClass,
    /// Whether every link of the bottleneck is marked, or the first alone.
    mark_all: bool,
    first_hot: Option<LinkIx>,
    widest: Widest,
}

/// The rate of the widest bundle of each tier, GB/s per direction; looked for where the lens is that of rates.
#[derive(Clone, Copy, Default)]
struct Widest {
    scale_up: f64,
    host: f64,
    scale_out: f64,
}

impl Widest {
    fn of(shape: &Shape) -> Self {
        let mut widest = Self::default();
        for l in shape.links() {
            let rate = (l.line_rate() * l.kind.usable.is).gbytes_per_s();
            if let Some(most) = widest.at(tier_of(l.kind.family)) {
                *most = most.max(rate);
            }
        }
        widest
    }

    const fn at(&mut self, tier: Tier) -> Option<&mut f64> {
        match tier {
            Tier::ScaleUp => Some(&mut self.scale_up),
            Tier::Host => Some(&mut self.host),
            Tier::ScaleOut => Some(&mut self.scale_out),
            Tier::OnChip | Tier::Services => None,
        }
    }
}

/// Most links that wear the mark of the bottleneck; of more, the first alone.
const MOST_MARKS: usize = 8;

impl<'a> Look<'a> {
    pub(super) fn new(input: &'a PictureInput<'a>, unit: u32) -> Option<Self> {
        let (class_ix, class) = input.system.class_of(unit)?;
        let node = match input.scope {
            Scope::Node { node, .. } | Scope::Matrix { node, .. } => Some(node),
            _ => None,
        };
        let here = |d: DeviceIx| class.shape.device(d).is_some_and(|d| node.is_none() || d.node == node);
        let shown = |l: LinkIx| class.shape.link(l).is_some_and(|l| here(l.a) || here(l.b));
        let own = input.bottleneck.links.range((class_ix, LinkIx(0))..).take_while(|(c, _)| *c == class_ix);
        let mut hot = own.map(|(_, l)| *l).filter(|l| shown(*l));
        let named = input.bottleneck.first.filter(|(c, l)| *c == class_ix && shown(*l)).map(|(_, l)| l);
        let first = hot.next();
        let mark_all = hot.nth(MOST_MARKS - 1).is_none();
        let first_hot = named.or(first);
        let widest = if input.lens == Lens::Rate { Widest::of(&class.shape) } else { Widest::default() };
        Some(Self { input, unit, class_ix, class, mark_all, first_hot, widest })
    }

    /// The links that wear the mark of the bottleneck.
    pub(super) fn marked(&self) -> impl Iterator<Item = LinkIx> + 'a {
        let class = self.class_ix;
        let all = self.mark_all.then(|| self.input.bottleneck.links.range((class, LinkIx(0))..));
        let own = all.into_iter().flatten().take_while(move |(c, _)| *c == class).map(|(_, l)| *l);
        own.chain(self.first_hot)
    }

    pub(super) fn shape(&self) -> &'a Shape {
        &self.class.shape
    }

    pub(super) fn device_pick(&self, device: DeviceIx) -> Pick {
        Pick::Device { unit: self.unit, device }
    }

    pub(super) fn link_pick(&self, link: LinkIx) -> Pick {
        Pick::Link { unit: self.unit, link }
    }

    pub(super) fn is_selected(&self, pick: Pick) -> bool {
        self.input.selection == Some(pick)
    }

    /// State of a bundle, its ends counted.
    pub(super) fn state(&self, link: LinkIx) -> State {
        let health = &self.class.health;
        let left = health.left(self.shape(), link).ratio();
        let Some(l) = self.shape().link(link) else { return State::Down };
        let barred =
            !self.input.system.software.p2p && tier_of(l.kind.family) == Tier::ScaleUp && self.between_gpus(link);
        if left <= 0.0 {
            State::Down
        } else if left < 1.0 {
            State::Degraded
        } else if barred {
            State::Off
        } else {
            State::Up
        }
    }

    fn between_gpus(&self, link: LinkIx) -> bool {
        let serves = |d: DeviceIx| self.shape().device(d).is_some_and(|d| d.is_gpu() || d.is_scale_up_switch());
        self.shape().link(link).is_some_and(|l| serves(l.a) && serves(l.b))
    }

    /// State of a device: out, or degraded when one of the links of a GPU or NIC is hurt itself.
    pub(super) fn device_state(&self, d: DeviceIx) -> State {
        let health = &self.class.health;
        if !health.device_up(d) {
            return State::Down;
        }
        let any = health.links_hurt().next().is_some();
        let end = any && self.shape().device(d).is_some_and(|d| d.is_gpu() || d.is_nic());
        let hurt = end && self.shape().around(d).iter().any(|(l, _)| health.link(*l).is_some());
        if hurt { State::Degraded } else { State::Up }
    }

    /// Role of a device's name: its tier, unless something is wrong with it.
    pub(super) fn device_role(&self, d: DeviceIx) -> Role {
        match (self.device_state(d), self.shape().device(d).map(|d| &d.kind)) {
            _ if self.is_selected(self.device_pick(d)) => Role::Selection,
            (State::Down, _) => Role::Down,
            (State::Degraded, _) => Role::Degraded,
            (_, Some(DeviceKind::Gpu(_) | DeviceKind::ScaleUpSwitch(_))) => Role::ScaleUp,
            (_, Some(DeviceKind::Nic(_) | DeviceKind::Fabric)) => Role::ScaleOut,
            _ => Role::Host,
        }
    }

    pub(super) fn is_edited(&self, d: DeviceIx) -> bool {
        self.input.edited.devices.contains(&(self.class_ix, d))
    }

    /// What a bundle shows.
    pub(super) fn reading(&self, link: LinkIx) -> Reading {
        let state = self.state(link);
        let count = self.shape().link(link).map_or(0, |l| l.count);
        let lost = self.class.health.link(link).map_or(0, crate::system::LinkHealth::lost);
        let up = if state == State::Down { 0 } else { count - lost.min(count) };
        let (number, percent) = if state == State::Down { (String::new(), 0) } else { self.number(link) };
        let key = (self.class_ix, link);
        let selected = self.is_selected(self.link_pick(link));
        Reading {
            number,
            percent,
            state,
            hot: (self.mark_all || self.first_hot == Some(link)) && self.input.bottleneck.links.contains(&key),
            edited: self.input.edited.links.contains(&key),
            selected,
            up,
            count,
            aside: self.aside(link),
        }
    }

    /// What several bundles show together.
    pub(super) fn merged(&self, links: &[LinkIx]) -> Reading {
        let mut all = links.iter().map(|l| self.reading(*l));
        let Some(first) = all.next() else { return Reading::default() };
        all.fold(first, |sum, r| sum.join(&r))
    }

    /// With a device selected, links that do not touch it stand back.
    fn aside(&self, link: LinkIx) -> bool {
        let Some(Pick::Device { unit, device }) = self.input.selection else { return false };
        unit == self.unit && self.shape().link(link).is_some_and(|l| l.a != device && l.b != device)
    }

    fn number(&self, link: LinkIx) -> (String, u8) {
        match self.input.lens {
            Lens::Load => load_number(self.load(link)),
            Lens::Rate => {
                let rate = self.usable(link).gbytes_per_s();
                (short(rate), percent_of(rate / self.widest(link)))
            }
            Lens::Delay => {
                let t = self.latency(link);
                (short(t.us()), if t.us() > 0.0 { 25 } else { 0 })
            }
            Lens::Change => change_number(self.load(link), self.baseline(link)),
        }
    }

    /// Share of the time that the busier direction works.
    pub(super) fn load(&self, link: LinkIx) -> Share {
        busier(self.input.loads.link(self.class_ix, link))
    }

    fn baseline(&self, link: LinkIx) -> Share {
        self.input.baseline.map_or(self.load(link), |b| busier(b.link(self.class_ix, link)))
    }

    /// Usable rate of a bundle with its health, GB/s per direction.
    pub(super) fn usable(&self, link: LinkIx) -> Bandwidth {
        let Some(l) = self.shape().link(link) else { return Bandwidth::ZERO };
        let own = self.input.system.software.usable.get(&l.kind.family).copied();
        l.line_rate() * self.class.health.left(self.shape(), link) * own.unwrap_or(l.kind.usable.is)
    }

    /// Latency of a hop over a bundle.
    pub(super) fn latency(&self, link: LinkIx) -> Time {
        self.shape().link(link).map_or(Time::ZERO, |l| l.kind.latency.is)
    }

    /// Widest bundle of the same tier, GB/s per direction.
    fn widest(&self, link: LinkIx) -> f64 {
        let mut widest = self.widest;
        let own = self.shape().link(link).and_then(|l| widest.at(tier_of(l.kind.family)).copied());
        own.map_or(1.0, |rate| rate.max(f64::MIN_POSITIVE))
    }

    /// Load of a switch: what its links carry, of all that its ports could.
    pub(super) fn switch_load(&self, switch: DeviceIx) -> u8 {
        let ports = match self.shape().device(switch).map(|d| &d.kind) {
            Some(DeviceKind::ScaleUpSwitch(p)) => f64::from(p.ports.max(1)),
            _ => return 0,
        };
        let carried = self.shape().around(switch).iter().map(|(l, _)| {
            let count = self.shape().link(*l).map_or(0, |l| l.count);
            self.load(*l).ratio() * f64::from(count)
        });
        percent_of(carried.sum::<f64>() / ports)
    }
}

fn busier(load: Option<[Share; 2]>) -> Share {
    load.map_or(Share::ZERO, |[there, back]| if there < back { back } else { there })
}
