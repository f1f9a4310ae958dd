//! The shipped catalogue and systems: every file is read, built and counted.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use icx_tui::parts::{Catalogue, CatalogueFile};
use ron::extensions::Extensions;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("presets")
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap();
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(&text).unwrap_or_else(|e| panic!("{}:{e}", path.display()))
}

fn catalogue_file() -> CatalogueFile {
    read(&folder().join("parts.ron"))
}

fn catalogue() -> Arc<Catalogue> {
    Arc::new(Catalogue::from_file(catalogue_file()).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn the_catalogue_reads_and_is_sound() {
    let c = catalogue();
    assert!(c.links().count() > 15 && c.gpus().count() > 25);
}
