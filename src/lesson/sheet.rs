//! What a page shows to a learner: lines with a style, to be wrapped and coloured by whoever draws them.

use super::course::{Choice, Expected, Page, Predict};
use super::figure::{Fault, Figure, Prose, Scene, Value};
use super::run::{Fresh, Guess, Run, Step};
use crate::units::{Share, significant};

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The page's text.
    Text,
    /// A question or a task that is open.
    Ask,
    /// A statement to choose.
    Choice,
    /// The statement under the cursor.
    Cursor,
    /// A statement that is right, a prediction that came near, a task that is done.
    Right,
    /// A statement that was picked and is wrong, a prediction that is far off.
    Wrong,
    /// The engine's answer.
    Engine,
    /// What follows: the reason, what is said after a task.
    Then,
    /// A hint.
    Hint,
    /// What comes later.
    Later,
    /// What cannot be computed, and why.
    Fault,
}

/// One paragraph, item or bar.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetLine {
    /// What it is.
    pub style: Style,
    /// What stands before its first line: `[x]`, `a`.
    pub mark: String,
    /// The text.
    pub text: String,
    /// A bar of this length, the longest being 1.
    pub bar: Option<Share>,
    /// What the learner is to look at now.
    pub active: bool,
    /// What the learner's last step has brought up: it must show.
    pub fresh: bool,
}

impl SheetLine {
    /// Whether an empty line belongs between this one and the one before: items of a list and the two bars stand together.
    pub fn stands_apart(&self, before: &Self) -> bool {
        let is_choice = |l: &Self| l.mark.len() == 1;
        let is_item = |l: &Self| l.text.starts_with("- ");
        !(is_choice(before) && is_choice(self) || before.bar.is_some() || is_item(before) && is_item(self))
    }
}

/// A page as it shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// Its lines. Between two of a different style there is a gap.
    pub lines: Vec<SheetLine>,
}

/// The letter of a statement: a, b, c ...
pub fn letter(i: usize) -> &'static str {
    "abcdefghijklmnopqrstuvwxyz".get(i..=i).unwrap_or("?")
}

/// The paragraphs of a text: blank lines part them, lines that begin with `- ` stand alone.
pub(super) fn paragraphs(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            open = false;
        } else if let (true, false, Some(last)) = (open, line.starts_with("- "), all.last_mut()) {
            last.push(' ');
            last.push_str(line);
        } else {
            all.push(line.to_owned());
            open = true;
        }
    }
    all
}

impl Sheet {
    fn push(&mut self, style: Style, mark: &str, text: impl Into<String>) -> &mut SheetLine {
        self.lines.push(SheetLine {
            style,
            mark: mark.to_owned(),
            text: text.into(),
            bar: None,
            active: false,
            fresh: false,
        });
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    fn prose(&mut self, style: Style, prose: &Prose, scene: &Scene<'_>) {
        match prose.show(scene) {
            Ok(text) => {
                for p in paragraphs(&text) {
                    self.push(style, "", p);
                }
            }
            Err(Fault(why)) => {
                self.push(Style::Fault, "", why);
            }
        }
    }

    /// Everything from a line on is what the last step has brought up.
    fn freshen(&mut self, from: usize) {
        self.lines.iter_mut().skip(from).for_each(|l| l.fresh = true);
    }

    /// One line with a mark.
    fn item(&mut self, style: Style, mark: &str, prose: &Prose, scene: &Scene<'_>) -> &mut SheetLine {
        match prose.show(scene) {
            Ok(text) => self.push(style, mark, paragraphs(&text).join(" ")),
            Err(Fault(why)) => self.push(Style::Fault, mark, why),
        }
    }
}

impl Run {
    /// What the present page shows.
    pub fn sheet(&self) -> Sheet {
        let names = &self.lesson().names;
        let page = self.page();
        let mut sheet = Sheet::default();
        page.on_stage(names, |scene| sheet.prose(Style::Text, &page.text, scene));
        if let Some(predict) = &page.predict {
            self.prediction(&mut sheet, page, predict);
        }
        page.on_reveal(names, |scene| self.tasks(&mut sheet, page, scene));
        sheet
    }

    fn prediction(&self, sheet: &mut Sheet, page: &Page, predict: &Predict) {
        let names = &self.lesson().names;
        let open = self.guess().is_none();
        page.on_stage(names, |scene| {
            let first = sheet.lines.len();
            sheet.prose(if open { Style::Ask } else { Style::Text }, &predict.ask, scene);
            if let Some(line) = sheet.lines.get_mut(first) {
                line.active = open;
            }
        });
        let from = sheet.lines.len();
        page.on_reveal(names, |scene| {
            match (&predict.answer, self.guess()) {
                (Expected::Choice(all), guess) => self.statements(sheet, all, guess, scene),
                (Expected::Number { answer, .. }, Some(Guess::Number(said))) => self.bars(sheet, answer, said, scene),
                (Expected::Number { .. }, _) => {}
            }
            if !open {
                let first = sheet.lines.len();
                sheet.prose(Style::Then, &predict.why, scene);
                if let Some(line) = sheet.lines.get_mut(first) {
                    line.active = self.said().is_empty();
                }
            }
        });
        if self.last() == Fresh::Answer {
            sheet.freshen(from);
        }
        if open {
            page.on_stage(names, |scene| self.show_hints(sheet, &predict.hints, scene));
        }
    }

