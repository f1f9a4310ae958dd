//! The cost of one algorithm and protocol: steps, fill and the busiest link.

use super::answer::{Binding, BindingPlace, Candidate, PatternUse, Terms, Unreachable};
use super::fabric_load::{levels_latency, uplink};
use super::params::Params;
use super::prepared::{Prepared, Priced, UnitCost};
use super::recipes::{Passes, Recipe};
use crate::collective::{Pace, Pattern, Runs};
use crate::parts::{Arch, Transport};
use crate::system::Protocol;
use crate::units::{Bandwidth, Bytes, Share, Time};

/// Launch of one call: of the first GPU of a process, and of each further one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Launch {
    pub(super) first: Time,
    pub(super) each: Time,
    pub(super) more: f64,
}

impl Launch {
    fn total(self) -> Time {
        self.first + self.each * self.more
    }
}

/// What passes through the pipeline before the last rank has its first chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fill {
    /// Bytes until then.
    pub(super) chunk: Bytes,
    /// What the buffers along the pipeline hold.
    pub(super) in_flight: Bytes,
    /// Microseconds per byte in the narrowest part.
    pub(super) per_byte: f64,
}

impl Fill {
    fn total(self) -> Time {
        Time::from_us(self.chunk.get() * self.per_byte)
    }
}

/// The slower of what kernels send and connections carry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KernelLimit {
    /// Bytes per byte of the message.
    pub(super) share: f64,
    /// All channels together, GB/s.
    pub(super) rate: Bandwidth,
    /// Whether it is the window of the connections between units.
    pub(super) window: bool,
    /// What that takes.
    pub(super) time: Time,
}

/// The link or uplink that an algorithm keeps busiest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wire {
    place: BindingPlace,
    /// Microseconds per byte.
    per_byte: f64,
}

/// Prices recipes on a prepared system.
pub(super) struct Pricer<'p, 's> {
    pub(super) prepared: &'p Prepared<'s>,
    pub(super) params: &'p Params,
}

impl<'p, 's> Pricer<'p, 's> {
    /// The candidate of a recipe and protocol at a size.
    pub(super) fn price(
        &self,
        r: &Recipe,
        wire: Wire,
        protocol: Protocol,
        size: Bytes,
    ) -> Result<Candidate, Unreachable> {
        let channels = self.channels(r)?;
        let (step_inside, step_network) = (self.step_inside(r, protocol)?, self.step_network(protocol));
        let steps = step_inside * r.inside as f64 + step_network * r.network as f64 + r.fixed;
        let binding = self.binding(r, wire, protocol, size, channels);
        let fill = if protocol == Protocol::Simple { self.fill(r, size, channels)?.total() } else { Time::ZERO };
        Ok(Candidate {
            algorithm: r.algorithm,
            protocol,
            terms: Terms { launch: self.launch(r).total(), steps, fill, transfer: binding.time },
            binding,
            traffic: self.uses(r, protocol, size),
            steps_inside: r.inside,
            steps_network: r.network,
            step_inside,
            step_network,
            channels,
        })
    }

    fn uses(&self, r: &Recipe, protocol: Protocol, size: Bytes) -> Vec<PatternUse> {
        let efficiency = self.efficiency(protocol).ratio();
        let of = |(pattern, k, share): &(Pattern, f64, Share)| {
            let bytes = size * *k;
            PatternUse { pattern: *pattern, bytes, wire: bytes / (share.ratio() * efficiency) }
        };
        r.traffic.iter().map(of).collect()
    }

    /// Launch of one call: kernel and first flag, plus what the host pays for further GPUs of its process.
    pub(super) fn launch(&self, r: &Recipe) -> Launch {
        let s = &self.prepared.system.software;
        let first = s.launch.unwrap_or(self.params.launch.is);
        let peers = match r.traffic.first().map(|t| t.0) {
            Some(Pattern::Pairs | Pattern::PairsNetwork) => (self.prepared.who.ranks - 1) as f64,
            Some(Pattern::Shift | Pattern::ShiftNetwork) => 1.0,
            _ => 0.0,
        };
        let more = f64::from(s.gpus_per_process.min(self.prepared.who.per_unit).saturating_sub(1));
        Launch { first, each: self.params.launch_per_gpu.is + self.params.launch_per_peer.is * peers, more }
    }

