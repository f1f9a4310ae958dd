//! Proof of a lesson: its figures have values, its words hold, and every task is undone before its solution and done after
//! it. The solutions are typed into the explorer itself, without a terminal.

use std::fmt::Write;
use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::super::Output;
use crate::lesson::figure::Value;
use crate::lesson::{self, Act, Lesson, Problem, Run, Step, Style};
use crate::parts::nearest;
use crate::preset::At;
use crate::question::Question;
use crate::tui::app::{App, Options, Screen};
use crate::tui::headless::Headless;
use crate::tui::keys::parse_script;
use crate::tui::picture::Lens;
use crate::tui::program::Input;
use crate::units::counted;

/// Size of the screen on which lessons are walked through.
const SIZE: (u16, u16) = (120, 40);

/// Checks lessons; exit code 1 when one of them fails.
pub(super) fn run(lessons: &[Arc<Lesson>]) -> Output {
    let mut out = String::new();
    let mut failed = 0;
    for l in lessons {
        let problems = problems(l);
        let tasks: usize = l.pages.iter().map(|p| p.tasks.len()).sum();
        let predictions = l.pages.iter().filter(|p| p.predict.is_some()).count();
        let count = |n: usize, what| counted(n as u64, what);
        let pages = count(l.pages.len(), "page");
        let size = format!("{pages}, {}, {}", count(tasks, "task"), count(predictions, "prediction"));
        let verdict = if problems.is_empty() { "fine" } else { "FAILS" };
        let _ = writeln!(out, "{}: {size}: {verdict}", l.name);
        for p in &problems {
            let _ = writeln!(out, "  {}", p.in_file(l));
        }
        failed += usize::from(!problems.is_empty());
    }
    let remark = if failed > 0 { format!("{failed} of {} lessons fail", lessons.len()) } else { String::new() };
    Output { text: out, remark, code: u8::from(failed > 0) }
}

/// Everything that is wrong with a lesson.
pub fn problems(lesson: &Arc<Lesson>) -> Vec<Problem> {
    let mut all = lesson::check(lesson);
    let mut walk = Walk::new(lesson);
    for (i, page) in lesson.pages.iter().enumerate() {
        let (place, path) = (format!("page {}", i + 1), [At::Field("pages"), At::Item(i)]);
        for (way, message) in unknown_looks(page) {
            let path: Vec<At<'static>> = path.iter().copied().chain(way).collect();
            all.push(Problem::new(&place, &path, message));
        }
        walk.to_page(i);
        walk.predict_right();
        for n in 0..page.tasks.len() {
            let of = |field| Problem {
                path: path.iter().copied().chain([At::Field("tasks"), At::Item(n), At::Field(field)]).collect(),
                ..Problem::new(format!("{place}, task {}", n + 1), &[], "")
            };
            if let Err(message) = walk.solve_task(n) {
                let problem = Problem { message, ..of("solution") };
                // That it holds from the start is said where its condition stands.
                let said = all.iter().any(|p| p.place == problem.place && p.path == of("when").path);
                all.extend(Some(problem).filter(|_| !said));
                break;
            }
            all.extend(walk.app().broken_claims(n).into_iter().map(|message| Problem { message, ..of("claims") }));
        }
        let faults = walk.app().sheet().map(|s| s.lines.clone()).unwrap_or_default();
        let faults = faults.iter().filter(|l| l.style == Style::Fault);
        all.extend(faults.map(|line| Problem::new(&place, &path, &line.text)));
    }
    // What is at fault shows on the page as well: once is enough.
    let mut known: Vec<(String, String)> = Vec::new();
    all.retain(|p| {
        let page = p.place.split(',').next().unwrap_or_default().to_owned();
        let is_new = !known.contains(&(page.clone(), p.message.clone()));
        known.push((page, p.message.clone()));
        is_new
    });
    all
}

