//! What the fit may turn: each parameter with its prior and how far it may stray from it.

use crate::cost::Params;
use crate::parts::{CatalogueFile, Family, LinkKind, Steps};
use crate::units::{Bandwidth, Bytes, Share, Time};

/// All constants of the model: the library's and the catalogue's.
#[derive(Debug, Clone)]
pub struct Model {
    /// Library constants.
    pub params: Params,
    /// Parts.
    pub parts: CatalogueFile,
}

/// Writes a parameter's value into a model.
type Setter = Box<dyn Fn(&mut Model, f64)>;

/// One parameter of the fit.
pub struct Knob {
    /// Name, as printed.
    pub name: String,
    /// How far it may stray from its prior, as a standard deviation of its logarithm.
    pub sigma: f64,
    get: Box<dyn Fn(&Model) -> f64>,
    set: Setter,
    /// Largest value: shares stay at or below 1.
    pub most: f64,
}

impl Knob {
    /// Its value.
    pub fn get(&self, m: &Model) -> Share {
        Share::new((self.get)(m))
    }

    /// Sets its value, cut to what it may be.
    pub fn set(&self, m: &mut Model, v: Share) {
        (self.set)(m, v.ratio().min(self.most));
    }

    fn new(
        name: impl Into<String>,
        sigma: f64,
        most: f64,
        get: impl Fn(&Model) -> f64 + 'static,
        set: impl Fn(&mut Model, f64) + 'static,
    ) -> Self {
        Self { name: name.into(), sigma, get: Box::new(get), set: Box::new(set), most }
    }
}

macro_rules! param {
    ($list:ident, time $field:ident, $sigma:expr) => {
        $list.push(Knob::new(
            stringify!($field),
            $sigma,
            f64::INFINITY,
            |m| m.params.$field.is.us(),
            |m, v| {
                m.params.$field.is = Time::from_us(v);
            },
        ));
    };
    ($list:ident, share $field:ident, $sigma:expr) => {
        $list.push(Knob::new(
            stringify!($field),
            $sigma,
            1.0,
            |m| m.params.$field.is.ratio(),
            |m, v| {
                m.params.$field.is = Share::new(v);
            },
        ));
    };
    ($list:ident, size $field:ident, $sigma:expr) => {
        $list.push(Knob::new(
            stringify!($field),
            $sigma,
            f64::INFINITY,
            |m| m.params.$field.is.get(),
            |m, v| {
                m.params.$field.is = Bytes::new(v);
            },
        ));
    };
    ($list:ident, plain $field:ident, $sigma:expr) => {
        $list.push(Knob::new(
            stringify!($field),
            $sigma,
            f64::INFINITY,
            |m| m.params.$field.is,
            |m, v| {
                m.params.$field.is = v;
            },
        ));
    };
}

/// Every parameter that the fit turns.
pub fn knobs(model: &Model) -> Vec<Knob> {
    let mut list = library();
    for l in &model.parts.links {
        if matches!(l.family, Family::Nvlink | Family::Xgmi | Family::Pcie | Family::Socket) {
            list.push(usable(&l.name, if l.family == Family::Socket { 0.3 } else { 0.03 }));
        }
    }
    list.push(staged());
    for (name, pick) in [("nvlink", Family::Nvlink), ("xgmi", Family::Xgmi), ("pcie", Family::Pcie)] {
        for (protocol, field) in STEPS.iter().filter(|s| pick != Family::Nvlink || s.0 == "ll") {
            list.push(step(&format!("{name}.step.{protocol}"), pick, None, false, *field));
        }
    }
    for generation in 2..=5 {
        for (protocol, field) in STEPS.iter().filter(|s| s.0 != "ll") {
            let name = format!("nvlink{generation}.step.{protocol}");
            list.push(step(&name, Family::Nvlink, Some(generation), false, *field));
        }
    }
    for (protocol, field) in STEPS.iter().filter(|s| s.0 != "ll128") {
        list.push(step(&format!("staged.step.{protocol}"), Family::Pcie, None, true, *field));
    }
    for t in &model.parts.transports {
        list.push(transport_usable(&t.name));
        list.push(transport_step(&t.name));
        list.push(transport_without_gdr(&t.name));
    }
    for s in model.parts.switches.iter().filter(|s| s.reduction.is_some()) {
        list.push(reduction(&s.name, false));
        list.push(reduction(&s.name, true));
    }
    for a in &model.parts.archs {
        list.push(arch_ll(&a.name));
        if a.gather_channel.is_some() {
            list.push(arch_gather(&a.name));
        }
        if a.tree.is_some() {
            list.push(arch_tree(&a.name));
        }
    }
    list
}

fn library() -> Vec<Knob> {
    let mut list = Vec::new();
    param!(list, time launch, 0.5);
    param!(list, time launch_per_gpu, 0.3);
    param!(list, time launch_per_peer, 0.5);
    param!(list, time network_ll128, 0.5);
    param!(list, time network_simple, 0.3);
    param!(list, size network_ll_window, 0.5);
    param!(list, size network_ll128_window, 0.5);
    param!(list, time reduce_latency, 0.3);
    param!(list, time reduce_per_rank, 0.5);
    param!(list, time peer, 0.5);
    param!(list, share tree_share, 0.05);
    param!(list, share reduce_with_network, 0.05);
    param!(list, share pair_share, 0.2);
    list
}

type Field = fn(&mut Steps) -> &mut Time;

const STEPS: &[(&str, Field)] = &[("ll", |s| &mut s.ll), ("ll128", |s| &mut s.ll128), ("simple", |s| &mut s.simple)];

