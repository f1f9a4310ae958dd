//! Files that machines print: every format and every trap, on fixtures written for these tests, and a table over a whole
//! folder (`ICX_TOPOLOGIES=DIR cargo test --test imports folder -- --nocapture`).
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failed import is the failure of the test; the table is printed for people"
)]

mod amd;
mod commands;
mod exports;
mod fabric;
mod folder;
mod hostile;
mod hwloc;
mod nccl;
mod smi;
mod traps;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use icx_tui::import::{self, ImportError, Imported, Options};
use icx_tui::parts::{Catalogue, CatalogueFile};
use icx_tui::system::{self, System};

/// The shipped catalogue.
fn catalogue() -> Arc<Catalogue> {
    static SHIPPED: LazyLock<Arc<Catalogue>> = LazyLock::new(read_catalogue);
    Arc::clone(&SHIPPED)
}

fn read_catalogue() -> Arc<Catalogue> {
    let ron = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let file: CatalogueFile = ron.from_str(include_str!("../../presets/parts.ron")).unwrap();
    Arc::new(Catalogue::from_file(file).unwrap())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/topologies")
}

fn fixture(name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder().join(name)).unwrap()).into_owned()
}

/// Imports a fixture with a GPU named.
fn with_gpu(name: &str, gpu: &str) -> Result<Imported, ImportError> {
    import::import(&fixture(name), &Options { gpu: Some(gpu), ..Options::default() }, &catalogue())
}

/// Imports a fixture that needs nothing beside it.
fn plain(name: &str) -> Result<Imported, ImportError> {
    import::import(&fixture(name), &Options::default(), &catalogue())
}

/// The system of an import.
fn built(i: &Imported) -> System {
    system::build(&i.spec, &catalogue()).unwrap()
}

/// The links of the first unit as `a--b kind xcount/lanes`, sorted.
fn links(i: &Imported) -> Vec<String> {
    let system = built(i);
    let shape = &system.classes.first().unwrap().shape;
    let mut all: Vec<String> = shape
        .link_ixs()
        .map(|l| {
            let link = shape.link(l).unwrap();
            format!("{} {} {}", shape.link_name(l), link.kind.name, link.count * link.lanes)
        })
        .collect();
    all.sort();
    all
}

/// Whether one of the links is there.
fn has(links: &[String], wanted: &str) -> bool {
    links.iter().any(|l| l == wanted)
}

/// All notes of a report in one text.
fn notes(i: &Imported) -> String {
    i.report.to_string()
}
