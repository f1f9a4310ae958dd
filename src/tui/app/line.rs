//! The line at the bottom: any edit, any command, a size, a file. What it would do shows while it is typed.

use std::path::PathBuf;

use super::answers::answer;
use super::{App, Spot};
use crate::cost::Answer;
use crate::preset;
use crate::question::{Collective, Group, Question};
use crate::scenario::{Edit, awaits_value, complete, touches};
use crate::system::{Algorithm, Protocol};
use crate::tui::commands::{self, Command, TABLE};
use crate::tui::line_edit::LineEdit;
use crate::tui::theme::Theme;
use crate::units::Bytes;

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LineKind {
    /// An edit or a command.
    #[default]
    Command,
    /// A size.
    Size,
    /// The file to save to.
    Save,
    /// The file to open.
    Open,
    /// The log to show.
    Measured,
    /// A number that is predicted.
    Predict,
}

impl LineKind {
    /// What stands before the text.
    pub(crate) const fn prompt(self) -> &'static str {
        match self {
            Self::Command => ":",
            Self::Size => "size ",
            Self::Save => "save to ",
            Self::Open => "open ",
            Self::Measured => "measured in ",
            Self::Predict => "your prediction ",
        }
    }

    /// What is typed there, while nothing is; the longest that `room` columns take.
    pub(crate) fn hint(self, room: usize) -> &'static str {
        let ways: &[&str] = match self {
            Self::Command => &[
                "an edit (off, on, degrade, set) or a command; tab completes, up recalls, esc leaves",
                "an edit (off, on, degrade, set) or a command; tab completes, esc leaves",
                "an edit or a command; tab completes",
                "an edit or a command",
            ],
            Self::Size => &["a size: 8, 64K, 1GiB; enter takes it, esc leaves", "a size: 8, 64K, 1GiB"],
            Self::Save => &["the file to write; tab completes, esc leaves", "the file to write"],
            Self::Open => &["a scenario, or a system's file; tab completes, esc leaves", "a scenario's file"],
            Self::Measured => {
                &["an nccl-tests log, or a matrix of pairs; tab completes, esc leaves", "the file of a log"]
            }
            Self::Predict => &["a number; enter takes it, esc leaves", "a number"],
        };
        ways.iter().find(|w| crate::tui::text::width(w) <= room).copied().unwrap_or_default()
    }
}

/// What a line would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Preview {
    /// Nothing to say yet.
    #[default]
    Nothing,
    /// It can be entered.
    Good(String),
    /// It cannot.
    Bad {
        /// The character it fails at, from 1.
        column: usize,
        /// Why.
        text: String,
    },
}

/// A way to go on with what is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The whole line with it.
    pub(crate) line: String,
    /// The part that is offered.
    pub(crate) word: String,
    /// What it is.
    pub(crate) doc: String,
}

/// A line being typed.
#[derive(Debug, Clone, Default)]
pub struct Line {
    pub(crate) kind: LineKind,
    pub(crate) edit: LineEdit,
    pub(crate) preview: Preview,
    pub(crate) offers: Vec<Offer>,
    /// The offer that was taken last with Tab; the next Tab takes the next.
    pub(crate) taken: Option<usize>,
}

/// What a line means.
#[derive(Debug, Clone)]
pub(crate) enum Entered {
    Edit(Edit),
    Edits(Vec<Edit>),
    Run(Command),
    Ask(Question),
    Theme(Box<Theme>),
    Go(Spot),
    Save(PathBuf),
    Open(PathBuf),
    Measured(PathBuf),
    Compare(String),
    Predict(crate::lesson::figure::Value),
    Learn(String),
}

/// Commands of the line that take a value.
const WITH_VALUE: [(&str, &str); 12] = [
    ("collective", "all-reduce, all-to-all, ..."),
    ("size", "64K, 1GiB"),
    ("group", "all, node, rail or STRIDExCOUNT"),
    ("algorithm", "auto, ring, tree, nvls, ..."),
    ("protocol", "auto, ll, ll128, simple"),
    ("theme", "colours"),
    ("go", "select an address"),
    ("save", "the scenario, to a file"),
    ("open", "a scenario, from a file"),
    ("compare", "with another system, shipped or from a file; or with the baseline"),
    ("measured", "what was measured, from a file: an nccl-tests log, or a matrix of pairs"),
    ("learn", "a lesson by its name"),
];

