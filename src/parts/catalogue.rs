//! The catalogue: all parts by name, with "did you mean".

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Arch, CpuPart, Family, GpuPart, LinkKind, NicPart, SwitchPart, Transport};

/// The catalogue as it is written in a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueFile {
    /// Kinds of links.
    #[serde(default)]
    pub links: Vec<LinkKind>,
    /// GPU architectures.
    #[serde(default)]
    pub archs: Vec<Arch>,
    /// GPUs.
    #[serde(default)]
    pub gpus: Vec<GpuPart>,
    /// Network adapters.
    #[serde(default)]
    pub nics: Vec<NicPart>,
    /// Switches.
    #[serde(default)]
    pub switches: Vec<SwitchPart>,
    /// CPUs.
    #[serde(default)]
    pub cpus: Vec<CpuPart>,
    /// Network transports.
    #[serde(default)]
    pub transports: Vec<Transport>,
}

/// All parts, shared and looked up by name.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    links: BTreeMap<String, Arc<LinkKind>>,
    archs: BTreeMap<String, Arc<Arch>>,
    gpus: BTreeMap<String, Arc<GpuPart>>,
    nics: BTreeMap<String, Arc<NicPart>>,
    switches: BTreeMap<String, Arc<SwitchPart>>,
    cpus: BTreeMap<String, Arc<CpuPart>>,
    transports: BTreeMap<String, Arc<Transport>>,
}

/// A name that the catalogue does not have, or has twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueError {
    /// No such part.
    #[error("unknown {what} {name:?}{}", hint(.nearest))]
    Unknown {
        /// What was looked for: "GPU", "link kind".
        what: &'static str,
        /// The name as written.
        name: String,
        /// Names that are close, best first.
        nearest: Vec<String>,
    },
    /// The same name twice in one file.
    #[error("duplicate {what} {name:?}")]
    Duplicate {
        /// What it is.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A GPU names an architecture that is not there, or a figure is not a positive finite number.
    #[error("{what} {name:?}: {problem}")]
    Bad {
        /// What it is.
        what: &'static str,
        /// The name.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

fn hint(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(" or ")) }
}

/// The names nearest to `name` by edit distance (at most three), for "did you mean".
pub fn nearest<'a>(name: &str, all: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(usize, &str)> = all
        .into_iter()
        .map(|n| {
            let low = n.to_lowercase();
            let d = distance(&wanted, &low);
            let close = !wanted.is_empty() && (low.contains(&wanted) || wanted.contains(&low));
            (if close { d.min(2) } else { d }, n)
        })
        .filter(|(d, n)| *d <= 2.max(n.len().max(wanted.len()) / 2))
        .collect();
    scored.sort_unstable();
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, n)| n.to_owned()).collect()
}