/// Screens, lenses and addresses that the explorer does not know, with the way to each from the page.
fn unknown_looks(page: &lesson::Page) -> Vec<(Vec<At<'static>>, String)> {
    let mut all = Vec::new();
    let shows = page.predict.as_ref().and_then(|p| p.shows.as_ref());
    let own: &[At<'static>] = &[At::Field("stage")];
    let stages = [(own, Some(&page.stage)), (&[At::Field("predict"), At::Field("shows")], shows)];
    for (way, stage) in stages.into_iter().filter_map(|(way, stage)| stage.map(|s| (way, s))) {
        let at = |field| way.iter().copied().chain([At::Field(field)]).collect::<Vec<_>>();
        if let Some(name) = stage.look.screen.as_ref().filter(|n| Screen::named(n).is_none()) {
            all.push((at("screen"), format!("no screen {name:?}; {}", one_of(name, &Screen::ALL.map(Screen::name)))));
        }
        if let Some(name) = stage.look.lens.as_ref().filter(|n| !Lens::ALL.iter().any(|l| l.name() == n.as_str())) {
            all.push((at("lens"), format!("no lens {name:?}; {}", one_of(name, &Lens::ALL.map(Lens::name)))));
        }
        if let Some(address) = &stage.look.select {
            let found = address.parse::<crate::system::Address>().and_then(|a| a.resolve(&stage.system));
            if let Err(e) = found {
                all.push((at("select"), format!("select: {e}")));
            }
        }
    }
    all
}

/// `expected one of load, rate; did you mean rate?`.
fn one_of(name: &str, all: &[&'static str]) -> String {
    let near = nearest(name, all.iter().copied());
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    format!("expected one of {}{hint}", all.join(", "))
}

/// A lesson being walked through by its own solutions.
pub struct Walk {
    screen: Headless<App>,
}

impl Walk {
    /// Opens the lesson.
    pub fn new(lesson: &Arc<Lesson>) -> Self {
        Self::at(lesson, SIZE)
    }

    /// Opens the lesson on a screen of so many columns and rows.
    pub fn at(lesson: &Arc<Lesson>, (columns, rows): (u16, u16)) -> Self {
        let system = (*lesson.page(0).stage.base).clone();
        let mut app = App::new(system, Question::default(), Options::default());
        app.open_lesson(lesson);
        Self { screen: app.replay(columns, rows, []) }
    }

    /// The explorer.
    pub fn app(&self) -> &App {
        self.screen.program()
    }

    /// What the screen shows.
    pub fn buffer(&self) -> &Buffer {
        self.screen.buffer()
    }

    /// Gives the keys to the text of the lesson.
    pub fn to_text(&mut self) {
        let _ = self.keys("R");
    }

    /// Presses keys; a script that cannot be read presses none.
    pub fn press(&mut self, script: &str) {
        let _ = self.keys(script);
    }

    fn keys(&mut self, script: &str) -> Result<(), String> {
        let inputs = parse_script(script).map_err(|e| format!("keys {script}: {e}"))?;
        self.screen.feed(inputs);
        Ok(())
    }

    /// Goes to a page, backwards or forwards.
    pub fn to_page(&mut self, page: usize) {
        for _ in 0..1000 {
            let Some(at) = self.app().lesson().map(Run::at).filter(|at| *at != page) else { return };
            let _ = self.keys(if at < page { "R<right>" } else { "R<left>" });
        }
    }

    /// Makes the page's prediction as the engine answers it.
    pub fn predict_right(&mut self) {
        let Some(run) = self.app().lesson() else { return };
        let (Step::Predict(_), Some(Ok(answer))) = (run.step(), run.answer()) else { return };
        let _ = match answer {
            Value::Count(n) if self.chooses() => self.keys(&format!("R{}<enter>", "<down>".repeat(n as usize))),
            number => {
                let text = number.exact();
                self.keys(&format!("R<enter>\"{text}\"<enter>"))
            }
        };
    }

    fn chooses(&self) -> bool {
        let predict = self.app().lesson().and_then(|r| r.page().predict.as_ref());
        predict.is_some_and(|p| matches!(p.answer, lesson::Expected::Choice(_)))
    }

    /// Whether a prediction is open.
    fn is_asked(&self) -> bool {
        self.app().lesson().is_some_and(|r| matches!(r.step(), Step::Predict(_)))
    }

    /// The open task and its solution.
    pub fn open_task(&self) -> Option<(usize, Vec<Act>)> {
        match self.app().lesson()?.step() {
            Step::Task(n, task) => Some((n, task.solution.clone())),
            _ => None,
        }
    }

    /// Carries out the solution of the task of a place, which must be the open one.
    fn solve_task(&mut self, n: usize) -> Result<(), String> {
        match self.open_task() {
            Some((at, acts)) if at == n => self.try_solve(&acts),
            _ if self.is_asked() => Err("is not reached: the prediction before it has no answer".to_owned()),
            _ => Err("is done before anything was done for it".to_owned()),
        }
    }

    /// Carries a solution out; whether the task that was open is done then.
    pub fn solve(&mut self, acts: &[Act]) -> bool {
        self.try_solve(acts).is_ok()
    }

    /// The same with the reason.
    fn try_solve(&mut self, acts: &[Act]) -> Result<(), String> {
        if self.app().task_holds() {
            return Err("holds before anything is done for it".to_owned());
        }
        let before = self.app().lesson().map_or(0, |r| r.said().len());
        for (i, act) in acts.iter().enumerate() {
            if self.app().lesson().map_or(0, |r| r.said().len()) > before {
                return Err(format!("is done before step {} of its solution", i + 1));
            }
            match act {
                Act::Line(line) => self.enter(line)?,
                Act::Keys(keys) => self.keys(keys)?,
            }
        }
        let done = self.app().lesson().map_or(0, |r| r.said().len()) > before;
        let why = || {
            format!("is not done by its solution{}", self.app().message().map_or(String::new(), |m| format!(": {m}")))
        };
        if done { Ok(()) } else { Err(why()) }
    }

    /// Enters a line at `:`. One that is not accepted is an error, and is left.
    fn enter(&mut self, line: &str) -> Result<(), String> {
        self.keys(":")?;
        self.screen.feed([Input::Paste(line.to_owned())]);
        self.keys("<enter>")?;
        if self.app().is_typing() {
            let why = self.app().line_refused().map_or_else(String::new, |why| format!("; {why}"));
            self.keys("<esc>")?;
            return Err(format!("{line:?} cannot be entered at :{why}"));
        }
        Ok(())
    }
}