const EDIT_VERBS: [&str; 4] = ["off", "on", "degrade", "set"];

impl App {
    /// A line of a kind that starts with a text.
    pub(crate) fn line(&self, kind: LineKind, text: &str) -> Line {
        let history = if kind == LineKind::Command { self.lines.clone() } else { Vec::new() };
        let mut line = Line { kind, edit: LineEdit::with_history(history), ..Line::default() };
        line.edit.set(text);
        self.refresh_line(&mut line);
        line
    }

    /// What the line would do, and how it could go on.
    pub(crate) fn refresh_line(&self, line: &mut Line) {
        let text = line.edit.text();
        line.preview = self.preview(line.kind, &text);
        line.offers = self.offers(line.kind, &text);
        line.taken = None;
    }

    fn preview(&self, kind: LineKind, text: &str) -> Preview {
        if text.trim().is_empty() || kind == LineKind::Command && awaits_value(text) {
            return Preview::Nothing;
        }
        match self.parse_line(kind, text) {
            Ok(entered) => self.effect_of(&entered),
            Err((column, text)) => Preview::Bad { column, text },
        }
    }

    /// Reads a line; the error has the character it fails at, from 1.
    pub(crate) fn parse_line(&self, kind: LineKind, text: &str) -> Result<Entered, (usize, String)> {
        let at = |e: String| (1, e);
        match kind {
            LineKind::Size => self.size(text).map_err(at),
            LineKind::Save => Ok(Entered::Save(text.trim().into())),
            LineKind::Open => Ok(Entered::Open(text.trim().into())),
            LineKind::Measured => Ok(Entered::Measured(text.trim().into())),
            LineKind::Predict => {
                let run = self.lesson().ok_or((1, "no lesson is open".to_owned()))?;
                run.number(text).map(Entered::Predict).map_err(at)
            }
            LineKind::Command => self.parse_command(text),
        }
    }

    fn size(&self, text: &str) -> Result<Entered, String> {
        let size = text.trim().parse::<Bytes>().map_err(|e| e.to_string())?;
        if size.get() < 1.0 || size.get() > 1e15 {
            return Err("a size from 1 byte to 1 PB is expected".to_owned());
        }
        Ok(Entered::Ask(self.question.at_size(size)))
    }

    fn parse_command(&self, text: &str) -> Result<Entered, (usize, String)> {
        let start = text.len() - text.trim_start().len();
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let value = rest.trim();
        if EDIT_VERBS.contains(&word) && text.contains(';') {
            return Self::parse_several(text);
        }
        if EDIT_VERBS.contains(&word) {
            let edit = text.parse::<Edit>().map_err(|e| {
                let tail = if e.expected.is_empty() { String::new() } else { format!("; {}", e.expected) };
                (e.column, format!("{}{tail}", e.message))
            })?;
            return Ok(Entered::Edit(edit));
        }
        let column = text.get(..start + word.len()).map_or(0, |t| t.chars().count()) + 2;
        if !value.is_empty() || matches!(word, "go" | "group" | "theme") {
            return self.with_value(word, value).map_err(|e| (column, e));
        }
        let command = word.parse::<Command>().map_err(|_| (1, Self::unknown(word)))?;
        Ok(Entered::Run(command))
    }