/// Levenshtein distance, in characters. Inputs are names, so the square cost is small; long texts are cut.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, cb) in row.iter_mut().skip(1).zip(&b) {
            let here = (diagonal + usize::from(ca != cb)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            *cell = here;
            left = here;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

macro_rules! lookup {
    ($get:ident, $all:ident, $field:ident, $t:ty, $what:literal) => {
        #[doc = concat!("The ", $what, " of this name.")]
        pub fn $get(&self, name: &str) -> Result<&Arc<$t>, CatalogueError> {
            self.$field.get(name).ok_or_else(|| CatalogueError::Unknown {
                what: $what,
                name: name.to_owned(),
                nearest: nearest(name, self.$field.keys().map(String::as_str)),
            })
        }

        #[doc = concat!("Every ", $what, ", by name.")]
        pub fn $all(&self) -> impl Iterator<Item = &Arc<$t>> {
            self.$field.values()
        }
    };
}

impl Catalogue {
    lookup!(link, links, links, LinkKind, "link kind");
    lookup!(arch, archs, archs, Arch, "GPU architecture");
    lookup!(gpu, gpus, gpus, GpuPart, "GPU");
    lookup!(nic, nics, nics, NicPart, "NIC");
    lookup!(switch, switches, switches, SwitchPart, "switch");
    lookup!(cpu, cpus, cpus, CpuPart, "CPU");
    lookup!(transport, transports, transports, Transport, "transport");

    /// Checks a file and indexes it: names are unique, architectures exist, rates are positive, usable rates do not
    /// exceed line rates (so that the bound stays a bound).
    pub fn from_file(file: CatalogueFile) -> Result<Self, CatalogueError> {
        let mut c = Self::default();
        c.extend(file)?;
        Ok(c)
    }

    /// Adds or overrides parts, as a system file's own `parts` section does.
    pub fn extend(&mut self, file: CatalogueFile) -> Result<(), CatalogueError> {
        for l in &file.links {
            check_link(l)?;
        }
        index(&mut self.links, file.links, "link kind", |l| &l.name)?;
        index(&mut self.archs, file.archs, "GPU architecture", |a| &a.name)?;
        for g in &file.gpus {
            self.arch(&g.arch)?;
            positive("GPU", &g.name, "memory_rate", g.memory_rate.is.gbytes_per_s())?;
        }
        index(&mut self.gpus, file.gpus, "GPU", |g| &g.name)?;
        for n in &file.nics {
            positive("NIC", &n.name, "rate", n.rate.is.gbytes_per_s())?;
        }
        index(&mut self.nics, file.nics, "NIC", |n| &n.name)?;
        index(&mut self.switches, file.switches, "switch", |s| &s.name)?;
        index(&mut self.cpus, file.cpus, "CPU", |c| &c.name)?;
        for t in &file.transports {
            share("transport", &t.name, "usable", t.usable.is.ratio())?;
            share("transport", &t.name, "without_gdr", t.without_gdr.is.ratio())?;
        }
        index(&mut self.transports, file.transports, "transport", |t| &t.name)
    }

    /// The link kind of a family and generation: what `set nvlink = 5` puts in place. Kinds of generation 0 (bridges,
    /// socket links) are variants that no edit asks for by number.
    pub fn generation(&self, family: Family, generation: u32) -> Option<&Arc<LinkKind>> {
        self.links.values().find(|l| generation > 0 && l.family == family && l.generation == generation)
    }
}

fn index<T>(
    map: &mut BTreeMap<String, Arc<T>>,
    items: Vec<T>,
    what: &'static str,
    name: impl Fn(&T) -> &String,
) -> Result<(), CatalogueError> {
    let mut seen = std::collections::BTreeSet::new();
    for item in items {
        let key = name(&item).clone();
        if !seen.insert(key.clone()) {
            return Err(CatalogueError::Duplicate { what, name: key });
        }
        map.insert(key, Arc::new(item));
    }
    Ok(())
}

fn check_link(l: &LinkKind) -> Result<(), CatalogueError> {
    positive("link kind", &l.name, "line", l.line.is.gbytes_per_s())?;
    share("link kind", &l.name, "usable", l.usable.is.ratio())?;
    for (field, figure) in [("copy", &l.copy), ("staged", &l.staged)] {
        if let Some(f) = figure {
            share("link kind", &l.name, field, f.is.ratio())?;
        }
    }
    Ok(())
}

fn positive(what: &'static str, name: &str, field: &str, v: f64) -> Result<(), CatalogueError> {
    if v.is_finite() && v > 0.0 && v < 1e6 {
        return Ok(());
    }
    let problem = format!("{field} must be a rate above zero and below 1000 TB/s");
    Err(CatalogueError::Bad { what, name: name.to_owned(), problem })
}

fn share(what: &'static str, name: &str, field: &str, v: f64) -> Result<(), CatalogueError> {
    if v > 0.0 && v <= 1.0 {
        return Ok(());
    }
    let problem = format!("{field} must be a share above 0 and at most 100 %");
    Err(CatalogueError::Bad { what, name: name.to_owned(), problem })
}
