//! Why this algorithm and protocol: the candidates and the refusals.

use super::super::candidates::Refusal;
use super::{Facts, Section};
use crate::cost::Candidate;
use crate::system::{Algorithm, Protocol};

/// The choice, what it was chosen from, and what was not on offer.
pub(super) fn choice(f: &Facts<'_, '_>, refused: &[Refusal]) -> Section {
    let c = f.chosen();
    Section::new("choice", "Choice", format!("{} {}", c.algorithm, c.protocol))
        .line(reason(f))
        .with([candidates(f)])
        .with((!refused.is_empty() || !absent(f).is_empty()).then(|| not_offered(f, refused)))
}

fn reason(f: &Facts<'_, '_>) -> String {
    let all = &f.e.candidates;
    let c = f.chosen();
    let q = &f.e.question;
    if q.algorithm.is_some() || f.prepared().system.software.algorithm == Some(c.algorithm) {
        return format!("{} was asked for; {} is its fastest protocol here", c.algorithm, c.protocol);
    }
    match all.len() {
        1 => "nothing else is on offer".to_owned(),
        n => format!("least time of {n} candidates; a tie goes to the ring"),
    }
}

fn candidates(f: &Facts<'_, '_>) -> Section {
    let best = f.e.time.us();
    let line = |c: &Candidate| {
        let t = c.terms;
        format!(
            "{} {}: {} = launch {} + steps {} + fill {} + transfer {} ({:+.0} %)",
            c.algorithm,
            c.protocol,
            c.time(),
            t.launch,
            t.steps,
            t.fill,
            t.transfer,
            100.0 * (c.time().us() / best - 1.0)
        )
    };
    let n = f.e.candidates.len();
    Section::new("candidates", "Candidates", format!("{n} priced")).lines(f.e.candidates.iter().map(line))
}

fn not_offered(f: &Facts<'_, '_>, refused: &[Refusal]) -> Section {
    let absent = absent(f);
    let lines: Vec<String> = refused.iter().map(|(a, why)| format!("{a}: {why}")).chain(absent).collect();
    Section::new("refused", "Not on offer", format!("{} ways", lines.len())).lines(lines)
}

/// Protocols that the chosen algorithm lacks here, and why.
fn absent(f: &Facts<'_, '_>) -> Vec<String> {
    let c = f.chosen();
    let Some(r) = &f.recipe else { return Vec::new() };
    let has = |p: Protocol| f.e.candidates.iter().any(|x| x.algorithm == c.algorithm && x.protocol == p);
    let software = &f.prepared().system.software;
    let forced = f.e.question.protocol.or(software.protocol).is_some();
    let transport = f.pricer.transport().filter(|_| f.e.units > 1);
    let why = |p: Protocol| {
        match (p, transport) {
        _ if forced => "another protocol was asked for".to_owned(),
        _ if c.algorithm == Algorithm::Direct || r.kernel == 0.0 => format!("{} runs with simple alone", c.algorithm),
        (Protocol::Ll, _) if !software.ll => "it is off (set protocol.ll = on)".to_owned(),
        (Protocol::Ll128, _) if !software.ll128 => "it is off (set protocol.ll128 = on)".to_owned(),
        (_, Some(t)) if t.only_simple => format!("{} allows simple alone", t.title),
        _ => "it needs ordered 128-byte stores: scale-up links on every edge inside, an RDMA transport that keeps the order \
              where a unit has one GPU"
            .to_owned(),
    }
    };
    Protocol::ALL.iter().filter(|p| !has(**p)).map(|p| format!("{} {p}: {}", c.algorithm, why(*p))).collect()
}