    fn with_value(&self, word: &str, value: &str) -> Result<Entered, String> {
        let auto = value == "auto";
        let q = self.question;
        let ask = match word {
            "collective" => Question { collective: value.parse::<Collective>()?, ..q },
            "size" => return self.size(value),
            "group" => Question { group: value.parse::<Group>()?, ..q },
            "algorithm" if auto => Question { algorithm: None, ..q },
            "algorithm" => Question { algorithm: Some(value.parse::<Algorithm>()?), ..q },
            "protocol" if auto => Question { protocol: None, ..q },
            "protocol" => Question { protocol: Some(value.parse::<Protocol>()?), ..q },
            "theme" => return self.theme_named(value),
            "go" => return super::names::lookup(self.system(), value).map(Entered::Go),
            "save" => return Ok(Entered::Save(value.into())),
            "open" => return Ok(Entered::Open(value.into())),
            "compare" => return Self::comparable(value),
            "measured" => return Ok(Entered::Measured(value.into())),
            "learn" => return crate::lesson::load_shipped(value).map(|l| Entered::Learn(l.name.clone())),
            other => {
                let known = other.parse::<Command>().is_ok();
                return Err(if known { format!("{other} takes no value") } else { Self::unknown(other) });
            }
        };
        Ok(Entered::Ask(ask))
    }

    /// A shipped system, the baseline, or what can be a file.
    fn comparable(name: &str) -> Result<Entered, String> {
        let is_file = name.contains(['/', '.', '\\']);
        if is_file || name == super::files::BASELINE || preset::shipped().iter().any(|s| s.name == name) {
            return Ok(Entered::Compare(name.to_owned()));
        }
        let near = crate::parts::nearest(name, preset::shipped().iter().map(|s| s.name));
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        Err(format!("no shipped system {name:?}{hint} (a file's name has a dot or a slash)"))
    }

    /// A theme with the colours that the terminal has.
    fn theme_named(&self, name: &str) -> Result<Entered, String> {
        let theme = self.config.over(Theme::named(name).map_err(|e| e.to_string())?);
        Ok(Entered::Theme(Box::new(match self.depth {
            Some(depth) => theme.at_depth(depth),
            None => theme,
        })))
    }

    fn unknown(word: &str) -> String {
        let names = EDIT_VERBS.iter().copied().chain(WITH_VALUE.iter().map(|(w, _)| *w));
        let names = names.chain(TABLE.iter().filter(|s| s.group != commands::Group::Prompt).map(|s| s.id));
        let near = crate::parts::nearest(word, names);
        let hint = if near.is_empty() {
            "; ? lists them".to_owned()
        } else {
            format!("; did you mean {}?", near.join(" or "))
        };
        format!("{word:?} is neither an edit nor a command{hint}")
    }

    /// What something would do, in one line; an edit is priced.
    fn effect_of(&self, entered: &Entered) -> Preview {
        let good = |t: String| Preview::Good(t);
        match entered {
            Entered::Edit(edit) => self.effect_of_edit(edit),
            Entered::Edits(edits) => self.effect_of_several(edits),
            Entered::Run(command) => match command.enabled(self) {
                Ok(()) => good(command.spec().doc.to_owned()),
                Err(reason) => Preview::Bad { column: 1, text: reason },
            },
            Entered::Ask(q) => match answer(self.system(), q).0 {
                Answer::Estimate(e) => good(format!("{} {}: {}", q.collective, q.size, e.time)),
                Answer::Unreachable(u) => Preview::Bad { column: 1, text: u.to_string() },
            },
            Entered::Theme(theme) => good(format!("colours: {}", theme.name())),
            Entered::Go(spot) => good(format!("selects {}", spot.name(self.system()))),
            Entered::Save(path) => good(format!("writes {}", path.display())),
            Entered::Compare(name) => good(format!("{} against {name}", self.system().name)),
            Entered::Predict(value) => good(format!("you say {value}; enter commits to it")),
            Entered::Learn(name) => good(format!("opens the lesson {name}")),
            Entered::Open(path) | Entered::Measured(path) => good(format!("reads {}", path.display())),
        }
    }

    fn effect_of_edit(&self, edit: &Edit) -> Preview {
        let touched = match touches(self.system(), edit) {
            Ok(t) => t,
            Err(text) => {
                let column = edit.to_string().find(' ').map_or(1, |i| i + 2);
                return Preview::Bad { column, text };
            }
        };
        let mut trial = self.history.clone();
        if let Err(e) = trial.try_push(edit.clone()) {
            return Preview::Bad { column: 1, text: e.reason };
        }
        let now = self.answers.now.estimate().map(|e| e.time);
        Preview::Good(match (answer(trial.system(), &self.question).0, now) {
            (Answer::Estimate(e), Some(now)) => {
                format!("touches {touched}: {now} -> {}  {}", e.time, super::change_text((e.time / now).ratio()))
            }
            (Answer::Estimate(e), None) => format!("touches {touched}: {}", e.time),
            (Answer::Unreachable(u), _) => format!("touches {touched}: then {u}"),
        })
    }

