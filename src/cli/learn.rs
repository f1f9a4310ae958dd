//! The lessons: in the explorer, as plain text, or checked.

mod proof;
mod quiz;
mod transcript;

pub use proof::{Walk, problems};

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::Output;
use super::args::LearnArgs;
use super::explore::{self, Looks, Start, Teach};
use super::source;
use crate::lesson::story::Story;
use crate::lesson::{self, Heading, Lesson, Progress};
use crate::preset;
use crate::shell::env::Environment;
use crate::tui::app::Learn;

/// The file in the state folder that remembers progress.
const PROGRESS: &str = "learn.ron";

/// What is asked for in place of a lesson to be told the story.
const STORY: &str = "story";

/// Teaches, prints or checks.
///
/// # Errors
/// No such lesson, a file that cannot be read or is no lesson, no terminal.
pub fn run(a: &LearnArgs) -> Result<ExitCode> {
    if a.list {
        return Ok(super::print(&Output::fine(list()?)));
    }
    if a.lesson.as_deref() == Some(STORY) && a.check.is_none() {
        return story(a);
    }
    let name = a.check.as_deref().filter(|file| !file.is_empty()).or(a.lesson.as_deref());
    if let Some(quiz) = quiz::named(name)? {
        return quiz::run(a, quiz);
    }
    if a.seed.is_some() || a.count.is_some() || a.topic.is_some() {
        bail!("--seed, --count and --topic are for a quiz: icx-tui learn quiz");
    }
    if a.check.is_some() {
        let mut proof = proof::run(&chosen(name)?);
        if name.is_none() {
            proof = both(proof, quiz::check(&crate::lesson::quiz::shipped()?));
        }
        return Ok(super::print(&proof));
    }
    if a.plain {
        return Ok(super::print(&Output::fine(transcript::run(&chosen(a.lesson.as_deref())?))));
    }
    let lesson = a.lesson.as_deref().map(open).transpose()?;
    let start = match &lesson {
        Some(l) => at_first_page(l),
        None => usual()?,
    };
    explore::run(start, &looks(a, lesson.map_or(Teach::List, Teach::Lesson)))
}

/// The lessons with their titles, and what else can be learned by name.
fn list() -> Result<String> {
    let headings = lesson::shipped().iter().map(Heading::of).collect::<Result<Vec<_>, _>>()?;
    let more = [
        (quiz::NAME, "Quiz", "questions whose answers the engine computes"),
        (STORY, "Story", "one training job that grows from a GPU to a cluster"),
    ];
    let lessons = headings.iter().map(|h| (h.name.as_str(), h.title.as_str(), h.about.as_str()));
    let rows: Vec<_> = lessons.chain(more).collect();
    let widest = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, title, about) in rows {
        let _ = writeln!(out, "{name:widest$}  {title} ({about})");
    }
    Ok(out)
}

/// The story of a growing job: on its screen, or as plain text.
fn story(a: &LearnArgs) -> Result<ExitCode> {
    if a.plain {
        let text = lesson::story::plain(&Story::shipped()?).map_err(anyhow::Error::msg)?;
        return Ok(super::print(&Output::fine(text)));
    }
    explore::run(usual()?, &looks(a, Teach::Story))
}

/// The machine where no lesson names one.
fn usual() -> Result<Start> {
    Ok(Start::plain(explore::DEFAULT_SYSTEM, preset::load_shipped(explore::DEFAULT_SYSTEM)?))
}

fn looks(a: &LearnArgs, teach: Teach) -> Looks {
    Looks { look: a.look.clone(), teach, ..Looks::default() }
}

/// One output after the other; the worse exit code, and what either complains about.
fn both(first: Output, second: Output) -> Output {
    let remarks: Vec<String> = [first.remark, second.remark].into_iter().filter(|r| !r.is_empty()).collect();
    Output { text: first.text + &second.text, remark: remarks.join("; "), code: first.code.max(second.code) }
}

/// One lesson, or all that are shipped.
fn chosen(name: Option<&str>) -> Result<Vec<Arc<Lesson>>> {
    match name {
        Some(name) => Ok(vec![open(name)?]),
        None => lesson::shipped().iter().map(|s| open(s.name)).collect(),
    }
}