fn usable(name: &str, sigma: f64) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    Knob::new(
        format!("{name}.usable"),
        sigma,
        1.0,
        move |m| m.parts.links.iter().find(|l| l.name == a).map_or(0.0, |l| l.usable.is.ratio()),
        move |m, v| m.parts.links.iter_mut().filter(|l| l.name == b).for_each(|l| l.usable.is = Share::new(v)),
    )
}

/// One share for host staging over all `PCIe` generations, relative to the peer share.
fn staged() -> Knob {
    let pcie = |l: &&LinkKind| l.family == Family::Pcie && l.staged.is_some();
    Knob::new(
        "pcie.staged",
        0.1,
        1.0,
        move |m| {
            m.parts
                .links
                .iter()
                .find(pcie)
                .and_then(|l| l.staged.as_ref().map(|s| (s.is.ratio()) / l.usable.is.ratio()))
                .unwrap_or(0.5)
        },
        |m, v| {
            for l in m.parts.links.iter_mut().filter(|l| l.family == Family::Pcie) {
                let peer = l.usable.is;
                if let Some(s) = &mut l.staged {
                    s.is = peer * v;
                }
            }
        },
    )
}

fn step(name: &str, family: Family, generation: Option<u32>, staged: bool, field: Field) -> Knob {
    let fits = move |l: &LinkKind| l.family == family && generation.is_none_or(|g| g == l.generation);
    let pick = move |l: &mut LinkKind| -> Option<f64> {
        let of_it = fits(l);
        let s = if staged { l.staged_steps.as_mut() } else { l.steps.as_mut() };
        let s = s.filter(|_| of_it);
        s.map(|s| field(s).us())
    };
    Knob::new(
        name,
        0.5,
        f64::INFINITY,
        move |m| m.parts.links.clone().iter_mut().find_map(pick).unwrap_or(0.0),
        move |m, v| {
            for l in m.parts.links.iter_mut().filter(|l| fits(l)) {
                if let Some(s) = if staged { l.staged_steps.as_mut() } else { l.steps.as_mut() } {
                    *field(s) = Time::from_us(v);
                }
            }
        },
    )
}

fn transport_usable(name: &str) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    Knob::new(
        format!("{name}.usable"),
        0.03,
        1.0,
        move |m| m.parts.transports.iter().find(|t| t.name == a).map_or(0.0, |t| t.usable.is.ratio()),
        move |m, v| m.parts.transports.iter_mut().filter(|t| t.name == b).for_each(|t| t.usable.is = Share::new(v)),
    )
}

fn transport_without_gdr(name: &str) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    Knob::new(
        format!("{name}.without_gdr"),
        0.1,
        1.0,
        move |m| m.parts.transports.iter().find(|t| t.name == a).map_or(0.0, |t| t.without_gdr.is.ratio()),
        move |m, v| {
            m.parts.transports.iter_mut().filter(|t| t.name == b).for_each(|t| t.without_gdr.is = Share::new(v));
        },
    )
}

fn transport_step(name: &str) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    Knob::new(
        format!("{name}.step"),
        0.2,
        f64::INFINITY,
        move |m| m.parts.transports.iter().find(|t| t.name == a).map_or(0.0, |t| t.step.is.us()),
        move |m, v| m.parts.transports.iter_mut().filter(|t| t.name == b).for_each(|t| t.step.is = Time::from_us(v)),
    )
}

fn reduction(name: &str, large: bool) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    let which = if large { "large" } else { "small" };
    Knob::new(
        format!("{name}.reduction.{which}"),
        0.05,
        1.0,
        move |m| {
            let part = m.parts.switches.iter().find(|s| s.name == a).and_then(|s| s.reduction.as_ref());
            part.map_or(0.0, |r| if large { r.large.is.ratio() } else { r.small.is.ratio() })
        },
        move |m, v| {
            for r in m.parts.switches.iter_mut().filter(|s| s.name == b).filter_map(|s| s.reduction.as_mut()) {
                if large { r.large.is = Share::new(v) } else { r.small.is = Share::new(v) }
            }
        },
    )
}

fn arch_ll(name: &str) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    Knob::new(
        format!("{name}.ll"),
        0.05,
        f64::INFINITY,
        move |m| m.parts.archs.iter().find(|x| x.name == a).map_or(0.0, |x| x.ll_channel.is.gbytes_per_s()),
        move |m, v| {
            m.parts
                .archs
                .iter_mut()
                .filter(|x| x.name == b)
                .for_each(|x| x.ll_channel.is = Bandwidth::from_gbytes_per_s(v));
        },
    )
}

fn arch_gather(name: &str) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    let get = move |m: &Model| {
        let arch = m.parts.archs.iter().find(|x| x.name == a);
        arch.and_then(|x| x.gather_channel.as_ref()).map_or(0.0, |f| f.is.gbytes_per_s())
    };
    Knob::new(format!("{name}.gather"), 0.1, f64::INFINITY, get, move |m, v| {
        for f in m.parts.archs.iter_mut().filter(|x| x.name == b).filter_map(|x| x.gather_channel.as_mut()) {
            f.is = Bandwidth::from_gbytes_per_s(v);
        }
    })
}

fn arch_tree(name: &str) -> Knob {
    let (a, b) = (name.to_owned(), name.to_owned());
    let get = move |m: &Model| {
        let arch = m.parts.archs.iter().find(|x| x.name == a);
        arch.and_then(|x| x.tree.as_ref()).map_or(0.0, |f| f.is.ratio())
    };
    Knob::new(format!("{name}.tree"), 0.05, 1.0, get, move |m, v| {
        for f in m.parts.archs.iter_mut().filter(|x| x.name == b).filter_map(|x| x.tree.as_mut()) {
            f.is = Share::new(v);
        }
    })
}
