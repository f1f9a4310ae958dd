//! Which algorithms and protocols the library has on offer for a collective on a system, and which it takes.

use super::answer::{Candidate, Unreachable};
use super::formula::Pricer;
use super::recipes::{Recipe, pairs, reduce, ring, shift, tree};
use crate::collective::Pattern;
use crate::question::{Collective, Question};
use crate::system::{Algorithm, Protocol, Version};

/// Before this version all-gather and reduce-scatter took simple where ll128 would have served them better: what the rows
/// superbench-a100-1n-all_gather and -`reduce_scatter` show.
const GATHERS_LL128: Version = Version { major: 2, minor: 12 };

/// Why an algorithm is not on offer.
pub(super) type Refusal = (Algorithm, String);

/// All candidates that are allowed, best first by the library's rule, and why others are not.
pub(super) fn candidates(p: &Pricer<'_, '_>, q: &Question) -> Result<Vec<Candidate>, Unreachable> {
    let (recipes, refused) = recipes(p, q.collective);
    let forced = q.algorithm.or_else(|| obeyed(p, q.collective));
    let allowed: Vec<&Recipe> = recipes.iter().filter(|r| forced.is_none_or(|a| a == r.algorithm)).collect();
    if allowed.is_empty() {
        return Err(not_offered(forced, &recipes, &refused, q.collective));
    }
    let mut all = Vec::new();
    for r in allowed {
        let wire = p.wire(r)?;
        for protocol in protocols(p, r, q)? {
            all.push(p.price(r, wire, protocol, q.size)?);
        }
    }
    if all.is_empty() {
        let wanted = q.protocol.or(p.prepared.system.software.protocol).map_or("", Protocol::name);
        return Err(Unreachable {
            ranks: "all ranks".to_owned(),
            because: format!("protocol {wanted} is not on offer here for {}", q.collective),
        });
    }
    // A stable sort: a tie goes to the first in the library's order, the ring.
    all.sort_by(|a, b| a.time().us().total_cmp(&b.time().us()));
    Ok(all)
}

/// A setting that forces an algorithm holds for collectives that have a choice; send and receive have none.
fn obeyed(p: &Pricer<'_, '_>, c: Collective) -> Option<Algorithm> {
    let direct = matches!(c, Collective::AllToAll | Collective::SendRecv);
    p.prepared.system.software.algorithm.filter(|_| !direct)
}

fn not_offered(
    forced: Option<Algorithm>,
    recipes: &[Recipe],
    refused: &[Refusal],
    collective: Collective,
) -> Unreachable {
    let wanted = forced.map_or("any", Algorithm::name);
    let reason = refused.iter().find(|(a, _)| Some(*a) == forced).map(|(_, why)| format!(": {why}"));
    let offer: Vec<&str> = recipes.iter().map(|r| r.algorithm.name()).collect();
    let because = format!(
        "algorithm {wanted} is not on offer for {collective} here{}; on offer: {}",
        reason.unwrap_or_default(),
        offer.join(", ")
    );
    Unreachable { ranks: "all ranks".to_owned(), because }
}

/// The recipes of a collective, and the refusals.
pub(super) fn recipes(p: &Pricer<'_, '_>, c: Collective) -> (Vec<Recipe>, Vec<Refusal>) {
    let (n, units) = (p.prepared.who.ranks, u64::from(p.prepared.who.units));
    let part = 1.0 / n as f64;
    let mut refused = Vec::new();
    let list = match c {
        Collective::AllReduce => {
            let mut list = vec![ring(p.prepared, 2 * (n - 1), 2 * (units - 1), part, 1.0)];
            for algorithm in [Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree, Algorithm::Collnet] {
                match offered(p, algorithm) {
                    Ok(r) => list.push(r),
                    Err(why) => refused.push((algorithm, why)),
                }
            }
            list
        }
        Collective::AllGather | Collective::ReduceScatter => {
            vec![Recipe { gathers: true, ..ring(p.prepared, n - 1, units - 1, part, 1.0) }]
        }
        Collective::Broadcast | Collective::Reduce => vec![chain(p, n, units)],
        Collective::AllToAll => vec![pairs(p.prepared, p.params)],
        Collective::SendRecv => vec![shift(p.prepared, p.params)],
    };
    (list, refused)
}

/// A pipelined chain through all ranks: every rank hands the whole message on.
fn chain(p: &Pricer<'_, '_>, n: u64, units: u64) -> Recipe {
    // The chunks of a chain are small beside the message: what is in flight is a slot per channel, not one per hop.
    let mut r = ring(p.prepared, n - 1, units - 1, 1.0 / (n - 1).max(1) as f64, 1.0);
    // All channels start at the same root, so on scale-up links they are rings without the last edge: its first rank
    // always sends everything. Over PCIe there is one thread, and the edge that would close it is not used.
    let rings = p.prepared.priced(Pattern::Ring).is_ok_and(|all| all.iter().all(|(_, x)| x.traffic.scale_up));
    for t in r.traffic.iter_mut().filter(|t| t.0 == Pattern::Ring && !rings) {
        t.0 = Pattern::Chain;
    }
    r
}

