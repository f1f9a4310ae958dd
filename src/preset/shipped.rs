//! The systems that come with the program, embedded as text. Only the one asked for is read.

use std::sync::{Arc, LazyLock};

use super::{LoadError, parse};
use crate::parts::{Catalogue, CatalogueFile, nearest};
use crate::system::System;

/// A system that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Its name on the command line: `dgx-h100`.
    pub name: &'static str,
    /// Its RON text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        /// Every shipped system, by name. A test holds this list against the folder.
        const SHIPPED: &[Shipped] = &[
            $(Shipped { name: $name, text: include_str!(concat!("../../presets/", $name, ".ron")) }),*
        ];
    };
}

shipped![
    "a100-4hdr",
    "a3-high",
    "a3-mega",
    "a40-bridged",
    "aws-p4d",
    "aws-p5",
    "aws-p5en",
    "aws-p6-b200",
    "azure-ndv4",
    "azure-ndv5",
    "b200-1g-roce",
    "b200-roce",
    "dgx-1",
    "dgx-2",
    "dgx-a100",
    "dgx-a100-hdr",
    "dgx-b200",
    "dgx-b200-ndr",
    "dgx-b300-xdr",
    "dgx-h100",
    "dgx-h100-superpod",
    "gb10-pair",
    "gb200-nvl72",
    "gb200-nvl72-ib",
    "gb300-nvl72",
    "gh200-slingshot",
    "h100-1nic-roce",
    "h100-roce-2to1",
    "h20",
    "hgx-h200",
    "lumi-g",
    "mi300x",
    "mi300x-roce",
    "mi325x-roce",
    "mi355x-roce",
    "pcie-2080ti-x2",
    "pcie-4090x4",
    "pcie-4090x4-switch",
    "pcie-4090x8",
    "pcie-5090x8",
    "pcie-a100x8-bridged",
    "pcie-l40s-x2-roce",
    "pcie-l40s-x4",
    "pcie-v100x4",
    "rtx3090-roce-pair",
    "tcp-25g",
    "tcp-t4",
    "v100-efa",
];

const PARTS: &str = include_str!("../../presets/parts.ron");

static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| {
    let read = || -> Result<Catalogue, String> {
        let file: CatalogueFile = super::read(PARTS, "presets/parts.ron").map_err(|e| e.to_string())?;
        Catalogue::from_file(file).map_err(|e| e.to_string())
    };
    #[expect(clippy::panic, reason = "the text is part of the program; a test reads it")]
    Arc::new(read().unwrap_or_else(|e| panic!("{e}")))
});

/// The catalogue as it is written, for fitting its figures.
pub fn catalogue_file() -> Result<CatalogueFile, LoadError> {
    super::read(PARTS, "presets/parts.ron")
}

/// The catalogue of parts that comes with the program. Read on first use, once.
pub fn catalogue() -> &'static Arc<Catalogue> {
    &CATALOGUE
}

/// Every system that comes with the program, sorted by name.
pub const fn shipped() -> &'static [Shipped] {
    SHIPPED
}

/// Reads one shipped system. An unknown name is an error that has the nearest ones.
pub fn load_shipped(name: &str) -> Result<System, LoadError> {
    let Some(found) = SHIPPED.iter().find(|s| s.name == name) else {
        let near = nearest(name, SHIPPED.iter().map(|s| s.name));
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        let shown: String = name.chars().take(60).collect();
        let message = format!("no system {shown:?}; expected a shipped system, a RON file or a file to import{hint}");
        return Err(LoadError::whole("", message));
    };
    parse(found.text, &format!("presets/{name}.ron"), catalogue())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a failed parse is the failure of the test")]
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let mut on_disk: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|f| f.unwrap().file_name().to_str()?.strip_suffix(".ron").map(str::to_owned))
            .filter(|name| name != "parts")
            .collect();
        on_disk.sort();
        let listed: Vec<&str> = SHIPPED.iter().map(|s| s.name).collect();
        assert_eq!(listed, on_disk, "add the missing names to shipped![...] in alphabetical order");
    }

    #[test]
    fn the_catalogue_is_sound() {
        let start = std::time::Instant::now();
        assert!(catalogue().gpus().count() > 0);
        assert!(start.elapsed().as_millis() < 500, "reading the catalogue took {:?}", start.elapsed());
        assert!(Arc::ptr_eq(catalogue(), catalogue()));
    }

    #[test]
    fn every_shipped_system_loads_under_its_own_name() {
        for s in SHIPPED {
            let system = load_shipped(s.name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(system.name, s.name);
        }
    }

    #[test]
    fn an_unknown_name_is_refused() {
        let e = load_shipped("no such thing").unwrap_err();
        assert!(e.to_string().starts_with("no system \"no such thing\"; expected a shipped system"), "{e}");
    }
}
