//! `icx-tui config`, and the configuration that the explorer starts with.

use std::path::Path;

use anyhow::{Result, bail};

use super::{Output, source};
use crate::shell::env::Environment;
use crate::tui::config::{Config, TEMPLATE};

/// Prints the template, or where the configuration is looked for.
pub fn run(template: bool) -> Output {
    if template {
        return Output::fine(TEMPLATE.to_owned());
    }
    let text = match Environment::read().config_file(None) {
        Some(path) if path.exists() => format!("{}\n", path.display()),
        Some(path) => format!("{} (does not exist; --template prints one to begin with)\n", path.display()),
        None => "no configuration folder: neither XDG_CONFIG_HOME nor HOME is set\n".to_owned(),
    };
    Output::fine(text)
}

/// The file that was named, which must exist, else the user's own, which need not.
///
/// # Errors
/// A file that cannot be read, or is no configuration: with the place.
pub fn load(environment: &Environment, named: Option<&Path>) -> Result<Config> {
    let Some(path) = environment.config_file(named) else { return Ok(Config::default()) };
    if !path.exists() {
        if named.is_some() {
            bail!("{}: no such file (icx-tui config --template prints one to begin with)", path.display());
        }
        return Ok(Config::default());
    }
    let name = path.to_string_lossy();
    Ok(Config::parse(&source::read(&name)?, &name)?)
}