/// A shipped lesson, or a lesson's file; the systems it names are shipped ones or files beside it.
fn open(name: &str) -> Result<Arc<Lesson>> {
    let is_file = name.contains(['/', '.']) || Path::new(name).is_file();
    if !is_file {
        return lesson::load_shipped(name).map_err(anyhow::Error::msg);
    }
    if !Path::new(name).exists() && name != "-" {
        bail!("{name}: no such file");
    }
    let text = source::read(name)?;
    let folder = Path::new(name).parent().unwrap_or(Path::new("")).to_path_buf();
    let system = |wanted: &str| {
        let beside = folder.join(wanted);
        let path = if beside.is_file() { beside.to_string_lossy().into_owned() } else { wanted.to_owned() };
        source::open(&path).map_err(|e| format!("{e:#}"))
    };
    Ok(Arc::new(lesson::read(&text, name, &system)?))
}

/// The explorer needs a machine to start with: that of the first page.
fn at_first_page(lesson: &Lesson) -> Start {
    let stage = &lesson.page(0).stage;
    Start::plain(&stage.source, (*stage.base).clone())
}

/// What is known of the learner's progress, and one line to be said where it could not be read.
pub fn remembered(environment: &Environment) -> (Learn, Option<String>) {
    let Some(file) = environment.state_file(PROGRESS) else { return (Learn::default(), None) };
    recall(&file)
}

/// Reads a file of progress. One that is damaged, or another program's or version's, is put aside, never written over.
fn recall(file: &Path) -> (Learn, Option<String>) {
    let here = || Some(file.to_path_buf());
    // The name first: a small screen cuts the rest.
    let (at, folder) = (PROGRESS, file.parent().unwrap_or(file).display());
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return (Learn::new(Progress::default(), here()), None),
        Err(e) => {
            let notice = format!("{at}: {e}; no progress is kept in this run, in {folder}");
            return (Learn::default(), Some(notice));
        }
    };
    let why = match Progress::from_text(&text) {
        Ok(progress) => return (Learn::new(progress, here()), None),
        Err(why) => why,
    };
    match put_aside(file) {
        Ok(aside) => {
            let aside = aside.file_name().unwrap_or_default().to_string_lossy();
            let notice = format!("{at}:{why}; kept as {aside}, progress begins anew, in {folder}");
            (Learn::new(Progress::default(), here()), Some(notice))
        }
        Err(e) => (
            Learn::default(),
            Some(format!("{at}:{why}; left alone ({e}), no progress is kept in this run, in {folder}")),
        ),
    }
}

/// Renames a file to the first free of `learn.ron.bad`, `learn.ron.bad2`, ...
fn put_aside(file: &Path) -> std::io::Result<PathBuf> {
    let name = |n: u32| {
        let mut name = file.as_os_str().to_owned();
        name.push(if n == 1 { ".bad".to_owned() } else { format!(".bad{n}") });
        PathBuf::from(name)
    };
    let free = (1..1000).map(name).find(|aside| !aside.exists());
    let aside = free.ok_or_else(|| std::io::Error::other("too many bad files beside it"))?;
    std::fs::rename(file, &aside).map(|()| aside)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn bad_progress_is_put_aside_and_said() {
        let folder = std::env::temp_dir().join(format!("icx-tui-progress-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(PROGRESS);
        assert!(recall(&file).1.is_none(), "a first run has nothing to say");
        for (n, text) in ["(lessons: {\"un", "(theme: \"dark\")", "\u{0}\u{1}"].into_iter().enumerate() {
            std::fs::write(&file, text).unwrap();
            let (learn, notice) = recall(&file);
            let notice = notice.unwrap();
            assert!(
                notice.starts_with("learn.ron:1:")
                    && notice.contains(&*folder.to_string_lossy())
                    && !notice.contains('\n'),
                "{notice}"
            );
            assert_eq!(learn.file.as_ref(), Some(&file));
            let aside =
                folder.join(if n == 0 { "learn.ron.bad".to_owned() } else { format!("learn.ron.bad{}", n + 1) });
            assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
            assert!(!file.exists());
        }
        std::fs::write(&file, [0xff, 0xfe]).unwrap();
        let (learn, notice) = recall(&file);
        assert!(
            learn.file.is_none() && notice.unwrap().contains("no progress is kept"),
            "what cannot be read is not written over"
        );
        std::fs::write(&file, Progress::default().to_text()).unwrap();
        assert!(recall(&file).1.is_none());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
