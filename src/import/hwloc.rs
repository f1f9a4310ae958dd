//! hwloc XML (`lstopo file.xml`) of versions 1, 2 and 3 -> a draft.

mod convert;
mod cpuset;

use cpuset::CpuSet;

use super::draft::{Draft, MAX_DEVICES};
use super::report::{ImportError, Report};
use super::xml::{self, Step, Tag};

/// Most cells of a distance matrix.
const MAX_CELLS: usize = 1 << 20;

/// An object that matters: a package, a NUMA node, a bridge, a PCI device.
#[derive(Debug, Default)]
struct Object {
    tag: Tag,
    /// Nearest bridge above, if any.
    bridge: Option<usize>,
    /// CPUs of the nearest object above that has some (its own, for CPUs).
    cpus: CpuSet,
    /// Name and value of its infos, and of those of the OS devices under it.
    infos: Vec<(String, String)>,
    /// Names and gp indices of the OS devices under it.
    os: Vec<(String, u64)>,
}

/// A matrix of rates between objects.
#[derive(Debug, Default)]
struct Distances {
    name: String,
    line: u32,
    indexes: String,
    values: String,
}

/// Everything that matters of a file.
#[derive(Debug, Default)]
struct Raw {
    line: u32,
    packages: Vec<Object>,
    numa: Vec<Object>,
    bridges: Vec<Object>,
    devices: Vec<Object>,
    distances: Vec<Distances>,
    arch: String,
}

/// What is open while walking.
#[derive(Debug, Clone)]
enum Open {
    /// An object that carries CPUs; only its set matters to what is inside.
    Place(CpuSet, Holder),
    /// A bridge.
    Bridge(usize),
    /// A PCI device.
    Device(usize),
    /// An OS device of a PCI device.
    Os(usize),
    Distances,
    Indexes,
    Values,
    Other,
}

/// Where infos of a place go.
#[derive(Debug, Clone, Copy)]
enum Holder {
    None,
    Package(usize),
}

/// Reads the XML into a draft.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Draft, ImportError> {
    let mut raw = Raw { line: 1, ..Raw::default() };
    let mut stack: Vec<Open> = Vec::new();
    xml::walk(text, true, report, |step, _| {
        match step {
            Step::Open(tag) => {
                let open = raw.open(&stack, tag)?;
                stack.push(open);
            }
            Step::Close => {
                stack.pop();
            }
            Step::Text(t) => raw.text(stack.last(), &t),
        }
        Ok(())
    })?;
    convert::draft(&raw, report)
}

impl Raw {
    fn open(&mut self, stack: &[Open], tag: Tag) -> Result<Open, ImportError> {
        match tag.name.as_str() {
            "object" => self.object(stack, tag),
            "info" => {
                self.info(stack.last(), &tag);
                Ok(Open::Other)
            }
            "distances2" | "distances2hetero" => {
                self.distances.push(Distances {
                    name: tag.text("name").to_owned(),
                    line: tag.line,
                    ..Distances::default()
                });
                Ok(Open::Distances)
            }
            "indexes" => Ok(Open::Indexes),
            "u64values" => Ok(Open::Values),
            _ => Ok(Open::Other),
        }
    }

    fn object(&mut self, stack: &[Open], tag: Tag) -> Result<Open, ImportError> {
        if self.devices.len() + self.bridges.len() + self.numa.len() + self.packages.len() > MAX_DEVICES {
            return Err(ImportError::new(format!("more than {MAX_DEVICES} devices")).at(tag.line, 1));
        }
        let place = stack.iter().rev().find_map(|o| if let Open::Place(c, _) = o { Some(c) } else { None });
        let above = place.cloned().unwrap_or_default();
        let bridge = stack.iter().rev().find_map(|o| if let Open::Bridge(b) = o { Some(*b) } else { None });
        let own = tag.get("cpuset").map(CpuSet::parse);
        let kind = tag.text("type").to_owned();
        let mut object =
            Object { bridge, cpus: own.clone().unwrap_or_else(|| above.clone()), tag, ..Object::default() };
        Ok(match kind.as_str() {
            "Bridge" => {
                object.cpus = above;
                self.bridges.push(object);
                Open::Bridge(self.bridges.len() - 1)
            }
            "PCIDev" => {
                object.cpus = above;
                self.devices.push(object);
                Open::Device(self.devices.len() - 1)
            }
            "OSDev" => self.os_device(stack, &object.tag),
            "Package" | "Socket" => {
                let cpus = object.cpus.clone();
                self.packages.push(object);
                Open::Place(cpus, Holder::Package(self.packages.len() - 1))
            }
            "NUMANode" | "Node" => {
                let cpus = object.cpus.clone();
                self.numa.push(object);
                Open::Place(cpus, Holder::None)
            }
            _ if own.is_some() => Open::Place(object.cpus, Holder::None),
            _ => Open::Other,
        })
    }

    /// An OS device belongs to the PCI device it is under.
    fn os_device(&mut self, stack: &[Open], tag: &Tag) -> Open {
        let above = stack.iter().rev().find_map(|o| if let Open::Device(d) = o { Some(*d) } else { None });
        let Some(d) = above else { return Open::Other };
        if let Some(device) = self.devices.get_mut(d) {
            let gp = tag.number("gp_index").and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX);
            device.os.push((tag.text("name").to_owned(), gp));
        }
        Open::Os(d)
    }

    fn info(&mut self, inside: Option<&Open>, tag: &Tag) {
        let (name, value) = (tag.text("name").to_owned(), tag.text("value").to_owned());
        if name == "Architecture" {
            self.arch = value;
            return;
        }
        let holder = match inside {
            Some(Open::Device(d) | Open::Os(d)) => self.devices.get_mut(*d),
            Some(Open::Place(_, Holder::Package(p))) => self.packages.get_mut(*p),
            _ => None,
        };
        if let Some(object) = holder.filter(|o| o.infos.len() < 256) {
            object.infos.push((name, value));
        }
    }

    fn text(&mut self, inside: Option<&Open>, text: &str) {
        let Some(d) = self.distances.last_mut() else { return };
        let list = match inside {
            Some(Open::Indexes) => &mut d.indexes,
            Some(Open::Values) => &mut d.values,
            _ => return,
        };
        if list.len() < 8 * MAX_CELLS {
            list.push_str(text);
            list.push(' ');
        }
    }
}

impl Object {
    fn info(&self, name: &str) -> &str {
        self.infos.iter().find(|(n, _)| n == name).map_or("", |(_, v)| v.as_str())
    }

    /// Class, vendor and device of `0302 [10de:1db8] [10de:131d] a1 00`.
    fn pci_type(&self) -> (&str, &str, &str) {
        let text = self.tag.text("pci_type");
        let class = text.split_whitespace().next().unwrap_or("");
        let ids = text.split_once('[').and_then(|(_, r)| r.split_once(']')).map_or("", |(i, _)| i);
        let (vendor, device) = ids.split_once(':').unwrap_or(("", ""));
        (class, vendor, device)
    }
}
