//! From a question to an answer: a pure function of the system and the question.

use super::answer::{Answer, BindingPlace, Candidate, Estimate, Note, Terms, Unreachable};
use super::candidates::candidates;
use super::formula::Pricer;
use super::params::{PARAMS, Params};
use super::prepared::Prepared;
use super::{range, tier_use};
use crate::question::Question;
use crate::system::{Algorithm, ClassIx, LinkIx, Protocol, System};
use crate::units::{Bytes, Time};

/// How long a collective takes on a system, and why.
pub fn estimate(system: &System, question: &Question) -> Answer {
    estimate_with(&PARAMS, system, question)
}

/// The same with other library constants; for fitting and for calibration.
pub fn estimate_with(params: &Params, system: &System, question: &Question) -> Answer {
    match Prepared::participants(system, question.group) {
        Ok(who) => Prepared::new(system, &who).answer_with(params, question),
        Err(u) => Answer::Unreachable(u),
    }
}

impl Prepared<'_> {
    /// The answer to a question about the prepared group (the question's own group must be that one).
    pub fn answer(&self, question: &Question) -> Answer {
        self.answer_with(&PARAMS, question)
    }

    /// The same with other library constants.
    pub fn answer_with(&self, params: &Params, question: &Question) -> Answer {
        let result = if self.who.ranks < 2 {
            Ok(alone(params))
        } else {
            candidates(&Pricer { prepared: self, params }, question)
        };
        match result {
            Ok(list) => self.assemble(question, list),
            Err(u) => Answer::Unreachable(u),
        }
    }

    /// The candidate that the library takes, without the rest of an answer; for many sizes and for fitting.
    pub fn choose(&self, params: &Params, question: &Question) -> Result<Candidate, Unreachable> {
        let list =
            if self.who.ranks < 2 { alone(params) } else { candidates(&Pricer { prepared: self, params }, question)? };
        let because = "nothing is on offer".to_owned();
        list.into_iter().next().ok_or(Unreachable { ranks: "all ranks".to_owned(), because })
    }

    fn assemble(&self, question: &Question, list: Vec<Candidate>) -> Answer {
        let bound = self.bound(question.collective).time(question.size);
        let list: Vec<Candidate> = list.into_iter().map(|c| within(c, bound)).collect();
        let Some(chosen) = list.first().cloned() else {
            let because = "nothing is on offer".to_owned();
            return Answer::Unreachable(Unreachable { ranks: "all ranks".to_owned(), because });
        };
        let time = chosen.time();
        let (low, high) = range::range(self, question.size, time);
        Answer::Estimate(Box::new(Estimate {
            question: *question,
            groups: self.who.groups,
            ranks: self.who.ranks,
            nodes: self.who.nodes,
            units: self.who.units,
            time,
            low: low.max(bound),
            high,
            bound,
            bottleneck: self.bottleneck(&chosen),
            tiers: tier_use::tiers(self, &chosen),
            notes: self.notes(&chosen),
            candidates: list,
            chosen,
        }))
    }

    /// What binds, in words.
    fn bottleneck(&self, c: &Candidate) -> String {
        if c.is_latency_bound() {
            return "latency: launch and steps take most of the time".to_owned();
        }
        match c.binding.place {
            BindingPlace::Link { class, link, .. } => self.link_name(class, link),
            BindingPlace::Uplink(leaf) => format!("uplinks of leaf{}", leaf.0),
            BindingPlace::Kernel => format!("GPU kernels: the ceiling of {} over {} channels", c.protocol, c.channels),
            BindingPlace::Nothing => "nothing is moved".to_owned(),
        }
    }

    /// A link's address in the first member of a class.
    pub fn link_name(&self, class: ClassIx, link: LinkIx) -> String {
        let Some(c) = self.system.classes.get(class.0) else { return String::new() };
        self.unit_link_name(c.members.first().unwrap_or(0), class, link)
    }

    /// A link's address in a unit of its class.
    pub(super) fn unit_link_name(&self, unit: u32, class: ClassIx, link: LinkIx) -> String {
        let Some(c) = self.system.classes.get(class.0) else { return String::new() };
        let name = c.shape.link_name(link);
        let rack = if self.system.is_rack { "rack" } else { "node" };
        let leaf = self.system.fabric.as_ref().filter(|_| name.ends_with("--fabric")).map(|f| {
            let nic = c.shape.link(link).map_or(0, |l| c.shape.nics().iter().position(|n| *n == l.a).unwrap_or(0));
            let per_node = f.nics_per_node.max(1) as usize;
            let node = u64::from(unit) * u64::from(self.system.nodes_per_unit) + (nic / per_node) as u64;
            f.leaf_of(node, (nic % per_node) as u32).0
        });
        match leaf {
            Some(l) => format!("{rack}{unit}/{}--leaf{l}", name.trim_end_matches("--fabric")),
            None => format!("{rack}{unit}/{name}"),
        }
    }

    fn notes(&self, c: &Candidate) -> Vec<Note> {
        let mut notes = Vec::new();
        let s = &self.system.software;
        if matches!(c.algorithm, Algorithm::Nvls | Algorithm::NvlsTree) {
            notes.push("busbw is a score: in-switch reduction moves (1 + 1/n) S instead of 2(n-1)/n S, so it may exceed the wire's rate".to_owned());
        } else if c.algorithm == Algorithm::Tree && self.who.units == 2 {
            notes.push(
                "on two nodes a tree sends S per node where a ring sends 2(n-1)/n S: busbw may exceed the NICs' rate"
                    .to_owned(),
            );
        }
        if s.gpus_per_process > 1 {
            notes.push(format!("one process drives {} GPUs: their launches add up", s.gpus_per_process));
        }
        if self.who.per_unit > 16 && c.algorithm == Algorithm::Ring && c.protocol != Protocol::Simple {
            notes.push("small messages on a domain of this size have not been measured: extrapolated".to_owned());
        }
        if self.system.classes.iter().any(|k| !k.health.is_healthy()) {
            notes.push("faults: the remaining parallel links are taken to carry the load evenly; fabric managers often take the whole GPU out instead".to_owned());
        }
        notes.into_iter().map(Note).collect()
    }
}

/// One rank: a copy at most.
fn alone(params: &Params) -> Vec<Candidate> {
    vec![Candidate {
        algorithm: Algorithm::Ring,
        protocol: Protocol::Simple,
        terms: Terms { launch: params.launch.is, ..Terms::default() },
        binding: super::Binding { place: BindingPlace::Nothing, time: Time::ZERO },
        traffic: Vec::new(),
        steps_inside: 0,
        steps_network: 0,
        step_inside: Time::ZERO,
        step_network: Time::ZERO,
        channels: 1,
    }]
}

/// Sizes of a sweep: from `min` to `max`, each `factor` times the one before.
pub fn sizes(min: Bytes, max: Bytes, factor: f64) -> Vec<Bytes> {
    let mut list = Vec::new();
    let mut s = min;
    while s.get() <= max.get() && list.len() < 10_000 && factor > 1.0 {
        list.push(Bytes::from_u64(s.to_u64()));
        s = s * factor;
    }
    list
}

/// A packing over sick links may start more chains at a GPU than its NIC is charged for: no time is below the limit that
/// the machine's cuts set.
fn within(mut c: Candidate, floor: Time) -> Candidate {
    let short = floor.us() - c.time().us();
    if short > 0.0 {
        c.terms.transfer = c.terms.transfer + Time::from_us(short);
        c.binding.time = c.terms.transfer;
    }
    c
}