    pub(super) fn transport(&self) -> Option<&'s Transport> {
        self.prepared.system.fabric.as_ref().map(|f| f.transport.as_ref())
    }

    pub(super) fn arch(&self, u: &UnitCost<'_>) -> Option<&'s Arch> {
        self.prepared.system.catalogue.arch(u.arch()?).ok().map(AsRef::as_ref)
    }

    fn spans(&self) -> bool {
        self.prepared.who.units > 1
    }

    /// Channels: the architecture's number, fewer on slow links, two per NIC where a unit has one GPU only.
    fn channels(&self, r: &Recipe) -> Result<u32, Unreachable> {
        let mut least = u32::MAX;
        for (pattern, _, _) in &r.traffic {
            for (u, priced) in self.prepared.priced(*pattern)? {
                let arch = self.arch(u);
                let own = arch.map_or(16, |a| if self.spans() { a.channels_multi } else { a.channels });
                // Inside one unit a slow kind of link is given fewer channels; between units the NICs set their number.
                let kind = if self.spans() { None } else { priced.traffic.channels };
                least = least.min(own).min(kind.unwrap_or(u32::MAX));
                if self.prepared.who.per_unit == 1 && priced.traffic.nics > 0 {
                    least = least.min((2 * priced.traffic.nics).max(2));
                }
            }
        }
        Ok(if least == u32::MAX { 1 } else { least.max(1) })
    }

    fn step_inside(&self, r: &Recipe, protocol: Protocol) -> Result<Time, Unreachable> {
        let mut worst = Time::ZERO;
        for (pattern, _, _) in &r.traffic {
            for (_, priced) in self.prepared.priced(*pattern)? {
                worst = worst.max(priced.traffic.pace.as_ref().map_or(Time::ZERO, |s| of(s, protocol)));
            }
        }
        Ok(worst)
    }

    /// One step over the network. Simple needs a second trip: flush and ready flag.
    pub(super) fn step_network(&self, protocol: Protocol) -> Time {
        let Some(t) = self.transport() else { return Time::ZERO };
        let one = t.step.is + levels_latency(self.prepared);
        match protocol {
            Protocol::Ll => one,
            Protocol::Ll128 => one + self.params.network_ll128.is,
            Protocol::Simple => one * 2.0 + self.params.network_simple.is,
        }
    }

    pub(super) fn efficiency(&self, protocol: Protocol) -> Share {
        match protocol {
            Protocol::Ll => self.params.ll_efficiency.is,
            Protocol::Ll128 => self.params.ll128_efficiency.is,
            Protocol::Simple => Share::ONE,
        }
    }

    /// The link or uplink that takes longest, with microseconds per byte on the wire: the same at all sizes and protocols.
    pub(super) fn wire(&self, r: &Recipe) -> Result<Wire, Unreachable> {
        let mut most = Wire { place: BindingPlace::Nothing, per_byte: 0.0 };
        let mut offer = |place, per_byte: f64| {
            if per_byte > most.per_byte {
                most = Wire { place, per_byte };
            }
        };
        for (i, u) in self.prepared.units.iter().enumerate() {
            let (at, per_byte) = busiest(&self.parts(r, i)?);
            let link = crate::system::LinkIx((at / 2) as u32);
            offer(BindingPlace::Link { class: u.class, link, forward: at % 2 == 0 }, per_byte);
        }
        for (pattern, k, _) in &r.traffic {
            let up = uplink(self.prepared, *pattern);
            up.leads_out()?;
            offer(BindingPlace::Uplink(up.leaf), up.time * k);
        }
        Ok(most)
    }

    /// The wire or the kernels, whichever takes longer.
    fn binding(&self, r: &Recipe, wire: Wire, protocol: Protocol, size: Bytes, channels: u32) -> Binding {
        let on_wire = Time::from_us(wire.per_byte * (size.get() / self.efficiency(protocol).ratio()));
        let kernels = self.kernels(r, protocol, size, channels).time;
        if kernels.us() > on_wire.us() {
            Binding { place: BindingPlace::Kernel, time: kernels }
        } else {
            Binding { place: wire.place, time: on_wire }
        }
    }

    /// Link times of a recipe's patterns in one class, with their factors.
    pub(super) fn parts(&self, r: &Recipe, class: usize) -> Result<Vec<(&'p Runs, f64)>, Unreachable> {
        let part = |(pattern, k, share): &(Pattern, f64, Share)| {
            let priced = self.prepared.priced_in(class, *pattern)?;
            Ok((&priced.times, k / share.ratio()))
        };
        r.traffic.iter().map(part).collect()
    }

    /// What the kernels of a GPU can send with a protocol, or, where that is less, what the connections between units
    /// carry: there a channel has one window in flight per step latency.
    pub(super) fn kernels(&self, r: &Recipe, protocol: Protocol, size: Bytes, channels: u32) -> KernelLimit {
        let limit =
            |share: f64, rate: Bandwidth, window| KernelLimit { share, rate, window, time: size * share / rate };
        let own = self.prepared.units.iter().map(|u| self.ceiling(u, r.gathers, protocol, channels));
        let own = limit(r.kernel, own.fold(Bandwidth::INFINITE, Bandwidth::min), false);
        let between = limit(r.connection, self.window(protocol, channels), true);
        if between.time.us() > own.time.us() { between } else { own }
    }

    fn ceiling(&self, u: &UnitCost<'_>, gathers: bool, protocol: Protocol, channels: u32) -> Bandwidth {
        let Some(arch) = self.arch(u) else { return Bandwidth::INFINITE };
        let own = match protocol {
            Protocol::Simple => return self.simple_ceiling(arch, gathers, channels),
            Protocol::Ll => arch.ll_channel.is,
            Protocol::Ll128 => arch.ll128_channel.is,
        };
        own * f64::from(channels)
    }

    fn window(&self, protocol: Protocol, channels: u32) -> Bandwidth {
        let window = match protocol {
            Protocol::Ll if self.spans() => self.params.network_ll_window.is,
            Protocol::Ll128 if self.spans() => self.params.network_ll128_window.is,
            _ => return Bandwidth::INFINITE,
        };
        window / self.step_network(Protocol::Ll) * f64::from(channels)
    }

    fn simple_ceiling(&self, arch: &Arch, gathers: bool, channels: u32) -> Bandwidth {
        let binds = self.spans() && gathers;
        arch.gather_channel.as_ref().filter(|_| binds).map_or(Bandwidth::INFINITE, |f| f.is * f64::from(channels))
    }

    /// Time until the last rank has its first chunk, over what the links then carry. A kernel copies every chunk before it
    /// hands it on; in a tree each hop, also one over the network, waits for the whole chunk.
    pub(super) fn fill(&self, r: &Recipe, size: Bytes, channels: u32) -> Result<Fill, Unreachable> {
        let in_flight = self.params.slot.is * f64::from(channels) * r.depth;
        let chunk = size.min(in_flight);
        let per_byte = match r.passes {
            Passes::Copied => self.copy(r, channels)?,
            Passes::Linked { network } => self.narrowest(r, network)?,
            Passes::Stored => {
                let (inside, network) = (self.narrowest_inside(r)?.max(self.copy(r, channels)?), self.nics(r)?);
                inside * r.inside as f64 + network * r.network as f64
            }
        };
        Ok(Fill { chunk, in_flight, per_byte })
    }

    /// Microseconds per byte that the kernels of all channels together copy, on the slowest architecture.
    fn copy(&self, r: &Recipe, channels: u32) -> Result<f64, Unreachable> {
        let one = |u: &UnitCost<'_>| self.arch(u).map_or(Bandwidth::INFINITE, |a| a.ll128_channel.is);
        self.worst(r, |_, u, _| 1.0 / (1000.0 * one(u).gbytes_per_s() * f64::from(channels)))
    }

    /// Microseconds per byte of the message on the narrowest part of the pipeline.
    fn narrowest(&self, r: &Recipe, network: f64) -> Result<f64, Unreachable> {
        self.worst(r, |(pattern, _, share), _, priced| {
            priced.worst * if pattern.is_network() { network } else { 1.0 } / share.ratio()
        })
    }

    fn narrowest_inside(&self, r: &Recipe) -> Result<f64, Unreachable> {
        self.worst(r, |t, _, priced| if t.0.is_network() { 0.0 } else { priced.worst })
    }

    fn nics(&self, r: &Recipe) -> Result<f64, Unreachable> {
        self.worst(r, |t, _, priced| if t.0.is_network() { priced.worst } else { 0.0 })
    }

    /// The largest of a figure over all patterns and classes of a recipe.
    fn worst(
        &self,
        r: &Recipe,
        of: impl Fn(&(Pattern, f64, Share), &UnitCost<'_>, &Priced) -> f64,
    ) -> Result<f64, Unreachable> {
        let mut worst: f64 = 0.0;
        for t in &r.traffic {
            for (u, priced) in self.prepared.priced(t.0)? {
                worst = worst.max(of(t, u, priced));
            }
        }
        Ok(worst)
    }
}

fn of(s: &Pace, protocol: Protocol) -> Time {
    match protocol {
        Protocol::Ll => s.ll,
        Protocol::Ll128 => s.ll128,
        Protocol::Simple => s.simple,
    }
}

/// The first slot with the largest sum, and the sum.
fn busiest(parts: &[(&Runs, f64)]) -> (usize, f64) {
    Runs::sum(parts).runs().fold((0, 0.0), |most, (slot, sum)| if sum > most.1 { (slot, sum) } else { most })
}

impl Prepared<'_> {
    /// A pattern in one class.
    pub(super) fn priced_in(&self, class: usize, pattern: Pattern) -> Result<&Priced, Unreachable> {
        let none = || Unreachable { ranks: "all ranks".to_owned(), because: "no rank is left".to_owned() };
        self.units.get(class).ok_or_else(none)?.priced(self.system, pattern)
    }
}