/// The recipe of an all-reduce algorithm other than the ring, or why it is not on offer.
fn offered(p: &Pricer<'_, '_>, algorithm: Algorithm) -> Result<Recipe, String> {
    let who = p.prepared.who;
    let software = &p.prepared.system.software;
    let several = who.units > 1;
    match algorithm {
        Algorithm::Tree if !several => {
            Err("inside one scale-up domain a tree has the ring's hops and more bytes".into())
        }
        Algorithm::Tree => Ok(tree(p.prepared, p.params)),
        Algorithm::Nvls if several => Err("it works inside one scale-up domain; nvls-tree goes between".into()),
        Algorithm::NvlsTree if !several => Err("there is only one scale-up domain".into()),
        Algorithm::Nvls | Algorithm::NvlsTree => {
            reduces(p)?;
            Ok(reduce(p.prepared, p.params, algorithm))
        }
        Algorithm::Collnet => {
            let fabric =
                p.prepared.system.fabric.as_ref().filter(|_| several).ok_or("it needs several units on a fabric")?;
            if !software.sharp {
                return Err("in-network reduction is off (set sharp = on)".into());
            }
            if !fabric.transport.sharp || fabric.switch.reduction.is_none() {
                return Err(format!("{} switches cannot reduce", fabric.transport.title));
            }
            reduces(p)?;
            Ok(reduce(p.prepared, p.params, algorithm))
        }
        Algorithm::Ring | Algorithm::Direct => Err("it is another collective's algorithm".into()),
    }
}

/// Whether the switches of every unit can reduce for all its ranks.
fn reduces(p: &Pricer<'_, '_>) -> Result<(), String> {
    if !p.prepared.system.software.p2p {
        return Err("in-switch reduction needs peer-to-peer, which is off (set p2p = on)".into());
    }
    if !p.prepared.system.software.nvls {
        return Err("in-switch reduction is off (set nvls = on)".into());
    }
    if p.prepared.who.per_unit < 2 {
        return Err("one GPU per domain has nothing to reduce in a switch".into());
    }
    for u in &p.prepared.units {
        let arch = u.arch().and_then(|a| p.prepared.system.catalogue.arch(a).ok());
        if !arch.is_some_and(|a| a.in_switch_reduction) {
            return Err("these GPUs take no part in in-switch reduction (Hopper and later do)".into());
        }
    }
    p.prepared.priced(Pattern::Reduce).map(|_| ()).map_err(|e| format!("{} {}", e.ranks, e.because))
}

/// Protocols on offer for a recipe.
fn protocols(p: &Pricer<'_, '_>, r: &Recipe, q: &Question) -> Result<Vec<Protocol>, Unreachable> {
    let software = &p.prepared.system.software;
    let direct = r.algorithm == Algorithm::Direct;
    let only_simple = direct || r.kernel == 0.0;
    // Pairs that send and receive know no other protocol; an algorithm that has simple alone is lost with it.
    let forced = q.protocol.or(software.protocol.filter(|_| !direct));
    let mut list = vec![Protocol::Simple];
    if !only_simple {
        let transport = p.prepared.system.fabric.as_ref().map(|f| &f.transport).filter(|_| p.prepared.who.units > 1);
        if transport.is_none_or(|t| !t.only_simple) {
            if software.ll128 && ll128(p, r)? && !(r.gathers && software.library < GATHERS_LL128) {
                list.insert(0, Protocol::Ll128);
            }
            if software.ll {
                list.insert(0, Protocol::Ll);
            }
        }
    }
    list.retain(|x| forced.is_none_or(|f| f == *x));
    Ok(list)
}

/// ll128 needs ordered 128-byte stores: scale-up links inside, and an RDMA transport that keeps them between units with
/// one GPU each.
fn ll128(p: &Pricer<'_, '_>, r: &Recipe) -> Result<bool, Unreachable> {
    let who = p.prepared.who;
    if who.per_unit == 1 {
        let fabric = p.prepared.system.fabric.as_ref();
        return Ok(p.prepared.system.software.gdr && fabric.is_some_and(|f| f.transport.ll128));
    }
    for (pattern, _, _) in &r.traffic {
        if p.prepared.priced(*pattern)?.iter().any(|(_, priced)| !priced.traffic.scale_up) {
            return Ok(false);
        }
    }
    Ok(true)
}