    fn statements(&self, sheet: &mut Sheet, all: &[Choice], guess: Option<&Guess>, scene: &Scene<'_>) {
        let right = self.answer().and_then(Result::ok);
        for (i, choice) in all.iter().enumerate() {
            let is_right = right.as_ref().is_some_and(|r| r.same(&Value::Count(i as u64)));
            let picked = matches!(guess, Some(Guess::Choice(n)) if *n == i);
            let style = match guess {
                None if i == self.choice() => Style::Cursor,
                Some(_) if is_right => Style::Right,
                Some(_) if picked => Style::Wrong,
                _ => Style::Choice,
            };
            let line = sheet.item(style, letter(i), &choice.say, scene);
            line.active = style == Style::Cursor;
            let verdict = match (guess, is_right, picked) {
                (None, ..) => "",
                (_, true, true) => "  (right, as you said)",
                (_, true, false) => "  (right)",
                (_, false, true) => "  (your guess)",
                _ => "",
            };
            line.text.push_str(verdict);
        }
        if let Some(Guess::Choice(n)) = guess
            && self.is_right() == Some(false)
            && let Some(but) = all.get(*n).and_then(|c| c.but.as_ref())
        {
            sheet.prose(Style::Wrong, but, scene);
        }
    }

    /// The guess and the engine's answer as bars, and how far off the guess was.
    fn bars(&self, sheet: &mut Sheet, answer: &Figure, said: &Value, scene: &Scene<'_>) {
        let is = match answer.value(scene) {
            Ok(is) => is,
            Err(Fault(why)) => {
                sheet.push(Style::Fault, "", why);
                return;
            }
        };
        let near = self.is_right() == Some(true);
        let off = is.off_by(said).map_or(0.0, Share::ratio);
        // Guess over answer; the longer of the two fills the bar.
        let (guess_bar, engine_bar) = if off > 0.0 { (1.0, 1.0 / (1.0 + off)) } else { (1.0 + off, 1.0) };
        let style = if near { Style::Right } else { Style::Wrong };
        let line = sheet.push(style, "guess", answer.like(said));
        line.bar = Some(Share::new(guess_bar.max(0.0)));
        let line = sheet.push(Style::Engine, "engine", answer.like(&is));
        line.bar = Some(Share::new(engine_bar));
        sheet.push(style, "", verdict(off, near));
        if let Some(slip) = self.wanted().and_then(Result::ok).filter(|_| !near).and_then(|w| w.slip(said)) {
            sheet.push(style, "", slip);
        }
    }

    fn tasks(&self, sheet: &mut Sheet, page: &Page, scene: &Scene<'_>) {
        let open = match self.step() {
            Step::Predict(_) => None,
            Step::Task(i, _) => Some(i),
            Step::Done => Some(page.tasks.len()),
        };
        for (i, task) in page.tasks.iter().enumerate() {
            let (style, mark) = match open {
                Some(now) if i < now => (Style::Right, "[x]"),
                Some(now) if i == now => (Style::Ask, "[ ]"),
                _ => (Style::Later, "[ ]"),
            };
            let from = sheet.lines.len();
            sheet.item(style, mark, &task.ask, scene).active = style == Style::Ask;
            if let Some(said) = self.said().get(i) {
                let first = sheet.lines.len();
                for p in paragraphs(said) {
                    sheet.push(Style::Then, "", p);
                }
                if let Some(line) = sheet.lines.get_mut(first) {
                    line.active = open == Some(i + 1) && i + 1 == page.tasks.len();
                }
                if self.last() == Fresh::Said && open == Some(i + 1) {
                    sheet.freshen(from);
                }
            }
            if style == Style::Ask {
                self.show_hints(sheet, &task.hints, scene);
            }
        }
    }

    fn show_hints(&self, sheet: &mut Sheet, all: &[Prose], scene: &Scene<'_>) {
        for (i, hint) in all.iter().take(self.hints()).enumerate() {
            sheet.item(Style::Hint, "hint", hint, scene).fresh = self.last() == Fresh::Hint && i + 1 == self.hints();
        }
    }
}

/// How far off a guess was, in words.
fn verdict(off: f64, near: bool) -> String {
    let percent = significant(off.abs() * 100.0);
    let how = match off {
        v if v.abs() < 0.0005 => "exactly so".to_owned(),
        v if v >= 1.0 => format!("{} times the engine's answer", significant(v + 1.0)),
        v if v > 0.0 => format!("{percent} % above"),
        _ => format!("{percent} % below"),
    };
    if near { format!("{how}: near enough") } else { how }
}