    /// How a line could go on.
    fn offers(&self, kind: LineKind, text: &str) -> Vec<Offer> {
        match kind {
            LineKind::Command => self.command_offers(text),
            LineKind::Size => {
                let sizes = ["8", "1KiB", "64KiB", "1MiB", "16MiB", "128MiB", "1GiB", "8GiB"];
                let fits = |s: &&&str| s.starts_with(text.trim()) && **s != text;
                sizes.iter().filter(fits).map(|s| Offer::new("", s, "")).collect()
            }
            LineKind::Save | LineKind::Open | LineKind::Measured => self.file_offers(kind, text),
            LineKind::Predict => Vec::new(),
        }
    }

    fn command_offers(&self, text: &str) -> Vec<Offer> {
        let trimmed = text.trim_start();
        let Some((word, rest)) = trimmed.split_once(char::is_whitespace) else {
            let mut all = edit_offers(self, text);
            let known: Vec<String> = all.iter().map(|o| o.word.trim().to_owned()).collect();
            let rows = WITH_VALUE.iter().map(|(w, d)| (format!("{w} "), (*d).to_owned()));
            let table = TABLE.iter().filter(|s| s.group != commands::Group::Prompt);
            let rows = rows.chain(table.map(|s| (s.id.to_owned(), s.doc.to_owned())));
            let mut seen = known;
            for (w, doc) in rows {
                let name = w.trim().to_owned();
                if name.starts_with(trimmed) && name != trimmed && !seen.contains(&name) {
                    seen.push(name);
                    all.push(Offer::new("", &w, &doc));
                }
            }
            return all;
        };
        if EDIT_VERBS.contains(&word) {
            return edit_offers(self, text);
        }
        let begun = rest.trim_start();
        let head = text.strip_suffix(begun).unwrap_or(text);
        let fits = |(v, _): &(String, String)| v.starts_with(begun) && v != begun;
        let values = self.values_of(word, begun).into_iter().filter(fits).map(|(v, d)| Offer::new(head, &v, &d));
        values.chain(self.file_offers(LineKind::Command, text)).collect()
    }

    /// Values that a command of the line takes.
    fn values_of(&self, word: &str, begun: &str) -> Vec<(String, String)> {
        let plain = |names: Vec<&str>| names.into_iter().map(|n| (n.to_owned(), String::new())).collect();
        match word {
            "collective" => plain(Collective::ALL.iter().map(|c| c.name()).collect()),
            "algorithm" => plain(std::iter::once("auto").chain(Algorithm::ALL.iter().map(|a| a.name())).collect()),
            "protocol" => plain(std::iter::once("auto").chain(Protocol::ALL.iter().map(|p| p.name())).collect()),
            "group" => plain(vec!["all", "node", "rail"]),
            "learn" => plain(crate::lesson::shipped().iter().map(|s| s.name).collect()),
            "theme" => plain(Theme::NAMES.to_vec()),
            "compare" => {
                let names = preset::shipped().iter().map(|s| s.name);
                plain(std::iter::once(super::files::BASELINE).chain(names).collect())
            }
            "go" => self
                .find_hits(begun)
                .into_iter()
                .filter_map(|(s, _)| Some((s.address(self.system())?, String::new())))
                .collect(),
            _ => Vec::new(),
        }
    }
}

impl Offer {
    pub(super) fn new(head: &str, word: &str, doc: &str) -> Self {
        Self { line: format!("{head}{word}"), word: word.to_owned(), doc: doc.to_owned() }
    }
}

fn edit_offers(app: &App, text: &str) -> Vec<Offer> {
    let all = complete(app.system(), text, text.len());
    all.into_iter()
        .map(|c| Offer::new(text.get(..c.start).unwrap_or_default(), &c.text, &c.doc))
        .filter(|o| o.line != text)
        .collect()
}
