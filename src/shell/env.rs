//! What the environment says about the terminal and the user's files.

use std::path::{Path, PathBuf};

use crate::tui::glyphs::Glyphs;
use crate::tui::theme::Depth;

/// The environment, read once at start. No query is sent to the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// How many colours may be used; `Mono` under `NO_COLOR`.
    pub depth: Depth,
    /// Which glyphs the terminal can be trusted with.
    pub glyphs: Glyphs,
    /// The working folder; empty where there is none.
    pub folder: PathBuf,
    /// The folder of the user's configuration, if the environment names one.
    config_dir: Option<PathBuf>,
    /// The folder of what the program remembers (lessons done, lines entered).
    state_dir: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn read() -> Self {
        let folder = std::env::current_dir().unwrap_or_default();
        Self { folder, ..Self::from_lookup(|name| std::env::var(name).ok()) }
    }

    /// An environment given by a function from variable names to values. Empty values count as unset.
    pub fn from_lookup(get: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| get(name).filter(|value| !value.is_empty());
        let home = get("HOME").or_else(|| get("USERPROFILE")).map(PathBuf::from);
        let folder = |variable: &str, under_home: &str| {
            // Relative paths in these variables are invalid by the base directory specification.
            let named = get(variable).map(PathBuf::from).filter(|path| path.is_absolute());
            named.or_else(|| home.as_ref().map(|home| home.join(under_home))).map(|path| path.join("icx-tui"))
        };
        let config_dir = match get("APPDATA") {
            Some(appdata) if cfg!(windows) => Some(PathBuf::from(appdata).join("icx-tui")),
            _ => folder("XDG_CONFIG_HOME", ".config"),
        };
        let state_dir = folder("XDG_STATE_HOME", ".local/state");
        Self { depth: depth(get), glyphs: glyphs(get), folder: PathBuf::new(), config_dir, state_dir }
    }

    /// The name of the theme to use when nobody chose one.
    pub fn theme_name(&self) -> &'static str {
        if self.depth == Depth::Mono { "mono" } else { "default" }
    }

    /// Where the configuration is: the file that was named, else the user's own. The file need not exist.
    pub fn config_file(&self, named: Option<&Path>) -> Option<PathBuf> {
        named.map(Path::to_path_buf).or_else(|| self.config_dir.as_ref().map(|dir| dir.join("config.ron")))
    }

    /// Where the program keeps a file that it remembers things in.
    pub fn state_file(&self, name: &str) -> Option<PathBuf> {
        self.state_dir.as_ref().map(|dir| dir.join(name))
    }
}

/// `NO_COLOR` over `COLORTERM` over `TERM`; 16 colours when nothing says more.
fn depth(get: impl Fn(&str) -> Option<String>) -> Depth {
    let term = get("TERM").unwrap_or_default();
    if get("NO_COLOR").is_some() || term == "dumb" {
        return Depth::Mono;
    }
    if get("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit") || term.ends_with("-direct") {
        return Depth::Rgb;
    }
    if term.contains("256color") { Depth::Ansi256 } else { Depth::Ansi16 }
}

/// ASCII where the locale is not UTF-8 and on the Linux console, whose font lacks most of the glyphs.
fn glyphs(get: impl Fn(&str) -> Option<String>) -> Glyphs {
    let term = get("TERM").unwrap_or_default();
    if term == "linux" || term == "dumb" {
        return Glyphs::Ascii;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(get);
    let utf8 = match locale {
        Some(name) => name.to_lowercase().replace('-', "").contains("utf8"),
        // Without any variable a Unix program runs in the C locale; Windows consoles are written in UTF-16.
        None => cfg!(windows),
    };
    if utf8 { Glyphs::Unicode } else { Glyphs::Ascii }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::from_lookup(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn depth_of(variables: &[(&str, &str)]) -> Depth {
        environment(variables).depth
    }

    fn glyphs_of(variables: &[(&str, &str)]) -> Glyphs {
        environment(variables).glyphs
    }

    #[test]
    fn no_color_wins_when_it_is_not_empty() {
        let colourful = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")];
        assert_eq!(depth_of(&colourful), Depth::Rgb);
        assert_eq!(depth_of(&[&colourful[..], &[("NO_COLOR", "1")]].concat()), Depth::Mono);
        assert_eq!(depth_of(&[&colourful[..], &[("NO_COLOR", "")]].concat()), Depth::Rgb);
        assert_eq!(environment(&[("NO_COLOR", "1")]).theme_name(), "mono");
        assert_eq!(environment(&[]).theme_name(), "default");
    }

    #[test]
    fn depth_follows_the_terminal() {
        assert_eq!(depth_of(&[("TERM", "screen-256color")]), Depth::Ansi256);
        assert_eq!(depth_of(&[("TERM", "xterm-direct")]), Depth::Rgb);
        assert_eq!(depth_of(&[("TERM", "xterm")]), Depth::Ansi16);
        assert_eq!(depth_of(&[("TERM", "dumb")]), Depth::Mono);
        assert_eq!(depth_of(&[]), Depth::Ansi16);
    }

    #[test]
    fn the_first_locale_variable_that_is_set_decides_the_glyphs() {
        assert_eq!(glyphs_of(&[("LANG", "de_DE.UTF-8")]), Glyphs::Unicode);
        assert_eq!(glyphs_of(&[("LANG", "C.utf8")]), Glyphs::Unicode);
        assert_eq!(glyphs_of(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]), Glyphs::Ascii);
        assert_eq!(glyphs_of(&[("LANG", "C"), ("LC_CTYPE", "en_US.UTF-8"), ("LC_ALL", "")]), Glyphs::Unicode);
        assert_eq!(glyphs_of(&[("LANG", "en_US.ISO-8859-1")]), Glyphs::Ascii);
        assert_eq!(glyphs_of(&[("LANG", "en_US.UTF-8"), ("TERM", "linux")]), Glyphs::Ascii);
    }

    #[cfg(unix)]
    #[test]
    fn files_are_found_by_flag_then_variable_then_home() {
        let home = environment(&[("HOME", "/home/u")]);
        assert_eq!(home.config_file(None), Some("/home/u/.config/icx-tui/config.ron".into()));
        assert_eq!(home.config_file(Some(Path::new("my.ron"))), Some("my.ron".into()));
        assert_eq!(home.state_file("learn.ron"), Some("/home/u/.local/state/icx-tui/learn.ron".into()));
        let xdg = environment(&[("HOME", "/home/u"), ("XDG_CONFIG_HOME", "/etc/u")]);
        assert_eq!(xdg.config_file(None), Some("/etc/u/icx-tui/config.ron".into()));
        let relative = environment(&[("HOME", "/home/u"), ("XDG_CONFIG_HOME", "etc")]);
        assert_eq!(relative.config_file(None), home.config_file(None));
        assert_eq!(environment(&[]).config_file(None), None);
    }
}
